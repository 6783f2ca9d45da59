package table

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"flagfall/game"
	"flagfall/server/wire"
)

// Endings whose claims want a proof.
const (
	rookEach = "4k3/7r/8/8/8/8/R7/4K3 w - - 0 1"     // WBCA 8e
	bishops  = "4k3/8/8/3b4/8/8/4P3/2B1K3 w - - 0 1" // WBCA 8g: who claims it, White has to show a win
	knight   = "4k3/pppp4/8/8/8/8/8/4K1N1 w - - 0 1" // WBCA 7a: White's mating material is a forced mate
)

// verdicts are the answers of a search, by the kind of the question.
type verdicts = map[game.QuestionKind]game.Verdict

// A claim that needs proofs: both clocks stand, both players and the public are told, and the verdict comes as if it had
// been judged at once.
func TestProof(t *testing.T) {
	tests := []struct {
		name, fen, claim string
		oracle           oracle
		asked            string // kinds of the searches
		want             string // events of the verdict
		rule             string // of the result, "" when the game goes on
	}{
		{"neither side wins", rookEach, "8e", oracle{}, "known win", "end", "WBCA 8e"},
		{"by the one button", rookEach, "draw", oracle{}, "known win", "end", "WBCA 8e"},
		{"the claimant wins himself", rookEach, "8e", oracle{answers: verdicts{game.AskKnownWin: game.Proved}}, "known", "denied+resume", ""},
		{"the opponent wins", rookEach, "8e", oracle{answers: verdicts{game.AskWin: game.Proved}}, "known win", "denied+resume", ""},
		{"whether the claimant wins is not known", rookEach, "8e", oracle{answers: verdicts{game.AskKnownWin: game.Undecided}}, "known win", "end", "WBCA 8e"},
		{"a slow search", rookEach, "8e", oracle{slow: 40 * time.Second}, "known win", "end", "WBCA 8e"},
		{"a search that fails and then works", rookEach, "8e", oracle{fail: 3}, "known known known known win", "end", "WBCA 8e"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				set := from(test.fen, game.OverTheBoard)
				set.Options.FirstMove = 0
				a, b := w.sit(set)
				s := w.join(third, 0)
				s.news()
				test.oracle.slow += 2 * time.Second
				w.answer(test.oracle)
				pass(time.Second)
				a.do("m1 claim " + test.claim)
				for _, c := range []*tab{a, b, s} {
					c.expect("ev:proof")
				}
				before := standing(t, w, test.claim)
				pass(time.Second)
				if after := standing(t, w, test.claim); after != before {
					t.Errorf("the clocks run: %+v, %+v", before, after)
				}
				a.do("m2 move e1e2 0")
				a.expect("err:being_judged")
				b.do("n1 offer")
				b.expect("err:being_judged")
				pass(3 * time.Minute)
				for _, c := range []*tab{a, b, s} {
					frames := kinds(t, c.news())
					if got := strings.TrimPrefix(frames[len(frames)-1], "ev:"); got != test.want {
						t.Errorf("%s got %v", c.name, frames)
					}
				}
				if got := words(w); got != test.asked {
					t.Errorf("asked %q, want %q", got, test.asked)
				}
				verdict(t, w, b, test.rule)
			})
		})
	}
}

// standing is what everybody can see while a claim is judged.
func standing(t *testing.T, w *world, claim string) wire.Clocks {
	t.Helper()
	s := state(t, w.join(third, 0))
	if s.Phase != "proof" || s.Clocks.Run != "" || s.Claim == nil || *s.Claim != (wire.Claim{By: "w", Claim: claim}) {
		t.Errorf("while it is judged: phase %s, %+v, claim %+v", s.Phase, s.Clocks, s.Claim)
	}
	return s.Clocks
}

func words(w *world) string {
	kinds, _ := w.asked()
	var all []string
	for _, k := range kinds {
		all = append(all, string(k))
	}
	return strings.Join(all, " ")
}

// verdict holds the state against the rule of the result, or against a game that goes on with a minute less for White.
func verdict(t *testing.T, w *world, c *tab, rule string) {
	t.Helper()
	if rule != "" {
		var p struct{ End wire.End }
		c.lastEvent(&p.End)
		if p.End.Rule != rule {
			t.Errorf("the end rests on %+v, want %s", p.End, rule)
		}
		return
	}
	s := state(t, w.join(third, 0))
	if s.Phase != "play" || s.Clocks.Run != "w" || s.Claim != nil || s.Clocks.W > 240000 || s.Clocks.W < 50000 || s.Clocks.B != 300000 {
		t.Errorf("after the claim: phase %s, %+v, claim %v", s.Phase, s.Clocks, s.Claim)
	}
}

