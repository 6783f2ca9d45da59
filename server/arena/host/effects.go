package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"flagfall/game"
	"flagfall/server/actor"
	"flagfall/server/arena"
	"flagfall/server/lobby"
	"flagfall/server/table"
	"flagfall/server/wire"
)

// openAtOnce is how many games of all events of this node are opened at a time; each waits for the seats' journal.
const openAtOnce = 32

// effect carries out what an event wants done.
func (h *Host) effect(ctx context.Context, id actor.ID, e actor.Effect) (any, error) {
	name := id.Name()
	switch do := e.Do.(type) {
	case arena.OpenGame:
		return nil, h.openGame(ctx, name, do)
	case arena.StopGame:
		ruling := game.Ruling{Act: game.ActEnd, Who: "The event", Why: "The time of the event is over", Side: game.None}
		err := h.rule(ctx, name, e.ID, do.Game, ruling)
		if over := (*game.Refusal)(nil); errors.As(err, &over) && over.Code == game.GameOver {
			err = nil // and reported as such
		}
		return nil, final(err)
	case arena.RuleGame:
		return nil, final(h.rule(ctx, name, do.ID, do.Game, do.Ruling))
	case arena.File:
		return nil, h.file(ctx, name, do)
	case arena.Store:
		return nil, h.store(ctx, name)
	}
	return nil, actor.Final(fmt.Errorf("events: effect %T is not known", e.Do))
}

// final marks what no table will take later as final, in plain words.
func final(err error) error {
	var refused *game.Refusal
	switch {
	case errors.As(err, &refused):
		return actor.Final(notRuled(refused))
	case errors.Is(err, table.ErrUnknownGame):
		return actor.Final(errors.New(wire.Message(wire.CodeUnknownGame)))
	}
	return err
}

// openGame seats two and sets their table up. Who is busy elsewhere is not waited for in an arena; in a round robin he has
// the time that he has to come to the table.
func (h *Host) openGame(ctx context.Context, name string, do arena.OpenGame) error {
	do.Setup.Event = name
	err := h.cfg.Seat(ctx, do.Game, do.Setup)
	var busy *lobby.Busy
	var refused *game.Refusal
	switch {
	case err == nil:
		h.opened.Add(1)
		return nil
	case errors.Is(err, lobby.ErrSamePerson), errors.As(err, &refused):
		return actor.Final(err)
	case !errors.As(err, &busy):
		return err
	}
	waits := false
	looked := h.inspect(ctx, name, func(s *arena.State, now int64) {
		g := s.Game(do.Game)
		waits = g != nil && s.Settings.Format != arena.Arena && now < g.At+do.Setup.Options.FirstMove+comesIn
	})
	if waits || looked != nil {
		return errors.Join(err, looked)
	}
	who := []string{}
	for person := range busy.At {
		who = append(who, person)
	}
	slices.Sort(who)
	return actor.Final(&arena.Busy{Who: who})
}

// comesIn is what somebody has to come to the table before his first move is waited for (rulings D33), ms.
const comesIn = 10000

// rule takes a ruling to the table. One whose table is still to be set up waits for it.
func (h *Host) rule(ctx context.Context, name, id, gameID string, ruling game.Ruling) error {
	opened := false
	err := h.inspect(ctx, name, func(s *arena.State, _ int64) {
		g := s.Game(gameID)
		opened = g == nil || g.Opened || g.Over
	})
	if err != nil {
		return err
	}
	if !opened {
		return errors.New("the table is still to be set up")
	}
	return h.cfg.Rule(ctx, string(ID(name)), id, gameID, ruling)
}

// file has archive and ratings follow an outcome. A game that never had a table is in no archive.
func (h *Host) file(ctx context.Context, name string, do arena.File) error {
	c := Correction{Game: do.Game, Outcome: do.Outcome, By: do.By, Why: do.Why}
	opened := false
	err := h.inspect(ctx, name, func(s *arena.State, _ int64) {
		g := s.Game(do.Game)
		opened = g != nil && g.Opened
		c.By = s.Names[do.By]
	})
	if err != nil || !opened {
		return err
	}
	return h.correct(ctx, c)
}

