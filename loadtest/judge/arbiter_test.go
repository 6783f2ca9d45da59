package judge

import (
	"slices"
	"strings"
	"testing"
	"time"

	"flagfall/server/wire"
)

func ruled(act, by string, add int64) wire.Event {
	return wire.Event{K: "ruling", Act: act, By: by, Add: add, Who: "A", Why: "seen"}
}

// called is White, who has called the arbiter after two seconds.
func called(duty Duty, stops bool) *script {
	s := begin("board")
	s.t.Duty = duty
	side := "w"
	if stops {
		side = ""
	}
	s.say("w", 2000, wire.ClientMessage{T: "dispute", ID: "c0"})
	return s.tell(2000, "w:c0", run(8000, 10_000, side), wire.Event{K: "dispute", By: "w", Stops: stops})
}

// lost is Black's game by a ruling at 5000, the clocks standing at 8000 and left of Black.
func (s *script) lost(black int64) *script {
	return s.tell(5000, "", run(8000, black, ""), ruled("loss", "b", 0),
		wire.Event{K: "end", End: &wire.End{Result: "1-0", Reason: "penalty", Rule: "WBCA 9"}})
}

// TestRulings: a dispute stops the clocks where an arbiter is on duty (WBCA 10, D28), a minute is one for the opponent (9),
// and every act says who and why.
func TestRulings(t *testing.T) {
	stopped := func() *script { return called(OnDuty, true) }
	resigned := func(s *script, left int64) *script {
		s.say("w", 6000, wire.ClientMessage{T: "resign", ID: "c1"})
		return s.tell(6000, "w:c1", run(left, 10_000, ""), wire.Event{K: "end", End: &wire.End{Result: "0-1", Reason: "resignation", Rule: "WBCA 7b"}})
	}
	for name, s := range map[string]*script{
		"loss":            stopped().lost(10_000),
		"minute":          stopped().tell(3000, "", run(8000, 70_000, ""), ruled("minute", "w", 60_000)).lost(70_000),
		"warning":         resigned(stopped().tell(3000, "", run(8000, 10_000, ""), ruled("warn", "b", 0)).tell(4000, "", run(8000, 10_000, "w"), ruled("resume", "", 0)), 6000),
		"off duty":        resigned(called(OffDuty, false), 4000),
		"not known, on":   called(UnknownDuty, true).lost(10_000),
		"not known, off":  resigned(called(UnknownDuty, false), 4000),
		"duty ends":       resigned(begin("board").tell(1000, "", run(9000, 10_000, "w"), ruled("offduty", "", 0)), 4000),
		"all boards stop": resigned(begin("board").tell(1000, "", run(9000, 10_000, ""), ruled("stop", "", 0)).tell(4000, "", run(9000, 10_000, "w"), ruled("resume", "", 0)), 7000),
		"clocks":          stopped().tell(3000, "", run(9500, 9500, ""), ruled("clocks", "", 0)).tell(5000, "", run(9500, 9500, ""), ruled("annul", "", 0), wire.Event{K: "end", End: &wire.End{Result: "*", Reason: "annulled"}}),
	} {
		if v := Judge(s.t, nil); len(v.Differences) > 0 || v.End == nil {
			t.Errorf("%s: %v, end %v", name, v.Differences, v.End)
		}
	}
	v := Judge(stopped().lost(10_000).t, nil)
	if len(v.Ruled) != 1 || v.Ruled["loss"] != 1 {
		t.Errorf("counted %v", v.Ruled)
	}
	silent := ruled("warn", "b", 0)
	silent.Why = ""
	for name, tt := range map[string]struct {
		s    *script
		want string
	}{
		"dispute unheard":       {called(OnDuty, false), "the rules want [dispute true]"},
		"stops with nobody":     {called(OffDuty, true), "the rules want [dispute false]"},
		"second of unknown":     {called(UnknownDuty, true).tell(3000, "", run(8000, 10_000, "w"), ruled("resume", "", 0)).say("b", 4000, wire.ClientMessage{T: "dispute", ID: "c0"}).tell(4000, "b:c0", run(7000, 10_000, "w"), wire.Event{K: "dispute", By: "b"}), "the rules want [dispute true]"},
		"minute is not given":   {stopped().tell(3000, "", run(8000, 10_000, ""), ruled("minute", "w", 60_000)), "clocks at"},
		"half a minute":         {stopped().tell(3000, "", run(8000, 40_000, ""), ruled("minute", "w", 30_000)), "the rules want [ruling +60000]"},
		"loss of the other":     {replace(stopped().lost(10_000), `"1-0"`, `"0-1"`), "the rules want"},
		"loss that ends not":    {stopped().tell(3000, "", run(8000, 10_000, ""), ruled("loss", "b", 0)), "the rules want [ruling +0; end]"},
		"resume of running":     {begin("board").tell(1000, "", run(9000, 10_000, "w"), ruled("resume", "", 0)), "must be refused"},
		"clocks run on":         {begin("board").tell(1000, "", run(9000, 10_000, "w"), ruled("stop", "", 0)), "clocks at"},
		"clocks stay":           {stopped().tell(3000, "", run(8000, 10_000, ""), ruled("resume", "", 0)), "clocks at"},
		"no reason":             {stopped().tell(3000, "", run(8000, 10_000, ""), silent), "says not who"},
		"a penalty of nobody":   {stopped().tell(3000, "", run(8000, 10_000, ""), ruled("warn", "", 0)), "must be refused"},
		"nobody has ruled":      {stopped().tell(3000, "", run(8000, 10_000, "w"), wire.Event{K: "resume"}), "no command"},
		"first move, too early": {begin("board").tell(9000, "", run(1000, 10_000, ""), wire.Event{K: "end", End: &wire.End{Result: "*", Reason: "no_first_move"}}), "no command"},
	} {
		v := Judge(tt.s.t, nil)
		if !slices.ContainsFunc(v.Differences, func(d string) bool { return strings.Contains(d, tt.want) }) {
			t.Errorf("%s: want a difference with %q, got %q", name, tt.want, v.Differences)
		}
	}
}

// A ruling is nobody's command, whatever was lost on its way.
func TestRulingsAreNoCommands(t *testing.T) {
	s := begin("board").tell(1000, "", run(9000, 10_000, ""), ruled("stop", "", 0)).tell(2000, "", run(9000, 10_000, "w"), ruled("resume", "", 0))
	s.say("w", 3000, move("c0", "e2e4", 0, false))
	w := s.log(0)
	w.Entries = append(w.Entries, Entry{At: 3001 * time.Millisecond, Kind: Cut}, Entry{At: 3100 * time.Millisecond, Kind: Opened})
	s.tell(3000, "", run(8000, 10_000, "w"), wire.Event{K: "move", By: "w", M: "e2e4"})
	s.say("w", 4000, wire.ClientMessage{T: "resign", ID: "c1"}).tell(4000, "w:c1", run(7000, 10_000, ""),
		wire.Event{K: "end", End: &wire.End{Result: "0-1", Reason: "resignation", Rule: "WBCA 7b"}})
	if v := Judge(s.t, nil); len(v.Differences) > 0 {
		t.Error(v.Differences)
	}
}

// An event may give another time for the first move than the lobby.
func TestFirstMoveOfAnEvent(t *testing.T) {
	s := begin("board")
	s.t.FirstMove = 5000
	s.tell(5000, "", run(5000, 10_000, ""), wire.Event{K: "end", End: &wire.End{Result: "*", Reason: "no_first_move"}})
	if v := Judge(s.t, nil); len(v.Differences) > 0 {
		t.Error(v.Differences)
	}
}
