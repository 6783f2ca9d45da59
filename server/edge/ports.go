package edge

import (
	"context"
	"encoding/json"
	"time"

	"flagfall/server/account"
	"flagfall/server/arena/host"
	"flagfall/server/lobby"
	"flagfall/server/store"
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

// Events are arenas and round robins; *host.Host is one, and so is *gateway.Gateway. Errors that wrap a *wire.Refusal are
// shown with their code.
type Events interface {
	// Create makes an event; the body is that of POST /api/events.
	Create(ctx context.Context, by account.Person, body json.RawMessage) (name string, err error)
	// List lists events that anybody may find, the newest first.
	List(ctx context.Context, q host.ListQuery) ([]host.Listed, error)
	// Answer answers a question about an event, or does something with it: page, standings, boards, entries, desk, game,
	// preview, act, chat, say, export or qrlink. Key is that of a link or a screen, or "".
	Answer(ctx context.Context, name string, by account.Person, key, what string, body json.RawMessage) (json.RawMessage, error)
	// Attend has a socket told of an event; attending again changes whether its page is visible, and attending another event
	// ends the first. The answer comes as frames. Depart ends it, and does nothing without it.
	Attend(c Conn, m wire.ClientMessage) error
	Depart(c Conn)
	// Known tells whether the key is that of an event which takes entries or runs. It does not wait for long.
	Known(name, key string) bool
}

// Clubs are kept by *store.Store, which is one; its errors have words for people here.
type Clubs interface {
	AddClub(ctx context.Context, c store.Club, owner string) error
	Clubs(ctx context.Context, after string, limit int) ([]store.Club, error)
	Club(ctx context.Context, name string) (store.Club, []store.InClub, error)
	ClubsOf(ctx context.Context, person string) (map[string]store.ClubRole, error)
	JoinClub(ctx context.Context, club, person string, at time.Time) error
	LeaveClub(ctx context.Context, club, by, who string) error
	SetClubRole(ctx context.Context, club, by, who string, role store.ClubRole) error
	SetClubAbout(ctx context.Context, club, by, about string) error
}
