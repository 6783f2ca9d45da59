// Package journaltest is the contract of actor.Journal as a test suite: every
// implementation passes it.
package journaltest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"flagfall/server/actor"
)

// Run tests journals that open returns; each is empty and used by one subtest.
func Run(t *testing.T, open func(t *testing.T) actor.Journal) {
	for _, c := range []struct {
		name string
		test func(*testing.T, actor.Journal)
	}{
		{"append and read", testAppend},
		{"fence", testFence},
		{"repeated append", testRepeat},
		{"data is copied", testCopies},
		{"trim", testTrim},
		{"forget", testForget},
		{"live", testLive},
		{"beats", testBeats},
		{"ended context", testContext},
		{"parallel actors", testParallel},
		{"racing owners", testRace},
		{"any bytes", testBytes},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, open(t)) })
	}
}

func ctx() context.Context { return context.Background() }

func put(t *testing.T, j actor.Journal, id actor.ID, after uint64, data string) {
	t.Helper()
	if err := j.Append(ctx(), id, after, []byte(data)); err != nil {
		t.Fatalf("append %s after %d: %v", id, after, err)
	}
}

func want(t *testing.T, j actor.Journal, id actor.ID, after uint64, first uint64, data ...string) {
	t.Helper()
	got, err := j.Read(ctx(), id, after)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(data) {
		t.Fatalf("read %s after %d: %d entries, want %d", id, after, len(got), len(data))
	}
	for i, e := range got {
		if e.Seq != first+uint64(i) || string(e.Data) != data[i] {
			t.Errorf("entry %d is number %d, %q, want %d, %q", i, e.Seq, e.Data, first+uint64(i), data[i])
		}
	}
}

func conflict(t *testing.T, j actor.Journal, id actor.ID, after uint64, data string) {
	t.Helper()
	if err := j.Append(ctx(), id, after, []byte(data)); !errors.Is(err, actor.ErrConflict) {
		t.Errorf("append %q to %s after %d: %v, want a conflict", data, id, after, err)
	}
}

func testAppend(t *testing.T, j actor.Journal) {
	want(t, j, "game/a", 0, 1)
	put(t, j, "game/a", 0, "one")
	put(t, j, "game/b", 0, "other")
	put(t, j, "game/a", 1, "two")
	put(t, j, "game/a", 2, "three")
	want(t, j, "game/a", 0, 1, "one", "two", "three")
	want(t, j, "game/a", 2, 3, "three")
	want(t, j, "game/a", 3, 4)
	want(t, j, "game/a", 99, 4)
	want(t, j, "game/b", 0, 1, "other")
}

func testFence(t *testing.T, j actor.Journal) {
	conflict(t, j, "game/a", 1, "two")
	put(t, j, "game/a", 0, "one")
	conflict(t, j, "game/a", 0, "another one")
	conflict(t, j, "game/a", 5, "six")
	put(t, j, "game/a", 1, "two")
	conflict(t, j, "game/a", 0, "one")
	conflict(t, j, "game/a", 1, "another two")
	want(t, j, "game/a", 0, 1, "one", "two")
}

func testRepeat(t *testing.T, j actor.Journal) {
	put(t, j, "game/a", 0, "one")
	put(t, j, "game/a", 0, "one")
	put(t, j, "game/a", 1, "one")
	put(t, j, "game/a", 1, "one")
	want(t, j, "game/a", 0, 1, "one", "one")
}

func testCopies(t *testing.T, j actor.Journal) {
	data := []byte("one")
	if err := j.Append(ctx(), "game/a", 0, data); err != nil {
		t.Fatal(err)
	}
	copy(data, "XXX")
	got, err := j.Read(ctx(), "game/a", 0)
	if err != nil || len(got) != 1 {
		t.Fatal(got, err)
	}
	copy(got[0].Data, "YYY")
	want(t, j, "game/a", 0, 1, "one")
}

func testTrim(t *testing.T, j actor.Journal) {
	trim := func(id actor.ID, before uint64) {
		t.Helper()
		if err := j.Trim(ctx(), id, before); err != nil {
			t.Fatal(err)
		}
	}
	trim("game/none", 7)
	for i, data := range []string{"one", "two", "three", "four"} {
		put(t, j, "game/a", uint64(i), data)
	}
	trim("game/a", 0)
	trim("game/a", 1)
	want(t, j, "game/a", 0, 1, "one", "two", "three", "four")
	trim("game/a", 3)
	want(t, j, "game/a", 0, 3, "three", "four")
	want(t, j, "game/a", 3, 4, "four")
	trim("game/a", 2)
	want(t, j, "game/a", 0, 3, "three", "four")
	conflict(t, j, "game/a", 0, "one")
	put(t, j, "game/a", 4, "five")
	trim("game/a", 99)
	want(t, j, "game/a", 0, 5, "five")
	put(t, j, "game/a", 4, "five")
	put(t, j, "game/a", 5, "six")
	want(t, j, "game/a", 0, 5, "five", "six")
}

