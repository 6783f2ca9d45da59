package arena

import "testing"

// A match of two games: the colours are reversed, the opponent stays, and nobody else gets them in between.
func TestMatchesOfTwoGames(t *testing.T) {
	set := Defaults(Arena)
	set.Two = true
	e := open(t, set)
	e.enter("a", "b", "c", "d")
	e.start()
	first := *e.board("a")
	e.wins(first.White)
	e.pass(5000)
	if got := e.m.Why("a", dawn+e.at); got.Code != MatchGoesOn {
		t.Errorf("why: %+v", got)
	}
	e.pass(5000)
	second := *e.board("a")
	if second.White != first.Black || second.Black != first.White || second.Match != first.Match || second.Leg != 2 {
		t.Errorf("second game %+v after %+v", second, first)
	}
	e.wins(second.White)
	if e.m.Entry("a").Colors != "wb" && e.m.Entry("a").Colors != "bw" {
		t.Errorf("colours %q", e.m.Entry("a").Colors)
	}
	e.wins("c")
	e.do(Withdraw{By: "d", Who: "d"}) // in the middle of his match
	e.pass(10000)
	if got := e.m.Entry("c"); got.Leg {
		t.Error("c waits for a second game that never comes")
	}
	e.same()
}

// What was due while nothing was paired is not begun when the bell is too near.
func TestNoSecondGameJustBeforeTheBell(t *testing.T) {
	set := Defaults(Arena)
	set.Two = true
	e := open(t, set)
	e.enter("a", "b")
	e.start()
	e.pass(59 * minute)
	e.do(Hold{By: "r", Why: "a moment", Held: true})
	e.wins("a")
	e.pass(55 * 1000)
	e.do(Hold{By: "r", Why: "on", Held: false})
	e.pass(2000)
	if len(e.m.running) != 0 || e.m.Entry("a").Leg {
		t.Errorf("%d games, five seconds before the bell", len(e.m.running))
	}
	e.same()
}
