package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"flagfall/server/wire"
	"flagfall/server/wire/client"
)

// writeBuffers are shared by all driven sockets.
var writeBuffers sync.Pool

// relayTarget starts a relay.
func relayTarget(ctx context.Context) (*target, error) {
	p, err := startRelay(ctx)
	if err != nil {
		return nil, err
	}
	connect := func(ctx context.Context, number int) (*websocket.Conn, *websocket.Conn, error) {
		var ws [2]*websocket.Conn
		for i := range ws {
			var err error
			dialer := dialerOf(2*number + i)
			if ws[i], _, err = dialer.DialContext(ctx, fmt.Sprintf("ws://%s/?table=%d", p.addr, number), nil); err != nil {
				if i == 1 {
					ws[0].Close()
				}
				return nil, nil, err
			}
		}
		return ws[0], ws[1], nil
	}
	return &target{name: "relay", pids: []int{p.cmd.Process.Pid}, connect: connect, stop: p.stop, pairing: &histogram{}}, nil
}

// serverTarget starts a server.
func serverTarget(ctx context.Context, binary, mode string) (*target, error) {
	dir, err := os.MkdirTemp("", "flagfall-loadtest-")
	if err != nil {
		return nil, err
	}
	s, err := launch(ctx, binary, dir)
	if err != nil {
		return nil, err
	}
	return seatingTarget("server", mode, []*server{s}, s.stop), nil
}

// seatingTarget is servers of one hall. The players of a game come to one after the other: Whites of even numbers to the
// first, Blacks to the second, and the next game's the other way round.
func seatingTarget(name, mode string, servers []*server, stop func()) *target {
	t := &target{name: name, stop: stop, pairing: &histogram{}, base: servers[0].base, seen: map[int]admission{}}
	for _, s := range servers {
		t.pids = append(t.pids, s.cmd.Process.Pid)
	}
	t.connect = func(ctx context.Context, number int) (white, black *websocket.Conn, err error) {
		var bases [2]string
		for i := range bases {
			bases[i] = servers[(number+i)%len(servers)].base
		}
		white, black, admitted, err := seatAtServer(ctx, bases, mode, number, t.pairing)
		t.mu.Lock()
		defer t.mu.Unlock()
		t.seen[number] = admitted
		return white, black, err
	}
	return t
}

// source is the address that a person comes from, each from one of his own: limits by address are not what is measured.
func source(number int) *net.Dialer {
	n := number + 1
	ip := net.IPv4(127, byte(1+n>>16&0x7f), byte(n>>8), byte(n))
	return &net.Dialer{Timeout: 10 * time.Second, LocalAddr: &net.TCPAddr{IP: ip}}
}

func dialerOf(number int) *websocket.Dialer {
	return &websocket.Dialer{
		NetDialContext: source(number).DialContext, HandshakeTimeout: 20 * time.Second,
		ReadBufferSize: 512, WriteBufferSize: 512, WriteBufferPool: &writeBuffers,
	}
}

// longest is the base time of a driven game, in ms: nobody's flag falls.
const longest = 10_800_000

// seatAtServer makes two guests, each at his server, pairs them by an invitation and waits until White's clock runs.
func seatAtServer(ctx context.Context, bases [2]string, mode string, number int, pairing *histogram) (white, black *websocket.Conn, in admission, err error) {
	var ws [2]*websocket.Conn
	defer func() {
		if err != nil {
			for _, c := range ws {
				if c != nil {
					c.Close()
				}
			}
		}
	}()
	for i := range ws {
		if ws[i], in.tokens[i], err = openSocket(ctx, bases[i], 2*number+i); err != nil {
			return nil, nil, in, err
		}
	}
	began := time.Now()
	if in.game, err = inviteAndAccept(ws, mode); err != nil {
		return nil, nil, in, err
	}
	pairing.record(time.Since(began))
	return ws[0], ws[1], in, sitDown(ws, in.game)
}

// openSocket makes a guest and opens his socket, up to the hello. Reads have a deadline then.
func openSocket(ctx context.Context, base string, number int) (ws *websocket.Conn, token string, err error) {
	s := client.Server{URL: base, HTTP: &http.Client{
		Timeout: 20 * time.Second, Transport: &http.Transport{DialContext: source(number).DialContext, DisableKeepAlives: true},
	}}
	guest, err := s.NewGuest(ctx)
	if err != nil {
		return nil, "", err
	}
	if ws, err = dialAs(ctx, base, guest.Token, number); err != nil {
		return nil, "", err
	}
	if err = ws.SetReadDeadline(time.Now().Add(30 * time.Second)); err == nil {
		_, err = awaitFrame(ws, "hello")
	}
	if err != nil {
		ws.Close()
		return nil, "", err
	}
	return ws, guest.Token, nil
}

// dialAs opens a socket of the owner of a token.
func dialAs(ctx context.Context, base, token string, number int) (*websocket.Conn, error) {
	url := "ws" + strings.TrimPrefix(base, "http") + "/ws"
	ws, resp, err := dialerOf(number).DialContext(ctx, url, http.Header{"Authorization": {"Bearer " + token}})
	if err != nil && resp != nil {
		err = &refusedHandshake{resp.StatusCode, err}
	}
	return ws, err
}

// refusedHandshake is an answer to a handshake that opened no socket.
type refusedHandshake struct {
	status int
	err    error
}

func (e *refusedHandshake) Error() string { return fmt.Sprintf("HTTP %d: %v", e.status, e.err) }
func (e *refusedHandshake) Unwrap() error { return e.err }

func inviteAndAccept(ws [2]*websocket.Conn, mode string) (game string, err error) {
	invite := wire.ClientMessage{T: "invite", ID: "invite", Base: longest, Mode: mode, Color: "white"}
	if err := tell(ws[0], invite); err != nil {
		return "", err
	}
	f, err := awaitFrame(ws[0], "invited")
	if err != nil {
		return "", err
	}
	if err := tell(ws[1], wire.ClientMessage{T: "accept", ID: "accept", Invite: f.Invite}); err != nil {
		return "", err
	}
	for _, c := range ws {
		if f, err = awaitFrame(c, "paired"); err != nil {
			return "", err
		}
	}
	return f.Game, nil
}

// sitDown joins both players and waits for the start.
func sitDown(ws [2]*websocket.Conn, game string) error {
	for _, c := range ws {
		if err := tell(c, wire.ClientMessage{T: "join", ID: "join", Game: game}); err != nil {
			return err
		}
		if _, err := awaitFrame(c, "state"); err != nil {
			return err
		}
		if err := tell(c, wire.ClientMessage{T: "here", Visible: true}); err != nil {
			return err
		}
	}
	for _, c := range ws {
		for started := false; !started; {
			f, err := awaitFrame(c, "ev")
			if err != nil {
				return err
			}
			for _, e := range f.E {
				started = started || e.K == "start"
			}
		}
		if err := c.SetReadDeadline(time.Time{}); err != nil {
			return err
		}
	}
	return nil
}

func tell(ws *websocket.Conn, m wire.ClientMessage) error {
	return ws.WriteMessage(websocket.TextMessage, wire.Encode(m))
}

// awaitFrame reads until a frame of the kind t comes.
func awaitFrame(ws *websocket.Conn, t string) (frame, error) {
	for {
		var f frame
		if err := ws.ReadJSON(&f); err != nil {
			return f, fmt.Errorf("no %s came: %w", t, err)
		}
		switch f.T {
		case t:
			return f, nil
		case "err":
			return f, fmt.Errorf("no %s came: %s: %s", t, f.Code, f.Msg)
		}
	}
}
