package game

import (
	"errors"

	"flagfall/game/board"
	"flagfall/game/endgame"
)

// appealPenalty is what a rejected appeal for a draw costs (WBCA 13b), in milliseconds.
const appealPenalty = 60000

// perpetual is how often a position of an unbroken run of checks has to stand (WBCA 8d).
const perpetual = 4

// drawRule is one lettered draw of section 8: where it holds on a position.
type drawRule struct {
	claim  Claim
	rule   string
	reason Reason
	holds  func(d *draft, by Side, b *board.Board) (bool, error)
}

// section8 is in the order in which "claim draw" tries them: those first that need no search.
var section8 = []drawRule{
	{ClaimPerpetual, "8d", "perpetual", func(d *draft, by Side, _ *board.Board) (bool, error) { return d.perpetualCheck(by), nil }},
	{ClaimPawn, "8h", "king_pawn", func(_ *draft, _ Side, b *board.Board) (bool, error) { return endgame.PawnBlocked(*b), nil }},
	{ClaimRookPawn, "8i", "rook_pawn_blockade", func(d *draft, by Side, b *board.Board) (bool, error) {
		return d.noForcedWin(endgame.RookPawnBlocked(*b, d.setup.Options.WideRookPawn), b, by.Other())
	}},
	{ClaimOpposite, "8g", "opposite_bishops", func(d *draft, by Side, b *board.Board) (bool, error) {
		return d.noForcedWin(endgame.OppositeBishops(*b), b, by.Other())
	}},
	{ClaimIdentical, "8e", "identical_piece", func(d *draft, by Side, b *board.Board) (bool, error) {
		return d.noForcedWin(endgame.IdenticalPiece(*b), b, by.Other())
	}},
}

// noForcedWin tells whether a drawn geometry stands since neither side has a forced win. Only the shower may have to
// demonstrate his (D37); the other one's counts where a search finds it.
func (d *draft) noForcedWin(geometry bool, b *board.Board, shower Side) (bool, error) {
	if !geometry {
		return false, nil
	}
	if wins, err := d.proved(AskKnownWin, b, shower.Other()); err != nil || wins {
		return false, err
	}
	wins, err := d.proved(AskWin, b, shower)
	return err == nil && !wins, err
}

// perpetualCheck tells whether the latest check of an unbroken run has made its position stand for the fourth time. The
// checking side may claim until its own next release, the other one until his reply (D16).
func (d *draft) perpetualCheck(by Side) bool {
	return d.repeated.checks(by) >= perpetual ||
		d.repeated.checks(by.Other()) >= perpetual && d.lastReleased() == by.Other()
}

// lastReleased is who made the latest move that is complete (WBCA 15) or pressed.
func (g *Game) lastReleased() Side {
	if g.pending.by != None && g.pending.legal {
		return g.pending.by
	}
	return g.last.by
}

// wbcaDraw judges an appeal for a draw (WBCA 13): a draw where one of the lettered rules holds, else a minute.
func wbcaDraw(d *draft, by Side, claim Claim) error {
	if claim == ClaimDraw {
		flagged := by
		if d.clock.Down(by.Other()) {
			flagged = by.Other() // 8f is a draw for either side; the other one would get it by a claim of time
		}
		var refusal *Refusal
		if err := wbcaNoMating(d, by, flagged); err == nil || !errors.As(err, &refusal) {
			return err
		}
	}
	for _, rule := range section8 {
		if claim != ClaimDraw && claim != rule.claim {
			continue
		}
		for _, b := range d.drawBases(by) {
			holds, err := rule.holds(d, by, &b)
			if err != nil {
				return err
			}
			if holds {
				d.end(None, rule.reason, rule.rule)
				return nil
			}
		}
	}
	d.rejectAppeal(by, claim)
	return nil
}

// drawBases are the positions on which a draw claim may rest (D5): who made an open illegal move is bound to the one
// before it, the other one may also take the one he sees.
func (d *draft) drawBases(by Side) []board.Board {
	if d.window && d.last.by == by.Other() {
		return []board.Board{d.last.before, d.Position()}
	}
	return []board.Board{d.basis()}
}

// rejectAppeal takes a minute from the claimant, or gives one to his opponent, by the event's choice (D21).
func (d *draft) rejectAppeal(by Side, claim Claim) {
	e := Event{Kind: Denied, By: by, Claim: claim, Code: Appeal}
	if d.setup.Options.AddPenalty {
		e.Add = appealPenalty
	} else {
		e.Take = appealPenalty
	}
	d.punish(e)
}
