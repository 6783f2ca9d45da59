package endgame

import (
	"slices"

	"flagfall/game/board"
)

// outcome is what is known of a position without a search.
type outcome uint8

const (
	open outcome = iota
	wins         // for the side that a win is sought for
	fails
)

// search looks for a mate in so many moves by one side: and-or, deeper step by
// step, with a memory of positions.
type search struct {
	tables *Tables
	men    int // the tables answer for
	by     board.Color
	left   int // nodes
	err    error
	memory map[board.Key]record
}

// record says in how many moves a position with the winning side on move is
// proved, and in how many it is refuted; 0 for neither.
type record struct{ proved, refuted uint8 }

func (p Prover) newSearch(by board.Color, nodes int) *search {
	if p.men == 0 {
		p.men = 4
	}
	return &search{tables: p.Tables, men: p.men, by: by, left: nodes, memory: map[board.Key]record{}}
}

// covers tells whether the tables are to answer.
func (s *search) covers(b board.Board) bool {
	return b.Total(board.White)+b.Total(board.Black) <= s.men
}

// spent tells whether the search has to end; what it returns then means
// nothing.
func (s *search) spent() bool { return s.left <= 0 || s.err != nil }

// judge tells what tables and material know of a position.
func (s *search) judge(b board.Board) outcome {
	if !canMate(b, s.by) {
		return fails
	}
	if !s.covers(b) {
		return open
	}
	w, ok := s.tables.Probe(b)
	if !ok {
		s.err = ErrNotReady
		return fails
	}
	if w == Win && b.Turn() == s.by || w == Loss && b.Turn() != s.by {
		return wins
	}
	return fails
}

// canMate is false only if the side cannot mate by any sequence of moves,
// however the other side helps: it has a bare king, or a lone knight against
// nothing but queens, or a lone bishop against nothing but queens, rooks and
// bishops on squares of its own colour.
func canMate(b board.Board, by board.Color) bool {
	switch them := by.Other(); {
	case b.Total(by) == 1:
		return false
	case alone(&b, by, board.Knight):
		return b.Total(them) > 1+b.Count(them, board.Queen)
	case alone(&b, by, board.Bishop):
		n := 1 + b.Count(them, board.Queen) + b.Count(them, board.Rook)
		light := b.Squares(by, board.Bishop)[0].Light()
		for _, s := range b.Squares(them, board.Bishop) {
			if s.Light() == light {
				n++
			}
		}
		return b.Total(them) > n
	}
	return true
}

// find judges a position or, where that leaves it open, searches.
func (s *search) find(b board.Board, moves int) Verdict {
	result := s.judge(b)
	switch {
	case s.err != nil:
		return Undecided
	case result == open:
		return s.deepen(b, moves)
	}
	return verdict(result == wins)
}

// deepen searches for a win in one move, two moves and so on. No means that
// there is none in that many.
func (s *search) deepen(b board.Board, moves int) Verdict {
	for n := range moves {
		var yes bool
		if b.Turn() == s.by {
			yes = s.attack(b, n+1)
		} else {
			yes = s.defend(b, n+1)
		}
		if s.spent() {
			return Undecided
		}
		if yes {
			return Yes
		}
	}
	return No
}

// attack tells whether the winning side, on move, wins in n moves.
func (s *search) attack(b board.Board, n int) bool {
	key := b.Key()
	known := s.memory[key]
	if known.proved > 0 && int(known.proved) <= n {
		return true
	}
	if int(known.refuted) >= n || s.spent() {
		return false
	}
	s.left--
	yes := false
	for _, next := range s.attacks(b, n) {
		if yes = s.defend(next, n-1); yes || s.spent() {
			break
		}
	}
	if s.spent() {
		return false
	}
	known = s.memory[key]
	if yes {
		known.proved = uint8(n)
	} else {
		known.refuted = uint8(n)
	}
	s.memory[key] = known
	return yes
}

// attacks lists the positions after the moves to try: checks first, then
// captures. The last move has to mate or lead into the tables.
func (s *search) attacks(b board.Board, n int) []board.Board {
	moves := b.AppendLegal(make([]board.Move, 0, 64))
	var checks, captures, quiet []board.Board
	for _, m := range moves {
		next := b.Displace(m)
		switch {
		case next.InCheck(next.Turn()):
			checks = append(checks, next)
		case fewer(next, b):
			captures = append(captures, next)
		case n > 1 || s.covers(next):
			quiet = append(quiet, next)
		}
	}
	return slices.Concat(checks, captures, quiet)
}

func fewer(a, b board.Board) bool {
	return a.Total(board.White)+a.Total(board.Black) < b.Total(board.White)+b.Total(board.Black)
}

// defend tells whether the winning side wins in n moves more after any move of
// the other side, which is on move.
func (s *search) defend(b board.Board, n int) bool {
	if result := s.judge(b); result != open {
		return result == wins
	}
	check := b.InCheck(b.Turn())
	if n == 0 {
		return check && !b.AnyLegal()
	}
	if s.spent() {
		return false
	}
	s.left--
	moves := b.AppendLegal(make([]board.Move, 0, 64))
	if len(moves) == 0 {
		return check
	}
	replies := make([]board.Board, 0, len(moves))
	for _, m := range moves {
		next := b.Displace(m)
		switch s.judge(next) {
		case fails:
			return false
		case open:
			replies = append(replies, next)
		}
	}
	// What leaves fewer men, or checks, refutes most.
	slices.SortStableFunc(replies, func(x, y board.Board) int { return unruly(y, b) - unruly(x, b) })
	for _, next := range replies {
		if !s.attack(next, n) {
			return false
		}
	}
	return true
}

func unruly(next, b board.Board) (n int) {
	if fewer(next, b) {
		n += 2
	}
	if next.InCheck(next.Turn()) {
		n++
	}
	return n
}
