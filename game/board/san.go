package board

import (
	"errors"
	"fmt"
	"strings"
)

// SAN returns a legal move in standard algebraic notation, with + or #. Any
// other displacement comes out as Neutral has it.
func (b Board) SAN(m Move) string {
	if !b.Legal(m) {
		return b.Neutral(m)
	}
	m = b.Normal(m)
	next := b.Displace(m)
	return b.plainSAN(m) + next.checkMark()
}

func (b *Board) checkMark() string {
	switch {
	case !b.InCheck(b.turn):
		return ""
	case b.AnyLegal():
		return "+"
	}
	return "#"
}

func (b *Board) plainSAN(m Move) string {
	if k := b.castling(m); k != nil {
		return k.san()
	}
	kind := b.kindAt(m.From.bit())
	var s strings.Builder
	takes := b.takes(m)
	if kind == Pawn {
		if takes {
			s.WriteString(m.From.String()[:1])
		}
	} else {
		s.WriteString(kind.String())
		s.WriteString(b.origin(m, kind))
	}
	if takes {
		s.WriteByte('x')
	}
	s.WriteString(m.To.String())
	s.WriteString(promoted(m))
	return s.String()
}

// origin returns as much of the from-square as tells the man from others of
// its kind that may legally go to the same square: file, else rank, else both.
func (b *Board) origin(m Move, kind Kind) string {
	var twin, sameFile, sameRank bool
	for men := b.men(b.turn, kind) &^ m.From.bit(); men != 0; men &= men - 1 {
		s := men.first()
		if b.Legal(Move{From: s, To: m.To}) {
			twin = true
			sameFile = sameFile || s.File() == m.From.File()
			sameRank = sameRank || s.Rank() == m.From.Rank()
		}
	}
	name := m.From.String()
	switch {
	case !twin:
		return ""
	case !sameFile:
		return name[:1]
	case !sameRank:
		return name[1:]
	}
	return name
}

// takes tells whether the displacement takes a man off the board, in passing
// or not; a king that is run into counts as taken.
func (b *Board) takes(m Move) bool {
	if b.all()&m.To.bit() != 0 {
		return true
	}
	return b.men(b.turn, Pawn)&m.From.bit() != 0 && b.enPassantVictim(m) != NoSquare
}

// san returns O-O or O-O-O.
func (k *castle) san() string {
	if k.right&(rightK|rightk) != 0 {
		return "O-O"
	}
	return "O-O-O"
}

// promoted returns "=Q" or "".
func promoted(m Move) string {
	if m.Promo == NoKind {
		return ""
	}
	return "=" + m.Promo.String()
}

// Neutral returns any displacement in long notation that does not tell whether
// it was legal nor whether it gives check: Ke1-e5, Ng1xf3, a7-a8=Q, O-O for
// the gesture of castling. It is the UCI form if nothing stands on m.From.
func (b Board) Neutral(m Move) string {
	if m.From >= NoSquare || m.To >= NoSquare || b.all()&m.From.bit() == 0 {
		return m.UCI()
	}
	if k := b.castling(m); k != nil {
		return k.san()
	}
	m = b.Normal(m)
	letter := ""
	if kind := b.kindAt(m.From.bit()); kind != Pawn {
		letter = kind.String()
	}
	mark := "-"
	if b.takes(m) {
		mark = "x"
	}
	return letter + m.From.String() + mark + m.To.String() + promoted(m)
}

// ParseSAN reads a legal move of the side on move: Nf3, Nbd7, exd5, e8=N, O-O.
// Marks of check, mate and comment at the end may be there or not, and so may
// the x of a capture and an origin that is not needed. A pawn that reaches the
// last rank without a promotion becomes a queen.
func (b Board) ParseSAN(s string) (Move, error) {
	text := strings.TrimRight(s, "+#!?")
	want, err := b.readSAN(text)
	if err != nil {
		return Move{}, fmt.Errorf("move %q: %w", clip(s), err)
	}
	var found []Move
	for men := b.men(b.turn, want.kind) & want.from; men != 0; men &= men - 1 {
		m := Move{From: men.first(), To: want.to, Promo: want.promo}
		if b.Legal(m) && (!want.takes || b.takes(m)) && want.castling == b.castles(m) {
			found = append(found, b.Normal(m))
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return Move{}, fmt.Errorf("move %q: no such legal move for %s", clip(s), b.turn)
	}
	return Move{}, fmt.Errorf("move %q: ambiguous, %s or %s", clip(s), found[0], found[1])
}

// castles tells whether m is the gesture of castling.
func (b *Board) castles(m Move) bool { return b.castling(m) != nil }

// A sanMove is what a move in algebraic notation says.
type sanMove struct {
	kind     Kind
	from     set // where the man may stand
	to       Square
	promo    Kind
	takes    bool
	castling bool
}

var errSAN = errors.New("want algebraic notation such as Nf3, exd5, e8=Q or O-O")

func (b *Board) readSAN(s string) (sanMove, error) {
	for i := range castlesOf(b.turn) {
		if k := &castlesOf(b.turn)[i]; s == k.san() {
			return sanMove{kind: King, from: k.king.bit(), to: k.to, castling: true}, nil
		}
	}
	want := sanMove{kind: Pawn, from: ^set(0)}
	if s != "" {
		if p, ok := parsePiece(s[0]); ok && p.Color() == White {
			want.kind, s = p.Kind(), s[1:]
		}
	}
	if head, letter, ok := strings.Cut(s, "="); ok {
		p, known := NoPiece, false
		if len(letter) == 1 {
			p, known = parsePiece(letter[0])
		}
		if !known || p.Color() != White || !p.Kind().promotes() {
			return want, errSAN
		}
		want.promo, s = p.Kind(), head
	}
	if len(s) < 2 {
		return want, errSAN
	}
	var err error
	if want.to, err = ParseSquare(s[len(s)-2:]); err != nil {
		return want, errSAN
	}
	s = s[:len(s)-2]
	s, want.takes = strings.CutSuffix(s, "x")
	if want.kind == Pawn && s == "" {
		// Without a file the pawn goes straight on.
		s = want.to.String()[:1]
	}
	want.from, err = readOrigin(s)
	return want, err
}

// readOrigin reads "", "b", "1" or "b1" as the squares it may mean.
func readOrigin(s string) (set, error) {
	from := ^set(0)
	if len(s) > 2 {
		return 0, errSAN
	}
	if s != "" && s[0] >= 'a' && s[0] <= 'h' {
		file := Square(s[0] - 'a')
		from &= file.bit() | rays[north][file]
		s = s[1:]
	}
	if s != "" && s[0] >= '1' && s[0] <= '8' {
		rank := squareAt(0, int(s[0]-'1'))
		from &= rank.bit() | rays[east][rank]
		s = s[1:]
	}
	if s != "" {
		return 0, errSAN
	}
	return from, nil
}
