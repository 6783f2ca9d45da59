package main

import (
	"bufio"
	"context"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"flagfall/server/wire"
	"flagfall/server/wire/client"
)

// patience bounds every wait of these tests.
const patience = 20 * time.Second

// program is the whole server, run as main runs it, in this process.
type program struct {
	client.Server
	operators string // address of the operators' listener, "" without -ops
	stop      func() int
}

// start runs the server over a data folder and waits until it says where it listens.
func start(t *testing.T, data string, args ...string) *program {
	t.Helper()
	return startLogging(t, os.Stderr, data, args...)
}

func startLogging(t *testing.T, log io.Writer, data string, args ...string) *program {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	out, in := io.Pipe()
	status := make(chan int, 1)
	go func() {
		code := run(ctx, append([]string{"-addr", "127.0.0.1:0", "-data", data, "-log", "error"}, args...), nil, in, log)
		in.Close()
		status <- code
	}()
	lines := bufio.NewReader(out)
	line, err := lines.ReadString('\n')
	if err != nil {
		t.Fatalf("the server did not start: %v, status %d", err, <-status)
	}
	p := &program{stop: func() int { cancel(); code := <-status; status <- code; return code }}
	at, _, public := strings.Cut(strings.TrimSpace(strings.TrimPrefix(line, "Flagfall listens on ")), " for ")
	if public { // where people find it is elsewhere
		at = "http://" + at
	}
	p.URL = strings.Replace(at, "localhost", "127.0.0.1", 1)
	t.Cleanup(func() { p.stop() })
	if slices.Contains(args, "-ops") {
		line, err := lines.ReadString('\n')
		url, found := strings.CutPrefix(strings.TrimSpace(line), "Flagfall listens for operators on ")
		if !found {
			t.Fatalf("the server does not say where operators find it: %q, %v", line, err)
		}
		p.operators = url
	}
	return p
}

// somebody is a guest with one socket.
type somebody struct {
	t      *testing.T
	server client.Server
	guest  client.Guest
	conn   *client.Conn
	frames chan client.Frame
	closed chan error
	seen   []client.Frame
	ply    int // index of the own next move
}

func (p *program) guest(t *testing.T) *somebody {
	t.Helper()
	guest, err := p.NewGuest(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s := &somebody{t: t, server: p.Server, guest: guest}
	s.connect()
	return s
}

func (s *somebody) connect() {
	s.t.Helper()
	conn, err := s.server.Connect(context.Background(), s.guest.Token)
	if err != nil {
		s.t.Fatal(err)
	}
	s.conn, s.frames, s.closed = conn, make(chan client.Frame, 1024), make(chan error, 1)
	go receive(conn, s.frames, s.closed)
	s.t.Cleanup(func() { _ = conn.Cut() })
	s.expect("hello")
}

func receive(conn *client.Conn, frames chan<- client.Frame, closed chan<- error) {
	for {
		frame, err := conn.Receive()
		if err != nil {
			closed <- err
			close(frames)
			return
		}
		frames <- frame
	}
}

// expect returns the next frame of a type; those before it are kept in seen.
func (s *somebody) expect(kind string) client.Frame {
	s.t.Helper()
	return s.until(kind, func(client.Frame) bool { return true })
}

func (s *somebody) until(what string, is func(client.Frame) bool) client.Frame {
	s.t.Helper()
	timeout := time.After(patience)
	for {
		select {
		case frame, open := <-s.frames:
			if !open {
				s.t.Fatalf("%s: the socket ended while waiting for %s: %v; last frames: %s", s.guest.Name, what, <-s.closed, s.last())
			}
			s.seen = append(s.seen, frame)
			if (frame.T == what || what == "event") && is(frame) {
				return frame
			}
		case <-timeout:
			s.t.Fatalf("%s: no %s; last frames: %s", s.guest.Name, what, s.last())
		}
	}
}

func (s *somebody) last() string {
	var out strings.Builder
	for _, f := range s.seen[max(0, len(s.seen)-6):] {
		out.WriteString("\n  ")
		out.Write(f.Raw)
	}
	return out.String()
}

// event waits for an event of a kind.
func (s *somebody) event(kind string) wire.Event {
	s.t.Helper()
	var found wire.Event
	s.until("ev", func(f client.Frame) bool {
		for _, e := range f.Body.(*wire.Events).E {
			if e.K == kind {
				found = e
				return true
			}
		}
		return false
	})
	return found
}

func (s *somebody) do(m wire.ClientMessage) string {
	s.t.Helper()
	id, err := s.conn.Do(m)
	if err != nil {
		s.t.Fatalf("%s: %v", s.guest.Name, err)
	}
	return id
}

// join takes the place at a table, with the page in front.
func (s *somebody) join(game string) *wire.State {
	s.t.Helper()
	s.do(wire.ClientMessage{T: "join", Game: game})
	state := s.expect("state").Body.(*wire.State)
	if state.You != "" && state.Phase != "over" {
		s.conn.Send(wire.ClientMessage{T: "here", Visible: true})
	}
	return state
}

func (s *somebody) move(m string) {
	s.t.Helper()
	ply := s.ply
	s.do(wire.ClientMessage{T: "move", Move: m, Ply: &ply})
}

func (s *somebody) press() {
	s.t.Helper()
	ply := s.ply
	s.ply += 2
	s.do(wire.ClientMessage{T: "press", Ply: &ply})
}

func (s *somebody) claim(c string) {
	s.t.Helper()
	s.do(wire.ClientMessage{T: "claim", Claim: c})
}

// refused waits for the answer to a command that is not done.
func (s *somebody) refused(code string) {
	s.t.Helper()
	frame := s.expect("err").Body.(*wire.Error)
	if frame.Code != code || frame.Msg == "" {
		s.t.Fatalf("%s: refused with %q (%s), want %q", s.guest.Name, frame.Code, frame.Msg, code)
	}
}

// pair seats two guests by an invitation: the inviter has White.
func (p *program) pair(t *testing.T, base int64, mode string) (white, black *somebody, game string) {
	t.Helper()
	return p.pairFor(t, wire.ClientMessage{Base: base, Mode: mode})
}

// pairFor seats two guests for a game on the terms of the message.
func (p *program) pairFor(t *testing.T, terms wire.ClientMessage) (white, black *somebody, game string) {
	t.Helper()
	white, black = p.guest(t), p.guest(t)
	return white, black, seat(white, black, terms)
}

func seat(white, black *somebody, terms wire.ClientMessage) string {
	white.t.Helper()
	terms.T, terms.Color = "invite", "white"
	white.do(terms)
	invited := white.expect("invited").Body.(*wire.Invited)
	black.do(wire.ClientMessage{T: "accept", Invite: invited.Invite})
	game := white.expect("paired").Body.(*wire.Paired)
	if other := black.expect("paired").Body.(*wire.Paired); other.Game != game.Game || game.Color != "w" || other.Color != "b" {
		white.t.Fatalf("paired %+v and %+v", game, other)
	}
	return game.Game
}

// begin lets both join and waits for White's clock.
func begin(white, black *somebody, game string) {
	white.t.Helper()
	white.join(game)
	black.join(game)
	white.ply, black.ply = 0, 1
	white.event("start")
	black.event("start")
}

// play makes completed moves in board mode, White first, and waits until both have seen each press.
func play(white, black *somebody, moves ...string) {
	white.t.Helper()
	sides := [2]*somebody{white, black}
	for i, m := range moves {
		sides[i%2].move(m)
		sides[i%2].press()
		white.event("press")
		black.event("press")
	}
}
