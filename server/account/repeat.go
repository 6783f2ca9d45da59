package account

import (
	"context"
	"log/slog"
	"time"
)

// repeater does something again and again, in a goroutine of its own.
type repeater struct {
	stop context.CancelFunc
	done chan struct{}
}

// repeat brings something up to date at regular times until end. The log is told when that begins to fail and when it
// works again; meanwhile what is in memory serves on.
func repeat(every time.Duration, what string, log *slog.Logger, read func(context.Context) error) *repeater {
	ctx, stop := context.WithCancel(context.Background())
	r := &repeater{stop: stop, done: make(chan struct{})}
	go func() {
		defer close(r.done)
		ticker := time.NewTicker(every)
		defer ticker.Stop()
		failing := false
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			err := read(ctx)
			switch {
			case ctx.Err() != nil:
				return
			case err != nil && !failing:
				log.Warn(what+" cannot be brought up to date; what is in memory serves on", "err", err)
			case err == nil && failing:
				log.Info(what + " is up to date again")
			}
			failing = err != nil
		}
	}()
	return r
}

// end waits for a reading under way, whose context ends.
func (r *repeater) end() {
	r.stop()
	<-r.done
}
