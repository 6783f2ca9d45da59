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
	run *run

	mu    sync.Mutex
	plans map[pool][]plan
	first map[string]called // by game: who was told of it first
	full  map[string]bool   // games that both were told of

	places chan struct{} // for those who log in
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
	h := &hall{run: r, plans: map[pool][]plan{}, first: map[string]called{}, full: map[string]bool{}, places: make(chan struct{}, settingUp)}
	plans := make([]plan, r.o.games)
	for n := range plans {
		plans[n] = newPlan(rand.New(rand.NewPCG(r.o.seed, uint64(n))), &r.o)
		h.plans[plans[n].pool()] = append(h.plans[plans[n].pool()], plans[n])
	}
	people := 2 * r.o.games
	r.begun.Add(people)
	for n := range people {
		games.Go(func() {
			pr, err := h.comeIn(newPerson(r, n, n), plans[n/2].pool(), r.o.ramp*time.Duration(n)/time.Duration(people))
			r.begun.Done()
			switch {
			case pr != nil:
				pr.playOut(end)
				r.finished.Add(1)
			case err != nil && r.active.Err() == nil:
				r.count("set-up: " + err.Error())
			}
		})
	}
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
	h.mu.Lock()
	pl := h.plans[a.pool][0]
	h.plans[a.pool] = h.plans[a.pool][1:]
	h.mu.Unlock()
	r := h.run
	r.mu.Lock()
	defer r.mu.Unlock()
	number := len(r.pairs)
	pr := formPair(r, number, rand.New(rand.NewPCG(r.o.seed, uint64(number))), pl, [2]*person{a.person, b.person})
	r.pairs = append(r.pairs, pr)
	return pr
}
