package actor

import (
	"errors"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
)

func TestDo(t *testing.T) {
	for name, immediate := range map[string]bool{"journal at once": true, "journal far away": false} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *world) {
				w.start()
				w.hall.immediate = immediate
				w.create(a1, "first")
				synctest.Wait()
				told := make(chan Result, 2)
				note := func(r Result) { told <- r }
				w.link.slow.Store(int64(100 * time.Millisecond))
				began := time.Now()
				if err := w.hall.Do(a1, Command{Body: "second", Reply: note}); err != nil {
					t.Fatal(err)
				}
				if waited := time.Since(began) > 0; waited != immediate {
					t.Errorf("Do waited for the decision: %v, want %v", waited, immediate)
				}
				if err := w.hall.Do(a1, Command{Body: refuse{}, Reply: note}); err != nil {
					t.Fatal(err)
				}
				if r := <-told; r.Err != nil || r.Seq != 2 {
					t.Errorf("told %+v", r)
				}
				if r := <-told; !errors.Is(r.Err, errRefused) {
					t.Errorf("told %+v", r)
				}
				w.lines(a1, "said first @0", "said second @0")
			})
		})
	}
}

// Who finds the actor busy leaves his command and goes.
func TestDoWhileBusy(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.start()
		w.create(a1, "first")
		synctest.Wait()
		w.link.slow.Store(int64(100 * time.Millisecond))
		first := make(chan Result, 1)
		go func() {
			if err := w.hall.Do(a1, Command{Body: "second", Reply: func(r Result) { first <- r }}); err != nil {
				t.Error(err)
			}
		}()
		synctest.Wait()
		began := time.Now()
		done := make(chan Result, 1)
		if err := w.hall.Do(a1, Command{Body: "third", Reply: func(r Result) { done <- r }}); err != nil {
			t.Fatal(err)
		}
		if time.Since(began) > 0 || len(done) > 0 {
			t.Error("Do waited for somebody else's command")
		}
		if r := <-first; r.Seq != 2 {
			t.Errorf("first %+v", r)
		}
		if r := <-done; r.Seq != 3 {
			t.Errorf("then %+v", r)
		}
	})
}

// An actor with nothing to do costs no goroutine, and wakes for its deadline all the same.
func TestIdleActorsHaveNoGoroutine(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.start()
		w.create(a1, "first")
		synctest.Wait()
		before := runtime.NumGoroutine()
		for i := range 100 {
			w.create(ID("diary/"+string(rune('a'+i/10))+string(rune('a'+i%10))), alarm(1000))
		}
		synctest.Wait()
		if n := runtime.NumGoroutine(); n > before+10 { // the runtime has some of its own
			t.Errorf("%d goroutines more for 100 idle actors", n-before)
		}
		steps := len(w.steps())
		w.pass(time.Second)
		if n := len(w.steps()) - steps; n != 100 {
			t.Errorf("%d of 100 alarms went off", n)
		}
	})
}

// A command that was long on its way is not counted into a millisecond whose claims have been decided (rulings D32).
func TestAgeAfterClaims(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.start()
		w.create(a1, "first")
		w.pass(10 * time.Millisecond)
		w.send(a1, claim{1, "time"})
		w.pass(5 * time.Millisecond)
		if res := w.ask(a1, Command{Body: "x", Age: 1000}); res.At != 11 {
			t.Errorf("at %d, want 11", res.At)
		}
	})
}

// Nor is one that came after the clock had stood, though it goes on where it stood: the claim was there before.
func TestClaimBeforeAGap(t *testing.T) {
	for _, c := range []struct {
		name  string
		stand func(w *world) // for five seconds, and then "after" is said
	}{
		{"a freeze, and a command once all is decided", func(w *world) {
			w.hall.Freeze()
			w.pass(5 * time.Second)
			w.hall.Thaw()
			synctest.Wait()
			w.send(a1, "after")
		}},
		{"a freeze, and a command that finds its end", func(w *world) {
			w.hall.Freeze()
			w.pass(5 * time.Second)
			w.hall.pulse.thaw()
			w.send(a1, "after")
			w.hall.Thaw()
		}},
		{"a process that did not run", func(w *world) {
			w.jump.Store(int64(5 * time.Second))
			w.send(a1, "after")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *world) {
				w.start()
				w.create(a1, "first")
				w.pass(10 * time.Millisecond)
				w.send(a1, claim{1, "claim"})
				c.stand(w)
				w.pass(time.Second)
				w.lines(a1, "said first @0", "said claim @10", "recovered 0+5000 @10", "said after @11")
			})
		})
	}
	t.Run("a journal that was waited for", func(t *testing.T) {
		inBubble(t, func(t *testing.T, w *world) {
			w.start()
			w.create(a1, "first")
			w.pass(10 * time.Millisecond)
			w.link.slow.Store(int64(5 * time.Second))
			w.send(a1, "slow")
			w.pass(4 * time.Second)
			w.send(a1, claim{1, "claim"})
			w.pass(time.Second)
			w.send(a1, "after")
			w.pass(time.Second)
			w.lines(a1, "said first @0", "said slow @10", "said claim @10", "recovered 0+5000 @10", "said after @11")
		})
	})
	t.Run("in the freeze, by rank", func(t *testing.T) {
		inBubble(t, func(t *testing.T, w *world) {
			w.start()
			w.create(a1, "first")
			w.pass(10 * time.Millisecond)
			w.hall.Freeze()
			w.send(a1, claim{1, "claim"})
			w.pass(5 * time.Second)
			w.send(a1, "meanwhile")
			w.hall.Thaw()
			w.pass(time.Second)
			w.lines(a1, "said first @0", "said meanwhile @10", "said claim @10", "recovered 0+5000 @10")
		})
	})
}
