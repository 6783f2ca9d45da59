package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"flagfall/server/table"
	"flagfall/server/wire"
)

// joinTime bounds how long a socket waits for its place.
const joinTime = 5 * time.Second

// Join seats a socket where its game runs, as table.Tables.Join does.
func (g *Gateway) Join(c table.Conn, m wire.ClientMessage) (table.Sitting, error) {
	s, err := g.join(c, m)
	if err == nil && s.Plays() {
		g.home.sits(c, m.Game)
	}
	return s, err
}

func (g *Gateway) join(c table.Conn, m wire.ClientMessage) (table.Sitting, error) {
	if !g.ready.Load() {
		return nil, errUnavailable
	}
	ctx, cancel := context.WithTimeout(g.ctx, joinTime)
	defer cancel()
	var s table.Sitting
	here := func() (err error) {
		s, err = g.parts.Tables.Join(c, m)
		return err
	}
	there := func(node string) (err error) {
		s, err = g.sit(ctx, node, c, m)
		return err
	}
	if node := g.away.watched(m.Game); node != "" {
		switch err := there(node); {
		case err == nil:
			return s, nil
		case errors.Is(err, errAnswered):
			return nil, errUnavailable
		case !onTheMove(err):
			return nil, err
		}
	}
	err := g.atOwner(ctx, table.ActorID(m.Game), here, there)
	switch {
	case errors.Is(err, errNowhere):
		err = here() // over, or never there
	case errors.Is(err, errAnswered):
		err = errUnavailable
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// sitting is a socket's place at a table of another node.
type sitting struct {
	g       *Gateway
	conn    table.Conn
	member  *table.Member
	number  uint64
	node    string
	plays   bool     // known once joined
	gallery *gallery // of who watches
	gone    atomic.Bool
	opened  atomic.Int32 // silent, heard or deaf

	mu       sync.Mutex
	admitted bool
}

// What has come of a place that was asked for.
const (
	silent = iota
	heard  // the table has spoken to the socket
	deaf   // the place was given up before
)

// sit takes a place at a table of another node. What the socket has missed comes by the bus before the answer does.
func (g *Gateway) sit(ctx context.Context, node string, c table.Conn, m wire.ClientMessage) (table.Sitting, error) {
	s := &sitting{g: g, conn: c, member: table.NewMember(c), number: g.number(), node: node}
	s.gallery = g.follow(node, m.Game)
	g.away.attach(s.number, node, s)
	person := c.Person()
	var got joined
	err := g.ask(ctx, node, question{
		Ask: askJoin, Number: s.number, Gallery: s.gallery.number, Person: &person, Lag: c.Lag(), Message: &m,
	}, &got)
	if err != nil {
		answered := !s.opened.CompareAndSwap(silent, deaf)
		s.plays = true // perhaps: the other side is told
		s.Leave()
		g.unfollow(s.gallery)
		if answered { // whoever has the table by now would answer a second time
			c.Close(wire.CloseRestart, table.Moves)
			return nil, errAnswered
		}
		return nil, err
	}
	if s.plays = got.Plays; s.plays {
		g.unfollow(s.gallery)
	}
	return s, nil
}

// Plays implements table.Sitting.
func (s *sitting) Plays() bool { return s.plays }

// Handle implements table.Sitting.
func (s *sitting) Handle(m wire.ClientMessage) {
	if !s.plays {
		if m.T != "here" {
			refuse(s.conn, m.ID, wire.Refuse(wire.CodeNotSeated))
		}
		return
	}
	if s.g.say(s.node, s.number, s.conn.Lag(), m) != nil {
		// The client comes back, and sends again what was not answered.
		s.conn.Close(wire.CloseRestart, "the table cannot be reached; come back")
	}
}

// say takes a message to the owner. After an error it was not taken.
func (g *Gateway) say(node string, number uint64, lag int64, m wire.ClientMessage) error {
	if g.parts.Bus.Deaf() && !g.holding.on.Load() {
		return errNoAnswer
	}
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return g.send(node, kindSay, number, []uint64{uint64(max(lag, 0))}, text)
}

// Leave implements table.Sitting. A player's place stays attached until the owner has answered all that was said there.
func (s *sitting) Leave() {
	s.mu.Lock()
	if s.gone.Swap(true) {
		s.mu.Unlock()
		return
	}
	s.member.Stop()
	if s.admitted {
		s.gallery.crowd.Leave(s.member)
	}
	s.mu.Unlock()
	if !s.plays {
		s.g.away.detach(s.number)
		s.g.unfollow(s.gallery)
		return
	}
	if s.g.send(s.node, kindLeave, s.number, nil, nil) != nil {
		s.left() // the owner learns of the gap, or is gone
	}
}

// left says that nothing more comes.
func (s *sitting) left() { s.g.away.detach(s.number) }

func (s *sitting) hear(frame []byte, now bool) {
	if s.opened.Load() != heard && !s.opened.CompareAndSwap(silent, heard) {
		return
	}
	if s.gone.Load() {
		s.answer(frame)
		return
	}
	if direct, ok := s.conn.(table.Direct); ok && now {
		direct.SendNow(frame)
		return
	}
	s.conn.Send(frame)
}

// answer takes what is told to a player who has left: the answers to what he had said before. A step that answers is told
// again to whoever joins, and in the state.
func (s *sitting) answer(frame []byte) {
	switch {
	case bytes.HasPrefix(frame, []byte(`{"t":"err"`)), bytes.HasPrefix(frame, []byte(`{"t":"done"`)):
		s.conn.Send(frame)
	case bytes.HasPrefix(frame, []byte(`{"t":"ev"`)):
		var step struct{ ID string }
		if json.Unmarshal(frame, &step) == nil && step.ID != "" {
			s.conn.Send(wire.Encode(wire.Done{T: "done", ID: step.ID}))
		}
	}
}

// admit makes a spectator one of the gallery.
func (s *sitting) admit(in *gallery) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gone.Load() || s.admitted || in != s.gallery {
		return
	}
	s.admitted = true
	in.crowd.Come(s.member)
}

func (s *sitting) close(code int, reason string) {
	if !s.gone.Load() {
		s.conn.Close(code, reason)
	}
}

func (s *sitting) lost() {
	if s.gone.Load() {
		s.left()
		return
	}
	s.close(wire.CloseRestart, table.Moves)
}

// refuse answers a message with an err frame.
func refuse(c table.Conn, id string, why *wire.Refusal) {
	c.Send(wire.Encode(wire.Error{T: "err", ID: id, Code: why.Code, Msg: why.Msg}))
}