// lastEvent is the end that the latest frame tells of.
func (c *tab) lastEvent(into *wire.End) {
	c.w.t.Helper()
	var f wire.Events
	c.last(&f)
	if len(f.E) == 0 || f.E[len(f.E)-1].End == nil {
		c.w.t.Fatalf("%s was told of no end: %+v", c.name, f)
	}
	*into = *f.E[len(f.E)-1].End
}

// A server that ends while a search runs asks again when it is back; the clocks have stood all the time.
func TestProofAfterARestart(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		a, _ := w.sit(from(rookEach, game.OverTheBoard))
		w.answer(oracle{slow: time.Hour})
		pass(time.Second)
		a.do("m1 claim 8e")
		clocks := standing(t, w, "8e")
		w.stop()
		if _, ended := w.asked(); ended != 1 {
			t.Errorf("%d searches were given up", ended)
		}
		w.answer(oracle{slow: 5 * time.Second})
		w.start()
		b := w.join(black, 0)
		if again := standing(t, w, "8e"); again.W != clocks.W || again.B != clocks.B {
			t.Errorf("the clocks were %+v, are %+v", clocks, again)
		}
		pass(15 * time.Second)
		if got := words(w); got != "known win" {
			t.Errorf("asked %q", got)
		}
		verdict(t, w, b, "WBCA 8e")
	})
}

// Resigning ends a search; its answer is nobody's any more.
func TestResignationEndsASearch(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		a, b := w.sit(from(rookEach, game.OverTheBoard))
		w.answer(oracle{slow: time.Hour})
		a.do("m1 claim 8e")
		b.news()
		b.do("n1 resign")
		b.expect("ev:end")
		verdict(t, w, b, "WBCA 7b")
		if _, ended := w.asked(); ended != 1 {
			t.Errorf("%d searches were given up", ended)
		}
	})
}

// startDemo starts a demonstration: Black claims 8g, and nobody can tell whether White wins.
func startDemo(t *testing.T, w *world) (a, b, s *tab) {
	t.Helper()
	a, b = w.sit(from(bishops, game.OverTheBoard))
	s = w.join(third, 0)
	w.answer(oracle{answers: verdicts{game.AskWin: game.Undecided}})
	pass(time.Second)
	b.do("n1 claim draw")
	pass(time.Millisecond)
	for _, c := range []*tab{a, b, s} {
		frames := c.news()
		if got := strings.Join(kinds(t, frames), " "); !strings.HasSuffix(got, "ev:proof ev:proof ev:demo") {
			t.Fatalf("%s got %s", c.name, got)
		}
		if last := frames[len(frames)-1]; strings.Contains(last, `"board"`) != (c != s) {
			t.Errorf("%s is shown %s", c.name, last)
		}
	}
	return a, b, s
}

// sideBoard is what a seat is shown of a demonstration in its snapshot.
func sideBoard(t *testing.T, c *tab) *wire.Demo {
	t.Helper()
	s := state(t, c)
	if s.Phase != "demo" || s.Clocks.Run != "" || s.Board != placement(bishops) {
		t.Errorf("%s sees phase %s, clocks %+v, board %s", c.name, s.Phase, s.Clocks, s.Board)
	}
	return s.Demo
}

// A demonstration is played by the two players on a side board; the public learns that there is one, and sees it when it is
// over (rulings D37).
func TestDemonstration(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		a, b, s := startDemo(t, w)
		refused := []struct {
			who        *tab
			line, code string
		}{
			{b, "x1 demo e8e7", "not_on_move"}, {a, "x2 demo e2e5", "demo_illegal"}, {a, "x3 demo a1a2", "demo_illegal"},
			{a, "x4 move e2e4 0", "being_judged"}, {b, "x5 claim draw", "being_judged"}, {s, "x6 demo e2e4", "not_seated"},
			{s, "x7 concede", "not_seated"}, {a, "x8 offer", "being_judged"}, {b, "x9 dispute", "being_judged"},
		}
		for _, r := range refused {
			r.who.do(r.line)
			r.who.expect("err:" + r.code)
		}
		pass(10 * time.Second)
		a.do("d1 demo e2e4")
		a.expect("ev:demomove")
		b.expect("ev:demomove")
		s.expect("")
		want := wire.Demo{By: "w", Rule: "WBCA 8g", Board: "4k3/8/8/3b4/4P3/8/8/2B1K3 b", Moves: []string{"e2e4"}, B: 60000}
		for _, c := range []*tab{w.join(white, 0), w.join(black, 0)} {
			got := sideBoard(t, c)
			if got == nil || got.W > 110000 || got.W < 109900 || got.B > 60000 || got.B < 59900 {
				t.Fatalf("%s sees %+v", c.name, got)
			}
			want.W, want.B = got.W, got.B
			if fmt.Sprint(*got) != fmt.Sprint(want) {
				t.Errorf("%s sees %+v, want %+v", c.name, *got, want)
			}
		}
		if got := sideBoard(t, w.join(third, 0)); got != nil {
			t.Errorf("the public sees %+v", got)
		}
		if views := strings.Join(w.views(), ""); strings.Contains(views, "e2e4") || strings.Contains(views, `"demo":`) {
			t.Errorf("the public reads %s", views)
		}
	})
}

