package table

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"flagfall/game"
	"flagfall/server/account"
	"flagfall/server/wire"
)

// tape is all that came out of one table, in order, with who got it.
type tape struct {
	w     *world
	lines []string
	tabs  map[string]*tab
}

func newTape(w *world) *tape { return &tape{w: w, tabs: map[string]*tab{}} }

func (p *tape) join(name string, person account.Person, since uint64) {
	p.tabs[name] = p.w.join(person, since)
}

// note writes down what everybody was sent and what the public may read.
func (p *tape) note(step string) {
	synctest.Wait()
	for _, name := range []string{"w", "b", "s", "w2", "b2", "s2"} {
		c := p.tabs[name]
		if c == nil {
			continue
		}
		for i, text := range c.news() {
			p.lines = append(p.lines, fmt.Sprintf("%s | %s %d | %s", step, name, i, text))
		}
		for _, code := range c.closed() {
			p.lines = append(p.lines, fmt.Sprintf("%s | %s closed %d", step, name, code))
		}
	}
	for i, text := range p.w.views() {
		p.lines = append(p.lines, fmt.Sprintf("%s | http %d | %s", step, i, text))
	}
}

func (p *tape) do(who, line string) {
	p.w.t.Helper()
	p.tabs[who].do(line)
	p.note(who + ": " + line)
	pass(499 * time.Millisecond)
}

// resync lets everybody come back, with nothing and with the number of an earlier frame.
func (p *tape) resync(since uint64) {
	p.w.t.Helper()
	for _, n := range []uint64{0, since} {
		p.join("s2", third, n)
		p.note(fmt.Sprintf("public since %d", n))
		p.tabs["s2"].sitting.Leave()
		for _, who := range []struct {
			tab    string
			person account.Person
		}{{"w", white}, {"b", black}} {
			old := p.tabs[who.tab]
			p.join(who.tab, who.person, n)
			p.tabs[who.tab].do("here")
			old.sitting.Leave()
			p.note(fmt.Sprintf("%s since %d", who.tab, n))
		}
	}
	delete(p.tabs, "s2")
}

func play(t *testing.T, s game.Setup, script func(p *tape)) (lines []string) {
	t.Helper()
	inWorld(t, func(t *testing.T, w *world) {
		p := newTape(w)
		w.open(s)
		p.join("w", white, 0)
		p.join("b", black, 0)
		p.join("s", third, 0)
		p.note("joined")
		p.do("w", "here")
		p.do("b", "here")
		script(p)
		lines = p.lines
	})
	return lines
}

var placements = regexp.MustCompile(`"board":"[^"]*"`)

// masked is a line with the pivot's move and what stands on the board replaced by their sizes.
func masked(line, pivot string) string {
	line = strings.ReplaceAll(line, pivot, strings.Repeat("*", len(pivot)))
	return placements.ReplaceAllStringFunc(line, func(s string) string { return fmt.Sprintf("board of %d", len(s)) })
}

// pivot is a position in which White can do something legal or something illegal that looks alike on the wire, and a
// reply that is legal after either. Both moves leave boards whose placement is equally long.
type pivot struct {
	name, fen, legal, illegal, reply, next string
}

var pivots = []pivot{
	{"a pawn steps too far", "", "e2e4", "e2e5", "a7a6", "h2h3"},
	{"the king walks into check", "6k1/7p/8/8/8/8/r7/4K2R w - - 0 1", "e1f1", "e1f2", "h7h6", "h1h2"},
	{"a check is overlooked", "4r1k1/7p/8/8/8/8/P6P/4K2R w - - 0 1", "e1f1", "h1f1", "h7h6", "a2a3"},
	{"a pinned bishop moves", "4r1k1/7p/8/8/4B3/8/P6P/4K2R w - - 0 1", "e1d1", "e4d3", "h7h6", "a2a3"},
	{"an own man is taken", "5k2/7p/8/8/8/8/P6P/4K1nR w - - 0 1", "h1g1", "h1h2", "h7h6", "a2a3"},
	{"a man of the enemy is moved", "6k1/7p/8/8/8/8/P6P/4K2R w - - 0 1", "a2a3", "h7h6", "g8f7", "h2h3"},
}

