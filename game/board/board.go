// Package board holds men on squares: legal moves and illegal ones, attacks,
// repetition keys, FEN and move notation.
//
// A Board is a value. Legal decides whether a move may be made; Displace says
// what stands on the board after any displacement, legal or not, because under
// WBCA 14 an illegal move that nobody claims stands for ever. A board reached
// that way may show what no legal game can: adjacent kings, a king left en
// prise, a pawn on the first rank. Every method works on such boards too.
//
// No method panics for a square beyond h8: such a move is neither legal nor
// does it change anything.
package board

import (
	"iter"
	"math/bits"
)

// set is a set of squares, bit n for Square n.
type set uint64

// first returns the lowest square of a set that is not empty.
func (s set) first() Square { return Square(bits.TrailingZeros64(uint64(s))) }

func (s set) count() int { return bits.OnesCount64(uint64(s)) }

// Castling rights as bits, in the order of FEN.
const (
	rightK uint8 = 1 << iota
	rightQ
	rightk
	rightq
)

// Board is a position: the men, the side on move, castling rights, en-passant
// square and move counters. Boards are comparable; copy them freely. There is
// always exactly one king on each side. The zero value is not a position: get
// one from Start, ParseFEN or ParseArrangement.
type Board struct {
	kinds  [6]set // by Kind-1, both colours
	sides  [2]set
	half   uint16
	full   uint16
	turn   Color
	rights uint8
	ep     Square // behind a pawn that has just made its double step
}

var start = mustFEN("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")

// Start returns the initial position.
func Start() Board { return start }

func mustFEN(s string) Board {
	b, err := ParseFEN(s)
	if err != nil {
		panic(err)
	}
	return b
}

func (b *Board) all() set { return b.sides[White] | b.sides[Black] }

// men returns the squares of one colour and kind (Pawn to King).
func (b *Board) men(c Color, k Kind) set { return b.kinds[k-1] & b.sides[c] }

func (b *Board) king(c Color) Square { return b.men(c, King).first() }

func (b *Board) kindAt(at set) Kind {
	for k, men := range b.kinds {
		if men&at != 0 {
			return Kind(k + 1)
		}
	}
	return NoKind
}

func (b *Board) at(s Square) Piece {
	k := b.kindAt(s.bit())
	if k == NoKind {
		return NoPiece
	}
	return NewPiece(b.owner(s), k)
}

// owner returns the colour of the man on an occupied square.
func (b *Board) owner(s Square) Color { return Color(b.sides[Black] >> s & 1) }

func (b *Board) put(s Square, p Piece) {
	b.kinds[p.Kind()-1] |= s.bit()
	b.sides[p.Color()] |= s.bit()
}

func (b *Board) clear(s Square) {
	for k := range b.kinds {
		b.kinds[k] &^= s.bit()
	}
	b.sides[White] &^= s.bit()
	b.sides[Black] &^= s.bit()
}

// At returns the man on a square, or NoPiece.
func (b Board) At(s Square) Piece { return b.at(s) }

// Turn returns the side on move.
func (b Board) Turn() Color { return b.turn }

// King returns the square of the side's king.
func (b Board) King(c Color) Square { return b.king(c) }

// EnPassant returns the square a pawn has just stepped over, or NoSquare. It
// is set after every true double step, whether or not a capture is possible.
func (b Board) EnPassant() Square { return b.ep }

// Castling returns the rights that remain, "KQkq" to "-".
func (b Board) Castling() string {
	if b.rights == 0 {
		return "-"
	}
	s := make([]byte, 0, 4)
	for i, letter := range []byte("KQkq") {
		if b.rights>>i&1 != 0 {
			s = append(s, letter)
		}
	}
	return string(s)
}

// Halfmove counts plies since the last capture or pawn move.
func (b Board) Halfmove() int { return int(b.half) }

// Fullmove is the number of the move, from 1, one more after each of Black's.
func (b Board) Fullmove() int { return int(b.full) }

// Count returns how many men of a colour and kind stand on the board.
func (b Board) Count(c Color, k Kind) int {
	if k < Pawn || k > King {
		return 0
	}
	return b.men(c, k).count()
}

// Total returns how many men a side has, its king among them.
func (b Board) Total(c Color) int { return b.sides[c].count() }

// Squares returns where the men of a colour and kind stand, a1 first.
func (b Board) Squares(c Color, k Kind) []Square {
	if k < Pawn || k > King {
		return nil
	}
	men := b.men(c, k)
	squares := make([]Square, 0, men.count())
	for ; men != 0; men &= men - 1 {
		squares = append(squares, men.first())
	}
	return squares
}

// Men ranges over all men of both sides, a1 first.
func (b Board) Men() iter.Seq2[Square, Piece] {
	return func(yield func(Square, Piece) bool) {
		for men := b.all(); men != 0; men &= men - 1 {
			if s := men.first(); !yield(s, b.at(s)) {
				return
			}
		}
	}
}
