package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"sync"
	"time"

	"flagfall/server/account"
	"flagfall/server/lobby"
	"flagfall/server/table"
	"flagfall/server/wire"
)

// Bounds of a session's way to the lobby: how long a new socket waits for its hello, and one connection takes.
const (
	helloTime   = 2 * time.Second
	connectTime = 2 * time.Second
)

// Connect notes a socket in the lobby, as lobby.Lobby.Connect does. While the lobby cannot be reached, the hello names no
// game, and what the socket asks of the lobby is refused with wire.CodeUnavailable; the session is connected when it can.
func (g *Gateway) Connect(c table.Conn) (wire.Hello, lobby.Session) {
	who := c.Person()
	s := &session{g: g, conn: c}
	if g.ready.Load() {
		ctx, cancel := context.WithTimeout(g.ctx, helloTime)
		defer cancel()
		if at, known := g.home.await(ctx); known && s.place(ctx, at) != nil {
			g.home.look()
		}
	}
	g.home.add(s) // from now on the steward looks after it
	return wire.Hello{T: "hello", Version: wire.Version, You: wire.Person{ID: who.ID, Name: who.Name, Bot: who.Bot}, Game: s.greet()}, s
}

// session is a socket's presence in the lobby, wherever that is. It reads along what the lobby says:
// what the person waits for is asked for again at a lobby that does not know.
type session struct {
	g    *Gateway
	conn table.Conn

	mu      sync.Mutex
	at      *desk // nil while it is not connected
	closed  bool
	greeted bool   // the hello is out
	game    string // where the person sits, as far as the socket was told
	seek    *wire.ClientMessage
	invite  *wire.ClientMessage
	asked   *wire.ClientMessage // the latest message, until it is answered
}

// desk is a session's place in one lobby.
type desk struct {
	spot
	local  lobby.Session // in the lobby of this node
	number uint64        // of the attachment to another one
	lost   bool          // nothing comes of it any more; guarded by the session's mutex
}

// greet is the game that the hello names.
func (s *session) greet() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.greeted = true
	return s.game
}

// sits notes where the person has found his game, so that nobody need send him there.
func (s *session) sits(game string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.game = game
}

// placed tells whether nothing is to be done to connect the session.
func (s *session) placed(at spot) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed || s.at != nil && s.at.spot == at
}

// place connects the session to the lobby, and asks again for what the person was waiting for. One at a time calls it.
func (s *session) place(ctx context.Context, at spot) error {
	if s.placed(at) {
		return nil
	}
	s.mu.Lock()
	old := s.at
	s.at = nil
	s.mu.Unlock()
	if old != nil {
		s.leave(old)
	}
	d, game, err := s.connect(ctx, at)
	if err != nil {
		return err
	}
	s.mu.Lock()
	switch {
	case s.closed:
		s.mu.Unlock()
		s.leave(d)
		return nil
	case d.lost: // before it was had
		s.mu.Unlock()
		return errNoAnswer
	}
	s.at = d
	moved := game != s.game && s.greeted
	s.game = game
	again, refused := s.waiting()
	s.mu.Unlock()
	if moved && game != "" { // it was paired meanwhile, and has not heard it: the next hello says so
		s.conn.Close(wire.CloseRestart, "come back to your game")
		return nil
	}
	if refused != nil {
		refuse(s.conn, refused.ID, errUnavailable)
	}
	for _, m := range again {
		s.pass(d, m)
	}
	return nil
}

// waiting lists what is to be asked for again, and gives what cannot be. It needs the mutex.
func (s *session) waiting() (again []wire.ClientMessage, refused *wire.ClientMessage) {
	for _, m := range [2]*wire.ClientMessage{s.seek, s.invite} {
		if m != nil {
			again = append(again, *m)
		}
	}
	switch m := s.asked; {
	case m == nil:
	case m.T == "seek" || m.T == "invite":
		again = append(again, *m)
	default: // what it was about may be gone
		refused, s.asked = m, nil
	}
	return again, refused
}

func (s *session) connect(ctx context.Context, at spot) (*desk, string, error) {
	if at.here {
		hello, local := s.g.parts.Lobby.Connect(lobbyConn{s})
		return &desk{spot: at, local: local}, hello.Game, nil
	}
	ctx, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	d := &desk{spot: at, number: s.g.number()}
	s.g.away.attach(d.number, at.node, &deskEnd{s, d})
	person := s.conn.Person()
	var game string
	if err := s.g.ask(ctx, at.node, question{Ask: askConnect, Number: d.number, Person: &person}, &game); err != nil {
		s.leave(d)
		return nil, "", err
	}
	return d, game, nil
}

