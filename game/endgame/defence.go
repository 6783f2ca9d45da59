package endgame

import (
	"slices"

	"flagfall/game/board"
)

// defence looks for a way to hold out for ever. It builds the positions that
// one plan of the defender leads to: every move of the attacker, one reply to
// each. A position is taken to hold until it is found lost; then the plan
// changes. When nothing is left to look at, the plan is closed: No. When the
// first position is lost, the win is proved: Yes.
type defence struct {
	*search
	nodes   []node
	numbers map[board.Key]int32
	pending []int32
	// setups counts the defender's placements met so far: plans that come back
	// to a few of them close soon.
	setups map[uint64]int
}

type node struct {
	board   board.Board
	reply   int32 // the plan's answer, for the defender
	parents []int32
	lost    bool
}

func (p Prover) defence(b board.Board, by board.Color) (Verdict, error) {
	d := &defence{search: p.newSearch(by, p.Plan), numbers: map[board.Key]int32{}, setups: map[uint64]int{}}
	root := d.number(b, -1)
	for len(d.pending) > 0 {
		if d.left--; d.spent() {
			return Undecided, d.err
		}
		n := d.pending[len(d.pending)-1]
		d.pending = d.pending[:len(d.pending)-1]
		if !d.nodes[n].lost {
			d.expand(n)
		}
		if d.nodes[root].lost && d.err == nil {
			return Yes, nil
		}
	}
	return No, d.err
}

// number returns the node of a position, a new one if need be, which a parent
// now depends on.
func (d *defence) number(b board.Board, parent int32) int32 {
	key := b.Key()
	n, ok := d.numbers[key]
	if !ok {
		n = int32(len(d.nodes))
		d.numbers[key] = n
		d.nodes = append(d.nodes, node{board: b, reply: -1})
		d.pending = append(d.pending, n)
		d.setups[d.setup(b)]++
	}
	if parent >= 0 {
		d.nodes[n].parents = append(d.nodes[n].parents, parent)
	}
	return n
}

// expand looks at a position for the first time.
func (d *defence) expand(n int32) {
	b := d.nodes[n].board
	switch d.judge(b) {
	case wins:
		d.lose(n)
		return
	case fails:
		return
	}
	if b.Turn() != d.by {
		d.plan(n)
		return
	}
	for _, next := range d.attacks(b, 2) {
		i := d.number(next, n)
		if d.nodes[i].lost {
			d.lose(n)
			return
		}
	}
}

// plan chooses the next reply of the defender, who is lost without one.
func (d *defence) plan(n int32) {
	b := d.nodes[n].board
	replies := d.replies(b)
	if len(replies) == 0 {
		if b.InCheck(b.Turn()) {
			d.lose(n)
		}
		return
	}
	for _, next := range replies {
		if d.spent() {
			return
		}
		if i, ok := d.numbers[next.Key()]; ok && d.nodes[i].lost {
			continue
		}
		if d.judge(next) == wins {
			continue
		}
		i := d.number(next, n)
		d.nodes[n].reply = i
		return
	}
	d.lose(n)
}

// lose marks a position lost and changes the plans that relied on it.
func (d *defence) lose(n int32) {
	work := []int32{n}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if d.nodes[n].lost {
			continue
		}
		d.nodes[n].lost = true
		for _, up := range d.nodes[n].parents {
			p := &d.nodes[up]
			switch {
			case p.lost:
			case p.board.Turn() == d.by:
				work = append(work, up)
			case p.reply == n:
				p.reply = -1
				// It is planned anew when its turn comes.
				d.pending = append(d.pending, up)
			}
		}
	}
}

// replies lists the positions after the defender's moves, the most promising
// first.
func (d *defence) replies(b board.Board) []board.Board {
	type option struct {
		board board.Board
		score int
	}
	var options []option
	for _, m := range b.AppendLegal(make([]board.Move, 0, 64)) {
		next := b.Displace(m)
		options = append(options, option{next, d.promise(next, b)})
	}
	slices.SortStableFunc(options, func(x, y option) int { return y.score - x.score })
	list := make([]board.Board, len(options))
	for i, o := range options {
		list[i] = o.board
	}
	return list
}

// promise scores a reply: what holds for certain, a capture, a position met
// before, then the placement of men met most often, a move of the king, and a
// king away from the edge.
func (d *defence) promise(next, b board.Board) int {
	if d.judge(next) == fails {
		return 1 << 30
	}
	king := next.King(d.by.Other())
	score := 4*min(d.setups[d.setup(next)], 1<<18) + center(king)
	if fewer(next, b) {
		score += 1 << 24
	}
	if _, ok := d.numbers[next.Key()]; ok {
		score += 1 << 22
	}
	if king != b.King(d.by.Other()) {
		score += 1 << 10
	}
	return score
}

// setup is a hash of the placement of the defender's men alone.
func (d *defence) setup(b board.Board) (hash uint64) {
	const prime = 0x9E3779B97F4A7C15
	for square, piece := range b.Men() {
		if piece.Color() != d.by {
			hash = (hash ^ uint64(square)<<4 ^ uint64(piece)) * prime
		}
	}
	return hash
}

// center is 0 in a corner and 6 in the middle of the board.
func center(s board.Square) int {
	return min(s.File(), 7-s.File()) + min(s.Rank(), 7-s.Rank())
}
