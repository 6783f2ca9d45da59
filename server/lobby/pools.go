package lobby

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"flagfall/game"
	"flagfall/server/actor"
	"flagfall/server/wire"
)

// ID is the actor that pairs people. Seeks and invitations live in memory and die with their owner's connection.
const ID actor.ID = "lobby"

// away is how long a seek outlives its owner's last connection, in ms.
const away = 10000

// match is a pair that is being seated.
type match struct {
	Game   string
	Setup  game.Setup
	Waited []seek   // of a pool's match: who is left over waits again, first in line
	Out    []string // who has cancelled meanwhile and waits no more

	Owner string      // whose seek, invitation or rematch was taken
	Offer actor.Event // opens it again, should the one who took it sit elsewhere
}

// Commands of the lobby. Game is a fresh id for the game that may come of it, Coin decides colours.
type (
	connect    struct{ Who game.Player }
	disconnect struct{ Who string }
	// learn says what pairing has to know of somebody. Without that he can ask for nothing.
	learn struct {
		Who string
		card
	}
	wantSeek struct{ seek }
	wantTake struct {
		Seek string
		Who  game.Player
		Game string
		Coin bool
	}
	wantInvite struct{ invite }
	wantAccept struct {
		Invite string
		Who    game.Player
		Game   string
		Coin   bool
	}
	wantDecline struct{ Invite, Who string }
	wantRematch struct {
		rematch
		Who     string
		NewGame string
	}
	// wantBlock says whether one of the two blocks the other, as it is kept by now.
	wantBlock struct {
		Who, Other string
		On         bool
	}
	cancel struct{ Who string }
	// refused goes through the lobby all the same: the command may be one that was counted before.
	refused struct{ err error }
)

// Events of the lobby. They are never journaled.
type (
	connected    struct{ Who game.Player }
	disconnected struct {
		Who string
		At  int64
	}
	learned struct{ learn }
	sought  struct {
		seek
		Front bool
		At    int64
	}
	passed    struct{ At int64 } // over all pools
	invited   struct{ invite }
	uninvited struct{ Invite, By, To, Why string } // a challenge that is not taken
	asked     struct{ rematch }
	blocked   struct {
		wantBlock
		At int64
	}
	gone    struct{ Who, Why string } // all that this person offers is withdrawn
	matched struct{ All []match }     // and nobody of these offers anything any more
	settled struct {                  // the pair sits, or cannot
		Game  string
		Plays bool
	}
)

// presence is somebody with a socket, or who had one a moment ago.
type presence struct {
	who     game.Player
	sockets int
	left    int64 // when the last one closed

	known  bool
	ranks  map[string]float64
	avoid  map[string]bool // who blocks him, or is blocked by him
	blocks map[string]bool // what has changed of that since he came: what is read meanwhile may be older
	last   string          // the opponent of his last game
}

// pools is the lobby's machine.
type pools struct {
	people    map[string]*presence
	seeks     []seek
	invites   map[string]invite
	rematches map[string]rematch
	matches   map[string]match
	leaving   []string // people without a socket, who left first comes first
	due       int64    // when the next pass over the pools is, 0 for none
}

func newPools(actor.ID) actor.Machine {
	return &pools{people: map[string]*presence{}, invites: map[string]invite{},
		rematches: map[string]rematch{}, matches: map[string]match{}}
}

