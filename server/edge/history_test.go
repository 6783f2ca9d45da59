package edge

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/corentings/chess/v2"

	"flagfall/game"
	"flagfall/game/board"
	"flagfall/server/store"
	"flagfall/server/table"
	"flagfall/server/wire"
)

var march = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// won is a finished game with two moves, an illegal one among them if that is wanted, which Black or White resigns.
func won(t *testing.T, id string, setup game.Setup, winner game.Side, illegal bool, ended time.Time) store.Game {
	t.Helper()
	setup.Options.Presence, setup.Options.FirstMove = false, 0
	setup.Started = ended.Add(-time.Minute).Format(time.RFC3339)
	g := game.New()
	record := table.Record{Version: 1, ID: id, Ended: ended.Format(time.RFC3339Nano)}
	at := int64(0)
	do := func(c game.Command) {
		t.Helper()
		at += 1000
		events, err := g.Decide(c, at)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			g.Apply(e)
			record.Events = append(record.Events, e)
		}
	}
	do(game.Command{Kind: game.Create, By: game.None, Setup: &setup})
	for _, side := range []game.Side{game.White, game.Black} {
		do(game.Command{Kind: game.Arrive, By: side})
	}
	moves := []string{"e2e4", "e7e5"}
	if illegal {
		moves[0] = "e2e5"
		moves[1] = "d7d6"
	}
	for i, text := range moves {
		m, err := board.ParseUCI(text)
		if err != nil {
			t.Fatal(err)
		}
		do(game.Command{Kind: game.Release, By: game.Side(i), Move: m, Ply: game.AnyPly, Press: true})
	}
	do(game.Command{Kind: game.Resign, By: winner.Other()})
	text, err := json.Marshal(record)
	if err != nil {
		t.Fatal(err)
	}
	h := record.History()
	kind := ""
	if setup.Rated {
		kind = setup.RatingKind()
	}
	return store.Game{
		ID: id, White: setup.White.ID, WhiteName: setup.White.Name, Black: setup.Black.ID, BlackName: setup.Black.Name, Rules: setup.RuleSet,
		Mode: string(setup.Mode), Base: setup.Base[0], Result: string(h.Result.Score), Reason: string(h.Result.Reason), Rule: h.Result.Cite(),
		Started: record.Started(), Ended: ended, Plies: len(h.Moves), Rating: kind, Counts: h.Counts(), Record: text,
	}
}

var (
	ann = game.Player{ID: "AAAAAAAAAAAAAAAA", Name: "Ann", Account: true}
	bob = game.Player{ID: "BBBBBBBBBBBBBBBB", Name: "O.B Joyful", Account: true}
	cat = game.Player{ID: "CCCCCCCCCCCCCCCC", Name: "Cat", Account: true}
)

