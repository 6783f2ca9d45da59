package game

import "flagfall/game/board"

// wbca is the book of the World Blitz Chess Association, revision of December 1999.
var wbca = RuleSet{
	Name: "wbca", Book: "WBCA",
	checkmate: "7a", stalemate: "8a", dead: "8f", resignation: "7b", agreement: "8b", bothFlags: "8c",
}

func init() {
	wbca.claim = wbcaClaim
	wbca.kingTaken = func(d *draft, by Side, _ board.Move) error {
		return wbcaIllegal(d, by, "king_capture")
	}
	wbca.flagFell = func(*draft, Side) {} // a flag counts when it is claimed (WBCA 7c, 12)
	wbca.timeCalled = func(d *draft, claimant Side) { wbcaTime(d, claimant, "time_called") }
	wbca.mating = wbcaMating
}

func wbcaClaim(d *draft, by Side, claim Claim) error {
	switch claim {
	case ClaimIllegal, ClaimTime, ClaimBothFlags, ClaimNoMating, ClaimAbandoned:
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
		return wbcaNoMating(d, by)
	case ClaimAbandoned:
		return wbcaAbandoned(d, by)
	case ClaimThreefold, ClaimFifty, ClaimLosing:
		return refuse(NotInRuleSet)
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
	switch {
	case d.clock.BothDown():
		d.end(None, "both_flags", "8c")
		return nil
	case d.last.adjacent && d.adjacent == by:
		return refuse(CheapShot)
	}
	before := d.last.before
	if yes, note := wbcaMating(&before, by); !yes {
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
	wbcaTime(d, by, "time")
	return nil
}

// wbcaTime ends the game by the opponent's fallen flag; mating material is needed now and when it fell (D13).
func wbcaTime(d *draft, by Side, reason Reason) {
	now, then := d.basis(), d.fallen[by.Other()]
	yes, note := wbcaMating(&now, by)
	if yes {
		yes, note = wbcaMating(&then, by)
	}
	if !yes {
		d.end(None, "time_insufficient_material", "8f"+note)
		return
	}
	d.end(by, reason, "7c")
}

// wbcaNoMating is WBCA 8f pointed out by the player whose flag fell (D6). While an illegal move of the opponent may be
// claimed he may also rest it on the board as he sees it: he cannot know (D5).
func wbcaNoMating(d *draft, by Side) error {
	if !d.clock.Down(by) || d.clock.Down(by.Other()) {
		return refuse(NotMet)
	}
	now, then := d.basis(), d.fallen[by]
	yes, note := wbcaMating(&now, by.Other())
	if yes {
		yes, note = wbcaMating(&then, by.Other())
	}
	if yes && d.window && d.last.by == by.Other() {
		yes, note = wbcaMating(&d.board, by.Other())
	}
	if yes {
		return refuse(NotMet)
	}
	d.end(None, "time_insufficient_material", "8f"+note)
	return nil
}

// wbcaAbandoned is a rule of this hall, not of the book (D33 c).
func wbcaAbandoned(d *draft, by Side) error {
	if !d.abandoned(by, d.at) {
		return refuse(NotAbandoned)
	}
	now := d.basis()
	if yes, _ := wbcaMating(&now, by); !yes {
		return refuse(NoMaterial)
	}
	d.end(by, "abandoned", "")
	return nil
}

// wbcaMating is the definition of mating material in WBCA 7a (rulings B.5); note is the rule of section 8 that takes
// it away. A lone knight or bishop has none: no forced win has been shown.
func wbcaMating(b *board.Board, by Side) (yes bool, note string) {
	own, other := count(b, board.Color(by)), count(b, board.Color(by.Other()))
	if own.big() {
		if own.pawns == 1 && own.rooks+own.queens+own.minors() == 0 && other.bare() && deadPawn(b, by) {
			return false, "+8h"
		}
		return true, ""
	}
	switch {
	case own.minors() <= 1:
		return false, ""
	case own.bishopsOnly(true) && other.bishopsOnly(true), own.bishopsOnly(false) && other.bishopsOnly(false):
		return false, ""
	case own.knights == 2 && own.bishops == 0 && other.bare():
		return false, ""
	}
	return true, ""
}

// deadPawn is WBCA 8h: the defending king stands directly in front of a pawn that is not yet on its 7th rank, or
// anywhere in front of a rook pawn on its file.
func deadPawn(b *board.Board, by Side) bool {
	pawn := b.Squares(board.Color(by), board.Pawn)[0]
	king := b.King(board.Color(by.Other()))
	ahead := king.Rank() - pawn.Rank()
	seventh := 6
	if by == Black {
		ahead = -ahead
		seventh = 1
	}
	if king.File() != pawn.File() || ahead <= 0 {
		return false
	}
	if pawn.File() == 0 || pawn.File() == 7 {
		return true
	}
	return ahead == 1 && pawn.Rank() != seventh
}
