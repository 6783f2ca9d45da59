package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"flagfall/server/edge"
	"flagfall/server/edge/apitest"
	"flagfall/server/wire"
	"flagfall/server/wire/client"
)

// api asks a running server, and holds each question and answer against the published description.
type api struct {
	t       *testing.T
	url     string
	checker *apitest.Checker
}

func newAPI(t *testing.T, p *program) *api {
	t.Helper()
	checker, err := apitest.New(edge.OpenAPI)
	if err != nil {
		t.Fatal(err)
	}
	return &api{t, p.URL, checker}
}

// ask sends a request; body may be nil, and so may out.
func (a *api) ask(method, token, path string, body any, status int, out any) []byte {
	a.t.Helper()
	var text []byte
	if body != nil {
		text = wire.Encode(body)
	}
	request := func() *http.Request {
		r, err := http.NewRequestWithContext(a.t.Context(), method, a.url+path, bytes.NewReader(text))
		if err != nil {
			a.t.Fatal(err)
		}
		if body != nil {
			r.Header.Set("Content-Type", "application/json")
		}
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		return r
	}
	res, err := http.DefaultClient.Do(request())
	if err != nil {
		a.t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		a.t.Fatal(err)
	}
	if err := a.checker.Answer(request(), res, data); err != nil {
		a.t.Error(err)
	}
	if res.StatusCode != status {
		a.t.Fatalf("%s %s %s: %d %.300s, want %d", method, path, text, res.StatusCode, data, status)
	}
	if status < 300 && body != nil {
		if err := a.checker.Request(request()); err != nil {
			a.t.Errorf("taken, but described otherwise: %v", err)
		}
	}
	if out != nil {
		if err := json.Unmarshal(data, out); err != nil {
			a.t.Fatalf("%s: %s: %v", path, data, err)
		}
	}
	return data
}

func (a *api) act(token, event string, act map[string]any) {
	a.t.Helper()
	a.ask("POST", token, "/api/events/"+event+"/acts", act, 200, nil)
}

// look asks everything that can be asked of an event.
func (a *api) look(staff, event string) {
	a.t.Helper()
	base := "/api/events/" + event
	for _, path := range []string{"", "/standings", "/boards", "/boards?most=1", "/entries", "/desk", "/chat", "/link", "/qr.svg",
		"/export/standings.csv", "/export/crosstable.csv", "/export/event.json", "/export/games.pgn", "/export/roster.csv"} {
		a.ask("GET", staff, base+path, nil, 200, nil)
	}
	for _, path := range []string{"/api/events", "/api/events?phase=open", "/api/events?phase=running", "/api/events?phase=past"} {
		a.ask("GET", "", path, nil, 200, nil)
	}
}

