//go:build unix

package cluster

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"flagfall/server/actor"
	"flagfall/server/actor/journaltest"
	"flagfall/server/cluster/redistest"
)

func put(t testing.TB, j *Journal, id actor.ID, after uint64, data string) {
	t.Helper()
	if err := j.Append(ctx, id, after, []byte(data)); err != nil {
		t.Fatalf("append %s after %d: %v", id, after, err)
	}
}

// expect compares the journal of an actor, written "1:data 2:data".
func expect(t testing.TB, j *Journal, id actor.ID, want string) {
	t.Helper()
	if got := dump(t, j, id); got != want {
		t.Errorf("%s: %q, want %q", id, got, want)
	}
}

func dump(t testing.TB, j *Journal, id actor.ID) string {
	t.Helper()
	entries, err := j.Read(ctx, id, 0)
	if err != nil {
		t.Fatal(err)
	}
	var s []string
	for _, e := range entries {
		s = append(s, fmt.Sprintf("%d:%s", e.Seq, e.Data))
	}
	return strings.Join(s, " ")
}

func TestConformance(t *testing.T) {
	for _, c := range []struct {
		name  string
		start func(t *testing.T) (url string, flush func())
	}{
		{"single", func(t *testing.T) (string, func()) { s := redistest.Single(t); return s.URL(), s.Flush }},
		{"sentinel", func(t *testing.T) (string, func()) { s := redistest.Sentinel(t); return s.URL(), s.Flush }},
		{"cluster", func(t *testing.T) (string, func()) { s := redistest.Cluster(t); return s.URL(), s.Flush }},
	} {
		t.Run(c.name, func(t *testing.T) {
			url, flush := c.start(t)
			journaltest.Run(t, func(t *testing.T) actor.Journal {
				flush()
				return NewJournal(connect(t, url, unhurried))
			})
		})
	}
}

// The user that the package's comment names is enough, even without INFO.
func TestRestrictedUser(t *testing.T) {
	server := redistest.Single(t)
	rules := []any{"acl", "setuser", "hall", "on", ">secret", "~flagfall:*", "&flagfall:*", "+@all", "-@admin", "-@dangerous"}
	url := "redis://hall:secret@" + server.Addr()
	for _, c := range []struct {
		name string
		more []any
		logs int64
	}{{"with INFO", []any{"+info"}, 0}, {"without INFO", nil, 1}} {
		t.Run(c.name, func(t *testing.T) {
			server.Do("acl", "deluser", "hall")
			server.Do(append(rules, c.more...)...)
			log := &counter{}
			connect(t, url, Options{Log: log.logger()})
			if n := log.lines.Load(); n != c.logs {
				t.Errorf("%d lines in the log, want %d", n, c.logs)
			}
			journaltest.Run(t, func(t *testing.T) actor.Journal {
				server.Flush()
				return NewJournal(connect(t, url, unhurried))
			})
		})
	}
}

func TestReplicasAreFound(t *testing.T) {
	alone := redistest.Single(t)
	if n := NewJournal(connect(t, alone.URL(), unhurried)).pipelines.replicas.Load(); n != 0 {
		t.Errorf("one server: waits for %d replicas", n)
	}
	three := redistest.Sentinel(t)
	if n := NewJournal(connect(t, three.URL(), unhurried)).pipelines.replicas.Load(); n != 1 {
		t.Errorf("with replicas: waits for %d", n)
	}
	if n := NewJournal(connect(t, three.URL(), Options{Replicas: -1})).pipelines.replicas.Load(); n > 0 {
		t.Errorf("told to wait for none: waits for %d", n)
	}
}

// Many entries are read in pages.
func TestReadPages(t *testing.T) {
	j := NewJournal(connect(t, redistest.Single(t).URL(), unhurried))
	const n = 2*readAtOnce + 1
	for i := range uint64(n) {
		put(t, j, "seats", i, fmt.Sprint(i+1))
	}
	for _, after := range []uint64{0, 1, readAtOnce, n - 1, n} {
		entries, err := j.Read(ctx, "seats", after)
		if err != nil || len(entries) != int(n-after) {
			t.Fatalf("after %d: %d entries, %v", after, len(entries), err)
		}
		for i, e := range entries {
			if want := after + uint64(i) + 1; e.Seq != want || string(e.Data) != fmt.Sprint(want) {
				t.Fatalf("after %d: entry %d is %d %q", after, i, e.Seq, e.Data)
			}
		}
	}
}

