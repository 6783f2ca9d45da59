package host_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"flagfall/game"
	"flagfall/server/account"
	"flagfall/server/actor"
	"flagfall/server/arena/host"
	"flagfall/server/arena/host/hosttest"
	"flagfall/server/lobby"
	"flagfall/server/table"
	"flagfall/server/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	ctx   = context.Background()
	quiet = slog.New(slog.NewTextHandler(io.Discard, nil))
)

// person is the member with this letter; small letters are guests.
func person(letter string) account.Person {
	return account.Person{ID: strings.Repeat(letter, 16), Name: "P " + letter, Guest: strings.ToLower(letter) == letter}
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

// archive is one in memory, with what was corrected.
type archive struct {
	mu        sync.Mutex
	records   map[string]table.Record
	corrected []host.Correction
	broken    error // of what is read
}

func (a *archive) fail(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.broken = err
}

func (a *archive) Save(_ context.Context, r table.Record) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.records[r.ID] = r
	return nil
}

func (a *archive) Load(_ context.Context, id string) (table.Record, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.broken != nil {
		return table.Record{}, a.broken
	}
	r, known := a.records[id]
	if !known {
		return table.Record{}, table.ErrUnknownGame
	}
	return r, nil
}

func (a *archive) correct(_ context.Context, c host.Correction) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, known := a.records[c.Game]; !known {
		return host.ErrNotArchived
	}
	a.corrected = append(a.corrected, c)
	return nil
}

// world is a hall with tables, lobby and events. It can be closed and opened again over the same journal.
type world struct {
	t       *testing.T
	journal *actor.Memory
	hall    *actor.Hall
	tables  *table.Tables
	lobby   *lobby.Lobby
	host    *host.Host
	archive *archive
	shelf   *hosttest.Shelf
	guests  map[string]*guest
	deleted atomic.Value // []string
}

func inWorld(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := &world{t: t, journal: actor.NewMemory(), archive: &archive{records: map[string]table.Record{}},
			shelf: &hosttest.Shelf{}, guests: map[string]*guest{}}
		w.start()
		defer w.stop()
		test(t, w)
	})
}

func (w *world) start() {
	w.t.Helper()
	w.hall = actor.New(actor.Config{Journal: w.journal, Log: quiet})
	w.tables = table.New(table.Config{Hall: w.hall, Archive: w.archive, Log: quiet,
		Free: func(ctx context.Context, f table.Freed) error {
			if err := w.lobby.Free(ctx, f); err != nil || f.Setup.Event == "" {
				return err
			}
			return w.host.TakeFinished(ctx, f)
		},
		Tell: func(ctx context.Context, m table.Matter) error { return w.host.TakeMatter(ctx, m) },
	})
	w.lobby = lobby.New(lobby.Config{Hall: w.hall, PublicURL: "https://hall.example", Log: quiet, Open: w.tables.Open, Finished: w.tables.Finished})
	w.host = host.New(host.Config{
		Hall: w.hall, Shelf: w.shelf, Passwords: account.NewHasher(account.Cost{KiB: 64, Passes: 1, Threads: 1}, 2), Log: quiet, Node: "here",
		Seat: w.lobby.Seat, Sits: w.lobby.Seated, Rule: w.tables.Rule, Boards: w.tables.Boards, GameLog: w.tables.Log, PGN: w.tables.PGN,
		Correct: w.archive.correct, Named: named, Deleted: func(context.Context) ([]string, error) { gone, _ := w.deleted.Load().([]string); return gone, nil }, Member: func(_ context.Context, name string) (bool, error) { return strings.EqualFold(name, "judit"), nil },
	})
	if err := w.hall.Start(ctx); err != nil {
		w.t.Fatal(err)
	}
	if err := w.lobby.Start(ctx); err != nil {
		w.t.Fatal(err)
	}
}

func named(_ context.Context, name string) (account.Person, error) {
	if letter, ok := strings.CutPrefix(name, "P "); ok {
		return person(letter), nil
	}
	return account.Person{}, lobby.ErrUnknownPerson
}

func (w *world) stop() {
	w.t.Helper()
	if err := w.hall.Close(ctx); err != nil {
		w.t.Error(err)
	}
	w.host.Close()
}

// restart is that of the whole server; sockets come back with what they had before them.
func (w *world) restart() {
	w.t.Helper()
	w.stop()
	w.start()
	for _, g := range w.guests {
		g.comeBack()
	}
}

// pass lets the bubble's time go by and everything come to rest.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// create makes an event of A; fields are settings.
func (w *world) create(fields string) (name string) {
	w.t.Helper()
	name, err := w.host.Create(ctx, person("A"), json.RawMessage(`{"settings":`+fields+`}`))
	if err != nil {
		w.t.Fatal(err)
	}
	return name
}

// ask asks of an event as the person with a letter, "" for nobody.
func (w *world) ask(event, letter, what, body string) (answer map[string]any, err error) {
	var by account.Person
	if letter != "" {
		by = person(letter)
	}
	text, err := w.host.Answer(ctx, event, by, "", what, json.RawMessage(body))
	if err == nil {
		err = json.Unmarshal(text, &answer)
	}
	return answer, err
}

