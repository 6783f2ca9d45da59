//go:build unix

package redistest

import (
	"net"
	"sync"
	"testing"
)

// Proxy stands between a client and a server and loses connections on demand.
type Proxy struct {
	listener net.Listener

	mu     sync.Mutex
	target string
	conns  map[net.Conn]struct{}
	lose   int  // answers that are still to be lost
	silent bool // both directions are swallowed
	closed bool
	wait   sync.WaitGroup
}

// NewProxy forwards to an address.
func NewProxy(t testing.TB, target string) *Proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{listener: l, target: target, conns: map[net.Conn]struct{}{}}
	p.wait.Go(p.accept)
	t.Cleanup(func() {
		p.mu.Lock()
		p.closed = true
		p.mu.Unlock()
		l.Close()
		p.Cut()
		p.wait.Wait()
	})
	return p
}

// Addr is where the proxy listens.
func (p *Proxy) Addr() string { return p.listener.Addr().String() }

// URL is the proxy's address as that of a server.
func (p *Proxy) URL() string { return "redis://" + p.Addr() }

// Cut resets all connections.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		reset(c)
	}
}

// Forward sends later connections to another address.
func (p *Proxy) Forward(target string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.target = target
}

// LoseAnswers lets the next n requests arrive and resets each connection instead of
// answering.
func (p *Proxy) LoseAnswers(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lose = n
}

// Silence makes open and new connections half-open: what is sent is lost and nobody
// is told. It ends with silent false, for connections that are made later.
func (p *Proxy) Silence(silent bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.silent = silent
}

func reset(c net.Conn) {
	if tcp, ok := c.(*net.TCPConn); ok {
		tcp.SetLinger(0)
	}
	c.Close()
}

func (p *Proxy) accept() {
	for {
		down, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.mu.Lock()
		target := p.target
		p.mu.Unlock()
		up, err := net.Dial("tcp", target)
		if err != nil {
			reset(down)
			continue
		}
		p.mu.Lock()
		p.conns[down], p.conns[up] = struct{}{}, struct{}{}
		if p.closed {
			reset(down)
			reset(up)
		}
		p.mu.Unlock()
		p.wait.Go(func() { p.forward(up, down, false) })
		p.wait.Go(func() { p.forward(down, up, true) })
	}
}

// forward copies until either side ends, then ends both.
func (p *Proxy) forward(to, from net.Conn, answers bool) {
	swallowed := false
	buf := make([]byte, 64<<10)
	for {
		n, err := from.Read(buf)
		if err != nil {
			break
		}
		lose, silent := p.fate(answers)
		swallowed = swallowed || silent
		if lose {
			break
		}
		if swallowed {
			continue
		}
		if _, err := to.Write(buf[:n]); err != nil {
			break
		}
	}
	reset(to)
	reset(from)
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.conns, to)
	delete(p.conns, from)
}

func (p *Proxy) fate(answer bool) (lose, silent bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if answer && p.lose > 0 {
		p.lose--
		return true, p.silent
	}
	return false, p.silent
}
