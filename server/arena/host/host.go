package host

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"
	"time"

	"flagfall/game"
	"flagfall/server/account"
	"flagfall/server/actor"
	"flagfall/server/arena"
	"flagfall/server/table"
	"flagfall/server/wire"
)

// Config is what events need from outside.
type Config struct {
	Hall      *actor.Hall
	Shelf     Shelf
	Passwords *account.Hasher
	Log       *slog.Logger
	Node      string           // this one's name among others
	Civil     func() time.Time // default time.Now

	// Seat asks for both seats of a game, as lobby.Lobby.Seat does.
	Seat func(ctx context.Context, id string, setup game.Setup) error
	// Sits is the game at which a person sits, "" for none.
	Sits func(person string) string
	// Rule, Boards and Log are those of table.Tables, for all nodes; PGN too.
	Rule    func(ctx context.Context, from, id, game string, ruling game.Ruling) error
	Boards  func(ctx context.Context, event string) ([]table.Board, error)
	GameLog func(ctx context.Context, id string) (table.GameLog, error)
	PGN     func(ctx context.Context, id string) (string, error)
	// Correct has archive and ratings follow an outcome; ErrNotArchived while the game is not there.
	Correct func(ctx context.Context, c Correction) error

	// Ranks are somebody's ratings by rule set, Named finds an account, or gives a refusal.
	Ranks func(ctx context.Context, person string) (map[string]float64, error)
	Named func(ctx context.Context, name string) (account.Person, error)
	// Member tells whether somebody has an account by a name that a reader could take for this one; nil where nobody has one.
	Member func(ctx context.Context, name string) (bool, error)
	// Deleted lists people whose account was deleted a while ago at most; nil where there are none.
	Deleted func(ctx context.Context) ([]string, error)
	// Club tells whether somebody may make a club's events, and who are its arbiters; nil where there are no clubs.
	Club func(ctx context.Context, club, person string) (may bool, arbiters []account.Person, err error)

	// Ask takes a question to where its event runs, and Open makes an event somewhere; nil is here.
	Ask  func(ctx context.Context, q Question) (json.RawMessage, error)
	Open func(ctx context.Context, name string, first arena.Create) error
}

// Shelf keeps events in the database.
type Shelf interface {
	// Add reserves a name; false where it is taken.
	Add(ctx context.Context, r Row) (added bool, err error)
	// Save keeps an edition, unless a later one is kept.
	Save(ctx context.Context, r Row) error
	// Replace keeps an edition in the place of the one before; false where another one is kept.
	Replace(ctx context.Context, r Row, before int) (done bool, err error)
	// Count keeps how many are in an event.
	Count(ctx context.Context, name string, players int) error
	// Row finds an event, or gives ErrUnknownEvent.
	Row(ctx context.Context, name string) (Row, error)
	// List lists the events that anybody may find, the newest first.
	List(ctx context.Context, q ListQuery, limit int) ([]Listed, error)
}

// Row is an event as the database has it.
type Row struct {
	Listed
	Stage     string // draft, open, running, past or cancelled
	Organiser string // who made it
	Made      time.Time
	Edition   int
	Dump      []byte // nil before the first edition
}

// Correction is an outcome that archive and ratings are to follow.
type Correction struct {
	Game    string
	Outcome arena.Outcome
	By, Why string
}

// Errors that callers know.
var (
	ErrUnknownEvent = wire.Refuse(wire.CodeUnknownEvent)
	ErrNotArchived  = errors.New("the game is not in the archive yet")

	errUnavailable = wire.Refuse(wire.CodeUnavailable)
)

// Host runs the events of this node, and tells its sockets of those of all nodes.
type Host struct {
	cfg    Config
	ctx    context.Context
	cancel context.CancelFunc

	starting sync.Mutex // with running, against Close
	running  sync.WaitGroup

	mu     sync.Mutex
	events map[string]*event // that run here

	foyer foyer
	known known
}

// ID is the actor of an event.
func ID(name string) actor.ID { return actor.ID(arena.KindName + "/" + name) }

// New registers events with the hall. Call it before the hall starts, and Close after it is closed.
func New(cfg Config) *Host {
	if cfg.Log == nil {
		cfg.Log = slog.Default()
	}
	if cfg.Civil == nil {
		cfg.Civil = time.Now
	}
	h := &Host{cfg: cfg, events: map[string]*event{}}
	if h.cfg.Ask == nil {
		h.cfg.Ask = func(ctx context.Context, q Question) (json.RawMessage, error) {
			q.Nowhere = true // where it is not here
			return h.Here(ctx, q)
		}
	}
	if h.cfg.Open == nil {
		h.cfg.Open = h.OpenHere
	}
	h.ctx, h.cancel = context.WithCancel(context.Background())
	h.foyer.init()
	kind := arena.ActorKind()
	kind.Workers = openAtOnce
	kind.Effect = h.effect
	kind.Observe = func(id actor.ID, m actor.Machine) actor.Observer { return h.observe(id.Name(), m.(*arena.State)) }
	cfg.Hall.Register(kind)
	h.spawn(h.watch)
	return h
}

// Close ends what runs in the background.
func (h *Host) Close() {
	h.starting.Lock()
	h.cancel()
	h.starting.Unlock()
	h.running.Wait()
}

// spawn runs f on a goroutine that Close waits for; false after Close.
func (h *Host) spawn(f func()) bool {
	h.starting.Lock()
	defer h.starting.Unlock()
	if h.ctx.Err() != nil {
		return false
	}
	h.running.Go(f)
	return true
}

// civil is the time of day of an event's state at actor time at.
func civil(s *arena.State, at int64) int64 { return max(s.Now, s.Origin+at) }

// inspect reads the state of an event that runs here.
func (h *Host) inspect(ctx context.Context, name string, look func(s *arena.State, now int64)) error {
	return h.cfg.Hall.Inspect(ctx, ID(name), func(m actor.Machine, _ uint64, at int64) {
		s := m.(*arena.State)
		look(s, civil(s, at))
	})
}

// do has the machine of an event decide on a command.
func (h *Host) do(ctx context.Context, name string, body any) error {
	return h.send(ctx, name, actor.Command{Body: body, Sure: true})
}

func (h *Host) send(ctx context.Context, name string, cmd actor.Command) error {
	r, err := h.cfg.Hall.Ask(ctx, ID(name), cmd)
	if err != nil {
		return err
	}
	return said(r.Err)
}