func (p *pools) Decide(cmd any, at int64) ([]actor.Event, error) {
	switch c := cmd.(type) {
	case connect:
		return []actor.Event{connected(c)}, nil
	case disconnect:
		if who := p.people[c.Who]; who == nil || who.sockets == 0 {
			return nil, nil
		}
		return []actor.Event{disconnected{Who: c.Who, At: at}}, nil
	case learn:
		if p.people[c.Who] == nil {
			return nil, nil
		}
		return []actor.Event{learned{c}}, nil
	case wantSeek:
		return p.seek(c, at)
	case wantTake:
		return p.take(c, at)
	case wantInvite:
		return p.invite(c, at)
	case wantAccept:
		return p.accept(c)
	case wantDecline:
		return p.decline(c)
	case wantRematch:
		return p.rematch(c)
	case wantBlock:
		return p.block(c, at), nil
	case cancel:
		return []actor.Event{gone{Who: c.Who, Why: "cancelled"}}, nil
	case refused:
		return nil, c.err
	case actor.Acked:
		return p.acked(c, at)
	case actor.Tick:
		return p.tick(at), nil
	case actor.Recovered, start:
		return []actor.Event{settled{}}, nil
	}
	return nil, fmt.Errorf("lobby: command %T is not known", cmd)
}

// free refuses somebody who is on the way to a table, or of whom too little is known: one who is not here could never
// withdraw what he offers.
func (p *pools) free(person string) error {
	if who := p.people[person]; who == nil || !who.known {
		return wire.Refuse(wire.CodeUnavailable)
	}
	for _, m := range p.matches {
		if m.Setup.White.ID == person || m.Setup.Black.ID == person {
			return wire.Refuse(wire.CodeSeated)
		}
	}
	return nil
}

// avoid tells whether one of two blocks the other.
func (p *pools) avoid(one, other string) bool {
	a, b := p.people[one], p.people[other]
	return a != nil && a.avoid[other] || b != nil && b.avoid[one]
}

// pair makes a match: heads gives the first one White.
func pair(id, origin string, first, second game.Player, heads bool, terms game.Terms) match {
	white, black := first, second
	if !heads {
		white, black = second, first
	}
	setup := terms.Setup(white, black)
	setup.Origin = origin
	return match{Game: id, Setup: setup}
}

// taken is the match that comes of an offer.
func taken(m match, owner string, offer actor.Event) []actor.Event {
	m.Owner, m.Offer = owner, offer
	return []actor.Event{matched{[]match{m}}}
}

// acked takes the answer of the seats: who is left over because the other one sits already waits again, or plays the one
// who came meanwhile; what he had offered to others is open again.
func (p *pools) acked(c actor.Acked, at int64) ([]actor.Event, error) {
	m, known := p.matches[c.Effect]
	if !known {
		return nil, nil
	}
	events := []actor.Event{settled{Game: c.Effect, Plays: c.Err == nil}}
	var busy *Busy
	var again *unseated
	if !errors.As(c.Err, &busy) || !errors.As(c.Err, &again) {
		return events, nil
	}
	for _, who := range [2]game.Player{m.Setup.White, m.Setup.Black} {
		if busy.At[who.ID] != "" || slices.Contains(m.Out, who.ID) || p.people[who.ID] == nil {
			continue
		}
		if who.ID == m.Owner && p.reopens(m) {
			events = append(events, m.Offer)
		}
		for _, s := range m.Waited {
			if s.Who.ID == who.ID {
				s.Game, s.Coin = again.next, again.coin
				events = append(events, p.arrive(s, true, at)...)
			}
		}
	}
	return events, nil
}

// reopens tells whether an offer that was taken in vain is open again: not to somebody who is blocked by now.
func (p *pools) reopens(m match) bool {
	i, invites := m.Offer.(invited)
	_, again := m.Offer.(asked)
	onlyOne := again || invites && i.To.ID != ""
	return !onlyOne || !p.avoid(m.Setup.White.ID, m.Setup.Black.ID)
}

// tick withdraws what belongs to people who have been without a connection for ten seconds and what nobody has answered,
// and goes over the pools.
func (p *pools) tick(at int64) []actor.Event {
	var events []actor.Event
	for _, id := range p.leaving {
		if at >= p.people[id].left+away {
			events = append(events, gone{Who: id, Why: "gone"})
		}
	}
	for _, id := range slices.Sorted(maps.Keys(p.invites)) {
		if i := p.invites[id]; i.To.ID != "" && at >= i.At+unanswered {
			events = append(events, uninvited{Invite: id, By: i.By.ID, To: i.To.ID, Why: "unanswered"})
		}
	}
	if len(events) == 0 && p.due > 0 && at >= p.due {
		events = p.pass(at)
	}
	return events
}

