package edge

import (
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"flagfall/server/wire"
)

// Shared frames keep their order among all others, whole, whether the system takes them at once or not.
func TestSendShared(t *testing.T) {
	st := newStage(t, nil)
	ws := st.open(t, st.person(t))
	c := st.hall.conn(0).(*socket)
	if err := c.net.Conn.(*net.TCPConn).SetWriteBuffer(4 << 10); err != nil {
		t.Fatal(err)
	}
	pad := strings.Repeat("x", 900)
	const frames = 220 // less than the queue takes, more than the buffers of the system do
	frame := func(i int) []byte { return fmt.Appendf(nil, `{"t":"ev","n":%d,"pad":"%s"}`, i, pad[:(i*37)%900]) }
	for i := 0; i < frames; i++ {
		switch i % 4 {
		case 0:
			c.SendShared(wire.Share([][]byte{frame(i), frame(i + 1)}))
			i++
		case 2:
			c.Send(frame(i))
		default:
			c.SendNow(frame(i))
		}
	}
	for i := range frames {
		var n int
		if _, err := fmt.Sscanf(read(t, ws), `{"t":"ev","n":%d,`, &n); err != nil || n != i {
			t.Fatalf("frame %d, want %d (%v)", n, i, err)
		}
	}
	long := strings.Repeat("y", 2*directShared)
	c.SendShared(wire.Share([][]byte{[]byte(long)}))
	if got := read(t, ws); got != long {
		t.Errorf("a long frame of %d bytes came with %d", len(long), len(got))
	}
}

// A socket that takes no shared frames is closed as slow, and the sender never waits for it.
func TestSendSharedToSlowReader(t *testing.T) {
	st := newStage(t, func(c *Config) {
		c.Limits.QueueFrames = 64
		c.Limits.WriteTimeout = time.Hour // who waits for the socket waits for ever
	})
	ws := st.open(t, st.person(t))
	c := st.hall.conn(0).(*socket)
	if err := c.net.Conn.(*net.TCPConn).SetWriteBuffer(4 << 10); err != nil { // what the system holds is read slowly
		t.Fatal(err)
	}
	shared := wire.Share([][]byte{[]byte(`{"t":"ev","pad":"` + strings.Repeat("x", 8<<10) + `"}`)})
	for range 10_000 {
		c.SendShared(shared)
		if c.closed() {
			break
		}
	}
	if got := closeCode(ws); got != wire.CloseSlow {
		t.Errorf("close code %d, want %d", got, wire.CloseSlow)
	}
}

// The deadline of an earlier write, long passed, is nothing to a frame that is written at once.
func TestSendAfterDeadline(t *testing.T) {
	st := newStage(t, nil)
	ws := st.open(t, st.person(t))
	c := st.hall.conn(0).(*socket)
	for name, send := range map[string]func(frame []byte){
		"SendNow":    c.SendNow,
		"SendShared": func(frame []byte) { c.SendShared(wire.Share([][]byte{frame})) },
	} {
		if err := c.ws.NetConn().SetWriteDeadline(time.Now().Add(-time.Second)); err != nil {
			t.Fatal(err)
		}
		send([]byte(name))
		if got := read(t, ws); got != name {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// Frames that many share are counted like all others, for every socket.
func TestSharedFramesAreCounted(t *testing.T) {
	st := newStage(t, nil)
	ws := st.open(t, st.person(t))
	before := st.Stats().Frames
	st.hall.conn(0).(*socket).SendShared(wire.Share([][]byte{[]byte(`{"t":"pong"}`), []byte(`{"t":"pong"}`)}))
	read(t, ws)
	read(t, ws)
	if got := st.Stats().Frames - before; got != 2 {
		t.Errorf("%d frames were counted, want 2", got)
	}
}
