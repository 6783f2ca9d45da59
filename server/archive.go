package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"flagfall/game"
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
	kind := ""
	if h.Setup.Rated {
		kind = h.Setup.RatingKind()
	}
	_, err = a.store.SaveGame(ctx, store.Game{
		ID: r.ID, White: h.Setup.White.ID, WhiteName: h.Setup.White.Name, Black: h.Setup.Black.ID, BlackName: h.Setup.Black.Name,
		Rules: h.Setup.RuleSet, Mode: string(h.Setup.Mode), Base: h.Setup.Base[0],
		Result: string(h.Result.Score), Reason: string(h.Result.Reason), Rule: h.Result.Cite(),
		Started: r.Started(), Ended: ended, Plies: len(h.Moves), Record: text,
		Rating: kind, Counts: h.Counts(),
	})
	return err
}

// Load reads a game.
func (a archive) Load(ctx context.Context, id string) (table.Record, error) {
	g, err := a.store.Game(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return table.Record{}, table.ErrUnknownGame
	}
	if err != nil {
		return table.Record{}, a.failed(err)
	}
	record, err := table.ParseRecord(g.Record)
	if err != nil {
		return table.Record{}, err
	}
	record.Correct(game.Score(g.Result), game.Reason(g.Reason))
	if g.Reason != store.ReasonCorrected {
		return record, nil
	}
	list, err := a.store.Corrections(ctx, id)
	if err != nil {
		return table.Record{}, a.failed(err)
	}
	for _, c := range list {
		record.Corrections = append(record.Corrections, table.Correction{
			At: c.At.Format(time.RFC3339), By: c.By, Why: c.Why, Before: c.Before, Result: c.Result,
		})
	}
	return record, nil
}

// failed is an error of the store as the tables tell it.
func (archive) failed(err error) error {
	if errors.Is(err, store.ErrUnavailable) {
		return fmt.Errorf("%w (%w)", wire.Refusef(wire.CodeUnavailable, "The archive does not answer; try again in a moment."), err)
	}
	return err
}
