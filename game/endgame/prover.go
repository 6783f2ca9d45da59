package endgame

import (
	"errors"

	"flagfall/game/board"
)

// Verdict answers whether a win is forced.
type Verdict uint8

// The three verdicts. Undecided means that the nodes were spent.
const (
	Undecided Verdict = iota
	Yes
	No
)

// String returns "undecided", "yes" or "no".
func (v Verdict) String() string {
	switch v {
	case Yes:
		return "yes"
	case No:
		return "no"
	}
	return "undecided"
}

// ErrNotReady is returned when a proof needs a table that is not there yet.
// The same question gets its verdict once it is.
var ErrNotReady = errors.New("an endgame table is not ready yet")

// Prover proves or refutes forced wins (WBCA 7a, 8e, 8g, 8i). A forced win is a
// forced mate; with four men or fewer the tables know it. Effort is counted in
// nodes and never in time, so that every machine gives the same verdict.
type Prover struct {
	Tables *Tables
	// Moves is how many moves of the winning side a mate may take that is
	// searched for move by move; with tables at the leaves. Five suits a lone
	// minor piece.
	Moves int
	// Nodes is how many positions that search may look at, and Plan how many
	// the search for a lasting defence after it; some microseconds each.
	Nodes, Plan int
	// men is how many men the tables answer for: 4 if zero, less in tests.
	men int
}

// NewProver returns a prover with the limits that games use.
func NewProver(t *Tables) Prover {
	return Prover{Tables: t, Moves: 5, Nodes: 200_000, Plan: 60_000}
}

// ForcedWin tells whether a side, on move or not, can force mate. No is proved,
// by the tables, by the material or by a defence against every line of play.
func (p Prover) ForcedWin(b board.Board, by board.Color) (Verdict, error) {
	s := p.newSearch(by, p.Nodes)
	v := s.find(b, p.Moves)
	if v == Yes || s.judge(b) != open || s.err != nil {
		return v, s.err
	}
	return p.defence(b, by)
}

// ImmediateWin tells whether either side can force mate, or a position that
// the tables call won, within some moves of its own: what 8i calls an immediate
// win, within four moves. The colour is that of the winner; without a Yes it
// means nothing. No says that neither side can.
func (p Prover) ImmediateWin(b board.Board, moves int) (board.Color, Verdict, error) {
	all := No
	for _, by := range [2]board.Color{b.Turn(), b.Turn().Other()} {
		s := p.newSearch(by, p.Nodes)
		v := s.find(b, moves)
		switch {
		case s.err != nil:
			return by, Undecided, s.err
		case v == Yes:
			return by, Yes, nil
		case v == Undecided:
			all = Undecided
		}
	}
	return b.Turn(), all, nil
}

func verdict(yes bool) Verdict {
	if yes {
		return Yes
	}
	return No
}
