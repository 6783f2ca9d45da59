package main

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"flagfall/server/wire"
	"flagfall/server/wire/client"
)

// Somebody whose request never ends, and somebody who never answers a close frame, do not keep the server from stopping
// in time, nor the players from being told; and no clock runs while it waits for them.
func TestStopWithDawdlers(t *testing.T) {
	data := t.TempDir()
	p := start(t, data)
	white, black, game := p.pair(t, 180000, "board")
	begin(white, black, game)
	play(white, black, "e2e4", "e7e5")

	slow, err := net.Dial("tcp", strings.TrimPrefix(p.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	if _, err := io.WriteString(slow, "POST /api/guest HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 14\r\n\r\n{"); err != nil {
		t.Fatal(err)
	}
	token := http.Header{"Authorization": {"Bearer " + white.guest.Token}}
	deaf, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(p.URL, "http")+"/ws", token)
	if err != nil {
		t.Fatal(err)
	}
	defer deaf.Close() // nobody reads from it

	began := time.Now()
	if status := p.stop(); status != 0 {
		t.Errorf("status %d", status)
	}
	if took := time.Since(began); took > closeTime/2 {
		t.Errorf("it took %v", took)
	}
	for _, who := range []*somebody{white, black} {
		if code := client.CloseCode(<-who.closed); code != websocket.CloseServiceRestart {
			t.Errorf("%s was told %d, want 1012", who.guest.Name, code)
		}
	}

	again := start(t, data)
	var state wire.State
	if err := again.Get(t.Context(), "", "/api/games/"+game, &state); err != nil {
		t.Fatal(err)
	}
	last := white.seen[len(white.seen)-1].Body.(*wire.Events)
	if spent := last.Clocks.W - state.Clocks.W; spent < 0 || spent > 1000 {
		t.Errorf("White paid %d ms for the stop", spent)
	}
}

// A server that is asked to end while it starts ends without a complaint.
func TestStopWhileStarting(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errs bytes.Buffer
	if status := run(ctx, []string{"-addr", "127.0.0.1:0", "-data", t.TempDir()}, nil, &out, &errs); status != 0 || errs.Len() > 0 {
		t.Errorf("status %d, said %q", status, errs.String())
	}
}
