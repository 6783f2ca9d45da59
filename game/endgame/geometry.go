package endgame

import "flagfall/game/board"

// What follows is the geometry of WBCA section 8: which men stand where. It
// says nothing of forced wins, which a Prover finds, nor of the side on move.

// alone tells whether a side has exactly these men beside its king.
func alone(b *board.Board, c board.Color, kinds ...board.Kind) bool {
	if b.Total(c) != 1+len(kinds) {
		return false
	}
	var want [7]int
	for _, k := range kinds {
		want[k]++
	}
	for k := board.Pawn; k <= board.Queen; k++ {
		if b.Count(c, k) != want[k] {
			return false
		}
	}
	return true
}

// IdenticalPiece tells whether each side has one piece of the same kind and
// nothing else beside its king (WBCA 8e). A pawn is no piece; bishops may
// stand on any colour.
func IdenticalPiece(b board.Board) bool {
	for k := board.Knight; k <= board.Queen; k++ {
		if alone(&b, board.White, k) && alone(&b, board.Black, k) {
			return true
		}
	}
	return false
}

// OppositeBishops tells whether the sides have one bishop each, on squares of
// different colour, and beside them one pawn on the whole board, or two pawns
// against one of which both are stopped (WBCA 8g): the square in front is held
// by an enemy man or guarded by the enemy bishop, and there is nothing to
// capture.
func OppositeBishops(b board.Board) bool {
	pawns := [2]int{b.Count(board.White, board.Pawn), b.Count(board.Black, board.Pawn)}
	for _, c := range [2]board.Color{board.White, board.Black} {
		if b.Count(c, board.Bishop) != 1 || b.Total(c) != 2+pawns[c] {
			return false
		}
	}
	if b.Squares(board.White, board.Bishop)[0].Light() == b.Squares(board.Black, board.Bishop)[0].Light() {
		return false
	}
	switch pawns {
	case [2]int{1, 0}, [2]int{0, 1}:
		return true
	case [2]int{2, 1}:
		return stoppedPawns(&b, board.White)
	case [2]int{1, 2}:
		return stoppedPawns(&b, board.Black)
	}
	return false
}

// stoppedPawns tells whether none of a side's pawns can get on against the
// enemy's bishop.
func stoppedPawns(b *board.Board, c board.Color) bool {
	bishop := b.Squares(c.Other(), board.Bishop)[0]
	for _, pawn := range b.Squares(c, board.Pawn) {
		front, ok := ahead(side(c), uint8(pawn))
		if !ok {
			continue // on the last rank it never moves again
		}
		to := board.Square(front)
		held := b.At(to) != board.NoPiece && b.At(to).Color() != c
		if !held && !b.Pseudo(board.Move{From: bishop, To: to}) || captures(b, c, pawn) {
			return false
		}
	}
	return true
}

// captures tells whether a pawn has an enemy man to capture, en passant too.
func captures(b *board.Board, c board.Color, pawn board.Square) bool {
	for to := pawnTo[side(c)][pawn]; to != 0; to &= to - 1 {
		at := board.Square(first(to))
		p := b.At(at)
		if p != board.NoPiece && p.Color() != c && p.Kind() != board.King {
			return true
		}
		if at == b.EnPassant() && b.Turn() == c {
			return true
		}
	}
	return false
}

// PawnBlocked tells whether a pawn is all there is and the bare king holds it
// (WBCA 8h): a rook pawn from any square of the file in front of it, another
// pawn from the square directly in front unless it stands on its 7th rank.
func PawnBlocked(b board.Board) bool {
	c, ok := owner(func(c board.Color) bool { return alone(&b, c, board.Pawn) && alone(&b, c.Other()) })
	if !ok {
		return false
	}
	pawn, king := b.Squares(c, board.Pawn)[0], b.King(c.Other())
	if rookFile(pawn) {
		return inFront(c, pawn, king, true)
	}
	return rank(side(c), uint8(pawn)) != 6 && inFront(c, pawn, king, false)
}

// RookPawnBlocked tells whether there are a rook each and one rook pawn and
// nothing else, and the defending king stands directly in front of the pawn;
// if wide, anywhere in front of it on the file (WBCA 8i).
func RookPawnBlocked(b board.Board, wide bool) bool {
	c, ok := owner(func(c board.Color) bool {
		return alone(&b, c, board.Rook, board.Pawn) && alone(&b, c.Other(), board.Rook)
	})
	if !ok {
		return false
	}
	pawn := b.Squares(c, board.Pawn)[0]
	return rookFile(pawn) && inFront(c, pawn, b.King(c.Other()), wide)
}

// owner returns the side for which something holds.
func owner(holds func(board.Color) bool) (board.Color, bool) {
	if holds(board.White) {
		return board.White, true
	}
	return board.Black, holds(board.Black)
}

func rookFile(s board.Square) bool { return s.File() == 0 || s.File() == 7 }

// inFront tells whether a square lies directly in front of a side's pawn, or
// anywhere further on its file.
func inFront(c board.Color, pawn, square board.Square, anywhere bool) bool {
	step := int(rank(side(c), uint8(square))) - int(rank(side(c), uint8(pawn)))
	return square.File() == pawn.File() && (step == 1 || anywhere && step > 1)
}
