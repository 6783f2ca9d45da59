package lobby

import (
	"flagfall/game"
	"flagfall/server/actor"
	"flagfall/server/wire"
)

// invite waits for a friend who knows its id, or challenges somebody.
type invite struct {
	ID    string
	By    game.Player
	To    game.Player // who is challenged; nobody: whoever has the link
	Terms game.Terms
	Color string // of the inviter: white, black, random
	At    int64  // when it was made, ms
}

// unanswered is how long a challenge waits for its answer, in ms.
const unanswered = 10 * 60_000

// mostChallenges is how many challenges may wait for one person.
const mostChallenges = 20

// rematch is an offer after a finished game.
type rematch struct {
	Game  string
	Setup game.Setup // of the finished game
	By    game.Side
}

func (r rematch) asker() string {
	if r.By == game.White {
		return r.Setup.White.ID
	}
	return r.Setup.Black.ID
}

func (p *pools) invite(c wantInvite, at int64) ([]actor.Event, error) {
	if err := p.free(c.By.ID); err != nil {
		return nil, err
	}
	c.At = at
	if c.To.ID == "" {
		return []actor.Event{invited(c)}, nil
	}
	if c.To.ID == c.By.ID || p.avoid(c.By.ID, c.To.ID) {
		return nil, wire.Refuse(wire.CodeNoChallenge)
	}
	waiting := 0
	for _, i := range p.invites {
		if i.To.ID == c.To.ID && i.By.ID != c.By.ID {
			waiting++
		}
	}
	if waiting >= mostChallenges {
		return nil, wire.Refusef(wire.CodeTooMany, "%s has too many challenges to answer; try again later.", c.To.Name)
	}
	return []actor.Event{invited(c)}, nil
}

func (p *pools) accept(c wantAccept) ([]actor.Event, error) {
	if err := p.free(c.Who.ID); err != nil {
		return nil, err
	}
	i, known := p.invites[c.Invite]
	switch {
	case !known, p.avoid(i.By.ID, c.Who.ID):
		return nil, wire.Refuse(wire.CodeUnknownInvite)
	case i.By.ID == c.Who.ID:
		return nil, wire.Refuse(wire.CodeOwnInvite)
	case i.To.ID != "" && i.To.ID != c.Who.ID:
		return nil, wire.Refuse(wire.CodeNotForYou)
	}
	heads := c.Coin
	if i.Color != "random" {
		heads = i.Color == "white"
	}
	return taken(pair(c.Game, "invite", i.By, c.Who, heads, i.Terms), i.By.ID, invited{i}), nil
}

func (p *pools) decline(c wantDecline) ([]actor.Event, error) {
	i, known := p.invites[c.Invite]
	if !known || i.To.ID != c.Who {
		return nil, wire.Refuse(wire.CodeUnknownInvite)
	}
	return []actor.Event{uninvited{Invite: c.Invite, By: i.By.ID, To: i.To.ID, Why: "declined"}}, nil
}

func (p *pools) rematch(c wantRematch) ([]actor.Event, error) {
	if err := p.free(c.Who); err != nil {
		return nil, err
	}
	if p.avoid(c.Setup.White.ID, c.Setup.Black.ID) {
		return nil, wire.Refuse(wire.CodeNoChallenge)
	}
	open, known := p.rematches[c.Game]
	if !known {
		return []actor.Event{asked{c.rematch}}, nil
	}
	if open.By == c.By {
		return nil, nil
	}
	old := open.Setup
	return taken(pair(c.NewGame, "rematch", old.Black, old.White, true, old.Terms()), open.asker(), asked{open}), nil
}

// uninvite takes somebody's invitation back.
func (p *pools) uninvite(who string) {
	for id, i := range p.invites {
		if i.By.ID == who {
			delete(p.invites, id)
		}
	}
}

// challenges are those that wait for somebody.
func (p *pools) challenges(who string) (all []invite) {
	for _, i := range p.invites {
		if i.To.ID == who {
			all = append(all, i)
		}
	}
	return all
}
