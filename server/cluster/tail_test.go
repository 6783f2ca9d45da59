package cluster

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"flagfall/server/actor"
)

// filled knows entries from..to of game/a, one a second, each with its number as data.
func filled(limit int, from, to uint64, base string) (ts *tails, now time.Time) {
	ts = newTails(limit)
	now = time.Unix(1_700_000_000, 0)
	for seq := from; seq <= to; seq++ {
		ts.add("game/a", seq, newEntry(fmt.Append(nil, seq)), base, now)
		now = now.Add(time.Second)
	}
	return ts, now
}

func TestMissing(t *testing.T) {
	for _, c := range []struct {
		name     string
		from, to uint64
		base     string // data of entry from-1, if known
		end      uint64 // the journal ends there
		data     string
		after    uint64
		want     verdict
		entries  string
	}{
		{"the last is lost", 1, 9, "", 8, "8", 9, restorable, "9"},
		{"three are lost", 1, 9, "", 6, "6", 9, restorable, "7 8 9"},
		{"all are lost", 1, 9, "", 0, "", 9, restorable, "1 2 3 4 5 6 7 8 9"},
		{"another wrote the end", 1, 9, "", 6, "other", 9, overtaken, ""},
		{"this node never had so many", 1, 9, "", 6, "6", 10, overtaken, ""},
		{"back to what it took over", 5, 9, "4", 4, "4", 9, restorable, "5 6 7 8 9"},
		{"another wrote what it took over", 5, 9, "4", 4, "other", 9, overtaken, ""},
		{"what it took over is not known", 5, 9, "", 4, "4", 9, lost, ""},
		{"before what it took over", 5, 9, "4", 3, "3", 9, lost, ""},
		{"all that it took over", 5, 9, "4", 0, "", 9, lost, ""},
		{"old entries are gone, their end is known", 1, 40, "", 24, "24", 40, restorable, "25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40"},
		{"old entries are gone", 1, 40, "", 23, "23", 40, lost, ""},
		{"old entries are gone, another wrote", 1, 40, "", 24, "other", 40, overtaken, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			base := ""
			if c.base != "" {
				base = sumOf([]byte(c.base))
			}
			ts, _ := filled(1<<20, c.from, c.to, base)
			got, entries := ts.missing("game/a", c.end, sumOf([]byte(c.data)), c.after)
			var texts []string
			for _, e := range entries {
				texts = append(texts, string(e.data))
			}
			if got != c.want || strings.Join(texts, " ") != c.entries {
				t.Errorf("%v %q, want %v %q", got, texts, c.want, c.entries)
			}
		})
	}
	ts, _ := filled(1<<20, 1, 9, "")
	if v, _ := ts.missing("game/b", 6, sumOf([]byte("6")), 9); v != overtaken {
		t.Errorf("unknown actor: %v", v)
	}
}

func TestTailsAreBounded(t *testing.T) {
	const limit = 10 * (entryOverhead + 100)
	ts := newTails(limit)
	now := time.Unix(1_700_000_000, 0)
	data := newEntry(make([]byte, 100))
	for i := range uint64(1000) {
		ts.add(actor.ID(fmt.Sprint("game/", i%7)), i/7+1, data, "", now)
		if ts.bytes > limit {
			t.Fatalf("%d bytes are kept, %d are allowed", ts.bytes, limit)
		}
	}
	if len(ts.queue) != 10 {
		t.Errorf("%d entries are kept, 10 fit", len(ts.queue))
	}
	for i := range 7 {
		ts.forget(actor.ID(fmt.Sprint("game/", i)))
	}
	if ts.bytes != 0 || len(ts.actors) != 0 {
		t.Errorf("%d bytes of %d actors after all are forgotten", ts.bytes, len(ts.actors))
	}
	// Quiet actors go by themselves.
	ts.add("game/quiet", 1, data, "", now)
	ts.add("game/other", 1, data, "", now.Add(keepTail+time.Second))
	if ts.actors["game/quiet"] == nil {
		t.Error("an actor that thinks is gone")
	}
	ts.add("game/other", 2, data, "", now.Add(keepQuiet+2*time.Minute))
	if ts.actors["game/quiet"] != nil {
		t.Error("an actor that is quiet for long is still known")
	}
}

// An id that is used again starts anew.
func TestTailStartsAgain(t *testing.T) {
	ts, now := filled(1<<20, 1, 9, "")
	ts.forget("game/a")
	ts.add("game/a", 1, newEntry([]byte("again")), "", now)
	if v, entries := ts.missing("game/a", 0, "", 1); v != restorable || len(entries) != 1 || string(entries[0].data) != "again" {
		t.Errorf("%v %q", v, entries)
	}
	// Neither do numbers that do not follow belong together.
	ts.add("game/a", 7, newEntry([]byte("seven")), "", now)
	if v, _ := ts.missing("game/a", 1, sumOf([]byte("again")), 7); v != lost {
		t.Errorf("%v", v)
	}
}
