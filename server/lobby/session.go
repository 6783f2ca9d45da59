package lobby

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"

	"flagfall/clock"
	"flagfall/game"
	"flagfall/server/actor"
	"flagfall/server/table"
	"flagfall/server/wire"
)

// Session is one socket's presence in the lobby.
type Session interface {
	// Handle takes a message of the lobby: seek, cancel, invite, accept, rematch. Answers and refusals come as frames.
	Handle(m wire.ClientMessage)
	// Close says that the socket is gone.
	Close()
}

type session struct {
	lobby  *Lobby
	conn   table.Conn
	closed atomic.Bool
}

// Connect notes a socket. Call it once for each, before anything is read from it.
func (l *Lobby) Connect(c table.Conn) (wire.Hello, Session) {
	s := &session{lobby: l, conn: c}
	who := c.Person()
	l.mu.Lock()
	l.sockets[who.ID] = append(l.sockets[who.ID], s)
	seated := l.seated[who.ID]
	l.mu.Unlock()
	// a hall that closes answers nobody; the socket is about to hear so
	_ = l.cfg.Hall.Send(ID, actor.Command{Body: connect{Who: player(who)}})
	return wire.Hello{T: "hello", Version: wire.Version, You: wire.Person{ID: who.ID, Name: who.Name}, Game: seated}, s
}

// Close says that the socket is gone.
func (s *session) Close() {
	if s.closed.Swap(true) {
		return
	}
	l, who := s.lobby, s.conn.Person().ID
	l.mu.Lock()
	if rest := slices.DeleteFunc(l.sockets[who], func(one *session) bool { return one == s }); len(rest) > 0 {
		l.sockets[who] = rest
	} else {
		delete(l.sockets, who)
	}
	l.mu.Unlock()
	_ = l.cfg.Hall.Send(ID, actor.Command{Body: disconnect{Who: who}})
}

// Handle takes a message of the lobby.
func (s *session) Handle(m wire.ClientMessage) {
	body, err := s.command(m)
	if err != nil {
		body = refused{err}
	}
	err = s.lobby.cfg.Hall.Send(ID, actor.Command{
		From: s.conn.Person().ID, ID: m.ID, Body: body,
		Reply: func(r actor.Result) {
			switch {
			case r.Err != nil:
				s.refuse(m.ID, r.Err)
			case r.Duplicate || len(r.Events) == 0:
				s.conn.Send(wire.Encode(wire.Done{T: "done", ID: m.ID}))
			}
		},
	})
	if err != nil {
		s.refuse(m.ID, err)
	}
}

func (s *session) command(m wire.ClientMessage) (any, error) {
	who := player(s.conn.Person())
	if m.T != "cancel" {
		if at := s.lobby.Seated(who.ID); at != "" && !s.lobby.over(context.Background(), at) {
			return nil, wire.Refuse(wire.CodeSeated)
		}
	}
	switch m.T {
	case "seek":
		t, err := terms(m)
		return wantSeek{seek: seek{who, t}, Game: newID(), Coin: coin()}, err
	case "cancel":
		return cancel{Who: who.ID}, nil
	case "invite":
		t, err := terms(m)
		id := m.Invite // of one that is asked for again, after its lobby is gone; no client says it (see wire)
		if id == "" {
			id = newID()
		}
		return wantInvite{invite{ID: id, By: who, Terms: t, Color: m.Color}}, err
	case "accept":
		return wantAccept{Invite: m.Invite, Who: who, Game: newID(), Coin: coin()}, nil
	case "rematch":
		return s.rematch(m, who)
	}
	return nil, wire.Refuse(wire.CodeUnknownMessage)
}

// terms are what a message asks for, refused where no table would take them.
func terms(m wire.ClientMessage) (game.Terms, error) {
	t := game.Terms{RuleSet: m.Rules, Base: m.Base, Mode: game.Mode(m.Mode),
		Timing: clock.Timing{Kind: clock.TimingKind(m.Timing), Ms: m.Each}}
	setup := t.Setup(game.Player{}, game.Player{})
	if err := setup.Check(); err != nil {
		return t, wire.Refusef(wire.CodeBadMessage, "No game is played like that: %v.", err)
	}
	return setup.Terms(), nil
}

func (s *session) rematch(m wire.ClientMessage, who game.Player) (any, error) {
	ctx, stop := context.WithTimeout(context.Background(), askTimeout)
	defer stop()
	setup, err := s.lobby.cfg.Finished(ctx, m.Game)
	if err != nil {
		return nil, err
	}
	by := game.None
	switch who.ID {
	case setup.White.ID:
		by = game.White
	case setup.Black.ID:
		by = game.Black
	default:
		return nil, wire.Refuse(wire.CodeNoRematch)
	}
	return wantRematch{rematch: rematch{Game: m.Game, Setup: setup, By: by}, Who: who.ID, NewGame: newID()}, nil
}

// refuse answers a message that changed nothing.
func (s *session) refuse(id string, err error) {
	var refusal *wire.Refusal
	if !errors.As(err, &refusal) {
		code := wire.CodeServerInternal
		switch {
		case errors.Is(err, actor.ErrBusy):
			code = wire.CodeTooMany
		case errors.Is(err, actor.ErrClosed), errors.Is(err, actor.ErrMoved), errors.Is(err, actor.ErrUnknownActor):
			code = wire.CodeUnavailable // it is, or is about to be, somewhere else
		}
		refusal = wire.Refuse(code)
	}
	s.conn.Send(wire.Encode(wire.Error{T: "err", ID: id, Code: refusal.Code, Msg: refusal.Msg}))
}
