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

const a1 = ID("diary/one")

func TestStepsAndRefusals(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.start()
		w.create(a1, "first")
		w.pass(100 * time.Millisecond)
		for _, c := range []struct {
			body any
			err  error
			seq  uint64
			n    int
		}{
			{"second", nil, 2, 1},
			{refuse{}, errRefused, 2, 0},
			{nothing{}, nil, 2, 0},
			{boom{}, ErrInternal, 2, 0},
			{unsafe{}, ErrInternal, 2, 0},
			{nil, errRefused, 2, 0},
			{"third", nil, 3, 1},
		} {
			n := 0
			res := w.ask(a1, Command{Body: c.body, Reply: func(r Result) { n = len(r.Events) }})
			if !errors.Is(res.Err, c.err) || res.Seq != c.seq || n != c.n || res.At != 100 || res.Duplicate {
				t.Errorf("%T: %+v, want %+v", c.body, res, c)
			}
		}
		w.lines(a1, "said first @0", "said second @100", "said third @100")
		entries, err := w.journal.Read(context.Background(), a1, 0)
		if err != nil || len(entries) != 3 {
			t.Errorf("%d entries, %v", len(entries), err)
		}
		if n := len(w.steps()); n != 3 || w.steps()[2].Seq != 3 {
			t.Errorf("%d steps were told: %+v", n, w.steps())
		}
	})
}

func TestCreate(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.start()
		ctx := context.Background()
		w.create(a1, "first")
		w.create(a1, "again")
		w.lines(a1, "said first @0")
		for _, c := range []struct {
			id    ID
			first any
			err   error
		}{
			{"diary/no", refuse{}, errRefused},
			{"diary/boom", boom{}, ErrInternal},
			{"nobody/one", "x", ErrUnknownKind},
			{"", "x", ErrInvalid},
			{"diary/", "x", ErrInvalid},
			{"diary/a/b", "x", ErrInvalid},
			{"diary/a b", "x", ErrInvalid},
			{ID(strings.Repeat("a", 200)), "x", ErrInvalid},
		} {
			if err := w.hall.Create(ctx, c.id, c.first); !errors.Is(err, c.err) {
				t.Errorf("create %q: %v, want %v", c.id, err, c.err)
			}
			if w.hall.Alive(c.id) {
				t.Errorf("%q is alive", c.id)
			}
		}
		if err := w.hall.Create(ctx, "diary/mute", nothing{}); err == nil {
			t.Error("an actor without a first event was created")
		}
		w.create("diary/no", "after all")
		if ids := w.hall.IDs("diary"); !slices.Equal(ids, []ID{"diary/no", a1}) {
			t.Errorf("ids: %v", ids)
		}
		for _, c := range []struct {
			id  ID
			cmd Command
			err error
		}{
			{"diary/nobody", Command{Body: "x"}, ErrUnknownActor},
			{a1, Command{Body: Tick{}}, ErrInvalid},
			{a1, Command{Body: Acked{}}, ErrInvalid},
			{a1, Command{Body: Recovered{}}, ErrInvalid},
			{a1, Command{From: "\xff", Body: "x"}, ErrInvalid},
			{a1, Command{ID: strings.Repeat("x", 129), Body: "x"}, ErrInvalid},
		} {
			if err := w.hall.Send(c.id, c.cmd); !errors.Is(err, c.err) {
				t.Errorf("send %+v: %v, want %v", c.cmd, err, c.err)
			}
		}
		w.stop()
	})
}

// The stamp decides, not who got to it first: at 120 ms the deadline is over.
func TestDeadline(t *testing.T) {
	for _, c := range []struct {
		name string
		at   time.Duration
		want []string
	}{
		{"before", 119, []string{"said move @119", "tick @120"}},
		{"at", 120, []string{"tick @120", "said move @120"}},
		{"after", 121, []string{"tick @120", "said move @121"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *world) {
				w.start()
				w.create(a1, alarm(120))
				// The actor is busy with a slow append until after the deadline.
				w.pass(100 * time.Millisecond)
				w.link.slow.Store(int64(200 * time.Millisecond))
				w.send(a1, "busy")
				w.pass((c.at - 100) * time.Millisecond)
				w.send(a1, "move")
				w.pass(time.Second)
				w.lines(a1, append([]string{"alarm @120", "said busy @100"}, c.want...)...)
			})
		})
	}
}

