package table

import (
	"context"
	"slices"
	"testing"
	"time"

	"flagfall/game"
	"flagfall/server/wire"
)

// What the rules of US Chess, CCA and FIDE make of an illegal move is told when they say so, and never under WBCA.
func TestRestored(t *testing.T) {
	const press, told = "ev:press", "ev:press+restored"
	tests := []struct {
		rules, move, press, claim string
		seen                      string // what the claim leads to
		add                       int64
		step                      int
		rule                      string
	}{
		{"wbca", "e1g3", press, "illegal", "ev:end", 0, 0, ""},
		{"uscf", "e1g3", press, "illegal", "ev:restored", 120000, 0, "US Chess 11D"},
		{"cca", "e1g3", press, "illegal", "ev:restored", 120000, 0, "CCA 21"},
		{"fide", "e1g3", told, "illegal", "ev:denied", 60000, 1, "FIDE 7.5.1"},
	}
	for _, test := range tests {
		t.Run(test.rules, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				set := from("4k3/p7/8/8/8/8/7P/4K2R w K - 0 1", game.OverTheBoard)
				set.RuleSet = test.rules
				a, b := w.sit(set)
				a.do("m1 move " + test.move + " 0")
				b.expect("ev:move")
				a.do("m2 press 0")
				b.expect(test.press)
				if test.press == press {
					b.do("n1 claim " + test.claim)
					b.expect(test.seen)
					if test.rules == "wbca" {
						return
					}
				}
				var f wire.Events
				b.last(&f)
				e := f.E[len(f.E)-1]
				want := wire.Event{K: "restored", By: "w", Board: "4k3/p7/8/8/8/8/7P/4K2R w", Add: test.add, Step: test.step, Rule: test.rule}
				if b := f.Clocks.B; e != want || f.Clocks.Run != "w" || b > 300000+test.add || b < 299990+test.add {
					t.Errorf("%+v, clocks %+v; want %+v", e, f.Clocks, want)
				}
				s := state(t, w.join(third, 0))
				if len(s.Moves) != 0 || s.Board != want.Board || s.Phase != "play" || s.Pending != "" {
					t.Errorf("afterwards: %+v", s)
				}
				a.news()
				a.do("m3 move h2h3 0") // the king was touched
				a.expect("err:touch_move")
				a.do("m4 move e1f2 0 press")
				a.expect("ev:move+press")
				b.do("n2 move a7a6 1 press")
				b.expect("ev:move+press ev:move+press")
			})
		})
	}
}

// A second completed illegal move loses by FIDE; a press without a move counts as one and is told with its number.
func TestFaults(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		set := from("4k3/p7/8/8/8/8/7P/4K2R w K - 0 1", game.OverTheBoard)
		set.RuleSet = "fide"
		w.answer(oracle{answers: verdicts{game.AskPossible: game.Proved}})
		a, b := w.sit(set)
		a.do("m1 press 0")
		b.expect("ev:fault")
		var f wire.Events
		b.last(&f)
		if e := f.E[0]; e != (wire.Event{K: "fault", By: "w", Step: 1, Add: 60000, Rule: "FIDE 7.5.5"}) || f.Clocks.B != 360000 || f.Clocks.Run != "w" {
			t.Errorf("%+v, %+v", e, f.Clocks)
		}
		a.do("m2 move e1g3 0 press")
		b.expect("ev:move+press+restored+proof ev:end")
		var end wire.End
		b.lastEvent(&end)
		if end.Result != "0-1" || end.Rule != "FIDE 7.5.5" {
			t.Errorf("%+v", end)
		}
	})
}

// With nobody on duty a dispute is written down and stops nothing; with an arbiter on duty both clocks stand for three minutes
// at most (rulings D36).
func TestDispute(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		a, b := w.sit(setup(game.OverTheBoard))
		a.do("m1 dispute")
		a.expect("ev:dispute")
		b.expect("ev:dispute")
		s := state(t, w.join(third, 0))
		if s.Phase != "play" || s.Clocks.Run != "w" {
			t.Errorf("phase %s, %+v", s.Phase, s.Clocks)
		}
		a.do("m2 move e2e4 0 press")
		b.expect("ev:move+press")
		b.do("n1 resign")
		pass(time.Second)
		view, _, err := w.tables.Game(context.Background(), theGame)
		if err != nil {
			t.Fatal(err)
		}
		if log := view.(Public).Log; !slices.ContainsFunc(log, func(l Logged) bool { return l.K == "dispute" && l.By == "w" && !l.Stops }) {
			t.Errorf("the log has no dispute: %+v", log)
		}
	})
	inWorld(t, func(t *testing.T, w *world) {
		set := setup(game.OverTheBoard)
		set.Options.OnDuty, set.Options.FirstMove = true, 0
		a, b := w.sit(set)
		a.do("m1 dispute")
		var f wire.Events
		b.last(&f)
		if !f.E[0].Stops || f.E[0].Rule != "WBCA 10" || f.Clocks.Run != "" {
			t.Errorf("%+v", f)
		}
		a.news()
		a.do("m2 move e2e4 0")
		a.expect("err:clocks_stopped")
		a.do("m3 offer")
		a.expect("ev:offer")
		if s := state(t, w.join(third, 0)); s.Phase != "dispute" {
			t.Errorf("phase %s", s.Phase)
		}
		pass(3 * time.Minute)
		a.expect("ev:resume")
		if s := state(t, w.join(third, 0)); s.Phase != "play" || s.Clocks.Run != "w" || s.Clocks.W < 299000 {
			t.Errorf("phase %s, %+v", s.Phase, s.Clocks)
		}
	})
}
