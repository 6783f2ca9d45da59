package game

import "flagfall/game/board"

// repetition counts how often positions have stood on the board.
type repetition struct {
	// runs holds, for each side, the positions after each of its moves in an unbroken run of checks (WBCA 8d).
	runs [2][]board.Key
	// The n positions, the first one before any move and one after every completed move: pieces that are full, and the
	// one that is written. Nothing is copied when a game grows.
	full    []*piece
	latest  *piece
	n       int
	odd     bool     // an illegal move has stood: men may go back where they came from
	scratch *scratch // of a draft, see fresh
}

// inPiece is how many positions are kept together.
const inPiece = 8

type piece struct {
	sums [inPiece]uint32 // of the keys
	keys [inPiece]board.Key
}

// scratch is where a draft writes, so that it writes nothing into the pieces of the real game: a decision completes two
// moves at most, a reply that waited being the second.
type scratch struct {
	pieces [2]piece
	used   int
}

// fresh is a piece to write into. What it holds already is of no meaning.
func (r *repetition) fresh() *piece {
	if s := r.scratch; s != nil && s.used < len(s.pieces) {
		s.used++
		return &s.pieces[s.used-1]
	}
	return new(piece)
}

// owns is whether p is none of the real game's.
func (s *scratch) owns(p *piece) bool { return p == &s.pieces[0] || p == &s.pieces[1] }

// at is the piece that holds position i, and where in it.
func (r *repetition) at(i int) (*piece, int) {
	if k := i / inPiece; k < len(r.full) {
		return r.full[k], i % inPiece
	}
	return r.latest, i % inPiece
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
	i := r.n % inPiece
	switch {
	case i == 0:
		if r.latest != nil {
			r.full = append(r.full, r.latest)
		}
		r.latest = r.fresh()
	case r.scratch != nil && !r.scratch.owns(r.latest):
		p := r.fresh()
		*p = *r.latest
		r.latest = p
	}
	key := b.Key()
	r.latest.keys[i], r.latest.sums[i] = key, key.Sum()
	r.n++
}

// back forgets the moves from index ply on.
func (r *repetition) back(ply int) {
	r.latest, _ = r.at(ply)
	k := ply / inPiece
	r.full, r.n = r.full[:k:k], ply+1 // a draft's list goes on elsewhere
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

// count is how often a key like the one wanted has stood at the positions from..last, every second one: in between the
// other side is on turn.
func (r *repetition) count(from, last int, want board.Key, like func(board.Key) board.Key) int {
	sum, n := want.Sum(), 0
	for i := last; i >= from; i -= 2 {
		if p, j := r.at(i); p.sums[j] == sum && like(p.keys[j]) == want {
			n++
		}
	}
	return n
}

// occurrences is how often the position has stood, itself included. A released move that is not pressed counts.
func (g *Game) occurrences() int {
	b := g.Position()
	last, n := g.repeated.n-1, 0
	if g.pending.by != None && g.pending.legal {
		last, n = last-1, 1
	}
	return n + g.repeated.count(0, last, b.Key(), func(k board.Key) board.Key { return k })
}

// Seen is how often a player has seen what now stands on the board: men and turn only, whatever led to it and whether it
// was legal or not (rulings B.7).
func (g *Game) Seen() int {
	last, first := g.repeated.n-1, 0
	if !g.repeated.odd { // nothing before the last capture or pawn move comes back by legal moves
		first = max(0, last-g.board.Halfmove())
	}
	return 1 + g.repeated.count(first, last-2, g.board.Seen(), board.Key.Seen)
}
