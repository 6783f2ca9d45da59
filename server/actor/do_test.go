package actor

import (
	"errors"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
)

// slowJournal is one that nobody should wait for.
type slowJournal struct{ Journal }

func (slowJournal) Immediate() bool { return false }

func TestDo(t *testing.T) {
	for name, immediate := range map[string]bool{"journal at once": true, "journal far away": false} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *world) {
				w.start()
				w.hall.immediate = immediate
				w.create(a1, "first")
				synctest.Wait()
				var told []Result
				note := func(r Result) { told = append(told, r) }
				for _, c := range []Command{{Body: "second", Reply: note}, {Body: refuse{}, Reply: note}} {
					if err := w.hall.Do(a1, c); err != nil {
						t.Fatal(err)
					}
				}
				if done := len(told) == 2; done != immediate {
					t.Errorf("decided before Do returned: %v, want %v", done, immediate)
				}
				synctest.Wait()
				if len(told) != 2 || told[0].Err != nil || told[0].Seq != 2 || !errors.Is(told[1].Err, errRefused) {
					t.Errorf("told %+v", told)
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
		if n := runtime.NumGoroutine(); n > before {
			t.Errorf("%d goroutines more for 100 idle actors", n-before)
		}
		steps := len(w.steps())
		w.pass(time.Second)
		if n := len(w.steps()) - steps; n != 100 {
			t.Errorf("%d of 100 alarms went off", n)
		}
	})
}
