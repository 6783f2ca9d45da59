package host

import (
	"context"
	"encoding/json"
	"time"

	"flagfall/server/actor"
	"flagfall/server/arena"
)

// still is a copy of an event, and what was made of it: tables and files of a large event take long, and the event itself must not
// wait for them, however many ask.
type still struct {
	turn  chan struct{} // held by who asks
	at    time.Time     // when it was the state, as somebody has asked last
	made  time.Time     // when the last thing was
	cost  time.Duration // and how long it took
	seq   uint64
	state *arena.State
	texts map[string]json.RawMessage
}

// Between two things that are made of an event passes so many times what the first one took, so long at most: who asks meanwhile waits.
const (
	stillRest = 4
	stillWait = 2 * time.Second
	stillKept = 10 * time.Second // when nobody asks for so long, it is let go
)

// made gives what one of a kind is made of the event as it is now.
func (e *event) made(ctx context.Context, kind string, of func(s *arena.State) (json.RawMessage, error)) (json.RawMessage, error) {
	c, asked := &e.still, time.Now()
	select {
	case c.turn <- struct{}{}:
		defer func() { <-c.turn }()
	case <-ctx.Done():
		return nil, errUnavailable
	}
	if !c.at.After(asked) { // else it is of later than the question: one making serves all who waited for it
		if err := e.refresh(ctx); err != nil {
			return nil, err
		}
	}
	if text, known := c.texts[kind]; known {
		return text, nil
	}
	if rest := time.Until(c.made.Add(min(stillRest*c.cost, stillWait))); rest > 0 {
		select {
		case <-time.After(rest):
		case <-ctx.Done():
			return nil, errUnavailable
		}
		if err := e.refresh(ctx); err != nil {
			return nil, err
		}
	}
	begun := time.Now()
	text, err := of(c.state)
	c.made = time.Now()
	c.cost = c.made.Sub(begun)
	if err != nil {
		return nil, said(err)
	}
	c.texts[kind] = text
	return text, nil
}

// refresh has the copy be that of now. It needs the turn.
func (e *event) refresh(ctx context.Context) error {
	c := &e.still
	now := time.Now()
	err := e.h.cfg.Hall.Inspect(ctx, ID(e.name), func(m actor.Machine, seq uint64, _ int64) {
		if c.state == nil || seq != c.seq {
			c.state, c.seq, c.texts = m.(*arena.State).Copy(), seq, map[string]json.RawMessage{}
		}
	})
	if err == nil {
		c.at = now
	}
	return err
}

// letGo forgets what nobody has asked for of late.
func (e *event) letGo(now time.Time) {
	c := &e.still
	select {
	case c.turn <- struct{}{}:
		if now.Sub(c.at) >= stillKept {
			c.state, c.texts, c.at = nil, nil, time.Time{}
		}
		<-c.turn
	default: // somebody asks
	}
}

// exported makes a file of the event's results.
func (e *event) exported(ctx context.Context, q Question) (json.RawMessage, error) {
	var p struct {
		File string `json:"file"`
	}
	if err := q.read(&p); err != nil {
		return nil, err
	}
	holds := false
	err := e.read(ctx, func(s *arena.State, _ int64) error {
		holds = s.Staff(q.By.ID)
		if !s.May(q.viewer()) {
			return ErrUnknownEvent
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	kind := "file " + p.File
	if holds {
		kind = "staff's " + kind
	}
	return e.made(ctx, kind, func(s *arena.State) (json.RawMessage, error) { return fileOf(q.Event, s, p.File, holds) })
}

// stood is the table with all games that are over.
func (e *event) stood(ctx context.Context, q Question) (json.RawMessage, error) {
	if err := e.sees(ctx, q); err != nil {
		return nil, err
	}
	return e.made(ctx, "standings", standings)
}
