package main

import (
	"context"
	"math/rand/v2"
	"strings"
	"time"

	"flagfall/game/board"
	"flagfall/server/wire"
)

// In a closed loop a player acts after he has thought, whatever has happened meanwhile. In an open one each game has a
// schedule: the action of whoever is on turn is meant for the game's slot, and takes as much of the schedule as a move of
// that rate has, half of it for a release or a press over the board. Who could not act in time, since the server had not yet
// told him of the opponent's move, acts at once and counts from the slot; so does the reply to him.

// period is the time between the moves of one game; 0 in a closed loop.
func (o *options) period() time.Duration {
	if o.rate == 0 {
		return 0
	}
	return time.Duration(float64(time.Second) / o.rate)
}

// pauseBetween is the time between two actions that nothing is scheduled for.
func (p *player) pauseBetween() time.Duration {
	if t := p.run.o.period(); t > 0 {
		return 2 * t
	}
	return p.think()
}

// onTurn tells whether the game waits for the player, and he for nobody's answer.
func (p *player) onTurn() bool {
	return p.v.phase == "play" && p.v.board.Turn() == p.me && (len(p.waiting) == 0 || time.Since(p.sent) >= answerLimit)
}

// next is when the player acts again.
func (p *player) next() time.Time {
	switch {
	case p.run.o.rate == 0:
		return p.due
	case p.v.over != nil:
		return time.Now()
	case p.onTurn():
		return p.pair.slotAt(time.Now())
	}
	return p.due
}

// early is how long before its moment a player of an open loop gets ready: the runtime's timers are up to a millisecond late,
// which would be in every figure.
func (o *options) early() time.Duration {
	if o.rate == 0 {
		return 0
	}
	return time.Millisecond
}

// ripe waits out what is left until the player's moment; false when the schedule has moved on and it is not now.
func (p *player) ripe() (due time.Time, ready bool) {
	due = p.next()
	if wait := time.Until(due); wait > 0 && wait <= p.run.o.early() {
		pause(wait)
		due = p.next()
	}
	return due, !due.After(time.Now())
}

// actOnTime does what is due.
func (p *player) actOnTime(ctx context.Context, due time.Time) error {
	if p.run.o.rate == 0 {
		err := p.act(ctx)
		p.due = time.Now().Add(p.think())
		return err
	}
	p.meant = due
	defer func() { p.meant = time.Time{} }()
	if !p.onTurn() { // nobody waits for it: what was missed is not made up for
		p.due = later(due.Add(p.pauseBetween()), time.Now())
		return p.act(ctx)
	}
	p.scheduled, p.spent = true, false
	err := p.act(ctx)
	p.scheduled = false
	if !p.spent {
		p.pair.spend(p.run.o.period())
	}
	p.due = later(p.due, time.Now().Add(p.pauseBetween()))
	return err
}

// cost is how much of the schedule a command takes.
func (p *player) cost(m *wire.ClientMessage) time.Duration {
	period := p.run.o.period()
	if !p.plan().fast && (m.T == "press" || m.T == "move" && !m.Press) {
		return period / 2
	}
	return period
}

// slotAt is the moment that the next action on turn is meant for; the first is somewhere in the first period, so that the
// games of a run are not in step.
func (pr *pair) slotAt(now time.Time) time.Time {
	pr.mu.Lock()
	defer pr.mu.Unlock()
	if pr.slot.IsZero() {
		pr.slot = now.Add(time.Duration(rand.New(rand.NewPCG(pr.run.o.seed, pr.number)).Float64() * float64(pr.run.o.period())))
	}
	return pr.slot
}

// spend moves the slot on.
func (pr *pair) spend(d time.Duration) {
	pr.mu.Lock()
	defer pr.mu.Unlock()
	pr.slot = pr.slot.Add(d)
}

// resume lets the schedule go on from here: what the game stood still for was not the server's delay.
func (pr *pair) resume(at time.Time) {
	pr.mu.Lock()
	defer pr.mu.Unlock()
	if !pr.slot.IsZero() {
		pr.slot = later(pr.slot, at)
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// premove is a move chosen before the opponent's.
type premove struct {
	move  board.Move
	ply   int
	kind  board.Kind
	early bool // sent when the opponent has released, to wait for his press
}

// choosePremove may choose the reply to a move that is not yet there, where the table allows it and nothing else is meant.
func (p *player) choosePremove() {
	p.ready = nil
	if !p.v.premoves || p.rng.Float64() >= p.run.o.premoves || p.plan().end == stripped || p.pair.elapsed() > p.plan().at {
		return
	}
	men, _, _ := strings.Cut(p.v.board.FEN(), " ")
	b, err := board.ParseArrangement(men + " " + p.me.String() + " - - 0 1") // as if the opponent had passed
	if err != nil {
		return
	}
	m, ok := legalMove(&b, p.rng, p.plan().appetite, board.NoSquare)
	if ok {
		p.ready = &premove{m, p.v.plies + 1, b.At(m.From).Kind(), p.rng.IntN(2) == 0}
	}
}

// playPremove sends the premove as soon as it can be; one whose man is gone, or that would take an own man, is dropped.
func (p *player) playPremove(now time.Time) error {
	pre := p.ready
	if pre == nil || p.v.phase != "play" || p.v.plies > pre.ply || len(p.waiting) > 0 {
		return nil
	}
	b, early := p.v.board, false
	switch {
	case b.Turn() == p.me && p.v.plies == pre.ply && !p.v.mine(p.me):
	case pre.early && p.v.theirs(p.me) && !p.v.queued && p.v.plies+1 == pre.ply:
		b, early = b.Displace(*p.v.pending), true
	default:
		return nil
	}
	p.ready = nil
	man, target := b.At(pre.move.From), b.At(pre.move.To)
	if man.Color() != p.me || man.Kind() != pre.kind || target != board.NoPiece && (target.Color() == p.me || target.Kind() == board.King) {
		p.run.dropped.Add(1)
		return nil
	}
	p.run.premoves.Add(1)
	if p.run.o.rate > 0 && !early {
		p.meant = now // as late as the opponent's move made it
		if slot := p.pair.slotAt(now); slot.Before(now) {
			p.meant = slot
		}
		p.scheduled = true
		defer func() { p.meant, p.scheduled = time.Time{}, false }()
	}
	return p.move(pre.move, true)
}
