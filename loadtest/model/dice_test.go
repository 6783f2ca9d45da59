package model_test

import (
	"hash/fnv"
	"math/rand/v2"

	"flagfall/clock"
	"flagfall/game"
	"flagfall/game/board"
	"flagfall/game/endgame"
	"flagfall/loadtest/model"
)

// glanceNodes is how far the engine looks for a possible mate before it asks for a proof.
const glanceNodes = 50

// alwaysLooked is up to how many men the engine looks for a locked position at every release.
const alwaysLooked = 5

// glance is what the engine sees at once of possible mates; it is tested elsewhere.
func glance(b *model.Board, side model.Color) model.Verdict {
	switch endgame.Helpmate(*b, side, glanceNodes) {
	case endgame.MatePossible:
		return model.Yes
	case endgame.MateImpossible:
		return model.No
	}
	return model.Undecided
}

// oracle is the answer to a question: anything, but always the same.
func oracle(q game.Question) game.Verdict {
	h := fnv.New32a()
	h.Write([]byte(string(q.Kind) + q.FEN + q.Side.String()))
	switch h.Sum32() % 3 {
	case 0:
		return game.Proved
	case 1:
		return game.Refuted
	}
	return game.Undecided
}

// dice throw everything random in one game.
type dice struct {
	*rand.Rand
	steps []step
	style struct{ illegal, capture, repeat, claims, haste float64 }
}

func (d *dice) chance(p float64) bool { return d.Float64() < p }

func pick[T any](d *dice, from ...T) T { return from[d.IntN(len(from))] }

// starts are positions that games begin with: the usual one, endings of section 8, perpetual checks, few men, promotions.
var starts = []string{
	"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
	"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
	"6k1/6p1/8/7Q/8/8/qr4PP/7K w - - 0 1", "7k/QR4pp/8/8/7q/8/6P1/6K1 b - - 0 1",
	"6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "4k3/8/8/8/4p3/8/3P4/4K2R w K - 0 1",
	"8/8/3k4/8/8/3K4/R7/7r w - - 0 1", "8/8/3k4/q7/8/8/5Q2/6K1 w - - 0 1", "8/8/3k4/2b5/8/3K4/6B1/8 w - - 0 1",
	"8/8/8/8/8/1K6/8/kn2N3 w - - 0 1", "8/8/1n1k4/8/8/3K4/6B1/8 w - - 0 1", "8/k7/P7/2K5/8/8/7R/6r1 w - - 0 1",
	"7r/8/8/2k5/p7/K7/8/1R6 b - - 0 1", "k7/8/P7/8/2K5/8/7R/6r1 w - - 0 1", "8/4k3/8/4b3/4P3/4K3/8/5B2 b - - 0 1",
	"8/8/6b1/k6p/P6P/K3B3/8/8 b - - 0 1", "8/8/k5b1/7p/P1K4P/4B3/8/8 b - - 0 1", "8/4b3/8/k6p/P5P1/3B4/1K6/8 b - - 0 1",
	"k7/8/8/P7/8/1K6/8/8 b - - 0 1",
	"8/4k3/4P3/8/4K3/8/8/8 b - - 0 1", "8/8/4k3/8/4p3/4K3/8/8 w - - 0 1", "4k3/4P3/3K4/8/8/8/8/8 b - - 0 1",
	"8/8/8/8/8/p2N4/k1K5/8 w - - 0 1", "8/8/8/8/8/p7/2K5/k1B5 b - - 0 1", "8/7p/8/3k4/8/3K1N2/8/8 b - - 0 1",
	"8/8/8/4k3/2b5/8/P7/4K3 w - - 0 1", "8/8/8/3k4/2b5/8/8/KNN5 b - - 0 1", "8/7p/8/3k4/8/8/8/KNN5 b - - 0 1",
	"8/8/8/3k4/8/8/8/KNN5 b - - 0 1", "8/8/3k4/8/8/3K4/Q7/8 w - - 0 1", "8/P6k/8/8/8/8/p7/7K w - - 0 1",
	"8/PP4k1/8/8/8/8/1p4K1/8 w - - 0 1", "8/8/3k4/8/8/3K4/R7/7r w - - 96 90", "8/8/3k4/8/8/3K4/R7/7r b - - 145 90",
	"4k2r/8/8/8/8/8/r7/4K2R w K - 0 1", "8/8/8/3k4/8/3K4/7R/8 w - - 0 1", "3k4/8/3K4/8/8/8/8/R7 w - - 0 1",
	"8/8/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/4K1B1/1k6 w - - 0 1", "5k2/8/8/pp6/PP6/8/8/3K2B1 w - - 0 1", "7k/8/6KN/8/8/8/7p/8 w - - 0 1",
	"8/2k5/8/2K5/8/8/1b6/2B5 w - - 0 1", "8/8/4k3/3r4/8/4K3/4P3/8 w - - 0 1", "8/2pk4/8/8/8/8/4KP2/3B1b2 w - - 0 1",
}

