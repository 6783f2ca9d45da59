package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"flagfall/loadtest/judge"
	"flagfall/loadtest/tally"
)

// desk is an arbiter who answers what waits for him, and does once in the evening whatever else an arbiter can do.
type desk struct {
	a       *arenaRun
	handled map[string]bool // of the queue, by id

	mu     sync.Mutex
	onDuty bool
	since  time.Time // the last change
}

// dutySeen is how long after a change of duty games of the time before are still opened.
const dutySeen = 5 * time.Second

// duty is what is known of the duty at a game that is paired at that moment.
func (d *desk) duty(at time.Time) judge.Duty {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.onDuty || at.Sub(d.since) < dutySeen || d.a.o.outage { // an arbiter who is away long is off duty
		return judge.UnknownDuty
	}
	return judge.OnDuty
}

// duties switches the duty.
func (d *desk) duties(ctx context.Context, on bool) error {
	note := func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.onDuty, d.since = on, time.Now()
	}
	if !on {
		note() // before it is so
	}
	if err := d.a.arbiter.act(ctx, act{"do": "duty", "on": on}); err != nil {
		return err
	}
	note()
	return nil
}

// deskPage is what the desk shows.
type deskPage struct {
	Queue []struct {
		ID, Kind, Game, By string
		Stops              bool
	}
}

// work is the arbiter's evening.
func (d *desk) work(ctx context.Context) {
	began := time.Now()
	plan := d.plan()
	tick := time.NewTicker(250 * time.Millisecond)
	defer tick.Stop()
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
			return
		case <-d.a.arbiter.news:
			d.look(ctx)
			continue
		case <-tick.C:
		}
		if len(plan) > 0 && time.Since(began) > plan[0].at && !d.a.ringing() {
			step := plan[0]
			plan = plan[1:]
			if err := step.do(ctx); err != nil && ctx.Err() == nil {
				d.a.run.trouble("the desk", err)
			}
		}
	}
}

// deskStep is something that the arbiter does when so much of the evening is over.
type deskStep struct {
	at time.Duration
	do func(ctx context.Context) error
}

func (d *desk) plan() []deskStep {
	part := func(x float64) time.Duration { return time.Duration(x * float64(d.a.o.minutes)) }
	both := func(first, second act) func(context.Context) error {
		return func(ctx context.Context) error {
			if err := d.a.arbiter.act(ctx, first); err != nil {
				return err
			}
			if err := rest(ctx, 2*time.Second); err != nil {
				return nil
			}
			return d.a.arbiter.act(ctx, second)
		}
	}
	return []deskStep{
		{part(0.15), func(ctx context.Context) error {
			return d.a.arbiter.act(ctx, act{"do": "announce", "text": "The bar is open until eleven."})
		}},
		{part(0.25), both(act{"do": "hold", "held": true, "why": "A table has to be moved."}, act{"do": "hold", "held": false, "why": "It stands."})},
		{part(0.35), d.correct},
		{part(0.45), both(act{"do": "freeze", "on": true, "why": "The light went out."}, act{"do": "freeze", "on": false, "why": "The light is back."})},
		{part(0.55), d.expel},
		{part(0.65), func(ctx context.Context) error {
			if err := d.duties(ctx, false); err != nil {
				return err
			}
			if err := rest(ctx, 2*time.Second); err != nil {
				return nil
			}
			return d.duties(ctx, true)
		}},
		{part(0.75), d.correct},
	}
}

// look answers what waits.
func (d *desk) look(ctx context.Context) {
	var page deskPage
	if err := d.a.arbiter.get(ctx, "/desk", &page); err != nil {
		if ctx.Err() == nil {
			d.a.run.trouble("the desk", err)
		}
		return
	}
	for _, q := range page.Queue {
		if d.handled[q.ID] {
			continue
		}
		switch {
		case q.Kind == "report" || q.Kind == "dispute" && !q.Stops:
			d.handled[q.ID] = true
			d.try(ctx, act{"do": "settle", "report": q.ID, "why": "Seen; nothing follows."})
		case q.Kind == "dispute":
			d.handled[q.ID] = true
			d.answer(ctx, q.Game, q.By)
		}
	}
}

