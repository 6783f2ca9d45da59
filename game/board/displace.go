package board

import "math"

// lost holds the castling rights that end when a man leaves or enters a square.
var lost = func() (rights [64]uint8) {
	for _, k := range castles {
		rights[k.king] |= k.right
		rights[k.rook] |= k.right
	}
	return rights
}()

// Normal gives a pawn of the mover's that reaches the last rank a queen unless
// a fitting promotion is named, and takes the promotion off any other move.
func (b Board) Normal(m Move) Move {
	switch {
	case !b.promotion(m):
		m.Promo = NoKind
	case !m.Promo.promotes():
		m.Promo = Queen
	}
	return m
}

// Displace returns what stands on the board after m, legal or not: the man
// goes from its square to the other, whatever stood there is gone, and the
// other side is on move. Castling moves the rook along when the mover's king
// makes the gesture with the rook in its corner and nothing between; a pawn on
// its fifth rank that steps aside to an empty square beside an enemy pawn
// takes that pawn; a pawn on the last rank promotes. Castling rights go with
// every king or rook that moves or is taken; the en-passant square is set only
// by the owner's true double step.
//
// A king is never taken: a man put on one goes back, and only the turn, the
// counters and the en-passant square change. A displacement without a man or
// without a distance changes nothing at all.
func (b Board) Displace(m Move) Board {
	if m.From >= NoSquare || m.To >= NoSquare || m.From == m.To || b.all()&m.From.bit() == 0 {
		return b
	}
	next := b
	next.ep = NoSquare
	next.turn = b.turn.Other()
	if b.turn == Black {
		next.full = saturated(b.full)
	}
	next.half = saturated(b.half)
	if b.kinds[King-1]&m.To.bit() != 0 {
		return next
	}
	man := b.at(m.From)
	next.rights &^= lost[m.From] | lost[m.To]
	next.clear(m.From)
	if b.all()&m.To.bit() != 0 {
		next.clear(m.To)
		next.half = 0
	}
	if man.Kind() == Pawn {
		next.half = 0
	}
	if m = b.Normal(m); m.Promo != NoKind {
		next.put(m.To, NewPiece(man.Color(), m.Promo))
	} else {
		next.put(m.To, man)
	}
	if man.Color() == b.turn {
		b.gesture(m, man.Kind(), &next)
	}
	return next
}

// gesture does what else happens when the mover's own man castles, takes en
// passant or makes a double step.
func (b *Board) gesture(m Move, k Kind, next *Board) {
	switch k {
	case King:
		if castling := b.castling(m); castling != nil {
			next.clear(castling.rook)
			next.put(castling.rookTo, NewPiece(b.turn, Rook))
		}
	case Pawn:
		if victim := b.enPassantVictim(m); victim != NoSquare {
			next.clear(victim)
		}
		next.ep = b.doubleStep(m)
	}
}

// castling returns the castling whose gesture m is: the mover's king, on its
// first square, goes to its c- or g-file, the rook stands in the corner and
// nothing is between. Rights and attacks do not matter.
func (b *Board) castling(m Move) *castle {
	for i := range castlesOf(b.turn) {
		k := &castlesOf(b.turn)[i]
		if m.From == k.king && m.To == k.to && b.king(b.turn) == k.king &&
			b.men(b.turn, Rook)&k.rook.bit() != 0 && b.all()&k.empty == 0 {
			return k
		}
	}
	return nil
}

// enPassantVictim returns the square of the enemy pawn taken by the gesture of
// en passant, with or without the right to it, or NoSquare.
func (b *Board) enPassantVictim(m Move) Square {
	if m.From.Rank() != b.turn.fifthRank() || pawnHits[b.turn][m.From]&m.To.bit() == 0 || b.all()&m.To.bit() != 0 {
		return NoSquare
	}
	victim := squareAt(m.To.File(), m.From.Rank())
	if b.men(b.turn.Other(), Pawn)&victim.bit() == 0 {
		return NoSquare
	}
	return victim
}

// doubleStep returns the square that the mover's pawn steps over in a true
// double step from its second rank, or NoSquare.
func (b *Board) doubleStep(m Move) Square {
	step := b.turn.forward()
	if m.From.Rank() != b.turn.pawnRank() || int(m.To)-int(m.From) != 2*step {
		return NoSquare
	}
	over := Square(int(m.From) + step)
	if b.all()&(over.bit()|m.To.bit()) != 0 {
		return NoSquare
	}
	return over
}

func saturated(n uint16) uint16 {
	if n == math.MaxUint16 {
		return n
	}
	return n + 1
}
