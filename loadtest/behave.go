package main

import (
	"context"
	"strings"
	"time"

	"flagfall/game/board"
	"flagfall/server/wire"
)

// answerLimit is how long a player waits for an answer before acting all the same.
const answerLimit = 3 * time.Second

// lastFrames is how long a player stays after the end for what may still come.
const lastFrames = 300 * time.Millisecond

// act does at most one thing.
func (p *player) act(ctx context.Context) error {
	elapsed := p.pair.elapsed()
	if !p.mayResign() {
		return nil
	}
	if elapsed > p.plan().limit && (p.me == board.White || elapsed > p.plan().limit+2*time.Second) {
		return p.say(wire.ClientMessage{T: "resign"})
	}
	if len(p.waiting) > 0 && time.Since(p.sent) < answerLimit {
		if p.last != nil && p.rng.Float64() < 0.05 {
			return p.write(*p.last, time.Now()) // the same id again counts once
		}
		return nil
	}
	if p.v.phase != "play" {
		return p.meanwhile()
	}
	if elapsed > p.plan().at {
		if done, err := p.finish(); done {
			return err
		}
	}
	if p.rng.Float64() < p.run.o.cuts {
		p.lose(ctx)
		return nil
	}
	if p.v.board.Turn() != p.me {
		return p.idle()
	}
	err := p.onMove()
	if p.rng.Float64() < p.run.o.cuts {
		p.lose(ctx) // before the answer, perhaps
	}
	return err
}

func (p *player) plan() *plan { return &p.pair.plan }

// finish brings the game to the end that the two have in mind; done is false when play goes on as before.
func (p *player) finish() (done bool, err error) {
	pl := p.plan()
	victim := p.me == pl.victim
	onMove := p.v.board.Turn() == p.me && !p.v.mine(p.me)
	switch pl.end {
	case resigns:
		if victim {
			return true, p.say(wire.ClientMessage{T: "resign"})
		}
	case agrees:
		return p.agree(victim)
	case flags, bothFlags, stripped:
		return p.timeUp(victim)
	case claimed, kingTaken:
		if victim && onMove && p.touched == board.NoSquare {
			return p.blunder()
		}
		if !victim && onMove && p.v.bad {
			return true, p.punish(pl.end == kingTaken)
		}
	}
	return false, nil
}

func (p *player) agree(victim bool) (bool, error) {
	switch {
	case victim && p.v.offer == "" && p.offers < 2 && p.v.plies > p.lastOffer+1:
		p.lastOffer, p.offers = p.v.plies, 2
		return true, p.say(wire.ClientMessage{T: "offer"})
	case victim && p.v.offer == p.me.String():
		return true, nil // he waits for the answer
	case !victim && p.v.offer == p.me.Other().String():
		return true, p.say(wire.ClientMessage{T: "answer", Accept: true})
	}
	return false, nil
}

// timeUp plays for a fallen flag, or for two.
func (p *player) timeUp(victim bool) (bool, error) {
	mine, theirs := p.v.flags[p.me], p.v.flags[p.me.Other()]
	switch {
	case mine && theirs:
		if p.rng.Float64() < 0.5 {
			return true, p.claim("both_flags")
		}
		return true, p.claim("time")
	case victim && !mine:
		return p.v.board.Turn() == p.me, nil // he lets his time run
	case victim && p.plan().rules == "wbca" && p.v.board.Total(p.me.Other()) == 1 && !p.v.bad:
		return true, p.claim("draw")
	case victim && p.plan().end != bothFlags:
		return p.v.board.Turn() == p.me && p.rng.Float64() < 0.7, nil
	case victim:
		return false, nil // with his flag down he plays on
	case theirs && p.plan().end != bothFlags:
		return true, p.claim("time")
	case theirs:
		return p.v.board.Turn() == p.me, nil // unclaimed; now his own time runs out
	}
	return false, nil
}

// blunder presses an illegal move, if the plan says so one that leaves the king to be taken.
func (p *player) blunder() (bool, error) {
	b := &p.v.board
	if p.plan().end == kingTaken {
		if moves := pseudoOnly(b); len(moves) > 0 {
			return true, p.move(moves[p.rng.IntN(len(moves))], true)
		}
		return false, nil
	}
	m, ok := illegalMove(b, p.rng)
	if !ok {
		return false, nil
	}
	return true, p.move(m, true)
}

// punish answers a completed illegal move with a claim, or by taking the king.
func (p *player) punish(take bool) error {
	if p.plan().rules != "wbca" {
		take = take && p.rng.Float64() < 0.2 // it is refused there
	}
	if m, ok := kingCapture(&p.v.board); ok && take {
		return p.move(m, p.rng.Float64() < 0.5)
	}
	return p.claim("illegal")
}

// quiet tells whether the player must not end the game early by a claim: the plan is about flags.
func (p *player) quiet() bool {
	return p.plan().end == flags || p.plan().end == bothFlags || p.plan().end == stripped
}

