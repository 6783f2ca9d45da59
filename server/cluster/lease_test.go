package cluster

import (
	"testing"
	"time"
)

const ms = time.Millisecond

// step is one thing that happens to a lease of 2 s with a margin of 500 ms, and what is
// to be seen after it. The renewal's server clock is the time of its answer plus skew.
type step struct {
	at     time.Duration // sent
	took   time.Duration
	fails  bool
	known  int           // of our renewals: -1: the last successful one is gone
	skew   time.Duration // of the registry's clock
	nodes  string        // letters: who is in the registry besides us
	now    time.Duration // the moment of looking
	holds  bool
	claims string // of "ab": whom we may claim
	view   string // of "ab": whom we see
}

func TestLease(t *testing.T) {
	ok := func(at time.Duration, nodes, view, claims string) step {
		return step{at: at, took: 10 * ms, nodes: nodes, now: at + 20*ms, holds: true, view: view, claims: claims}
	}
	for name, steps := range map[string][]step{
		"who was never seen may be claimed after a whole lease": {
			ok(0, "a", "a", ""), ok(500*ms, "a", "a", ""), ok(1000*ms, "a", "a", ""), ok(1500*ms, "a", "a", ""),
			ok(2000*ms, "a", "a", ""),  // the first answer came at 10 ms
			ok(2010*ms, "a", "a", "b"), // a whole lease
		},
		"who goes away later may be claimed at once": {
			ok(0, "ab", "ab", ""), ok(1400*ms, "ab", "ab", ""), ok(2500*ms, "ab", "ab", ""), ok(3000*ms, "a", "a", "b"), ok(3500*ms, "ab", "ab", ""),
		},
		"a failed renewal breaks the time in which the registry was writable": {
			ok(0, "ab", "ab", ""), ok(1400*ms, "ab", "ab", ""), ok(2500*ms, "ab", "ab", ""),
			{at: 3000 * ms, took: 500 * ms, fails: true, now: 3500 * ms, holds: true, view: "ab"},
			ok(3600*ms, "", "ab", ""), ok(4600*ms, "", "ab", ""), ok(5600*ms, "", "ab", ""), ok(5610*ms, "", "", "ab"),
		},
		"holders that come back after the break are not claimed": {
			ok(0, "ab", "ab", ""), ok(1400*ms, "ab", "ab", ""), ok(2500*ms, "ab", "ab", ""),
			{at: 3000 * ms, took: 500 * ms, fails: true, now: 3500 * ms, holds: true, view: "ab"},
			ok(3600*ms, "", "ab", ""), ok(4600*ms, "b", "ab", ""), ok(5610*ms, "b", "b", "a"),
		},
		"a failover that lost our last renewal is a break, though none failed": {
			ok(0, "ab", "ab", ""), ok(1400*ms, "ab", "ab", ""), ok(2500*ms, "ab", "ab", ""),
			{at: 3000 * ms, took: 10 * ms, known: -1, now: 3020 * ms, holds: true, view: "ab"},
			ok(4000*ms, "", "ab", ""), ok(5010*ms, "", "", "ab"),
		},
		"a step of the registry's clock is a break": {
			ok(0, "ab", "ab", ""), ok(1400*ms, "ab", "ab", ""), ok(2500*ms, "ab", "ab", ""),
			{at: 3000 * ms, took: 10 * ms, skew: 300 * ms, now: 3020 * ms, holds: true, view: "ab"},
			{at: 4000 * ms, took: 10 * ms, skew: 300 * ms, now: 4020 * ms, holds: true, view: "ab"},
			{at: 5010 * ms, took: 10 * ms, skew: 300 * ms, now: 5030 * ms, holds: true, claims: "ab"},
		},
		"a step back is a break too": {
			ok(0, "ab", "ab", ""), ok(1400*ms, "ab", "ab", ""), ok(2500*ms, "ab", "ab", ""),
			{at: 3000 * ms, took: 10 * ms, skew: -time.Hour, now: 3020 * ms, holds: true, view: "ab"},
		},
		"a clock of ours that stood still is a loss, which is to be told before it holds again": {
			ok(0, "ab", "ab", ""), ok(1400*ms, "ab", "ab", ""), ok(2500*ms, "ab", "ab", ""),
			{at: 3000 * ms, took: 10 * ms, skew: 2000 * ms, nodes: "ab", now: 3020 * ms, view: "ab"},
			{at: 3500 * ms, took: 10 * ms, skew: 2000 * ms, nodes: "ab", now: 3520 * ms, view: "ab"},
		},
		"the hold counts from before the renewal was sent": {
			{at: 0, took: 1000 * ms, now: 1499 * ms, holds: true},
			{at: 1000 * ms, took: 499 * ms, now: 2499 * ms, holds: true},
			{at: 2000 * ms, took: 10 * ms, fails: true, now: 2500 * ms},
		},
		"a renewal whose answer comes too late does not hold, a later one does once the loss was told": {
			{at: 0, took: 10 * ms, now: 20 * ms, holds: true},
			{at: 500 * ms, took: 3000 * ms, now: 3500 * ms},
			{at: 3600 * ms, took: 10 * ms, now: 3620 * ms},
		},
		"who does not hold claims nobody": {
			ok(0, "", "", ""), ok(1000*ms, "", "", ""), ok(2010*ms, "", "", "ab"),
			{at: 2500 * ms, took: 10 * ms, now: 4000 * ms},
		},
		"a stop of the process is a break": {
			ok(0, "ab", "ab", ""), ok(1400*ms, "ab", "ab", ""), ok(2500*ms, "ab", "ab", ""),
			{at: 9000 * ms, took: 10 * ms, nodes: "a", now: 9020 * ms, view: "ab"},
		},
	} {
		t.Run(name, func(t *testing.T) { runLease(t, steps) })
	}
}

