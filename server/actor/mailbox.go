package actor

import (
	"sync"
	"time"
)

// item is what a mailbox holds: a command, or a look at the machine.
type item struct {
	cmd    Command
	look   func(m Machine, seq uint64, at int64)
	failed func(error) // of a look that can no longer happen
	run    *effectRun  // of an Acked
	first  bool        // of a new actor
}

func (it *item) fail(err error) {
	switch {
	case it.failed != nil:
		it.failed(err)
	case it.cmd.Reply != nil:
		it.cmd.Reply(Result{Err: err})
	}
}

// mailbox stamps what arrives and keeps it in order of the stamps. It holds the
// actor's clock, since stamp and place in the queue are taken under one lock.
type mailbox struct {
	pulse *pulse
	limit int
	wake  chan struct{} // holds one token while there is something to look at

	mu     sync.Mutex
	queue  []item
	last   int64         // latest stamp
	origin time.Duration // the owner's reading at actor time 0
	gaps   time.Duration // sum of the owner's gaps that are in the queue already
	since  time.Duration // the owner's reading since which the journal is waited for
	wait   bool          // since is set
	closed error
}

func newMailbox(p *pulse, limit int) *mailbox {
	mb := &mailbox{pulse: p, limit: limit, wake: make(chan struct{}, 1)}
	mb.setClock(0)
	return mb
}

// setClock starts the clock at actor time at.
func (mb *mailbox) setClock(at int64) {
	mb.mu.Lock()
	defer mb.mu.Unlock()
	b := mb.pulse.read()
	mb.origin = b.lived - time.Duration(at)*time.Millisecond
	mb.gaps, mb.last = b.gaps, at
}

func (mb *mailbox) at(lived time.Duration) int64 {
	return int64((lived - mb.origin) / time.Millisecond)
}

// now reads the clock, and queues a Recovered if the process was stopped. The
// clock stands while the journal has been waited for longer than the stop limit.
func (mb *mailbox) now() int64 {
	b := mb.pulse.read()
	if b.gaps != mb.gaps {
		body := Recovered{Gap: int64((b.gaps - mb.gaps) / time.Millisecond)}
		mb.gaps = b.gaps
		mb.put(item{cmd: Command{Body: body, At: max(mb.standing(b.stop), mb.last)}})
	}
	return max(mb.standing(b.lived), mb.last)
}

// standing is the actor time at a reading, as far as the journal lets it go on.
func (mb *mailbox) standing(lived time.Duration) int64 {
	if mb.wait && lived-mb.since > mb.pulse.limit {
		lived = mb.since
	}
	return mb.at(lived)
}

func (mb *mailbox) put(it item) {
	mb.last = it.cmd.At
	mb.queue = append(mb.queue, it)
	mb.poke()
}

func (mb *mailbox) poke() {
	select {
	case mb.wake <- struct{}{}:
	default:
	}
}

// push stamps and queues an item. Those of the hall itself are never refused for
// want of room.
func (mb *mailbox) push(it item, internal bool) error {
	mb.mu.Lock()
	defer mb.mu.Unlock()
	if mb.closed != nil {
		return mb.closed
	}
	if !internal && len(mb.queue) >= mb.limit {
		return ErrBusy
	}
	now := mb.now()
	it.cmd.At = max(now-max(it.cmd.Age, 0), mb.last)
	mb.put(it)
	return nil
}

// take empties the queue into buf and reads the clock: whatever comes later is
// stamped no earlier than that, its age aside.
func (mb *mailbox) take(buf []item) ([]item, int64) {
	mb.mu.Lock()
	defer mb.mu.Unlock()
	now := mb.now()
	taken := mb.queue
	mb.queue = buf[:0]
	return taken, now
}

// until returns how long it takes to actor time at.
func (mb *mailbox) until(at int64) time.Duration {
	mb.mu.Lock()
	defer mb.mu.Unlock()
	return mb.origin + time.Duration(at)*time.Millisecond - mb.pulse.read().lived
}

// beginWait and endWait stand around an append. If it took longer than the stop
// limit, the clock goes back to where it stood at the start, or to the latest
// stamp, and the rest of the wait is a gap. endWait returns how long it took.
func (mb *mailbox) beginWait() {
	mb.mu.Lock()
	defer mb.mu.Unlock()
	mb.since = mb.pulse.read().lived
	mb.wait = true
}

func (mb *mailbox) endWait() (took time.Duration) {
	mb.mu.Lock()
	defer mb.mu.Unlock()
	mb.wait = false
	lived := mb.pulse.read().lived
	took = lived - mb.since
	if took <= mb.pulse.limit {
		return took
	}
	at := max(mb.at(mb.since), mb.last)
	gap := mb.at(lived) - at
	mb.origin = lived - time.Duration(at)*time.Millisecond
	mb.put(item{cmd: Command{Body: Recovered{Gap: gap}, At: at}})
	return took
}

// mono returns the owner's reading in ms at an actor time. Only the actor's
// goroutine calls it, the only one that moves the origin: it needs no lock.
func (mb *mailbox) mono(at int64) int64 {
	return int64(mb.origin/time.Millisecond) + at
}

// close refuses all that comes later and returns what is still there.
func (mb *mailbox) close(err error) []item {
	mb.mu.Lock()
	defer mb.mu.Unlock()
	mb.closed = err
	rest := mb.queue
	mb.queue = nil
	return rest
}
