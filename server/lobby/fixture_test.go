package lobby

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"flagfall/game"
	"flagfall/server/account"
	"flagfall/server/actor"
	"flagfall/server/table"
	"flagfall/server/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func person(letter string) account.Person {
	return account.Person{ID: strings.Repeat(letter, 16), Name: "P " + letter}
}

// conn is a socket that keeps what it is sent.
type conn struct {
	person account.Person

	mu     sync.Mutex
	frames []string
}

func (c *conn) Send(frame []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.frames = append(c.frames, string(frame))
}

func (c *conn) Close(int, string)      {}
func (c *conn) Lag() int64             { return 0 }
func (c *conn) Person() account.Person { return c.person }

// shelf is an archive in memory.
type shelf struct {
	mu      sync.Mutex
	broken  bool
	records map[string]table.Record
}

func (s *shelf) Save(_ context.Context, r table.Record) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken {
		return errors.New("the disk is full")
	}
	s.records[r.ID] = r
	return nil
}

func (s *shelf) Load(_ context.Context, id string) (table.Record, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, known := s.records[id]
	if !known {
		return table.Record{}, table.ErrUnknownGame
	}
	return r, nil
}

// world is a hall with its tables and its lobby. It can be closed and opened again over the same journal.
type world struct {
	t       *testing.T
	journal *actor.Memory
	hall    *actor.Hall
	tables  *table.Tables
	lobby   *Lobby
	shelf   *shelf
	book    *book

	mu     sync.Mutex
	broken int  // how often a table cannot be set up
	locked bool // nobody can stand up
	opened []string
}

func inWorld(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := &world{t: t, journal: actor.NewMemory(), shelf: &shelf{records: map[string]table.Record{}}, book: newBook()}
		w.start()
		defer w.stop()
		test(t, w)
	})
}

func (w *world) start() {
	w.t.Helper()
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	w.hall = actor.New(actor.Config{Journal: w.journal, Log: quiet})
	var l *Lobby
	w.tables = table.New(table.Config{Hall: w.hall, Archive: w.shelf, Log: quiet,
		Free: func(ctx context.Context, f table.Freed) error {
			w.mu.Lock()
			locked := w.locked
			w.mu.Unlock()
			if locked {
				return errors.New("nobody can stand up")
			}
			return l.Free(ctx, f)
		}})
	l = New(Config{Hall: w.hall, PublicURL: "https://hall.example", Log: quiet, Open: w.open, Finished: w.tables.Finished, People: w.book})
	w.lobby = l
	if err := w.hall.Start(context.Background()); err != nil {
		w.t.Fatal(err)
	}
	if err := w.lobby.Start(context.Background()); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) stop() {
	w.t.Helper()
	if err := w.hall.Close(context.Background()); err != nil {
		w.t.Error(err)
	}
}

func (w *world) open(ctx context.Context, id string, setup game.Setup) error {
	w.mu.Lock()
	broken := w.broken > 0
	if broken {
		w.broken--
	} else {
		w.opened = append(w.opened, id)
	}
	w.mu.Unlock()
	if broken {
		return errors.New("no table is free")
	}
	return w.tables.Open(ctx, id, setup)
}

// breakTables lets so many attempts to set up a table fail.
func (w *world) breakTables(times int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.broken = times
}

func (w *world) lockSeats(locked bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.locked = locked
}

func (w *world) openings() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]string(nil), w.opened...)
}

// pass lets the bubble's time go by and everything come to rest.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// guest is one socket of a person.
type guest struct {
	w       *world
	conn    *conn
	session Session
	hello   wire.Hello
	sitting table.Sitting
	read    int
}

// come opens a socket of the person with this letter.
func (w *world) come(letter string) *guest { return w.comes(person(letter)) }

func (w *world) comes(who account.Person) *guest {
	g := &guest{w: w, conn: &conn{person: who}}
	g.hello, g.session = w.lobby.Connect(g.conn)
	synctest.Wait()
	return g
}

func (g *guest) say(m wire.ClientMessage) {
	g.session.Handle(m)
	synctest.Wait()
}

func (g *guest) seek(id string, minutes int64) {
	g.say(wire.ClientMessage{T: "seek", ID: id, Base: minutes * 60000, Mode: "board"})
}

// close takes the socket from table and lobby.
func (g *guest) close() {
	if g.sitting != nil {
		g.sitting.Leave()
	}
	g.session.Close()
	synctest.Wait()
}

// sit joins the game and is there.
func (g *guest) sit(id string) {
	g.w.t.Helper()
	s, err := g.w.tables.Join(g.conn, wire.ClientMessage{T: "join", ID: "j", Game: id})
	if err != nil {
		g.w.t.Fatal(err)
	}
	g.sitting = s
	s.Handle(wire.ClientMessage{T: "here", Visible: true})
	pass(time.Millisecond)
}

// news is what the socket was sent since the last look, the game's own frames aside.
func (g *guest) news() []map[string]any {
	g.w.t.Helper()
	g.conn.mu.Lock()
	defer g.conn.mu.Unlock()
	var out []map[string]any
	for _, text := range g.conn.frames[g.read:] {
		var f map[string]any
		if err := json.Unmarshal([]byte(text), &f); err != nil {
			g.w.t.Fatal(err)
		}
		if f["t"] != "ev" && f["t"] != "state" {
			out = append(out, f)
		}
	}
	g.read = len(g.conn.frames)
	return out
}

// expect holds the news against words like "seeking", "idle:gone", "err:seated", "paired:w".
func (g *guest) expect(want string) []map[string]any {
	g.w.t.Helper()
	frames := g.news()
	var words []string
	for _, f := range frames {
		word := f["t"].(string)
		for _, key := range []string{"code", "why", "color", "by"} {
			if more, ok := f[key].(string); ok && more != "" {
				word += ":" + more
			}
		}
		words = append(words, word)
	}
	if got := strings.Join(words, " "); got != want {
		g.w.t.Errorf("%s got %q, want %q", g.conn.person.Name, got, want)
	}
	return frames
}

// game is where the person sits.
func (g *guest) game() string { return g.w.lobby.Seated(g.conn.person.ID) }

// setup is what was agreed at a running table.
func (w *world) setup(id string) (s wire.State) {
	w.t.Helper()
	view, _, err := w.tables.Game(context.Background(), id)
	if err != nil {
		w.t.Fatal(err)
	}
	s, running := view.(wire.State)
	if !running {
		w.t.Fatalf("game %s is over", id)
	}
	return s
}

// play pairs two guests and ends their game by a resignation of the first; it returns the game.
func (w *world) play(a, b *guest) string {
	w.t.Helper()
	a.seek("pa"+a.hello.You.ID[:1], 5)
	b.seek("pb"+b.hello.You.ID[:1], 5)
	id := a.game()
	if id == "" || id != b.game() {
		w.t.Fatalf("not paired: %q, %q", id, b.game())
	}
	a.sit(id)
	b.sit(id)
	a.sitting.Handle(wire.ClientMessage{T: "resign", ID: "r1"})
	pass(time.Second)
	if a.game() != "" || b.game() != "" {
		w.t.Fatalf("not freed: %q, %q", a.game(), b.game())
	}
	a.news()
	b.news()
	return id
}
