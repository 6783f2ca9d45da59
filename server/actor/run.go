package actor

import (
	"context"
	"errors"
	"log/slog"
	"runtime/debug"
	"slices"
	"time"
)

// actor is one running machine.
type actor struct {
	hall *Hall
	id   ID
	kind *kind
	mb   *mailbox
	born chan struct{} // closed when the first step is journaled, or cannot be
	// bornErr is why there is no first step; written before born is closed.
	bornErr error

	// The rest belongs to whoever runs the actor.
	awake    bool // it ran before
	claims   bool // replayed, and its first step will tell whether it is ours
	epoch    uint64
	m        Machine
	orderer  Orderer
	observer Observer
	seq      uint64
	at       int64 // time of the last step
	snapSeq  uint64
	recent   recent
	held     []Command // all stamped with the same millisecond
	earliest int64     // what is handled from now on has at least this stamp
	wanted   deadline
	ticks    ticks
	effects  effects
	buf      *[]byte // the entry to be journaled
	over     bool
	overErr  error
}

// deadline is what the machine said after step seq; it changes with a step only.
type deadline struct {
	seq       uint64
	known, ok bool
	at        int64
}

// ticks remembers the deadline that the machine was ticked for last.
type ticks struct {
	deadline int64
	seq      uint64 // last step before that tick
	count    int    // ticks in a row for this deadline
}

// mostTicks for one deadline, before the machine is thought to be broken.
const mostTicks = 100

func (h *Hall) newActor(id ID, k *kind) *actor {
	a := &actor{
		hall: h, id: id, kind: k, m: k.New(id),
		born: make(chan struct{}),
	}
	a.epoch = 1
	a.mb = newMailbox(h.pulse, h.cfg.MailboxLimit, a.rang)
	a.orderer, _ = a.m.(Orderer)
	a.ticks.deadline = -1
	return a
}

// log is made when there is something to say: most actors never do.
func (a *actor) log() *slog.Logger { return a.hall.log.With(logAttr(a.id)) }

// logAttr names an actor in the log by its kind, "game=ab12", and where it is the only one of its kind "actor=seats".
func logAttr(id ID) slog.Attr {
	if id.Name() == "" {
		return slog.String("actor", string(id))
	}
	return slog.String(id.Kind(), id.Name())
}

// run lets the actor go on until nothing is left to do. Only he calls it whom the
// mailbox told to, so that there is one at a time.
func (a *actor) run() {
	for !a.turn() {
	}
}

// runHere is run on a goroutine that has other things to do: what comes meanwhile is
// done elsewhere.
func (a *actor) runHere() {
	if !a.turn() {
		go a.run()
	}
}

// rang is called by the timer.
func (a *actor) rang() {
	if a.mb.rang() {
		a.run()
	}
}

// turn does what there is to do; true when the actor rests, or has ended.
func (a *actor) turn() (rests bool) {
	defer func() {
		if p := recover(); p != nil {
			a.log().Error("actor failed", "panic", p, "stack", string(debug.Stack()))
			a.stop(ErrInternal)
			a.end()
			rests = true
		}
	}()
	if !a.awake {
		a.awake = true
		if a.seq > 0 && !a.claims { // replayed
			a.observe()
			a.syncEffects()
		}
	}
	if a.hall.pulse.held.Load() && a.mb.pause() {
		return true
	}
	ending := a.work()
	if !a.over && ending {
		a.flush()
		if !a.over {
			a.stop(ErrClosed)
		}
	}
	if a.over {
		a.end()
		return true
	}
	return a.mb.rest(a.next())
}

// work handles what is in the mailbox, and what is due, and says whether the actor is to end then.
func (a *actor) work() (ending bool) {
	held := int64(-1)
	if len(a.held) > 0 {
		held = a.held[0].At
	}
	taken, now, ending := a.mb.take(held)
	items := taken.list()
	for i := range items {
		if a.over {
			items[i].fail(a.goneErr())
		} else {
			a.handle(&items[i])
		}
	}
	taken.giveBack()
	if !a.over {
		a.advance(now)
	}
	a.giveBack()
	return ending
}

func (a *actor) stop(err error) {
	if !a.over {
		a.over, a.overErr = true, err
	}
}

// goneErr is what those get who come too late.
func (a *actor) goneErr() error {
	switch {
	case errors.Is(a.overErr, ErrClosed):
		return ErrClosed
	case errors.Is(a.overErr, ErrConflict) && a.hall.cfg.Peers != nil:
		return ErrMoved
	}
	return ErrUnknownActor
}

