//go:build unix

package cluster

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"flagfall/server/cluster/redistest"
)

// counter is a log that counts lines, and the entries that were written again.
type counter struct {
	slog.Handler
	lines, again atomic.Int64
}

func (c *counter) logger() *slog.Logger {
	c.Handler = quiet().Handler()
	return slog.New(c)
}

func (c *counter) Handle(_ context.Context, r slog.Record) error {
	c.lines.Add(1)
	var from, to uint64
	r.Attrs(func(a slog.Attr) bool {
		switch a.Key {
		case "from":
			from = a.Value.Uint64()
		case "to":
			to = a.Value.Uint64()
		}
		return true
	})
	if from > 0 {
		c.again.Add(int64(to - from + 1))
	}
	return nil
}

// The primary dies, or is stopped and wakes as a primary that is none any more, under
// load: appends go on, and all that was acknowledged is there.
func TestFailover(t *testing.T) {
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
			servers := redistest.Sentinel(t)
			log := &counter{}
			j := NewJournal(connect(t, servers.URL(), Options{Replicas: c.replicas, Log: log.logger()}))
			o := startOwners(t, j, 32)
			o.goOn(patience)
			primary := servers.Master()
			c.end(primary)
			paused := o.goOn(30 * time.Second)
			for began := time.Now(); servers.Master() == primary; {
				if time.Since(began) > patience {
					t.Fatal("the primary is the same")
				}
				time.Sleep(20 * time.Millisecond)
			}
			c.back(primary)
			o.goOn(patience)
			o.end(j)
			t.Logf("every actor has an entry again after %v; %d entries in all, %d failed tries, the longest %v; %d entries were lost by Redis and written again",
				paused.Round(10*time.Millisecond), o.total(), o.tries.Load(), time.Duration(o.worst.Load()).Round(time.Millisecond), log.again.Load())
		})
	}
}

// Replication stops, the primary takes entries for a while and dies, and a replica that
// has none of them takes its place. Without WAIT they were acknowledged and are lost, until
// their owner writes them again; with it none was acknowledged. min-replicas alone ends the loss when the replica has
// been silent for longer than its lag.
func TestLossWithAndWithoutWAIT(t *testing.T) {
	for _, c := range []struct {
		name     string
		replicas int
		still    time.Duration // for so long replication stands still
		lag      int           // min-replicas-max-lag in s, with min-replicas-to-write 1; 0: without
	}{
		{"WAIT 1", 1, 500 * time.Millisecond, 0},
		{"no WAIT", -1, 500 * time.Millisecond, 0},
		{"no WAIT, min-replicas", -1, 5 * time.Second, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			primary := redistest.Single(t)
			link, front := redistest.NewProxy(t, primary.Addr()), redistest.NewProxy(t, primary.Addr())
			host, port, _ := net.SplitHostPort(link.Addr())
			replica := redistest.Single(t, "--replicaof", host+" "+port)
			for began := time.Now(); replica.Info("replication")["master_link_status"] != "up"; {
				if time.Since(began) > patience {
					t.Fatal("the replica does not follow")
				}
				time.Sleep(10 * time.Millisecond)
			}
			if c.lag > 0 {
				primary.Do("config", "set", "min-replicas-to-write", 1, "min-replicas-max-lag", c.lag)
			}
			log := &counter{}
			j := NewJournal(connect(t, front.URL(), Options{Replicas: c.replicas, WaitTimeout: 50 * time.Millisecond, Log: log.logger()}))
			o := startOwners(t, j, 32)
			o.goOn(patience)
			link.Silence(true)
			had := o.total()
			time.Sleep(c.still - c.still/5) // the time in which entries can be lost
			most := o.total() - had
			time.Sleep(c.still / 5)
			acked := o.total() - had
			primary.Kill()
			replica.Do("replicaof", "no", "one")
			if c.replicas > 0 {
				j.pipelines.replicas.Store(0) // nobody is left to wait for
			}
			front.Forward(replica.Addr())
			front.Cut()
			o.goOn(patience)
			o.end(j)
			t.Logf("%d entries were acknowledged while replication stood still, %d were lost by Redis and written again", acked, log.again.Load())
			// Those that were on their way when replication stopped may be among them: one each.
			if c.replicas > 0 && (acked > 32 || log.again.Load() > 0) {
				t.Error("an acknowledged entry was on no replica")
			}
			if c.lag > 0 && acked != most {
				t.Errorf("%d entries were acknowledged after the replica had been silent for longer than its lag", acked-most)
			}
			if c.replicas < 0 && log.again.Load() == 0 {
				t.Error("nothing was lost: nothing was tested")
			}
		})
	}
}

