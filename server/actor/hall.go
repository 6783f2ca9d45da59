package actor

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Config of a hall. Only Journal is required.
type Config struct {
	Journal Journal
	// Now is the owner's monotonic clock; it need not stop with the process.
	Now func() time.Duration
	Log *slog.Logger
	// Heartbeat is how often the hall records that it is alive (default 250 ms).
	Heartbeat time.Duration
	// StopLimit is how long the process may not run, or the journal not answer,
	// before the time is a gap (default 1.5 s).
	StopLimit time.Duration
	// Peers, if set, are the nodes that this hall has its actors in common with; the
	// journal is theirs, too, and an Ending. Wire Freeze, Thaw and LookForOrphans.
	Peers Peers
	// Adopted is told of every actor that was taken over from a node that is gone.
	Adopted func(ID)
	// MailboxLimit is how many commands may wait for one actor (default 4096).
	MailboxLimit int
}

// Hall holds the running actors of this process.
type Hall struct {
	cfg         Config
	log         *slog.Logger
	pulse       *pulse
	incarnation string
	ctx         context.Context // ends when closing may wait no longer
	cancel      context.CancelFunc
	effectCtx   context.Context // ends when closing begins
	stopEffects context.CancelFunc
	stopping    chan struct{} // closed when closing begins
	immediate   bool          // see Immediate
	wg          sync.WaitGroup
	beatFailed  atomic.Bool
	counts      hallCounts

	mu     sync.RWMutex
	open   bool
	closed bool
	kinds  map[string]*kind
	actors map[ID]*actor

	// With peers.
	self     Node
	changed  chan struct{}
	adopting map[ID]chan struct{} // closed when it has come to an end; guarded by mu
}

// kind is a registered Kind with its pools of workers.
type kind struct {
	Kind
	commands commandCounts
	mu       sync.Mutex
	pools    map[string]*pool
}

func (k *kind) pool(name string) *pool {
	k.mu.Lock()
	defer k.mu.Unlock()
	p := k.pools[name]
	if p == nil {
		p = &pool{workers: make(chan struct{}, k.Workers)}
		k.pools[name] = p
	}
	return p
}

// New makes a hall. Register its kinds, then Start it.
func New(cfg Config) *Hall {
	if cfg.Now == nil {
		start := time.Now()
		cfg.Now = func() time.Duration { return time.Since(start) }
	}
	if cfg.Log == nil {
		cfg.Log = slog.Default()
	}
	if cfg.Heartbeat <= 0 {
		cfg.Heartbeat = 250 * time.Millisecond
	}
	if cfg.StopLimit <= 0 {
		cfg.StopLimit = 1500 * time.Millisecond
	}
	if cfg.MailboxLimit <= 0 {
		cfg.MailboxLimit = 4096
	}
	var nonce [8]byte
	rand.Read(nonce[:]) // never fails
	h := &Hall{
		cfg: cfg, log: cfg.Log,
		pulse:       &pulse{now: cfg.Now, limit: cfg.StopLimit, seen: cfg.Now()},
		incarnation: hex.EncodeToString(nonce[:]),
		stopping:    make(chan struct{}),
		kinds:       map[string]*kind{},
		actors:      map[ID]*actor{},
		changed:     make(chan struct{}, 1),
		adopting:    map[ID]chan struct{}{},
	}
	h.self = Node{Incarnation: h.incarnation}
	if cfg.Peers != nil {
		h.self = cfg.Peers.Self()
		h.incarnation = h.self.Incarnation
	}
	if j, ok := cfg.Journal.(Immediate); ok {
		h.immediate = j.Immediate()
	}
	h.ctx, h.cancel = context.WithCancel(context.Background())
	h.effectCtx, h.stopEffects = context.WithCancel(h.ctx)
	return h
}