func (p *pools) Apply(event actor.Event) {
	switch e := event.(type) {
	case connected:
		who := p.people[e.Who.ID]
		if who == nil {
			who = &presence{who: e.Who}
			p.people[e.Who.ID] = who
		}
		who.sockets++
		p.stays(e.Who.ID)
	case disconnected:
		who := p.people[e.Who]
		who.sockets--
		who.left = e.At
		if who.sockets == 0 {
			p.leaving = append(p.leaving, e.Who)
		}
	case learned:
		p.people[e.Who].learn(e.card)
	case sought:
		p.sought(e)
	case passed:
		p.passed(e.At)
	case invited:
		p.uninvite(e.By.ID)
		p.invites[e.ID] = e.invite
	case uninvited:
		delete(p.invites, e.Invite)
	case asked:
		p.rematches[e.Game] = e.rematch
	case blocked:
		p.blocked(e)
	case gone:
		p.remove(e)
	case matched:
		p.matched(e.All)
	case settled:
		p.settled(e)
	}
}

func (p *pools) settled(e settled) {
	m, known := p.matches[e.Game]
	delete(p.matches, e.Game)
	if !known || !e.Plays {
		return
	}
	white, black := m.Setup.White.ID, m.Setup.Black.ID
	for _, pair := range [2][2]string{{white, black}, {black, white}} {
		if who := p.people[pair[0]]; who != nil {
			who.last = pair[1]
		}
	}
}

// matched notes pairs, and withdraws what their people offer.
func (p *pools) matched(all []match) {
	who := map[string]bool{}
	for _, m := range all {
		p.matches[m.Game] = m
		who[m.Setup.White.ID], who[m.Setup.Black.ID] = true, true
	}
	p.withdraw(who)
}

// withdraw takes back all that some people offer.
func (p *pools) withdraw(who map[string]bool) {
	p.seeks = slices.DeleteFunc(p.seeks, func(s seek) bool { return who[s.Who.ID] })
	maps.DeleteFunc(p.invites, func(_ string, i invite) bool { return who[i.By.ID] })
	maps.DeleteFunc(p.rematches, func(_ string, r rematch) bool { return who[r.asker()] })
}

func (p *pools) remove(e gone) {
	for id, m := range p.matches {
		if e.Why == "cancelled" && (m.Setup.White.ID == e.Who || m.Setup.Black.ID == e.Who) {
			m.Out = append(m.Out, e.Who)
			p.matches[id] = m
		}
	}
	p.withdraw(map[string]bool{e.Who: true})
	if who := p.people[e.Who]; e.Why == "gone" && who != nil && who.sockets == 0 {
		delete(p.people, e.Who)
		p.stays(e.Who)
	}
}

// stays takes somebody off the list of those who leave.
func (p *pools) stays(who string) {
	p.leaving = slices.DeleteFunc(p.leaving, func(id string) bool { return id == who })
}

func (p *pools) Deadline() (at int64, ok bool) {
	at, ok = p.due, p.due > 0
	sooner := func(t int64) {
		if !ok || t < at {
			at, ok = t, true
		}
	}
	if len(p.leaving) > 0 {
		sooner(p.people[p.leaving[0]].left + away)
	}
	for _, i := range p.invites {
		if i.To.ID != "" {
			sooner(i.At + unanswered)
		}
	}
	return at, ok
}

// Effects are the pairs that want their seats, by game.
func (p *pools) Effects() []actor.Effect {
	var pending []actor.Effect
	for id, m := range p.matches {
		pending = append(pending, actor.Effect{ID: id, Pool: "sit", Do: m})
	}
	return pending
}

func (p *pools) Done() bool { return false }
