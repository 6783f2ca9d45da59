package game

// DisputeAtMost is how long an arbiter on duty has to rule (D36), in milliseconds.
const DisputeAtMost = 180000

// Ruling is what an arbiter does. Who and Why are recorded and told to the players.
type Ruling struct {
	Act    Act      `json:"act"`
	Who    string   `json:"who"`              // the arbiter
	Why    string   `json:"why"`              // in his words
	Side   Side     `json:"side"`             // of a penalty: who gets it
	Clocks [2]int64 `json:"clocks,omitempty"` // of a correction: what both have left, ms
	Score  Score    `json:"score,omitempty"`  // of a result
	Rule   string   `json:"rule,omitempty"`   // of a penalty: "4" or "9", or what it rests on
}

// Act is a power of the arbiter.
type Act string

// The acts.
const (
	ActDuty    Act = "duty"    // an arbiter is there: disputes stop the clocks
	ActOffDuty Act = "offduty" // none is
	ActStop    Act = "stop"    // both clocks (WBCA 10)
	ActResume  Act = "resume"  // the clock that ran runs on
	ActClocks  Act = "clocks"  // corrects both (WBCA 18)
	ActWarn    Act = "warn"    // the first step of a ladder (WBCA 4, 9)
	ActMinute  Act = "minute"  // a minute for the opponent
	ActLoss    Act = "loss"    // the last step
	ActResult  Act = "result"  // sets the result
	ActAnnul   Act = "annul"   // the game does not count, a new one is ordered (WBCA 12)
	ActEnd     Act = "end"     // the event is over, and the game does not count
	ActDelay   Act = "delay"   // a delay clock for a losing-chances claim of the side (CCA 17)
	ActUnjust  Act = "unjust"  // the dispute was without reason
)

// arbiterMinute is one minute of a penalty, in milliseconds.
const arbiterMinute = 60000

// dispute stops the clocks where an arbiter is on duty, and else is only written down (D28, D36).
func (d *draft) dispute(by Side) error {
	if d.phase != Play {
		return refuse(ClocksStopped)
	}
	if !d.onDuty && d.disputed[by] == d.ownMoves(by)+1 {
		return refuse(DisputeOnce)
	}
	d.emit(Event{Kind: Disputed, By: by, Stops: d.onDuty})
	return nil
}

// rule carries out an arbiter's act.
func (d *draft) rule(c Command) error {
	r := c.Ruling
	if r == nil || r.Who == "" || r.Why == "" {
		return &Refusal{Code: BadRuling, Detail: "who and why are needed"}
	}
	if err := d.possibleRuling(r); err != nil {
		return err
	}
	d.punish(Event{Kind: Ruled, By: None, Ruling: r, Add: d.ruledTime(r)})
	switch r.Act {
	case ActResult:
		d.finish(Result{Score: r.Score, Reason: "arbiter", Rule: r.Rule})
	case ActLoss:
		d.end(r.Side.Other(), "penalty", r.Rule)
	case ActAnnul:
		d.voidFor("annulled")
	case ActEnd:
		d.voidFor("after_bell")
	case ActResume:
		if d.away() {
			d.emit(Event{Kind: Waited, By: None})
		}
		d.answer()
	case ActDelay:
		d.insertDelay(r.Side, "")
	}
	return nil
}

func (d *draft) possibleRuling(r *Ruling) error {
	bad := func(detail string) error { return &Refusal{Code: BadRuling, Detail: detail} }
	switch r.Act {
	case ActDuty, ActOffDuty, ActAnnul, ActEnd:
		return nil
	case ActStop:
		if d.phase != Play {
			return bad("the clocks stand already")
		}
	case ActResume:
		if d.phase != Disputing {
			return bad("the clocks were not stopped for an arbiter")
		}
	case ActClocks:
		for _, ms := range r.Clocks {
			if ms < 0 || ms > MaxBase {
				return bad("the clocks must be between 0 and the most that a game may have")
			}
		}
	case ActWarn, ActMinute, ActLoss, ActUnjust, ActDelay:
		if r.Side >= None {
			return bad("a penalty needs a side")
		}
	case ActResult:
		if r.Score != WhiteWins && r.Score != BlackWins && r.Score != Draw {
			return bad("a result is 1-0, 0-1 or 1/2-1/2")
		}
	default:
		return bad("the act is not known")
	}
	return nil
}

// ruledTime is what an act gives the opponent of its side: a minute, or for an unjustified dispute a minute from the
// second one on (D36).
func (d *draft) ruledTime(r *Ruling) int64 {
	switch {
	case r.Act == ActMinute, r.Act == ActUnjust && d.unjust[r.Side] >= 1:
		return arbiterMinute
	}
	return 0
}

func (g *Game) applyArbiter(e Event) {
	if e.Kind == Disputed {
		if !e.Stops {
			g.disputed[e.By] = g.ownMoves(e.By) + 1
		}
		if e.Stops {
			g.stopForClaim(e.At)
			g.phase = Disputing
		}
		return
	}
	r := e.Ruling
	if e.Add > 0 {
		g.clock.Add(r.Side.Other(), e.Add, e.At)
	}
	switch r.Act {
	case ActDuty:
		g.onDuty = true
	case ActOffDuty:
		g.onDuty = false
	case ActStop:
		g.stopForClaim(e.At)
		g.phase = Disputing
	case ActResume:
		interrupted := g.interrupted
		g.resume(e.At)
		g.interrupted = interrupted // until it is seen whether the side on move is there
	case ActClocks:
		for _, side := range [2]Side{White, Black} {
			g.clock.Correct(side, r.Clocks[side], e.At)
		}
	case ActUnjust:
		g.unjust[r.Side]++
	}
}

// tickDispute ends a dispute that no arbiter has ruled on in time: play goes on, and the dispute stands in the log.
func (d *draft) tickDispute() {
	if d.at >= d.stoodAt+DisputeAtMost {
		d.goOn()
	}
}
