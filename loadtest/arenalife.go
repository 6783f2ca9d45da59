package main

import (
	"context"
	"strings"
	"time"

	"flagfall/server/wire"
)

// live is a player's evening.
func (p *attendee) live(ctx context.Context) {
	for ctx.Err() == nil {
		if !p.clear(ctx) {
			return
		}
		p.seen.Lock()
		call, phase, aside, out, status := p.call, p.phase, p.aside, p.out, p.entry.Status
		p.call = nil
		p.seen.Unlock()
		now := time.Now()
		switch {
		case call != nil:
			p.follow(ctx, call)
		case reached(phase, "published") || p.a.over.Load():
			return
		case p.leaves.how != "" && (now.After(p.leaves.until) || p.a.ringing()):
			p.back(ctx)
		case p.leaves.how != "" || out || phase != "running":
			p.idle(ctx, p.leaves.until)
		case aside:
			_ = rest(ctx, time.Second)
			p.comeBackIn(ctx)
		case p.run.o.outage && p.misses(status):
			p.comeBackIn(ctx)
		case p.leaves.from.IsZero():
			p.idle(ctx, time.Time{})
		case now.After(p.leaves.from):
			p.goAway(ctx)
		default:
			p.idle(ctx, p.leaves.from)
		}
	}
}

// misses tells whether the server took a pause of his, and the answer was lost.
func (p *attendee) misses(status string) bool {
	return (status == "paused" || status == "withdrawn") && p.dice.IntN(8) == 0 // what was told may be older than his return
}

// clear drops frames that were looked at as they came, and comes back where the socket was lost.
func (p *attendee) clear(ctx context.Context) bool {
	for _, f := range p.take() {
		if f.gone != nil && ctx.Err() == nil {
			p.run.lost("socket lost: " + closing(f.gone))
		}
	}
	for try := 0; p.leaves.how != "close" && !p.connected(); try++ {
		p.cut()
		err := p.reopen(ctx)
		if err == nil {
			break
		}
		if ctx.Err() != nil {
			return false
		}
		p.run.lost("come back: " + plainly(err))
		if try == p.run.tries() {
			p.run.fail("%s could not come back to the event: %v", p.name, err)
			return false
		}
		p.elsewhere()
		_ = rest(ctx, min(time.Duration(try+1)*250*time.Millisecond, longestPause))
	}
	return true
}

// connected tells whether he has a socket that lives.
func (p *person) connected() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.conn != nil && p.conn != p.ended
}

// idle waits for news, or until a moment, half a second at most.
func (p *attendee) idle(ctx context.Context, until time.Time) {
	d := 500 * time.Millisecond
	if !until.IsZero() {
		d = min(d, max(time.Millisecond, time.Until(until)))
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-p.wake:
	case <-timer.C:
	}
}

// follow comes to the table, plays, and gets up.
func (p *attendee) follow(ctx context.Context, c *summons) {
	if p.leaves.how == "hide" { // who is called shows his page
		p.back(ctx)
	}
	if x := p.dice.Float64(); x < noShows && !p.a.ringing() {
		p.stayAway(ctx, x < noShows/2)
	}
	if !p.connected() { // the call came just before he left
		p.openAgain(ctx)
	}
	t := p.a.table(c.game)
	pl := newPlayer(p.person, c.side, t.pair, p.dice.Uint64())
	p.games++
	pl.count = p.games * 10_000 // ids are for once
	p.sits(t, c)
	if !p.sitDown(ctx, pl) {
		p.stopLog()
		return
	}
	t.pair.begins()
	p.run.playing.Add(1)
	pl.play(ctx)
	p.run.playing.Add(-1)
	p.stopLog()
	p.a.rises(t, c.side)
	p.between(ctx, c.game)
}

// tableReady is how long a table may take to stand after the call to it.
const tableReady = 5 * time.Second

// sitDown takes the seat; false when that is not possible. What says that he is paired may come before the table stands.
func (p *attendee) sitDown(ctx context.Context, pl *player) bool {
	began := time.Now()
	err := pl.sit(ctx, 0)
	for err != nil && strings.HasPrefix(err.Error(), wire.CodeUnknownGame) && time.Since(began) < tableReady && ctx.Err() == nil {
		p.a.refused.add("sit down")
		_ = rest(ctx, 100*time.Millisecond)
		err = pl.sit(ctx, 0)
	}
	if err == nil || ctx.Err() != nil {
		p.run.pairing.record(time.Since(began))
		return err == nil
	}
	p.run.lost("sit down: " + plainly(err))
	return pl.comeBack(ctx, 0)
}

