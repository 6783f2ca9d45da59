package model

import "flagfall/game/board"

// men counts what a side has beside its king.
type men struct {
	pawns, knights, light, dark, rooks, queens int
}

func (m men) bishops() int { return m.light + m.dark }
func (m men) minors() int  { return m.knights + m.bishops() }
func (m men) majors() int  { return m.rooks + m.queens }
func (m men) all() int     { return m.pawns + m.minors() + m.majors() }

func (m men) onlyBishopsOf(light bool) bool {
	if light {
		return m.all() == m.light
	}
	return m.all() == m.dark
}

func count(b *Board, c Color) men {
	var m men
	for sq := Square(0); sq < 64; sq++ {
		p := b.At(sq)
		if p == board.NoPiece || p.Color() != c {
			continue
		}
		switch p.Kind() {
		case board.Pawn:
			m.pawns++
		case board.Knight:
			m.knights++
		case board.Rook:
			m.rooks++
		case board.Queen:
			m.queens++
		case board.Bishop:
			if sq.Light() {
				m.light++
			} else {
				m.dark++
			}
		}
	}
	return m
}

// mates tells whether c has mating material on b (7a, B.5) and, if not, which entry of section 8 says so beside 8f.
func (g *Game) mates(b *Board, c Color) (ok bool, by string) {
	own, opp := count(b, c), count(b, c.Other())
	if own.pawns+own.majors() > 0 {
		entry := g.section8(b)
		if entry == "8h" || entry != "" && g.nobodyWins(b, c) {
			return false, entry
		}
		return true, ""
	}
	switch {
	case own.all() == 0:
		return false, ""
	case own.minors() == 1: // against a bare king there is no mate to ask for
		return opp.all() > 0 && g.ask(Mate, b, c), ""
	case own.knights == 2 && own.all() == 2 && opp.all() == 0:
		return false, ""
	}
	sameColour := own.onlyBishopsOf(true) && opp.onlyBishopsOf(true) || own.onlyBishopsOf(false) && opp.onlyBishopsOf(false)
	return !sameColour, ""
}

// section8 names the drawn position of section 8 that stands on b, forced wins left aside, or "".
func (g *Game) section8(b *Board) string {
	w, l := count(b, board.White), count(b, board.Black)
	for _, c := range []Color{board.White, board.Black} {
		own, opp := w, l
		if c == board.Black {
			own, opp = l, w
		}
		switch {
		case own.pawns == 1 && own.all() == 1 && opp.all() == 0:
			if held(b, c, rookFile(pawn(b, c)), true) {
				return "8h"
			}
		case own.pawns == 1 && own.rooks == 1 && own.all() == 2 && opp.rooks == 1 && opp.all() == 1:
			if rookFile(pawn(b, c)) && held(b, c, g.Terms.Wide8i, false) {
				return "8i"
			}
		case own.bishops() == 1 && opp.bishops() == 1 && own.light != opp.light &&
			own.all() == 1+own.pawns && opp.all() == 1+opp.pawns:
			if own.pawns == 1 && opp.pawns == 0 || own.pawns == 2 && opp.pawns == 1 && blockaded(b, c) {
				return "8g"
			}
		}
	}
	if w.all() == 1 && l.all() == 1 && w.pawns+l.pawns == 0 &&
		w.queens == l.queens && w.rooks == l.rooks && w.knights == l.knights {
		return "8e"
	}
	return ""
}

func pawn(b *Board, c Color) Square {
	for sq := Square(0); sq < 64; sq++ {
		if b.At(sq) == board.NewPiece(c, board.Pawn) {
			return sq
		}
	}
	return board.NoSquare
}

func rookFile(s Square) bool { return s.File() == 0 || s.File() == 7 }

// held tells whether the enemy king stands in front of c's only pawn: directly, or anywhere on its file. With notSeventh
// a pawn on its seventh rank is not held from the square directly in front (D19); a rook pawn always is.
func held(b *Board, c Color, anywhere, notSeventh bool) bool {
	p, king := pawn(b, c), b.King(c.Other())
	ahead, rank := king.Rank()-p.Rank(), p.Rank()
	if c == board.Black {
		ahead, rank = -ahead, 7-rank
	}
	switch {
	case king.File() != p.File():
		return false
	case anywhere:
		return ahead > 0
	}
	return ahead == 1 && (!notSeventh || rank < 6)
}

// blockaded tells whether each pawn of c is stopped (D18): an enemy man stands in front of it or the enemy bishop guards
// the square, and it has nothing to capture.
func blockaded(b *Board, c Color) bool {
	step := 1
	if c == board.Black {
		step = -1
	}
	for sq := Square(0); sq < 64; sq++ {
		if b.At(sq) != board.NewPiece(c, board.Pawn) {
			continue
		}
		front := int(sq) + 8*step
		if front < 0 || front > 63 {
			continue // it never moves again
		}
		in := b.At(Square(front))
		if !(in != board.NoPiece && in.Color() != c) && !bishopSees(b, c.Other(), Square(front)) {
			return false
		}
		for _, side := range []int{-1, 1} {
			to := front + side
			if f := sq.File() + side; f < 0 || f > 7 {
				continue
			}
			man := b.At(Square(to))
			if man != board.NoPiece && man.Color() != c && man.Kind() != board.King {
				return false
			}
			if b.Turn() == c && b.EnPassant() == Square(to) {
				return false
			}
		}
	}
	return true
}

// bishopSees tells whether c's bishop guards the square, whoever stands on it.
func bishopSees(b *Board, c Color, to Square) bool {
	for _, d := range [][2]int{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}} {
		for f, r := to.File()+d[0], to.Rank()+d[1]; f >= 0 && f < 8 && r >= 0 && r < 8; f, r = f+d[0], r+d[1] {
			if man := b.At(Square(8*r + f)); man != board.NoPiece {
				if man == board.NewPiece(c, board.Bishop) {
					return true
				}
				break
			}
		}
	}
	return false
}

// nobodyWins tells whether neither side has a forced win on b. What `shower` has, he must show where no search finds it;
// the other side's counts only if a search does (D37).
func (g *Game) nobodyWins(b *Board, shower Color) bool {
	return !g.ask(Known, b, shower.Other()) && !g.ask(Win, b, shower)
}

// usMates is US Chess 14E and CCA 12.
func (g *Game) usMates(b *Board, c Color) bool {
	own, opp := count(b, c), count(b, c.Other())
	switch {
	case own.all() == 0:
		return false
	case own.minors() == 1 && own.all() == 1:
		return opp.all() > 0 && g.ask(Mate, b, c)
	case own.knights == 2 && own.all() == 2 && opp.pawns == 0:
		return g.ask(Mate, b, c)
	}
	return g.possible(b, c)
}

// possible tells whether c can mate by any series of legal moves.
func (g *Game) possible(b *Board, c Color) bool {
	if count(b, c).all() == 0 {
		return false
	}
	if g.Glance != nil {
		switch g.Glance(b, c) {
		case Yes:
			return true
		case No:
			return false
		}
	}
	return g.ask(Possible, b, c)
}

// dead tells whether neither side can ever mate, by its men alone (D7, 14D1, FIDE 5.2.2).
func dead(b *Board) bool {
	w, l := count(b, board.White), count(b, board.Black)
	if w.pawns+w.majors()+l.pawns+l.majors() > 0 {
		return false
	}
	if w.minors()+l.minors() <= 1 {
		return true
	}
	return w.knights+l.knights == 0 && (w.light+l.light == 0 || w.dark+l.dark == 0)
}