func TestRefusedInput(t *testing.T) {
	j := NewJournal(connect(t, redistest.Single(t).URL(), unhurried))
	for _, err := range []error{
		j.Append(ctx, "", 0, nil),
		j.Append(ctx, "game/{a}", 0, nil),
		j.Append(ctx, "game/a", 0, make([]byte, maxEntry+1)),
		j.Append(ctx, "game/a", maxSeq, nil),
		j.Beat(ctx, actor.Beat{Incarnation: strings.Repeat("x", 33)}),
	} {
		if err == nil || errors.Is(err, actor.ErrConflict) {
			t.Error(err)
		}
	}
	expect(t, j, "game/a", "")
}

// A finished game leaves nothing that stays.
func TestForgetFreesMemory(t *testing.T) {
	server := redistest.Single(t)
	j := NewJournal(connect(t, server.URL(), unhurried))
	for i := range 50 {
		id := actor.ID(fmt.Sprint("game/", i))
		put(t, j, id, 0, "one")
		put(t, j, id, 1, "two")
		if err := j.Forget(ctx, id); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(j.tails.actors); n != 0 || j.tails.bytes != 0 {
		t.Errorf("%d tails, %d bytes are kept", n, j.tails.bytes)
	}
	// What is left goes by itself, and holds no entry.
	left, _ := server.Do("scan", 0, "count", 1000).([]any)
	for _, key := range left[1].([]any) {
		ttl, _ := server.Do("pttl", key).(int64)
		length, _ := server.Do("strlen", key).(int64)
		if ttl <= 0 || ttl > forgottenFor.Milliseconds() || length != 0 {
			t.Errorf("%v is left for %d ms with %d bytes", key, ttl, length)
		}
	}
}

// A node that dies between directory and journal leaves an id without entries.
func TestLiveRemovesLeftovers(t *testing.T) {
	server := redistest.Single(t)
	j := NewJournal(connect(t, server.URL(), unhurried))
	put(t, j, "game/a", 0, "one")
	old := time.Now().Add(-2 * leftoverAfter).UnixMilli()
	server.Do("zadd", partOf("game/old"), old, "game/old")
	server.Do("zadd", partOf("game/a"), old, "game/a")
	server.Do("zadd", partOf("game/new"), time.Now().UnixMilli(), "game/new") // its first entry is on its way
	ids, err := j.Live(ctx)
	if err != nil || len(ids) != 1 || ids[0] != "game/a" {
		t.Errorf("live: %v %v", ids, err)
	}
	for id, want := range map[actor.ID]bool{"game/a": true, "game/new": true, "game/old": false} {
		rank, err := j.redis.client.ZScore(ctx, partOf(id), string(id)).Result()
		if (err == nil) != want {
			t.Errorf("%s is in the directory: %v %v, want %v", id, rank, err, want)
		}
	}
}

func TestLiveOfMany(t *testing.T) {
	for _, c := range []struct{ name, url string }{
		{"single", redistest.Single(t).URL()},
		{"cluster", redistest.Cluster(t).URL()},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := NewJournal(connect(t, c.url, unhurried))
			const n = 3000
			errs := make(chan error)
			for i := range n {
				go func() { errs <- j.Append(ctx, actor.ID(fmt.Sprint("game/", i)), 0, []byte("one")) }()
			}
			for range n {
				if err := <-errs; err != nil {
					t.Fatal(err)
				}
			}
			ids, err := j.Live(ctx)
			seen := map[actor.ID]bool{}
			for _, id := range ids {
				seen[id] = true
			}
			if err != nil || len(ids) != n || len(seen) != n {
				t.Errorf("%d ids, %d different, %v", len(ids), len(seen), err)
			}
		})
	}
}

func TestBeatIsKeptForADay(t *testing.T) {
	server := redistest.Single(t)
	j := NewJournal(connect(t, server.URL(), unhurried))
	if err := j.Beat(ctx, actor.Beat{Incarnation: "x", Mono: time.Second, Wall: time.UnixMilli(5)}); err != nil {
		t.Fatal(err)
	}
	ttl, _ := server.Do("ttl", beatKey("x")).(int64)
	if ttl < 86390 || ttl > 86400 {
		t.Errorf("a beat is kept for %d s", ttl)
	}
}