// noShows is how often somebody does not come when he is called: half of these are late, the others do not come at all.
const noShows = 0.01

// stayAway is a lost connection just when he is called.
func (p *attendee) stayAway(ctx context.Context, long bool) {
	p.shut()
	d := 4 * time.Second
	if long {
		d = 25 * time.Second
	}
	for end := time.Now().Add(d); time.Now().Before(end) && ctx.Err() == nil && !p.a.ringing(); {
		_ = rest(ctx, 200*time.Millisecond)
	}
	p.openAgain(ctx)
}

// shut closes the socket; from then on, when the server knows it, he cannot be paired.
func (p *attendee) shut() {
	p.cut()
	now := time.Now()
	p.seen.Lock()
	p.goes(now)
	p.unpairable("away without a socket", now.Add(absenceKnown))
	p.seen.Unlock()
}

func (p *attendee) openAgain(ctx context.Context) {
	p.seen.Lock()
	p.pairable(time.Now())
	p.seen.Unlock()
	if err := p.reopen(ctx); err != nil && ctx.Err() == nil {
		p.run.lost("come back: " + plainly(err))
	}
}

func (p *attendee) stopLog() {
	p.mu.Lock()
	p.log, p.begin = nil, ""
	p.mu.Unlock()
}

// begins notes when the first of the two sits.
func (pr *pair) begins() {
	pr.mu.Lock()
	defer pr.mu.Unlock()
	if pr.started.IsZero() {
		pr.started = time.Now()
	}
}

// between is what somebody does after a game: he may say at once that he is ready, report the game, or plan to leave.
func (p *attendee) between(ctx context.Context, game string) {
	p.leaves.from = time.Time{}
	if p.a.ringing() || ctx.Err() != nil {
		return
	}
	if p.dice.Float64() < 0.02 {
		p.act(ctx, act{"do": "report", "game": game, "text": "He moved my king with his sleeve."})
	}
	switch x := p.dice.Float64(); {
	case x < 0.4:
		if p.act(ctx, act{"do": "ready"}) {
			p.seen.Lock()
			if now := time.Now(); p.free.After(now) {
				p.free = now
			}
			p.seen.Unlock()
		}
	case x < 0.5:
		p.leaves.from = time.Now().Add(time.Duration(p.dice.Int64N(int64(3 * time.Second))))
	}
}

// goAway leaves for a while, in one of the ways there are.
func (p *attendee) goAway(ctx context.Context) {
	p.leaves = leaving{how: []string{"pause", "hide", "close", "withdraw"}[p.dice.IntN(4)],
		until: time.Now().Add(5*time.Second + time.Duration(p.dice.Int64N(int64(4*time.Second))))}
	p.a.acts.add("leave by " + p.leaves.how)
	switch p.leaves.how {
	case "hide":
		p.visible = false
		p.seen.Lock()
		p.unpairable("hidden", time.Now().Add(absenceKnown))
		p.seen.Unlock()
		p.sendOrCount(p.attend)
	case "close":
		p.shut()
	default:
		if !p.act(ctx, act{"do": p.leaves.how}) {
			p.leaves = leaving{}
			return
		}
		p.seen.Lock()
		p.unpairable(map[string]string{"pause": "paused", "withdraw": "withdrawn"}[p.leaves.how], time.Now())
		p.kept.Out = p.leaves.how == "withdraw"
		p.seen.Unlock()
	}
}

func (p *attendee) sendOrCount(send func() error) {
	if err := send(); err != nil {
		p.run.lost("send: " + plainly(err))
	}
}

// back ends it.
func (p *attendee) back(ctx context.Context) {
	how := p.leaves.how
	p.leaves = leaving{}
	switch how {
	case "hide":
		p.visible = true
		p.seen.Lock()
		p.pairable(time.Now())
		p.seen.Unlock()
		p.sendOrCount(p.attend)
	case "close":
		p.openAgain(ctx)
	default:
		p.comeBackIn(ctx)
	}
}

// comeBackIn returns to the event after a pause, or who was set aside.
func (p *attendee) comeBackIn(ctx context.Context) {
	p.seen.Lock()
	was := p.away
	p.aside = false
	p.pairable(time.Now())
	p.seen.Unlock()
	if p.act(ctx, act{"do": "return"}) {
		p.seen.Lock()
		p.kept.Out = false
		p.seen.Unlock()
		return
	}
	if was != nil && ctx.Err() == nil { // too late, as after the bell
		p.seen.Lock()
		p.unpairable(was.Why, time.Now())
		p.seen.Unlock()
	}
}
