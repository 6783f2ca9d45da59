package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"time"

	"flagfall/server/wire"
	"flagfall/server/wire/client"
)

// official is somebody with an account: the organiser, or an arbiter at the desk.
type official struct {
	*person
	a    *arenaRun
	desk bool // his socket is at the desk

	seen    sync.Mutex
	now     string        // phase of the event
	bell    int64         // when it rings, or rang
	changed chan struct{} // closed when it is another
	news    chan struct{} // the desk has something new
}

// rosterLine is a player whom the organiser has listed.
type rosterLine struct {
	id, name string
	rating   int
}

// register makes an account with a name and a password of its own.
func (a *arenaRun) register(ctx context.Context, what string) (*official, error) {
	o := &official{person: newPerson(a.run, 0, 0), a: a, changed: make(chan struct{}), news: make(chan struct{}, 1)}
	o.from(&net.Dialer{Timeout: 10 * time.Second})
	o.greet, o.sees = o.attend, o.look
	o.name = fmt.Sprintf("%s-%s", what, letters(8))
	var who struct{ ID, Token string }
	body := map[string]any{"name": o.name, "password": letters(24), "token": true}
	if err := o.server().Post(ctx, "", "/api/register", body, &who); err != nil {
		return nil, fmt.Errorf("register %s: %w", o.name, err)
	}
	o.id, o.token = who.ID, who.Token
	return o, nil
}

// letters are random, so that runs against one server do not meet.
func letters(n int) string {
	var out strings.Builder
	for range n {
		out.WriteByte("abcdefghijklmnopqrstuvwxyz"[rand.IntN(26)])
	}
	return out.String()
}

func (p *person) server() client.Server { return client.Server{URL: p.node.base, HTTP: p.http} }

// get reads what the event says at an address of its own.
func (p *person) get(ctx context.Context, path string, out any) error {
	return p.server().Get(ctx, p.token, "/api/events/"+p.link.Event+path, out)
}

func (o *official) attend() error {
	return o.send(wire.ClientMessage{T: "attend", ID: "at1", Event: o.link.Event, Visible: true, Desk: o.desk})
}

// look takes in a frame as it is read.
func (o *official) look(f *frame) {
	switch f.T {
	case "event":
		var e wire.EventNews
		if json.Unmarshal(f.raw, &e) != nil {
			return // the players' frames are looked at
		}
		o.a.clock(f.seen, e.Now)
		o.seen.Lock()
		defer o.seen.Unlock()
		o.bell = e.Bell
		if e.Phase != o.now {
			o.now = e.Phase
			close(o.changed)
			o.changed = make(chan struct{})
		}
	case "desk":
		select {
		case o.news <- struct{}{}:
		default:
		}
	case "err":
		o.run.count("attend: " + f.Code)
	}
}

// phase is that of the event as he was told; changed is closed when it is another.
func (o *official) phase() (now string, changed <-chan struct{}) {
	o.seen.Lock()
	defer o.seen.Unlock()
	return o.now, o.changed
}

// sit opens the socket.
func (o *official) sit(ctx context.Context) error {
	if err := o.open(ctx); err != nil {
		return err
	}
	_, err := o.await(ctx, "hello", "", nil)
	return err
}

// act asks something of the event, which has to be done. What a server that went away has not answered is asked again; that
// it cannot be done any more then means that it was.
func (o *official) act(ctx context.Context, m act) error {
	err := o.ask(ctx, m)
	for try := 0; err != nil && o.run.o.outage && unanswered(err) && try < triesInOutage && ctx.Err() == nil; try++ {
		o.run.lost(fmt.Sprint(m["do"], ": ", plainly(err)))
		_ = rest(ctx, time.Second)
		if err = o.ask(ctx, m); err != nil && !unanswered(err) {
			o.run.lost(fmt.Sprint(m["do"], ": ", plainly(err)))
			return nil
		}
	}
	if err == nil {
		o.a.acts.add(fmt.Sprint(m["do"]))
		return nil
	}
	return fmt.Errorf("%v: %w", m["do"], err)
}

// stay keeps his socket open.
func (o *official) stay(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-o.wake:
		}
		for _, f := range o.take() {
			if f.gone == nil || ctx.Err() != nil {
				continue
			}
			o.run.lost("socket of " + o.name + " lost: " + closing(f.gone))
			o.cut()
			for try := 0; o.sit(ctx) != nil && try < o.run.tries() && ctx.Err() == nil; try++ {
				o.cut()
				_ = rest(ctx, time.Second)
			}
		}
	}
}

// ringing tells whether nobody is paired any more: the bell has rung, or the run was stopped.
func (a *arenaRun) ringing() bool {
	phase, _ := a.organiser.phase()
	return reached(phase, "last_games") || a.run.active.Err() != nil
}

