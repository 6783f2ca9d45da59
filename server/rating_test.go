package main

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"flagfall/server/account"
	"flagfall/server/store"
	"flagfall/server/table"
	"flagfall/server/wire"
	"flagfall/server/wire/client"
)

// member is somebody with an account, as far as tokens and people are concerned.
func (p *program) member(t *testing.T, data, id, name string) *somebody {
	t.Helper()
	keys, err := account.OpenKeys(t.Context(), account.KeysConfig{Store: account.NewKeyFile(filepath.Join(data, "keys.json")), Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer keys.Close()
	tokens, err := account.NewTokens(account.Config{Keys: keys, Audience: strings.Replace(p.URL, "127.0.0.1", "localhost", 1)})
	if err != nil {
		t.Fatal(err)
	}
	session, err := tokens.Issue(account.Person{ID: id, Name: name})
	if err != nil {
		t.Fatal(err)
	}
	db, err := store.Open(t.Context(), filepath.Join(data, "flagfall.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.SavePerson(t.Context(), store.Person{ID: id, Name: name, Created: session.Issued, LastSeen: session.Issued}); err != nil {
		t.Fatal(err)
	}
	s := &somebody{t: t, server: p.Server, guest: client.Guest{ID: id, Name: name, Token: session.Token}}
	s.connect()
	return s
}

type profile struct {
	Ratings []struct {
		Kind        string
		Rating      int
		Games       int
		Provisional bool
	}
	Record []struct {
		Rules            string
		Rated            bool
		Won, Drawn, Lost int
	}
}

func (p *program) profile(t *testing.T, name string) (one profile) {
	t.Helper()
	if err := p.Get(t.Context(), "", "/api/people/"+name, &one); err != nil {
		t.Fatal(err)
	}
	return one
}

// archived waits until a game is in the archive.
func (p *program) archived(t *testing.T, name string, games int) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for {
		var list struct{ Games []struct{ Game string } }
		if err := p.Get(t.Context(), "", "/api/people/"+name+"/games", &list); err != nil {
			t.Fatal(err)
		}
		if len(list.Games) == games {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d games, want %d", len(list.Games), games)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// A game between two accounts is rated once it is in the archive; one with a guest is not. A corrected result takes the ratings
// with it, and is what everybody is shown from then on.
func TestRatedGame(t *testing.T) {
	data := t.TempDir()
	p := start(t, data)
	ann, bob := p.member(t, data, "AAAAAAAAAAAAAAAA", "Ann"), p.member(t, data, "BBBBBBBBBBBBBBBB", "Bob")
	id := seat(ann, bob, wire.ClientMessage{Base: 300000, Mode: "board"})
	begin(ann, bob, id)
	watcher := p.guest(t)
	if s := watcher.join(id); !s.Counts || !s.Rated {
		t.Errorf("the game is shown as unrated: %+v", s)
	}
	play(ann, bob, "e2e4", "e7e5")
	if one := p.profile(t, "Ann"); len(one.Ratings) != 0 || len(one.Record) != 0 {
		t.Errorf("while the game runs: %+v", one)
	}
	bob.do(wire.ClientMessage{T: "resign"})
	ended(t, ann, "1-0", "resignation", "WBCA 7b")
	p.archived(t, "Ann", 1)
	one, other := p.profile(t, "Ann"), p.profile(t, "Bob")
	if len(one.Ratings) != 1 || one.Ratings[0].Kind != "wbca" || one.Ratings[0].Rating != 1662 || !one.Ratings[0].Provisional || one.Record[0].Won != 1 {
		t.Errorf("Ann %+v", one)
	}
	if len(other.Ratings) != 1 || other.Ratings[0].Rating != 1338 || other.Record[0].Lost != 1 {
		t.Errorf("Bob %+v", other)
	}

	guest := p.guest(t)
	casual := seat(ann, guest, wire.ClientMessage{Base: 300000, Mode: "board"})
	begin(ann, guest, casual)
	play(ann, guest, "e2e4", "e7e5")
	guest.do(wire.ClientMessage{T: "resign"})
	ended(t, ann, "1-0", "resignation", "WBCA 7b")
	p.archived(t, "Ann", 2)
	if now := p.profile(t, "Ann"); len(now.Ratings) != 1 || now.Ratings[0].Games != 1 || len(now.Record) != 2 {
		t.Errorf("after a game with a guest: %+v", now)
	}

	var out, errs bytes.Buffer
	if status := run(t.Context(), []string{"correct", "-data", data, id, "0-1", "Ada", "a wrong seat"}, nil, &out, &errs); status != 0 || errs.Len() > 0 {
		t.Fatalf("status %d: %s%s", status, out.String(), errs.String())
	}
	if now := p.profile(t, "Bob"); now.Ratings[0].Rating != 1662 || now.Record[0].Won != 1 || now.Record[0].Lost != 0 {
		t.Errorf("Bob after the correction: %+v", now)
	}
	var game table.Public
	if err := p.Get(t.Context(), "", "/api/games/"+id, &game); err != nil {
		t.Fatal(err)
	}
	if e := game.State.End; e.Result != "0-1" || e.Reason != "arbiter" || e.Text == "" || len(game.Corrections) != 1 ||
		game.Corrections[0].By != "Ada" || game.Corrections[0].Before != "1-0" || game.Corrections[0].Why != "a wrong seat" {
		t.Errorf("the corrected game: %+v, %+v", e, game.Corrections)
	}
	for _, path := range []string{"/api/games/" + id + "/pgn", "/api/people/Bob/pgn"} {
		res, err := http.Get(p.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil || !strings.Contains(string(text), `[Result "0-1"]`) || !strings.HasSuffix(strings.TrimSpace(string(text)), "0-1") || strings.Contains(string(text), `"1-0"`) {
			t.Errorf("%s, %v:\n%s", path, err, text)
		}
	}
}

func TestCorrectWrong(t *testing.T) {
	data := t.TempDir()
	p := start(t, data)
	white, black, id := p.pair(t, 300000, "board")
	begin(white, black, id)
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"no words":         {[]string{"-data", data}, "want: correct GAME RESULT WHO WHY"},
		"too many words":   {[]string{"-data", data, id, "1-0", "Ada", "a", "b"}, "want: correct GAME RESULT WHO WHY"},
		"a running game":   {[]string{"-data", data, id, "1-0", "Ada", "why"}, "not found"},
		"no database":      {[]string{"-data", t.TempDir(), id, "1-0", "Ada", "why"}, "there is no database here"},
		"an unknown flag":  {[]string{"-date", data}, "-date"},
		"an unknown game":  {[]string{"-data", data, "nothing", "void", "Ada", "why"}, "not found"},
		"an unknown place": {[]string{"-db", "mysql://x", id, "1-0", "Ada", "why"}, "not a database"},
	} {
		var out, errs bytes.Buffer
		status := run(t.Context(), append([]string{"correct"}, c.args...), nil, &out, &errs)
		if status != 1 || !strings.Contains(errs.String(), c.want) || strings.Count(errs.String(), "\n") != 1 || out.Len() > 0 {
			t.Errorf("%s: status %d, out %q, errors %q", name, status, out.String(), errs.String())
		}
	}
}
