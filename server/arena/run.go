package arena

import (
	"fmt"
	"strconv"
	"strings"

	"flagfall/game"
)

const (
	passEvery   = 1000                 // ms between two passes of the pairing
	afterBoth   = 120000               // after the bell games last as long as both clocks and this
	staysOpen   = 7 * 24 * 60 * 60000  // ms after its publication a result may still be corrected here
	neglected   = 60 * 24 * 60 * 60000 // ms in which nothing happens to an event that waits for its organiser: then it ends
	legPatience = 30000                // how long the second game of a match waits for who is away, after the rest
)

// due is when the next thing happens by the clock, in civil time.
func (s *State) due() (at int64, ok bool) {
	at = -1
	sooner := func(t int64) {
		if t > 0 && (at < 0 || t < at) {
			at = t
		}
	}
	switch s.Phase {
	case Open:
		sooner(s.Settings.CheckInAt)
		sooner(s.Settings.StartAt)
	case CheckIn:
		sooner(s.Settings.StartAt)
	case Running:
		for _, id := range s.Legs {
			t, _ := s.legDue(s.games[id])
			sooner(t)
		}
		sooner(s.Settings.style().due(s))
	case LastGames:
		if len(s.running) == 0 {
			sooner(s.Now)
		} else if s.Frozen == 0 && len(s.toStop()) > 0 {
			sooner(s.stopAt())
		}
	case Published:
		if s.settled() {
			sooner(s.Final + staysOpen)
		}
	}
	if s.waitsForPeople() {
		sooner(s.Now + neglected)
	}
	sooner(s.deskDue())
	return at, at >= 0 && !s.Closed
}

// waitsForPeople tells whether nothing goes on by itself.
func (s *State) waitsForPeople() bool {
	switch s.Phase {
	case Draft:
		return true
	case Open, CheckIn:
		return s.Settings.StartAt == 0
	case Running:
		return s.Settings.robin() && s.Rested > 0
	case Provisional, Signed:
		return s.settled()
	}
	return false
}

// neglect ends an event to which nobody comes any more: it is called off, its rounds are over, or it is closed as it is.
func (s *State) neglect() []Event {
	const why = "Nothing has happened here for 60 days"
	switch s.Phase {
	case Running:
		return []Event{{Kind: Phased, Phase: Provisional}}
	case Provisional, Signed:
		return []Event{{Kind: Shut, Why: why}}
	}
	return []Event{{Kind: CalledOff, Why: why}}
}

// tick does the first thing that is due.
func (s *State) tick(now int64) []Event {
	if at, ok := s.due(); !ok || at > now {
		return nil
	}
	if events := s.deskTick(now); len(events) > 0 {
		return events
	}
	if s.waitsForPeople() && now >= s.Now+neglected {
		return s.neglect()
	}
	set := &s.Settings
	switch s.Phase {
	case Open, CheckIn:
		if set.StartAt > 0 && now >= set.StartAt {
			return s.startByClock(now)
		}
		return []Event{{Kind: Phased, Phase: CheckIn}}
	case Running:
		if events := set.style().end(s, now); len(events) > 0 {
			return events
		}
		if events := s.nextLegs(now); len(events) > 0 {
			return events
		}
		return set.style().next(s, now)
	case LastGames:
		if len(s.running) == 0 {
			return []Event{{Kind: Phased, Phase: Provisional}}
		}
		return []Event{{Kind: Stopping, Left: s.toStop()}}
	case Published:
		return []Event{{Kind: Shut}}
	}
	return nil
}

// settled tells that nothing is pending outside.
func (s *State) settled() bool {
	return s.Stored == s.Edition && len(s.unfiled) == 0 && len(s.running) == 0
}

// start begins the event, now or as it was planned.
func (s *State) start(by string, planned, now int64) ([]Event, error) {
	events, start, err := s.Settings.style().begin(s, planned, now)
	if err != nil {
		return nil, err
	}
	start.By = by
	return append(events, start), nil
}

// startByClock starts what can be played; otherwise the start is the organiser's.
func (s *State) startByClock(now int64) []Event {
	events, err := s.start("", s.Settings.StartAt, now)
	if err != nil {
		set := s.Settings
		set.StartAt = 0
		return []Event{{Kind: Edited, Settings: &set, Why: err.Error()}}
	}
	return events
}

// ring ends the pairing. By the event's setting the games that run are stopped.
func (s *State) ring() []Event {
	events := []Event{{Kind: Phased, Phase: LastGames}}
	if s.Settings.Bell == Stop && len(s.running) > 0 {
		events = append(events, Event{Kind: Stopping, Left: s.toStop()})
	}
	return events
}

// toStop lists the games that run and were not told to stop.
func (s *State) toStop() []string {
	var ids []string
	for _, g := range s.live() {
		if !g.Stopping {
			ids = append(ids, g.ID)
		}
	}
	return ids
}

// paused tells that no game is started: an arbiter holds the pairing, or all boards stand.
func (s *State) paused() bool { return s.Held || s.Frozen > 0 }

// stopAt is when the last games are stopped: after both clocks and two minutes, and as long as all boards stood.
func (s *State) stopAt() int64 {
	const moves = 60 // that an increment is counted for
	each := s.Settings.Terms.Base + moves*s.Settings.Terms.Timing.Ms
	return s.Bell + 2*each + afterBoth + s.Stood
}

// lastPair is until when games are started: later ones could not be brought to the players before the bell.
func (s *State) lastPair() int64 { return s.Bell - s.Settings.LastPair }

