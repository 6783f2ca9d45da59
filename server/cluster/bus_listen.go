package cluster

import (
	"context"
	"time"
)

// source is what is known of one sender.
type source struct {
	peer Peer
	line uint64
	next uint64 // number of the message that comes next
}

// probe sends to the own channel, so that silence on it means something.
func (b *Bus) probe() {
	defer b.running.Done()
	packet := appendHeader(nil, packetProbe, b.self, 0, 1, 0)
	for failing := false; ; {
		_, err := b.carry(b.ctx, b.self.Incarnation, packet)
		if b.ctx.Err() != nil {
			return
		}
		if (err != nil) != failing {
			failing = err != nil
			b.log.Warn("publications on the bus", "err", err)
		}
		if !pause(b.ctx, b.opts.Probe) {
			return
		}
	}
}

// listen hands on what is heard, and subscribes anew when nothing is.
func (b *Bus) listen(sub subscription) {
	defer b.running.Done()
	sources := map[string]*source{}
	for {
		stop := context.AfterFunc(b.ctx, sub.close)
		err := b.hear(sub, sources)
		stop()
		sub.close()
		if b.ctx.Err() != nil {
			return
		}
		b.log.Warn("the bus subscribes anew", "err", err)
		sub = b.resubscribe()
		if sub == nil {
			return
		}
		b.counts.resynced.Add(1)
		b.log.Warn("the bus hears again")
		b.handler.Resynced()
	}
}

// resubscribe tries until it succeeds, nil when the bus closes.
func (b *Bus) resubscribe() subscription {
	for wait := 50 * time.Millisecond; ; wait = min(2*wait, b.opts.Probe) {
		ctx, cancel := context.WithTimeout(b.ctx, b.opts.Silence)
		sub, err := b.carrier.subscribe(ctx, b.self)
		cancel()
		if err == nil {
			return sub
		}
		if !pause(b.ctx, wait) {
			return nil
		}
	}
}

func (b *Bus) hear(sub subscription, sources map[string]*source) error {
	last := &source{}
	for {
		data, err := sub.receive(b.ctx, b.opts.Silence)
		if err != nil {
			return err
		}
		h, err := readHeader(data, last.peer)
		if err != nil {
			b.counts.malformed.Add(1)
			continue
		}
		if h.what == packetProbe {
			if h.from == b.self {
				b.heardMe.Store(int64(b.now()))
				b.forgetLeft(sources)
			}
			continue
		}
		s := sources[h.from.Incarnation]
		if s == nil {
			s = &source{peer: h.from, line: h.line, next: 1}
			sources[h.from.Incarnation] = s
		}
		last = s
		b.meet(h.from)
		b.take(s, h)
	}
}

// take hands on the messages of a packet that are new.
func (b *Bus) take(s *source, h header) {
	switch {
	case h.line < s.line:
		return // a line that is long closed
	case h.line > s.line:
		s.line, s.next = h.line, h.first
		b.miss(s)
	case h.first > s.next:
		s.next = h.first
		b.miss(s)
	}
	for number := h.first; ; number++ {
		after, kind, payload, done, err := h.messages.next()
		if err != nil {
			b.counts.malformed.Add(1)
			return
		}
		if done {
			return
		}
		if number < s.next {
			b.counts.repeated.Add(1)
			continue
		}
		s.next = number + 1
		b.counts.received.Add(1)
		b.handle(Message{From: s.peer, Kind: kind, Payload: payload, Waited: max(h.age-after, 0)})
	}
}

func (b *Bus) miss(s *source) {
	b.counts.missed.Add(1)
	b.handler.Missed(s.peer)
}

func (b *Bus) handle(m Message) {
	switch m.Kind {
	case kindAsk:
		b.asked(m)
	case kindReply, kindRefusal:
		b.replied(m)
	default:
		if m.Kind < reservedKinds {
			b.handler.Received(m)
		}
	}
}

// forgetLeft drops what is known of senders that are no more. One that was only
// thought to be is told apart by its line.
func (b *Bus) forgetLeft(sources map[string]*source) {
	if len(sources) <= len(b.members.Alive()) {
		return
	}
	alive := map[string]bool{}
	for _, n := range b.members.Alive() {
		alive[n.Incarnation] = true
	}
	for incarnation := range sources {
		if !alive[incarnation] {
			delete(sources, incarnation)
		}
	}
}
