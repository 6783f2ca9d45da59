//go:build unix

package cluster

import (
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"flagfall/server/cluster/redistest"
)

func TestRedisHall(t *testing.T) {
	t.Parallel()
	s := redistest.Single(t)
	onRedis(t, s.URL(), s.Flush)
}

func TestSentinelHall(t *testing.T) {
	t.Parallel()
	s := redistest.Sentinel(t)
	onRedis(t, s.URL(), s.Flush)
}

func TestClusterHall(t *testing.T) {
	t.Parallel()
	s := redistest.Cluster(t)
	onRedis(t, s.URL(), s.Flush)
}

func onRedis(t *testing.T, url string, flush func()) {
	hall(t, func(t *testing.T, test func(*testing.T, place)) {
		flush()
		test(t, connect(t, url, Options{}))
	})
}

// The user that the package's comment names is enough.
func TestRestrictedMember(t *testing.T) {
	t.Parallel()
	s := redistest.Single(t)
	s.Do("acl", "setuser", "hall", "on", ">secret", "~flagfall:*", "&flagfall:*", "+@all", "-@admin", "-@dangerous")
	url := "redis://hall:secret@" + s.Addr()
	t.Run("questions", func(t *testing.T) { questions(t, connect(t, url, Options{})) })
	t.Run("members", func(t *testing.T) { membersSeeEachOther(t, connect(t, url, Options{})) })
	wrong := connect(t, s.URL(), Options{})
	s.Do("acl", "setuser", "default", "-evalsha", "-eval")
	if _, err := wrong.Join(t.Context(), MembersOptions{Name: "c", Log: silent()}); err == nil || !strings.Contains(err.Error(), "NOPERM") {
		t.Errorf("a user who may not run scripts joins: %v", err)
	}
}

// A server that nobody reaches is one clear line.
func TestJoinWithoutRedis(t *testing.T) {
	t.Parallel()
	s := redistest.Single(t)
	r := connect(t, s.URL(), Options{})
	s.Stop()
	t.Cleanup(s.Continue)
	_, err := r.Join(t.Context(), MembersOptions{Name: "a", Log: silent()})
	if err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("%v", err)
	}
	t.Log(err)
}

// inTime fails when a loss was told after others could have claimed.
func (n *node) inTime(told time.Duration) {
	n.t.Helper()
	n.mu.Lock()
	defer n.mu.Unlock()
	if ends := n.lease.lostAt + n.opts.Margin; told >= ends {
		n.t.Errorf("node %s was told of its loss %v after the lease ended", n.self.Name, told-ends)
	}
}

// exchange sends until a message arrives; what is told on the way is let through.
func exchange(t *testing.T, from, to *node) {
	t.Helper()
	for len(to.got) > 0 {
		<-to.got
	}
	from.until("a message arrives at "+to.Self().Name, func() bool {
		err := from.bus.Send(to.Self().Name, 9, []byte("after"))
		if err != nil && !errors.Is(err, ErrUnknownNode) {
			t.Fatal(err)
		}
		return len(to.got) > 0
	})
}

// settle waits until a node could claim.
func (n *node) settle() {
	n.t.Helper()
	n.until("the registry was writable for a lease", func() bool { return n.MayClaim("x", "of nobody") })
}

// pair is two nodes that have talked and could claim.
func pair(t *testing.T, url string) (a, b *node) {
	t.Helper()
	a = start(t, connect(t, url, Options{}), "a", BusOptions{}, nil)
	b = start(t, connect(t, url, Options{}), "b", BusOptions{}, nil)
	exchange(t, a, b)
	exchange(t, b, a)
	a.settle()
	b.settle()
	return a, b
}

// neverClaims fails when one of two living nodes may claim what is the other's, until
// both could claim from somebody.
func neverClaims(t *testing.T, a, b *node) {
	t.Helper()
	a.until("both could claim", func() bool {
		if a.MayClaim("b", b.Self().Incarnation) || b.MayClaim("a", a.Self().Incarnation) {
			t.Fatal("a living node may be claimed")
		}
		return a.MayClaim("x", "of nobody") && b.MayClaim("x", "of nobody")
	})
}

