package actor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestEffectRetriedUntilDone(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		var tries atomic.Int64
		w.kind.Effect = func(_ context.Context, id ID, e Effect) (any, error) {
			switch n := tries.Add(1); {
			case id != a1 || e.ID != "e1" || e.Do != "e1":
				t.Errorf("%s: %+v", id, e)
			case n == 2:
				panic("boom")
			case n < 5:
				return nil, errors.New("not yet")
			}
			return "result", nil
		}
		w.start()
		w.create(a1, want("e1"))
		w.pass(time.Minute)
		if tries.Load() != 5 {
			t.Errorf("%d tries", tries.Load())
		}
		w.lines(a1, "want e1 @0", "acked e1 result @0")
	})
}

func TestEffectRefused(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.kind.Effect = func(context.Context, ID, Effect) (any, error) {
			return nil, fmt.Errorf("wrapped: %w", Final(errRefused))
		}
		w.start()
		w.create(a1, want("e1"))
		w.send(a1, finish{})
		synctest.Wait()
		if w.hall.Alive(a1) || len(w.ended()) != 1 {
			t.Error("pending effects keep an actor that is otherwise done, acknowledged ones do not")
		}
		if !slices.ContainsFunc(w.steps(), func(s Step) bool { return s.Events[0].(fact).Text == "e1 refused" }) {
			t.Errorf("%+v", w.steps())
		}
	})
}

// Carried out, but the process dies before that is journaled: the next one does it again.
func TestEffectAfterRestart(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		var tries atomic.Int64
		w.kind.Effect = func(ctx context.Context, _ ID, _ Effect) (any, error) {
			if tries.Add(1) == 1 {
				<-ctx.Done()
			}
			return tries.Load(), nil
		}
		w.start()
		w.create(a1, want("e1"))
		synctest.Wait()
		w.crash(time.Second)
		w.start()
		synctest.Wait()
		w.lines(a1, "want e1 @0", "recovered 0+1000 @0", "acked e1 2 @0")
	})
}

// An effect that the machine wants no more is cancelled, and its outcome ignored.
func TestEffectGivenUp(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		cancelled := false
		w.kind.Effect = func(ctx context.Context, _ ID, _ Effect) (any, error) {
			<-ctx.Done()
			cancelled = true
			return nil, nil
		}
		w.start()
		w.create(a1, want("e1"))
		synctest.Wait()
		w.send(a1, settled{})
		synctest.Wait()
		if !cancelled {
			t.Error("not cancelled")
		}
		w.lines(a1, "want e1 @0", "acked e1 @0")
	})
}

func TestEffectPools(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		var running, most atomic.Int64
		w.kind.Workers = 3
		w.kind.Effect = func(context.Context, ID, Effect) (any, error) {
			most.Store(max(most.Load(), running.Add(1)))
			<-time.After(time.Second)
			running.Add(-1)
			return nil, nil
		}
		w.start()
		w.create(a1, "first")
		for i := range 10 {
			w.send(a1, want(fmt.Sprint("e", i)))
		}
		w.pass(3500 * time.Millisecond)
		if most.Load() != 3 || running.Load() != 1 {
			t.Errorf("%d at once, %d left, want 3 and 1", most.Load(), running.Load())
		}
		w.pass(time.Second)
		w.send(a1, finish{})
		synctest.Wait()
		if w.hall.Alive(a1) {
			t.Error("an effect is still pending")
		}
	})
}

// A machine that does not take an outcome gets it again, at growing intervals.
func TestEffectOutcomeRefused(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		var tries atomic.Int64
		w.kind.New = func(ID) Machine { return &stubborn{} }
		w.kind.Effect = func(context.Context, ID, Effect) (any, error) { return tries.Add(1), nil }
		w.start()
		w.create(a1, want("e1"))
		w.pass(time.Hour)
		if n := tries.Load(); n < 10 || n > 100 {
			t.Errorf("%d tries in an hour", n)
		}
	})
}

type stubborn struct{ diary }

func (s *stubborn) Decide(cmd any, at int64) ([]Event, error) {
	if _, ok := cmd.(Acked); ok {
		return nil, errRefused
	}
	return s.diary.Decide(cmd, at)
}

func TestRecentIsBounded(t *testing.T) {
	var r recent
	for i := range 20000 {
		r.add(fmt.Sprint("sender ", i/2), fmt.Sprint(i), uint64(i+1), 0)
	}
	n := 0
	for _, sender := range r.senders {
		n += len(sender.sent)
	}
	if n != r.total || n > keptInAll || n < keptInAll/2-1 {
		t.Errorf("%d remembered, counted as %d", n, r.total)
	}
	if _, ok := r.find("sender 9999", "19999"); !ok {
		t.Error("the latest is forgotten")
	}
	if _, ok := r.find("sender 1", "3"); ok {
		t.Error("an old one is remembered")
	}
}

// Whoever sends a command again is told the step it was counted in, be they few or many; others' ids are their own.
func TestRecentFindsEverySender(t *testing.T) {
	for _, senders := range []int{1, 2, few, few + 1, 100} {
		var r recent
		for i := range senders {
			for k := range 3 {
				r.add(fmt.Sprint("sender ", i), fmt.Sprint("id ", i, k), uint64(10*i+k+1), int64(k))
			}
		}
		for i := range senders {
			for k := range 3 {
				got, ok := r.find(fmt.Sprint("sender ", i), fmt.Sprint("id ", i, k))
				if want := (Result{Seq: uint64(10*i + k + 1), At: int64(k)}); !ok || got.Seq != want.Seq || got.At != want.At {
					t.Errorf("%d senders: %d, %d: %+v, %v, want %+v", senders, i, k, got, ok, want)
				}
				if _, ok := r.find(fmt.Sprint("sender ", i+1), fmt.Sprint("id ", i, k)); ok {
					t.Errorf("%d senders: what %d has sent is found with %d", senders, i, i+1)
				}
			}
		}
	}
}