// pairable lists who waits for a game at a time.
func (s *State) pairable(now int64) []*Entry {
	var list []*Entry
	for _, e := range s.Entries {
		if e.free() && e.Since <= now {
			list = append(list, e)
		}
	}
	return list
}

// passDue is the next pass of the pairing: when somebody came to those who wait, or a wait of theirs is over.
func (s *State) passDue() int64 {
	if s.paused() {
		return 0
	}
	var at int64
	look := func(t int64) {
		t = max(t, s.Pass+passEvery)
		if at == 0 || t < at {
			at = t
		}
	}
	if s.Look > 0 {
		look(s.Look)
	}
	free := 0
	for _, e := range s.Entries {
		if !e.free() {
			continue
		}
		free++
		if e.Since > s.Pass {
			look(e.Since)
		}
	}
	if free < 2 || at >= s.lastPair() {
		return 0
	}
	return at
}

// pass pairs those who wait.
func (s *State) pass(now int64) []Event {
	e := Event{Kind: Paired, Pass: true}
	if now >= s.lastPair() { // the pass was due before a gap
		return []Event{e}
	}
	waiting := s.pairable(now)
	left := map[string]*Entry{}
	for _, p := range waiting {
		left[p.ID] = p
	}
	for _, c := range pair(s.candidates(waiting), s.rules(), now, s.Matches) {
		e.Games = append(e.Games, Game{White: c.white, Black: c.black, Repeat: c.repeat, Color: c.color})
		delete(left, c.white)
		delete(left, c.black)
	}
	e.Games = s.numbered(e.Games, now)
	for _, p := range waiting {
		if left[p.ID] != nil {
			e.Left = append(e.Left, p.ID)
		}
	}
	e.Look = s.nextLook(left, now)
	return []Event{e}
}

// nextLook is when a wait of those left over ends, after which more may be paired.
func (s *State) nextLook(left map[string]*Entry, now int64) (at int64) {
	if len(left) < 2 {
		return 0
	}
	for _, p := range left {
		for _, wait := range [2]int64{s.Settings.RepeatWait, s.Settings.ColorWait} {
			if t := p.Since + wait; t > now && (at == 0 || t < at) {
				at = t
			}
		}
	}
	return at
}

func (s *State) rules() pairRules {
	return pairRules{repeatWait: s.Settings.RepeatWait, colorWait: s.Settings.ColorWait, match: s.Settings.Two}
}

func (s *State) candidates(waiting []*Entry) []candidate {
	points := s.points()
	list := make([]candidate, 0, len(waiting))
	for _, e := range waiting {
		list = append(list, s.candidate(e, points[e.ID]))
	}
	return list
}

func (s *State) candidate(e *Entry, points int) candidate {
	return candidate{id: e.ID, score: points, rating: e.Rating, since: e.Since, out: e.Out, last: e.Last, colors: e.Colors}
}

// legDue is when the game after g starts, the second one of a match or an annulled one again, or when it is given up; 0
// while nothing is paired. In an arena both have to be there.
func (s *State) legDue(g *Game) (at int64, play bool) {
	white, black := s.entries[g.White], s.entries[g.Black]
	at = max(white.Since, black.Since)
	if s.paused() {
		return 0, false
	}
	if s.Settings.robin() {
		return at, true
	}
	for _, e := range [2]*Entry{white, black} {
		if e.Status != In {
			return g.Ended, false
		}
	}
	if at >= s.lastPair() {
		return g.Ended, false
	}
	if !white.Here || !black.Here {
		return at + legPatience, false
	}
	return at, true
}

// nextLegs starts the games that follow on others and are due, and gives those up that will not be played.
func (s *State) nextLegs(now int64) []Event {
	var events []Event
	var games []Game
	for _, id := range s.Legs {
		g := s.games[id]
		at, play := s.legDue(g)
		play = play && (s.Settings.robin() || now < s.lastPair()) // it was due before a gap, or while nothing was paired
		switch {
		case at == 0 || at > now:
		case play:
			next := Game{ID: secondID(g.ID), White: g.Black, Black: g.White, At: now, Match: g.Match, Leg: 2, Round: g.Round,
				Group: g.Group, Playoff: g.Playoff}
			if g.Replay {
				next.ID, next.White, next.Black, next.Leg, next.ByHand = againID(g.ID), g.White, g.Black, g.Leg, g.ByHand
			}
			games = append(games, s.forfeited(next, now))
		default:
			events = append(events, Event{Kind: Skipped, Game: id})
		}
	}
	if len(games) > 0 {
		events = append(events, Event{Kind: Paired, Games: games})
	}
	return events
}

// forfeited is the game, over already if somebody who is out of a round robin should play it.
func (s *State) forfeited(g Game, now int64) Game {
	out := [2]bool{s.entries[g.White].Status != In, s.entries[g.Black].Status != In}
	if out == [2]bool{} || !s.Settings.robin() {
		return g
	}
	o, _ := Outcome{Score: game.Void, NoShow: out}.settled(true)
	g.Over, g.Ended, g.Outcome = true, now, o
	return g
}

// secondID is the id of the second game of a match.
func secondID(first string) string { return first + "-2" }

// againID is the id of the game that is played in place of an annulled one: "x-r", and in the place of that "x-r2". Ids stay
// short, however often that happens.
func againID(annulled string) string {
	at := strings.LastIndex(annulled, "-r")
	if at < 0 || strings.Contains(annulled[at+1:], "-") { // or the second game of a match that was played again
		return annulled + "-r"
	}
	first, times := annulled[:at+2], annulled[at+2:]
	n, err := strconv.Atoi(times)
	if err != nil {
		n = 1
	}
	return fmt.Sprintf("%s%d", first, n+1)
}
