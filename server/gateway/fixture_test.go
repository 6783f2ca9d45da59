package gateway_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"flagfall/game"
	"flagfall/server/account"
	"flagfall/server/actor"
	"flagfall/server/arena/host"
	"flagfall/server/arena/host/hosttest"
	"flagfall/server/cluster"
	"flagfall/server/gateway"
	"flagfall/server/lobby"
	"flagfall/server/table"
	"flagfall/server/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var ctx = context.Background()

func person(letter string) account.Person {
	return account.Person{ID: strings.Repeat(letter, 16), Name: "P " + letter}
}

// conn is a socket that keeps what it is sent.
type conn struct {
	person account.Person

	mu     sync.Mutex
	lag    int64
	frames []string
	direct int // that came by SendNow
	closed []int
	bomb   bool // the next frame panics
	full   bool // the next frame finds no room
}

func (c *conn) Send(frame []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.bomb {
		c.bomb = false
		panic("a bug in the socket")
	}
	if c.full {
		c.closed = append(c.closed, wire.CloseSlow)
	}
	if len(c.closed) == 0 {
		c.frames = append(c.frames, string(frame))
	}
}

func (c *conn) SendNow(frame []byte) {
	c.Send(frame)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.direct++
}

func (c *conn) Close(code int, _ string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = append(c.closed, code)
}

func (c *conn) Lag() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lag
}

func (c *conn) Person() account.Person { return c.person }

// shelf is the archive that all nodes share.
type shelf struct {
	mu      sync.Mutex
	records map[string]table.Record
}

func (s *shelf) Save(_ context.Context, r table.Record) error {
	s.mu.Lock()
	defer s.mu.Unlock()
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

// town is several nodes in one process.
type town struct {
	t     *testing.T
	local *cluster.Local
	shelf *shelf
	rows  *hosttest.Shelf

	mu    sync.Mutex
	nodes []*node
	away  bool          // nobody can say where actors run
	old   time.Duration // by which messages are older when they come
}

// node is one program of the hall.
type node struct {
	*town
	name    string
	journal *actor.Memory
	hall    *actor.Hall
	tables  *table.Tables
	lobby   *lobby.Lobby
	events  *host.Host
	members *cluster.Members
	bus     *cluster.Bus
	gate    *gateway.Gateway
	dead    bool
	replies replies
}

// replies are a node's to what other nodes ask, which can be held back.
type replies struct {
	mu   sync.Mutex
	held bool
	kept []func()
}

// send sends a reply, now or when they are let go.
func (r *replies) send(reply func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.held {
		r.kept = append(r.kept, reply)
		return
	}
	reply()
}

// hold keeps replies back, or lets all go.
func (r *replies) hold(on bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.held = on
	for _, reply := range r.kept {
		reply()
	}
	r.kept = nil
}

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

// inTown runs a test with some nodes; the lobby is at the first one.
func inTown(t *testing.T, names string, test func(t *testing.T, w *town, nodes []*node)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := &town{t: t, local: cluster.NewLocal(), shelf: &shelf{records: map[string]table.Record{}},
			rows: &hosttest.Shelf{}}
		for _, name := range strings.Fields(names) {
			w.start(name, actor.NewMemory(), len(w.nodes) == 0)
		}
		time.Sleep(3 * time.Second) // all have seen all
		synctest.Wait()
		defer func() {
			for _, n := range w.nodes {
				n.stop()
			}
		}()
		test(t, w, w.nodes)
	})
}

