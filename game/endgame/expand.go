package endgame

import (
	"fmt"
	"math/bits"

	"flagfall/game/board"
)

// edges counts the legal moves of a position.
type edges struct {
	moves int
	open  int   // moves that stay in the material, and one for any that leave it with a draw
	drawn bool  // some move leaves it with a draw
	best  uint8 // plies of the shortest win by leaving it, 0 for none
	worst uint8 // plies of the longest defeat by leaving it, 0 for none
}

func (e *edges) stay(n int) {
	e.moves += n
	e.open += n
}

// leave adds a move out of the material; plies are the opponent's to mate.
func (e *edges) leave(w WDL, plies uint8) {
	e.moves++
	switch {
	case w == Loss && (e.best == 0 || plies+1 < e.best):
		e.best = plies + 1
	case w == Win:
		e.worst = max(e.worst, plies+1)
	case w == Draw && !e.drawn:
		e.drawn = true
		e.open++
	}
}

// exit leads to another material.
type exit struct {
	table *Table // nil for bare kings
	seat  seat
}

// look returns what the position is worth there for the side on move, and its
// plies to mate; without depths 0 for a loss and 1 for a win.
func (x *exit) look(p place, onMove side) (WDL, uint8) {
	if x.table == nil {
		return Draw, 0
	}
	p, onMove = x.seat.seated(p, onMove)
	n := materials[x.seat.number].index(p)
	if depth := x.table.depth[onMove]; depth != nil {
		switch v := depth[n]; {
		case lost(v):
			return Loss, v - known
		case won(v):
			return Win, v - known
		}
		return Draw, 0
	}
	w := x.table.onMove[onMove].at(n)
	if w == Win {
		return w, 1
	}
	return w, 0
}

// exits are all the ways out, by what the first and the second man become:
// NoKind is taken, Pawn is left as it is, others are promotions.
type exits [6][6]exit

// findExits finds the tables that captures and promotions lead to.
func (g *generator) findExits(have *Tables) error {
	become := func(i int) []board.Kind {
		switch {
		case i >= len(g.men):
			return []board.Kind{board.Pawn}
		case g.men[i].kind == board.Pawn:
			return []board.Kind{board.NoKind, board.Pawn, board.Knight, board.Bishop, board.Rook, board.Queen}
		}
		return []board.Kind{board.NoKind, board.Pawn}
	}
	for _, a := range become(0) {
		for _, b := range become(1) {
			kinds := [2]board.Kind{a, b}
			if a == board.Pawn && b == board.Pawn {
				continue // nothing has changed
			}
			if err := g.findExit(&g.exits[a][b], kinds, have); err != nil {
				return err
			}
		}
	}
	return nil
}

func (g *generator) findExit(x *exit, kinds [2]board.Kind, have *Tables) error {
	var codes [2]int
	for i, m := range g.men {
		switch kinds[i] {
		case board.NoKind:
			continue
		case board.Pawn:
		default:
			m.kind = kinds[i]
		}
		codes[i] = code(m)
	}
	if codes == [2]int{} {
		return nil
	}
	s := seats[codes[0]][codes[1]]
	x.seat = s
	x.table = have.table(s.number)
	if x.table == nil {
		return fmt.Errorf("needs the table %s first", materials[s.number].name)
	}
	if g.options.Depth && x.table.depth[0] == nil {
		return fmt.Errorf("needs the depths of %s, which has values only", materials[s.number].name)
	}
	return nil
}

// take returns what the position is worth to the opponent once man i was taken
// and man j has become a kind; Pawn if it is left as it is.
func (x *exits) take(p place, onMove side, i int, becomes board.Kind) (WDL, uint8) {
	if i == 0 {
		return x[board.NoKind][becomes].look(p, onMove)
	}
	return x[becomes][board.NoKind].look(p, onMove)
}

// promote is the same for man i that has become a kind.
func (x *exits) promote(p place, onMove side, i int, becomes board.Kind) (WDL, uint8) {
	if i == 0 {
		return x[becomes][board.Pawn].look(p, onMove)
	}
	return x[board.Pawn][becomes].look(p, onMove)
}

func (m *material) occupied(p place) uint64 {
	set := bit(p.king[0]) | bit(p.king[1]) | bit(p.man[0])
	if len(m.men) == 2 {
		set |= bit(p.man[1])
	}
	return set
}

// of returns the squares of a side's men, without its king.
func (m *material) of(p place, s side) (set uint64) {
	for i, man := range m.men {
		if man.owner == s {
			set |= bit(p.man[i])
		}
	}
	return set
}

// possible tells whether the men stand on squares of their own and the side
// not on move is not in check.
func (m *material) possible(p place, onMove side) bool {
	return bits.OnesCount64(m.occupied(p)) == 2+len(m.men) && !m.checked(p, onMove^1)
}