// Until somebody claims, everything that anybody is sent is the same for a legal and an illegal move: the frames, their
// order, their fields, their sizes and all values but the move itself (WBCA 12; rulings B.2 Silence).
func TestSilence(t *testing.T) {
	scripts := []struct {
		name   string
		mode   game.Mode
		script func(p *tape, v pivot, move string)
	}{
		{"over the board", game.OverTheBoard, func(p *tape, v pivot, move string) {
			p.do("w", "w1 move "+move+" 0")
			p.do("b", "b1 claim illegal") // not_completed
			p.do("w", "w2 move b2b3 0")   // move_pending
			p.do("w", "w3 offer")
			p.do("b", "b2 offer") // offer_open
			p.do("b", "b3 answer")
			p.do("b", "b4 press") // clock_not_running
			p.do("b", "b5 claim time")
			p.resync(3)
			p.do("b", "b6 move "+v.reply+" 1")
			p.do("b", "b7 move "+v.reply+" 1") // already_queued
			p.resync(5)
			p.do("b", "b8 press")
			p.do("w", "w4 press 0")
			p.do("w", "w5 claim illegal") // denied: the reply was legal
			p.do("s", "s1 resign")        // not_seated
			p.do("b", "b9 offer")
			p.resync(7)
			p.do("w", "w6 move "+v.next+" 2 press")
			p.resync(10)
		}},
		{"press apart, reply afterwards", game.OverTheBoard, func(p *tape, v pivot, move string) {
			p.do("w", "w1 move "+move+" 0")
			p.do("w", "w2 press 0")
			p.do("w", "w3 press 0") // clock_not_running
			p.do("w", "w4 move b2b3 2")
			p.resync(4)
			p.do("b", "b1 offer")
			p.do("w", "w5 answer")
			p.do("b", "b2 claim time")
			p.do("b", "b3 move "+v.reply+" 1")
			p.resync(6)
			p.do("b", "b4 press 1")
			p.do("w", "w6 move "+v.next+" 2")
			p.do("w", "w7 press 2")
		}},
		{"draws and disputes", game.OverTheBoard, func(p *tape, v pivot, move string) {
			p.do("w", "w1 move "+move+" 0")
			p.do("b", "b1 claim draw") // a minute
			p.do("w", "w2 claim 8d")   // a minute
			p.do("b", "b2 dispute")
			p.do("b", "b3 claim threefold") // not_in_ruleset
			p.do("b", "b4 claim draw_8f")   // not_met
			p.do("b", "b5 demo e8e7")       // no_demo
			p.do("w", "w3 concede")         // no_demo
			p.resync(3)
			p.do("w", "w4 press 0")
			p.do("b", "b6 claim draw")
			p.do("w", "w5 claim draw")
			p.do("b", "b7 claim 8h")
			p.do("w", "w6 dispute")
			p.resync(5)
			p.do("b", "b8 move "+v.reply+" 1 press")
			p.do("b", "b9 claim draw")
			p.resync(9)
		}},
		{"fast", game.Fast, func(p *tape, v pivot, move string) {
			p.do("w", "w1 move "+move+" 0")
			p.do("w", "w2 move b2b3 0") // stale_ply
			p.do("w", "w3 press")       // clock_not_running
			p.resync(3)
			p.do("w", "w4 offer")
			p.do("b", "b1 claim time")
			p.do("b", "b2 mute")
			p.do("b", "b3 move "+v.reply+" 1")
			p.do("b", "b4 claim illegal") // White has not moved: it is denied either way
			p.do("w", "w5 claim illegal")
			p.resync(5)
			p.do("w", "w6 move "+v.next+" 2")
			p.do("w", "w7 resign")
		}},
	}
	for _, s := range scripts {
		for _, v := range pivots {
			t.Run(s.name+"/"+v.name, func(t *testing.T) {
				legal := play(t, from(v.fen, s.mode), func(p *tape) { s.script(p, v, v.legal) })
				illegal := play(t, from(v.fen, s.mode), func(p *tape) { s.script(p, v, v.illegal) })
				compareMasked(t, legal, illegal, v)
			})
		}
	}
}

