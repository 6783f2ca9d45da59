package model

import "flagfall/game/board"

// men counts what a side has beside its king.
type men struct {
	pawns, knights, light, dark, rooks, queens int
}

func (m men) bishops() int { return m.light + m.dark }
func (m men) minors() int  { return m.knights + m.bishops() }
func (m men) majors() int  { return m.rooks + m.queens }
func (m men) all() int     { return m.pawns + m.minors() + m.majors() }

func (m men) onlyBishopsOf(light bool) bool {
	if light {
		return m.all() == m.light
	}
	return m.all() == m.dark
}

func count(b *Board, c Color) men {
	var m men
	for sq := Square(0); sq < 64; sq++ {
		p := b.At(sq)
		if p == board.NoPiece || p.Color() != c {
			continue
		}
		switch p.Kind() {
		case board.Pawn:
			m.pawns++
		case board.Knight:
			m.knights++
		case board.Rook:
			m.rooks++
		case board.Queen:
			m.queens++
		case board.Bishop:
			if sq.Light() {
				m.light++
			} else {
				m.dark++
			}
		}
	}
	return m
}

// mates tells whether c has mating material on b (7a, B.5) and, if not, which entry of section 8 says so beside 8f.
// A lone minor counts as none: a forced mate is never shown here.
func mates(b *Board, c Color) (ok bool, by string) {
	own, opp := count(b, c), count(b, c.Other())
	if own.pawns == 1 && own.all() == 1 && opp.all() == 0 {
		if kingHoldsPawn(b, c) {
			return false, "8h"
		}
		return true, ""
	}
	if own.pawns+own.majors() > 0 {
		return true, ""
	}
	switch {
	case own.minors() <= 1:
		return false, ""
	case own.knights == 2 && own.all() == 2 && opp.all() == 0:
		return false, ""
	case own.knights == 0 && (own.light == 0 || own.dark == 0) && opp.onlyBishopsOf(own.light > 0):
		return false, ""
	}
	return true, ""
}

// kingHoldsPawn is the geometry of 8h (D19) for a lone pawn of c.
func kingHoldsPawn(b *Board, c Color) bool {
	pawn := board.NoSquare
	for sq := Square(0); sq < 64; sq++ {
		if b.At(sq) == board.NewPiece(c, board.Pawn) {
			pawn = sq
		}
	}
	king := b.King(c.Other())
	if king.File() != pawn.File() {
		return false
	}
	ahead, rank := king.Rank()-pawn.Rank(), pawn.Rank()
	if c == board.Black {
		ahead, rank = -ahead, 7-rank
	}
	if pawn.File() == 0 || pawn.File() == 7 {
		return ahead > 0
	}
	return ahead == 1 && rank < 6
}

// dead tells whether neither side can ever mate (D7).
func dead(b *Board) bool {
	w, l := count(b, board.White), count(b, board.Black)
	if w.pawns+w.majors()+l.pawns+l.majors() > 0 {
		return false
	}
	if w.minors()+l.minors() <= 1 {
		return true
	}
	return w.knights+l.knights == 0 && (w.light+l.light == 0 || w.dark+l.dark == 0)
}
