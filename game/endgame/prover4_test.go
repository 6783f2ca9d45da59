//go:build !race

package endgame

import (
	"bufio"
	"encoding/json"
	"math/rand/v2"
	"os"
	"testing"

	"flagfall/game/board"
)

func TestSearchesAgreeWithTablesOfFourMen(t *testing.T) {
	positions := 6
	if *all {
		positions = 100
	}
	for _, name := range []string{"KPK", "KNKP", "KBKP", "KRKN", "KBKN"} {
		checkAgainstTables(t, name, positions)
	}
}

// A lone minor piece with more men on the other side.
func TestLoneMinorAgainstMore(t *testing.T) {
	p := NewProver(need(t, "KNKP", "KBKP", "KRKN", "KQKN", "KRKB", "KQKB", "KBKN", "KNKN", "KBKB"))
	for _, c := range []struct {
		name, fen string
		by        board.Color
		want      Verdict
	}{
		{"Stamma with a pawn more that can only lose time", "8/8/8/8/7p/p2N3P/k1K5/8 w - - 0 1", board.White, Yes},
		{"smothered at once", "8/8/8/8/8/8/pprK4/k1N5 w - - 0 1", board.White, No},
		{"the corner is full", "kr6/ppN5/8/8/8/8/8/6K1 b - - 0 1", board.White, Yes},
		{"knight against rook and bishop", "8/8/2k5/8/3rb3/8/8/KN6 w - - 0 1", board.White, No},
		{"bishop against knights", "8/8/2k5/8/3nn3/8/8/KB6 w - - 0 1", board.White, No},
	} {
		b := position(t, c.fen)
		v, err := p.ForcedWin(b, c.by)
		if err != nil || v != c.want {
			t.Errorf("%s: %s: %s %v, want %s", c.name, c.fen, v, err, c.want)
		}
		if w, err := p.ForcedWin(b, c.by); w != v || err != nil {
			t.Errorf("%s: %s %v the second time", c.name, w, err)
		}
	}
}

