package main

import (
	"context"
	"errors"
	"sync"
	"time"

	"flagfall/game/board"
	"flagfall/server/wire"
)

// Why the hold of a run ended.
var (
	errTime  = errors.New("the time was up")
	errMoves = errors.New("all moves were played")
	errOver  = errors.New("every game was over")
)

// phases of a run: the ramp lasts until every game was begun or given up, the hold for the duration, the drain until every
// game is over.
type phases struct {
	mu    sync.Mutex
	marks []phaseMark // the run's begin, then the end of each phase
	why   error       // of the hold's end
}

type phaseMark struct {
	at    time.Time
	moves int64
}

// phase is one of them in a report.
type phase struct {
	Name    string  `json:"name"` // ramp, hold, drain
	Seconds float64 `json:"seconds"`
	Moves   int64   `json:"moves"` // completed meanwhile
	Rate    float64 `json:"moves_per_s"`
}

var phaseNames = [...]string{"ramp", "hold", "drain"}

func (p *phases) begin(at time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.marks = []phaseMark{{at: at}}
}

// pass notes the end of a phase.
func (p *phases) pass(moves int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.marks = append(p.marks, phaseMark{time.Now(), moves})
}

// now names the phase that goes on.
func (p *phases) now() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return phaseNames[min(max(len(p.marks), 1), len(phaseNames))-1]
}

// list gives the phases, and why the hold ended.
func (p *phases) list() (all []phase, why string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := 1; i < len(p.marks); i++ {
		from, to := p.marks[i-1], p.marks[i]
		seconds := to.at.Sub(from.at).Seconds()
		all = append(all, phase{phaseNames[i-1], seconds, to.moves - from.moves, over(float64(to.moves-from.moves), seconds)})
	}
	switch {
	case errors.Is(p.why, context.Canceled):
		why = "it was stopped"
	case p.why != nil:
		why = p.why.Error()
	}
	return all, why
}

// conduct takes the run from phase to phase; over is closed when all games are. When the drain has lasted long enough end is
// called.
func (r *run) conduct(over <-chan struct{}, end func()) {
	begun := make(chan struct{})
	go func() {
		r.begun.Wait()
		close(begun)
	}()
	select {
	case <-begun:
	case <-r.active.Done():
	}
	r.phases.pass(r.moves.Load())
	limit := time.AfterFunc(r.o.duration, func() { r.halt(errTime) })
	defer limit.Stop()
	select {
	case <-r.active.Done():
	case <-over:
		r.halt(errOver)
	}
	r.phases.pass(r.moves.Load())
	r.phases.mu.Lock()
	r.phases.why = context.Cause(r.active)
	r.phases.mu.Unlock()
	patience := time.AfterFunc(r.o.drain, end)
	defer patience.Stop()
	<-over
	r.phases.pass(r.moves.Load())
}

// completed counts a move.
func (r *run) completed() {
	if r.moves.Add(1) == r.o.moves {
		r.halt(errMoves)
	}
}

// drain does nothing new: the player waits until nothing of his or the opponent's is on its way, White resigns, and both
// go when they have been told the end. Where White cannot, Black does.
func (p *player) drain(ctx context.Context) {
	settled := p.pair.settle[p.me]
	defer settled()
	p.ready = nil
	hurry := time.NewTimer(answerLimit * time.Duration(1+p.me))
	defer hurry.Stop()
	opponent, hurried, resigned := (<-chan struct{})(p.pair.settled[p.me.Other()]), false, false
	for p.v.over == nil {
		quiet := len(p.waiting) == 0
		if quiet || hurried {
			settled()
		}
		mine := hurried || p.me == board.White && quiet && opponent == nil
		if mine && !resigned && p.mayResign() {
			resigned = true
			if err := p.say(wire.ClientMessage{T: "resign"}); err != nil && ctx.Err() == nil {
				p.run.lost("send: " + plainly(err))
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-opponent:
			opponent = nil
		case <-hurry.C:
			hurried = true
		case <-p.wake:
			if !p.receive(ctx) {
				return
			}
		}
	}
	p.linger(ctx)
}

// mayResign tells whether the game has begun and is not over; while it is paused for an outage it goes on by itself.
func (p *player) mayResign() bool {
	switch p.v.phase {
	case "play", "proof", "demo", "dispute":
		return true
	}
	return false
}

// getUp leaves the table; who has come for this game alone goes.
func (p *player) getUp() {
	if !p.pair.evening {
		p.leave()
		return
	}
	if err := p.send(wire.ClientMessage{T: "leave"}); err != nil {
		p.run.lost("send: " + plainly(err))
	}
}

// linger stays for what may still come after the end, and leaves.
func (p *player) linger(ctx context.Context) {
	quiet := time.NewTimer(lastFrames)
	defer quiet.Stop()
	limit := time.Now().Add(5 * time.Second)
	for {
		select {
		case <-ctx.Done():
			return
		case <-quiet.C:
			if len(p.waiting) == 0 || time.Now().After(limit) {
				p.getUp()
				return
			}
			quiet.Reset(lastFrames)
		case <-p.wake:
			for _, f := range p.take() {
				switch {
				case f.gone == nil:
					p.follow(&f)
				case p.run.o.outage: // what was asked last is not answered any more
					p.run.lost("socket lost: " + closing(f.gone))
					p.cut()
					return
				}
			}
		}
	}
}