// Register makes a kind known. It panics on a kind that cannot work, and is called
// before Start only.
func (h *Hall) Register(k Kind) {
	if !validID(ID(k.Name)) || ID(k.Name).Name() != "" || k.New == nil || !k.Ephemeral && (k.Encode == nil || k.Decode == nil) {
		panic(fmt.Sprintf("actor: kind %q lacks a name, New, Encode or Decode", k.Name))
	}
	if k.Version == 0 {
		k.Version = 1
	}
	if k.SnapshotEvery == 0 {
		k.SnapshotEvery = 4096
	}
	if k.Workers <= 0 {
		k.Workers = 16
	}
	if k.Effect == nil {
		name := k.Name
		k.Effect = func(context.Context, ID, Effect) (any, error) {
			return nil, Final(fmt.Errorf("actors of kind %q have no effects", name))
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.kinds[k.Name] != nil || h.open || h.closed {
		panic(fmt.Sprintf("actor: kind %q is registered twice, or too late", k.Name))
	}
	h.kinds[k.Name] = &kind{Kind: k, pools: map[string]*pool{}}
}

// Create starts an actor with its first command, and returns when its first step is
// journaled. If the actor runs already, nothing happens and that is success. An error
// of the machine means that there is no actor; after a context error it may come to
// be: create it again to know. An id of an actor that is done and forgotten can be
// created anew: callers keep apart what must not happen twice. ErrMoved: it lives on another node.
func (h *Hall) Create(ctx context.Context, id ID, first any) error {
	if !validID(id) {
		return fmt.Errorf("%w: %.130q", ErrInvalid, string(id))
	}
	a, err := h.findOrMake(id, first)
	if err != nil {
		return err
	}
	err = a.wait(ctx)
	if errors.Is(err, ErrConflict) && h.cfg.Peers != nil {
		err = ErrMoved
	}
	return err
}

func (h *Hall) findOrMake(id ID, first any) (*actor, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.open {
		return nil, ErrClosed
	}
	if a := h.actors[id]; a != nil {
		return a, nil
	}
	k := h.kinds[id.Kind()]
	if k == nil {
		return nil, fmt.Errorf("%w: %q", ErrUnknownKind, id.Kind())
	}
	a := h.newActor(id, k)
	if _, err := a.mb.push(item{cmd: Command{Body: first}, first: true}, true); err != nil {
		return nil, err
	}
	h.actors[id] = a
	h.wg.Add(1)
	go a.run()
	return a, nil
}

// Send puts a command into an actor's mailbox. The outcome comes by Command.Reply.
// The error says that the command was not taken.
func (h *Hall) Send(id ID, cmd Command) error {
	a, mine, err := h.push(id, cmd)
	if mine {
		go a.run()
	}
	return err
}

// Do is Send for callers who can spare the time: where nobody else runs the actor, and
// the journal answers at once, the command is decided and told on the caller's
// goroutine before Do returns. The caller holds no lock that an observer may want.
func (h *Hall) Do(id ID, cmd Command) error {
	a, mine, err := h.push(id, cmd)
	switch {
	case mine && h.immediate:
		a.runHere()
	case mine:
		go a.run()
	}
	return err
}

func (h *Hall) push(id ID, cmd Command) (a *actor, mine bool, err error) {
	if !validKey(cmd.From) || !validKey(cmd.ID) {
		return nil, false, ErrInvalid
	}
	switch cmd.Body.(type) {
	case Tick, Recovered, Acked:
		return nil, false, fmt.Errorf("%w: %T comes from the actor itself only", ErrInvalid, cmd.Body)
	}
	if a, err = h.find(id); err != nil {
		return nil, false, err
	}
	mine, err = a.mb.push(item{cmd: cmd}, false)
	return a, mine, err
}

// Ask sends a command and waits for its outcome, without the events. Result.Err is a
// refusal, the error says that the command was not decided, or after a context error: not yet.
func (h *Hall) Ask(ctx context.Context, id ID, cmd Command) (Result, error) {
	done := make(chan Result, 1)
	told := cmd.Reply
	cmd.Reply = func(r Result) {
		if told != nil {
			told(r)
		}
		r.Events = nil
		done <- r
	}
	if err := h.Send(id, cmd); err != nil {
		return Result{}, err
	}
	select {
	case r := <-done:
		return r, nil
	case <-ctx.Done():
		return Result{}, ctx.Err()
	}
}

// Inspect calls look between two steps, with the machine,
// the number of the last step and the actor's time now. What look subscribes misses no
// step and gets none twice. It must not block, change the machine or call Inspect.
// After an error look is never called.
func (h *Hall) Inspect(ctx context.Context, id ID, look func(m Machine, seq uint64, at int64)) error {
	a, err := h.find(id)
	if err != nil {
		return err
	}
	var claimed atomic.Bool
	done := make(chan error, 1)
	it := item{
		look: func(m Machine, seq uint64, at int64) {
			if claimed.CompareAndSwap(false, true) {
				look(m, seq, at)
				done <- nil
			}
		},
		failed: func(err error) { done <- err },
	}
	mine, err := a.mb.push(it, false)
	if err != nil {
		return err
	}
	if mine {
		go a.run()
	}
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		if claimed.CompareAndSwap(false, true) {
			return ctx.Err()
		}
		return <-done
	}
}

func (h *Hall) find(id ID) (*actor, error) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	if !h.open {
		return nil, ErrClosed
	}
	a := h.actors[id]
	if a == nil {
		return nil, ErrUnknownActor
	}
	return a, nil
}