func (d *dice) setup() *game.Setup {
	s := &game.Setup{RuleSet: pick(d, "wbca", "wbca", "wbca", "uscf", "cca", "fide"), Mode: pick(d, game.OverTheBoard, game.OverTheBoard, game.Fast)}
	s.FEN = pick(d, starts...)
	if d.chance(0.15) {
		s.FEN = starts[0]
	}
	for side := range s.Base {
		s.Base[side] = pick[int64](d, 300, 1500, 5000, 20_000, 70_000, 125_000, 300_000)
	}
	if s.RuleSet != "wbca" && d.chance(0.5) || d.chance(0.1) {
		s.Timing = clock.Timing{Kind: pick(d, clock.Fischer, clock.USDelay, clock.Bronstein), Ms: pick[int64](d, 1, 200, 2000, 5000)}
	}
	o := &s.Options
	o.Ladder, o.Presence, o.OnDuty, o.DelayClock = d.chance(0.7), d.chance(0.3), d.chance(0.3), d.chance(0.6)
	o.ArbiterCallsFlags, o.ArbiterCallsIllegal = d.chance(0.15), d.chance(0.15)
	o.AddPenalty, o.WideRookPawn, o.Abandonment = d.chance(0.3), d.chance(0.4), d.chance(0.8)
	if s.RuleSet == "wbca" && d.chance(0.3) {
		o.Window = pick[int64](d, 1, 50)
	}
	if d.chance(0.8) {
		o.BothFlagsIdle = pick[int64](d, 2000, 60_000)
	}
	if d.chance(0.7) {
		o.FirstMove = 20_000
	}
	d.style.illegal = pick(d, 0.02, 0.1, 0.35)
	d.style.capture = pick(d, 0.05, 0.5)
	d.style.repeat = pick(d, 0, 0.3, 0.9, 0.97)
	d.style.claims = pick(d, 0.02, 0.08, 0.3)
	d.style.haste = pick(d, 0.9, 0.97, 0.999)
	if d.chance(0.25) { // a long game without much ado
		d.style.illegal, d.style.claims, d.style.haste = 0.01, 0.01, 0.9995
		d.style.repeat = pick(d, 0.3, 0.97, 0.97)
		s.Base = [2]int64{125_000, 300_000}
		if d.chance(0.4) {
			s.FEN = pick(d, starts[2:4]...)
		}
	}
	return s
}

