package edge

import (
	"context"

	"flagfall/server/account"
	"flagfall/server/wire"
)

// Conn is a socket as tables and the lobby see it. Its methods never block and are safe from any goroutine.
type Conn interface {
	// Send queues one frame. The slice is not copied and must not change afterwards, so one encoding serves many sockets.
	Send(frame []byte)
	// Close ends the socket with a close code and a reason of at most 123 bytes; what was queued before still goes out,
	// except with wire.CloseSlow.
	Close(code int, reason string)
	// Lag is the smoothed round trip in ms as this server's own pings measured it, 0 before the first answer.
	Lag() int64
	// Person is whose token opened the socket.
	Person() account.Person
}

// Tables are the games. An error that wraps a *wire.Refusal is shown to the client with its code.
type Tables interface {
	Join(c Conn, m wire.ClientMessage) (Sitting, error)
	Live(ctx context.Context) ([]Summary, error)
	Game(ctx context.Context, id string) (view any, running bool, err error)
	PGN(ctx context.Context, id string) (string, error)
}

// Sitting is one socket's place at a table, as player or spectator. If it also has a method `Plays() bool` that
// reports false, the socket is pinged at the slow rate.
type Sitting interface {
	Handle(m wire.ClientMessage)
	Leave()
}

// Lobby pairs people. Connect is called once for every socket, before anything is read from it.
type Lobby interface {
	Connect(c Conn) (wire.Hello, Session)
	Invite(ctx context.Context, id string) (view any, err error)
}

// Session is one socket's presence in the lobby.
type Session interface {
	Handle(m wire.ClientMessage)
	Close()
}

// Summary is a running game in the list of them, as JSON.
type Summary = any
