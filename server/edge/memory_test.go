package edge

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"runtime"
	"testing"
	"time"

	"flagfall/server/wire"
)

// BenchmarkIdleSockets reports what an open socket costs the server when nobody writes: B/socket, both ends of the
// loopback connection in it (the other end is a bare net.Conn).
func BenchmarkIdleSockets(b *testing.B) {
	b.ReportAllocs()
	const n = 500
	for range b.N {
		st := newStage(b, func(c *Config) {
			c.Limits.SocketsPerPerson, c.Limits.SocketsPerAddress = n, n
			c.Limits.Handshakes = Rate{1e6, n}
		})
		before := inUse()
		conns := make([]net.Conn, n)
		token := st.person(b).Token
		for i := range conns {
			conns[i], _ = handshake(b, st, token)
		}
		b.ReportMetric(float64(inUse()-before)/n, "B/socket")
		for _, c := range conns {
			c.Close()
		}
	}
}

// handshake opens a socket with as little on the client's side as can be, and reads its hello.
func handshake(b *testing.B, st *stage, token string) (net.Conn, *bufio.Reader) {
	c, err := net.Dial("tcp", st.http.Listener.Addr().String())
	if err != nil {
		b.Fatal(err)
	}
	io.WriteString(c, "GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"+
		"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nAuthorization: Bearer "+token+"\r\n\r\n")
	c.SetReadDeadline(time.Now().Add(patience))
	r := bufio.NewReaderSize(c, 512)
	res, err := http.ReadResponse(r, nil)
	if err != nil || res.StatusCode != http.StatusSwitchingProtocols {
		b.Fatalf("%v %v", res, err)
	}
	if _, err := r.Peek(2); err != nil {
		b.Fatal(err)
	}
	return c, r
}

func inUse() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc + m.StackInuse
}

// BenchmarkFrame is one frame from a table's goroutine to a client that waits for it.
func BenchmarkFrame(b *testing.B) {
	st := newStage(b, func(c *Config) { // no ping may come between
		c.Limits.PingEvery, c.Limits.PingIdleEvery, c.Limits.ReadTimeout = time.Hour, time.Hour, 2*time.Hour
	})
	client, in := handshake(b, st, st.person(b).Token)
	client.SetReadDeadline(time.Time{})
	hello := wire.Encode(wire.Hello{T: "hello", Version: wire.Version, You: wire.Person{ID: st.hall.conn(0).Person().ID, Name: st.hall.conn(0).Person().Name}})
	frame := []byte(`{"t":"ev","n":17,"at":12345,"clk":{"w":180000,"b":179000,"run":"w","flags":""},"e":[{"k":"press","by":"b"}]}`)
	skip := func(n int) {
		if _, err := in.Discard(n + 2); err != nil {
			b.Fatal(err)
		}
	}
	skip(len(hello))
	first, err := in.Peek(2) // the ping that comes at once
	if err != nil {
		b.Fatal(err)
	}
	skip(int(first[1]))
	b.ReportAllocs()
	for b.Loop() {
		st.hall.conn(0).Send(frame)
		skip(len(frame))
	}
}
