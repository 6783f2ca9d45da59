package main

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"flagfall/server/store"
)

// rerateEvery is how often a server looks whether results were corrected, by whatever program, so that ratings must follow.
const rerateEvery = 10 * time.Second

// rerater computes ratings again in the background. It goes on with what another one has left, and leaves what it has not done.
type rerater struct {
	stop context.CancelFunc
	done sync.WaitGroup
}

// startRerater begins; step is store.Store.Rerate.
func startRerater(step func(context.Context, time.Time) (bool, error), log *slog.Logger) *rerater {
	ctx, stop := context.WithCancel(context.Background())
	r := &rerater{stop: stop}
	r.done.Go(func() {
		ticker := time.NewTicker(rerateEvery)
		defer ticker.Stop()
		for {
			more, err := step(ctx, time.Now())
			if err != nil && ctx.Err() == nil && !errors.Is(err, store.ErrUnavailable) { // the store raises that alarm
				log.Error("ratings could not be computed again; it is tried again", "err", err)
			}
			if more && err == nil && ctx.Err() == nil {
				continue
			}
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
		}
	})
	return r
}

// close breaks a step off, which leaves nothing behind.
func (r *rerater) close() {
	r.stop()
	r.done.Wait()
}
