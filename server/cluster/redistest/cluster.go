//go:build unix

package redistest

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Sharded is a cluster of three primaries, with or without replicas. Names of servers are those at the start: a failover
// makes a replica a primary.
type Sharded struct {
	Nodes    []*Server // the primaries
	Replicas []*Server
	t        testing.TB
}

const allSlots = 16384

// Cluster starts three nodes that share all slots evenly.
func Cluster(t testing.TB) *Sharded {
	t.Helper()
	return cluster(t, nil, 0)
}

// ClusterWithReplicas starts three primaries that share all slots evenly, each with so many replicas. A primary that does
// not answer for 2 s is taken for dead.
func ClusterWithReplicas(t testing.TB, each int) *Sharded {
	t.Helper()
	return cluster(t, nil, each)
}

func cluster(t testing.TB, authority *Authority, each int) *Sharded {
	t.Helper()
	c := &Sharded{t: t}
	for i := range 3 * (1 + each) {
		n := start(t, authority, "--cluster-enabled", "yes", "--cluster-port", strconv.Itoa(freePort(t)), "--cluster-node-timeout", "2000")
		n.Do("cluster", "set-config-epoch", i+1)
		if i < 3 {
			n.Do("cluster", "addslotsrange", i*allSlots/3, (i+1)*allSlots/3-1)
			c.Nodes = append(c.Nodes, n)
		} else {
			c.Replicas = append(c.Replicas, n)
		}
	}
	first := c.Nodes[0]
	for _, n := range c.Servers()[1:] {
		n.Do("cluster", "meet", "127.0.0.1", first.port, first.busPort())
	}
	for _, n := range c.Servers() {
		until(t, "cluster", func() error { return n.inCluster(len(c.Servers())) })
	}
	for i, r := range c.Replicas {
		r.Do("cluster", "replicate", c.Nodes[i%3].ID())
	}
	for _, n := range c.Nodes {
		until(t, "replicas", func() error { return n.hasReplicas(each) })
	}
	return c
}

// Servers are all of the cluster.
func (c *Sharded) Servers() []*Server { return append(append([]*Server{}, c.Nodes...), c.Replicas...) }

// hasReplicas tells what a primary has not yet.
func (s *Server) hasReplicas(want int) error {
	info, online := s.Info("replication"), 0
	for name, value := range info {
		if strings.HasPrefix(name, "slave") && strings.Contains(value, "state=online") {
			online++
		}
	}
	if online != want {
		return fmt.Errorf("%d replicas of %d are there", online, want)
	}
	return nil
}

func (s *Server) busPort() string {
	for i, arg := range s.args {
		if arg == "--cluster-port" {
			return s.args[i+1]
		}
	}
	return ""
}

// Cluster is what the server says of its cluster.
func (s *Server) Cluster() map[string]string {
	s.t.Helper()
	return s.fields("cluster", "info")
}

func (s *Server) inCluster(servers int) error {
	info := s.Cluster()
	if info["cluster_state"] != "ok" || info["cluster_known_nodes"] != strconv.Itoa(servers) {
		return fmt.Errorf("state %s, %s nodes known", info["cluster_state"], info["cluster_known_nodes"])
	}
	if lines := fmt.Sprint(s.Do("cluster", "nodes")); strings.Contains(lines, "handshake") || strings.Contains(lines, "noaddr") {
		return errors.New(lines)
	}
	return nil
}

// URL names the nodes that are primaries at the start.
func (c *Sharded) URL() string {
	hosts := make([]string, len(c.Nodes))
	for i, n := range c.Nodes {
		hosts[i] = n.Addr()
	}
	return c.Nodes[0].authority.url("redis-cluster", strings.Join(hosts, ","))
}

// Flush empties all nodes, which are the primaries yet.
func (c *Sharded) Flush() {
	c.t.Helper()
	for _, n := range c.Nodes {
		n.Flush()
	}
}

// Owner is the node that serves a key, and the key's slot.
func (c *Sharded) Owner(key string) (node *Server, slot int64) {
	c.t.Helper()
	node, slot = c.server(key)
	if node == nil {
		c.t.Fatalf("nobody serves slot %d", slot)
	}
	return node, slot
}

// server is a running server that says that it serves a key, or nil.
func (c *Sharded) server(key string) (node *Server, slot int64) {
	c.t.Helper()
	for _, n := range c.Servers() {
		if !n.answers() {
			continue
		}
		slot, _ = n.Do("cluster", "keyslot", key).(int64)
		for _, r := range n.shards() {
			if r.id == n.ID() && r.first <= slot && slot <= r.last {
				return n, slot
			}
		}
	}
	return nil, slot
}

// ReplicaOf is the first replica of a primary, as they are at the start.
func (c *Sharded) ReplicaOf(primary *Server) *Server {
	c.t.Helper()
	i := slices.Index(c.Nodes, primary)
	if i < 0 || i >= len(c.Replicas) {
		c.t.Fatal("no such replica")
	}
	return c.Replicas[i]
}

// Promoted waits until one of the replicas serves a key whose primary is dead or stopped.
func (c *Sharded) Promoted(key string) *Server {
	c.t.Helper()
	var node *Server
	until(c.t, "replica in the place of its primary", func() error {
		if node, _ = c.server(key); node == nil {
			return errors.New("nobody serves the key")
		}
		return nil
	})
	return node
}

type slotRange struct {
	first, last int64
	id          string
}

// shards is who serves which slots, as the node knows it.
func (s *Server) shards() []slotRange {
	s.t.Helper()
	var all []slotRange
	answer, _ := s.Do("cluster", "slots").([]any)
	for _, entry := range answer {
		e := entry.([]any)
		all = append(all, slotRange{e[0].(int64), e[1].(int64), fmt.Sprint(e[2].([]any)[2])})
	}
	return all
}

// ID is the node's id in the cluster.
func (s *Server) ID() string {
	s.t.Helper()
	return fmt.Sprint(s.Do("cluster", "myid"))
}

// BeginMove opens a slot's way to another node: keys that are not at the old one are
// asked for at the new one.
func (c *Sharded) BeginMove(slot int64, from, to *Server) {
	c.t.Helper()
	to.Do("cluster", "setslot", slot, "importing", from.ID())
	from.Do("cluster", "setslot", slot, "migrating", to.ID())
}

// MoveKey moves one key of a slot whose move has begun.
func (c *Sharded) MoveKey(key string, from, to *Server) {
	c.t.Helper()
	from.Do("migrate", "127.0.0.1", to.port, key, 0, 2000)
}

// FinishMove moves the keys of a slot and gives it to the new node.
func (c *Sharded) FinishMove(slot int64, from, to *Server) {
	c.t.Helper()
	for {
		keys, _ := from.Do("cluster", "getkeysinslot", slot, 100).([]any)
		if len(keys) == 0 {
			break
		}
		from.Do(append([]any{"migrate", "127.0.0.1", to.port, "", 0, 2000, "keys"}, keys...)...)
	}
	for _, n := range []*Server{to, from} {
		n.Do("cluster", "setslot", slot, "node", to.ID())
	}
}