func (w *world) must(event, letter, what, body string) map[string]any {
	w.t.Helper()
	answer, err := w.ask(event, letter, what, body)
	if err != nil {
		w.t.Fatalf("%s of %s: %s: %v", what, letter, body, err)
	}
	return answer
}

// refused holds the code of a refusal.
func (w *world) refused(code, event, letter, what, body string) {
	w.t.Helper()
	_, err := w.ask(event, letter, what, body)
	var refusal *wire.Refusal
	if !errors.As(err, &refusal) || refusal.Code != code || refusal.Msg == "" {
		w.t.Errorf("%s of %s: %s: %v, want %s", what, letter, body, err, code)
	}
}

// guest is one socket of a person.
type guest struct {
	w       *world
	letter  string
	conn    *conn
	session lobby.Session
	sitting table.Sitting
	game    string
	event   string
	shown   bool
	read    int
}

// come opens a socket that attends an event.
func (w *world) come(event, letter string, shown bool) *guest {
	w.t.Helper()
	g := &guest{w: w, letter: letter, conn: &conn{person: person(letter)}}
	w.guests[letter] = g
	_, g.session = w.lobby.Connect(g.conn)
	g.attend(event, shown)
	return g
}

func (g *guest) attend(event string, shown bool) {
	g.w.t.Helper()
	g.event, g.shown = event, shown
	if err := g.w.host.Attend(g.conn, wire.ClientMessage{T: "attend", ID: "a", Event: event, Visible: shown}); err != nil {
		g.w.t.Fatal(err)
	}
}

func (g *guest) comeBack() {
	_, g.session = g.w.lobby.Connect(g.conn)
	g.attend(g.event, g.shown)
	if g.game != "" {
		game := g.game
		g.game = ""
		g.sit(game)
	}
}

// sit joins a game, with the page in front.
func (g *guest) sit(id string) {
	g.w.t.Helper()
	if g.game == id {
		return
	}
	s, err := g.w.tables.Join(g.conn, wire.ClientMessage{T: "join", ID: "j", Game: id})
	if err != nil {
		g.w.t.Fatal(err)
	}
	g.sitting, g.game = s, id
	s.Handle(wire.ClientMessage{T: "here", Visible: true})
}

// do says something at the table.
func (g *guest) do(t, id string, m wire.ClientMessage) {
	m.T, m.ID = t, id
	g.sitting.Handle(m)
}

// news are the frames of a kind since the last look.
func (g *guest) news(kind string) (frames []map[string]any) {
	g.w.t.Helper()
	g.conn.mu.Lock()
	defer g.conn.mu.Unlock()
	for _, text := range g.conn.frames[g.read:] {
		var f map[string]any
		if err := json.Unmarshal([]byte(text), &f); err != nil {
			g.w.t.Fatal(err)
		}
		if f["t"] == kind {
			frames = append(frames, f)
		}
	}
	g.read = len(g.conn.frames)
	return frames
}

// games are the running games by their players, as the seats have them.
func (w *world) games(letters string) map[string][2]*guest {
	w.t.Helper()
	all := map[string][2]*guest{}
	for _, letter := range letters {
		g := w.guests[string(letter)]
		id := w.lobby.Seated(g.conn.person.ID)
		if id == "" {
			continue
		}
		setup, err := w.setup(id)
		if err != nil {
			continue // it is being set up
		}
		if setup.White.ID != g.conn.person.ID && setup.Black.ID != g.conn.person.ID {
			w.t.Fatalf("%s sits at %s, which is of %s and %s", g.letter, id, setup.White.Name, setup.Black.Name)
		}
		pair := all[id]
		side := game.White
		if setup.Black.ID == g.conn.person.ID {
			side = game.Black
		}
		pair[side] = g
		all[id] = pair
	}
	return all
}

func (w *world) setup(id string) (wire.State, error) {
	view, _, err := w.tables.Game(ctx, id)
	if err != nil {
		return wire.State{}, err
	}
	if s, running := view.(wire.State); running {
		return s, nil
	}
	return wire.State{}, errors.New("over")
}

// finish plays a game to its end: White loses after a move of each, by giving up.
func (w *world) finish(id string, pair [2]*guest) {
	w.t.Helper()
	for _, g := range pair {
		g.sit(id)
	}
	pass(10 * time.Millisecond)
	ply := 0
	pair[0].do("move", "m0", wire.ClientMessage{Move: "e2e4", Ply: &ply, Press: true})
	pass(10 * time.Millisecond)
	one := 1
	pair[1].do("move", "m1", wire.ClientMessage{Move: "e7e5", Ply: &one, Press: true})
	pass(10 * time.Millisecond)
	pair[0].do("resign", "r", wire.ClientMessage{})
	pass(10 * time.Millisecond)
}

// code is that of a refusal.
func code(err error) string {
	var refusal *wire.Refusal
	if errors.As(err, &refusal) {
		return refusal.Code
	}
	return ""
}
