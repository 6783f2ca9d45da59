package actor

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"
)

// effects is the part of an actor that looks after what its machine wants done.
type effects struct {
	running map[string]*effectRun
	refused map[string]int // how often the machine did not take an Acked
}

type effectRun struct {
	cancel context.CancelFunc
}

// syncEffects starts what is pending and not running, and cancels what runs and is
// pending no more.
func (a *actor) syncEffects() {
	pending := a.m.Effects()
	if len(pending) == 0 && len(a.effects.running) == 0 {
		return
	}
	wanted := make(map[string]bool, len(pending))
	for _, e := range pending {
		wanted[e.ID] = true
		if a.effects.running[e.ID] == nil {
			a.startEffect(e)
		}
	}
	for id, run := range a.effects.running {
		if !wanted[id] {
			run.cancel()
			delete(a.effects.running, id)
			delete(a.effects.refused, id)
		}
	}
}

func (a *actor) startEffect(e Effect) {
	if a.effects.running == nil {
		a.effects.running = map[string]*effectRun{}
	}
	ctx, cancel := context.WithCancel(a.hall.effectCtx)
	run := &effectRun{cancel}
	a.effects.running[e.ID] = run
	a.hall.wg.Add(1)
	p := a.kind.pool(e.Pool)
	p.pending.Add(1)
	go a.runEffect(ctx, run, e, p, a.effects.refused[e.ID])
}

func (a *actor) cancelEffects() {
	for _, run := range a.effects.running {
		run.cancel()
	}
	a.effects.running = nil
}

// runEffect carries an effect out, as often as it takes, and reports it.
func (a *actor) runEffect(ctx context.Context, run *effectRun, e Effect, p *pool, refused int) {
	defer a.hall.wg.Done()
	defer p.pending.Add(-1)
	defer run.cancel()
	if refused > 0 && sleep(ctx, backoff(refused, 100*time.Millisecond, time.Minute)) != nil {
		return
	}
	failed := false
	defer func() {
		if failed {
			p.failing.Add(-1)
		}
	}()
	for try := 0; ; try++ {
		select {
		case p.workers <- struct{}{}:
		case <-ctx.Done():
			return
		}
		result, err := a.tryEffect(ctx, e)
		<-p.workers
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			p.failures.Add(1)
		}
		var final *finalError
		if err == nil || errors.As(err, &final) {
			if final != nil {
				err, result = final.err, nil
			}
			body := Acked{Effect: e.ID, Result: result, Err: err}
			// Refused only when the actor has ended, and then nobody needs it.
			if mine, _ := a.mb.push(item{cmd: Command{Body: body}, run: run}, true); mine {
				a.run()
			}
			return
		}
		if try == 0 || try%20 == 0 {
			a.log().Warn("an effect failed and is tried again", "effect", e.ID, "tries", try+1, "err", err)
		}
		if !failed {
			failed = true
			p.failing.Add(1)
		}
		if sleep(ctx, backoff(try, 50*time.Millisecond, 10*time.Second)) != nil {
			return
		}
	}
}

func (a *actor) tryEffect(ctx context.Context, e Effect) (result any, err error) {
	defer func() {
		if p := recover(); p != nil {
			a.log().Error("an effect failed", "effect", e.ID, "panic", p, "stack", string(debug.Stack()))
			result, err = nil, fmt.Errorf("effect %s: %w", e.ID, ErrInternal)
		}
	}()
	return a.kind.Effect(ctx, a.id, e)
}

// acked hands the outcome to the machine, unless the effect was given up meanwhile.
func (a *actor) acked(run *effectRun, cmd Command) {
	id := cmd.Body.(Acked).Effect
	if run == nil || a.effects.running[id] != run {
		return
	}
	a.tick(cmd.At)
	if a.over {
		return
	}
	var refusal error
	seq := a.seq
	cmd.Reply = func(r Result) { refusal = r.Err }
	if a.effects.refused == nil {
		a.effects.refused = map[string]int{}
	}
	// Counted first: should the effect still be pending after the step, it is not
	// started again at once.
	a.effects.refused[id]++
	delete(a.effects.running, id)
	a.process(cmd, false)
	if a.over {
		return
	}
	if a.seq == seq {
		if refusal != nil {
			a.log().Error("the machine refused the outcome of an effect", "effect", id, "err", refusal)
		}
		a.syncEffects()
	}
	if a.effects.running[id] == nil {
		delete(a.effects.refused, id)
	}
}
