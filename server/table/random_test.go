package table

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"flagfall/clock"
	"flagfall/game"
	"flagfall/game/board"
	"flagfall/server/wire"
	"flagfall/server/wire/wiretest"
)

// follower keeps what a client can know that only adds up the frames it is sent.
type follower struct {
	tab     *tab
	n       uint64
	moves   []string
	pending string
	seen    int
	phase   string
	offer   string
	demo    *wire.Demo
	clocks  wire.Clocks
	kinds   map[string]int
}

func (f *follower) take(t *testing.T, check *wiretest.Checker) {
	t.Helper()
	for _, text := range f.tab.news() {
		if err := check.Server([]byte(text)); err != nil {
			t.Fatal(err)
		}
		var e wire.Events
		if err := json.Unmarshal([]byte(text), &e); err != nil || e.T != "ev" {
			continue
		}
		if e.N != f.n+1 {
			t.Fatalf("%s: frame %d after %d", f.tab.name, e.N, f.n)
		}
		f.n, f.clocks = e.N, e.Clocks
		for _, one := range e.E {
			f.kinds[one.K]++
			f.follow(one)
		}
	}
}

func (f *follower) follow(e wire.Event) {
	switch e.K {
	case "start", "resume":
		f.phase = "play"
		f.demo = nil
	case "move":
		f.pending = e.M
	case "back":
		f.pending = ""
	case "press":
		f.moves, f.pending, f.seen = append(f.moves, f.pending), "", e.Seen
	case "restored":
		f.moves, f.pending, f.seen = f.moves[:e.Ply], "", e.Seen
	case "offer":
		f.offer = e.By
	case "decline":
		f.offer = ""
	case "proof":
		f.phase = "proof"
	case "demo":
		f.phase, f.demo = "demo", e.Demo
	case "demomove":
		f.demo = e.Demo
	case "demoend":
		f.demo = nil
	case "pause":
		f.phase = "paused"
	case "dispute":
		if e.Stops {
			f.phase = "dispute"
		}
	case "end":
		f.phase, f.demo = "over", nil
	}
}

// compare holds what was added up against the snapshot that the same seat gets now.
func (f *follower) compare(t *testing.T, s wire.State) {
	t.Helper()
	var moves []string
	for _, m := range s.Moves {
		moves = append(moves, m.M)
	}
	if s.N != f.n && f.phase != "over" || s.Phase != f.phase || !slices.Equal(moves, f.moves) || s.Pending != f.pending || s.Seen != f.seen ||
		s.Offer != f.offer && f.phase != "over" || s.Clocks.Flags != f.clocks.Flags || s.Clocks.Run != f.clocks.Run {
		t.Fatalf("%s follows %+v\nthe snapshot says %+v", f.tab.name, *f, s)
	}
	if (s.Demo == nil) != (f.demo == nil) || s.Demo != nil && (s.Demo.Board != f.demo.Board || !slices.Equal(s.Demo.Moves, f.demo.Moves)) {
		t.Fatalf("%s follows the side board %+v, the snapshot says %+v", f.tab.name, f.demo, s.Demo)
	}
}

// dice choose what the players of a random game do.
type dice struct {
	*rand.Rand
	id int
}

// allClaims has those twice that lead to proofs.
var allClaims = []string{"illegal", "time", "both_flags", "draw", "abandoned", "draw_8f", "8d", "8e", "8g", "8h", "8i", "threefold", "fifty", "ilc", "draw", "draw", "8g", "8e"}

// message is anything that a player may send; most often something to the point.
func (d *dice) message(s wire.State) wire.ClientMessage {
	d.id++
	m := wire.ClientMessage{ID: fmt.Sprintf("r%d", d.id)}
	ply, place := len(s.Moves), s.Board[:len(s.Board)-1]+s.You
	if !strings.HasSuffix(s.Board, s.You) { // a reply in advance
		ply++
	}
	m.Ply = &ply
	switch n := d.IntN(100); {
	case s.Phase == "demo" && n < 70:
		m.T, m.Move, m.Ply = "demo", d.move(s.Demo.Board, 90), nil
	case s.Phase == "demo" && n < 75:
		m.T, m.Ply = "concede", nil
	case n < 60:
		m.T, m.Move, m.Press = "move", d.move(place, 80), d.IntN(3) > 0
	case n < 72:
		m.T = "press"
	case n < 76:
		m.T = "retract"
	case n < 94:
		m.T, m.Ply, m.Claim = "claim", nil, allClaims[d.IntN(len(allClaims))]
	case n < 96:
		m.T, m.Ply = "offer", nil
	case n < 98:
		m.T, m.Ply = "answer", nil
	case n < 99:
		m.T, m.Ply = "dispute", nil
	default:
		m.T, m.Ply = "mute", nil
	}
	return m
}

// move is a legal move so often in a hundred, as far as a placement tells, else any two squares.
func (d *dice) move(placement string, legal int) string {
	b, err := board.ParseArrangement(placement + " - - 0 1")
	if err == nil && d.IntN(100) < legal {
		if moves := b.LegalMoves(); len(moves) > 0 {
			return moves[d.IntN(len(moves))].UCI()
		}
	}
	square := func() string { return string([]byte{'a' + byte(d.IntN(8)), '1' + byte(d.IntN(8))}) }
	return square() + square()
}

