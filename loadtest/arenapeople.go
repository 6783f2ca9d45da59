package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"sync"
	"time"

	"flagfall/game/board"
	"flagfall/loadtest/judge"
	"flagfall/loadtest/tally"
	"flagfall/server/wire"
	"flagfall/server/wire/client"
)

// attendee is a guest who plays in the event.
type attendee struct {
	*person
	a      *arenaRun
	number int
	dice   *rand.Rand
	line   *rosterLine   // of the roster, which he claims; nil: he comes with a name of his own
	late   time.Duration // after the start

	visible bool
	asked   int // attends
	games   int
	leaves  leaving

	seen sync.Mutex // what follows is written while frames are read
	sight
}

// sight is what somebody's sockets have told him.
type sight struct {
	phase    string
	entry    wire.EntryNews
	known    bool // entry is
	answer   string
	at       string // the game whose frames come
	call     *summons
	last     string // the game of the last call
	calledTo map[string]bool
	free     time.Time // since when he can be paired; zero: he cannot
	stood    time.Time // since when his game stands for the arbiter
	away     *tally.Span
	there    *tally.Span
	kept     tally.Player
	aside    bool   // he did not come to a game
	asideAt  string // to this one, the last time
	out      bool   // for good
}

// summons calls somebody to a table.
type summons struct {
	game string
	side board.Color
}

// leaving is somebody's being away for a while.
type leaving struct {
	how   string // "pause", "withdraw", "hide" or "close"; "" is there
	from  time.Time
	until time.Time
}

// Presence, as these people count it: who closes his socket or hides his page may still be paired for so long.
const absenceKnown = 3 * time.Second

func newAttendee(a *arenaRun, number int) *attendee {
	p := &attendee{person: newPerson(a.run, number, number), a: a, number: number, visible: true,
		dice: rand.New(rand.NewPCG(a.o.seed, uint64(number)<<32|7))}
	p.from(&net.Dialer{Timeout: 10 * time.Second}) // all come from one address, as from behind one router
	p.link, p.greet, p.sees, p.calledTo = a.link, p.attend, p.look, map[string]bool{}
	p.name = fmt.Sprintf("Guest %04d", number)
	return p
}

// attend says that a page of the event is open.
func (p *attendee) attend() error {
	p.asked++
	p.seen.Lock()
	p.answer = "at" + strconv.Itoa(p.asked)
	m := wire.ClientMessage{T: "attend", ID: p.answer, Event: p.link.Event, Key: p.link.Key, Visible: p.visible}
	p.seen.Unlock()
	return p.send(m)
}

// look takes in a frame as it is read.
func (p *attendee) look(f *frame) {
	p.seen.Lock()
	defer p.seen.Unlock()
	if f.gone != nil {
		p.goes(f.seen)
		return
	}
	switch f.T {
	case "event":
		var e wire.EventNews
		if json.Unmarshal(f.raw, &e) != nil || e.Event != p.link.Event {
			p.run.fail("a frame of an event that cannot be read, or of another: %s", f.raw)
			return
		}
		p.a.clock(f.seen, e.Now)
		if p.phase != "running" && e.Phase == "running" && !p.free.IsZero() {
			p.free = f.seen
		}
		p.phase = e.Phase
		if e.ID == p.answer && p.there == nil {
			p.there = &tally.Span{From: f.seen.UnixMilli()}
		}
	case "entry":
		p.standing(f)
	case "paired":
		if side, err := board.ParseColor(f.Color); err != nil || f.Game == "" {
			p.run.fail("%s is paired as %q in game %q", p.name, f.Color, f.Game)
		} else {
			p.called(f.Game, side, f.seen)
		}
	case "state":
		p.at = f.Game
		p.snapshot(f)
	case "ev":
		p.happens(f)
	case "err":
		if f.ID == p.answer {
			p.run.count("attend: " + f.Code)
		}
	}
}

// goes ends the time in which a socket of his was there; seen is held.
func (p *attendee) goes(at time.Time) {
	if p.there != nil {
		p.there.To = at.UnixMilli()
		p.kept.There = append(p.kept.There, *p.there)
		p.there = nil
	}
}

