package table

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
	"flagfall/server/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	white = account.Person{ID: "WWWWWWWWWWWWWWWW", Name: "Ann"}
	black = account.Person{ID: "BBBBBBBBBBBBBBBB", Name: "Bob"}
	third = account.Person{ID: "TTTTTTTTTTTTTTTT", Name: "Cat"}
)

// conn is a socket that keeps what it is sent.
type conn struct {
	person account.Person
	lag    int64

	mu     sync.Mutex
	frames []string
	closed []int
}

func (c *conn) Send(frame []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.frames = append(c.frames, string(frame))
}

func (c *conn) Close(code int, _ string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = append(c.closed, code)
}

func (c *conn) Lag() int64             { return c.lag }
func (c *conn) Person() account.Person { return c.person }

// shelf is an archive in memory that may fail.
type shelf struct {
	mu      sync.Mutex
	fail    int
	saves   int
	records map[string][]byte
}

func (s *shelf) Save(_ context.Context, r Record) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fail > 0 {
		s.fail--
		return errors.New("the disk is full")
	}
	s.saves++
	s.records[r.ID] = text
	return nil
}

func (s *shelf) Load(_ context.Context, id string) (Record, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := s.records[id]
	if text == nil {
		return Record{}, ErrUnknownGame
	}
	return ParseRecord(text)
}

// world is one hall with tables and all that is around it. It can be closed and opened again over the same journal.
type world struct {
	t       testing.TB
	journal *actor.Memory
	hall    *actor.Hall
	tables  *Tables
	shelf   *shelf
	jump    atomic.Int64 // time in which the process did not run
	full    atomic.Bool  // the journal's disk is full

	mu       sync.Mutex
	freed    []Freed
	matters  []Matter // that events were told
	failFree int
	oracle   oracle
}

// oracle answers the questions of a table as its test says; a kind without an answer is refuted.
type oracle struct {
	answers map[game.QuestionKind]game.Verdict
	fail    int           // so many searches fail
	slow    time.Duration // of each search
	asked   []game.QuestionKind
	ended   int // searches that were given up
}

// answer says what the searches find from now on.
func (w *world) answer(o oracle) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.oracle = o
}

// asked are the kinds of the searches so far, and how many of them were given up.
func (w *world) asked() (kinds []game.QuestionKind, ended int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append(kinds, w.oracle.asked...), w.oracle.ended
}

func (w *world) prove(ctx context.Context, id string, q game.Question) (game.Verdict, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if id != theGame {
		w.t.Errorf("a search for game %q", id)
	}
	w.oracle.asked = append(w.oracle.asked, q.Kind)
	slow := w.oracle.slow
	w.mu.Unlock()
	select {
	case <-time.After(slow):
	case <-ctx.Done():
	}
	w.mu.Lock()
	if ctx.Err() != nil {
		w.oracle.ended++
		return "", ctx.Err()
	}
	if w.oracle.fail > 0 {
		w.oracle.fail--
		return "", errors.New("the tables cannot be read")
	}
	if v := w.oracle.answers[q.Kind]; v != "" {
		return v, nil
	}
	return game.Refuted, nil
}

// disk is a journal on a disk that can be full.
type disk struct {
	*actor.Memory
	full *atomic.Bool
}

func (d disk) Append(ctx context.Context, id actor.ID, after uint64, data []byte) error {
	if d.full.Load() {
		return errors.New("no space left on device")
	}
	return d.Memory.Append(ctx, id, after, data)
}

func newWorld(t testing.TB) *world {
	w := &world{t: t, journal: actor.NewMemory(), shelf: &shelf{records: map[string][]byte{}}}
	w.start()
	return w
}

func inWorld(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		defer w.stop()
		test(t, w)
	})
}

func (w *world) start() {
	w.t.Helper()
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	begin := time.Now()
	w.hall = actor.New(actor.Config{
		Journal: disk{w.journal, &w.full}, Log: quiet,
		Now: func() time.Duration { return time.Since(begin) + time.Duration(w.jump.Load()) },
	})
	w.tables = New(Config{Hall: w.hall, Archive: w.shelf, Free: w.free, Tell: w.tell, Prove: w.prove, Log: quiet})
	if err := w.hall.Start(context.Background()); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) stop() {
	w.t.Helper()
	if err := w.hall.Close(context.Background()); err != nil {
		w.t.Error(err)
	}
}

func (w *world) free(_ context.Context, f Freed) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.failFree > 0 {
		w.failFree--
		return errors.New("nobody answers")
	}
	w.freed = append(w.freed, f)
	return nil
}

func (w *world) tell(_ context.Context, m Matter) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.matters = append(w.matters, m)
	return nil
}

// toldMatters is what events were told so far.
func (w *world) toldMatters() []Matter {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]Matter(nil), w.matters...)
}

// freedAll is what the lobby was told so far.
func (w *world) freedAll() []Freed {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]Freed(nil), w.freed...)
}

// ends counts how often the seats were freed and the game was saved.
func (w *world) ends() (freed, saved int) {
	w.shelf.mu.Lock()
	defer w.shelf.mu.Unlock()
	return len(w.freedAll()), w.shelf.saves
}

// fail lets the archive and the lobby fail so many times.
func (w *world) fail(saves, frees int) {
	w.shelf.mu.Lock()
	defer w.shelf.mu.Unlock()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.shelf.fail, w.failFree = saves, frees
}

