package main

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"
)

// What is left to do is done at once, step by step; afterwards it looks every ten seconds; an error is tried again then.
func TestRerater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var steps int
		left := 3
		var fault error
		r := startRerater(func(context.Context, time.Time) (bool, error) {
			steps++
			if fault != nil {
				return false, fault
			}
			left = max(0, left-1)
			return left > 0, nil
		}, slog.New(slog.DiscardHandler))
		synctest.Wait()
		if steps != 3 {
			t.Fatalf("%d steps at once, want 3", steps)
		}
		left, fault = 2, errors.New("no room")
		time.Sleep(rerateEvery + time.Second)
		if steps != 4 || left != 2 {
			t.Fatalf("%d steps, %d left", steps, left)
		}
		fault = nil
		time.Sleep(rerateEvery)
		if steps != 6 || left != 0 {
			t.Fatalf("%d steps, %d left", steps, left)
		}
		r.close()
		time.Sleep(time.Minute)
		if steps != 6 {
			t.Fatalf("%d steps after the end", steps)
		}
	})
}
