package gateway

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"flagfall/game"
	"flagfall/server/actor"
	"flagfall/server/lobby"
	"flagfall/server/table"
)

// Game is what the public may see of a game, as table.Tables.Game gives it; of one on another node as JSON.
func (g *Gateway) Game(ctx context.Context, id string) (view any, running bool, err error) {
	here := func() (err error) {
		view, running, err = g.parts.Tables.Game(ctx, id)
		return err
	}
	err = g.aboutGame(ctx, id, here, func(ctx context.Context, node string) error {
		var got seen
		err := g.ask(ctx, node, question{Ask: askGame, ID: id}, &got)
		view, running = got.View, got.Running
		return err
	})
	if err != nil {
		return nil, false, err
	}
	return view, running, nil
}

// PGN is a finished game as PGN.
func (g *Gateway) PGN(ctx context.Context, id string) (string, error) {
	return ofGame(ctx, g, askPGN, id, (*table.Tables).PGN)
}

// Finished is the set-up of a game that is over, for lobby.Config.
func (g *Gateway) Finished(ctx context.Context, id string) (game.Setup, error) {
	return ofGame(ctx, g, askFinished, id, (*table.Tables).Finished)
}

// ofGame is what the table of a game says to a question that has no more to it than the game, here or there.
func ofGame[T any](ctx context.Context, g *Gateway, ask, id string,
	tell func(t *table.Tables, ctx context.Context, id string) (T, error)) (value T, err error) {
	here := func() (err error) {
		value, err = tell(g.parts.Tables, ctx, id)
		return err
	}
	err = g.aboutGame(ctx, id, here, func(ctx context.Context, node string) error {
		return g.ask(ctx, node, question{Ask: ask, ID: id}, &value)
	})
	return value, err
}

// aboutGame asks the table of a game; one that lives nowhere is looked for in the archive, which all nodes share.
func (g *Gateway) aboutGame(ctx context.Context, id string, here func() error, there func(ctx context.Context, node string) error) error {
	if !g.ready.Load() {
		return errUnavailable
	}
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	err := g.atOwner(ctx, table.ActorID(id), here, func(node string) error { return there(ctx, node) })
	if errors.Is(err, errNowhere) {
		return here()
	}
	return err
}

// aboutLobby asks the lobby, wherever it is.
func (g *Gateway) aboutLobby(ctx context.Context, here func(ctx context.Context) error, q question, value any) error {
	if !g.ready.Load() {
		return errUnavailable
	}
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	err := g.atOwner(ctx, lobby.SeatsID, func() error { return here(ctx) },
		func(node string) error { return g.ask(ctx, node, q, value) })
	if errors.Is(err, errNowhere) {
		return errUnavailable
	}
	return err
}

// Free lets the players of a finished game stand up, for table.Config.
func (g *Gateway) Free(ctx context.Context, f table.Freed) error {
	here := func(ctx context.Context) error { return g.parts.Lobby.Free(ctx, f) }
	return g.aboutLobby(ctx, here, question{Ask: askFree, Freed: &f}, nil)
}

// Invite shows an invitation to whoever knows its id; one of another node as JSON.
func (g *Gateway) Invite(ctx context.Context, id string) (view any, err error) {
	var text json.RawMessage
	here := func(ctx context.Context) (err error) {
		view, err = g.parts.Lobby.Invite(ctx, id)
		return err
	}
	if err := g.aboutLobby(ctx, here, question{Ask: askInvite, ID: id}, &text); err != nil {
		return nil, err
	}
	if view == nil {
		view = text
	}
	return view, nil
}

// seatTime bounds how long it is asked where a person sits.
const seatTime = time.Second

// Seat is the game at which a person sits, "" also when the lobby cannot be asked.
func (g *Gateway) Seat(person string) (id string) {
	ctx, cancel := context.WithTimeout(g.ctx, seatTime)
	defer cancel()
	here := func(context.Context) error {
		id = g.parts.Lobby.Seated(person)
		return nil
	}
	if g.aboutLobby(ctx, here, question{Ask: askSeat, ID: person}, &id) != nil {
		return ""
	}
	return id
}

// openTime bounds how long one node may take to set up a table or an event, before another one is asked.
const openTime = 2 * time.Second

