package vector_test

import (
	"errors"
	"strings"
	"testing"

	"flagfall/game"
	"flagfall/game/vector"
)

// oracle answers every question alike.
type oracle struct {
	verdict game.Verdict
	err     error
	asked   int
}

func (o *oracle) Answer(game.Question) (game.Verdict, error) {
	o.asked++
	return o.verdict, o.err
}

// example has Black's claim of White's flag, and a place for each expectation.
const example = `{"id":"X","ruleset":"WBCA","fen":"4k2r/p7/8/8/8/8/8/4K2R w - - 0 1","clocks_ms":{"w":2000,"b":60000},
"events":[{"t":1000,"by":"w","type":"move","uci":"h1g1"},{"t":5000,"by":"b","type":"claim","claim":"time"}],
"expect":{"outcomes":["ok","accepted"],"result":"0-1","reason":"time","rule":"7c","ended_at":5000,
"fen":"4k2r/p7/8/8/8/8/8/4K1R1 b - - 1 1","running":"","clocks_ms":{"w":0,"b":60000},"flags_down":["w"]}}`

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
		{"position", `1R1 b - - 1 1"`, `1R1 b - - 0 1"`, `fen: got "4k2r/p7/8/8/8/8/8/4K1R1 b - - 1 1", want "4k2r/p7/8/8/8/8/8/4K1R1 b - - 0 1"`},
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
		if got := v.Replay(&oracle{err: errors.New("nothing is to be asked here")}); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
	if _, err := vector.Parse([]byte(`{"ruleset":"WBCA"}`)); err == nil {
		t.Error("an example without an id was read")
	}
}

// lone has Black's claim of White's flag with a lone bishop against a knight.
const lone = `{"id":"X","ruleset":"WBCA","fen":"8/8/8/4k3/2b5/8/8/N3K3 w - - 0 1","clocks_ms":{"w":2000,"b":60000},"truth":TRUTH,
"events":[{"t":5000,"by":"b","type":"claim","claim":"time"}],
"expect":{"outcomes":["accepted"],"result":"1/2-1/2","reason":"time_insufficient_material","rule":"8f","ended_at":5000,
"fen":"8/8/8/4k3/2b5/8/8/N3K3 w - - 0 1","running":"","clocks_ms":{"w":0,"b":60000},"flags_down":["w"]}}`

// The truth of an example stands in where the prover cannot decide; a prover that contradicts it fails.
func TestTruth(t *testing.T) {
	const bishop = " mate for Black of 8/8/8/4k3/2b5/8/8/N3K3 w - - 0 1"
	for _, tt := range []struct {
		truth   string
		verdict game.Verdict
		err     error
		want    string
	}{
		{truth: "null", verdict: game.Refuted},
		{truth: "null", verdict: game.Proved, want: `result: got "0-1", want "1/2-1/2"`},
		{truth: `{"forced_win_for":"none"}`, verdict: game.Undecided},
		{truth: `{"forced_win_for":"none"}`, verdict: game.Refuted},
		{truth: `{"forced_win_for":"w"}`, verdict: game.Undecided},
		{truth: `{"forced_win_for":"b"}`, verdict: game.Undecided, want: `result: got "0-1", want "1/2-1/2"`},
		{truth: `{"forced_win_for":"none"}`, verdict: game.Proved, want: "event 0: the prover says yes to" + bishop + ", the truth is no"},
		{truth: `{"forced_win_for":"b"}`, verdict: game.Refuted, want: "event 0: the prover says no to" + bishop + ", the truth is yes"},
		{truth: "null", err: errors.New("no table"), want: "event 0: mate for Black of 8/8/8/4k3/2b5/8/8/N3K3 w - - 0 1: no table"},
	} {
		v, err := vector.Parse([]byte(strings.Replace(lone, "TRUTH", tt.truth, 1)))
		if err != nil {
			t.Fatal(err)
		}
		prover := &oracle{verdict: tt.verdict, err: tt.err}
		if got := v.Replay(prover); got != tt.want || prover.asked != 1 {
			t.Errorf("%s, the prover says %q: got %q after %d questions, want %q", tt.truth, tt.verdict, got, prover.asked, tt.want)
		}
	}
}

// Settings are read by their names; one that is not known fails the example.
func TestSettings(t *testing.T) {
	for settings, want := range map[string]string{
		`{"arbiter_calls_flags":true}`: "outcome 1: got rejected:game_over, want accepted",
		`{"ladder":true,"8i_wide":true,"penalty_13b":"add","window":20,"both_flags_idle":90,"arbiter_on_duty":true}`: "",
		`{"blindfold":true}`: `setting "blindfold" is not known`,
		`{"window":60}`:      "bad_setup: window 60 ms: want 0 to 50",
	} {
		text := strings.Replace(example, `"ruleset"`, `"settings":`+settings+`,"ruleset"`, 1)
		v, err := vector.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := v.Replay(&oracle{verdict: game.Refuted}); got != want {
			t.Errorf("%s: got %q, want %q", settings, got, want)
		}
	}
}
