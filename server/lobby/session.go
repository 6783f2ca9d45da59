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
	// Handle takes a message of the lobby: seek, cancel, list, take, invite, accept, decline, rematch, block, unblock,
	// blocks. Answers and refusals come as frames.
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
	return wire.Hello{T: "hello", Version: wire.Version, You: shownPerson(player(who)), Game: seated}, s
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
	ctx, stop := context.WithTimeout(context.Background(), askTimeout)
	defer stop()
	if m.T == "list" || m.T == "blocks" {
		s.tell(ctx, m)
		return
	}
	body, err := s.command(ctx, m)
	if err != nil {
		body = refused{err}
	}
	err = s.lobby.cfg.Hall.Send(ID, actor.Command{
		From: s.conn.Person().ID, ID: m.ID, Body: body,
		Reply: func(r actor.Result) {
			switch {
			case r.Err != nil:
				s.refuse(m.ID, r.Err)
			case r.Duplicate || len(r.Events) == 0 || m.T == "block" || m.T == "unblock":
				s.conn.Send(wire.Encode(wire.Done{T: "done", ID: m.ID}))
			}
		},
	})
	if err != nil {
		s.refuse(m.ID, err)
	}
}

// tell answers what is only asked.
func (s *session) tell(ctx context.Context, m wire.ClientMessage) {
	person := s.conn.Person()
	if m.T == "blocks" {
		answer := wire.Blocks{T: "blocks", ID: m.ID, People: []wire.Person{}}
		if s.lobby.cfg.People != nil {
			listed, err := s.lobby.cfg.People.Blocked(ctx, person.ID)
			if err != nil {
				s.refuse(m.ID, err)
				return
			}
			for _, one := range listed {
				answer.People = append(answer.People, shownPerson(player(one)))
			}
		}
		s.conn.Send(wire.Encode(answer))
		return
	}
	answer := wire.Seeks{T: "seeks", ID: m.ID}
	known := false
	look := func(m actor.Machine, _ uint64, _ int64) {
		p := m.(*pools)
		who := p.people[person.ID]
		known = who != nil && who.known
		answer.Seeks = p.list(player(person))
	}
	err := s.lobby.cfg.Hall.Inspect(ctx, ID, look)
	if err == nil && !known {
		s.lobby.look(ctx, person)
		err = s.lobby.cfg.Hall.Inspect(ctx, ID, look)
	}
	if err != nil {
		s.refuse(m.ID, err)
		return
	}
	s.conn.Send(wire.Encode(answer))
}

// command is what a message asks of the lobby. What that has to know of the person is on its way before.
func (s *session) command(ctx context.Context, m wire.ClientMessage) (any, error) {
	who := player(s.conn.Person())
	switch m.T {
	case "cancel":
		return cancel{Who: who.ID}, nil
	case "decline":
		return wantDecline{Invite: m.Invite, Who: who.ID}, nil
	case "block", "unblock":
		return s.block(ctx, m, who)
	case "seek", "take", "invite", "accept", "rematch":
	default:
		return nil, wire.Refuse(wire.CodeUnknownMessage)
	}
	if at := s.lobby.Seated(who.ID); at != "" && !s.lobby.over(ctx, at) {
		return nil, wire.Refuse(wire.CodeSeated)
	}
	s.lobby.look(ctx, s.conn.Person())
	switch m.T {
	case "seek":
		t, err := terms(m)
		if m.Max > 0 && m.Min > m.Max {
			err = wire.Refusef(wire.CodeBadMessage, `The field "max" must not be below "min".`)
		}
		one := newSeek(who, t)
		one.Min, one.Max = m.Min, m.Max
		return wantSeek{one}, err
	case "take":
		return wantTake{Seek: m.Seek, Who: who, Game: newID(), Coin: coin()}, nil
	case "invite":
		return s.invite(ctx, m, who)
	case "accept":
		return wantAccept{Invite: m.Invite, Who: who, Game: newID(), Coin: coin()}, nil
	}
	return s.rematch(ctx, m, who)
}

func (s *session) invite(ctx context.Context, m wire.ClientMessage, who game.Player) (any, error) {
	t, err := terms(m)
	if err != nil {
		return nil, err
	}
	i := invite{ID: m.Invite, By: who, Terms: t, Color: m.Color}
	if i.ID == "" { // else it is asked for again, after its lobby is gone; no client says Invite or Who (see wire)
		i.ID = newID()
	}
	if m.To != "" {
		i.To, err = s.lobby.named(ctx, m.To)
	}
	if m.Who != "" && i.To.ID != m.Who { // a guest, who may not be connected again yet
		i.To, err = game.Player{ID: m.Who, Name: m.To}, nil
	}
	return wantInvite{i}, err
}

// block keeps a block, or that there is none, before the lobby minds it.
func (s *session) block(ctx context.Context, m wire.ClientMessage, who game.Player) (any, error) {
	people := s.lobby.cfg.People
	if people == nil || m.Who == who.ID {
		return nil, ErrUnknownPerson
	}
	if m.T == "block" {
		return wantBlock{Who: who.ID, Other: m.Who, On: true}, people.Block(ctx, who.ID, m.Who)
	}
	if err := people.Unblock(ctx, who.ID, m.Who); err != nil {
		return nil, err
	}
	rest, err := people.Blocks(ctx, who.ID) // the other one may block him
	return wantBlock{Who: who.ID, Other: m.Who, On: slices.Contains(rest, m.Who)}, err
}

// terms are what a message asks for, refused where no table would take them.
func terms(m wire.ClientMessage) (game.Terms, error) {
	t := game.Terms{RuleSet: m.Rules, Base: m.Base, Mode: game.Mode(m.Mode), Casual: m.Casual,
		Timing: clock.Timing{Kind: clock.TimingKind(m.Timing), Ms: m.Each}}
	setup := t.Setup(game.Player{}, game.Player{})
	if err := setup.Check(); err != nil {
		return t, wire.Refusef(wire.CodeBadMessage, "No game is played like that: %v.", err)
	}
	return setup.Terms(), nil
}

func (s *session) rematch(ctx context.Context, m wire.ClientMessage, who game.Player) (any, error) {
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
		default:
			s.lobby.cfg.Log.Error("a message of the lobby failed", "person", s.conn.Person().ID, "err", err)
		}
		refusal = wire.Refuse(code)
	}
	s.conn.Send(wire.Encode(wire.Error{T: "err", ID: id, Code: refusal.Code, Msg: refusal.Msg}))
}
