package lobby

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"flagfall/game"
	"flagfall/server/account"
	"flagfall/server/actor"
	"flagfall/server/wire"
)

// People is what is kept of people: ratings, and who blocks whom.
type People interface {
	// Ranks are somebody's ratings by rule set.
	Ranks(ctx context.Context, person string) (map[string]float64, error)
	// Blocks are all whom somebody blocks and all who block him.
	Blocks(ctx context.Context, person string) ([]string, error)
	// Blocked are those whom he blocks.
	Blocked(ctx context.Context, person string) ([]account.Person, error)
	// Block and Unblock keep that somebody blocks another, and that he does not; the same again changes nothing. Block of
	// somebody who is not known is ErrUnknownPerson.
	Block(ctx context.Context, person, other string) error
	Unblock(ctx context.Context, person, other string) error
	// Named finds the account of a name, or gives ErrUnknownPerson.
	Named(ctx context.Context, name string) (account.Person, error)
}

// ErrUnknownPerson says that there is nobody of a name or an id.
var ErrUnknownPerson = wire.Refusef(wire.CodeUnknownPerson, "There is nobody of that name here.")

// card is what pairing has to know of somebody beside his name.
type card struct {
	Ranks map[string]float64 // by rule set; none for a guest
	Avoid map[string]bool    // whom he blocks, and who blocks him
}

// cardTime bounds the reading of a card: while the database is away, what is known already has to do.
const cardTime = time.Second

// look has the lobby learn what pairing has to know of somebody. If that cannot be read, it may know it from before.
func (l *Lobby) look(ctx context.Context, who account.Person) {
	var c card
	if l.cfg.People != nil {
		ctx, stop := context.WithTimeout(ctx, cardTime)
		defer stop()
		blocks, err := l.cfg.People.Blocks(ctx, who.ID)
		if err == nil && !who.Guest {
			c.Ranks, err = l.cfg.People.Ranks(ctx, who.ID)
		}
		if err != nil {
			l.cfg.Log.Warn("what pairing has to know of somebody cannot be read", "person", who.ID, "err", err)
			return
		}
		c.Avoid = map[string]bool{}
		for _, id := range blocks {
			c.Avoid[id] = true
		}
	}
	_ = l.cfg.Hall.Send(ID, actor.Command{Body: learn{Who: who.ID, card: c}}) // what comes after it fails as well
}

// named finds somebody who can be challenged: an account, or the only guest of that name who is here.
func (l *Lobby) named(ctx context.Context, name string) (game.Player, error) {
	if l.cfg.People != nil {
		switch who, err := l.cfg.People.Named(ctx, name); {
		case err == nil:
			return player(who), nil
		case !errors.Is(err, ErrUnknownPerson):
			return game.Player{}, err
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	var found game.Player
	for _, sockets := range l.sockets {
		who := sockets[0].conn.Person()
		if who.Name != name || !who.Guest {
			continue
		}
		if found.ID != "" {
			return game.Player{}, ErrUnknownPerson
		}
		found = player(who)
	}
	if found.ID == "" {
		return game.Player{}, ErrUnknownPerson
	}
	return found, nil
}

// learn takes a card; what has changed since somebody came is newer.
func (w *presence) learn(c card) {
	w.known, w.ranks = true, c.Ranks
	w.avoid = maps.Clone(c.Avoid)
	for other, on := range w.blocks {
		w.setAvoid(other, on)
	}
}

func (w *presence) setAvoid(other string, on bool) {
	if w.avoid == nil {
		w.avoid = map[string]bool{}
	}
	w.avoid[other] = on
}

// block withdraws challenges between two of whom one blocks the other.
func (p *pools) block(c wantBlock, at int64) []actor.Event {
	events := []actor.Event{blocked{c, at}}
	if !c.On {
		return events
	}
	for _, id := range slices.Sorted(maps.Keys(p.invites)) {
		i := p.invites[id]
		if i.By.ID == c.Who && i.To.ID == c.Other || i.By.ID == c.Other && i.To.ID == c.Who {
			events = append(events, uninvited{Invite: id, By: i.By.ID, To: i.To.ID, Why: "withdrawn"})
		}
	}
	return events
}

func (p *pools) blocked(e blocked) {
	for _, pair := range [2][2]string{{e.Who, e.Other}, {e.Other, e.Who}} {
		who := p.people[pair[0]]
		if who == nil {
			continue
		}
		if who.blocks == nil {
			who.blocks = map[string]bool{}
		}
		who.blocks[pair[1]] = e.On
		who.setAvoid(pair[1], e.On)
	}
	if e.On {
		for id, r := range p.rematches {
			if p.avoid(r.Setup.White.ID, r.Setup.Black.ID) {
				delete(p.rematches, id)
			}
		}
	}
	p.wake(e.At)
}
