package host

import (
	"context"
	"sync"
	"time"

	"flagfall/server/account"
	"flagfall/server/actor"
	"flagfall/server/arena"
)

// event is what this node knows, beside its state, of an event that runs here: who attends it at which node, and its chat.
// All of it begins anew where the event is taken over.
type event struct {
	h    *Host
	name string

	mu      sync.Mutex
	steps   uint64           // how often its state has changed
	looked  uint64           // as of which of them it was seen who is present
	rooms   map[string]*room // by node
	lost    []loss           // connections, of the last seconds
	dropped *arena.Dropped
	shown   map[string]time.Time // who was told to be present, and when last
	desks   map[string]time.Time // who was told to be at the desk, and when last
	counted int                  // entries that the database knows; the watch's own
	asOf    uint64               // and the steps as of which; the same
	chat    chat
	boards  boards
	still   still

	passwords passwords
}

// observe follows an event that runs here.
func (h *Host) observe(name string, s *arena.State) actor.Observer {
	e := &event{h: h, name: name, rooms: map[string]*room{}, shown: map[string]time.Time{}, desks: map[string]time.Time{}, counted: -1}
	e.chat.begin(s.Now, h.cfg.Civil().UnixMilli())
	e.boards.turn, e.still.turn = make(chan struct{}, 1), make(chan struct{}, 1)
	e.passwords.turn = make(chan struct{}, 1)
	h.mu.Lock()
	h.events[name] = e
	h.mu.Unlock()
	return e
}

// find is the event if it runs here.
func (h *Host) find(name string) *event {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.events[name]
}

// Step implements actor.Observer.
func (e *event) Step(s actor.Step) {
	e.mu.Lock()
	e.steps++
	for _, one := range s.Events {
		if of, ok := one.(arena.Event); ok && of.Kind == arena.Gap { // nobody is taken to be here any more
			clear(e.shown)
			clear(e.desks)
		}
	}
	e.mu.Unlock()
	e.h.foyer.wake(e.name)
}

// Ended implements actor.Observer.
func (e *event) Ended(error) {
	e.h.mu.Lock()
	defer e.h.mu.Unlock()
	if e.h.events[e.name] == e {
		delete(e.h.events, e.name)
	}
}

// Times of the watch over events.
const (
	watchEvery = time.Second
	watchTime  = time.Second // for one event
	countEvery = 10          // rounds
	eraseEvery = 30          // rounds
)

// watch looks after the events of this node: nodes that have not asked for a while are forgotten, and lists learn how many
// have entered.
func (h *Host) watch() {
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()
	for round := 0; ; round++ {
		select {
		case <-ticker.C:
		case <-h.ctx.Done():
			return
		}
		h.mu.Lock()
		all := make([]*event, 0, len(h.events))
		for _, e := range h.events {
			all = append(all, e)
		}
		h.mu.Unlock()
		var gone []string
		if round%eraseEvery == 0 && len(all) > 0 {
			gone = h.deleted()
		}
		for _, e := range all {
			ctx, cancel := context.WithTimeout(h.ctx, watchTime)
			e.present(ctx)
			for _, id := range gone { // who was never in it changes nothing
				e.note(ctx, arena.Forget{Who: id, Name: account.Deleted})
				e.chat.forget(id, account.Deleted)
			}
			if round%countEvery == 0 {
				e.count(ctx)
				e.letGo(time.Now())
			}
			cancel()
		}
	}
}

// deleted are those whose names are to go.
func (h *Host) deleted() []string {
	if h.cfg.Deleted == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(h.ctx, watchTime)
	defer cancel()
	gone, err := h.cfg.Deleted(ctx)
	if err != nil {
		h.cfg.Log.Warn("whose account was deleted could not be read", "err", err)
	}
	return gone
}

// count has lists show how many have entered.
func (e *event) count(ctx context.Context) {
	e.mu.Lock()
	steps := e.steps
	e.mu.Unlock()
	if steps == e.asOf && e.counted >= 0 {
		return
	}
	n := 0
	if e.h.inspect(ctx, e.name, func(s *arena.State, _ int64) { n = s.People() }) != nil || n == e.counted {
		return
	}
	if err := e.h.cfg.Shelf.Count(ctx, e.name, n); err != nil {
		e.h.cfg.Log.Warn("how many have entered could not be kept", "event", e.name, "err", err)
		return
	}
	e.counted, e.asOf = n, steps
}
