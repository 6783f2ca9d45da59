package edge_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"flagfall/clock"
	"flagfall/game"
	"flagfall/server/account"
	"flagfall/server/actor"
	"flagfall/server/edge"
	"flagfall/server/lobby"
	"flagfall/server/table"
	"flagfall/server/wire"
	"flagfall/server/wire/client"
	"flagfall/server/wire/wiretest"
)

// shelf is an archive in memory.
type shelf struct {
	mu    sync.Mutex
	games map[string]table.Record
}

func (s *shelf) Save(_ context.Context, r table.Record) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.games[r.ID] = r
	return nil
}

func (s *shelf) Load(_ context.Context, id string) (table.Record, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r, ok := s.games[id]; ok {
		return r, nil
	}
	return table.Record{}, table.ErrUnknownGame
}

// house is the address of a server, and its tables.
type house struct {
	client.Server
	tables *table.Tables
}

// openHouse is the edge with real tables and a real lobby behind it, in memory. Nobody can tell who wins an ending there.
func openHouse(t *testing.T) house {
	t.Helper()
	quiet := slog.New(slog.DiscardHandler)
	web := httptest.NewUnstartedServer(nil)
	url := "http://" + web.Listener.Addr().String()
	tokens, err := account.NewTokens(account.Config{Keys: account.MemoryKeys(), Audience: url})
	if err != nil {
		t.Fatal(err)
	}
	hall := actor.New(actor.Config{Journal: actor.NewMemory(), Log: quiet})
	var lob *lobby.Lobby
	tables := table.New(table.Config{
		Hall: hall, Archive: &shelf{games: map[string]table.Record{}}, Log: quiet,
		Free:  func(ctx context.Context, f table.Freed) error { return lob.Free(ctx, f) },
		Prove: func(context.Context, string, game.Question) (game.Verdict, error) { return game.Undecided, nil },
	})
	lob = lobby.New(lobby.Config{Hall: hall, PublicURL: url, Log: quiet, Open: tables.Open,
		Finished: func(ctx context.Context, id string) (game.Setup, error) { return tables.Finished(ctx, id) }})
	server, err := edge.New(edge.Config{PublicURL: url, Tokens: tokens, Tables: tables, Lobby: lob, Seat: lob.Seated, Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	if err := hall.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := lob.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	web.Config = edge.HTTPServer(server, quiet)
	web.Start()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := errors.Join(server.Close(ctx), hall.Close(ctx)); err != nil {
			t.Error(err)
		}
		web.Close()
	})
	return house{client.Server{URL: url}, tables}
}

// talker holds every frame it sends and receives against the published description.
type talker struct {
	t     *testing.T
	check *wiretest.Checker
	kinds map[string]bool // of frames and events seen, shared by all
	conn  *client.Conn
	guest client.Guest
	n     uint64
	ids   int
}

func (k *talker) connect(s house) {
	k.t.Helper()
	var err error
	if k.conn, err = s.Connect(k.t.Context(), k.guest.Token); err != nil {
		k.t.Fatal(err)
	}
	conn := k.conn
	k.t.Cleanup(func() { conn.Cut() })
	k.until("hello")
}

func newTalker(t *testing.T, h house, check *wiretest.Checker, kinds map[string]bool) *talker {
	t.Helper()
	guest, err := h.NewGuest(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	k := &talker{t: t, check: check, kinds: kinds, guest: guest}
	k.connect(h)
	return k
}

// say sends a command, with an id where its message has one.
func (k *talker) say(m wire.ClientMessage) string {
	k.t.Helper()
	id, send := "", k.conn.Send
	switch m.T {
	case "ping", "here", "leave":
	default:
		if m.ID == "" {
			k.ids++
			m.ID = fmt.Sprintf("%s-%d", m.T, k.ids)
		}
		id = m.ID
	}
	if err := errors.Join(k.check.Client(wire.Encode(m)), send(m)); err != nil {
		k.t.Fatal(err)
	}
	return id
}

// until reads on to a frame or an event of a kind. Frames of the game must be numbered without a gap.
func (k *talker) until(kind string) client.Frame {
	k.t.Helper()
	if err := k.conn.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
		k.t.Fatal(err)
	}
	for {
		f, err := k.conn.Receive()
		if err != nil {
			k.t.Fatalf("waiting for %s: %v", kind, err)
		}
		if err := k.check.Server(f.Raw); err != nil {
			k.t.Error(err)
		}
		k.kinds[f.T] = true
		found := f.T == kind
		switch body := f.Body.(type) {
		case *wire.State:
			k.n = body.N
		case *wire.Events:
			if body.N != k.n+1 {
				k.t.Errorf("frame %d after %d", body.N, k.n)
			}
			k.n = body.N
			for _, e := range body.E {
				k.kinds["ev "+e.K] = true
				found = found || kind == "ev "+e.K
			}
		}
		if found {
			return f
		}
	}
}

