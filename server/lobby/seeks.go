package lobby

import (
	"flagfall/clock"
	"flagfall/game"
	"flagfall/server/actor"
	"flagfall/server/lobby/pairing"
	"flagfall/server/wire"
)

// seek is somebody who waits for an opponent.
type seek struct {
	ID       string // by which others take it
	Who      game.Player
	Terms    game.Terms
	Min, Max int64   // ratings of opponents; 0 for any
	Rating   float64 // by the rules that are asked for
	Ranked   bool    // he has one
	Since    int64   // ms
	Game     string  // a fresh id for the game that may come of it
	Coin     bool    // with the other one's decides colours
}

// unranked is the rating of guests, and of members who are not rated by some rules.
const unranked = 1500

// poolMinutes are the times of the pools, which pair by rating.
var poolMinutes = [3]int64{3, 5, 7}

// pooled tells whether these are the terms of a pool: WBCA's own, sudden death.
func pooled(t game.Terms) bool {
	for _, minutes := range poolMinutes {
		if t.Base == minutes*60_000 {
			return t.RuleSet == "wbca" && t.Timing == (clock.Timing{}) && !t.Casual
		}
	}
	return false
}

// open tells whether others see the seek and may take it.
func (s *seek) open() bool { return !pooled(s.Terms) || s.Min > 0 || s.Max > 0 }

// same tells whether two seeks are one that was asked for twice.
func (s *seek) same(o seek) bool {
	return s.Who == o.Who && s.Terms == o.Terms && s.Min == o.Min && s.Max == o.Max
}

// takes tells whether a rating is within the range.
func (s *seek) takes(rating float64) bool {
	return rating >= float64(s.Min) && (s.Max == 0 || rating <= float64(s.Max))
}

// rating is somebody's by some rules, and whether he has one.
func (p *pools) rating(person, rules string) (float64, bool) {
	if who := p.people[person]; who != nil {
		if r, ranked := who.ranks[rules]; ranked {
			return r, true
		}
	}
	return unranked, false
}

// seek pairs with somebody who waits for the same, or waits.
func (p *pools) seek(c wantSeek, at int64) ([]actor.Event, error) {
	if err := p.free(c.Who.ID); err != nil {
		return nil, err
	}
	s := c.seek
	s.Rating, s.Ranked = p.rating(s.Who.ID, s.Terms.RuleSet)
	s.Since = at
	for _, open := range p.seeks {
		if open.same(s) {
			s.Since, s.ID = open.Since, open.ID
		}
	}
	return p.arrive(s, false, at), nil
}

// atOnce is how many may wait in a pool that is gone over whenever somebody comes. A larger one has its turn each second:
// there a second more makes better pairs.
const atOnce = 32

// arrive pairs those who wait in the pool to which somebody comes, if they are few; he waits if he is not paired.
func (p *pools) arrive(s seek, front bool, at int64) []actor.Event {
	room := []seek{s}
	for _, open := range p.seeks {
		if open.Terms == s.Terms && open.Who.ID != s.Who.ID {
			room = append(room, open)
		}
	}
	var pairs []match
	if len(room) <= atOnce {
		pairs = p.pairs(room, at)
	}
	var events []actor.Event
	waits := true
	for _, m := range pairs {
		if m.Setup.White.ID == s.Who.ID || m.Setup.Black.ID == s.Who.ID {
			waits = false
		}
	}
	if waits {
		events = append(events, sought{seek: s, Front: front, At: at})
	}
	if len(pairs) > 0 {
		events = append(events, matched{pairs})
	}
	return events
}

// pairs are the pairs among people who want the same.
func (p *pools) pairs(room []seek, at int64) []match {
	var all []match
	for _, found := range pairing.Pair(p.seekers(room), at) {
		first, second := room[found[0]], room[found[1]]
		if first.Since > second.Since || first.Since == second.Since && first.ID > second.ID {
			first, second = second, first
		}
		m := pair(second.Game, "pool", first.Who, second.Who, first.Coin != second.Coin, first.Terms)
		m.Waited = []seek{first, second}
		all = append(all, m)
	}
	return all
}

func (p *pools) seekers(room []seek) []pairing.Seeker {
	list := make([]pairing.Seeker, len(room))
	for i, s := range room {
		list[i] = pairing.Seeker{ID: s.Who.ID, Rating: s.Rating, Min: float64(s.Min), Max: float64(s.Max), Since: s.Since,
			Any: !pooled(s.Terms), Bot: s.Who.Bot}
		if who := p.people[s.Who.ID]; who != nil {
			list[i].Last, list[i].Avoid = who.last, who.avoid
		}
	}
	return list
}