// play plays one game until it is over, or long, or the two differ.
func (d *dice) play(p *pair) (steps []step, difference string) {
	after := 0
	for n := 0; n < 240 && after < 3; n++ {
		at := p.at + d.pause(p)
		due, ok := p.engine.Deadline()
		for ok && due <= at && d.chance(0.93) {
			if s := (step{max(due, p.at), game.Command{Kind: game.Tick, By: game.None, Ply: game.AnyPly}}); true {
				d.steps = append(d.steps, s)
				if difference = p.do(s); difference != "" {
					return d.steps, difference
				}
			}
			due, ok = p.engine.Deadline()
		}
		c := d.command(p)
		if c.Ply == 0 {
			c.Ply = game.AnyPly
			if d.chance(0.1) {
				c.Ply = len(p.engine.Plies()) + pick(d, 0, 1, -1)
			}
		}
		s := step{at, c}
		d.steps = append(d.steps, s)
		if difference = p.do(s); difference != "" {
			return d.steps, difference
		}
		if p.engine.Phase() == game.Over {
			after++
		}
	}
	return d.steps, ""
}

// pause is the time until the next command.
func (d *dice) pause(p *pair) int64 {
	switch x := d.Float64(); {
	case x < 0.15:
		return 0
	case x > d.style.haste:
		return d.Int64N(70_000)
	case x > d.style.haste-0.03:
		if due, ok := p.engine.Deadline(); ok && due-p.at < 200_000 {
			return max(0, due-p.at+pick[int64](d, -1, 0, 1, 30))
		}
		return 1
	case d.away(p) && d.chance(0.1):
		return pick[int64](d, 59_999, 60_000, 61_000)
	case x < 0.8:
		return d.Int64N(100)
	}
	return d.Int64N(1200)
}

// away tells whether the side on turn has left the table, so that it may be claimed as abandoned.
func (d *dice) away(p *pair) bool {
	o, b := p.engine.Setup().Options, p.engine.Board()
	return o.Presence && o.Abandonment && !p.engine.Here(game.Side(b.Turn())) && p.engine.Phase() == game.Play
}

// command is what somebody does now.
func (d *dice) command(p *pair) game.Command {
	g := p.engine
	if q, _, waits := g.Asked(); waits && d.chance(0.7) {
		return game.Command{Kind: game.Prove, By: game.None, Question: &q, Verdict: oracle(q)}
	}
	by := pick(d, game.White, game.Black)
	b := g.Board()
	turn := game.Side(b.Turn())
	if d.chance(0.4) {
		by = turn
	}
	switch {
	case g.Phase() == game.Waiting && d.chance(0.7):
		return game.Command{Kind: game.Arrive, By: by}
	case g.Phase() == game.Demonstrating && d.chance(0.8):
		return d.demo(g)
	case g.Phase() == game.Disputing && d.chance(0.4):
		return d.ruling(g)
	}
	if d.chance(0.03) {
		return d.rare(g, by)
	}
	if d.chance(d.style.claims) || d.chance(0.3) && d.reason(p, by) {
		return game.Command{Kind: game.MakeClaim, By: by, Claim: d.claim(p, by)}
	}
	m, pending := g.Pending()
	switch {
	case pending == by:
		return d.inHand(&b, m, by)
	case turn == by:
		return game.Command{Kind: game.Release, By: by, Move: d.move(&b, g), Press: d.chance(0.6)}
	case pending == turn:
		if _, pressed, waits := g.Reply(); waits == by && !pressed {
			return game.Command{Kind: game.Press, By: by}
		}
		if d.chance(0.45) {
			next := b.Displace(m)
			return game.Command{Kind: game.Release, By: by, Move: d.move(&next, g), Press: d.chance(0.4)}
		}
		return d.inHand(&b, m, turn)
	}
	return game.Command{Kind: pick(d, game.Press, game.Release, game.Retract, game.Tick, game.OfferDraw), By: by, Move: d.move(&b, g)}
}

// inHand is what a player does with a man that he has released.
func (d *dice) inHand(b *board.Board, m board.Move, by game.Side) game.Command {
	retract := 0.02
	if !b.Legal(m) {
		retract = 0.3
	}
	switch x := d.Float64(); {
	case x < retract:
		return game.Command{Kind: game.Retract, By: by}
	case x < retract+0.02:
		return game.Command{Kind: game.Release, By: by, Move: m}
	}
	return game.Command{Kind: game.Press, By: by}
}