func (k *talker) refused(code string) {
	k.t.Helper()
	if got := k.until("err").Body.(*wire.Error); got.Code != code {
		k.t.Errorf("refused with %s (%s), want %s", got.Code, got.Msg, code)
	}
}

func (k *talker) move(uci string, ply int, press bool) {
	k.t.Helper()
	k.say(wire.ClientMessage{T: "move", Move: uci, Ply: &ply, Press: press})
}

// Two people and a spectator: every frame of the conversation is one that asyncapi.yaml describes.
func TestTrafficIsDescribed(t *testing.T) {
	check, err := wiretest.New()
	if err != nil {
		t.Fatal(err)
	}
	house := openHouse(t)
	kinds := map[string]bool{}
	newTalker := func() *talker { return newTalker(t, house, check, kinds) }
	a, b, c := newTalker(), newTalker(), newTalker()

	a.say(wire.ClientMessage{T: "ping"})
	a.until("pong")
	a.say(wire.ClientMessage{T: "seek", Base: 180_000, Mode: "board"})
	a.until("seeking")
	a.say(wire.ClientMessage{T: "cancel"})
	a.until("idle")
	a.say(wire.ClientMessage{T: "invite", Base: 60_000, Mode: "board", Color: "white"})
	invite := a.until("invited").Body.(*wire.Invited)
	a.say(wire.ClientMessage{T: "accept", Invite: invite.Invite})
	a.refused(wire.CodeOwnInvite)
	b.say(wire.ClientMessage{T: "accept", Invite: invite.Invite})
	id := a.until("paired").Body.(*wire.Paired).Game
	b.until("paired")
	for _, k := range []*talker{a, b, c} {
		k.say(wire.ClientMessage{T: "join", Game: id})
		k.until("state")
		k.say(wire.ClientMessage{T: "here", Visible: true})
	}
	a.until("ev start")
	zero := 0
	a.move("g1g3", 0, false)
	b.until("ev move")
	b.say(wire.ClientMessage{T: "claim", Claim: "illegal"})
	b.refused(wire.CodeNotCompleted)
	a.say(wire.ClientMessage{T: "retract", Ply: &zero})
	c.until("ev back")
	a.move("e2e4", 0, false)
	a.refused(wire.CodeTouchMove)
	a.move("g1f3", 0, false)
	b.until("ev back")
	b.until("ev move")
	b.move("e7e5", 1, true)
	b.until("ev queued")
	press := a.say(wire.ClientMessage{T: "press", Ply: &zero})
	a.until("ev press")
	a.say(wire.ClientMessage{T: "press", ID: press, Ply: &zero})
	a.until("done")
	a.say(wire.ClientMessage{T: "claim", Claim: "illegal"})
	c.until("ev denied")
	a.say(wire.ClientMessage{T: "offer"})
	b.until("ev offer")
	b.say(wire.ClientMessage{T: "answer"})
	a.until("ev decline")
	b.say(wire.ClientMessage{T: "mute"})
	b.until("ev muted")
	c.say(wire.ClientMessage{T: "resign"})
	c.refused(wire.CodeNotSeated)

	// Black's network is lost; he is back with every frame since.
	since := b.n
	if err := b.conn.Cut(); err != nil {
		t.Fatal(err)
	}
	a.until("ev away")
	b.connect(house)
	b.say(wire.ClientMessage{T: "join", Game: id, Since: since})
	b.until("joined")
	b.say(wire.ClientMessage{T: "resign"})
	for _, k := range []*talker{a, b, c} {
		k.until("ev end")
	}
	a.say(wire.ClientMessage{T: "rematch", Game: id})
	b.until("rematch")
	b.say(wire.ClientMessage{T: "leave"})
	b.say(wire.ClientMessage{T: "resign"})
	b.refused(wire.CodeNotJoined)

	for _, kind := range []string{
		"hello", "pong", "err", "done", "seeking", "idle", "invited", "rematch", "paired", "state", "joined", "ev",
		"ev start", "ev move", "ev press", "ev back", "ev queued", "ev offer", "ev decline", "ev denied", "ev muted", "ev here", "ev away", "ev end",
	} {
		if !kinds[kind] {
			t.Errorf("no %s in this conversation", kind)
		}
	}
}

