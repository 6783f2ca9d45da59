package edge

import (
	"fmt"
	"net"
	"strings"
	"testing"
	"time"
)

// Frames keep their order, whole, whichever way they go: written at once, begun and finished by the writer, or gathered.
func TestSendNow(t *testing.T) {
	st := newStage(t, nil)
	ws := st.open(t, st.person(t))
	c := st.hall.conn(0).(*socket)
	if err := c.net.Conn.(*net.TCPConn).SetWriteBuffer(4 << 10); err != nil {
		t.Fatal(err)
	}
	if c.raw == nil {
		t.Fatal("a plain connection is not written directly")
	}
	pad := strings.Repeat("x", 900)
	const frames = 220 // less than the queue takes, more than the buffers of the system do
	for i := range frames {
		frame := []byte(fmt.Sprintf(`{"t":"ev","n":%d,"pad":"%s"}`, i, pad[:(i*37)%900]))
		switch {
		case i%3 == 2:
			c.Send(frame)
		default:
			c.SendNow(frame)
		}
	}
	for i := range frames {
		var n int
		if _, err := fmt.Sscanf(read(t, ws), `{"t":"ev","n":%d,`, &n); err != nil || n != i {
			t.Fatalf("frame %d, want %d (%v)", n, i, err)
		}
	}
	c.SendNow([]byte(`{"t":"pong"}`))
	if got := read(t, ws); got != `{"t":"pong"}` {
		t.Errorf("after all: %s", got)
	}
}

// A frame too long to be written at once, and one after the end, go or are dropped as with Send.
func TestSendNowOtherwise(t *testing.T) {
	st := newStage(t, nil)
	ws := st.open(t, st.person(t))
	c := st.hall.conn(0).(*socket)
	long := `{"t":"ev","pad":"` + strings.Repeat("y", 70_000) + `"}`
	c.SendNow([]byte(long))
	if got := read(t, ws); got != long {
		t.Errorf("a long frame of %d bytes came with %d", len(long), len(got))
	}
	c.Close(4001, "a newer tab")
	c.SendNow([]byte(`{"t":"pong"}`))
	if got := closeCode(ws); got != 4001 {
		t.Errorf("close code %d", got)
	}
}

// A flush leaves no deadline behind for the frames that are written at once, later.
func TestSendNowAfterTheFlushsDeadline(t *testing.T) {
	st := newStage(t, func(c *Config) { c.Limits.WriteTimeout = 20 * time.Millisecond })
	ws := st.open(t, st.person(t))
	c := st.hall.conn(0).(*socket)
	c.Send([]byte(`{"t":"pong"}`))
	read(t, ws)
	<-time.After(60 * time.Millisecond)
	for range 3 {
		c.SendNow([]byte(`{"t":"pong"}`))
		if got := read(t, ws); got != `{"t":"pong"}` {
			t.Errorf("late: %s", got)
		}
	}
}
