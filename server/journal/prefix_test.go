package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"flagfall/server/actor"
)

// Prefixes that are taken while actors append, trim and are forgotten, and segments come and go, hold all that was
// acknowledged before, without a gap and nothing twice.
func TestPrefix(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir, Options{SegmentSize: 2000, SyncEvery: time.Millisecond})
	put(t, l, "table/lasting", 0, "stays in the oldest segment until it is moved")
	var (
		acked   [4]atomic.Uint64 // what is in the journal of each actor for sure
		trimmed [4]atomic.Uint64 // what is gone, or about to be
		writers sync.WaitGroup
		end     = make(chan struct{})
	)
	for g := range acked {
		writers.Go(func() {
			id := actor.ID(fmt.Sprint("game/", g))
			for seq := uint64(1); ; seq++ {
				select {
				case <-end:
					return
				default:
				}
				if err := l.Append(ctx, id, seq-1, fmt.Appendf(nil, "entry %d of %s", seq, id)); err != nil {
					t.Error(err)
					return
				}
				acked[g].Store(seq)
				if seq%40 == 0 {
					trimmed[g].Store(seq - 1)
					if err := l.Trim(ctx, id, seq); err != nil {
						t.Error(err)
					}
				}
				passing := actor.ID(fmt.Sprintf("game/%d-%d", g, seq))
				if err := errors.Join(l.Append(ctx, passing, 0, []byte("short")), l.Forget(ctx, passing)); err != nil {
					t.Error(err)
				}
				if err := l.Beat(ctx, actor.Beat{Incarnation: "x", Mono: time.Duration(seq)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	defer writers.Wait()
	defer close(end)
	first := segmentName(dir, 1)
	for n := 0; n < 30 || exists(first); n++ {
		var before [4]uint64
		for g := range acked {
			before[g] = acked[g].Load()
		}
		p, err := Fix(dir)
		if err != nil {
			t.Fatal(err)
		}
		var gone [4]uint64
		for g := range trimmed {
			gone[g] = trimmed[g].Load()
		}
		to := filepath.Join(t.TempDir(), "copy")
		if _, err := p.WriteTo(to); err != nil {
			t.Fatal(err)
		}
		p.Close()
		copied := open(t, to, Options{})
		expect(t, copied, "table/lasting", "1:stays in the oldest segment until it is moved")
		for g := range acked {
			holds(t, copied, actor.ID(fmt.Sprint("game/", g)), before[g], gone[g])
		}
		if _, ok, err := copied.LastBeat(ctx, "x"); before[0] > 1 && !ok || err != nil {
			t.Errorf("no heartbeat: %v", err)
		}
		copied.Close()
		if t.Failed() {
			return
		}
	}
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// holds wants the entries of an actor from no later than after gone, to no earlier than last.
func holds(t *testing.T, l *Log, id actor.ID, last, gone uint64) {
	t.Helper()
	entries, err := l.Read(ctx, id, 0)
	if err != nil {
		t.Fatal(err)
	}
	if last > 0 && (len(entries) == 0 || entries[0].Seq > gone+1 || entries[len(entries)-1].Seq < last) {
		t.Errorf("%s: %d entries from %v; %d were acknowledged and %d may be trimmed", id, len(entries), entries[:min(1, len(entries))], last, gone)
	}
	for i, e := range entries {
		if want := fmt.Sprintf("entry %d of %s", e.Seq, id); string(e.Data) != want || e.Seq != entries[0].Seq+uint64(i) {
			t.Errorf("%s: entry %d is %d: %q", id, i, e.Seq, e.Data)
		}
	}
}

func TestPrefixRefused(t *testing.T) {
	damaged := t.TempDir()
	l := open(t, damaged, Options{})
	put(t, l, "game/a", 0, "one")
	put(t, l, "game/a", 1, "two")
	l.Close()
	name := segmentName(damaged, 1)
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	data[len(segmentHead)+frameHead] ^= 1
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	hole := t.TempDir()
	for _, num := range []uint32{1, 3} {
		if err := os.WriteFile(segmentName(hole, num), []byte(segmentHead), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ name, dir, want string }{
		{"no folder", filepath.Join(t.TempDir(), "none"), "no such file"},
		{"an empty folder", t.TempDir(), "has no segments"},
		{"a segment is missing", hole, "00000002.segment is missing"},
		{"a damaged record", damaged, "offset 19: bad record"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := Fix(c.dir)
			if err == nil {
				_, err = p.WriteTo(filepath.Join(t.TempDir(), "copy"))
				p.Close()
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
	t.Run("the target is there", func(t *testing.T) {
		dir := t.TempDir()
		put(t, open(t, dir, Options{}), "game/a", 0, "one")
		p, err := Fix(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		if _, err := p.WriteTo(t.TempDir()); !errors.Is(err, fs.ErrExist) {
			t.Error(err)
		}
	})
}
