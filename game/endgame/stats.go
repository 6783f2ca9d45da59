package endgame

import "flagfall/game/board"

// Count says how many positions there are and what they are worth to the side
// on move. Pawns on the first or last rank are not counted.
type Count struct{ Legal, Win, Draw, Loss int }

// Stats tells what a table holds, by side on move: the strong one first.
type Stats struct {
	// Full counts placements on 64 squares, equal men in both orders.
	Full [2]Count
	// Reduced counts them with boards that mirror one another as one: eight
	// mirrors without pawns, two with.
	Reduced [2]Count
	// Plies is how many of the reduced positions are won (odd) or lost (even)
	// in that many plies; nil unless made with Depth.
	Plies [2][]int
}

// stats counts the finished values.
func (g *generator) stats() (st Stats) {
	mirrors := 4
	if g.pawns {
		mirrors = 2
	}
	for s := range g.value {
		var all, fixed Count
		var plies, plain [256]int
		for n, v := range g.value[s] {
			if v == impossible || g.stray(n) {
				continue
			}
			all.add(v)
			plies[v]++
			if !g.pawns && g.diagonal(n) {
				fixed.add(v)
				plain[v]++
			}
		}
		st.Full[s] = Count{all.Legal * mirrors, all.Win * mirrors, all.Draw * mirrors, all.Loss * mirrors}
		st.Reduced[s] = all
		if !g.pawns {
			// Those on the diagonal are their own mirror; others come in two.
			st.Reduced[s] = Count{(all.Legal + fixed.Legal) / 2, (all.Win + fixed.Win) / 2,
				(all.Draw + fixed.Draw) / 2, (all.Loss + fixed.Loss) / 2}
			for v := range plies {
				plies[v] = (plies[v] + plain[v]) / 2
			}
		}
		if g.options.Depth {
			last := 255
			for last > int(known) && plies[last] == 0 {
				last--
			}
			st.Plies[s] = append(st.Plies[s], plies[known:last+1]...)
		}
	}
	return st
}

func (c *Count) add(v byte) {
	c.Legal++
	switch {
	case won(v):
		c.Win++
	case lost(v):
		c.Loss++
	default:
		c.Draw++
	}
}

// stray tells whether a pawn stands on the first or last rank.
func (g *generator) stray(n int) bool {
	if !g.pawns {
		return false
	}
	p := g.place(n)
	for i, m := range g.men {
		if m.kind == board.Pawn && (p.man[i] < 8 || p.man[i] >= 56) {
			return true
		}
	}
	return false
}

// diagonal tells whether the mirror in the diagonal from a1 to h8 leaves all
// men where they are, or swaps two that are equal.
func (g *generator) diagonal(n int) bool {
	const a1h8 = 0x8040201008040201
	p := g.place(n)
	if (bit(p.king[strong])|bit(p.king[weak]))&^uint64(a1h8) != 0 {
		return false
	}
	if len(g.men) == 2 && g.men[0] == g.men[1] && p.man[1] == p.man[0]>>3|p.man[0]&7<<3 {
		return true
	}
	return g.occupied(p)&^uint64(a1h8) == 0
}
