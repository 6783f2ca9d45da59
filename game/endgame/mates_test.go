//go:build !race

package endgame

import (
	"slices"
	"strings"
	"testing"

	"flagfall/game/board"
)

// Lone minor pieces that mate by force: moves to mate of the knight or bishop,
// and who is on move.
func TestLoneMinorMates(t *testing.T) {
	tables := need(t, "KNKP", "KBKP", "KRKN", "KBKB", "KBKN", "KNKN")
	for _, c := range []struct {
		fen   string
		plies int
		line  string
	}{
		{"8/8/8/8/8/p2N4/k1K5/8 w - - 0 1", 5, "Nb4+ Ka1 Kc1 a2 Nc2#"},
		{"8/8/8/8/8/p2N4/k1K5/8 b - - 0 1", 4, "Ka1 Nc1 a2 Nb3#"},
		{"8/8/8/8/pN6/8/2K5/k7 b - - 0 1", 4, "a3 Kc1 a2 Nc2#"},
		{"8/8/8/8/8/p7/2N5/k1K5 b - - 0 1", 10, "Ka2 Nd4 Ka1 Kc2 Ka2 Ne2 Ka1 Nc1 a2 Nb3#"},
		{"8/8/8/8/8/p7/k1K5/1N6 b - - 0 1", 12, "Ka1 Nd2 Ka2 Ne4 Ka1 Nc5 Ka2 Nd3 Ka1 Nc1 a2 Nb3#"},
		{"8/8/8/8/8/p7/k7/1NK5 w - - 0 1", 13, "Nd2 Ka1 Kc2 Ka2 Ne4"},
		{"8/8/8/8/8/8/p1K5/k1N5 w - - 0 1", 1, "Nb3#"},
		{"8/8/8/8/8/1K6/8/kn2N3 w - - 0 1", 1, "Nc2#"},
		{"8/8/8/8/8/7k/8/3n2RK b - - 0 1", 1, "Nf2#"},
		{"8/8/8/8/8/8/p1K5/k1B5 w - - 0 1", 1, "Bb2#"},
		{"8/8/8/8/8/1K6/8/knB5 w - - 0 1", 1, "Bb2#"},
		{"8/8/8/8/8/K7/8/kbB5 w - - 0 1", 1, "Bb2#"},
	} {
		b := position(t, c.fen)
		left := c.plies
		for _, san := range strings.Fields(c.line) {
			checkPlies(t, tables, b, left)
			m, err := b.ParseSAN(san)
			if err != nil {
				t.Fatalf("%s: %s: %v", c.fen, san, err)
			}
			b = b.Displace(m)
			left--
		}
		checkPlies(t, tables, b, left)
	}
}

func checkPlies(t *testing.T, tables *Tables, b board.Board, plies int) {
	t.Helper()
	want := Loss
	if plies&1 == 1 {
		want = Win
	}
	if w, ok := tables.Probe(b); !ok || w != want {
		t.Errorf("%s: %s %t, want %s", b.FEN(), w, ok, want)
	}
	if got, ok := tables.Depth(b); !ok || got != plies {
		t.Errorf("%s: %d plies %t, want %d", b.FEN(), got, ok, plies)
	}
}

// Mates that are possible, with help, but not forced.
func TestTrickMatesAreNotForced(t *testing.T) {
	p := NewProver(need(t, "KNKP", "KBKP", "KRKN", "KBKN", "KNKN", "KBKB"))
	for _, c := range []struct {
		fen string
		by  board.Color
	}{
		{"7k/7p/8/8/8/8/8/K6N b - - 0 1", board.White},
		{"8/7p/8/3k4/8/3K1N2/8/8 b - - 0 1", board.White},
		{"8/8/8/3k4/3p4/8/8/KB6 b - - 0 1", board.White},
		{"8/8/8/3k4/8/2r5/8/KN6 w - - 0 1", board.White},
		{"8/8/8/3k4/8/2b5/8/KN6 w - - 0 1", board.White},
		{"8/8/8/3k4/8/2n5/8/KN6 w - - 0 1", board.White},
		{"8/8/8/3k4/8/2n5/8/KB6 w - - 0 1", board.White},
		{"8/8/8/3k4/8/3b4/8/KB6 b - - 0 1", board.White},
	} {
		v, err := p.ForcedWin(position(t, c.fen), c.by)
		if err != nil || v != No {
			t.Errorf("%s: %s %v, want no", c.fen, v, err)
		}
	}
}

// Against a single pawn the minor piece wins only if that is a rook pawn.
func TestMinorsWinAgainstRookPawnsOnly(t *testing.T) {
	tables := need(t, "KNKP", "KBKP")
	for name, full := range map[string]int{"KNKP": 486, "KBKP": 264} {
		n, err := number(name)
		if err != nil {
			t.Fatal(err)
		}
		table, m := tables.table(n), materials[n]
		wins := 0
		for i := range m.size {
			for s := range strong + 2 {
				v := table.depth[s][i]
				p := m.place(i)
				if (won(v) && s == strong || lost(v) && s == weak) && p.man[1] >= 8 && p.man[1] < 56 {
					wins += 2 // and its mirror
					if file := p.man[1] & 7; file != 0 && file != 7 {
						t.Fatalf("%s: won against a pawn on file %d", name, file)
					}
				}
			}
		}
		if wins != full {
			t.Errorf("%s: %d positions won, want %d", name, wins, full)
		}
	}
}

