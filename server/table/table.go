// Package table runs games as actors: who sits and who watches, and what each seat may see of what happens.
//
// A table has three audiences: White, Black and the public. Each gets its own numbered frames, since some things are
// one player's business only (a reply that waits for the opponent's press, a refused retraction); nobody can tell from
// the numbers that the others saw something. What no audience sees before the end is whether a move was legal (WBCA 12).
package table

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"flagfall/game"
	"flagfall/server/account"
	"flagfall/server/actor"
	"flagfall/server/wire"
)

// Conn is a socket as a table sees it. Its methods never block and are safe from any goroutine.
type Conn interface {
	// Send queues one frame. The slice is not copied and must not change afterwards.
	Send(frame []byte)
	// Close ends the socket with a close code.
	Close(code int, reason string)
	// Lag is the round trip in ms as this server's own pings measured it, 0 before the first answer.
	Lag() int64
	// Person is whose token opened the socket.
	Person() account.Person
}

// Sitting is one socket's place at a table, as player or spectator.
type Sitting interface {
	// Handle takes a message of the game: move, press, retract, claim, resign, offer, answer, mute, here.
	Handle(m wire.ClientMessage)
	// Leave gives the place up. A player who leaves is absent; the seat stays his.
	Leave()
	// Plays tells whether the place is a player's.
	Plays() bool
}

// Visit is the place of a socket that is on another node.
type Visit interface {
	Sitting
	// HandleAged is Handle of a message that came to the hall so many ms ago.
	HandleAged(m wire.ClientMessage, age int64)
	// Answered is called once, after the last message was handed over. It calls then when all of them are answered, at
	// once or by whoever gives the last answer: a claim may still be held when its player has left.
	Answered(then func())
}

// Gallery is where all the spectators of one other node stand. Its methods are called by whoever runs the game, in the
// order of what happens, and never block.
type Gallery interface {
	// Admit lets a spectator in who has been sent all there was: what is told from now on is news to him.
	Admit(c Conn)
	// Tell hands over one frame for all, which is copied; false takes the gallery away from the table.
	Tell(frame []byte) bool
	// Over says that nothing more is told: the game has ended, or moved to another server.
	Over(moved bool)
}

// Errors of the tables.
var (
	ErrUnknownGame = wire.Refuse(wire.CodeUnknownGame)
	ErrRunning     = wire.Refuse(wire.CodeRunning)

	errTooBusy = wire.Refuse(wire.CodeTooMany)
)

// Archive keeps finished games. Save must count the same game once.
type Archive interface {
	Save(ctx context.Context, r Record) error
	// Load returns ErrUnknownGame for a game that is not there, and a refusal with wire.CodeUnavailable when it cannot
	// look.
	Load(ctx context.Context, id string) (Record, error)
}

// Freed is what the lobby is told of every finished game, before its players may sit down again.
type Freed struct {
	Game    string
	Setup   game.Setup
	Result  game.Result
	Present [2]bool   // at the table when it ended: white, black
	OnMove  game.Side // when it ended
	Ago     int64     // how long ago that is, in ms
}

// Config is what tables need from outside.
type Config struct {
	Hall    *actor.Hall
	Archive Archive
	Free    func(ctx context.Context, f Freed) error                                    // idempotent by the game's id
	Prove   func(ctx context.Context, id string, q game.Question) (game.Verdict, error) // for the game id
	// Tell takes what arbiters want to know to the event of a game; what comes twice has the same number. An event that is
	// no more takes nothing. Needed for games of events.
	Tell func(ctx context.Context, m Matter) error
	Log  *slog.Logger
	Now  func() time.Time // civil time, for the record only; default time.Now
}

// Tables are all games of this hall.
type Tables struct {
	cfg    Config
	denied atomic.Uint64
	events events
}

// Denied counts the claims that were wrong and are on record for it, since the tables were made.
func (t *Tables) Denied() uint64 { return t.denied.Load() }

// New registers the games with the hall. Call it before the hall starts.
func New(cfg Config) *Tables {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Log == nil {
		cfg.Log = slog.Default()
	}
	t := &Tables{cfg: cfg}
	cfg.Hall.Register(actor.Kind{
		Name: KindName, Version: game.EventVersion,
		New: newMachine, Encode: encodeEvent, Decode: decodeEvent, Sound: true,
		Effect: t.effect, Workers: 16,
		Observe: func(id actor.ID, m actor.Machine) actor.Observer {
			game := m.(*machine)
			game.room = newRoom(t, game)
			return game.room
		},
	})
	return t
}

// overTime bounds how long a new table waits for the archive: while that is away, new games are played all the same.
const overTime = 500 * time.Millisecond

// Open sets a table up. The same id again does nothing, even if the game is over since: whoever asks may have been away for
// longer than a game.
func (t *Tables) Open(ctx context.Context, id string, setup game.Setup) error {
	looking, cancel := context.WithTimeout(ctx, overTime)
	_, err := t.cfg.Archive.Load(looking, id)
	cancel()
	if err == nil {
		return nil
	}
	if setup.Started == "" {
		setup.Started = t.cfg.Now().UTC().Format(time.RFC3339)
	}
	return t.cfg.Hall.Create(ctx, ActorID(id), game.Command{Kind: game.Create, By: game.None, Setup: &setup})
}

