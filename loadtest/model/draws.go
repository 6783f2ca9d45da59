package model

// claim8f is a draw since a flag fell and the other side has no mating material (8f, D6). While the opponent's illegal
// move is open, the claimant may also rest it on the board as he sees it (D5).
func (g *Game) claim8f(by, flagged Color, at int64, f *[]Fact) string {
	opp := flagged.Other()
	if !g.Flag[flagged] || g.Flag[opp] {
		return "not_met"
	}
	ok, entry := g.matesTwice(opp)
	if ok && g.Claimable(by) {
		seen := g.Position()
		ok, entry = g.mates(&seen, opp)
	}
	if ok {
		return "not_met"
	}
	g.draw("time_insufficient_material", insufficient(entry), at, f)
	return ""
}

var entries = []struct{ letter, reason string }{
	{"8h", "king_pawn"}, {"8i", "rook_pawn_blockade"}, {"8g", "opposite_bishops"}, {"8e", "identical_piece"},
}

// appeal is a claim of a lettered draw, or of whichever holds (13, D40).
func (g *Game) appeal(by Color, claim string, at int64, f *[]Fact) string {
	any := claim == "draw"
	if any { // whose flag ever it was (B.9)
		flagged := by
		if g.Flag[by.Other()] {
			flagged = by.Other()
		}
		if g.claim8f(by, flagged, at, f) == "" {
			return ""
		}
	}
	if (any || claim == "8d") && g.perpetual(by) {
		g.draw("perpetual", "8d", at, f)
		return ""
	}
	boards := []Board{g.basis()}
	if g.Claimable(by) {
		boards = append(boards, g.Position())
	}
	for _, e := range entries {
		if !any && claim != e.letter {
			continue
		}
		for i := range boards {
			b := &boards[i]
			if g.section8(b) == e.letter && (e.letter == "8h" || g.nobodyWins(b, by.Other())) {
				g.draw(e.reason, e.letter, at, f)
				return ""
			}
		}
	}
	if g.Terms.AddPenalty {
		g.penalise(by, claim, "penalty_60s", 60_000, 0, at, f)
	} else {
		g.penalise(by, claim, "penalty_60s", 0, 60_000, at, f)
	}
	return ""
}

// usClaim judges a claim under US Chess or CCA.
func (g *Game) usClaim(by Color, claim string, at int64, f *[]Fact) string {
	cca := g.cca()
	cite := func(uscf, other string) string {
		if cca {
			return other
		}
		return uscf
	}
	switch claim {
	case "draw_8f", "8d", "8e", "8g", "8h", "8i":
		return "not_in_ruleset"
	case "king":
		return "king_capture_use_claim"
	case "illegal":
		return g.correct(by, at, f)
	case "ilc":
		if !cca {
			return "not_in_ruleset"
		}
		return g.losingChances(by, at, f)
	case "draw":
		if b := g.Position(); g.Turn() == by && b.Halfmove() >= 100 {
			return g.usClaim(by, "fifty", at, f)
		}
		return g.usClaim(by, "threefold", at, f)
	case "threefold":
		return g.counted(by, claim, g.stood() >= 3, "threefold", cite("14C", "24"), at, f)
	case "fifty":
		b := g.Position()
		return g.counted(by, claim, b.Halfmove() >= 100, "fifty_moves", cite("14F1", "23"), at, f)
	case "time", "time_called", "both_flags", "abandoned":
	default:
		return "unknown_claim"
	}
	if g.bothDown() {
		g.draw("both_flags", cite("14G", "13"), at, f)
		return ""
	}
	switch {
	case claim == "both_flags":
		return "not_met"
	case claim == "abandoned":
		return g.abandoned(by, at, f)
	case g.Flag[by.Other()]:
		b := g.Position()
		reason := claim // "time" or "time_called"
		if g.usMates(&b, by) {
			g.win(by, reason, cite("13C", "12"), at, f)
		} else {
			g.draw("time_insufficient_material", cite("14E", "12"), at, f)
		}
		return ""
	case claim == "time_called":
		return "flag_up"
	case cca:
		g.penalise(by, claim, "penalty_120s_to_opponent", 120_000, 0, at, f)
		return ""
	case g.Flag[by]:
		return g.deny(by, claim, "own_flag_down", at, f)
	}
	return g.deny(by, claim, "flag_up", at, f)
}

