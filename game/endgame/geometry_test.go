package endgame

import (
	"testing"

	"flagfall/game/board"
)

func TestGeometryOfSection8(t *testing.T) {
	narrow := func(b board.Board) bool { return RookPawnBlocked(b, false) }
	wide := func(b board.Board) bool { return RookPawnBlocked(b, true) }
	for _, c := range []struct {
		rule  string
		holds func(board.Board) bool
		fen   string
		want  bool
	}{
		{"8e rooks", IdenticalPiece, "8/8/3k4/8/8/3K4/R7/7r w - - 0 1", true},
		{"8e queens", IdenticalPiece, "8/8/3k4/q7/8/8/5Q2/6K1 w - - 0 1", true},
		{"8e bishops of any colour", IdenticalPiece, "8/8/3k4/2b5/8/3K4/6B1/8 w - - 0 1", true},
		{"8e knights", IdenticalPiece, "8/8/8/8/8/1K6/8/kn2N3 w - - 0 1", true},
		{"8e a pawn is no piece", IdenticalPiece, "8/8/3k4/p7/P7/3K4/8/8 w - - 0 1", false},
		{"8e another kind", IdenticalPiece, "8/8/3k4/q7/8/8/5R2/6K1 w - - 0 1", false},
		{"8e a pawn more", IdenticalPiece, "8/8/3k4/q7/8/8/5Q1P/6K1 w - - 0 1", false},
		{"8e two each", IdenticalPiece, "8/8/3k4/qn6/8/8/5QN1/6K1 w - - 0 1", false},
		{"8e bare kings", IdenticalPiece, "8/8/3k4/8/8/8/8/6K1 w - - 0 1", false},

		{"8g one pawn", OppositeBishops, "8/4k3/8/4b3/4P3/4K3/8/5B2 b - - 0 1", true},
		{"8g one pawn of Black's", OppositeBishops, "8/4k3/8/4b3/4p3/4K3/8/5B2 b - - 0 1", true},
		{"8g same colour", OppositeBishops, "8/4k3/8/4b3/4P3/4K3/8/4B3 b - - 0 1", false},
		{"8g a pawn is free to go", OppositeBishops, "8/8/k5b1/7p/P1K4P/4B3/8/8 b - - 0 1", false},
		{"8g two against none", OppositeBishops, "8/8/6b1/k7/P1K4P/4B3/8/8 b - - 0 1", false},
		{"8g both held by men", OppositeBishops, "8/8/6b1/k6p/P1K4P/4B3/8/8 b - - 0 1", true},
		{"8g one held, one guarded by the bishop", OppositeBishops, "8/8/2b5/k6p/4P2P/2K1B3/8/8 b - - 0 1", false},
		{"8g one held, one guarded: e5 by the bishop", OppositeBishops, "8/2b5/8/k6p/4P2P/2K2B2/8/8 b - - 0 1", true},
		{"8g guarded by the king alone", OppositeBishops, "8/3b4/3k4/7p/4P2P/2K1B3/8/8 b - - 0 1", false},
		{"8g a capture to be had", OppositeBishops, "8/2b5/8/k5pp/7P/2K2B1P/8/8 w - - 0 1", false},
		{"8g 2 v 1, a pawn can take the third", OppositeBishops, "8/2b5/8/4p3/3P2P1/2K2B1k/8/8 w - - 0 1", false},
		{"8g no pawn", OppositeBishops, "8/4k3/8/4b3/8/4K3/8/5B2 b - - 0 1", false},
		{"8g one against one", OppositeBishops, "8/4k3/4p3/4b3/4P3/4K3/8/5B2 b - - 0 1", false},
		{"8g a knight more", OppositeBishops, "8/4k3/8/4b3/4P3/4K3/8/4NB2 b - - 0 1", false},
		{"8g two of Black's held", OppositeBishops, "8/8/2b5/p6p/P5kB/8/8/4K3 b - - 0 1", true},

		{"8h rook pawn, king far ahead", PawnBlocked, "k7/8/8/P7/8/1K6/8/8 b - - 0 1", true},
		{"8h rook pawn, king beside the file", PawnBlocked, "1k6/8/8/P7/8/1K6/8/8 b - - 0 1", false},
		{"8h rook pawn, king behind", PawnBlocked, "8/8/8/P7/k7/8/1K6/8 b - - 0 1", false},
		{"8h rook pawn on the 7th", PawnBlocked, "k7/P7/1K6/8/8/8/8/8 b - - 0 1", true},
		{"8h directly in front", PawnBlocked, "8/8/4k3/4P3/8/4K3/8/8 b - - 0 1", true},
		{"8h on the 6th", PawnBlocked, "8/4k3/4P3/8/4K3/8/8/8 b - - 0 1", true},
		{"8h on the 7th", PawnBlocked, "4k3/4P3/3K4/8/8/8/8/8 b - - 0 1", false},
		{"8h two ahead", PawnBlocked, "4k3/8/4P3/3K4/8/8/8/8 b - - 0 1", false},
		{"8h a pawn of Black's", PawnBlocked, "8/8/4k3/8/4p3/4K3/8/8 w - - 0 1", true},
		{"8h Black's on its 7th", PawnBlocked, "8/8/8/8/8/3k4/4p3/4K3 w - - 0 1", false},
		{"8h h-file, Black's", PawnBlocked, "8/8/6k1/7p/8/8/8/7K w - - 0 1", true},
		{"8h two pawns", PawnBlocked, "8/8/4k3/4P3/4P3/4K3/8/8 b - - 0 1", false},
		{"8h a pawn each", PawnBlocked, "8/4p3/4k3/4P3/8/4K3/8/8 b - - 0 1", false},

		{"8i in front", narrow, "8/k7/P7/2K5/8/8/7R/6r1 w - - 0 1", true},
		{"8i not a rook pawn", narrow, "8/1k6/1P6/2K5/8/8/7R/6r1 w - - 0 1", false},
		{"8i further ahead", narrow, "k7/8/P7/8/2K5/8/7R/6r1 w - - 0 1", false},
		{"8i further ahead, wide", wide, "k7/8/P7/8/2K5/8/7R/6r1 w - - 0 1", true},
		{"8i behind, wide", wide, "8/8/P7/k7/2K5/8/7R/6r1 w - - 0 1", false},
		{"8i Black's pawn", narrow, "6R1/7r/8/8/2k5/p7/K7/8 b - - 0 1", true},
		{"8i two pawns", narrow, "8/k7/P7/P1K5/8/8/7R/6r1 w - - 0 1", false},
		{"8i no rook of the defender's", narrow, "8/k7/P7/2K5/8/8/7R/8 w - - 0 1", false},
	} {
		if got := c.holds(position(t, c.fen)); got != c.want {
			t.Errorf("%s: %s: %t, want %t", c.rule, c.fen, got, c.want)
		}
	}
}