// Open sets a table up on one of the nodes, for lobby.Config. The same id again does nothing.
func (g *Gateway) Open(ctx context.Context, id string, setup game.Setup) error {
	if !g.ready.Load() {
		return errUnavailable
	}
	if setup.Started == "" {
		setup.Started = time.Now().UTC().Format(time.RFC3339) // the same on each node that is asked
	}
	here := func(ctx context.Context) error { return g.parts.Tables.Open(ctx, id, setup) }
	final := func(err error) bool { return errors.As(err, new(*game.Refusal)) }
	return g.setUp(ctx, g.log.With("game", id), table.ActorID(id), here, question{Ask: askOpen, ID: id, Setup: &setup}, final)
}

// setUp has one of the nodes set an actor up: this one by here, others by q. After a refusal that is final no other node is
// asked.
func (g *Gateway) setUp(ctx context.Context, log *slog.Logger, id actor.ID, here func(ctx context.Context) error, q question,
	final func(error) bool) error {
	var failed error
	for _, node := range g.candidates(id) {
		if opened, err := g.opened(ctx, id); opened || err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(ctx, openTime)
		var err error
		if node == g.parts.Nodes.Self() {
			err = here(ctx)
		} else {
			err = g.ask(ctx, node, q, nil)
		}
		cancel()
		if err == nil || final(err) {
			return err
		}
		log.Warn("a node could not set it up", "peer", node, "err", err)
		failed = errors.Join(failed, err)
	}
	if opened, err := g.opened(ctx, id); opened || err != nil {
		return err
	}
	return failed
}

// opened tells whether an actor lives somewhere already.
func (g *Gateway) opened(ctx context.Context, id actor.ID) (bool, error) {
	switch _, _, err := g.parts.Owners.Where(ctx, id); {
	case err == nil:
		return true, nil
	case errors.Is(err, actor.ErrUnknownActor):
		return false, nil
	default:
		return false, err
	}
}

// candidates are the nodes that may take a new actor, in the order in which it falls to them.
func (g *Gateway) candidates(id actor.ID) []string {
	var names []string
	for _, n := range g.parts.Nodes.Alive() {
		if !n.Draining {
			names = append(names, n.Name)
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(actor.Rank(b, id), actor.Rank(a, id)), strings.Compare(a, b))
	})
	if len(names) == 0 {
		names = []string{g.parts.Nodes.Self()}
	}
	return names
}

// lists are the running games of other nodes, as they were a moment ago.
type lists struct {
	turn  chan struct{} // held by who looks
	known bool
	at    time.Duration
	games []table.Summary
}

// Bounds of the list of running games: how old what others have said may be, and how long they are waited for.
const (
	listAge  = time.Second
	listTime = 500 * time.Millisecond
)

func (l *lists) init() { l.turn = make(chan struct{}, 1) }

// Live lists running games of all nodes, table.MaxLive at most.
func (g *Gateway) Live(ctx context.Context) ([]table.Summary, error) {
	if !g.ready.Load() {
		return nil, errUnavailable
	}
	all, err := g.parts.Tables.Live(ctx)
	if err != nil {
		return nil, err
	}
	have := map[string]bool{}
	for _, one := range all {
		have[one.Game] = true
	}
	for _, one := range g.elsewhere(ctx) {
		if !have[one.Game] {
			have[one.Game] = true
			all = append(all, one)
		}
	}
	slices.SortFunc(all, func(a, b table.Summary) int { return strings.Compare(a.Game, b.Game) })
	return all[:min(len(all), table.MaxLive)], nil
}

// elsewhere asks the other nodes, once a second at most, whoever asks here.
func (g *Gateway) elsewhere(ctx context.Context) []table.Summary {
	l := &g.lists
	select {
	case l.turn <- struct{}{}:
		defer func() { <-l.turn }()
	case <-ctx.Done():
		return nil
	}
	if l.known && g.now()-l.at < listAge {
		return l.games
	}
	ctx, cancel := context.WithTimeout(g.ctx, listTime)
	defer cancel()
	games := ofOthers[table.Summary](ctx, g, question{Ask: askLive})
	l.known, l.at, l.games = true, g.now(), games
	return games
}

// ofOthers asks all other nodes at once and puts together what they say. Those that do not answer in time are left out.
func ofOthers[T any](ctx context.Context, g *Gateway, q question) (all []T) {
	var mu sync.Mutex
	var asked sync.WaitGroup
	for _, n := range g.parts.Nodes.Alive() {
		if n.Name == g.parts.Nodes.Self() {
			continue
		}
		asked.Go(func() {
			var some []T
			if g.ask(ctx, n.Name, q, &some) != nil {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			all = append(all, some...)
		})
	}
	asked.Wait()
	return all
}
