package cluster

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"sync"
	"sync/atomic"
	"time"
)

// Errors of the bus.
var (
	ErrUnknownNode = errors.New("no such node is in the hall")
	ErrQueueFull   = errors.New("too much is waiting for this node")
	ErrTooLarge    = errors.New("a message has 1 MiB at most")
	ErrNodeLeft    = errors.New("the node has left the hall")
	ErrBusClosed   = errors.New("the bus is closed")
)

// Peer is the other end: one incarnation of a node.
type Peer struct{ Name, Incarnation string }

// Message is one that was received.
type Message struct {
	From Peer
	Kind byte
	// Payload is valid only while the handler runs.
	Payload []byte
	// Waited is how long the message waited at the sender before it was published,
	// in whole ms by the sender's clock.
	Waited time.Duration
}

// Handler takes what comes from other nodes. All its functions are called on one
// goroutine, in order, and must not block. Received is required.
type Handler struct {
	// Received takes a message that Send sent.
	Received func(Message)
	// Missed says that messages of a sender are lost. It comes before the next one
	// that was received, and when there is none, within seconds.
	Missed func(Peer)
	// Resynced says that nothing was heard for a while: whatever is known may be
	// old, from anybody.
	Resynced func()
	// Asked takes what Ask sent. reply is called once, now or later, from any
	// goroutine; its error reaches the other side as text.
	Asked func(m Message, reply func([]byte, error))
}

// BusOptions are the settings of a bus; the zero value is right for a server.
type BusOptions struct {
	// QueueBytes bounds what waits for one node (default 4 MiB).
	QueueBytes int
	// PacketBytes bounds what goes out in one publication (default 64 KiB); a
	// message that is larger goes out alone.
	PacketBytes int
	// Probe is how often the bus sends to itself (default 1 s), Silence after what
	// time without a word it subscribes anew (default 3 s).
	Probe, Silence time.Duration
	Log            *slog.Logger
}

// Counts are totals since the bus was opened.
type Counts struct {
	Sent      uint64 // messages that were published
	Packets   uint64 // publications that carried them
	Dropped   uint64 // messages that found a full queue, or whose node left
	Failed    uint64 // messages whose publication failed; some may have arrived
	Unheard   uint64 // publications that nobody was subscribed to
	Received  uint64 // messages
	Missed    uint64 // times that messages of a sender were found to be lost
	Repeated  uint64 // messages that came twice and were handed on once
	Resynced  uint64 // times that the subscription was made anew
	Malformed uint64 // packets that could not be read
}

type counters struct {
	sent, packets, dropped, failed, unheard, received, missed, repeated, resynced, malformed atomic.Uint64
}

// carrier brings packets to the subscriber of an incarnation's channel, or loses them.
type carrier interface {
	// publish returns how many heard it. The packet is not kept.
	publish(ctx context.Context, from Peer, to string, packet []byte) (heard int64, err error)
	// subscribe returns when everything published from now on is heard.
	subscribe(ctx context.Context, self Peer) (subscription, error)
	close()
}

type subscription interface {
	// receive waits for a packet. After any error the subscription is of no more use.
	receive(ctx context.Context, silence time.Duration) ([]byte, error)
	close()
}

// Bus carries messages between the nodes of the hall. They may be lost, never
// reordered, and the receiver is told: it is a hint, the journal is the truth.
type Bus struct {
	carrier carrier
	members *Members
	self    Peer
	handler Handler
	opts    BusOptions
	log     *slog.Logger
	now     func() time.Duration
	ctx     context.Context
	cancel  context.CancelFunc
	running sync.WaitGroup
	counts  counters
	heardMe atomic.Int64 // when the last probe came back
	asks    asks
	closing sync.Once

	mu     sync.RWMutex
	closed bool
	opened uint64           // lines so far
	lines  map[string]*line // by the receiver's incarnation
	// strangers were heard and are not in the view yet, by name.
	strangers map[string]stranger
}

type stranger struct {
	incarnation string
	heard       time.Duration
}

// openBus returns when the node's own channel is heard.
func openBus(ctx context.Context, c carrier, m *Members, h Handler, opts BusOptions) (_ *Bus, err error) {
	defer func() {
		if err != nil {
			c.close()
		}
	}()
	if h.Received == nil {
		return nil, errors.New("a bus needs a handler of messages")
	}
	if opts.QueueBytes <= 0 {
		opts.QueueBytes = 4 << 20
	}
	if opts.PacketBytes <= 0 {
		opts.PacketBytes = packetSize
	}
	if opts.Probe <= 0 {
		opts.Probe = time.Second
	}
	if opts.Silence <= 0 {
		opts.Silence = 3 * opts.Probe
	}
	if opts.Log == nil {
		opts.Log = slog.Default()
	}
	n := m.Self()
	b := &Bus{
		carrier: c, members: m, self: Peer{n.Name, n.Incarnation}, handler: h, opts: opts,
		log: opts.Log.With("node", n.Name), now: m.opts.Now, lines: map[string]*line{}, strangers: map[string]stranger{},
		asks: asks{waiting: map[uint64]ask{}},
	}
	b.handler.fill()
	sub, err := c.subscribe(ctx, b.self)
	if err != nil {
		return nil, fmt.Errorf("subscribing to the bus: %w", err)
	}
	b.heardMe.Store(int64(b.now()))
	b.ctx, b.cancel = context.WithCancel(context.Background())
	m.Changed(b.dropLeft)
	b.running.Add(2)
	go b.listen(sub)
	go b.probe()
	return b, nil
}

