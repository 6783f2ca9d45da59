package journal

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"flagfall/server/actor"
)

// Open opens the journal in a folder, which is made if it is not there. A record that
// was being written when the process died is cut off. Anything else that is not as it
// was written is an error with file and offset, and so is a folder that another process
// has open.
func Open(dir string, opt Options) (*Log, error) {
	if opt.SyncEvery <= 0 {
		opt.SyncEvery = time.Second
	}
	if opt.SegmentSize <= 0 {
		opt.SegmentSize = 32 << 20
	}
	opt.SegmentSize = min(opt.SegmentSize, 1<<30)
	if opt.Log == nil {
		opt.Log = slog.Default()
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	lock, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	l := &Log{
		dir: dir, opt: opt, log: opt.Log, lock: lock,
		stop: make(chan struct{}), done: make(chan struct{}),
		token:  make(chan struct{}, 1),
		actors: map[actor.ID]*index{},
	}
	if err := lockFile(lock); err != nil {
		lock.Close()
		return nil, fmt.Errorf("journal: %s is in use by another process: %w", dir, err)
	}
	if err := l.load(); err != nil {
		l.closeFiles()
		return nil, fmt.Errorf("journal: %w", err)
	}
	go l.keep()
	return l, nil
}

// found is an entry met while loading. Compaction copies entries to the end, so those
// of an actor need not be in order, and can be there twice.
type found struct {
	seq uint64
	at  loc
}

func (l *Log) load() error {
	var err error
	if l.beats, err = openBeats(l.dir); err != nil {
		return err
	}
	nums, err := segmentNumbers(l.dir)
	if err != nil {
		return err
	}
	entries := map[actor.ID][]found{}
	for i, num := range nums {
		s, cut, err := openSegment(l.dir, num, i == len(nums)-1, func(b body, at loc) { collect(entries, b, at) })
		if err != nil {
			return err
		}
		if cut > 0 {
			l.log.Warn("the journal ended in an unfinished record, which was never acknowledged", "file", s.f.Name(), "bytes", cut)
		}
		l.segs = append(l.segs, s)
	}
	if len(nums) == 0 {
		s, err := createSegment(l.dir, 1)
		if err != nil {
			return err
		}
		l.segs = append(l.segs, s)
	}
	for id, list := range entries {
		if len(list) == 0 {
			continue
		}
		ix, err := indexOf(list)
		if err != nil {
			return fmt.Errorf("actor %s: %w", id, err)
		}
		l.actors[id] = ix
		for _, at := range ix.locs {
			l.seg(at).live += int64(at.size)
		}
	}
	return nil
}

func collect(entries map[actor.ID][]found, b body, at loc) {
	switch b.what {
	case isEntry:
		entries[b.id] = append(entries[b.id], found{b.number, at})
	case isTrim:
		entries[b.id] = slices.DeleteFunc(entries[b.id], func(f found) bool { return f.seq < b.number })
	case isForget:
		delete(entries, b.id)
	}
}

func indexOf(list []found) (*index, error) {
	slices.SortStableFunc(list, func(a, b found) int {
		switch {
		case a.seq < b.seq:
			return -1
		case a.seq > b.seq:
			return 1
		}
		return 0
	})
	ix := &index{first: list[0].seq, locs: make([]loc, 0, len(list))}
	for i, f := range list {
		switch {
		case i > 0 && f.seq == list[i-1].seq:
			ix.locs[len(ix.locs)-1] = f.at
		case f.seq == ix.first+uint64(len(ix.locs)):
			ix.locs = append(ix.locs, f.at)
		default:
			return nil, fmt.Errorf("entry %d is missing", ix.first+uint64(len(ix.locs)))
		}
	}
	return ix, nil
}

// Close writes everything to the disk and lets the folder go.
func (l *Log) Close() error {
	l.mu.Lock()
	if l.closed {
		l.mu.Unlock()
		return nil
	}
	l.closed = true
	l.mu.Unlock()
	close(l.stop)
	<-l.done
	l.token <- struct{}{}
	// What had joined a batch before closed was set gets its turn.
	for {
		l.mu.Lock()
		b := l.batch
		l.batch = nil
		l.mu.Unlock()
		if b == nil {
			break
		}
		_ = l.commit(b) // its writers are told
	}
	err := l.segs[len(l.segs)-1].sync()
	l.closeFiles()
	<-l.token
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	return nil
}

func (l *Log) closeFiles() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range l.segs {
		s.f.Close()
	}
	if l.beats != nil {
		l.beats.close()
	}
	l.lock.Close() // this unlocks it
}

// keep syncs and tidies up in the background.
func (l *Log) keep() {
	defer close(l.done)
	ticker := time.NewTicker(l.opt.SyncEvery)
	defer ticker.Stop()
	for {
		select {
		case <-l.stop:
			return
		case <-ticker.C:
		}
		l.mu.Lock()
		tail := l.segs[len(l.segs)-1]
		l.mu.Unlock()
		if err := tail.sync(); err != nil && !errors.Is(err, os.ErrClosed) {
			l.log.Error("the journal could not be synced: a power failure now loses more than a second", "err", err)
			continue
		}
		if err := l.tidy(); err != nil {
			l.log.Error("the journal could not be tidied up", "err", err)
		}
	}
}
