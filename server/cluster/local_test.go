package cluster

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// await fails unless the value comes at the time, to the millisecond.
func await[T any](t *testing.T, n *node, what string, c <-chan T, at time.Duration) T {
	t.Helper()
	v := receive(t, what, c)
	if now := n.opts.Now().Round(ms); now != at {
		t.Errorf("%s at %v, want %v", what, now, at)
	}
	return v
}

// A node that is cut off stops half a second before its lease ends, and nobody may
// claim before that.
func TestCutOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLocal()
		a, b := member(t, l, MembersOptions{Name: "a"}), member(t, l, MembersOptions{Name: "b"})
		time.Sleep(5100 * ms) // renewals at 0, 500, ... 5000
		l.Cut("a", true)
		inc := a.Self().Incarnation
		time.Sleep(1399 * ms)
		if !a.Holding() || b.MayClaim("a", inc) {
			t.Errorf("1.499 s after the last renewal: holds %v, may be claimed %v", a.Holding(), b.MayClaim("a", inc))
		}
		await(t, a, "loss", a.lost, 6500*ms)
		if a.Holding() || a.Err() == nil || a.MayClaim("b", b.Self().Incarnation) {
			t.Error("holds, or claims, after the loss was told")
		}
		time.Sleep(499 * ms)
		if b.MayClaim("a", inc) {
			t.Error("b claims before the lease has run out")
		}
		time.Sleep(2 * ms)
		synctest.Wait()
		if !b.MayClaim("a", inc) || !b.sees("b") {
			t.Error("b does not claim after its next renewal")
		}
		l.Cut("a", false)
		gap := receive(t, "return", a.back)
		if gap < 500*ms || gap > 700*ms || !a.Holding() {
			t.Errorf("back after %v, holding %v", gap, a.Holding())
		}
		b.until("b sees a again", func() bool { return b.sees("a", "b") })
		if b.MayClaim("a", inc) || len(a.lost) > 0 || len(b.lost) > 0 {
			t.Error("a may be claimed, or a loss was told twice, or to b")
		}
	})
}

// A node that has come since the last renewal is thought dead until one looks, and only then; a look that cannot read
// the registry says so.
func TestLook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLocal()
		a := member(t, l, MembersOptions{Name: "a"})
		time.Sleep(5100 * ms)
		b := member(t, l, MembersOptions{Name: "b"})
		if !a.MayClaim("b", b.Self().Incarnation) || a.sees("a", "b") {
			t.Error("a knows of b already")
		}
		if err := a.Look(t.Context()); err != nil || a.MayClaim("b", b.Self().Incarnation) || !a.sees("a", "b") {
			t.Errorf("after a look (%v) a may claim b, or does not see it: %v", err, a.Alive())
		}
		l.Cut("a", true)
		if err := a.Look(t.Context()); !errors.Is(err, errCut) {
			t.Errorf("a look from a node that is cut off: %v", err)
		}
		l.Cut("a", false)
		looked := make(chan error)
		if err := b.Leave(t.Context()); err != nil {
			t.Fatal(err)
		}
		go func() { looked <- b.Look(context.Background()) }()
		if err := receive(t, "look", looked); !errors.Is(err, errLeft) {
			t.Errorf("a look of a node that has left: %v", err)
		}
	})
}

// A dead node is missed when its lease ends, not at the next renewal.
func TestLapse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLocal()
		a := member(t, l, MembersOptions{Name: "a"})
		time.Sleep(200 * ms)
		b := member(t, l, MembersOptions{Name: "b"}) // renews at 200, 700 ...
		time.Sleep(5000 * ms)
		l.Cut("a", true) // its last renewal was at 5000
		time.Sleep(1799 * ms)
		synctest.Wait()
		if !b.sees("a", "b") {
			t.Error("a is missed before its lease ends")
		}
		time.Sleep(3 * ms)
		synctest.Wait()
		if !b.sees("b") || !b.MayClaim("a", a.Self().Incarnation) {
			t.Error("a is not missed when its lease has ended")
		}
	})
}