// Under US Chess and CCA an illegal move is set right when it is claimed, under FIDE when the clock is pressed: until then
// nothing tells it from a legal one.
func TestSilenceOfOtherRules(t *testing.T) {
	pressed := func(p *tape, v pivot, move string) {
		p.do("w", "w1 move "+move+" 0")
		p.do("b", "b1 claim illegal") // not_completed
		p.do("b", "b2 claim draw")
		p.do("w", "w2 claim fifty")
		p.do("w", "w3 claim ilc")
		p.do("w", "w4 press 0")
		p.do("w", "w5 claim illegal") // denied: Black has not moved
		p.resync(3)
		p.do("b", "b3 offer")
		p.do("b", "b4 claim threefold")
		p.do("b", "b5 claim time")
		p.do("b", "b6 dispute")
		p.do("b", "b7 move "+v.reply+" 1")
		p.resync(4)
		p.do("b", "b8 press 1")
		p.do("w", "w6 claim draw")
		p.do("w", "w7 move "+v.next+" 2 press")
		p.resync(6)
	}
	released := func(p *tape, v pivot, move string) {
		p.do("w", "w1 move "+move+" 0")
		p.do("b", "b1 claim illegal") // not_completed
		p.do("b", "b2 claim draw")    // not_on_move
		p.do("b", "b3 claim time")    // not_met
		p.do("w", "w2 claim draw")    // a minute for Black
		p.do("w", "w3 claim threefold")
		p.do("w", "w4 offer")
		p.do("w", "w5 dispute")
		p.do("w", "w6 move b2b3 0") // move_pending
		p.do("b", "b4 press 1")     // clock_not_running
		p.resync(3)
		p.do("b", "b5 move "+v.reply+" 1 press") // queued
		p.resync(5)
	}
	for rules, script := range map[string]func(*tape, pivot, string){"uscf": pressed, "cca": pressed, "fide": released} {
		for _, v := range pivots {
			t.Run(rules+"/"+v.name, func(t *testing.T) {
				s := from(v.fen, game.OverTheBoard)
				s.RuleSet = rules
				legal := play(t, s, func(p *tape) { script(p, v, v.legal) })
				illegal := play(t, s, func(p *tape) { script(p, v, v.illegal) })
				compareMasked(t, legal, illegal, v)
			})
		}
	}
}

// A good time claim is held for the window of simultaneous claims whether the claimant's own move was legal or not: else who
// sees it held could claim the move (rulings D10).
func TestSilenceOfTheWindow(t *testing.T) {
	script := func(p *tape, move string) {
		p.do("w", "w1 move "+move+" 0 press")
		for range 4 {
			pass(time.Second)
		}
		p.note("Black's flag is down")
		p.do("w", "w2 claim time")
		p.note("after the window")
	}
	for _, v := range pivots {
		t.Run(v.name, func(t *testing.T) {
			s := from(v.fen, game.OverTheBoard)
			s.Options.Window, s.Base[game.Black] = 50, 2000
			legal := play(t, s, func(p *tape) { script(p, v.legal) })
			illegal := play(t, s, func(p *tape) { script(p, v.illegal) })
			if !strings.Contains(strings.Join(legal, ""), `"k":"proof","by":"w","claim":"time"`) {
				t.Error("the claim is not held")
			}
			compareMasked(t, legal, illegal, v)
		})
	}
}

