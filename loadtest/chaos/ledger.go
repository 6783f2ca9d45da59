package chaos

import (
	"fmt"
	"strings"

	"flagfall/clock"
	"flagfall/game"
)

const (
	// mostCredit is the most that a press may be given back for the network, in ms.
	mostCredit = 500
	// spared is what an outage leaves the side on move at least, if he had it, in ms.
	spared = 1000
)

// ledger adds the clocks of one game up from what its events say: every millisecond of game time while a clock ran is
// charged to its side, given back for lag, or within a delay.
type ledger struct {
	left    [2]int64 // at since; below zero while a credit may save the move
	down    [2]bool
	running game.Side // whose clock runs, or None
	since   int64     // game time of left of the running side
	spent   int64     // of this move, since the clock was set going
	before  int64     // of this move, before it was stopped
	stopped game.Side // whose move a stop interrupted, or None
	delay   int64     // of this move, not used
	timing  clock.Timing
	turn    game.Side
	halted  bool
	last    int64 // game time of the last entry

	moves, pauses, flags int
	wrong, wrongFlags    []string
}

// audit follows a game.
func audit(g *gameLog) *ledger {
	l := &ledger{running: game.None, stopped: game.None}
	for i := range g.steps {
		s := &g.steps[i]
		if s.At < l.last {
			l.complain(s, "game time goes back from %d", l.last)
		}
		if i > 0 {
			l.handover(&g.steps[i-1], s)
		}
		for k := range s.events {
			l.event(s, &s.events[k])
		}
		l.last = s.At
	}
	return l
}

func (l *ledger) complain(s *step, format string, args ...any) {
	l.wrong = append(l.wrong, fmt.Sprintf("entry %d at %d: ", s.seq, s.At)+fmt.Sprintf(format, args...))
}

func (l *ledger) complainFlag(s *step, format string, args ...any) {
	l.wrongFlags = append(l.wrongFlags, fmt.Sprintf("entry %d at %d: ", s.seq, s.At)+fmt.Sprintf(format, args...))
}

// handover looks at two entries that follow one another. Of one owner, game time goes on with his own readings and may
// stand still meanwhile, but never run ahead of them; another one's first entry stops what runs.
func (l *ledger) handover(before, s *step) {
	if s.Owner == before.Owner {
		if ran, lived := s.At-before.At, s.Mono-before.Mono; ran > lived {
			l.complain(s, "%d ms of game time went by in %d ms of its owner's", ran, lived)
		}
		return
	}
	if l.running != game.None && !(len(s.events) > 0 && (s.events[0].Kind == game.Paused || s.events[0].Kind == game.Ended && s.events[0].Result.Score == game.Void)) {
		l.complainFlag(s, "a new owner begins with %s while %s's clock runs: want paused", kinds(s), l.running.Name())
	}
}

func kinds(s *step) string {
	if len(s.events) == 0 {
		return "nothing"
	}
	out := make([]string, len(s.events))
	for i, e := range s.events {
		out[i] = string(e.Kind)
	}
	return strings.Join(out, ", ")
}

// ran is what has run for the running side since its clock was looked at last.
func (l *ledger) ran(at int64) int64 { return max(0, at-l.since-l.delay) }

// remaining is what the clock of a side shows.
func (l *ledger) remaining(side game.Side, at int64) int64 { return max(0, l.owed(side, at)) }

func (l *ledger) owed(side game.Side, at int64) int64 {
	switch {
	case l.down[side]:
		return 0
	case side == l.running:
		return l.left[side] - l.ran(at)
	}
	return l.left[side]
}

// settle charges the running side up to now.
func (l *ledger) settle(at int64) {
	if l.running == game.None {
		return
	}
	ran := l.ran(at)
	if !l.down[l.running] {
		l.left[l.running] -= ran
	}
	l.spent += ran
	l.delay = max(0, l.delay-(at-l.since))
	l.since = at
}

func (l *ledger) start(side game.Side, at int64) {
	l.running, l.since, l.spent, l.before, l.stopped, l.delay = side, at, 0, 0, game.None, 0
	if l.timing.Kind == clock.USDelay {
		l.delay = l.timing.Ms
	}
}

