//go:build unix

package drill

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// kind of a fault.
type kind string

// The faults.
const (
	kill     kind = "kill -9"        // of a node
	stop     kind = "stop"           // of a node, past its lease, and wake it
	leave    kind = "SIGTERM"        // of a node, as a restart does
	roll     kind = "roll"           // of a node to the next release, by SIGTERM: that of the fault, or else the next that has not rolled
	cut      kind = "cut"            // of all sockets of a node's players
	database kind = "kill database"  // PostgreSQL
	all      kind = "restart all"    // every node at once
	failover kind = "kill primary"   // of Redis
	drop     kind = "drop redis"     // all connections to Redis
	both     kind = "kill -9, Redis" // a node and the primary of Redis together
)

// fault is one thing that goes wrong. What it breaks comes back after a while.
type fault struct {
	at   time.Duration // since the games began
	kind kind
	node int
	lag  time.Duration // until it comes back
}

func (f fault) String() string {
	return fmt.Sprintf("%6.1f s: %s, node %d, for %.1f s", f.at.Seconds(), f.kind, f.node+1, f.lag.Seconds())
}

// hallOf is what there is to break.
type hallOf struct {
	nodes int
	redis bool
	query string // of the URL of Redis
	lax   bool   // a primary of Redis without replicas takes what it is told
}

func (h hallOf) kinds() []kind {
	kinds := []kind{kill, stop, leave, cut, database, all}
	if h.redis {
		kinds = append(kinds, failover, drop, both, roll)
	}
	return kinds
}

// lags are how long a fault lasts, at least and at most. A stop outlasts the lease of 2 s.
func (k kind) lags() (from, to time.Duration) {
	switch k {
	case stop:
		return 2500 * time.Millisecond, 4 * time.Second
	case cut, drop:
		return 0, time.Millisecond
	case database:
		return time.Second, 3 * time.Second
	case failover, both: // longer than Sentinel needs to name another one
		return 5 * time.Second, 7 * time.Second
	}
	return 200 * time.Millisecond, 1500 * time.Millisecond
}

// calm is for how long nothing more is broken after a fault: those who play come back within it.
const calm = 1500 * time.Millisecond

// plan lays faults over a time, every kind in each round, in an order and with pauses that the seed gives. The first one
// is always a kill, so that the shortest run has it, and the last seconds are left alone.
func plan(seed uint64, length time.Duration, h hallOf) []fault {
	rng := rand.New(rand.NewPCG(seed, 5))
	var out []fault
	at := 2 * time.Second
	for {
		kinds := h.kinds()
		after := kinds[1:]
		if len(out) > 0 {
			after = kinds
		}
		rng.Shuffle(len(after), func(i, j int) { after[i], after[j] = after[j], after[i] })
		for _, k := range kinds {
			from, to := k.lags()
			f := fault{at: at, kind: k, node: rng.IntN(h.nodes), lag: from + time.Duration(rng.Int64N(int64(to-from)))}
			if at+f.lag+calm > length {
				return out
			}
			out = append(out, f)
			at += f.lag + calm + time.Duration(rng.Int64N(int64(calm)))
		}
	}
}

func TestPlan(t *testing.T) {
	for _, h := range []hallOf{{nodes: 1}, {nodes: 3, redis: true}} {
		length := 2 * time.Minute
		first := plan(7, length, h)
		if !slices.Equal(first, plan(7, length, h)) {
			t.Errorf("%+v: the same seed gives other faults", h)
		}
		if slices.Equal(first, plan(8, length, h)) {
			t.Errorf("%+v: another seed gives the same faults", h)
		}
		for _, k := range h.kinds() {
			if !slices.ContainsFunc(first, func(f fault) bool { return f.kind == k }) {
				t.Errorf("%+v: two minutes have no %q", h, k)
			}
		}
		if !slices.IsSortedFunc(first, func(a, b fault) int { return cmp.Compare(a.at, b.at) }) {
			t.Errorf("%+v: the faults are not in order", h)
		}
		for _, f := range first {
			if f.at+f.lag > length || f.node < 0 || f.node >= h.nodes {
				t.Errorf("%+v: %v", h, f)
			}
		}
	}
}
