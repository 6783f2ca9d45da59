package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	right = `{"id":"R1","ruleset":"WBCA","fen":"4k2r/p7/8/8/8/8/8/4K2R w - - 0 1","clocks_ms":{"w":2000,"b":60000},` +
		`"events":[{"t":5000,"by":"b","type":"claim","claim":"time"}],"expect":{"outcomes":["accepted"],"result":"0-1",` +
		`"reason":"time","rule":"7c","ended_at":5000,"fen":"4k2r/p7/8/8/8/8/8/4K2R w - - 0 1","running":"","clocks_ms":{"w":0,"b":60000},"flags_down":["w"]}}`
	unknown = `{"id":"R2","ruleset":"HOUSE","fen":"4k2r/p7/8/8/8/8/8/4K2R w - - 0 1","clocks_ms":{"w":1,"b":1},"events":[],"expect":{}}`
)

func TestRun(t *testing.T) {
	wrong := strings.Replace(strings.Replace(right, "R1", "R3", 1), `"rule":"7c"`, `"rule":"7d"`, 1)
	for _, tt := range []struct {
		name, input string
		exit        int
		want        []string
	}{
		{"right", right + "\n\n" + right + "\n", 0, []string{"ok   R1\nok   R1\n2 passed, 0 failed\n"}},
		{"wrong", right + "\n" + wrong, 1, []string{`FAIL R3 rule: got "7c", want "7d"`, "1 passed, 1 failed\n"}},
		{"a rule set that is not known", unknown, 1, []string{`FAIL R2 bad_setup: rule set "house" is not known`, "0 passed, 1 failed\n"}},
		{"not JSON", "{", 1, []string{"line 1", "0 passed, 1 failed\n"}},
		{"nothing", "", 0, []string{"0 passed, 0 failed\n"}},
	} {
		file := filepath.Join(t.TempDir(), "examples.jsonl")
		if err := os.WriteFile(file, []byte(tt.input), 0o600); err != nil {
			t.Fatal(err)
		}
		for from, files := range map[string][]string{"standard input": nil, "a file": {file}} {
			var out, errs strings.Builder
			if exit := run(files, strings.NewReader(tt.input), &out, &errs); exit != tt.exit || errs.String() != "" {
				t.Errorf("%s from %s: exit %d, want %d; %s", tt.name, from, exit, tt.exit, errs.String())
			}
			for _, want := range tt.want {
				if !strings.Contains(out.String(), want) {
					t.Errorf("%s from %s: no %q in %q", tt.name, from, want, out.String())
				}
			}
		}
	}
}

func TestRunWithoutTheFile(t *testing.T) {
	var out, errs strings.Builder
	if exit := run([]string{filepath.Join(t.TempDir(), "none")}, strings.NewReader(""), &out, &errs); exit != 2 {
		t.Errorf("exit %d, want 2", exit)
	}
	if !strings.HasPrefix(errs.String(), "referee: open ") {
		t.Errorf("said %q", errs.String())
	}
}