func TestValuesOfFourMenFollowFromMoves(t *testing.T) {
	for _, name := range []string{"KQKN", "KRKN", "KBKN", "KNKN", "KNKP", "KBKP"} {
		checkByMoves(t, name, 3000)
	}
	if *all {
		for _, name := range Materials() {
			checkByMoves(t, name, 20000)
		}
	}
}

// Castling rights are looked ahead for two plies; see probe.
func TestCastling(t *testing.T) {
	tables := need(t, "KRKN")
	differ := 0
	for _, side := range []string{"4K2R", "R3K3"} {
		for king := range 64 {
			for knight := range 64 {
				for _, turn := range []string{"w", "b"} {
					differ += checkCastling(t, tables, side, king, knight, turn)
				}
			}
		}
	}
	if differ == 0 {
		t.Error("castling changed no value")
	}
}

// checkCastling compares the value with what the moves lead to, and tells
// whether the right changes it.
func checkCastling(t *testing.T, tables *Tables, side string, king, knight int, turn string) int {
	t.Helper()
	if king == knight || king < 8 || knight < 8 {
		return 0
	}
	men := map[int]byte{king: 'k', knight: 'n'}
	for file, man := range map[string]map[int]byte{"4K2R": {4: 'K', 7: 'R'}, "R3K3": {0: 'R', 4: 'K'}}[side] {
		men[file] = man
	}
	right := map[string]string{"4K2R": "K", "R3K3": "Q"}[side]
	fen := placement(men) + " " + turn + " "
	b, plain := position(t, fen+right+" - 0 1"), position(t, fen+"- - 0 1")
	got, ok := tables.Probe(b)
	if want := byMoves(t, tables, b); !ok || got != want {
		t.Fatalf("%s: %s, but its moves lead to %s", b.FEN(), got, want)
	}
	if without, _ := tables.Probe(plain); without != got {
		return 1
	}
	return 0
}

// With a rook of his own and one man more the side with the right wins anyhow.
func TestCastlingWithAnotherMan(t *testing.T) {
	if !*all {
		return
	}
	tables := need(t, "KRPK")
	for _, name := range []string{"KQRK", "KRRK", "KRBK", "KRNK", "KRPK"} {
		n, err := number(name)
		if err != nil {
			t.Fatal(err)
		}
		m, table := materials[n], tables.table(n)
		rook := 0
		if m.men[0].kind != board.Rook {
			rook = 1
		}
		for i := range m.size {
			p := m.place(i)
			// e1 is folded to d1, so the rooks stand on a1 and h1 all the same.
			if p.king[strong] != 3 || p.man[rook] != 0 && p.man[rook] != 7 || table.depth[strong][i] == impossible {
				continue
			}
			if table.onMove[strong].at(i) != Win {
				t.Fatalf("%s: %+v is not won", name, p)
			}
		}
	}
}

// Every double step beside an enemy pawn, before it and after it.
func TestEnPassant(t *testing.T) {
	if !*all {
		return
	}
	tables := need(t, "KPKP")
	for white := range 8 {
		for _, black := range []int{white - 1, white + 1} {
			if black < 0 || black > 7 {
				continue
			}
			for kings := range 64 * 64 {
				checkDoubleStep(t, tables, white, black, kings&63, kings>>6)
			}
		}
	}
}

func checkDoubleStep(t *testing.T, tables *Tables, white, black, king, other int) {
	t.Helper()
	men := map[int]byte{king: 'K', other: 'k', 8 + white: 'P', 24 + black: 'p'}
	if len(men) < 4 {
		return
	}
	b := position(t, placement(men)+" w - - 0 1")
	if got, want := probed(t, tables, b), byMoves(t, tables, b); got != want {
		t.Fatalf("%s: %s, but its moves lead to %s", b.FEN(), got, want)
	}
	step := board.Move{From: board.Square(8 + white), To: board.Square(24 + white)}
	if !b.Legal(step) {
		return
	}
	b = b.Displace(step)
	if got, want := probed(t, tables, b), byMoves(t, tables, b); got != want {
		t.Fatalf("%s: %s, but its moves lead to %s", b.FEN(), got, want)
	}
}

func probed(t *testing.T, tables *Tables, b board.Board) WDL {
	t.Helper()
	w, ok := tables.Probe(b)
	if !ok {
		t.Fatalf("%s: no value", b.FEN())
	}
	return w
}

// All 35 tables: what is packed comes back the same, within the budget.
func TestPackedTables(t *testing.T) {
	names := []string{"KNKP"}
	if *all {
		names = Materials()
	}
	tables := need(t, names...)
	disk, memory := 0, 0
	for _, name := range names {
		n, err := number(name)
		if err != nil {
			t.Fatal(err)
		}
		table := tables.table(n)
		data := table.Pack()
		back, err := Unpack(data)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for s := range table.onMove {
			if !slices.Equal(back.onMove[s].block, table.onMove[s].block) || !slices.Equal(back.onMove[s].shapes, table.onMove[s].shapes) {
				t.Errorf("%s: another table after packing", name)
			}
		}
		disk += len(data)
		memory += back.Bytes()
	}
	t.Logf("%d tables: %d KB packed, %d KB in memory", len(names), disk>>10, memory>>10)
	if disk > 40<<20 || memory > 60<<20 {
		t.Errorf("%d bytes packed, %d in memory: over the budget", disk, memory)
	}
}
