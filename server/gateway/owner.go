package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"flagfall/server/actor"
	"flagfall/server/table"
	"flagfall/server/wire"
)

var (
	errUnavailable = wire.Refuse(wire.CodeUnavailable)
	errNowhere     = errors.New("the actor lives nowhere")
	errNoAnswer    = errors.New("the other node has not answered")
	errAnswered    = errors.New("the other node has answered the socket, and not that it did")
)

// askTime bounds a question to the owner of an actor, its way through several nodes included.
const askTime = 5 * time.Second

// ask asks a node; the answer is decoded into value unless that is nil. The errors that the other side gave are what they
// were there, all others wrap errNoAnswer.
func (g *Gateway) ask(ctx context.Context, node string, q question, value any) error {
	if g.parts.Bus.Deaf() || g.holding.on.Load() {
		return errNoAnswer
	}
	leave, err := g.away.enter(ctx, node)
	if err != nil {
		return err
	}
	defer leave()
	text, err := json.Marshal(q)
	if err != nil {
		return fmt.Errorf("question %s: %w", q.Ask, err)
	}
	reply, err := g.parts.Bus.Ask(ctx, node, text)
	if err != nil {
		return fmt.Errorf("%w: %w", errNoAnswer, err)
	}
	var a answer
	if err := json.Unmarshal(reply, &a); err != nil {
		return fmt.Errorf("answer of %s to %s: %w", node, q.Ask, err)
	}
	if a.Fault != nil {
		return a.Fault.err()
	}
	if value == nil {
		return nil
	}
	if err := json.Unmarshal(a.Value, value); err != nil {
		return fmt.Errorf("answer of %s to %s: %w", node, q.Ask, err)
	}
	return nil
}

// onTheMove tells whether an error may come from an actor that is, by now, somewhere else.
func onTheMove(err error) bool {
	return slices.ContainsFunc(moving, func(one error) bool { return errors.Is(err, one) })
}

var moving = []error{
	errNoAnswer, actor.ErrMoved, actor.ErrUnknownActor, actor.ErrConflict, actor.ErrClosed, table.ErrUnknownGame, errUnavailable,
}

// atOwner reaches an actor, here or there, and tries again while it is on the move. It gives up with a refusal that says
// so when the context ends; errNowhere: the actor lives nowhere.
func (g *Gateway) atOwner(ctx context.Context, id actor.ID, here func() error, there func(node string) error) error {
	for wait := 10 * time.Millisecond; ; wait = min(2*wait, 500*time.Millisecond) {
		node, isHere, err := g.parts.Owners.Where(ctx, id)
		switch {
		case errors.Is(err, actor.ErrUnknownActor):
			return errNowhere
		case errors.Is(err, actor.ErrInvalid):
			return err
		case err != nil:
		case isHere:
			if err = here(); !onTheMove(err) {
				return err
			}
		default:
			if err = there(node); !onTheMove(err) {
				return err
			}
		}
		if !pause(ctx, wait) {
			g.log.Warn("an actor was not reached", "actor", id, "err", err)
			return errUnavailable
		}
	}
}

// pause waits and says whether ctx goes on.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
