package arena

import (
	"cmp"
	"maps"
	"slices"

	"flagfall/game"
	"flagfall/server/actor"
)

// Apply takes a recorded event in.
func (s *State) Apply(event actor.Event) {
	e := event.(Event)
	if e.Kind == Snapshot {
		*s = *e.State.clone()
		return
	}
	s.Now = max(s.Now, e.At)
	s.act(e)
	switch e.Kind {
	case Created, Edited, Staffed, Secret, Phased, BellMoved, CalledOff, Forgot, Shut:
		s.applyEvent(e)
		s.Edition++
	case HeldBack:
		s.Held, s.Look = e.Held, e.At
		s.notice(e, cmp.Or(e.Text, e.Why))
	case Told:
		s.notice(e, e.Text)
	case Gap:
		s.Origin += e.Time
		for _, p := range s.Entries {
			p.Here = false
		}
		for i := range s.AtDesk {
			if s.AtDesk[i].Till == 0 {
				s.AtDesk[i].Till = e.At + deskGrace
			}
		}
	case Stored:
		s.Stored = e.Times
	case Entered, Lined, Claimed, Judged, CheckedIn, Seen, WasReady:
		s.applyEntry(e)
	case PlayedOff:
		s.Playoff = e.Groups
	case Paired, RoundOn:
		s.applyPairs(e)
	case OnDuty, DeskSeen, RuledOn, Carried, Froze, Waits, Reports, Answered, Hushes:
		s.applyDesk(e)
	default:
		s.applyGame(e)
	}
	if e.Kind == OnDuty || e.Kind == DeskSeen || e.Kind == Staffed {
		s.tellDuty(cmp.Or(e.By, e.Who))
	}
}

// rename notes names of people who need not play. The old map may be somebody else's, too.
func (s *State) rename(names map[string]string) {
	if len(names) == 0 {
		return
	}
	all := maps.Clone(s.Names)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, names)
	s.Names = all
}

// applyEvent takes in what changes the event itself, so that it is stored anew.
func (s *State) applyEvent(e Event) {
	switch e.Kind {
	case Created:
		*s = State{Settings: *e.Settings, Organisers: []string{e.By}, Origin: e.Origin, Salt: e.Text, Now: e.At}
		s.rename(e.Names)
		if e.Making != nil {
			s.Making = *e.Making
		}
		s.index()
	case Edited:
		s.Settings = *e.Settings
	case Staffed:
		s.Organisers, s.Arbiters = e.Organisers, e.Arbiters
		s.rename(e.Names)
	case Secret:
		s.Making.Hash = e.Text
	case Phased:
		s.applyPhase(e)
	case BellMoved:
		s.Bell = e.Bell
		s.notice(e, "The end was moved: "+e.Why)
	case Forgot:
		if p := s.entries[e.Who]; p != nil {
			p.Name, p.Real = e.Text, ""
		}
		if s.Names[e.Who] != "" {
			s.rename(map[string]string{e.Who: e.Text})
		}
	case CalledOff:
		s.Cancelled, s.Closed = e.Why, true
	case Shut: // with what happened since its publication: reports, who was put out
		s.Closed = true
	}
}

func (s *State) notice(e Event, text string) {
	s.Notices = append(s.Notices, Notice{At: e.At, By: e.By, Text: text})
	s.Notices = s.Notices[max(0, len(s.Notices)-mostNotices):]
}

func (s *State) applyPhase(e Event) {
	s.Phase = e.Phase
	switch e.Phase {
	case Running:
		s.Started, s.Bell, s.Groups, s.Rested = e.At, e.Bell, e.Groups, e.At
		for _, p := range s.Entries {
			p.Since = e.At
		}
	case LastGames:
		for len(s.Legs) > 0 {
			s.dropLeg(s.games[s.Legs[0]])
		}
	case Provisional:
		s.thaw(e.At)
	case Published:
		s.Final = e.At
	}
}

