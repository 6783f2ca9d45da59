package review

import (
	"flagfall/game"
)

// Claim is something that could be claimed, from one move of the record on.
type Claim struct {
	By     game.Side
	Claim  game.Claim
	Result *game.Result // nil when the game goes back instead
	Back   *game.Event  // the position that is restored, and the time that the claimant gets
	Shower game.Side    // who would have to show a forced win in two minutes for another verdict; None
	Shown  *game.Result // the verdict then; nil when the claim would be refused
	From   int          // index of the line after which it could be made, -1 before the first
	To     int          // index of the line with which it was gone; StillOpen
}

// StillOpen is a claim that could be made at the end of the record, or when the game ended.
const StillOpen = -2

// asked are the claims that are tried, in the order in which simultaneous ones are judged.
var asked = []game.Claim{
	game.ClaimIllegal, game.ClaimTime, game.ClaimBothFlags, game.ClaimNoMating, game.ClaimPerpetual, game.ClaimPawn,
	game.ClaimRookPawn, game.ClaimOpposite, game.ClaimIdentical, game.ClaimThreefold, game.ClaimFifty,
}

// same tells whether two findings are one claim that goes on.
func (c *Claim) same(o *Claim) bool {
	if c.By != o.By || c.Shower != o.Shower || (c.Result == nil) != (o.Result == nil) {
		return false
	}
	if c.Result != nil {
		return *c.Result == *o.Result
	}
	return c.Back.Add == o.Back.Add && c.Back.Ply == o.Back.Ply
}

// look tries every claim of both sides at this moment.
func (p *play) look() {
	if p.err != nil || p.game.Phase() != game.Play {
		return
	}
	var found []*Claim
	for _, kind := range asked {
		for _, side := range [2]game.Side{game.White, game.Black} {
			c, err := p.try(side, kind)
			if err != nil {
				p.err = err
				return
			}
			if c != nil && !contains(found, c) {
				found = append(found, c)
			}
		}
	}
	for _, c := range p.out.Claims {
		if c.To == StillOpen && !contains(found, c) {
			c.To = p.line
		}
	}
	for _, c := range found {
		if !p.open(c) {
			c.From, c.To = p.line, StillOpen
			p.out.Claims = append(p.out.Claims, c)
		}
	}
}

func contains(list []*Claim, c *Claim) bool {
	for _, other := range list {
		if c.same(other) {
			return true
		}
	}
	return false
}

func (p *play) open(c *Claim) bool {
	for _, other := range p.out.Claims {
		if other.To == StillOpen && c.same(other) {
			return true
		}
	}
	return false
}

// closeAll ends what the end of the game ends.
func (p *play) closeAll() {
	for _, c := range p.out.Claims {
		if c.To == StillOpen && p.game.Phase() == game.Over {
			c.To = p.line
		}
	}
}

// try makes a claim on a copy of the game. It is nil when the claim would be refused.
func (p *play) try(by game.Side, kind game.Claim) (*Claim, error) {
	g := *p.game
	events, err := g.Decide(game.Command{Kind: game.MakeClaim, By: by, Claim: kind}, p.at)
	if err != nil {
		return nil, nil // a refusal
	}
	c := &Claim{By: by, Claim: kind, Shower: game.None}
	for i, e := range events {
		g.Apply(e)
		if e.Kind == game.Restored {
			c.Back = &events[i]
		}
	}
	if err := settle(&g, p.prove, p.at); err != nil {
		return nil, err
	}
	if g.Phase() == game.Demonstrating {
		c.Shower, _, _, _ = g.Demo(p.at)
		if c.Shown, err = p.conceded(g, c.Shower.Other()); err != nil {
			return nil, err
		}
		if c.Result, err = p.conceded(g, c.Shower); err != nil {
			return nil, err
		}
	} else {
		c.Result = g.Result()
	}
	switch {
	case c.Result == nil && c.Back == nil:
		return nil, nil
	case c.Result != nil && c.Result.Reason == "both_flags": // whatever was claimed, it brings them to notice
		c.Claim = game.ClaimBothFlags
	}
	return c, nil
}

// conceded is what comes of a demonstration that one side gives up.
func (p *play) conceded(g game.Game, by game.Side) (*game.Result, error) {
	for g.Phase() == game.Demonstrating {
		events, err := g.Decide(game.Command{Kind: game.Concede, By: by}, p.at)
		if err != nil {
			return nil, err
		}
		for _, e := range events {
			g.Apply(e)
		}
		if err := settle(&g, p.prove, p.at); err != nil {
			return nil, err
		}
	}
	return g.Result(), nil
}

// First is the claim that ends or turns the game when everything is claimed as soon as it can be; nil when there is none.
func (o *Opinion) First() *Claim {
	if len(o.Claims) == 0 {
		return nil
	}
	return o.Claims[0]
}
