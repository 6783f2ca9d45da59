package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"strconv"
	"time"

	"github.com/gorilla/websocket"

	"flagfall/game/board"
	"flagfall/server/wire"
)

// ending is how a game is meant to come to its end.
type ending uint8

const (
	resigns   ending = iota
	agrees           // a draw is offered and accepted
	flags            // one stops moving, the other claims the time
	bothFlags        // one stops moving, is not claimed, goes on; then the other stops
	claimed          // an illegal move is pressed and claimed
	kingTaken        // a king is left en prise and taken
	stripped         // by illegal captures that nobody claims few men are left soon; then draws are claimed, and the time
	endings
)

// plan is what the two players of a game have in mind.
type plan struct {
	end      ending
	at       time.Duration // when it begins
	limit    time.Duration // when somebody resigns in any case
	victim   board.Color
	appetite float64 // how often a capture is taken
	base     time.Duration
	fast     bool
	keep     [2]string // of the men that are left when the board is stripped, the king aside: "RP"
	rules    string
	timing   string
	each     int64
}

// player is one person at the board.
type player struct {
	*person
	me      board.Color
	pair    *pair
	rng     *rand.Rand
	v       *view
	count   int
	waiting []wire.ClientMessage // sent and not answered
	sent    time.Time            // of the last command
	last    *wire.ClientMessage
	on      map[string]time.Time // commands on their way to the server, by id: when they were sent

	touched    board.Square // of a retracted man
	appeals    int          // how many more draws are claimed for nothing
	falsehoods int          // how many more wrong claims of illegal moves and refused retractions
	flagClaims int          // how many more time claims against a flag that is up
	overlooked int          // ply whose illegality this player has decided not to see, plus one
	lastOffer  int          // ply of the last offer
	offers     int
	rejoining  bool

	due   time.Time // of the next action; in an open loop of one that is not on turn
	meant time.Time // what the action that goes on is meant for; zero: now
	ready *premove

	scheduled bool // what goes on takes from the game's schedule
	spent     bool // it has
}

func newPlayer(p *person, me board.Color, pr *pair, seed uint64) *player {
	pl := &player{
		person: p, me: me, pair: pr, v: newView(), on: map[string]time.Time{}, touched: board.NoSquare,
		rng: rand.New(rand.NewPCG(seed, uint64(me)+1)), falsehoods: 3, flagClaims: 3, appeals: 2, lastOffer: -100,
	}
	if pr.plan.end == flags || pr.plan.end == bothFlags || pr.plan.end == stripped {
		pl.falsehoods = 1 // a penalty would keep the flag up beyond the run
		if pr.plan.rules == "cca" || pr.plan.rules == "fide" {
			pl.falsehoods, pl.flagClaims, pl.appeals = 0, 0, 0
		}
	}
	return pl
}

// think is a random time before the next action.
func (p *player) think() time.Duration { return thinkingTime(p.rng, p.run.o.thinkAs, p.run.o.think) }

// play acts until the game is over and its last frames are in, or until the run is.
func (p *player) play(ctx context.Context) {
	defer p.pair.settle[p.me]()
	p.due = time.Now().Add(p.pauseBetween())
	timer := time.NewTimer(time.Until(p.due))
	defer timer.Stop()
	fresh := time.Now() // when there was last something new to act on
	for {
		select {
		case <-ctx.Done():
			return
		case <-p.run.active.Done():
			p.drain(ctx)
			return
		case <-p.wake:
			if !p.receive(ctx) {
				return
			}
			fresh = time.Now()
			if err := p.playPremove(fresh); err != nil && ctx.Err() == nil {
				p.run.lost("send: " + plainly(err))
			}
		case <-timer.C:
			due, ready := p.ripe()
			if !ready {
				break
			}
			if p.v.over != nil {
				p.afterwards(ctx)
				return
			}
			p.run.lags.record(time.Since(later(due, fresh)))
			if err := p.actOnTime(ctx, due); err != nil && ctx.Err() == nil {
				p.run.lost("send: " + plainly(err))
			}
		}
		timer.Reset(time.Until(p.next()) - p.run.o.early())
	}
}

