package actor

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// town is the nodes of a test, and what they know of one another.
type town struct {
	mu    sync.Mutex
	alive map[string]bool // by incarnation
	gone  map[string]bool // may be claimed
	new   map[string]bool // alive, and not yet seen by anybody
	knows map[string]int  // by name; else 1
}

type citizen struct {
	town *town
	name string
}

func (c citizen) Self() Node { return Node{c.name, c.name + "-1"} }

func (c citizen) Alive() (nodes []Node) {
	c.town.mu.Lock()
	defer c.town.mu.Unlock()
	for incarnation, alive := range c.town.alive {
		if alive && !c.town.new[incarnation] {
			nodes = append(nodes, Node{incarnation[:1], incarnation})
		}
	}
	slices.SortFunc(nodes, func(a, b Node) int { return int(a.Name[0]) - int(b.Name[0]) })
	return nodes
}

func (c citizen) MayClaim(incarnation string) bool {
	c.town.mu.Lock()
	defer c.town.mu.Unlock()
	return c.town.gone[incarnation] || c.town.new[incarnation]
}

func (c citizen) Knows(n Node, _ string) int { return max(c.town.knows[n.Name], 1) }

func (c citizen) Look(context.Context) error {
	c.town.mu.Lock()
	defer c.town.mu.Unlock()
	clear(c.town.new)
	return nil
}

func (c *town) dies(incarnation string, claimable bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.alive[incarnation], c.gone[incarnation] = false, claimable
}

var quiet = slog.New(slog.DiscardHandler)

// node is a hall of a town.
type node struct {
	*world
	adopted chan ID
}

func newNode(t *testing.T, tw *town, journal Journal, name string) *node {
	t.Helper()
	return newLoggingNode(t, tw, journal, name, quiet)
}

func newLoggingNode(t *testing.T, tw *town, journal Journal, name string, log *slog.Logger) *node {
	t.Helper()
	return newRelease(t, tw, journal, name, 1, log)
}

// newRelease is a node that writes events of a version.
func newRelease(t *testing.T, tw *town, journal Journal, name string, version int, log *slog.Logger) *node {
	t.Helper()
	n := &node{&world{t: t, journal: journal, kind: diaryKind(), seen: &watcher{}}, make(chan ID, 100)}
	n.link = &link{Journal: journal}
	begin := time.Now()
	n.hall = New(Config{
		Journal: sharedLink{n.link}, Log: log, Peers: citizen{tw, name},
		Now:     func() time.Duration { return time.Since(begin) + time.Duration(n.jump.Load()) },
		Adopted: func(id ID) { n.adopted <- id },
	})
	n.kind.Observe = func(ID, Machine) Observer { return n.seen }
	n.kind.Version = version
	n.hall.Register(n.kind)
	if err := n.hall.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	return n
}

// sharedLink is a link to a journal of several nodes.
type sharedLink struct{ *link }

func (l sharedLink) Last(ctx context.Context, id ID) (Entry, bool, error) {
	if l.failing() {
		return Entry{}, false, errLink
	}
	return l.Journal.(Ending).Last(ctx, id)
}

func (l sharedLink) Live(ctx context.Context) ([]ID, error) {
	if l.blind.Load() {
		return nil, errLink
	}
	return l.Journal.Live(ctx)
}

func inTown(t *testing.T, test func(t *testing.T, tw *town, a, b *node)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		tw := &town{alive: map[string]bool{"a-1": true, "b-1": true}, gone: map[string]bool{}, new: map[string]bool{}}
		journal := NewMemory()
		a, b := newNode(t, tw, journal, "a"), newNode(t, tw, journal, "b")
		defer b.stop() // after a failure, too
		defer a.stop()
		test(t, tw, a, b)
	})
}

func (n *node) where(id ID, name string, here bool, wanted error) {
	n.t.Helper()
	got, isHere, err := n.hall.Where(context.Background(), id)
	if !errors.Is(err, wanted) || err == nil && (got != name || isHere != here) {
		n.t.Errorf("%s at %q, here %v, %v; want %q, %v, %v", id, got, isHere, err, name, here, wanted)
	}
}

