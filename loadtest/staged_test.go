package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"flagfall/server/wire"
)

// The real server, two games, one of them watched.
func TestCrowd(t *testing.T) {
	c := &crowdRun{baseline: newBaseline(options{games: 2, crowd: 30, rounds: 1, duration: time.Second, rate: 10, seed: 1}, io.Discard), spectators: newHDR()}
	rep, err := c.run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if len(rep.Rounds) != 2 || rep.Rounds[0].Watched != nil || rep.Rounds[1].Watched == nil || rep.errors() > 0 {
		t.Fatalf("rounds: %+v", rep.Rounds)
	}
	w := rep.Rounds[1].Watched
	if w.Frames < 30*8 || w.Receipt.Count == 0 || len(w.Cut) > 0 {
		t.Errorf("watched: %+v", w)
	}
	if rep.Game.Receipt.Count == 0 || rep.Game.Ack.Count == 0 || rep.Others.Receipt.Count == 0 || rep.Alone.Receipt.Count <= rep.AloneGame.Receipt.Count {
		t.Errorf("times: %+v", rep)
	}
	if rep.Ratios.P99 == 0 || rep.Spectators.P50 == 0 {
		t.Errorf("ratios: %+v", rep.Ratios)
	}
	var out bytes.Buffer
	rep.print(&out)
	if !strings.Contains(out.String(), "p99_watched") {
		t.Errorf("printed: %s", &out)
	}
}

// The real server, and everybody is cut twice.
func TestStorm(t *testing.T) {
	o := options{storm: 40, rounds: 2, duration: 2 * time.Second, rate: 5, seed: 1}
	o.stagedDefaults(map[string]bool{"duration": true, "rate": true})
	rep, err := newBaseline(o, io.Discard).storms(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	rep.print(&out)
	if !rep.passed() || len(rep.Storms) != 2 {
		t.Fatal(out.String())
	}
	for _, r := range rep.Storms {
		if r.Back != 40 || r.Games != 19 || r.PlayedOn != 19 || r.Resumed.Count != 40 || r.AllBack < r.Resumed.Max-5 {
			t.Errorf("%+v", r)
		}
		if r.Resumed.Min < 200 {
			t.Errorf("somebody was back after %v ms, sooner than the rule lets him", r.Resumed.Min)
		}
	}
}

func TestStormSockets(t *testing.T) {
	for _, n := range []int{20, 21, 99, 100, 5000, 20000} {
		o := options{storm: n}
		o.stagedDefaults(map[string]bool{})
		if got := 2*o.games + o.stormSpectators(); got != n || o.stormSpectators() < 1 || o.stormSpectators() > n/50+2 {
			t.Errorf("-storm %d: %d games and %d spectators", n, o.games, o.stormSpectators())
		}
	}
}

// A socket that is opened and ends before its hello is a failed try, and nothing worse.
func TestStormWithoutHello(t *testing.T) {
	hangsUp := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if ws, err := new(websocket.Upgrader).Upgrade(w, r, nil); err == nil {
			ws.Close()
		}
	}))
	defer hangsUp.Close()
	st := &storm{ctx: t.Context(), target: &target{base: hangsUp.URL}}
	if ws, err := st.tryOnce(visitor{game: "g"}, nil); ws != nil || err == nil {
		t.Errorf("%v, %v", ws, err)
	}
}

// A crowd that is told something else than frame after frame is an error; so are those whom nobody tells that they were slow.
func TestCrowdNotices(t *testing.T) {
	closed := func(code int) func(ws *websocket.Conn) {
		return func(ws *websocket.Conn) {
			_ = ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, ""), time.Now().Add(time.Second)) // the reader sees it
		}
	}
	frames := func(numbers ...int) func(ws *websocket.Conn) {
		return func(ws *websocket.Conn) {
			for _, n := range numbers {
				_ = ws.WriteMessage(websocket.TextMessage, fmt.Appendf(nil, `{"t":"ev","n":%d,"e":[{"k":"move","by":"w","m":"e2e4","ply":%d}]}`, n, n-5))
			}
		}
	}
	for name, tc := range map[string]struct {
		slow  int
		serve func(ws *websocket.Conn)
		want  string // "" for nothing
	}{
		"all in order":           {0, frames(6, 7, 8), ""},
		"a gap":                  {0, frames(6, 8), "a gap in the numbers of a spectator's frames"},
		"twice":                  {0, frames(6, 6), "a gap in the numbers of a spectator's frames"},
		"too few":                {0, frames(6, 7), "moves that spectators were not told of"},
		"cut":                    {0, closed(1011), "spectator lost: 1011 "},
		"slow, and told so":      {1, closed(wire.CloseSlow), ""},
		"slow, and told nothing": {1, closed(1011), "slow spectators who were not told so"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				ws, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
				if err != nil {
					t.Error(err)
					return
				}
				defer ws.Close()
				tc.serve(ws)
				_, _, _ = ws.ReadMessage() // until the crowd closes
			}))
			defer srv.Close()
			ws, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(srv.URL, "http"), nil)
			if err != nil {
				t.Fatal(err)
			}
			d := newDrive(false, 0)
			d.tables = []*table{{drive: d, ply: 4}}
			c := &crowd{size: 1, slow: tc.slow, drive: d, table: d.tables[0], cut: map[string]int{}}
			s := &spectator{crowd: c, ws: ws, slow: tc.slow > 0, resume: make(chan struct{}), n: 5}
			c.everyone = []*spectator{s}
			c.readers.Add(1)
			go s.read()
			ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
			defer cancel()
			c.leave(ctx)
			if kinds := d.kinds(); tc.want == "" && len(kinds) > 0 || tc.want != "" && kinds[tc.want] == 0 {
				t.Errorf("errors: %v, want %q", kinds, tc.want)
			}
		})
	}
}

func TestRetryDelay(t *testing.T) {
	for _, tc := range []struct {
		code, attempt int
		least, most   time.Duration
	}{
		{0, 0, 200 * time.Millisecond, 400 * time.Millisecond}, {0, 1, 400 * time.Millisecond, 800 * time.Millisecond},
		{0, 30, 5 * time.Second, 10 * time.Second}, {1012, 0, 300 * time.Millisecond, 1500 * time.Millisecond},
		{wire.CloseSlow, 0, 0, 200 * time.Millisecond}, {wire.CloseTooMany, 0, 5200 * time.Millisecond, 5400 * time.Millisecond},
	} {
		for range 100 {
			if got := retryDelay(tc.code, tc.attempt); got < tc.least || got > tc.most {
				t.Fatalf("code %d, try %d: %v", tc.code, tc.attempt, got)
			}
		}
	}
}

func TestRefusalKind(t *testing.T) {
	for want, err := range map[string]error{
		"HTTP 429":                 fmt.Errorf("open: %w", &refusedHandshake{429, websocket.ErrBadHandshake}),
		"closed with 4005":         fmt.Errorf("no hello came: %w", &websocket.CloseError{Code: 4005, Text: "x"}),
		"no answer in time":        &net.OpError{Op: "read", Err: timeout{}},
		"refused: unknown_game":    &finalRefusal{"unknown_game"},
		"dial: connection refused": &net.OpError{Op: "dial", Err: errors.New("connection refused")},
	} {
		if got := refusalKind(err); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

type timeout struct{}

func (timeout) Error() string   { return "late" }
func (timeout) Timeout() bool   { return true }
func (timeout) Temporary() bool { return true }
