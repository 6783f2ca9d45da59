package main

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// What is left to do is done at once, step by step; afterwards it looks every ten seconds; an error is tried again then.
func TestRerater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		steps, left := 0, 3
		var fault error
		r := startRerater(func(context.Context, time.Time) (bool, error) {
			mu.Lock()
			defer mu.Unlock()
			steps++
			if fault != nil {
				return false, fault
			}
			left = max(0, left-1)
			return left > 0, nil
		}, slog.New(slog.DiscardHandler))
		is := func(when string, wantSteps, wantLeft int) {
			t.Helper()
			synctest.Wait()
			mu.Lock()
			defer mu.Unlock()
			if steps != wantSteps || left != wantLeft {
				t.Fatalf("%s: %d steps and %d left, want %d and %d", when, steps, left, wantSteps, wantLeft)
			}
		}
		set := func(toDo int, err error) {
			mu.Lock()
			defer mu.Unlock()
			left, fault = toDo, err
		}
		is("at once", 3, 0)
		set(2, errors.New("no room"))
		time.Sleep(rerateEvery + time.Second)
		is("with an error", 4, 2)
		set(2, nil)
		time.Sleep(rerateEvery)
		is("after it", 6, 0)
		r.close()
		time.Sleep(time.Minute)
		is("after the end", 6, 0)
	})
}
