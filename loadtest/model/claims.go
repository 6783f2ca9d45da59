package model

import "flagfall/game/board"

// ready refuses what cannot be done in this phase; demo tells that the command belongs to a demonstration.
func (g *Game) ready(demo bool) (Result, bool) {
	switch g.Phase {
	case Over:
		return refuse("game_over"), true
	case Waiting:
		return refuse("not_started"), true
	case Judging:
		return refuse("being_judged"), true
	case Showing:
		return refuse("being_judged"), !demo
	case Disputed:
		return refuse("clocks_stopped"), true
	}
	return Result{}, false
}

// Claim is a stop of the clocks.
func (g *Game) Claim(by Color, claim string, at int64) Result {
	held := g.inquiry != nil && g.inquiry.held > 0 && claim == "illegal" && by != g.inquiry.by
	if r, stop := g.ready(false); stop && !held {
		return r
	}
	if g.denials[by] >= 20 { // who has claimed wrongly so often is not heard again
		return refuse("too_many_claims")
	}
	var f []Fact
	// held after a legal move too: who saw it held could else tell that the move was illegal (12)
	if l := g.last(); claim == "time" && g.wbca() && g.Terms.Window > 0 && l != nil && l.by == by && g.Flag[by.Other()] && !g.Flag[by] {
		g.stand(at, Judging)
		g.inquiry = &inquiry{call: call{by, claim}, held: at + g.Terms.Window}
		return g.did(by, at, Result{Code: Accepted, Facts: []Fact{{K: "proof", By: by, Claim: claim}}})
	}
	if code := g.judge(call{by, claim}, at, &f); code != "" {
		return refuse(code)
	}
	g.call(at, &f)
	code := Accepted
	for _, fact := range f {
		if fact.K == "denied" {
			code = Denied
		}
	}
	return g.did(by, at, Result{Code: code, Facts: f})
}

// wbcaClaim judges a claim under the WBCA rules (B.2, 4-8).
func (g *Game) wbcaClaim(by Color, claim string, at int64, f *[]Fact) string {
	switch claim {
	case "threefold", "fifty", "ilc":
		return "not_in_ruleset"
	case "illegal", "king", "time", "time_called", "both_flags", "draw_8f", "abandoned", "draw", "8d", "8e", "8g", "8h", "8i":
	default:
		return "unknown_claim"
	}
	if g.bothDown() { // any stop notices them (D9)
		g.draw("both_flags", "8c", at, f)
		return ""
	}
	switch claim {
	case "illegal":
		if !g.Claimable(by) {
			return g.nothingIllegal(by, at, f)
		}
		return g.illegalWon(by, "illegal_move", at, f)
	case "king":
		return g.illegalWon(by, "king_capture", at, f)
	case "time":
		return g.timeClaim(by, at, f)
	case "time_called":
		if !g.Flag[by.Other()] { // an arbiter gave time while it was judged
			return "flag_up"
		}
		g.timeWon(by, "time_called", at, f)
		return ""
	case "both_flags":
		return "not_met"
	case "draw_8f":
		return g.claim8f(by, by, at, f)
	case "abandoned":
		return g.abandoned(by, at, f)
	}
	return g.appeal(by, claim, at, f)
}

// nothingIllegal answers a claim that has nothing to rest on.
func (g *Game) nothingIllegal(by Color, at int64, f *[]Fact) string {
	if g.hand != nil && g.hand.by != by {
		return "not_completed"
	}
	return g.deny(by, "illegal", "no_illegal_move", at, f)
}

// illegalWon decides a good claim of an illegal move (7d).
func (g *Game) illegalWon(by Color, reason string, at int64, f *[]Fact) string {
	l := g.last()
	if l.onlyAdjacent && g.adjacencyBy() == by {
		return "cheap_shot"
	}
	if ok, entry := g.mates(&l.before, by); ok {
		g.win(by, reason, "7d", at, f)
	} else {
		g.draw("illegal_move_insufficient_material", insufficient(entry), at, f)
	}
	return ""
}

// insufficient cites 8f and the entry of section 8 that leaves no mating material.
func insufficient(entry string) string {
	if entry == "" {
		return "8f"
	}
	return "8f+" + entry
}

func (g *Game) timeClaim(by Color, at int64, f *[]Fact) string {
	switch {
	case g.Flag[by.Other()]:
		g.timeWon(by, "time", at, f)
		return ""
	case g.Flag[by]:
		return g.deny(by, "time", "own_flag_down", at, f)
	}
	return g.deny(by, "time", "flag_up", at, f)
}

// timeWon decides a fallen flag (7c).
func (g *Game) timeWon(by Color, reason string, at int64, f *[]Fact) {
	if ok, entry := g.matesTwice(by); ok {
		g.win(by, reason, "7c", at, f)
	} else {
		g.draw("time_insufficient_material", insufficient(entry), at, f)
	}
}

// matesTwice asks for mating material now and when the flag of the other side fell (D13).
func (g *Game) matesTwice(by Color) (ok bool, entry string) {
	now := g.basis()
	if ok, entry = g.mates(&now, by); !ok {
		return false, entry
	}
	return g.mates(&g.fellOn[by.Other()], by)
}

