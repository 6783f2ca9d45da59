package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"flagfall/loadtest/judge"
	"flagfall/server/wire"
)

// frame is any message of the server, read once.
type frame struct {
	T      string      `json:"t"`
	ID     string      `json:"id"`
	N      uint64      `json:"n"`
	At     int64       `json:"at"`
	Clocks wire.Clocks `json:"clk"`
	E      []wire.Event
	Code   string     `json:"code"`
	Msg    string     `json:"msg"`
	Game   string     `json:"game"`
	Invite string     `json:"invite"`
	Color  string     `json:"color"`
	Start  string     `json:"start"`
	Moves  []wire.Ply `json:"moves"`
	Pend   string     `json:"pending"`
	Queued *wire.Queued
	Offer  string    `json:"offer"`
	Phase  string    `json:"phase"`
	End    *wire.End `json:"end"`
	Demo   *wire.Demo

	Premove bool `json:"premove"`

	raw  []byte
	seen time.Time
	gone error // the socket ended; nothing else is set
}

// person is one simulated human with a token and at most one socket.
type person struct {
	run   *run
	node  *node // where his next socket goes
	turn  int   // of that node
	id    string
	name  string
	token string
	http  *http.Client

	dialer *net.Dialer
	dial   websocket.Dialer

	link  *eventLink     // of the event by which he comes; nil without
	greet func() error   // what he sends first on each socket
	sees  func(f *frame) // is given every frame as it is read
	wake  chan struct{}  // something is in the queue

	mu    sync.Mutex
	begin string // the log begins with the state of this game; "": with whatever comes
	conn  *websocket.Conn
	ended *websocket.Conn // was conn when it brought an error
	stuck chan struct{}   // until it is closed nothing is read; nil: everything is
	log   *judge.Log
	lastN uint64 // number of the last frame of the game
	queue []frame
}

// newPerson is a guest that comes from an address of his own where all servers are on this machine. People go to one node
// after the other, by turn.
func newPerson(r *run, number, turn int) *person {
	p := &person{run: r, turn: turn, node: r.nodes[turn%len(r.nodes)], wake: make(chan struct{}, 1)}
	d := &net.Dialer{Timeout: 10 * time.Second}
	if !slices.ContainsFunc(r.nodes, func(n *node) bool { return !n.loopback }) {
		d = source(number)
	}
	p.from(d)
	return p
}

// from is how the person's connections are made.
func (p *person) from(d *net.Dialer) {
	p.dialer = d
	transport := &http.Transport{DialContext: d.DialContext, DisableKeepAlives: true}
	p.http = &http.Client{Transport: transport, Timeout: 20 * time.Second}
	p.dial = websocket.Dialer{
		NetDialContext: d.DialContext, HandshakeTimeout: 20 * time.Second,
		ReadBufferSize: 1024, WriteBufferSize: 512, WriteBufferPool: &p.run.pool,
	}
}

// elsewhere sends the person to the next node, where there is one: his own does not answer.
func (p *person) elsewhere() {
	p.turn++
	p.node = p.run.nodes[p.turn%len(p.run.nodes)]
}

// arrive logs in and opens the first socket, at the next node where one does not answer.
func (p *person) arrive(ctx context.Context) error {
	for try := 1; ; try++ {
		err := p.enter(ctx)
		if err == nil || try == len(p.run.nodes) || ctx.Err() != nil {
			return err
		}
		p.run.lost("set-up: " + plainly(err))
		p.cut()
		p.elsewhere()
	}
}

func (p *person) enter(ctx context.Context) error {
	if err := p.login(ctx); err != nil {
		return err
	}
	if err := p.open(ctx); err != nil {
		return err
	}
	_, err := p.await(ctx, "hello", "", nil)
	return err
}

// guestForm is what somebody says to become a guest.
func guestForm(p *person) any {
	return struct {
		Token bool `json:"token"`
		*eventLink
	}{true, p.link}
}

// login becomes a guest.
func (p *person) login(ctx context.Context) error {
	form, err := json.Marshal(guestForm(p))
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.node.base+"/api/guest", bytes.NewReader(form))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := p.http.Do(req)
	if err != nil {
		return fmt.Errorf("log in: %w", err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 1<<16))
	if err != nil {
		return fmt.Errorf("log in: %w", err)
	}
	if resp.StatusCode != http.StatusCreated {
		return fmt.Errorf("log in: %s: %s", resp.Status, bytes.TrimSpace(body))
	}
	var who struct{ ID, Name, Token string }
	if err := json.Unmarshal(body, &who); err != nil {
		return fmt.Errorf("log in: %w", err)
	}
	if who.ID == "" || who.Token == "" {
		return errors.New("log in: the answer has no id or no token")
	}
	p.id, p.name, p.token = who.ID, who.Name, who.Token
	return nil
}

// open dials a socket and starts to read it.
func (p *person) open(ctx context.Context) error {
	address := "ws" + strings.TrimPrefix(p.node.base, "http") + "/ws" + p.link.query()
	conn, resp, err := p.dial.DialContext(ctx, address, http.Header{"Authorization": {"Bearer " + p.token}})
	if err != nil {
		if resp != nil {
			return fmt.Errorf("open a socket: %w (%s)", err, resp.Status)
		}
		return fmt.Errorf("open a socket: %w", err)
	}
	p.node.sockets.Add(1)
	p.mu.Lock()
	p.conn = conn
	p.note(judge.Entry{Kind: judge.Opened})
	p.mu.Unlock()
	p.run.readers.Add(1)
	go p.read(conn)
	if p.greet != nil {
		return p.greet()
	}
	return nil
}