func (p *attendee) standing(f *frame) {
	var e wire.EntryNews
	if json.Unmarshal(f.raw, &e) != nil {
		p.run.fail("an entry that cannot be read: %s", f.raw)
		return
	}
	p.entry, p.known = e, true
	p.kept.Last = &tally.Standing{Place: e.Place, Points: e.Points, Games: e.Games}
	if e.Game != "" {
		if side, err := board.ParseColor(e.Color); err == nil {
			p.called(e.Game, side, f.seen)
		}
	}
	if p.away != nil && !e.Here && p.away.Why == "hidden" {
		p.away.From = min(p.away.From, f.seen.UnixMilli())
	}
	// what was written before he came back may come after it
	if e.Status == "paused" && e.Why == "no_show" && p.asideAt != p.last {
		p.aside, p.asideAt = true, p.last
		p.unpairable("set aside", f.seen)
	}
}

// called notes that he is to come to a table.
func (p *attendee) called(game string, side board.Color, at time.Time) {
	t := p.a.table(game)
	p.a.mu.Lock()
	if t.seen.Called[side] == 0 {
		t.seen.Called[side] = at.UnixMilli()
	}
	p.a.mu.Unlock()
	if p.calledTo[game] {
		return
	}
	p.calledTo[game] = true
	p.last, p.call = game, &summons{game, side}
	p.a.mu.Lock()
	p.a.calls++
	p.a.mu.Unlock()
	if !p.free.IsZero() {
		p.a.waited(max(0, at.Sub(p.free)))
	}
	p.free = time.Time{}
}

func (a *arenaRun) waited(d time.Duration) {
	a.wait.record(d)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.oldest = max(a.oldest, d)
}

// snapshot takes who plays, and an end, from a game's state.
func (p *attendee) snapshot(f *frame) {
	var s struct{ White, Black wire.Person }
	if json.Unmarshal(f.raw, &s) != nil {
		return // the judge says so
	}
	t := p.a.table(f.Game)
	p.a.mu.Lock()
	if g := &t.seen; g.White == "" {
		g.White, g.Black = s.White.ID, s.Black.ID
	} else if g.White != s.White.ID || g.Black != s.Black.ID {
		p.run.fail("game %s is told as %s against %s, and as %s against %s", f.Game, g.White, g.Black, s.White.ID, s.Black.ID)
	}
	p.a.mu.Unlock()
	if f.End != nil {
		p.ended(f.End, f.seen)
	}
}

// happens looks for the end of his game, and for what an arbiter does.
func (p *attendee) happens(f *frame) {
	for i := range f.E {
		switch e := &f.E[i]; e.K {
		case "dispute":
			if e.Stops {
				p.stood = f.seen
			}
		case "ruling", "resume":
			p.standsNoMore(f.seen)
		case "end":
			p.standsNoMore(f.seen)
			if e.End != nil {
				p.ended(e.End, f.seen)
			}
		}
	}
}

// answeredIn is how long a dispute may stand before somebody who is at the desk has answered.
const answeredIn = 20 * time.Second

func (p *attendee) standsNoMore(at time.Time) {
	if p.stood.IsZero() {
		return
	}
	stood := at.Sub(p.stood)
	p.stood = time.Time{}
	p.a.stands.record(stood)
	if stood > answeredIn && !p.run.o.outage {
		p.run.fail("game %s stood for %v, and the desk was not told in time", p.at, stood)
	}
}

func (p *attendee) ended(end *wire.End, at time.Time) {
	t := p.a.table(p.at)
	p.a.mu.Lock()
	g := &t.seen
	switch {
	case g.End == 0:
		g.End, g.Score, g.Reason = at.UnixMilli(), end.Result, end.Reason
		p.run.finished.Add(1)
	case g.Score != end.Result || g.Reason != end.Reason:
		p.run.fail("game %s ended as %s (%s) for one and as %s (%s) for another", p.at, g.Score, g.Reason, end.Result, end.Reason)
	}
	p.a.mu.Unlock()
	if p.free.IsZero() && p.away == nil && p.at == p.last {
		p.free = at.Add(arenaRest * time.Millisecond)
		if end.Result == "*" {
			p.free = at // at once: somebody did not come
		}
	}
}

