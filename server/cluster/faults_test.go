//go:build unix

package cluster

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"flagfall/server/actor"
	"flagfall/server/cluster/redistest"
)

// owners append entries to actors of their own as fast as they are taken, each again
// until it is, as the runtime of the actors does.
type owners struct {
	t     testing.TB
	stop  chan struct{}
	wait  sync.WaitGroup
	acked []atomic.Uint64 // number of the last acknowledged entry of each actor
	tries atomic.Int64    // that failed
	last  atomic.Int64    // when the latest entry was acknowledged, ns since began
	worst atomic.Int64    // the longest try
	began time.Time
}

func ownerID(i int) actor.ID { return actor.ID(fmt.Sprint("game/", i)) }

func ownerData(i int, seq uint64) string { return fmt.Sprintf("%d-%d", i, seq) }

func startOwners(t testing.TB, j *Journal, n int) *owners {
	o := &owners{t: t, stop: make(chan struct{}), acked: make([]atomic.Uint64, n), began: time.Now()}
	for i := range n {
		o.wait.Go(func() { o.own(j, i) })
	}
	return o
}

func (o *owners) own(j *Journal, i int) {
	for seq := uint64(1); ; {
		began := time.Now()
		err := j.Append(ctx, ownerID(i), seq-1, []byte(ownerData(i, seq)))
		o.worst.Store(max(o.worst.Load(), int64(time.Since(began))))
		pause := time.Millisecond
		switch {
		case err == nil:
			o.acked[i].Store(seq)
			o.last.Store(int64(time.Since(o.began)))
			seq++
		case errors.Is(err, actor.ErrConflict), errors.Is(err, ErrLost):
			o.t.Errorf("actor %d, entry %d: %v", i, seq, err)
			return
		default:
			o.tries.Add(1)
			pause = 20 * time.Millisecond
		}
		select {
		case <-o.stop:
			return
		case <-time.After(pause):
		}
	}
}

func (o *owners) total() (n uint64) {
	for i := range o.acked {
		n += o.acked[i].Load()
	}
	return n
}

