package edge

import (
	"testing"
	"time"
)

func TestLagEstimate(t *testing.T) {
	ms := func(n int) time.Duration { return time.Duration(n) * time.Millisecond }
	for _, c := range []struct {
		name    string
		samples []int
		least   int64
		most    int64
	}{
		{"none", nil, 0, 0},
		{"the first counts", []int{40}, 40, 40},
		{"steady", []int{40, 40, 40, 40, 40}, 40, 40},
		{"one late answer changes nothing", []int{40, 40, 40, 900, 40, 40}, 40, 40},
		{"three late answers change nothing", []int{40, 900, 900, 900}, 40, 40},
		{"a faster line is believed, slowly", []int{100, 20}, 79, 80},
		{"a clock that went back", []int{-5}, 0, 0},
	} {
		var l lag
		for _, s := range c.samples {
			l.add(ms(s))
		}
		if got := l.ms(); got < c.least || got > c.most {
			t.Errorf("%s: %d ms, want %d to %d", c.name, got, c.least, c.most)
		}
	}
}

func TestBucket(t *testing.T) {
	at := time.Unix(1000, 0)
	var b bucket
	r := Rate{20, 40}
	count := func(n int) (taken int) {
		for range n {
			if b.take(r, at) {
				taken++
			}
		}
		return taken
	}
	if got := count(100); got != 40 {
		t.Errorf("at once: %d, want 40", got)
	}
	at = at.Add(time.Second)
	if got := count(100); got != 20 {
		t.Errorf("a second later: %d, want 20", got)
	}
	at = at.Add(time.Hour)
	if got := count(100); got != 40 {
		t.Errorf("an hour later: %d, want 40", got)
	}
	at = at.Add(-time.Hour)
	if got := count(100); got != 0 {
		t.Errorf("with the clock put back: %d, want 0", got)
	}
	all := newBuckets[int](Rate{1, 1})
	for i := range 1000 {
		all.take(i, at.Add(time.Duration(i)*time.Second))
	}
	if len(all.all) > 10 {
		t.Errorf("%d buckets kept", len(all.all))
	}
}