// An evening from the draft to the signed table over HTTP: in every state of the event the answers are those described.
func TestEventAnswersDescribed(t *testing.T) {
	p := start(t, t.TempDir())
	a := newAPI(t, p)
	for _, format := range []string{"arena", "round_robin", "double_round_robin"} {
		a.ask("GET", "", "/api/events/defaults?format="+format, nil, 200, nil)
	}
	var judit client.Guest
	a.ask("POST", "", "/api/register", map[string]any{"name": "Judit", "password": "correct horse", "token": true}, 201, &judit)
	a.ask("POST", judit.Token, "/api/clubs", map[string]any{"club": "oslo", "name": "Oslo Blitz", "about": "Fridays"}, 201, nil)
	var made struct{ Event string }
	a.ask("POST", judit.Token, "/api/events", map[string]any{"event": "friday-arena", "club": "oslo", "settings": map[string]any{
		"name": "Friday arena", "terms": map[string]any{"rules": "wbca", "base": 180_000, "mode": "fast"}, "rest": 0, "repeat_wait": 0, "last_pair": 0, "zone": "Europe/Oslo",
	}}, 201, &made)
	a.ask("POST", judit.Token, "/api/events", map[string]any{"event": "friday-arena", "settings": map[string]any{"name": "Another"}}, 409, nil)
	for _, wrong := range []map[string]any{{"name": ""}, {"name": "x", "format": "swiss"}, {"name": "x", "colour": "red"}, {"name": "x", "duration": 1}, {"name": "x", "terms": map[string]any{"base": "long"}}} {
		a.ask("POST", judit.Token, "/api/events", map[string]any{"settings": wrong}, 400, nil)
	}
	a.look(judit.Token, made.Event)
	a.act(judit.Token, made.Event, map[string]any{"do": "roster", "csv": "name,real name,rating\nAnn,Ann Anning,1700\nBob,,\n"})
	a.ask("POST", judit.Token, "/api/events/friday-arena/acts", map[string]any{"do": "roster", "csv": "Cat\nCat\n"}, 400, nil)
	a.act(judit.Token, made.Event, map[string]any{"do": "advance", "to": "open"})
	a.look(judit.Token, made.Event)

	white, black := p.guest(t), p.guest(t)
	for i, one := range []*somebody{white, black} {
		a.act(one.guest.Token, made.Event, map[string]any{"do": "enter", "claim": a.line(i), "name": one.guest.Name})
		one.do(wire.ClientMessage{T: "attend", Event: made.Event, Visible: true})
		one.expect("entry")
	}
	a.act(judit.Token, made.Event, map[string]any{"do": "announce", "text": "Good luck"})
	a.act(judit.Token, made.Event, map[string]any{"do": "advance", "to": "running"})
	game := white.expect("paired").Body.(*wire.Paired)
	black.expect("paired")
	if game.Color == "b" {
		white, black = black, white
	}
	begin(white, black, game.Game)
	white.move("e2e4")
	black.event("press")
	a.look(judit.Token, made.Event)
	a.ask("GET", judit.Token, "/api/events/friday-arena/desk/games/"+game.Game, nil, 200, nil)
	a.ask("GET", white.guest.Token, "/api/events/friday-arena/chat", nil, 409, nil)
	a.act(judit.Token, made.Event, map[string]any{"do": "rule", "game": game.Game, "act": "warn", "side": "w", "why": "talk"})
	white.event("ruling")
	black.do(wire.ClientMessage{T: "resign"})
	white.event("end")
	a.ask("POST", judit.Token, "/api/events/friday-arena/chat", map[string]any{"text": "Well played"}, 200, nil)
	within(t, "the event knows the result", func() bool {
		var table struct{ Games []struct{ ID string } }
		a.ask("GET", "", "/api/events/friday-arena/standings", nil, 200, &table)
		return len(table.Games) > 0 && table.Games[0].ID == game.Game
	})
	a.ask("GET", judit.Token, "/api/events/friday-arena/desk/games/"+game.Game, nil, 200, nil)
	a.ask("POST", judit.Token, "/api/events/friday-arena/preview", map[string]any{"game": game.Game, "score": "1/2-1/2"}, 200, nil)
	a.act(judit.Token, made.Event, map[string]any{"do": "correct", "game": game.Game, "score": "1/2-1/2", "why": "they agreed on it"})
	a.act(white.guest.Token, made.Event, map[string]any{"do": "report", "game": game.Game, "text": "He hummed"})
	a.look(judit.Token, made.Event)
	for _, path := range []string{"/api/clubs", "/api/clubs/oslo", "/api/events?club=oslo"} {
		if text := string(a.ask("GET", judit.Token, path, nil, 200, nil)); !strings.Contains(text, "oslo") {
			t.Errorf("%s: %s", path, text)
		}
	}
}

// line is the id of a line of the organiser's list that nobody has claimed.
func (a *api) line(claimed int) string {
	a.t.Helper()
	var page struct{ Roster []struct{ ID string } }
	a.ask("GET", "", "/api/events/friday-arena", nil, 200, &page)
	if len(page.Roster) != 2-claimed {
		a.t.Fatalf("lines %v", page.Roster)
	}
	return page.Roster[0].ID
}

