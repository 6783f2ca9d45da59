package main

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"flagfall/server/wire"
	"flagfall/server/wire/client"
)

// A club's rated arena over the whole server: made by its organiser, with the club's arbiters; a game of it counts, and when
// an arbiter corrects its result, archive and exports follow.
func TestClubArena(t *testing.T) {
	p := start(t, t.TempDir())
	member := func(name string) *somebody {
		s := &somebody{t: t, server: p.Server}
		body := map[string]any{"name": name, "password": "correct horse", "token": true}
		if err := p.Post(t.Context(), "", "/api/register", body, &s.guest); err != nil {
			t.Fatal(err)
		}
		s.connect()
		return s
	}
	judit, sofia, vera := member("Judit"), member("Sofia"), member("Vera")
	post := func(who *somebody, path string, body, out any) {
		t.Helper()
		if err := p.Post(t.Context(), who.guest.Token, path, body, out); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
	}
	post(judit, "/api/clubs", map[string]any{"club": "knights", "name": "Knights", "about": "of the round table"}, nil)
	post(vera, "/api/clubs/knights/acts", map[string]any{"do": "join"}, nil)
	post(judit, "/api/clubs/knights/acts", map[string]any{"do": "role", "who": vera.guest.ID, "role": "arbiter"}, nil)
	var made struct{ Event string }
	settings := map[string]any{"name": "Club night", "format": "arena", "rated": true, "duration": 600_000, "rest": 0,
		"terms": map[string]any{"rules": "wbca", "base": 180_000, "mode": "board"}}
	if err := p.Post(t.Context(), sofia.guest.Token, "/api/events", map[string]any{"club": "knights", "settings": settings}, nil); err == nil {
		t.Error("anybody makes events of a club")
	}
	post(judit, "/api/events", map[string]any{"club": "knights", "settings": settings}, &made)
	acts := "/api/events/" + made.Event + "/acts"
	post(judit, acts, map[string]any{"do": "advance", "to": "open"}, nil)
	for _, who := range []*somebody{judit, sofia} {
		post(who, acts, map[string]any{"do": "enter"}, nil)
		who.do(wire.ClientMessage{T: "attend", Event: made.Event, Visible: true})
		who.expect("event")
	}
	var page struct {
		Club  string
		Staff []struct{ Name, Role string }
		Games int
	}
	if err := p.Get(t.Context(), "", "/api/events/"+made.Event, &page); err != nil {
		t.Fatal(err)
	}
	if page.Club != "knights" || len(page.Staff) != 2 || page.Staff[1].Name != "Vera" || page.Staff[1].Role != "arbiter" {
		t.Errorf("the club's event: %+v", page)
	}
	var list struct {
		Events []struct{ Event, Club string }
	}
	if err := p.Get(t.Context(), "", "/api/events?club=knights&phase=open", &list); err != nil || len(list.Events) != 1 || list.Events[0].Event != made.Event {
		t.Errorf("the club's events: %+v, %v", list, err)
	}

	post(judit, acts, map[string]any{"do": "advance", "to": "running"}, nil)
	white, black := judit, sofia
	paired := judit.expect("paired").Body.(*wire.Paired)
	sofia.expect("paired")
	if paired.Color == "b" {
		white, black = sofia, judit
	}
	begin(white, black, paired.Game)
	play(white, black, "f2f3", "e7e5", "g2g4")
	black.move("d8h4")
	ended(t, white, "0-1", "checkmate", "WBCA 7a")
	var record struct {
		State       wire.State
		Corrections []struct{ By, Why, Result string }
	}
	archived := func() bool {
		record.Corrections = nil
		return p.Get(t.Context(), "", "/api/games/"+paired.Game, &record) == nil && record.State.Phase == "over"
	}
	wait(t, "the game in the archive", archived)
	if !record.State.Counts || record.State.Event != made.Event {
		t.Errorf("the game is %+v", record.State)
	}
	correct := map[string]any{"do": "correct", "game": paired.Game, "score": "1-0", "why": "the wrong colours were entered"}
	if err := p.Post(t.Context(), judit.guest.Token, acts, correct, nil); err == nil {
		t.Error("an organiser corrects a game of her own")
	}
	wait(t, "the end of the game in the event", func() bool { return p.Post(t.Context(), vera.guest.Token, acts, correct, nil) == nil })
	wait(t, "the correction in the archive", func() bool { return archived() && len(record.Corrections) == 1 })
	if c := record.Corrections[0]; c.By != "Vera" || c.Why != "the wrong colours were entered" || c.Result != "1-0" || record.State.End.Result != "1-0" {
		t.Errorf("corrected %+v, %+v", c, record.State.End)
	}
	if pgn := p.text(t, vera.guest, "/api/events/"+made.Event+"/export/games.pgn"); !strings.Contains(pgn, `[Result "1-0"]`) || !strings.Contains(pgn, `[Event "Club night"]`) {
		t.Errorf("the PGN: %s", pgn)
	}
}

// wait waits until something is so.
func wait(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("no %s", what)
		}
	}
}

// text reads a file of the HTTP API.
func (p *program) text(t *testing.T, who client.Guest, path string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+who.Token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v", path, res.Status, err)
	}
	return string(body)
}
