package lobby

import (
	"errors"
	"fmt"
	"slices"

	"flagfall/game"
	"flagfall/server/actor"
	"flagfall/server/wire"
)

// ID is the actor that pairs people. Seeks and invitations live in memory and die with their owner's connection.
const ID actor.ID = "lobby"

// away is how long a seek outlives its owner's last connection, in ms.
const away = 10000

// seek is somebody who waits for an opponent.
type seek struct {
	Who   game.Player
	Terms game.Terms
}

// invite waits for a friend who knows its id.
type invite struct {
	ID    string
	By    game.Player
	Terms game.Terms
	Color string // of the inviter: white, black, random
}

// match is a pair that is being seated.
type match struct {
	Game  string
	Setup game.Setup
	Front bool     // a pool's match: who is left over waits again, first in line
	Out   []string // who has cancelled meanwhile and waits no more

	Owner string      // whose invitation or rematch was taken
	Offer actor.Event // opens it again, should the one who took it sit elsewhere
}

// taken notes in a new match whose offer it came from.
func taken(events []actor.Event, owner string, offer actor.Event) []actor.Event {
	last := len(events) - 1
	m := events[last].(matched)
	m.Owner, m.Offer = owner, offer
	events[last] = m
	return events
}

// rematch is an offer after a finished game.
type rematch struct {
	Game  string
	Setup game.Setup // of the finished game
	By    game.Side
}

