package edge

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"flagfall/server/wire"
)

func TestConversation(t *testing.T) {
	st := newStage(t, nil)
	st.hall.early = []byte(`{"t":"idle"}`)
	ws := st.open(t, st.person(t))
	if got := read(t, ws); got != `{"t":"idle"}` {
		t.Fatalf("after the hello: %s", got)
	}
	for _, c := range []struct{ send, want, note string }{
		{`{"t":"ping"}`, `{"t":"pong"}`, ""},
		{`{"t":"seek","id":"1","base":180000,"mode":"board"}`, "", "lobby seek"},
		{`{"t":"move","id":"2","m":"e2e4","ply":0}`, `{"t":"err","id":"2","code":"not_joined"`, ""},
		{`{"t":"join","id":"3","game":"x"}`, `{"t":"err","id":"3","code":"unknown_game"`, ""},
		{`{"t":"join","id":"4","game":"g1"}`, "", "join g1"},
		{`{"t":"move","id":"5","m":"e2e4","ply":0}`, "", "g1 move"},
		{`{"t":"join","id":"6","game":"x"}`, `{"t":"err","id":"6","code":"unknown_game"`, ""},
		{`{"t":"press","id":"7","ply":0}`, "", "g1 press"},
		{`{"t":"join","id":"8","game":"g2"}`, "", "join g2"},
		{`{"t":"here","visible":true}`, "", "g2 here"},
		{`{"t":"leave"}`, "", "leave g2"},
		{`{"t":"leave"}`, "", ""},
		{`{"t":"resign","id":"9"}`, `{"t":"err","id":"9","code":"not_joined"`, ""},
		{`{"t":"resign","id":"9","game":"g1"}`, `{"t":"err","id":"9","code":"bad_message","msg":"The message resign has no field \"game\"."`, ""},
		{`{"t":"nonsense","id":"9"}`, `{"t":"err","id":"9","code":"unknown_message"`, ""},
	} {
		send(t, ws, c.send)
		if c.note != "" {
			st.hall.await(t, c.note)
		}
		if c.want != "" {
			if got := read(t, ws); !strings.HasPrefix(got, c.want) {
				t.Errorf("%s: %s, want %s", c.send, got, c.want)
			}
		}
	}
	ws.Close()
	st.hall.await(t, "disconnect")
	st.hall.mu.Lock()
	defer st.hall.mu.Unlock()
	if got := strings.Join(st.hall.log, ", "); got != "connect, lobby seek, join g1, g1 move, g1 press, join g2, leave g1, g2 here, leave g2, disconnect" {
		t.Errorf("the hall saw: %s", got)
	}
}

// The same table again: the old place is left first, so that a table never has one socket twice.
func TestJoinAgain(t *testing.T) {
	st := newStage(t, nil)
	ws := st.open(t, st.person(t))
	send(t, ws, `{"t":"join","id":"1","game":"g1"}`)
	send(t, ws, `{"t":"join","id":"2","game":"g1"}`)
	st.hall.await(t, "leave g1")
	st.hall.await(t, "join g1")
	ws.Close()
	st.hall.await(t, "leave g1")
}

func TestBadFrames(t *testing.T) {
	text, binary := websocket.TextMessage, websocket.BinaryMessage
	for _, c := range []struct {
		name string
		kind int
		data string
		code int
	}{
		{"binary", binary, `{"t":"ping"}`, websocket.CloseUnsupportedData},
		{"not UTF-8", text, "{\"t\":\"\xff\"}", websocket.CloseInvalidFramePayloadData},
		{"surrogate", text, "{\"t\":\"\xed\xa0\x80\"}", websocket.CloseInvalidFramePayloadData},
		{"not JSON", text, `hello`, wire.CloseProtocol},
		{"an array", text, `[{"t":"ping"}]`, wire.CloseProtocol},
		{"two objects", text, `{"t":"ping"}{"t":"ping"}`, wire.CloseProtocol},
		{"empty", text, ``, wire.CloseProtocol},
		{"4096 bytes of space", text, strings.Repeat(" ", wire.MaxMessage), wire.CloseProtocol},
		{"4097 bytes", text, strings.Repeat(" ", wire.MaxMessage+1), websocket.CloseMessageTooBig},
	} {
		st := newStage(t, nil)
		ws := st.open(t, st.person(t))
		if err := ws.WriteMessage(c.kind, []byte(c.data)); err != nil {
			t.Fatal(err)
		}
		if got := closeCode(ws); got != c.code {
			t.Errorf("%s: close code %d, want %d", c.name, got, c.code)
		}
		st.hall.await(t, "disconnect")
	}
}

