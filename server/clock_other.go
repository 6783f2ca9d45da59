//go:build !linux

package main

import "time"

// bootTime is a monotonic clock.
func bootTime() func() time.Duration {
	began := time.Now()
	return func() time.Duration { return time.Since(began) }
}
