package board

import "fmt"

// Square is one of the 64 squares: a1 = 0, b1 = 1, ... h8 = 63.
type Square uint8

// NoSquare is no square at all: no en-passant square, an unreadable name.
const NoSquare Square = 64

// squareAt returns the square of a file and rank, both 0..7.
func squareAt(file, rank int) Square { return Square(rank*8 + file) }

// ParseSquare reads "a1" to "h8".
func ParseSquare(s string) (Square, error) {
	if len(s) != 2 || s[0] < 'a' || s[0] > 'h' || s[1] < '1' || s[1] > '8' {
		return NoSquare, fmt.Errorf("square %q: want a1 to h8", s)
	}
	return squareAt(int(s[0]-'a'), int(s[1]-'1')), nil
}

// File returns 0 for the a-file to 7 for the h-file.
func (s Square) File() int { return int(s & 7) }

// Rank returns 0 for the first rank to 7 for the eighth.
func (s Square) Rank() int { return int(s >> 3) }

// Light tells whether the square is a light one; a1 is dark.
func (s Square) Light() bool { return (s.File()+s.Rank())&1 == 1 }

// String returns the name, "e4", or "-" for no square.
func (s Square) String() string {
	if s >= NoSquare {
		return "-"
	}
	return string([]byte{byte('a' + s.File()), byte('1' + s.Rank())})
}

// bit is the square as a set of one; empty for NoSquare.
func (s Square) bit() set { return 1 << s }

// Move is a man taken from one square and put on another, and what a pawn
// becomes on the last rank. It says nothing of legality.
type Move struct {
	From, To Square
	Promo    Kind
}

// ParseUCI reads "e2e4" or "a7a8q": two squares and at most one of q, r, b, n.
func ParseUCI(s string) (Move, error) {
	if len(s) != 4 && len(s) != 5 {
		return Move{}, fmt.Errorf("move %q: want 4 or 5 characters such as e2e4 or a7a8q", clip(s))
	}
	from, err := ParseSquare(s[:2])
	if err != nil {
		return Move{}, fmt.Errorf("move %q: from %w", s, err)
	}
	to, err := ParseSquare(s[2:4])
	if err != nil {
		return Move{}, fmt.Errorf("move %q: to %w", s, err)
	}
	m := Move{From: from, To: to}
	if len(s) == 5 {
		p, ok := parsePiece(s[4])
		if !ok || p.Color() != Black || !p.Kind().promotes() {
			return Move{}, fmt.Errorf("move %q: promotion must be q, r, b or n", s)
		}
		m.Promo = p.Kind()
	}
	return m, nil
}

// UCI returns "e2e4" or "a7a8q".
func (m Move) UCI() string {
	return m.From.String() + m.To.String() + NewPiece(Black, m.Promo).String()
}

// String returns the same as UCI.
func (m Move) String() string { return m.UCI() }

// clip shortens what is quoted in an error.
func clip(s string) string {
	const most = 80
	if len(s) <= most {
		return s
	}
	return s[:most] + "..."
}
