package main

import (
	"time"

	"golang.org/x/sys/unix"
)

// pause sleeps to within some tens of microseconds; the runtime's own timers may be a millisecond late.
func pause(d time.Duration) {
	ts := unix.NsecToTimespec(d.Nanoseconds())
	_ = unix.Nanosleep(&ts, nil) // woken early it is called again
}
