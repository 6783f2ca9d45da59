package endgame

import "flagfall/game/board"

// passing holds, while KPKP is made, the positions in which the side on move
// may take en passant: the twins of positions without that right. They are
// numbered by the pair of kings, the file of the pawn that made its double
// step and the side on which the other stands beside it. The capture is always
// legal, since the only enemy man that could give check is the one it takes.
type passing struct {
	value, leaving [2][]byte
}

// enPassant tells whether both sides have a pawn.
func (m *material) enPassant() bool {
	return len(m.men) == 2 && m.men[0] == man{strong, board.Pawn} && m.men[1] == man{weak, board.Pawn}
}

func newPassing() *passing {
	q := &passing{}
	for s := range q.value {
		q.value[s] = make([]byte, len(pawnKings.pairs)*16)
		q.leaving[s] = make([]byte, len(pawnKings.pairs)*16)
		// Most numbers stand for nothing.
		for c := range q.value[s] {
			q.value[s][c] = impossible
		}
	}
	return q
}

// code numbers the twin of a place in which side s is on move, -1 if the last
// move cannot have been a double step that s may answer en passant.
func (q *passing) code(m *material, p place, s side) int {
	if q == nil {
		return -1
	}
	taker, runner := p.man[s], p.man[s^1]
	if taker>>3 != runner>>3 || rank(s^1, runner) != 3 || pawnTo[s][taker]&bit(crossed(s, runner)) == 0 {
		return -1
	}
	over := crossed(s, runner)
	start, _ := behind(s^1, over)
	if kings := bit(p.king[0]) | bit(p.king[1]); kings&(bit(over)|bit(start)) != 0 {
		return -1
	}
	pair, turn := m.kings.of[p.king[strong]][p.king[weak]], m.kings.turn[p.king[strong]]
	if pair < 0 {
		return -1
	}
	taker, runner = taker^turn, runner^turn
	c := int(pair)<<4 | int(runner&7)<<1
	if taker > runner {
		c |= 1
	}
	return c
}

// crossed returns the square behind a pawn that side s may take en passant.
func crossed(s side, runner uint8) uint8 {
	square, _ := ahead(s, runner)
	return square
}

// before returns the number of the position before the double step.
func (q *passing) before(m *material, c int, s side) int {
	var p place
	p.king = m.kings.pairs[c>>4]
	runner := uint8(c>>1&7) + 8*3
	if s == strong {
		runner = uint8(c>>1&7) + 8*4
	}
	p.man[s] = runner - 1
	if c&1 == 1 {
		p.man[s] = runner + 1
	}
	over, _ := behind(s^1, runner)
	p.man[s^1], _ = behind(s^1, over)
	return m.index(p)
}

// passing returns what the position is worth to the opponent once side s has
// taken en passant.
func (x *exits) passing(p place, s side) (WDL, uint8) {
	p.man[s] = crossed(s, p.man[s^1])
	return x.take(p, s^1, int(s^1), board.Pawn)
}