// organise makes the event, names its arbiter and lists some of its players.
func (a *arenaRun) organise(ctx context.Context) error {
	var err error
	if a.organiser, err = a.register(ctx, "organiser"); err != nil {
		return err
	}
	if a.arbiter, err = a.register(ctx, "arbiter"); err != nil {
		return err
	}
	o := a.organiser
	settings := map[string]any{}
	if err := o.server().Get(ctx, o.token, "/api/events/defaults?format=arena", &settings); err != nil {
		return fmt.Errorf("the defaults of an arena: %w", err)
	}
	a.choose(settings)
	var made struct{ Event string }
	if err := o.server().Post(ctx, o.token, "/api/events", map[string]any{"settings": settings}, &made); err != nil {
		return err
	}
	a.link = &eventLink{Event: made.Event}
	o.link, a.arbiter.link = &eventLink{Event: made.Event}, &eventLink{Event: made.Event}
	var page struct{ You struct{ Link string } }
	if err := o.get(ctx, "", &page); err != nil {
		return err
	}
	if a.link.Key = page.You.Link; a.link.Key == "" {
		return errors.New("the organiser is not told the link of his event")
	}
	for _, m := range []act{
		{"do": "staff", "organisers": []string{o.name}, "arbiters": []string{a.arbiter.name}}, {"do": "advance", "to": "open"},
	} {
		if err := o.act(ctx, m); err != nil {
			return err
		}
	}
	if err := a.list(ctx); err != nil {
		return err
	}
	a.arbiter.desk = true
	if err := o.sit(ctx); err != nil {
		return err
	}
	if err := a.arbiter.sit(ctx); err != nil {
		return err
	}
	return a.desk.duties(ctx, true)
}

// choose sets what is played: short games by WBCA's rules, which are rated by nobody.
func (a *arenaRun) choose(settings map[string]any) {
	mode := "board"
	if a.fast() {
		mode = "fast"
	}
	for name, value := range map[string]any{
		"name": "Load test " + letters(4), "access": "link", "guests": true, "late": true, "rated": false, "scoring": a.o.scoring, "bell": a.o.atBell,
		"duration": a.o.minutes.Milliseconds(), "last_pair": arenaLastPair, "rest": arenaRest, "repeat_wait": arenaWait, "color_wait": arenaWait,
		"terms": map[string]any{"rules": "wbca", "base": arenaBase, "mode": mode},
	} {
		settings[name] = value
	}
	options, _ := settings["options"].(map[string]any)
	if options == nil {
		options = map[string]any{}
	}
	options["first_move"] = arenaFirstMove
	settings["options"] = options
}

// list puts every third player on the roster, with a rating; the last of them is added by hand.
func (a *arenaRun) list(ctx context.Context) error {
	dice := rand.New(rand.NewPCG(a.o.seed, 11))
	csv, ratings := "name,real name,rating\n", map[string]int{}
	n := a.o.arena / 3
	for i := range n {
		name, rating := fmt.Sprintf("Member %04d", i), 1000+dice.IntN(1200)
		ratings[name] = rating
		if i == n-1 {
			if err := a.organiser.act(ctx, act{"do": "add", "name": name, "rating": rating}); err != nil {
				return err
			}
			break
		}
		csv += fmt.Sprintf("%s,Real %d,%d\n", name, i, rating)
	}
	if n > 1 {
		if err := a.organiser.act(ctx, act{"do": "roster", "csv": csv}); err != nil {
			return err
		}
	}
	var page struct{ Roster []struct{ ID, Name string } }
	if err := a.organiser.get(ctx, "", &page); err != nil {
		return err
	}
	if len(page.Roster) != n {
		return fmt.Errorf("%d lines of the roster are open, want %d", len(page.Roster), n)
	}
	for i := range a.o.arena {
		p := newAttendee(a, i)
		if i < n {
			l := page.Roster[i]
			p.line = &rosterLine{l.ID, l.Name, ratings[l.Name]}
		} else if i >= 8 && i%20 == 19 {
			p.late = time.Duration(p.dice.Float64() * 0.4 * float64(a.o.minutes))
		}
		a.people = append(a.people, p)
	}
	return nil
}

// enter brings those in who come in time, all from one address and by the link.
func (a *arenaRun) enter(ctx context.Context) error {
	err := a.eachInTime(func(p *attendee) error { return p.come(ctx) })
	if err != nil {
		return err
	}
	if err := a.organiser.act(ctx, act{"do": "advance", "to": "checkin"}); err != nil {
		return err
	}
	return a.eachInTime(func(p *attendee) error {
		if p.act(ctx, act{"do": "arrive"}) {
			return nil
		}
		return errors.New("somebody could not say that he is there")
	})
}

// eachInTime does something for all who do not come late, some at a time.
func (a *arenaRun) eachInTime(do func(p *attendee) error) error {
	turns := make(chan struct{}, connecting)
	var all sync.WaitGroup
	var mu sync.Mutex
	var first error
	for _, p := range a.people {
		if p.late > 0 {
			continue
		}
		turns <- struct{}{}
		all.Go(func() {
			defer func() { <-turns }()
			if err := do(p); err != nil {
				mu.Lock()
				defer mu.Unlock()
				if first == nil {
					first = fmt.Errorf("%s: %w", p.name, err)
				}
			}
		})
	}
	all.Wait()
	return first
}

// start begins the play, and everybody's evening.
func (a *arenaRun) start(ctx context.Context) error {
	for _, p := range a.people {
		a.living.Go(func() {
			if p.late > 0 {
				if rest(ctx, p.late) != nil || a.ringing() {
					return
				}
				if err := p.come(ctx); err != nil {
					if ctx.Err() == nil {
						p.run.trouble("enter late", err)
					}
					return
				}
			}
			p.live(ctx)
		})
	}
	return a.organiser.act(ctx, act{"do": "advance", "to": "running"})
}