// 8h is exactly right: complete enumeration of king and pawn against king.
func TestPawnBlockedNeverWins(t *testing.T) {
	tables := need(t, "KPK")
	n, err := number("KPK")
	if err != nil {
		t.Fatal(err)
	}
	m, table := materials[n], tables.table(n)
	var front, seventh, rook tally
	for i := range m.size {
		p := m.place(i)
		pawn, king := p.man[0], p.king[weak]
		if pawn < 8 || pawn >= 56 || pawn&7 != king&7 || king < pawn {
			continue
		}
		for s := range strong + 2 {
			v := table.depth[s][i]
			if v == impossible {
				continue
			}
			isWon := won(v) && s == strong || lost(v) && s == weak
			if file := pawn & 7; file == 0 || file == 7 {
				rook.add(isWon)
			}
			switch {
			case king != pawn+8:
			case pawn>>3 == 6:
				seventh.add(isWon)
			default:
				front.add(isWon)
			}
		}
	}
	for _, c := range []struct {
		name      string
		got, want tally
	}{
		{"in front, ranks 2 to 6", front, tally{0, 4460}},
		{"in front, 7th rank", seventh, tally{66, 936}},
		{"rook pawn", rook, tally{0, 4860}},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d of %d won, want %d of %d", c.name, c.got.won, c.got.positions, c.want.won, c.want.positions)
		}
	}
	for _, fen := range []string{"1k6/1P6/8/K7/8/8/8/8 w - - 0 1", "1k6/1P6/K7/8/8/8/8/8 b - - 0 1"} {
		b := position(t, fen)
		if v, err := NewProver(tables).ForcedWin(b, board.White); v != Yes || err != nil || PawnBlocked(b) {
			t.Errorf("%s: %s %v, blocked %t; it is won", fen, v, err, PawnBlocked(b))
		}
	}
}

// tally counts positions, both colours and mirrors as the index folds them.
type tally struct{ won, positions int }

func (c *tally) add(won bool) {
	c.positions += 2 // and its mirror
	if won {
		c.won += 2
	}
}

// Predicates never panic, whatever stands on the board.
func TestGeometryOnOddBoards(t *testing.T) {
	for _, fen := range []string{
		"PPPPPPPP/8/4k3/8/8/4K3/8/pppppppp w - - 0 1",
		"4P3/2b5/4k3/8/8/4K3/5B2/4P3 w - - 0 1",
		"4P3/8/4k3/8/8/4K3/8/8 w - - 0 1",
		"P3k3/7r/8/8/8/4K3/8/R7 w - - 0 1",
	} {
		b := position(t, fen)
		if IdenticalPiece(b) || OppositeBishops(b) || PawnBlocked(b) || RookPawnBlocked(b, true) {
			t.Errorf("%s: some rule of section 8 holds", fen)
		}
	}
}
