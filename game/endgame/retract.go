package endgame

import "flagfall/game/board"

// retract hands a value on to all positions from which a move that is neither
// a capture nor a promotion leads here. Side s is on move here, so the other
// side made that move.
func (g *generator) retract(n int, s side, ply int) {
	p := g.place(n)
	o, occupied := s^1, g.occupied(p)
	q := p
	for from := kingTo[p.king[o]] &^ occupied &^ kingTo[p.king[s]]; from != 0; from &= from - 1 {
		q.king[o] = first(from)
		g.back(q, g.index(q), o, ply)
	}
	for i, man := range g.men {
		if man.owner != o {
			continue
		}
		from := p.man[i]
		var squares uint64
		if man.kind == board.Pawn {
			squares = g.pawnBack(p, o, from, occupied)
		} else {
			squares = moves(man.kind, from, occupied) &^ occupied
		}
		q := p
		for ; squares != 0; squares &= squares - 1 {
			q.man[i] = first(squares)
			g.back(q, g.replaced(n, i, q.man[i]), o, ply)
		}
	}
}

// pawnBack returns where a side's pawn can have come from without a capture. A
// double step that could be answered en passant is not counted: it leads to a
// position of its own.
func (g *generator) pawnBack(p place, o side, at uint8, occupied uint64) (squares uint64) {
	one, ok := behind(o, at)
	// On the last rank it would have promoted.
	if !ok || rank(o, at) == 7 || occupied&bit(one) != 0 {
		return 0
	}
	squares = bit(one)
	if rank(o, at) == 3 {
		two, _ := behind(o, one)
		if occupied&bit(two) == 0 && g.passing.code(g.material, p, o^1) < 0 {
			squares |= bit(two)
		}
	}
	return squares
}

// back tells the position with side o on move, and its twin with the right to
// take en passant.
func (g *generator) back(p place, n int, o side, ply int) {
	g.relax(g.value[o], g.leaving[o], n, ply)
	if c := g.passing.code(g.material, p, o); c >= 0 && g.value[o][n] != impossible {
		g.relax(g.passing.value[o], g.passing.leaving[o], c, ply)
	}
}