// onMove acts on the player's own turn.
func (p *player) onMove() error {
	if p.v.offer == p.me.Other().String() && p.rng.Float64() < 0.4 {
		return p.say(wire.ClientMessage{T: "answer", Accept: false})
	}
	if p.rng.Float64() < p.run.o.wrong {
		if done, err := p.mischief(); done {
			return err
		}
	}
	if p.v.mine(p.me) {
		return p.afterRelease()
	}
	if m, ok := p.strip(); ok {
		return p.move(m, true)
	}
	if fewMen(&p.v.board) && p.rng.Float64() < 0.1 {
		if done, err := p.appeal(); done {
			return err
		}
	}
	if p.v.bad && p.overlooked != p.v.plies+1 {
		p.overlooked = p.v.plies + 1
		if !p.quiet() && p.rng.Float64() < 0.2 {
			return p.punish(p.rng.Float64() < 0.5)
		}
	}
	b := &p.v.board
	press := p.plan().fast || p.rng.Float64() < 0.15
	if p.rng.Float64() < p.run.o.illegal && (p.touched == board.NoSquare || !b.AnyLegalFrom(p.touched)) {
		if m, ok := illegalMove(b, p.rng); ok {
			return p.move(m, press)
		}
	}
	only := board.NoSquare
	if p.touched != board.NoSquare && b.AnyLegalFrom(p.touched) && p.rng.Float64() < 0.6 {
		only = p.touched // else he tries another man and is refused
	}
	m, ok := legalMove(b, p.rng, p.plan().appetite, only)
	if !ok {
		return p.stuck()
	}
	if err := p.move(m, press); err != nil || press || p.rng.Float64() > 0.1 {
		return err
	}
	return p.press() // at once, before the answer
}

// strip takes one of the opponent's men that the plan does not keep, with any man and from anywhere.
func (p *player) strip() (board.Move, bool) {
	b := &p.v.board
	if p.plan().end != stripped || p.touched != board.NoSquare {
		return board.Move{}, false
	}
	kept := p.plan().keep[p.me.Other()]
	var from, to []board.Square
	for s, man := range b.Men() {
		letter := man.Kind().String()
		switch {
		case man.Color() == p.me && (man.Kind() != board.King || b.Total(p.me) == 1):
			from = append(from, s)
		case man.Color() == p.me || man.Kind() == board.King:
		case strings.Contains(kept, letter):
			kept = strings.Replace(kept, letter, "", 1)
		default:
			to = append(to, s)
		}
	}
	if len(to) == 0 || len(from) == 0 {
		return board.Move{}, false
	}
	return b.Normal(board.Move{From: from[p.rng.IntN(len(from))], To: to[p.rng.IntN(len(to))]}), true
}

// stuck is a position without a legal move that an illegal one has led to.
func (p *player) stuck() error {
	if p.v.bad {
		return p.claim("illegal")
	}
	if m, ok := illegalMove(&p.v.board, p.rng); ok && p.rng.Float64() < 0.7 {
		return p.move(m, true)
	}
	return p.say(wire.ClientMessage{T: "resign"})
}

// afterRelease presses the clock, or takes an illegal move back first.
func (p *player) afterRelease() error {
	m := *p.v.pending
	if p.v.bad && !p.quiet() && p.rng.Float64() < 0.4 {
		return p.claim("illegal") // his reply had waited for the press of the illegal move
	}
	if p.overlooked == p.v.plies+1 && p.falsehoods > 0 && p.rng.Float64() < 0.3 {
		p.falsehoods--
		return p.claim("illegal") // too late if his own move is legal, in time if it is not
	}
	if !p.v.board.Legal(m) && p.rng.Float64() < 0.4 {
		if p.touched == board.NoSquare && p.v.board.At(m.From).Color() == p.me {
			p.touched = m.From
		}
		ply := p.v.plies
		return p.say(wire.ClientMessage{T: "retract", Ply: &ply})
	}
	return p.press()
}

// idle acts while the opponent is on move.
func (p *player) idle() error {
	haste := 0.2
	if p.v.theirs(p.me) && !p.v.board.Legal(*p.v.pending) {
		haste = 0.5
	}
	switch x := p.rng.Float64(); {
	case p.v.theirs(p.me) && !p.v.queued && x < haste:
		next := p.v.board.Displace(*p.v.pending)
		if m, ok := legalMove(&next, p.rng, p.plan().appetite, board.NoSquare); ok {
			return p.move(m, p.plan().fast || p.rng.Float64() < 0.4)
		}
	case p.v.queued && x < 0.2:
		return p.press()
	case x < p.run.o.wrong/2:
		_, err := p.mischief()
		return err
	}
	return nil
}

