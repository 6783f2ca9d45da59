package cluster

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// ErrNameTaken says that another running process has the node's name.
var ErrNameTaken = errors.New("another running node has this name")

// Node is a member of the hall.
type Node struct {
	Name        string         `json:"-"`
	Incarnation string         `json:"-"`                  // random, new at each start
	Address     string         `json:"address,omitempty"`  // for operators, such as "10.0.0.7:8080"
	Versions    map[string]int `json:"versions,omitempty"` // by kind of actor, the latest version of its events it understands
	Draining    bool           `json:"draining,omitempty"` // takes nothing new
}

// MembersOptions are the settings of a node's membership. Only Name is required.
type MembersOptions struct {
	// Name is unique in the hall: letters, digits, '-', '_', '.', 64 bytes at most.
	Name string
	// Incarnation is random and new at each start; made here if empty.
	Incarnation string
	Address     string
	Versions    map[string]int
	// Lease is how long a renewal lasts (default 2 s), Renew how often it is
	// renewed (default Lease/4). The holder stops Margin (default Lease/4) before the
	// lease can have run out for anybody else.
	Lease, Renew, Margin time.Duration
	// Now is a monotonic clock that goes on while the process is stopped. If it stands
	// still while the machine is suspended, as the default does on Linux, Holding is
	// wrong until the first renewal after that, which finds it out.
	Now func() time.Duration
	Log *slog.Logger
}

// DefaultName is the host's name with something random, for a node that has not been
// given a name.
func DefaultName() string {
	host, err := os.Hostname()
	if err != nil || !validName(host) || len(host) > 50 {
		host = "node"
	}
	return host + "-" + random(4)
}

func random(n int) string {
	b := make([]byte, n)
	rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

func validName(name string) bool {
	ok := func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.'
	}
	return name != "" && len(name) <= 64 && strings.IndexFunc(name, func(c rune) bool { return !ok(c) }) < 0
}

// registry keeps the leases of all nodes. A lease ends by the registry's clock.
type registry interface {
	// renew writes the node's lease with a number, and returns in one step what was
	// there: renewal.known, server and nodes. ErrNameTaken, and nothing written,
	// if another incarnation has a lease under the name.
	renew(ctx context.Context, n Node, number uint64, length time.Duration) (renewal, error)
	// leave ends the lease of this incarnation.
	leave(ctx context.Context, n Node) error
	close()
}

// Members is this node's membership and its view of the others.
//
// With the default settings a node that dies may be claimed 2 to 2.5 s later, and one
// that cannot renew stops after 1.5 s. After a break of the registry nobody is claimed
// for 2 s. All that rests on clocks that run alike within a margin for the time of a
// lease; the journal is the fence against all else, such as a process that is stopped
// between asking Holding and acting.
type Members struct {
	opts     MembersOptions
	log      *slog.Logger
	registry registry
	cancel   context.CancelFunc
	running  sync.WaitGroup
	renewNow chan struct{}
	lookNow  chan struct{}

	holdsUntil atomic.Int64 // lease.until while held, else the least there is
	view       atomic.Pointer[map[string]Node]

	mu      sync.Mutex
	lease   lease
	number  uint64        // of the last renewal that has begun
	ended   uint64        // number of the last one that has ended
	told    chan struct{} // closed when one has ended, or the node has left
	self    Node
	err     error
	left    bool
	lost    []func()
	back    []func(gap time.Duration)
	changed []func()
}

// join takes a lease under the node's name and keeps it until Leave. If the name has
// a lease it waits until that would have run out: a node that was killed and
// restarted gets its name back.
func join(ctx context.Context, r registry, opts MembersOptions) (_ *Members, err error) {
	defer func() {
		if err != nil {
			r.close()
		}
	}()
	if err := opts.complete(); err != nil {
		return nil, err
	}
	m := &Members{
		opts: opts, log: opts.Log.With("node", opts.Name), registry: r,
		renewNow: make(chan struct{}, 1), lookNow: make(chan struct{}, 1), told: make(chan struct{}),
		lease: lease{length: opts.Lease, margin: opts.Margin, drift: opts.Margin / 2},
		self:  Node{Name: opts.Name, Incarnation: opts.Incarnation, Address: opts.Address, Versions: maps.Clone(opts.Versions)},
	}
	m.view.Store(&map[string]Node{})
	give := opts.Now() + opts.Lease + opts.Renew
	for {
		err := m.renew(ctx)
		if err == nil {
			break
		}
		again := errors.Is(err, ErrNameTaken) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded)
		if !again || ctx.Err() != nil || opts.Now() > give {
			return nil, fmt.Errorf("joining the hall as node %q: %w", opts.Name, err)
		}
		if !pause(ctx, opts.Renew/2) {
			return nil, fmt.Errorf("joining the hall as node %q: %w: %w", opts.Name, ctx.Err(), err)
		}
	}
	m.mu.Lock()
	m.lease.begin(opts.Now())
	m.publishHold()
	m.mu.Unlock()
	ctx, m.cancel = context.WithCancel(context.Background())
	m.running.Add(2)
	go m.keep(ctx)
	go m.tell(ctx)
	return m, nil
}