// archiveStage is a server over a real store, with 120 games of Ann, who wins three of four, against two others.
func archiveStage(t *testing.T) (*stage, *store.Store) {
	t.Helper()
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "flagfall.db"), store.Options{Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	for _, p := range []game.Player{ann, bob, cat} {
		if err := s.SavePerson(t.Context(), store.Person{ID: p.ID, Name: p.Name, Created: march, LastSeen: march}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.SavePerson(t.Context(), store.Person{ID: "GGGGGGGGGGGGGGGG", Name: "Guest 4F7K", Guest: true, Created: march, LastSeen: march}); err != nil {
		t.Fatal(err)
	}
	for i := range 120 {
		white, black, winner := ann, bob, game.White
		if i%3 == 0 {
			black = cat
		}
		if i%4 == 3 {
			winner = game.Black
		}
		if i%2 == 1 {
			white, black, winner = black, white, winner.Other()
		}
		terms := game.Terms{Base: 300000, Mode: game.OverTheBoard}
		if i%5 == 0 {
			terms.RuleSet = "fide"
		}
		g := won(t, fmt.Sprintf("g%03d", i), terms.Setup(white, black), winner, i%7 == 1 && i%5 != 0, time.Now().Add(time.Duration(i-200)*time.Hour).Truncate(time.Second))
		if _, err := s.SaveGame(t.Context(), g); err != nil {
			t.Fatal(err)
		}
	}
	return newStage(t, func(c *Config) { c.History = s }), s
}

func TestHistoryWrong(t *testing.T) {
	st, s := archiveStage(t)
	const bad = wire.CodeBadMessage
	for _, c := range []struct {
		path   string
		status int
		code   string
	}{
		{"/api/people/Nobody", 404, wire.CodeUnknownPerson},
		{"/api/people/Guest%204F7K", 404, wire.CodeUnknownPerson}, // a guest's name is not his own
		{"/api/people/%00", 404, wire.CodeUnknownPerson},
		{"/api/people/%FF%FE", 404, wire.CodeUnknownPerson},
		{"/api/people/a'%20OR%20'1'='1", 404, wire.CodeUnknownPerson},
		{"/api/people/" + strings.Repeat("a", 25), 404, wire.CodeUnknownPerson},
		{"/api/people/Ann?x=1", 400, bad},
		{"/api/people/Ann?%zz", 400, bad},
		{"/api/people/Nobody/games", 404, wire.CodeUnknownPerson},
		{"/api/people/Ann/games?limit=0", 400, bad},
		{"/api/people/Ann/games?limit=101", 400, bad},
		{"/api/people/Ann/games?limit=ten", 400, bad},
		{"/api/people/Ann/games?limit=1&limit=2", 400, bad},
		{"/api/people/Ann/games?limit=", 400, bad},
		{"/api/people/Ann/games?result=1-0", 400, bad},
		{"/api/people/Ann/games?color=red", 400, bad},
		{"/api/people/Ann/games?rules=chess960", 400, bad},
		{"/api/people/Ann/games?rated=yes", 400, bad},
		{"/api/people/Ann/games?since=yesterday", 400, bad},
		{"/api/people/Ann/games?until=2026-02-30", 400, bad},
		{"/api/people/Ann/games?since=0001-01-01", 400, bad},
		{"/api/people/Ann/games?opponent=%3Cb%3E", 400, bad},
		{"/api/people/Ann/games?opponent=Nobody", 404, wire.CodeUnknownPerson},
		{"/api/people/Ann/games?after=nonsense", 400, bad},
		{"/api/people/Ann/games?after=eyJFbmRlZCI6MX0", 400, bad},        // {"Ended":1}
		{"/api/people/Ann/games?after=eyJJRCI6IlxcdTAwMDAifQ", 400, bad}, // {"ID":"\\u0000"}
		{"/api/people/Ann/games?after=" + strings.Repeat("A", 4000), 400, bad},
		{"/api/people/Ann/games?Limit=3", 400, bad},
		{"/api/people/Ann/pgn?limit=3", 400, bad}, // an export is whole
		{"/api/people/Nobody/pgn", 404, wire.CodeUnknownPerson},
		{"/api/people/Ann/ratings?kind=blitz", 400, bad},
		{"/api/people/Ann/ratings?each=year", 400, bad},
		{"/api/people/Ann/ratings?each=day&limit=3", 400, bad},
		{"/api/people/Ann/ratings?limit=3", 400, bad},
		{"/api/people/Ann/ratings?each=game&after=e30x", 400, bad},
		{"/api/people/Nobody/ratings", 404, wire.CodeUnknownPerson},
		{"/api/people/Ann/opponents?after=W10", 400, bad}, // []
		{"/api/people/Nobody/opponents", 404, wire.CodeUnknownPerson},
		{"/api/people/Ann/against/Nobody", 404, wire.CodeUnknownPerson},
		{"/api/people/Nobody/against/Ann", 404, wire.CodeUnknownPerson},
		{"/api/people/Ann/against/Cat?rules=fide", 400, bad},
		{"/api/people/Ann/nothing", 404, wire.CodeNotFound},
		{"/api/people", 404, wire.CodeNotFound},
		{"/api/archive?result=won", 400, bad},
		{"/api/archive?opponent=Ann", 400, bad},
		{"/api/archive?since=2026-03-01T12:00:00", 400, bad}, // no zone
		{"/api/archive/pgn?after=e30", 400, bad},
		{"/api/leaders?kind=", 400, bad},
		{"/api/leaders?kind=bullet", 400, bad},
		{"/api/leaders?after=eyJSYXRpbmciOjFlOTk5fQ", 400, bad}, // {"Rating":1e999}
		{"/api/search", 400, bad},
		{"/api/search?name=", 400, bad},
		{"/api/search?name=%25", 400, bad},
		{"/api/search?name=" + strings.Repeat("a", 30), 400, bad},
		{"/api/search?name=%00", 400, bad},
	} {
		res, body := st.ask(t, "GET", c.path, "")
		var p problem
		if err := json.Unmarshal([]byte(body), &p); err != nil || res.StatusCode != c.status || p.Code != c.code || p.Status != c.status ||
			p.Title == "" || p.Detail == "" || res.Header.Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s: %d %s, error %v; want %d %s", c.path, res.StatusCode, body, err, c.status, c.code)
		}
	}
	for _, path := range []string{"/api/people/Ann", "/api/people/Ann/pgn", "/api/archive", "/api/leaders", "/api/search?name=a"} {
		if res, _ := st.ask(t, "POST", path, "{}", "Content-Type", "application/json"); res.StatusCode != 405 || res.Header.Get("Allow") == "" {
			t.Errorf("POST %s: %d", path, res.StatusCode)
		}
		if res, body := st.ask(t, "HEAD", path, ""); res.StatusCode != 200 || body != "" {
			t.Errorf("HEAD %s: %d %s", path, res.StatusCode, body)
		}
	}
	s.Close()
	if res, body := st.ask(t, "GET", "/api/people/Ann", ""); res.StatusCode != 500 || strings.Contains(body, "sql") {
		t.Errorf("a closed store: %d %s", res.StatusCode, body)
	}
}

// away is a database that does not answer.
type away struct{ History }

func (away) PersonNamed(context.Context, string) (store.Person, error) {
	return store.Person{}, fmt.Errorf("%w: secret", store.ErrUnavailable)
}

func (away) Records(context.Context, store.Filter, store.Cursor, int) ([]store.Game, error) {
	return nil, fmt.Errorf("%w: secret", store.ErrUnavailable)
}

// A database that is away is told as such, and costs none of the exports that may be made at once.
func TestHistoryAway(t *testing.T) {
	st := newStage(t, func(c *Config) { c.History = away{} })
	for _, path := range []string{"/api/people/Ann", "/api/people/Ann/games", "/api/people/Ann/pgn", "/api/archive/pgn", "/api/archive/pgn", "/api/archive/pgn"} {
		res, body := st.ask(t, "GET", path, "")
		if res.StatusCode != 503 || res.Header.Get("Retry-After") == "" || strings.Contains(body, "secret") {
			t.Errorf("%s: %d %s", path, res.StatusCode, body)
		}
	}
}

// get reads an answer that must be right.
func (st *stage) get(t *testing.T, path string, into any) {
	t.Helper()
	res, body := st.ask(t, "GET", path, "")
	if res.StatusCode != 200 {
		t.Fatalf("%s: %d %s", path, res.StatusCode, body)
	}
	if err := json.Unmarshal([]byte(body), into); err != nil {
		t.Fatalf("%s: %v in %s", path, err, body)
	}
}

func TestProfile(t *testing.T) {
	st, _ := archiveStage(t)
	var p struct {
		ID, Name, Since string
		Ratings         []ratingView
		Record          []rulesTallyView
	}
	st.get(t, "/api/people/ANN", &p)
	if p.ID != ann.ID || p.Name != "Ann" || p.Since != "2026-03-01" {
		t.Errorf("%+v", p)
	}
	if len(p.Ratings) != 2 || p.Ratings[0].Kind != "fide" || p.Ratings[0].Games != 24 || p.Ratings[1].Kind != "wbca" || p.Ratings[1].Games != 96 ||
		p.Ratings[1].Rating < 1550 || p.Ratings[1].Provisional {
		t.Errorf("ratings %+v", p.Ratings)
	}
	if want := []rulesTallyView{{"fide", true, tallyView{Won: 18, Lost: 6}}, {"wbca", true, tallyView{Won: 72, Lost: 24}}}; !slices.Equal(p.Record, want) {
		t.Errorf("record %+v, want %+v", p.Record, want)
	}
	var against struct{ Record []rulesTallyView }
	st.get(t, "/api/people/Cat/against/ann", &against)
	if want := []rulesTallyView{{"fide", true, tallyView{Won: 2, Lost: 6}}, {"wbca", true, tallyView{Won: 8, Lost: 24}}}; !slices.Equal(against.Record, want) {
		t.Errorf("against %+v, want %+v", against.Record, want)
	}
	var met struct {
		Opponents []opponentView
		Next      string
	}
	st.get(t, "/api/people/Ann/opponents?limit=1", &met)
	if len(met.Opponents) != 1 || met.Opponents[0].Name != bob.Name || met.Opponents[0].tallyView != (tallyView{Won: 60, Lost: 20}) || met.Next == "" {
		t.Fatalf("%+v", met)
	}
	st.get(t, "/api/people/Ann/opponents?limit=1&after="+met.Next, &met)
	if len(met.Opponents) != 1 || met.Opponents[0].Name != "Cat" {
		t.Errorf("%+v", met)
	}
	var people struct{ People []wire.Person }
	for prefix, want := range map[string]string{"c": "Cat", "o.b ": bob.Name, "an": "Ann"} {
		st.get(t, "/api/search?name="+url.QueryEscape(prefix), &people)
		if len(people.People) != 1 || people.People[0].Name != want {
			t.Errorf("%q: %+v", prefix, people)
		}
	}
	var board struct {
		Kind    string
		Leaders []leaderView
	}
	st.get(t, "/api/leaders", &board)
	if board.Kind != "wbca" || len(board.Leaders) != 3 || board.Leaders[0].Name != "Ann" || board.Leaders[0].Games != 96 {
		t.Errorf("%+v", board)
	}
}

// The client's pages about people: it says itself what is not there.
func TestHistoryPages(t *testing.T) {
	st, _ := archiveStage(t)
	_, index := st.ask(t, "GET", "/", "")
	for path, want := range map[string]int{
		"/people": 200, "/people?name=an": 200, "/people/Ann": 200, "/people/O.B%20Joyful/games?result=won": 200, "/people/Nobody": 200,
		"/games?rules=fide": 200, "/leaders?kind=cca": 200, "/people/Ann/nothing": 404, "/games/1": 404,
	} {
		res, body := st.ask(t, "GET", path, "", "Accept", "text/html")
		if res.StatusCode != want || body != index || res.Header.Get("Content-Type") != "text/html; charset=utf-8" {
			t.Errorf("%s: %d %.80s", path, res.StatusCode, body)
		}
	}
}

// pages reads a list to its end.
func (st *stage) pages(t *testing.T, path string, size int) (games []entryView) {
	t.Helper()
	next := ""
	for {
		var page struct {
			Games []entryView
			Next  string
		}
		st.get(t, fmt.Sprintf("%slimit=%d%s", path, size, next), &page)
		games = append(games, page.Games...)
		if page.Next == "" {
			return games
		}
		next = "&after=" + page.Next
	}
}

func TestGameLists(t *testing.T) {
	st, s := archiveStage(t)
	for path, want := range map[string]int{
		"/api/archive?": 120, "/api/archive?result=1-0&": 90, "/api/archive?rules=fide&rated=true&": 24, "/api/archive?rated=false&": 0,
		"/api/people/Ann/games?": 120, "/api/people/Ann/games?result=won&": 90, "/api/people/Ann/games?result=lost&color=white&": 0,
		"/api/people/Ann/games?opponent=cat&": 40, "/api/people/Cat/games?result=drawn&": 0, "/api/people/Cat/games?rules=fide&": 8,
		"/api/people/Ann/games?until=2000-01-01&": 0, "/api/people/Ann/games?since=2000-01-01&until=2100-01-01T00:00:00Z&": 120,
	} {
		for _, size := range []int{7, 100} {
			games := st.pages(t, path, size)
			if len(games) != want {
				t.Errorf("%s: %d games, want %d", path, len(games), want)
			}
			for i := 1; i < len(games); i++ {
				if games[i].Ended > games[i-1].Ended || games[i].Game == games[i-1].Game {
					t.Errorf("%s: %s after %s", path, games[i].Game, games[i-1].Game)
				}
			}
		}
	}
	first := st.pages(t, "/api/people/Ann/games?", 100)[119]
	if first.Game != "g000" || !first.Rated || first.White.Name != "Ann" || *first.White.Before != 1500 || *first.White.After != 1662 || first.Reason != "resignation" {
		t.Errorf("the first game: %+v", first)
	}
	var graph struct {
		Kind   string
		Points []pointView
		Next   string
	}
	st.get(t, "/api/people/Ann/ratings?kind=fide&each=game&limit=20", &graph)
	if graph.Kind != "fide" || len(graph.Points) != 20 || graph.Next == "" {
		t.Fatalf("%+v", graph)
	}
	after := graph.Next
	graph.Next = ""
	st.get(t, "/api/people/Ann/ratings?kind=fide&each=game&limit=20&after="+after, &graph)
	if last := graph.Points[len(graph.Points)-1]; len(graph.Points) != 4 || graph.Next != "" || last.Game != "g000" || last.Rating != 1662 || last.Change != 162 {
		t.Errorf("%+v", graph)
	}
	st.get(t, "/api/people/Ann/ratings", &graph)
	if n := len(graph.Points); graph.Kind != "wbca" || n < 5 || n > 7 {
		t.Errorf("%d days", n)
	}
	if _, err := s.Game(t.Context(), "g000"); err != nil {
		t.Error(err)
	}
}

// A download is read back whole by a reader of PGN: every game once, each part with one result.
func TestDownload(t *testing.T) {
	st, s := archiveStage(t)
	if err := s.Correct(t.Context(), store.Correction{Game: "g002", Result: "1/2-1/2", By: "Ada", Why: "agreed", At: march}); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]int{
		"/api/archive/pgn": 120, "/api/people/Ann/pgn?result=won&rules=wbca": 71, "/api/people/Cat/pgn": 40, "/api/archive/pgn?until=1999-12-31": 0,
	} {
		res, body := st.ask(t, "GET", path, "")
		if res.StatusCode != 200 || res.Header.Get("Content-Type") != "application/vnd.chess-pgn; charset=utf-8" {
			t.Fatalf("%s: %d %v", path, res.StatusCode, res.Header)
		}
		var ids []string
		if body == "" {
			body = "\n"
		}
		scanner := chess.NewScanner(strings.NewReader(body))
		for scanner.HasNext() {
			g, err := scanner.ParseNext()
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			ids = append(ids, g.GetTagPair("GameId"))
			if g.GetTagPair("GameId") == "g002" && g.GetTagPair("Result") != "1/2-1/2" {
				t.Errorf("a corrected game: %v", g)
			}
		}
		if got := slices.Compact(ids); len(got) != want {
			t.Errorf("%s: %d games, want %d", path, len(got), want)
		}
		if n := strings.Count(body, "[Result "); n != len(ids) {
			t.Errorf("%s: %d results in %d games", path, n, len(ids))
		}
	}
	st.downloads <- struct{}{}
	st.downloads <- struct{}{}
	if res, _ := st.ask(t, "GET", "/api/archive/pgn", ""); res.StatusCode != 429 || res.Header.Get("Retry-After") == "" {
		t.Errorf("too many at once: %d", res.StatusCode)
	}
	<-st.downloads
	if res, _ := st.ask(t, "GET", "/api/archive/pgn?until=1999-12-31", ""); res.StatusCode != 200 {
		t.Errorf("after one has ended: %d", res.StatusCode)
	}
}

// What cannot go on is broken off: nobody takes half a download for a whole one.
func TestDownloadBroken(t *testing.T) {
	st, s := archiveStage(t)
	bad := store.Game{ID: "bad", White: ann.ID, Black: bob.ID, Result: "1-0", Ended: march, Record: []byte(`{"v":99}`)}
	if _, err := s.SaveGame(t.Context(), bad); err != nil {
		t.Fatal(err)
	}
	res, err := http.Get(st.http.URL + "/api/archive/pgn")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if data, err := io.ReadAll(res.Body); err == nil {
		t.Errorf("%d bytes without an error", len(data))
	}
}