// move is a legal move, often one that goes back, checks or takes, or an illegal one.
func (d *dice) move(b *board.Board, g *game.Game) board.Move {
	if d.chance(d.style.illegal) || b.KingsAdjacent() && d.chance(0.4) {
		return d.illegal(b)
	}
	king := b.King(b.Turn().Other())
	var back, checks, takes, all []board.Move
	plies := g.Plies()
	for _, m := range b.AppendLegal(nil) {
		after := b.Displace(m)
		all = append(all, m)
		if len(plies) > 1 && m.From == plies[len(plies)-2].Move.To && m.To == plies[len(plies)-2].Move.From {
			back = append(back, m)
		}
		if after.InCheck(after.Turn()) && after.AnyLegal() {
			checks = append(checks, m)
		}
		if b.At(m.To) != board.NoPiece {
			takes = append(takes, m)
		}
	}
	for from, man := range b.Men() { // the king may be there to be taken
		if m := (board.Move{From: from, To: king}); man.Color() == b.Turn() && b.Pseudo(m) && d.chance(0.5) {
			return m
		}
	}
	for _, some := range []struct {
		moves []board.Move
		share float64
	}{{back, d.style.repeat}, {checks, d.style.repeat}, {takes, d.style.capture}, {all, 1}} {
		if len(some.moves) > 0 && d.chance(some.share) {
			m := pick(d, some.moves...)
			if m.Promo != board.NoKind && d.chance(0.4) {
				m.Promo = board.NoKind
			}
			return m
		}
	}
	return d.illegal(b)
}

// illegal is a displacement of any man, or one that only the king's safety forbids, or kings side by side.
func (d *dice) illegal(b *board.Board) board.Move {
	mine := b.King(b.Turn())
	if !b.KingsAdjacent() && d.chance(0.4) { // towards the other king
		theirs := b.King(b.Turn().Other())
		step := func(from, to int) int { return from + min(1, max(-1, to-from)) }
		to := board.Square(8*step(theirs.Rank(), mine.Rank()) + step(theirs.File(), mine.File()))
		return board.Move{From: mine, To: to}
	}
	var men []board.Square
	for s, man := range b.Men() {
		if man.Color() == b.Turn() && !(b.KingsAdjacent() && s == mine) || d.chance(0.1) {
			men = append(men, s)
		}
	}
	m := board.Move{From: pick(d, append(men, mine)...), To: board.Square(d.IntN(64))}
	if d.chance(0.02) {
		m.From = board.Square(d.IntN(64))
	}
	return m
}

// reason tells whether there is something to claim.
func (d *dice) reason(p *pair, by game.Side) bool {
	c := p.engine.Clock()
	return p.model.Claimable(model.Color(by)) || c.Down(game.White) || c.Down(game.Black) || p.engine.Seen() > 3 || d.away(p)
}

var wbcaClaims = []game.Claim{game.ClaimIllegal, game.ClaimTime, game.ClaimBothFlags, game.ClaimNoMating, game.ClaimAbandoned,
	game.ClaimDraw, game.ClaimDraw, game.ClaimPerpetual, game.ClaimIdentical, game.ClaimOpposite, game.ClaimPawn, game.ClaimRookPawn}

var otherClaims = []game.Claim{game.ClaimIllegal, game.ClaimIllegal, game.ClaimTime, game.ClaimBothFlags, game.ClaimAbandoned, game.ClaimDraw,
	game.ClaimThreefold, game.ClaimFifty, game.ClaimLosing}

