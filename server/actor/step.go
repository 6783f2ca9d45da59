package actor

import (
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"
)

// process decides, journals, applies and tells. With force the step is written
// even without events.
func (a *actor) process(cmd Command, force bool) {
	cmd.At = max(cmd.At, a.at)
	if res, ok := a.recent.find(cmd.From, cmd.ID); ok {
		res.Duplicate = true
		a.reply(cmd, res)
		return
	}
	r := record{
		Version: a.kind.Version, Seq: a.seq + 1, At: cmd.At,
		Mono: a.mb.mono(cmd.At), Owner: a.hall.incarnation, Epoch: a.epoch, From: cmd.From, ID: cmd.ID,
	}
	events, err := a.judge(cmd, &r, force)
	if cmd.Sure && err == nil && len(events) == 0 && !force {
		force = true
		err = a.encode(&r, nil)
	}
	if err == nil && (len(events) > 0 || force) {
		err = a.append(r.Seq)
		if err != nil {
			a.stop(err)
			err = a.goneErr()
		}
	} else if a.seq == 0 {
		if err == nil {
			err = fmt.Errorf("the first command of %s gave no event", a.id)
		}
		a.bornErr = err
	}
	if err != nil || len(events) == 0 && !force {
		a.reply(cmd, Result{Seq: a.seq, At: cmd.At, Err: err})
		return
	}
	a.take(r, events)
	a.reply(cmd, Result{Seq: r.Seq, At: r.At, Events: events})
	if again, ok := a.m.(Recycler); ok {
		again.Recycle(events)
	}
	a.settle()
}

func (a *actor) reply(cmd Command, res Result) {
	switch cmd.Body.(type) {
	case Tick, Recovered, Acked:
	default:
		a.kind.commands.count(&res)
	}
	if cmd.Reply != nil {
		cmd.Reply(res)
	}
}

// judge asks the machine and encodes its events into a.buf. Whatever goes wrong
// here leaves the actor as it was.
func (a *actor) judge(cmd Command, r *record, force bool) (events []Event, err error) {
	defer func() {
		if p := recover(); p != nil {
			a.log().Error("the machine failed to decide", "command", fmt.Sprintf("%T", cmd.Body),
				"panic", p, "stack", string(debug.Stack()))
			events, err = nil, ErrInternal
			if force {
				err = a.encode(r, nil)
			}
		}
	}()
	events, err = a.m.Decide(cmd.Body, cmd.At)
	if err != nil {
		events = nil
		if force {
			a.log().Error("the machine refused what cannot be refused", "command", fmt.Sprintf("%T", cmd.Body), "err", err)
			err = nil
		}
	}
	if err == nil && (len(events) > 0 || force) {
		if err = a.encode(r, events); err != nil {
			a.log().Error("a step cannot be journaled", "err", err)
			events, err = nil, ErrInternal
		}
	}
	return events, err
}

func (a *actor) encode(r *record, events []Event) error {
	if a.kind.Ephemeral {
		return nil
	}
	if a.buf == nil {
		a.buf = entries.Get().(*[]byte)
	}
	buf, err := appendRecord((*a.buf)[:0], a.kind, r, events)
	if err == nil {
		*a.buf = buf
	}
	return err
}

// entries are buffers for entries of the journal; an actor has one while it runs.
var entries = sync.Pool{New: func() any { return new([]byte) }}

// largeEntry is not used again, in bytes.
const largeEntry = 16 << 10

func (a *actor) giveBack() {
	if a.buf != nil && cap(*a.buf) <= largeEntry {
		entries.Put(a.buf)
	}
	a.buf = nil
}

