package cluster

import (
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
	leases   map[string]localLease // by name
	channels map[string]chan []byte
	cut      map[string]bool // by name
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
		start: time.Now(), leases: map[string]localLease{}, channels: map[string]chan []byte{}, cut: map[string]bool{},
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
	nodes := make(map[string]Node, len(l.leases))
	for name, have := range l.leases {
		nodes[name] = have.node
	}
	return renewal{known: have.number, server: now, nodes: nodes}, nil
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
