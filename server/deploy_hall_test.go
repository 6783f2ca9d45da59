//go:build linux

package main

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"flagfall/server/wire"
	"flagfall/server/wire/client"
)

// Two people whom Caddy sends to different nodes play with one another; one of the nodes is killed, and they play on.
func TestDeploymentIsOneHall(t *testing.T) {
	s := openStreet(t)
	s.open("node1")
	s.open("node2")
	s.openCaddy()
	hall := &program{Server: client.Server{URL: s.url}}
	white, black := hall.guest(t), hall.guest(t)
	for _, target := range s.d.prometheus {
		if _, text, err := get("http://" + s.moved.Replace(target) + "/metrics"); err != nil || !strings.Contains(text, "\nflagfall_sockets 1\n") {
			t.Fatalf("%s has not one of two sockets: %v", target, err)
		}
	}
	game := seat(white, black, wire.ClientMessage{Base: 180000, Mode: "board"})
	begin(white, black, game)
	play(white, black, "e2e4", "e7e5", "g1f3")

	if err := s.running["node1"].Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for _, who := range []*somebody{white, black} {
		eventually(t, func() error {
			who.connect() // whichever node he was at; a socket whose table moves is sent away once more
			state, err := who.comeBack(game)
			if err == nil && len(state.Moves) != 3 {
				err = fmt.Errorf("the game has %d moves", len(state.Moves))
			}
			return err
		})
	}
	black.move("b8c6")
	black.press()
	white.event("press")
	play(white, black, "f1b5")
}

// comeBack joins a game whose node may be gone: the answer is a state, or that it is to be tried again.
func (s *somebody) comeBack(game string) (*wire.State, error) {
	s.do(wire.ClientMessage{T: "join", Game: game})
	timeout := time.After(patience)
	for {
		select {
		case frame, open := <-s.frames:
			if !open {
				return nil, errors.New("the socket ended")
			}
			switch body := frame.Body.(type) {
			case *wire.State:
				return body, s.conn.Send(wire.ClientMessage{T: "here", Visible: true})
			case *wire.Error:
				return nil, errors.New(body.Msg)
			}
		case <-timeout:
			return nil, errors.New("no answer")
		}
	}
}