// kill -9 of Redis: both stop in time, come back when it is back, and neither claims.
func TestHallRedisDies(t *testing.T) {
	t.Parallel()
	for name, settings := range map[string][]string{
		"with its file":     nil,
		"with all its keys": {"--appendonly", "no"}, // forgets the leases
	} {
		t.Run(name, func(t *testing.T) {
			s := redistest.Single(t, settings...)
			a, b := pair(t, s.URL())
			s.Kill()
			for _, n := range []*node{a, b} {
				n.inTime(receive(t, "loss", n.lost))
			}
			s.Start()
			neverClaims(t, a, b)
			for _, n := range []*node{a, b} {
				receive(t, "return", n.back)
				receive(t, "new subscription", n.resynced)
				if !n.sees("a", "b") {
					t.Errorf("sees %v", n.Alive())
				}
			}
			exchange(t, a, b)
			exchange(t, b, a)
		})
	}
}

// A Redis that hangs with open sockets is noticed as one that is gone.
func TestHallRedisHangs(t *testing.T) {
	t.Parallel()
	s := redistest.Single(t)
	a, b := pair(t, s.URL())
	s.Stop()
	for _, n := range []*node{a, b} {
		n.inTime(receive(t, "loss", n.lost))
	}
	for _, n := range []*node{a, b} { // what was on its way when Redis stopped may have been heard later than the last probe
		receive(t, "end of the subscription", n.deaf)
	}
	if !a.bus.Deaf() || !b.bus.Deaf() {
		t.Error("nothing is heard, and one does not know that he is deaf")
	}
	s.Continue()
	neverClaims(t, a, b)
	for _, n := range []*node{a, b} {
		receive(t, "return", n.back)
		receive(t, "new subscription", n.resynced)
	}
	exchange(t, a, b)
	exchange(t, b, a)
	a.until("nobody is deaf", func() bool { return !a.bus.Deaf() && !b.bus.Deaf() })
}

// Connections that are reset, and connections that are half-open: go-redis says nothing
// of the latter.
func TestConnectionsLost(t *testing.T) {
	t.Parallel()
	s := redistest.Single(t)
	proxy := redistest.NewProxy(t, s.Addr())
	a := start(t, connect(t, s.URL(), Options{}), "a", BusOptions{}, nil)
	b := start(t, connect(t, proxy.URL(), Options{}), "b", BusOptions{}, nil)
	exchange(t, a, b)
	a.settle()

	proxy.Cut()
	receive(t, "new subscription", b.resynced)
	exchange(t, a, b)
	exchange(t, b, a)
	if len(b.lost) > 0 || !b.Holding() {
		t.Error("a reset connection costs the lease")
	}
	b.settle()

	proxy.Silence(true)
	b.inTime(receive(t, "loss", b.lost))
	if b.Holding() {
		t.Error("holds")
	}
	a.until("a may claim", func() bool { return a.MayClaim("b", b.Self().Incarnation) })
	proxy.Silence(false)
	receive(t, "return", b.back)
	receive(t, "new subscription", b.resynced)
	exchange(t, a, b)
	exchange(t, b, a)
	a.until("b may be claimed no more", func() bool { return !a.MayClaim("b", b.Self().Incarnation) })
	if len(a.lost) > 0 || len(a.resynced) > 0 {
		t.Errorf("a, whose connections are whole, was told %d times of a loss and %d times that it hears again", len(a.lost), len(a.resynced))
	}
}

// Only the subscription is half-open: the lease is fine, and the probe notices.
func TestDeafSubscription(t *testing.T) {
	t.Parallel()
	s := redistest.Single(t)
	proxy := redistest.NewProxy(t, s.Addr())
	direct := connect(t, s.URL(), Options{})
	a := start(t, direct, "a", BusOptions{}, nil)
	m := member(t, direct, MembersOptions{Name: "b"})
	b := &node{t: t, Members: m.Members, changed: m.changed, got: make(chan Message, 1000), missed: make(chan Peer, 100), resynced: make(chan struct{}, 10), deaf: make(chan struct{}, 10)}
	var err error
	b.bus, err = connect(t, proxy.URL(), Options{}).OpenBus(t.Context(), m.Members, Handler{
		Received: func(m Message) { tell(b.got, m) },
		Missed:   func(p Peer) { tell(b.missed, p) },
		Resynced: func() { tell(b.resynced, struct{}{}) },
	}, BusOptions{Log: slog.New(listener{slog.DiscardHandler, b.deaf})})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.bus.Close)
	exchange(t, a, b)
	proxy.Silence(true)
	if err := a.bus.Send("b", 1, nil); err != nil {
		t.Fatal(err)
	}
	receive(t, "end of the subscription", b.deaf)
	if !b.bus.Deaf() {
		t.Error("b does not know that it is deaf")
	}
	proxy.Silence(false)
	receive(t, "new subscription", b.resynced)
	receive(t, "word of the loss", b.missed)
	exchange(t, a, b)
	if len(m.lost) > 0 {
		t.Error("the lease was lost")
	}
}

