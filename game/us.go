package game

import (
	"flagfall/game/board"
	"flagfall/game/endgame"
)

// uscf is US Chess in sudden death, as far as the extract of the 5th edition goes; cca is the Continental Chess
// Association's list of December 2022, which differs in a few points.
var (
	uscf = RuleSet{
		Name: "uscf", Book: "US Chess",
		checkmate: "13A", stalemate: "14A", dead: "14D1", resignation: "13B", agreement: "14B", bothFlags: "14G",
		deadReason: "insufficient_material", kingClaim: true,
		emptyPress: refuseEmptyPress, flagFell: ignoreFlag, pressed: ignorePress,
	}
	cca = RuleSet{
		Name: "cca", Book: "CCA",
		checkmate: "13A", stalemate: "14A", dead: "14D1", resignation: "13B", agreement: "14B", bothFlags: "13",
		deadReason: "insufficient_material", kingClaim: true,
		emptyPress: refuseEmptyPress, flagFell: ignoreFlag, pressed: ignorePress,
	}
)

func init() { // these call back into the books
	uscf.drawn, cca.drawn = lockedPosition, lockedPosition
	uscf.claim = usBook{timeWin: "13C", noMaterial: "14E", threefold: "14C", fifty: "14F1"}.claim
	cca.claim = usBook{timeWin: "12", noMaterial: "12", threefold: "24", fifty: "23", strict: true}.claim
}

// usBook is what the two sets of claims differ in.
type usBook struct {
	timeWin, noMaterial, threefold, fifty string
	strict                                bool // CCA: a denied claim gives the opponent two minutes, and losing chances can be claimed
}

// Times of US Chess and CCA, in milliseconds.
const (
	illegalMinutes = 120000 // US Chess 11D, CCA 21
	deniedMinutes  = 120000 // CCA 11, 24
	losingChances  = 120000 // CCA 15: claimed with less than this left
	delayClock     = 5000   // CCA 17
)

// correctable is how many moves the opponent completes before an illegal move stands (US Chess 11D1, 16D1).
const correctable = 2

func (u usBook) claim(d *draft, by Side, claim Claim) error {
	switch claim {
	case ClaimTime, ClaimBothFlags, claimTimeCalled, ClaimAbandoned:
		if d.clock.BothDown() {
			d.end(None, "both_flags", d.rules.bothFlags)
			return nil
		}
	}
	switch claim {
	case ClaimIllegal:
		return u.illegal(d, by)
	case claimKing:
		return refuse(UseClaim)
	case ClaimTime:
		return u.time(d, by)
	case claimTimeCalled:
		if !d.clock.Down(by.Other()) { // an arbiter gave time while it was judged
			return refuse(FlagUp)
		}
		return u.timeWon(d, by, "time_called", u.timeWin)
	case ClaimAbandoned:
		return u.abandoned(d, by)
	case ClaimBothFlags:
		return refuse(NotMet)
	case ClaimThreefold:
		return u.repeated(d, by, claim, d.occurrences() >= 3, "threefold", u.threefold)
	case ClaimFifty:
		b := d.Position()
		return u.repeated(d, by, claim, b.Halfmove() >= 100, "fifty_moves", u.fifty)
	case ClaimDraw:
		return u.anyDraw(d, by)
	case ClaimLosing:
		if u.strict {
			return u.losing(d, by)
		}
		return refuse(NotInRuleSet)
	case ClaimNoMating, ClaimPerpetual, ClaimIdentical, ClaimOpposite, ClaimPawn, ClaimRookPawn:
		return refuse(NotInRuleSet)
	}
	return refuse(UnknownClaim)
}

// illegal corrects the opponent's earliest illegal move that is still open: the position before it is back, the man that
// was touched has to move, and the claimant gets two minutes; under CCA 21 only if he has not released a man since.
func (u usBook) illegal(d *draft, by Side) error {
	for i := range d.offences {
		o := &d.offences[i]
		answers := d.answers(o)
		if o.by == by || answers >= correctable {
			continue
		}
		var add int64 = illegalMinutes
		if u.strict && (answers > 0 || d.touched[by]) {
			add = 0
		}
		d.restore(o.by, o.before, o.ply, o.move, 0, add)
		return nil
	}
	if d.pending.by == by.Other() {
		return refuse(NotCompleted)
	}
	return d.deny(by, ClaimIllegal, NoIllegalMove)
}

// restore puts the position before an illegal move back.
func (d *draft) restore(by Side, before board.Board, ply int, move board.Move, step int, add int64) {
	d.emit(Event{Kind: Restored, By: by, FEN: before.FEN(), Ply: ply, Move: UCI(move), Step: step, Add: add})
}

