package edge

import (
	"errors"
	"math/rand/v2"
	"net/netip"
	"runtime/debug"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/gorilla/websocket"

	"flagfall/server/account"
	"flagfall/server/edge/poll"
	"flagfall/server/wire"
)

// socket is one WebSocket. Where the system allows it, the poller's loops read it (serve in read.go); elsewhere, and once it
// sends what they do not read, it has a goroutine of its own for that (read). Either is called its reader. One goroutine
// writes, and only while there is something that SendNow could not write (flush in outbox.go): an idle socket costs no
// goroutine and no buffer.
type socket struct {
	server    *Server
	ws        *websocket.Conn
	net       *firstBytes     // under ws
	raw       syscall.RawConn // nil where the connection is no plain TCP
	person    account.Person
	sessionID string
	expires   time.Time
	home      netip.Prefix
	hall      string // the event by whose link it came, if it counts there and not by home
	lag       lag

	// The reader's own.
	watch    *poll.Conn // nil when the reader is a goroutine
	partial  []byte     // of a frame that has begun
	session  Session
	sitting  Sitting
	game     string // what sitting belongs to
	attends  bool   // an event
	messages bucket
	controls bucket
	heres    bucket
	attended bucket
	gone     error // why reading has ended

	heard   atomic.Int64 // when the other side was known to be alive, in ms of the server's clock
	begun   atomic.Int64 // when the message began that has not ended, 0 for none
	playing atomic.Bool  // something depends on this socket's lag

	mu       sync.Mutex
	out      outbox
	nonce    string    // of the ping under way, "" for none
	sent     time.Time // when it was written
	nextPing int64     // ms of the server's clock
	samples  int       // of the lag
	cutAt    int64     // when the other side must have answered our close frame, 0 for never
}

func newSocket(s *Server, ws *websocket.Conn, under *firstBytes, session account.Session, home netip.Prefix) *socket {
	c := &socket{
		server: s, ws: ws, net: under, raw: rawOf(under.Conn), home: home,
		person: session.Person, sessionID: session.ID, expires: session.Expires,
	}
	c.out.held = true // until it is greeted
	c.hear()          // the keeper sees it from now on
	return c
}

// Person implements Conn.
func (c *socket) Person() account.Person { return c.person }

// Lag implements Conn.
func (c *socket) Lag() int64 { return c.lag.ms() }

// run greets and hands the socket to its reader.
func (c *socket) run() {
	c.ws.SetReadLimit(wire.MaxMessage)
	c.ws.SetPongHandler(c.onPong)
	c.ws.SetPingHandler(c.onPing)
	if !c.greet() {
		c.end()
		return
	}
	if c.raw != nil && c.server.poller != nil {
		c.watch = c.server.poller.Add(c.raw, c.serve)
		if c.watch.Watch() == nil {
			return
		}
		c.watch = nil
	}
	c.read()
}

// greet makes the lobby know the socket; false after a panic there.
func (c *socket) greet() (ok bool) {
	defer c.survive()
	hello, session := c.server.cfg.Lobby.Connect(c)
	c.session = session
	c.release(wire.Encode(hello))
	return true
}

// survive is deferred around everything that handles messages: a bug there ends this socket and not the server.
func (c *socket) survive() {
	if p := recover(); p != nil {
		c.server.log.Error("socket handler panicked", "person", c.person.ID, "game", c.game, "panic", p, "stack", string(debug.Stack()))
		c.Close(websocket.CloseInternalServerErr, "something went wrong on our side")
	}
}

// end takes the person from table and lobby, once, when the reader has finished.
func (c *socket) end() {
	defer c.server.dismiss(c)
	defer c.ws.Close()
	defer c.cut()
	defer c.survive()
	if c.sitting != nil {
		c.sitting.Leave()
	}
	if c.session != nil {
		c.session.Close()
	}
	c.depart()
}

