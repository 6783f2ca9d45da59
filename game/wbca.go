package game

import (
	"flagfall/game/board"
	"flagfall/game/endgame"
)

// wbca is the book of the World Blitz Chess Association, revision of December 1999.
var wbca = RuleSet{
	Name: "wbca", Book: "WBCA",
	checkmate: "7a", stalemate: "8a", dead: "8f", resignation: "7b", agreement: "8b", bothFlags: "8c",
	deadReason: "dead_position", kingClaim: true, illegalBeforeTime: true,
	emptyPress: refuseEmptyPress, drawn: ignorePosition,
}

func init() { // these call back into the book
	wbca.claim, wbca.flagFell, wbca.pressed = wbcaClaim, wbcaFlagFell, wbcaPressed
}

// wbcaFlagFell leaves the flag to the players, unless it was agreed that it is called (WBCA 7c, 12).
func wbcaFlagFell(d *draft, side Side) {
	if d.setup.Options.ArbiterCallsFlags {
		_ = d.judge(side.Other(), ClaimTime) // a flag that has just fallen can be claimed
	}
}

// wbcaPressed leaves an illegal move to the players, unless it was agreed that it is called (WBCA 12, 14).
func wbcaPressed(d *draft, by Side, done pending) {
	if !done.legal && d.setup.Options.ArbiterCallsIllegal {
		_ = d.judge(by.Other(), ClaimIllegal) // a refused claim leaves the move as it is
	}
}

func wbcaClaim(d *draft, by Side, claim Claim) error {
	switch claim {
	case ClaimThreefold, ClaimFifty, ClaimLosing:
		return refuse(NotInRuleSet)
	case ClaimIllegal, ClaimTime, ClaimBothFlags, ClaimNoMating, ClaimAbandoned, claimKing, ClaimDraw,
		ClaimPerpetual, ClaimIdentical, ClaimOpposite, ClaimPawn, ClaimRookPawn:
		if d.clock.BothDown() { // any stop notices them (D9)
			d.end(None, "both_flags", "8c")
			return nil
		}
	}
	switch claim {
	case ClaimIllegal:
		return wbcaIllegalClaim(d, by)
	case ClaimTime:
		return wbcaTimeClaim(d, by)
	case ClaimBothFlags:
		return refuse(NotMet)
	case ClaimNoMating:
		return wbcaNoMating(d, by, by)
	case ClaimAbandoned:
		return wbcaAbandoned(d, by)
	case claimKing:
		return wbcaIllegal(d, by, "king_capture")
	case claimTimeCalled:
		if !d.clock.Down(by.Other()) { // an arbiter gave time while it was judged
			return refuse(FlagUp)
		}
		return wbcaTime(d, by, "time_called")
	case ClaimDraw, ClaimPerpetual, ClaimIdentical, ClaimOpposite, ClaimPawn, ClaimRookPawn:
		return wbcaDraw(d, by, claim)
	}
	return refuse(UnknownClaim)
}

// wbcaIllegalClaim is WBCA 7d by stopping the clock. What tells whether the opponent has pressed is seen by all.
func wbcaIllegalClaim(d *draft, by Side) error {
	if d.last.by != by.Other() || d.last.legal || !d.window {
		if d.pending.by == by.Other() {
			return refuse(NotCompleted)
		}
		return d.deny(by, ClaimIllegal, NoIllegalMove)
	}
	return wbcaIllegal(d, by, "illegal_move")
}

// wbcaIllegal ends the game after a completed illegal move of the opponent: with mating material a win (7d), else a
// draw (8f). Both are judged on the position before the offence (D5).
func wbcaIllegal(d *draft, by Side, reason Reason) error {
	if d.last.adjacent && d.adjacent == by {
		return refuse(CheapShot)
	}
	before := d.last.before
	yes, note, err := wbcaMating(d, &before, by)
	if err != nil {
		return err
	}
	if !yes {
		d.end(None, "illegal_move_insufficient_material", "8f"+note)
		return nil
	}
	d.end(by, reason, "7d")
	return nil
}