// When the registry is away for all, all stop, and afterwards nobody claims who comes back
// within a lease.
func TestRegistryAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLocal()
		a, b, dead := member(t, l, MembersOptions{Name: "a"}), member(t, l, MembersOptions{Name: "b"}), member(t, l, MembersOptions{Name: "dead"})
		time.Sleep(5100 * ms)
		for _, name := range []string{"a", "b", "dead"} {
			l.Cut(name, true)
		}
		await(t, a, "loss of a", a.lost, 6500*ms)
		await(t, b, "loss of b", b.lost, 6500*ms)
		time.Sleep(3500 * ms)
		l.Cut("b", false)
		if gap := receive(t, "return of b", b.back); gap < 3500*ms || gap > 3700*ms {
			t.Errorf("gap %v", gap)
		}
		if !b.Holding() || !b.sees("a", "b", "dead") {
			t.Errorf("b holds %v, sees %v", b.Holding(), b.Alive())
		}
		time.Sleep(1000 * ms)
		l.Cut("a", false)
		receive(t, "return of a", a.back)
		for range 20 {
			if a.MayClaim("b", b.Self().Incarnation) || b.MayClaim("a", a.Self().Incarnation) {
				t.Fatal("one claims the other")
			}
			time.Sleep(100 * ms)
		}
		b.until("the dead one may be claimed", func() bool { return b.MayClaim("dead", dead.Self().Incarnation) })
	})
}

// One renewal that fails costs no hold, and whoever is gone after it may not be claimed
// for a whole lease: he may not have been able to renew either.
func TestOneRenewalFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLocal()
		a, b := member(t, l, MembersOptions{Name: "a"}), member(t, l, MembersOptions{Name: "b"})
		time.Sleep(5100 * ms)
		l.Cut("b", true)
		time.Sleep(450 * ms) // the renewal at 5.5 s fails, the one at 5.6 s does not
		l.Cut("b", false)
		if err := a.Leave(t.Context()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2000 * ms)
		if inc := a.Self().Incarnation; b.MayClaim("a", inc) || !b.Holding() || len(b.lost) > 0 || !b.sees("a", "b") {
			t.Errorf("may claim %v, holds %v, sees %v", b.MayClaim("a", inc), b.Holding(), b.Alive())
		}
		time.Sleep(600 * ms)
		if !b.MayClaim("a", a.Self().Incarnation) || !b.sees("b") {
			t.Error("may not claim after a whole lease")
		}
	})
}

// A dead node's name is free for its next incarnation when the lease has run out.
func TestRestartUnderTheSameName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLocal()
		a := member(t, l, MembersOptions{Name: "a"})
		l.mu.Lock()
		l.cut["a"] = true
		l.mu.Unlock()
		receive(t, "loss", a.lost)
		_ = a.Leave(t.Context()) // its goroutines end; its lease stays
		l.Cut("a", false)
		before := time.Now()
		again := member(t, l, MembersOptions{Name: "a"})
		if took := time.Since(before); took < 400*ms || took > 900*ms {
			t.Errorf("joined after %v", took)
		}
		again.until("the former incarnation may be claimed", func() bool { return again.MayClaim("a", a.Self().Incarnation) })
	})
}

// A node whose name was taken while it was away never holds again.
func TestSuperseded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLocal()
		a := member(t, l, MembersOptions{Name: "a"})
		l.mu.Lock()
		l.leases["a"] = localLease{Node{Name: "a", Incarnation: "other"}, 1, time.Hour}
		l.mu.Unlock()
		receive(t, "loss", a.lost)
		time.Sleep(time.Minute)
		if a.Holding() || len(a.back) > 0 || a.Err() == nil {
			t.Errorf("holds %v, %v", a.Holding(), a.Err())
		}
	})
}