// The primary dies and a replica takes over, which takes longer than any lease.
func TestHallFailover(t *testing.T) {
	t.Parallel()
	s := redistest.Sentinel(t)
	a, b := pair(t, s.URL())
	dead := member(t, connect(t, s.URL(), Options{}), MembersOptions{Name: "dead"})
	a.until("a sees the third", func() bool { return a.sees("a", "b", "dead") })
	dead.cancel() // it renews no more, as if killed at the same moment
	before := a.opts.Now()
	s.Primary.Kill()
	for _, n := range []*node{a, b} {
		n.inTime(receive(t, "loss", n.lost))
	}
	for _, n := range []*node{a, b} {
		receive(t, "return", n.back)
		t.Logf("node %s holds again %v after the primary was killed", n.Self().Name, a.opts.Now()-before)
	}
	neverClaims(t, a, b)
	a.until("the third may be claimed", func() bool { return a.MayClaim("dead", dead.Self().Incarnation) })
	t.Logf("the third may be claimed after %v", a.opts.Now()-before)
	for _, n := range []*node{a, b} {
		receive(t, "new subscription", n.resynced)
	}
	exchange(t, a, b)
	exchange(t, b, a)
	t.Logf("messages pass after %v", a.opts.Now()-before)
}

// An operator moves the primary: it is so quick that no renewal need fail, and what the old
// one took meanwhile is lost.
func TestHallPlannedFailover(t *testing.T) {
	t.Parallel()
	s := redistest.Sentinel(t)
	a, b := pair(t, s.URL())
	s.Sentinels[0].Do("sentinel", "failover", redistest.MasterName)
	a.until("another one is the primary", func() bool {
		if a.MayClaim("b", b.Self().Incarnation) || b.MayClaim("a", a.Self().Incarnation) {
			t.Fatal("a living node may be claimed")
		}
		return s.Master() != s.Primary
	})
	neverClaims(t, a, b)
	exchange(t, a, b)
	exchange(t, b, a)
	a.until("both hold and hear", func() bool { return a.Holding() && b.Holding() && !a.bus.Deaf() && !b.bus.Deaf() })
}

// The slot of a node's channel moves to another server of the cluster, and that of the
// leases too.
func TestHallSlotsMove(t *testing.T) {
	t.Parallel()
	c := redistest.Cluster(t)
	a, b := pair(t, c.URL())
	for _, key := range []string{busChannel(b.Self().Incarnation), leasesKey} {
		from, slot := c.Owner(key)
		to := c.Nodes[0]
		if to == from {
			to = c.Nodes[1]
		}
		c.BeginMove(slot, from, to)
		c.FinishMove(slot, from, to)
	}
	receive(t, "new subscription", b.resynced)
	exchange(t, a, b)
	exchange(t, b, a)
	neverClaims(t, a, b)
	a.until("both hold and hear", func() bool { return a.Holding() && b.Holding() && !a.bus.Deaf() && !b.bus.Deaf() })
}

// A server of the cluster dies and comes back with its file.
func TestHallClusterServerDies(t *testing.T) {
	t.Parallel()
	c := redistest.Cluster(t)
	a, b := pair(t, c.URL())
	owner, _ := c.Owner(leasesKey)
	owner.Kill()
	for _, n := range []*node{a, b} {
		n.inTime(receive(t, "loss", n.lost))
	}
	owner.Start()
	for _, n := range []*node{a, b} {
		receive(t, "return", n.back)
	}
	neverClaims(t, a, b)
	exchange(t, a, b)
	exchange(t, b, a)
}

// Whatever else is in the registry is no node.
func TestForeignLeases(t *testing.T) {
	t.Parallel()
	s := redistest.Single(t)
	s.Do("hset", leasesKey, "x", "nonsense", "y", "99999999999999 1 inc not-json", "z", "1 1 inc {}")
	_, err := connect(t, s.URL(), Options{}).Join(t.Context(), MembersOptions{Name: "a", Log: silent()})
	if err == nil {
		t.Error("a registry with a value that cannot be read is accepted")
	}
	s.Do("hdel", leasesKey, "y")
	a := member(t, connect(t, s.URL(), Options{}), MembersOptions{Name: "a"})
	if !a.sees("a") {
		t.Errorf("sees %v", a.Alive())
	}
	if n := s.Do("hlen", leasesKey); n != int64(1) {
		t.Errorf("%v leases are kept", n)
	}
}
