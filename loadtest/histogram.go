package main

import (
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// histogram is a HdrHistogram of microseconds for many writers.
type histogram struct {
	mu sync.Mutex
	h  *hdrhistogram.Histogram
}

func newHDR() *hdrhistogram.Histogram { return hdrhistogram.New(1, time.Minute.Microseconds(), 3) }

func (h *histogram) record(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.h == nil {
		h.h = newHDR()
	}
	_ = h.h.RecordValue(min(max(1, d.Microseconds()), time.Minute.Microseconds())) // in range, so it cannot fail
}

// spread are the figures of a histogram, times in milliseconds.
type spread struct {
	Count int64   `json:"count"`
	Min   float64 `json:"min_ms"`
	P50   float64 `json:"p50_ms"`
	P95   float64 `json:"p95_ms"`
	P99   float64 `json:"p99_ms"`
	P999  float64 `json:"p99_9_ms"`
	Max   float64 `json:"max_ms"`

	Curve [len(quantiles)]float64 `json:"at_quantiles_ms"` // at 0, 10, 25, 50, 75, 90, 95, 99, 99.5, 99.9, 99.95, 99.99 and 100 %
}

// quantiles of the curve of a spread, in percent.
var quantiles = [...]float64{0, 10, 25, 50, 75, 90, 95, 99, 99.5, 99.9, 99.95, 99.99, 100}

func (h *histogram) spread() spread {
	h.mu.Lock()
	defer h.mu.Unlock()
	return spreadOf(h.h)
}

// take gives the figures and begins anew.
func (h *histogram) take() spread {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := spreadOf(h.h)
	if h.h != nil {
		h.h.Reset()
	}
	return s
}

func spreadOf(h *hdrhistogram.Histogram) spread {
	if h == nil || h.TotalCount() == 0 {
		return spread{}
	}
	at := func(q float64) float64 { return float64(h.ValueAtQuantile(q)) / 1000 }
	s := spread{
		Count: h.TotalCount(), Min: float64(h.Min()) / 1000, P50: at(50), P95: at(95), P99: at(99), P999: at(99.9),
		Max: float64(h.Max()) / 1000,
	}
	for i, q := range quantiles {
		s.Curve[i] = at(q)
	}
	return s
}

// recorder is a histogram that many cores write to, and that can be looked at in intervals.
type recorder struct {
	shards [16]histogram
	whole  *hdrhistogram.Histogram
}

// record adds a time; writers with different numbers seldom wait for each other.
func (r *recorder) record(number int, d time.Duration) { r.shards[number%len(r.shards)].record(d) }

// collect takes what was recorded since the last call and adds it to the whole. One goroutine may call it.
func (r *recorder) collect() *hdrhistogram.Histogram {
	part := newHDR()
	for i := range r.shards {
		s := &r.shards[i]
		s.mu.Lock()
		if s.h != nil {
			part.Merge(s.h)
			s.h.Reset()
		}
		s.mu.Unlock()
	}
	if r.whole == nil {
		r.whole = newHDR()
	}
	r.whole.Merge(part)
	return part
}
