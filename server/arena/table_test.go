package arena

import (
	"errors"

	"flagfall/game"
	"flagfall/server/actor"
)

const disputeAtMost = 180000 // ms, by D36

// fakeTable is a table as far as rulings go: it carries each out once, lets play go on by itself after three minutes, and
// refuses what is not possible.
type fakeTable struct {
	duty    bool
	stopped int64 // since then, 0: the clocks run
	done    map[string]error
	result  *Outcome
}

// stands tells whether the clocks stand.
func (f *fakeTable) stands(at int64) bool {
	if f.stopped > 0 && at >= f.stopped+disputeAtMost {
		f.stopped = 0
	}
	return f.stopped > 0
}

func (f *fakeTable) rule(r *game.Ruling, at int64) error {
	stands := f.stands(at)
	switch {
	case f.result != nil:
		return errors.New("the game is over")
	case r.Act == game.ActStop && stands:
		return errors.New("the clocks stand already")
	case r.Act == game.ActResume && !stands:
		return errors.New("the clocks were not stopped for an arbiter")
	case r.Act == game.ActStop:
		f.stopped = at
	case r.Act == game.ActResume:
		f.stopped = 0
	case r.Act == game.ActDuty, r.Act == game.ActOffDuty:
		f.duty = r.Act == game.ActDuty
	case r.Act == game.ActAnnul:
		f.result, f.stopped = &Outcome{Score: game.Void, Reason: "annulled"}, 0
	case r.Act == game.ActLoss:
		f.result, f.stopped = &Outcome{Score: [2]game.Score{game.BlackWins, game.WhiteWins}[r.Side], Reason: "penalty"}, 0
	}
	return nil
}

// ruled carries a ruling out; now and then the answer is lost, and it comes again.
func (v *evening) ruled(do RuleGame) {
	f := v.tables[do.Game]
	if _, again := f.done[do.ID]; !again {
		f.done[do.ID] = f.rule(&do.Ruling, v.at)
		if f.result != nil {
			v.ends[do.Game] = v.at
		}
	}
	if !v.chance(10) {
		v.do(actor.Acked{Effect: do.ID, Err: f.done[do.ID]})
	}
}

// arbiter is r, who comes to the desk and leaves it, is on duty or not, rules, and freezes all boards now and then.
func (v *evening) arbiter() {
	if v.m.Phase != Running && v.m.Phase != LastGames {
		return
	}
	if v.chance(200) {
		v.do(Desk{Who: "r", Here: v.chance(2)})
	}
	if v.chance(300) {
		v.do(Duty{By: "r", On: v.chance(2)})
	}
	switch {
	case v.m.Frozen > 0 && v.chance(150) || v.m.Frozen == 0 && v.chance(1500):
		v.do(Freeze{By: "r", On: v.m.Frozen == 0, Why: "the network"})
	case v.chance(600):
		v.claims()
	}
	if list := v.m.live(); len(list) > 0 && v.chance(100) {
		v.rules(list[v.rng.IntN(len(list))])
	}
}

func (v *evening) claims() {
	for _, e := range v.m.Entries {
		if e.Line && v.m.Phase == Running {
			v.do(Claim{Player: guest("g"+e.ID, "Guest"), Line: e.ID, Rating: 1500})
			return
		}
	}
}

func (v *evening) rules(g *Game) {
	r, replay := game.Ruling{Act: game.ActWarn, Side: game.Black}, false
	switch v.rng.IntN(4) {
	case 0:
		r.Act = game.ActStop
	case 1:
		if r.Act = game.ActResume; v.m.Frozen > 0 {
			return
		}
	case 2:
		r.Act, replay = game.ActAnnul, v.m.Phase == Running && v.m.civil(v.at) < v.m.lastPair()
	}
	v.do(Rule{By: "r", Game: g.ID, Ruling: r, Replay: replay, Why: "as seen"})
	if v.chance(8) {
		v.do(Expel{By: "r", Who: g.White, Why: "an engine"})
	}
	if v.chance(3) {
		v.do(Disputed{Game: g.ID, By: game.White, Kind: QueueDispute, Open: true})
	}
}

// told checks that tables to which no ruling is under way know whether an arbiter is on duty, and stand in a freeze.
func (v *evening) told() {
	waits := map[string]bool{}
	for _, o := range v.m.Orders {
		waits[o.Game] = true
	}
	for _, g := range v.m.live() {
		f := v.tables[g.ID]
		if f == nil || waits[g.ID] || f.result != nil {
			continue
		}
		if on := v.m.onDuty(g); f.duty != on {
			v.t.Fatalf("%s: on duty %v, the table was told %v", g.ID, on, f.duty)
		}
		now := v.m.civil(v.at)
		if stands := f.stands(v.at); v.m.Frozen > 0 && !stands && (g.Renew == 0 || g.Renew < now) || v.m.Frozen == 0 && g.Ice {
			v.t.Fatalf("%s: frozen at %d, it stands %v at %d: %+v", g.ID, v.m.Frozen-dawn, stands, now-dawn, g)
		}
	}
}

// tally counts what the evening has seen, so that it is known to be tried.
func (v *evening) tally(seen map[string]int) {
	for _, e := range v.log {
		seen[string(e.Kind)]++
		switch {
		case e.Kind == Froze && e.Left != nil:
			seen["renewed"]++
		case e.Kind == Carried && e.Why != "":
			seen["failed"]++
		}
		for _, g := range e.Games {
			if _, again := annulledOf(g.ID); again {
				seen["again"]++
			}
		}
	}
}