// eventLink is the link of an event, as people open it.
type eventLink struct {
	Event string `json:"event"`
	Key   string `json:"key,omitempty"`
}

func (l *eventLink) query() string {
	if l == nil {
		return ""
	}
	v := url.Values{"event": {l.Event}}
	if l.Key != "" {
		v.Set("key", l.Key)
	}
	return "?" + v.Encode()
}

// key is the query of an address of the event itself.
func (l *eventLink) key() string {
	if l.Key == "" {
		return ""
	}
	return "?" + url.Values{"key": {l.Key}}.Encode()
}

// note adds to the log; mu is held.
func (p *person) note(e judge.Entry) {
	if p.log != nil {
		if e.At == 0 {
			e.At = p.run.now()
		}
		p.log.Entries = append(p.log.Entries, e)
	}
}

// read takes in everything the socket brings. What a dropped socket still brings was not received.
func (p *person) read(conn *websocket.Conn) {
	defer p.run.readers.Done()
	for {
		p.blocked()
		_, raw, err := conn.ReadMessage()
		f := frame{seen: time.Now(), gone: err}
		if err == nil {
			f.raw = raw
			if err := json.Unmarshal(raw, &f); err != nil {
				p.run.fail("a frame that is not JSON of the described form: %q", raw)
				continue
			}
		}
		p.mu.Lock()
		used := p.conn == conn
		if used {
			if err != nil {
				p.ended = conn
			}
			if err == nil && p.begun(&f) {
				p.note(judge.Entry{Kind: judge.Got, At: f.seen.Sub(p.run.began), Raw: raw})
			}
			if f.N > 0 && (f.T == "ev" || f.T == "state" || f.T == "joined") {
				p.lastN = f.N
			}
			if p.sees != nil {
				p.sees(&f)
			}
			p.queue = append(p.queue, f)
		}
		p.mu.Unlock()
		select {
		case p.wake <- struct{}{}:
		default:
		}
		if err != nil || !used {
			conn.Close()
			return
		}
	}
}

// begun tells whether a frame may be of the game that is logged: what is told of an event is not, nor what still came of the
// last game. mu is held.
func (p *person) begun(f *frame) bool {
	switch {
	case f.T == "event" || f.T == "entry":
		return false
	case p.begin == "":
	case f.T == "state" && f.Game == p.begin:
		p.begin = ""
	default:
		return f.T == "hold"
	}
	return true
}

// take removes everything that has come in.
func (p *person) take() []frame {
	p.mu.Lock()
	defer p.mu.Unlock()
	q := p.queue
	p.queue = nil
	return q
}

// send is sendDue of what is meant for now.
func (p *person) send(m wire.ClientMessage) error { return p.sendDue(m, time.Now()) }

// sendDue writes one command and logs it with the moment before the write, and that for which it was meant.
func (p *person) sendDue(m wire.ClientMessage, due time.Time) error {
	raw, err := json.Marshal(m)
	if err != nil {
		return err
	}
	p.mu.Lock()
	conn := p.conn
	p.note(judge.Entry{Kind: judge.Sent, Msg: m, Due: due.Sub(p.run.began)})
	p.mu.Unlock()
	if conn == nil {
		return errors.New("no socket")
	}
	if err := conn.SetWriteDeadline(time.Now().Add(5 * time.Second)); err != nil {
		return err
	}
	return conn.WriteMessage(websocket.TextMessage, raw)
}

// cut drops the socket without a word, as a lost network does.
func (p *person) cut() {
	p.mu.Lock()
	conn := p.conn
	p.conn = nil
	p.note(judge.Entry{Kind: judge.Cut})
	p.mu.Unlock()
	if conn != nil {
		conn.NetConn().Close()
	}
}

// leave closes the socket in good order.
func (p *person) leave() {
	p.mu.Lock()
	conn := p.conn
	p.conn = nil
	p.mu.Unlock()
	if conn != nil {
		deadline := time.Now().Add(time.Second)
		_ = conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseNormalClosure, ""), deadline)
		conn.Close()
	}
}

// await hands frames to each until one has the wanted t, and returns that one. An error frame for id ends it.
func (p *person) await(ctx context.Context, t, id string, each func(*frame)) (frame, error) {
	for {
		frames := p.take()
		for i := range frames {
			f := &frames[i]
			switch {
			case f.gone != nil:
				return frame{}, fmt.Errorf("the socket closed before %s came: %w", t, f.gone)
			case f.T == "err" && f.ID == id && id != "":
				return frame{}, fmt.Errorf("%s: %s", f.Code, f.Msg)
			case f.T == t:
				p.putBack(frames[i+1:])
				return *f, nil
			case each != nil:
				each(f)
			}
		}
		select {
		case <-ctx.Done():
			return frame{}, fmt.Errorf("no %s came: %w", t, ctx.Err())
		case <-p.wake:
		}
	}
}

func (p *person) putBack(frames []frame) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.queue = append(frames[:len(frames):len(frames)], p.queue...)
	if len(p.queue) > 0 {
		select {
		case p.wake <- struct{}{}:
		default:
		}
	}
}
