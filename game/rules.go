package game

import (
	"fmt"

	"flagfall/game/board"
	"flagfall/game/endgame"
)

// RuleSet is a rule book as data and functions. The functions get a draft and emit what follows, or return a *Refusal.
type RuleSet struct {
	Name string // as set-ups name it
	Book string // as results cite it

	// Rule numbers that results cite where the event itself is the same in every book.
	checkmate, stalemate, dead, resignation, agreement, bothFlags string

	deadReason       Reason // of a game that ends since nobody can mate
	kingClaim        bool   // a move that takes a king left en prise is judged as a claim
	offersAfterMoves bool   // no draw offer before both have moved

	illegalBeforeTime bool // of two simultaneous claims that of an illegal move comes first (WBCA 7e)

	// claim judges a claim of `by`; a *needed error asks for a proof.
	claim func(d *draft, by Side, claim Claim) error
	// flagFell is told of every flag, at the moment of its fall.
	flagFell func(d *draft, side Side)
	// pressed is told of every completed move.
	pressed func(d *draft, by Side, done pending)
	// emptyPress judges a press without a move.
	emptyPress func(d *draft, by Side) error
	// drawn ends a game by itself where the book counts for the players.
	drawn func(d *draft)
}

// Claims that nobody makes by name.
const (
	claimKing       Claim = "king"        // the king was taken
	claimTimeCalled Claim = "time_called" // the server calls a flag that was left alone
	claimSecond     Claim = "second"      // a second illegal move (FIDE 7.5.5)
	claimFlag       Claim = "flag"        // the server observes the flag (FIDE 6.5)
)

var books = []*RuleSet{&wbca, &uscf, &cca, &fide}

// RuleSets lists the names of all rule sets.
func RuleSets() []string {
	names := make([]string, len(books))
	for i, book := range books {
		names[i] = book.Name
	}
	return names
}

func ignoreFlag(*draft, Side)           {}
func ignorePress(*draft, Side, pending) {}

// fewMen is how many men there may be where a forced line could lead to a dead position.
const fewMen = 5

// lockEvery is after how many quiet plies a wall of pawns is looked at again: it is closed by a pawn move or a capture,
// and seldom by a piece that shuts itself in.
const lockEvery = 16

// lockedPosition ends a game in which neither side can mate by any series of legal moves, where that is certain at a
// glance: blocked pawns, bishops shut in. The glance takes longer than all else at a release, so most positions get none.
func lockedPosition(d *draft) {
	b := d.Position()
	if b.Total(board.White)+b.Total(board.Black) > fewMen {
		quiet := b.Halfmove()%lockEvery != 0 && len(d.plies) > 1
		if quiet || pawnFree(&b) {
			return
		}
	}
	if endgame.Dead(b, quickNodes) {
		d.end(None, d.rules.deadReason, d.rules.dead)
	}
}

// pawnFree tells whether there is no pawn, or one with an empty square before it.
func pawnFree(b *board.Board) bool {
	pawns := 0
	for s, man := range b.Men() {
		if man.Kind() != board.Pawn {
			continue
		}
		front := s + 8
		if man.Color() == board.Black {
			front = s - 8
		}
		if front < board.NoSquare && b.At(front) == board.NoPiece {
			return true
		}
		pawns++
	}
	return pawns == 0
}

func ignorePosition(*draft)               {}
func refuseEmptyPress(*draft, Side) error { return refuse(NoMove) }

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
		d.end(None, r.deadReason, r.dead)
	default:
		r.drawn(d)
	}
}

// ladderPenalty is what a wrong claim beyond the free ones gives the opponent (D30), in milliseconds.
const ladderPenalty = 60000

// mostDenied is how many wrong claims a player may make in a game. After them he is not heard again, right or wrong: no
// game goes on for ever by them, and no journal grows.
const mostDenied = 20

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

// punish emits an event that changes clocks, and notes the flag of a side that it leaves without time.
func (d *draft) punish(e Event) {
	was := [2]bool{d.clock.Down(White), d.clock.Down(Black)}
	d.emit(e)
	for _, side := range [2]Side{White, Black} {
		if d.phase != Over && !was[side] && d.clock.Down(side) {
			d.emit(Event{Kind: Flagged, By: side, At: d.at})
			d.flagFell(side)
		}
	}
}
