package host

import (
	"context"
	"sync"
	"time"

	"flagfall/server/actor"
	"flagfall/server/arena"
)

// room is the sockets of one node that attend an event.
type room struct {
	looking sync.Mutex // while it is answered
	asked   time.Time  // last
	here    map[string]attender
	n       uint64            // number of the last answer
	told    map[string]string // what each was told last
	news    string            // what all were told last
	steps   uint64            // the event's as of that
	at      int64             // and the time
}

// attender is somebody whose sockets attend.
type attender struct {
	ID    string `json:"i"`
	Shown bool   `json:"s,omitempty"` // one of their pages is visible
	Desk  bool   `json:"d,omitempty"` // one is an arbiter's desk
}

// Times of presence.
const (
	forgotten  = 5 * time.Second  // a node that has not asked for so long has nobody here any more
	sureAgain  = 3 * time.Second  // how often the same is told again, or asked for
	lostWithin = 3 * time.Second  // connections lost within this time were lost together
	dropShown  = 60 * time.Second // an arbiter is told of them for so long
	dropLeast  = 4                // and of fewer not at all
)

// loss is one connection that was lost.
type loss struct {
	at  time.Time
	who string
}

// took notes who attends at a node. Whoever is away at once, without a hidden page before, has lost his connection.
func (e *event) took(node string, here []attender, now time.Time) *room {
	r := e.rooms[node]
	if r == nil {
		r = &room{told: map[string]string{}}
		e.rooms[node] = r
	}
	before := r.here
	r.asked, r.here = now, make(map[string]attender, len(here))
	for _, one := range here {
		r.here[one.ID] = one
	}
	for id, one := range before {
		if one.Shown && !e.attends(id) {
			e.lose(id, now)
		}
	}
	return r
}

func (e *event) attends(id string) bool {
	for _, r := range e.rooms {
		if _, there := r.here[id]; there {
			return true
		}
	}
	return false
}

// lose notes a lost connection, and whether many were lost together.
func (e *event) lose(id string, now time.Time) {
	e.lost = append(e.lost, loss{now, id})
	for len(e.lost) > 0 && now.Sub(e.lost[0].at) > lostWithin {
		e.lost = e.lost[1:]
	}
	here, gone := map[string]bool{}, map[string]bool{}
	for _, r := range e.rooms {
		for id, one := range r.here {
			if one.Shown {
				here[id] = true
			}
		}
	}
	for _, one := range e.lost {
		if !here[one.who] {
			gone[one.who] = true
		}
	}
	if len(gone) >= dropLeast && 3*len(gone) >= len(here)+len(gone) {
		e.dropped = &arena.Dropped{At: now.UnixMilli(), Count: len(gone)}
	}
}

// drop is what an arbiter is told of connections that were lost together.
func (e *event) drop(now time.Time) *arena.Dropped {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.dropped == nil || now.Sub(time.UnixMilli(e.dropped.At)) > dropShown {
		return nil
	}
	copied := *e.dropped
	return &copied
}

// present tells the event who is present and who is at the desk, where it thinks otherwise.
func (e *event) present(ctx context.Context) {
	now := e.h.cfg.Civil()
	e.mu.Lock()
	if len(e.rooms) == 0 && e.steps == e.looked { // nobody is here, and nothing has happened
		e.mu.Unlock()
		return
	}
	looked := e.steps
	visible, desks := map[string]bool{}, map[string]bool{}
	for node, r := range e.rooms {
		if now.Sub(r.asked) > forgotten {
			delete(e.rooms, node)
			for id, one := range r.here {
				if one.Shown && !e.attends(id) {
					e.lose(id, now)
				}
			}
			continue
		}
		for id, one := range r.here {
			visible[id] = visible[id] || one.Shown
			desks[id] = desks[id] || one.Desk
		}
	}
	e.mu.Unlock()
	var wrong []arena.Presence
	var staff []string
	err := e.h.inspect(ctx, e.name, func(s *arena.State, _ int64) {
		if s.Phase <= arena.Running {
			for _, one := range s.Entries {
				if one.Here != visible[one.ID] {
					wrong = append(wrong, arena.Presence{Who: one.ID, Here: visible[one.ID]})
				}
			}
		}
		for id := range desks {
			if s.Arbiter(id) {
				staff = append(staff, id)
			}
		}
	})
	if err != nil {
		return
	}
	e.mu.Lock()
	e.looked = looked
	e.mu.Unlock()
	for _, p := range wrong {
		if p.Here && !e.comes(p.Who, now) {
			continue
		}
		if !p.Here {
			e.mu.Lock()
			delete(e.shown, p.Who)
			e.mu.Unlock()
		}
		e.note(ctx, p)
	}
	e.tellDesks(ctx, desks, staff, now)
}

// note tells the machine what is told again while it is wrong.
func (e *event) note(ctx context.Context, body any) {
	_ = e.h.send(ctx, e.name, actor.Command{Body: body})
}

// comes tells whether somebody may be told to be present. Who was, and is not taken to be, sat at another table when he was
// paired: he is present when he has stood up.
func (e *event) comes(who string, now time.Time) bool {
	e.mu.Lock()
	last, told := e.shown[who]
	if told && now.Sub(last) < sureAgain {
		e.mu.Unlock()
		return false
	}
	e.shown[who] = now
	e.mu.Unlock()
	return !told || e.h.cfg.Sits(who) == ""
}

// tellDesks tells who is at the desk, those who are there again and again: the machine forgets them after a gap.
func (e *event) tellDesks(ctx context.Context, desks map[string]bool, staff []string, now time.Time) {
	tell := map[string]bool{}
	e.mu.Lock()
	for _, id := range staff {
		if desks[id] && now.Sub(e.desks[id]) > sureAgain {
			e.desks[id], tell[id] = now, true
		}
	}
	for id := range e.desks {
		if !desks[id] {
			delete(e.desks, id)
			tell[id] = false
		}
	}
	e.mu.Unlock()
	for id, here := range tell {
		e.note(ctx, arena.Desk{Who: id, Here: here})
	}
}
