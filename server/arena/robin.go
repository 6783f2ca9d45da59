package arena

import (
	"cmp"
	"slices"

	"flagfall/game"
)

// draw puts the players of a round robin into groups, by rating from the top, back and forth ("snake"), and gives each
// its number in its group. Those who were not there are withdrawn.
func (s *State) draw() (absent []Event, groups [][]string, err error) {
	var players []*Entry
	for _, e := range s.Entries {
		switch {
		case e.Status != In:
		case e.Line:
			absent = append(absent, Event{Kind: Judged, Who: e.ID, Status: Withdrawn, Why: string(Absent)})
		case s.Phase == CheckIn && !e.Checked:
			absent = append(absent, Event{Kind: Judged, Who: e.ID, Status: Withdrawn, Why: string(Absent)})
		default:
			players = append(players, e)
		}
	}
	count := 1
	if size := s.Settings.GroupSize; size > 0 {
		count = max(1, (len(players)+size-1)/size)
	}
	switch {
	case len(players) < 2*count:
		return nil, nil, refuse(TooFew, "%d in %d groups", len(players), count)
	case (len(players)+count-1)/count > mostRobin:
		return nil, nil, refuse(Full, "want %d in a group at most", mostRobin)
	}
	slices.SortStableFunc(players, func(a, b *Entry) int { return cmp.Compare(b.Rating, a.Rating) })
	groups = make([][]string, count)
	for i, e := range players {
		g := i % count
		if i/count%2 == 1 {
			g = count - 1 - g
		}
		groups[g] = append(groups[g], e.ID)
	}
	return absent, groups, nil
}

// rounds are the pairings of one group's own rounds.
func (s *State) rounds(group []string) [][][2]int {
	return schedule(len(group), s.Settings.Format == DoubleRoundRobin)
}

// extra are the rounds of a play-off: two players meet with both colours, more of them once each.
func (s *State) extra(tied []string) [][][2]int {
	return schedule(len(tied), len(tied) == 2 && !s.Settings.Two)
}

// Rounds is how many rounds the largest group of a round robin plays, without a play-off.
func (s *State) Rounds() int { return longestOf(s.Groups, s.rounds) }

// last is the number of the last round that is known of, that of a play-off included.
func (s *State) last() int { return s.Rounds() + longestOf(s.Playoff, s.extra) }

func longestOf(groups [][]string, rounds func([]string) [][][2]int) int {
	n := 0
	for _, group := range groups {
		n = max(n, len(rounds(group)))
	}
	return n
}

// robinDue is when a round robin goes on by itself, 0 where it waits for its organiser.
func (s *State) robinDue() int64 {
	switch {
	case s.Rested == 0 || s.paused():
		return 0
	case s.Round >= s.last():
		return s.Rested
	case !s.Settings.AutoRound:
		return 0
	case s.Round == 0:
		return s.Rested
	}
	return s.Rested + s.Settings.RoundRest
}

// robinTick starts the next round, finds that there has to be a play-off, or ends the games.
func (s *State) robinTick(now int64) []Event {
	if s.Round < s.last() {
		return []Event{s.nextRound("", now)}
	}
	if s.Settings.Playoff && s.Playoff == nil {
		if tied := s.tiedFirst(); len(tied) > 0 {
			return []Event{{Kind: PlayedOff, Groups: tied}}
		}
	}
	return []Event{{Kind: Phased, Phase: Provisional}}
}

func (s *State) startRound(c StartRound, now int64) ([]Event, error) {
	switch {
	case s.Phase != Running || !s.Settings.robin():
		return nil, refuse(WrongPhase, "%s", s.Phase)
	case s.Rested == 0:
		return nil, refuse(NotNow, "games of round %d still run", s.Round)
	case s.Frozen > 0:
		return nil, refuse(NotNow, "all boards are stopped")
	case s.Round >= s.last():
		return nil, refuse(WrongPhase, "round %d was the last", s.Round)
	}
	return []Event{s.nextRound(c.By, now)}, nil
}

// nextRound pairs a round by the Berger tables.
func (s *State) nextRound(by string, now int64) Event {
	e := Event{Kind: RoundOn, By: by, Round: s.Round + 1}
	groups, rounds, index := s.Groups, s.rounds, s.Round
	playoff := s.Round >= s.Rounds()
	if playoff {
		groups, rounds, index = s.Playoff, s.extra, s.Round-s.Rounds()
	}
	for i, group := range groups {
		all := rounds(group)
		if index >= len(all) {
			continue
		}
		for _, pairing := range all[index] {
			g := Game{White: group[pairing[0]-1], Black: group[pairing[1]-1], Round: e.Round, Group: i + 1, Playoff: playoff}
			if playoff {
				g.Group = s.groupOf(g.White)
			}
			e.Games = append(e.Games, s.forfeited(g, now))
		}
	}
	e.Games = s.numbered(e.Games, now)
	if s.Settings.Two {
		e.Games = bothLegs(e.Games)
	}
	return e
}

// bothLegs adds the second game of matches that were forfeited as a whole.
func bothLegs(games []Game) []Game {
	for _, g := range games {
		if !g.Over {
			continue
		}
		g.ID, g.White, g.Black, g.Leg = secondID(g.ID), g.Black, g.White, 2
		g.Outcome.NoShow[0], g.Outcome.NoShow[1] = g.Outcome.NoShow[1], g.Outcome.NoShow[0]
		switch g.Outcome.Score {
		case game.WhiteWins:
			g.Outcome.Score = game.BlackWins
		case game.BlackWins:
			g.Outcome.Score = game.WhiteWins
		}
		games = append(games, g)
	}
	return games
}

// groupOf is the number of somebody's group, from 1, or 0.
func (s *State) groupOf(id string) int {
	for i, group := range s.Groups {
		if slices.Contains(group, id) {
			return i + 1
		}
	}
	return 0
}

// tiedFirst lists for each group those who share its first place, where more than one does and can play.
func (s *State) tiedFirst() [][]string {
	points := s.points()
	var all [][]string
	for _, group := range s.Groups {
		best := 0
		for _, id := range group {
			best = max(best, points[id])
		}
		var tied []string
		for _, id := range group {
			if points[id] == best && s.entries[id].Status == In {
				tied = append(tied, id)
			}
		}
		if len(tied) > 1 {
			all = append(all, tied)
		}
	}
	return all
}
