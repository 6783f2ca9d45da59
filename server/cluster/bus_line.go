package cluster

import (
	"context"
	"sync"
	"time"
)

// After its last message a line says a few times how far it has come, a probe's time
// apart, so that a receiver learns of a loss at the end.
const farewells = 3

// A publication that takes longer has failed.
const publishTimeout = time.Second

// line is the way to one incarnation of a node: what waits for it, in order.
type line struct {
	bus    *Bus
	to     string
	number uint64
	cancel context.CancelFunc
	wake   chan struct{}

	mu      sync.Mutex
	ended   bool
	next    uint64 // number of the next message
	bytes   int    // of all packets
	packets []*packet
	spare   []byte
}

// push gives the message its number, even if there is no room for it.
func (l *line) push(kind byte, payload []byte) error {
	now := l.bus.now()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return ErrNodeLeft
	}
	number := l.next
	l.next++
	size := len(payload) + overhead
	if l.bytes+size > l.bus.opts.QueueBytes {
		l.bus.counts.dropped.Add(1)
		return ErrQueueFull
	}
	var p *packet
	if n := len(l.packets); n > 0 {
		p = l.packets[n-1]
	}
	if p == nil || p.first+p.count != number || len(p.body)+size > l.bus.opts.PacketBytes {
		p = &packet{first: number, begun: now, body: l.spare}
		l.spare = nil
		l.packets = append(l.packets, p)
	}
	before := len(p.body)
	p.add(now, kind, payload)
	l.bytes += len(p.body) - before
	select {
	case l.wake <- struct{}{}:
	default:
	}
	return nil
}

// take returns the oldest packet, nil if nothing waits, and the number of the next
// message to come.
func (l *line) take() (p *packet, next uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.packets) == 0 {
		return nil, l.next
	}
	p = l.packets[0]
	l.packets[0] = nil
	l.packets = l.packets[1:]
	l.bytes -= len(p.body)
	return p, l.next
}

// reuse keeps a body for the next packet.
func (l *line) reuse(body []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.spare == nil && cap(body) <= 2*packetSize {
		l.spare = body[:0]
	}
}

// end drops what waits and lets the line's goroutine end.
func (l *line) end() {
	l.mu.Lock()
	l.ended = true
	for _, p := range l.packets {
		l.bus.counts.dropped.Add(p.count)
	}
	l.packets = nil
	l.mu.Unlock()
	l.cancel()
}

// run publishes what waits, packet by packet; what comes meanwhile fills the next.
func (l *line) run(ctx context.Context) {
	defer l.bus.running.Done()
	timer := time.NewTimer(l.bus.opts.Probe)
	defer timer.Stop()
	left := 0 // farewells
	var buf []byte
	for {
		p, next := l.take()
		if p != nil {
			buf = l.publish(ctx, p, buf)
			l.reuse(p.body)
			left = farewells
			continue
		}
		timer.Reset(l.bus.opts.Probe)
		select {
		case <-l.wake:
		case <-timer.C:
			if left > 0 {
				left--
				buf = appendHeader(buf[:0], packetMessages, l.bus.self, l.number, next, 0)
				_, _ = l.bus.carry(ctx, l.to, buf) // the next one says it again
			}
		case <-ctx.Done():
			return
		}
	}
}

// publish sends one packet. A failed one is not sent again: its messages would be
// old, and the receiver is told of the gap.
func (l *line) publish(ctx context.Context, p *packet, buf []byte) []byte {
	b := l.bus
	buf = appendHeader(buf[:0], packetMessages, b.self, l.number, p.first, b.now()-p.begun)
	buf = append(buf, p.body...)
	heard, err := b.carry(ctx, l.to, buf)
	switch {
	case err != nil:
		b.counts.failed.Add(p.count)
		pause(ctx, 20*time.Millisecond) // what comes meanwhile fails as one packet
	case heard == 0:
		b.counts.unheard.Add(1)
		fallthrough
	default:
		b.counts.sent.Add(p.count)
		b.counts.packets.Add(1)
	}
	return buf
}

func (b *Bus) carry(ctx context.Context, to string, packet []byte) (int64, error) {
	ctx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	return b.carrier.publish(ctx, b.self, to, packet)
}