// WAIT counts for what its own connection has written: an entry that is there already must
// not be taken for one that replicas have.
func TestRepeatedAppendWaitsToo(t *testing.T) {
	servers := redistest.Sentinel(t)
	j := NewJournal(connect(t, servers.URL(), Options{WaitTimeout: 50 * time.Millisecond}))
	put(t, j, "game/a", 0, "one")
	for _, r := range servers.Replicas {
		r.Stop()
	}
	for range 3 {
		if err := j.Append(ctx, "game/a", 1, []byte("two")); !errors.Is(err, errNotReplicated) {
			t.Errorf("append without replicas: %v", err)
		}
	}
	// Another node, whose connections have written nothing.
	other := NewJournal(connect(t, "redis://"+servers.Primary.Addr(), Options{Replicas: 1, WaitTimeout: 50 * time.Millisecond}))
	if err := other.Append(ctx, "game/a", 1, []byte("two")); !errors.Is(err, errNotReplicated) {
		t.Errorf("append of another node without replicas: %v", err)
	}
	servers.Replicas[0].Continue()
	o := most(Options{})
	for began := time.Now(); ; {
		err := j.Append(ctx, "game/a", 1, []byte("two"))
		if err == nil {
			break
		}
		if time.Since(began) > o {
			t.Fatal(err)
		}
	}
	expect(t, j, "game/a", "1:one 2:two")
}

// Slots move to another server while their actors go on.
func TestSlotsMove(t *testing.T) {
	servers := redistest.Cluster(t)
	j := NewJournal(connect(t, servers.URL(), Options{}))
	o := startOwners(t, j, 16)
	o.goOn(patience)
	for i := range 4 {
		from, slot := servers.Owner(streamKey(ownerID(i)))
		to := servers.Nodes[0]
		if to == from {
			to = servers.Nodes[1]
		}
		servers.BeginMove(slot, from, to)
		o.goOn(patience)
		// The actor's key goes first: its old server sends everybody to the new one, which
		// wants to be told that it is asked for a slot that is still on its way.
		servers.MoveKey(streamKey(ownerID(i)), from, to)
		o.goOn(patience)
		servers.FinishMove(slot, from, to)
		o.goOn(patience)
		if owner, _ := servers.Owner(streamKey(ownerID(i))); owner != to {
			t.Errorf("slot %d did not move", slot)
		}
	}
	if n := o.tries.Load(); n > 0 {
		t.Logf("%d tries failed while slots moved", n)
	}
	o.end(j)
}

// A server that does not answer costs only the actors that it holds.
func TestOneServerOfThree(t *testing.T) {
	servers := redistest.Cluster(t)
	j := NewJournal(connect(t, servers.URL(), Options{Timeout: 300 * time.Millisecond}))
	o := startOwners(t, j, 24)
	o.goOn(patience)
	silent := servers.Nodes[2]
	held := map[int]bool{}
	for i := range o.acked {
		owner, _ := servers.Owner(streamKey(ownerID(i)))
		held[i] = owner == silent
	}
	silent.Stop()
	before := make([]uint64, len(o.acked))
	for i := range o.acked {
		before[i] = o.acked[i].Load()
	}
	began := time.Now()
	for i := range o.acked {
		for !held[i] && o.acked[i].Load() < before[i]+20 {
			if time.Since(began) > patience {
				t.Fatalf("actor %d of another server waits", i)
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
	silent.Continue()
	o.goOn(patience)
	o.end(j)
}