func (o *MembersOptions) complete() error {
	if !validName(o.Name) {
		return fmt.Errorf("a node's name has 1 to 64 letters, digits, '-', '_' or '.', not %.80q", o.Name)
	}
	if o.Incarnation == "" {
		o.Incarnation = random(8)
	}
	if !validName(o.Incarnation) {
		return fmt.Errorf("a node's incarnation has 1 to 64 letters, digits, '-', '_' or '.', not %.80q", o.Incarnation)
	}
	if o.Lease <= 0 {
		o.Lease = 2 * time.Second
	}
	if o.Renew <= 0 {
		o.Renew = o.Lease / 4
	}
	if o.Margin <= 0 {
		o.Margin = o.Lease / 4
	}
	if o.Margin+2*o.Renew > o.Lease {
		return fmt.Errorf("a lease of %v leaves no room for a margin of %v and a renewal every %v", o.Lease, o.Margin, o.Renew)
	}
	if o.Now == nil {
		start := time.Now()
		o.Now = func() time.Duration { return time.Since(start) }
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	return nil
}

// pause waits and says whether ctx goes on.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// lookSpace is how soon after a renewal there is another because somebody wants to know.
const lookSpace = 5 * time.Millisecond

// keep renews the lease until ctx ends.
func (m *Members) keep(ctx context.Context) {
	defer m.running.Done()
	wait, before := m.opts.Renew, m.opts.Now()
	for {
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-m.renewNow:
			timer.Stop()
			if !pause(ctx, lookSpace-(m.opts.Now()-before)) {
				return
			}
		case <-ctx.Done():
			timer.Stop()
			return
		}
		before = m.opts.Now()
		err := m.renew(ctx)
		if ctx.Err() != nil {
			return
		}
		wait = max(m.opts.Renew-(m.opts.Now()-before), m.opts.Renew/10)
		if err != nil {
			wait = m.opts.Renew / 5
		} else if lapse := m.lapse(); lapse > 0 {
			wait = min(wait, lapse+time.Millisecond) // who is dead is found as soon as he may be claimed
		}
	}
}

// lapse is when, after the last renewal, the first lease of another node ends unless that renews it; 0 for none.
func (m *Members) lapse() time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.lease.last.lapse
}

// renew renews once, within the time between two renewals.
func (m *Members) renew(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, m.opts.Renew)
	defer cancel()
	m.mu.Lock()
	m.number++
	number, self := m.number, m.self
	m.mu.Unlock()
	sent := m.opts.Now()
	r, err := m.registry.renew(ctx, self, number, m.opts.Lease)
	done := m.opts.Now()
	m.mu.Lock()
	m.ended = number
	close(m.told)
	m.told = make(chan struct{})
	if (err == nil) != (m.err == nil) && m.cancel != nil && !m.left {
		m.log.Warn("renewals of the node's lease", "err", err)
	}
	m.err = err
	if err != nil {
		m.lease.failed()
		m.mu.Unlock()
		return err
	}
	r.number, r.sent, r.done = number, sent, done
	other := m.lease.renewed(r)
	if other {
		view := maps.Clone(m.lease.view)
		m.view.Store(&view)
	}
	m.publishHold()
	changed := m.changed
	m.mu.Unlock()
	if other {
		for _, f := range changed {
			f()
		}
	}
	m.look()
	return nil
}

// publishHold makes the state of the lease known to Holding. m.mu is held.
func (m *Members) publishHold() {
	until := int64(-1 << 63)
	if m.lease.held && !m.left {
		until = int64(m.lease.until)
	}
	m.holdsUntil.Store(until)
}

func (m *Members) look() {
	select {
	case m.lookNow <- struct{}{}:
	default:
	}
}

