package game

import "flagfall/game/board"

// repetition counts how often positions have stood on the board.
type repetition struct {
	// runs holds, for each side, the positions after each of its moves in an unbroken run of checks (WBCA 8d).
	runs [2][]board.Key
	// keys holds the position after every completed move, the first one before any.
	keys []board.Key
	sums []uint32 // of the keys
	odd  bool     // an illegal move has stood: men may go back where they came from
}

// released notes a move: a legal one at its release, an illegal one at its press. Anything but a check ends the run.
func (r *repetition) released(by Side, after *board.Board, legal bool) {
	r.odd = r.odd || !legal
	if !legal || !after.InCheck(after.Turn()) {
		r.runs[by] = nil
		return
	}
	if after.Halfmove() == 0 { // no earlier position comes back
		r.runs[by] = nil
	}
	r.runs[by] = append(r.runs[by], after.Key())
}

// stood notes a position that stands on the board after a press.
func (r *repetition) stood(b *board.Board) {
	key := b.Key()
	r.keys, r.sums = append(r.keys, key), append(r.sums, key.Sum())
}

// back forgets the moves from index ply on.
func (r *repetition) back(ply int) {
	r.keys, r.sums = r.keys[:ply+1:ply+1], r.sums[:ply+1:ply+1]
	r.runs = [2][]board.Key{}
}

// checks is how often the position after the latest check of s has stood in its run of checks.
func (r *repetition) checks(s Side) int {
	run := r.runs[s]
	if len(run) == 0 {
		return 0
	}
	return times(run, run[len(run)-1])
}

func times(keys []board.Key, key board.Key) int {
	n := 0
	for _, k := range keys {
		if k == key {
			n++
		}
	}
	return n
}

// occurrences is how often the position has stood, itself included. A released move that is not pressed counts.
func (g *Game) occurrences() int {
	b := g.Position()
	key, keys := b.Key(), g.repeated.keys
	sum, sums := key.Sum(), g.repeated.sums
	from, n := len(keys)-1, 0
	if g.pending.by != None && g.pending.legal {
		from, n = len(keys)-2, 1
	}
	for ; from >= 0; from -= 2 { // the same side is on move in every second one
		if sums[from] == sum && keys[from] == key {
			n++
		}
	}
	return n
}

// Seen is how often a player has seen what now stands on the board: men and turn only, whatever led to it and whether it
// was legal or not (rulings B.7).
func (g *Game) Seen() int {
	seen := g.board.Seen()
	n := 1
	keys := g.repeated.keys
	sum, sums := seen.Sum(), g.repeated.sums
	first := 0
	if !g.repeated.odd { // nothing before the last capture or pawn move comes back by legal moves
		first = max(0, len(keys)-1-g.board.Halfmove())
	}
	for i := len(keys) - 3; i >= first; i -= 2 { // in between the other side is on turn
		if sums[i] == sum && keys[i].Seen() == seen {
			n++
		}
	}
	return n
}
