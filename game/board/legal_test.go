package board

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	second "github.com/corentings/chess/v2"
)

// sorted returns the moves as text in a fixed order.
func sorted(moves []Move) string {
	words := make([]string, len(moves))
	for i, m := range moves {
		words[i] = m.UCI()
	}
	slices.Sort(words)
	return strings.Join(words, " ")
}

// walk plays random plies from a position and shows each board on the way; one
// ply in wild is any displacement at all (0: none).
func walk(r *rand.Rand, b Board, plies, wild int, show func(Board)) {
	for range plies {
		show(b)
		if wild > 0 && r.IntN(wild) == 0 {
			m := Move{From: Square(r.IntN(64)), To: Square(r.IntN(64)), Promo: Kind(r.IntN(7))}
			b = b.Displace(m)
			continue
		}
		moves := ownMoves(b)
		if len(moves) == 0 {
			return
		}
		b = b.Displace(moves[r.IntN(len(moves))])
	}
}

// games runs walks from the perft positions, the same ones every time.
func games(n, wild int, show func(Board)) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		walk(r, mustFEN(perfts[i%len(perfts)].fen), 120, wild, show)
	}
}

// checkMoves compares every way to ask for legal moves with the library's list.
func checkMoves(t *testing.T, b Board) {
	t.Helper()
	list := b.LegalMoves()
	want := sorted(list)
	if got := sorted(ownMoves(b)); got != want {
		t.Fatalf("%s\n own     %s\n library %s", b.FEN(), got, want)
	}
	if b.AnyLegal() != (len(list) > 0) {
		t.Fatalf("%s: AnyLegal is %v with %d moves", b.FEN(), b.AnyLegal(), len(list))
	}
	for s := range NoSquare + 1 {
		has := slices.ContainsFunc(list, func(m Move) bool { return m.From == s })
		if b.AnyLegalFrom(s) != has {
			t.Fatalf("%s: AnyLegalFrom(%s) is %v", b.FEN(), s, !has)
		}
	}
}

// checkLegal asks Legal about every displacement of the board and beyond.
func checkLegal(t *testing.T, b Board) {
	t.Helper()
	legal := map[Move]bool{}
	for _, m := range b.LegalMoves() {
		legal[m] = true
	}
	for from := range NoSquare + 1 {
		for to := range NoSquare + 1 {
			for promo := NoKind; promo <= King+1; promo++ {
				m := Move{From: from, To: to, Promo: promo}
				want := legal[m] || promo == NoKind && legal[Move{From: from, To: to, Promo: Queen}]
				if b.Legal(m) != want {
					t.Fatalf("%s: Legal(%s) is %v, the list says %v", b.FEN(), m, !want, want)
				}
				if want && !b.Pseudo(m) {
					t.Fatalf("%s: %s is legal but not pseudo-legal", b.FEN(), m)
				}
			}
		}
	}
}

func TestLegalIsMembershipInLegalMoves(t *testing.T) {
	seen := 0
	check := func(b Board) {
		seen++
		checkMoves(t, b)
		// All 33,800 displacements for one board in 20: 65 x 65 squares, 8 promotions.
		if seen%20 == 0 {
			checkLegal(t, b)
		}
	}
	games(40, 0, check)
	games(80, 8, check)
	if seen < 5000 {
		t.Errorf("only %d positions seen", seen)
	}
}

func TestSecondOpinion(t *testing.T) {
	seen := 0
	games(60, 0, func(b Board) {
		seen++
		if seen%3 != 0 {
			return
		}
		fen, err := second.FEN(b.FEN())
		if err != nil {
			t.Fatalf("%s: %v", b.FEN(), err)
		}
		var moves []Move
		for _, v := range second.NewGame(fen).Position().ValidMoves() {
			m, err := ParseUCI(v.String())
			if err != nil {
				t.Fatal(err)
			}
			moves = append(moves, m)
		}
		if got, want := sorted(ownMoves(b)), sorted(moves); got != want {
			t.Fatalf("%s\n own    %s\n second %s", b.FEN(), got, want)
		}
	})
}

