package board

// Key identifies a position for counting repetitions: equal keys mean the same
// men on the same squares, the same side on move and the same possible moves.
// Keys are comparable and serve as map keys; they hold the whole position, not
// a hash, so two positions never share one.
type Key struct {
	kind   [3]set // the three bits of the kind on every square
	black  set
	turn   Color
	rights uint8
	ep     Square
}

// Key returns the repetition key: placement, side on move, castling rights and
// the en-passant square if a capture there is legal, pins considered.
func (b Board) Key() Key {
	k := b.Seen()
	k.rights = b.rights
	if b.ep < NoSquare {
		for pawns := pawnHits[b.turn.Other()][b.ep] & b.men(b.turn, Pawn); pawns != 0; pawns &= pawns - 1 {
			if b.hitsAfter(pawns.first(), b.ep) == 0 {
				k.ep = b.ep
			}
		}
	}
	return k
}

// Seen returns the key of what everybody sees: placement and side on move,
// without the castling rights and en-passant captures that hang on how the
// position came about.
func (b Board) Seen() Key {
	k := Key{black: b.sides[Black], turn: b.turn, ep: NoSquare}
	for i, men := range b.kinds {
		for bit := range k.kind {
			if (i+1)>>bit&1 != 0 {
				k.kind[bit] |= men
			}
		}
	}
	return k
}

// Sum is a number that equal placements share, and others hardly ever: whoever looks for a key among many compares it
// first. It is the same for a key and its Seen.
func (k Key) Sum() uint32 {
	const odd = 0x9E3779B97F4A7C15 // 2^64 over the golden ratio
	sum := uint64(k.black)
	for _, bits := range k.kind {
		sum = (sum ^ uint64(bits)) * odd
		sum ^= sum >> 29
	}
	return uint32((sum + uint64(k.turn)) >> 16)
}

// Seen returns the key of what everybody saw of the position: see Board.Seen.
func (k Key) Seen() Key {
	k.rights, k.ep = 0, NoSquare
	return k
}