func TestWhere(t *testing.T) {
	inTown(t, func(t *testing.T, tw *town, a, b *node) {
		a.where("diary/none", "", false, ErrUnknownActor)
		a.where("diary/", "", false, ErrInvalid)
		a.create(a1, "first")
		a.where(a1, "a", true, nil)
		b.where(a1, "a", false, nil)
		if err := b.hall.Create(context.Background(), a1, "again"); !errors.Is(err, ErrMoved) {
			t.Errorf("created twice: %v", err)
		}
		if err := b.hall.Send(a1, Command{Body: "x"}); !errors.Is(err, ErrUnknownActor) {
			t.Errorf("sent to an actor of another node: %v", err)
		}
		tw.dies("a-1", false)
		b.where(a1, "", false, ErrMoved)
		b.link.fail.Store(1)
		b.where(a1, "", false, errLink)
	})
}

// A node that has begun since the others were last looked at is none that is gone: what it has stays with it, whether it is
// asked for or found in the search for orphans.
func TestNewNodeKeepsWhatItHas(t *testing.T) {
	inTown(t, func(t *testing.T, tw *town, a, b *node) {
		begins := func() {
			tw.mu.Lock()
			defer tw.mu.Unlock()
			tw.new["a-1"] = true
		}
		begins()
		a.create(a1, "first")
		b.where(a1, "a", false, nil)
		begins()
		b.hall.LookForOrphans()
		b.pass(time.Second)
		a.ask(a1, Command{Body: "second"})
		a.lines(a1, "said first @0", "said second @1000")
	})
}