// effect carries out what a finished game leaves to be done. The machine is over: nothing changes it any more but the
// acknowledgements, which the two effects do not read.
func (t *Tables) effect(ctx context.Context, id actor.ID, e actor.Effect) (any, error) {
	switch do := e.Do.(type) {
	case game.Question:
		verdict, err := t.cfg.Prove(ctx, id.Name(), do)
		return proved{do, verdict}, err
	case Matter:
		do.Ago = t.since(ctx, do.Game, do.At)
		return nil, t.cfg.Tell(ctx, do)
	}
	m := e.Do.(*machine)
	switch e.ID {
	case effectFree:
		onMove := m.game.Board()
		return nil, t.cfg.Free(ctx, Freed{
			Ago:  t.since(ctx, m.id, m.log.Last()),
			Game: m.id, Setup: *m.game.Setup(), Result: *m.game.Result(),
			Present: [2]bool{m.game.Here(game.White), m.game.Here(game.Black)},
			OnMove:  game.Side(onMove.Turn()),
		})
	case effectArchive:
		return nil, t.cfg.Archive.Save(ctx, newRecord(m, t.cfg.Now()))
	}
	return nil, actor.Final(fmt.Errorf("table: effect %q is not known", e.ID))
}

// Summary is a running game in a list.
type Summary struct {
	Game  string      `json:"game"`
	White wire.Person `json:"white"`
	Black wire.Person `json:"black"`
	wire.Terms
	Mode  string      `json:"mode"`
	Base  int64       `json:"base"`
	WBCA  bool        `json:"wbca"`
	Ply   int         `json:"ply"`
	Board string      `json:"board"`
	Clk   wire.Clocks `json:"clk"`
}

// MaxLive bounds the list of running games.
const MaxLive = 60

// listTime and listTimeEach bound how long the list waits for tables, all and one.
const (
	listTime     = time.Second
	listTimeEach = 100 * time.Millisecond
)

// Live lists running games. A table that is over, or does not answer at once, is left out.
func (t *Tables) Live(ctx context.Context) ([]Summary, error) {
	ctx, cancel := context.WithTimeout(ctx, listTime)
	defer cancel()
	list := []Summary{}
	for _, id := range t.cfg.Hall.IDs(KindName) {
		one, err := t.summary(ctx, id.Name())
		if err == nil && one != nil {
			list = append(list, *one)
		}
		if len(list) == MaxLive || ctx.Err() != nil {
			break
		}
	}
	return list, nil
}

// summary is nil for a game that does not run.
func (t *Tables) summary(ctx context.Context, id string) (one *Summary, err error) {
	ctx, cancel := context.WithTimeout(ctx, listTimeEach)
	defer cancel()
	err = t.inspect(ctx, id, func(m *machine, at int64) {
		if p := m.game.Phase(); p != game.Waiting && p != game.Over {
			s := summarise(m, at)
			one = &s
		}
	})
	return one, err
}

func summarise(m *machine, at int64) Summary {
	setup, b := m.game.Setup(), m.game.Board()
	return Summary{
		Game: m.id, White: person(setup.White), Black: person(setup.Black),
		Terms: terms(setup), Mode: string(setup.Mode), Base: setup.Base[0], WBCA: setup.WBCATime(),
		Ply: len(m.game.Plies()), Board: b.Placement(), Clk: clocks(m.game, at),
	}
}

// inspect reads a running game on its own goroutine.
func (t *Tables) inspect(ctx context.Context, id string, read func(m *machine, at int64)) error {
	err := t.cfg.Hall.Inspect(ctx, ActorID(id), func(m actor.Machine, _ uint64, at int64) {
		read(m.(*machine), at)
	})
	return said(err)
}

// said is an error of the hall as the person who asked may read it.
func said(err error) error {
	switch {
	case errors.Is(err, actor.ErrUnknownActor):
		return ErrUnknownGame
	case errors.Is(err, actor.ErrBusy):
		return errTooBusy
	case errors.Is(err, actor.ErrClosed), errors.Is(err, actor.ErrMoved), errors.Is(err, context.DeadlineExceeded):
		return wire.Refuse(wire.CodeUnavailable)
	}
	return err
}

// Game is what the public may see of a game: a State while it runs, the whole record when it is over.
func (t *Tables) Game(ctx context.Context, id string) (view any, running bool, err error) {
	err = t.inspect(ctx, id, func(m *machine, at int64) {
		if m.game.Phase() == game.Over {
			view = newRecord(m, t.cfg.Now()).Public()
			return
		}
		view, running = snapshot(m, audience(game.None), 0, at), true
	})
	if !errors.Is(err, ErrUnknownGame) {
		return view, running, err
	}
	record, err := t.cfg.Archive.Load(ctx, id)
	if err != nil {
		return nil, false, err
	}
	return record.Public(), false, nil
}

// PGN is a finished game as PGN.
func (t *Tables) PGN(ctx context.Context, id string) (string, error) {
	var running bool
	var record Record
	err := t.inspect(ctx, id, func(m *machine, _ int64) {
		if running = m.game.Phase() != game.Over; !running {
			record = newRecord(m, t.cfg.Now())
		}
	})
	switch {
	case running:
		return "", ErrRunning
	case errors.Is(err, ErrUnknownGame):
		if record, err = t.cfg.Archive.Load(ctx, id); err != nil {
			return "", err
		}
	case err != nil:
		return "", err
	}
	return record.PGN(), nil
}

// Finished is the set-up of a game that is over.
func (t *Tables) Finished(ctx context.Context, id string) (game.Setup, error) {
	var setup game.Setup
	var running bool
	err := t.inspect(ctx, id, func(m *machine, _ int64) {
		running = m.game.Phase() != game.Over
		setup = *m.game.Setup()
	})
	switch {
	case running:
		return game.Setup{}, ErrRunning
	case errors.Is(err, ErrUnknownGame):
		record, err := t.cfg.Archive.Load(ctx, id)
		if err != nil {
			return game.Setup{}, err
		}
		return record.History().Setup, nil
	}
	return setup, err
}
