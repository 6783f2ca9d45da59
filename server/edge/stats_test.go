package edge

import (
	"context"
	"maps"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"flagfall/server/wire"
)

// Sockets are counted by the code with which they end, whoever said it; codes that are not this server's are one number.
func TestStats(t *testing.T) {
	st := newStage(t, func(c *Config) { c.Limits.SocketsPerPerson = 1 })
	person := st.person(t)
	stays := st.open(t, person)
	if n := st.Stats().Sockets; n != 1 {
		t.Errorf("%d sockets are open", n)
	}
	leave := func(end func(ws *websocket.Conn)) {
		ws := st.open(t, st.person(t))
		end(ws)
		st.hall.await(t, "disconnect")
	}
	says := func(code int) func(*websocket.Conn) {
		return func(ws *websocket.Conn) {
			text := websocket.FormatCloseMessage(code, "")
			if err := ws.WriteControl(websocket.CloseMessage, text, time.Now().Add(patience)); err != nil {
				t.Fatal(err)
			}
		}
	}
	leave(says(websocket.CloseNormalClosure))
	leave(says(websocket.CloseGoingAway))
	leave(says(4999))
	leave(says(3000))
	leave(func(ws *websocket.Conn) { ws.NetConn().Close() })
	leave(func(ws *websocket.Conn) {
		send(t, ws, "not JSON")
		if code := closeCode(ws); code != wire.CloseProtocol {
			t.Errorf("closed with %d", code)
		}
	})
	second, _, err := st.dial(bearer(person), "/ws")
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	if code := closeCode(second); code != wire.CloseTooMany {
		t.Errorf("a second socket was closed with %d", code)
	}
	go closeCode(stays) // answers the close frame
	if err := st.Server.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	got := st.Stats()
	maps.DeleteFunc(got.Closed, func(_ int, n uint64) bool { return n == 0 })
	want := map[int]uint64{
		websocket.CloseNormalClosure: 1, websocket.CloseGoingAway: 1, websocket.CloseAbnormalClosure: 1,
		websocket.CloseServiceRestart: 1, wire.CloseProtocol: 1, wire.CloseTooMany: 1, 0: 2,
	}
	if !maps.Equal(got.Closed, want) || got.Sockets != 0 {
		t.Errorf("%+v, want closed %v", got, want)
	}
	if got.Frames != 7 { // a hello each
		t.Errorf("%d frames", got.Frames)
	}
}

// A socket that is cut for being slow is counted as that.
func TestStatsOfSlowReaders(t *testing.T) {
	st := newStage(t, func(c *Config) { c.Limits.QueueFrames, c.Limits.WriteTimeout = 8, 200*time.Millisecond })
	st.open(t, st.person(t))
	st.hall.await(t, "connect")
	frame := make([]byte, 1<<20)
	for range 16 {
		st.hall.conn(0).Send(frame)
	}
	st.hall.await(t, "disconnect")
	if err := st.Server.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got := st.Stats().Closed[wire.CloseSlow]; got != 1 {
		t.Errorf("%d slow cuts", got)
	}
}
