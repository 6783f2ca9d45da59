package board

import "fmt"

// Color is the side a man belongs to.
type Color uint8

// The two sides.
const (
	White Color = 0
	Black Color = 1
)

// Other returns the opponent's colour.
func (c Color) Other() Color { return c ^ 1 }

// String returns "w" or "b", as FEN does.
func (c Color) String() string {
	if c == Black {
		return "b"
	}
	return "w"
}

// homeRank is the rank (0..7) of the side's king and rooks at the start.
func (c Color) homeRank() int {
	if c == Black {
		return 7
	}
	return 0
}

// lastRank is the rank (0..7) on which the side's pawns promote.
func (c Color) lastRank() int { return c.Other().homeRank() }

// pawnRank is the rank from which the side's pawns may make a double step.
func (c Color) pawnRank() int { return c.homeRank() + c.forward()/8 }

// fifthRank is the rank, counted from the side, from which its pawns take en
// passant.
func (c Color) fifthRank() int { return c.homeRank() + c.forward()/2 }

// forward is the distance in squares of one pawn step.
func (c Color) forward() int {
	if c == Black {
		return -8
	}
	return 8
}

// ParseColor reads "w" or "b".
func ParseColor(s string) (Color, error) {
	switch s {
	case "w":
		return White, nil
	case "b":
		return Black, nil
	}
	return White, fmt.Errorf("color %q: want w or b", s)
}

// Kind is the type of a man without its colour.
type Kind uint8

// The six kinds; NoKind stands for an empty square or no promotion.
const (
	NoKind Kind = iota
	Pawn
	Knight
	Bishop
	Rook
	Queen
	King
)

// promotes tells whether a pawn may become this kind.
func (k Kind) promotes() bool { return k >= Knight && k <= Queen }

const (
	kindLetters  = " PNBRQK"
	pieceLetters = " PNBRQK  pnbrqk "
)

// String returns the upper-case English letter, "" for NoKind.
func (k Kind) String() string {
	if k < Pawn || k > King {
		return ""
	}
	return kindLetters[k : k+1]
}

// Piece is a man: a kind and a colour. The zero value is NoPiece.
type Piece uint8

// NoPiece is what an empty square holds.
const NoPiece Piece = 0

// NewPiece returns the man of that colour and kind; NoPiece for no kind.
func NewPiece(c Color, k Kind) Piece {
	if k < Pawn || k > King {
		return NoPiece
	}
	return Piece(k) | Piece(c&1)<<3
}

// Color returns the owner of the man. It means nothing for NoPiece.
func (p Piece) Color() Color { return Color(p >> 3 & 1) }

// Kind returns the type of the man, NoKind for NoPiece.
func (p Piece) Kind() Kind { return Kind(p & 7) }

// String returns the FEN letter (upper case for White), "" for NoPiece.
func (p Piece) String() string {
	if p.Kind() < Pawn || p.Kind() > King {
		return ""
	}
	return pieceLetters[p&15 : p&15+1]
}

// parsePiece reads a FEN letter.
func parsePiece(letter byte) (Piece, bool) {
	for _, c := range [2]Color{White, Black} {
		for k := Pawn; k <= King; k++ {
			if p := NewPiece(c, k); p.String()[0] == letter {
				return p, true
			}
		}
	}
	return NoPiece, false
}
