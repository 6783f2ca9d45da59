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

// openHouse is the edge with real tables and a real lobby behind it, in memory.
func openHouse(t *testing.T) client.Server {
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
		Free: func(ctx context.Context, f table.Freed) error { return lob.Free(ctx, f) },
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
	return client.Server{URL: url}
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

func (k *talker) connect(s client.Server) {
	k.t.Helper()
	var err error
	if k.conn, err = s.Connect(k.t.Context(), k.guest.Token); err != nil {
		k.t.Fatal(err)
	}
	conn := k.conn
	k.t.Cleanup(func() { conn.Cut() })
	k.until("hello")
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
	newTalker := func() *talker {
		guest, err := house.NewGuest(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		k := &talker{t: t, check: check, kinds: kinds, guest: guest}
		k.connect(house)
		return k
	}
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