func (l *ledger) stop(at int64) {
	l.settle(at)
	if side := l.running; side != game.None {
		l.left[side] = max(0, l.left[side])
		l.before, l.spent, l.stopped = l.before+l.spent, 0, side
	}
	l.running = game.None
}

func (l *ledger) resume(at int64) {
	l.halted = false
	if l.turn != l.stopped {
		l.start(l.turn, at)
		return
	}
	l.running, l.since, l.stopped = l.turn, at, game.None
}

func (l *ledger) add(side game.Side, ms, at int64) {
	if ms > 0 {
		l.settle(at)
		l.left[side] += ms
		l.down[side] = false
	}
}

func (l *ledger) set(side game.Side, ms int64) {
	l.left[side], l.down[side] = max(0, ms), ms <= 0
}

// event takes one event in.
func (l *ledger) event(s *step, e *game.Event) {
	switch e.Kind {
	case game.Created:
		l.left, l.timing, l.turn = e.Setup.Base, e.Setup.Timing, game.White
		if strings.Contains(e.Setup.FEN, " b ") {
			l.turn = game.Black
		}
	case game.Started:
		l.start(l.turn, e.At)
	case game.Resumed:
		l.resume(e.At)
	case game.Pressed:
		l.pressed(s, e)
	case game.Flagged:
		l.flagged(s, e)
	case game.Paused:
		l.paused(s, e)
	case game.Waited:
		l.stop(e.At)
		l.halted = true
	case game.ProofAsked, game.Held:
		l.stop(e.At)
	case game.Denied:
		l.add(e.By.Other(), e.Add, e.At)
		l.take(e)
	case game.Faulted:
		l.add(e.By.Other(), e.Add, e.At)
	case game.Restored:
		l.restored(e)
	case game.DelayInserted:
		l.delayed(s, e)
	case game.Disputed:
		if e.Stops {
			l.stop(e.At)
		}
	case game.Ruled:
		l.ruled(e)
	case game.Ended:
		l.compare(s, e, "at the end")
		l.stop(e.At)
	}
}

// compare holds both clocks against what an event recorded.
func (l *ledger) compare(s *step, e *game.Event, when string) {
	for _, side := range [2]game.Side{game.White, game.Black} {
		if left := l.remaining(side, e.At); left != e.Left[side] {
			l.complain(s, "%s has %d ms %s, and %d add up", side.Name(), e.Left[side], when, left)
		}
	}
}

// pressed wants that charge and credit of a move are the time that its clock ran.
func (l *ledger) pressed(s *step, e *game.Event) {
	l.moves++
	if l.running != e.By {
		l.complain(s, "%s presses while the clock of %s runs", e.By.Name(), l.running.Name())
	}
	ran := l.spent
	if l.running == e.By {
		ran += l.ran(e.At)
	}
	if e.Charged+e.Credit != ran {
		l.complain(s, "%s is charged %d ms and given back %d for a move of %d", e.By.Name(), e.Charged, e.Credit, ran)
	}
	if e.Credit < 0 || e.Credit > mostCredit || e.Credit > max(0, e.Lag) {
		l.complain(s, "%s is given back %d ms over a connection of %d", e.By.Name(), e.Credit, e.Lag)
	}
	l.settle(e.At)
	if !l.down[e.By] {
		l.left[e.By] = max(0, l.left[e.By]+e.Credit)
		switch l.timing.Kind {
		case clock.Fischer:
			l.left[e.By] += l.timing.Ms
		case clock.Bronstein:
			l.left[e.By] += min(max(0, l.before+l.spent-e.Credit), l.timing.Ms)
		}
	}
	l.turn = e.By.Other()
	l.start(l.turn, e.At)
	l.compare(s, e, "after a press")
	for _, side := range [2]game.Side{game.White, game.Black} { // one mistake is told once
		if !l.down[side] {
			l.left[side] = e.Left[side]
		}
	}
}

