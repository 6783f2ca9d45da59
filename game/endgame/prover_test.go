package endgame

import (
	"errors"
	"math/rand/v2"
	"testing"

	"flagfall/game/board"
)

// Positions with more than four men, none of which needs a table.
func TestForcedWinByMoves(t *testing.T) {
	p := NewProver(&Tables{})
	for _, c := range []struct {
		name, fen string
		by        board.Color
		want      Verdict
	}{
		{"back rank", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", board.White, Yes},
		{"mated already", "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", board.White, Yes},
		{"smothered in four", "6rk/6pp/8/6N1/8/8/8/6K1 w - - 0 1", board.White, Yes},
		{"smothered, the mated side cannot win at once", "7k/6pp/8/6N1/8/8/8/R5K1 w - - 0 1", board.White, Yes},
		{"two rooks in two", "7k/8/8/8/8/8/R4PPP/1R4K1 w - - 0 1", board.White, Yes},
		{"two rooks, the other side on move", "7k/8/8/8/8/8/R4PPP/1R4K1 b - - 0 1", board.White, Yes},
		{"bare king", "6k1/5ppp/8/8/8/8/8/6K1 w - - 0 1", board.White, No},
		{"lone knight against queens", "qq5k/8/8/8/8/8/8/KN5q w - - 0 1", board.White, No},
		{"lone bishop against rooks", "rr5k/8/8/8/8/8/8/KB5r w - - 0 1", board.White, No},
		{"lone bishop against its own colour", "3b3k/8/8/8/8/8/3b4/K3B3 w - - 0 1", board.White, No},
		{"stalemate", "7k/5Q2/5K2/8/8/7p/7P/8 b - - 0 1", board.White, No},
	} {
		v, err := p.ForcedWin(position(t, c.fen), c.by)
		if err != nil || v != c.want {
			t.Errorf("%s: %s: %s %v, want %s", c.name, c.fen, v, err, c.want)
		}
	}
}

func TestProofWaitsForTables(t *testing.T) {
	p := NewProver(&Tables{})
	for _, fen := range []string{
		"8/8/8/4k3/8/8/8/KQ6 w - - 0 1",      // the position itself
		"8/8/8/4k3/4r3/8/4Q3/K3Q3 w - - 0 1", // one move away
	} {
		if v, err := p.ForcedWin(position(t, fen), board.White); !errors.Is(err, ErrNotReady) || v != Undecided {
			t.Errorf("%s: %s %v, want ErrNotReady", fen, v, err)
		}
	}
	if _, _, err := p.ImmediateWin(position(t, "8/k7/P7/2K5/8/8/6R1/6r1 w - - 0 1"), 4); !errors.Is(err, ErrNotReady) {
		t.Errorf("immediate win: %v, want ErrNotReady", err)
	}
}

// Both searches, without tables, against the tables; returns how many
// positions the search for a defence decided.
func checkAgainstTables(t *testing.T, name string, positions int) (decided int) {
	t.Helper()
	tables := need(t, name)
	n, err := number(name)
	if err != nil {
		t.Fatal(err)
	}
	p := NewProver(tables)
	p.men, p.Moves, p.Plan = 2, 3, 20_000
	r := rand.New(rand.NewPCG(uint64(n), 1))
	for range positions {
		b, err := scatter(r, materials[n])
		if err != nil {
			t.Fatal(err)
		}
		by := board.Color(r.IntN(2))
		if b.InCheck(b.Turn().Other()) {
			continue
		}
		want, ok := tables.Probe(b)
		if !ok {
			t.Fatalf("%s: no value", b.FEN())
		}
		isWin := want == Win && b.Turn() == by || want == Loss && b.Turn() != by
		plies, _ := tables.Depth(b)
		s := p.newSearch(by, p.Nodes)
		short := isWin && (plies+1)/2 <= p.Moves
		if v := s.deepen(b, p.Moves); s.judge(b) == open && v != verdict(short) {
			t.Fatalf("%s: %s wins in %d moves: %s, want %t", b.FEN(), by, p.Moves, v, short)
		}
		v, err := p.defence(b, by)
		if err != nil || v != Undecided && v != verdict(isWin) {
			t.Fatalf("%s: %s wins: %s %v, want %t", b.FEN(), by, v, err, isWin)
		}
		if v != Undecided {
			decided++
		}
	}
	return decided
}

func TestSearchesAgreeWithTables(t *testing.T) {
	for _, name := range []string{"KQK", "KRK"} {
		if checkAgainstTables(t, name, 6) == 0 {
			t.Errorf("%s: nothing decided", name)
		}
	}
}
