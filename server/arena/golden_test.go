package arena

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"flagfall/game"
)

// Journals that were recorded, of earlier versions too, give the state that was recorded with them. Numbers of editions may be later: what the
// directory of events is to hear of has grown. The terms are written otherwise.
func TestRecordedJournals(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "v*", "*.jsonl"))
	if err != nil || len(files) < 9 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		s := newMachine()
		for _, e := range journaled(t, file) {
			s.Apply(e)
		}
		recorded, err := os.ReadFile(strings.TrimSuffix(file, "l"))
		if err != nil {
			t.Fatal(err)
		}
		holds(t, file, tree(t, recorded), tree(t, []byte(stateText(t, s))))
		old, err := Load(recorded)
		if err != nil {
			t.Fatal(file, err)
		}
		if !reflect.DeepEqual(old.Standings(), s.Standings()) || old.Settings != s.Settings {
			t.Errorf("%s: the stored state gives another table or other settings than the journal", file)
		}
		if want := (game.Terms{RuleSet: "wbca", Base: 5 * minute, Mode: game.OverTheBoard}); s.Settings.Terms != want {
			t.Errorf("%s: terms %+v", file, s.Settings.Terms)
		}
	}
}

// journaled are the events of a recorded journal.
func journaled(t *testing.T, file string) (events []Event) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(text) {
		e, err := Decode(line)
		if err != nil {
			t.Fatal(file, err)
		}
		events = append(events, e.(Event))
	}
	return events
}

func tree(t *testing.T, text []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// holds checks that all that was recorded is there; there may be more.
func holds(t *testing.T, at string, want, got any) {
	t.Helper()
	switch want := want.(type) {
	case map[string]any:
		fields, _ := got.(map[string]any)
		for name, value := range want {
			if name != "edition" && name != "terms" {
				holds(t, at+"."+name, value, fields[name])
			}
		}
	case []any:
		list, _ := got.([]any)
		if len(list) != len(want) {
			t.Errorf("%s: %d, want %d", at, len(list), len(want))
			return
		}
		for i := range want {
			holds(t, at, want[i], list[i])
		}
	default:
		if !reflect.DeepEqual(want, got) {
			t.Errorf("%s: %v, want %v", at, got, want)
		}
	}
}
