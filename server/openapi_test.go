package main

import (
	"bytes"
	"io"
	"net/http"
	"path/filepath"
	"testing"

	"flagfall/server/edge"
	"flagfall/server/edge/apitest"
	"flagfall/server/store"
	"flagfall/server/wire"
	"flagfall/server/wire/client"
)

// The answers of a server with games in it are those of its published description, which it serves.
func TestAnswersDescribed(t *testing.T) {
	data := t.TempDir()
	p := start(t, data)
	checker, err := apitest.New(edge.OpenAPI)
	if err != nil {
		t.Fatal(err)
	}
	ask := func(path string, status int, headers ...string) []byte {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(headers); i += 2 {
			req.Header.Set(headers[i], headers[i+1])
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		if err := checker.Answer(req, res, body); err != nil || res.StatusCode != status {
			t.Errorf("%s: %d, %v", path, res.StatusCode, err)
		}
		return body
	}
	if !bytes.Equal(ask("/openapi.yaml", 200), edge.OpenAPI) {
		t.Error("another description is served")
	}
	for _, path := range []string{"/", "/practice", "/login", "/register", "/reset", "/account", "/live", "/games", "/leaders", "/people", "/g/x", "/i/x", "/rules", "/rules/wbca", "/rules/rules.css",
		"/api/rules", "/api/rules/fide", "/asyncapi.yaml", "/api/games", "/api/archive", "/api/leaders", "/api/search?name=ju"} {
		ask(path, 200)
	}
	for _, path := range []string{"/api/games/none", "/api/games/none/pgn", "/api/invites/none", "/api/rules/none", "/assets/none.js", "/api/people/none"} {
		ask(path, 404)
	}
	host := p.guest(t)
	for i, terms := range []wire.ClientMessage{
		{Base: 180_000, Mode: "board"}, {Base: 60_000, Mode: "fast", Rules: "fide", Timing: "increment", Each: 2000},
	} {
		terms.T, terms.Color = "invite", "random"
		host.do(terms)
		invite := host.expect("invited").Body.(*wire.Invited).Invite
		ask("/api/invites/"+invite, 200)
		if i > 0 {
			continue
		}
		host.do(wire.ClientMessage{T: "cancel"})
		host.expect("idle")
	}
	white, black, game := p.pairFor(t, wire.ClientMessage{Base: 60_000, Mode: "board", Rules: "uscf", Timing: "delay", Each: 2000})
	begin(white, black, game)
	play(white, black, "e2e4", "e7e5")
	ask("/api/games", 200)
	ask("/api/games/"+game, 200)
	ask("/api/games/"+game+"/pgn", 409)
	white.do(wire.ClientMessage{T: "resign"})
	black.event("end")
	ask("/api/games/"+game, 200)
	ask("/api/games/"+game+"/pgn", 200)
	var member client.Guest
	if err := p.Post(t.Context(), white.guest.Token, "/api/register", map[string]any{"name": "Judit", "password": "correct horse", "token": true}, &member); err != nil {
		t.Fatal(err)
	}
	archive, err := store.Open(t.Context(), filepath.Join(data, "flagfall.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	within(t, "the game comes to the archive", func() bool {
		_, err := archive.Game(t.Context(), game)
		return err == nil
	})
	if body := ask("/api/account/export", 200, "Authorization", "Bearer "+member.Token); !bytes.Contains(body, []byte(`"id":"`+game+`"`)) {
		t.Errorf("the game is not in what she takes with her: %s", body)
	}
	for _, path := range []string{"/people/Judit", "/people/Judit/games", "/api/people/judit", "/api/people/judit/games", "/api/people/judit/pgn",
		"/api/people/judit/opponents", "/api/people/judit/ratings", "/api/search?name=ju", "/api/archive", "/api/archive/pgn"} {
		ask(path, 200)
	}
	ask("/api/account", 200, "Authorization", "Bearer "+member.Token)
}
