package actor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"sync"
	"time"
)

// ErrMoved says that an actor runs on another node, or that its node is gone and it is not known yet which one goes on:
// ask again.
var ErrMoved = errors.New("another server has this actor")

// ErrLost says that the journal has lost what it had acknowledged, and its writer does not have it any more either.
var ErrLost = errors.New("the journal has lost entries of this actor, and this node does not have them any more")

// Node is one of the programs that run the actors of a hall together.
type Node struct {
	Name        string
	Incarnation string // random, new at each start
}

// Peers are the nodes of a hall, as this one sees them.
type Peers interface {
	Self() Node
	// Alive lists the nodes that hold a lease, this one too.
	Alive() []Node
	// MayClaim tells whether the actors of an incarnation are orphans: it is gone, and cannot hold them. Of one that has
	// come since the nodes were last looked at it says so too.
	MayClaim(incarnation string) bool
	// Knows is the latest version of the events of a kind that a node understands.
	Knows(n Node, kind string) int
	// Look looks at the nodes anew: what Alive and MayClaim say after it is no older than the call.
	Look(ctx context.Context) error
}

// Ending is implemented by a journal that several nodes share.
type Ending interface {
	// Last returns the last entry of an actor; false when it has none.
	Last(ctx context.Context, id ID) (Entry, bool, error)
}

// Where tells which node runs an actor. An orphan that this node may take over it takes over: here is true then, as it is
// for every actor that runs here already. ErrUnknownActor: it lives nowhere. ErrMoved: not known just now.
func (h *Hall) Where(ctx context.Context, id ID) (node string, here bool, err error) {
	if !validID(id) {
		return "", false, fmt.Errorf("%w: %.130q", ErrInvalid, string(id))
	}
	for range 3 {
		node, here, err = h.where(ctx, id)
		if !errors.Is(err, ErrConflict) {
			return node, here, err
		}
	}
	return "", false, ErrMoved
}

func (h *Hall) where(ctx context.Context, id ID) (node string, here bool, err error) {
	if a, err := h.find(id); err == nil {
		return h.self.Name, true, a.wait(ctx)
	} else if !errors.Is(err, ErrUnknownActor) || h.cfg.Peers == nil {
		return "", false, err
	}
	last, err := h.last(ctx, id)
	if err != nil {
		return "", false, err
	}
	for looked := false; ; looked = true {
		if n, ok := h.alive(last.owner); ok && n != h.self {
			return n.Name, false, nil
		}
		switch {
		case !h.knows(h.self, id, last):
			return "", false, ErrMoved // a node of a later release takes it over
		case last.owner == h.self.Incarnation || looked && h.cfg.Peers.MayClaim(last.owner):
			return h.self.Name, true, h.adopt(ctx, id, last)
		case looked || !h.cfg.Peers.MayClaim(last.owner):
			return "", false, ErrMoved
		}
		// He may have begun, and written, since the nodes were last looked at.
		if err := h.cfg.Peers.Look(ctx); err != nil {
			return "", false, fmt.Errorf("%w: %w", ErrMoved, err)
		}
	}
}

// knows tells whether a node understands what was written last.
func (h *Hall) knows(n Node, id ID, last lastEntry) bool {
	if n == h.self {
		k := h.kinds[id.Kind()]
		return k == nil || last.version <= k.Version // of a kind that is not known the load tells
	}
	return last.version <= h.cfg.Peers.Knows(n, id.Kind())
}

// wait waits for an actor's first step under this owner.
func (a *actor) wait(ctx context.Context) error {
	select {
	case <-a.born:
		return a.bornErr
	case <-ctx.Done():
		return ctx.Err()
	}
}

// lastEntry is where the journal of an actor ends, and the incarnation that wrote that.
type lastEntry struct {
	seq     uint64
	owner   string
	version int
}

