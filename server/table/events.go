package table

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"sync"
	"time"

	"flagfall/game"
	"flagfall/server/actor"
	"flagfall/server/wire"
)

// events are the running games of events, by the event's name.
type events struct {
	mu    sync.Mutex
	games map[string]map[string]bool
}

func (e *events) add(m *machine) {
	setup := m.game.Setup()
	if setup == nil || setup.Event == "" {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.games == nil {
		e.games = map[string]map[string]bool{}
	}
	if e.games[setup.Event] == nil {
		e.games[setup.Event] = map[string]bool{}
	}
	e.games[setup.Event][m.id] = true
}

func (e *events) remove(m *machine) {
	setup := m.game.Setup()
	if setup == nil || setup.Event == "" {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.games[setup.Event], m.id)
	if len(e.games[setup.Event]) == 0 {
		delete(e.games, setup.Event)
	}
}

func (e *events) of(event string) []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	ids := make([]string, 0, len(e.games[event]))
	for id := range e.games[event] {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// Board is a running game of an event, as everybody may see it.
type Board struct {
	Game    string      `json:"game"`
	White   wire.Person `json:"white"`
	Black   wire.Person `json:"black"`
	Ply     int         `json:"ply"`
	Board   string      `json:"board"`
	Clk     wire.Clocks `json:"clk"`
	Phase   string      `json:"phase"`
	Flags   [2]bool     `json:"flags"` // down: white, black
	Away    [2]bool     `json:"away"`
	Dispute string      `json:"dispute,omitempty"` // whose dispute stops the clocks
	Claims  int         `json:"claims,omitempty"`  // that were wrong
}

// Boards lists the games of an event that run here. A table that does not answer at once is left out.
func (t *Tables) Boards(ctx context.Context, event string) ([]Board, error) {
	ctx, cancel := context.WithTimeout(ctx, listTime)
	defer cancel()
	list := []Board{}
	for _, id := range t.events.of(event) {
		if one := t.board(ctx, id); one != nil {
			list = append(list, *one)
		}
		if ctx.Err() != nil {
			break
		}
	}
	return list, nil
}

func (t *Tables) board(ctx context.Context, id string) (one *Board) {
	ctx, cancel := context.WithTimeout(ctx, listTimeEach)
	defer cancel()
	_ = t.inspect(ctx, id, func(m *machine, at int64) {
		if m.game.Phase() == game.Over {
			return
		}
		setup, b := m.game.Setup(), m.game.Board()
		one = &Board{
			Game: m.id, White: person(setup.White), Black: person(setup.Black), Ply: len(m.game.Plies()), Board: b.Placement(),
			Clk: clocks(m.game, at), Phase: string(m.game.Phase()),
		}
		c := m.game.Clock()
		for _, side := range [2]game.Side{game.White, game.Black} {
			one.Flags[side], one.Away[side] = c.Down(side), !m.game.Here(side)
			one.Claims += m.game.Denials(side)
		}
		if m.game.Phase() == game.Disputing {
			one.Dispute = m.disputes()
		}
	})
	return one
}

// disputes is the side whose dispute stops the clocks, "" where an arbiter has stopped them by himself.
func (m *machine) disputes() string {
	for _, one := range slices.Backward(m.matters) {
		if one.Kind == "dispute" && one.Stops {
			if one.Open {
				return one.By.String()
			}
			return ""
		}
	}
	return ""
}

// Rule has an arbiter rule on a game. From and id name the ruling: given again it changes nothing. The error is ErrUnknownGame
// where there never was such a game, a *game.Refusal where the ruling is not possible (game.GameOver: it has ended), and
// any other where the table could not be asked.
func (t *Tables) Rule(ctx context.Context, from, id, gameID string, ruling game.Ruling) error {
	r, err := t.cfg.Hall.Ask(ctx, ActorID(gameID), actor.Command{
		From: from, ID: id, Sure: true, Body: game.Command{Kind: game.Arbitrate, By: game.None, Ruling: &ruling},
	})
	if err == nil {
		err = r.Err
	}
	if !errors.Is(err, actor.ErrUnknownActor) {
		return err
	}
	record, err := t.cfg.Archive.Load(ctx, gameID)
	if err != nil {
		return err
	}
	for _, e := range record.Events { // it may be this very ruling that ended the game
		if e.Kind == game.Ruled && reflect.DeepEqual(*e.Ruling, ruling) {
			return nil
		}
	}
	return &game.Refusal{Code: game.GameOver}
}

// GameLog is all that happened in a game of an event, as an arbiter may see it: no more than the players while it runs.
type GameLog struct {
	Game    string        `json:"game"`
	White   wire.Person   `json:"white"`
	Black   wire.Person   `json:"black"`
	Running bool          `json:"running"`
	Started int64         `json:"started"` // Unix ms, of game time 0
	State   wire.State    `json:"state"`
	Log     []LoggedEvent `json:"log"`
}

// LoggedEvent is one entry. At is game time.
type LoggedEvent struct {
	Logged
	Clk  *wire.Clocks `json:"clk,omitempty"`
	Text string       `json:"text"`
}

// Log gives a game's log.
func (t *Tables) Log(ctx context.Context, id string) (GameLog, error) {
	var out GameLog
	var record Record
	err := t.inspect(ctx, id, func(m *machine, at int64) {
		record = newRecord(m, t.cfg.Now())
		out.Running = m.game.Phase() != game.Over
		if out.Running {
			out.State = snapshot(m, audience(game.None), 0, at)
			out.Log = m.running()
		}
	})
	if errors.Is(err, ErrUnknownGame) {
		record, err = t.cfg.Archive.Load(ctx, id)
	}
	if err != nil {
		return GameLog{}, err
	}
	if !out.Running {
		public := record.Public()
		out.State = public.State
		for _, e := range public.Log {
			out.Log = append(out.Log, LoggedEvent{Logged: e, Text: inWords(&e.Event)})
		}
	}
	out.Game, out.White, out.Black = record.ID, out.State.White, out.State.Black
	if started := record.Started(); !started.IsZero() {
		out.Started = started.UnixMilli()
	}
	return out, nil
}

// running is the log of a game that runs, as the public sees it.
func (m *machine) running() []LoggedEvent {
	list := []LoggedEvent{}
	step := game.New()
	plies := 0
	for _, e := range m.log.Events() {
		step.Apply(e)
		w, ok := show(e, plies, audience(game.None), step.Setup(), step)
		if !ok {
			continue
		}
		switch e.Kind {
		case game.Released:
			plies++
		case game.Retracted:
			plies--
		case game.Restored:
			plies = e.Ply
		}
		clk := clocks(step, e.At)
		list = append(list, LoggedEvent{Logged: Logged{Event: w, At: e.At}, Clk: &clk, Text: inWords(&w)})
	}
	return list
}

// sinceTime bounds the question how long ago something was.
const sinceTime = time.Second

// since is how long ago in ms a game time is for a table that runs here, as far as it can be asked.
func (t *Tables) since(ctx context.Context, id string, at int64) (ago int64) {
	ctx, cancel := context.WithTimeout(ctx, sinceTime)
	defer cancel()
	_ = t.inspect(ctx, id, func(_ *machine, now int64) { ago = max(0, now-at) })
	return ago
}
