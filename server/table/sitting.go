package table

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"flagfall/game"
	"flagfall/game/board"
	"flagfall/server/actor"
	"flagfall/server/wire"
)

// joinTimeout bounds how long a socket waits for a table's goroutine.
const joinTimeout = 5 * time.Second

// tellAgain is the pause before a table too busy to listen is told again.
const tellAgain = time.Second

// sitting is a socket at a table.
type sitting struct {
	Member
	tables *Tables
	game   string
	actor  actor.ID
	side   game.Side   // None watches
	shown  atomic.Bool // what the socket said last about its page

	unanswered atomic.Int64 // commands; one more as long as Answered has not been called
	answered   func()       // set by Answered

	visible bool // the game's goroutine: the page is in front of the player
}

// Join seats the socket: as player where the person has a seat, else as spectator. A game that is over answers with
// its final state.
func (t *Tables) Join(c Conn, m wire.ClientMessage) (Sitting, error) {
	s, err := t.join(c, nil, m)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// JoinFrom is Join for a socket of another node. A spectator is given what he has missed and is then admitted to the
// gallery, which is told whatever follows; he need not leave.
func (t *Tables) JoinFrom(c Conn, g Gallery, m wire.ClientMessage) (Visit, error) {
	s, err := t.join(c, g, m)
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (t *Tables) join(c Conn, g Gallery, m wire.ClientMessage) (*sitting, error) {
	ctx, cancel := context.WithTimeout(context.Background(), joinTimeout)
	defer cancel()
	s := &sitting{Member: Member{conn: c}, tables: t, game: m.Game, actor: ActorID(m.Game)}
	s.unanswered.Store(1)
	err := t.look(ctx, m.Game, func(r *room, at int64) {
		s.side = r.m.game.SideOf(c.Person().ID)
		r.join(s, g, m.Since, m.ID, at)
	})
	if errors.Is(err, ErrUnknownGame) {
		err = t.joinFinished(ctx, s, m)
	}
	return s, err
}

func (t *Tables) joinFinished(ctx context.Context, s *sitting, m wire.ClientMessage) error {
	record, err := t.cfg.Archive.Load(ctx, m.Game)
	if err != nil {
		return err
	}
	finished := record.replay()
	s.side = finished.game.SideOf(s.conn.Person().ID)
	state := snapshot(finished, audience(s.side), uint64(len(record.Events)), record.endedAt())
	state.ID = m.ID
	s.conn.Send(wire.Encode(state))
	return nil
}

// Direct is a Conn that sends without a detour what somebody waits for. The slice may change afterwards.
type Direct interface{ SendNow(frame []byte) }

// now sends a player's frame without a detour where the socket can (see edge): he waits for it.
func (s *sitting) now(frame []byte) {
	if direct, ok := s.conn.(Direct); ok {
		direct.SendNow(frame)
		return
	}
	s.conn.Send(bytes.Clone(frame))
}

// Plays tells whether the place is a player's.
func (s *sitting) Plays() bool { return s.side != game.None }

// Leave gives the place up.
func (s *sitting) Leave() {
	if s.Stop() {
		return
	}
	s.tell(func(r *room) { r.leave(s) })
}

// tell has the table learn something of this socket, at once where it can: a table that waits for its journal learns it
// later, and one that is over never.
func (s *sitting) tell(news func(r *room)) {
	try := func(ctx context.Context) error {
		return s.tables.look(ctx, s.game, func(r *room, _ int64) { news(r) })
	}
	ctx, cancel := context.WithTimeout(context.Background(), joinTimeout)
	defer cancel()
	if err := try(ctx); ctx.Err() == nil && !errors.Is(err, errTooBusy) {
		return
	}
	go func() {
		for errors.Is(try(context.Background()), errTooBusy) {
			time.Sleep(tellAgain)
		}
	}()
}

// Handle passes a message of the game on. What it leads to, and refusals, come as frames.
func (s *sitting) Handle(m wire.ClientMessage) { s.HandleAged(m, 0) }

// HandleAged implements Visit.
func (s *sitting) HandleAged(m wire.ClientMessage, age int64) {
	if m.T == "here" {
		s.see(m.Visible)
		return
	}
	if s.side == game.None {
		s.refuse(m.ID, wire.Refuse(wire.CodeNotSeated))
		return
	}
	c, err := s.command(m)
	if err != nil {
		s.refuse(m.ID, err)
		return
	}
	s.send(m.ID, c, age)
}

func (s *sitting) command(m wire.ClientMessage) (game.Command, error) {
	c := game.Command{By: s.side, Ply: game.AnyPly, Press: m.Press, Lag: s.conn.Lag()}
	if m.Ply != nil {
		c.Ply = *m.Ply
	}
	if m.T == "move" || m.T == "demo" {
		move, err := board.ParseUCI(m.Move)
		if err != nil {
			return c, wire.Refusef(wire.CodeBadMessage, "m: %v", err)
		}
		c.Move = move
	}
	switch m.T {
	case "move":
		c.Kind = game.Release
	case "press":
		c.Kind = game.Press
	case "retract":
		c.Kind = game.Retract
	case "claim":
		c.Kind, c.Claim = game.MakeClaim, game.Claim(m.Claim)
	case "demo":
		c.Kind = game.DemoMove
	case "concede":
		c.Kind = game.Concede
	case "dispute":
		c.Kind = game.Dispute
	case "resign":
		c.Kind = game.Resign
	case "offer":
		c.Kind = game.OfferDraw
	case "answer":
		c.Kind, c.Accept = game.AnswerDraw, m.Accept
	case "mute":
		c.Kind = game.MuteOffers
	default:
		return c, wire.Refuse(wire.CodeUnknownMessage)
	}
	return c, nil
}

// send hands a command to the game; the answer comes from whoever runs the game, as often as not at once from here.
func (s *sitting) send(id string, c game.Command, age int64) {
	s.unanswered.Add(1)
	o, ok := orders.Get().(*order)
	if !ok {
		o = new(order)
		o.reply = o.answered
	}
	o.s, o.id, o.command = s, id, c
	err := s.tables.cfg.Hall.Do(s.actor, actor.Command{From: s.conn.Person().ID, ID: id, Age: age, Body: &o.command, Reply: o.reply})
	if err != nil {
		o.done()
		s.refuse(id, err)
		s.settle()
	}
}

// Answered implements Visit.
func (s *sitting) Answered(then func()) {
	s.answered = then
	s.settle()
}

// settle counts an answer.
func (s *sitting) settle() {
	if s.unanswered.Add(-1) == 0 {
		s.answered()
	}
}

// order is a command on its way. It is used again once it is answered.
type order struct {
	s       *sitting
	id      string
	command game.Command
	reply   func(actor.Result) // answered, made once
}

var orders sync.Pool

func (o *order) answered(r actor.Result) {
	s, id := o.s, o.id
	o.done()
	switch {
	case r.Err != nil:
		s.refuse(id, r.Err)
	case r.Duplicate || len(r.Events) == 0:
		s.conn.Send(wire.Encode(wire.Done{T: "done", ID: id}))
	}
	s.settle()
}

func (o *order) done() {
	o.s, o.id, o.command = nil, "", game.Command{}
	orders.Put(o)
}

// see notes whether the page is in front of the player.
func (s *sitting) see(visible bool) {
	if s.side == game.None {
		return
	}
	s.shown.Store(visible)
	s.tell(func(r *room) {
		if r.players[s.side] == s {
			s.visible = s.shown.Load() // whatever order the news come in
			s.presence(s.visible)
		}
	})
}

func (s *sitting) presence(here bool) {
	kind := game.Depart
	if here {
		kind = game.Arrive
	}
	// no table, no presence
	_ = s.tables.cfg.Hall.Send(s.actor, actor.Command{
		From: s.conn.Person().ID, Body: game.Command{Kind: kind, By: s.side},
	})
}

// refuse answers a command that changed nothing.
func (s *sitting) refuse(id string, err error) {
	code := wire.CodeServerInternal
	var refused *game.Refusal
	var refusal *wire.Refusal
	switch {
	case errors.As(err, &refused):
		code = string(refused.Shown())
	case errors.As(err, &refusal):
		s.conn.Send(wire.Encode(wire.Error{T: "err", ID: id, Code: refusal.Code, Msg: refusal.Msg}))
		return
	case errors.Is(err, actor.ErrUnknownActor):
		code = wire.CodeGameOver
	case errors.Is(err, actor.ErrBusy):
		code = wire.CodeTooMany
	case errors.Is(err, actor.ErrClosed), errors.Is(err, actor.ErrMoved):
		code = wire.CodeUnavailable
	}
	s.conn.Send(wire.Encode(wire.Error{T: "err", ID: id, Code: code, Msg: wire.Refuse(code).Msg}))
}