func (d *dice) claim(p *pair, by game.Side) game.Claim {
	c := p.engine.Clock()
	switch {
	case p.model.Claimable(model.Color(by)) && d.chance(0.4):
		return game.ClaimIllegal
	case c.Down(by.Other()) && d.chance(0.4):
		return game.ClaimTime
	case c.Down(by) && d.chance(0.4):
		return game.ClaimNoMating
	case d.away(p) && d.chance(0.5):
		return game.ClaimAbandoned
	case p.engine.Seen() > 2 && d.chance(0.4):
		return pick(d, game.ClaimPerpetual, game.ClaimThreefold, game.ClaimDraw)
	case d.chance(0.01):
		return "nonsense"
	case (p.rules == "wbca") != d.chance(0.05):
		return pick(d, wbcaClaims...)
	}
	return pick(d, otherClaims...)
}

func (d *dice) demo(g *game.Game) game.Command {
	_, b, _, _ := g.Demo(0)
	by := game.Side(b.Turn())
	if d.chance(0.1) {
		by = by.Other()
	}
	if d.chance(0.15) {
		return game.Command{Kind: game.Concede, By: by}
	}
	moves := b.AppendLegal(nil)
	if len(moves) == 0 || d.chance(0.1) {
		return game.Command{Kind: game.DemoMove, By: by, Move: d.illegal(&b)}
	}
	m := pick(d, moves...)
	for _, take := range moves {
		if b.At(take.To) != board.NoPiece && d.chance(0.4) {
			m = take
		}
	}
	return game.Command{Kind: game.DemoMove, By: by, Move: m}
}

// rare is what seldom happens.
func (d *dice) rare(g *game.Game, by game.Side) game.Command {
	switch x := d.IntN(20); {
	case x < 2:
		return game.Command{Kind: game.Dispute, By: by}
	case x < 4:
		return d.ruling(g)
	case x < 8:
		return game.Command{Kind: pick(d, game.Arrive, game.Depart), By: by}
	case x < 12:
		return game.Command{Kind: game.OfferDraw, By: by}
	case x < 15:
		return game.Command{Kind: game.AnswerDraw, By: by, Accept: d.chance(0.3)}
	case x == 15 && d.chance(0.3):
		return game.Command{Kind: game.MuteOffers, By: by}
	case x == 16 && d.chance(0.3):
		return game.Command{Kind: game.Resign, By: by}
	case x == 17:
		gap := pick[int64](d, 500, 3000, 170_000, 181_000)
		return game.Command{Kind: game.Recover, By: game.None, Elapsed: d.Int64N(min(gap, 4000)), Gap: gap}
	case x == 18:
		return game.Command{Kind: pick(d, game.DemoMove, game.Concede), By: by}
	}
	return game.Command{Kind: game.Tick, By: game.None}
}

func (d *dice) ruling(g *game.Game) game.Command {
	r := &game.Ruling{Who: "arbiter", Why: "since he says so", Side: pick(d, game.White, game.Black)}
	r.Act = pick(d, game.ActDuty, game.ActOffDuty, game.ActStop, game.ActResume, game.ActResume, game.ActResume, game.ActClocks,
		game.ActWarn, game.ActMinute, game.ActMinute, game.ActDelay, game.ActUnjust, game.ActUnjust)
	if d.chance(0.1) {
		r.Act = pick(d, game.ActLoss, game.ActResult, game.ActAnnul)
	}
	switch r.Act {
	case game.ActClocks:
		r.Clocks = [2]int64{pick[int64](d, 0, 500, 70_000), pick[int64](d, 1000, 150_000)}
		if g.Setup().RuleSet == "fide" && r.Clocks[0] == 0 {
			r.Clocks[0] = 500 // two flags that an arbiter has made fall at once are called in an order of the engine's own
		}
		if d.chance(0.5) {
			r.Clocks[0], r.Clocks[1] = r.Clocks[1], r.Clocks[0]
		}
	case game.ActResult:
		r.Score = pick(d, game.WhiteWins, game.BlackWins, game.Draw)
	case game.ActLoss:
		r.Rule = pick(d, "4", "9")
	}
	return game.Command{Kind: game.Arbitrate, By: game.None, Ruling: r}
}
