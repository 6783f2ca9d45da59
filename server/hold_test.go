package main

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"flagfall/server/actor"
)

// away is a journal that can be made to refuse everything, or what one actor writes.
type away struct {
	*actor.Memory
	all atomic.Bool
	one atomic.Value // actor.ID
}

var errAway = errors.New("no space left on device")

func (j *away) Append(ctx context.Context, id actor.ID, after uint64, data []byte) error {
	if j.all.Load() || j.one.Load() == id {
		return errAway
	}
	return j.Memory.Append(ctx, id, after, data)
}

func (j *away) Beat(ctx context.Context, b actor.Beat) error {
	if j.all.Load() {
		return errAway
	}
	return j.Memory.Beat(ctx, b)
}

// hourglass is a machine that runs out a while after it was set up; each command is an event.
type hourglass struct{ out bool }

type note struct{ Text string }

const sand = 20 * time.Second

func (h *hourglass) Decide(body any, _ int64) ([]actor.Event, error) {
	switch body := body.(type) {
	case actor.Tick:
		return []actor.Event{note{"out"}}, nil
	case note:
		return []actor.Event{body}, nil
	}
	return nil, nil
}
func (h *hourglass) Apply(e actor.Event) { h.out = h.out || e.(note).Text == "out" }
func (h *hourglass) Deadline() (int64, bool) {
	return sand.Milliseconds(), !h.out
}
func (h *hourglass) Done() bool              { return false }
func (h *hourglass) Effects() []actor.Effect { return nil }

// keeper is a hall over a journal that goes away, watched, with what people were told so far.
type keeper struct {
	*actor.Hall
	journal *away
	still   *standstill
	mu      sync.Mutex
	said    []bool
}

// kept runs a test in a bubble.
func kept(t *testing.T, test func(t *testing.T, k *keeper)) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		k := &keeper{journal: &away{Memory: actor.NewMemory()}}
		k.Hall = actor.New(actor.Config{Journal: k.journal, Now: func() time.Duration { return time.Since(began) }, Log: slog.New(slog.DiscardHandler)})
		k.Register(actor.Kind{
			Name: "glass", New: func(actor.ID) actor.Machine { return &hourglass{} },
			Encode: func(dst []byte, e actor.Event) ([]byte, error) {
				return append(append(append(dst, '"'), e.(note).Text...), '"'), nil
			},
			Decode: func(data []byte) (actor.Event, error) { return note{string(data[1 : len(data)-1])}, nil },
		})
		if err := k.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		k.still = newStandstill(k.Hall)
		k.still.watch(k.tell)
		for _, id := range []actor.ID{"glass/a", "glass/b"} {
			if err := k.Create(t.Context(), id, note{"new"}); err != nil {
				t.Fatal(err)
			}
		}
		test(t, k)
		k.still.close()
		if err := k.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func (k *keeper) tell(on bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.said) == 0 && !on || len(k.said) > 0 && k.said[len(k.said)-1] == on {
		return // edge.Server.Hold tells a change only
	}
	k.said = append(k.said, on)
}

// pass lets time go by; then people must have been told exactly this.
func (k *keeper) pass(t *testing.T, d time.Duration, told ...bool) {
	t.Helper()
	time.Sleep(d)
	synctest.Wait()
	k.mu.Lock()
	defer k.mu.Unlock()
	if !slices.Equal(k.said, told) {
		t.Fatalf("people were told %v, want %v", k.said, told)
	}
}

func (k *keeper) send(t *testing.T, id actor.ID) (answered *atomic.Bool) {
	t.Helper()
	answered = new(atomic.Bool)
	err := k.Send(id, actor.Command{Body: note{"said"}, Reply: func(r actor.Result) { answered.Store(r.Err == nil) }})
	if err != nil {
		t.Fatal(err)
	}
	return answered
}

// out tells whether the sand of an actor has run out.
func (k *keeper) out(t *testing.T, id actor.ID) bool {
	t.Helper()
	var out bool
	if err := k.Inspect(t.Context(), id, func(m actor.Machine, _ uint64, _ int64) { out = m.(*hourglass).out }); err != nil {
		t.Fatal(err)
	}
	return out
}

// A journal that takes nothing: all clocks stand, of those who wait for it and of those who think; nothing is answered; and
// everything goes on when it is back.
func TestJournalAway(t *testing.T) {
	kept(t, func(t *testing.T, k *keeper) {
		k.pass(t, 10*time.Second)
		k.journal.all.Store(true)
		first := k.send(t, "glass/a")
		k.pass(t, 1400*time.Millisecond)
		k.pass(t, 1100*time.Millisecond, true)
		second := k.send(t, "glass/b")
		k.pass(t, time.Minute, true)
		if first.Load() || second.Load() {
			t.Error("a command was answered that is not journaled")
		}
		k.journal.all.Store(false)
		k.pass(t, 2*time.Second, true, false)
		if !first.Load() || !second.Load() {
			t.Error("a command sent meanwhile does not count")
		}
		if k.out(t, "glass/a") || k.out(t, "glass/b") {
			t.Error("the time in which all stood was charged")
		}
		k.pass(t, 9*time.Second, true, false)
		if !k.out(t, "glass/a") || !k.out(t, "glass/b") {
			t.Error("the time did not go on")
		}
	})
}

// One actor that cannot write is no reason for the others to stand.
func TestOneActorWaits(t *testing.T) {
	kept(t, func(t *testing.T, k *keeper) {
		k.journal.one.Store(actor.ID("glass/a"))
		waiting := k.send(t, "glass/a")
		for range 10 {
			answered := k.send(t, "glass/b")
			k.pass(t, time.Second)
			if !answered.Load() {
				t.Fatal("the other one waits, too")
			}
		}
		k.journal.one.Store(actor.ID(""))
		k.pass(t, 2*time.Second)
		if !waiting.Load() {
			t.Error("he waits for ever")
		}
	})
}

// The lease and the journal are two reasons: the clocks go on when neither is left.
func TestTwoReasonsToStand(t *testing.T) {
	kept(t, func(t *testing.T, k *keeper) {
		k.still.part(0)
		k.pass(t, 0, true)
		k.journal.all.Store(true)
		k.pass(t, 5*time.Second, true)
		k.still.rejoin(k.still.loss())
		waiting := k.send(t, "glass/a")
		k.pass(t, 5*time.Second, true)
		old := k.still.loss()
		k.still.part(0)
		k.still.rejoin(old) // too late
		k.journal.all.Store(false)
		k.pass(t, 5*time.Second, true)
		if waiting.Load() {
			t.Error("answered while the lease is another's")
		}
		k.still.rejoin(k.still.loss())
		k.pass(t, 0, true, false)
		if !waiting.Load() {
			t.Error("a command sent meanwhile does not count")
		}
		k.pass(t, sand-time.Second, true, false)
		if k.out(t, "glass/b") {
			t.Error("the time in which all stood was charged")
		}
		k.pass(t, time.Second, true, false)
		if !k.out(t, "glass/b") {
			t.Error("the time did not go on")
		}
	})
}
