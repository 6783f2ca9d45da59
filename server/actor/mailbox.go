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
// actor's clock, since stamp and place in the queue are taken under one lock, and
// knows whether somebody runs the actor: an actor with nothing to do costs no
// goroutine.
type mailbox struct {
	pulse *pulse
	limit int
	alarm func() // what the timer calls

	mu     sync.Mutex
	queue  *queue // nil while it is empty
	busy   bool   // somebody runs the actor
	again  bool   // and looks once more before he leaves it
	ending bool   // the actor does not rest any more: whoever runs it ends it
	timer  *time.Timer
	due    int64         // actor time that the timer goes off at, or earlier; -1 for never
	last   int64         // latest stamp
	origin time.Duration // the owner's reading at actor time 0
	gaps   time.Duration // sum of the owner's gaps that are in the queue already
	since  time.Duration // the owner's reading since which the journal is waited for
	wait   bool          // since is set
	closed error
}

func newMailbox(p *pulse, limit int, alarm func()) *mailbox {
	mb := &mailbox{pulse: p, limit: limit, alarm: alarm, due: -1}
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
	if mb.queue == nil {
		mb.queue = queues.Get().(*queue)
	}
	mb.queue.items = append(mb.queue.items, it)
}

type queue struct{ items []item }

// queues are used again: an idle mailbox holds none.
var queues = sync.Pool{New: func() any { return new(queue) }}

// list is nil for no queue.
func (q *queue) list() []item {
	if q == nil {
		return nil
	}
	return q.items
}

// giveBack takes a queue that was taken and is done.
func (q *queue) giveBack() {
	if q == nil || cap(q.items) > 64 {
		return
	}
	clear(q.items)
	q.items = q.items[:0]
	queues.Put(q)
}

// push stamps and queues an item. Those of the hall itself are never refused for
// want of room. With mine the caller has to run the actor, nobody else does.
func (mb *mailbox) push(it item, internal bool) (mine bool, err error) {
	mb.mu.Lock()
	defer mb.mu.Unlock()
	if mb.closed != nil {
		return false, mb.closed
	}
	if !internal && len(mb.queue.list()) >= mb.limit {
		return false, ErrBusy
	}
	now := mb.now()
	it.cmd.At = max(now-max(it.cmd.Age, 0), mb.last)
	mb.put(it)
	return mb.begin(), nil
}

// begin makes the caller the one who runs the actor, or has whoever does look again.
func (mb *mailbox) begin() (mine bool) {
	if mb.busy {
		mb.again = true
		return false
	}
	mb.busy = true
	return true
}

// poke is a push of nothing.
func (mb *mailbox) poke() (mine bool) {
	mb.mu.Lock()
	defer mb.mu.Unlock()
	return mb.begin()
}

// dismiss is a poke after which the actor does not rest any more.
func (mb *mailbox) dismiss() (mine bool) {
	mb.mu.Lock()
	defer mb.mu.Unlock()
	mb.ending = true
	return mb.begin()
}

// take empties the queue, reads the clock and says whether the actor is to end: whatever comes later is stamped no
// earlier than that, its age aside. Nor is it stamped with a millisecond that was
// held and is over, whatever its age: what was held then is decided now.
func (mb *mailbox) take(held int64) (taken *queue, now int64, ending bool) {
	mb.mu.Lock()
	defer mb.mu.Unlock()
	now = mb.now()
	if held >= 0 && now > held {
		mb.last = max(mb.last, held+1)
	}
	taken = mb.queue
	mb.queue, mb.again = nil, false
	return taken, now, mb.ending
}

// rest ends a run, unless something has come meanwhile, and sees to it that there is
// another at actor time next. The timer may go off too early, never too late: it is
// not set back for a deadline that moved away.
func (mb *mailbox) rest(next int64, ok bool) bool {
	mb.mu.Lock()
	defer mb.mu.Unlock()
	if mb.again || mb.ending || mb.queue != nil {
		return false
	}
	mb.busy = false
	if !ok || mb.due >= 0 && mb.due <= next {
		return true
	}
	mb.due = next
	wait := max(mb.origin+time.Duration(next)*time.Millisecond-mb.pulse.read().lived, 0)
	if mb.timer == nil {
		mb.timer = time.AfterFunc(wait, mb.alarm)
	} else {
		mb.timer.Reset(wait)
	}
	return true
}

// pause ends a run for as long as the hall is frozen; false if it is not any more, or the actor is to end.
func (mb *mailbox) pause() bool {
	mb.mu.Lock()
	defer mb.mu.Unlock()
	if !mb.pulse.held.Load() || mb.ending {
		return false
	}
	mb.busy, mb.again = false, false
	return true
}

// rang is a poke by the timer.
func (mb *mailbox) rang() (mine bool) {
	mb.mu.Lock()
	defer mb.mu.Unlock()
	mb.due = -1
	return mb.begin()
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

// mono returns the owner's reading in ms at an actor time. Only who runs
// the actor calls it, the only one that moves the origin: it needs no lock.
func (mb *mailbox) mono(at int64) int64 {
	return int64(mb.origin/time.Millisecond) + at
}

// close refuses all that comes later and returns what is still there.
func (mb *mailbox) close(err error) []item {
	mb.mu.Lock()
	defer mb.mu.Unlock()
	mb.closed = err
	if mb.timer != nil {
		mb.timer.Stop()
	}
	rest := mb.queue
	mb.queue = nil
	return rest.list()
}
