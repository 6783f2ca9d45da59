package main

import (
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"flagfall/server/store/pgtest"
	"flagfall/server/wire"
	"flagfall/server/wire/client"
)

// startNode runs a server that has one public address with others.
func startNode(t *testing.T, data string, args ...string) *program {
	t.Helper()
	return start(t, data, append([]string{"-url", "http://hall.example"}, args...)...)
}

// isGood tells whether a server takes a token.
func (p *program) isGood(t *testing.T, token string) bool {
	t.Helper()
	var me struct{ ID string }
	err := p.Get(t.Context(), token, "/api/me", &me)
	var problem *client.Problem
	if err != nil && (!errors.As(err, &problem) || problem.Status != http.StatusUnauthorized) {
		t.Fatal(err)
	}
	return err == nil
}

// A token that one node has made is good on every node over the same PostgreSQL, one of before there was a PostgreSQL
// too; who logs out on one is out on all. With the database away, tokens are checked as before.
func TestNodesShareTokens(t *testing.T) {
	server := pgtest.Start(t)
	database, data, data2 := server.Database(t), t.TempDir(), t.TempDir()
	alone := startNode(t, data)
	old, err := alone.NewGuest(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	alone.stop()
	a := startNode(t, data, "-db", database)
	b := startNode(t, data2, "-db", database)
	made := b.guest(t) // with a socket there
	for name, token := range map[string]string{"of before": old.Token, "made by b": made.guest.Token} {
		if !a.isGood(t, token) || !b.isGood(t, token) {
			t.Errorf("%s: good for a %v, for b %v", name, a.isGood(t, token), b.isGood(t, token))
		}
	}
	for _, path := range []string{filepath.Join(data, "keys.json"), filepath.Join(data2, "keys.json")} {
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", path, err)
		}
	}

	began := time.Now()
	if err := a.Logout(t.Context(), made.guest.Token); err != nil {
		t.Fatal(err)
	}
	if a.isGood(t, made.guest.Token) {
		t.Error("good where it was ended")
	}
	select {
	case err := <-made.closed:
		if client.CloseCode(err) != wire.CloseToken {
			t.Errorf("the socket at the other node: %v, want close code %d", err, wire.CloseToken)
		}
		t.Logf("the socket at the other node was closed after %v", time.Since(began))
	case <-time.After(10 * time.Second):
		t.Error("the socket at the other node is open after 10 s")
	}
	if b.isGood(t, made.guest.Token) {
		t.Error("good at the other node")
	}

	server.Stop(t)
	if !a.isGood(t, old.Token) || !b.isGood(t, old.Token) || b.isGood(t, made.guest.Token) {
		t.Error("with the database away tokens are judged otherwise")
	}
	unavailable(t, "a log-out", a.Logout(t.Context(), old.Token))
	server.Restart(t)
	within(t, "the log-out", func() bool { return a.Logout(t.Context(), old.Token) == nil })
	within(t, "it reaches the other node", func() bool { return !b.isGood(t, old.Token) })
}

// Who has logged out stays so when the server is started again.
func TestLogoutStays(t *testing.T) {
	data := t.TempDir()
	p := startNode(t, data)
	guest, err := p.NewGuest(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	other, err := p.NewGuest(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Logout(t.Context(), guest.Token); err != nil {
		t.Fatal(err)
	}
	p.stop()
	p = startNode(t, data)
	if p.isGood(t, guest.Token) || !p.isGood(t, other.Token) {
		t.Errorf("after a restart: who logged out is known %v, who did not %v", p.isGood(t, guest.Token), p.isGood(t, other.Token))
	}
}
