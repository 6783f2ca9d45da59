// Package tee is a journal that keeps a copy of everything that was ever journaled, for checks after a run: entries that
// were trimmed or forgotten too, and both where two owners wrote the same number.
//
// An entry is copied when its append has succeeded, or when it is read. A process may die between the one and the other
// write; but nobody writes behind an entry, trims it or forgets it who has not appended or read it, so that the copies of
// all processes together lack at most the last entry of an actor whose journal is still there.
package tee

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"flagfall/server/actor"
)

// Line is one line of a copy, a JSON object.
type Line struct {
	Time  int64    `json:"t"` // civil, Unix ms, by the clock of the process
	Actor actor.ID `json:"id"`
	Seq   uint64   `json:"seq"`
	Data  []byte   `json:"data"`           // the entry, in JSON as base64
	Read  bool     `json:"read,omitempty"` // copied from the journal; else this process has appended it
}

// Journal is an actor.Journal that copies another one's entries.
type Journal struct {
	actor.Journal

	mu     sync.Mutex
	file   *os.File
	copied map[actor.ID]uint64 // the last entry that this process has copied
	failed error
}

var (
	_ actor.Journal = (*Journal)(nil)
	_ actor.Ending  = (*Journal)(nil)
)

const extension = ".journal"

// Over copies what passes through a journal into a new file in the folder, which is made if it is not there. Close ends
// the copy and leaves the journal as it is.
func Over(journal actor.Journal, folder string) (*Journal, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("copy of the journal: %w", err)
	}
	pattern := fmt.Sprintf("%s-%d-*%s", time.Now().UTC().Format("20060102T150405.000000000"), os.Getpid(), extension)
	file, err := os.CreateTemp(folder, pattern)
	if err != nil {
		return nil, fmt.Errorf("copy of the journal: %w", err)
	}
	return &Journal{Journal: journal, file: file, copied: map[actor.ID]uint64{}}, nil
}

// Immediate implements actor.Immediate: as the journal that is copied.
func (j *Journal) Immediate() bool {
	inner, ok := j.Journal.(actor.Immediate)
	return ok && inner.Immediate()
}

// Last implements actor.Ending, where the journal that is copied does.
func (j *Journal) Last(ctx context.Context, id actor.ID) (actor.Entry, bool, error) {
	inner, ok := j.Journal.(actor.Ending)
	if !ok {
		return actor.Entry{}, false, errors.New("the journal that is copied is not one of several nodes")
	}
	return inner.Last(ctx, id)
}

// Append implements actor.Journal. What cannot be copied is not acknowledged.
func (j *Journal) Append(ctx context.Context, id actor.ID, after uint64, data []byte) error {
	if err := j.Journal.Append(ctx, id, after, data); err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.write(Line{Actor: id, Seq: after + 1, Data: data})
}

// Read implements actor.Journal.
func (j *Journal) Read(ctx context.Context, id actor.ID, after uint64) ([]actor.Entry, error) {
	entries, err := j.Journal.Read(ctx, id, after)
	if err != nil {
		return nil, err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, e := range entries {
		if e.Seq <= j.copied[id] {
			continue
		}
		if err := j.write(Line{Actor: id, Seq: e.Seq, Data: e.Data, Read: true}); err != nil {
			return nil, err
		}
	}
	return entries, nil
}

// Forget implements actor.Journal.
func (j *Journal) Forget(ctx context.Context, id actor.ID) error {
	err := j.Journal.Forget(ctx, id)
	if err == nil {
		j.mu.Lock()
		defer j.mu.Unlock()
		delete(j.copied, id)
	}
	return err
}

// write adds a line by one call, so that it survives the death of the process; mu is held.
func (j *Journal) write(l Line) error {
	if j.failed != nil {
		return j.failed
	}
	l.Time = time.Now().UnixMilli()
	text, err := json.Marshal(l)
	if err == nil {
		_, err = j.file.Write(append(text, '\n'))
	}
	if err != nil { // half a line may be there, nothing can follow it
		j.failed = fmt.Errorf("copy of the journal: %w", err)
		return j.failed
	}
	j.copied[l.Actor] = l.Seq
	return nil
}

// Close ends the copy.
func (j *Journal) Close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.failed == nil {
		j.failed = errors.New("the copy of the journal is closed")
	}
	return j.file.Close()
}

// Copy is what one process has copied, in its order.
type Copy struct {
	Process string // name of the file; by name they are in the order of their beginnings
	Lines   []Line
}

// Load reads all copies in a folder. A last line that a dying process has left unfinished is not taken.
func Load(folder string) ([]Copy, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*"+extension))
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	var copies []Copy
	for _, name := range files {
		lines, err := load(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		copies = append(copies, Copy{Process: filepath.Base(name), Lines: lines})
	}
	return copies, nil
}

func load(name string) ([]Line, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var lines []Line
	for r := bufio.NewReaderSize(file, 1<<16); ; {
		text, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return lines, nil
		}
		if err != nil {
			return nil, err
		}
		var l Line
		if err := json.Unmarshal(text, &l); err != nil {
			return nil, fmt.Errorf("line %d: %w", len(lines)+1, err)
		}
		lines = append(lines, l)
	}
}
