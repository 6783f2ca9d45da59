package endgame

import (
	"math/rand/v2"
	"testing"

	"flagfall/game/board"
)

// byMoves judges a position by the values after its legal moves, which the
// board generates, not the tables.
func byMoves(t *testing.T, tables *Tables, b board.Board) WDL {
	t.Helper()
	moves := b.AppendLegal(nil)
	if len(moves) == 0 {
		if b.InCheck(b.Turn()) {
			return Loss
		}
		return Draw
	}
	best := Loss
	for _, m := range moves {
		w, ok := tables.Probe(b.Displace(m))
		if !ok {
			t.Fatalf("%s: no value after %s", b.FEN(), m)
		}
		best = max(best, -w)
	}
	return best
}

// scatter puts kings and the men of a material on random squares, the strong
// side White or Black, anything goes: kings side by side, pawns anywhere.
func scatter(r *rand.Rand, m *material) (b board.Board, err error) {
	men := map[int]byte{}
	flip := byte(r.IntN(2)) * ('a' - 'A')
	put := func(letter byte) {
		for {
			if s := r.IntN(64); men[s] == 0 {
				men[s] = letter
				return
			}
		}
	}
	put('K')
	put('k')
	for _, man := range m.men {
		letter := man.kind.String()[0]
		if man.owner == weak {
			letter ^= 'a' - 'A'
		}
		put(letter ^ flip)
	}
	return board.ParseArrangement(placement(men) + " " + string("wb"[r.IntN(2)]) + " - - 0 1")
}

func checkByMoves(t *testing.T, name string, positions int) {
	t.Helper()
	tables := need(t, name)
	n, err := number(name)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(uint64(n), 7))
	for range positions {
		b, err := scatter(r, materials[n])
		if err != nil {
			t.Fatal(err)
		}
		got, ok := tables.Probe(b)
		if !ok {
			t.Fatalf("%s: no value", b.FEN())
		}
		if want := byMoves(t, tables, b); got != want {
			t.Fatalf("%s: %s, but its moves lead to %s", b.FEN(), got, want)
		}
	}
}

func TestValuesFollowFromMoves(t *testing.T) {
	for _, name := range []string{"KQK", "KRK", "KBK", "KNK", "KPK"} {
		checkByMoves(t, name, 3000)
	}
}

func TestProbeKnowsWhatThereIs(t *testing.T) {
	var empty Tables
	for _, c := range []struct {
		fen  string
		want WDL
		ok   bool
	}{
		{"8/8/8/4k3/8/8/8/K7 w - - 0 1", Draw, true},
		{"8/8/8/8/8/8/kK6/8 w - - 0 1", Draw, true}, // adjacent kings
		{"8/8/8/4k3/8/8/8/KQ6 w - - 0 1", Draw, false},
		{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Draw, false},
	} {
		if w, ok := empty.Probe(position(t, c.fen)); w != c.want || ok != c.ok {
			t.Errorf("%s: %s %t, want %s %t", c.fen, w, ok, c.want, c.ok)
		}
	}
	if _, _, err := Generate("KPK", &empty, Options{}); err == nil {
		t.Error("KPK was made without KQK")
	}
	for _, name := range []string{"", "KK", "KQ", "KKQ", "QKK", "KNKB", "KQQQK", "kqk"} {
		if _, _, err := Generate(name, &empty, Options{}); err == nil {
			t.Errorf("made %q", name)
		}
	}
}

// Positions that no legal game shows, and rights that the index leaves out.
func TestProbeOddPositions(t *testing.T) {
	tables := need(t, "KQK", "KRK", "KPK")
	for _, c := range []struct {
		name, fen string
		want      WDL
	}{
		{"king en prise, its side not on move: the queen cannot take it and wins anyhow", "8/8/8/4k3/8/8/4Q3/K7 w - - 0 1", Win},
		{"king en prise and the other mated at the same time", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", Loss},
		{"adjacent kings, the rook lost", "8/8/8/8/8/1r6/8/Kk6 w - - 0 1", Loss},
		{"pawn on its first rank", "8/8/8/8/8/8/1k6/4K2P w - - 0 1", Win},
		{"pawn left on the last rank", "4P3/8/8/8/8/8/1k6/4K3 w - - 0 1", Draw},
		{"castling does not matter to a rook's win", "8/8/8/3k4/8/8/8/4K2R w K - 0 1", Win},
	} {
		b := position(t, c.fen)
		if w, ok := tables.Probe(b); !ok || w != c.want {
			t.Errorf("%s: %s: %s %t, want %s", c.name, c.fen, w, ok, c.want)
		}
	}
}

func TestGenerateStops(t *testing.T) {
	tables := need(t, "KPK")
	for _, polls := range []int{0, 1, 2, 3, 4} {
		left := polls
		stop := func() bool { left--; return left < 0 }
		table, _, err := Generate("KPK", tables, Options{Stop: stop})
		if left < 0 && (err == nil || table != nil) || left >= 0 && err != nil {
			t.Errorf("after %d polls: %v, %v", polls, table, err)
		}
	}
}

func TestTablesMayGrowWhileProbed(t *testing.T) {
	source := need(t, "KPK")
	var tables Tables
	done := make(chan struct{})
	b := position(t, "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1")
	go func() {
		defer close(done)
		for {
			if w, ok := tables.Probe(b); ok {
				if w != Draw && w != Win {
					t.Errorf("value %s", w)
				}
				return
			}
		}
	}()
	for n := range 5 {
		tables.Add(source.table(n))
	}
	<-done
}
