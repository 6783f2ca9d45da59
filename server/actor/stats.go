package actor

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// Stats are what a hall counts. Counters begin at zero with the hall.
type Stats struct {
	Kinds   []KindStats   // by name
	Effects []EffectStats // by kind and pool; a pool is there once it was used
	// Appends are steps that were journaled, AppendFailures attempts that failed, Waiting the actors whose step the
	// journal has refused and which try again.
	Appends, AppendFailures uint64
	Waiting                 int
	AppendTime              Times // from a step's first attempt to its success
	// HeartbeatAge is how long ago the journal took the last heartbeat; Gaps sums the times in which the process did
	// not run.
	HeartbeatAge, Gaps time.Duration
}

// KindStats are of the actors of one kind. Commands are those from outside that were answered: neither ticks nor
// acknowledgements.
type KindStats struct {
	Kind                                  string
	Running                               int
	Accepted, Refused, Duplicated, Failed uint64
}

// EffectStats are of the effects of one kind and pool.
type EffectStats struct {
	Kind, Pool string
	Pending    int    // running, waiting for a worker, or for the next try
	Failing    int    // of these, those whose last try failed
	Failures   uint64 // tries that failed, final refusals too
}

// Times is a distribution. Counts[i] are those that took Bounds[i] at most and longer than the bound before; the last
// count, one more than there are bounds, is of those that took longer.
type Times struct {
	Bounds []time.Duration
	Counts []uint64
	Sum    time.Duration
}

// appendBounds reach from a write into the page cache to a journal that is away.
var appendBounds = [...]time.Duration{
	50 * time.Microsecond, 100 * time.Microsecond, 250 * time.Microsecond, 500 * time.Microsecond,
	time.Millisecond, 2500 * time.Microsecond, 5 * time.Millisecond, 10 * time.Millisecond, 25 * time.Millisecond,
	50 * time.Millisecond, 100 * time.Millisecond, 250 * time.Millisecond, 500 * time.Millisecond,
	time.Second, 2500 * time.Millisecond, 5 * time.Second,
}

// times gathers a distribution.
type times struct {
	counts [len(appendBounds) + 1]atomic.Uint64
	sum    atomic.Int64
}

func (t *times) add(d time.Duration) {
	i := 0
	for i < len(appendBounds) && d > appendBounds[i] {
		i++
	}
	t.counts[i].Add(1)
	t.sum.Add(int64(d))
}

func (t *times) read() Times {
	out := Times{Bounds: appendBounds[:], Counts: make([]uint64, len(t.counts)), Sum: time.Duration(t.sum.Load())}
	for i := range t.counts {
		out.Counts[i] = t.counts[i].Load()
	}
	return out
}

// hallCounts are the counters that all actors of a hall share.
type hallCounts struct {
	appendFailures atomic.Uint64
	waiting        atomic.Int64
	appendTime     times
	beatAt         atomic.Int64 // reading of the clock at the last heartbeat that was taken
}

// appendFailed counts a try of an append that failed.
func (c *hallCounts) appendFailed(tries int) {
	c.appendFailures.Add(1)
	if tries == 1 {
		c.waiting.Add(1)
	}
}

// appended counts an append that is over, after so many tries that failed.
func (c *hallCounts) appended(took time.Duration, tries int, err error) {
	if err == nil {
		c.appendTime.add(took)
	}
	if tries > 0 {
		c.waiting.Add(-1)
	}
}

// commandCounts are the outcomes of commands to one kind.
type commandCounts struct{ accepted, refused, duplicated, failed atomic.Uint64 }

func (c *commandCounts) count(res *Result) {
	switch {
	case res.Duplicate:
		c.duplicated.Add(1)
	case res.Err == nil:
		c.accepted.Add(1)
	case isFailure(res.Err):
		c.failed.Add(1)
	default:
		c.refused.Add(1)
	}
}

// isFailure tells errors of the runtime from refusals of a machine.
func isFailure(err error) bool {
	return errors.Is(err, ErrInternal) || errors.Is(err, ErrClosed) || errors.Is(err, ErrUnknownActor)
}

// pool is the workers for some effects of a kind, and their counters.
type pool struct {
	workers  chan struct{}
	pending  atomic.Int64
	failing  atomic.Int64
	failures atomic.Uint64
}

// Stats reads the counters.
func (h *Hall) Stats() Stats {
	s := Stats{
		AppendFailures: h.counts.appendFailures.Load(), Waiting: int(h.counts.waiting.Load()),
		AppendTime: h.counts.appendTime.read(), HeartbeatAge: h.heartbeatAge(), Gaps: h.pulse.read().gaps,
	}
	for _, n := range s.AppendTime.Counts {
		s.Appends += n
	}
	h.mu.RLock()
	defer h.mu.RUnlock()
	running := map[*kind]int{}
	for _, a := range h.actors {
		running[a.kind]++
	}
	for _, k := range h.kinds {
		s.Kinds = append(s.Kinds, KindStats{
			Kind: k.Name, Running: running[k], Accepted: k.commands.accepted.Load(), Refused: k.commands.refused.Load(),
			Duplicated: k.commands.duplicated.Load(), Failed: k.commands.failed.Load(),
		})
		s.Effects = append(s.Effects, k.effectStats()...)
	}
	slices.SortFunc(s.Kinds, func(a, b KindStats) int { return strings.Compare(a.Kind, b.Kind) })
	slices.SortFunc(s.Effects, func(a, b EffectStats) int { return strings.Compare(a.Kind+"/"+a.Pool, b.Kind+"/"+b.Pool) })
	return s
}

func (k *kind) effectStats() []EffectStats {
	k.mu.Lock()
	defer k.mu.Unlock()
	var all []EffectStats
	for name, p := range k.pools {
		all = append(all, EffectStats{k.Name, name, int(p.pending.Load()), int(p.failing.Load()), p.failures.Load()})
	}
	return all
}

// heartbeatAge is zero in a hall that is not open.
func (h *Hall) heartbeatAge() time.Duration {
	h.mu.RLock()
	defer h.mu.RUnlock()
	if !h.open {
		return 0
	}
	return max(h.cfg.Now()-time.Duration(h.counts.beatAt.Load()), 0)
}

// Err says what keeps actors from going on: a journal that refuses steps, or takes no heartbeat. It is nil in a hall
// that is not open.
func (h *Hall) Err() error {
	age := h.heartbeatAge()
	switch n := h.counts.waiting.Load(); {
	case n > 0:
		return fmt.Errorf("actors that wait to write: %d", n)
	case age > h.cfg.StopLimit:
		return fmt.Errorf("no heartbeat was written for %v", age.Round(100*time.Millisecond))
	case h.beatFailed.Load():
		return errors.New("the last heartbeat could not be written")
	}
	return nil
}
