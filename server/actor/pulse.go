package actor

import (
	"sync"
	"time"
)

// pulse is the owner's clock: a monotonic reading from which every gap is
// taken out in which the process did not run. Each reading is also the check for
// a gap, so whoever looks first after a stop finds it.
type pulse struct {
	now   func() time.Duration
	limit time.Duration

	mu   sync.Mutex
	seen time.Duration // the latest raw reading
	gaps time.Duration // all gaps so far
}

// read returns the time that the process has lived, and the sum of the gaps.
func (p *pulse) read() (lived, gaps time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	raw := p.now()
	if raw-p.seen > p.limit {
		p.gaps += raw - p.seen
	}
	p.seen = max(p.seen, raw)
	return p.seen - p.gaps, p.gaps
}
