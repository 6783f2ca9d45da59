package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"flagfall/server/store"
	"flagfall/server/table"
	"flagfall/server/wire"
)

// archive keeps finished games in the database.
type archive struct{ store *store.Store }

// Save writes a game; the same game again changes nothing.
func (a archive) Save(ctx context.Context, r table.Record) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	ended, err := time.Parse(time.RFC3339Nano, r.Ended)
	if err != nil {
		return fmt.Errorf("game %s: end: %w", r.ID, err)
	}
	h := r.History()
	_, err = a.store.SaveGame(ctx, store.Game{
		ID: r.ID, White: h.Setup.White.ID, WhiteName: h.Setup.White.Name, Black: h.Setup.Black.ID, BlackName: h.Setup.Black.Name,
		Rules: h.Setup.RuleSet, Mode: string(h.Setup.Mode), Base: h.Setup.Base[0],
		Result: string(h.Result.Score), Reason: string(h.Result.Reason), Rule: h.Result.Cite(),
		Started: r.Started(), Ended: ended, Plies: len(h.Moves), Record: text,
	})
	return err
}

// Load reads a game.
func (a archive) Load(ctx context.Context, id string) (table.Record, error) {
	g, err := a.store.Game(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return table.Record{}, table.ErrUnknownGame
	}
	if errors.Is(err, store.ErrUnavailable) {
		return table.Record{}, fmt.Errorf("%w (%w)", wire.Refusef(wire.CodeUnavailable, "The archive does not answer; try again in a moment."), err)
	}
	if err != nil {
		return table.Record{}, err
	}
	return table.ParseRecord(g.Record)
}
