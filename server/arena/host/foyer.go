package host

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"flagfall/server/arena"
	"flagfall/server/table"
	"flagfall/server/wire"
)

// foyer is the sockets of this node that attend events.
type foyer struct {
	mu      sync.Mutex
	lounges map[string]*lounge    // by event
	seats   map[table.Conn]*place // of each socket
}

// place is what a socket attends.
type place struct {
	conn   table.Conn
	person string
	event  string
	shown  bool
	desk   bool
}

// lounge is the sockets of one event.
type lounge struct {
	event  string
	wake   chan struct{}
	places map[*place]bool

	// the loop's own
	got   uint64 // number of the last answer
	n     uint64 // of the last frame
	steps uint64
	news  *wire.EventNews // not told yet
	told  time.Time       // when all were told last
}

func (f *foyer) init() { f.lounges, f.seats = map[string]*lounge{}, map[table.Conn]*place{} }

// wake has a lounge look at once.
func (f *foyer) wake(event string) {
	f.mu.Lock()
	l := f.lounges[event]
	f.mu.Unlock()
	if l == nil {
		return
	}
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// attended answers who begins to attend.
type attended struct {
	News wire.EventNews  `json:"news"`
	Mine *wire.EntryNews `json:"mine,omitempty"`
	Desk bool            `json:"desk"` // he is one of the staff
}

// attend answers a socket that begins to attend.
func (e *event) attend(ctx context.Context, q Question) (attended, error) {
	var out attended
	if err := e.sees(ctx, q); err != nil {
		return out, err
	}
	news, mine, err := e.views(ctx, []string{q.By.ID})
	if err != nil {
		return out, err
	}
	out.News = news
	if one, in := mine[q.By.ID]; in {
		out.Mine = &one
	}
	err = e.read(ctx, func(s *arena.State, _ int64) error {
		out.Desk = s.Staff(q.By.ID)
		return nil
	})
	return out, err
}

// attendedOf is attend of an event that is over.
func attendedOf(name string, s *arena.State, now int64, q Question) (attended, error) {
	e := &event{name: name}
	v := s.Views(now)
	out := attended{News: e.news(s, v), Desk: s.Staff(q.By.ID)}
	if one := v.Mine(q.By.ID); one != nil {
		mine := entryNews(name, one)
		out.Mine = &mine
	}
	return out, nil
}

// attendTime bounds how long a socket waits for its event.
const attendTime = 5 * time.Second

// Attend has a socket told of an event.
func (h *Host) Attend(c table.Conn, m wire.ClientMessage) error {
	ctx, cancel := context.WithTimeout(h.ctx, attendTime)
	defer cancel()
	answer, err := h.ask(ctx, Question{Event: m.Event, What: "attend", By: c.Person(), Key: m.Key})
	if err != nil {
		return err
	}
	var a attended
	if err := json.Unmarshal(answer, &a); err != nil {
		return err
	}
	if m.Desk && !a.Desk {
		return wire.Refuse(wire.CodeForbidden)
	}
	p := &place{conn: c, person: c.Person().ID, event: m.Event, shown: m.Visible, desk: m.Desk}
	n, fresh := h.foyer.come(p)
	a.News.N, a.News.ID = n, m.ID
	c.Send(wire.Encode(a.News))
	if a.Mine != nil {
		a.Mine.ID = m.ID
		c.Send(wire.Encode(a.Mine))
	}
	if fresh != nil {
		h.spawn(func() { h.entertain(fresh) })
	}
	h.foyer.wake(m.Event)
	return nil
}

// come notes where a socket attends; fresh is a lounge that has nobody to look after it yet.
func (f *foyer) come(p *place) (n uint64, fresh *lounge) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if old := f.seats[p.conn]; old != nil {
		f.leave(old)
	}
	l := f.lounges[p.event]
	if l == nil {
		l = &lounge{event: p.event, wake: make(chan struct{}, 1), places: map[*place]bool{}, n: uint64(time.Now().UnixMilli())}
		f.lounges[p.event], fresh = l, l
	}
	l.places[p], f.seats[p.conn] = true, p
	l.n++
	return l.n, fresh
}