// receive follows what came in; false when the player cannot go on.
func (p *player) receive(ctx context.Context) bool {
	frames := p.take()
	for i := range frames {
		if f := &frames[i]; f.gone != nil {
			p.run.lost("socket lost: " + closing(f.gone))
			if !p.comeBack(ctx, p.lastN) {
				return false
			}
		} else {
			p.follow(f)
		}
	}
	return true
}

func closing(err error) string {
	var closed *websocket.CloseError
	if errors.As(err, &closed) {
		return strconv.Itoa(closed.Code) + " " + closed.Text
	}
	return plainly(err)
}

// plainly is an error without the addresses of its socket, so that errors of a kind are counted together.
func plainly(err error) string {
	var op *net.OpError
	if errors.As(err, &op) {
		return op.Op + ": " + op.Err.Error()
	}
	return err.Error()
}

// follow takes one frame into the view.
func (p *player) follow(f *frame) {
	switch f.T {
	case "state":
		if err := p.v.reset(f); err != nil {
			p.run.fail("a snapshot that cannot be read: %v", err)
		}
	case "ev":
		p.measure(f)
		p.acknowledged(f)
		if err := p.v.apply(f, p.me); err != nil {
			p.run.fail("an event that cannot be read: %v", err)
		}
		p.answered(f.ID)
		for _, e := range f.E {
			if e.K == "restored" {
				p.touched = board.NoSquare
				if e.By == p.me.String() && p.v.board.At(p.v.taken.From).Color() == p.me {
					p.touched = p.v.taken.From
				}
			}
			if e.K == "resume" && !p.v.outage {
				p.pair.resume(f.seen)
			}
			if e.K == "press" {
				if e.By == p.me.String() {
					p.touched = board.NoSquare
					p.choosePremove()
				} else {
					p.run.completed()
				}
			}
		}
	case "err":
		if f.Code == wire.CodeUnavailable {
			p.run.lost("answer: " + f.Code)
		}
		p.answered(f.ID)
	case "done":
		p.acknowledged(f)
		p.answered(f.ID)
	}
}

// acknowledged records how long a command took to be counted.
func (p *player) acknowledged(f *frame) {
	if at, ok := p.on[f.ID]; ok {
		p.run.acks.record(f.seen.Sub(at))
	}
}

func (p *player) answered(id string) {
	delete(p.on, id)
	for i := range p.waiting {
		if p.waiting[i].ID == id && id != "" {
			p.waiting = append(p.waiting[:i:i], p.waiting[i+1:]...)
			return
		}
	}
}

// measure records how long the opponent's move or press was on its way.
func (p *player) measure(f *frame) {
	if p.rejoining {
		return
	}
	ply := p.v.plies
	for _, e := range f.E {
		if e.K != "move" && e.K != "press" {
			continue
		}
		if e.By != p.me.String() {
			if sent, ok := p.pair.sentAt(e.K, ply); ok {
				took := f.seen.Sub(sent)
				p.run.latency.record(took)
				p.run.moving.record(took)
			}
		}
		if e.K == "press" {
			ply++
		}
	}
}

// say sends a command with the next id. Its times count from the moment that it is meant for.
func (p *player) say(m wire.ClientMessage) error {
	p.count++
	m.ID = "c" + strconv.Itoa(p.count)
	p.waiting = append(p.waiting, m)
	p.last = &m
	at := p.meant
	if at.IsZero() {
		at = time.Now()
	}
	p.on[m.ID] = at
	if m.Ply != nil && *m.Ply == p.v.plies && p.v.board.Turn() == p.me {
		if m.T == "move" || m.T == "press" {
			p.pair.mark(m.T, *m.Ply, at)
		}
		if m.T == "move" && m.Press {
			p.pair.mark("press", *m.Ply, at)
		}
	}
	if p.scheduled { // before it is sent: the opponent's reply goes by it
		p.pair.spend(p.cost(&m))
		p.spent = true
	}
	return p.write(m, at)
}

func (p *player) write(m wire.ClientMessage, due time.Time) error {
	p.sent = time.Now()
	p.run.commands.Add(1)
	return p.sendDue(m, due)
}

// move releases a man for the next ply.
func (p *player) move(m board.Move, press bool) error {
	ply := p.v.nextPly(p.me)
	return p.say(wire.ClientMessage{T: "move", Move: m.UCI(), Ply: &ply, Press: press})
}