// append journals a.buf as step seq, and waits as long as it takes. The error, if
// any, ends the actor here.
func (a *actor) append(seq uint64) (err error) {
	if a.kind.Ephemeral {
		return nil
	}
	tries := 0
	a.mb.beginWait()
	defer func() { a.hall.counts.appended(a.mb.endWait(), tries, err) }()
	for try := 0; ; try++ {
		err := a.hall.cfg.Journal.Append(a.hall.ctx, a.id, seq-1, *a.buf)
		switch {
		case err == nil:
			if try > 0 {
				a.log().Info("the journal is back", "tries", try+1)
			}
			return nil
		case errors.Is(err, ErrConflict):
			if seq == 1 || a.claims {
				a.log().Info("another node was first", "step", seq, "epoch", a.epoch)
			} else {
				a.log().Error("another owner has this actor", "step", seq, "epoch", a.epoch)
			}
			return ErrConflict
		case errors.Is(err, ErrLost):
			a.log().Error("the actor goes back to what the journal has", "step", seq, "epoch", a.epoch, "err", err)
			return ErrConflict
		case a.hall.ctx.Err() != nil:
			return ErrClosed
		}
		tries++
		a.hall.counts.appendFailed(tries)
		if try%20 == 0 {
			a.log().Error("the journal does not take a step, the actor waits", "step", seq, "tries", try+1, "err", err)
		}
		if sleep(a.hall.ctx, backoff(try, 20*time.Millisecond, time.Second)) != nil {
			return ErrClosed
		}
	}
}

// take applies a journaled step and tells it.
func (a *actor) take(r record, events []Event) {
	claimed := a.claims
	if claimed {
		a.claims = false
		a.observe()
	}
	a.seq, a.at = r.Seq, r.At
	for _, e := range events {
		a.m.Apply(e)
	}
	a.recent.add(r.From, r.ID, r.Seq, r.At)
	if a.seq == 1 {
		a.observe()
	}
	if a.seq == 1 || claimed {
		a.birth(nil)
	}
	if a.observer == nil {
		return
	}
	step := Step{Seq: r.Seq, At: r.At, From: r.From, ID: r.ID, Events: events}
	if r.Snapshot {
		step.Events = nil
	}
	a.observer.Step(step)
}

func (a *actor) observe() {
	if a.kind.Observe != nil {
		a.observer = a.kind.Observe(a.id, a.m)
	}
}

// settle looks after what a step has brought about.
func (a *actor) settle() {
	if a.m.Done() {
		a.stop(nil)
		return
	}
	a.syncEffects()
	if a.kind.Snapshot != nil && a.seq-a.snapSeq >= a.kind.SnapshotEvery {
		a.snapshot()
	}
}

// keptBehindSnapshot entries stay before a snapshot, so that commands sent again
// are still known.
const keptBehindSnapshot = 1024

func (a *actor) snapshot() {
	e := a.kind.Snapshot(a.m)
	if e == nil {
		return
	}
	events := []Event{e}
	r := record{Version: a.kind.Version, Seq: a.seq + 1, At: a.at, Mono: a.mb.mono(a.at), Owner: a.hall.incarnation, Epoch: a.epoch, Snapshot: true}
	if err := a.encode(&r, events); err != nil {
		a.log().Error("a snapshot cannot be journaled", "err", err)
		a.snapSeq = a.seq
		return
	}
	if err := a.append(r.Seq); err != nil {
		a.stop(err)
		return
	}
	a.snapSeq = r.Seq
	a.take(r, events)
	if a.kind.Ephemeral || r.Seq <= keptBehindSnapshot {
		return
	}
	if err := a.hall.cfg.Journal.Trim(a.hall.ctx, a.id, r.Seq-keptBehindSnapshot); err != nil {
		a.log().Warn("what lies before a snapshot could not be dropped", "err", err)
	}
}

// forget drops the journal of an actor that is done. If the process dies before,
// the next start finds it done and forgets it then.
func (a *actor) forget() {
	for try := 0; ; try++ {
		err := a.hall.cfg.Journal.Forget(a.hall.ctx, a.id)
		if err == nil {
			return
		}
		if try == 0 {
			a.log().Warn("the journal of a finished actor could not be dropped", "err", err)
		}
		if sleep(a.hall.ctx, backoff(try, 100*time.Millisecond, 10*time.Second)) != nil {
			return
		}
	}
}
