package model

import "flagfall/game/board"

// Presence notes that c has the table in front of him, or has not.
func (g *Game) Presence(c Color, here bool, at int64) Result {
	var f []Fact
	if g.Phase == Over {
		return Result{Code: OK}
	}
	if g.here[c] != here {
		g.here[c], g.hereAt[c] = here, at
		f = append(f, Fact{K: map[bool]string{true: "here", false: "away"}[here], By: c})
		g.acted[c] = at
	}
	if g.Phase == Waiting && g.here[0] && g.here[1] {
		g.Start(at)
		f = append(f, Fact{K: "start", By: Nobody})
	}
	return Result{Code: OK, Facts: f}
}

// Suspend stops the clocks with what the server says was left when it was away.
func (g *Game) Suspend(left [2]int64, at int64) {
	switch g.Phase {
	case Playing:
		g.stand(at, Paused)
	case Paused:
	default:
		g.interrupted = true
	}
	g.Clock, g.pausedAt = left, at
	g.here, g.hereAt = [2]bool{}, [2]int64{at, at}
}

// Wake lets a clock that the server's absence stopped run on, since the side on turn is back.
func (g *Game) Wake(by Color, at int64) []Fact {
	if g.Phase != Paused || by != g.Turn() {
		return nil
	}
	g.Resume(at)
	return []Fact{{K: "resume", By: Nobody}}
}

// Outage stops the clocks since the server was away for gap ms: the side on move is charged elapsed of them at most,
// and is left a second, or what he had.
func (g *Game) Outage(elapsed, gap, at int64) Result {
	var f []Fact
	switch {
	case g.Phase == Over:
		return Result{Code: OK}
	case gap > 180_000:
		g.finish("*", "outage", "", at, &f)
		return Result{Code: OK, Facts: f}
	case g.Phase == Playing || g.Phase == Paused:
		if c := g.Running; c != Nobody && !g.Flag[c] {
			least := min(1000, max(0, g.Left(c, at-elapsed)))
			g.Settle(at)
			g.Clock[c] = max(g.Clock[c], least)
		}
		if g.Phase == Playing {
			g.stand(at, Paused)
		}
		g.pausedAt = at
		g.here, g.hereAt = [2]bool{}, [2]int64{at, at}
		return Result{Code: OK, Facts: []Fact{{K: "pause", By: Nobody}}}
	}
	if g.Phase != Waiting {
		g.interrupted, g.here, g.hereAt = true, [2]bool{}, [2]int64{at, at}
		return Result{Code: OK, Facts: []Fact{{K: "interrupted", By: Nobody}}}
	}
	for _, c := range []Color{board.White, board.Black} {
		if g.here[c] {
			g.here[c], g.hereAt[c], g.acted[c] = false, at, at
			f = append(f, Fact{K: "away", By: c})
		}
	}
	return Result{Code: OK, Facts: f}
}

// goOn lets the clock run that a claim or an arbiter stopped. If the server was away meanwhile it waits for the side on
// turn, as after any outage.
func (g *Game) goOn(at int64, f *[]Fact) {
	if !g.interrupted || !g.Terms.Presence || g.here[g.Turn()] {
		g.Resume(at)
		*f = append(*f, Fact{K: "resume", By: Nobody})
		return
	}
	if g.Phase == Playing {
		g.stand(at, Paused)
	}
	g.Phase, g.pausedAt, g.known, g.interrupted = Paused, at, nil, false
	*f = append(*f, Fact{K: "waited", By: Nobody})
}

// Tick does what is due.
func (g *Game) Tick(at int64) []Fact {
	var f []Fact
	due, ok := g.due()
	if g.Phase == Over || !ok || at < due {
		return nil
	}
	switch g.Phase {
	case Waiting:
		if !g.here[0] && !g.here[1] {
			g.finish("*", "absent", "", at, &f)
			return f
		}
		g.Start(at)
		f = append(f, Fact{K: "start", By: Nobody})
	case Paused:
		g.Resume(at)
		f = append(f, Fact{K: "resume", By: Nobody})
	case Disputed:
		g.goOn(at, &f)
	case Playing:
		g.tickPlay(at, &f)
	}
	if g.Phase == Playing && len(f) > 0 && f[0].K == "resume" {
		if what, t := g.duePlay(); what == "both" && at >= t {
			g.tickPlay(at, &f)
		}
	}
	return f
}

func (g *Game) tickPlay(at int64, f *[]Fact) {
	switch what, _ := g.duePlay(); what {
	case "first":
		g.finish("*", "no_first_move", "", at, f)
	case "both":
		rule := map[string]string{"wbca": "8c", "uscf": "14G", "cca": "13"}[g.Terms.Rules]
		g.draw("both_flags", rule, at, f)
	case "flag":
		c := board.White
		if g.Flag[board.White] {
			c = board.Black
		}
		if g.here[c] {
			g.judge(call{c, "time_called"}, at, f)
		} else {
			g.draw("unclaimed_flag", "", at, f)
		}
	}
}

// Due is when something happens by itself.
func (g *Game) Due() (int64, bool) {
	at, ok := g.due()
	if falls, runs := g.falls(); runs && (!ok || falls < at) {
		return falls, true
	}
	return at, ok
}

// due is Due without the fall of a flag.
func (g *Game) due() (int64, bool) {
	switch g.Phase {
	case Waiting:
		switch {
		case g.here[0] && g.here[1]:
			return 0, false
		case g.here[0]:
			return g.hereAt[0] + 10_000, true
		case g.here[1]:
			return g.hereAt[1] + 10_000, true
		}
		return max(g.hereAt[0], g.hereAt[1]) + 30_000, true
	case Paused:
		return g.pausedAt + 30_000, true
	case Disputed:
		return g.stoodAt + 180_000, true
	case Judging:
		if g.inquiry.held > 0 {
			return g.inquiry.held, true
		}
	case Showing:
		return g.show.due(), true
	case Playing:
		what, at := g.duePlay()
		return at, what != ""
	}
	return 0, false
}

// duePlay is what comes by itself while the clocks run, and when (D9, D33).
func (g *Game) duePlay() (what string, at int64) {
	first := func(name string, t int64) {
		if what == "" || t < at {
			what, at = name, t
		}
	}
	t := &g.Terms
	if c := g.Turn(); t.Presence && t.FirstMove > 0 && !g.released[c] && (g.queue == nil || g.queue.by != c) {
		first("first", g.turnAt+t.FirstMove)
	}
	switch {
	case g.bothDown():
		if t.BothFlagsIdle > 0 {
			first("both", max(g.fellAt[0], g.fellAt[1])+t.BothFlagsIdle)
		}
	case t.Presence:
		for c := range g.Flag {
			if g.Flag[c] {
				first("flag", max(g.fellAt[c], g.acted[1-c], g.resumed)+60_000)
			}
		}
	}
	return what, at
}
