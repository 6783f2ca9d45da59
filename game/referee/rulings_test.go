//go:build !race

package main

import (
	"strings"
	"testing"
)

// All worked examples of the rule books pass, with the endgame tables of the user's cache folder. Where they are not yet
// there the first run computes them, in about a minute: too slow under the race detector, which has nothing to find here.
func TestRulings(t *testing.T) {
	var out, errs strings.Builder
	if exit := run([]string{"../testdata/rulings.jsonl"}, nil, &out, &errs); exit != 0 {
		t.Errorf("exit %d: %s", exit, errs.String())
	}
	for line := range strings.Lines(out.String()) {
		if strings.HasPrefix(line, "FAIL") {
			t.Error(line)
		}
	}
	if !strings.HasSuffix(out.String(), "132 passed, 0 failed\n") {
		t.Errorf("ends with %q", out.String()[max(0, out.Len()-60):])
	}
}
