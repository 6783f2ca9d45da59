package cluster

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// place is where nodes meet: Redis, or the memory of one process.
type place interface {
	Join(context.Context, MembersOptions) (*Members, error)
	OpenBus(context.Context, *Members, Handler, BusOptions) (*Bus, error)
}

func silent() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

// patience bounds every wait of the suite.
const patience = 20 * time.Second

// node is a member with a bus; what its handlers are told goes through channels.
type node struct {
	t *testing.T
	*Members
	bus      *Bus
	changed  chan struct{}
	lost     chan time.Duration // the node's time
	back     chan time.Duration // the gap
	got      chan Message
	missed   chan Peer
	resynced chan struct{}
	deaf     chan struct{} // the bus has given a subscription up
}

// listener is a log that tells a node of the end of its bus's subscription.
type listener struct {
	slog.Handler
	deaf chan struct{}
}

func (l listener) Handle(_ context.Context, r slog.Record) error {
	if r.Message == "the bus subscribes anew" {
		tell(l.deaf, struct{}{})
	}
	return nil
}

func (l listener) Enabled(context.Context, slog.Level) bool { return true }
func (l listener) WithAttrs([]slog.Attr) slog.Handler       { return l }

// tell keeps the latest when nobody looks.
func tell[T any](c chan T, v T) {
	select {
	case c <- v:
	default:
	}
}

func member(t *testing.T, p place, opts MembersOptions) *node {
	t.Helper()
	opts.Log = silent()
	m, err := p.Join(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	n := &node{
		t: t, Members: m, changed: make(chan struct{}, 1), lost: make(chan time.Duration, 10), back: make(chan time.Duration, 10),
	}
	m.Changed(func() { tell(n.changed, struct{}{}) })
	m.Lost(func() { tell(n.lost, m.opts.Now()) })
	m.Back(func(gap time.Duration) { tell(n.back, gap) })
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		_ = m.Leave(ctx) // the place may be gone by then
	})
	return n
}

func start(t *testing.T, p place, name string, opts BusOptions, asked func(Message, func([]byte, error))) *node {
	t.Helper()
	n := member(t, p, MembersOptions{Name: name, Address: name + ":80"})
	n.got, n.missed, n.resynced = make(chan Message, 100_000), make(chan Peer, 100), make(chan struct{}, 100)
	n.deaf = make(chan struct{}, 100)
	opts.Log = slog.New(listener{slog.DiscardHandler, n.deaf})
	var err error
	n.bus, err = p.OpenBus(t.Context(), n.Members, Handler{
		Received: func(m Message) {
			m.Payload = bytes.Clone(m.Payload)
			n.got <- m
		},
		Missed:   func(p Peer) { tell(n.missed, p) },
		Resynced: func() { tell(n.resynced, struct{}{}) },
		Asked:    asked,
	}, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.bus.Close)
	return n
}

func receive[T any](t *testing.T, what string, c <-chan T) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(patience):
		t.Fatalf("no %s within %v", what, patience)
		panic("unreachable")
	}
}

// until waits for something that changes with the view or with time.
func (n *node) until(what string, ok func() bool) {
	n.t.Helper()
	for end := time.Now().Add(patience); !ok(); {
		if time.Now().After(end) {
			n.t.Fatalf("node %s: not within %v: %s; it sees %v, its error is %v", n.Self().Name, patience, what, n.Alive(), n.Err())
		}
		select {
		case <-n.changed:
		case <-time.After(5 * time.Millisecond):
		}
	}
}

func (n *node) sees(names ...string) bool {
	alive := n.Alive()
	for i := range alive {
		if i >= len(names) || alive[i].Name != names[i] {
			return false
		}
	}
	return len(alive) == len(names)
}

