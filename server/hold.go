package main

import (
	"sync"
	"time"

	"flagfall/server/actor"
)

// standstill has the clocks of this program stand while nothing can be written down, and tells the people why: the node has
// lost its lease, or the journal takes nothing.
type standstill struct {
	hall hall

	mu    sync.Mutex
	apart bool // others may claim what is here
	stuck bool // the journal takes nothing
	last  loss

	changed chan struct{}
	stop    chan struct{}
	watched sync.WaitGroup
}

// hall is what a standstill needs of *actor.Hall.
type hall interface {
	Freeze()
	Thaw()
	Err() error
	Stats() actor.Stats
}

func newStandstill(h hall) *standstill {
	return &standstill{hall: h, changed: make(chan struct{}, 1), stop: make(chan struct{})}
}

// loss of the lease: which one, and how often the bus had begun to hear again before it.
type loss struct {
	number   int
	resynced uint64
}

// part is called when the lease is lost. The clocks stand when it returns.
func (s *standstill) part(resynced uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = loss{s.last.number + 1, resynced}
	s.set(&s.apart, true)
}

// loss is the last one.
func (s *standstill) loss() loss {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last
}

// rejoin ends a loss, unless there was another one meanwhile.
func (s *standstill) rejoin(l loss) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if l == s.last {
		s.set(&s.apart, false)
	}
}

// look looks at the journal.
func (s *standstill) look(l *looks) {
	stuck := l.stuck(s.hall)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.set(&s.stuck, stuck)
}

// set needs the mutex.
func (s *standstill) set(reason *bool, is bool) {
	stood := s.apart || s.stuck
	*reason = is
	stands := s.apart || s.stuck
	switch {
	case stands == stood:
		return
	case stands:
		s.hall.Freeze()
	default:
		s.hall.Thaw()
	}
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

func (s *standstill) stands() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.apart || s.stuck
}

const (
	lookEvery = 500 * time.Millisecond // at the journal
	badLooks  = 4                      // one after the other until it is stuck: over the stop limit of a hall
)

// watch looks at the journal and tells what changes, until close.
func (s *standstill) watch(tell func(on bool)) {
	s.watched.Go(func() {
		ticker := time.NewTicker(lookEvery)
		defer ticker.Stop()
		var l looks
		for {
			select {
			case <-ticker.C:
				s.look(&l)
			case <-s.changed:
			case <-s.stop:
				return
			}
			tell(s.stands())
		}
	})
}

// close ends watch; the clocks stay as they are.
func (s *standstill) close() {
	close(s.stop)
	s.watched.Wait()
}

// looks at a journal, one after the other.
type looks struct {
	bad     int
	appends uint64
}

// stuck looks: a journal is stuck that something waits for and that has taken nothing since several looks. One actor alone
// that cannot write does not stop the others.
func (l *looks) stuck(h hall) bool {
	if h.Err() == nil {
		l.bad = 0
		return false
	}
	appends := h.Stats().Appends
	if l.bad == 0 || appends != l.appends {
		l.bad, l.appends = 1, appends
	} else {
		l.bad++
	}
	return l.bad >= badLooks
}
