package edge

import (
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/netip"
	"runtime/debug"
	"strconv"
	"sync"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/gorilla/websocket"

	"flagfall/server/account"
	"flagfall/server/wire"
)

// socket is one WebSocket. One goroutine reads (run); one writes, and only while there is something to write (flush
// in outbox.go): an idle socket costs one goroutine and no buffer.
type socket struct {
	server  *Server
	ws      *websocket.Conn
	raw     syscall.RawConn // nil where the connection is no plain TCP
	person  account.Person
	tokenID string
	expires time.Time
	home    netip.Prefix
	lag     lag

	// The reader's own.
	session  Session
	sitting  Sitting
	game     string // what sitting belongs to
	messages bucket
	controls bucket
	heres    bucket
	inside   bool // between the first and the last frame of a message

	mu    sync.Mutex
	out   outbox
	nonce string // of the ping under way, "" for none
	sent  time.Time
	timer *time.Timer
	slow  bool // nothing depends on this socket's lag
}

func newSocket(s *Server, ws *websocket.Conn, session account.Session, home netip.Prefix) *socket {
	c := &socket{
		server: s, ws: ws, home: home,
		person: session.Person, tokenID: session.ID, expires: session.Expires,
		slow: true,
	}
	if tcp, ok := ws.NetConn().(*net.TCPConn); ok {
		if raw, err := tcp.SyscallConn(); err == nil {
			c.raw = raw
		}
	}
	return c
}

// Person implements Conn.
func (c *socket) Person() account.Person { return c.person }

// Lag implements Conn.
func (c *socket) Lag() int64 { return c.lag.ms() }

// run greets, reads until the socket ends, and takes the person from table and lobby.
func (c *socket) run() {
	defer c.end()
	c.ws.SetReadLimit(wire.MaxMessage)
	c.ws.SetPongHandler(c.onPong)
	c.ws.SetPingHandler(c.onPing)
	c.hear(time.Now())
	c.hold()
	hello, session := c.server.cfg.Lobby.Connect(c)
	c.session = session
	c.release(wire.Encode(hello))
	c.mu.Lock()
	c.timer = time.AfterFunc(0, c.tick)
	c.mu.Unlock()
	for c.readMessage() {
	}
}

// end runs once, on the reader's goroutine. A bug in what handles messages ends this socket and not the server.
func (c *socket) end() {
	if p := recover(); p != nil {
		c.server.log.Error("socket handler panicked", "person", c.person.ID, "game", c.game, "panic", p, "stack", string(debug.Stack()))
		c.Close(websocket.CloseInternalServerErr, "something went wrong on our side")
		c.drain()
	}
	defer c.server.dismiss(c)
	defer c.cut()
	if c.sitting != nil {
		c.sitting.Leave()
	}
	if c.session != nil {
		c.session.Close()
	}
}

// drain reads on until the other side has answered the close frame or its time is over.
func (c *socket) drain() {
	for {
		if _, _, err := c.ws.NextReader(); err != nil {
			return
		}
	}
}

// readMessage reads and handles one message; false ends the socket.
func (c *socket) readMessage() bool {
	kind, r, err := c.ws.NextReader()
	if err != nil {
		c.unheard(err)
		return false
	}
	c.begin()
	buffer := readBuffers.Get().(*[]byte)
	defer readBuffers.Put(buffer)
	data, err := readInto(*buffer, r)
	if err != nil {
		return false
	}
	now := time.Now()
	c.inside = false
	c.hear(now)
	switch {
	case c.closed():
		return true // read on until the other side has answered the close frame
	case kind != websocket.TextMessage:
		c.Close(websocket.CloseUnsupportedData, "text frames only")
	case !utf8.Valid(data):
		c.Close(websocket.CloseInvalidFramePayloadData, "not UTF-8")
	case !c.messages.take(c.server.limits.Messages, now):
		c.Close(websocket.ClosePolicyViolation, "too many messages")
	default:
		c.handle(data, now)
	}
	return true
}

// readBuffers hold one message each while it is read; a decoded message keeps none of it.
var readBuffers = sync.Pool{New: func() any {
	b := make([]byte, wire.MaxMessage+1)
	return &b
}}

