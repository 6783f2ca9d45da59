package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"
)

// Local is a registry and a bus in memory: for a hall of one node, and for tests with
// several nodes in one process, which can take them apart.
type Local struct {
	start time.Time

	mu       sync.Mutex
	leases   map[string]localLease         // by name
	channels map[string]*localSubscription // by incarnation
	cut      map[string]bool               // by name
}

type localLease struct {
	node   Node
	number uint64
	ends   time.Duration
}

var errCut = errors.New("the node is cut off")

// NewLocal returns an empty hall.
func NewLocal() *Local {
	return &Local{
		start: time.Now(), leases: map[string]localLease{}, channels: map[string]*localSubscription{}, cut: map[string]bool{},
	}
}

// Join makes a node a member.
func (l *Local) Join(ctx context.Context, opts MembersOptions) (*Members, error) {
	return join(ctx, localRegistry{l}, opts)
}

// Cut takes a node's connection away, or gives it back: its renewals fail, and messages
// neither leave nor reach it.
func (l *Local) Cut(name string, cut bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cut[name] = cut
}

type localRegistry struct{ l *Local }

func (r localRegistry) renew(ctx context.Context, n Node, number uint64, length time.Duration) (renewal, error) {
	if err := ctx.Err(); err != nil {
		return renewal{}, err
	}
	l := r.l
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cut[n.Name] {
		return renewal{}, errCut
	}
	now := time.Since(l.start)
	maps.DeleteFunc(l.leases, func(_ string, have localLease) bool { return have.ends <= now })
	have := l.leases[n.Name]
	if inc := have.node.Incarnation; inc != "" && inc != n.Incarnation {
		return renewal{}, fmt.Errorf("%w: incarnation %s at %q", ErrNameTaken, inc, have.node.Address)
	}
	l.leases[n.Name] = localLease{n, number, now + length}
	out := renewal{known: have.number, server: now, nodes: make(map[string]Node, len(l.leases))}
	for name, one := range l.leases {
		out.nodes[name] = one.node
		if left := one.ends - now; name != n.Name && (out.lapse == 0 || left < out.lapse) {
			out.lapse = left
		}
	}
	return out, nil
}

func (r localRegistry) leave(ctx context.Context, n Node) error {
	l := r.l
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cut[n.Name] {
		return errCut
	}
	if l.leases[n.Name].node.Incarnation == n.Incarnation {
		delete(l.leases, n.Name)
	}
	return nil
}

// OpenBus opens a member's bus.
func (l *Local) OpenBus(ctx context.Context, m *Members, h Handler, opts BusOptions) (*Bus, error) {
	return openBus(ctx, localCarrier{l}, m, h, opts)
}

type localCarrier struct{ l *Local }

// A channel that is full loses packets, as a slow subscriber does.
const localBacklog = 1024

func (c localCarrier) publish(ctx context.Context, from Peer, to string, packet []byte) (int64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	l := c.l
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cut[from.Name] {
		return 0, errCut
	}
	s := l.channels[to]
	if s == nil || l.cut[s.self.Name] {
		return 0, nil
	}
	select {
	case s.packets <- bytes.Clone(packet):
		return 1, nil
	default:
		return 0, nil
	}
}

func (c localCarrier) subscribe(ctx context.Context, self Peer) (subscription, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	l := c.l
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cut[self.Name] {
		return nil, errCut
	}
	s := &localSubscription{l: l, self: self, packets: make(chan []byte, localBacklog), ended: make(chan struct{})}
	l.channels[self.Incarnation] = s
	return s, nil
}

func (localRegistry) close() {}
func (localCarrier) close()  {}

type localSubscription struct {
	l       *Local
	self    Peer
	packets chan []byte
	ended   chan struct{}
	once    sync.Once
}

var errSilence = errors.New("nothing was heard for too long")

func (s *localSubscription) receive(ctx context.Context, silence time.Duration) ([]byte, error) {
	timer := time.NewTimer(silence)
	defer timer.Stop()
	select {
	case p := <-s.packets:
		return p, nil
	case <-timer.C:
		return nil, errSilence
	case <-s.ended:
		return nil, ErrBusClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (s *localSubscription) close() {
	s.once.Do(func() {
		close(s.ended)
		s.l.mu.Lock()
		defer s.l.mu.Unlock()
		if s.l.channels[s.self.Incarnation] == s {
			delete(s.l.channels, s.self.Incarnation)
		}
	})
}
