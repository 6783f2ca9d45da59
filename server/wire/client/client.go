// Package client speaks Flagfall's protocol for programs: load tests, bots and the tests of the server itself.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"

	"flagfall/server/wire"
)

// Guest is a person made by the server for a program.
type Guest struct {
	ID      string    `json:"id"`
	Name    string    `json:"name"`
	Token   string    `json:"token"`
	Expires time.Time `json:"expires"`
}

// Problem is an error document of the HTTP API.
type Problem struct {
	Status int    `json:"status"`
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

func (p *Problem) Error() string {
	return fmt.Sprintf("%d %s: %s", p.Status, p.Code, p.Detail)
}

// Server is where a program plays. The zero Dialer and HTTP client are the defaults; a load test gives its own to spread
// over local addresses.
type Server struct {
	URL  string       // "http://127.0.0.1:8080"
	Dial *net.Dialer  // for sockets; nil means the default
	HTTP *http.Client // nil means http.DefaultClient

	// Event and Key are the link of an event by which guests and sockets come: then they count against the event and not
	// against the address.
	Event, Key string
}

// NewGuest asks for a guest and his token.
func (s Server) NewGuest(ctx context.Context) (Guest, error) {
	body := map[string]any{"token": true}
	if s.Event != "" {
		body["event"], body["key"] = s.Event, s.Key
	}
	var g Guest
	return g, s.Post(ctx, "", "/api/guest", body, &g)
}

// Logout ends the session of a token, and its sockets.
func (s Server) Logout(ctx context.Context, token string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL+"/api/logout", nil)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	return s.do(req, nil)
}

// Post sends JSON, or no body where it is nil, and reads the answer into out, unless that is nil; token may be "".
func (s Server) Post(ctx context.Context, token, path string, body, out any) error {
	var text io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			return err
		}
		text = bytes.NewReader(data)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL+path, text)
	if err != nil {
		return err
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	return s.do(req, out)
}

// Get reads a JSON answer of the HTTP API into out; token may be "".
func (s Server) Get(ctx context.Context, token, path string, out any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL+path, nil)
	if err != nil {
		return err
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	return s.do(req, out)
}

// do sends a request; the answer goes into out, unless that is nil.
func (s Server) do(req *http.Request, out any) error {
	client := s.HTTP
	if client == nil {
		client = http.DefaultClient
	}
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	data, err := io.ReadAll(io.LimitReader(res.Body, 16<<20))
	if err != nil {
		return err
	}
	if res.StatusCode >= 300 {
		p := &Problem{}
		if json.Unmarshal(data, p) != nil || p.Code == "" {
			return fmt.Errorf("%s %s: %s", req.Method, req.URL.Path, res.Status)
		}
		return p
	}
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(data, out); err != nil {
		return fmt.Errorf("%s %s: %w", req.Method, req.URL.Path, err)
	}
	return nil
}

// Conn is one socket. One goroutine may receive while others send.
type Conn struct {
	ws   *websocket.Conn
	tag  string // ids count for one person, who may have had other connections
	next atomic.Uint64
	mu   sync.Mutex // of writing
}

// Connect opens a socket with a bearer token. The server's pings are answered while Receive runs, and only then.
func (s Server) Connect(ctx context.Context, token string) (*Conn, error) {
	dialer := websocket.Dialer{HandshakeTimeout: 10 * time.Second, ReadBufferSize: 1024, WriteBufferSize: 512}
	if s.Dial != nil {
		dialer.NetDialContext = s.Dial.DialContext
	}
	address := "ws" + strings.TrimPrefix(s.URL, "http") + "/ws"
	if s.Event != "" {
		address += "?" + url.Values{"event": {s.Event}, "key": {s.Key}}.Encode()
	}
	ws, res, err := dialer.DialContext(ctx, address, http.Header{"Authorization": {"Bearer " + token}})
	if errors.Is(err, websocket.ErrBadHandshake) {
		p := &Problem{Status: res.StatusCode}
		if body, readErr := io.ReadAll(res.Body); readErr == nil && json.Unmarshal(body, p) == nil && p.Code != "" {
			return nil, p
		}
		return nil, fmt.Errorf("%w: %s", err, res.Status)
	}
	if err != nil {
		return nil, err
	}
	return &Conn{ws: ws, tag: strconv.FormatUint(rand.Uint64(), 36) + "-"}, nil
}

// Do sends a command under an id of its own: a tag of this connection and the next number.
func (c *Conn) Do(m wire.ClientMessage) (id string, err error) {
	m.ID = c.tag + strconv.FormatUint(c.next.Add(1), 10)
	return m.ID, c.Send(m)
}

// Send sends a message as it is.
func (c *Conn) Send(m wire.ClientMessage) error { return c.SendRaw(wire.Encode(m)) }

// SendRaw sends one text frame.
func (c *Conn) SendRaw(frame []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.ws.SetWriteDeadline(time.Now().Add(10 * time.Second)); err != nil {
		return err
	}
	return c.ws.WriteMessage(websocket.TextMessage, frame)
}

// Frame is a server message: its T, its bytes, and the message itself as *wire.Hello, *wire.Events and so on.
type Frame struct {
	T    string
	Raw  []byte
	Body any
}

// Receive waits for the next frame. A frame that is not exactly one of the protocol is an error; the end of the socket
// is a *websocket.CloseError where the server gave a code (see CloseCode).
func (c *Conn) Receive() (Frame, error) {
	_, data, err := c.ws.ReadMessage()
	if err != nil {
		return Frame{}, err
	}
	return Parse(data)
}

// SetReadDeadline bounds Receive; after it has passed the connection is of no more use. The zero time takes it away.
func (c *Conn) SetReadDeadline(t time.Time) error { return c.ws.SetReadDeadline(t) }

// Parse reads a server message strictly.
func Parse(data []byte) (Frame, error) {
	var head struct {
		T string `json:"t"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return Frame{}, fmt.Errorf("client: a frame that is not JSON: %w", err)
	}
	body := wire.New(head.T)
	if body == nil {
		return Frame{}, fmt.Errorf("client: an unknown frame %q", head.T)
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(body); err != nil {
		return Frame{}, fmt.Errorf("client: the frame %q: %w", head.T, err)
	}
	return Frame{T: head.T, Raw: data, Body: body}, nil
}

// CloseCode is the code a socket was closed with, 0 when it just broke.
func CloseCode(err error) int {
	var closed *websocket.CloseError
	if errors.As(err, &closed) && closed.Code != websocket.CloseAbnormalClosure {
		return closed.Code
	}
	return 0
}

// Close says goodbye (1000) and ends the socket.
func (c *Conn) Close() error {
	message := websocket.FormatCloseMessage(websocket.CloseNormalClosure, "")
	err := c.ws.WriteControl(websocket.CloseMessage, message, time.Now().Add(time.Second))
	if errors.Is(err, websocket.ErrCloseSent) {
		err = nil
	}
	return errors.Join(err, c.ws.Close())
}

// Cut ends the socket without a word, as a lost network does.
func (c *Conn) Cut() error { return c.ws.NetConn().Close() }
