package cluster

import (
	"maps"
	"reflect"
	"time"
)

// lease is the arithmetic of both sides of a node's lease: whether we still hold
// ours, and whether somebody else's is gone. It is pure: times are readings of this
// process's monotonic clock and come in as arguments, except renewal.server.
type lease struct {
	length time.Duration // how long a renewal lasts in the registry
	margin time.Duration // how much earlier the holder stops
	drift  time.Duration // by how much two clocks may disagree from one renewal to the next

	held     bool
	untold   bool          // lost, and nobody has been told
	until    time.Duration // the hold ends here
	lostAt   time.Duration
	writable bool          // every renewal since `since` has succeeded
	since    time.Duration // when the first of them was answered
	settled  bool          // the view was read a whole lease after since
	last     renewal
	view     map[string]Node
}

// renewal is one that succeeded, with what was read in the same step.
type renewal struct {
	number uint64        // of this renewal, from 1
	known  uint64        // of our last one that the registry still had; 0: none
	sent   time.Duration // before it was sent
	done   time.Duration // after it was answered
	server time.Duration // the registry's own clock
	nodes  map[string]Node
	lapse  time.Duration // until the first lease of another node ends; 0: there is none
}

// change is what there is to tell about the hold.
type change int

const (
	noChange change = iota
	lostHold
	backAgain
)

// renewed takes in a renewal that succeeded, and says whether the view is another.
func (l *lease) renewed(r renewal) (other bool) {
	if l.held && r.server-l.last.server > r.done-l.last.sent+l.margin {
		// Our clock stood still, with the machine, or theirs was set: by theirs the
		// lease may have run out.
		l.held, l.untold, l.lostAt = false, true, min(l.until, r.sent)
	}
	stopped := l.lapsed(r.done)
	if l.writable && (stopped || r.known < l.last.number || l.clocksDisagree(r)) {
		l.writable = false
	}
	if !l.writable {
		l.writable, l.since = true, r.done
	}
	l.until = r.sent + l.length - l.margin
	l.settled = r.sent-l.since >= l.length
	l.last = r
	view := r.nodes
	if !l.settled {
		// Who is not there may only not have renewed yet since the break.
		view = maps.Clone(l.view)
		if view == nil {
			view = map[string]Node{}
		}
		maps.Copy(view, r.nodes)
	}
	other = !reflect.DeepEqual(view, l.view)
	l.view = view
	l.last.nodes = nil
	return other
}

// clocksDisagree finds a step of the registry's clock, by which leases end: its own,
// or that of another machine after a failover.
func (l *lease) clocksDisagree(r renewal) bool {
	theirs := r.server - l.last.server
	return theirs < r.sent-l.last.done-l.drift || theirs > r.done-l.last.sent+l.drift
}

// failed takes in a renewal without an answer, or with a refusal.
func (l *lease) failed() {
	l.writable, l.settled = false, false
}

// begin starts the hold after the first renewal, without a word to anybody.
func (l *lease) begin(now time.Duration) { l.held = now < l.until }

// holding says whether the hold is on. Once it was found to be over it stays over
// until that and its return have been told.
func (l *lease) holding(now time.Duration) bool {
	l.lapsed(now)
	return l.held
}

func (l *lease) lapsed(now time.Duration) bool {
	if l.held && now >= l.until {
		l.held, l.untold, l.lostAt = false, true, l.until
	}
	return !l.held
}

// next returns the next change to be told, in order, each once. The gap of backAgain
// is the time without the hold.
func (l *lease) next(now time.Duration) (c change, gap time.Duration) {
	switch {
	case l.lapsed(now) && l.untold:
		l.untold = false
		return lostHold, 0
	case !l.held && now < l.until:
		l.held = true
		return backAgain, now - l.lostAt
	}
	return noChange, 0
}

// mayClaim says whether the lease of an incarnation is gone for sure: it is not in a
// view that was read after the registry had been writable for a whole lease, so a
// holder would have renewed, and that view is no older than our own hold.
func (l *lease) mayClaim(incarnation string, now time.Duration) bool {
	if !l.holding(now) || !l.writable || !l.settled {
		return false
	}
	for _, n := range l.view {
		if n.Incarnation == incarnation {
			return false
		}
	}
	return true
}
