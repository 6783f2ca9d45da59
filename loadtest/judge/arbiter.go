package judge

import (
	"flagfall/game/board"
	"flagfall/loadtest/model"
	"flagfall/server/wire"
)

// ruling is the arbiter's act that a step tells, nil where it tells none. What he has set - clocks, a rule that he cites -
// is his to choose; what follows from it is not.
func ruling(ev *wire.Events, told []wire.Event) *model.Ruling {
	if len(told) == 0 || told[0].K != "ruling" {
		return nil
	}
	e := &told[0]
	r := &model.Ruling{Act: e.Act, Side: model.Nobody, Clocks: [2]int64{ev.Clocks.W, ev.Clocks.B}, Score: e.Score}
	if c, err := board.ParseColor(e.By); err == nil {
		r.Side = c
	}
	if last := told[len(told)-1]; last.End != nil {
		r.Rule = number(last.End.Rule)
	}
	return r
}

// arbitrated is what the rules make of an act, after what time has brought.
func arbitrated(g *model.Game, act model.Ruling, at int64) model.Result {
	switch act.Act {
	case "warn", "minute", "loss", "delay", "unjust":
		if act.Side == model.Nobody {
			return model.Result{Code: "bad_ruling"}
		}
	}
	first := append(g.Called(at), g.Expire(at)...)
	r := g.Arbitrate(act, at)
	r.Facts = append(first, r.Facts...)
	return r
}

// learn takes from a dispute or a change of duty whether an arbiter was there before.
func (k *walker) learn(told []wire.Event) {
	for i := range told {
		switch e := &told[i]; {
		case !k.asks:
		case e.K == "dispute":
			k.asks = false
			for _, g := range k.games {
				g.Terms.OnDuty = e.Stops
			}
		case e.K == "ruling" && (e.Act == "duty" || e.Act == "offduty"):
			k.asks = false
		}
	}
}
