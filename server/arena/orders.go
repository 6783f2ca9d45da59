package arena

import (
	"fmt"
	"slices"

	"flagfall/game"
	"flagfall/server/actor"
)

// The kinds of orders.
const (
	orderRule   = "rule"
	orderDuty   = "duty"
	orderFreeze = "freeze"
)

// onDuty tells whether an arbiter who may rule on the game is on duty: switched on, at the desk, and no player of it.
func (s *State) onDuty(g *Game) bool {
	return slices.ContainsFunc(s.AtDesk, func(d DeskSeat) bool {
		return d.ID != g.White && d.ID != g.Black && slices.Contains(s.Duty, d.ID) && s.Arbiter(d.ID)
	})
}

// applyDesk takes in what happens at the desk.
func (s *State) applyDesk(e Event) {
	switch e.Kind {
	case OnDuty:
		s.Duty = slices.DeleteFunc(s.Duty, func(id string) bool { return id == e.By })
		if e.Here {
			s.Duty = append(s.Duty, e.By)
		}
	case DeskSeen:
		s.AtDesk = slices.DeleteFunc(s.AtDesk, func(d DeskSeat) bool { return d.ID == e.Who })
		if e.Here || e.Time > 0 {
			s.AtDesk = append(s.AtDesk, DeskSeat{ID: e.Who, Till: e.Time})
		}
	case RuledOn:
		s.order(e.Game, orderRule, *e.Ruling, s.Acted)
		s.Orders[len(s.Orders)-1].Replay = e.Change
		for _, m := range s.Queue {
			if m.Game == e.Game {
				m.Ruled = true
			}
		}
	case Carried:
		s.applyCarried(e)
	case Froze:
		s.applyFreeze(e)
	case Waits:
		s.applyWaits(e)
	case Reports:
		s.Reported = append(s.Reported, s.numberedMatter(e))
	case Answered:
		s.Queue = slices.DeleteFunc(s.Queue, func(m *Matter) bool { return m.ID == e.Text })
		if m := s.matter(e.Text); m != nil {
			m.Settled = e.Why
		}
	case Hushes:
		s.Hushed = slices.DeleteFunc(s.Hushed, func(id string) bool { return id == e.Who })
		if e.Here {
			s.Hushed = append(s.Hushed, e.Who)
		}
		s.rename(e.Names)
	}
}

// tellDuty lets the tables know where it has changed whether an arbiter is on duty.
func (s *State) tellDuty(by string) {
	for _, g := range s.live() {
		on := s.onDuty(g)
		if on == g.Duty {
			continue
		}
		g.Duty = on
		r := game.Ruling{Act: game.ActOffDuty, Who: s.nameOf(by), Why: "no arbiter is on duty"}
		if on {
			r.Act, r.Why = game.ActDuty, "an arbiter is on duty"
		}
		s.order(g.ID, orderDuty, r, 0)
	}
}

func (s *State) order(id, kind string, r game.Ruling, act int) {
	s.Ordered++
	s.Orders = append(s.Orders, &Order{N: s.Ordered, Game: id, Kind: kind, Ruling: r, Act: act})
}

// dropOrders forgets the orders for which drop holds.
func (s *State) dropOrders(drop func(*Order) bool) { s.Orders = slices.DeleteFunc(s.Orders, drop) }

// rulings are the effects of the orders. A table is told one after the other, once it is there.
func (s *State) rulings() []actor.Effect {
	var list []actor.Effect
	asked := map[string]bool{}
	for _, o := range s.Orders {
		if g := s.games[o.Game]; asked[o.Game] || !g.Opened && !g.Over {
			continue
		}
		asked[o.Game] = true
		id := fmt.Sprintf("rule/%d", o.N)
		list = append(list, actor.Effect{ID: id, Pool: "rule", Do: RuleGame{Game: o.Game, ID: id, Ruling: o.Ruling}})
	}
	return list
}

// carried takes in what became of an order.
func (s *State) carried(do RuleGame, err error) []Event {
	for _, o := range s.Orders {
		if fmt.Sprintf("rule/%d", o.N) != do.ID {
			continue
		}
		e := Event{Kind: Carried, Times: o.N, Game: o.Game}
		if err != nil {
			e.Why = err.Error()
		}
		return []Event{e}
	}
	return nil
}