// flagged wants that the time of a fallen flag was used up while its clock ran.
func (l *ledger) flagged(s *step, e *game.Event) {
	l.flags++
	owed := l.owed(e.By, e.At)
	switch {
	case l.running == game.None && owed > 0:
		l.complainFlag(s, "the flag of %s falls at %d while both clocks stand with %d ms", e.By.Name(), e.At, owed)
	case owed > 0:
		l.complainFlag(s, "the flag of %s falls at %d with %d ms left", e.By.Name(), e.At, owed)
	case owed < -mostCredit:
		l.complain(s, "the flag of %s falls at %d, %d ms late", e.By.Name(), e.At, -owed)
	}
	for _, other := range s.events {
		if other.Kind == game.Paused {
			l.complainFlag(s, "the flag of %s falls with a pause", e.By.Name())
		}
	}
	l.settle(e.At)
	l.left[e.By], l.down[e.By] = 0, true
}

// paused wants that an outage charges the side on move no more than could have run, leaves him a second or what he had,
// and takes nothing from the other one.
func (l *ledger) paused(s *step, e *game.Event) {
	l.pauses++
	for _, side := range [2]game.Side{game.White, game.Black} {
		now, before := l.remaining(side, e.At), l.remaining(side, l.last)
		left := e.Left[side]
		switch {
		case side != l.running || l.down[side]:
			if left != now {
				l.complain(s, "a pause leaves %s %d ms, and %d add up", side.Name(), left, now)
			}
		case left < now || left+e.Charged > before:
			l.complain(s, "a pause leaves %s %d ms and charges %d: he had %d before it and %d at it", side.Name(), left, e.Charged, before, now)
		case e.Charged < 0 || e.Gap < 0:
			l.complain(s, "a pause charges %d ms for a gap of %d", e.Charged, e.Gap)
		case e.Charged > 0 && left < spared:
			l.complainFlag(s, "an outage leaves %s %d ms of %d", side.Name(), left, left+e.Charged)
		}
	}
	l.stop(e.At)
	l.halted = true
	for _, side := range [2]game.Side{game.White, game.Black} {
		if !l.down[side] {
			l.left[side] = max(0, e.Left[side])
		}
	}
}

func (l *ledger) take(e *game.Event) {
	if e.Take > 0 {
		l.settle(e.At)
		l.left[e.By] = max(0, l.left[e.By]-e.Take)
		l.down[e.By] = l.left[e.By] == 0
	}
}

// restored puts a position back: its side is on move, with a clock set going anew.
func (l *ledger) restored(e *game.Event) {
	l.stop(e.At)
	l.add(e.By.Other(), e.Add, e.At)
	l.turn = e.By
	l.start(e.By, e.At)
	if l.halted {
		l.stop(e.At)
	}
}

// delayed puts a delay clock in. Who claimed pays with half his time, the other one with nothing.
func (l *ledger) delayed(s *step, e *game.Event) {
	other := e.By.Other()
	if now := l.remaining(other, e.At); e.Left[other] != now {
		l.complain(s, "a delay clock leaves %s %d ms, and %d add up", other.Name(), e.Left[other], now)
	}
	if now := l.remaining(e.By, e.At); e.Left[e.By] != min((now+1)/2, 60000) {
		l.complain(s, "a delay clock leaves %s %d ms of %d", e.By.Name(), e.Left[e.By], now)
	}
	l.settle(e.At)
	l.timing = clock.Timing{Kind: clock.USDelay, Ms: e.Delay}
	if l.running != game.None || l.stopped != game.None {
		l.delay = e.Delay
	}
	l.set(game.White, e.Left[game.White])
	l.set(game.Black, e.Left[game.Black])
}

func (l *ledger) ruled(e *game.Event) {
	r := e.Ruling
	l.add(r.Side.Other(), e.Add, e.At)
	switch r.Act {
	case game.ActStop:
		l.stop(e.At)
	case game.ActResume:
		l.resume(e.At)
	case game.ActClocks:
		l.settle(e.At)
		l.set(game.White, r.Clocks[game.White])
		l.set(game.Black, r.Clocks[game.Black])
	}
}