func TestFloods(t *testing.T) {
	for name, flood := range map[string]func(ws *websocket.Conn, i int) error{
		"messages": func(ws *websocket.Conn, i int) error {
			return ws.WriteMessage(websocket.TextMessage, []byte(`{"t":"leave"}`))
		},
		"application pings": func(ws *websocket.Conn, i int) error {
			return ws.WriteMessage(websocket.TextMessage, []byte(`{"t":"ping"}`))
		},
		"pages that come and go": func(ws *websocket.Conn, i int) error {
			return ws.WriteMessage(websocket.TextMessage, []byte(`{"t":"here"}`))
		},
		"pings": func(ws *websocket.Conn, i int) error {
			return ws.WriteControl(websocket.PingMessage, []byte("x"), time.Now().Add(patience))
		},
		"pongs": func(ws *websocket.Conn, i int) error {
			return ws.WriteControl(websocket.PongMessage, []byte("x"), time.Now().Add(patience))
		},
		"pings inside a message": func(ws *websocket.Conn, i int) error {
			if i == 0 {
				_, err := ws.NetConn().Write([]byte{0x01, 0x80, 0, 0, 0, 0}) // text, not the last frame, empty
				return err
			}
			return ws.WriteControl(websocket.PingMessage, []byte("x"), time.Now().Add(patience))
		},
	} {
		st := newStage(t, func(c *Config) {
			if name != "messages" { // the others are held to less than messages are
				c.Limits.Messages = Rate{1000, 1000}
			}
		})
		ws := st.open(t, st.person(t))
		for i := range 60 {
			if flood(ws, i) != nil {
				break
			}
		}
		if got := closeCode(ws); got != websocket.ClosePolicyViolation {
			t.Errorf("%s: close code %d, want 1008", name, got)
		}
		st.hall.await(t, "disconnect")
	}
}

// A message whose frames are empty and never end, and a peer that says nothing at all, are cut.
func TestSilence(t *testing.T) {
	short := func(c *Config) {
		c.Limits.ReadTimeout, c.Limits.MessageTimeout = 200*time.Millisecond, 100*time.Millisecond
		c.Limits.PingEvery, c.Limits.PingIdleEvery = 20*time.Millisecond, 20*time.Millisecond
	}
	for name, say := range map[string]func(ws *websocket.Conn) error{
		"nothing": func(*websocket.Conn) error { return nil },
		"half a frame": func(ws *websocket.Conn) error {
			_, err := ws.NetConn().Write([]byte{0x81})
			return err
		},
		"endless empty frames": func(ws *websocket.Conn) error {
			if _, err := ws.NetConn().Write([]byte{0x01, 0x80, 0, 0, 0, 0}); err != nil {
				return err
			}
			for {
				if _, err := ws.NetConn().Write([]byte{0x00, 0x80, 0, 0, 0, 0}); err != nil {
					return nil
				}
			}
		},
	} {
		st := newStage(t, short)
		ws := st.open(t, st.person(t)) // and read no more: no ping is answered
		if err := say(ws); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		st.hall.await(t, "disconnect")
	}
}

