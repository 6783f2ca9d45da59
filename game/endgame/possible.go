package endgame

import "flagfall/game/board"

// Possible tells whether a side can still mate by any series of legal moves,
// both sides helping (FIDE 6.9, 7.5.5 and 5.2.2, US Chess 14D1 and 14E, CCA 12).
type Possible uint8

// The answers. Both certain ones are proved: MatePossible by a series of moves
// that was found, MateImpossible by an argument or by having seen every
// position that can arise. MateUnknown counts as possible.
const (
	MateUnknown Possible = iota
	MateImpossible
	MatePossible
)

// String returns "unknown", "impossible" or "possible".
func (p Possible) String() string {
	switch p {
	case MateImpossible:
		return "impossible"
	case MatePossible:
		return "possible"
	}
	return "unknown"
}

// PossibleNodes is the budget that Helpmate and Dead are meant to be given: far
// more than any ordinary position needs.
const PossibleNodes = 100_000

// Helpmate tells whether some series of legal moves from the board ends with
// side giving mate. A board that shows mate by side already says possible, one
// that shows any other end of the game impossible. nodes bounds the positions
// looked at, so the answer is the same on every machine; with too few of them it
// is MateUnknown. With none at all there is no search: only the men and, behind
// blocked pawns, their reach are judged.
func Helpmate(b board.Board, side board.Color, nodes int) Possible {
	_, p := HelpmateLine(b, side, nodes)
	return p
}

// HelpmateLine is Helpmate with the series of moves, the mating move last, if
// the answer is MatePossible.
func HelpmateLine(b board.Board, side board.Color, nodes int) ([]board.Move, Possible) {
	if !b.AnyLegal() {
		if mated(&b, side) {
			return nil, MatePossible
		}
		return nil, MateImpossible
	}
	if hopeless(&b, side) {
		return nil, MateImpossible
	}
	if nodes <= 0 && lively(&b) {
		return nil, MateUnknown
	}
	walled := pawnsBlocked(&b)
	if walled && confined(&b, side) {
		return nil, MateImpossible
	}
	s := newSeriesSearch(&b, side)
	plain := min(nodes, plainNodes)
	p := s.search(plain)
	if p == MateUnknown {
		if !walled && confined(&b, side) {
			return nil, MateImpossible
		}
		s.thorough = true
		p = s.search(nodes - plain)
	}
	if p == MatePossible {
		return s.line(), p
	}
	return nil, p
}

// plainNodes is how far Helpmate searches before it looks at what the men can
// reach at all, unless the pawns are blocked: most positions have a mate within
// that.
const plainNodes = 600

// Dead tells whether it is certain that neither side can mate by any series of
// legal moves: the position is dead and the game drawn (FIDE 5.2.2, US Chess
// 14D1). Stalemate is dead, mate is not. An ordinary position, in which some side
// has the men to mate and not all pawns are blocked, is told at once and without
// a search.
func Dead(b board.Board, nodes int) bool {
	if lively(&b) {
		return false
	}
	for _, side := range [2]board.Color{board.White, board.Black} {
		if Helpmate(b, side, nodes) != MateImpossible {
			return false
		}
	}
	return true
}

// mated tells whether the side on move has been mated by side; it is known to
// have no legal move. A king that is itself en prise mates nobody: no legal
// move leads there.
func mated(b *board.Board, side board.Color) bool {
	return b.Turn() != side && b.InCheck(b.Turn()) && !b.InCheck(side)
}
