package model

// Claim is a stop of the clocks: illegal, time, both_flags, draw_8f or draw.
func (g *Game) Claim(by Color, claim string, at int64) Result {
	if g.End != nil {
		return refuse("game_over")
	}
	var facts []Fact
	accepted := Result{Code: Accepted}
	switch claim {
	case "illegal":
		return g.claimIllegal(by, at)
	case "time":
		return g.claimTime(by, at)
	case "both_flags":
		if !g.bothDown() {
			return refuse("not_met")
		}
		g.draw("both_flags", "8c", &facts)
	case "draw_8f", "draw":
		if !g.claimDraw(by, &facts) {
			return Result{Code: "not_met", Loose: true}
		}
	default:
		return refuse("not_in_ruleset")
	}
	accepted.Facts = facts
	return accepted
}

func (g *Game) claimIllegal(by Color, at int64) Result {
	var facts []Fact
	switch {
	case g.bothDown():
		g.draw("both_flags", "8c", &facts)
	case !g.Claimable(by):
		if g.pending != nil && g.pending.by != by {
			return refuse("not_completed")
		}
		return g.deny(by, "illegal", "no_illegal_move", at)
	case g.last.adj && g.author == by:
		return refuse("cheap_shot")
	default:
		g.judgeIllegal(by, "illegal_move", &facts)
	}
	return Result{Code: Accepted, Facts: facts}
}

// judgeIllegal decides a good claim of an illegal move by `by`, made by stopping the clocks or by taking the king (7d).
func (g *Game) judgeIllegal(by Color, reason string, facts *[]Fact) {
	if g.bothDown() {
		g.draw("both_flags", "8c", facts)
		return
	}
	ok, entry := mates(&g.last.before, by)
	if ok {
		g.win(by, reason, "7d", facts)
		return
	}
	g.draw("illegal_move_insufficient_material", insufficient(entry), facts)
}

// insufficient cites 8f and the entry of section 8 that leaves no mating material.
func insufficient(entry string) string {
	if entry == "" {
		return "8f"
	}
	return "8f+" + entry
}

func (g *Game) claimTime(by Color, at int64) Result {
	var facts []Fact
	opp := by.Other()
	switch {
	case g.bothDown():
		g.draw("both_flags", "8c", &facts)
	case !g.Flag[opp] && g.Flag[by]:
		return g.deny(by, "time", "own_flag_down", at)
	case !g.Flag[opp]:
		return g.deny(by, "time", "flag_up", at)
	default:
		now := g.basis()
		if ok, entry := matesThroughout(&g.basisFell[opp], &now, by); ok {
			g.win(by, "time", "7c", &facts)
		} else {
			g.draw("time_insufficient_material", insufficient(entry), &facts)
		}
	}
	return Result{Code: Accepted, Facts: facts}
}

// matesThroughout asks for mating material both when the flag fell and now (D13).
func matesThroughout(fell, now *Board, c Color) (bool, string) {
	if ok, entry := mates(now, c); !ok {
		return false, entry
	}
	return mates(fell, c)
}

func (g *Game) claimDraw(by Color, facts *[]Fact) bool {
	opp := by.Other()
	if g.bothDown() {
		g.draw("both_flags", "8c", facts)
		return true
	}
	now := g.basis()
	if !g.Flag[by] || g.Flag[opp] || g.Claimable(opp) {
		return false
	}
	ok, entry := matesThroughout(&g.basisFell[by], &now, opp)
	if ok {
		return false
	}
	g.draw("time_insufficient_material", insufficient(entry), facts)
	return true
}

// Resign gives the game to the opponent, whatever the material or the flags (7b).
func (g *Game) Resign(by Color) Result {
	if g.End != nil {
		return refuse("game_over")
	}
	var facts []Fact
	g.win(by.Other(), "resignation", "7b", &facts)
	return Result{Code: OK, Facts: facts}
}

// OfferDraw makes a draw offer (8b, D27).
func (g *Game) OfferDraw(by Color) Result {
	o := &g.offers[by]
	switch {
	case g.End != nil:
		return refuse("game_over")
	case g.muted[by.Other()]:
		return Result{Code: "muted", Loose: true}
	case g.Offer != Nobody:
		return Result{Code: "offer_open", Loose: true}
	case o.lastAt == o.moves, o.refused >= 0 && o.moves < o.refused+10:
		return Result{Code: "offer_too_soon", Loose: true}
	}
	g.Offer, o.lastAt = by, o.moves
	return Result{Code: OK, Facts: []Fact{{K: "offer", By: by}}}
}

// Answer accepts or declines the opponent's open offer.
func (g *Game) Answer(by Color, accept bool) Result {
	if g.End != nil {
		return refuse("game_over")
	}
	if g.Offer != by.Other() {
		return refuse("no_offer")
	}
	var facts []Fact
	if accept {
		g.Offer = Nobody
		g.draw("agreement", "8b", &facts)
	} else {
		g.lapse(&facts)
	}
	return Result{Code: OK, Facts: facts}
}

// Mute takes no more offers of the opponent.
func (g *Game) Mute(by Color) Result {
	if g.End != nil {
		return refuse("game_over")
	}
	g.muted[by] = true
	return Result{Code: OK, Facts: []Fact{{K: "muted", By: by}}}
}

// lapse ends the open offer; it counts as refused.
func (g *Game) lapse(facts *[]Fact) {
	o := &g.offers[g.Offer]
	o.refused = o.moves
	*facts = append(*facts, Fact{K: "decline", By: g.Offer.Other()})
	g.Offer = Nobody
}
