package store

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// askEvery is how often a watched database is asked whether it is there.
const askEvery = 2 * time.Second

// watch knows whether a database on the network answers, and says so in the log when that changes.
type watch struct {
	ask   func(context.Context) error
	log   *slog.Logger
	doubt chan struct{} // a statement failed: ask now
	stop  context.CancelFunc
	done  chan struct{}
	close func() error

	mu    sync.Mutex
	err   error
	since time.Time
}

// startWatch asks at intervals until Close, which calls release.
func startWatch(ask func(context.Context) error, release func() error, log *slog.Logger) *watch {
	ctx, stop := context.WithCancel(context.Background())
	w := &watch{ask: ask, log: log, doubt: make(chan struct{}, 1), stop: stop, done: make(chan struct{}), close: release}
	go w.run(ctx)
	return w
}

func (w *watch) run(ctx context.Context) {
	defer close(w.done)
	ticker := time.NewTicker(askEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		case <-w.doubt:
		}
		asking, cancel := context.WithTimeout(ctx, pingTime)
		err := w.ask(asking)
		cancel()
		if ctx.Err() != nil {
			return
		}
		w.note(err)
	}
}

// note keeps the answer, and raises the alarm or ends it.
func (w *watch) note(err error) {
	w.mu.Lock()
	before := w.err
	w.err = err
	since := w.since
	if err != nil && before == nil {
		w.since = time.Now()
	}
	w.mu.Unlock()
	switch {
	case err != nil && before == nil:
		w.log.Error("the database does not answer; games go on, their results wait in the journal", "err", err)
	case err == nil && before != nil:
		w.log.Info("the database answers again; what waited is written now", "away", time.Since(since).Round(time.Millisecond))
	}
}

// suspect has the database asked at once.
func (w *watch) suspect() {
	select {
	case w.doubt <- struct{}{}:
	default:
	}
}

func (w *watch) state() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// end waits for a question under way, which is bounded.
func (w *watch) end() error {
	w.stop()
	<-w.done
	return w.close()
}
