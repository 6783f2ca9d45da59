package main

import (
	"bytes"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"flagfall/server/store"
	"flagfall/server/store/pgtest"
	"flagfall/server/wire"
	"flagfall/server/wire/client"
)

// command runs the program as a command about accounts.
func command(t *testing.T, args ...string) (out, errs string, status int) {
	t.Helper()
	var o, e bytes.Buffer
	status = run(t.Context(), append([]string{"admin"}, args...), nil, &o, &e)
	return o.String(), e.String(), status
}

// login logs somebody in at a server.
func (p *program) login(t *testing.T, name, password string) (client.Guest, error) {
	t.Helper()
	var g client.Guest
	err := p.Post(t.Context(), "", "/api/login", map[string]any{"name": name, "password": password, "token": true}, &g)
	return g, err
}

// The first administrator is made on the command line, beside a running server; what is closed there is closed on every
// node, on SQLite and PostgreSQL.
func TestAdmin(t *testing.T) {
	for _, kind := range []string{"SQLite", "PostgreSQL"} {
		t.Run(kind, func(t *testing.T) {
			data := t.TempDir()
			where := []string{"-data", data, "-url", "http://hall.example"}
			var nodes []*program
			if kind == "PostgreSQL" {
				where = append(where, "-db", pgtest.Start(t).Database(t))
				nodes = append(nodes, start(t, t.TempDir(), where[2:]...))
			}
			p := start(t, data, where[2:]...)
			nodes = append(nodes, p)
			say := func(want string, words ...string) string {
				t.Helper()
				out, errs, status := command(t, append(where, words...)...)
				if status != 0 || errs != "" || !strings.Contains(out, want) {
					t.Fatalf("%v: status %d, said %q and %q, want %q", words, status, out, errs, want)
				}
				return out
			}
			out := say("http://hall.example/reset#", "create", "Judit Polgar")
			say("Judit Polgar is administrator now.", "grant", "judit polgar", "administrator")
			code := strings.TrimPrefix(strings.Fields(out)[0], "http://hall.example/reset#")
			const password = "correct horse"
			if err := p.Post(t.Context(), "", "/api/reset", map[string]any{"code": code, "password": password}, nil); err != nil {
				t.Fatal(err)
			}
			judit, err := p.login(t, "Judit Polgar", password)
			if err != nil {
				t.Fatal(err)
			}
			var sofia client.Guest
			if err := p.Post(t.Context(), "", "/api/register", map[string]any{"name": "Sofia", "password": password, "token": true}, &sofia); err != nil {
				t.Fatal(err)
			}
			var people struct {
				People []struct{ Name, Role string }
			}
			if err := p.Get(t.Context(), judit.Token, "/api/admin/people", &people); err != nil || fmt.Sprint(people.People) != "[{Judit Polgar administrator} {Sofia player}]" {
				t.Errorf("people %v, %v", people, err)
			}
			list := say("Sofia", "list")
			if !strings.Contains(list, "Judit Polgar             administrator") || strings.Contains(list, "closed") {
				t.Errorf("list %q", list)
			}
			say("The account of Sofia is closed now.", "close", "Sofia")
			for _, node := range nodes {
				within(t, "the closing reaches every node", func() bool { return !node.isGood(t, sofia.Token) })
				if !node.isGood(t, judit.Token) {
					t.Error("somebody else is out")
				}
				if _, err := node.login(t, "Sofia", password); err == nil || !strings.Contains(err.Error(), wire.CodeAccountClosed) {
					t.Errorf("log in: %v", err)
				}
			}
			say("closed 2", "list")
			say("The account of Sofia is open now.", "open", "Sofia")
			if _, err := nodes[0].login(t, "Sofia", password); err != nil {
				t.Error(err)
			}
			for want, words := range map[string][]string{
				"want one of: list, create NAME": nil, `"sing": want one of`: {"sing"}, "want: admin grant NAME ROLE": {"grant", "Sofia"},
				`there is no account "Maria"`: {"reset", "Maria"}, `"king": want one of [player organiser arbiter administrator]`: {"grant", "Sofia", "king"},
				"no administrator left": {"close", "Judit Polgar"}, "somebody has this name": {"create", "S0fia"}, "is reserved": {"create", "Admin"},
			} {
				out, errs, status := command(t, append(where, words...)...)
				if status != 1 || out != "" || !strings.Contains(errs, want) || strings.Count(errs, "\n") != 1 {
					t.Errorf("%v: status %d, said %q and %q, want one line with %q", words, status, out, errs, want)
				}
			}
		})
	}
	if _, errs, status := command(t, "-data", t.TempDir(), "list"); status != 1 || !strings.Contains(errs, "there is no database here yet") {
		t.Errorf("without a database: %d %q", status, errs)
	}
}

// A guest who registers in the middle of a game plays on with his new token: same person, same seat, no clock and no move
// lost; so does who logs out everywhere and in again.
func TestRegisterInAGame(t *testing.T) {
	data := t.TempDir()
	p := start(t, data)
	white, black, game := p.pair(t, 300_000, "board")
	begin(white, black, game)
	play(white, black, "e2e4")
	var member client.Guest
	if err := p.Post(t.Context(), black.guest.Token, "/api/register", map[string]any{"name": "Judit", "password": "correct horse", "token": true}, &member); err != nil {
		t.Fatal(err)
	}
	again := func(who client.Guest) {
		t.Helper()
		if code := client.CloseCode(<-black.closed); code != wire.CloseToken {
			t.Fatalf("close code %d, want %d", code, wire.CloseToken)
		}
		black.guest = who
		black.connect()
		if state := black.join(game); state.You != "b" || len(state.Moves) == 0 {
			t.Fatalf("back at the table: %+v", state)
		}
	}
	again(member)
	play(black, white, "e7e5")
	if err := p.Post(t.Context(), black.guest.Token, "/api/logout/everywhere", nil, nil); err != nil {
		t.Fatal(err)
	}
	member, err := p.login(t, "Judit", "correct horse")
	if err != nil {
		t.Fatal(err)
	}
	again(member)
	play(white, black, "f1c4", "b8c6", "d1h5", "g8f6")
	white.move("h5f7") // mate
	if end := black.event("end"); end.End == nil || end.End.Result != "1-0" {
		t.Errorf("the end is %+v", end)
	}
	var export struct {
		Games []struct {
			ID           string
			White, Black struct{ ID, Name string }
			Result       string
		}
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
	if err := p.Get(t.Context(), member.Token, "/api/account/export", &export); err != nil || len(export.Games) != 1 {
		t.Fatalf("export %+v, %v", export, err)
	}
	if g := export.Games[0]; g.ID != game || g.Black.ID != member.ID || g.Result != "1-0" {
		t.Errorf("exported %+v", g)
	}
	if err := p.Post(t.Context(), member.Token, "/api/account/delete", map[string]any{"password": "correct horse"}, nil); err != nil {
		t.Fatal(err)
	}
	within(t, "his name is gone from the game", func() bool {
		res, err := http.Get(p.URL + "/api/games/" + game + "/pgn")
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		var pgn bytes.Buffer
		if _, err := pgn.ReadFrom(res.Body); err != nil {
			t.Fatal(err)
		}
		return strings.Contains(pgn.String(), `[Black "deleted"]`)
	})
}