func (s *State) applyEntry(e Event) {
	switch e.Kind {
	case Entered:
		s.takeIn(*e.Entry, e.Entry.ID)
		return
	case Claimed:
		s.takeIn(*e.Entry, e.Who)
		return
	case Lined:
		for _, l := range e.Lines {
			s.Lines++
			s.takeIn(Entry{ID: lineID(s.Lines), Name: l.Name, Real: l.Real, Rating: l.Rating, Status: In, Line: true}, "")
		}
		return
	}
	p := s.entries[e.Who]
	switch e.Kind {
	case Judged:
		p.Status, p.Why = e.Status, e.Why
		if e.Status == In {
			p.Admitted = true
			p.Since = max(p.Since, e.At)
		}
	case CheckedIn:
		p.Checked, p.Here = true, true
	case Seen:
		if e.Here && !p.Here {
			p.Since = max(p.Since, e.At)
		}
		p.Here = e.Here
	case WasReady:
		p.Since = e.At
	}
	s.missed(p, e.At)
}

// takeIn adds an entry, or puts it in the place of another.
func (s *State) takeIn(e Entry, place string) {
	e.Admitted = e.Status == In
	if old := s.entries[place]; old != nil {
		delete(s.entries, place)
		*old = e
		s.entries[e.ID] = old
		return
	}
	s.Entries = append(s.Entries, &e)
	s.entries[e.ID] = &e
}

// missed has the pairing look again for who became free in the very millisecond of a pass, but after it.
func (s *State) missed(p *Entry, at int64) {
	if p.free() && p.Since <= s.Pass {
		s.Look = at
	}
}

// applyPairs notes games that were paired. One that is over already is a forfeit.
func (s *State) applyPairs(e Event) {
	if e.Pass {
		s.Pass, s.Look, s.Left = e.At, e.Look, e.Left
		for _, id := range e.Left {
			if len(e.Games) > 0 {
				s.entries[id].Out++
			}
		}
	}
	if e.Kind == RoundOn {
		s.Round = e.Round
	}
	s.Rested = 0
	if e.Text != "" {
		s.notice(e, e.Text)
	}
	for _, g := range e.Games {
		s.Games = append(s.Games, &g)
		s.games[g.ID] = &g
		s.Matches = max(s.Matches, g.Match)
		if len(s.Legs) > 0 {
			s.dropLeg(&g)
		}
		g.Duty = !g.Over && s.onDuty(&g)
		if g.Over {
			continue
		}
		s.running[g.ID] = &g
		for _, id := range [2]string{g.White, g.Black} {
			s.entries[id].Game = g.ID
		}
	}
	s.roundOver(e.At)
}

// dropLeg ends the wait for the next game of a match.
func (s *State) dropLeg(g *Game) {
	s.Legs = slices.DeleteFunc(s.Legs, func(id string) bool { return s.games[id].Match == g.Match })
	s.entries[g.White].Leg, s.entries[g.Black].Leg = false, false
}

// roundOver notes when all games of a round are over.
func (s *State) roundOver(at int64) {
	if s.Settings.robin() && s.Rested == 0 && len(s.running) == 0 && len(s.Legs) == 0 {
		s.Rested = at
	}
}

func (s *State) applyGame(e Event) {
	if e.Kind == Stopping {
		for _, id := range e.Left {
			s.games[id].Stopping = true
		}
		return
	}
	g := s.games[e.Game]
	switch e.Kind {
	case Stopped:
		g.Stopped = true
	case Opened:
		g.Opened = true
	case Skipped:
		s.dropLeg(g)
		s.Look = e.At
		s.roundOver(e.At)
	case Unseated:
		s.applyUnseated(g, e)
	case Ended:
		s.applyEnded(g, e)
	case Corrected:
		s.change(g, *e.Outcome, e.By, e.Why)
		s.notice(e, cmp.Or(e.Text, e.Why))
		if s.Phase >= Signed {
			s.Edition++
		}
	case Filed:
		if g.Change != nil && g.Change.Times == e.Times {
			g.Change.Filed = true
			delete(s.unfiled, g.ID)
		}
	}
}