// goOn waits until every actor has had an entry acknowledged from now on.
func (o *owners) goOn(within time.Duration) time.Duration {
	o.t.Helper()
	began := time.Now()
	had := make([]uint64, len(o.acked))
	for i := range o.acked {
		had[i] = o.acked[i].Load()
	}
	for i := range o.acked {
		for o.acked[i].Load() == had[i] {
			if time.Since(began) > within {
				o.t.Fatalf("actor %d: no entry is acknowledged within %v (%d failed tries in all)", i, within, o.tries.Load())
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
	return time.Since(began)
}

// end stops the owners and compares what they know with what is in the journal: all that
// was acknowledged, in order, once, and at most one entry more.
func (o *owners) end(j *Journal) {
	o.t.Helper()
	close(o.stop)
	o.wait.Wait()
	for i := range o.acked {
		entries := readAgain(o.t, j, ownerID(i))
		acked := o.acked[i].Load()
		if n := uint64(len(entries)); n != acked && n != acked+1 {
			o.t.Errorf("actor %d: %d entries are acknowledged, %d are there", i, acked, n)
		}
		for k, e := range entries {
			if want := uint64(k + 1); e.Seq != want || string(e.Data) != ownerData(i, want) {
				o.t.Errorf("actor %d: entry %d is %d %q", i, want, e.Seq, e.Data)
				break
			}
		}
	}
}

// readAgain reads an actor's journal when connections may still be those of a server that
// is gone.
func readAgain(t testing.TB, j *Journal, id actor.ID) []actor.Entry {
	t.Helper()
	for began := time.Now(); ; {
		entries, err := j.Read(ctx, id, 0)
		if err == nil {
			return entries
		}
		if time.Since(began) > patience {
			t.Fatal(err)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// Answers are lost and connections reset, so that nobody knows which entries were written.
func TestLostAnswers(t *testing.T) {
	proxy := redistest.NewProxy(t, redistest.Single(t).Addr())
	j := NewJournal(connect(t, proxy.URL(), Options{}))
	o := startOwners(t, j, 16)
	for round := range 40 {
		if round%2 == 0 {
			proxy.Cut()
		} else {
			proxy.LoseAnswers(3)
		}
		o.goOn(patience)
	}
	o.end(j)
	if o.tries.Load() == 0 {
		t.Error("no append failed: nothing was tested")
	}
	t.Logf("%d entries, %d failed tries", o.total(), o.tries.Load())
}

// Of two nodes that write the same numbers one succeeds with each.
func TestTwoNodesRace(t *testing.T) {
	server := redistest.Single(t)
	nodes := []*Journal{NewJournal(connect(t, server.URL(), unhurried)), NewJournal(connect(t, server.URL(), unhurried))}
	const entries = 200
	for seq := range uint64(entries) {
		errs := make([]error, len(nodes))
		var wait sync.WaitGroup
		for n, j := range nodes {
			wait.Go(func() { errs[n] = j.Append(ctx, "seats", seq, fmt.Appendf(nil, "node %d", n)) })
		}
		wait.Wait()
		winner := 0
		if errs[0] != nil {
			winner = 1
		}
		if errs[winner] != nil || !errors.Is(errs[1-winner], actor.ErrConflict) {
			t.Fatalf("entry %d: %v", seq+1, errs)
		}
		got, err := nodes[0].Read(ctx, "seats", seq)
		if err != nil || len(got) != 1 || string(got[0].Data) != fmt.Sprint("node ", winner) {
			t.Fatalf("entry %d of node %d: %v %v", seq+1, winner, got, err)
		}
	}
}

// most is what Append states as its longest time, and what a busy machine adds.
func most(o Options) time.Duration {
	return o.withDefaults().longest() + time.Second
}

// A server that is stopped, and a network that swallows everything, cost a bounded time;
// then all goes on.
func TestSilence(t *testing.T) {
	for _, c := range []struct {
		name    string
		silence func(*redistest.Server, *redistest.Proxy)
		undo    func(*redistest.Server, *redistest.Proxy)
	}{
		{"stopped server", func(s *redistest.Server, _ *redistest.Proxy) { s.Stop() }, func(s *redistest.Server, _ *redistest.Proxy) { s.Continue() }},
		{"half-open connections", func(_ *redistest.Server, p *redistest.Proxy) { p.Silence(true) }, func(_ *redistest.Server, p *redistest.Proxy) { p.Silence(false) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := redistest.Single(t)
			proxy := redistest.NewProxy(t, server.Addr())
			opt := Options{Timeout: 300 * time.Millisecond, WaitTimeout: 100 * time.Millisecond}
			j := NewJournal(connect(t, proxy.URL(), opt))
			const actors = 600 // more than one group
			for i := range actors {
				put(t, j, ownerID(i), 0, ownerData(i, 1))
			}
			c.silence(server, proxy)
			errs := make(chan error, actors)
			for i := range actors {
				go func() { errs <- j.Append(ctx, ownerID(i), 1, []byte(ownerData(i, 2))) }()
			}
			for range actors {
				if err := <-errs; err == nil || errors.Is(err, actor.ErrConflict) {
					t.Fatalf("append to a silent server: %v", err)
				}
			}
			ended, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
			defer cancel()
			if err := j.Append(ended, ownerID(0), 1, []byte(ownerData(0, 2))); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("append with an ended context: %v", err)
			}
			c.undo(server, proxy)
			for i := range actors {
				for try := 0; ; try++ {
					err := j.Append(ctx, ownerID(i), 1, []byte(ownerData(i, 2)))
					if err == nil {
						break
					}
					if try == 20 || errors.Is(err, actor.ErrConflict) {
						t.Fatal(err)
					}
				}
				expect(t, j, ownerID(i), fmt.Sprintf("1:%s 2:%s", ownerData(i, 1), ownerData(i, 2)))
			}
		})
	}
}

// A server that is killed has all in its file, and knows no script any more.
func TestServerKilled(t *testing.T) {
	server := redistest.Single(t, "--appendfsync", "everysec")
	j := NewJournal(connect(t, server.URL(), Options{}))
	o := startOwners(t, j, 16)
	for range 3 {
		o.goOn(patience)
		server.Kill()
		server.Start()
	}
	o.goOn(patience)
	o.end(j)
}

// What a failover does to a stream: it ends earlier.
func cutStream(server *redistest.Server, id actor.ID, entries ...string) {
	server.Do("del", streamKey(id))
	for i, data := range entries {
		server.Do("xadd", streamKey(id), fmt.Sprint(i+1, "-0"), "d", data)
	}
}

func TestLostTailIsWrittenAgain(t *testing.T) {
	server := redistest.Single(t)
	for _, c := range []struct {
		name string
		left []string // of one, two, three, four
		err  error
		want string
	}{
		{"nothing lost", []string{"one", "two", "three", "four"}, nil, "1:one 2:two 3:three 4:four 5:five"},
		{"one lost", []string{"one", "two", "three"}, nil, "1:one 2:two 3:three 4:four 5:five"},
		{"three lost", []string{"one"}, nil, "1:one 2:two 3:three 4:four 5:five"},
		{"all lost", nil, nil, "1:one 2:two 3:three 4:four 5:five"},
		{"another owner since", []string{"one", "two", "claimed"}, actor.ErrConflict, "1:one 2:two 3:claimed"},
		{"another owner, same number", []string{"one", "two", "three", "claimed"}, actor.ErrConflict, "1:one 2:two 3:three 4:claimed"},
		{"another owner is further", []string{"one", "two", "three", "claimed", "more"}, actor.ErrConflict, "1:one 2:two 3:three 4:claimed 5:more"},
	} {
		t.Run(c.name, func(t *testing.T) {
			server.Flush()
			j := NewJournal(connect(t, server.URL(), Options{}))
			for i, data := range []string{"one", "two", "three", "four"} {
				put(t, j, "game/a", uint64(i), data)
			}
			cutStream(server, "game/a", c.left...)
			server.Do("del", partOf("game/a"))
			err := j.Append(ctx, "game/a", 4, []byte("five"))
			if !errors.Is(err, c.err) {
				t.Errorf("append: %v, want %v", err, c.err)
			}
			expect(t, j, "game/a", c.want)
			if c.err != nil || len(c.left) == 4 {
				return
			}
			if ids, err := j.Live(ctx); err != nil || len(ids) != 1 {
				t.Errorf("the directory is not repaired: %v %v", ids, err)
			}
			put(t, j, "game/a", 4, "five")
			put(t, j, "game/a", 5, "six")
		})
	}
}

// An actor that another node has finished is not brought back by a former owner that
// still has its entries.
func TestForgottenStaysForgotten(t *testing.T) {
	server := redistest.Single(t)
	former, next := NewJournal(connect(t, server.URL(), unhurried)), NewJournal(connect(t, server.URL(), unhurried))
	put(t, former, "game/a", 0, "one")
	put(t, former, "game/a", 1, "two")
	put(t, next, "game/a", 2, "claimed")
	if err := next.Forget(ctx, "game/a"); err != nil {
		t.Fatal(err)
	}
	if err := former.Append(ctx, "game/a", 2, []byte("three")); !errors.Is(err, actor.ErrConflict) {
		t.Errorf("append to a forgotten actor: %v", err)
	}
	expect(t, former, "game/a", "")
	if ids, err := next.Live(ctx); err != nil || len(ids) != 0 {
		t.Errorf("live: %v %v", ids, err)
	}
}

// What is lost for good is said clearly, logged once, and is no other owner.
func TestLostForGood(t *testing.T) {
	server := redistest.Single(t)
	log := &counter{}
	before, j := NewJournal(connect(t, server.URL(), Options{})), NewJournal(connect(t, server.URL(), Options{Log: log.logger()}))
	put(t, before, "game/a", 0, "one")
	put(t, before, "game/a", 1, "two")
	put(t, j, "game/a", 2, "claimed")
	cutStream(server, "game/a", "one")
	for range 3 {
		err := j.Append(ctx, "game/a", 3, []byte("four"))
		if !errors.Is(err, ErrLost) || errors.Is(err, actor.ErrConflict) {
			t.Errorf("append: %v", err)
		}
	}
	if n := log.lines.Load(); n != 1 {
		t.Errorf("%d lines in the log", n)
	}
	// A replica that has it all comes back.
	cutStream(server, "game/a", "one", "two", "claimed")
	put(t, j, "game/a", 3, "four")
	// What it took over is compared as well.
	cutStream(server, "game/a", "one", "other")
	if err := j.Append(ctx, "game/a", 4, []byte("five")); !errors.Is(err, actor.ErrConflict) {
		t.Errorf("append behind the entry of another: %v", err)
	}
}