// hall is what every place has to do.
func hall(t *testing.T, run func(t *testing.T, test func(*testing.T, place))) {
	for _, c := range []struct {
		name string
		test func(*testing.T, place)
	}{
		{"members see each other", membersSeeEachOther},
		{"a name is taken once", nameIsTakenOnce},
		{"messages in order", messagesInOrder},
		{"who is heard is answered", whoIsHeardIsAnswered},
		{"a full queue is a gap", fullQueueIsAGap},
		{"a loss at the end is told", lossAtTheEnd},
		{"questions", questions},
		{"what is refused", refusals},
	} {
		t.Run(c.name, func(t *testing.T) { run(t, c.test) })
	}
}

func TestLocalHall(t *testing.T) {
	hall(t, func(t *testing.T, test func(*testing.T, place)) {
		synctest.Test(t, func(t *testing.T) { test(t, NewLocal()) })
	})
}

func membersSeeEachOther(t *testing.T, p place) {
	a := member(t, p, MembersOptions{Name: "a", Address: "10.0.0.1:80", Versions: map[string]int{"game": 2}})
	if !a.Holding() || !a.sees("a") || a.Err() != nil {
		t.Fatalf("alone: holding %v, sees %v, %v", a.Holding(), a.Alive(), a.Err())
	}
	b := member(t, p, MembersOptions{Name: "b"})
	if !b.sees("a", "b") {
		t.Errorf("b sees %v at once", b.Alive())
	}
	if n, ok := b.Find("a"); !ok || n.Address != "10.0.0.1:80" || n.Versions["game"] != 2 || n.Draining || n.Incarnation != a.Self().Incarnation {
		t.Errorf("b sees %+v", n)
	}
	a.until("a sees b", func() bool { return a.sees("a", "b") })
	a.Draining(true)
	b.until("b sees that a drains", func() bool { n, _ := b.Find("a"); return n.Draining })
	a.Draining(false)
	b.until("b sees that a drains no more", func() bool { n, _ := b.Find("a"); return !n.Draining })
	b.until("the registry was writable for a lease", func() bool { return b.MayClaim("x", "of nobody") })
	if gone := a.Self(); b.MayClaim("a", gone.Incarnation) || b.MayClaim("b", b.Self().Incarnation) {
		t.Error("who lives may be claimed")
	} else if err := a.Leave(t.Context()); err != nil {
		t.Error(err)
	} else if a.Holding() {
		t.Error("holds after it left")
	} else {
		b.until("b sees nobody else", func() bool { return b.sees("b") })
		if !b.MayClaim("a", gone.Incarnation) {
			t.Error("who left may not be claimed")
		}
	}
	if len(a.lost) > 0 || len(b.lost) > 0 {
		t.Error("somebody lost a lease")
	}
}

func nameIsTakenOnce(t *testing.T, p place) {
	a := member(t, p, MembersOptions{Name: "a", Address: "10.0.0.1:80"})
	_, err := p.Join(t.Context(), MembersOptions{Name: "a", Log: silent()})
	if !errors.Is(err, ErrNameTaken) {
		t.Fatalf("a second one joins: %v", err)
	}
	if !a.Holding() || a.Err() != nil {
		t.Error("the first one is harmed")
	}
	old := a.Self().Incarnation
	if err := a.Leave(t.Context()); err != nil {
		t.Fatal(err)
	}
	again := member(t, p, MembersOptions{Name: "a"})
	again.until("the former incarnation may be claimed", func() bool { return again.MayClaim("a", old) })
}

// numbered is a payload with a number and a length that goes with it.
func numbered(i int) []byte {
	return append(binary.BigEndian.AppendUint32(nil, uint32(i)), bytes.Repeat([]byte{byte(i)}, i%300)...)
}

