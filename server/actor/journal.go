package actor

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"time"
)

// ErrConflict says that the last entry of an actor is another than the one the
// append was to follow: somebody else owns the actor now.
var ErrConflict = errors.New("the journal has gone on without this owner")

// Journal keeps the entries of every actor. It is safe for concurrent use. The
// entries of one actor are numbered from 1 without gaps.
type Journal interface {
	// Append writes entry after+1 of an actor if its last entry is number after
	// (0: there is none), and returns when it survives the death of the
	// process. If the very same entry is already the last one, that is success,
	// so an append with an unknown outcome can be repeated. If the last entry is
	// any other: ErrConflict. Any other error leaves the journal as it was, or
	// has written the entry: repeat it to know. Data is not kept.
	Append(ctx context.Context, id ID, after uint64, data []byte) error
	// Read returns the kept entries of an actor with numbers above after, in
	// order. An actor that is not there has none.
	Read(ctx context.Context, id ID, after uint64) ([]Entry, error)
	// Live lists the actors that have entries, in no order.
	Live(ctx context.Context) ([]ID, error)
	// Trim drops the entries of an actor with numbers below before; the last
	// entry always stays.
	Trim(ctx context.Context, id ID, before uint64) error
	// Forget drops an actor with all its entries. Its id may be used again,
	// from entry 1.
	Forget(ctx context.Context, id ID) error
	// Beat records that an owner is alive. LastBeat returns the last one of an
	// incarnation; the latest 16 incarnations at least are kept. ok is false
	// when there is none.
	Beat(ctx context.Context, b Beat) error
	LastBeat(ctx context.Context, incarnation string) (b Beat, ok bool, err error)
}

// Immediate is implemented by a journal whose appends take about as long as a system
// call, so that it does no harm to wait for one.
type Immediate interface{ Immediate() bool }

// Entry is one entry of an actor's journal.
type Entry struct {
	Seq  uint64
	Data []byte
}

// Beat is a sign of life of an owner.
type Beat struct {
	Incarnation string        // random, new at each start of a process; 32 bytes at most
	Mono        time.Duration // the owner's monotonic reading, whole ms
	Wall        time.Time     // for estimates that are shown, never for clocks; whole ms
}

// Memory is a Journal in memory, for tests and for a hall that may forget.
type Memory struct {
	mu     sync.Mutex
	actors map[ID]*memoryActor
	beats  map[string]Beat
}

type memoryActor struct {
	first   uint64 // number of entries[0]
	entries [][]byte
}

// NewMemory returns an empty journal.
func NewMemory() *Memory {
	return &Memory{actors: map[ID]*memoryActor{}, beats: map[string]Beat{}}
}

func (a *memoryActor) last() uint64 {
	if a == nil {
		return 0
	}
	return a.first + uint64(len(a.entries)) - 1
}

// Immediate implements Immediate.
func (m *Memory) Immediate() bool { return true }

// Append implements Journal.
func (m *Memory) Append(ctx context.Context, id ID, after uint64, data []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	a := m.actors[id]
	switch {
	case a.last() == after:
		if a == nil {
			a = &memoryActor{first: 1}
			m.actors[id] = a
		}
		a.entries = append(a.entries, bytes.Clone(data))
		return nil
	case a.last() == after+1 && bytes.Equal(a.entries[len(a.entries)-1], data):
		return nil
	}
	return ErrConflict
}

// Read implements Journal.
func (m *Memory) Read(ctx context.Context, id ID, after uint64) ([]Entry, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	a := m.actors[id]
	if a == nil {
		return nil, nil
	}
	var out []Entry
	for i, data := range a.entries {
		if seq := a.first + uint64(i); seq > after {
			out = append(out, Entry{seq, bytes.Clone(data)})
		}
	}
	return out, nil
}

// Live implements Journal.
func (m *Memory) Live(ctx context.Context) ([]ID, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	ids := make([]ID, 0, len(m.actors))
	for id := range m.actors {
		ids = append(ids, id)
	}
	return ids, nil
}

// Last implements Ending.
func (m *Memory) Last(ctx context.Context, id ID) (Entry, bool, error) {
	if err := ctx.Err(); err != nil {
		return Entry{}, false, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	a := m.actors[id]
	if a == nil {
		return Entry{}, false, nil
	}
	return Entry{a.last(), bytes.Clone(a.entries[len(a.entries)-1])}, true, nil
}

// Trim implements Journal.
func (m *Memory) Trim(ctx context.Context, id ID, before uint64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	a := m.actors[id]
	if a == nil || before <= a.first {
		return nil
	}
	n := min(before-a.first, uint64(len(a.entries))-1)
	a.entries = append([][]byte(nil), a.entries[n:]...)
	a.first += n
	return nil
}

// Forget implements Journal.
func (m *Memory) Forget(ctx context.Context, id ID) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.actors, id)
	return nil
}

// Beat implements Journal.
func (m *Memory) Beat(ctx context.Context, b Beat) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.beats[b.Incarnation] = b
	return nil
}

// LastBeat implements Journal.
func (m *Memory) LastBeat(ctx context.Context, incarnation string) (Beat, bool, error) {
	if err := ctx.Err(); err != nil {
		return Beat{}, false, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	b, ok := m.beats[incarnation]
	return b, ok, nil
}
