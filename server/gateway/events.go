package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"flagfall/game"
	"flagfall/server/actor"
	"flagfall/server/arena"
	"flagfall/server/arena/host"
	"flagfall/server/table"
	"flagfall/server/wire"
)

// Event takes a question to where its event runs, for host.Config.Ask.
func (g *Gateway) Event(ctx context.Context, q host.Question) (answer json.RawMessage, err error) {
	if !g.ready.Load() {
		return nil, errUnavailable
	}
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	var refused *wire.Refusal // by the event itself: it is not on the move
	began, age := g.now(), q.Age
	here := func() (err error) {
		q.Age = age + (g.now() - began).Milliseconds()
		answer, err = g.parts.Events.Here(ctx, q)
		return settled(err, &refused)
	}
	err = g.atOwner(ctx, host.ID(q.Event), here, func(node string) error {
		q.Age = age + (g.now() - began).Milliseconds()
		var reply json.RawMessage
		err := g.ask(ctx, node, question{Ask: askEvent, Event: &q}, &reply)
		if err == nil {
			answer, err = unpacked(reply)
		}
		return settled(err, &refused)
	})
	if errors.Is(err, errNowhere) {
		q.Nowhere = true
		err = here()
	}
	if refused != nil {
		return nil, refused
	}
	if errors.Is(err, actor.ErrInvalid) {
		err = host.ErrUnknownEvent
	}
	return answer, err
}

// settled takes an event's refusal out of an error, but that the node is not ready.
func settled(err error, refused **wire.Refusal) error {
	if err == nil || errors.Is(err, errUnavailable) || !errors.As(err, refused) {
		return err
	}
	return nil
}

// Begin makes an event on one of the nodes, for host.Config.Open. The same again does nothing.
func (g *Gateway) Begin(ctx context.Context, name string, first arena.Create) error {
	if !g.ready.Load() {
		return errUnavailable
	}
	here := func(ctx context.Context) error { return g.parts.Events.OpenHere(ctx, name, first) }
	final := func(err error) bool { return errors.As(err, new(*arena.Refusal)) }
	return g.setUp(ctx, g.log.With("event", name), host.ID(name), here, question{Ask: askBegin, ID: name, First: &first}, final)
}

// Take asks for both seats of a game of an event, for host.Config.Seat.
func (g *Gateway) Take(ctx context.Context, id string, setup game.Setup) error {
	here := func(ctx context.Context) error { return g.parts.Lobby.Seat(ctx, id, setup) }
	return g.aboutLobby(ctx, here, question{Ask: askTake, ID: id, Setup: &setup}, nil)
}

// Rule takes a ruling to the game's table, for host.Config.Rule.
func (g *Gateway) Rule(ctx context.Context, from, id, gameID string, r game.Ruling) error {
	here := func() error { return g.parts.Tables.Rule(ctx, from, id, gameID, r) }
	return g.aboutGame(ctx, gameID, here, func(ctx context.Context, node string) error {
		return g.ask(ctx, node, question{Ask: askRule, ID: gameID, Ruling: &ruling{From: from, ID: id, Ruling: r}}, nil)
	})
}

// Log is all that happened in a game, for host.Config.GameLog.
func (g *Gateway) Log(ctx context.Context, id string) (table.GameLog, error) {
	return ofGame(ctx, g, askLog, id, (*table.Tables).Log)
}

// boardsTime bounds how long other nodes are waited for.
const boardsTime = 500 * time.Millisecond

// Boards lists the running games of an event at all nodes, for host.Config.Boards. Those of a node that does not answer are
// left out.
func (g *Gateway) Boards(ctx context.Context, event string) ([]table.Board, error) {
	if !g.ready.Load() {
		return nil, errUnavailable
	}
	all, err := g.parts.Tables.Boards(ctx, event)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, boardsTime)
	defer cancel()
	all = append(all, ofOthers[table.Board](ctx, g, question{Ask: askBoards, ID: event})...)
	slices.SortFunc(all, func(a, b table.Board) int { return strings.Compare(a.Game, b.Game) })
	return slices.CompactFunc(all, func(a, b table.Board) bool { return a.Game == b.Game }), nil
}

// answerEvent is for the questions of events.
func (g *Gateway) answerEvent(ctx context.Context, q question) (any, error) {
	switch {
	case q.Ask == askTake && q.Setup != nil:
		return nil, g.parts.Lobby.Seat(ctx, q.ID, *q.Setup)
	case q.Ask == askRule && q.Ruling != nil:
		return nil, g.parts.Tables.Rule(ctx, q.Ruling.From, q.Ruling.ID, q.ID, q.Ruling.Ruling)
	case q.Ask == askLog:
		return g.parts.Tables.Log(ctx, q.ID)
	case q.Ask == askBoards:
		return g.parts.Tables.Boards(ctx, q.ID)
	case q.Ask == askBegin && q.First != nil:
		return nil, g.parts.Events.OpenHere(ctx, q.ID, *q.First)
	case q.Ask == askEvent && q.Event != nil:
		if err := g.mine(ctx, host.ID(q.Event.Event)); err != nil {
			return nil, err
		}
		asked := *q.Event
		asked.Nowhere = false
		reply, err := g.parts.Events.Here(ctx, asked)
		if err != nil {
			return nil, err
		}
		return packed(reply)
	}
	return nil, fmt.Errorf("the question %q is not known", q.Ask)
}