// wbcaTimeClaim is WBCA 7c: the opponent's flag is down, the own one is up.
func wbcaTimeClaim(d *draft, by Side) error {
	if !d.clock.Down(by.Other()) {
		if d.clock.Down(by) {
			return d.deny(by, ClaimTime, OwnFlagDown)
		}
		return d.deny(by, ClaimTime, FlagUp)
	}
	return wbcaTime(d, by, "time")
}

// wbcaTime ends the game by the opponent's fallen flag; mating material is needed now and when it fell (D13).
func wbcaTime(d *draft, by Side, reason Reason) error {
	yes, note, err := d.matingBoth(by, by.Other())
	if err != nil {
		return err
	}
	if !yes {
		d.end(None, "time_insufficient_material", "8f"+note)
		return nil
	}
	d.end(by, reason, "7c")
	return nil
}

// matingBoth tells whether `by` has mating material now and had it when the flag of `flagged` fell.
func (d *draft) matingBoth(by, flagged Side) (yes bool, note string, err error) {
	now, then := d.basis(), d.fallen[flagged]
	yes, note, err = wbcaMating(d, &now, by)
	if err == nil && yes && then != now {
		yes, note, err = wbcaMating(d, &then, by)
	}
	return yes, note, err
}

// wbcaNoMating is WBCA 8f pointed out by a player, usually the one whose flag fell (D6). While an illegal move of his
// opponent may be claimed he may also rest it on the board as he sees it: he cannot know (D5).
func wbcaNoMating(d *draft, by, flagged Side) error {
	if !d.clock.Down(flagged) || d.clock.Down(flagged.Other()) {
		return refuse(NotMet)
	}
	yes, note, err := d.matingBoth(flagged.Other(), flagged)
	if err == nil && yes && d.window && d.last.by == by.Other() {
		seen := d.Position()
		yes, note, err = wbcaMating(d, &seen, flagged.Other())
	}
	if err != nil {
		return err
	}
	if yes {
		return refuse(NotMet)
	}
	d.end(None, "time_insufficient_material", "8f"+note)
	return nil
}

// wbcaAbandoned is a rule of this hall, not of the book (D33 c).
func wbcaAbandoned(d *draft, by Side) error {
	if d.phase != Proving && !d.abandoned(by, d.at) {
		return refuse(NotAbandoned)
	}
	now := d.basis()
	yes, _, err := wbcaMating(d, &now, by)
	if err != nil {
		return err
	}
	if !yes {
		return refuse(NoMaterial)
	}
	d.end(by, "abandoned", "")
	return nil
}

// wbcaMating is the definition of mating material in WBCA 7a (rulings B.5); note is the rule of section 8 that takes
// it away. A lone knight or bishop has it only with a forced win.
func wbcaMating(d *draft, b *board.Board, by Side) (yes bool, note string, err error) {
	own, other := count(b, board.Color(by)), count(b, board.Color(by.Other()))
	if own.big() {
		return d.unlessDead(b, by)
	}
	switch {
	case own.minors() == 0, own.minors() == 1 && other.bare():
		return false, "", nil
	case own.minors() == 1:
		yes, err = d.proved(AskMate, b, by)
		return yes, "", err
	case own.bishopsOnly(true) && other.bishopsOnly(true), own.bishopsOnly(false) && other.bishopsOnly(false):
		return false, "", nil
	case own.knights == 2 && own.bishops == 0 && other.bare():
		return false, "", nil
	}
	return true, "", nil
}

// unlessDead is mating material with a pawn, rook or queen: it is none where a dead draw of section 8 could be claimed.
func (d *draft) unlessDead(b *board.Board, by Side) (yes bool, note string, err error) {
	dead, letter := false, ""
	switch {
	case endgame.PawnBlocked(*b):
		dead, letter = true, "8h"
	case endgame.IdenticalPiece(*b):
		letter = "8e"
	case endgame.OppositeBishops(*b):
		letter = "8g"
	case endgame.RookPawnBlocked(*b, d.setup.Options.WideRookPawn):
		letter = "8i"
	default:
		return true, "", nil
	}
	if !dead {
		dead, err = d.noForcedWin(true, b, by)
	}
	if err != nil || !dead {
		return true, "", err
	}
	return false, "+" + letter, nil
}
