package actor

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// Each command from outside is counted by how it was answered; ticks and acknowledgements are not.
func TestStatsOfCommands(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.start()
		w.create(a1, "first")
		w.ask(a1, Command{From: "p", ID: "1", Body: "move"})
		w.ask(a1, Command{From: "p", ID: "1", Body: "move"}) // duplicated
		w.ask(a1, Command{Body: nothing{}})
		w.ask(a1, Command{Body: refuse{}})
		w.ask(a1, Command{Body: boom{}})
		w.ask(a1, Command{Body: alarm(2000)})
		w.pass(5 * time.Second) // ticked
		got := w.hall.Stats()
		want := KindStats{Kind: "diary", Running: 1, Accepted: 4, Refused: 1, Duplicated: 1, Failed: 1}
		if len(got.Kinds) != 1 || got.Kinds[0] != want {
			t.Errorf("%+v, want %+v", got.Kinds, want)
		}
		if got.Appends != 4 || got.AppendFailures != 0 { // first, move, alarm, tick
			t.Errorf("%d appends, %d failures", got.Appends, got.AppendFailures)
		}
	})
}

// A journal that refuses steps is told of while it lasts, and how long the step took when it is over.
func TestStatsOfJournal(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.start()
		w.create(a1, "first")
		if err := w.hall.Err(); err != nil {
			t.Error(err)
		}
		w.link.fail.Store(1 << 30)
		w.send(a1, "move")
		w.pass(time.Second)
		if got := w.hall.Stats(); got.Waiting != 1 || got.AppendFailures == 0 || got.Appends != 1 {
			t.Errorf("%+v", got)
		}
		if err := w.hall.Err(); err == nil || err.Error() != "actors that wait to write: 1" {
			t.Error(err)
		}
		w.link.fail.Store(0)
		w.pass(2 * time.Second)
		got := w.hall.Stats()
		if got.Waiting != 0 || got.Appends != 2 || w.hall.Err() != nil {
			t.Errorf("%+v, %v", got, w.hall.Err())
		}
		if got.AppendTime.Sum < time.Second || got.AppendTime.Sum > 2500*time.Millisecond {
			t.Errorf("appends took %v", got.AppendTime.Sum)
		}
		for i, bound := range got.AppendTime.Bounds {
			want := uint64(0)
			if bound == 50*time.Microsecond || bound == 2500*time.Millisecond {
				want = 1
			}
			if got.AppendTime.Counts[i] != want {
				t.Errorf("%d appends up to %v, want %d", got.AppendTime.Counts[i], bound, want)
			}
		}
	})
}

// A journal that takes no heartbeats is told of even if nobody plays.
func TestStatsOfHeartbeat(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.start()
		w.pass(10 * time.Second)
		if age := w.hall.Stats().HeartbeatAge; age > 250*time.Millisecond || w.hall.Err() != nil {
			t.Errorf("last heartbeat %v ago, %v", age, w.hall.Err())
		}
		w.link.fail.Store(1 << 30)
		w.pass(time.Second)
		if err := w.hall.Err(); err == nil {
			t.Error("no heartbeat can be written, and all is well")
		}
		w.pass(4 * time.Second)
		if age := w.hall.Stats().HeartbeatAge; age < 5*time.Second || age > 5250*time.Millisecond {
			t.Errorf("last heartbeat %v ago", age)
		}
		w.link.fail.Store(0)
		w.pass(time.Second)
		w.jump.Store(int64(3 * time.Second))
		w.pass(time.Second)
		if got := w.hall.Stats(); got.Gaps < 3*time.Second || got.HeartbeatAge > 250*time.Millisecond || w.hall.Err() != nil {
			t.Errorf("%+v, %v", got, w.hall.Err())
		}
	})
}

func TestStatsOfEffects(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		var ready atomic.Bool
		w.kind.Effect = func(context.Context, ID, Effect) (any, error) {
			if !ready.Load() {
				return nil, errors.New("not yet")
			}
			return nil, nil
		}
		w.start()
		w.create(a1, want("e1"))
		w.pass(100 * time.Millisecond) // tried at 0 and at 50 ms
		if got := w.hall.Stats().Effects; len(got) != 1 || got[0] != (EffectStats{"diary", "", 1, 1, 2}) {
			t.Errorf("%+v", got)
		}
		ready.Store(true)
		w.pass(time.Minute)
		if got := w.hall.Stats().Effects; got[0] != (EffectStats{"diary", "", 0, 0, 2}) {
			t.Errorf("%+v", got)
		}
	})
}

// What the log says of an actor carries its id under the name of its kind.
func TestLogNamesTheActor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var text bytes.Buffer
		hall := New(Config{Journal: NewMemory(), Log: slog.New(slog.NewTextHandler(&text, nil))})
		hall.Register(diaryKind())
		if err := hall.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, id := range []ID{"diary/ab12", "diary"} {
			if err := hall.Create(t.Context(), id, "first"); err != nil {
				t.Fatal(err)
			}
			if _, err := hall.Ask(t.Context(), id, Command{Body: boom{}}); err != nil {
				t.Fatal(err)
			}
		}
		if err := hall.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{" diary=ab12 ", " actor=diary "} {
			if !strings.Contains(text.String(), want) {
				t.Errorf("no %q in %s", want, text.String())
			}
		}
	})
}
