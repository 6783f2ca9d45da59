//go:build unix

package cluster

import (
	"bytes"
	"fmt"
	"sync"
	"testing"
	"time"

	"flagfall/server/cluster/redistest"
)

// BenchmarkAppend reports entries a second of 1, 64 and 1,000 actors that append as fast as
// they can, and the CPU that Redis uses for one.
func BenchmarkAppend(b *testing.B) {
	for _, form := range []struct {
		name     string
		replicas int
		start    func(testing.TB) (string, []*redistest.Server)
	}{
		{"single", 0, func(t testing.TB) (string, []*redistest.Server) {
			s := redistest.Single(t)
			return s.URL(), []*redistest.Server{s}
		}},
		{"replicas", 1, func(t testing.TB) (string, []*redistest.Server) {
			s := redistest.Sentinel(t)
			return s.URL(), []*redistest.Server{s.Primary}
		}},
		{"replicas, no WAIT", -1, func(t testing.TB) (string, []*redistest.Server) {
			s := redistest.Sentinel(t)
			return s.URL(), []*redistest.Server{s.Primary}
		}},
		{"cluster", 0, func(t testing.TB) (string, []*redistest.Server) {
			s := redistest.Cluster(t)
			return s.URL(), s.Nodes
		}},
	} {
		b.Run(form.name, func(b *testing.B) {
			url, servers := form.start(b)
			j := NewJournal(connect(b, url, Options{Replicas: form.replicas}))
			for _, actors := range []int{1, 64, 1000} {
				b.Run(fmt.Sprint(actors), func(b *testing.B) {
					for _, s := range servers {
						s.Flush()
					}
					j.tails = newTails(keepTailBytes)
					benchmarkAppend(b, j, servers, actors)
				})
			}
		})
	}
}

func benchmarkAppend(b *testing.B, j *Journal, servers []*redistest.Server, actors int) {
	data := bytes.Repeat([]byte("x"), 200)
	busy := func() (sum time.Duration) {
		for _, s := range servers {
			sum += s.CPU()
		}
		return sum
	}
	b.ReportAllocs()
	before := busy()
	b.ResetTimer()
	var wait sync.WaitGroup
	for a := range actors {
		entries := b.N / actors
		if a < b.N%actors {
			entries++
		}
		wait.Go(func() {
			for i := range uint64(entries) {
				if err := j.Append(ctx, ownerID(a), i, data); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wait.Wait()
	b.StopTimer()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "entries/s")
	b.ReportMetric(float64((busy()-before).Nanoseconds())/float64(b.N), "redis-ns/op")
}