// mischief sends a command that the rules refuse or deny, or makes a draw offer.
func (p *player) mischief() (bool, error) {
	v, ply := p.v, p.v.nextPly(p.me)
	switch p.rng.IntN(14) {
	case 11:
		return p.appeal()
	case 12:
		if p.pair.evening && p.rng.IntN(3) > 0 {
			return false, nil // there it stops the game
		}
		return true, p.say(wire.ClientMessage{T: "dispute"}) // where nobody is on duty it is written down
	case 0:
		return true, p.press() // nothing to press, or not on move
	case 1:
		stale := ply - 2
		if stale < 0 {
			return false, nil
		}
		return true, p.say(wire.ClientMessage{T: "move", Move: "e2e4", Ply: &stale})
	case 2:
		if v.mine(p.me) || v.board.Turn() != p.me {
			return true, p.say(wire.ClientMessage{T: "move", Move: "a2a3", Ply: &ply}) // a second release, or out of turn
		}
	case 3:
		if p.falsehoods > 0 && v.mine(p.me) && v.board.Legal(*v.pending) {
			p.falsehoods--
			return true, p.say(wire.ClientMessage{T: "retract", Ply: &ply})
		}
	case 4:
		if p.falsehoods > 0 && (!v.bad || v.board.Turn() != p.me) && !v.theirs(p.me) {
			p.falsehoods--
			return true, p.claim("illegal")
		}
	case 5:
		if p.flagClaims > 0 && !v.flags[p.me.Other()] {
			p.flagClaims--
			return true, p.claim("time")
		}
	case 6:
		if !v.flags[0] || !v.flags[1] {
			return true, p.claim("both_flags")
		}
	case 7:
		if v.offer == "" {
			return true, p.say(wire.ClientMessage{T: "answer", Accept: true})
		}
	case 8:
		if !v.mine(p.me) {
			return true, p.move(nothing(&v.board), false)
		}
	case 9:
		if !v.mine(p.me) {
			return true, p.say(wire.ClientMessage{T: "retract", Ply: &ply})
		}
	case 10:
		if v.theirs(p.me) {
			return true, p.claim("illegal") // not completed: it counts on no ladder
		}
	default:
		return p.offer()
	}
	return false, nil
}

// appeal claims a draw, rightly or for nothing.
func (p *player) appeal() (bool, error) {
	claims := []string{"draw", "8d", "8e", "8g", "8h", "8i", "threefold"}
	if p.plan().rules != "wbca" {
		claims = []string{"draw", "threefold", "fifty", "ilc", "8e", "draw_8f"}
	}
	if !fewMen(&p.v.board) {
		if p.appeals <= 0 {
			return false, nil
		}
		p.appeals--
	} else if p.rng.Float64() < 0.7 {
		return true, p.claim("draw")
	}
	return true, p.claim(claims[p.rng.IntN(len(claims))])
}

// fewMen tells whether so few men are left that a draw of section 8 may be there.
func fewMen(b *board.Board) bool { return b.Total(board.White) <= 4 && b.Total(board.Black) <= 4 }

// meanwhile acts while a claim is being judged: sometimes a word too early, and at a demonstration the moves.
func (p *player) meanwhile() error {
	d := p.v.demo
	if d == nil {
		if p.rng.Float64() < 0.05 {
			return p.claim("draw") // refused
		}
		return nil
	}
	b, err := board.ParseArrangement(d.Board + " - - 0 1")
	if err != nil {
		return err
	}
	switch x := p.rng.Float64(); {
	case x < 0.1:
		return p.say(wire.ClientMessage{T: "concede"})
	case b.Turn() != p.me && x < 0.9:
		return nil
	case x < 0.2:
		if m, ok := illegalMove(&b, p.rng); ok {
			return p.say(wire.ClientMessage{T: "demo", Move: m.UCI()}) // refused
		}
	}
	if m, ok := legalMove(&b, p.rng, 0.5, board.NoSquare); ok {
		return p.say(wire.ClientMessage{T: "demo", Move: m.UCI()})
	}
	return nil
}

// nothing moves no man: it starts from an empty square of the middle ranks, or stays where it is.
func nothing(b *board.Board) board.Move {
	for s := board.Square(47); s >= 16; s-- {
		if b.At(s) == board.NoPiece {
			return board.Move{From: s, To: s - 8}
		}
	}
	return board.Move{From: b.King(b.Turn()), To: b.King(b.Turn())}
}

// offer makes a draw offer, at most two in a game and far apart, or one again right after the first was refused.
func (p *player) offer() (bool, error) {
	v := p.v
	if p.plan().end == agrees || v.offer != "" {
		return false, nil
	}
	if p.offers == 0 || (p.offers == 1 && v.plies <= p.lastOffer+6) {
		p.offers++
		p.lastOffer = v.plies
		return true, p.say(wire.ClientMessage{T: "offer"})
	}
	return false, nil
}

// afterwards tries a command once the game is over, or looks at it again, and goes.
func (p *player) afterwards(ctx context.Context) {
	switch x := p.rng.Float64(); {
	case x < 0.15:
		if err := p.claim("illegal"); err != nil {
			p.run.lost("send: " + err.Error())
		}
	case x < 0.3:
		err := p.sit(ctx, 0)
		switch {
		case err == nil || ctx.Err() != nil:
		case p.run.o.outage:
			p.run.lost("look again: " + plainly(err))
		default:
			p.run.fail("%s could not look at the finished game %s: %v", p.name, p.pair.transcript.Game, err)
		}
	}
	p.linger(ctx)
}
