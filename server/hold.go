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

// part is called when the lease is lost and when it is back. The clocks stand, or go on, when it returns.
func (s *standstill) part(apart bool) { s.set(&s.apart, apart) }

func (s *standstill) set(reason *bool, is bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
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
				s.set(&s.stuck, l.stuck(s.hall))
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