// An answered ping keeps a silent socket alive, its round trip is the lag, and what the client says in it counts for nothing.
func TestLagMeasured(t *testing.T) {
	const delay, pings, silence = 30 * time.Millisecond, 12, 2 * time.Second
	st := newStage(t, func(c *Config) {
		c.Limits.ReadTimeout = silence
		c.Limits.PingEvery, c.Limits.PingIdleEvery = delay/3, delay/3
	})
	began := time.Now()
	ws := st.open(t, st.person(t))
	done := make(chan struct{}, 1)
	answered := 0
	ws.SetPingHandler(func(data string) error {
		<-time.After(delay)
		if answered++; answered >= pings && time.Since(began) > silence+delay {
			select {
			case done <- struct{}{}:
			default:
			}
		}
		if answered%4 == 0 { // a pong nobody asked for, before its time
			ws.WriteControl(websocket.PongMessage, []byte("forged"), time.Now().Add(patience))
		}
		return ws.WriteControl(websocket.PongMessage, []byte(data), time.Now().Add(patience))
	})
	go closeCode(ws)
	select {
	case <-done:
	case <-time.After(patience):
		t.Fatal("the pings ended")
	}
	if got := st.hall.conn(0).Lag(); got < delay.Milliseconds() || got > time.Since(began).Milliseconds() {
		t.Errorf("lag %d ms, want %v or a little more", got, delay)
	}
}

