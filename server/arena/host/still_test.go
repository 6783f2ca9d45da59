package host

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"flagfall/server/account"
	"flagfall/server/actor"
	"flagfall/server/arena"
)

// kept takes whatever is to be kept.
type kept struct{ Shelf }

func (kept) Save(context.Context, Row) error          { return nil }
func (kept) Count(context.Context, string, int) error { return nil }

// However many ask for a table or a file, it is made once of each state of the event, and the event decides meanwhile.
func TestMadeOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := context.Background()
		quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
		hall := actor.New(actor.Config{Journal: actor.NewMemory(), Log: quiet})
		h := New(Config{Hall: hall, Shelf: kept{}, Log: quiet, Passwords: account.NewHasher(account.Cost{KiB: 64, Passes: 1, Threads: 1}, 2)})
		if err := hall.Start(ctx); err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := hall.Close(ctx); err != nil {
				t.Error(err)
			}
			h.Close()
		}()
		set := arena.Defaults(arena.Arena)
		set.Name = "Club night"
		if err := h.OpenHere(ctx, "club", arena.Create{By: "o", Salt: "n", Settings: set, Civil: time.Now().UnixMilli(), Link: "l", Screen: "s"}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait() // it is kept in the database
		e := h.find("club")
		makings := 0
		disturbed := func(s *arena.State) (json.RawMessage, error) {
			makings++
			if err := h.do(ctx, "club", arena.Announce{By: "o", Text: "while it is made"}); err != nil { // the event does not wait
				t.Error(err)
			}
			time.Sleep(time.Second)
			return json.Marshal(len(s.Notices))
		}
		slow := func(s *arena.State) (json.RawMessage, error) {
			makings++
			time.Sleep(time.Second)
			return json.Marshal(len(s.Notices))
		}
		ask := func(want string) {
			t.Helper()
			var asking sync.WaitGroup
			for range 10 {
				asking.Go(func() {
					answer, err := e.made(ctx, "slow", slow)
					if err != nil || string(answer) != want {
						t.Errorf("%s, %v, want %s", answer, err, want)
					}
				})
			}
			asking.Wait()
		}
		ask("0")
		ask("0")
		if makings != 1 {
			t.Errorf("made %d times, want once", makings)
		}
		begun := time.Now()
		if answer, err := e.made(ctx, "other", disturbed); err != nil || string(answer) != "0" || time.Since(begun) != stillWait+time.Second {
			t.Errorf("%s, %v after %v", answer, err, time.Since(begun))
		}
		ask("1") // of the present state, not of the one before
		if makings != 3 {
			t.Errorf("made %d times, want once more", makings)
		}
		makings = 0
		var asking sync.WaitGroup
		for range 10 { // they wait for what was made before, and the event goes on meanwhile
			asking.Go(func() {
				if _, err := e.made(ctx, "busy", disturbed); err != nil {
					t.Error(err)
				}
			})
		}
		asking.Wait()
		if makings != 1 {
			t.Errorf("made %d times for ten who waited together, want once", makings)
		}
		time.Sleep(stillKept + watchEvery*(countEvery+1))
		e.still.turn <- struct{}{}
		if e.still.state != nil {
			t.Error("it is kept though nobody asks")
		}
		<-e.still.turn
	})
}
