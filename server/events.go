package main

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"time"

	"flagfall/game"
	"flagfall/server/account"
	"flagfall/server/arena/host"
	"flagfall/server/store"
	"flagfall/server/table"
	"flagfall/server/wire"
)

// shelf is the store as the events ask it.
type shelf struct{ *store.Store }

// Add implements host.Shelf.
func (s shelf) Add(ctx context.Context, r host.Row) (bool, error) {
	e, err := ofRow(r)
	if err != nil {
		return false, err
	}
	added, err := s.AddEvent(ctx, e)
	return added, ofEvents(err)
}

// Save implements host.Shelf.
func (s shelf) Save(ctx context.Context, r host.Row) error {
	e, err := ofRow(r)
	if err != nil {
		return err
	}
	return ofEvents(s.SaveEvent(ctx, e))
}

// Replace implements host.Shelf.
func (s shelf) Replace(ctx context.Context, r host.Row, before int) (bool, error) {
	e, err := ofRow(r)
	if err != nil {
		return false, err
	}
	done, err := s.ReplaceEvent(ctx, e.Name, before, e)
	return done, ofEvents(err)
}

// Count implements host.Shelf.
func (s shelf) Count(ctx context.Context, name string, players int) error {
	return ofEvents(s.CountEntries(ctx, name, players))
}

// Row implements host.Shelf.
func (s shelf) Row(ctx context.Context, name string) (host.Row, error) {
	e, err := s.Event(ctx, name)
	if err != nil {
		return host.Row{}, ofEvents(err)
	}
	listed, err := ofEvent(e)
	return host.Row{Listed: listed, Stage: e.Stage, Organiser: e.Organiser, Made: e.Made, Edition: e.Edition, Dump: e.Dump}, err
}

// List implements host.Shelf.
func (s shelf) List(ctx context.Context, q host.ListQuery, limit int) ([]host.Listed, error) {
	stages := []string{"open", "running", "past", "cancelled"}
	switch q.Phase {
	case "":
	case "past":
		stages = stages[2:]
	default:
		stages = []string{q.Phase}
	}
	var found []store.Event
	var err error
	if q.Club != "" {
		found, err = s.EventsOf(ctx, q.Club, limit)
		found = slices.DeleteFunc(found, func(e store.Event) bool { return !slices.Contains(stages, e.Stage) })
	} else {
		for _, stage := range stages {
			some, failed := s.Events(ctx, stage, limit)
			found, err = append(found, some...), errors.Join(err, failed)
		}
		slices.SortStableFunc(found, func(a, b store.Event) int { return b.Made.Compare(a.Made) })
	}
	list := []host.Listed{}
	for _, e := range found[:min(limit, len(found))] {
		one, failed := ofEvent(e)
		list, err = append(list, one), errors.Join(err, failed)
	}
	return list, ofEvents(err)
}

func ofRow(r host.Row) (store.Event, error) {
	terms, err := json.Marshal(r.Terms)
	return store.Event{
		Name: r.Event, Title: r.Name, Phase: r.Phase, Stage: r.Stage, Format: r.Format, Access: r.Access, Club: r.Club, Organiser: r.Organiser,
		Starts: r.Starts, Bell: r.Bell, Players: r.Players, Terms: terms, Rated: r.Rated, Made: r.Made, Edition: r.Edition, Dump: r.Dump,
	}, err
}

func ofEvent(e store.Event) (host.Listed, error) {
	out := host.Listed{Event: e.Name, Name: e.Title, Phase: e.Phase, Format: e.Format, Starts: e.Starts, Bell: e.Bell, Club: e.Club,
		Players: e.Players, Rated: e.Rated, Access: e.Access, CalledOff: e.Stage == "cancelled"}
	return out, json.Unmarshal(e.Terms, &out.Terms)
}