// setup is a lobby game of five minutes; ladder and limits are those of the lobby.
func setup(mode game.Mode) game.Setup {
	s := game.NewSetup(game.Player{ID: white.ID, Name: white.Name}, game.Player{ID: black.ID, Name: black.Name}, 300000, mode)
	s.Origin = "pool"
	return s
}

func from(fen string, mode game.Mode) game.Setup {
	s := setup(mode)
	s.FEN = fen
	return s
}

const theGame = "g1"

func (w *world) open(s game.Setup) {
	w.t.Helper()
	if err := w.tables.Open(context.Background(), theGame, s); err != nil {
		w.t.Fatal(err)
	}
}

// tab is one socket at the table.
type tab struct {
	w       *world
	name    string
	conn    *conn
	sitting Sitting
	read    int
}

func (w *world) join(p account.Person, since uint64) *tab {
	w.t.Helper()
	c := &tab{w: w, name: p.Name, conn: &conn{person: p}}
	var err error
	c.sitting, err = w.tables.Join(c.conn, wire.ClientMessage{T: "join", ID: "j", Game: theGame, Since: since})
	if err != nil {
		w.t.Fatalf("%s joins: %v", p.Name, err)
	}
	return c
}

// do hands one message over and lets the table come to rest, its millisecond over: "id move e2e4 0", "id press", "id claim time", "here"...
func (c *tab) do(line string) {
	c.w.t.Helper()
	go c.sitting.Handle(parse(line)) // waits while the table waits for its journal
	pass(time.Millisecond)
}

func parse(line string) wire.ClientMessage {
	words := strings.Fields(line)
	switch line {
	case "here":
		return wire.ClientMessage{T: "here", Visible: true}
	case "hidden":
		return wire.ClientMessage{T: "here"}
	}
	m := wire.ClientMessage{ID: words[0], T: words[1]}
	for _, word := range words[2:] {
		switch {
		case word == "press":
			m.Press = true
		case word == "accept":
			m.Accept = true
		case m.T == "claim":
			m.Claim = word
		case m.T == "demo":
			m.Move = word
		case word[0] >= '0' && word[0] <= '9':
			ply := 0
			for _, digit := range word {
				ply = 10*ply + int(digit-'0')
			}
			m.Ply = &ply
		default:
			m.Move = word
		}
	}
	return m
}

// pass lets the bubble's time go by and the table come to rest.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// news is what the socket was sent since the last look.
func (c *tab) news() []string {
	c.conn.mu.Lock()
	defer c.conn.mu.Unlock()
	fresh := c.conn.frames[c.read:]
	c.read = len(c.conn.frames)
	return append([]string(nil), fresh...)
}

func (c *tab) closed() []int {
	c.conn.mu.Lock()
	defer c.conn.mu.Unlock()
	return append([]int(nil), c.conn.closed...)
}

// kinds are short names of frames: "state", "ev:move+press", "err:not_on_move", "done".
func kinds(t testing.TB, frames []string) []string {
	t.Helper()
	out := []string{}
	for _, text := range frames {
		var f struct {
			T    string
			Code string
			E    []wire.Event
		}
		if err := json.Unmarshal([]byte(text), &f); err != nil {
			t.Fatalf("frame %s: %v", text, err)
		}
		name := f.T
		switch f.T {
		case "err":
			name += ":" + f.Code
		case "ev":
			var all []string
			for _, e := range f.E {
				all = append(all, e.K)
			}
			name += ":" + strings.Join(all, "+")
		}
		out = append(out, name)
	}
	return out
}

// expect holds the kinds of the news against what should have come, one word each.
func (c *tab) expect(want string) {
	c.w.t.Helper()
	frames := c.news()
	if got := strings.Join(kinds(c.w.t, frames), " "); got != want {
		c.w.t.Errorf("%s got %q, want %q\n%s", c.name, got, want, strings.Join(frames, "\n"))
	}
}

// last decodes the latest frame.
func (c *tab) last(into any) {
	c.w.t.Helper()
	c.conn.mu.Lock()
	defer c.conn.mu.Unlock()
	if len(c.conn.frames) == 0 {
		c.w.t.Fatalf("%s was sent nothing", c.name)
	}
	if err := json.Unmarshal([]byte(c.conn.frames[len(c.conn.frames)-1]), into); err != nil {
		c.w.t.Fatal(err)
	}
}

// sit opens the table and has both players at it, the clock running.
func (w *world) sit(s game.Setup) (a, b *tab) {
	w.t.Helper()
	w.open(s)
	a, b = w.join(white, 0), w.join(black, 0)
	a.do("here")
	b.do("here")
	a.news()
	b.news()
	return a, b
}

// views are the public answers of the HTTP API as JSON.
func (w *world) views() []string {
	w.t.Helper()
	view, _, err := w.tables.Game(context.Background(), theGame)
	if err != nil {
		w.t.Fatal(err)
	}
	list, err := w.tables.Live(context.Background())
	if err != nil {
		w.t.Fatal(err)
	}
	var out []string
	for _, v := range []any{view, list} {
		text, err := json.Marshal(v)
		if err != nil {
			w.t.Fatal(err)
		}
		out = append(out, string(text))
	}
	return out
}