func (w *town) start(name string, journal *actor.Memory, lobbyToo bool) *node {
	w.t.Helper()
	n := &node{town: w, name: name, journal: journal}
	n.gate = gateway.New(gateway.Config{Log: quiet})
	n.hall = actor.New(actor.Config{Journal: journal, Log: quiet})
	n.tables = table.New(table.Config{Hall: n.hall, Archive: w.shelf, Log: quiet,
		Free: func(ctx context.Context, f table.Freed) error {
			if err := n.gate.Free(ctx, f); err != nil || f.Setup.Event == "" {
				return err
			}
			return n.events.TakeFinished(ctx, f)
		},
		Tell: func(ctx context.Context, m table.Matter) error { return n.events.TakeMatter(ctx, m) },
	})
	n.lobby = lobby.New(lobby.Config{
		Hall: n.hall, PublicURL: "https://hall.example", Log: quiet, Open: n.gate.Open, Finished: n.gate.Finished,
	})
	n.events = host.New(host.Config{
		Hall: n.hall, Shelf: w.rows, Passwords: account.NewHasher(account.Cost{KiB: 64, Passes: 1, Threads: 1}, 2), Log: quiet, Node: name,
		Seat: n.gate.Take, Sits: n.gate.Seat, Rule: n.gate.Rule, Boards: n.gate.Boards, GameLog: n.gate.Log, PGN: n.gate.PGN,
		Ask: n.gate.Event, Open: n.gate.Begin,
	})
	must := func(err error) {
		w.t.Helper()
		if err != nil {
			w.t.Fatal(err)
		}
	}
	var err error
	n.members, err = w.local.Join(ctx, cluster.MembersOptions{Name: name, Log: quiet})
	must(err)
	peer := func(p cluster.Peer) gateway.Peer { return gateway.Peer(p) }
	n.bus, err = w.local.OpenBus(ctx, n.members, cluster.Handler{
		Received: func(m cluster.Message) { n.gate.Received(peer(m.From), m.Kind, m.Payload, m.Waited+w.old) },
		Missed:   func(p cluster.Peer) { n.gate.Missed(peer(p)) },
		Resynced: n.gate.Resynced,
		Asked: func(m cluster.Message, reply func([]byte, error)) {
			n.gate.Asked(peer(m.From), m.Payload, func(text []byte, err error) {
				n.replies.send(func() { reply(text, err) })
			})
		},
	}, cluster.BusOptions{Log: quiet})
	must(err)
	n.members.Changed(n.gate.NodesChanged)
	must(n.hall.Start(ctx))
	if lobbyToo {
		must(n.lobby.Start(ctx))
	}
	w.mu.Lock()
	w.nodes = append(w.nodes, n)
	w.mu.Unlock()
	n.gate.Start(gateway.Parts{Bus: n.bus, Owners: n, Nodes: n, Tables: n.tables, Lobby: n.lobby, Events: n.events})
	return n
}

// stop ends a node, as far as it has not been killed.
func (n *node) stop() {
	if n.dead {
		return
	}
	n.mu.Lock()
	n.dead = true
	n.mu.Unlock()
	if err := n.hall.Close(ctx); err != nil {
		n.t.Error(err)
	}
	n.events.Close()
	n.gate.Close()
	n.bus.Close()
	n.members.Leave(ctx)
}

// kill ends a node without a word to anybody.
func (n *node) kill() {
	n.local.Cut(n.name, true)
	n.stop()
}

// Where implements gateway.Owners.
func (n *node) Where(_ context.Context, id actor.ID) (string, bool, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.town.away {
		return "", false, io.ErrNoProgress
	}
	for _, one := range n.nodes {
		if !one.dead && one.hall.Alive(id) {
			return one.name, one == n, nil
		}
	}
	return "", false, actor.ErrUnknownActor
}

func (n *node) Self() string { return n.name }

// Alive implements gateway.Nodes.
func (n *node) Alive() []gateway.Node {
	var all []gateway.Node
	for _, one := range n.members.Alive() {
		all = append(all, gateway.Node{Peer: gateway.Peer{Name: one.Name, Incarnation: one.Incarnation}, Draining: one.Draining})
	}
	return all
}

// pass lets the bubble's time go by and everything come to rest.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// guest is one socket of a person at a node, as the edge would have it.
type guest struct {
	n       *node
	conn    *conn
	hello   wire.Hello
	session lobby.Session
	sitting table.Sitting
	read    int
}

// come opens a socket.
func (n *node) come(letter string) *guest { return n.comes(person(letter)) }

func (n *node) comes(who account.Person) *guest {
	g := &guest{n: n, conn: &conn{person: who}}
	g.hello, g.session = n.gate.Connect(g.conn)
	pass(time.Millisecond)
	return g
}

// close does what the edge does when a socket ends.
func (g *guest) close() {
	if g.sitting != nil {
		g.sitting.Leave()
	}
	g.session.Close()
	pass(time.Millisecond)
}