// unpairable begins a time in which nobody may pair him; seen is held.
func (p *attendee) unpairable(why string, from time.Time) {
	p.pairable(from)
	p.free = time.Time{}
	p.away = &tally.Span{From: from.UnixMilli(), Why: why}
}

// pairable ends it.
func (p *attendee) pairable(at time.Time) {
	if p.away == nil {
		return
	}
	p.away.To = at.UnixMilli()
	if p.away.To > p.away.From {
		p.kept.Away = append(p.kept.Away, *p.away)
	}
	p.away = nil
	p.free = at
}

// act is something that somebody asks of the event.
type act map[string]any

// ask sends one to the event.
func (p *person) ask(ctx context.Context, m act) error {
	s := client.Server{URL: p.node.base, HTTP: p.http}
	return s.Post(ctx, p.token, "/api/events/"+p.link.Event+"/acts"+p.link.key(), m, nil)
}

// refusedWith tells whether an error is the server's refusal with one of the codes.
func refusedWith(err error, codes ...string) bool {
	var p *client.Problem
	if !errors.As(err, &p) {
		return false
	}
	for _, code := range codes {
		if p.Code == code {
			return true
		}
	}
	return false
}

// act asks, and counts what comes of it; what cannot be had at this moment is no error.
func (p *attendee) act(ctx context.Context, m act) bool {
	name := fmt.Sprint(m["do"])
	switch err := p.ask(ctx, m); {
	case err == nil:
		p.a.acts.add(name)
		return true
	case ctx.Err() != nil:
	case refusedWith(err, "wrong_phase", "not_now", "barred", "already_in"):
		p.a.refused.add(name)
	default:
		p.run.trouble(name, err)
	}
	return false
}

// trouble counts an error, unless the server is meant to go away and it is of that kind.
func (r *run) trouble(what string, err error) {
	if unanswered(err) {
		r.lost(what + ": " + plainly(err))
		return
	}
	r.count(what + ": " + plainly(err))
}

// unanswered tells whether it is not known what became of a request.
func unanswered(err error) bool {
	var p *client.Problem
	return !errors.As(err, &p) || p.Code == wire.CodeUnavailable
}

// come brings him into the event.
func (p *attendee) come(ctx context.Context) error {
	name := p.name
	if err := p.login(ctx); err != nil {
		return err
	}
	p.name = name
	p.seen.Lock()
	p.away = &tally.Span{Why: "not yet in the event"}
	p.seen.Unlock()
	if err := p.reopen(ctx); err != nil {
		return err
	}
	enter := act{"do": "enter", "name": p.name}
	if p.line != nil {
		p.name = p.line.name
		enter = act{"do": "enter", "claim": p.line.id}
	}
	p.seen.Lock()
	p.pairable(time.Now())
	p.kept.Name = p.name
	if p.line != nil {
		p.kept.Rating = p.line.rating
	}
	p.seen.Unlock()
	if err := p.ask(ctx, enter); err != nil {
		return fmt.Errorf("enter: %w", err)
	}
	p.a.acts.add("enter")
	return nil
}

// reopen opens a socket, which attends at once.
func (p *attendee) reopen(ctx context.Context) error {
	if err := p.open(ctx); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	_, err := p.await(ctx, "hello", "", nil)
	return err
}

// sits gives him the log of his seat.
func (p *attendee) sits(t *arenaTable, c *summons) {
	p.a.mu.Lock()
	first := !t.sat[c.side]
	t.sat[c.side] = true
	p.a.mu.Unlock()
	l := &t.pair.transcript.White
	if c.side == board.Black {
		l = &t.pair.transcript.Black
	}
	p.mu.Lock()
	p.log = l
	if first {
		p.begin = c.game
		p.lastN = 0
	}
	p.note(judge.Entry{Kind: judge.Opened})
	p.mu.Unlock()
}