// leave needs the mutex. A lounge that is empty is ended by its loop.
func (f *foyer) leave(p *place) {
	if l := f.lounges[p.event]; l != nil {
		delete(l.places, p)
	}
	delete(f.seats, p.conn)
}

// Depart ends what a socket attends.
func (h *Host) Depart(c table.Conn) {
	h.foyer.mu.Lock()
	p := h.foyer.seats[c]
	if p != nil {
		h.foyer.leave(p)
	}
	h.foyer.mu.Unlock()
	if p != nil {
		h.foyer.wake(p.event)
	}
}

// Times of a lounge.
const (
	lookEvery = 500 * time.Millisecond
	lookSoon  = 250 * time.Millisecond // after a change, if the last look was not sooner
	lookTime  = 2 * time.Second
	tellEvery = 500 * time.Millisecond // all are told at most so often
)

// entertain asks for what is new in an event, and tells the sockets, as long as there are any.
func (h *Host) entertain(l *lounge) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-timer.C:
		case <-l.wake:
			select { // no more often than the soonest
			case <-time.After(lookSoon):
			case <-h.ctx.Done():
				return
			}
		case <-h.ctx.Done():
			return
		}
		empty := h.visit(l)
		if h.foyer.closed(l, empty) {
			return
		}
		timer.Reset(lookEvery)
	}
}

// closed ends a lounge in which nobody is and of which the event knows that.
func (f *foyer) closed(l *lounge, told bool) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !told || len(l.places) > 0 {
		return false
	}
	delete(f.lounges, l.event)
	return true
}

// attenders are the people of a lounge.
func (f *foyer) attenders(l *lounge) []attender {
	f.mu.Lock()
	defer f.mu.Unlock()
	at := map[string]int{}
	list := []attender{}
	for p := range l.places {
		i, known := at[p.person]
		if !known {
			i = len(list)
			at[p.person] = i
			list = append(list, attender{ID: p.person})
		}
		list[i].Shown = list[i].Shown || p.shown
		list[i].Desk = list[i].Desk || p.desk
	}
	return list
}

// visit looks once, and tells whether the event knows that nobody is here.
func (h *Host) visit(l *lounge) (empty bool) {
	here := h.foyer.attenders(l)
	body, err := json.Marshal(look{Node: h.cfg.Node, Got: l.got, Here: here})
	if err != nil {
		h.cfg.Log.Error("a look at an event", "event", l.event, "err", err)
		return len(here) == 0
	}
	ctx, cancel := context.WithTimeout(h.ctx, lookTime)
	defer cancel()
	answer, err := h.cfg.Ask(ctx, Question{Event: l.event, What: "look", Body: body})
	if err != nil { // the next look says it again
		return len(here) == 0
	}
	var got looked
	if err := json.Unmarshal(answer, &got); err != nil {
		h.cfg.Log.Error("an event's answer", "event", l.event, "err", err)
		return len(here) == 0
	}
	l.got = got.N
	if got.News != nil {
		l.news = got.News
	}
	h.foyer.tell(l, got)
	return len(here) == 0
}

// tell sends what is new.
func (f *foyer) tell(l *lounge, got looked) {
	f.mu.Lock()
	places := make([]*place, 0, len(l.places))
	for p := range l.places {
		places = append(places, p)
	}
	if f.lounges[l.event] == l && l.news != nil {
		l.n++
	}
	n := l.n
	f.mu.Unlock()
	if now := time.Now(); l.news != nil && now.Sub(l.told) >= tellEvery {
		l.news.N = n
		frame := wire.Encode(l.news)
		l.news, l.told = nil, now
		for _, p := range places {
			p.conn.Send(frame)
		}
	}
	if len(got.Mine) > 0 {
		frames := map[string][]byte{}
		for id, one := range got.Mine {
			frames[id] = wire.Encode(one)
		}
		for _, p := range places {
			if frame := frames[p.person]; frame != nil {
				p.conn.Send(frame)
			}
		}
	}
	if got.Steps == l.steps {
		return
	}
	l.steps = got.Steps
	if slices.ContainsFunc(places, func(p *place) bool { return p.desk }) {
		frame := wire.Encode(wire.DeskNews{T: "desk", Event: l.event, N: n})
		for _, p := range places {
			if p.desk {
				p.conn.Send(frame)
			}
		}
	}
}