// SEC-04: a socket does not outlive its token.
func TestTokenEnds(t *testing.T) {
	quick := func(c *Config) { c.Limits.PingIdleEvery = 10 * time.Millisecond }
	t.Run("expired", func(t *testing.T) {
		st := newStage(t, quick)
		st.now = time.Now().Add(-time.Hour + 1500*time.Millisecond) // it has about a second left
		s := st.person(t)
		st.now = time.Time{}
		ws := st.open(t, s)
		if got := closeCode(ws); got != wire.CloseToken {
			t.Errorf("close code %d, want %d", got, wire.CloseToken)
		}
		if early := time.Until(s.Expires); early > 0 {
			t.Errorf("closed %v before the expiry", early)
		}
		st.hall.await(t, "disconnect")
	})
	t.Run("revoked", func(t *testing.T) {
		st := newStage(t, quick)
		s := st.person(t)
		ws := st.open(t, s)
		if err := st.cfg.Tokens.Revoke(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		if got := closeCode(ws); got != wire.CloseToken {
			t.Errorf("close code %d, want %d", got, wire.CloseToken)
		}
	})
}

func TestTooManySockets(t *testing.T) {
	st := newStage(t, func(c *Config) { c.Limits.SocketsPerPerson, c.Limits.SocketsPerAddress = 2, 3 })
	a, b := st.person(t), st.person(t)
	first := st.open(t, a)
	st.open(t, a)
	third, _, err := st.dial(bearer(a), "/ws")
	if err != nil {
		t.Fatal(err)
	}
	if got := closeCode(third); got != wire.CloseTooMany {
		t.Errorf("third of a person: %d", got)
	}
	st.open(t, b)
	fourth, _, err := st.dial(bearer(b), "/ws")
	if err != nil {
		t.Fatal(err)
	}
	if got := closeCode(fourth); got != wire.CloseTooMany {
		t.Errorf("fourth of an address: %d", got)
	}
	first.Close()
	st.hall.await(t, "disconnect")
	for range 1000 { // the place is free once the socket is counted out
		if st.Sockets() == 2 {
			break
		}
		<-time.After(time.Millisecond)
	}
	st.open(t, a)
}

// GO-01: frames, pings and closes from many goroutines.
func TestConcurrentWriters(t *testing.T) {
	st := newStage(t, func(c *Config) {
		c.Limits.PingIdleEvery = time.Millisecond
		c.Limits.QueueFrames, c.Limits.QueueBytes = 1<<20, 1<<30
	})
	ws := st.open(t, st.person(t))
	c := st.hall.conn(0)
	var wg sync.WaitGroup
	const senders, each = 3, 3000
	for i := range senders {
		wg.Go(func() {
			for n := range each {
				c.Send(fmt.Appendf(nil, `{"t":"ev","s":%d,"n":%d}`, i, n))
				c.Lag()
			}
		})
	}
	next := [senders]int{}
	for range senders * each {
		var s, n int
		if _, err := fmt.Sscanf(read(t, ws), `{"t":"ev","s":%d,"n":%d}`, &s, &n); err != nil || next[s] != n {
			t.Fatalf("sender %d: frame %d, want %d (%v)", s, n, next[s], err)
		}
		next[s]++
	}
	wg.Wait()
	for range 3 {
		wg.Go(func() { c.Close(wire.CloseReplaced, "a newer tab"); c.Send([]byte("{}")) })
	}
	if got := closeCode(ws); got != wire.CloseReplaced {
		t.Errorf("close code %d", got)
	}
	wg.Wait()
}

// Who reads nothing and so answers no ping is told that he was too slow, should he read again.
func TestUnheardIsTold(t *testing.T) {
	st := newStage(t, func(c *Config) {
		c.Limits.ReadTimeout = 200 * time.Millisecond
		c.Limits.PingEvery, c.Limits.PingIdleEvery = 20*time.Millisecond, 20*time.Millisecond
	})
	ws := st.open(t, st.person(t))
	frame := []byte(`{"t":"ev","n":1}`)
	st.hall.conn(0).Send(frame)
	st.hall.await(t, "disconnect")
	if got := read(t, ws); got != string(frame) {
		t.Errorf("what was sent before: %s", got)
	}
	if got := closeCode(ws); got != wire.CloseSlow {
		t.Errorf("close code %d, want %d", got, wire.CloseSlow)
	}
}

// GO-02: one spectator that never reads does not hold up the others, and is dropped with its own code.
func TestSlowReader(t *testing.T) {
	st := newStage(t, func(c *Config) { c.Limits.QueueFrames = 64; c.Limits.WriteTimeout = 300 * time.Millisecond })
	player := st.open(t, st.person(t))
	st.open(t, st.person(t))
	p, s := st.hall.conn(0).(*socket), st.hall.conn(1).(*socket)
	frame := []byte(`{"t":"ev","pad":"` + strings.Repeat("x", 16<<10) + `"}`)
	var longest time.Duration
	for range 10_000 {
		began := time.Now()
		s.Send(frame)
		longest = max(longest, time.Since(began))
		if s.closed() {
			break
		}
		p.Send([]byte(`{"t":"pong"}`))
		read(t, player)
	}
	if !s.closed() {
		t.Fatal("the slow socket is still open")
	}
	if s.out.code != wire.CloseSlow {
		t.Errorf("code %d", s.out.code)
	}
	if longest > time.Second {
		t.Errorf("a Send took %v", longest)
	}
	st.hall.await(t, "disconnect")
}

// A reader that was slow and reads again in time is told why it was closed.
func TestSlowReaderIsTold(t *testing.T) {
	st := newStage(t, func(c *Config) { c.Limits.QueueFrames = 8 })
	ws := st.open(t, st.person(t))
	s := st.hall.conn(0).(*socket)
	frame := []byte(`{"t":"ev","pad":"` + strings.Repeat("x", 16<<10) + `"}`)
	for range 10_000 {
		if s.Send(frame); s.closed() {
			break
		}
	}
	if got := closeCode(ws); got != wire.CloseSlow {
		t.Errorf("close code %d, want %d", got, wire.CloseSlow)
	}
}

func TestServerCloses(t *testing.T) {
	st := newStage(t, nil)
	var all []*websocket.Conn
	for range 4 {
		all = append(all, st.open(t, st.person(t)))
	}
	st.hall.conn(0).Send([]byte(`{"t":"idle"}`))
	codes := make(chan int, len(all))
	for _, ws := range all {
		go func() { codes <- closeCode(ws) }()
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := st.Close(ctx); err != nil {
		t.Fatal(err)
	}
	for range all {
		if got := <-codes; got != websocket.CloseServiceRestart {
			t.Errorf("close code %d, want 1012", got)
		}
	}
	if n := st.Sockets(); n != 0 {
		t.Errorf("%d sockets left", n)
	}
	if _, res, _ := st.dial(bearer(st.person(t)), "/ws"); res == nil || res.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("a new socket: %v, want 503", res)
	}
}

func TestPanicEndsOneSocket(t *testing.T) {
	st := newStage(t, nil)
	bad, good := st.open(t, st.person(t)), st.open(t, st.person(t))
	send(t, bad, `{"t":"join","id":"1","game":"g1"}`)
	st.hall.await(t, "join g1")
	st.hall.mu.Lock()
	st.hall.bomb = true
	st.hall.mu.Unlock()
	send(t, bad, `{"t":"resign","id":"2"}`)
	if got := closeCode(bad); got != websocket.CloseInternalServerErr {
		t.Errorf("close code %d, want 1011", got)
	}
	st.hall.await(t, "disconnect")
	send(t, good, `{"t":"ping"}`)
	if got := read(t, good); got != `{"t":"pong"}` {
		t.Errorf("the other socket: %s", got)
	}
}

// The state of a game of ten thousand moves is larger than the queue; it arrives all the same.
func TestFrameLargerThanTheQueue(t *testing.T) {
	st := newStage(t, func(c *Config) { c.Limits.QueueBytes = 4096 })
	ws := st.open(t, st.person(t))
	s := st.hall.conn(0).(*socket)
	s.Send([]byte(`{"t":"pong"}`))
	s.Send([]byte(`{"t":"ev","pad":"` + strings.Repeat("x", 10_000) + `"}`))
	if got := read(t, ws); !strings.Contains(got, "pong") {
		t.Fatalf("the first frame is %s", got)
	}
	if got := read(t, ws); !strings.Contains(got, "pad") {
		t.Errorf("the large frame came as %.80s", got)
	}
}

// masked is a whole frame of a client.
func masked(opcode byte, payload string) []byte {
	key := [4]byte{7, 1, 9, 4}
	frame := append([]byte{0x80 | opcode, 0x80 | byte(len(payload))}, key[:]...)
	for i := range payload {
		frame = append(frame, payload[i]^key[i&3])
	}
	return frame
}

// Frames come as the network cuts them: in pieces, or many at once.
func TestFramesInPieces(t *testing.T) {
	const move = `{"t":"move","id":"2","m":"e2e4","ply":0}`
	st := newStage(t, func(c *Config) { c.Limits.MessageTimeout = 1500 * time.Millisecond })
	ws := st.open(t, st.person(t))
	send(t, ws, `{"t":"join","id":"1","game":"g1"}`)
	st.hall.await(t, "join g1")
	raw := ws.NetConn()
	write := func(data []byte) {
		t.Helper()
		if _, err := raw.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	for i, one := range masked(websocket.TextMessage, move) {
		write([]byte{one})
		if i%9 == 0 {
			<-time.After(time.Millisecond) // lets it come alone
		}
	}
	st.hall.await(t, "g1 move")
	pong := masked(websocket.PongMessage, "late")
	write(pong[:3])
	<-time.After(20 * time.Millisecond)
	write(pong[3:])
	<-time.After(2 * time.Second) // no message has begun that would have to end
	var all []byte
	for range 3 {
		all = append(all, masked(websocket.TextMessage, move)...)
		all = append(all, masked(websocket.PongMessage, "x")...)
	}
	write(append(all, masked(websocket.TextMessage, move)[:5]...))
	for range 3 {
		st.hall.await(t, "g1 move")
	}
	write(masked(websocket.TextMessage, move)[5:])
	st.hall.await(t, "g1 move")
	// What only gorilla reads does not lose what came before it, nor what comes after.
	first, last := masked(websocket.TextMessage, move[:9]), masked(0, move[9:])
	first[0] &^= 0x80
	write(append(append(append(masked(websocket.TextMessage, move), first...), last...), masked(websocket.TextMessage, move)...))
	for range 3 {
		st.hall.await(t, "g1 move")
	}
}