func (h *Hall) last(ctx context.Context, id ID) (lastEntry, error) {
	e, ok, err := h.cfg.Journal.(Ending).Last(ctx, id)
	if err != nil {
		return lastEntry{}, err
	}
	if !ok {
		return lastEntry{}, ErrUnknownActor
	}
	var r struct {
		Owner   string `json:"own"`
		Version int    `json:"v"`
	}
	if err := json.Unmarshal(e.Data, &r); err != nil {
		return lastEntry{}, fmt.Errorf("entry %d of %s: %w", e.Seq, id, err)
	}
	return lastEntry{e.Seq, r.Owner, r.Version}, nil
}

func (h *Hall) alive(incarnation string) (Node, bool) {
	for _, n := range h.cfg.Peers.Alive() {
		if n.Incarnation == incarnation {
			return n, true
		}
	}
	return Node{}, false
}

// adopt takes an actor over: it is replayed, and its first step under this owner, that there was a gap, is the claim. The
// nodes were looked at after its last entry was read. ErrConflict: somebody else was first.
func (h *Hall) adopt(ctx context.Context, id ID, last lastEntry) error {
	done, mine, err := h.beginAdoption(id)
	if err != nil {
		return err
	}
	if !mine {
		select {
		case <-done:
			return ErrConflict // or not: the caller looks again
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	defer h.endAdoption(id)
	l, err := h.load(ctx, id)
	if err != nil {
		return err
	}
	if l.a == nil {
		return fmt.Errorf("%s cannot be taken over, see the log", id)
	}
	if l.a.seq != last.seq || l.owner != last.owner {
		return ErrConflict // whoever wrote that has done so since this node looked
	}
	if err := h.claim(l); err != nil {
		return err
	}
	if err := l.a.wait(ctx); err != nil {
		return err
	}
	h.log.Info("taken over", logAttr(id), "epoch", l.a.epoch)
	if h.cfg.Adopted != nil {
		h.cfg.Adopted(id)
	}
	return nil
}

// claim has a replayed actor run here. That there was a gap is the first that it hears of: nobody finds it before.
func (h *Hall) claim(l loadedActor) error {
	l.a.claims = true
	l.a.mb.setClock(l.a.at + l.gap.Elapsed)
	if _, err := l.a.mb.push(item{cmd: Command{Body: l.gap}}, true); err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.open {
		return ErrClosed
	}
	h.actors[l.a.id] = l.a
	h.wg.Add(1)
	go l.a.run()
	return nil
}

func (h *Hall) beginAdoption(id ID) (done chan struct{}, mine bool, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.open {
		return nil, false, ErrClosed
	}
	if h.actors[id] != nil {
		return nil, false, ErrConflict // it is here by now
	}
	if done = h.adopting[id]; done != nil {
		return done, false, nil
	}
	done = make(chan struct{})
	h.adopting[id] = done
	return done, true, nil
}

func (h *Hall) endAdoption(id ID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	close(h.adopting[id])
	delete(h.adopting, id)
}

// Freeze stops all clocks of this hall, and everything that moves them, until Thaw: this node may not know what others
// do with its actors, or the journal takes nothing. What arrives meanwhile waits; what is being journaled is tried again.
func (h *Hall) Freeze() {
	h.pulse.freeze()
	h.log.Warn("the clocks stand")
}

// Thaw ends a Freeze; the time between was nobody's.
func (h *Hall) Thaw() {
	h.pulse.thaw()
	h.log.Warn("the clocks go on")
	h.wakeAll((*mailbox).poke)
}

// Drop ends an actor that is not journaled, here.
func (h *Hall) Drop(id ID) {
	if a, err := h.find(id); err == nil && a.kind.Ephemeral {
		if a.mb.dismiss() {
			go a.run()
		}
	}
}

const (
	orphansEvery = 30 * time.Second       // as long as nothing happens
	orphansAgain = 250 * time.Millisecond // while some may not be claimed yet
	adoptAtOnce  = 16
)

// LookForOrphans has the hall look for actors whose node is gone; for whoever sees that the nodes have changed.
func (h *Hall) LookForOrphans() {
	select {
	case h.changed <- struct{}{}:
	default:
	}
}

// tend takes over orphans.
func (h *Hall) tend() {
	defer h.wg.Done()
	next := time.NewTimer(0)
	defer next.Stop()
	failing := false
	for round := 0; ; round++ {
		select {
		case <-next.C:
		case <-h.changed:
			round = 0
		case <-h.stopping:
			return
		}
		again, err := h.adoptOrphans(h.effectCtx, round)
		if h.effectCtx.Err() == nil && (err != nil) != failing {
			failing = err != nil
			h.log.Warn("looking for orphans", "err", err)
		}
		again = again || err != nil
		if again {
			next.Reset(orphansAgain)
		} else {
			round = 0
			next.Reset(orphansEvery)
		}
	}
}

// adoptOrphans looks at every actor once. The nodes share the orphans out by their names; what is still there after some
// rounds anybody takes. again: there were some that may not be claimed yet.
func (h *Hall) adoptOrphans(ctx context.Context, round int) (again bool, err error) {
	ids, err := h.cfg.Journal.Live(ctx)
	if err != nil {
		return false, err
	}
	const patience = 8
	var (
		mu      sync.Mutex
		orphans = map[ID]lastEntry{}
		nodes   = h.cfg.Peers.Alive()
	)
	forAll(ids, func(id ID) {
		if _, err := h.find(id); !errors.Is(err, ErrUnknownActor) {
			return
		}
		last, later := h.orphan(ctx, id, func(last lastEntry) bool {
			knowing := slices.DeleteFunc(slices.Clone(nodes), func(n Node) bool { return !h.knows(n, id, last) })
			return round >= patience || chosen(id, knowing) == h.self
		})
		mu.Lock()
		defer mu.Unlock()
		if last != (lastEntry{}) {
			orphans[id] = last
		}
		again = again || later
	})
	if len(orphans) == 0 {
		return again, nil
	}
	if err := h.cfg.Peers.Look(ctx); err != nil {
		return true, err
	}
	forAll(slices.Collect(maps.Keys(orphans)), func(id ID) {
		last := orphans[id]
		if _, ok := h.alive(last.owner); ok || !h.cfg.Peers.MayClaim(last.owner) {
			return
		}
		if err := h.adopt(ctx, id, last); err != nil && !errors.Is(err, ErrConflict) && ctx.Err() == nil {
			h.log.Warn("an orphan could not be taken over", logAttr(id), "err", err)
		}
	})
	return again, nil
}

// forAll does something with each actor, with some of them at once.
func forAll(ids []ID, do func(ID)) {
	work := make(chan ID)
	var wg sync.WaitGroup
	for range adoptAtOnce {
		wg.Go(func() {
			for id := range work {
				do(id)
			}
		})
	}
	for _, id := range ids {
		work <- id
	}
	close(work)
	wg.Wait()
}

// orphan is the end of an actor's journal if it is an orphan and ours, as far as this node has seen; later: it is one and
// still somebody's to take.
func (h *Hall) orphan(ctx context.Context, id ID, ours func(lastEntry) bool) (last lastEntry, later bool) {
	last, err := h.last(ctx, id)
	if err != nil {
		return lastEntry{}, !errors.Is(err, ErrUnknownActor) && ctx.Err() == nil
	}
	if _, ok := h.alive(last.owner); ok || !h.knows(h.self, id, last) {
		return lastEntry{}, false
	}
	if !h.cfg.Peers.MayClaim(last.owner) || !ours(last) {
		return lastEntry{}, true
	}
	return last, false
}

// chosen is the node that an id falls to.
func chosen(id ID, nodes []Node) (best Node) {
	var most uint64
	for _, n := range nodes {
		if rank := Rank(n.Name, id); rank >= most {
			most, best = rank, n
		}
	}
	return best
}

// Rank orders the nodes for an actor: it falls to the one with the highest. Actors spread evenly, and the order of the
// others stays when a node comes or goes (rendezvous hashing).
func Rank(node string, id ID) uint64 {
	hash := fnv.New64a()
	hash.Write([]byte(node + "/" + string(id)))
	// FNV alone leaves the high bits of alike texts alike (finalizer of splitmix64)
	x := hash.Sum64()
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
