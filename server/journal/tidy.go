package journal

import (
	"fmt"
	"os"

	"flagfall/server/actor"
)

// tidy removes the oldest segments while nothing in them is wanted. When most of the
// log is unwanted but old entries of long-lived actors hold it back, it copies those to
// the end first. Segments go only from the oldest: so what says that an actor was
// forgotten is never removed before the entries it speaks of.
func (l *Log) tidy() error {
	for {
		l.mu.Lock()
		oldest := l.segs[0]
		free := len(l.segs) > 1 && oldest.live == 0
		pays := !free && len(l.segs) > 2 && l.mostlyUnwanted()
		l.mu.Unlock()
		switch {
		case free:
			if err := l.removeOldest(oldest); err != nil {
				return err
			}
		case pays:
			if err := l.moveAll(oldest); err != nil {
				return err
			}
		default:
			return nil
		}
	}
}

func (l *Log) mostlyUnwanted() bool {
	var live int64
	for _, s := range l.segs {
		live += s.live
	}
	return int64(len(l.segs)-1)*l.opt.SegmentSize > 4*live+2*l.opt.SegmentSize
}

func (l *Log) removeOldest(s *segment) error {
	l.token <- struct{}{}
	defer func() { <-l.token }()
	// Copies of its entries, and what says that others are unwanted, are in later
	// segments; all but the tail are on the disk already.
	if err := l.segs[len(l.segs)-1].sync(); err != nil {
		return err
	}
	if err := os.Remove(s.f.Name()); err != nil {
		return err
	}
	l.mu.Lock()
	l.segs = l.segs[1:]
	l.mu.Unlock()
	s.f.Close()
	return syncDir(l.dir)
}

// moveAll copies the wanted entries of a full segment to the end, some at a time so
// that appends get their turn.
func (l *Log) moveAll(s *segment) error {
	data := make([]byte, s.size-int64(len(segmentHead)))
	if _, err := s.f.ReadAt(data, int64(len(segmentHead))); err != nil {
		return err
	}
	for off := 0; off < len(data); {
		n, err := l.moveSome(s, data, off)
		if err != nil {
			return err
		}
		off = n
	}
	return nil
}

const moveAtOnce = 256 << 10

func (l *Log) moveSome(s *segment, data []byte, off int) (int, error) {
	l.token <- struct{}{}
	defer func() { <-l.token }()
	b := &batch{}
	l.mu.Lock()
	for off < len(data) && len(b.buf) < moveAtOnce {
		x, size, err := parseFrame(data[off:])
		if err != nil {
			l.mu.Unlock()
			return 0, fmt.Errorf("%s, offset %d: %w", s.f.Name(), off+len(segmentHead), err)
		}
		if x.what == isEntry && l.wanted(x.id, x.number, loc{s.num, uint32(off + len(segmentHead)), uint32(size)}) {
			b.add(x, l.actors[x.id], true)
		}
		off += size
	}
	l.mu.Unlock()
	if len(b.recs) == 0 {
		return off, nil
	}
	return off, l.commit(b)
}

func (l *Log) wanted(id actor.ID, seq uint64, at loc) bool {
	ix := l.actors[id]
	return ix != nil && seq >= ix.first && seq <= ix.last() && ix.locs[seq-ix.first] == at
}