func TestLegalCases(t *testing.T) {
	tests := []struct {
		name, fen, move string
		pseudo, legal   bool
	}{
		{"en passant that opens the rank", "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1", "e5d6", true, false},
		{"en passant with the right", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", true, true},
		{"en passant without the right", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "e5d6", false, false},
		{"en passant of the side not on move", "4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "c7d6", false, false},
		{"castling through an attacked square", "4kr2/p7/8/8/8/8/P7/4K2R w K - 0 1", "e1g1", true, false},
		{"castling with an attacked rook", "4k2r/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", true, true},
		{"castling past an attacked b1", "1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", true, true},
		{"castling out of check", "4r1k1/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", true, false},
		{"castling without the right", "4k3/8/8/8/8/8/8/4K2R w - - 0 1", "e1g1", false, false},
		{"castling over a man", "4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1", "e1c1", false, false},
		{"a pinned rook", "4r1k1/8/8/8/8/8/4R3/4K3 w - - 0 1", "e2d2", true, false},
		{"a pinned rook on the line", "4r1k1/8/8/8/8/8/4R3/4K3 w - - 0 1", "e2e8", true, true},
		{"the enemy's man", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e7e5", true, false},
		{"an own man taken", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "a1a2", false, false},
		{"a knight like a rook", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "g1g3", false, false},
		{"a king taken", "4k3/8/8/8/8/8/8/K3R3 w - - 0 1", "e1e8", true, false},
		{"a king by a king", "8/p7/8/3k4/3K4/8/7R/8 b - - 1 1", "d5d4", true, false},
		{"promotion without a piece", "8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8", true, true},
		{"promotion before the last rank", "8/8/P6k/8/8/8/8/K7 w - - 0 1", "a6a7q", true, false},
		{"a double step off the second rank", "4k3/8/8/8/8/4P3/8/4K3 w - - 0 1", "e3e5", false, false},
		{"a pawn on its last rank", "P6k/8/8/8/8/8/8/K7 w - - 0 1", "a8b8", false, false},
		{"a pawn on its first rank", "7k/8/8/8/8/8/8/K5P1 w - - 0 1", "g1g3", false, false},
		{"one step from the first rank", "7k/8/8/8/8/8/8/K5P1 w - - 0 1", "g1g2", true, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b, m := arrange(t, tt.fen), uci(t, tt.move)
			if got := b.Pseudo(m); got != tt.pseudo {
				t.Errorf("Pseudo is %v", got)
			}
			if got := b.Legal(m); got != tt.legal {
				t.Errorf("Legal is %v", got)
			}
		})
	}
}

func TestOnlyAdjacent(t *testing.T) {
	tests := []struct {
		name, fen, move string
		only            bool
	}{
		{"king walks up (W013)", "8/p7/8/3k4/8/3K4/7R/8 w - - 0 1", "d3d4", true},
		{"king walks up to a guarded square", "8/p7/8/3k4/8/3K4/8/3r4 w - - 0 1", "d3d4", false},
		{"another man while adjacent (W016)", "8/p7/8/3k4/3K4/8/7R/8 b - - 1 1", "a7a6", true},
		{"another adjacent square", "8/8/p7/3k4/3K4/8/7R/8 w - - 0 2", "d4c4", true},
		{"a legal move away", "8/8/p7/3k4/3K4/8/7R/8 w - - 0 2", "d4d3", false},
		{"king by king", "8/p7/8/3k4/3K4/8/7R/8 b - - 1 1", "d5d4", false},
		{"not how the king goes", "8/p7/8/3k4/8/8/3K3R/8 w - - 0 1", "d2d4", false},
		{"the other king taken for one's own", "8/p7/8/3k4/8/3K4/7R/8 w - - 0 1", "d5d4", false},
		{"castling next to the king", "8/8/8/8/8/8/7k/4K2R w K - 0 1", "e1g1", true},
		{"castling past the king", "8/8/8/8/8/8/4k3/4K2R w K - 0 1", "e1g1", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b, m := arrange(t, tt.fen), uci(t, tt.move)
			if got := b.OnlyAdjacent(m); got != tt.only {
				t.Errorf("OnlyAdjacent is %v", got)
			}
		})
	}
}

func TestAttackedAndInCheck(t *testing.T) {
	b := arrange(t, "4r1k1/5ppp/8/8/8/8/5PPP/R3K3 w - - 0 1")
	if !b.InCheck(White) || b.InCheck(Black) {
		t.Error("White alone is in check")
	}
	for name, want := range map[string]bool{"e2": true, "e1": true, "d1": false, "g6": true, "e6": true, "a8": true, "f6": true, "b7": false} {
		s, err := ParseSquare(name)
		if err != nil {
			t.Fatal(err)
		}
		if b.Attacked(s, Black) != want {
			t.Errorf("Black attacks %s: %v", name, !want)
		}
	}
	if b.Attacked(NoSquare, Black) || b.KingsAdjacent() {
		t.Error("no square is attacked, the kings are apart")
	}
	if b = arrange(t, "8/p7/8/3k4/3K4/8/7R/8 b - - 1 1"); !b.KingsAdjacent() || !b.InCheck(White) || !b.InCheck(Black) {
		t.Error("kings next to each other check each other")
	}
}

// arrange reads a position, impossible ones too.
func arrange(t *testing.T, fen string) Board {
	t.Helper()
	b, err := ParseArrangement(fen)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func uci(t *testing.T, s string) Move {
	t.Helper()
	m, err := ParseUCI(s)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
