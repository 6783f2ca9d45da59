package journal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"flagfall/server/actor"
	"flagfall/server/actor/journaltest"
)

var ctx = context.Background()

func quiet() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

func open(t *testing.T, dir string, opt Options) *Log {
	t.Helper()
	opt.Log = quiet()
	l, err := Open(dir, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func put(t *testing.T, l *Log, id actor.ID, after uint64, data string) {
	t.Helper()
	if err := l.Append(ctx, id, after, []byte(data)); err != nil {
		t.Fatal(err)
	}
}

func dump(t *testing.T, l *Log, id actor.ID) string {
	t.Helper()
	entries, err := l.Read(ctx, id, 0)
	if err != nil {
		t.Fatal(err)
	}
	var s []string
	for _, e := range entries {
		s = append(s, fmt.Sprintf("%d:%s", e.Seq, e.Data))
	}
	return strings.Join(s, " ")
}

func expect(t *testing.T, l *Log, id actor.ID, want string) {
	t.Helper()
	if got := dump(t, l, id); got != want {
		t.Errorf("%s: %q, want %q", id, got, want)
	}
}

func TestConformance(t *testing.T) {
	journaltest.Run(t, func(t *testing.T) actor.Journal { return open(t, t.TempDir(), Options{}) })
}

func TestConformanceSmallSegments(t *testing.T) {
	journaltest.Run(t, func(t *testing.T) actor.Journal {
		return open(t, t.TempDir(), Options{SegmentSize: 300, SyncEvery: time.Millisecond})
	})
}

func TestReopen(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir, Options{SegmentSize: 200})
	for i := range 20 {
		put(t, l, "game/a", uint64(i), fmt.Sprint("a", i+1))
		put(t, l, "game/b", uint64(i), fmt.Sprint("b", i+1))
	}
	put(t, l, "game/c", 0, "c1")
	for _, err := range []error{
		l.Trim(ctx, "game/a", 19), l.Forget(ctx, "game/b"), l.Forget(ctx, "game/c"),
		l.Beat(ctx, actor.Beat{Incarnation: "x", Mono: 7 * time.Millisecond, Wall: time.UnixMilli(8)}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	put(t, l, "game/c", 0, "again")
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := l.Append(ctx, "game/a", 20, nil); err == nil {
		t.Error("a closed journal took an entry")
	}
	l = open(t, dir, Options{SegmentSize: 200})
	expect(t, l, "game/a", "19:a19 20:a20")
	expect(t, l, "game/b", "")
	expect(t, l, "game/c", "1:again")
	put(t, l, "game/a", 20, "a21")
	if b, ok, err := l.LastBeat(ctx, "x"); !ok || err != nil || b.Mono != 7*time.Millisecond || b.Wall.UnixMilli() != 8 {
		t.Error(b, ok, err)
	}
}

func TestLocked(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir, Options{})
	if _, err := Open(dir, Options{}); err == nil || !strings.Contains(err.Error(), "in use by another process") {
		t.Errorf("opened twice: %v", err)
	}
	l.Close()
	open(t, dir, Options{})
}

// A record that is cut anywhere was never acknowledged: it is gone, all before it
// is there, and the log takes new entries.
func TestTornTail(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir, Options{})
	put(t, l, "game/a", 0, "one")
	put(t, l, "game/a", 1, "two")
	whole := fileSize(t, segmentName(dir, 1))
	put(t, l, "game/a", 2, "three, the last one")
	l.Close()
	data, err := os.ReadFile(segmentName(dir, 1))
	if err != nil {
		t.Fatal(err)
	}
	for size := whole; size < int64(len(data)); size++ {
		for name, tail := range map[string][]byte{
			"cut":   data[:size],
			"zeros": append(append([]byte{}, data[:size]...), make([]byte, int64(len(data))-size)...),
		} {
			sub := t.TempDir()
			if err := os.WriteFile(segmentName(sub, 1), tail, 0o600); err != nil {
				t.Fatal(err)
			}
			l := open(t, sub, Options{})
			if got := dump(t, l, "game/a"); got != "1:one 2:two" {
				t.Errorf("%s at %d: %q", name, size, got)
			}
			put(t, l, "game/a", 2, "new")
			l.Close()
			l = open(t, sub, Options{})
			expect(t, l, "game/a", "1:one 2:two 3:new")
			l.Close()
		}
	}
	for size := range len(segmentHead) {
		sub := t.TempDir()
		if err := os.WriteFile(segmentName(sub, 1), data[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		l := open(t, sub, Options{})
		put(t, l, "game/a", 0, "one")
		l.Close()
		expect(t, open(t, sub, Options{}), "game/a", "1:one")
	}
}

func fileSize(t *testing.T, name string) int64 {
	t.Helper()
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// A bad byte before the last record is no torn tail: the error names the place.
func TestDamage(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir, Options{})
	put(t, l, "game/a", 0, "one")
	second := fileSize(t, segmentName(dir, 1))
	put(t, l, "game/a", 1, "two")
	third := fileSize(t, segmentName(dir, 1))
	put(t, l, "game/a", 2, "three")
	l.Close()
	data, _ := os.ReadFile(segmentName(dir, 1))
	for at := second; at < third; at++ {
		sub := t.TempDir()
		bad := append([]byte{}, data...)
		bad[at] ^= 0x20
		os.WriteFile(segmentName(sub, 1), bad, 0o600)
		_, err := Open(sub, Options{Log: quiet()})
		if err == nil || !strings.Contains(err.Error(), segmentName(sub, 1)) || !strings.Contains(err.Error(), fmt.Sprint("offset ", second, ":")) {
			t.Errorf("bad byte at %d: %v", at, err)
		}
	}
}

func TestDamagedFolder(t *testing.T) {
	fill := func(t *testing.T) string {
		dir := t.TempDir()
		l := open(t, dir, Options{SegmentSize: 100})
		for i := range 9 {
			put(t, l, "game/a", uint64(i), "some text of some length")
		}
		l.Close()
		return dir
	}
	for _, c := range []struct {
		name, want string
		harm       func(dir string) error
	}{
		{"segment missing", "00000002.segment is missing", func(dir string) error { return os.Remove(segmentName(dir, 2)) }},
		{"full segment empty", "entry 2 is missing", func(dir string) error {
			return os.Truncate(segmentName(dir, 2), int64(len(segmentHead)))
		}},
		{"full segment cut", "00000002.segment, offset", func(dir string) error {
			return os.Truncate(segmentName(dir, 2), int64(len(segmentHead))+5)
		}},
		{"other format", "not a segment", func(dir string) error {
			return os.WriteFile(segmentName(dir, 1), []byte("something else entirely"), 0o600)
		}},
		{"strange name", "not the name of a segment", func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "7.segment"), nil, 0o600)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := fill(t)
			if err := c.harm(dir); err != nil {
				t.Fatal(err)
			}
			_, err := Open(dir, Options{Log: quiet()})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

// Segments go when nothing in them is wanted, and an old entry of one quiet actor
// does not keep them.
func TestTidy(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir, Options{SegmentSize: 2000, SyncEvery: time.Hour})
	put(t, l, "seats", 0, "quiet")
	put(t, l, "seats", 1, "quieter")
	for g := range 300 {
		id := actor.ID(fmt.Sprint("game/", g))
		put(t, l, id, 0, "one")
		put(t, l, id, 1, "two")
		if err := l.Forget(ctx, id); err != nil {
			t.Fatal(err)
		}
		if g%50 == 0 {
			put(t, l, "seats", uint64(2+g/50), "now and then")
		}
		if g%20 == 0 {
			if err := l.tidy(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := l.tidy(); err != nil {
		t.Fatal(err)
	}
	const want = "1:quiet 2:quieter 3:now and then 4:now and then 5:now and then 6:now and then 7:now and then 8:now and then"
	expect(t, l, "seats", want)
	l.Close()
	nums, err := segmentNumbers(dir)
	if err != nil || len(nums) > 5 || nums[0] == 1 {
		t.Errorf("segments left: %v %v", nums, err)
	}
	l = open(t, dir, Options{SegmentSize: 2000, SyncEvery: time.Hour})
	expect(t, l, "seats", want)
	if ids, err := l.Live(ctx); err != nil || len(ids) != 1 {
		t.Errorf("live: %v %v", ids, err)
	}
	put(t, l, "seats", 8, "more")
}

// A process that dies between copying and removing leaves entries twice.
func TestMovedTwice(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir, Options{SegmentSize: 150, SyncEvery: time.Hour})
	for i := range 12 {
		put(t, l, "seats", uint64(i), fmt.Sprint("entry ", i+1))
	}
	want := dump(t, l, "seats")
	if err := l.moveAll(l.segs[0]); err != nil {
		t.Fatal(err)
	}
	expect(t, l, "seats", want)
	if l.segs[0].live != 0 {
		t.Errorf("%d bytes are still wanted", l.segs[0].live)
	}
	l.Close()
	l = open(t, dir, Options{SegmentSize: 150, SyncEvery: time.Hour})
	expect(t, l, "seats", want)
	if l.segs[0].live != 0 {
		t.Errorf("%d bytes are wanted again", l.segs[0].live)
	}
	// Removed, the copies at the end stand before what was written earlier.
	for range 2 {
		if err := l.moveAll(l.segs[0]); err != nil {
			t.Fatal(err)
		}
		if err := l.removeOldest(l.segs[0]); err != nil {
			t.Fatal(err)
		}
		l.Close()
		l = open(t, dir, Options{SegmentSize: 150, SyncEvery: time.Hour})
		expect(t, l, "seats", want)
	}
	put(t, l, "seats", 12, "entry 13")
	expect(t, l, "seats", want+" 13:entry 13")
}

// A write that fails leaves the log as it was.
func TestFailedWrite(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir, Options{})
	put(t, l, "game/a", 0, "one")
	good := l.segs[0].f
	bad, err := os.Open(good.Name()) // read only: neither written nor cut
	if err != nil {
		t.Fatal(err)
	}
	defer bad.Close()
	l.segs[0].f = bad
	for range 2 {
		if err := l.Append(ctx, "game/a", 1, []byte("two")); err == nil || errors.Is(err, actor.ErrConflict) {
			t.Fatalf("append to a file that cannot be written: %v", err)
		}
	}
	expect(t, l, "game/a", "1:one")
	l.segs[0].f = good
	put(t, l, "game/a", 1, "two")
	expect(t, l, "game/a", "1:one 2:two")
}

func TestTooBig(t *testing.T) {
	l := open(t, t.TempDir(), Options{})
	if err := l.Append(ctx, "game/a", 0, make([]byte, maxBody)); err == nil || errors.Is(err, actor.ErrConflict) {
		t.Error(err)
	}
	expect(t, l, "game/a", "")
}

func TestBeatsKeepTheLatest(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir, Options{})
	for i := range 100 {
		if err := l.Beat(ctx, actor.Beat{Incarnation: fmt.Sprint(i), Mono: time.Duration(i)}); err != nil {
			t.Fatal(err)
		}
	}
	l.Close()
	l = open(t, dir, Options{})
	for i := range 100 {
		b, ok, err := l.LastBeat(ctx, fmt.Sprint(i))
		if err != nil || ok != (i >= 100-beatSlots) || ok && b.Mono != time.Duration(i) {
			t.Errorf("beat %d: %v %v %v", i, b, ok, err)
		}
	}
	if err := l.Beat(ctx, actor.Beat{Incarnation: strings.Repeat("x", 33)}); err == nil {
		t.Error("an incarnation that does not fit was taken")
	}
}

// Whatever parses is written back as a frame that parses to the same.
func FuzzParseFrame(f *testing.F) {
	f.Add(appendFrame(nil, body{isEntry, "game/a", 1, []byte("data")}))
	f.Add(appendFrame(nil, body{what: isForget, id: "seats"}))
	f.Fuzz(func(t *testing.T, buf []byte) {
		b, _, err := parseFrame(buf)
		if err != nil {
			return
		}
		again, _, err := parseFrame(appendFrame(nil, b))
		if err != nil || !reflect.DeepEqual(b, again) {
			t.Errorf("%v, then %v, %v", b, again, err)
		}
	})
}

func BenchmarkAppend(b *testing.B) {
	data := []byte(strings.Repeat("x", 200))
	b.Run("1", func(b *testing.B) {
		l, err := Open(b.TempDir(), Options{Log: quiet()})
		if err != nil {
			b.Fatal(err)
		}
		defer l.Close()
		b.ReportAllocs()
		for i := range b.N {
			if err := l.Append(ctx, "game/a", uint64(i), data); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("64", func(b *testing.B) {
		l, err := Open(b.TempDir(), Options{Log: quiet()})
		if err != nil {
			b.Fatal(err)
		}
		defer l.Close()
		b.ReportAllocs()
		done := make(chan error)
		for g := range 64 {
			go func() {
				id := actor.ID(fmt.Sprint("game/", g))
				n := uint64(b.N/64 + 1)
				for i := range n {
					if err := l.Append(ctx, id, i, data); err != nil {
						done <- err
						return
					}
				}
				done <- nil
			}()
		}
		for range 64 {
			if err := <-done; err != nil {
				b.Fatal(err)
			}
		}
	})
}