// The end opens the game: what follows a result may differ.
func compareMasked(t *testing.T, legal, illegal []string, v pivot) {
	t.Helper()
	for i := range max(len(legal), len(illegal)) {
		if i >= len(legal) || i >= len(illegal) {
			t.Fatalf("%d lines after a legal move, %d after an illegal one", len(legal), len(illegal))
		}
		if strings.Contains(legal[i], "| http") && strings.Contains(legal[i], `"phase":"over"`) {
			return
		}
		if len(legal[i]) != len(illegal[i]) || masked(legal[i], v.legal) != masked(illegal[i], v.illegal) {
			t.Fatalf("line %d tells them apart:\nlegal   %s\nillegal %s", i, legal[i], illegal[i])
		}
	}
	if len(legal) < 20 {
		t.Fatalf("only %d lines", len(legal))
	}
}

// What one player is told and nobody else (rulings D1, D30).
func TestOnlyTheAuthorSees(t *testing.T) {
	tests := []struct {
		name, who, line             string
		white, black, public, after string
	}{
		{"a queued reply", "b", "x move a7a6 1", "", "ev:queued", "", "e2e4"},
		{"a queued reply with its press", "b", "x move a7a6 1 press", "", "ev:queued", "", "e2e4"},
		{"an illegal queued reply", "b", "x move a7a5 1", "", "ev:queued", "", "e2e5"},
		{"a second release on a legal one", "w", "x move d2d4 0", "err:move_pending", "", "", "e2e4"},
		{"a second release on an illegal one", "w", "x move d2d4 0", "err:move_pending", "", "", "e2e5"},
		{"a refused retraction", "w", "x retract 0", "ev:denied", "", "", "e2e4"},
		{"a retraction", "w", "x retract 0", "ev:back", "ev:back", "ev:back", "e2e5"},
		{"a claim on an unpressed legal move", "b", "x claim illegal", "", "err:not_completed", "", "e2e4"},
		{"a claim on an unpressed illegal move", "b", "x claim illegal", "", "err:not_completed", "", "e2e5"},
		{"muted offers", "b", "x mute", "", "ev:muted", "", "e2e4"},
		{"a stale move", "b", "x move a7a6 7", "", "err:stale_ply", "", "e2e4"},
		{"a spectator's hands", "s", "x move a7a6 1", "", "", "err:not_seated", "e2e4"},
		{"an offer", "w", "x offer", "ev:offer", "ev:offer", "ev:offer", "e2e5"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				a, b := w.sit(setup(game.OverTheBoard))
				s := w.join(third, 0)
				a.do("m1 move " + test.after + " 0")
				for _, c := range []*tab{a, b, s} {
					c.news()
				}
				map[string]*tab{"w": a, "b": b, "s": s}[test.who].do(test.line)
				a.expect(test.white)
				b.expect(test.black)
				s.expect(test.public)
			})
		})
	}
}

// A reply that waits is in its author's snapshot and in nobody else's.
func TestQueuedInSnapshots(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		a, b := w.sit(setup(game.OverTheBoard))
		a.do("m1 move e2e4 0")
		b.do("n1 move a7a6 1 press")
		for _, who := range []account.Person{white, black, third} {
			q := state(t, w.join(who, 0)).Queued
			if (q != nil) != (who == black) || q != nil && *q != (wire.Queued{M: "a7a6", Press: true}) {
				t.Errorf("%s sees %+v", who.Name, q)
			}
		}
		if view := strings.Join(w.views(), ""); strings.Contains(view, "a7a6") {
			t.Errorf("the public sees %s", view)
		}
	})
}

// A refused retraction that costs a minute is no longer one player's business: the clocks tell.
func TestThePriceOfARetractionIsSeenByAll(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		a, b := w.sit(setup(game.OverTheBoard))
		a.do("m1 move e2e4 0")
		a.do("m2 retract 0")
		b.news()
		a.do("m3 retract 0")
		b.expect("ev:denied")
	})
}

// A retraction takes the reply along that waited for the press; only its author hears of it.
func TestRetractionUnqueues(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		a, b := w.sit(setup(game.OverTheBoard))
		s := w.join(third, 0)
		a.do("m1 move e2e5 0")
		b.do("n1 move a7a6 1")
		for _, c := range []*tab{a, b, s} {
			c.news()
		}
		a.do("m2 retract 0")
		a.expect("ev:back")
		b.expect("ev:back+unqueued")
		s.expect("ev:back")
	})
}

