// Package prover answers the questions of games whose rules ask for a proof. Its endgame tables are computed once, in the
// background, and kept in a folder; a question goes before the background and gets the tables that it needs.
package prover

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"flagfall/game"
	"flagfall/game/endgame"
)

// Config of a Prover.
type Config struct {
	Dir   string        // of the tables; it is made if it is not there
	After time.Duration // how long after Open the background begins; negative: only questions compute tables
	Log   *slog.Logger
}

// Prover has the tables. Safe for concurrent use.
type Prover struct {
	cfg     Config
	tables  *endgame.Tables
	work    sync.Mutex    // of whoever computes or loads tables
	waiting atomic.Int64  // questions that want tables: the background makes way
	search  chan struct{} // of whoever searches for a forced win: games need the processors too
	reach   chan struct{} // of whoever asks what is possible at all, mostly some milliseconds: it does not wait for the others
	closed  atomic.Bool
	counts  counts
	stop    chan struct{}
	done    chan struct{}
}

// ErrClosed says that the prover was closed before it had an answer.
var ErrClosed = errors.New("prover: closed")

// Open prepares the folder and begins, after a while, to complete the tables in the background.
func Open(cfg Config) (*Prover, error) {
	if cfg.Log == nil {
		cfg.Log = slog.Default()
	}
	if err := os.MkdirAll(cfg.Dir, 0o755); err != nil {
		return nil, fmt.Errorf("prover: %w", err)
	}
	p := &Prover{
		cfg: cfg, tables: &endgame.Tables{}, stop: make(chan struct{}), done: make(chan struct{}),
		search: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2)),
		reach:  make(chan struct{}, 1),
	}
	p.tidy()
	go p.background()
	return p, nil
}

// Close ends the background and every computation.
func (p *Prover) Close() error {
	if !p.closed.Swap(true) {
		close(p.stop)
	}
	<-p.done
	return nil
}

// Answer searches for the verdict; it may take seconds, with tables that have to be computed some minutes. The log names
// the game that asks.
func (p *Prover) Answer(ctx context.Context, id string, q game.Question) (game.Verdict, error) {
	p.counts.pending.Add(1)
	defer p.counts.pending.Add(-1)
	asked := time.Now()
	if err := p.prepare(ctx, q.Tables()); err != nil {
		return "", err
	}
	line := p.search
	if q.Kind == game.AskPossible {
		line = p.reach
	}
	select {
	case line <- struct{}{}:
	case <-ctx.Done():
		return "", ctx.Err()
	}
	defer func() { <-line }()
	began := time.Now()
	verdict, err := q.Answer(endgame.NewProver(p.tables))
	p.counts.count(verdict, time.Since(began))
	p.cfg.Log.Info("proof", "game", id, "kind", q.Kind, "side", q.Side.String(), "fen", q.FEN, "verdict", verdict,
		"waited", began.Sub(asked).Round(time.Millisecond), "took", time.Since(began).Round(time.Millisecond))
	return verdict, err
}

// Ready tells whether every table is there.
func (p *Prover) Ready() bool { return p.tables.Complete() }

func (p *Prover) missing(names []string) bool {
	for _, name := range names {
		if !p.tables.Has(name) {
			return true
		}
	}
	return false
}

func (p *Prover) prepare(ctx context.Context, names []string) error {
	if !p.missing(names) {
		return nil
	}
	p.waiting.Add(1)
	defer p.waiting.Add(-1)
	p.work.Lock()
	defer p.work.Unlock()
	stopped := func() bool { return p.closed.Load() || ctx.Err() != nil }
	err := p.library(stopped).Prepare(names)
	if errors.Is(err, endgame.ErrStopped) {
		if err = ctx.Err(); err == nil {
			err = ErrClosed
		}
	}
	return err
}

// background completes the tables, one at a time, while no question waits.
func (p *Prover) background() {
	defer close(p.done)
	if p.cfg.After < 0 {
		return
	}
	select {
	case <-time.After(p.cfg.After):
	case <-p.stop:
		return
	}
	began := time.Now()
	p.cfg.Log.Info("endgame tables are made ready in the background", "folder", p.cfg.Dir)
	for !p.tables.Complete() {
		err := p.next()
		switch {
		case p.closed.Load():
			return
		case err != nil && !errors.Is(err, endgame.ErrStopped):
			p.cfg.Log.Error("endgame tables", "err", err)
			return
		}
		select { // let a question that made us stop go first
		case <-time.After(time.Millisecond):
		case <-p.stop:
			return
		}
	}
	p.cfg.Log.Info("endgame tables are complete", "took", time.Since(began).Round(time.Second), "bytes", p.tables.Bytes())
}

// next makes the first missing table.
func (p *Prover) next() error {
	p.work.Lock()
	defer p.work.Unlock()
	library := p.library(func() bool { return p.closed.Load() || p.waiting.Load() > 0 })
	for _, name := range endgame.Materials() {
		if !p.tables.Has(name) {
			return library.Prepare([]string{name})
		}
	}
	return nil
}

func (p *Prover) library(stop func() bool) *endgame.Library {
	return &endgame.Library{Tables: p.tables, Load: p.load, Save: p.save, Stop: stop}
}

func (p *Prover) path(name string) string { return filepath.Join(p.cfg.Dir, name+".table") }

func (p *Prover) load(name string) ([]byte, error) {
	packed, err := os.ReadFile(p.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return packed, err
}

// save keeps a table. One that cannot be kept serves until the end of the process.
func (p *Prover) save(name string, packed []byte) error {
	if _, err := os.Lstat(p.path(name)); err == nil {
		p.cfg.Log.Warn("an endgame table could not be read and was computed anew", "file", p.path(name))
	}
	if err := p.write(name, packed); err != nil {
		p.cfg.Log.Warn("an endgame table is not kept", "file", p.path(name), "err", err)
		return nil
	}
	p.cfg.Log.Debug("an endgame table is kept", "file", p.path(name), "bytes", len(packed))
	return nil
}

// newFile begins the name of a file that is being written.
const newFile = "new-"

// write makes the file whole or not at all.
func (p *Prover) write(name string, packed []byte) error {
	temp, err := os.CreateTemp(p.cfg.Dir, newFile)
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	_, err = temp.Write(packed)
	if err = errors.Join(err, temp.Close()); err != nil {
		return err
	}
	return os.Rename(temp.Name(), p.path(name))
}

// tidy removes what a process that was killed in the middle of a write left an hour ago or earlier.
func (p *Prover) tidy() {
	left, _ := filepath.Glob(filepath.Join(p.cfg.Dir, newFile+"*")) // the pattern is a good one
	for _, name := range left {
		if info, err := os.Lstat(name); err == nil && time.Since(info.ModTime()) > time.Hour {
			_ = os.Remove(name) // it harms nobody where it is
		}
	}
}