// The rule books have frames of their own: each is one that asyncapi.yaml describes.
func TestTrafficOfTheRuleBooks(t *testing.T) {
	check, err := wiretest.New()
	if err != nil {
		t.Fatal(err)
	}
	house := openHouse(t)
	kinds := map[string]bool{}
	tables := 0
	sit := func(rules, fen string, timing clock.Timing) (a, b, c *talker) {
		a, b, c = newTalker(t, house, check, kinds), newTalker(t, house, check, kinds), newTalker(t, house, check, kinds)
		terms := game.Terms{RuleSet: rules, Base: 90_000, Mode: game.OverTheBoard, Timing: timing}
		setup := terms.Setup(game.Player{ID: a.guest.ID, Name: a.guest.Name}, game.Player{ID: b.guest.ID, Name: b.guest.Name})
		setup.FEN = fen
		tables++
		id := fmt.Sprintf("table-%d", tables)
		if err := house.tables.Open(t.Context(), id, setup); err != nil {
			t.Fatal(err)
		}
		for _, k := range []*talker{a, b, c} {
			k.say(wire.ClientMessage{T: "join", Game: id})
			k.until("state")
			k.say(wire.ClientMessage{T: "here", Visible: true})
		}
		a.until("ev start")
		return a, b, c
	}
	again := func(k *talker) wire.State {
		k.say(wire.ClientMessage{T: "join", Game: fmt.Sprintf("table-%d", tables)})
		return *k.until("state").Body.(*wire.State)
	}
	claim := func(k *talker, name string) { k.say(wire.ClientMessage{T: "claim", Claim: name}) }

	// WBCA: a claim that is denied, a demonstration, a dispute
	a, b, c := sit("wbca", "4k3/8/8/3b4/8/8/4P3/2B1K3 w - - 0 1", clock.Timing{})
	claim(a, "8h")
	c.until("ev denied")
	b.say(wire.ClientMessage{T: "dispute"})
	c.until("ev dispute")
	b.say(wire.ClientMessage{T: "concede"})
	b.refused(wire.CodeNoDemo)
	claim(b, "draw")
	c.until("ev proof")
	c.until("ev demo")
	a.until("ev demo")
	a.move("e2e4", 0, true)
	a.refused(wire.CodeBeingJudged)
	a.say(wire.ClientMessage{T: "demo", Move: "e2e5"})
	a.refused(wire.CodeDemoIllegal)
	a.say(wire.ClientMessage{T: "demo", Move: "e2e4"})
	b.until("ev demomove")
	if s := again(b); s.Demo == nil || s.Phase != "demo" || s.Claim == nil {
		t.Errorf("in the middle of it: %+v", s)
	}
	if s := again(c); s.Demo != nil || s.Phase != "demo" {
		t.Errorf("a spectator in the middle of it: %+v", s)
	}
	b.say(wire.ClientMessage{T: "concede"})
	c.until("ev demoend")

	// US Chess: the same position again, and an illegal move
	a, b, c = sit("uscf", "", clock.Timing{Kind: clock.USDelay, Ms: 3000})
	for ply, m := range []string{"g1f3", "g8f6", "f3g1", "f6g8"} {
		[2]*talker{a, b}[ply%2].move(m, ply, true)
		b.until("ev press")
	}
	if s := again(c); s.Seen != 2 || s.Clocks.Delay == 0 || s.Timing != "delay" {
		t.Errorf("the second time: %+v", s)
	}
	claim(a, "8d")
	a.refused(wire.CodeNotInRuleset)
	a.move("e1e3", 4, true)
	b.until("ev press")
	claim(b, "illegal")
	c.until("ev restored")

	// CCA: minutes for the opponent, and the delay clock
	a, _, c = sit("cca", "", clock.Timing{})
	claim(a, "ilc")
	c.until("ev delay")
	claim(a, "threefold")
	c.until("ev denied")

	// FIDE: an illegal move that is seen by the arbiter
	a, b, c = sit("fide", "", clock.Timing{Kind: clock.Fischer, Ms: 2000})
	a.say(wire.ClientMessage{T: "offer"})
	a.refused(wire.CodeBothMoved)
	zero := 0
	a.say(wire.ClientMessage{T: "press", Ply: &zero})
	c.until("ev fault")
	b.say(wire.ClientMessage{T: "resign"})
	c.until("ev end")

	for _, kind := range []string{"denied", "proof", "demo", "demomove", "demoend", "dispute", "resume", "restored", "delay", "fault"} {
		if !kinds["ev "+kind] {
			t.Errorf("no %s in these conversations", kind)
		}
	}
}