// Alive says whether an actor runs here.
func (h *Hall) Alive(id ID) bool {
	a, err := h.find(id)
	return err == nil && a.isBorn()
}

func (a *actor) isBorn() bool {
	select {
	case <-a.born:
		return a.bornErr == nil
	default:
		return false
	}
}

// IDs lists the running actors of a kind, sorted.
func (h *Hall) IDs(kind string) []ID {
	h.mu.RLock()
	defer h.mu.RUnlock()
	var ids []ID
	for id, a := range h.actors {
		if id.Kind() == kind && a.isBorn() {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

func (h *Hall) remove(a *actor) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.actors[a.id] == a {
		delete(h.actors, a.id)
	}
}

// Close takes no more commands, lets every actor decide what has arrived, cancels the
// effects and waits until all goroutines have ended. When ctx ends first, actors that
// wait for the journal give up what they could not write, and the error says so.
func (h *Hall) Close(ctx context.Context) error {
	h.mu.Lock()
	first := !h.closed
	h.open, h.closed = false, true
	h.mu.Unlock()
	if first {
		h.stopEffects()
		close(h.stopping)
		h.wakeAll((*mailbox).dismiss)
	}
	done := make(chan struct{})
	go func() {
		h.wg.Wait()
		close(done)
	}()
	var err error
	select {
	case <-done:
	case <-ctx.Done():
		err = fmt.Errorf("actors were still waiting for the journal: %w", ctx.Err())
		h.cancel()
		<-done
	}
	if first && err == nil {
		// The last sign of life: what comes after it is charged to nobody.
		if beatErr := h.cfg.Journal.Beat(ctx, h.sign(h.pulse.read())); beatErr != nil {
			h.log.Warn("the last heartbeat could not be written", "err", beatErr)
		}
	}
	h.cancel()
	return err
}

// heart beats until the hall closes, and finds gaps when nobody else looks.
func (h *Hall) heart() {
	defer h.wg.Done()
	ticker := time.NewTicker(h.cfg.Heartbeat)
	defer ticker.Stop()
	beats := make(chan Beat, 1)
	h.wg.Add(1)
	go h.record(beats)
	defer close(beats)
	stops := func(b beat) time.Duration { return b.gaps - b.iced }
	known := stops(h.pulse.read())
	for {
		b := h.pulse.read()
		if now := stops(b); now != known {
			h.log.Warn("the process did not run", "for", now-known)
			known = now
			h.wakeAll((*mailbox).poke)
		}
		select {
		case beats <- h.sign(b):
		default: // the journal is slow; the next beat will say more
		}
		select {
		case <-ticker.C:
		case <-h.stopping:
			return
		}
	}
}

// sign is the sign of life that belongs to a reading.
func (h *Hall) sign(b beat) Beat {
	return Beat{h.incarnation, b.lived.Truncate(time.Millisecond), time.Now().Truncate(time.Millisecond)}
}

// record writes the beats, apart from the heart: a slow journal is not a stop.
func (h *Hall) record(beats <-chan Beat) {
	defer h.wg.Done()
	for b := range beats {
		at := h.cfg.Now()
		err := h.cfg.Journal.Beat(h.ctx, b)
		if err == nil {
			h.counts.beatAt.Store(int64(at))
		}
		if failed := err != nil; failed != h.beatFailed.Swap(failed) {
			h.log.Warn("heartbeats in the journal", "err", err)
		}
	}
}

// wakeAll pokes or dismisses all actors.
func (h *Hall) wakeAll(wake func(*mailbox) (mine bool)) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	for _, a := range h.actors {
		if wake(a.mb) {
			go a.run()
		}
	}
}