// Two games that look the same and differ only in a right that is lost are the same to the byte, verdicts aside
// (rulings D35).
func TestTwins(t *testing.T) {
	castle := func(p *tape) {
		p.do("w", "w1 move e1g1 0")
		p.do("b", "b1 claim illegal")
		p.do("w", "w2 move a1b1 0")
		p.resync(3)
		p.do("b", "b2 move e8c8 1")
		p.resync(4)
		p.do("w", "w3 press 0")
		p.do("b", "b3 press 1")
		p.resync(5)
		p.do("w", "w4 move f1e1 2")
		p.do("w", "w5 press 2")
	}
	passant := func(p *tape) {
		p.do("w", "w1 move e5d6 0")
		p.do("b", "b1 claim illegal")
		p.do("w", "w2 move e1e2 0")
		p.resync(3)
		p.do("w", "w3 press 0")
		p.resync(4)
		p.do("b", "b2 offer")
		p.do("b", "b3 move e8f7 1")
		p.do("b", "b4 press 1")
		p.resync(6)
		p.do("w", "w4 move d6d7 2")
	}
	fast := func(p *tape) {
		p.do("w", "w1 move e1c1 0")
		p.resync(3)
		p.do("b", "b1 move e8g8 1")
		p.do("w", "w2 move d1e1 2")
		p.resync(4)
	}
	// the rooks go and come back: the position has stood there twice, whatever rights were lost on the way
	again := func(p *tape) {
		p.do("w", "w1 move h1g1 0 press")
		p.do("b", "b1 move h8g8 1 press")
		p.do("w", "w2 move g1h1 2 press")
		p.do("b", "b2 claim draw")
		p.resync(5)
		p.do("b", "b3 move g8h8 3 press")
		if !strings.Contains(strings.Join(p.lines, ""), `"k":"press","by":"b","seen":2`) {
			p.w.t.Error("nobody is told that the position has stood there twice")
		}
		p.resync(6)
		if n := strings.Count(strings.Join(p.lines, ""), `"here":"wb","seen":2`); n < 5 {
			p.w.t.Errorf("%d snapshots tell it", n)
		}
		p.do("w", "w3 claim 8d")
	}
	const rooks, pawns = "r3k2r/8/8/8/8/8/8/R3K2R w ", "4k3/8/8/3pP3/8/8/8/4K3 w "
	tests := []struct {
		name   string
		twins  []string
		mode   game.Mode
		script func(*tape)
	}{
		{"castling over the board", []string{rooks + "KQkq - 0 1", rooks + "- - 0 1", rooks + "Qk - 0 1"}, game.OverTheBoard, castle},
		{"the same place again", []string{rooks + "KQkq - 0 1", rooks + "- - 0 1", rooks + "Kq - 0 1"}, game.OverTheBoard, again},
		{"castling in fast mode", []string{rooks + "KQkq - 0 1", rooks + "- - 0 1", rooks + "Kq - 0 1"}, game.Fast, fast},
		{"en passant over the board", []string{pawns + "- d6 0 1", pawns + "- - 0 1"}, game.OverTheBoard, passant},
		{"en passant in fast mode", []string{pawns + "- d6 0 1", pawns + "- - 0 1"}, game.Fast, func(p *tape) {
			p.do("w", "w1 move e5d6 0")
			p.resync(3)
			p.do("b", "b1 move e8f7 1")
			p.resync(4)
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			first := play(t, from(test.twins[0], test.mode), test.script)
			if len(first) < 20 {
				t.Fatalf("only %d lines", len(first))
			}
			for _, fen := range test.twins[1:] {
				twin := play(t, from(fen, test.mode), test.script)
				for i := range max(len(first), len(twin)) {
					if i >= len(first) || i >= len(twin) || first[i] != twin[i] {
						t.Fatalf("%s is told apart at line %d:\n%s\n%s", fen, i, at(first, i), at(twin, i))
					}
				}
			}
		})
	}
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(no such line)"
}
