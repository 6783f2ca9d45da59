package store

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// The alarm is raised once, however long the database is away, and ended once; Err follows within an interval.
func TestAlarm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var said bytes.Buffer
		var answer atomic.Pointer[error]
		released := false
		ask := func(context.Context) error {
			if err := answer.Load(); err != nil {
				return *err
			}
			return nil
		}
		w := startWatch(ask, func() error { released = true; return nil }, slog.New(slog.NewTextHandler(&said, nil)))
		after := func(d time.Duration, err error) {
			t.Helper()
			time.Sleep(d)
			synctest.Wait()
			if got := w.state(); !errors.Is(got, err) {
				t.Errorf("state %v, want %v", got, err)
			}
		}
		gone := errors.New("connection refused")
		after(time.Minute, nil)
		if said.Len() > 0 {
			t.Errorf("said %q while all was well", said.String())
		}
		answer.Store(&gone)
		after(askEvery, gone)
		after(time.Minute, gone)
		answer.Store(nil)
		after(askEvery, nil)
		after(time.Minute, nil)
		lines := strings.Split(strings.TrimSpace(said.String()), "\n")
		if len(lines) != 2 || !strings.Contains(lines[0], "level=ERROR") || !strings.Contains(lines[0], "connection refused") ||
			!strings.Contains(lines[1], "answers again") || !strings.Contains(lines[1], "away=1m2s") {
			t.Errorf("said %q", lines)
		}
		answer.Store(&gone)
		w.suspect()
		w.suspect()
		after(0, gone)
		if err := w.end(); err != nil || !released {
			t.Errorf("end: %v, released %v", err, released)
		}
	})
}

// A question that is not answered is an answer, and does not keep the watch from ending.
func TestAlarmWithoutAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ask := func(ctx context.Context) error {
			<-ctx.Done()
			return ctx.Err()
		}
		w := startWatch(ask, func() error { return nil }, slog.New(slog.DiscardHandler))
		time.Sleep(askEvery + pingTime)
		synctest.Wait()
		if err := w.state(); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("state %v", err)
		}
		w.suspect()
		synctest.Wait()
		began := time.Now()
		if err := w.end(); err != nil || time.Since(began) > 0 {
			t.Errorf("end: %v after %v", err, time.Since(began))
		}
	})
}
