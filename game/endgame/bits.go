package endgame

import (
	"math/bits"

	"flagfall/game/board"
)

// The generator looks at some hundred million positions, so it keeps squares
// (a1 = 0 ... h8 = 63) and sets of squares of its own.

func bit(s uint8) uint64 { return 1 << (s & 63) }

func first(set uint64) uint8 { return uint8(bits.TrailingZeros64(set)) }

// Where men go on an empty board. Pawns by owner: the strong side's go up.
var (
	kingTo  = leaps([][2]int{{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}})
	pawnTo  = [2][64]uint64{leaps([][2]int{{-1, 1}, {1, 1}}), leaps([][2]int{{-1, -1}, {1, -1}})}
	rays    = newRays()
	reach   = newReach()
	between = newBetween()
)

var compass = [8][2]int{{0, 1}, {1, 0}, {1, 1}, {-1, 1}, {0, -1}, {-1, 0}, {-1, -1}, {1, -1}}

// up tells which directions of the compass lead to higher squares.
var up = [8]bool{true, true, true, true}

func shift(s uint8, files, ranks int) (uint8, bool) {
	f, r := int(s&7)+files, int(s>>3)+ranks
	return uint8(r<<3 | f), f >= 0 && f < 8 && r >= 0 && r < 8
}

func leaps(by [][2]int) (all [64]uint64) {
	for s := range uint8(64) {
		for _, step := range by {
			if to, ok := shift(s, step[0], step[1]); ok {
				all[s] |= bit(to)
			}
		}
	}
	return all
}

func newRays() (all [8][64]uint64) {
	for d, step := range compass {
		for s := range uint8(64) {
			for to, ok := shift(s, step[0], step[1]); ok; to, ok = shift(to, step[0], step[1]) {
				all[d][s] |= bit(to)
			}
		}
	}
	return all
}

func newBetween() (all [64][64]uint64) {
	for d := range compass {
		for s := range uint8(64) {
			for line := rays[d][s]; line != 0; line &= line - 1 {
				to := first(line)
				all[s][to] = rays[d][s] &^ rays[d][to] &^ bit(to)
			}
		}
	}
	return all
}

func newReach() (all [7][64]uint64) {
	all[board.King] = kingTo
	all[board.Knight] = leaps([][2]int{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}})
	for s := range uint8(64) {
		for d, step := range compass {
			if step[0] == 0 || step[1] == 0 {
				all[board.Rook][s] |= rays[d][s]
			} else {
				all[board.Bishop][s] |= rays[d][s]
			}
			all[board.Queen][s] |= rays[d][s]
		}
	}
	return all
}

// moves returns the squares that a piece (no pawn) attacks.
func moves(k board.Kind, s uint8, occupied uint64) uint64 {
	switch k {
	case board.Bishop:
		return slide(2, s, occupied) | slide(3, s, occupied) | slide(6, s, occupied) | slide(7, s, occupied)
	case board.Rook:
		return slide(0, s, occupied) | slide(1, s, occupied) | slide(4, s, occupied) | slide(5, s, occupied)
	case board.Queen:
		return moves(board.Bishop, s, occupied) | moves(board.Rook, s, occupied)
	}
	return reach[k][s]
}

// slide follows a ray as far as the first man, inclusive.
func slide(d int, s uint8, occupied uint64) uint64 {
	ray := rays[d][s]
	block := ray & occupied
	if block == 0 {
		return ray
	}
	if up[d] {
		return ray ^ rays[d][bits.TrailingZeros64(block)]
	}
	return ray ^ rays[d][63-bits.LeadingZeros64(block)]
}

// hits tells whether a man on one square attacks another.
func hits(k board.Kind, owner side, from, to uint8, occupied uint64) bool {
	if k == board.Pawn {
		return pawnTo[owner][from]&bit(to) != 0
	}
	return reach[k][from]&bit(to) != 0 && between[from][to]&occupied == 0
}
