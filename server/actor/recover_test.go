package actor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// After a crash the time from the last step to the last heartbeat is charged; actor
// time goes on from there, whatever the time between.
func TestRestart(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.start()
		w.create(a1, "first")
		w.pass(1100 * time.Millisecond)
		w.send(a1, "move")
		w.pass(700 * time.Millisecond) // heartbeats at 1250, 1500 and 1750
		w.crash(time.Hour)
		w.start()
		w.lines(a1, "said first @0", "said move @1100", "recovered 650+3600050 @1750")
		w.pass(100 * time.Millisecond)
		w.send(a1, "reply")
		w.pass(25 * time.Millisecond) // last heartbeat at 0 of this process: 1750
		w.crash(time.Second)
		w.start()
		w.lines(a1, "said first @0", "said move @1100", "recovered 650+3600050 @1750", "said reply @1850", "recovered 0+1125 @1850")
	})
}

// A deadline that the owner did not live to see, or passed unnoticed, comes after what
// the machine decides about the gap.
func TestRestartBeforeDeadline(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.start()
		w.create(a1, alarm(1200))
		w.pass(1100 * time.Millisecond)
		w.crash(time.Minute)
		w.start()
		w.lines(a1, "alarm @1200", "recovered 1000+60100 @1000")
		w.pass(199 * time.Millisecond)
		w.lines(a1, "alarm @1200", "recovered 1000+60100 @1000")
		w.pass(time.Millisecond)
		w.lines(a1, "alarm @1200", "recovered 1000+60100 @1000", "tick @1200")
	})
}

// A stopped process finds its gap before it reads what waits; what arrived before the
// stop keeps its time, what came during it is stamped at the stop.
func TestStoppedProcess(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.start()
		w.create(a1, alarm(2000))
		w.create("diary/two", alarm(2000))
		w.pass(1000 * time.Millisecond)
		w.link.slow.Store(int64(300 * time.Millisecond))
		w.send(a1, "busy")
		w.pass(100 * time.Millisecond)
		w.send(a1, "before the stop")
		w.jump.Store(int64(5 * time.Second)) // the process did not run
		w.send(a1, "after it")
		w.pass(900 * time.Millisecond)
		w.lines(a1, "alarm @2000", "said busy @1000", "said before the stop @1100",
			"recovered 0+5000 @1100", "said after it @1100", "tick @2000")
		w.lines("diary/two", "alarm @2000", "recovered 1100+5000 @1100", "tick @2000")
	})
}

// Nobody sends anything: the heart finds the gap, and no deadline comes too early.
func TestStoppedIdle(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.start()
		w.create(a1, alarm(1100))
		w.pass(1010 * time.Millisecond)
		w.jump.Store(int64(time.Hour))
		w.pass(89 * time.Millisecond)
		if n := len(w.steps()); n != 1 {
			t.Errorf("steps: %+v", w.steps())
		}
		w.pass(2 * time.Second)
		// Seen first by the timer of the deadline, whose time of life was over by then
		// or by the heart: never before 1100 ms that were lived.
		var got []string
		for _, s := range w.steps() {
			for _, e := range s.Events {
				got = append(got, e.(fact).What)
			}
		}
		if !slices.Equal(got, []string{"alarm", "recovered", "tick"}) || w.steps()[2].At != 1100 {
			t.Errorf("%v, %+v", got, w.steps())
		}
	})
}

// A pause shorter than the limit is time like any other.
func TestShortPause(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.start()
		w.create(a1, "first")
		w.pass(250 * time.Millisecond)
		w.jump.Store(int64(1400 * time.Millisecond))
		w.send(a1, "move")
		w.lines(a1, "said first @0", "said move @1650")
	})
}

// While the journal does not answer nothing is told; when it took longer than the limit,
// the time is nobody's and no deadline falls into it.
func TestJournalAway(t *testing.T) {
	for _, c := range []struct {
		name string
		away time.Duration
		slow bool // one append that takes long, or many that fail
		want []string
	}{
		{"short, failing", 800 * time.Millisecond, false, []string{"said move @1000", "said meanwhile @1200", "said back @11000"}},
		{"short, slow", 800 * time.Millisecond, true, []string{"said move @1000", "said meanwhile @1200", "said back @11000"}},
		{"long, failing", 5 * time.Second, false, []string{"said move @1000", "said meanwhile @1200", "recovered 0+", "tick @3000", "said back @"}},
		{"long, slow", 5 * time.Second, true, []string{"said move @1000", "said meanwhile @1200", "recovered 0+4800 @1200", "tick @3000", "said back @6200"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *world) {
				w.start()
				w.create(a1, "first")
				if c.away > time.Second {
					w.send(a1, alarm(3000))
				}
				w.pass(time.Second)
				if c.slow {
					w.link.slow.Store(int64(c.away))
				} else {
					w.link.fail.Store(1 << 30)
				}
				told := false
				if err := w.hall.Send(a1, Command{Body: "move", Reply: func(Result) { told = true }}); err != nil {
					t.Fatal(err)
				}
				w.pass(200 * time.Millisecond)
				w.send(a1, "meanwhile")
				w.pass(c.away - 201*time.Millisecond)
				if told || slices.ContainsFunc(w.steps(), func(s Step) bool { return s.At >= 1000 }) {
					t.Error("told before it was journaled")
				}
				w.link.fail.Store(0)
				w.pass(10*time.Second + time.Millisecond - c.away)
				w.send(a1, "back")
				w.pass(0)
				var got []string
				_ = w.hall.Inspect(context.Background(), a1, func(m Machine, _ uint64, _ int64) { got = slices.Clone(m.(*diary).lines) })
				got = slices.DeleteFunc(got, func(s string) bool { return strings.HasPrefix(s, "alarm") })[1:]
				for i, want := range c.want {
					if i >= len(got) || !strings.HasPrefix(got[i], want) {
						t.Fatalf("%q, want %q", got, c.want)
					}
				}
			})
		})
	}
}

