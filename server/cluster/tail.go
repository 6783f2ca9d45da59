package cluster

import (
	"crypto/sha1"
	"encoding/hex"
	"sync"
	"time"

	"flagfall/server/actor"
)

const (
	// keepTail is how long an acknowledged entry is kept in memory: longer than a
	// failover takes.
	keepTail = 15 * time.Second
	// keepTailBytes are kept in all.
	keepTailBytes = 64 << 20
	// keepQuiet is how long it is remembered where an actor's journal ended.
	keepQuiet = 10 * time.Minute
	// entryOverhead is what an entry costs beside its data.
	entryOverhead = 128
)

// tails are the last entries that this node has written, of each actor: what a failover
// may lose, and this node can write again.
type tails struct {
	limit int // bytes

	mu     sync.Mutex
	actors map[actor.ID]*tail
	queue  []kept // by age
	bytes  int
	swept  time.Time
}

// tail is what is known of the end of one actor's journal.
type tail struct {
	base    uint64 // number of the entry before the first of entries
	sum     string // of the base's data; empty if it is not known or base is 0
	entries []entry
	used    time.Time
	told    bool // the log says that the tail cannot be written again
}

// entry is not changed any more.
type entry struct {
	data []byte
	sum  string
}

func (e entry) size() int { return len(e.data) + entryOverhead }

// newEntry copies data.
func newEntry(data []byte) entry {
	return entry{append([]byte{}, data...), sumOf(data)}
}

// sumOf is the SHA-1 of an entry's data in hex, as redis.sha1hex gives it to scripts.
func sumOf(data []byte) string {
	sum := sha1.Sum(data)
	return hex.EncodeToString(sum[:])
}

// kept is one entry in the order of time.
type kept struct {
	id  actor.ID
	seq uint64
	at  time.Time
}

func newTails(limit int) *tails {
	return &tails{limit: limit, actors: map[actor.ID]*tail{}}
}

func (t *tail) last() uint64 { return t.base + uint64(len(t.entries)) }

// lastSum is the sum of the last entry.
func (t *tail) lastSum() string {
	if n := len(t.entries); n > 0 {
		return t.entries[n-1].sum
	}
	return t.sum
}

// sum is that of entry seq if it is the last that this node knows, else empty.
func (ts *tails) sum(id actor.ID, seq uint64) string {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	t := ts.actors[id]
	if t == nil || t.last() != seq {
		return ""
	}
	return t.lastSum()
}

// add takes in an acknowledged entry. Base is the sum of the entry before, if known.
func (ts *tails) add(id actor.ID, seq uint64, e entry, base string, now time.Time) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	t := ts.actors[id]
	if t == nil || seq != t.last()+1 {
		if t != nil && seq == t.last() {
			return // acknowledged twice
		}
		ts.drop(id)
		t = &tail{base: seq - 1, sum: base}
		ts.actors[id] = t
	}
	t.entries = append(t.entries, e)
	t.used, t.told = now, false
	ts.bytes += e.size()
	ts.queue = append(ts.queue, kept{id, seq, now})
	ts.expire(now)
}

// expire lets go of what is old or too much.
func (ts *tails) expire(now time.Time) {
	n := 0
	for n < len(ts.queue) && (now.Sub(ts.queue[n].at) > keepTail || ts.bytes > ts.limit) {
		k := ts.queue[n]
		n++
		t := ts.actors[k.id]
		if t == nil || len(t.entries) == 0 || t.base+1 != k.seq {
			continue // dropped meanwhile
		}
		t.sum = t.entries[0].sum
		ts.bytes -= t.entries[0].size()
		t.entries[0] = entry{}
		t.entries = t.entries[1:]
		t.base++
	}
	clear(ts.queue[:n])
	ts.queue = ts.queue[n:]
	if now.Sub(ts.swept) < time.Minute {
		return
	}
	ts.swept = now
	for id, t := range ts.actors {
		if len(t.entries) == 0 && now.Sub(t.used) > keepQuiet {
			delete(ts.actors, id)
		}
	}
}

// forget lets go of an actor.
func (ts *tails) forget(id actor.ID) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	ts.drop(id)
}

func (ts *tails) drop(id actor.ID) {
	if t := ts.actors[id]; t != nil {
		for _, e := range t.entries {
			ts.bytes -= e.size()
		}
		delete(ts.actors, id)
	}
}

// verdict is what can be done about a journal that ends too early.
type verdict int

const (
	overtaken verdict = iota // it is not this node's journal
	restorable
	lost // it is this node's, and some of what is missing is not known here
)

// missing compares a journal that ends with entry end, whose data has the sum, with what
// this node knows, and returns the entries from there up to number after.
func (ts *tails) missing(id actor.ID, end uint64, sum string, after uint64) (verdict, []entry) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	t := ts.actors[id]
	switch {
	case t == nil || after > t.last():
		return overtaken, nil // never had so many
	case end < t.base || end == t.base && end > 0 && t.sum == "":
		return lost, nil
	case end == t.base && end > 0 && t.sum != sum,
		end > t.base && t.entries[end-t.base-1].sum != sum:
		return overtaken, nil
	}
	return restorable, append([]entry(nil), t.entries[end-t.base:after-t.base]...)
}

// tell is true once until the actor's next entry.
func (ts *tails) tell(id actor.ID) bool {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	t := ts.actors[id]
	if t == nil || t.told {
		return false
	}
	t.told = true
	return true
}