func (s *State) applyCarried(e Event) {
	i := slices.IndexFunc(s.Orders, func(o *Order) bool { return o.N == e.Times })
	o, g := s.Orders[i], s.games[e.Game]
	s.Orders = slices.Delete(s.Orders, i, i+1)
	if o.Kind == orderFreeze {
		s.frozenOne(g, o, e)
		return
	}
	switch {
	case e.Why != "":
		s.failed(o, e.Why)
	case o.Ruling.Act == game.ActResume:
		g.Ice, g.Renew = false, 0 // by an arbiter who wants this board to go on
	case !g.Over:
		g.Replay = g.Replay || o.Replay
	}
}

// failed notes that nothing came of an act.
func (s *State) failed(o *Order, why string) {
	for i := range s.Acts {
		if s.Acts[i].N == o.Act {
			s.Acts[i].Failed = why
		}
	}
}

// frozenOne takes in that a board was stopped or set going by a freeze, or could not be.
func (s *State) frozenOne(g *Game, o *Order, e Event) {
	stop := o.Ruling.Act == game.ActStop
	g.Ice, g.Renew = stop && e.Why == "", 0
	switch {
	case !stop || g.Over:
	case e.Why == "":
		g.Renew = e.At + renewFreeze
	default: // it stood for another reason, and is not the freeze's to set going
		for i, later := range s.Orders {
			if later.Game == g.ID && later.Kind == orderFreeze {
				s.Orders = slices.Delete(s.Orders, i, i+1)
				break
			}
		}
		if s.Frozen > 0 {
			g.Renew = e.At + retryFreeze
		}
	}
}

func (s *State) applyFreeze(e Event) {
	stop := game.Ruling{Act: game.ActStop, Who: s.nameOf(e.By), Why: e.Text}
	resume := game.Ruling{Act: game.ActResume, Who: s.nameOf(e.By), Why: e.Text}
	switch {
	case e.Left != nil: // stopped again
		stop.Who, stop.Why = s.Freezing.Who, s.Freezing.Why
		resume.Who, resume.Why = stop.Who, stop.Why
		for _, id := range e.Left {
			g := s.games[id]
			if g.Renew = 0; g.Ice {
				s.order(id, orderFreeze, resume, 0)
			}
			s.order(id, orderFreeze, stop, 0)
		}
		return
	case e.Held:
		s.Frozen, s.Freezing = e.At, stop
		for _, g := range s.live() {
			s.order(g.ID, orderFreeze, stop, 0)
		}
	default:
		s.thaw(e.At)
		for _, g := range s.live() {
			waits := slices.ContainsFunc(s.Orders, func(o *Order) bool { return o.Game == g.ID && o.Kind == orderFreeze })
			if g.Renew = 0; g.Ice || waits {
				s.order(g.ID, orderFreeze, resume, 0)
			}
		}
	}
	s.notice(e, e.Text)
}

// thaw ends a freeze.
func (s *State) thaw(at int64) {
	if s.Frozen > 0 {
		s.Stood += at - s.Frozen
		s.Frozen, s.Look = 0, at
	}
}

func (s *State) numberedMatter(e Event) *Matter {
	m := *e.Matter
	s.Matters++
	m.ID = fmt.Sprintf("%s-%d", m.Kind, s.Matters)
	if m.At == 0 {
		m.At = e.At
	}
	return &m
}

// applyWaits brings a matter into the queue, or ends one for which the clocks stood: without a ruling it stays there as a
// note (D36).
func (s *State) applyWaits(e Event) {
	m, g := e.Matter, s.games[e.Game]
	g.Told = max(g.Told, e.Times)
	same := func(o *Matter) bool { return o.Game == m.Game && o.Kind == m.Kind && o.By == m.By }
	if !e.Here {
		s.release(func(o *Matter) bool { return same(o) && o.Stops })
		return
	}
	if m.Kind == QueueLadder { // a further step of the same ladder
		s.Queue = slices.DeleteFunc(s.Queue, same)
	}
	s.Queue = append(s.Queue, s.numberedMatter(e))
	if len(s.Queue) > mostMatters { // the oldest note goes
		i := max(0, slices.IndexFunc(s.Queue, func(o *Matter) bool { return !o.Stops }))
		s.Queue = slices.Delete(s.Queue, i, i+1)
	}
}

// release ends what clocks stood for. A dispute that nobody ruled on is left as a note.
func (s *State) release(which func(*Matter) bool) {
	s.Queue = slices.DeleteFunc(s.Queue, func(m *Matter) bool {
		if !which(m) {
			return false
		}
		m.Stops, m.Until = false, 0
		return m.Ruled || m.Kind == QueueDemo
	})
}
