// Package journal is the one-node journal: an append-only log in a folder, which
// survives the death of the process at any moment. What was appended less than a
// second ago may be lost when the machine loses power: it is written at once and
// synced every second.
//
// The folder holds numbered segments of checked records, the file beats with the
// last signs of life of the latest processes, and a lock file.
package journal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"flagfall/server/actor"
)

var errClosed = errors.New("the journal is closed")

// Options of a log; the zero value is right for a server.
type Options struct {
	SyncEvery   time.Duration // default 1 s
	SegmentSize int64         // bytes, default 32 MiB, 1 GiB at most
	Log         *slog.Logger
}

// Log is a journal in a folder.
type Log struct {
	dir   string
	opt   Options
	log   *slog.Logger
	lock  *os.File
	beats *beats
	stop  chan struct{}
	done  chan struct{}

	// token is held by whoever writes: it guards the tail, and which segments
	// there are. Never wait for it with mu held.
	token  chan struct{}
	broken bool // a failed write could not be cut off; guarded by token

	mu     sync.Mutex
	actors map[actor.ID]*index
	batch  *batch     // gathers records for the next write
	segs   []*segment // by number, without gaps; the last is the tail
	closed bool
}

// index says where the entries of an actor are.
type index struct {
	first   uint64 // number of locs[0]
	locs    []loc  // empty only while the first entry is being written, or failed to be
	pending *batch // with a record of the actor that is being written
}

type loc struct{ seg, off, size uint32 }

func (ix *index) last() uint64 {
	if ix == nil {
		return 0
	}
	return ix.first + uint64(len(ix.locs)) - 1
}

// batch is a group of records that travel in one write.
type batch struct {
	buf  []byte
	recs []rec
	err  error         // written before done is closed
	done chan struct{} // made, with mu held, by the first one who waits for another's write
}

// wait returns what to wait for, with mu held.
func (b *batch) wait() <-chan struct{} {
	if b.done == nil {
		b.done = make(chan struct{})
	}
	return b.done
}

// batches are used again when nobody waited for them.
var batches = sync.Pool{New: func() any { return &batch{} }}

// largeBatch is not used again, in bytes.
const largeBatch = 64 << 10

type rec struct {
	what   what
	moved  bool // an entry copied from an old segment
	id     actor.ID
	of     *index
	number uint64
	off    uint32 // in the batch
	size   uint32
}

func (b *batch) add(x body, of *index, moved bool) {
	off := len(b.buf)
	b.buf = appendFrame(b.buf, x)
	b.recs = append(b.recs, rec{x.what, moved, x.id, of, x.number, uint32(off), uint32(len(b.buf) - off)})
}

// Immediate implements actor.Immediate: an append is one write into the system's cache.
func (l *Log) Immediate() bool { return true }

// Append implements actor.Journal.
func (l *Log) Append(ctx context.Context, id actor.ID, after uint64, data []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(id) == 0 || len(id) > 255 || len(data) > maxBody-300 {
		return fmt.Errorf("an entry of %d bytes for actor %.40q cannot be written", len(data), string(id))
	}
	l.mu.Lock()
	ix, err := l.settled(id)
	if err != nil {
		l.mu.Unlock()
		return err
	}
	if last := ix.last(); last != after {
		defer l.mu.Unlock()
		if last != after+1 {
			return actor.ErrConflict
		}
		had, err := l.read(ix.locs[len(ix.locs)-1])
		if err == nil && !bytes.Equal(had.data, data) {
			err = actor.ErrConflict
		}
		return err
	}
	if ix == nil {
		ix = &index{first: 1}
		l.actors[id] = ix
	}
	return l.write(body{isEntry, id, after + 1, data}, ix)
}

// settled waits, with mu held, until no record of the actor is being written, and gives its index, nil for none.
func (l *Log) settled(id actor.ID) (*index, error) {
	for !l.closed {
		ix := l.actors[id]
		if ix == nil || ix.pending == nil {
			return ix, nil
		}
		done := ix.pending.wait()
		l.mu.Unlock()
		<-done
		l.mu.Lock()
	}
	return nil, errClosed
}

// write adds a record to the open batch and sees it written. Called with mu held,
// it returns without.
func (l *Log) write(x body, of *index) error {
	b := l.batch
	joined := b != nil
	if !joined {
		b = batches.Get().(*batch)
		l.batch = b
	}
	b.add(x, of, false)
	of.pending = b
	var done <-chan struct{} // set when another may write the batch
	if joined {
		done = b.wait()
	}
	select {
	case l.token <- struct{}{}: // nobody writes: no need to wait for anyone
	default:
		done = b.wait()
		l.mu.Unlock()
		select {
		case <-done:
			return b.err
		case l.token <- struct{}{}:
		}
		l.mu.Lock()
	}
	if l.batch != b { // another writer took it along
		l.mu.Unlock()
		<-l.token
		<-done
		return b.err
	}
	l.batch = nil
	l.mu.Unlock()
	err := l.commit(b)
	<-l.token
	return err
}

