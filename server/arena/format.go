package arena

import "cmp"

// style is what tells the formats apart: how an event begins, what is due by the clock while it runs, and why somebody has
// no game. All else - entries, matches of two games, results, corrections, the table - is common to them. A Swiss would be
// one more.
type style interface {
	// rounds tells that everybody's games are laid down: who does not come loses, nobody enters late, and there is no
	// bell.
	rounds() bool
	// begin gives the start, after what has to be noted before it. Planned is when it was to be, or now.
	begin(s *State, planned, now int64) (before []Event, start Event, err error)
	// due is the next thing of a running event, 0 for nothing, and end what ends the pairing now; next is all else.
	due(s *State) int64
	end(s *State, now int64) []Event
	next(s *State, now int64) []Event
	// order compares two with the same points.
	order(a, b Row) int
	// waits are the reasons that lie with the format.
	waits(s *State, e *Entry, at int64) Because
}

var styles = map[Format]style{Arena: arenaStyle{}, RoundRobin: robinStyle{}, DoubleRoundRobin: robinStyle{}}

func (s *Settings) style() style { return styles[s.Format] }

func (s *Settings) robin() bool { return s.style().rounds() }

type arenaStyle struct{}

func (arenaStyle) rounds() bool { return false }

// begin sets the bell. A server that was away at the start moves it no more than any other outage.
func (arenaStyle) begin(s *State, planned, now int64) ([]Event, Event, error) {
	return nil, Event{Kind: Phased, Phase: Running, Bell: max(now, planned+s.Settings.Duration)}, nil
}

func (arenaStyle) due(s *State) int64 {
	if at := s.passDue(); at > 0 {
		return min(at, s.Bell)
	}
	return s.Bell
}

func (arenaStyle) end(s *State, now int64) []Event {
	if now < s.Bell {
		return nil
	}
	return s.ring()
}

func (arenaStyle) next(s *State, now int64) []Event { return s.pass(now) }

func (arenaStyle) order(a, b Row) int {
	return cmp.Or(b.Performance-a.Performance, b.Direct-a.Direct, b.Wins-a.Wins)
}

func (arenaStyle) waits(s *State, e *Entry, at int64) Because {
	switch {
	case !e.Here:
		return Because{Code: IsAway}
	case e.Since > at:
		return Because{Code: IsResting, Next: e.Since}
	case at >= s.lastPair():
		return Because{Code: NearBell, Next: s.Bell}
	}
	return s.waits(e, at)
}

type robinStyle struct{}

func (robinStyle) rounds() bool { return true }

// begin draws the numbers. Who did not say during a check-in that he is there is left out.
func (robinStyle) begin(s *State, _, _ int64) ([]Event, Event, error) {
	absent, groups, err := s.draw()
	return absent, Event{Kind: Phased, Phase: Running, Groups: groups}, err
}

func (robinStyle) due(s *State) int64 { return s.robinDue() }

func (robinStyle) end(*State, int64) []Event { return nil }

func (robinStyle) next(s *State, now int64) []Event { return s.robinTick(now) }

func (robinStyle) order(a, b Row) int {
	return cmp.Or(b.Playoff-a.Playoff, b.Direct-a.Direct, b.Wins-a.Wins, b.SB-a.SB)
}

func (robinStyle) waits(s *State, e *Entry, _ int64) Because { return s.betweenRounds(e) }
