package endgame

import "flagfall/game/board"

// A cage is what a mate by one side can be made of: where its men may strike,
// where the mated king may stand and what may fill the squares round it.
type cage struct {
	*domain
	side    board.Color
	strikes area // squares that the side's men other than its king may attack
	king    area // squares where its king may stand
	prey    area // squares where the other king may stand
}

// confined tells whether no mate by side can arise however the men move within
// their reach: on no square where the other king might stand could check be
// given and every flight square be attacked or filled.
func confined(b *board.Board, side board.Color) bool {
	d, ok := newDomain(b, side)
	if !ok {
		return false
	}
	c := cage{domain: d, side: side}
	// The king does not stand in the way of an attack on the squares behind it.
	stops := d.fixed &^ areaOf(b.King(side.Other()))
	for i := range d.men {
		m := &d.men[i]
		switch {
		case m.kind == board.King && m.owner == side:
			c.king = m.at
		case m.kind == board.King:
			c.prey = m.at
		case m.owner == side:
			c.strikes |= m.strikes(stops)
		}
	}
	for at := c.prey & c.strikes; at != 0; at &= at - 1 {
		if c.mates(at.lowest()) {
			return false
		}
	}
	return true
}

// strikes returns every square that the man may attack some time. Pawns that
// may promote are not asked: their reach is not worked out.
func (m *roamer) strikes(stops area) (a area) {
	for at := m.at; at != 0; at &= at - 1 {
		if m.kind == board.Pawn {
			a |= pawnTakes[m.owner][at.lowest()]
		} else {
			a |= touches(m.kind, at.lowest(), stops)
		}
	}
	return a
}

// mates tells whether the king might be mated on this square: with the other
// king somewhere, the flight squares that nobody attacks are each filled by a
// man of its own.
func (c *cage) mates(prey board.Square) bool {
	open := besideKing[prey] &^ c.strikes
	if c.fills(open) {
		return true
	}
	for king := c.king &^ besideKing[prey] &^ areaOf(prey); king != 0; king &= king - 1 {
		if held := besideKing[king.lowest()] & open; held != 0 && c.fills(open&^held) {
			return true
		}
	}
	return false
}

// fills tells whether different men of the mated side may stand on all these
// squares at once.
func (c *cage) fills(open area) bool {
	var filled [32]area // by man, the square it was given
	for ; open != 0; open &= open - 1 {
		var asked uint32
		if !c.fill(open.lowest(), &filled, &asked) {
			return false
		}
	}
	return true
}

// fill finds a man for a square, giving others other squares if need be.
func (c *cage) fill(s board.Square, filled *[32]area, asked *uint32) bool {
	for i := range c.men {
		m := &c.men[i]
		if m.owner == c.side || m.kind == board.King || *asked>>i&1 != 0 || !(m.at | m.risen).has(s) {
			continue
		}
		*asked |= 1 << i
		if filled[i] == 0 || c.fill(filled[i].lowest(), filled, asked) {
			filled[i] = areaOf(s)
			return true
		}
	}
	return false
}