// correct puts the position before the opponent's illegal move back (US Chess 11D, 16D1); two minutes to the claimant,
// by CCA 21 only if he has not touched a piece since.
func (g *Game) correct(by Color, at int64, f *[]Fact) string {
	i := g.offence(by)
	if i < 0 {
		return g.nothingIllegal(by, at, f)
	}
	add := int64(120_000)
	if g.cca() && g.touched[by] > i {
		add = 0
	}
	g.restore(i, add, false, at, f)
	return ""
}

// counted is a draw that the side on move claims, before its press.
func (g *Game) counted(by Color, claim string, met bool, reason, rule string, at int64, f *[]Fact) string {
	switch {
	case g.Turn() != by:
		return "not_on_move"
	case met:
		g.draw(reason, rule, at, f)
	case g.cca() && claim == "threefold":
		g.penalise(by, claim, "penalty_120s_to_opponent", 120_000, 0, at, f)
	case g.fide():
		g.penalise(by, claim, "penalty_60s_to_opponent", 60_000, 0, at, f)
	default:
		return "not_met"
	}
	return ""
}

// losingChances is CCA 15 to 17: the arbiter's business, or with nobody there the delay clock (D36).
func (g *Game) losingChances(by Color, at int64, f *[]Fact) string {
	switch {
	case g.Flag[by]:
		return "flag_down"
	case g.Turn() != by:
		return "not_on_move"
	case g.Terms.Timing != "" || g.Left(by, at) >= 120_000:
		return "not_met"
	case g.Terms.DelayClock && !g.Terms.OnDuty:
		g.insertDelay(by, at, f)
	default:
		g.stand(at, Disputed)
		*f = append(*f, Fact{K: "dispute", By: by, Yes: true})
	}
	return ""
}

// fideClaim judges a claim under FIDE: the arbiter sees flags and illegal moves himself.
func (g *Game) fideClaim(by Color, claim string, at int64, f *[]Fact) string {
	b := g.Position()
	switch claim {
	case "flag":
		if !g.Flag[by.Other()] {
			return "flag_up"
		}
		g.fideWon(by, "flag_arbiter", "6.5", at, f)
	case "second":
		g.fideWon(by, "second_illegal_move", "7.5.5", at, f)
	case "abandoned":
		return g.abandoned(by, at, f)
	case "threefold":
		return g.counted(by, claim, g.stood() >= 3, "threefold", "9.2", at, f)
	case "fifty":
		return g.counted(by, claim, b.Halfmove() >= 100, "fifty_moves", "9.3", at, f)
	case "draw":
		if b.Halfmove() >= 100 {
			return g.counted(by, claim, true, "fifty_moves", "9.3", at, f)
		}
		return g.counted(by, claim, g.stood() >= 3, "threefold", "9.2", at, f)
	case "illegal":
		return g.nothingIllegal(by, at, f)
	case "time", "both_flags":
		return "not_met"
	case "draw_8f", "ilc", "8d", "8e", "8g", "8h", "8i":
		return "not_in_ruleset"
	default:
		return "unknown_claim"
	}
	return ""
}

// fideWon ends the game for c, or as a draw if no series of legal moves lets him mate.
func (g *Game) fideWon(c Color, reason, rule string, at int64, f *[]Fact) {
	b := g.Position()
	if g.possible(&b, c) {
		g.win(c, reason, rule, at, f)
	} else {
		g.draw(reason+"_no_mate_possible", rule, at, f)
	}
}
