package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"flagfall/game"
	"flagfall/server/actor"
	"flagfall/server/arena"
	"flagfall/server/cluster"
	"flagfall/server/gateway"
	"flagfall/server/table"
)

// nodes is this program's place among others that are one hall with it; nil where there is no Redis.
type nodes struct {
	redis   *cluster.Redis
	members *cluster.Members
	journal *cluster.Journal
	gateway *gateway.Gateway
	bus     *cluster.Bus // nil until serve
	log     *slog.Logger

	heard     atomic.Pointer[cluster.Bus] // bus, for those who come from elsewhere
	leaving   chan struct{}
	returning sync.WaitGroup
}

// joinNodes makes this program one of the nodes.
func joinNodes(ctx context.Context, s settings, addr string, log *slog.Logger) (_ *nodes, err error) {
	n := &nodes{log: log, leaving: make(chan struct{}), gateway: gateway.New(gateway.Config{Log: log, Now: bootTime()})}
	defer func() {
		if err != nil {
			err = errors.Join(err, n.close(ctx))
		}
	}()
	if n.redis, err = cluster.Open(ctx, s.redis, cluster.Options{Log: log}); err != nil {
		return nil, err
	}
	n.journal = cluster.NewJournal(n.redis)
	n.members, err = n.redis.Join(ctx, cluster.MembersOptions{
		Name: s.node, Address: addr, Versions: map[string]int{table.KindName: game.EventVersion, arena.KindName: arena.Version}, Log: log, Now: bootTime(),
	})
	if errors.Is(err, cluster.ErrNameTaken) {
		err = fmt.Errorf("node %q runs already: give each node a name of its own with -node: %w", s.node, err)
	}
	if err != nil {
		return nil, err
	}
	return n, nil
}

// tend has the hall do what the nodes want.
func (n *nodes) tend(hall *actor.Hall, still *standstill) {
	n.members.Lost(func() { still.part(n.resynced()) })
	n.members.Back(func(time.Duration) {
		loss := still.loss()
		n.returning.Go(func() {
			if n.hears(loss) {
				still.rejoin(loss)
			}
		})
	})
	n.members.Changed(hall.LookForOrphans)
	n.members.Changed(n.gateway.NodesChanged)
}

// hearTime is how much later than this node all others hear its messages again, after Redis was away.
const hearTime = 2 * time.Second

// hears waits until the nodes hear one another again after a loss of the lease: what a game says before that is lost, and
// its sockets with it. False when this node leaves.
func (n *nodes) hears(l loss) bool {
	wait := time.NewTimer(0)
	defer wait.Stop()
	for again := false; !again; {
		select {
		case <-wait.C:
		case <-n.leaving:
			return false
		}
		bus := n.heard.Load()
		again = bus == nil || !bus.Deaf()
		wait.Reset(20 * time.Millisecond)
	}
	if n.resynced() == l.resynced {
		return true // nothing was lost
	}
	wait.Reset(hearTime)
	select {
	case <-wait.C:
		return true
	case <-n.leaving:
		return false
	}
}

// resynced counts how often the bus has begun to hear again.
func (n *nodes) resynced() uint64 {
	if bus := n.heard.Load(); bus != nil {
		return bus.Counts().Resynced
	}
	return 0
}

// serve begins to take what other nodes' sockets say.
func (n *nodes) serve(ctx context.Context, h *house) (err error) {
	n.bus, err = n.redis.OpenBus(ctx, n.members, cluster.Handler{
		Received: func(m cluster.Message) { n.gateway.Received(gateway.Peer(m.From), m.Kind, m.Payload, m.Waited) },
		Missed:   func(p cluster.Peer) { n.gateway.Missed(gateway.Peer(p)) },
		Resynced: n.gateway.Resynced,
		Asked: func(m cluster.Message, reply func([]byte, error)) {
			n.gateway.Asked(gateway.Peer(m.From), m.Payload, reply)
		},
	}, cluster.BusOptions{Log: n.log})
	if err != nil {
		return err
	}
	n.heard.Store(n.bus)
	n.gateway.Start(gateway.Parts{Bus: n.bus, Owners: h.hall, Nodes: n, Tables: h.tables, Lobby: h.lobby, Events: h.events})
	return nil
}

// Self is this node's name.
func (n *nodes) Self() string { return n.members.Self().Name }

// Alive lists the nodes as the gateway wants them.
func (n *nodes) Alive() []gateway.Node {
	alive := n.members.Alive()
	out := make([]gateway.Node, len(alive))
	for i, one := range alive {
		out[i] = gateway.Node{Peer: gateway.Peer{Name: one.Name, Incarnation: one.Incarnation}, Draining: one.Draining}
	}
	return out
}

// close leaves the others; what this node had they may take over at once.
func (n *nodes) close(ctx context.Context) error {
	var errs []error
	close(n.leaving)
	n.gateway.Close()
	if n.bus != nil {
		n.bus.Close()
	}
	if n.members != nil {
		errs = append(errs, n.members.Leave(ctx))
	}
	n.returning.Wait() // nobody adds to it after Leave
	if n.redis != nil {
		errs = append(errs, n.redis.Close())
	}
	return errors.Join(errs...)
}

// peers are the nodes as the hall wants them.
type peers struct{ members *cluster.Members }

func (p peers) Self() actor.Node { return node(p.members.Self()) }

func (p peers) Alive() []actor.Node {
	alive := p.members.Alive()
	out := make([]actor.Node, len(alive))
	for i, n := range alive {
		out[i] = node(n)
	}
	return out
}

func (p peers) MayClaim(incarnation string) bool { return p.members.MayClaim("", incarnation) }

// Knows is what the node says of itself; of a kind that it says nothing of, every version.
func (p peers) Knows(n actor.Node, kind string) int {
	if found, ok := p.members.Find(n.Name); ok {
		if version, ok := found.Versions[kind]; ok {
			return version
		}
	}
	return math.MaxInt
}

func (p peers) Look(ctx context.Context) error { return p.members.Look(ctx) }

func node(n cluster.Node) actor.Node { return actor.Node{Name: n.Name, Incarnation: n.Incarnation} }