// The worked examples say what a demonstration would have shown: the prover
// may be undecided there, but never says anything else.
func TestProverHoldsToTheWorkedExamples(t *testing.T) {
	if !*all {
		return // they lead to nearly every table
	}
	p := NewProver(need(t, Materials()...))
	f, err := os.Open("../testdata/rulings.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	seen := 0
	for lines.Scan() {
		var v struct {
			ID, FEN string
			Rules   []string
			Truth   struct {
				Winner string `json:"forced_win_for"`
			}
		}
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		if v.Truth.Winner == "" {
			continue
		}
		seen++
		b := position(t, v.FEN)
		for _, by := range [2]board.Color{board.White, board.Black} {
			got, err := p.ForcedWin(b, by)
			isWin := v.Truth.Winner == by.String()
			if err != nil || got != Undecided && got != verdict(isWin) {
				t.Errorf("%s: %s wins: %s %v, want %t", v.ID, by, got, err, isWin)
			}
		}
		by, got, err := p.ImmediateWin(b, 4)
		if err != nil || got == Yes && v.Truth.Winner != by.String() {
			t.Errorf("%s: immediate win of %s: %s %v, truth %s", v.ID, by, got, err, v.Truth.Winner)
		}
	}
	if err := lines.Err(); err != nil || seen == 0 {
		t.Errorf("%d worked examples, %v", seen, err)
	}
}

// Immediate wins of 8i and 8e: within four moves of the side's own.
func TestImmediateWin(t *testing.T) {
	if !*all {
		return
	}
	p := NewProver(need(t, "KRKR", "KRPK", "KRKP", "KQKR"))
	for _, c := range []struct {
		name, fen string
		want      Verdict
		by        board.Color
	}{
		{"the rook hangs", "8/k7/P7/2K5/8/8/6R1/6r1 w - - 0 1", Yes, board.White},
		{"Black's to take", "8/k7/P7/2K5/8/8/6R1/6r1 b - - 0 1", Yes, board.Black},
		{"nothing", "8/k7/P7/2K5/8/8/7R/6r1 w - - 0 1", No, board.White},
	} {
		by, v, err := p.ImmediateWin(position(t, c.fen), 4)
		if err != nil || v != c.want || v == Yes && by != c.by {
			t.Errorf("%s: %s: %s for %s %v, want %s for %s", c.name, c.fen, v, by, err, c.want, c.by)
		}
	}
}

// Of all positions with the king in front of a rook pawn, side to move White,
// 29.9 % (pawn on the 7th) to 32.0 % (on the 2nd) are won, nearly all of them at
// once; and with Black to move he wins 22.6 % to 25.3 %.
func TestShareOfImmediateWins(t *testing.T) {
	if !*all {
		return
	}
	p := NewProver(need(t, "KRKR", "KRPK", "KRKP"))
	r := rand.New(rand.NewPCG(8, 9))
	for _, c := range []struct {
		pawn int // square
		turn string
		want float64 // % of wins for the side on move
	}{{8, "w", 32.0}, {24, "w", 30.9}, {40, "w", 30.7}, {48, "w", 29.9}, {8, "b", 25.3}, {40, "b", 24.8}, {48, "b", 22.6}} {
		positions, wins := 0, 0
		for positions < 1000 {
			men := map[int]byte{c.pawn: 'P', c.pawn + 8: 'k', r.IntN(64): 'K', r.IntN(64): 'R', r.IntN(64): 'r'}
			b, err := board.ParseFEN(placement(men) + " " + c.turn + " - - 0 1")
			if len(men) < 5 || err != nil || men[c.pawn] != 'P' || men[c.pawn+8] != 'k' {
				continue
			}
			positions++
			if !RookPawnBlocked(b, false) {
				t.Fatalf("%s: not the geometry of 8i", b.FEN())
			}
			by, v, err := p.ImmediateWin(b, 4)
			if err != nil || v == Undecided {
				t.Fatalf("%s: %s %v", b.FEN(), v, err)
			}
			if v == Yes && by == b.Turn() {
				wins++
			}
		}
		share := float64(wins) / float64(positions) * 100
		t.Logf("pawn on rank %d, %s to move: %.1f %% won at once, %.1f %% won", c.pawn/8+1, c.turn, share, c.want)
		// Three deviations of the sample either way, and the longer wins below.
		if share > c.want+4.4 || share < c.want-4.4-3 {
			t.Errorf("pawn on rank %d, %s to move: %.1f %% won at once, %.1f %% are won", c.pawn/8+1, c.turn, share, c.want)
		}
	}
}

func BenchmarkSearch(b *testing.B) {
	p := NewProver(need(b, "KNKP", "KRKN"))
	position := position(b, "8/8/2k5/8/3r4/p6p/8/KN6 w - - 0 1")
	nodes := 0
	for b.Loop() {
		s := p.newSearch(board.White, p.Nodes)
		s.deepen(position, 5)
		nodes += p.Nodes - s.left
	}
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
}

// BenchmarkGenerate makes all tables in their order, as a server does; give it
// -benchtime 1x.
func BenchmarkGenerate(b *testing.B) {
	var tables Tables
	for _, name := range Materials() {
		b.Run(name, func(b *testing.B) {
			var table *Table
			for b.Loop() {
				var err error
				if table, _, err = Generate(name, &tables, Options{}); err != nil {
					b.Fatal(err)
				}
			}
			tables.Add(table)
			b.ReportMetric(float64(table.Bytes()>>10), "KB")
			b.ReportMetric(float64(len(table.Pack())>>10), "KB-packed")
		})
	}
}

func BenchmarkProbe(b *testing.B) {
	tables := need(b, "KNKP")
	position := position(b, "8/8/8/8/8/p2N4/k1K5/8 w - - 0 1")
	for b.Loop() {
		tables.Probe(position)
	}
}