func (d *dice) setup() game.Setup {
	modes := []game.Mode{game.OverTheBoard, game.Fast}
	fens := []string{"", "", bishops, rookEach, knight, "6k1/6p1/8/7Q/8/8/8/K7 w - - 0 1", "8/4P3/8/8/k7/P7/2R4r/4K3 w - - 90 60"}
	s := from(fens[d.IntN(len(fens))], modes[d.IntN(2)])
	s.RuleSet = game.RuleSets()[d.IntN(4)]
	timings := []clock.Timing{{}, {}, {Kind: clock.Fischer, Ms: 500}, {Kind: clock.USDelay, Ms: 700}, {Kind: clock.Bronstein, Ms: 700}}
	s.Timing = timings[d.IntN(len(timings))]
	s.Options.FirstMove, s.Options.OnDuty, s.Options.Window = 0, d.IntN(4) == 0, int64(d.IntN(2)*30)
	s.Base = [2]int64{int64(20000 + d.IntN(200000)), int64(20000 + d.IntN(200000))}
	return s
}

func (d *dice) oracle() oracle {
	o := oracle{answers: verdicts{}, slow: time.Duration(d.IntN(3)) * time.Second}
	for _, kind := range []game.QuestionKind{game.AskMate, game.AskWin, game.AskKnownWin, game.AskPossible} {
		o.answers[kind] = []game.Verdict{game.Proved, game.Refuted, game.Undecided, game.Undecided}[d.IntN(4)]
	}
	return o
}

// Random games under every rule book: each frame is one that is described, frames add up to what a snapshot says for every
// seat, and the record of the end can be read and printed.
func TestRandomTraffic(t *testing.T) {
	check, err := wiretest.New()
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for seed := range uint64(80) {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t)
			defer w.stop()
			d := &dice{Rand: rand.New(rand.NewPCG(seed, 8))}
			randomGame(t, w, d, check, kinds)
		})
	}
	for _, kind := range strings.Fields("move press back queued flag offer decline denied proof demo demomove demoend dispute restored fault delay resume end muted") {
		if kinds[kind] == 0 {
			t.Errorf("no %s in any of the games: %v", kind, kinds)
		}
	}
}

func randomGame(t *testing.T, w *world, d *dice, check *wiretest.Checker, kinds map[string]int) {
	a, b := w.sit(d.setup())
	s := w.join(third, 0)
	seats := []*follower{}
	for _, c := range []*tab{a, b, s} {
		at := w.peek(t, c)
		f := &follower{tab: c, n: at.N, phase: at.Phase, clocks: at.Clocks, kinds: kinds}
		c.news()
		seats = append(seats, f)
	}
	for range 150 {
		w.answer(d.oracle())
		who := seats[d.IntN(2)]
		who.tab.sitting.Handle(d.message(w.peek(t, who.tab)))
		pass(time.Duration(1+d.IntN(400)) * time.Millisecond) // what is held is decided after a millisecond
		if d.IntN(60) == 0 {
			pass(70 * time.Second)
		}
		for _, f := range seats {
			f.take(t, check)
			f.compare(t, w.peek(t, f.tab))
		}
		if seats[0].phase == "over" {
			break
		}
		if d.IntN(80) == 0 {
			w.restartAt(t, seats)
		}
	}
	seats[0].tab.do("last resign")
	pass(time.Minute)
	for _, f := range seats {
		f.take(t, check)
	}
	for _, text := range w.views()[:1] {
		var p Public
		if err := json.Unmarshal([]byte(text), &p); err != nil || p.State.End == nil {
			t.Fatalf("%v: %s", err, text)
		}
		if err := check.Server(wire.Encode(p.State)); err != nil {
			t.Error(err)
		}
	}
	if pgn, err := w.tables.PGN(t.Context(), theGame); err != nil || !strings.Contains(pgn, "[Result ") {
		t.Errorf("%v: %s", err, pgn)
	}
}

// restartAt ends the hall in the middle of a game and seats everybody anew: what stood on the boards stands there again.
func (w *world) restartAt(t *testing.T, seats []*follower) {
	t.Helper()
	w.stop()
	w.answer(oracle{slow: time.Second}) // a search that is asked for anew
	w.start()
	for _, f := range seats {
		f.tab = w.join(f.tab.conn.person, 0)
		s := state(t, f.tab)
		if f.phase == "play" {
			f.phase = "paused"
		}
		f.n, f.clocks = s.N, s.Clocks
		f.compare(t, s)
		f.tab.news()
	}
	for _, f := range seats[:2] {
		f.tab.do("here")
	}
}

// peek is the snapshot that a tab would get now, without its joining again.
func (w *world) peek(t *testing.T, c *tab) wire.State {
	t.Helper()
	var s wire.State
	err := w.tables.look(t.Context(), theGame, func(r *room, at int64) {
		side := r.m.game.SideOf(c.conn.person.ID)
		s = snapshot(r.m, audience(side), r.told.n[side], at)
	})
	if err != nil {
		return state(t, w.join(c.conn.person, 0))
	}
	return s
}