func testForget(t *testing.T, j actor.Journal) {
	forget := func(id actor.ID) {
		t.Helper()
		if err := j.Forget(ctx(), id); err != nil {
			t.Fatal(err)
		}
	}
	forget("game/none")
	put(t, j, "game/a", 0, "one")
	put(t, j, "game/a", 1, "two")
	put(t, j, "game/b", 0, "other")
	forget("game/a")
	forget("game/a")
	want(t, j, "game/a", 0, 1)
	want(t, j, "game/b", 0, 1, "other")
	conflict(t, j, "game/a", 2, "three")
	put(t, j, "game/a", 0, "again")
	want(t, j, "game/a", 0, 1, "again")
}

func testLive(t *testing.T, j actor.Journal) {
	live := func(wanted ...actor.ID) {
		t.Helper()
		ids, err := j.Live(ctx())
		slices.Sort(ids)
		if err != nil || !slices.Equal(ids, wanted) {
			t.Errorf("live: %v, %v, want %v", ids, err, wanted)
		}
	}
	live()
	put(t, j, "seats", 0, "one")
	put(t, j, "game/a", 0, "one")
	put(t, j, "game/b", 0, "one")
	_ = j.Append(ctx(), "game/c", 5, []byte("refused"))
	if err := j.Trim(ctx(), "seats", 9); err != nil {
		t.Fatal(err)
	}
	if err := j.Forget(ctx(), "game/a"); err != nil {
		t.Fatal(err)
	}
	live("game/b", "seats")
}

func testBeats(t *testing.T, j actor.Journal) {
	if b, ok, err := j.LastBeat(ctx(), "nobody"); ok || err != nil {
		t.Error(b, ok, err)
	}
	wall := time.UnixMilli(1_700_000_000_123)
	for i := range 16 {
		for n := range 3 {
			b := actor.Beat{Incarnation: fmt.Sprint("owner-", i), Mono: time.Duration(i*100+n) * time.Millisecond, Wall: wall}
			if err := j.Beat(ctx(), b); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i := range 16 {
		b, ok, err := j.LastBeat(ctx(), fmt.Sprint("owner-", i))
		if err != nil || !ok || b.Mono != time.Duration(i*100+2)*time.Millisecond || !b.Wall.Equal(wall) {
			t.Errorf("owner %d: %v %v %v", i, b, ok, err)
		}
	}
}

func testContext(t *testing.T, j actor.Journal) {
	put(t, j, "game/a", 0, "one")
	ended, cancel := context.WithCancel(ctx())
	cancel()
	if err := j.Append(ended, "game/a", 1, []byte("two")); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	want(t, j, "game/a", 0, 1, "one")
}

func testParallel(t *testing.T, j actor.Journal) {
	const actors, entries = 32, 50
	var wg sync.WaitGroup
	for a := range actors {
		wg.Go(func() {
			id := actor.ID(fmt.Sprint("game/", a))
			for i := range entries {
				if err := j.Append(ctx(), id, uint64(i), fmt.Appendf(nil, "%d-%d", a, i)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	for a := range actors {
		data := make([]string, entries)
		for i := range data {
			data[i] = fmt.Sprintf("%d-%d", a, i)
		}
		want(t, j, actor.ID(fmt.Sprint("game/", a)), 0, 1, data...)
	}
}

// Of several who want to write the same entry one succeeds.
func testRace(t *testing.T, j actor.Journal) {
	const owners, entries = 8, 30
	for i := range entries {
		var wg sync.WaitGroup
		var mu sync.Mutex
		won := []string{}
		for o := range owners {
			wg.Go(func() {
				data := fmt.Sprintf("%d-%d", o, i)
				switch err := j.Append(ctx(), "seats", uint64(i), []byte(data)); {
				case err == nil:
					mu.Lock()
					won = append(won, data)
					mu.Unlock()
				case !errors.Is(err, actor.ErrConflict):
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if len(won) != 1 {
			t.Fatalf("entry %d was written by %v", i+1, won)
		}
		want(t, j, "seats", uint64(i), uint64(i+1), won[0])
	}
}

func testBytes(t *testing.T, j actor.Journal) {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	for i, data := range [][]byte{{}, {0}, all, bytes.Repeat(all, 4096)} {
		put(t, j, "game/a", uint64(i), string(data))
		want(t, j, "game/a", uint64(i), uint64(i+1), string(data))
	}
}
