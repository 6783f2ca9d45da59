package edge

import (
	"sync/atomic"
	"time"
)

// lag estimates a connection's round trip from this server's own pings. It follows the least of the last few samples,
// so one delayed answer does not raise it, and smooths that. One goroutine adds, any may read.
type lag struct {
	estimate atomic.Int64 // µs
	recent   [4]int64     // µs
	count    int
}

func (l *lag) add(sample time.Duration) {
	l.recent[l.count%len(l.recent)] = max(sample.Microseconds(), 0)
	l.count++
	least := l.recent[0]
	for _, s := range l.recent[1:min(l.count, len(l.recent))] {
		least = min(least, s)
	}
	if l.count == 1 {
		l.estimate.Store(least)
		return
	}
	old := l.estimate.Load()
	l.estimate.Store(old + (least-old)/4)
}

// ms is the estimate, rounded down; 0 before the first sample.
func (l *lag) ms() int64 { return l.estimate.Load() / 1000 }