// end takes the actor out of the hall. It is the last thing that anybody does with it.
func (a *actor) end() {
	defer a.hall.wg.Done()
	defer func() {
		if p := recover(); p != nil {
			a.log().Error("observer failed at the end", "panic", p, "stack", string(debug.Stack()))
		}
	}()
	a.cancelEffects()
	a.hall.remove(a)
	rest := a.mb.close(a.goneErr())
	for _, c := range a.held {
		rest = append(rest, item{cmd: c})
	}
	for i := range rest {
		rest[i].fail(a.goneErr())
	}
	a.birth(a.overErr)
	if a.observer != nil {
		a.observer.Ended(a.overErr)
	}
	if a.overErr == nil && !a.kind.Ephemeral {
		a.forget()
	}
}

// birth tells Create how it went; only the first call counts.
func (a *actor) birth(err error) {
	select {
	case <-a.born:
	default:
		a.bornErr = err
		close(a.born)
	}
}

// handle takes one item from the mailbox.
func (a *actor) handle(it *item) {
	cmd := it.cmd
	cmd.At = max(cmd.At, a.earliest)
	if len(a.held) > 0 && cmd.At > a.held[0].At {
		a.flush()
		if a.over {
			it.fail(a.goneErr())
			return
		}
	}
	switch body := cmd.Body.(type) {
	case nil:
		if it.look != nil {
			a.tick(cmd.At)
			if a.over {
				it.fail(a.goneErr())
				return
			}
			it.look(a.m, a.seq, max(cmd.At, a.at))
			return
		}
	case Recovered:
		if len(a.held) > 0 {
			// The clock stands in a millisecond whose claims are decided now: nothing more is counted into it (rulings D32).
			a.earliest = a.held[0].At + 1
			a.flush()
		}
		if !a.over {
			body.Elapsed = max(cmd.At-a.at, 0)
			cmd.Body = body
			a.process(cmd, true)
		}
		return
	case Acked:
		a.acked(it.run, cmd)
		return
	}
	if it.first {
		a.process(cmd, false)
		if a.seq == 0 {
			a.stop(a.bornErr)
		}
		return
	}
	if a.orderer != nil && a.holds(cmd) {
		a.held = append(a.held, cmd)
		return
	}
	a.decide(cmd)
}

func (a *actor) holds(cmd Command) bool {
	return slices.ContainsFunc(a.held, func(c Command) bool { return c.From == cmd.From }) || a.orderer.Hold(cmd)
}

// flush decides what was held.
func (a *actor) flush() {
	batch := a.held
	a.held = nil
	if len(batch) > 1 {
		if merged := a.orderer.Merge(slices.Clone(batch)); len(merged) == len(batch) {
			batch = merged
		} else {
			a.log().Error("the machine lost commands that were held", "held", len(batch), "merged", len(merged))
		}
	}
	for _, c := range batch {
		if a.over {
			if c.Reply != nil {
				c.Reply(Result{Err: a.goneErr()})
			}
			continue
		}
		a.decide(c)
	}
}

// decide ticks what was due before the command, then processes it.
func (a *actor) decide(cmd Command) {
	a.tick(cmd.At)
	if a.over {
		if cmd.Reply != nil {
			cmd.Reply(Result{Err: a.goneErr()})
		}
		return
	}
	a.process(cmd, false)
}

// advance does what is due at actor time now, the mailbox being empty up to it.
func (a *actor) advance(now int64) {
	if len(a.held) > 0 && now > a.held[0].At {
		a.flush()
	}
	if !a.over {
		a.tick(now)
	}
}

// due returns the deadline that has still to be ticked for: not one whose tick
// gave no event, until something else has happened.
func (a *actor) due() (int64, bool) {
	if a.wanted.seq != a.seq || !a.wanted.known {
		a.wanted.at, a.wanted.ok = a.m.Deadline()
		a.wanted.seq, a.wanted.known = a.seq, true
	}
	d, ok := a.wanted.at, a.wanted.ok
	if !ok || d == a.ticks.deadline && (a.seq == a.ticks.seq || a.ticks.count >= mostTicks) {
		return 0, false
	}
	return d, true
}

// tick sends the ticks that are due at actor time at.
func (a *actor) tick(at int64) {
	for !a.over {
		d, ok := a.due()
		if !ok || d > at {
			return
		}
		if d != a.ticks.deadline {
			a.ticks = ticks{deadline: d}
		}
		a.ticks.seq = a.seq
		a.ticks.count++
		a.process(Command{Body: Tick{}, At: d}, false)
		if a.ticks.count == mostTicks {
			a.log().Error("the machine does not move its deadline", "deadline", d)
		}
	}
}

// next is when the timer has to go off.
func (a *actor) next() (int64, bool) {
	d, ok := a.due()
	if len(a.held) > 0 && (!ok || a.held[0].At+1 < d) {
		return a.held[0].At + 1, true
	}
	return d, ok
}

func backoff(try int, first, most time.Duration) time.Duration {
	return min(first<<min(try, 20), most)
}

// sleep waits, or returns the context's error.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