// ofEvents are the store's errors as the events tell them.
func ofEvents(err error) error {
	switch {
	case errors.Is(err, store.ErrNotFound):
		return host.ErrUnknownEvent
	case errors.Is(err, store.ErrUnavailable):
		return wire.Refuse(wire.CodeUnavailable)
	}
	return err
}

// correctEvent has archive and ratings follow what became of a game of an event, as the command correct does.
func (h *house) correctEvent(ctx context.Context, c host.Correction) error {
	one := store.Correction{Game: c.Game, Result: string(c.Outcome.Score), Casual: c.Outcome.Forfeit, By: c.By, Why: c.Why, At: time.Now()}
	switch c.Outcome.Score {
	case game.WhiteWins, game.BlackWins, game.Draw, game.Void:
	default: // both were absent
		one.Result = string(game.Void)
	}
	err := h.store.Correct(ctx, one) // ratings follow by the rerater
	switch {
	case errors.Is(err, store.ErrSame):
		return nil
	case errors.Is(err, store.ErrNotFound):
		return host.ErrNotArchived
	}
	return err
}

// ofClub tells whether somebody may make a club's events, and who are its arbiters.
func (h *house) ofClub(ctx context.Context, club, person string) (may bool, arbiters []account.Person, err error) {
	_, members, err := h.store.Club(ctx, club)
	if errors.Is(err, store.ErrNoClub) {
		return false, nil, wire.Refuse(wire.CodeUnknownClub)
	}
	for _, m := range members {
		switch {
		case m.Person == person:
			may = m.Role == store.ClubOwner || m.Role == store.ClubOrganiser
		case m.Role == store.ClubArbiter:
			arbiters = append(arbiters, account.Person{ID: m.Person, Name: m.Name})
		}
	}
	return may, arbiters, ofEvents(err)
}

// member tells whether somebody has an account by such a name.
func (h *house) member(ctx context.Context, name string) (bool, error) {
	_, err := h.store.MemberNamed(ctx, account.Skeleton(name))
	if errors.Is(err, account.ErrUnknownMember) || errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil, ofEvents(err)
}

// deleted are those whose account was deleted a while ago at most.
func (h *house) deleted(ctx context.Context) ([]string, error) {
	erasures, err := h.store.Erasures(ctx)
	return slices.Collect(maps.Keys(erasures)), ofEvents(err)
}

// hostEvents sets up the events. Among nodes all that concerns other actors goes through the gateway.
func (h *house) hostEvents(log *slog.Logger) {
	cfg := host.Config{
		Hall: h.hall, Shelf: shelf{h.store}, Passwords: account.NewHasher(account.OWASP, 0), Log: log, Node: "here",
		Seat: h.lobby.Seat, Sits: h.lobby.Seated, Rule: h.tables.Rule, Boards: h.tables.Boards, GameLog: h.tables.Log, PGN: h.tables.PGN,
		Correct: h.correctEvent, Ranks: h.store.Ranks, Named: people{h.store}.Named, Club: h.ofClub, Member: h.member, Deleted: h.deleted,
	}
	if h.nodes != nil {
		g := h.nodes.gateway
		cfg.Node = h.nodes.members.Self().Incarnation
		cfg.Seat, cfg.Sits, cfg.Rule, cfg.Boards, cfg.GameLog, cfg.PGN = g.Take, g.Seat, g.Rule, g.Boards, g.Log, g.PGN
		cfg.Ask, cfg.Open = g.Event, g.Begin
	}
	h.events = host.New(cfg)
}

// freed lets the players of a finished game stand up, and then tells its event.
func (h *house) freed(ctx context.Context, f table.Freed) error {
	free := h.lobby.Free
	if h.nodes != nil {
		free = h.nodes.gateway.Free
	}
	began := time.Now()
	if err := free(ctx, f); err != nil || f.Setup.Event == "" {
		return err
	}
	f.Ago += time.Since(began).Milliseconds()
	return h.events.TakeFinished(ctx, f)
}