func TestOvertaken(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.start()
		w.create(a1, "first")
		if err := w.journal.Append(context.Background(), a1, 1, []byte("another owner's")); err != nil {
			t.Fatal(err)
		}
		res := w.ask(a1, Command{Body: "move"})
		if !errors.Is(res.Err, ErrUnknownActor) {
			t.Errorf("%+v", res)
		}
		synctest.Wait()
		if w.hall.Alive(a1) || len(w.ended()) != 1 || !errors.Is(w.ended()[0], ErrConflict) {
			t.Errorf("alive: %v, ended: %v", w.hall.Alive(a1), w.ended())
		}
	})
}

// Journals that this program cannot read are left as they are; the others run.
func TestForeignJournals(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		ctx := context.Background()
		const good = `{"v":1,"seq":1,"at":5,"mono":5,"own":"x","ev":[{"what":"said","text":"old","num":5}]}`
		for id, data := range map[ID]string{
			"diary/good":    good,
			"diary/later":   strings.Replace(good, `"v":1`, `"v":2`, 1),
			"diary/garbage": "garbage",
			"diary/number":  strings.Replace(good, `"seq":1`, `"seq":7`, 1),
			"diary/event":   strings.Replace(good, `{"what"`, `7,{"what"`, 1),
			"other/kind":    good,
		} {
			if err := w.journal.Append(ctx, id, 0, []byte(data)); err != nil {
				t.Fatal(err)
			}
		}
		w.start()
		if ids := w.hall.IDs("diary"); !slices.Equal(ids, []ID{"diary/good"}) {
			t.Error(ids)
		}
		w.lines("diary/good", "said old @5", "recovered 0+0 @5")
		if ids, _ := w.journal.Live(ctx); len(ids) != 6 {
			t.Errorf("left in the journal: %v", ids)
		}
	})
}

// Actors that live long do not grow: a snapshot stands for what is before it, and what
// was sent shortly before it is still known.
func TestSnapshot(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.kind.SnapshotEvery = 1500
		w.kind.Snapshot = func(m Machine) Event {
			return fact{What: "lines", Lines: slices.Clone(m.(*diary).lines[len(m.(*diary).lines)-2:])}
		}
		w.start()
		w.create(a1, "0")
		for i := 1; i < 1600; i++ {
			w.ask(a1, Command{From: fmt.Sprint(i % 100), ID: fmt.Sprint(i), Body: fmt.Sprint(i)})
		}
		entries, err := w.journal.Read(context.Background(), a1, 0)
		// The snapshot is step 1501, 1024 entries are kept before it and 100 came after.
		if err != nil || len(entries) != 1125 || entries[0].Seq != 477 {
			t.Errorf("%d entries from %d, %v", len(entries), entries[0].Seq, err)
		}
		for i, s := range w.steps() {
			if s.Seq != uint64(i+1) || (len(s.Events) == 0) != (s.Seq == 1501) {
				t.Fatalf("step %d: %+v", i+1, s)
			}
		}
		var live []string
		_ = w.hall.Inspect(context.Background(), a1, func(m Machine, _ uint64, _ int64) { live = slices.Clone(m.(*diary).lines) })
		w.crash(time.Second)
		w.start()
		w.lines(a1, append(live, "recovered 0+1000 @0")...)
		if res := w.ask(a1, Command{From: "0", ID: "1400", Body: refuse{}}); !res.Duplicate || res.Seq != 1401 {
			t.Errorf("%+v", res)
		}
	})
}

func TestEphemeral(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.kind.Ephemeral = true
		w.start()
		w.create(a1, "first")
		if res := w.ask(a1, Command{Body: "second"}); res.Err != nil || res.Seq != 2 {
			t.Errorf("%+v", res)
		}
		if ids, _ := w.journal.Live(context.Background()); len(ids) != 0 {
			t.Error(ids)
		}
	})
}

func TestSlowStart(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.start()
		w.create(a1, "first")
		w.pass(10 * time.Second)
		w.lines(a1, "said first @0")
		w.crash(0)
		w.start()
		w.lines(a1, "said first @0", "recovered 10000+0 @10000")
	})
}
