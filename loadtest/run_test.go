package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"flagfall/server/wire"
)

// fake is a server with one table that ends the game as soon as both have sat down, for no reason that anybody gave.
type fake struct {
	mu      sync.Mutex
	guests  int
	sockets map[string]*websocket.Conn // by token
	here    int
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r.URL.Path == "/api/guest" {
		f.guests++
		w.WriteHeader(http.StatusCreated)
		fmt.Fprintf(w, `{"id":"P%d","name":"Guest %d","token":"t%d"}`, f.guests, f.guests, f.guests)
		return
	}
	up := websocket.Upgrader{}
	conn, err := up.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	f.sockets[token] = conn
	f.say(conn, wire.Hello{T: "hello"})
	go f.serve(conn)
}

// say writes one frame; mu is held.
func (f *fake) say(conn *websocket.Conn, frame any) {
	_ = conn.WriteJSON(frame) // a client that has gone reads nothing
}

func (f *fake) serve(conn *websocket.Conn) {
	defer conn.Close()
	for {
		_, raw, err := conn.ReadMessage()
		if err != nil {
			return
		}
		var m wire.ClientMessage
		if json.Unmarshal(raw, &m) != nil {
			return
		}
		f.mu.Lock()
		f.answer(conn, &m)
		f.mu.Unlock()
	}
}

func (f *fake) answer(conn *websocket.Conn, m *wire.ClientMessage) {
	switch m.T {
	case "invite":
		f.say(conn, wire.Invited{T: "invited", ID: m.ID, Invite: "i"})
	case "accept":
		f.say(f.sockets["t1"], wire.Paired{T: "paired", Game: "g", Color: "w"})
		f.say(f.sockets["t2"], wire.Paired{T: "paired", Game: "g", Color: "b"})
	case "join":
		f.say(conn, wire.State{T: "state", ID: m.ID, Game: "g", Phase: "waiting", Moves: []wire.Ply{}})
	case "here":
		if f.here++; f.here == 2 {
			for _, c := range f.sockets {
				f.say(c, wire.Events{T: "ev", N: 1, Clocks: wire.Clocks{W: 10_000, B: 10_000, Run: "w"}, E: []wire.Event{{K: "start"}}})
				f.say(c, wire.Events{T: "ev", N: 2, Clocks: wire.Clocks{W: 10_000, B: 10_000},
					E: []wire.Event{{K: "end", End: &wire.End{Result: "1-0", Reason: "whim"}}}})
			}
		}
	default:
		f.say(conn, wire.Error{T: "err", ID: m.ID, Code: "game_over"})
	}
}

func TestRunFindsWhatTheServerMadeUp(t *testing.T) {
	srv := httptest.NewServer(&fake{sockets: map[string]*websocket.Conn{}})
	defer srv.Close()
	o, err := parse([]string{"-games", "1", "-duration", "5s", "-think", "20ms", "-spectators", "0", "-cuts", "0", "-addr", srv.URL}, &strings.Builder{})
	if err != nil {
		t.Fatal(err)
	}
	r := newRun(o, o.addrs, nil)
	r.play(context.Background(), context.Background())
	var out strings.Builder
	rep := r.conclude(&out)
	if rep.Passed || rep.Differences == 0 || rep.Games != 1 || rep.Pairing.Count != 1 {
		t.Errorf("the run passed, or the report is not of it: %+v", rep)
	}
	o.json = filepath.Join(t.TempDir(), "figures.json")
	o.fail = []threshold{{"differences<=0", "differences", "<=", 0}}
	if o.afterwards(&out, rep, nil) || !strings.Contains(out.String(), "threshold differences<=0 FAILS") {
		t.Errorf("the threshold holds:\n%s", out.String())
	}
	if old, err := readReport(o.json, "games"); err != nil || len(old.Figures) != len(rep.Figures) {
		t.Errorf("read again: %+v, %v", old, err)
	}
	for _, want := range []string{"1 started", "has no command that could have caused it", "< 2 at 0", "FAILED"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, out.String())
		}
	}
}

func TestRunWithoutAServer(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"log in: 500 Internal Server Error": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
		"the answer has no id or no token": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusCreated)
			fmt.Fprint(w, "{}")
		},
	} {
		srv := httptest.NewServer(handler)
		r := newRun(options{games: 2, duration: 5 * time.Second, think: time.Second}, []string{srv.URL}, nil)
		r.play(context.Background(), context.Background())
		srv.Close()
		var out strings.Builder
		if r.report(&out) || !strings.Contains(out.String(), name) || !strings.Contains(out.String(), "no game was finished") {
			t.Errorf("%s: the report is\n%s", name, out.String())
		}
	}
}

func TestStopping(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r := newRun(options{games: 3, duration: 5 * time.Second, think: time.Second}, []string{"http://127.0.0.1:1"}, nil)
	r.play(ctx, ctx)
	var out strings.Builder
	if r.report(&out) || !strings.Contains(out.String(), "stopped before the end") {
		t.Errorf("the report is\n%s", out.String())
	}
}
