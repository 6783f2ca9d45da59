package actor

import (
	"sync"
	"sync/atomic"
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
	iced time.Duration // of them, the time between freeze and thaw
	stop time.Duration // time lived at the start of the last gap
	held atomic.Bool   // see freeze; written under mu
}

// beat is one reading of the pulse.
type beat struct {
	lived time.Duration // time that the process has lived
	gaps  time.Duration // sum of the gaps
	iced  time.Duration // of those from freeze to thaw
	stop  time.Duration // lived at the start of the last gap
}

func (p *pulse) read() beat {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held.Load() {
		return beat{p.seen - p.gaps, p.gaps, p.iced, p.stop}
	}
	raw := p.now()
	if raw-p.seen > p.limit {
		p.stop = p.seen - p.gaps
		p.gaps += raw - p.seen
	}
	p.seen = max(p.seen, raw)
	return beat{p.seen - p.gaps, p.gaps, p.iced, p.stop}
}

// freeze has time stand until thaw.
func (p *pulse) freeze() {
	p.read()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.held.Store(true)
}

// thaw makes the time since freeze a gap.
func (p *pulse) thaw() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.held.Load() {
		return
	}
	raw := max(p.now(), p.seen)
	p.stop = p.seen - p.gaps
	p.gaps += raw - p.seen
	p.iced += raw - p.seen
	p.seen = raw
	p.held.Store(false)
}
