package model

// Ruling is what an arbiter does: duty, offduty, stop, resume, clocks, warn, minute, loss, result, annul, end, delay,
// unjust.
type Ruling struct {
	Act    string
	Side   Color // of a penalty
	Clocks [2]int64
	Score  string
	Rule   string
}

// Dispute calls the arbiter (10); with nobody on duty it is only written down (D28, D36).
func (g *Game) Dispute(by Color, at int64) Result {
	if r, stop := g.ready(false); stop {
		return r
	}
	if g.Phase != Playing {
		return loose("not_started")
	}
	if !g.Terms.OnDuty && g.disputes[by] == g.moves(by)+1 { // one for each own move
		return refuse("dispute_once")
	}
	if g.Terms.OnDuty {
		g.stand(at, Disputed)
	} else {
		g.disputes[by] = g.moves(by) + 1
	}
	return g.did(by, at, Result{Code: OK, Facts: []Fact{{K: "dispute", By: by, Yes: g.Terms.OnDuty}}})
}

// Arbitrate carries out an arbiter's act.
func (g *Game) Arbitrate(r Ruling, at int64) Result {
	if g.Phase == Over {
		return refuse("game_over")
	}
	if r.Act == "stop" && g.Phase != Playing || r.Act == "resume" && g.Phase != Disputed {
		return refuse("bad_ruling")
	}
	f := []Fact{{K: "ruling", By: Nobody}}
	give := func() {
		f[0].Add = 60_000
		g.give(r.Side.Other(), 60_000, at)
	}
	switch r.Act {
	case "duty", "offduty":
		g.Terms.OnDuty = r.Act == "duty"
	case "stop":
		g.stand(at, Disputed)
	case "resume":
		away := g.interrupted
		g.Resume(at)
		if g.interrupted = away && g.Terms.Presence && !g.here[g.Turn()]; g.interrupted {
			g.goOn(at, &f)
		}
		g.answer(at, &f)
	case "clocks":
		g.set(r.Clocks, at, &f)
	case "minute":
		give()
	case "unjust": // the second one costs a minute (D36)
		if g.unjust[r.Side]++; g.unjust[r.Side] > 1 {
			give()
		}
	case "loss":
		g.win(r.Side.Other(), "penalty", r.Rule, at, &f)
	case "result":
		g.finish(r.Score, "arbiter", r.Rule, at, &f)
	case "annul":
		g.finish("*", "annulled", "", at, &f)
	case "end": // the event is over
		g.finish("*", "after_bell", "", at, &f)
	case "delay":
		g.insertDelay(r.Side, at, &f)
	}
	g.call(at, &f)
	return Result{Code: OK, Facts: f}
}