func messagesInOrder(t *testing.T, p place) {
	const count = 5000
	to := start(t, p, "to", BusOptions{}, nil)
	nodes := []*node{start(t, p, "a", BusOptions{}, nil), start(t, p, "b", BusOptions{}, nil)}
	var senders sync.WaitGroup
	for _, n := range nodes {
		senders.Go(func() {
			for i := range count {
				if err := n.bus.Send("to", 7, numbered(i)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	next := map[string]int{}
	for range 2 * count {
		m := receive(t, "message", to.got)
		if !bytes.Equal(m.Payload, numbered(next[m.From.Name])) || m.Kind != 7 || m.Waited > 5*time.Second {
			t.Fatalf("from %s: %x of kind %d after %v, want number %d", m.From.Name, m.Payload, m.Kind, m.Waited, next[m.From.Name])
		}
		next[m.From.Name]++
	}
	senders.Wait()
	if c := to.bus.Counts(); len(to.missed) > 0 || c.Received != 2*count || c.Repeated > 0 || c.Malformed > 0 {
		t.Errorf("%d missed, %+v", len(to.missed), c)
	}
}

func fullQueueIsAGap(t *testing.T, p place) {
	to := start(t, p, "to", BusOptions{}, nil)
	n := start(t, p, "a", BusOptions{QueueBytes: 2000}, nil)
	sent, dropped := 0, 0
	for dropped == 0 {
		switch err := n.bus.Send("to", 1, make([]byte, 900)); {
		case err == nil:
			sent++
		case errors.Is(err, ErrQueueFull):
			dropped++
		default:
			t.Fatal(err)
		}
	}
	for range sent {
		receive(t, "message", to.got)
	}
	n.until("there is room", func() bool { return n.bus.Send("to", 2, nil) == nil })
	if from := receive(t, "word of the loss", to.missed); from != n.bus.self {
		t.Errorf("missed from %v", from)
	}
	if m := receive(t, "message", to.got); m.Kind != 2 {
		t.Errorf("%+v", m)
	}
	if c := n.bus.Counts(); c.Dropped != 1 {
		t.Errorf("%+v", c)
	}
}

func lossAtTheEnd(t *testing.T, p place) {
	to := start(t, p, "to", BusOptions{}, nil)
	n := start(t, p, "a", BusOptions{QueueBytes: 100}, nil)
	if err := n.bus.Send("to", 1, nil); err != nil {
		t.Fatal(err)
	}
	receive(t, "message", to.got)
	if err := n.bus.Send("to", 1, make([]byte, 200)); !errors.Is(err, ErrQueueFull) {
		t.Fatal(err)
	}
	receive(t, "word of the loss, with no message after it", to.missed)
}

func questions(t *testing.T, p place) {
	held := make(chan func([]byte, error), 1)
	var asked atomic.Int64
	b := start(t, p, "b", BusOptions{}, func(m Message, reply func([]byte, error)) {
		asked.Add(1)
		switch text := string(m.Payload); text {
		case "no":
			reply(nil, errors.New("not that"))
		case "wait":
			held <- reply
		default:
			reply([]byte(text+" from "+m.From.Name), nil)
			reply([]byte("a second reply"), nil)
		}
	})
	a := start(t, p, "a", BusOptions{}, nil)
	for i := range 100 {
		question := fmt.Sprint("q", i)
		if got, err := a.bus.Ask(t.Context(), "b", []byte(question)); err != nil || string(got) != question+" from a" {
			t.Fatalf("%s: %q, %v", question, got, err)
		}
	}
	if got, err := b.bus.Ask(t.Context(), "b", []byte("me")); err != nil || string(got) != "me from b" {
		t.Errorf("to oneself: %q, %v", got, err)
	}
	var remote *RemoteError
	if _, err := a.bus.Ask(t.Context(), "b", []byte("no")); !errors.As(err, &remote) || remote.Text != "not that" {
		t.Errorf("a refusal: %v", err)
	}
	b.until("b sees a", func() bool { return b.sees("a", "b") })
	if _, err := b.bus.Ask(t.Context(), "a", nil); !errors.As(err, &remote) {
		t.Errorf("of one that answers none: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := a.bus.Ask(ctx, "b", []byte("wait")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a time-out: %v", err)
	}
	late := <-held
	late([]byte("too late"), nil)
	if got, err := a.bus.Ask(t.Context(), "b", []byte("after that")); err != nil || string(got) != "after that from a" {
		t.Errorf("%q, %v", got, err)
	}
	a.until("the registry was writable for a lease", func() bool { return a.MayClaim("x", "of nobody") })
	ended := make(chan error, 1)
	go func() {
		_, err := a.bus.Ask(t.Context(), "b", []byte("wait"))
		ended <- err
	}()
	<-held
	b.bus.Close()
	if err := b.Leave(t.Context()); err != nil {
		t.Error(err)
	}
	if err := receive(t, "end of the question", ended); !errors.Is(err, ErrNodeLeft) {
		t.Errorf("of one that left: %v", err)
	}
	if asked.Load() != 105 {
		t.Errorf("%d questions arrived", asked.Load())
	}
}

func refusals(t *testing.T, p place) {
	a := start(t, p, "a", BusOptions{}, nil)
	if err := a.bus.Send("nobody", 1, nil); !errors.Is(err, ErrUnknownNode) {
		t.Errorf("to nobody: %v", err)
	}
	if err := a.bus.Send("a", reservedKinds, nil); err == nil {
		t.Error("a kind of the bus's own is taken")
	}
	if err := a.bus.Send("a", 1, make([]byte, payloadLimit+1)); !errors.Is(err, ErrTooLarge) {
		t.Errorf("too large: %v", err)
	}
	if err := a.bus.Send("a", 1, make([]byte, payloadLimit)); err != nil {
		t.Errorf("as large as can be: %v", err)
	}
	if m := receive(t, "message", a.got); len(m.Payload) != payloadLimit {
		t.Errorf("%d bytes", len(m.Payload))
	}
	for _, name := range []string{"", "a b", "a:b", "ä", string(make([]byte, 65))} {
		if _, err := p.Join(t.Context(), MembersOptions{Name: name, Log: silent()}); err == nil {
			t.Errorf("%q is a node's name", name)
		}
	}
	if _, err := p.Join(t.Context(), MembersOptions{Name: "b", Lease: time.Second, Renew: 400 * ms, Log: silent()}); err == nil {
		t.Error("a lease without room for two renewals and the margin is taken")
	}
	if _, err := p.OpenBus(t.Context(), a.Members, Handler{}, BusOptions{Log: silent()}); err == nil {
		t.Error("a bus without a handler is opened")
	}
	a.bus.Close()
	if err := a.bus.Send("a", 1, nil); !errors.Is(err, ErrBusClosed) {
		t.Errorf("after Close: %v", err)
	}
	if _, err := a.bus.Ask(t.Context(), "a", nil); !errors.Is(err, ErrBusClosed) {
		t.Errorf("a question after Close: %v", err)
	}
}

// A node that has just joined sees the others before they see it; what it says can be answered all the same. When it has
// left, it cannot any more.
func whoIsHeardIsAnswered(t *testing.T, p place) {
	a := start(t, p, "a", BusOptions{}, nil)
	b := start(t, p, "b", BusOptions{}, func(m Message, reply func([]byte, error)) { reply([]byte("yes"), nil) })
	if err := b.bus.Send("a", 1, []byte("hello")); err != nil {
		t.Fatal(err)
	}
	if m := receive(t, "message", a.got); m.From != b.bus.self {
		t.Fatalf("from %v", m.From)
	}
	if err := a.bus.Send("b", 2, []byte("welcome")); err != nil {
		t.Errorf("who was heard is not known: %v", err)
	}
	if m := receive(t, "answer", b.got); string(m.Payload) != "welcome" {
		t.Errorf("%+v", m)
	}
	if text, err := a.bus.Ask(t.Context(), "b", nil); err != nil || string(text) != "yes" {
		t.Errorf("%q, %v", text, err)
	}
	a.until("a sees b", func() bool { return a.sees("a", "b") })
	if err := b.Leave(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.bus.Close()
	a.until("b is forgotten", func() bool { return errors.Is(a.bus.Send("b", 3, nil), ErrUnknownNode) })
}
