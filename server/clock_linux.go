package main

import (
	"time"

	"golang.org/x/sys/unix"
)

// bootTime is a monotonic clock that goes on while the machine is suspended.
func bootTime() func() time.Duration {
	return func() time.Duration {
		var now unix.Timespec
		if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &now); err != nil {
			panic("server: the machine has no clock: " + err.Error()) // Linux has it since 2.6.39
		}
		return time.Duration(now.Nano())
	}
}
