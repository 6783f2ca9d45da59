package main

import (
	"runtime"
	"testing"
	"time"
)

// Whatever of the time of all CPUs is not idle is somebody's.
func TestIdling(t *testing.T) {
	began := time.Now()
	before := idling{at: began, cpus: 2, idle: 100 * time.Second}
	for _, c := range []struct {
		idle, busy time.Duration
	}{
		{20 * time.Second, 0},
		{15 * time.Second, 5 * time.Second},
		{0, 20 * time.Second},
		{21 * time.Second, 0}, // the idle time has ticks of ten milliseconds
	} {
		got := idling{at: began.Add(10 * time.Second), cpus: 2, idle: 100*time.Second + c.idle}.since(before)
		if got.busy != c.busy || got.idle != c.idle {
			t.Errorf("%v idle: %+v", c.idle, got)
		}
	}
	if now := readIdling(); runtime.GOOS == "linux" && (now.cpus < 1 || now.idle <= 0) {
		t.Errorf("%+v", now)
	}
}
