// Package poll calls back when a connection has something to read. A connection that says nothing costs no goroutine, and
// one that speaks is served by one of a few that run already.
//
// A callback that turns out to take long does not hold up the others: after some hundredths of a second, or when it says
// so itself (Conn.StepAside), another goroutine takes over the rest.
package poll

import (
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// BufferSize is the size of the buffer that a callback gets, in bytes.
const BufferSize = 8 << 10

// patience is how long a callback may hold up the others. It is looked at twice in that time.
const patience = 20 * time.Millisecond

// ErrClosed says that the poller is closed.
var ErrClosed = errors.New("the poller is closed")

// Poller watches connections. It is made by New.
type Poller struct {
	loops []*loop
	next  atomic.Uint32
	looks atomic.Int64 // of the guard, so far
	stop  chan struct{}
	once  sync.Once
}

// New makes a poller with so many loops, 0 for one for each processor. Where the system offers nothing of the kind the
// error is errors.ErrUnsupported. A loop that waits keeps its processor for some milliseconds: whoever needs answers from
// elsewhere meanwhile wants one loop less than there are processors.
func New(loops int) (*Poller, error) {
	if loops <= 0 {
		loops = runtime.GOMAXPROCS(0)
	}
	p := &Poller{stop: make(chan struct{})}
	for range loops {
		l, err := newLoop(p)
		if err != nil {
			for _, l := range p.loops {
				l.wake()
				l.queue.close()
			}
			return nil, err
		}
		p.loops = append(p.loops, l)
	}
	for _, l := range p.loops {
		go l.run(l.turn, nil)
	}
	go p.guard()
	return p, nil
}

// Close ends the loops; nothing is called back any more.
func (p *Poller) Close() {
	p.once.Do(func() {
		close(p.stop)
		for _, l := range p.loops {
			l.close()
		}
	})
}

// guard relieves callbacks that take long.
func (p *Poller) guard() {
	ticker := time.NewTicker(patience / 2)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-p.stop:
			return
		}
		now := p.looks.Add(1)
		for _, l := range p.loops {
			l.mu.Lock()
			if l.current != nil && now-l.since > 2 {
				l.replace()
			}
			l.mu.Unlock()
		}
	}
}

// Conn is a connection that is watched.
type Conn struct {
	loop  *loop
	raw   syscall.RawConn
	ready func(buffer []byte, ended bool)

	// Guarded by the loop's mutex.
	id    uint64 // 0 before Watch and after Forget
	aside bool   // its callback goes on beside the loop, and it is not watched meanwhile
}

// Add makes a Conn that is not watched yet. ready is called, one call at a time, when something has come that can be read:
// once, so it reads until a read gives less than it had room for; or, when the other side has ended, until the end. The
// buffer is its own until it returns.
func (p *Poller) Add(raw syscall.RawConn, ready func(buffer []byte, ended bool)) *Conn {
	return &Conn{loop: p.loops[int(p.next.Add(1))%len(p.loops)], raw: raw, ready: ready}
}

// Watch begins to watch.
func (c *Conn) Watch() error {
	l := c.loop
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return ErrClosed
	}
	l.ids++
	c.id = l.ids
	l.conns[c.id] = c
	return l.watch(c)
}

// Forget ends the watch. A call of ready that is under way goes on.
func (c *Conn) Forget() {
	l := c.loop
	l.mu.Lock()
	defer l.mu.Unlock()
	if c.id == 0 {
		return
	}
	if !c.aside && !l.closed {
		l.unwatch(c)
	}
	delete(l.conns, c.id)
	c.id = 0
}

// StepAside is called by ready before it does what may take long.
func (c *Conn) StepAside() {
	l := c.loop
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.current == c {
		l.replace()
	}
}

// loop is a goroutine that serves the connections it watches.
type loop struct {
	poller *Poller
	queue

	mu      sync.Mutex
	closed  bool
	conns   map[uint64]*Conn
	ids     uint64
	turn    uint64  // of the goroutine that runs the loop
	current *Conn   // whose callback runs on it
	since   int64   // the guard's looks when it began
	rest    []event // found with it and not yet served
}

// room is what a goroutine that runs a loop needs. It is used again: where many callbacks step aside there are many.
type room struct {
	buffer [BufferSize]byte
	events [batch]event
}

var rooms = sync.Pool{New: func() any { return new(room) }}

// run serves what is found already and then waits for more.
func (l *loop) run(turn uint64, found []event) {
	own := rooms.Get().(*room)
	defer rooms.Put(own)
	buffer, events := own.buffer[:], own.events[:]
	for {
		for i := range found {
			c := l.begin(found[i:])
			if c == nil {
				continue
			}
			c.ready(buffer, found[i].ended)
			if !l.end(c, turn) {
				return
			}
		}
		runtime.Gosched() // what this has started comes first; the wait keeps the processor for a while
		n, err := l.wait(events)
		if err != nil {
			l.queue.close()
			return
		}
		found = events[:n]
	}
}

// begin makes the first of what was found the current one, nil if it is not to be served.
func (l *loop) begin(found []event) *Conn {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.conns[found[0].id]
	if c == nil || c.aside {
		return nil
	}
	l.current, l.since, l.rest = c, l.poller.looks.Load(), found[1:]
	return c
}

// end is false when another goroutine runs the loop by now.
func (l *loop) end(c *Conn, turn uint64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.turn == turn {
		l.current = nil
		return true
	}
	c.aside = false
	if c.id != 0 && !l.closed {
		_ = l.watch(c) // closed meanwhile: then who closed it knows
	}
	return false
}

// event is what a loop finds.
type event struct {
	id    uint64
	ended bool // by the other side, or by an error; something to read may be left
}

// replace has another goroutine run the loop, the mutex being held.
func (l *loop) replace() {
	c := l.current
	l.turn++
	l.current = nil
	c.aside = true
	if c.id != 0 && !l.closed {
		l.unwatch(c)
	}
	go l.run(l.turn, slices.Clone(l.rest))
}

// close ends the loop; its goroutine, whichever has it then, gives the queue back.
func (l *loop) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	l.wake()
}