// Who leaves while he is about to look at his lease holds nothing afterwards.
func TestLeaveEndsTheHold(t *testing.T) {
	l := NewLocal()
	for range 500 {
		m, err := l.Join(t.Context(), MembersOptions{Name: "a", Log: silent()})
		if err != nil {
			t.Fatal(err)
		}
		m.look()
		if err := m.Leave(t.Context()); err != nil {
			t.Fatal(err)
		}
		if m.Holding() {
			t.Fatal("holds after it left")
		}
	}
}

// Whoever is cut off hears so by his own silence, and is told when he hears again.
func TestBusCutOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLocal()
		a, b := start(t, l, "a", BusOptions{}, nil), start(t, l, "b", BusOptions{}, nil)
		a.until("a sees b", func() bool { return a.sees("a", "b") })
		send := func(kind byte) {
			t.Helper()
			if err := a.bus.Send("b", kind, nil); err != nil {
				t.Fatal(err)
			}
		}
		send(1)
		receive(t, "message", b.got)
		l.Cut("b", true)
		send(2)
		time.Sleep(1100 * ms)
		l.Cut("b", false)
		if from := receive(t, "word of the loss", b.missed); from != a.bus.self {
			t.Errorf("missed from %v", from)
		}
		if len(b.got) > 0 || b.bus.Deaf() {
			t.Error("a message came though it was lost, or the bus thinks itself deaf")
		}
		l.Cut("b", true)
		time.Sleep(3900 * ms)
		if !b.bus.Deaf() || len(b.resynced) > 0 {
			t.Error("does not know that it is deaf")
		}
		l.Cut("b", false)
		receive(t, "new subscription", b.resynced)
		a.until("a sees b again", func() bool { return a.sees("a", "b") })
		send(3)
		if m := receive(t, "message", b.got); m.Kind != 3 {
			t.Errorf("%+v", m)
		}
		time.Sleep(1100 * ms)
		if b.bus.Deaf() || len(a.resynced) > 0 {
			t.Error("deaf after the probe came back, or a was told too")
		}
	})
}

// What waits in the queue says how long.
func TestWaited(t *testing.T) {
	now := 10 * time.Second
	p := &packet{first: 5, begun: now}
	p.add(now, 1, []byte("first"))
	p.add(now+30*ms, 2, []byte("second"))
	data := appendHeader(nil, packetMessages, Peer{"a", "inc"}, 3, p.first, 50*ms)
	data = append(data, p.body...)
	h, err := readHeader(data, Peer{})
	if err != nil || h.from != (Peer{"a", "inc"}) || h.line != 3 || h.first != 5 || h.age != 50*ms {
		t.Fatalf("%+v, %v", h, err)
	}
	for _, want := range []struct {
		after   time.Duration
		kind    byte
		payload string
	}{{0, 1, "first"}, {30 * ms, 2, "second"}} {
		after, kind, payload, done, err := h.messages.next()
		if after != want.after || kind != want.kind || string(payload) != want.payload || done || err != nil {
			t.Errorf("%v %d %q %v %v", after, kind, payload, done, err)
		}
	}
	if _, _, _, done, err := h.messages.next(); !done || err != nil {
		t.Error("no end")
	}
}

