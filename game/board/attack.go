package board

import "math/bits"

// Directions of the sliding men; the first four lead to higher squares.
const (
	north = iota
	east
	northEast
	northWest
	south
	west
	southWest
	southEast
)

var steps = [8][2]int{
	north: {0, 1}, east: {1, 0}, northEast: {1, 1}, northWest: {-1, 1},
	south: {0, -1}, west: {-1, 0}, southWest: {-1, -1}, southEast: {1, -1},
}

// Where men go on an empty board, by square.
var (
	rays        = newRays() // from (exclusive) a square to the edge
	knightSteps = leaps([][2]int{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}})
	kingSteps   = leaps(steps[:])
	pawnHits    = [2][64]set{White: leaps([][2]int{{-1, 1}, {1, 1}}), Black: leaps([][2]int{{-1, -1}, {1, -1}})}
)

func newRays() (all [8][64]set) {
	for d, step := range steps {
		for s := range NoSquare {
			for to := shift(s, step[0], step[1]); to != NoSquare; to = shift(to, step[0], step[1]) {
				all[d][s] |= to.bit()
			}
		}
	}
	return all
}

func leaps(by [][2]int) (all [64]set) {
	for s := range NoSquare {
		for _, step := range by {
			all[s] |= shift(s, step[0], step[1]).bit()
		}
	}
	return all
}

// shift returns the square some files and ranks away, NoSquare off the board.
func shift(s Square, files, ranks int) Square {
	f, r := s.File()+files, s.Rank()+ranks
	if f < 0 || f > 7 || r < 0 || r > 7 {
		return NoSquare
	}
	return squareAt(f, r)
}

// slideUp follows a ray to higher squares as far as the first man, inclusive.
func slideUp(d int, s Square, occupied set) set {
	ray := rays[d][s]
	if block := ray & occupied; block != 0 {
		ray ^= rays[d][bits.TrailingZeros64(uint64(block))]
	}
	return ray
}

// slideDown is slideUp for the rays to lower squares.
func slideDown(d int, s Square, occupied set) set {
	ray := rays[d][s]
	if block := ray & occupied; block != 0 {
		ray ^= rays[d][63-bits.LeadingZeros64(uint64(block))]
	}
	return ray
}

func rookHits(s Square, occupied set) set {
	return slideUp(north, s, occupied) | slideUp(east, s, occupied) |
		slideDown(south, s, occupied) | slideDown(west, s, occupied)
}

func bishopHits(s Square, occupied set) set {
	return slideUp(northEast, s, occupied) | slideUp(northWest, s, occupied) |
		slideDown(southWest, s, occupied) | slideDown(southEast, s, occupied)
}

// attackers returns the men of a colour that attack a square, as if the
// occupied squares were those given.
func (b *Board) attackers(s Square, by Color, occupied set) set {
	diagonal := b.kinds[Bishop-1] | b.kinds[Queen-1]
	straight := b.kinds[Rook-1] | b.kinds[Queen-1]
	hits := knightSteps[s]&b.kinds[Knight-1] |
		kingSteps[s]&b.kinds[King-1] |
		pawnHits[by.Other()][s]&b.kinds[Pawn-1]
	// Most squares have no slider of the enemy's on any line: look before walking.
	them := b.sides[by]
	if diagonal&them != 0 {
		hits |= bishopHits(s, occupied) & diagonal
	}
	if straight&them != 0 {
		hits |= rookHits(s, occupied) & straight
	}
	return hits & them
}

// Attacked tells whether a man of the colour attacks the square, pinned or not.
func (b Board) Attacked(s Square, by Color) bool {
	return s < NoSquare && b.attackers(s, by, b.all()) != 0
}

// InCheck tells whether the side's king is attacked, by the other king too.
func (b Board) InCheck(c Color) bool {
	return b.attackers(b.king(c), c.Other(), b.all()) != 0
}

// KingsAdjacent tells whether the kings stand next to each other (WBCA 16).
func (b Board) KingsAdjacent() bool {
	return kingSteps[b.king(White)]&b.men(Black, King) != 0
}