// answer rules on a dispute and lets play go on, or ends the game.
func (d *desk) answer(ctx context.Context, game, by string) {
	side := by
	if rand.IntN(2) == 0 { // it is not always the other one's fault
		side = map[string]string{"w": "b", "b": "w"}[by]
	}
	rule := func(what string) act {
		m := act{"do": "rule", "game": game, "act": what, "why": "I was called and have looked."}
		if what != "resume" {
			m["side"] = side
		}
		return m
	}
	switch x := rand.IntN(20); {
	case x < 2:
		if d.try(ctx, rule("loss")) {
			return
		}
	case x < 6:
		d.try(ctx, rule("warn"))
	case x < 10:
		d.try(ctx, rule("minute"))
	case x < 12:
		d.try(ctx, rule("unjust"))
	}
	d.try(ctx, rule("resume"))
}

// try does what may have become impossible meanwhile, since the players go on.
func (d *desk) try(ctx context.Context, m act) bool {
	name := fmt.Sprint(m["do"])
	if m["act"] != nil {
		name += ":" + fmt.Sprint(m["act"])
	}
	switch err := d.a.arbiter.ask(ctx, m); {
	case err == nil:
		d.a.acts.add(name)
		return true
	case ctx.Err() != nil:
	case refusedWith(err, "wrong_phase", "not_now", "unknown_game", "game_over", "bad_result", "unknown_request"):
		d.a.refused.add(name)
	default:
		d.a.run.trouble(name, err)
	}
	return false
}

// correct changes the result of a game that is over and has not been changed.
func (d *desk) correct(ctx context.Context) error {
	game, score := d.a.somethingToCorrect()
	if game == "" {
		return nil
	}
	m := act{"do": "correct", "game": game, "score": score, "why": "The players agree that it ended otherwise."}
	if err := d.a.arbiter.act(ctx, m); err != nil {
		return err
	}
	d.a.mu.Lock()
	defer d.a.mu.Unlock()
	d.a.tables[game].seen.Corrected = score
	return nil
}

// somethingToCorrect picks a game that both know to be over, and another score for it.
func (a *arenaRun) somethingToCorrect() (game, score string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	var ids []string
	for id, t := range a.tables {
		if t.gone == [2]bool{true, true} && t.seen.Score != "*" && t.seen.Corrected == "" {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return "", ""
	}
	slices.Sort(ids)
	game = ids[len(ids)/2]
	if a.tables[game].seen.Score == "1/2-1/2" {
		return game, "0-1"
	}
	return game, "1/2-1/2"
}

// expel puts somebody out who plays, whose game is lost by that.
func (d *desk) expel(ctx context.Context) error {
	for _, p := range d.a.people {
		p.seen.Lock()
		plays := p.phase == "running" && p.at != "" && p.at == p.last && p.free.IsZero() && p.away == nil
		p.seen.Unlock()
		if !plays || p.line != nil {
			continue
		}
		if err := d.a.arbiter.act(ctx, act{"do": "expel", "who": p.id, "why": "He has shouted at the arbiter."}); err != nil {
			return err
		}
		p.seen.Lock()
		defer p.seen.Unlock()
		p.kept.Out = true
		p.unpairable("expelled", time.Now())
		p.out = true
		return nil
	}
	return nil
}

// lastCorrection changes a result when all games are over, and holds the table that is shown before against the one after.
func (d *desk) lastCorrection(ctx context.Context) error {
	game, score := d.a.somethingToCorrect()
	if game == "" {
		return nil
	}
	o := d.a.arbiter
	var before, after struct{ Rows []tally.Row }
	err := o.server().Post(ctx, o.token, "/api/events/"+o.link.Event+"/preview", map[string]any{"game": game, "score": score}, &before)
	if err != nil {
		return fmt.Errorf("preview: %w", err)
	}
	if err := o.act(ctx, act{"do": "correct", "game": game, "score": score, "why": "The scoresheets say so."}); err != nil {
		return err
	}
	d.a.mu.Lock()
	d.a.tables[game].seen.Corrected = score
	d.a.mu.Unlock()
	if err := o.get(ctx, "/standings", &after); err != nil {
		return err
	}
	if !slices.Equal(before.Rows, after.Rows) || len(after.Rows) == 0 {
		d.a.run.fail("the table after the correction of game %s is not the one that was shown before it", game)
	}
	return nil
}
