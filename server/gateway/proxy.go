package gateway

import (
	"bytes"
	"encoding/json"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"flagfall/server/account"
	"flagfall/server/lobby"
	"flagfall/server/table"
	"flagfall/server/wire"
)

// proxy is a socket of another node, as table and lobby of this one see it.
type proxy struct {
	g      *Gateway
	peer   Peer
	number uint64
	person account.Person
	lag    atomic.Int64
	gone   atomic.Bool     // nothing goes to it any more
	left   chan struct{}   // closed when it has left its place
	after  <-chan struct{} // the same of one of this person that left before it came, or nil

	mu      sync.Mutex
	queue   []func() // what is still to be done, in order
	running bool

	place visit // the queue's own; nil before it has one
}

// visit is what a proxy has a place at.
type visit interface {
	HandleAged(m wire.ClientMessage, age int64)
	Leave()
	// Answered calls then once all that was handed over before is answered.
	Answered(then func())
}

// mostQueued bounds what waits for one socket while its table does not answer.
const mostQueued = 256

// Send implements table.Conn.
func (p *proxy) Send(frame []byte) { p.tell(kindFrame, nil, frame) }

// SendNow implements table.Direct.
func (p *proxy) SendNow(frame []byte) { p.tell(kindFrameNow, nil, frame) }

// Close implements table.Conn.
func (p *proxy) Close(code int, reason string) {
	p.tell(kindClose, []uint64{uint64(code)}, []byte(reason))
	p.gone.Store(true)
}

// Lag implements table.Conn: it is what came with the latest message.
func (p *proxy) Lag() int64 { return p.lag.Load() }

// Person implements table.Conn.
func (p *proxy) Person() account.Person { return p.person }

// tell sends to the socket. When that is not possible the socket is as good as lost: its node learns of a gap, or is gone.
func (p *proxy) tell(kind byte, more []uint64, rest []byte) {
	if p.gone.Load() {
		return
	}
	if err := p.g.send(p.peer.Name, kind, p.number, more, rest); err != nil {
		if p.g.hosts.remove(p) {
			p.leave(false)
		}
		// a message that was too large is no gap
		_ = p.g.send(p.peer.Name, kindClose, p.number, []uint64{wire.CloseRestart}, []byte(table.Moves))
	}
}

// do queues what may take long; false when too much waits.
func (p *proxy) do(task func()) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.queue) >= mostQueued {
		return false
	}
	p.add(task)
	return true
}

// add needs the mutex.
func (p *proxy) add(task func()) {
	p.queue = append(p.queue, task)
	if !p.running {
		p.running = true
		go p.run()
	}
}

func (p *proxy) run() {
	for {
		p.mu.Lock()
		tasks := p.queue
		p.queue = nil
		if len(tasks) == 0 {
			p.running = false
			p.mu.Unlock()
			return
		}
		p.mu.Unlock()
		for _, task := range tasks {
			p.carryOut(task)
		}
	}
}

func (p *proxy) carryOut(task func()) {
	defer p.g.survive("a socket's message", p.peer)
	task()
}

// leave gives the place up, after all that came before. The proxy is forgotten already. While its node hears, it is told the
// answers to what it had said, and when there are no more.
func (p *proxy) leave(hears bool) {
	if !hears {
		p.gone.Store(true)
	}
	last := func() {
		p.gone.Store(true)
		if hears {
			_ = p.g.send(p.peer.Name, kindLeft, p.number, nil, nil) // if it is lost, the other side learns of the gap
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.add(func() {
		defer close(p.left)
		defer p.g.hosts.left(p)
		if p.place == nil {
			last()
			return
		}
		p.place.Leave()
		p.place.Answered(last)
	})
}

// said takes a message of an attached socket.
func (g *Gateway) said(from Peer, n uint64, rest []byte, waited time.Duration) {
	p := g.hosts.find(from, n)
	if p == nil {
		// It was let go of, and the other side has not learned that.
		_ = g.send(from.Name, kindClose, n, []uint64{wire.CloseRestart}, []byte(table.Moves))
		return
	}
	arrived, said := g.now()-waited, bytes.Clone(rest)
	if !p.do(func() { p.handle(said, arrived) }) {
		if _, m, err := readSaid(said); err == nil {
			refuse(p, m.ID, wire.Refuse(wire.CodeTooMany))
		}
	}
}

// handle passes a message on that arrived at the hall when g.now gave that.
func (p *proxy) handle(said []byte, arrived time.Duration) {
	lag, m, err := readSaid(said)
	switch {
	case err != nil:
		p.g.log.Error("a message of a socket cannot be read", "peer", p.peer.Name, "err", err)
	case p.place != nil:
		p.lag.Store(lag)
		p.place.HandleAged(m, (p.g.now() - arrived).Milliseconds())
	}
}

// readSaid reads what follows the number in a kindSay.
func readSaid(said []byte) (lag int64, m wire.ClientMessage, err error) {
	n, text, ok := number(said)
	if !ok {
		return 0, m, errors.New("it has no lag")
	}
	return int64(n), m, json.Unmarshal(text, &m)
}

// lobbyVisit is a session of the lobby, for which the age of a message does not matter.
type lobbyVisit struct{ session lobby.Session }

// HandleAged passes the message on.
func (v lobbyVisit) HandleAged(m wire.ClientMessage, _ int64) { v.session.Handle(m) }

// Leave closes the session.
func (v lobbyVisit) Leave() { v.session.Close() }

// Answered never calls then: whoever leaves the lobby waits for nothing.
func (v lobbyVisit) Answered(func()) {}
