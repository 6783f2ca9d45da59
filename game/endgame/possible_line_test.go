package endgame

import (
	"slices"
	"strings"
	"testing"

	"flagfall/game/board"
)

// checkLine plays a line with the moves of the chess library, which the search
// does not use, to mate by side.
func checkLine(t *testing.T, b board.Board, side board.Color, line []board.Move) {
	t.Helper()
	fen := b.FEN()
	for n, m := range line {
		if !slices.Contains(b.LegalMoves(), m) {
			t.Fatalf("%s: ply %d of %v is not legal", fen, n, line)
		}
		b = b.Displace(m)
	}
	if len(b.LegalMoves()) > 0 || b.Turn() == side || !b.InCheck(b.Turn()) {
		t.Errorf("%s: %v is no mate by %s", fen, line, side)
	}
}

// arrangement is the first field of a FEN, from letters by square.
func arrangement(men [64]byte) string {
	var fen strings.Builder
	for rank := 7; rank >= 0; rank-- {
		gap := 0
		for _, letter := range men[8*rank : 8*rank+8] {
			if letter == 0 {
				gap++
				continue
			}
			if gap > 0 {
				fen.WriteByte('0' + byte(gap))
				gap = 0
			}
			fen.WriteByte(letter)
		}
		if gap > 0 {
			fen.WriteByte('0' + byte(gap))
		}
		if rank > 0 {
			fen.WriteByte('/')
		}
	}
	return fen.String()
}