// leave ends a place.
func (s *session) leave(d *desk) {
	if d.local != nil {
		d.local.Close()
		return
	}
	if s.g.away.detach(d.number) {
		_ = s.g.send(d.node, kindLeave, d.number, nil, nil) // if it is lost, so is all that this node has there
	}
}

// Handle implements lobby.Session.
func (s *session) Handle(m wire.ClientMessage) {
	s.mu.Lock()
	d := s.at
	if d != nil {
		s.asked = &m
		if m.T == "cancel" {
			s.seek, s.invite = nil, nil
		}
	}
	s.mu.Unlock()
	if d == nil {
		refuse(s.conn, m.ID, errUnavailable)
		return
	}
	s.pass(d, m)
}

// pass hands a message to the lobby.
func (s *session) pass(d *desk, m wire.ClientMessage) {
	if d.local != nil {
		d.local.Handle(m)
		return
	}
	if s.g.say(d.node, d.number, 0, m) == nil {
		return
	}
	s.mu.Lock()
	if s.asked != nil && s.asked.ID == m.ID {
		s.asked = nil
	}
	s.mu.Unlock()
	if m.ID != "" {
		refuse(s.conn, m.ID, errUnavailable)
	}
	s.g.home.look()
}

// Close implements lobby.Session.
func (s *session) Close() {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return
	}
	s.closed = true
	d := s.at
	s.at = nil
	s.mu.Unlock()
	s.g.home.remove(s)
	if d != nil {
		s.leave(d)
	}
}

// lobbyConn is the socket of a session as the lobby sees it.
type lobbyConn struct{ s *session }

// Send implements table.Conn.
func (c lobbyConn) Send(frame []byte) { c.s.hear(frame) }

// Close implements table.Conn.
func (c lobbyConn) Close(code int, reason string) { c.s.conn.Close(code, reason) }

// Lag implements table.Conn.
func (c lobbyConn) Lag() int64 { return c.s.conn.Lag() }

// Person implements table.Conn.
func (c lobbyConn) Person() account.Person { return c.s.conn.Person() }

// hear takes what the lobby says.
func (s *session) hear(frame []byte) {
	s.read(frame)
	s.conn.Send(frame)
}

// drop is called when the place is lost, or something that was said there.
func (s *session) drop(d *desk) {
	s.mu.Lock()
	d.lost = true
	if s.at == d {
		s.at = nil
	}
	s.mu.Unlock()
	s.leave(d) // it may know the session still
	s.g.home.look()
}

// told are the frames of the lobby that change what the person waits for.
var told = [][]byte{
	[]byte(`{"t":"seeking"`), []byte(`{"t":"invited"`), []byte(`{"t":"idle"`), []byte(`{"t":"paired"`),
	[]byte(`{"t":"rematch"`), []byte(`{"t":"err"`), []byte(`{"t":"done"`), []byte(`{"t":"seeks"`), []byte(`{"t":"blocks"`),
	[]byte(`{"t":"uninvited"`),
}

// read follows what the person waits for.
func (s *session) read(frame []byte) {
	of := -1
	for i, begin := range told {
		if bytes.HasPrefix(frame, begin) {
			of = i
		}
	}
	var m wire.ClientMessage
	if of < 0 || json.Unmarshal(frame, &m) != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asked != nil && s.asked.ID == m.ID {
		s.asked = nil
	}
	switch m.T {
	case "seeking":
		s.seek = &wire.ClientMessage{T: "seek", Base: m.Base, Mode: m.Mode, Rules: m.Rules, Timing: m.Timing, Each: m.Each,
			Min: m.Min, Max: m.Max, Casual: m.Casual}
	case "invited": // the same again: the friend has its link
		s.invite = &wire.ClientMessage{T: "invite", Base: m.Base, Mode: m.Mode, Rules: m.Rules, Timing: m.Timing, Each: m.Each,
			Color: m.Color, Invite: m.Invite, Casual: m.Casual, To: m.To, Who: m.Who}
	case "uninvited":
		if s.invite != nil && s.invite.Invite == m.Invite {
			s.invite = nil
		}
	case "paired":
		s.game = m.Game
		s.seek, s.invite, s.asked = nil, nil, nil
	case "idle":
		s.seek, s.invite = nil, nil
	}
}

// deskEnd is a session's end of its attachment.
type deskEnd struct {
	s *session
	d *desk
}

func (e *deskEnd) hear(frame []byte, _ bool) { e.s.hear(frame) }
func (e *deskEnd) admit(*gallery)            {}
func (e *deskEnd) left()                     {} // a session that is left is detached already
func (e *deskEnd) lost()                     { e.s.drop(e.d) }

// close comes when the lobby's node has let go of the session; one that the lobby itself has closed stays closed.
func (e *deskEnd) close(code int, reason string) {
	if code == wire.CloseRestart {
		e.s.drop(e.d)
		return
	}
	e.s.conn.Close(code, reason)
}
