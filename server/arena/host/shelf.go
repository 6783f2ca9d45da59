package host

import (
	"context"
	"encoding/json"
	"errors"

	"flagfall/server/actor"
	"flagfall/server/arena"
	"flagfall/server/wire"
)

// stored is an event as the database has it.
func (h *Host) stored(ctx context.Context, name string) (*arena.State, Row, error) {
	row, err := h.cfg.Shelf.Row(ctx, name)
	if err != nil {
		return nil, row, err
	}
	if len(row.Dump) == 0 { // it is being made, or never was
		return nil, row, ErrUnknownEvent
	}
	s, err := arena.Load(row.Dump)
	return s, row, err
}

// fromShelf answers for an event that runs nowhere: it can be read, and its results corrected.
func (h *Host) fromShelf(ctx context.Context, q Question) (json.RawMessage, error) {
	switch q.What {
	case "finished", "matter": // an event that is no more takes nothing
		return text(struct{}{}, nil)
	case "known":
		return text(false, nil)
	case "look": // twice a second: nothing is new there
		return text(looked{}, nil)
	}
	s, row, err := h.stored(ctx, q.Event)
	if err != nil {
		return nil, err
	}
	now := h.cfg.Civil().UnixMilli()
	switch q.What {
	case "act":
		if !s.May(q.viewer()) {
			return nil, ErrUnknownEvent
		}
		return text(struct{}{}, h.correctStored(ctx, q, s, row))
	case "export":
		return export(q, s)
	case "boards", "chat", "attend", "desk", "game", "say":
		return h.overAnswer(ctx, q, s, now)
	}
	return ask(s, now, q, 0)
}

// overAnswer is what an event that is over says of what only a running one has.
func (h *Host) overAnswer(ctx context.Context, q Question, s *arena.State, now int64) (json.RawMessage, error) {
	if !s.May(q.viewer()) {
		return nil, ErrUnknownEvent
	}
	switch q.What {
	case "boards":
		return text(map[string]any{"boards": []any{}}, nil)
	case "chat":
		return text(map[string]any{"chat": []any{}, "muted": true}, nil)
	case "attend":
		return text(attendedOf(q.Event, s, now, q))
	case "desk":
		if !staff(s, q.By.ID) {
			return nil, wire.Refuse(wire.CodeForbidden)
		}
		return text(s.DeskView(q.By.ID, now), nil)
	case "game":
		var p struct {
			Game string `json:"game"`
		}
		if err := q.read(&p); err != nil {
			return nil, err
		}
		if !staff(s, q.By.ID) {
			return nil, wire.Refuse(wire.CodeForbidden)
		}
		if s.Game(p.Game) == nil {
			return nil, wire.Refuse(wire.CodeUnknownGame)
		}
		return text(h.cfg.GameLog(ctx, p.Game))
	}
	return nil, wire.Refuse(wire.CodeWrongPhase)
}

// correctStored corrects a result of an event that is over (rulings D38).
func (h *Host) correctStored(ctx context.Context, q Question, s *arena.State, row Row) error {
	cmd, err := command(q)
	if err != nil {
		return err
	}
	c, ok := cmd.(arena.Correct)
	if !ok {
		return wire.Refuse(wire.CodeWrongPhase)
	}
	events, err := s.Decide(c, max(0, h.cfg.Civil().UnixMilli()-s.Origin))
	if err != nil {
		return said(err)
	}
	for _, e := range events {
		s.Apply(e)
	}
	next, err := rowOf(q.Event, s)
	if err != nil {
		return err
	}
	next.Edition = max(next.Edition, row.Edition+1)
	done, err := h.cfg.Shelf.Replace(ctx, next, row.Edition)
	switch {
	case err != nil:
		return err
	case !done:
		return wire.Refusef(wire.CodeTooMany, "Somebody else has just corrected a result; look again.")
	}
	for _, e := range s.Effects() {
		do, ok := e.Do.(arena.File)
		if !ok || !s.Game(do.Game).Opened {
			continue
		}
		if err := h.correct(ctx, Correction{Game: do.Game, Outcome: do.Outcome, By: s.Names[do.By], Why: do.Why}); err != nil && !errors.Is(err, ErrNotArchived) {
			return err
		}
		acked, err := s.Decide(actor.Acked{Effect: e.ID}, max(0, s.Now-s.Origin))
		if err != nil {
			return err
		}
		for _, e := range acked {
			s.Apply(e)
		}
	}
	return nil
}