func TestDeadlineThatStays(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.start()
		w.create(a1, stuck{})
		w.send(a1, alarm(50))
		w.pass(time.Second) // would never return if the tick were repeated without end
		w.send(a1, "on we go")
		w.pass(time.Second)
		w.lines(a1, "stuck @0", "alarm @50", "said on we go @1000")
	})
}

func TestAge(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.start()
		w.create(a1, "first")
		w.pass(100 * time.Millisecond)
		for _, c := range []struct{ age, at int64 }{{30, 70}, {50, 70}, {-5, 100}, {1 << 62, 100}} {
			if res := w.ask(a1, Command{Body: "x", Age: c.age}); res.At != c.at {
				t.Errorf("age %d: at %d, want %d", c.age, res.At, c.at)
			}
		}
	})
}

// Commands of one millisecond: claims wait for its end and are put in order, later
// ones of the same sender stay behind them, others go ahead.
func TestHeldClaims(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.start()
		w.create(a1, "first")
		w.pass(10 * time.Millisecond)
		for _, c := range []Command{
			{From: "white", Body: claim{3, "time"}},
			{From: "white", Body: "white after his claim"},
			{From: "black", Body: "black moves"},
			{From: "black", Body: claim{2, "illegal"}},
		} {
			if err := w.hall.Send(a1, c); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		w.lines(a1, "said first @0", "said black moves @10")
		w.pass(time.Millisecond)
		w.lines(a1, "said first @0", "said black moves @10",
			"said white after his claim @10", "said illegal @10", "said time @10")
		// A later millisecond does not overtake.
		w.send(a1, claim{1, "early"})
		w.pass(time.Millisecond)
		w.send(a1, "late")
		w.lines(a1, "said first @0", "said black moves @10", "said white after his claim @10",
			"said illegal @10", "said time @10", "said early @11", "said late @12")
		// Nor when both are found waiting at once.
		w.link.slow.Store(int64(50 * time.Millisecond))
		w.send(a1, "busy")
		w.pass(time.Millisecond)
		w.send(a1, claim{1, "waiting"})
		w.pass(time.Millisecond)
		w.send(a1, "later")
		w.pass(time.Second)
		var last []string
		for _, s := range w.steps()[7:] {
			last = append(last, s.Events[0].(fact).Text)
		}
		if !slices.Equal(last, []string{"busy", "waiting", "later"}) {
			t.Errorf("%q", last)
		}
	})
}

func TestSentAgain(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.start()
		w.create(a1, "first")
		cmd := func(i int) Command {
			return Command{From: "white", ID: fmt.Sprint("m", i), Body: fmt.Sprint("move ", i)}
		}
		for i := range 40 {
			w.ask(a1, cmd(i))
		}
		check := func() {
			t.Helper()
			for i := 8; i < 40; i++ {
				res := w.ask(a1, cmd(i))
				if !res.Duplicate || res.Err != nil || res.Seq != uint64(i+2) {
					t.Errorf("move %d again: %+v", i, res)
				}
			}
			if res := w.ask(a1, Command{From: "black", ID: "m9", Body: refuse{}}); res.Duplicate || res.Err == nil {
				t.Errorf("another sender's id: %+v", res)
			}
		}
		check()
		w.crash(time.Minute)
		w.start()
		check()
		// A refused command is not remembered.
		w.ask(a1, Command{From: "white", ID: "r", Body: refuse{}})
		if res := w.ask(a1, Command{From: "white", ID: "r", Body: "now"}); res.Err != nil || res.Duplicate {
			t.Errorf("%+v", res)
		}
	})
}

func TestInspectMissesNothing(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.start()
		w.create(a1, "first")
		w.pass(70 * time.Millisecond)
		w.send(a1, "second")
		var seq uint64
		var at int64
		if err := w.hall.Inspect(context.Background(), a1, func(_ Machine, s uint64, now int64) { seq, at = s, now }); err != nil {
			t.Fatal(err)
		}
		if seq != 2 || at != 70 {
			t.Errorf("step %d at %d", seq, at)
		}
		// Given up while the actor is busy: never called.
		w.link.slow.Store(int64(time.Second))
		w.send(a1, "busy")
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
		defer cancel()
		err := w.hall.Inspect(ctx, a1, func(Machine, uint64, int64) { t.Error("called after the context's end") })
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		w.pass(2 * time.Second)
	})
}