// Repeated packets are handed on once, a line that was opened again is a gap, one that is
// closed is not heard any more.
func TestNumbers(t *testing.T) {
	var got []byte
	missed := 0
	b := &Bus{handler: Handler{Received: func(m Message) { got = append(got, m.Kind) }, Missed: func(Peer) { missed++ }}}
	s := &source{line: 1, next: 1}
	take := func(line, first uint64, kinds string) {
		p := &packet{first: first}
		for _, k := range []byte(kinds) {
			p.add(0, k, nil)
		}
		b.take(s, header{line: line, first: first, messages: reader{rest: p.body}})
	}
	for _, c := range []struct {
		line, first uint64
		kinds, got  string
		missed      int
	}{
		{1, 1, "ab", "ab", 0},
		{1, 1, "ab", "", 0},  // again
		{1, 2, "bc", "c", 0}, // partly again
		{1, 4, "", "", 0},    // no loss at the end
		{1, 5, "", "", 1},    // a loss at the end
		{1, 5, "", "", 0},
		{1, 5, "e", "e", 0},
		{1, 9, "i", "i", 1},
		{3, 1, "x", "x", 1}, // opened again
		{1, 10, "j", "", 0}, // the closed one
		{3, 2, "y", "y", 0},
	} {
		got, missed = nil, 0
		take(c.line, c.first, c.kinds)
		if string(got) != c.got || missed != c.missed {
			t.Errorf("line %d from %d %q: got %q, missed %d", c.line, c.first, c.kinds, got, missed)
		}
	}
}

// What found no room has its number all the same, and the next one begins a packet.
func TestGapBeginsAPacket(t *testing.T) {
	l := &line{bus: &Bus{opts: BusOptions{QueueBytes: 1000, PacketBytes: packetSize}, now: func() time.Duration { return 0 }}, next: 1, wake: make(chan struct{}, 1)}
	for _, c := range []struct {
		size int
		err  error
	}{{400, nil}, {400, nil}, {400, ErrQueueFull}, {10, nil}} {
		if err := l.push(1, make([]byte, c.size)); err != c.err {
			t.Errorf("%d bytes: %v", c.size, err)
		}
	}
	for _, want := range []struct{ first, count uint64 }{{1, 2}, {4, 1}} {
		if p, next := l.take(); p == nil || p.first != want.first || p.count != want.count || next != 5 {
			t.Errorf("%+v, next %d", p, next)
		}
	}
	if p, _ := l.take(); p != nil || l.bytes != 0 {
		t.Errorf("%+v, %d bytes", p, l.bytes)
	}
}

func FuzzPacket(f *testing.F) {
	p := &packet{first: 1}
	p.add(0, 1, []byte("payload"))
	f.Add(append(appendHeader(nil, packetMessages, Peer{"a", "b"}, 1, 1, 0), p.body...))
	f.Add(appendHeader(nil, packetProbe, Peer{"a", "b"}, 0, 1, 0))
	f.Add([]byte{1, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01})
	f.Fuzz(func(t *testing.T, data []byte) {
		h, err := readHeader(data, Peer{})
		if err != nil {
			return
		}
		total := 0
		for {
			_, _, payload, done, err := h.messages.next()
			total += len(payload)
			if done || err != nil {
				break
			}
		}
		if total > len(data) {
			t.Errorf("%d bytes of payload in %d", total, len(data))
		}
	})
}

// busy is a registry whose first answers come too late.
type busy struct {
	registry
	late int
}

func (r *busy) renew(ctx context.Context, n Node, number uint64, length time.Duration) (renewal, error) {
	if r.late > 0 {
		r.late--
		<-ctx.Done()
		return renewal{}, ctx.Err()
	}
	return r.registry.renew(ctx, n, number, length)
}

// A node joins though some answers are late; whom nobody ever answers is told so.
func TestJoinBusyRegistry(t *testing.T) {
	for _, c := range []struct {
		late  int
		joins bool
	}{{1, true}, {3, true}, {100, false}} {
		synctest.Test(t, func(t *testing.T) {
			m, err := join(t.Context(), &busy{localRegistry{NewLocal()}, c.late}, MembersOptions{Name: "a", Log: silent()})
			if !c.joins {
				if !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("%d late answers: %v", c.late, err)
				}
				return
			}
			if err != nil {
				t.Fatalf("%d late answers: %v", c.late, err)
			}
			if !m.Holding() {
				t.Errorf("%d late answers: it holds nothing", c.late)
			}
			if err := m.Leave(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}
