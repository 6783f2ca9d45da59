package edge

import (
	"context"

	"flagfall/server/lobby"
	"flagfall/server/table"
	"flagfall/server/wire"
)

// Conn is a socket as tables and the lobby see it. Send does not copy the frame, so one encoding serves many sockets;
// what was queued before a Close still goes out, except with wire.CloseSlow.
type Conn = table.Conn

// Sitting is one socket's place at a table. A socket whose place is no player's is pinged at the slow rate.
type Sitting = table.Sitting

// Tables are the games; *table.Tables is one. An error that wraps a *wire.Refusal is shown to the client with its code.
type Tables interface {
	Join(c Conn, m wire.ClientMessage) (Sitting, error)
	Live(ctx context.Context) ([]table.Summary, error)
	Game(ctx context.Context, id string) (view any, running bool, err error)
	PGN(ctx context.Context, id string) (string, error)
}

// Lobby pairs people. Connect is called once for every socket, before anything is read from it.
type Lobby interface {
	Connect(c Conn) (wire.Hello, Session)
	Invite(ctx context.Context, id string) (view any, err error)
}

// Session is one socket's presence in the lobby.
type Session = lobby.Session