// abandoned is a claim against a player who is away on move (D33 c).
func (g *Game) abandoned(by Color, at int64, f *[]Fact) string {
	opp := by.Other()
	away := g.Terms.Presence && g.Terms.Abandonment && g.released[0] && g.released[1] && g.Turn() == opp && !g.here[opp] &&
		at-max(g.hereAt[opp], g.turnAt, g.resumed) >= 60_000
	if g.Phase != Judging && (!away || g.Phase != Playing) {
		return "not_away"
	}
	var ok bool
	switch b := g.Position(); {
	case g.wbca():
		now := g.basis()
		ok, _ = g.mates(&now, by)
	case g.fide():
		ok = g.possible(&b, by)
	default:
		ok = g.usMates(&b, by)
	}
	if !ok {
		return "no_material"
	}
	g.win(by, "abandoned", "", at, f)
	return ""
}

// Resign gives the game to the opponent, whatever the material, the flags, or what is being judged (7b).
func (g *Game) Resign(by Color, at int64) Result {
	if g.Phase == Over {
		return refuse("game_over")
	}
	var f []Fact
	rule := map[string]string{"wbca": "7b", "uscf": "13B", "cca": "13B", "fide": "5.1.2"}[g.Terms.Rules]
	g.win(by.Other(), "resignation", rule, at, &f)
	return Result{Code: OK, Facts: f}
}

// Wrong claims that cost nothing (D30).
const (
	freeFalsehoods = 1 // false illegal-move claims and refused retractions
	freeFlagClaims = 3 // time claims against a flag that is up
)

// deny counts a wrong claim; beyond the free ones each gives the opponent a minute (D30).
func (g *Game) deny(by Color, claim, code string, at int64, f *[]Fact) string {
	if !g.Terms.Ladder {
		return code
	}
	count, free := &g.falsehoods[by], freeFalsehoods
	if claim == "time" {
		count, free = &g.flagUps[by], freeFlagClaims
	}
	*count++
	g.denials[by]++
	fact := Fact{K: "denied", By: by, Claim: claim, Code: code}
	if *count > free {
		fact.Add = 60_000
		g.give(by.Other(), fact.Add, at)
	}
	*f = append(*f, fact)
	return ""
}

// penalise denies a claim with time for the opponent, or off the claimant's clock.
func (g *Game) penalise(by Color, claim, code string, add, take int64, at int64, f *[]Fact) {
	g.denials[by]++
	*f = append(*f, Fact{K: "denied", By: by, Claim: claim, Code: code, Add: add, Take: take})
	if add > 0 {
		g.give(by.Other(), add, at)
	}
	if take > 0 {
		g.take(by, take, at, f)
	}
}

// Offers ---------------------------------------------------------------------------------------------------------------

// talk refuses agreements where they are not possible: before the start, while a claim is judged, after the end.
func (g *Game) talk() (Result, bool) {
	if g.Phase == Disputed {
		return Result{}, false
	}
	return g.ready(false)
}

// OfferDraw makes a draw offer (8b, D27).
func (g *Game) OfferDraw(by Color, at int64) Result {
	if r, stop := g.talk(); stop {
		return r
	}
	switch {
	case g.fide() && (g.moves(board.White) == 0 || g.moves(board.Black) == 0):
		return refuse("both_must_have_moved")
	case g.Offer != Nobody:
		return loose("offer_open")
	case g.muted[by.Other()]:
		return loose("muted")
	case g.refusedAt[by] >= 0 && g.moves(by) < g.refusedAt[by]+10:
		return loose("offer_wait")
	}
	g.Offer = by
	return g.did(by, at, Result{Code: OK, Facts: []Fact{{K: "offer", By: by}}})
}

// Answer accepts or declines the opponent's open offer.
func (g *Game) Answer(by Color, accept bool, at int64) Result {
	if r, stop := g.talk(); stop {
		return r
	}
	if g.Offer != by.Other() {
		return refuse("no_offer")
	}
	var f []Fact
	if accept {
		rule := map[string]string{"wbca": "8b", "uscf": "14B", "cca": "14B", "fide": "5.2.3"}[g.Terms.Rules]
		g.Offer = Nobody
		g.draw("agreement", rule, at, &f)
	} else {
		g.lapse(&f)
	}
	return g.did(by, at, Result{Code: OK, Facts: f})
}

// Mute takes no more offers of the opponent.
func (g *Game) Mute(by Color, at int64) Result {
	if r, stop := g.ready(false); stop {
		return r
	}
	if g.muted[by] {
		return Result{Code: OK}
	}
	g.muted[by] = true
	return g.did(by, at, Result{Code: OK, Facts: []Fact{{K: "muted", By: by}}})
}

// lapse ends the open offer; it counts as refused.
func (g *Game) lapse(f *[]Fact) {
	g.refusedAt[g.Offer] = g.moves(g.Offer)
	*f = append(*f, Fact{K: "decline", By: g.Offer.Other()})
	g.Offer = Nobody
}
