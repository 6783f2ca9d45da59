//go:build unix

package redistest

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// Sharded is a cluster of three primaries.
type Sharded struct {
	Nodes []*Server
	t     testing.TB
}

const slots = 16384

// Cluster starts three nodes that share all slots evenly.
func Cluster(t testing.TB) *Sharded {
	t.Helper()
	c := &Sharded{t: t}
	for range 3 {
		c.Nodes = append(c.Nodes, start(t, freePort(t), "--cluster-enabled", "yes",
			"--cluster-port", strconv.Itoa(freePort(t)), "--cluster-node-timeout", "2000"))
	}
	for i, n := range c.Nodes {
		n.Do("cluster", "set-config-epoch", i+1)
		n.Do("cluster", "addslotsrange", i*slots/3, (i+1)*slots/3-1)
	}
	for _, n := range c.Nodes[1:] {
		first := c.Nodes[0]
		n.Do("cluster", "meet", "127.0.0.1", first.port, first.busPort())
	}
	for _, n := range c.Nodes {
		until(t, "cluster", n.inCluster)
	}
	return c
}

func (s *Server) busPort() string {
	for i, arg := range s.args {
		if arg == "--cluster-port" {
			return s.args[i+1]
		}
	}
	return ""
}

func (s *Server) inCluster() error {
	info := s.fields("cluster", "info")
	if info["cluster_state"] != "ok" || info["cluster_known_nodes"] != "3" {
		return fmt.Errorf("state %s, %s nodes known", info["cluster_state"], info["cluster_known_nodes"])
	}
	if lines := fmt.Sprint(s.Do("cluster", "nodes")); strings.Contains(lines, "handshake") || strings.Contains(lines, "noaddr") {
		return errors.New(lines)
	}
	return nil
}

// URL names all nodes.
func (c *Sharded) URL() string {
	hosts := make([]string, len(c.Nodes))
	for i, n := range c.Nodes {
		hosts[i] = n.Addr()
	}
	return "redis-cluster://" + strings.Join(hosts, ",")
}

// Flush empties all nodes.
func (c *Sharded) Flush() {
	c.t.Helper()
	for _, n := range c.Nodes {
		n.Flush()
	}
}

// Owner is the node that serves a key, and the key's slot.
func (c *Sharded) Owner(key string) (node *Server, slot int64) {
	c.t.Helper()
	slot, _ = c.Nodes[0].Do("cluster", "keyslot", key).(int64)
	for _, n := range c.Nodes {
		for _, r := range n.shards() {
			if r.id == n.ID() && r.first <= slot && slot <= r.last {
				return n, slot
			}
		}
	}
	c.t.Fatalf("nobody serves slot %d", slot)
	return nil, 0
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
