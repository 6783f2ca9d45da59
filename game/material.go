package game

import "flagfall/game/board"

// men counts what stands beside the kings.
type men struct {
	pawns, knights, bishops, rooks, queens int
	light, dark                            int // bishops by the colour of their squares
}

func count(b *board.Board, c board.Color) men {
	m := men{
		pawns: b.Count(c, board.Pawn), knights: b.Count(c, board.Knight), bishops: b.Count(c, board.Bishop),
		rooks: b.Count(c, board.Rook), queens: b.Count(c, board.Queen),
	}
	if m.bishops > 0 {
		for _, s := range b.Squares(c, board.Bishop) {
			if s.Light() {
				m.light++
			} else {
				m.dark++
			}
		}
	}
	return m
}

func (m men) bare() bool { return m.pawns+m.knights+m.bishops+m.rooks+m.queens == 0 }

func (m men) big() bool { return m.pawns+m.rooks+m.queens > 0 }

func (m men) minors() int { return m.knights + m.bishops }

// bishopsOnly tells whether there are bishops at most, all of them on squares of one colour, which is light or dark.
func (m men) bishopsOnly(light bool) bool {
	if m.big() || m.knights > 0 {
		return false
	}
	if light {
		return m.dark == 0
	}
	return m.light == 0
}

// deadPosition tells whether neither side can mate by any sequence of moves: bare kings, one minor piece, or bishops
// that all stand on one colour (D7).
func deadPosition(b *board.Board) bool {
	w, k := count(b, board.White), count(b, board.Black)
	if w.big() || k.big() {
		return false
	}
	if w.minors()+k.minors() <= 1 {
		return true
	}
	return w.bishopsOnly(true) && k.bishopsOnly(true) || w.bishopsOnly(false) && k.bishopsOnly(false)
}