// Commands of the lobby. Game is a fresh id for the game that may come of it, Coin decides colours.
type (
	connect    struct{ Who game.Player }
	disconnect struct{ Who string }
	wantSeek   struct {
		seek
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
	wantRematch struct {
		rematch
		Who     string
		NewGame string
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
	sought struct {
		seek
		Front bool
	}
	invited struct{ invite }
	asked   struct{ rematch }
	gone    struct{ Who, Why string } // all that this person offers is withdrawn
	matched struct{ match }
	settled struct{ Game string } // the pair sits, or cannot
)

// presence is somebody with a socket, or who had one a moment ago.
type presence struct {
	who     game.Player
	sockets int
	left    int64 // when the last one closed
}

// pools is the lobby's machine.
type pools struct {
	people    map[string]*presence
	seeks     []seek
	invites   map[string]invite
	rematches map[string]rematch
	matches   map[string]match
	leaving   []string // people without a socket, who left first comes first
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
	case wantSeek:
		return p.seek(c)
	case wantInvite:
		return p.invite(c)
	case wantAccept:
		return p.accept(c)
	case wantRematch:
		return p.rematch(c)
	case cancel:
		return p.withdraw(c.Who, "cancelled"), nil
	case refused:
		return nil, c.err
	case actor.Acked:
		return p.acked(c)
	case actor.Tick:
		return p.tick(at), nil
	case actor.Recovered, start:
		return []actor.Event{settled{}}, nil
	}
	return nil, fmt.Errorf("lobby: command %T is not known", cmd)
}

// seek pairs with the one who has waited longest for the same, or waits.
func (p *pools) seek(c wantSeek) ([]actor.Event, error) {
	if err := p.free(c.Who.ID); err != nil {
		return nil, err
	}
	if first, waits := p.waiting(c.seek); waits {
		return p.pair(c.Game, "pool", first, c.Who, c.Coin, c.Terms), nil
	}
	return []actor.Event{sought{seek: c.seek}}, nil
}

// waiting is the one who has waited longest for the same as s.
func (p *pools) waiting(s seek) (who game.Player, ok bool) {
	for _, open := range p.seeks {
		if open.Terms == s.Terms && open.Who.ID != s.Who.ID {
			return open.Who, true
		}
	}
	return game.Player{}, false
}

// free refuses somebody who is on the way to a table, or who is not here: nobody could ever withdraw what he offers.
func (p *pools) free(person string) error {
	if p.people[person] == nil {
		return wire.Refuse(wire.CodeUnavailable)
	}
	for _, m := range p.matches {
		if m.Setup.White.ID == person || m.Setup.Black.ID == person {
			return wire.Refuse(wire.CodeSeated)
		}
	}
	return nil
}

// pair makes a match: heads gives the first one White.
func (p *pools) pair(id, origin string, first, second game.Player, heads bool, terms game.Terms) []actor.Event {
	white, black := first, second
	if !heads {
		white, black = second, first
	}
	setup := terms.Setup(white, black)
	setup.Origin = origin
	events := []actor.Event{}
	for _, who := range [2]string{white.ID, black.ID} {
		events = append(events, p.withdraw(who, "paired")...)
	}
	return append(events, matched{match{Game: id, Setup: setup, Front: origin == "pool"}})
}

// withdraw takes back all that somebody offers; no event where that is nothing.
func (p *pools) withdraw(who, why string) []actor.Event {
	offers := slices.ContainsFunc(p.seeks, func(s seek) bool { return s.Who.ID == who })
	for _, i := range p.invites {
		offers = offers || i.By.ID == who
	}
	for _, r := range p.rematches {
		offers = offers || r.asker() == who
	}
	if !offers && why != "cancelled" {
		return nil
	}
	return []actor.Event{gone{Who: who, Why: why}}
}

func (p *pools) invite(c wantInvite) ([]actor.Event, error) {
	if err := p.free(c.By.ID); err != nil {
		return nil, err
	}
	return []actor.Event{invited(c)}, nil
}

func (p *pools) accept(c wantAccept) ([]actor.Event, error) {
	if err := p.free(c.Who.ID); err != nil {
		return nil, err
	}
	i, known := p.invites[c.Invite]
	switch {
	case !known:
		return nil, wire.Refuse(wire.CodeUnknownInvite)
	case i.By.ID == c.Who.ID:
		return nil, wire.Refuse(wire.CodeOwnInvite)
	}
	heads := c.Coin
	if i.Color != "random" {
		heads = i.Color == "white"
	}
	return taken(p.pair(c.Game, "invite", i.By, c.Who, heads, i.Terms), i.By.ID, invited{i}), nil
}

func (p *pools) rematch(c wantRematch) ([]actor.Event, error) {
	if err := p.free(c.Who); err != nil {
		return nil, err
	}
	open, known := p.rematches[c.Game]
	if !known {
		return []actor.Event{asked{c.rematch}}, nil
	}
	if open.By == c.By {
		return nil, nil
	}
	old := open.Setup
	return taken(p.pair(c.NewGame, "rematch", old.Black, old.White, true, old.Terms()), open.asker(), asked{open}), nil
}

func (r rematch) asker() string {
	if r.By == game.White {
		return r.Setup.White.ID
	}
	return r.Setup.Black.ID
}

// acked takes the answer of the seats: who is left over because the other one sits already waits again, or plays the one
// who came meanwhile; what he had offered to a friend is open again.
func (p *pools) acked(c actor.Acked) ([]actor.Event, error) {
	m, known := p.matches[c.Effect]
	if !known {
		return nil, nil
	}
	events := []actor.Event{settled{Game: c.Effect}}
	var busy *errSeated
	var again *unseated
	if !errors.As(c.Err, &busy) || !errors.As(c.Err, &again) {
		return events, nil
	}
	for _, who := range [2]game.Player{m.Setup.White, m.Setup.Black} {
		if busy.At[who.ID] != "" || slices.Contains(m.Out, who.ID) || p.people[who.ID] == nil {
			continue
		}
		if who.ID == m.Owner {
			events = append(events, m.Offer)
		}
		if !m.Front {
			continue
		}
		s := seek{who, m.Setup.Terms()}
		if other, waits := p.waiting(s); waits {
			return append(events, p.pair(again.next, "pool", who, other, again.coin, s.Terms)...), nil
		}
		events = append(events, sought{seek: s, Front: true})
	}
	return events, nil
}

// tick withdraws what belongs to people who have been without a connection for ten seconds.
func (p *pools) tick(at int64) []actor.Event {
	var events []actor.Event
	for _, id := range p.leaving {
		if at >= p.people[id].left+away {
			events = append(events, gone{Who: id, Why: "gone"})
		}
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
	case sought:
		p.sought(e)
	case invited:
		p.uninvite(e.By.ID)
		p.invites[e.ID] = e.invite
	case asked:
		p.rematches[e.Game] = e.rematch
	case gone:
		p.remove(e)
	case matched:
		p.matches[e.Game] = e.match
	case settled:
		delete(p.matches, e.Game)
	}
}

// sought keeps one seek for each person; the same again keeps its place.
func (p *pools) sought(e sought) {
	if slices.Contains(p.seeks, e.seek) {
		return
	}
	p.unseek(e.Who.ID)
	if e.Front {
		p.seeks = slices.Insert(p.seeks, 0, e.seek)
	} else {
		p.seeks = append(p.seeks, e.seek)
	}
}

func (p *pools) remove(e gone) {
	for id, m := range p.matches {
		if e.Why == "cancelled" && (m.Setup.White.ID == e.Who || m.Setup.Black.ID == e.Who) {
			m.Out = append(m.Out, e.Who)
			p.matches[id] = m
		}
	}
	p.unseek(e.Who)
	p.uninvite(e.Who)
	for id, r := range p.rematches {
		if r.asker() == e.Who {
			delete(p.rematches, id)
		}
	}
	if who := p.people[e.Who]; e.Why == "gone" && who != nil && who.sockets == 0 {
		delete(p.people, e.Who)
		p.stays(e.Who)
	}
}

// stays takes somebody off the list of those who leave.
func (p *pools) stays(who string) {
	p.leaving = slices.DeleteFunc(p.leaving, func(id string) bool { return id == who })
}

func (p *pools) unseek(who string) {
	p.seeks = slices.DeleteFunc(p.seeks, func(s seek) bool { return s.Who.ID == who })
}

func (p *pools) uninvite(who string) {
	for id, i := range p.invites {
		if i.By.ID == who {
			delete(p.invites, id)
		}
	}
}

func (p *pools) Deadline() (at int64, ok bool) {
	if len(p.leaving) == 0 {
		return 0, false
	}
	return p.people[p.leaving[0]].left + away, true
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