// commit writes a batch to the tail and takes it into the index. The caller holds
// the token, and does not use the batch afterwards.
func (l *Log) commit(b *batch) error {
	tail, off, err := l.put(b.buf)
	b.err = err
	l.mu.Lock()
	for _, r := range b.recs {
		if !r.moved {
			r.of.pending = nil
		}
		switch {
		case err == nil:
			l.apply(r, loc{tail.num, off + r.off, r.size})
		case len(r.of.locs) == 0:
			delete(l.actors, r.id) // its first entry
		}
	}
	done := b.done
	l.mu.Unlock()
	switch {
	case done != nil:
		close(done)
	case cap(b.buf) <= largeBatch:
		clear(b.recs)
		b.buf, b.recs, b.err = b.buf[:0], b.recs[:0], nil
		batches.Put(b)
	}
	return err
}

// put writes bytes at the end of the tail, or leaves the log as it was.
func (l *Log) put(buf []byte) (*segment, uint32, error) {
	tail := l.segs[len(l.segs)-1]
	if l.broken {
		if err := tail.f.Truncate(tail.size); err != nil {
			return nil, 0, fmt.Errorf("journal: %s cannot be repaired: %w", tail.f.Name(), err)
		}
		l.broken = false
	}
	if tail.size+int64(len(buf)) > l.opt.SegmentSize && tail.size > int64(len(segmentHead)) {
		next, err := l.roll(tail)
		if err != nil {
			return nil, 0, err
		}
		tail = next
	}
	off := tail.size
	if _, err := tail.f.WriteAt(buf, off); err != nil {
		l.broken = tail.f.Truncate(off) != nil
		return nil, 0, fmt.Errorf("journal: %w", err)
	}
	tail.size += int64(len(buf))
	tail.dirty.Store(true)
	return tail, uint32(off), nil
}

// roll closes the tail and begins the next segment. All that is in the tail is on
// the disk before the next one exists, so that only the last segment can be torn.
func (l *Log) roll(tail *segment) (*segment, error) {
	if err := tail.sync(); err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	next, err := createSegment(l.dir, tail.num+1)
	if err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	l.mu.Lock()
	l.segs = append(l.segs, next)
	l.mu.Unlock()
	return next, nil
}

// apply takes a written record into the index, with mu held.
func (l *Log) apply(r rec, at loc) {
	ix := r.of
	switch {
	case r.what == isForget:
		l.drop(ix.locs)
		delete(l.actors, r.id)
		return
	case r.what == isTrim:
		n := r.number - ix.first
		l.drop(ix.locs[:n])
		ix.locs = append([]loc(nil), ix.locs[n:]...)
		ix.first = r.number
		return
	case r.moved:
		i := r.number - ix.first
		l.drop(ix.locs[i : i+1])
		ix.locs[i] = at
	default:
		ix.locs = append(ix.locs, at)
	}
	l.seg(at).live += int64(at.size)
}

func (l *Log) seg(at loc) *segment { return l.segs[at.seg-l.segs[0].num] }

func (l *Log) drop(locs []loc) {
	for _, at := range locs {
		l.seg(at).live -= int64(at.size)
	}
}

// read fetches a record, with mu held.
func (l *Log) read(at loc) (body, error) {
	buf := make([]byte, at.size)
	f := l.seg(at).f
	if _, err := f.ReadAt(buf, int64(at.off)); err != nil {
		return body{}, fmt.Errorf("journal: %w", err)
	}
	x, _, err := parseFrame(buf)
	if err != nil {
		return body{}, fmt.Errorf("journal: %s, offset %d: %w", f.Name(), at.off, err)
	}
	return x, nil
}

// Read implements actor.Journal.
func (l *Log) Read(ctx context.Context, id actor.ID, after uint64) ([]actor.Entry, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, errClosed
	}
	ix := l.actors[id]
	if ix.last() <= after {
		return nil, nil
	}
	from := max(after+1, ix.first)
	out := make([]actor.Entry, 0, ix.last()-from+1)
	for seq := from; seq <= ix.last(); seq++ {
		x, err := l.read(ix.locs[seq-ix.first])
		if err != nil {
			return nil, err
		}
		out = append(out, actor.Entry{Seq: seq, Data: x.data})
	}
	return out, nil
}

// Live implements actor.Journal.
func (l *Log) Live(ctx context.Context) ([]actor.ID, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, errClosed
	}
	ids := make([]actor.ID, 0, len(l.actors))
	for id, ix := range l.actors {
		if len(ix.locs) > 0 {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// Trim implements actor.Journal.
func (l *Log) Trim(ctx context.Context, id actor.ID, before uint64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	l.mu.Lock()
	ix, err := l.settled(id)
	if err != nil {
		l.mu.Unlock()
		return err
	}
	before = min(before, ix.last())
	if ix == nil || before <= ix.first {
		l.mu.Unlock()
		return nil
	}
	return l.write(body{what: isTrim, id: id, number: before}, ix)
}

// Forget implements actor.Journal.
func (l *Log) Forget(ctx context.Context, id actor.ID) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	l.mu.Lock()
	ix, err := l.settled(id)
	if err != nil || ix == nil {
		l.mu.Unlock()
		return err
	}
	return l.write(body{what: isForget, id: id}, ix)
}

// Beat implements actor.Journal.
func (l *Log) Beat(ctx context.Context, b actor.Beat) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return l.beats.put(b)
}

// LastBeat implements actor.Journal.
func (l *Log) LastBeat(ctx context.Context, incarnation string) (actor.Beat, bool, error) {
	if err := ctx.Err(); err != nil {
		return actor.Beat{}, false, err
	}
	b, ok := l.beats.get(incarnation)
	return b, ok, nil
}
