//go:build !race

package main

import (
	"fmt"
	"strings"
	"testing"
)

// All worked examples of the rule books pass, with the endgame tables of the user's cache folder: those that came with the
// rulings, and more.jsonl, written from the rulings alone. Where the tables are not yet there the first run computes them,
// in about a minute: too slow under the race detector, which has nothing to find here.
func TestRulings(t *testing.T) {
	for file, examples := range map[string]int{"rulings.jsonl": 132, "more.jsonl": 128} {
		var out, errs strings.Builder
		if exit := run([]string{"../testdata/" + file}, nil, &out, &errs); exit != 0 {
			t.Errorf("%s: exit %d: %s", file, exit, errs.String())
		}
		for line := range strings.Lines(out.String()) {
			if strings.HasPrefix(line, "FAIL") {
				t.Error(line)
			}
		}
		if want := fmt.Sprintf("%d passed, 0 failed\n", examples); !strings.HasSuffix(out.String(), want) {
			t.Errorf("%s ends with %q, want %q", file, out.String()[max(0, out.Len()-60):], want)
		}
	}
}
