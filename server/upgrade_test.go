package main

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"

	"flagfall/server/store"
	"flagfall/server/store/pgtest"
	"flagfall/server/wire"
)

// saidGame is what a server of an earlier release said of a game.
type saidGame struct {
	Game   string      `json:"game"`
	White  wire.Person `json:"white"`
	Black  wire.Person `json:"black"`
	Rules  string      `json:"rules"`
	Moves  []string    `json:"moves"`
	Board  string      `json:"board"`
	Clocks wire.Clocks `json:"clk"`
	End    *wire.End   `json:"end"`
}

// A server over what each earlier release has left says the same of its games as that one did: of those in the database
// by any rule book, and of the one that goes on.
func TestUpgrade(t *testing.T) {
	server := pgtest.Start(t)
	versions, err := filepath.Glob(filepath.Join("store", "testdata", "before", "*", "*", "said.json"))
	if err != nil || len(versions) < 4 {
		t.Fatal(versions, err)
	}
	for _, file := range versions {
		folder := filepath.Dir(file)
		kind, version := filepath.Base(folder), filepath.Base(filepath.Dir(folder))
		t.Run(kind+" "+version, func(t *testing.T) {
			data := t.TempDir()
			driver, where := "sqlite", filepath.Join(data, store.FileName)
			var args []string
			if kind == "postgres" {
				driver, where = "pgx", server.Database(t)
				args = []string{"-db", where}
			}
			load(t, driver, where, filepath.Join(folder, "database.sql"))
			journalOf(t, data, filepath.Join(folder, "journal.segment"))
			upgraded(t, start(t, data, args...), file)
		})
	}
}

func load(t *testing.T, driver, where, file string) {
	t.Helper()
	dump, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open(driver, where)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), string(dump)); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// journalOf puts a journal of one segment into a data folder. Without heartbeats nobody knows how long the server was away.
func journalOf(t *testing.T, data, segment string) {
	t.Helper()
	text, err := os.ReadFile(segment)
	if err == nil {
		err = os.Mkdir(filepath.Join(data, journalFolder), 0o700)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(data, journalFolder, "00000001.segment"), text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func upgraded(t *testing.T, p *program, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var said struct {
		Over    []saidGame `json:"over"`
		Running saidGame   `json:"running"`
	}
	if err := json.Unmarshal(text, &said); err != nil {
		t.Fatal(err)
	}
	books := map[string]bool{}
	for _, want := range said.Over {
		books[want.Rules] = true
		var found struct{ State wire.State }
		if err := p.Get(t.Context(), "", "/api/games/"+want.Game, &found); err != nil {
			t.Fatal(err)
		}
		want.compare(t, found.State)
		text := p.pgn(t, want.Game)
		for _, tag := range []string{`[White "` + want.White.Name + `"]`, `[Result "` + want.End.Result + `"]`} {
			if !strings.Contains(text, tag) {
				t.Errorf("game %s: no %s in\n%s", want.Game, tag, text)
			}
		}
	}
	if len(books) != 4 {
		t.Errorf("games by the books %v, want one of each", books)
	}
	var running wire.State
	if err := p.Get(t.Context(), "", "/api/games/"+said.Running.Game, &running); err != nil {
		t.Fatal(err)
	}
	said.Running.compare(t, running)
	if running.Phase != "paused" {
		t.Errorf("the game that goes on is in phase %q", running.Phase)
	}
}

func (want saidGame) compare(t *testing.T, s wire.State) {
	t.Helper()
	var moves []string
	for _, m := range s.Moves {
		moves = append(moves, m.M)
	}
	if s.Pending != "" {
		moves = append(moves, s.Pending)
	}
	same := s.White == want.White && s.Black == want.Black && s.Rules == want.Rules && slices.Equal(moves, want.Moves) &&
		s.Board == want.Board && fmt.Sprint(s.Clocks) == fmt.Sprint(want.Clocks) && (s.End == nil) == (want.End == nil)
	if same && s.End != nil {
		same = s.End.Result == want.End.Result && s.End.Reason == want.End.Reason && s.End.Rule == want.End.Rule
	}
	if !same {
		t.Errorf("game %s is %+v, want %+v", want.Game, s, want)
	}
}