// message handles one whole message.
func (c *socket) message(kind int, data []byte) {
	defer c.survive()
	now := time.Now()
	if c.begun.Load() != 0 {
		c.begun.Store(0)
	}
	c.heard.Store(c.server.at(now))
	switch {
	case c.closed(): // what still comes is read until the other side has answered the close frame
	case kind != websocket.TextMessage:
		c.Close(websocket.CloseUnsupportedData, "text frames only")
	case !utf8.Valid(data):
		c.Close(websocket.CloseInvalidFramePayloadData, "not UTF-8")
	case !c.messages.take(c.server.limits.Messages, now):
		c.Close(websocket.ClosePolicyViolation, "too many messages")
	default:
		c.handle(data, now)
	}
}

// hear notes that the other side is alive.
func (c *socket) hear() { c.heard.Store(c.server.now()) }

// stepAside is called by the reader before what may take long.
func (c *socket) stepAside() {
	if c.watch != nil {
		c.watch.StepAside()
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
	case "seek", "cancel", "list", "take", "invite", "accept", "decline", "rematch", "block", "unblock", "blocks":
		c.stepAside()
		c.session.Handle(m)
	case "join":
		c.stepAside()
		c.join(m)
	case "leave":
		c.stepAside()
		c.leave()
	case "attend":
		if !c.attended.take(c.server.limits.Heres, now) {
			c.Close(websocket.ClosePolicyViolation, "the page comes and goes too often")
			return
		}
		c.stepAside()
		c.attend(m)
	case "depart":
		c.stepAside()
		c.depart()
		c.Send(wire.Encode(wire.Done{T: "done", ID: m.ID}))
	case "here":
		// Each is journaled with the game and told to everybody at the table.
		if !c.heres.take(c.server.limits.Heres, now) {
			c.Close(websocket.ClosePolicyViolation, "the page comes and goes too often")
			return
		}
		c.stepAside()
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
	c.play(sitting.Plays())
}

func (c *socket) leave() {
	if c.sitting == nil {
		return
	}
	c.sitting.Leave()
	c.sitting, c.game = nil, ""
	c.play(false)
}

// attend has the socket told of an event; what it attended before stays when that is refused.
func (c *socket) attend(m wire.ClientMessage) {
	events := c.server.cfg.Events
	if events == nil {
		c.refuse(m.ID, wire.Refuse(wire.CodeUnknownEvent))
		return
	}
	if err := events.Attend(c, m); err != nil {
		c.refuse(m.ID, err)
		return
	}
	c.attends = true
}

func (c *socket) depart() {
	if c.attends {
		c.server.cfg.Events.Depart(c)
		c.attends = false
	}
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

// play says whether something depends on the socket's lag; then it is measured at once.
func (c *socket) play(plays bool) {
	if c.playing.Swap(plays) == plays || !plays {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.nextPing = 0
	c.samples = 0
	c.ping(c.server.now())
}

// ping sends a ping, the mutex being held. One at a time: a late answer is a long round trip, not a lost ping.
func (c *socket) ping(now int64) {
	if c.out.closing || c.nonce != "" || now < c.nextPing {
		return
	}
	c.newNonce(now)
	c.out.ping = true
	c.startWriter()
}

// newNonce begins a ping, the mutex being held.
func (c *socket) newNonce(now int64) {
	c.nonce = strconv.FormatUint(rand.Uint64(), 36)
	every := c.server.limits.PingEvery
	switch {
	case !c.playing.Load():
		every = c.server.limits.PingIdleEvery
	case c.samples < firstSamples:
		every = min(every, time.Second)
	}
	c.nextPing = now + every.Milliseconds()
}

// firstSamples of the lag of who plays follow one another quickly.
const firstSamples = 4

// onPong is called by the reader.
func (c *socket) onPong(data string) error {
	now := time.Now()
	c.mu.Lock()
	asked := c.nonce != "" && data == c.nonce && !c.sent.IsZero()
	var trip time.Duration
	if asked {
		trip = now.Sub(c.sent)
		c.nonce, c.sent = "", time.Time{}
		c.samples++
	}
	c.mu.Unlock()
	if !asked {
		c.control(now)
		return nil
	}
	c.lag.add(trip)
	c.hear()
	return nil
}

// onPing is called by the reader. Only the latest ping needs an answer (RFC 6455, 5.5.3).
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
