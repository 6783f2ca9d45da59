//go:build unix

package cluster

import (
	"errors"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"flagfall/server/cluster/redistest"
)

// promotion bounds the wait for appends to go on after a primary of a cluster has died.
const promotion = 60 * time.Second

// A primary of a cluster dies, or is stopped and wakes as a primary that is none any more: its replica takes its place,
// appends go on, and all that was acknowledged is there.
func TestClusterFailover(t *testing.T) {
	for _, c := range []struct {
		name     string
		replicas int
		end      func(*redistest.Server)
		back     func(*redistest.Server)
	}{
		{"killed", 0, (*redistest.Server).Kill, (*redistest.Server).Start},
		{"killed, no WAIT", -1, (*redistest.Server).Kill, (*redistest.Server).Start},
		{"stopped", 0, (*redistest.Server).Stop, (*redistest.Server).Continue},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			servers := redistest.ClusterWithReplicas(t, 2)
			log := &counter{}
			j := NewJournal(connect(t, servers.URL(), Options{Replicas: c.replicas, Log: log.logger()}))
			if n := j.pipelines.replicas.Load(); n != int32(1+c.replicas) {
				t.Fatalf("an entry waits for %d replicas, want %d", n, 1+c.replicas)
			}
			o := startOwners(t, j, 24)
			o.goOn(promotion)
			key := streamKey(ownerID(0))
			primary, _ := servers.Owner(key)
			c.end(primary)
			paused := o.goOn(promotion)
			if promoted := servers.Promoted(key); promoted == primary {
				t.Fatal("the primary is the same")
			}
			c.back(primary)
			o.goOn(promotion)
			o.end(j)
			t.Logf("every actor has an entry again after %v; %d entries in all, %d failed tries, the longest %v; %d entries were lost by Redis and written again",
				paused.Round(10*time.Millisecond), o.total(), o.tries.Load(), time.Duration(o.worst.Load()).Round(time.Millisecond), log.again.Load())
		})
	}
}

// No replica confirms while it is stopped, in a cluster as anywhere; other primaries' actors go on.
func TestClusterWaitsForReplicas(t *testing.T) {
	servers := redistest.ClusterWithReplicas(t, 1)
	j := NewJournal(connect(t, servers.URL(), Options{WaitTimeout: 50 * time.Millisecond}))
	put(t, j, ownerID(0), 0, "one")
	primary, _ := servers.Owner(streamKey(ownerID(0)))
	other := 1
	for ; ; other++ {
		if owner, _ := servers.Owner(streamKey(ownerID(other))); owner != primary {
			break
		}
	}
	replica := servers.ReplicaOf(primary)
	replica.Stop()
	for range 3 {
		if err := j.Append(ctx, ownerID(0), 1, []byte("two")); !errors.Is(err, errNotReplicated) {
			t.Errorf("append without a replica: %v", err)
		}
	}
	put(t, j, ownerID(other), 0, "one")
	replica.Continue()
	for began := time.Now(); ; {
		err := j.Append(ctx, ownerID(0), 1, []byte("two"))
		if err == nil {
			break
		}
		if time.Since(began) > patience {
			t.Fatal(err)
		}
	}
	expect(t, j, ownerID(0), "1:one 2:two")
}

// A primary without replicas dies: a cluster that need not cover all slots goes on for the actors of the others.
func TestClusterWithoutFullCoverage(t *testing.T) {
	servers := redistest.Cluster(t)
	for _, n := range servers.Nodes {
		n.Do("config", "set", "cluster-require-full-coverage", "no")
	}
	j := NewJournal(connect(t, servers.URL(), Options{}))
	dead, _ := servers.Owner(streamKey(ownerID(0)))
	var others []int // actors
	for i := range 20 {
		if owner, _ := servers.Owner(streamKey(ownerID(i))); owner != dead {
			others = append(others, i)
			put(t, j, ownerID(i), 0, "one") // a new actor would need its part of the directory, too
		}
	}
	dead.Kill()
	for _, n := range servers.Nodes {
		for began := time.Now(); n != dead && n.Cluster()["cluster_slots_fail"] == "0"; time.Sleep(20 * time.Millisecond) {
			if time.Since(began) > promotion {
				t.Fatal("nobody misses the primary")
			}
		}
	}
	for _, i := range others {
		put(t, j, ownerID(i), 1, "two")
	}
	if len(others) < 3 {
		t.Errorf("the other primaries have %d actors of 20", len(others))
	}
}

// The primary of the leases dies, and that of a node's channel: their replicas take their places, the leases are held again,
// nobody is claimed who lives, and messages pass.
func TestHallClusterFailover(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		key  func(a, b *node) string
	}{
		{"of the leases", func(_, _ *node) string { return leasesKey }},
		{"of a channel", func(_, b *node) string { return busChannel(b.Self().Incarnation) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := redistest.ClusterWithReplicas(t, 1)
			a, b := pair(t, s.URL())
			before := a.opts.Now()
			key := c.key(a, b)
			primary, _ := s.Owner(key)
			leases, _ := s.Owner(leasesKey)
			channel, _ := s.Owner(busChannel(b.Self().Incarnation))
			primary.Kill()
			if primary == leases {
				for _, n := range []*node{a, b} {
					n.inTime(receive(t, "loss", n.lost))
				}
				for _, n := range []*node{a, b} {
					receive(t, "return", n.back)
					t.Logf("node %s holds again %v after the primary was killed", n.Self().Name, a.opts.Now()-before)
				}
			}
			neverClaims(t, a, b)
			s.Promoted(key)
			if primary == channel {
				receive(t, "new subscription", b.resynced)
			}
			exchange(t, a, b)
			exchange(t, b, a)
			t.Logf("messages pass %v after the primary was killed", a.opts.Now()-before)
			primary.Start()
			exchange(t, a, b)
			exchange(t, b, a)
			a.until("both hold and hear", func() bool { return a.Holding() && b.Holding() && !a.bus.Deaf() && !b.bus.Deaf() })
			neverClaims(t, a, b)
		})
	}
}

// A client of a cluster appends what it learns to the addresses that it was given, so that each needs its own.
func TestClientsShareNoAddresses(t *testing.T) {
	a, err := parseAddress("redis-cluster://127.0.0.1:1,127.0.0.1:2,127.0.0.1:3")
	if err != nil {
		t.Fatal(err)
	}
	given := map[*string]bool{}
	for range 2 {
		c := a.client(Options{}).(*redis.ClusterClient)
		defer c.Close()
		given[&c.Options().Addrs[0]] = true
	}
	if len(given) != 2 {
		t.Error("two clients were given the same memory")
	}
}