// rooms are the seeks by what is wanted, in the order in which they came.
func (p *pools) rooms() [][]seek {
	var all [][]seek
	at := map[game.Terms]int{}
	for _, s := range p.seeks {
		i, known := at[s.Terms]
		if !known {
			i = len(all)
			at[s.Terms] = i
			all = append(all, nil)
		}
		all[i] = append(all[i], s)
	}
	return all
}

// pass goes over all pools.
func (p *pools) pass(at int64) []actor.Event {
	var all []match
	for _, room := range p.rooms() {
		all = append(all, p.pairs(room, at)...)
	}
	if len(all) == 0 {
		return []actor.Event{passed{at}}
	}
	return []actor.Event{matched{all}, passed{at}}
}

// passed finds when the next pass is wanted.
func (p *pools) passed(at int64) {
	p.due = 0
	for _, room := range p.rooms() {
		if next, ok := pairing.Next(p.seekers(room), at); ok {
			p.due = next
		}
	}
}

// wake has the next pass come, if there is none to come.
func (p *pools) wake(at int64) {
	if p.due == 0 && len(p.seeks) > 1 {
		p.due = at + pairing.Every
	}
}

// sought keeps one seek for each person; the same again keeps its place.
func (p *pools) sought(e sought) {
	for i := range p.seeks {
		if p.seeks[i].same(e.seek) {
			p.seeks[i] = e.seek
			return
		}
	}
	kept := p.seeks[:0]
	for _, s := range p.seeks {
		if s.Who.ID != e.Who.ID {
			kept = append(kept, s)
		}
	}
	p.seeks = append(kept, e.seek)
	if e.Front {
		copy(p.seeks[1:], p.seeks)
		p.seeks[0] = e.seek
	}
	p.wake(e.At)
}

// take pairs somebody with the owner of an open seek.
func (p *pools) take(c wantTake, at int64) ([]actor.Event, error) {
	if err := p.free(c.Who.ID); err != nil {
		return nil, err
	}
	for _, s := range p.seeks {
		if s.ID != c.Seek || !s.open() {
			continue
		}
		if err := p.mayTake(s, c.Who); err != nil {
			return nil, err
		}
		return taken(pair(c.Game, "seek", s.Who, c.Who, c.Coin, s.Terms), s.Who.ID, sought{seek: s, Front: true, At: at}), nil
	}
	return nil, wire.Refuse(wire.CodeUnknownSeek)
}

// mayTake says why somebody may not take an open seek. Who is blocked is told no more than that it is not there.
func (p *pools) mayTake(s seek, who game.Player) error {
	rating, _ := p.rating(who.ID, s.Terms.RuleSet)
	switch {
	case s.Who.ID == who.ID:
		return wire.Refuse(wire.CodeOwnSeek)
	case p.avoid(s.Who.ID, who.ID):
		return wire.Refuse(wire.CodeUnknownSeek)
	case !s.takes(rating), who.Bot && !s.Who.Bot && !s.Terms.Casual:
		return wire.Refuse(wire.CodeOutOfRange)
	}
	return nil
}

// mostListed is how many open seeks a list has.
const mostListed = 50

// list are the open seeks as somebody else may see them.
func (p *pools) list(viewer game.Player) []wire.OpenSeek {
	all := []wire.OpenSeek{}
	for _, s := range p.seeks {
		if !s.open() || s.Who.ID == viewer.ID || p.avoid(s.Who.ID, viewer.ID) {
			continue
		}
		setup := s.Terms.Setup(s.Who, viewer)
		one := wire.OpenSeek{Seek: s.ID, By: shownPerson(s.Who), Base: s.Terms.Base, Mode: string(s.Terms.Mode), Terms: shown(s.Terms),
			Wish: s.wish(), Rated: setup.Rated, Fits: p.mayTake(s, viewer) == nil}
		if s.Ranked {
			one.Rating = points(s.Rating)
		}
		if all = append(all, one); len(all) == mostListed {
			break
		}
	}
	return all
}

func (s *seek) wish() wire.Wish { return wire.Wish{Min: s.Min, Max: s.Max, Casual: s.Terms.Casual} }