func runLease(t *testing.T, steps []step) {
	l := lease{length: 2000 * ms, margin: 500 * ms, drift: 250 * ms}
	for i, s := range steps {
		if s.fails {
			l.failed()
		} else {
			r := renewal{number: uint64(i + 1), known: l.last.number, sent: s.at, done: s.at + s.took, server: s.at + s.took + s.skew, nodes: map[string]Node{}}
			if s.known < 0 {
				r.known--
			}
			for _, c := range s.nodes {
				r.nodes[string(c)] = Node{Name: string(c), Incarnation: string(c) + "1"}
			}
			l.renewed(r)
		}
		if i == 0 {
			l.begin(s.at + s.took)
		}
		claims, view := "", ""
		for _, c := range "ab" {
			if l.mayClaim(string(c)+"1", s.now) {
				claims += string(c)
			}
			if _, ok := l.view[string(c)]; ok {
				view += string(c)
			}
		}
		if holds := l.holding(s.now); holds != s.holds || claims != s.claims || view != s.view {
			t.Errorf("step %d at %v: holds %v, sees %q, may claim %q; want %v, %q, %q", i, s.now, holds, view, claims, s.holds, s.view, s.claims)
		}
	}
}

// Loss and return are told in turn, each once, and nothing holds in between.
func TestLeaseTellsInOrder(t *testing.T) {
	l := lease{length: 2000 * ms, margin: 500 * ms, drift: 250 * ms}
	number := uint64(0)
	renew := func(sent, done time.Duration) {
		l.renewed(renewal{number: number + 1, known: number, sent: sent, done: done, server: done})
		number++
	}
	expect := func(now time.Duration, want change, gap time.Duration) {
		t.Helper()
		if c, g := l.next(now); c != want || g != gap {
			t.Errorf("at %v: told %d after %v, want %d after %v", now, c, g, want, gap)
		}
	}
	renew(0, 10*ms)
	l.begin(10 * ms)
	expect(1499*ms, noChange, 0)
	renew(4000*ms, 4010*ms) // the process was stopped, and the renewal is quicker than whoever tells
	if l.holding(4020 * ms) {
		t.Error("holds before the loss was told")
	}
	expect(4020*ms, lostHold, 0)
	if l.holding(4030 * ms) {
		t.Error("holds before the return was told")
	}
	expect(4030*ms, backAgain, 2530*ms) // from 1500
	if !l.holding(4030 * ms) {
		t.Error("does not hold when the return is told")
	}
	expect(4040*ms, noChange, 0)
	expect(5500*ms, lostHold, 0)
	expect(5600*ms, noChange, 0)
}
