package arena

import (
	"slices"

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
	switch e.Kind {
	case Created:
		*s = State{Settings: *e.Settings, Organisers: []string{e.By}, Origin: e.Origin, Salt: e.Text, Now: e.At}
		s.index()
	case Edited:
		s.Settings = *e.Settings
	case Staffed:
		s.Organisers, s.Arbiters = e.Organisers, e.Arbiters
	case Phased:
		s.applyPhase(e)
	case BellMoved:
		s.Bell = e.Bell
		s.notice(e, "The end was moved: "+e.Why)
	case HeldBack:
		s.Held, s.Look = e.Held, e.At
		s.notice(e, e.Why)
	case Told:
		s.notice(e, e.Text)
	case Gap:
		s.Origin += e.Time
		for _, p := range s.Entries {
			p.Here = false
		}
	case CalledOff:
		s.Cancelled, s.Closed = e.Why, true
		s.Edition++
	case Shut:
		s.Closed = true
	case Stored:
		s.Stored = e.Times
	case Entered, Judged, CheckedIn, Seen, WasReady:
		s.applyEntry(e)
	case PlayedOff:
		s.Playoff = e.Groups
	case Paired, RoundOn:
		s.applyPairs(e)
	default:
		s.applyGame(e)
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
		for _, id := range s.Legs {
			s.dropLeg(s.games[id])
		}
	case Signed:
		s.Edition++
	case Published:
		s.Final = e.At
		s.Edition++
	}
}

func (s *State) applyEntry(e Event) {
	if e.Kind == Entered {
		entry := *e.Entry
		entry.Admitted = entry.Status == In
		if old := s.entries[entry.ID]; old != nil {
			*old = entry
			return
		}
		s.Entries = append(s.Entries, &entry)
		s.entries[entry.ID] = &entry
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
	for _, g := range e.Games {
		s.Games = append(s.Games, &g)
		s.games[g.ID] = &g
		s.Matches = max(s.Matches, g.Match)
		if g.Leg == 2 {
			s.dropLeg(&g)
		}
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

// dropLeg ends the wait for the second game of a match.
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
		s.notice(e, e.Why)
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
	if g.Leg == 1 && (s.Settings.robin() || played && s.Phase == Running) {
		s.Legs = append(s.Legs, g.ID)
		s.entries[g.White].Leg, s.entries[g.Black].Leg = true, true
	}
	s.roundOver(e.At)
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