// A demonstration outlives the server: board, moves and the times of both are there again.
func TestDemonstrationAfterARestart(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		a, b, _ := startDemo(t, w)
		a.do("d1 demo e2e4")
		b.do("d2 demo d5e6")
		before := sideBoard(t, w.join(white, 0))
		w.stop()
		w.start()
		a, b = w.join(white, 0), w.join(black, 0)
		after := sideBoard(t, a)
		if after == nil || !slices.Equal(after.Moves, []string{"e2e4", "d5e6"}) || after.Board != before.Board || after.B != before.B ||
			max(after.W-before.W, before.W-after.W) > 100 {
			t.Errorf("the side board was %+v, is %+v", before, after)
		}
		if got := sideBoard(t, w.join(third, 0)); got != nil {
			t.Errorf("the public sees %+v", got)
		}
		b.news()
		a.do("d3 concede")
		verdict(t, w, b, "WBCA 8g")
	})
}

// What ends a demonstration, and what comes of the claim.
func TestDemonstrationEnds(t *testing.T) {
	tests := []struct {
		name  string
		end   func(a, b *tab)
		shown bool
		moves int // on the side board as everybody sees it afterwards
	}{
		{"the shower gives up", func(a, _ *tab) { a.do("d concede") }, false, 0},
		{"the other one believes it", func(_, b *tab) { b.do("d concede") }, true, 0},
		{"the shower's two minutes are over", func(a, _ *tab) { pass(2*time.Minute + time.Millisecond) }, false, 0},
		{"the replier's minute is over", func(a, _ *tab) { a.do("d demo e2e3"); pass(time.Minute + time.Millisecond) }, true, 1},
		{"both are away", func(a, b *tab) { a.sitting.Leave(); b.sitting.Leave(); pass(2*time.Minute + time.Millisecond) }, false, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				a, b, s := startDemo(t, w)
				test.end(a, b)
				frames := s.news()
				var f wire.Events
				s.last(&f)
				if len(frames) == 0 || len(f.E) < 2 || f.E[0].K != "demoend" || f.E[0].Shown != test.shown {
					t.Fatalf("the public got %v", frames)
				}
				if d := f.E[0].Demo; d == nil || d.By != "w" || len(d.Moves) != test.moves || d.Rule != "WBCA 8g" {
					t.Errorf("the public is shown %+v", d)
				}
				last := state(t, w.join(third, 0))
				if test.shown {
					e := f.E[1]
					if e.K != "denied" || e.By != "b" || e.Take != 60000 || e.Claim != "draw" || e.Rule != "WBCA 13b" ||
						last.Phase != "play" || last.Clocks.Run != "w" || last.Clocks.B != 240000 {
						t.Errorf("shown: %+v, clocks %+v", e, last.Clocks)
					}
					return
				}
				if e := f.E[1]; e.K != "end" || e.End.Rule != "WBCA 8g" || last.Phase != "over" {
					t.Errorf("not shown: %+v", e)
				}
			})
		})
	}
}

// A flag claim of a lone knight: the claimant has to show the mate (WBCA 7a), else it is a draw.
func TestLoneKnightShows(t *testing.T) {
	for concedes, want := range map[string]string{"w": "1/2-1/2 WBCA 8f", "b": "1-0 WBCA 7c"} {
		inWorld(t, func(t *testing.T, w *world) {
			s := from(strings.Replace(knight, " w ", " b ", 1), game.OverTheBoard)
			s.Options.FirstMove = 0
			s.Base[game.Black] = 20000
			a, b := w.sit(s)
			w.answer(oracle{answers: verdicts{game.AskMate: game.Undecided}})
			pass(21 * time.Second)
			a.do("m1 claim time")
			if demo := state(t, w.join(third, 0)); demo.Phase != "demo" || demo.Clocks.Flags != "b" {
				t.Fatalf("phase %s, %+v", demo.Phase, demo.Clocks)
			}
			map[string]*tab{"w": a, "b": b}[concedes].do("m2 concede")
			var end wire.End
			b.lastEvent(&end)
			if got := end.Result + " " + end.Rule; got != want {
				t.Errorf("%s concedes: %s, want %s", concedes, got, want)
			}
		})
	}
}
