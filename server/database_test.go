package main

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"flagfall/server/store/pgtest"
	"flagfall/server/wire"
	"flagfall/server/wire/client"
)

// A database that cannot be opened ends the start with one line, which has no password.
func TestDatabaseRefused(t *testing.T) {
	server := pgtest.Start(t)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	wrong := strings.Replace(server.URL("postgres"), pgtest.Owner+":", pgtest.Owner+":s3cret", 1)
	for _, c := range []struct{ name, database, want string }{
		{"no such database", server.URL("nowhere"), `database "nowhere" does not exist`},
		{"wrong password", wrong, `password authentication failed for user "flagfall"`},
		{"nobody listens", "postgres://root:s3cret@127.0.0.1:1/hall", "postgres://root@127.0.0.1:1/hall: connect: connection refused"},
		{"no such folder", filepath.Join(file, "x.db"), "unable to open database file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out, errs bytes.Buffer
			status := run(t.Context(), []string{"-addr", "127.0.0.1:0", "-data", t.TempDir(), "-db", c.database}, nil, &out, &errs)
			said := errs.String()
			if status != 1 || out.Len() > 0 || !strings.Contains(said, c.want) || strings.Count(said, "\n") != 1 {
				t.Errorf("status %d, said %q and %q; want one line with %q", status, said, out.String(), c.want)
			}
			if strings.Contains(said, "s3cret") || strings.Contains(said, pgtest.Password) {
				t.Errorf("said %q, with the password", said)
			}
		})
	}
}

// logbook is what a server wrote to its log, line by line.
type logbook struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *logbook) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

// with are the lines that hold all the words.
func (b *logbook) with(words ...string) (found []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
lines:
	for line := range strings.Lines(b.text.String()) {
		for _, word := range words {
			if !strings.Contains(line, word) {
				continue lines
			}
		}
		found = append(found, line)
	}
	return found
}

// PostgreSQL goes away in the middle of a game: it is played to its end, everything that needs the database says that it
// can be asked again, and when the database is back the game is in it, once.
func TestDatabaseAway(t *testing.T) {
	server := pgtest.Start(t)
	database, data := server.Database(t), t.TempDir()
	var log logbook
	p := startLogging(t, &log, data, "-log", "info", "-db", database)
	white, black, before := p.pair(t, 300000, "board")
	begin(white, black, before)
	white.do(wire.ClientMessage{T: "resign"})
	ended(t, black, "0-1", "resignation", "WBCA 7b")
	archived := func(game string) int {
		return pgtest.Scalar[int](t, database, "SELECT count(*) FROM game WHERE id = $1", game)
	}
	within(t, "the first game is archived", func() bool { return archived(before) == 1 })

	white, black, game := p.pair(t, 300000, "board")
	begin(white, black, game)
	play(white, black, "f2f3", "e7e5")
	server.Stop(t)
	within(t, "the alarm", func() bool { return len(log.with("level=ERROR", "the database does not answer")) == 1 })
	play(white, black, "g2g4")
	black.move("d8h4")
	ended(t, white, "0-1", "checkmate", "WBCA 7a")
	ended(t, black, "0-1", "checkmate", "WBCA 7a")

	_, err := p.NewGuest(t.Context())
	unavailable(t, "a new guest", err)
	unavailable(t, "an archived game", p.Get(t.Context(), "", "/api/games/"+before, &struct{}{}))
	white.do(wire.ClientMessage{T: "join", Game: before})
	white.refused(wire.CodeUnavailable)
	white.connect() // who was here comes back
	next := seat(white, black, wire.ClientMessage{Base: 300000, Mode: "board"})
	begin(white, black, next) // and plays the next game

	server.Restart(t)
	within(t, "all clear", func() bool { return len(log.with("level=INFO", "the database answers again")) == 1 })
	within(t, "the game is archived", func() bool { return archived(game) == 1 })
	if _, err := p.NewGuest(t.Context()); err != nil {
		t.Errorf("a new guest when all is well again: %v", err)
	}
	p.stop()
	p = start(t, data, "-db", database)
	var record struct {
		State wire.State `json:"state"`
	}
	if err := p.Get(t.Context(), "", "/api/games/"+game, &record); err != nil || record.State.End == nil || record.State.End.Reason != "checkmate" {
		t.Errorf("the game in the archive: end %+v, %v", record.State.End, err)
	}
	if n := archived(game); n != 1 {
		t.Errorf("the game is archived %d times", n)
	}
	if alarms := log.with("level=ERROR"); len(alarms) != 1 {
		t.Errorf("the log has %d errors: %q", len(alarms), alarms)
	}
}

// A result that waits for the database survives the end of the program, and a crash of the database.
func TestResultWaitsOverRestart(t *testing.T) {
	server := pgtest.Start(t)
	database, data := server.Database(t), t.TempDir()
	p := startLogging(t, io.Discard, data, "-db", database)
	white, black, game := p.pair(t, 300000, "board")
	begin(white, black, game)
	play(white, black, "f2f3", "e7e5", "g2g4")
	server.Kill(t)
	black.move("d8h4")
	ended(t, white, "0-1", "checkmate", "WBCA 7a")
	if status := p.stop(); status != 0 {
		t.Errorf("status %d", status)
	}
	server.Restart(t)
	archived := func() int {
		return pgtest.Scalar[int](t, database, "SELECT count(*) FROM game WHERE id = $1", game)
	}
	if n := archived(); n != 0 {
		t.Fatalf("%d rows before anybody could write one", n)
	}
	start(t, data, "-db", database)
	within(t, "the game is archived", func() bool { return archived() == 1 })
}

// unavailable holds an answer to what the API promises of a database that is away.
func unavailable(t *testing.T, what string, err error) {
	t.Helper()
	var problem *client.Problem
	if !errors.As(err, &problem) || problem.Status != http.StatusServiceUnavailable || problem.Code != wire.CodeUnavailable {
		t.Errorf("%s: %v, want 503", what, err)
	}
}

// within waits for what other goroutines and processes do in their own time.
func within(t *testing.T, what string, holds func() bool) {
	t.Helper()
	eventually(t, func() error {
		if holds() {
			return nil
		}
		return errors.New("not in time: " + what)
	})
}