func (u usBook) time(d *draft, by Side) error {
	if d.clock.Down(by.Other()) {
		return u.timeWon(d, by, "time", u.timeWin)
	}
	code := FlagUp
	if d.clock.Down(by) {
		code = OwnFlagDown
	}
	if u.strict {
		d.punish(Event{Kind: Denied, By: by, Claim: ClaimTime, Code: TimeDenied, Add: deniedMinutes})
		return nil
	}
	return d.deny(by, ClaimTime, code)
}

func (u usBook) timeWon(d *draft, by Side, reason Reason, rule string) error {
	b := d.Position()
	yes, err := usMating(d, &b, by)
	switch {
	case err != nil:
		return err
	case !yes:
		d.end(None, "time_insufficient_material", u.noMaterial)
	default:
		d.end(by, reason, rule)
	}
	return nil
}

// usMating is US Chess 14E and CCA 12: a lone bishop or knight, and two knights against no pawn, need a forced win;
// everything else needs a mate that is possible by any series of moves.
func usMating(d *draft, b *board.Board, by Side) (bool, error) {
	own, other := count(b, board.Color(by)), count(b, board.Color(by.Other()))
	switch {
	case own.bare():
		return false, nil
	case own.big():
	case own.minors() == 1, own.knights == 2 && own.bishops == 0 && other.pawns == 0:
		if other.bare() && own.minors() == 1 {
			return false, nil
		}
		return d.proved(AskMate, b, by)
	}
	return d.matePossible(b, by)
}

// quickNodes bounds the search for a possible mate that is made at once; what it cannot decide is asked for.
const quickNodes = 50

// matePossible tells whether `by` can mate by any series of legal moves.
func (d *draft) matePossible(b *board.Board, by Side) (bool, error) {
	switch endgame.Helpmate(*b, board.Color(by), quickNodes) {
	case endgame.MatePossible:
		return true, nil
	case endgame.MateImpossible:
		return false, nil
	}
	return d.proved(AskPossible, b, by)
}

// repeated judges a draw that the side on move claims, before its press (US Chess 14C, 14F1, CCA 23, 24).
func (u usBook) repeated(d *draft, by Side, claim Claim, met bool, reason Reason, rule string) error {
	switch {
	case d.turn() != by:
		return refuse(NotOnMove)
	case met:
		d.end(None, reason, rule)
		return nil
	case u.strict && claim == ClaimThreefold:
		d.punish(Event{Kind: Denied, By: by, Claim: claim, Code: TimeDenied, Add: deniedMinutes})
		return nil
	}
	return refuse(NotMet)
}

// anyDraw is the one button: whichever draw holds.
func (u usBook) anyDraw(d *draft, by Side) error {
	b := d.Position()
	if d.turn() == by && b.Halfmove() >= 100 {
		return u.claim(d, by, ClaimFifty)
	}
	return u.claim(d, by, ClaimThreefold)
}

func (u usBook) abandoned(d *draft, by Side) error {
	if d.phase != Proving && !d.abandoned(by, d.at) {
		return refuse(NotAbandoned)
	}
	b := d.Position()
	yes, err := usMating(d, &b, by)
	switch {
	case err != nil:
		return err
	case !yes:
		return refuse(NoMaterial)
	}
	d.end(by, "abandoned", "")
	return nil
}

// losing is a claim of insufficient losing chances (CCA 15-17): an arbiter on duty rules; with none it gets the delay
// clock at once where the game allows that (D36), else it waits for one.
func (u usBook) losing(d *draft, by Side) error {
	switch {
	case d.clock.Down(by):
		return refuse(FlagDown)
	case d.turn() != by:
		return refuse(NotOnMove)
	case d.clock.HasTiming() || d.clock.Remaining(by, d.at) >= losingChances:
		return refuse(NotMet)
	case d.setup.Options.DelayClock && !d.onDuty:
		d.insertDelay(by, ClaimLosing)
		return nil
	}
	d.emit(Event{Kind: Disputed, By: by, Claim: ClaimLosing, Stops: true})
	return nil
}

// insertDelay is the delay clock: the claimant has half his time, a minute at most, and both get five seconds a move. What
// can be halved keeps the flag up.
func (d *draft) insertDelay(by Side, claim Claim) {
	left := [2]int64{d.clock.Remaining(White, d.at), d.clock.Remaining(Black, d.at)}
	left[by] = min((left[by]+1)/2, 60000)
	d.punish(Event{Kind: DelayInserted, By: by, Claim: claim, Delay: delayClock, Left: left})
}
