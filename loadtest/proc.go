package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// usageOf is what a process has used so far.
type usageOf struct {
	cpu  time.Duration // user and system
	now  int64         // bytes of resident memory
	peak int64         // the most there ever were
}

// clockTick is the unit of CPU time in /proc, which Linux fixes for user space.
const clockTick = 10 * time.Millisecond

// readUsage reads a process's CPU time and peak memory. ok is false where they cannot be read.
func readUsage(pid int) (u usageOf, ok bool) {
	if pid <= 0 {
		return u, false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return u, false
	}
	// The command's name stands in parentheses and may hold anything; the fields after it are numbered from 3.
	text := string(stat)
	fields := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
	if len(fields) < 13 {
		return u, false
	}
	for _, f := range fields[11:13] { // utime, stime
		ticks, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			return u, false
		}
		u.cpu += time.Duration(ticks) * clockTick
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return u, false
	}
	for line := range strings.Lines(string(status)) {
		name, rest, _ := strings.Cut(line, ":")
		if name != "VmHWM" && name != "VmRSS" {
			continue
		}
		kb, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 10, 64)
		switch {
		case err != nil:
			return u, false
		case name == "VmHWM":
			u.peak = kb * 1024
		default:
			u.now = kb * 1024
		}
	}
	return u, true
}
