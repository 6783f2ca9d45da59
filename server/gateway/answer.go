package gateway

import (
	"context"
	"encoding/json"
	"fmt"

	"flagfall/server/actor"
	"flagfall/server/lobby"
	"flagfall/server/table"
	"flagfall/server/wire"
)

// Asked takes a question of another node; reply is called once, now or later. It is called by the bus, in order with
// Received, and does not block. The payload is not kept.
func (g *Gateway) Asked(from Peer, payload []byte, reply func([]byte, error)) {
	defer g.survive("a question", from)
	var q question
	err := json.Unmarshal(payload, &q)
	switch {
	case err != nil:
		reply(nil, fmt.Errorf("the question cannot be read: %w", err))
		return
	case !g.ready.Load():
		respond(reply, nil, errUnavailable)
		return
	case q.Ask == askEcho:
		respond(reply, nil, nil)
		return
	case !g.hosts.begin(from):
		respond(reply, nil, wire.Refuse(wire.CodeTooMany))
		return
	}
	answer := func(work func(ctx context.Context) (any, error)) func() {
		return func() {
			var value any
			err := error(actor.ErrInternal) // after a panic
			defer func() { respond(reply, value, err) }()
			defer g.hosts.done(from)
			ctx, cancel := context.WithTimeout(g.ctx, askTime)
			defer cancel()
			value, err = work(ctx)
		}
	}
	if q.Ask != askJoin && q.Ask != askConnect {
		g.spawn(func() {
			defer g.survive("a question", from)
			answer(func(ctx context.Context) (any, error) { return g.answer(ctx, q) })()
		})
		return
	}
	p := &proxy{g: g, peer: from, number: q.Number, left: make(chan struct{})}
	if q.Person != nil {
		p.person = *q.Person
	}
	if q.Ask == askJoin && q.Message == nil || !g.hosts.add(p) {
		g.hosts.done(from)
		respond(reply, nil, wire.Refuse(wire.CodeTooMany))
		return
	}
	p.lag.Store(q.Lag)
	p.do(answer(func(ctx context.Context) (any, error) { return g.attach(ctx, p, q) }))
}

func respond(reply func([]byte, error), value any, err error) {
	var a answer
	if err == nil && value != nil {
		a.Value, err = json.Marshal(value)
	}
	if err != nil {
		a = answer{Fault: newFault(err)}
	}
	text, err := json.Marshal(a)
	reply(text, err)
}

// attach gives a proxy its place. Who has none, or needs none here, is forgotten.
func (g *Gateway) attach(ctx context.Context, p *proxy, q question) (value any, err error) {
	defer func() {
		if p.place == nil {
			g.hosts.remove(p)
		}
	}()
	if p.after != nil {
		select {
		case <-p.after:
		case <-ctx.Done():
			return nil, errUnavailable
		}
	}
	if q.Ask == askConnect {
		if err := g.mine(ctx, lobby.SeatsID); err != nil {
			return nil, err
		}
		hello, session := g.parts.Lobby.Connect(p)
		p.place = lobbyVisit{session}
		return hello.Game, nil
	}
	if err := g.mine(ctx, table.ActorID(q.Message.Game)); err != nil {
		return nil, err
	}
	visitors := g.hosts.balcony(g, p.peer, q.Gallery)
	if visitors == nil {
		return nil, wire.Refuse(wire.CodeTooMany)
	}
	place, err := g.parts.Tables.JoinFrom(p, visitors, *q.Message)
	if err != nil {
		return nil, err
	}
	if place.Plays() {
		p.place = place
	}
	return joined{Plays: place.Plays()}, nil
}

// mine fails where an actor does not run on this node: another one knows better.
func (g *Gateway) mine(ctx context.Context, id actor.ID) error {
	_, here, err := g.parts.Owners.Where(ctx, id)
	if err == nil && !here {
		err = actor.ErrUnknownActor
	}
	return err
}

// answer is for all questions but those that attach.
func (g *Gateway) answer(ctx context.Context, q question) (any, error) {
	switch q.Ask {
	case askGame, askPGN, askFinished, askRule, askLog:
		if err := g.mine(ctx, table.ActorID(q.ID)); err != nil {
			return nil, err
		}
	case askFree, askInvite, askSeat, askTake:
		if err := g.mine(ctx, lobby.SeatsID); err != nil {
			return nil, err
		}
	}
	switch {
	case q.Ask == askGame:
		view, running, err := g.parts.Tables.Game(ctx, q.ID)
		if err != nil {
			return nil, err
		}
		text, err := json.Marshal(view)
		return seen{View: text, Running: running}, err
	case q.Ask == askPGN:
		return g.parts.Tables.PGN(ctx, q.ID)
	case q.Ask == askFinished:
		return g.parts.Tables.Finished(ctx, q.ID)
	case q.Ask == askLive:
		return g.parts.Tables.Live(ctx)
	case q.Ask == askOpen && q.Setup != nil:
		return nil, g.parts.Tables.Open(ctx, q.ID, *q.Setup)
	case q.Ask == askFree && q.Freed != nil:
		return nil, g.parts.Lobby.Free(ctx, *q.Freed)
	case q.Ask == askInvite:
		return g.parts.Lobby.Invite(ctx, q.ID)
	case q.Ask == askSeat:
		return g.parts.Lobby.Seated(q.ID), nil
	}
	return g.answerEvent(ctx, q)
}
