package endgame

import "bytes"

// WDL is what a position is worth to the side on move with best play, without
// a fifty-move rule (WBCA knows none).
type WDL int8

// The three values.
const (
	Loss WDL = -1
	Draw WDL = 0
	Win  WDL = 1
)

// String returns "loss", "draw" or "win".
func (w WDL) String() string {
	switch w {
	case Loss:
		return "loss"
	case Win:
		return "win"
	}
	return "draw"
}

// Table holds the value of every position of one material. It does not change
// and may be read by many at once.
type Table struct {
	number int
	onMove [2]plane // by side on move
	depth  [2][]byte
}

// Material returns the name, such as "KRKP".
func (t *Table) Material() string { return materials[t.number].name }

// Bytes is about what the table takes in memory.
func (t *Table) Bytes() int {
	n := len(t.depth[0]) + len(t.depth[1])
	for _, p := range t.onMove {
		n += 4*len(p.block) + 16*len(p.shapes)
	}
	return n
}

// A plane holds values with two bits each in blocks of 64 positions, one for
// each square of the last man. Blocks that are equal are held once.
type plane struct {
	block  []uint32 // the shape of every block
	shapes []shape
}

// shape is a block of 64 values: the bits of wins and of losses.
type shape struct{ win, loss uint64 }

func (p *plane) at(n int) WDL {
	s := &p.shapes[p.block[n>>6]]
	return WDL(s.win>>(n&63)&1) - WDL(s.loss>>(n&63)&1)
}

// Values of a position while a table is made: the moves that are not yet
// known to lose, 0 to 126; impossible; or known, won or lost in plies.
const (
	impossible byte = 127
	known      byte = 128
)

// lost and won tell what a value under way says: an even number of plies to
// the mate is a loss for the side on move.
func lost(v byte) bool { return v >= known && v&1 == 0 }
func won(v byte) bool  { return v >= known && v&1 == 1 }

// newPlane packs finished values. Positions that cannot arise may say
// anything, and say what makes their block equal to another.
func newPlane(values []byte) plane {
	p := plane{block: make([]uint32, len(values)/64)}
	seen := map[shape]uint32{}
	last := uint32(0)
	for b := range p.block {
		var s shape
		var care uint64
		for i, v := range values[b*64 : b*64+64] {
			switch {
			case won(v):
				s.win |= 1 << i
			case lost(v):
				s.loss |= 1 << i
			}
			if v != impossible {
				care |= 1 << i
			}
		}
		last = p.find(seen, last, s, care)
		p.block[b] = last
	}
	return p
}

// find returns the shape for a block: the last one if it fits, one of a single
// value if that fits, one seen before or a new one.
func (p *plane) find(seen map[shape]uint32, last uint32, s shape, care uint64) uint32 {
	fits := func(t shape) bool { return (t.win^s.win)&care == 0 && (t.loss^s.loss)&care == 0 }
	if len(p.shapes) > 0 && fits(p.shapes[last]) {
		return last
	}
	for _, whole := range []shape{{}, {win: ^uint64(0)}, {loss: ^uint64(0)}} {
		if fits(whole) {
			s = whole
		}
	}
	n, ok := seen[s]
	if !ok {
		n = uint32(len(p.shapes))
		p.shapes = append(p.shapes, s)
		seen[s] = n
	}
	return n
}

// newTable packs what the generator has found.
func (g *generator) newTable() *Table {
	t := &Table{number: g.number}
	for s := range t.onMove {
		t.onMove[s] = newPlane(g.value[s])
		if g.options.Depth {
			t.depth[s] = bytes.Clone(g.value[s])
		}
	}
	return t
}
