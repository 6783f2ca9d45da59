package arena

import (
	"errors"
	"testing"

	"flagfall/game"
	"flagfall/server/actor"
)

func TestFreeze(t *testing.T) {
	e := four(t)
	one, two := e.board("a").ID, e.board("c").ID
	e.refused(Forbidden, Freeze{By: "o", On: true, Why: "x"})
	e.refused(OwnGame, Freeze{By: "a", On: true, Why: "x"})
	e.refused(NeedsReason, Freeze{By: "r", On: true})
	e.do(Freeze{By: "r", On: true, Why: "the network is down"})
	if got := e.rulings(); got != one+" stop, "+two+" stop" {
		t.Fatal(got)
	}
	list := e.m.rulings()
	if why := list[0].Do.(RuleGame).Ruling.Why; why != "All boards are stopped: the network is down" {
		t.Error(why)
	}
	e.do(actor.Acked{Effect: list[0].ID})
	e.do(actor.Acked{Effect: list[1].ID, Err: errors.New("the clocks stand already")}) // a dispute
	e.refused(NotNow, PairByHand{By: "r", White: "a", Black: "c", Why: "x"})
	if got := e.m.Notices[len(e.m.Notices)-1].Text; got != "All boards are stopped: the network is down" {
		t.Error(got)
	}
	e.pass(4999)
	if got := e.rulings(); got != "" {
		t.Error(got)
	}
	e.pass(1) // the dispute may be over
	if got := e.rulings(); got != two+" stop" {
		t.Error(got)
	}
	e.do(actor.Acked{Effect: e.m.rulings()[0].ID, Err: errors.New("the clocks stand already")})
	e.do(Freeze{By: "r", Why: "it works again"})
	if got := e.rulings(); got != one+" resume" { // the other was not stopped by the freeze
		t.Error(got)
	}
	e.obey()
	if e.m.DeskView("r", dawn).Frozen {
		t.Error("still frozen")
	}
	e.same()
}

// An order that is under way is not overtaken by the next one.
func TestFreezeAndResumeAtOnce(t *testing.T) {
	e := four(t)
	one, two := e.board("a").ID, e.board("c").ID
	e.do(Freeze{By: "r", On: true, Why: "x"})
	e.do(Freeze{By: "r", Why: "x"})
	list := e.m.rulings()
	if got := e.rulings(); got != one+" stop, "+two+" stop" {
		t.Error(got)
	}
	e.do(actor.Acked{Effect: list[0].ID})
	e.do(actor.Acked{Effect: list[1].ID, Err: errors.New("the clocks stand already")})
	if got := e.rulings(); got != one+" resume" {
		t.Error(got)
	}
	e.obey()
	e.same()
}

// D36 lets a game go on by itself after three minutes: a board that is to stand longer is stopped again before.
func TestALongFreeze(t *testing.T) {
	e := four(t)
	one, two := e.board("a").ID, e.board("c").ID
	e.do(Freeze{By: "r", On: true, Why: "the lights went out"})
	e.obey()
	e.do(Rule{By: "r", Game: two, Ruling: game.Ruling{Act: game.ActResume}, Why: "these two have light"})
	e.obey()
	for range 3 {
		e.pass(169999)
		if got := e.rulings(); got != "" {
			t.Error(got)
		}
		e.pass(1)
		if got := e.rulings(); got != one+" resume" {
			t.Error(got)
		}
		e.do(actor.Acked{Effect: e.m.rulings()[0].ID})
		if got := e.rulings(); got != one+" stop" {
			t.Error(got)
		}
		e.obey()
	}
	e.wins("c")
	e.pass(minute)
	if e.m.Entry("c").Game != "" || e.m.Why("c", dawn+e.at).Code != IsFrozen {
		t.Errorf("paired in a freeze, or why: %+v", e.m.Why("c", dawn+e.at))
	}
	e.do(Freeze{By: "r", Why: "light"})
	e.obey()
	e.pass(minute)
	if e.m.Entry("c").Game == "" {
		t.Error("not paired after the freeze")
	}
	e.same()
}

// The last games have as much longer as the boards stood; the end of the last one ends the freeze, too.
func TestAFreezeAtTheEnd(t *testing.T) {
	e := four(t)
	e.pass(60*minute - 1000)
	e.do(Freeze{By: "r", On: true, Why: "x"})
	e.obey()
	e.pass(20 * minute)
	e.do(Freeze{By: "r", Why: "x"})
	e.pass(12*minute + 1000 - 1) // both clocks and two minutes after the bell, and 20 minutes more
	if e.board("a").Stopping {
		t.Error("stopped too soon")
	}
	e.pass(1)
	if !e.board("a").Stopping {
		t.Error("not stopped")
	}
	e.do(Freeze{By: "r", On: true, Why: "x"})
	e.wins("a")
	e.wins("c")
	e.pass(0)
	if e.m.Phase != Provisional || e.m.Frozen > 0 {
		t.Errorf("%s, frozen %d", e.m.Phase, e.m.Frozen)
	}
	e.refused(WrongPhase, Freeze{By: "r", On: true, Why: "x"})
	e.same()
}

func TestNoRoundInAFreeze(t *testing.T) {
	set := robin(RoundRobin)
	set.AutoRound = false
	e := open(t, set)
	e.enter(players(4)...)
	e.start()
	e.do(Freeze{By: "r", On: true, Why: "x"})
	e.refused(NotNow, StartRound{By: "o"})
	e.do(Freeze{By: "r", Why: "x"})
	e.do(StartRound{By: "o"})
}
