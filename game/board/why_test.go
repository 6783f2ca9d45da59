package board

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestWhy(t *testing.T) {
	const start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
	for _, tt := range []struct{ fen, move, want string }{
		{start, "g1f3", ""},
		{start, "e4e5", "no man stands on e4"},
		{start, "e2e2", "the man does not leave its square"},
		{start, "e7e5", "White is on move, and the pawn on e7 is Black's"},
		{start, "g1e2", "the own pawn on e2 is there"},
		{start, "g1g3", "a knight does not move like that"},
		{start, "f1c4", "the pawn on e2 stands in the way"},
		{start, "f1f3", "a bishop does not move like that"},
		{start, "a1a3", "the pawn on a2 stands in the way"},
		{start, "d1d8", "the pawn on d2 stands in the way"},
		{start, "d1e3", "a queen does not move like that"},
		{start, "e2e5", "a pawn does not move like that"},
		{start, "e2f3", "a pawn goes aside only to take, and nothing to be taken is on f3"},
		{start, "e2e4q", "there is no promotion in this move"},
		{start, "e1g1", "the own knight on g1 is there"},
		{start, "e1e3", "a king does not move like that"},
		{"4k3/8/8/8/4p3/8/4P3/4K3 w - - 0 1", "e2e4", "a pawn does not take straight ahead, and the pawn on e4 is there"},
		{"4k3/8/8/8/8/4p3/4P3/4K3 w - - 0 1", "e2e4", "the pawn on e3 stands in the way"},
		{"4k3/8/8/8/8/4p3/4P3/4K3 w - - 0 1", "e2e3", "a pawn does not take straight ahead, and the pawn on e3 is there"},
		{"4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", "e4e3", "a pawn does not go back"},
		{"4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", "e4e6", "a pawn goes two squares only from where it stood at the start"},
		{"4k3/4p3/8/8/8/8/8/4K3 b - - 0 1", "e7e8", "the own king on e8 is there"},
		{"4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "e5d6", "en passant is over or never was: the pawn on d5 did not step over d6 with the last move"},
		{"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", ""},
		// The right to take en passant is there, but both pawns leave the rank at once.
		{"8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1", "e5d6", "it leaves the king on a5 in check: the pawn on e5 was pinned before the rook on h5"},
		{"4r1k1/8/8/8/8/8/4B3/4K3 w - - 0 1", "e2d3", "it leaves the king on e1 in check: the bishop on e2 was pinned before the rook on e8"},
		{"4r1k1/8/8/8/8/8/8/4K2N w - - 0 1", "h1g3", "the king on e1 stays in check from the rook on e8"},
		{"4r1k1/8/8/8/8/8/8/3K4 w - - 0 1", "d1e1", "the king goes into check: the rook on e8 attacks e1"},
		{"8/8/8/8/3k4/8/8/3K4 w - - 0 1", "d1d2", ""},
		{"8/8/8/8/8/3k4/8/3K4 w - - 0 1", "d1d2", "the kings would stand side by side"},
		{"8/8/8/8/8/8/3k4/3K3R w - - 0 1", "h1h2", "the kings would stand side by side"}, // only after illegal moves
		{"8/8/8/8/8/8/3k4/3K4 w - - 0 1", "d1d2", "a king does not take a king"},
		{"4k3/8/8/8/8/8/8/3KR3 w - - 0 1", "e1e8", "a king is not taken"},
		{"4k3/8/8/8/8/8/8/4K2R w - - 0 1", "e1g1", "the right to castle is gone: the king or that rook has moved before"},
		{"4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1g1", "castling needs the rook on h1"},
		{"4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1", "e1c1", "no castling: the knight on b1 stands between king and rook"},
		{"4r1k1/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "no castling out of check: the rook on e8 attacks e1"},
		{"5rk1/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "no castling through check: the rook on f8 attacks f1"},
		{"6rk/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "no castling into check: the rook on g8 attacks g1"},
		{"1r4k1/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", ""}, // b1 may be attacked
		{"r3k3/8/8/8/8/8/8/4K2R b q - 0 1", "e8c8", ""},
		{"4k3/8/8/8/8/8/4p3/3NK3 b - - 0 1", "e2d1q", ""},
		{"k6r/8/8/8/8/8/8/K7 b - - 0 1", "h8h1q", "there is no promotion in this move"},
	} {
		b, err := ParseArrangement(tt.fen)
		if err != nil {
			t.Fatal(err)
		}
		m, err := ParseUCI(tt.move)
		if err != nil {
			t.Fatal(err)
		}
		if got := b.Why(m); got != tt.want {
			t.Errorf("%s %s: %q, want %q", tt.fen, tt.move, got, tt.want)
		}
	}
	b := Start()
	if got := b.Why(Move{From: NoSquare, To: 3}); got != "there is no such square" {
		t.Errorf("off the board: %q", got)
	}
	pawn := mustFEN("4k3/P7/8/8/8/8/8/4K3 w - - 0 1")
	if got := pawn.Why(Move{From: 48, To: 56, Promo: King}); got != "a pawn does not become a king" {
		t.Errorf("promotion to a king: %q", got)
	}
}

// There is a reason exactly where the move is not legal, on boards that only illegal moves lead to as well.
func TestWhyIsThereForEveryIllegalMove(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := Start()
		for range rapid.IntRange(0, 60).Draw(t, "plies") {
			m := Move{From: Square(rapid.IntRange(0, 64).Draw(t, "from")), To: Square(rapid.IntRange(0, 64).Draw(t, "to")),
				Promo: Kind(rapid.IntRange(0, 6).Draw(t, "promotion"))}
			why := b.Why(m)
			if (why == "") != b.Legal(m) || strings.Contains(why, "the rules do not allow it") {
				t.Fatalf("%s %s: %q, legal %t", b.FEN(), m, why, b.Legal(m))
			}
			if legal := b.AppendLegal(nil); len(legal) > 0 && rapid.Bool().Draw(t, "plays on") {
				m = legal[rapid.IntRange(0, len(legal)-1).Draw(t, "move")]
			}
			b = b.Displace(m)
		}
	})
}
