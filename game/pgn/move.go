package pgn

import (
	"errors"
	"fmt"
	"strings"

	"flagfall/game/board"
)

// noMove is a word that does not look like a move at all.
type noMove struct{ text string }

func (n *noMove) Error() string { return fmt.Sprintf("%q is no move", clip(n.text)) }

func asNoMove(err error, target **noMove) bool { return errors.As(err, target) }

// readMove reads a move as people write it: short (Nf3, exd5, e8=Q, O-O), with squares (e2e4, Ng1-f3, a7-a8=Q). A move
// that is not legal is read by geometry: the man that the words fit, whether or not it may go there.
func readMove(b *board.Board, text string) (board.Move, error) {
	said, ok := spell(text)
	if !ok {
		return board.Move{}, &noMove{text}
	}
	if said.castling != 0 {
		return said.castle(b)
	}
	if said.from != board.NoSquare {
		return said.squares(b)
	}
	return said.short(b)
}

// spelled is what the words of a move say.
type spelled struct {
	text     string
	kind     board.Kind // NoKind: not said, or a pawn
	from, to board.Square
	file     int // of the origin, 0..7, -1 for not said
	rank     int
	promo    board.Kind
	castling byte // K or Q
}

var letters = map[byte]board.Kind{
	'P': board.Pawn, 'N': board.Knight, 'B': board.Bishop, 'R': board.Rook, 'Q': board.Queen, 'K': board.King,
}

func spell(text string) (spelled, bool) {
	s := spelled{text: text, from: board.NoSquare, to: board.NoSquare, file: -1, rank: -1}
	rest := strings.TrimRight(strings.TrimSuffix(strings.TrimSuffix(text, "e.p."), "ep"), "+#!?")
	switch strings.ReplaceAll(rest, "0", "O") {
	case "O-O":
		s.castling = 'K'
		return s, true
	case "O-O-O":
		s.castling = 'Q'
		return s, true
	}
	if rest == "" {
		return s, false
	}
	if kind, is := letters[rest[0]]; is {
		s.kind, rest = kind, rest[1:]
	}
	rest = s.takePromotion(rest)
	rest = strings.NewReplacer("x", "", "-", "", ":", "").Replace(rest)
	if len(rest) < 2 || len(rest) > 4 {
		return s, false
	}
	to, err := board.ParseSquare(rest[len(rest)-2:])
	if err != nil {
		return s, false
	}
	s.to, rest = to, rest[:len(rest)-2]
	return s, s.takeOrigin(rest)
}

// takePromotion cuts =Q, Q or q off the end.
func (s *spelled) takePromotion(rest string) string {
	n := len(rest)
	if n < 3 {
		return rest
	}
	last := rest[n-1]
	if last >= 'a' && last <= 'z' {
		last -= 'a' - 'A'
	}
	kind, is := letters[last]
	if !is {
		return rest
	}
	s.promo = kind
	return strings.TrimSuffix(rest[:n-1], "=")
}

func (s *spelled) takeOrigin(rest string) bool {
	if len(rest) == 2 {
		from, err := board.ParseSquare(rest)
		s.from = from
		return err == nil
	}
	switch {
	case rest == "":
	case rest[0] >= 'a' && rest[0] <= 'h':
		s.file = int(rest[0] - 'a')
	case rest[0] >= '1' && rest[0] <= '8':
		s.rank = int(rest[0] - '1')
	default:
		return false
	}
	return true
}

// castle is the king's move of the gesture.
func (s *spelled) castle(b *board.Board) (board.Move, error) {
	king, home := b.King(b.Turn()), board.Square(4)
	if b.Turn() == board.Black {
		home = 60
	}
	if king != home {
		return board.Move{}, fmt.Errorf("%s: the king is not on its first square but on %s", s.text, king)
	}
	if s.castling == 'K' {
		return board.Move{From: king, To: king + 2}, nil
	}
	return board.Move{From: king, To: king - 2}, nil
}

// squares is a move that names both its squares.
func (s *spelled) squares(b *board.Board) (board.Move, error) {
	man := b.At(s.from)
	switch {
	case man == board.NoPiece:
		return board.Move{}, fmt.Errorf("%s: no man stands on %s", s.text, s.from)
	case s.kind != board.NoKind && man.Kind() != s.kind:
		return board.Move{}, fmt.Errorf("%s: there is no %s on %s but a %s", s.text, s.kind.Name(), s.from, man.Kind().Name())
	}
	return s.possible(b, board.Move{From: s.from, To: s.to, Promo: s.promo})
}

// possible refuses what no hand can do.
func (s *spelled) possible(b *board.Board, m board.Move) (board.Move, error) {
	switch {
	case m.From == m.To:
		return m, fmt.Errorf("%s: the man does not leave its square", s.text)
	case b.At(m.To) == board.NewPiece(b.Turn(), board.King):
		return m, fmt.Errorf("%s: the own king is on %s", s.text, m.To)
	case s.promo == board.King || s.promo == board.Pawn:
		return m, fmt.Errorf("%s: a pawn does not become a %s", s.text, s.promo.Name())
	}
	return b.Normal(m), nil
}

// short is a move that names its target: the one legal move that fits, else the one man that can get there but for
// checks, else the only man of that kind.
func (s *spelled) short(b *board.Board) (board.Move, error) {
	kind := s.kind
	if kind == board.NoKind {
		kind = board.Pawn
	}
	var legal, pseudo, all []board.Move
	for _, from := range b.Squares(b.Turn(), kind) {
		if s.file >= 0 && from.File() != s.file || s.rank >= 0 && from.Rank() != s.rank {
			continue
		}
		// A pawn without a file goes straight on.
		if kind == board.Pawn && s.file < 0 && s.rank < 0 && from.File() != s.to.File() {
			continue
		}
		m := board.Move{From: from, To: s.to, Promo: s.promo}
		if m.From == m.To {
			continue
		}
		all = append(all, m)
		if b.Pseudo(m) {
			pseudo = append(pseudo, m)
		}
		if b.Legal(b.Normal(m)) {
			legal = append(legal, m)
		}
	}
	for _, fit := range [][]board.Move{legal, pseudo, s.behind(b, kind, all), all} {
		switch len(fit) {
		case 0:
			continue
		case 1:
			return s.possible(b, fit[0])
		}
		return board.Move{}, fmt.Errorf("%s: it may be the %s on %s or on %s", s.text, kind.Name(), fit[0].From, fit[1].From)
	}
	return board.Move{}, fmt.Errorf("%s: %s has no such %s", s.text, b.Turn().Name(), kind.Name())
}

// behind are the pawns of a file that stand behind the target, the nearest one only.
func (s *spelled) behind(b *board.Board, kind board.Kind, all []board.Move) []board.Move {
	if kind != board.Pawn {
		return nil
	}
	var near []board.Move
	best := 8
	for _, m := range all {
		steps := int(m.To.Rank()) - int(m.From.Rank())
		if b.Turn() == board.Black {
			steps = -steps
		}
		if steps > 0 && steps < best {
			near, best = []board.Move{m}, steps
		}
	}
	return near
}
