package arena

import (
	"testing"

	"flagfall/game"
)

// why holds what a player is told now.
func (e *event) why(id string, code Reason, text string) {
	e.t.Helper()
	now := e.m.civil(e.at)
	b := e.m.Why(id, now)
	if got := b.Text(now); b.Code != code || got != text {
		e.t.Errorf("%s: %s, %q, want %s, %q", id, b.Code, got, code, text)
	}
}

func TestWhoWaitsSeesWhy(t *testing.T) {
	set := Defaults(Arena)
	set.Approve = true
	e := open(t, set)
	e.why("x", NotEntered, "You are not in this event")
	e.do(Enter{By: "x", Player: account("x"), Rating: 1500})
	e.why("x", NotApproved, "The organiser has not approved your entry yet")
	for i, id := range []string{"a", "b", "c"} {
		e.do(Enter{By: "o", Player: account(id), Rating: 2000 - i})
		e.do(Presence{Who: id, Here: true})
	}
	e.why("a", NotRunning, "The event is not running")
	e.do(Hold{By: "r", Why: "a moment", Held: true})
	e.start()
	e.why("a", IsHeld, "The arbiter holds the pairing")
	e.do(Hold{By: "r", Why: "we go on", Held: false})
	e.pass(0)
	odd := e.m.Left[0]
	g := *e.m.live()[0]
	e.why(odd, OddOne, "You are the odd one out this time; 2 others are playing")
	e.why(g.White, IsPaired, "You are paired; your table is being set up")
	if m := e.m.Mine(g.White, dawn); m.Game != "" || m.Because == nil {
		t.Errorf("a game without a table: %+v", m)
	}
	e.seat()
	e.why(g.White, IsPlaying, "Your game is on")
	e.pass(minute)
	e.wins(g.White)
	e.pass(2500)
	e.why(g.White, IsResting, "You rest for 8 s, or until you are ready")
	e.why(odd, OthersRest, "2 others rest after a game; next try in 8 s")
	e.do(Withdraw{By: odd, Who: odd})
	e.why(odd, IsOut, "You are not in the event any more")
	e.pass(7500)
	e.why(g.White, SameAgain, "Only your last opponent waits; next try in 15 s")
	e.do(Pause{By: g.Black, Who: g.Black})
	e.why(g.Black, IsPaused, "You have paused")
	e.why(g.White, NobodyElse, "Nobody else is here")
	e.do(Presence{Who: g.White, Here: false})
	e.why(g.White, IsAway, "Your page is hidden")
	e.do(Presence{Who: g.White, Here: true})
	e.do(Admit{By: "o", Who: "x"})
	e.do(Presence{Who: "x", Here: true})
	e.why("x", NextPass, "1 other waits too; next try in 1 s")
	e.pass(1000)
	e.do(Return{By: g.Black, Who: g.Black})
	e.why(g.Black, AllPlay, "2 others are playing")
	e.pass(58*minute + 40000)
	e.why(g.Black, NearBell, "The end is too near for another game")
}

func TestWhyForColours(t *testing.T) {
	e := open(t, Defaults(Arena))
	e.enter("a", "b")
	e.m.Entry("a").Colors, e.m.Entry("b").Colors = "ww", "ww"
	e.start()
	e.why("a", ColorsWait, "With those who wait you would have the same colour too often; next try in 15 s")
	e.pass(15000)
	if g := e.board("a"); !g.Color {
		t.Errorf("%+v", g)
	}
}

func TestWhyInARoundRobin(t *testing.T) {
	set := robin(RoundRobin)
	set.AutoRound = false
	e := open(t, set)
	e.enter(players(3)...)
	e.start()
	e.why("p01", NextRound, "The next round has not started")
	e.do(StartRound{By: "o"})
	e.why("p01", HasBye, "You have a bye in this round")
	e.do(Finished{Game: e.board("p02").ID, Outcome: Outcome{Score: game.Draw}})
	e.why("p02", NextRound, "The next round has not started")
}