// An orphan is taken over by a claim in its journal; who had it finds out at his next step, and nothing of his counts.
func TestTakeover(t *testing.T) {
	inTown(t, func(t *testing.T, tw *town, a, b *node) {
		a.create(a1, "first")
		a.pass(1000 * time.Millisecond)
		a.ask(a1, Command{Body: "second"})
		tw.dies("a-1", true)
		b.pass(3 * time.Second)
		b.where(a1, "b", true, nil)
		// The last heartbeat of a is of when b took over: it lives on.
		b.lines(a1, "said first @0", "said second @1000", "recovered 3000+0 @4000")
		if id := <-b.adopted; id != a1 {
			t.Errorf("told of %q", id)
		}
		var overtaken Result
		if err := a.hall.Send(a1, Command{Body: "too late", Reply: func(r Result) { overtaken = r }}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if !errors.Is(overtaken.Err, ErrMoved) || a.hall.Alive(a1) {
			t.Errorf("who was overtaken says %+v", overtaken)
		}
		if ended := a.ended(); len(ended) != 1 || !errors.Is(ended[0], ErrConflict) {
			t.Errorf("its observer was told %v", ended)
		}
		b.ask(a1, Command{Body: "third"})
		b.lines(a1, "said first @0", "said second @1000", "recovered 3000+0 @4000", "said third @4000")
		entries, err := b.journal.Read(context.Background(), a1, 0)
		if err != nil {
			t.Fatal(err)
		}
		var epochs []uint64
		for _, e := range entries {
			r, _, err := readRecord(b.hall.kinds[b.kind.Name], e)
			if err != nil {
				t.Fatal(err)
			}
			epochs = append(epochs, r.epoch())
		}
		if !slices.Equal(epochs, []uint64{1, 1, 2, 2}) {
			t.Errorf("epochs %v", epochs)
		}
	})
}

// Orphans are found without anybody asking for them, by the node that they fall to.
func TestOrphans(t *testing.T) {
	inTown(t, func(t *testing.T, tw *town, a, b *node) {
		for i := range 50 {
			a.create(ID("diary/"+string(rune('a'+i/10))+string(rune('a'+i%10))), "first")
		}
		tw.dies("a-1", false)
		b.hall.LookForOrphans()
		b.pass(time.Second)
		if n := len(b.hall.IDs("diary")); n != 0 {
			t.Errorf("%d taken over before they may be", n)
		}
		tw.dies("a-1", true)
		b.pass(time.Second)
		if n := len(b.hall.IDs("diary")); n != 50 {
			t.Errorf("%d of 50 taken over", n)
		}
	})
}

// A node that closes lets others go on at once, and its last heartbeat is of that moment.
func TestHandover(t *testing.T) {
	inTown(t, func(t *testing.T, tw *town, a, b *node) {
		a.create(a1, "first")
		a.pass(1100 * time.Millisecond)
		a.stop()
		tw.dies("a-1", true)
		b.pass(2 * time.Second)
		b.where(a1, "b", true, nil)
		b.lines(a1, "said first @0", "recovered 1100+2000 @1100")
	})
}

// While a hall is frozen nothing moves; afterwards the time between was nobody's, and what came meanwhile is decided.
func TestFreeze(t *testing.T) {
	inTown(t, func(t *testing.T, _ *town, a, _ *node) {
		a.create(a1, alarm(2000))
		a.pass(time.Second)
		a.hall.Freeze()
		a.hall.Freeze()
		a.pass(10 * time.Second)
		a.send(a1, "meanwhile")
		a.pass(10 * time.Second)
		if n := len(a.steps()); n != 1 {
			t.Errorf("%d steps while all stands", n)
		}
		a.hall.Thaw()
		synctest.Wait()
		a.lines(a1, "alarm @2000", "said meanwhile @1000", "recovered 0+20000 @1000")
		a.pass(time.Second)
		a.lines(a1, "alarm @2000", "said meanwhile @1000", "recovered 0+20000 @1000", "tick @2000")
		a.hall.Thaw()
		a.pass(time.Second)
		if n := len(a.steps()); n != 4 {
			t.Errorf("%d steps, want 4", n)
		}
	})
}

// A journal that has lost what it had acknowledged takes the actor back to what is left.
func TestLost(t *testing.T) {
	inTown(t, func(t *testing.T, _ *town, a, _ *node) {
		a.create(a1, "first")
		a.link.lost.Store(true)
		if r := a.ask(a1, Command{Body: "lost"}); !errors.Is(r.Err, ErrMoved) {
			t.Errorf("%+v", r)
		}
		synctest.Wait()
		a.link.lost.Store(false)
		a.where(a1, "a", true, nil)
		a.lines(a1, "said first @0", "recovered 0+0 @0")
	})
}

// late is a journal in which something happens just before an actor is read.
type late struct {
	*Memory
	before func()
}

func (l *late) Read(ctx context.Context, id ID, after uint64) ([]Entry, error) {
	if do := l.before; do != nil {
		l.before = nil
		do()
	}
	return l.Memory.Read(ctx, id, after)
}

// Of two who find the same orphan one has it: who reads that another was first does not take it from him.
func TestOrphanOfTwo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tw := &town{alive: map[string]bool{"a-1": true, "b-1": true, "c-1": true}, gone: map[string]bool{}, new: map[string]bool{}}
		journal := NewMemory()
		slow := &late{Memory: journal}
		a, b, c := newNode(t, tw, journal, "a"), newNode(t, tw, journal, "b"), newNode(t, tw, slow, "c")
		defer c.stop()
		defer b.stop()
		defer a.stop()
		a.create(a1, "first")
		tw.dies("a-1", true)
		slow.before = func() { b.where(a1, "b", true, nil) }
		c.where(a1, "b", false, nil)
		if slow.before != nil {
			t.Error("nobody read the orphan")
		}
		b.ask(a1, Command{Body: "second"})
		b.lines(a1, "said first @0", "recovered 0+0 @0", "said second @0")
	})
}

