package main

import (
	"context"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"flagfall/loadtest/judge"
)

// dying is a server that answers nothing and resets the socket with the first message.
func dying(w http.ResponseWriter, r *http.Request) {
	up := websocket.Upgrader{}
	conn, err := up.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	_, _, _ = conn.ReadMessage() // what comes is lost with the socket
	conn.NetConn().Close()
}

// always is a source of one number: Float64 is share.
type always float64

func (share always) Uint64() uint64 { return uint64(float64(share) * (1 << 53)) }

// What somebody asks after the end, and a server that goes away leaves without an answer, is with -outage nobody's mistake;
// the log says that the socket was lost.
func TestOutageAfterTheEnd(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(dying))
	defer srv.Close()
	for name, share := range map[string]always{"claims": 0.1, "looks again": 0.2} {
		r := newRun(options{games: 1, duration: 5 * time.Second, think: time.Second, outage: true}, []string{srv.URL}, nil)
		p := newPair(r, 0).players[0]
		l := &judge.Log{Seat: "w"}
		p.record(l)
		if err := p.open(t.Context()); err != nil {
			t.Fatal(err)
		}
		p.rng = rand.New(share)
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		if p.afterwards(ctx); ctx.Err() != nil {
			t.Errorf("%s: he waits for an answer that cannot come", name)
		}
		cancel()
		if last := l.Entries[len(l.Entries)-1]; name == "claims" && last.Kind != judge.Cut {
			t.Errorf("the log ends with %v, not with the loss of the socket", last)
		}
		if len(r.errors) > 0 || len(r.failed) > 0 || r.outages.Load() == 0 {
			t.Errorf("%s: errors %v, failed %v, %d outages", name, r.errors, r.failed, r.outages.Load())
		}
	}
}