func (h *Handler) fill() {
	if h.Missed == nil {
		h.Missed = func(Peer) {}
	}
	if h.Resynced == nil {
		h.Resynced = func() {}
	}
	if h.Asked == nil {
		h.Asked = func(_ Message, reply func([]byte, error)) {
			reply(nil, errors.New("this node answers no questions"))
		}
	}
}

// Kinds from here on are the bus's own.
const (
	reservedKinds = 0xf0
	kindAsk       = 0xf0
	kindReply     = 0xf1
	kindRefusal   = 0xf2
)

// Send queues a message to a node and returns at once. Those to one node stay in
// order. An error says that this one was not taken; if the queue was full, the receiver
// will be told. Kind is below 0xf0. The payload is not kept.
func (b *Bus) Send(node string, kind byte, payload []byte) error {
	if kind >= reservedKinds {
		return fmt.Errorf("kinds of messages are below %#x, not %#x", reservedKinds, kind)
	}
	incarnation, ok := b.find(node)
	if !ok {
		return ErrUnknownNode
	}
	return b.send(incarnation, kind, payload)
}

// find returns the incarnation that a name means: of a node in the view, or of one that was heard a moment ago and will be
// there with the next renewal. Whoever has just joined sees the others at once, and may want their answers.
func (b *Bus) find(node string) (incarnation string, ok bool) {
	if n, ok := b.members.Find(node); ok {
		return n.Incarnation, true
	}
	b.mu.RLock()
	defer b.mu.RUnlock()
	s, ok := b.strangers[node]
	return s.incarnation, ok && b.now()-s.heard < b.opts.Silence
}

// meet notes a sender that is not in the view.
func (b *Bus) meet(from Peer) {
	if _, known := b.members.Find(from.Name); known {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.strangers[from.Name] = stranger{from.Incarnation, b.now()}
}

func (b *Bus) send(incarnation string, kind byte, payload []byte) error {
	if len(payload) > payloadLimit {
		return ErrTooLarge
	}
	b.mu.RLock()
	l, closed := b.lines[incarnation], b.closed
	b.mu.RUnlock()
	if l == nil && !closed {
		l = b.open(incarnation)
	}
	if l == nil || closed {
		return ErrBusClosed
	}
	return l.push(kind, payload)
}

func (b *Bus) open(incarnation string) *line {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed || b.lines[incarnation] != nil {
		return b.lines[incarnation]
	}
	b.opened++
	ctx, cancel := context.WithCancel(b.ctx)
	l := &line{bus: b, to: incarnation, number: b.opened, next: 1, cancel: cancel, wake: make(chan struct{}, 1)}
	b.lines[incarnation] = l
	b.running.Add(1)
	go l.run(ctx)
	return l
}

// dropLeft ends the lines to nodes that are no more, and the questions to them.
func (b *Bus) dropLeft() {
	alive := map[string]bool{}
	for _, n := range b.members.Alive() {
		alive[n.Incarnation] = true
	}
	b.mu.Lock()
	now := b.now()
	maps.DeleteFunc(b.strangers, func(_ string, s stranger) bool { return alive[s.incarnation] || now-s.heard >= b.opts.Silence })
	for _, s := range b.strangers {
		alive[s.incarnation] = true // not seen yet is not gone
	}
	for incarnation, l := range b.lines {
		if !alive[incarnation] {
			delete(b.lines, incarnation)
			l.end()
		}
	}
	b.mu.Unlock()
	b.asks.fail(ErrNodeLeft, func(incarnation string) bool { return !alive[incarnation] })
}

// Deaf says that no probe has come back lately: publications or the subscription do
// not work.
func (b *Bus) Deaf() bool {
	return b.now()-time.Duration(b.heardMe.Load()) > b.opts.Silence
}

// Counts returns the totals.
func (b *Bus) Counts() Counts {
	c := &b.counts
	return Counts{
		Sent: c.sent.Load(), Packets: c.packets.Load(), Dropped: c.dropped.Load(), Failed: c.failed.Load(),
		Unheard: c.unheard.Load(), Received: c.received.Load(), Missed: c.missed.Load(),
		Repeated: c.repeated.Load(), Resynced: c.resynced.Load(), Malformed: c.malformed.Load(),
	}
}

// Close ends the bus and waits for its goroutines. What is queued is dropped; whoever
// asks gets ErrBusClosed.
func (b *Bus) Close() {
	b.mu.Lock()
	b.closed = true
	for _, l := range b.lines {
		l.end()
	}
	clear(b.lines)
	b.mu.Unlock()
	b.cancel()
	b.asks.fail(ErrBusClosed, func(string) bool { return true })
	b.running.Wait()
	b.closing.Do(b.carrier.close)
}