// checked tells whether a side's king is attacked.
func (m *material) checked(p place, s side) bool {
	return m.attacked(p, p.king[s], s^1, -1, m.occupied(p))
}

// attacked tells whether the men of a side, one of them gone, attack a square.
func (m *material) attacked(p place, square uint8, by side, gone int, occupied uint64) bool {
	for i, man := range m.men {
		if man.owner == by && i != gone && hits(man.kind, by, p.man[i], square, occupied) {
			return true
		}
	}
	return false
}

// victim returns which man stands on a square of the enemy's set, -1 for none.
func (m *material) victim(p place, enemies uint64, square uint8) int {
	switch {
	case enemies&bit(square) == 0:
		return -1
	case p.man[0] == square:
		return 0
	}
	return 1
}

// expand counts the legal moves of a side, en passant left out.
func (g *generator) expand(p place, s side) (e edges) {
	occupied, own, enemies := g.occupied(p), g.of(p, s), g.of(p, s^1)
	king, q := p.king[s], p
	danger, exposed := g.threats(p, s, occupied)
	for to := kingTo[king] &^ own &^ kingTo[p.king[s^1]] &^ danger; to != 0; to &= to - 1 {
		q.king[s] = first(to)
		if i := g.victim(p, enemies, q.king[s]); i < 0 {
			e.stay(1)
		} else {
			e.leave(g.exits.take(q, s^1, i, board.Pawn))
		}
	}
	for i, man := range g.men {
		if man.owner != s {
			continue
		}
		if man.kind == board.Pawn {
			g.expandPawn(&e, p, s, i)
			continue
		}
		to := moves(man.kind, p.man[i], occupied) &^ own &^ bit(king) &^ bit(p.king[s^1])
		if !exposed {
			quiet := to &^ enemies
			e.stay(bits.OnesCount64(quiet))
			to &= enemies
		}
		for ; to != 0; to &= to - 1 {
			g.expandMove(&e, p, s, i, first(to))
		}
	}
	return e
}

// threats returns the squares that the enemy's men attack, looking through the
// king of side s, and whether a move of another man could leave him attacked.
func (m *material) threats(p place, s side, occupied uint64) (danger uint64, exposed bool) {
	king := p.king[s]
	for i, man := range m.men {
		if man.owner == s {
			continue
		}
		if man.kind == board.Pawn {
			danger |= pawnTo[s^1][p.man[i]]
		} else {
			danger |= moves(man.kind, p.man[i], occupied&^bit(king))
		}
		// One man between may be pinned; two are as good as a wall.
		if reach[man.kind][p.man[i]]&bit(king) != 0 {
			way := between[p.man[i]][king] & occupied
			exposed = exposed || way&(way-1) == 0
		}
	}
	return danger, exposed || danger&bit(king) != 0
}

// expandMove adds the move of a man, if it is legal.
func (g *generator) expandMove(e *edges, p place, s side, i int, to uint8) {
	from := p.man[i]
	j := g.victim(p, g.of(p, s^1), to)
	if g.attacked(p, p.king[s], s^1, j, g.occupied(p)&^bit(from)|bit(to)) {
		return
	}
	p.man[i] = to
	last := g.men[i].kind == board.Pawn && (to < 8 || to >= 56)
	switch {
	case j < 0 && !last:
		e.stay(1)
	case !last:
		e.leave(g.exits.take(p, s^1, j, board.Pawn))
	default:
		for k := board.Knight; k <= board.Queen; k++ {
			if j < 0 {
				e.leave(g.exits.promote(p, s^1, i, k))
			} else {
				e.leave(g.exits.take(p, s^1, j, k))
			}
		}
	}
}

// expandPawn adds the moves of a pawn; on its last rank it has none.
func (g *generator) expandPawn(e *edges, p place, s side, i int) {
	from, occupied := p.man[i], g.occupied(p)
	for to := pawnTo[s][from] & g.of(p, s^1); to != 0; to &= to - 1 {
		g.expandMove(e, p, s, i, first(to))
	}
	one, ok := ahead(s, from)
	if !ok || occupied&bit(one) != 0 {
		return
	}
	g.expandMove(e, p, s, i, one)
	if rank(s, from) == 1 {
		if two, _ := ahead(s, one); occupied&bit(two) == 0 {
			g.expandMove(e, p, s, i, two)
		}
	}
}

// ahead returns the square in front of a side's pawn, if there is one.
func ahead(s side, from uint8) (uint8, bool) {
	if s == strong {
		return from + 8, from < 56
	}
	return from - 8, from >= 8
}

// behind returns the square that a side's pawn came from.
func behind(s side, from uint8) (uint8, bool) { return ahead(s^1, from) }

// rank counts 0 to 7 from the side.
func rank(s side, square uint8) uint8 {
	if s == strong {
		return square >> 3
	}
	return 7 - square>>3
}
