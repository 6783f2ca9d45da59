package edge

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/gorilla/websocket"

	"flagfall/server/account"
	"flagfall/server/lobby"
	"flagfall/server/store"
	"flagfall/server/table"
	"flagfall/server/wire"
)

const patience = 10 * time.Second

// hall is tables and lobby as far as the edge needs them: it notes what arrives and says what a test wants.
type hall struct {
	mu      sync.Mutex
	conns   []Conn
	log     []string
	notes   chan string
	players bool
	early   []byte // sent during Connect, before the hello
	bomb    bool   // the next message panics
}

func newHall() *hall { return &hall{notes: make(chan string, 4096), players: true} }

func (h *hall) note(s string) {
	h.mu.Lock()
	h.log = append(h.log, s)
	h.mu.Unlock()
	select {
	case h.notes <- s:
	default:
	}
}

func (h *hall) Connect(c Conn) (wire.Hello, Session) {
	h.mu.Lock()
	h.conns = append(h.conns, c)
	early := h.early
	h.mu.Unlock()
	if early != nil {
		c.Send(early)
	}
	h.note("connect")
	return wire.Hello{T: "hello", Version: wire.Version, You: wire.Person{ID: c.Person().ID, Name: c.Person().Name}}, &lobbySession{h}
}

func (h *hall) Invite(_ context.Context, id string) (any, error) {
	if id != "inv1" {
		return nil, wire.Refuse(wire.CodeUnknownInvite)
	}
	return lobby.InviteView{
		Invite: id, By: wire.Person{ID: "23456789ABCDEFGH", Name: "Judit"}, Base: 300_000, Mode: "board", Color: "white", WBCA: true, Terms: wire.Terms{Rules: "wbca"},
	}, nil
}

type lobbySession struct{ h *hall }

func (s *lobbySession) Handle(m wire.ClientMessage) { s.h.note("lobby " + m.T) }
func (s *lobbySession) Close()                      { s.h.note("disconnect") }

type place struct {
	h    *hall
	game string
}

func (p *place) Handle(m wire.ClientMessage) {
	p.h.mu.Lock()
	bomb := p.h.bomb
	p.h.mu.Unlock()
	if bomb {
		panic("bomb")
	}
	p.h.note(p.game + " " + m.T)
}
func (p *place) Leave()      { p.h.note("leave " + p.game) }
func (p *place) Plays() bool { return p.h.players }

func (h *hall) Join(_ Conn, m wire.ClientMessage) (Sitting, error) {
	if !strings.HasPrefix(m.Game, "g") {
		return nil, table.ErrUnknownGame
	}
	h.note("join " + m.Game)
	return &place{h, m.Game}, nil
}

func (h *hall) Live(context.Context) ([]table.Summary, error) { return nil, nil }

func (h *hall) Game(_ context.Context, id string) (any, bool, error) {
	switch id {
	case "g1":
		return wire.State{T: "state", Game: id, Terms: wire.Terms{Rules: "wbca"}, Mode: "fast", Claims: []string{}, Moves: []wire.Ply{}}, true, nil
	case "broken":
		return nil, false, io.ErrUnexpectedEOF
	}
	return nil, false, table.ErrUnknownGame
}

func (h *hall) PGN(_ context.Context, id string) (string, error) {
	switch id {
	case "g1":
		return "", table.ErrRunning
	case "g2":
		return "[Result \"1-0\"]\n", nil
	}
	return "", table.ErrUnknownGame
}

func (h *hall) SavePerson(_ context.Context, p store.Person) error {
	h.note("save " + p.Name)
	return nil
}

// await waits for a note; others before it are passed over.
func (h *hall) await(t *testing.T, want string) {
	t.Helper()
	late := time.After(patience)
	for {
		select {
		case got := <-h.notes:
			if got == want {
				return
			}
		case <-late:
			t.Fatalf("no %q; there was %v", want, h.log)
		}
	}
}

func (h *hall) conn(i int) Conn {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.conns[i]
}

