package journal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"flagfall/server/actor"
)

// Prefix is all that was in a journal at one moment. It is what a process that was killed at that moment would have
// left: a copy of it opens as a journal does after a crash.
type Prefix struct {
	segs  []part
	beats []byte
}

type part struct {
	num  uint32
	f    *os.File
	size int64
}

// fixTries bounds how often Fix begins anew because the writer removed a segment meanwhile.
const fixTries = 10

// Fix takes hold of what the journal in a folder holds now. It reads beside a process that writes to the journal, which
// is neither stopped nor told: segments only grow, and what has been removed stays readable until Close.
func Fix(dir string) (*Prefix, error) {
	for try := 1; ; try++ {
		p, err := fix(dir)
		if err == nil {
			return p, nil
		}
		p.Close()
		if try == fixTries || !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("journal: %w", err)
		}
	}
}

func fix(dir string) (*Prefix, error) {
	p := &Prefix{}
	nums, err := segmentNumbers(dir)
	if err != nil {
		return p, err
	}
	if len(nums) == 0 {
		return p, fmt.Errorf("%s has no segments: %w", dir, fs.ErrNotExist)
	}
	// Opened from the oldest, which is the first to go; what is still wanted of it is in a later one by then. Sizes come
	// afterwards: of those listed only the last can grow, so what is taken ends there.
	for _, num := range nums {
		f, err := os.Open(segmentName(dir, num))
		if err != nil {
			return p, err
		}
		p.segs = append(p.segs, part{num: num, f: f})
	}
	for i := range p.segs {
		info, err := p.segs[i].f.Stat()
		if err != nil {
			return p, err
		}
		p.segs[i].size = info.Size()
	}
	if p.beats, err = os.ReadFile(filepath.Join(dir, "beats")); errors.Is(err, fs.ErrNotExist) {
		err = nil // nobody has lived long enough
	}
	return p, err
}

// WriteTo makes a journal of it in a folder, which is made and must not be there, and opens that to see that it is whole.
// It gives the actors that are in it.
func (p *Prefix) WriteTo(dir string) ([]actor.ID, error) {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	for _, s := range p.segs {
		if err := writeFile(segmentName(dir, s.num), io.NewSectionReader(s.f, 0, s.size)); err != nil {
			return nil, fmt.Errorf("journal: %w", err)
		}
	}
	if len(p.beats) > 0 {
		if err := os.WriteFile(filepath.Join(dir, "beats"), p.beats, 0o600); err != nil {
			return nil, fmt.Errorf("journal: %w", err)
		}
	}
	return ids(dir)
}

// ids lists the actors of a journal that nobody has open. A record that was being written at the end is cut off.
func ids(dir string) ([]actor.ID, error) {
	l, err := Open(dir, Options{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return nil, err
	}
	found, err := l.Live(context.Background())
	return found, errors.Join(err, l.Close())
}

func writeFile(name string, from io.Reader) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// Close lets the segments go.
func (p *Prefix) Close() {
	for _, s := range p.segs {
		s.f.Close()
	}
}
