package model

import "flagfall/game/board"

// Left is the unsigned time of c at the given moment, before any flag is considered; it may be below zero while the
// flag is still up and a credit may save the move.
func (g *Game) Left(c Color, at int64) int64 {
	if g.Flag[c] {
		return 0
	}
	if c == g.Running {
		return g.Clock[c] - max(0, at-g.Began-g.delay)
	}
	return g.Clock[c]
}

// DelayLeft is what is left at the given moment of the delay of the running side's move.
func (g *Game) DelayLeft(at int64) int64 {
	if g.Running == Nobody {
		return g.delay
	}
	return max(0, g.delay-(at-g.Began))
}

// Over tells by how many ms the running side has used up its time at the given moment while its flag is still up.
func (g *Game) Over(at int64) (c Color, ms int64, ok bool) {
	falls, ok := g.falls()
	return g.Running, at - falls, ok && at >= falls
}

// falls is when the running side has used up its time.
func (g *Game) falls() (at int64, ok bool) {
	if g.Running == Nobody || g.Flag[g.Running] {
		return 0, false
	}
	return g.Began + g.delay + g.Clock[g.Running], true
}

// Settle charges the running side up to at.
func (g *Game) Settle(at int64) {
	if g.Running == Nobody {
		return
	}
	g.Clock[g.Running] = g.Left(g.Running, at)
	spent := at - g.Began
	g.used += spent
	g.delay = max(0, g.delay-spent)
	g.Began = at
}

// Start lets the clock of the side on move run from at.
func (g *Game) Start(at int64) {
	g.Phase, g.turnAt = Playing, at
	g.run(g.Turn(), at)
}

// run begins a move of c.
func (g *Game) run(c Color, at int64) {
	g.Running, g.Began, g.Turned, g.used, g.delay = c, at, at, 0, 0
	if g.Terms.Timing == "delay" {
		g.delay = g.Terms.Each
	}
}

// stop stands both clocks.
func (g *Game) stop(at int64) {
	g.Settle(at)
	if g.Running != Nobody {
		g.Clock[g.Running] = max(0, g.Clock[g.Running])
	}
	g.Running = Nobody
}

// stand stops the clocks for a while: a claim, a dispute, an outage.
func (g *Game) stand(at int64, phase string) {
	g.stop(at)
	g.Phase, g.stoodAt = phase, at
}

// Resume lets the clock that was stopped run on, in the same move.
func (g *Game) Resume(at int64) {
	g.Phase, g.resumed, g.known, g.interrupted = Playing, at, nil, false
	g.turnAt += at - g.stoodAt
	g.Running, g.Began, g.Turned = g.Turn(), at, at
}

// neutralise stops c's side at its press; a flag that is down stays down.
func (g *Game) neutralise(c Color, at int64) {
	var credit int64
	if len(g.Credits) > 0 {
		credit, g.Credits = g.Credits[0], g.Credits[1:]
	}
	g.Settle(at)
	if g.Flag[c] {
		return
	}
	g.Clock[c] = max(0, g.Clock[c]+credit)
	switch g.Terms.Timing {
	case "increment":
		g.Clock[c] += g.Terms.Each
	case "bronstein":
		g.Clock[c] += min(g.used-credit, g.Terms.Each)
	}
}

// Fall lets the flag of c fall at the given moment.
func (g *Game) Fall(c Color, at int64) {
	g.Settle(at)
	g.Flag[c], g.Clock[c] = true, 0
	g.fellOn[c], g.fellAt[c] = g.basis(), at
	switch {
	case g.fide():
		g.calls = append(g.calls, call{c.Other(), "flag"})
	case g.wbca() && g.Terms.CallFlags:
		g.calls = append(g.calls, call{c.Other(), "time"})
	}
}

// give adds time; a fallen flag goes up again.
func (g *Game) give(c Color, ms, at int64) {
	g.Settle(at)
	g.Clock[c] += ms
	g.Flag[c] = false
}

// take takes time, and the flag falls at nothing.
func (g *Game) take(c Color, ms, at int64, f *[]Fact) {
	g.Settle(at)
	g.Clock[c] = max(0, g.Clock[c]-ms)
	g.emptied(c, at, f)
}

// emptied lets the flag of a side fall that has no time left by somebody's decision.
func (g *Game) emptied(c Color, at int64, f *[]Fact) {
	if g.Clock[c] == 0 && !g.Flag[c] {
		g.Fall(c, at)
		*f = append(*f, Fact{K: "flag", By: c})
	}
}

// set is an arbiter's correction (18).
func (g *Game) set(ms [2]int64, at int64, f *[]Fact) {
	g.Settle(at)
	g.Clock = ms
	for c := range g.Clock {
		if ms[c] > 0 {
			g.Flag[c] = false
		}
	}
	for _, c := range []Color{board.White, board.Black} {
		g.emptied(c, at, f)
	}
}

// insertDelay is the delay clock of CCA 17: five seconds for every move from now on, this one too.
func (g *Game) insertDelay(claimant Color, at int64, f *[]Fact) {
	g.Settle(at)
	g.Clock[claimant] = min((g.Clock[claimant]+1)/2, 60_000)
	g.Terms.Timing, g.Terms.Each = "delay", 5_000
	if g.Phase != Waiting {
		g.delay = g.Terms.Each
	}
	*f = append(*f, Fact{K: "delay", By: claimant})
	g.emptied(claimant, at, f)
}

// Advance lets everything happen that time alone brings before a command at `at` is looked at.
func (g *Game) Advance(at int64) []Fact {
	var f []Fact
	if c, over, ok := g.Over(at); ok {
		g.Fall(c, at-over)
		f = append(f, Fact{K: "flag", By: c})
	}
	return append(append(f, g.Called(at)...), g.Expire(at)...)
}

// Calls tells whether a claim follows that the server makes for somebody.
func (g *Game) Calls() bool { return len(g.calls) > 0 && g.inquiry == nil }

// Called makes the claims that follow from a flag that has fallen, where the server makes them.
func (g *Game) Called(at int64) []Fact {
	var f []Fact
	g.call(at, &f)
	return f
}

// Expire ends the wait of a time claim for one of an illegal move, and a demonstration, whose time is up.
func (g *Game) Expire(at int64) []Fact {
	var f []Fact
	if g.inquiry != nil && g.inquiry.held > 0 && at >= g.inquiry.held {
		g.release10(at, &f)
	}
	if g.Phase == Showing && at >= g.show.due() {
		g.endShow(g.show.board.Turn() != g.show.by, at, &f)
	}
	return f
}