func readInto(buffer []byte, r io.Reader) ([]byte, error) {
	n := 0
	for n < len(buffer) {
		more, err := r.Read(buffer[n:])
		n += more
		if err == io.EOF {
			return buffer[:n], nil
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, websocket.ErrReadLimit
}

// begin gives a message that has begun a limited time to end, whatever else arrives: its frames can be empty and endless.
func (c *socket) begin() {
	c.inside = true
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.out.closing {
		c.ws.SetReadDeadline(time.Now().Add(c.server.limits.MessageTimeout))
	}
}

// hear moves the read deadline: the other side is alive.
func (c *socket) hear(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.out.closing {
		c.ws.SetReadDeadline(now.Add(c.server.limits.ReadTimeout))
	}
}

func (c *socket) handle(data []byte, now time.Time) {
	m, err := wire.Decode(data)
	if errors.Is(err, wire.ErrNotJSON) {
		c.Close(wire.CloseProtocol, "one JSON object a message")
		return
	}
	if err != nil {
		c.refuse(m.ID, err)
		return
	}
	switch m.T {
	case "ping":
		if !c.controls.take(c.server.limits.Pings, now) {
			c.Close(websocket.ClosePolicyViolation, "too many pings")
			return
		}
		c.Send(pong)
	case "seek", "cancel", "invite", "accept", "rematch":
		c.session.Handle(m)
	case "join":
		c.join(m)
	case "leave":
		c.leave()
	case "here":
		// Each is journaled with the game and told to everybody at the table.
		if !c.heres.take(c.server.limits.Heres, now) {
			c.Close(websocket.ClosePolicyViolation, "the page comes and goes too often")
			return
		}
		fallthrough
	default:
		if c.sitting == nil {
			c.refuse(m.ID, wire.Refuse(wire.CodeNotJoined))
			return
		}
		c.sitting.Handle(m)
	}
}

var pong = wire.Encode(wire.Pong{T: "pong"})

// join takes a place at a table. At the same table the old place is left first, so that the table never sees this
// socket twice; at another one the old place is kept until the new one is had.
func (c *socket) join(m wire.ClientMessage) {
	if c.game == m.Game {
		c.leave()
	}
	sitting, err := c.server.cfg.Tables.Join(c, m)
	if err != nil {
		c.refuse(m.ID, err)
		return
	}
	c.leave()
	c.sitting, c.game = sitting, m.Game
	c.pace(!sitting.Plays())
}

func (c *socket) leave() {
	if c.sitting == nil {
		return
	}
	c.sitting.Leave()
	c.sitting, c.game = nil, ""
	c.pace(true)
}

// refuse answers a message with an err frame.
func (c *socket) refuse(id string, err error) {
	var refusal *wire.Refusal
	if !errors.As(err, &refusal) {
		c.server.log.Error("message failed", "person", c.person.ID, "game", c.game, "err", err)
		refusal = wire.Refuse(wire.CodeServerInternal)
	}
	c.Send(wire.Encode(wire.Error{T: "err", ID: id, Code: refusal.Code, Msg: refusal.Msg}))
}

// pace chooses how often the socket is pinged; a player's at once.
func (c *socket) pace(slow bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.slow && !slow && c.timer != nil && !c.out.closing {
		c.timer.Reset(0)
	}
	c.slow = slow
}

// tick sends the next ping and watches the token.
func (c *socket) tick() {
	now := time.Now()
	if !now.Before(c.expires) || c.server.cfg.Tokens.Revoked(c.tokenID) {
		c.Close(wire.CloseToken, "the token has expired; get a new one")
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.out.closing {
		return
	}
	if c.nonce == "" {
		// One at a time: a late answer is a long round trip, not a lost ping.
		c.nonce = strconv.FormatUint(rand.Uint64(), 36)
		c.out.ping = true
		c.startWriter()
	}
	every := c.server.limits.PingEvery
	if c.slow {
		every = c.server.limits.PingIdleEvery
	}
	c.timer.Reset(max(min(every, c.expires.Sub(now)), 0))
}

// onPong runs on the reader's goroutine.
func (c *socket) onPong(data string) error {
	now := time.Now()
	c.mu.Lock()
	asked := c.nonce != "" && data == c.nonce && !c.sent.IsZero()
	var trip time.Duration
	if asked {
		trip = now.Sub(c.sent)
		c.nonce, c.sent = "", time.Time{}
	}
	c.mu.Unlock()
	if !asked {
		c.control(now)
		return nil
	}
	c.lag.add(trip)
	if !c.inside {
		c.hear(now)
	}
	return nil
}

// onPing runs on the reader's goroutine. Only the latest ping needs an answer (RFC 6455, 5.5.3).
func (c *socket) onPing(data string) error {
	c.control(time.Now())
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.out.closing {
		c.out.pong, c.out.echo = true, data
		c.startWriter()
	}
	return nil
}

// control counts a control frame that nobody asked for. After a Close the rest is read and dropped for as long as the
// other side has to answer the close frame.
func (c *socket) control(now time.Time) {
	if !c.controls.take(c.server.limits.Pings, now) {
		c.Close(websocket.ClosePolicyViolation, "too many pings")
	}
}
