package judge

import (
	"slices"
	"strings"
	"testing"

	"flagfall/server/wire"
)

func beginBy(rules string) *script {
	s := begin("board")
	s.t.Rules = rules
	return s
}

func end(result, reason, rule string) wire.Event {
	return wire.Event{K: "end", End: &wire.End{Result: result, Reason: reason, Rule: rule}}
}

func claim(id, what string) wire.ClientMessage {
	return wire.ClientMessage{T: "claim", ID: id, Claim: what}
}

// pressed is White's illegal Ng1-g3, released at 1000 and pressed at 1200, with what the server says to the press.
func pressed(rules string, c wire.Clocks, more ...wire.Event) *script {
	s := beginBy(rules)
	s.say("w", 1000, move("c0", "g1g3", 0, false))
	s.tell(1000, "w:c0", run(9000, 10_000, "w"), wire.Event{K: "move", By: "w", M: "g1g3"})
	s.say("w", 1200, wire.ClientMessage{T: "press", ID: "c1"})
	return s.tell(1200, "w:c1", c, append([]wire.Event{{K: "press", By: "w"}}, more...)...)
}

// timeClaim is White's flag, fallen at 10000 and claimed at 10500 where a search has to say whether Black can mate.
func timeClaim(rules string) *script {
	down := wire.Clocks{W: 0, B: 10_000, Run: "w", Flags: "w"}
	s := beginBy(rules).tell(10_000, "", down, wire.Event{K: "flag", By: "w"}).say("b", 10_500, claim("c0", "time"))
	down.Run = ""
	return s.tell(10_500, "b:c0", down, wire.Event{K: "proof", By: "b", Claim: "time"})
}

func TestOtherBooks(t *testing.T) {
	restored := func(step int, add int64) wire.Event {
		return wire.Event{K: "restored", By: "w", Step: step, Add: add}
	}
	down := wire.Clocks{W: 0, B: 10_000, Flags: "w"}
	tests := map[string]struct {
		s    *script
		want string // "" is nothing wrong but that the game did not end
	}{
		"FIDE 7.5.1":             {pressed("fide", run(8800, 70_000, "w"), restored(1, 60_000)), ""},
		"FIDE: nothing said":     {pressed("fide", run(8800, 10_000, "b")), "restored w #1 +60000"},
		"FIDE: two minutes":      {pressed("fide", run(8800, 130_000, "w"), restored(1, 120_000)), "restored w #1 +60000"},
		"WBCA: told, not asked":  {pressed("wbca", run(8800, 70_000, "w"), restored(1, 60_000)), "the rules want [press w]"},
		"US Chess 11D":           {pressed("uscf", run(8800, 10_000, "b")).say("b", 2000, claim("c0", "illegal")).tell(2000, "b:c0", run(8800, 129_200, "w"), restored(0, 120_000)), ""},
		"US Chess: lost instead": {pressed("uscf", run(8800, 10_000, "b")).say("b", 2000, claim("c0", "illegal")).tell(2000, "b:c0", run(8800, 9200, ""), end("0-1", "illegal_move", "WBCA 7d")), "restored w #0 +120000"},
		"CCA 11": {beginBy("cca").say("b", 1000, claim("c0", "time")).tell(1000, "b:c0", run(129_000, 10_000, "w"),
			wire.Event{K: "denied", By: "b", Claim: "time", Code: "penalty_120s_to_opponent", Add: 120_000}), ""},
		"WBCA 13b": {beginBy("wbca").say("b", 1000, claim("c0", "8e")).tell(1000, "b:c0", wire.Clocks{W: 9000, Run: "w", Flags: "b"},
			wire.Event{K: "denied", By: "b", Claim: "8e", Code: "penalty_60s", Take: 60_000}, wire.Event{K: "flag", By: "b"}), ""},
		"WBCA 13b: free": {beginBy("wbca").say("b", 1000, claim("c0", "8e")).tell(1000, "b:c0", run(9000, 10_000, "w"),
			wire.Event{K: "denied", By: "b", Claim: "8e", Code: "penalty_60s"}), "denied b 8e penalty_60s +0 -60000; flag b"},
		"a proof":            {timeClaim("uscf").tell(11_000, "", down, end("0-1", "time", "US Chess 13C")), ""},
		"a proof, refuted":   {timeClaim("uscf").tell(11_000, "", down, end("1/2-1/2", "time_insufficient_material", "US Chess 14E")), ""},
		"a proof, and yet":   {timeClaim("uscf").tell(11_000, "", down, end("1-0", "time", "US Chess 13C")), "the rules want"},
		"a proof for WBCA":   {timeClaim("wbca"), "the rules want [end]"},
		"a demonstration":    {timeClaim("uscf").tell(11_000, "", down, wire.Event{K: "demo", By: "b"}), "the rules want [end]"},
		"seen at a glance":   {timeClaimNow("cca", end("0-1", "time", "CCA 12")), ""},
		"FIDE 6.5":           {beginBy("fide").tell(10_000, "", down, wire.Event{K: "flag", By: "w"}, end("0-1", "flag_arbiter", "FIDE 6.5")), ""},
		"FIDE: flag ignored": {beginBy("fide").tell(10_000, "", wire.Clocks{W: 0, B: 10_000, Run: "w", Flags: "w"}, wire.Event{K: "flag", By: "w"}), "the rules want"},
	}
	for name, tt := range tests {
		found := slices.DeleteFunc(Judge(tt.s.t, nil).Differences, Unfinished)
		if tt.want == "" {
			if len(found) > 0 {
				t.Errorf("%s: %q", name, found)
			}
		} else if !slices.ContainsFunc(found, func(d string) bool { return strings.Contains(d, tt.want) }) {
			t.Errorf("%s: want a difference with %q, got %q", name, tt.want, found)
		}
	}
}

func timeClaimNow(rules string, e wire.Event) *script {
	s := beginBy(rules).tell(10_000, "", wire.Clocks{W: 0, B: 10_000, Run: "w", Flags: "w"}, wire.Event{K: "flag", By: "w"})
	return s.say("b", 10_500, claim("c0", "time")).tell(10_500, "b:c0", wire.Clocks{W: 0, B: 10_000, Flags: "w"}, e)
}

// TestIncrements are clocks with time for each move.
func TestIncrements(t *testing.T) {
	tests := []struct {
		timing string
		clocks wire.Clocks // after a move of 1000 ms with 2000 ms for each
		ok     bool
	}{
		{"increment", run(11_000, 10_000, "b"), true},
		{"bronstein", run(10_000, 10_000, "b"), true},
		{"delay", wire.Clocks{W: 10_000, B: 10_000, Run: "b", Delay: 2000}, true},
		{"delay", run(9000, 10_000, "b"), false},
		{"", run(9000, 10_000, "b"), true},
	}
	for _, tt := range tests {
		s := begin("fast")
		s.t.Timing = tt.timing
		if tt.timing != "" {
			s.t.Each = 2000
		}
		if tt.timing == "delay" {
			for i := range 3 {
				replaceIn(s, i, `"flags":""}`, `"flags":"","delay":2000}`)
			}
		}
		s.say("w", 1000, move("c0", "e2e4", 0, true))
		s.tell(1000, "w:c0", tt.clocks, wire.Event{K: "move", By: "w", M: "e2e4"}, wire.Event{K: "press", By: "w"})
		found := slices.DeleteFunc(Judge(s.t, nil).Differences, Unfinished)
		if (len(found) == 0) != tt.ok {
			t.Errorf("%q: %q", tt.timing, found)
		}
	}
}
