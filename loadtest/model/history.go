package model

import "flagfall/game/board"

// stood is how often the position on the board has stood, this time included.
func (g *Game) stood() int {
	now := g.Position()
	key, n := now.Key(), 0
	if g.Terms.Board.Key() == key {
		n++
	}
	for i := range g.history {
		if g.history[i].after.Key() == key {
			n++
		}
	}
	if g.hand != nil && g.hand.legal {
		n++
	}
	return n
}

// checks is how often the position after the latest check of s has stood in the run of checks that its last moves are
// (B.7).
func checks(line []turn, s Color) int {
	n := 0
	var key board.Key
	for i := len(line) - 1; i >= 0; i-- {
		t := &line[i]
		if t.by != s {
			continue
		}
		if !t.legal || !t.after.InCheck(s.Other()) {
			break
		}
		if n == 0 {
			key = t.after.Key()
		}
		if t.after.Key() == key {
			n++
		}
	}
	return n
}

// line is the game's moves, the released legal one among them.
func (g *Game) line() []turn {
	if g.hand == nil || !g.hand.legal {
		return g.history
	}
	return append(g.history[:len(g.history):len(g.history)], turn{by: g.hand.by, legal: true, before: g.Board(), after: g.hand.after})
}

// perpetual tells whether c may claim 8d: the checker from the check on until he releases the next move, the checked
// player until he replies (D16). A reply that is illegal and may still be claimed is none (D5).
func (g *Game) perpetual(c Color) bool {
	line := g.line()
	if checks(line, c) >= 4 {
		return true
	}
	if l := g.last(); g.open() && l.by == c {
		line = g.history[:len(g.history)-1]
	}
	return checks(line, c.Other()) >= 4 && line[len(line)-1].by != c
}

// adjacencyBy is whose king move made the kings stand side by side, or Nobody (D12).
func (g *Game) adjacencyBy() Color {
	by := Nobody
	for i := range g.history {
		t := &g.history[i]
		switch {
		case !t.after.KingsAdjacent():
			by = Nobody
		case by == Nobody || t.before.King(t.by) != t.after.King(t.by):
			by = t.by
		}
	}
	return by
}

// offence is the earliest illegal move of the opponent that c may still have corrected: c has completed less than two
// moves since (US Chess 11D1, 16D1). -1: none.
func (g *Game) offence(c Color) int {
	for i := range g.history {
		if t := &g.history[i]; t.legal || t.by == c {
			continue
		}
		answers := 0
		for j := i + 1; j < len(g.history); j++ {
			if g.history[j].by == c {
				answers++
			}
		}
		if answers < 2 {
			return i
		}
	}
	return -1
}

// moves is how many moves c has made, the one in his hand included.
func (g *Game) moves(c Color) int {
	n := 0
	for i := range g.history {
		if g.history[i].by == c {
			n++
		}
	}
	if g.hand != nil && g.hand.by == c {
		n++
	}
	return n
}
