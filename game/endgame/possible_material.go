package endgame

import "flagfall/game/board"

// force is what a side has beside its king.
type force struct {
	pawns, knights, bishops, rooks, queens int
	light, dark                            int // bishops by the colour of their squares
}

func forceOf(b *board.Board, c board.Color) force {
	f := force{
		pawns: b.Count(c, board.Pawn), knights: b.Count(c, board.Knight), bishops: b.Count(c, board.Bishop),
		rooks: b.Count(c, board.Rook), queens: b.Count(c, board.Queen),
	}
	if f.bishops > 0 {
		for _, s := range b.Squares(c, board.Bishop) {
			if s.Light() {
				f.light++
			}
		}
		f.dark = f.bishops - f.light
	}
	return f
}

func (f *force) major() bool { return f.rooks+f.queens > 0 }

// loneKnight tells whether there is one knight and nothing else.
func (f *force) loneKnight() bool {
	return f.knights == 1 && f.pawns+f.bishops == 0 && !f.major()
}

// oneColour tells whether there are bishops on squares of one colour and
// nothing else.
func (f *force) oneColour() bool {
	return f.bishops > 0 && (f.light == 0 || f.dark == 0) && f.pawns+f.knights == 0 && !f.major()
}

// hopeless tells whether the men alone make a mate by side impossible, now and
// after any moves.
//
// A bare king mates nobody. A lone knight needs a man beside the cornered king
// that cannot take it: a queen always can. Bishops of one colour need a flight
// square of the other colour filled; a rook or queen on it can step between,
// and only a knight, a pawn or a bishop of the other colour cannot.
func hopeless(b *board.Board, side board.Color) bool {
	switch b.Total(side) {
	case 1:
		return true
	case 2:
		if b.Count(side, board.Knight) == 1 {
			return b.Total(side.Other()) == 1+b.Count(side.Other(), board.Queen)
		}
	}
	if b.Count(side, board.Pawn)+b.Count(side, board.Rook)+b.Count(side, board.Queen)+b.Count(side, board.Knight) > 0 {
		return false
	}
	own, their := forceOf(b, side), forceOf(b, side.Other())
	if !own.oneColour() || their.pawns+their.knights > 0 {
		return false
	}
	return own.dark == 0 && their.dark == 0 || own.light == 0 && their.light == 0
}

// lively tells whether the position is plainly not dead, at the cost of a
// glance: the men can mate, the pawns, if there are any, are not all blocked,
// and the side on move has some freedom. No proof hangs on it.
func lively(b *board.Board) bool {
	if hopeless(b, board.White) && hopeless(b, board.Black) {
		return false
	}
	return !pawnsBlocked(b) && choices(b) >= 3
}

// choices counts, up to three, the moves of the side on move that take nothing.
func choices(b *board.Board) int {
	var moves [256]board.Move
	n := 0
	for _, m := range b.AppendLegal(moves[:0]) {
		if b.At(m.To) == board.NoPiece {
			n++
		}
		if n == 3 {
			break
		}
	}
	return n
}

// pawnsBlocked tells whether there are pawns and none has an empty square
// before it.
func pawnsBlocked(b *board.Board) bool {
	pawns := 0
	for s, p := range b.Men() {
		if p.Kind() != board.Pawn {
			continue
		}
		ahead := int(s) + 8
		if p.Color() == board.Black {
			ahead = int(s) - 8
		}
		if ahead >= 0 && ahead < 64 && b.At(board.Square(ahead)) == board.NoPiece {
			return false
		}
		pawns++
	}
	return pawns > 0
}