var page = fstest.MapFS{
	"index.html":              {Data: []byte("<!doctype html><title>Flagfall</title>")},
	"assets/main-AB12CD34.js": {Data: []byte(strings.Repeat("let a = 1;\n", 100))},
	"robots.txt":              {Data: []byte("User-agent: *\n")},
}

// stage is a Server on a real listener.
type stage struct {
	*Server
	hall *hall
	http *httptest.Server
	now  time.Time // of the tokens; zero is the real time
}

func newStage(t testing.TB, change func(*Config)) *stage {
	t.Helper()
	st := &stage{hall: newHall()}
	st.http = httptest.NewUnstartedServer(nil)
	st.http.Config = HTTPServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { st.ServeHTTP(w, r) }), quiet)
	url := "http://" + st.http.Listener.Addr().String()
	tokens, err := account.NewTokens(account.Config{
		Keys: account.MemoryKeys(), Audience: url, Lifetime: time.Hour,
		Now: func() time.Time {
			if st.now.IsZero() {
				return time.Now()
			}
			return st.now
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{PublicURL: url, Tokens: tokens, People: st.hall, Tables: st.hall, Lobby: st.hall, Web: page, Log: quiet}
	if change != nil {
		change(&cfg)
	}
	if st.Server, err = New(cfg); err != nil {
		t.Fatal(err)
	}
	st.http.Start()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		defer cancel()
		st.Server.Close(ctx)
		st.http.Close()
	})
	return st
}

var quiet = slog.New(slog.DiscardHandler)

func (st *stage) person(t testing.TB) account.Session {
	t.Helper()
	s, err := st.cfg.Tokens.Issue(account.NewGuest())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// dial opens a socket with headers; the response is there on a refused handshake too.
func (st *stage) dial(headers http.Header, path string) (*websocket.Conn, *http.Response, error) {
	dialer := websocket.Dialer{HandshakeTimeout: patience, NetDial: func(network, addr string) (net.Conn, error) {
		c, err := net.Dial(network, addr)
		if tcp, ok := c.(*net.TCPConn); ok {
			tcp.SetReadBuffer(4096) // so that a slow reader is seen soon
		}
		return c, err
	}}
	return dialer.Dial("ws"+strings.TrimPrefix(st.http.URL, "http")+path, headers)
}

func bearer(s account.Session) http.Header {
	return http.Header{"Authorization": {"Bearer " + s.Token}}
}

// open is a socket that has had its hello.
func (st *stage) open(t *testing.T, s account.Session) *websocket.Conn {
	t.Helper()
	ws, res, err := st.dial(bearer(s), "/ws")
	if err != nil {
		t.Fatalf("dial: %v %v", err, res)
	}
	t.Cleanup(func() { ws.Close() })
	if got := read(t, ws); !strings.HasPrefix(got, `{"t":"hello"`) {
		t.Fatalf("first frame %s", got)
	}
	return ws
}

func read(t *testing.T, ws *websocket.Conn) string {
	t.Helper()
	ws.SetReadDeadline(time.Now().Add(patience))
	_, data, err := ws.ReadMessage()
	if err != nil {
		t.Fatalf("read: %v", err)
	}
	return string(data)
}

func send(t *testing.T, ws *websocket.Conn, text string) {
	t.Helper()
	if err := ws.WriteMessage(websocket.TextMessage, []byte(text)); err != nil {
		t.Fatalf("send: %v", err)
	}
}

// closeCode reads to the end of a socket and gives its code, 0 for a cut.
func closeCode(ws *websocket.Conn) int {
	ws.SetReadDeadline(time.Now().Add(patience))
	for {
		if _, _, err := ws.ReadMessage(); err != nil {
			if closed, ok := err.(*websocket.CloseError); ok && closed.Code != websocket.CloseAbnormalClosure {
				return closed.Code
			}
			if e, ok := err.(net.Error); ok && e.Timeout() {
				return -1
			}
			return 0
		}
	}
}
