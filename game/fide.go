package game

// fide is blitz under the FIDE Laws with adequate supervision: the server is the arbiter of every game (U-5).
var fide = RuleSet{
	Name: "fide", Book: "FIDE",
	checkmate: "5.1.1", stalemate: "5.2.1", dead: "5.2.2", resignation: "5.1.2", agreement: "5.2.3",
	deadReason: "dead_position", offersAfterMoves: true,
}

func init() { // these call back into the book
	fide.claim, fide.flagFell, fide.pressed = fideClaim, fideFlagFell, fidePressed
	fide.emptyPress, fide.drawn = fideEmptyPress, fideDrawn
}

// fideMinute is what an illegal move, or a wrong claim of a draw, gives the opponent in blitz, in milliseconds.
const fideMinute = 60000

// fivefoldPlies without a capture or a pawn move are the fewest in which a position comes back four times.
const fivefoldPlies = 16

func fideClaim(d *draft, by Side, claim Claim) error {
	b := d.Position()
	switch claim {
	case claimFlag:
		if !d.clock.Down(by.Other()) { // an arbiter gave time while it was judged
			return refuse(FlagUp)
		}
		return fideDecide(d, by, "flag_arbiter", "flag_arbiter_no_mate_possible", "6.5")
	case claimSecond:
		return fideDecide(d, by, "second_illegal_move", "second_illegal_move_no_mate_possible", "7.5.5")
	case ClaimAbandoned:
		if d.phase != Proving && !d.abandoned(by, d.at) {
			return refuse(NotAbandoned)
		}
		yes, err := d.matePossible(&b, by)
		switch {
		case err != nil:
			return err
		case !yes:
			return refuse(NoMaterial)
		}
		d.end(by, "abandoned", "")
		return nil
	case ClaimThreefold:
		return fideDraw(d, by, claim, d.occurrences() >= 3, "threefold", "9.2")
	case ClaimFifty:
		return fideDraw(d, by, claim, b.Halfmove() >= 100, "fifty_moves", "9.3")
	case ClaimDraw:
		if b.Halfmove() >= 100 {
			return fideDraw(d, by, claim, true, "fifty_moves", "9.3")
		}
		return fideDraw(d, by, claim, d.occurrences() >= 3, "threefold", "9.2")
	case ClaimIllegal: // the arbiter sees it at the press
		if d.pending.by == by.Other() {
			return refuse(NotCompleted)
		}
		return d.deny(by, claim, NoIllegalMove)
	case ClaimTime, ClaimBothFlags: // the arbiter sees every flag
		return refuse(NotMet)
	case ClaimNoMating, ClaimLosing, ClaimPerpetual, ClaimIdentical, ClaimOpposite, ClaimPawn, ClaimRookPawn:
		return refuse(NotInRuleSet)
	}
	return refuse(UnknownClaim)
}

// fideDecide ends the game for `by`, or as a draw if no series of legal moves lets him mate.
func fideDecide(d *draft, by Side, won, drawn Reason, rule string) error {
	b := d.Position()
	yes, err := d.matePossible(&b, by)
	switch {
	case err != nil:
		return err
	case yes:
		d.end(by, won, rule)
	default:
		d.end(None, drawn, rule)
	}
	return nil
}

// fideDraw is a claim by the side on move; a wrong one gives the opponent a minute.
func fideDraw(d *draft, by Side, claim Claim, met bool, reason Reason, rule string) error {
	switch {
	case d.turn() != by:
		return refuse(NotOnMove)
	case met:
		d.end(None, reason, rule)
	default:
		d.punish(Event{Kind: Denied, By: by, Claim: claim, Code: DrawDenied, Add: fideMinute})
	}
	return nil
}

// fideFlagFell is FIDE 6.5: the arbiter observes the flag.
func fideFlagFell(d *draft, side Side) {
	_ = d.judge(side.Other(), claimFlag) // it ends the game or waits for a search
}

// fidePressed is FIDE 7.5.1 and 7.5.2: the arbiter observes every illegal move. A pawn left on the last rank becomes a
// queen and the opponent is on move; anything else is taken back and the man that was touched has to move.
func fidePressed(d *draft, by Side, done pending) {
	switch {
	case !done.legal:
		ply := len(d.plies) - 1
		d.fault(by, func(step int, add int64) { d.restore(by, d.last.before, ply, done.move, step, add) })
	case done.bare:
		d.fault(by, func(step int, add int64) { d.emit(Event{Kind: Faulted, By: by, Step: step, Add: add}) })
	}
}

// fideEmptyPress is FIDE 7.5.3: pressing the clock without a move is an illegal move.
func fideEmptyPress(d *draft, by Side) error {
	d.fault(by, func(step int, add int64) { d.emit(Event{Kind: Faulted, By: by, Step: step, Add: add}) })
	return nil
}

// fault counts an illegal move (FIDE 7.5.5): the first gives the opponent a minute, the second loses.
func (d *draft) fault(by Side, note func(step int, add int64)) {
	step := d.illegal[by] + 1
	if step == 1 {
		note(step, fideMinute)
		return
	}
	note(step, 0)
	_ = d.judge(by.Other(), claimSecond) // it ends the game or waits for a search
}

// fideDrawn is FIDE 9.6: five times the same position, or 75 moves, end the game by themselves.
func fideDrawn(d *draft) {
	b := d.Position()
	switch {
	case b.Halfmove() >= fivefoldPlies && d.occurrences() >= 5:
		d.end(None, "fivefold", "9.6.1")
	case b.Halfmove() >= 150:
		d.end(None, "seventyfive_moves", "9.6.2")
	default:
		lockedPosition(d)
	}
}
