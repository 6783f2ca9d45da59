//go:build unix

package cluster

import (
	"context"
	"encoding/binary"
	"sync/atomic"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"flagfall/server/cluster/redistest"
)

// A move is about this long in a message.
const moveSize = 60

// ends are two nodes of a hall, for measuring.
func ends(b *testing.B, p place, opts BusOptions, received func(Message)) (from *Bus) {
	b.Helper()
	open := func(name string, h Handler) *Bus {
		m, err := p.Join(b.Context(), MembersOptions{Name: name, Log: silent()})
		if err != nil {
			b.Fatal(err)
		}
		opts.Log = silent()
		bus, err := p.OpenBus(b.Context(), m, h, opts)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() {
			bus.Close()
			if err := m.Leave(context.Background()); err != nil {
				b.Error(err)
			}
		})
		return bus
	}
	open("to", Handler{Received: received})
	return open("from", Handler{Received: func(Message) {}})
}

// Messages one way, as many as will go through: what is on the way is bounded, so none
// is dropped. Packed is how a server works, single is one publication for each.
func BenchmarkBus(b *testing.B) {
	s := redistest.Single(b)
	for name, opts := range map[string]BusOptions{"packed": {}, "single": {PacketBytes: 1}} {
		b.Run(name, func(b *testing.B) {
			s.Flush()
			const window = 5000
			var got atomic.Int64
			room := make(chan struct{}, window)
			from := ends(b, connect(b, s.URL(), Options{}), opts, func(Message) {
				got.Add(1)
				<-room
			})
			payload := make([]byte, moveSize)
			b.ReportAllocs()
			b.ResetTimer()
			for range b.N {
				room <- struct{}{}
				if err := from.Send("to", 1, payload); err != nil {
					b.Fatal(err)
				}
			}
			for len(room) > 0 {
				time.Sleep(50 * time.Microsecond)
			}
			b.StopTimer()
			c := from.Counts()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "msg/s")
			b.ReportMetric(float64(c.Sent)/float64(c.Packets), "msg/packet")
		})
	}
}

// One way at a fixed pace: how long from Send to the handler, on one machine.
func BenchmarkBusLatency(b *testing.B) {
	s := redistest.Single(b)
	for _, c := range []struct {
		name string
		rate int // messages a second
	}{{"1000 a second", 1000}, {"10000 a second", 10_000}} {
		b.Run(c.name, func(b *testing.B) {
			s.Flush()
			took := hdrhistogram.New(1, int64(time.Minute), 3)
			start := time.Now()
			got := make(chan struct{}, 1)
			left := b.N
			from := ends(b, connect(b, s.URL(), Options{}), BusOptions{}, func(m Message) {
				sent := time.Duration(binary.BigEndian.Uint64(m.Payload))
				_ = took.RecordValue(max(1, int64(time.Since(start)-sent))) // a minute is never reached
				if left--; left == 0 {
					got <- struct{}{}
				}
			})
			payload := make([]byte, moveSize)
			b.ResetTimer()
			begun := time.Since(start)
			for i := range b.N {
				due := begun + time.Duration(i)*time.Second/time.Duration(c.rate)
				if wait := due - time.Since(start); wait > 0 {
					time.Sleep(wait)
				}
				binary.BigEndian.PutUint64(payload, uint64(time.Since(start)))
				if err := from.Send("to", 1, payload); err != nil {
					b.Fatal(err)
				}
			}
			<-got
			b.StopTimer()
			b.ReportMetric(float64(took.ValueAtQuantile(50))/1e3, "p50-µs")
			b.ReportMetric(float64(took.ValueAtQuantile(99))/1e3, "p99-µs")
		})
	}
}

// A question and its reply, one after the other.
func BenchmarkAsk(b *testing.B) {
	s := redistest.Single(b)
	p := connect(b, s.URL(), Options{})
	from := ends(b, p, BusOptions{}, func(Message) {})
	for b.Loop() {
		if _, err := from.Ask(b.Context(), "to", nil); err == nil {
			b.Fatal("the other end answers")
		}
	}
}

// What every actor asks before it acts.
func BenchmarkHolding(b *testing.B) {
	m, err := NewLocal().Join(b.Context(), MembersOptions{Name: "a", Log: silent()})
	if err != nil {
		b.Fatal(err)
	}
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if !m.Holding() {
				b.Error("does not hold")
			}
		}
	})
	_ = m.Leave(context.Background())
}
