package edge

import (
	"sync"
	"time"
)

// bucket counts what one peer did against a Rate. The zero bucket is full.
type bucket struct {
	used float64
	at   time.Time
}

// take says whether one more is within the rate.
func (b *bucket) take(r Rate, now time.Time) bool {
	if passed := now.Sub(b.at).Seconds(); passed > 0 {
		b.used = max(0, b.used-passed*r.PerSecond)
		b.at = now
	}
	if b.used+1 > float64(r.Burst) {
		return false
	}
	b.used++
	return true
}

// put gives one back.
func (b *bucket) put() { b.used = max(0, b.used-1) }

// times is a rate so many times as high.
func (r Rate) times(n int) Rate { return Rate{r.PerSecond * float64(n), r.Burst * n} }

// buckets is one bucket for each key. It forgets those that are full again, so it holds no more keys than were busy lately.
type buckets[K comparable] struct {
	rate Rate

	mu    sync.Mutex
	all   map[K]bucket
	sweep time.Time
}

func newBuckets[K comparable](r Rate) *buckets[K] {
	return &buckets[K]{rate: r, all: map[K]bucket{}}
}

func (b *buckets[K]) take(key K, now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	full := time.Duration(float64(b.rate.Burst) / b.rate.PerSecond * float64(time.Second))
	if now.Sub(b.sweep) > full {
		for k, one := range b.all {
			if now.Sub(one.at) > full {
				delete(b.all, k)
			}
		}
		b.sweep = now
	}
	one, known := b.all[key]
	if !known {
		one.at = now
	}
	within := one.take(b.rate, now)
	b.all[key] = one
	return within
}

// put gives back what was taken from a key's bucket.
func (b *buckets[K]) put(key K) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if one, known := b.all[key]; known {
		one.put()
		b.all[key] = one
	}
}