func (p *player) press() error {
	ply := p.v.nextPly(p.me)
	return p.say(wire.ClientMessage{T: "press", Ply: &ply})
}

func (p *player) claim(what string) error { return p.say(wire.ClientMessage{T: "claim", Claim: what}) }

// lose drops the socket and comes back after a while.
func (p *player) lose(ctx context.Context) {
	snapshot := p.pair.away(p.me, p.rng.Float64() < 0.15)
	defer func() {
		p.pair.returned(p.me)
		p.pair.resume(time.Now()) // that he was away is not the server's delay
	}()
	p.cut()
	p.pair.forget()
	for _, f := range p.take() { // what had come in before
		if f.gone == nil {
			p.follow(&f)
		}
	}
	if !p.pause(ctx, 50*time.Millisecond+time.Duration(p.rng.Int64N(int64(500*time.Millisecond)))) {
		return
	}
	since := p.lastN
	if snapshot {
		since = 0
	}
	p.comeBack(ctx, since)
}

// pause waits; false when the run ends first.
func (p *player) pause(ctx context.Context, d time.Duration) bool {
	wait := time.NewTimer(d)
	defer wait.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-wait.C:
		return true
	}
}

// How often a player tries to come back, with longer and longer pauses: nine seconds in all, and half a minute where
// servers are killed, which a failover of Redis and a lease after it may take.
const (
	tries         = 8
	triesInOutage = 20
	longestPause  = 2 * time.Second
)

func (r *run) tries() int {
	if r.o.outage {
		return triesInOutage
	}
	return tries
}

// comeBack opens a new socket, takes what was missed and sends again what was not answered: moves, presses and
// retractions with their ids, never a claim.
func (p *player) comeBack(ctx context.Context, since uint64) bool {
	began := time.Now()
	p.cut()
	p.rejoining = true
	clear(p.on) // what is sent again measures nothing
	defer func() { p.rejoining = false }()
	for try := 0; ; try++ {
		err := p.join(ctx, since)
		if err == nil {
			break
		}
		if ctx.Err() != nil {
			return false
		}
		p.run.lost("come back: " + plainly(err))
		if try == p.run.tries() {
			p.run.fail("%s could not come back to game %s: %v", p.name, p.pair.transcript.Game, err)
			return false
		}
		p.cut()
		p.elsewhere()
		since = p.lastN
		if !p.pause(ctx, min(time.Duration(try+1)*250*time.Millisecond, longestPause)) {
			return false
		}
	}
	p.run.returns.record(time.Since(began))
	again := p.waiting
	p.waiting = nil
	for _, m := range again {
		if m.T != "move" && m.T != "press" && m.T != "retract" {
			continue
		}
		p.waiting = append(p.waiting, m)
		if err := p.write(m, time.Now()); err != nil {
			p.run.lost("send: " + plainly(err))
		}
	}
	return true
}

// join opens a socket, joins the game and is present.
func (p *player) join(ctx context.Context, since uint64) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	if err := p.person.open(ctx); err != nil {
		return err
	}
	if _, err := p.await(ctx, "hello", "", nil); err != nil {
		return err
	}
	return p.sit(ctx, since)
}

// sit joins the game over the open socket.
func (p *player) sit(ctx context.Context, since uint64) error {
	p.count++
	id := "j" + strconv.Itoa(p.count)
	if err := p.send(wire.ClientMessage{T: "join", ID: id, Game: p.pair.transcript.Game, Since: since}); err != nil {
		return err
	}
	if err := p.awaitSeat(ctx, id); err != nil {
		return err
	}
	return p.send(wire.ClientMessage{T: "here", Visible: true})
}

// awaitSeat waits for a snapshot, or for the end of the missed frames.
func (p *player) awaitSeat(ctx context.Context, id string) error {
	for {
		frames := p.take()
		for i := range frames {
			f := &frames[i]
			if f.gone != nil {
				return f.gone
			}
			if f.T == "err" && f.ID == id {
				return errors.New(f.Code + ": " + f.Msg)
			}
			p.follow(f)
			if f.T == "state" || f.T == "joined" {
				p.putBack(frames[i+1:])
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-p.wake:
		}
	}
}