func (h *Host) correct(ctx context.Context, c Correction) error {
	if c.By == "" {
		c.By = "The event"
	}
	if c.Why == string(arena.Late) {
		c.Why = "The event was over before the game ended"
	}
	return h.cfg.Correct(ctx, c)
}

// store keeps the event as it is now.
func (h *Host) store(ctx context.Context, name string) error {
	var row Row
	var failed error
	err := h.inspect(ctx, name, func(s *arena.State, _ int64) { row, failed = rowOf(name, s) })
	if err = errors.Join(err, failed); err != nil {
		return err
	}
	return h.cfg.Shelf.Save(ctx, row)
}

// rowOf is the event as lists and the database have it.
func rowOf(name string, s *arena.State) (Row, error) {
	dump, err := s.Dump()
	if err != nil {
		return Row{}, err
	}
	set := &s.Settings
	row := Row{Stage: stage(s), Edition: s.Edition, Dump: dump, Listed: Listed{
		Event: name, Name: set.Name, Phase: s.Phase.String(), Format: string(set.Format), Starts: set.StartAt, Bell: s.Bell,
		Club: s.Making.Club, Players: s.People(), Rated: set.Rated, Access: string(set.Access), Terms: termsOf(set),
		CalledOff: s.Cancelled != "",
	}}
	if s.Started > 0 {
		row.Starts = s.Started
	}
	if len(s.Organisers) > 0 {
		row.Organiser = s.Organisers[0]
	}
	return row, nil
}

func termsOf(set *arena.Settings) Terms {
	return Terms{Base: set.Terms.Base, Mode: string(set.Terms.Mode),
		Terms: wire.Terms{Rules: set.Terms.RuleSet, Timing: string(set.Terms.Timing.Kind), Each: set.Terms.Timing.Ms}}
}

func stage(s *arena.State) string {
	switch {
	case s.Cancelled != "":
		return "cancelled"
	case s.Phase == arena.Draft:
		return "draft"
	case s.Phase < arena.Running:
		return "open"
	case s.Phase < arena.Provisional:
		return "running"
	}
	return "past"
}

// TakeFinished reports a finished game to its event; table.Config.Free's part of it.
func (h *Host) TakeFinished(ctx context.Context, f table.Freed) error {
	return h.tell(ctx, f.Setup.Event, "finished", f)
}

// TakeMatter takes what arbiters want to know to the event, for table.Config.Tell.
func (h *Host) TakeMatter(ctx context.Context, m table.Matter) error {
	return h.tell(ctx, m.Event, "matter", m)
}

func (h *Host) tell(ctx context.Context, name, what string, body any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	_, err = h.cfg.Ask(ctx, Question{Event: name, What: what, Body: text})
	return err
}

// finished takes a game's end in. By rulings D33 a game to which somebody did not come is no game.
func (h *Host) finished(ctx context.Context, name string, f table.Freed) error {
	out := arena.Outcome{Score: f.Result.Score, Reason: f.Result.Reason}
	switch f.Result.Reason {
	case "absent":
		out.NoShow = [2]bool{!f.Present[game.White], !f.Present[game.Black]}
	case "no_first_move":
		out.NoShow[f.OnMove] = true
	}
	err := h.do(ctx, name, arena.Finished{Game: f.Game, Outcome: out, Ago: f.Ago})
	if errors.Is(err, table.ErrUnknownGame) { // its pairing was taken back
		return nil
	}
	return err
}

// matter has the event's arbiters know of something.
func (h *Host) matter(ctx context.Context, name string, m table.Matter) error {
	d := arena.Disputed{Game: m.Game, N: m.N, By: m.By, Kind: m.Kind, Step: m.Step, Stops: m.Stops, Open: m.Open, Ago: m.Ago}
	if m.Until > 0 {
		err := h.inspect(ctx, name, func(_ *arena.State, now int64) { d.Until = now - m.Ago + m.Until - m.At })
		if err != nil {
			return err
		}
	}
	err := h.do(ctx, name, d)
	if errors.Is(err, table.ErrUnknownGame) {
		return nil
	}
	return err
}