func TestMailboxFull(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.start()
		w.create(a1, "first")
		w.link.slow.Store(int64(time.Second))
		w.send(a1, "busy")
		synctest.Wait()
		n := 0
		for ; n < 10000; n++ {
			if err := w.hall.Send(a1, Command{Body: nothing{}}); err != nil {
				if !errors.Is(err, ErrBusy) {
					t.Error(err)
				}
				break
			}
		}
		if n != 4096 {
			t.Errorf("%d commands fit", n)
		}
		w.pass(2 * time.Second)
		w.lines(a1, "said first @0", "said busy @0")
	})
}

func TestDone(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.start()
		w.create(a1, "first")
		w.send(a1, finish{})
		var late Result
		_ = w.hall.Send(a1, Command{Body: "too late", Reply: func(r Result) { late = r }})
		synctest.Wait()
		if late.Err != nil && !errors.Is(late.Err, ErrUnknownActor) || late.Seq != 0 {
			t.Errorf("%+v", late)
		}
		if err := w.hall.Send(a1, Command{Body: "x"}); !errors.Is(err, ErrUnknownActor) || w.hall.Alive(a1) {
			t.Error(err, "an actor that is done takes commands")
		}
		if len(w.ended()) != 1 || w.ended()[0] != nil {
			t.Errorf("ended: %v", w.ended())
		}
		if ids, _ := w.journal.Live(context.Background()); len(ids) != 0 {
			t.Errorf("still in the journal: %v", ids)
		}
		// Its journal cannot be dropped at once: it is when that works again.
		w.create("diary/two", "first")
		w.link.keep.Store(5)
		w.send("diary/two", finish{})
		w.pass(time.Millisecond)
		if ids, _ := w.journal.Live(context.Background()); len(ids) != 1 {
			t.Errorf("in the journal: %v", ids)
		}
		w.pass(time.Minute)
		if ids, _ := w.journal.Live(context.Background()); len(ids) != 0 {
			t.Errorf("still in the journal: %v", ids)
		}
	})
}

func TestApplyFails(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.start()
		w.create(a1, "first")
		w.create("diary/two", "first")
		w.send(a1, explode{})
		synctest.Wait()
		if w.hall.Alive(a1) || len(w.ended()) != 1 || !errors.Is(w.ended()[0], ErrInternal) {
			t.Errorf("alive: %v, ended: %v", w.hall.Alive(a1), w.ended())
		}
		w.ask("diary/two", Command{Body: "the others go on"})
		// It is left alone at the next start, too, and does no harm.
		w.stop()
		w.start()
		if ids := w.hall.IDs("diary"); !slices.Equal(ids, []ID{"diary/two"}) {
			t.Error(ids)
		}
	})
}

func TestClose(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.start()
		w.create(a1, "first")
		told := 0
		for i := range 100 {
			if err := w.hall.Send(a1, Command{Body: fmt.Sprint(i), Reply: func(r Result) {
				if r.Err == nil {
					told++
				}
			}}); err != nil {
				t.Fatal(err)
			}
		}
		h := w.hall
		w.stop()
		if told != 100 {
			t.Errorf("%d of 100 commands that had arrived were decided", told)
		}
		if err := h.Send(a1, Command{Body: "x"}); !errors.Is(err, ErrClosed) {
			t.Error(err)
		}
		if err := h.Create(context.Background(), "diary/two", "x"); !errors.Is(err, ErrClosed) {
			t.Error(err)
		}
		if len(w.ended()) != 1 || !errors.Is(w.ended()[0], ErrClosed) {
			t.Error(w.ended())
		}
		// With a journal that does not answer, closing gives up in time.
		w.start()
		w.link.fail.Store(1 << 30)
		var last Result
		if err := w.hall.Send(a1, Command{Body: "lost", Reply: func(r Result) { last = r }}); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := w.hall.Close(ctx); !errors.Is(err, context.DeadlineExceeded) || !errors.Is(last.Err, ErrClosed) {
			t.Error(err, last)
		}
		w.hall = nil
	})
}
