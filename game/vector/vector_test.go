package vector_test

import (
	"bufio"
	"os"
	"strings"
	"testing"

	"flagfall/game/vector"
)

// notBuilt are the examples that need rules this module does not have yet. One of them that passes fails the test, so
// that the list stays true.
var notBuilt = map[string][]string{
	"forced wins of a lone minor piece (7a)": {"W021", "W022"},
	"flag and identical pieces (8e)":         {"W033", "W035"},
	"claims of perpetual check (8d)":         {"W071", "W072", "W074", "W075", "W132", "W133"},
	"claims of identical pieces (8e)":        {"W043", "W046", "W047", "W048", "W049", "W050", "W052", "W134", "W142"},
	"claims of opposite bishops (8g)":        {"W066", "W067", "W069", "W070"},
	"claims of king and pawn (8h)":           {"W054", "W055", "W056", "W057", "W059", "W060"},
	"claims of the rook pawn (8i)":           {"W062", "W063", "W064", "W065"},
	"disputes":                               {"W139"},
	"arbiter settings":                       {"W141"},
}

// builtRuleSet tells whether a rule set can be played.
func builtRuleSet(name string) bool { return name == "WBCA" }

func TestRulings(t *testing.T) {
	waiting := map[string]string{}
	for rule, ids := range notBuilt {
		for _, id := range ids {
			waiting[id] = rule
		}
	}
	file, err := os.Open("../testdata/rulings.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	passed := 0
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		v, err := vector.Parse(lines.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		rule, waits := waiting[v.ID]
		delete(waiting, v.ID)
		if !builtRuleSet(v.RuleSet) {
			rule, waits = "rule set "+v.RuleSet, true
		}
		difference := v.Replay()
		switch {
		case waits && difference == "":
			t.Errorf("%s passes: take it off the list of what is not built (%s)", v.ID, rule)
		case !waits && difference != "":
			t.Errorf("%s: %s", v.ID, difference)
		case !waits:
			passed++
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	for id := range waiting {
		t.Errorf("%s is on the list of what is not built, but there is no such example", id)
	}
	if passed != 64 {
		t.Errorf("%d examples pass, want 64", passed)
	}
}

// example has Black's claim of White's flag, and a place for each expectation.
const example = `{"id":"X","ruleset":"WBCA","fen":"4k2r/8/8/8/8/8/8/4K2R w - - 0 1","clocks_ms":{"w":2000,"b":60000},
"events":[{"t":1000,"by":"w","type":"move","uci":"h1g1"},{"t":5000,"by":"b","type":"claim","claim":"time"}],
"expect":{"outcomes":["ok","accepted"],"result":"0-1","reason":"time","rule":"7c","ended_at":5000,
"fen":"4k2r/8/8/8/8/8/8/4K1R1 b - - 1 1","running":"","clocks_ms":{"w":0,"b":60000},"flags_down":["w"]}}`

// A wrong expectation is found, whatever it is about.
func TestReplayFindsDifferences(t *testing.T) {
	for _, tt := range []struct{ name, right, wrong, want string }{
		{name: "nothing"},
		{"an outcome", `"accepted"]`, `"rejected:flag_up"]`, "outcome 1: got accepted, want rejected:flag_up"},
		{"too few outcomes", `"ok","accepted"]`, `"ok"]`, "more outcomes than events"},
		{"result", `"0-1"`, `"1-0"`, `result: got "0-1", want "1-0"`},
		{"reason", `"reason":"time"`, `"reason":"mate"`, `reason: got "time", want "mate"`},
		{"rule", `"7c"`, `"7d"`, `rule: got "7c", want "7d"`},
		{"end", `"ended_at":5000`, `"ended_at":5001`, "ended_at: got 5000, want 5001"},
		{"position", `1R1 b - - 1 1"`, `1R1 b - - 0 1"`, `fen: got "4k2r/8/8/8/8/8/8/4K1R1 b - - 1 1", want "4k2r/8/8/8/8/8/8/4K1R1 b - - 0 1"`},
		{"running", `"running":""`, `"running":"w"`, `running: got "", want "w"`},
		{"clock", `"w":0`, `"w":1`, "clock of w: got 0, want 1"},
		{"flags", `["w"]}}`, `["w","b"]}}`, "flags_down: got [w], want [w b]"},
		{"a type", `"type":"claim"`, `"type":"shout"`, `event 1: type "shout" is not known`},
		{"a rule set", `"WBCA"`, `"XYZ"`, `bad_setup: rule set "xyz" is not known`},
	} {
		v, err := vector.Parse([]byte(strings.Replace(example, tt.right, tt.wrong, 1)))
		if err != nil {
			t.Fatal(err)
		}
		if got := v.Replay(); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
	if _, err := vector.Parse([]byte(`{"ruleset":"WBCA"}`)); err == nil {
		t.Error("an example without an id was read")
	}
}