// tell calls what was registered by Lost and Back, in time.
func (m *Members) tell(ctx context.Context) {
	defer m.running.Done()
	lapse := time.NewTimer(m.opts.Lease)
	defer lapse.Stop()
	for {
		m.mu.Lock()
		if m.left {
			m.mu.Unlock()
			return
		}
		now := m.opts.Now()
		c, gap := m.lease.next(now)
		m.publishHold()
		wait := m.opts.Lease // nothing to wait for but the next renewal
		if m.lease.held {
			wait = m.lease.until - now
		}
		lost, back := m.lost, m.back
		m.mu.Unlock()
		switch c {
		case lostHold:
			m.log.Warn("the node's lease has not been renewed in time, its actors freeze")
			for _, f := range lost {
				f()
			}
			continue
		case backAgain:
			m.log.Warn("the node has its lease again", "after", gap)
			for _, f := range back {
				f(gap)
			}
			continue
		}
		lapse.Reset(wait)
		select {
		case <-lapse.C:
		case <-m.lookNow:
		case <-ctx.Done():
			return
		}
	}
}

// Self is this node.
func (m *Members) Self() Node {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.self
}

// Alive lists the nodes that have a lease, this one among them, by name. The view is
// refreshed with each renewal. A node that is missing only since the registry could
// not be reached stays in it for a lease more, since it may not have renewed yet.
func (m *Members) Alive() []Node {
	view := *m.view.Load()
	nodes := make([]Node, 0, len(view))
	for _, name := range slices.Sorted(maps.Keys(view)) {
		nodes = append(nodes, view[name])
	}
	return nodes
}

// Find returns the node that has a lease under a name.
func (m *Members) Find(name string) (Node, bool) {
	n, ok := (*m.view.Load())[name]
	return n, ok
}

// Holding says whether this node has its lease for sure: the last renewal, counted
// from before it was sent, is younger than the lease less the margin. It reads the
// clock at each call, so a process that was stopped and woke finds out by asking.
// When it was false, it is true again just before the functions given to Back are
// called.
func (m *Members) Holding() bool {
	now := m.opts.Now()
	if int64(now) < m.holdsUntil.Load() {
		return true
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	holding := m.lease.holding(now) && !m.left
	if m.lease.untold {
		m.publishHold()
		m.look()
	}
	return holding
}

// MayClaim says whether the actors of an incarnation of a node are orphans: its lease
// is gone, it cannot hold it, and we hold ours. After a break (the registry was away,
// failed over, its clock was set) that takes a whole lease in which the registry
// was writable without one, so that who lives has renewed first.
func (m *Members) MayClaim(node, incarnation string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.left {
		return false
	}
	return m.lease.mayClaim(incarnation, m.opts.Now())
}

// Look renews the lease and with it the view: what Alive, MayClaim and Find say after it is no older than the call. The
// error says why that could not be read.
func (m *Members) Look(ctx context.Context) error {
	m.mu.Lock()
	begun := m.number
	m.mu.Unlock()
	for {
		m.mu.Lock()
		ended, number, err, left := m.told, m.lease.last.number, m.err, m.left
		tried := m.ended
		m.mu.Unlock()
		switch {
		case left:
			return errLeft
		case number > begun:
			return nil
		case tried > begun:
			return err
		}
		select {
		case m.renewNow <- struct{}{}:
		default:
		}
		select {
		case <-ended:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

var errLeft = errors.New("this node has left the hall")

// Err is what is wrong with the lease now: nil, ErrNameTaken, or why the registry
// cannot be reached.
func (m *Members) Err() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.err
}

// Lost registers a function that is called when Holding ends, on a goroutine of its
// own in time: others may claim what is ours a margin later. It must not block.
func (m *Members) Lost(f func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.lost = append(m.lost, f)
}

// Back registers a function that is called when the node holds its lease again, after
// those of Lost have returned, with the time in which it did not. It must not block.
func (m *Members) Back(f func(gap time.Duration)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.back = append(m.back, f)
}

// Changed registers a function that is called when Alive has changed. It must not block.
func (m *Members) Changed(f func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.changed = append(m.changed, f)
}

// Draining says that this node takes nothing new, or does again. The others see it
// with their next renewal.
func (m *Members) Draining(draining bool) {
	m.mu.Lock()
	m.self.Draining = draining
	m.mu.Unlock()
	select {
	case m.renewNow <- struct{}{}:
	default:
	}
}

// Leave gives the lease back, so that others may claim at once what this node still
// has: hand over first. Neither Lost nor Back is called any more. If the registry
// cannot be reached, the lease runs out.
func (m *Members) Leave(ctx context.Context) error {
	m.mu.Lock()
	if m.left {
		m.mu.Unlock()
		return nil
	}
	m.left = true
	close(m.told)
	m.told = make(chan struct{})
	m.publishHold()
	self := m.self
	m.mu.Unlock()
	m.cancel()
	m.running.Wait()
	defer m.registry.close()
	if err := m.registry.leave(ctx, self); err != nil {
		return fmt.Errorf("giving back the lease of node %q: %w", self.Name, err)
	}
	return nil
}