// Four hundred guests from one address come by the link of an event with a password: each gets a token, a socket and a
// place, with the limits that a server has by itself. The address alone may do much less.
func TestHallComesByLink(t *testing.T) {
	const people = 400
	p := start(t, t.TempDir())
	a := newAPI(t, p)
	var judit client.Guest
	a.ask("POST", "", "/api/register", map[string]any{"name": "Judit", "password": "correct horse", "token": true}, 201, &judit)
	var made struct{ Event string }
	a.ask("POST", judit.Token, "/api/events", map[string]any{"password": "castle", "settings": map[string]any{"name": "Hall", "access": "password"}}, 201, &made)
	a.act(judit.Token, made.Event, map[string]any{"do": "advance", "to": "open"})
	var link struct{ URL string }
	a.ask("GET", judit.Token, "/api/events/"+made.Event+"/link", nil, 200, &link)
	_, key, found := strings.Cut(link.URL, "/e/"+made.Event+"?key=")
	if !found {
		t.Fatalf("link %s", link.URL)
	}
	hall := client.Server{URL: p.URL, Event: made.Event, Key: key}
	come := func() error {
		guest, err := hall.NewGuest(t.Context())
		if err != nil {
			return fmt.Errorf("guest: %w", err)
		}
		conn, err := hall.Connect(t.Context(), guest.Token)
		if err != nil {
			return fmt.Errorf("socket: %w", err)
		}
		t.Cleanup(func() { _ = conn.Cut() })
		if _, err := conn.Do(wire.ClientMessage{T: "attend", Event: made.Event, Key: key, Visible: true}); err != nil {
			return err
		}
		if err := hall.Post(t.Context(), guest.Token, "/api/events/"+made.Event+"/acts?key="+key, map[string]any{"do": "enter", "password": "castle"}, nil); err != nil {
			return fmt.Errorf("entry: %w", err)
		}
		for {
			frame, err := conn.Receive()
			if err != nil {
				return err
			}
			if frame.T == "err" {
				return errors.New(string(frame.Raw))
			}
			if entry, is := frame.Body.(*wire.EntryNews); is && entry.Status == "in" {
				go func() { // who answers no pings is not here
					for err == nil {
						_, err = conn.Receive()
					}
				}()
				return nil
			}
		}
	}
	var hallway sync.WaitGroup
	turns := make(chan struct{}, 40)
	for range people {
		turns <- struct{}{}
		hallway.Go(func() {
			defer func() { <-turns }()
			if err := come(); err != nil {
				t.Error(err)
			}
		})
	}
	hallway.Wait()
	within(t, "all have a place and are here", func() bool {
		var page struct{ Entries, Here int }
		a.ask("GET", "", "/api/events/"+made.Event, nil, 200, &page)
		return page.Entries == people && page.Here == people
	})
	refused := false
	for range people {
		if _, err := p.NewGuest(t.Context()); err != nil {
			problem := &client.Problem{}
			if refused = errors.As(err, &problem) && problem.Code == wire.CodeTooMany; !refused {
				t.Fatal(err)
			}
			break
		}
	}
	if !refused {
		t.Error("without the link four hundred more came")
	}
}

// What was called off is among what is over, marked; of a draft nobody had heard before, and nobody does then.
func TestCalledOffIsListed(t *testing.T) {
	a := newAPI(t, start(t, t.TempDir()))
	var judit client.Guest
	a.ask("POST", "", "/api/register", map[string]any{"name": "Judit", "password": "correct horse", "token": true}, 201, &judit)
	a.ask("POST", judit.Token, "/api/clubs", map[string]any{"club": "oslo", "name": "Oslo Blitz", "about": "Fridays"}, 201, nil)
	for _, name := range []string{"cold-hall", "never-told"} {
		a.ask("POST", judit.Token, "/api/events", map[string]any{"event": name, "club": "oslo", "settings": map[string]any{"name": name}}, 201, nil)
	}
	a.act(judit.Token, "cold-hall", map[string]any{"do": "roster", "csv": "Ann\nBob\n"})
	a.act(judit.Token, "cold-hall", map[string]any{"do": "advance", "to": "open"})
	for _, name := range []string{"cold-hall", "never-told"} {
		a.act(judit.Token, name, map[string]any{"do": "cancel", "why": "no heating"})
	}
	type listed struct {
		Event     string
		Players   int
		CalledOff bool `json:"called_off"`
	}
	var list struct{ Events []listed }
	for _, query := range []string{"", "?phase=past", "?club=oslo", "?club=oslo&phase=past"} {
		within(t, "it is listed: "+query, func() bool {
			list.Events = nil
			a.ask("GET", "", "/api/events"+query, nil, 200, &list)
			return len(list.Events) > 0 && list.Events[0].CalledOff
		})
		if want := []listed{{"cold-hall", 0, true}}; !slices.Equal(list.Events, want) { // a line of the list is nobody yet
			t.Errorf("%s: %+v, want %+v", query, list.Events, want)
		}
	}
	for _, phase := range []string{"open", "running"} {
		if a.ask("GET", "", "/api/events?phase="+phase, nil, 200, &list); len(list.Events) != 0 {
			t.Errorf("%s: %+v", phase, list.Events)
		}
	}
}