// applyUnseated undoes a pairing whose players did not both get their seats.
func (s *State) applyUnseated(g *Game, e Event) {
	delete(s.running, g.ID)
	delete(s.games, g.ID)
	s.Games = slices.DeleteFunc(s.Games, func(o *Game) bool { return o == g })
	for _, id := range [2]string{g.White, g.Black} {
		s.entries[id].Game = ""
	}
	for _, id := range e.Left {
		s.entries[id].Here = false // until his page says otherwise
	}
	s.gone(g)
	s.Queue = slices.DeleteFunc(s.Queue, func(m *Matter) bool { return m.Game == g.ID })
	s.Look = e.At
	s.roundOver(e.At)
}

func (s *State) applyEnded(g *Game, e Event) {
	g.Over, g.Ended, g.Outcome = true, e.Time, *e.Outcome
	delete(s.running, g.ID)
	if e.Change {
		reported := g.Outcome
		s.change(g, Outcome{Score: "*", Reason: Late}, "", string(Late))
		g.Change.From = reported
	}
	played := g.Outcome.played()
	for side, id := range [2]string{g.White, g.Black} {
		p := s.entries[id]
		p.Game, p.Since = "", e.At+s.Settings.Rest
		if played {
			p.Colors += "wb"[side : side+1]
			p.Last = [2]string{g.Black, g.White}[side]
		}
		if g.Outcome.NoShow != [2]bool{} {
			p.Since = e.At
		}
		if g.Outcome.NoShow[side] && !s.Settings.robin() && p.Status == In {
			p.Status, p.Why = Paused, string(Absent)
		}
	}
	for _, id := range [2]string{g.White, g.Black} {
		s.missed(s.entries[id], e.At)
	}
	s.gone(g)
	again := g.Outcome.Score == game.Void && !g.Outcome.Forfeit && (g.Replay || // the table's answer may still be on its way
		slices.ContainsFunc(s.Orders, func(o *Order) bool { return o.Game == g.ID && o.Replay }))
	g.Replay = again
	if (g.Leg == 1 || again) && (s.Settings.robin() || (played || again) && s.Phase == Running) {
		s.Legs = append(s.Legs, g.ID)
		s.entries[g.White].Leg, s.entries[g.Black].Leg = true, true
	}
	s.roundOver(e.At)
}

// gone drops what need not be told to a table any more, and what waited there. What an arbiter has ordered there is still
// tried, for the table's answer, if there is one.
func (s *State) gone(g *Game) {
	s.dropOrders(func(o *Order) bool {
		if o.Game != g.ID || g.Over && o.Kind == orderRule {
			return false
		}
		s.failed(o, "the game did not begin")
		return true
	})
	g.Ice, g.Renew = false, 0
	s.release(func(m *Matter) bool { return m.Game == g.ID && m.Stops })
}

func (s *State) change(g *Game, to Outcome, by, why string) {
	c := Change{From: g.Outcome, By: by, Why: why, Times: 1}
	if g.Change != nil {
		c.From, c.Times = g.Change.From, g.Change.Times+1
	}
	g.Change, g.Outcome = &c, to
	s.unfiled[g.ID] = g
}

// clone is a state that shares nothing with the old one.
func (s *State) clone() *State {
	c := *s
	c.Organisers, c.Arbiters = slices.Clone(s.Organisers), slices.Clone(s.Arbiters)
	c.Left, c.Legs, c.Notices = slices.Clone(s.Left), slices.Clone(s.Legs), slices.Clone(s.Notices)
	c.Duty, c.AtDesk, c.Acts, c.Hushed = slices.Clone(s.Duty), slices.Clone(s.AtDesk), slices.Clone(s.Acts), slices.Clone(s.Hushed)
	c.Orders, c.Queue, c.Reported = copies(s.Orders), copies(s.Queue), copies(s.Reported)
	c.Entries, c.Games = nil, nil
	for _, e := range s.Entries {
		copied := *e
		c.Entries = append(c.Entries, &copied)
	}
	for _, g := range s.Games {
		copied := *g
		if g.Change != nil {
			change := *g.Change
			copied.Change = &change
		}
		c.Games = append(c.Games, &copied)
	}
	c.index()
	return &c
}

// copies is a list whose elements are copies of the old ones.
func copies[T any](list []*T) []*T {
	var out []*T
	for _, one := range list {
		copied := *one
		out = append(out, &copied)
	}
	return out
}
