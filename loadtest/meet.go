package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"flagfall/game/board"
	"flagfall/server/wire"
)

// How people meet.
const (
	direct = "direct" // one invites the other
	lobby  = "lobby"  // all seek in the server's pools
)

// pool is what everybody in it has asked for.
type pool struct {
	rules, timing, mode string
	each                int64
	base                time.Duration
}

func (pl *plan) pool() pool {
	mode := "board"
	if pl.fast {
		mode = "fast"
	}
	return pool{pl.rules, pl.timing, mode, pl.each, pl.base}
}

// hall knows who was called to which game. A plan is for two people who seek the same; whoever of its pool the server
// brings together plays by it.
type hall struct {
	run    *run
	end    context.Context
	games  *sync.WaitGroup
	places chan struct{} // for those who log in

	mu    sync.Mutex
	sent  int // pairs of people
	plans map[pool][]plan
	first map[string]called // by game: who was told of it first
	full  map[string]bool   // games that both were told of
}

// called is somebody whom the server has paired.
type called struct {
	person *person
	color  board.Color
	pool   pool
	both   chan struct{} // closed when the other one is there
}

// seekers is how long a person waits for an opponent, who may come only at the ramp's end.
const seekers = 30 * time.Second

// meetInLobby lets everybody seek, over the ramp, and plays the games that the server makes of them.
func (r *run) meetInLobby(end context.Context, games *sync.WaitGroup) {
	h := &hall{
		run: r, end: end, games: games, places: make(chan struct{}, settingUp),
		plans: map[pool][]plan{}, first: map[string]called{}, full: map[string]bool{},
	}
	r.begun.Add(2 * r.o.games)
	for n := range r.o.games {
		h.two(r.o.ramp*time.Duration(n)/time.Duration(r.o.games), r.begun.Done)
	}
}

// two sends two people who seek the same after a while; begun is called for each when he sits or has failed.
func (h *hall) two(wait time.Duration, begun func()) {
	r := h.run
	h.mu.Lock()
	defer h.mu.Unlock()
	pl := newPlan(rand.New(rand.NewPCG(r.o.seed, uint64(h.sent))), &r.o)
	in := pl.pool()
	h.plans[in] = append(h.plans[in], pl)
	for i := range 2 {
		p := newPerson(r, 2*(h.sent%r.o.games)+i, 2*h.sent+i)
		h.games.Go(func() {
			pr, err := h.comeIn(p, in, wait)
			begun()
			switch {
			case pr != nil:
				pr.playOut(h.end)
				if r.renews() && (pr.err == nil || r.o.outage) {
					h.two(pr.breath(), func() {})
				} else {
					r.finished.Add(1)
				}
			case err != nil && r.active.Err() == nil:
				r.lost("set-up: " + plainly(err))
			}
		})
	}
	h.sent++
}

// comeIn brings a person to a table. The game is for the second of its players who is called; the first gets none.
func (h *hall) comeIn(p *person, in pool, wait time.Duration) (*pair, error) {
	if err := rest(h.run.active, wait); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(h.run.active, seekers+h.run.o.ramp)
	defer cancel()
	pr, err := h.seek(ctx, p, in)
	if err != nil {
		p.leave()
	}
	return pr, err
}

func (h *hall) seek(ctx context.Context, p *person, in pool) (*pair, error) {
	h.places <- struct{}{}
	err := p.arrive(ctx)
	<-h.places
	if err != nil {
		return nil, err
	}
	began := time.Now()
	if err := p.send(wire.ClientMessage{
		T: "seek", ID: "seek", Base: in.base.Milliseconds(), Mode: in.mode, Rules: in.rules, Timing: in.timing, Each: in.each,
	}); err != nil {
		return nil, err
	}
	f, err := p.await(ctx, "paired", "seek", nil)
	if err != nil {
		return nil, err
	}
	h.run.pairing.record(time.Since(began))
	color, err := board.ParseColor(f.Color)
	if err != nil || f.Game == "" {
		h.run.fail("paired as %q in game %q", f.Color, f.Game)
		return nil, errors.New("paired to no game")
	}
	me := called{person: p, color: color, pool: in, both: make(chan struct{})}
	return h.call(ctx, f.Game, me)
}

// call waits for the other player of a game, or forms the pair if he is there.
func (h *hall) call(ctx context.Context, game string, me called) (*pair, error) {
	h.mu.Lock()
	other, second := h.first[game]
	full := h.full[game]
	switch {
	case full:
	case second:
		delete(h.first, game)
		h.full[game] = true
	default:
		h.first[game] = me
	}
	h.mu.Unlock()
	switch {
	case full, second && (other.color == me.color || other.pool != me.pool || other.person.id == me.person.id):
		h.run.fail("game %s: paired as %v of %+v with somebody who is %v of %+v, or with two others", game, me.color, me.pool, other.color, other.pool)
		return nil, errors.New("paired with nobody")
	case second:
		pr := h.form(me, other)
		close(other.both)
		pr.err = pr.sitDown(ctx, game)
		return pr, nil
	}
	select {
	case <-me.both:
		return nil, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("nobody else was called to game %s: %w", game, ctx.Err())
	}
}

// form makes a pair that plays by the next plan of its pool.
func (h *hall) form(a, b called) *pair {
	if a.color == board.Black {
		a, b = b, a
	}
	r := h.run
	h.mu.Lock()
	pl, number := h.plans[a.pool][0], len(h.full)
	h.plans[a.pool] = h.plans[a.pool][1:]
	h.mu.Unlock()
	rng := rand.New(rand.NewPCG(r.o.seed, uint64(number)))
	return r.add(formPair(r, number%r.o.games, rng, pl, [2]*person{a.person, b.person}))
}