// What a node of a later release has written falls to those of that release, at once, and nobody else tries to read it.
func TestLaterRelease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tw := &town{alive: map[string]bool{"a-1": true, "b-1": true, "c-1": true}, gone: map[string]bool{}, new: map[string]bool{}}
		tw.knows = map[string]int{"a": 2, "c": 2}
		journal := NewMemory()
		reads := 0
		counted := &late{Memory: journal}
		a, b := newRelease(t, tw, journal, "a", 2, quiet), newRelease(t, tw, counted, "b", 1, quiet)
		defer b.stop()
		defer a.stop()
		for i := range 50 {
			a.create(ID("diary/"+string(rune('a'+i/10))+string(rune('a'+i%10))), "first")
		}
		counted.before = func() { reads++ }
		tw.dies("a-1", true)
		b.hall.LookForOrphans()
		b.pass(time.Minute)
		b.where("diary/aa", "", false, ErrMoved)
		if n := len(b.hall.IDs("diary")); n != 0 || reads != 0 {
			t.Errorf("the earlier release has %d of the actors and read %d", n, reads)
		}
		c := newRelease(t, tw, journal, "c", 2, quiet)
		defer c.stop()
		c.pass(100 * time.Millisecond)
		if n := len(c.hall.IDs("diary")); n != 50 {
			t.Errorf("%d of 50 taken over at once by the release that knows them", n)
		}
	})
}

// Who was overtaken does not say that something is done that is done for him only.
func TestSure(t *testing.T) {
	inTown(t, func(t *testing.T, tw *town, a, b *node) {
		a.create(a1, "first")
		if r := a.ask(a1, Command{Body: nothing{}, Sure: true}); r.Err != nil || r.Seq != 2 || len(r.Events) != 0 {
			t.Errorf("%+v", r)
		}
		if r := a.ask(a1, Command{Body: refuse{}, Sure: true}); !errors.Is(r.Err, errRefused) || r.Seq != 2 {
			t.Errorf("%+v", r)
		}
		tw.dies("a-1", true)
		b.where(a1, "b", true, nil)
		if r := a.ask(a1, Command{Body: nothing{}}); r.Err != nil {
			t.Errorf("without being sure: %+v", r)
		}
		if r := a.ask(a1, Command{Body: nothing{}, Sure: true}); !errors.Is(r.Err, ErrMoved) {
			t.Errorf("%+v", r)
		}
	})
}

// Whoever finds an actor that was taken over finds it after its gap: nothing is decided before.
func TestNothingBeforeTheGap(t *testing.T) {
	for range 50 {
		inTown(t, func(t *testing.T, tw *town, a, b *node) {
			a.create(a1, "first")
			a.pass(time.Second)
			tw.dies("a-1", true)
			taken := make(chan struct{})
			for range 2 {
				go func() {
					for b.hall.Send(a1, Command{Body: "early"}) != nil {
						runtime.Gosched()
					}
					taken <- struct{}{}
				}()
			}
			b.where(a1, "b", true, nil)
			<-taken
			<-taken
			b.lines(a1, "said first @0", "recovered 1000+0 @1000", "said early @1000", "said early @1000")
		})
	}
}

// The log says what has changed, once: that clocks stood is no stop of the process, and that orphans cannot be looked for
// is not said again while it lasts.
func TestLogSaysOnce(t *testing.T) {
	said := func(t *testing.T, test func(n *node)) string {
		var text bytes.Buffer
		synctest.Test(t, func(t *testing.T) {
			tw := &town{alive: map[string]bool{"a-1": true}, gone: map[string]bool{}}
			n := newLoggingNode(t, tw, NewMemory(), "a", slog.New(slog.NewTextHandler(&text, nil)))
			test(n)
			n.stop()
		})
		return text.String()
	}
	for _, c := range []struct {
		name, text string
		times      int
		test       func(n *node)
	}{
		{"a freeze", "the process did not run", 0, func(n *node) {
			n.pass(time.Second)
			n.hall.Freeze()
			n.pass(time.Minute)
			n.hall.Thaw()
			n.pass(time.Second)
		}},
		{"a stop", "the process did not run", 1, func(n *node) {
			n.pass(time.Second)
			n.jump.Store(int64(time.Minute))
			n.pass(time.Second)
		}},
		{"a journal that does not list", "looking for orphans", 2, func(n *node) {
			n.link.blind.Store(true)
			n.hall.LookForOrphans()
			n.pass(time.Minute)
			n.link.blind.Store(false)
			n.pass(time.Minute)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if text := said(t, c.test); strings.Count(text, c.text) != c.times {
				t.Errorf("%q is said %d times, want %d:\n%s", c.text, strings.Count(text, c.text), c.times, text)
			}
		})
	}
}