// sit joins a game and says that the page is there.
func (g *guest) sit(id string) {
	g.n.t.Helper()
	g.join(id, 0)
	g.do("here")
}

func (g *guest) join(id string, since uint64) {
	g.n.t.Helper()
	if g.sitting != nil {
		g.sitting.Leave()
	}
	var err error
	g.sitting, err = g.n.gate.Join(g.conn, wire.ClientMessage{T: "join", ID: "j", Game: id, Since: since})
	if err != nil {
		g.n.t.Fatalf("%s joins %s at %s: %v", g.conn.person.Name, id, g.n.name, err)
	}
	pass(time.Millisecond)
}

// do says something at the table: "m1 move e2e4 0", "c1 claim time", "here".
func (g *guest) do(line string) {
	g.n.t.Helper()
	g.sitting.Handle(parse(line))
	pass(2 * time.Millisecond)
}

func (g *guest) say(m wire.ClientMessage) {
	g.session.Handle(m)
	pass(time.Millisecond)
}

func (g *guest) seek(id string) {
	g.say(wire.ClientMessage{T: "seek", ID: id, Base: 300000, Mode: "fast"})
}

func parse(line string) wire.ClientMessage {
	if line == "here" {
		return wire.ClientMessage{T: "here", Visible: true}
	}
	words := strings.Fields(line)
	m := wire.ClientMessage{ID: words[0], T: words[1]}
	switch m.T {
	case "move":
		ply, _ := strconv.Atoi(words[3])
		m.Move, m.Ply, m.Press = words[2], &ply, true
	case "claim":
		m.Claim = words[2]
	}
	return m
}

// news is what the socket was sent since the last look.
func (g *guest) news() []string {
	g.conn.mu.Lock()
	defer g.conn.mu.Unlock()
	fresh := append([]string(nil), g.conn.frames[g.read:]...)
	g.read = len(g.conn.frames)
	return fresh
}

// expect holds the news against words like "state", "ev:move+press", "seeking", "err:not_on_move", "paired:w".
func (g *guest) expect(want string) []string {
	g.n.t.Helper()
	frames := g.news()
	var words []string
	for _, text := range frames {
		var f struct {
			T, Code, Color, Why string
			E                   []wire.Event
		}
		if err := json.Unmarshal([]byte(text), &f); err != nil {
			g.n.t.Fatalf("frame %s: %v", text, err)
		}
		word := f.T
		for _, more := range []string{f.Code, f.Why} {
			if more != "" {
				word += ":" + more
			}
		}
		if f.T == "paired" {
			word += ":" + f.Color
		}
		var events []string
		for _, e := range f.E {
			events = append(events, e.K)
		}
		if f.T == "ev" {
			word += ":" + strings.Join(events, "+")
		}
		words = append(words, word)
	}
	if got := strings.Join(words, " "); got != want {
		g.n.t.Errorf("%s at %s got %q, want %q\n%s", g.conn.person.Name, g.n.name, got, want, strings.Join(frames, "\n"))
	}
	return frames
}

// closed holds the close codes against what they should be.
func (g *guest) closed(want ...int) {
	g.n.t.Helper()
	g.conn.mu.Lock()
	defer g.conn.mu.Unlock()
	if len(want) == 0 && len(g.conn.closed) == 0 {
		return
	}
	if len(want) == 0 || len(g.conn.closed) == 0 || g.conn.closed[0] != want[0] {
		g.n.t.Errorf("%s at %s was closed with %v, want %v", g.conn.person.Name, g.n.name, g.conn.closed, want)
	}
}

// open sets a game of W and B up at this node.
func (n *node) open(id string) {
	n.t.Helper()
	n.set(id, func(*game.Setup) {})
}

// set is open with something else agreed.
func (n *node) set(id string, change func(*game.Setup)) {
	n.t.Helper()
	white, black := person("W"), person("B")
	s := game.NewSetup(game.Player{ID: white.ID, Name: white.Name}, game.Player{ID: black.ID, Name: black.Name}, 300000, game.Fast)
	change(&s)
	if err := n.tables.Open(ctx, id, s); err != nil {
		n.t.Fatal(err)
	}
}
