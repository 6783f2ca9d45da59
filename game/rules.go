package game

import (
	"fmt"

	"flagfall/game/board"
)

// RuleSet is a rule book as data and functions. The functions get a draft and emit what follows, or return a *Refusal.
type RuleSet struct {
	Name string // as set-ups name it
	Book string // as results cite it

	// Rule numbers that results cite where the event itself is the same in every book.
	checkmate, stalemate, dead, resignation, agreement, bothFlags string

	// claim judges a claim of `by`.
	claim func(d *draft, by Side, claim Claim) error
	// kingTaken judges a move that takes the king left en prise by the opponent's last completed move.
	kingTaken func(d *draft, by Side, m board.Move) error
	// flagFell is told of every flag, at the moment of its fall.
	flagFell func(d *draft, side Side)
	// timeCalled ends a game whose fallen flag was left alone, in favour of the claimant as far as he can mate.
	timeCalled func(d *draft, claimant Side)
	// mating tells whether `by` has mating material in the position; note is a further rule that decided it.
	mating func(b *board.Board, by Side) (yes bool, note string)
}

var books = []*RuleSet{&wbca}

func ruleSet(name string) (*RuleSet, error) {
	for _, book := range books {
		if book.Name == name {
			return book, nil
		}
	}
	return nil, fmt.Errorf("rule set %q is not known", name)
}

// released ends the game where a legal release does: mate, stalemate, or a position in which nobody can ever mate.
func (r *RuleSet) released(d *draft, by Side) {
	after := d.pending.after
	switch {
	case !after.AnyLegal() && after.InCheck(after.Turn()):
		d.end(by, "checkmate", r.checkmate)
	case !after.AnyLegal():
		d.end(None, "stalemate", r.stalemate)
	case deadPosition(&after):
		d.end(None, "dead_position", r.dead)
	}
}

// ladderPenalty is what a wrong claim beyond the free ones gives the opponent (D30), in milliseconds.
const ladderPenalty = 60000

// Free wrong claims.
const (
	freeClaims     = 1
	freeTimeClaims = 3
)

// deny answers a wrong claim that counts on the ladder, where the game has one; else it is refused.
func (d *draft) deny(by Side, claim Claim, code Code) error {
	if !d.setup.Options.Ladder {
		return refuse(code)
	}
	step, free := d.ladder.claims[by]+1, freeClaims
	if claim == ClaimTime {
		step, free = d.ladder.flags[by]+1, freeTimeClaims
	}
	var add int64
	if step > free {
		add = ladderPenalty
	}
	d.emit(Event{Kind: Denied, By: by, Claim: claim, Code: code, Step: step, Add: add})
	return nil
}
