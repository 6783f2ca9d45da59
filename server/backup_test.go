package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"flagfall/server/store"
	"flagfall/server/store/pgtest"
	"flagfall/server/wire"
)

// public is one address for a server and for the one over its backup: tokens are for an address.
var public = []string{"-url", "http://chess.example", "-limit-guests", "500", "-limit-handshakes", "500", "-limit-messages", "500"}

// backUp runs the command and gives the folder.
func backUp(t *testing.T, data string, args ...string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "backup")
	var out, errs bytes.Buffer
	args = append(append([]string{"backup", "-data", data}, args...), to)
	if status := run(t.Context(), args, nil, &out, &errs); status != 0 || errs.Len() > 0 || !strings.HasPrefix(out.String(), "backed up to "+to) {
		t.Fatalf("status %d, said %q and %q", status, out.String(), errs.String())
	}
	return to
}

// go to another server.
func (s *somebody) moveTo(p *program) {
	s.t.Helper()
	_ = s.conn.Cut()
	s.server, s.seen = p.Server, nil
	s.connect()
}

// A backup is made while games go on. A server over it has the finished game, the unfinished ones go on where they stood
// at that moment, whatever came later, and with the clocks of then.
func TestBackup(t *testing.T) {
	data := t.TempDir()
	p := start(t, data, public...)
	white, black, over := p.pair(t, 300000, "board")
	begin(white, black, over)
	white.do(wire.ClientMessage{T: "resign"})
	ended(t, black, "0-1", "resignation", "WBCA 7b")

	games := [2]*interrupted{}
	for i := range games {
		g := &interrupted{}
		g.white, g.black, g.game = p.pair(t, 180000, "board")
		begin(g.white, g.black, g.game)
		play(g.white, g.black, "e2e4", "e7e5", "g1f3")
		g.clk = g.white.seen[len(g.white.seen)-1].Body.(*wire.Events).Clocks
		games[i] = g
	}
	copied := backUp(t, data)
	play(games[0].black, games[0].white, "g8f6", "f3e5") // is not in it
	games[1].black.do(wire.ClientMessage{T: "resign"})   // nor is that
	ended(t, games[1].white, "1-0", "resignation", "WBCA 7b")
	p.stop()

	p = start(t, copied, public...)
	for _, g := range games {
		g.white.moveTo(p)
		g.black.moveTo(p)
		g.white.ply, g.black.ply = 4, 3
		g.compare(t, g.white.join(g.game))
		g.black.join(g.game)
		g.white.event("resume")
		g.black.event("resume")
		play(g.black, g.white, "b8c6", "f1b5")
		g.white.do(wire.ClientMessage{T: "resign"})
		ended(t, g.black, "0-1", "resignation", "WBCA 7b")
	}
	for _, game := range []string{over, games[0].game, games[1].game} {
		archivedOnce(t, copied, game)
	}
}

// archivedOnce waits until a game is in the SQLite database of a data folder, and lets it be there only once.
func archivedOnce(t *testing.T, data, game string) {
	t.Helper()
	s, err := store.Open(t.Context(), filepath.Join(data, store.FileName), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	within(t, "game "+game+" is archived", func() bool {
		g, err := s.Game(t.Context(), game)
		return err == nil && g.Reason == "resignation"
	})
}

// copyMade is a backup that was made while two people played one short game after the other.
type copyMade struct {
	folder string
	ended  int64 // games that both had been told the end of before
	begun  int64 // games whose players had been paired by the end of it
}

// Backups are made while games end. In none a game is lost, runs although the database has it, or holds its players' seats.
func TestBackupWhileGamesEnd(t *testing.T) {
	const backups = 6
	data := t.TempDir()
	p := start(t, data, public...)
	white, black := p.guest(t), p.guest(t)
	var begun, told atomic.Int64
	var copies []copyMade
	var maker sync.WaitGroup
	made := make(chan struct{})
	maker.Go(func() {
		defer close(made)
		for len(copies) < backups && !t.Failed() {
			c := copyMade{folder: filepath.Join(t.TempDir(), "backup"), ended: told.Load()}
			var errs bytes.Buffer
			if status := run(t.Context(), []string{"backup", "-data", data, c.folder}, nil, &bytes.Buffer{}, &errs); status != 0 {
				t.Errorf("status %d: %s", status, errs.String())
			}
			c.begun = begun.Load()
			copies = append(copies, c)
		}
	})
	defer maker.Wait()
	var games []string
	for going := true; going; {
		if len(games)%10 == 9 { // a page that comes and goes too often is cut off
			white.moveTo(p)
			black.moveTo(p)
		}
		games = append(games, seat(white, black, wire.ClientMessage{Base: 300000, Mode: "board"}))
		begun.Add(1)
		begin(white, black, games[len(games)-1])
		black.do(wire.ClientMessage{T: "resign"})
		ended(t, white, "1-0", "resignation", "WBCA 7b")
		ended(t, black, "1-0", "resignation", "WBCA 7b")
		told.Add(1)
		select {
		case <-made:
			going = false
		default:
		}
	}
	maker.Wait()
	p.stop()
	for _, c := range copies {
		c.check(t, white, black, games)
	}
}

func (c copyMade) check(t *testing.T, white, black *somebody, games []string) {
	t.Helper()
	inDatabase := c.archived(t, games)
	p := start(t, c.folder, public...)
	defer p.stop()
	white.moveTo(p)
	black.moveTo(p)
	last := max(int(c.ended), len(inDatabase)) // so many games the copy must know: no later one without those before it
	if going := sitsAt(t, white); going != "" {
		i := slices.Index(games, going)
		if i < int(c.ended) || i > int(c.begun) { // the last may have been paired without anybody having been told
			t.Errorf("game %d runs; %d were over before and %d begun by the end", i, c.ended, c.begun)
		}
		if slices.Contains(inDatabase, going) {
			t.Errorf("game %d runs and is in the database", i)
		}
		white.join(going)
		black.join(going)
		black.do(wire.ClientMessage{T: "resign"})
		ended(t, white, "1-0", "resignation", "WBCA 7b")
		archivedOnce(t, c.folder, going)
		last = max(last, i)
	}
	for _, game := range games[:last] {
		archivedOnce(t, c.folder, game)
	}
	begin(white, black, seat(white, black, wire.ClientMessage{Base: 300000, Mode: "board"}))
}

// sitsAt is the running game of somebody who has just come back, "" for none. Its table may still be on the way.
func sitsAt(t *testing.T, s *somebody) (going string) {
	t.Helper()
	going = s.seen[0].Body.(*wire.Hello).Game
	eventually(t, func() error {
		if going == "" {
			return nil
		}
		var shown struct{ State wire.State }
		err := s.server.Get(t.Context(), "", "/api/games/"+going, &shown)
		if err == nil && shown.State.End != nil {
			going = "" // it was just over
		}
		return err
	})
	return going
}

// archived lists the games that are in the database of the copy itself.
func (c copyMade) archived(t *testing.T, games []string) (in []string) {
	t.Helper()
	s, err := store.Open(t.Context(), filepath.Join(c.folder, store.FileName), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, game := range games {
		if _, err := s.Game(t.Context(), game); err == nil {
			in = append(in, game)
		}
	}
	return in
}

// With PostgreSQL the backup has a dump of the database, of the same moment as the journal.
func TestBackupWithPostgres(t *testing.T) {
	server := pgtest.Start(t)
	database, data := server.Database(t), t.TempDir()
	p := start(t, data, append(public, "-db", database)...)
	white, black, over := p.pair(t, 300000, "board")
	begin(white, black, over)
	white.do(wire.ClientMessage{T: "resign"})
	ended(t, black, "0-1", "resignation", "WBCA 7b")
	count := func(database, game string) int {
		return pgtest.Scalar[int](t, database, "SELECT count(*) FROM game WHERE id = $1", game)
	}
	within(t, "the game is archived", func() bool { return count(database, over) == 1 })
	g := &interrupted{}
	g.white, g.black, g.game = p.pair(t, 180000, "board")
	begin(g.white, g.black, g.game)
	play(g.white, g.black, "e2e4", "e7e5", "g1f3")
	g.clk = g.white.seen[len(g.white.seen)-1].Body.(*wire.Events).Clocks
	copied := backUp(t, data, "-db", database)
	p.stop()

	database = server.Database(t)
	restore := exec.CommandContext(t.Context(), "pg_restore", "--no-owner", "--exit-on-error", "--dbname", database, filepath.Join(copied, store.DumpName))
	if out, err := restore.CombinedOutput(); err != nil {
		t.Fatalf("pg_restore: %v\n%s", err, out)
	}
	p = start(t, copied, append(public, "-db", database)...)
	g.white.moveTo(p)
	g.black.moveTo(p)
	g.white.ply, g.black.ply = 4, 3
	g.compare(t, g.white.join(g.game))
	g.black.join(g.game)
	g.white.event("resume")
	g.black.do(wire.ClientMessage{T: "resign"})
	ended(t, g.white, "1-0", "resignation", "WBCA 7b")
	within(t, "the game is archived", func() bool { return count(database, g.game) == 1 })
	if n := count(database, over); n != 1 {
		t.Errorf("the finished game is archived %d times", n)
	}
}

// What cannot be backed up is told in one line, and nothing is left of it.
func TestBackupRefused(t *testing.T) {
	data, empty := t.TempDir(), t.TempDir()
	start(t, data).stop()
	damaged := t.TempDir()
	start(t, damaged).stop()
	if err := os.WriteFile(filepath.Join(damaged, store.FileName), []byte(strings.Repeat("no database ", 400)), 0o600); err != nil {
		t.Fatal(err)
	}
	there := t.TempDir()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	parent := t.TempDir()
	to := filepath.Join(parent, "backup")
	hall := []string{"-redis", "redis://localhost", "-db", "postgres://u:s3cret@localhost/hall", "-url", "https://chess.example"}
	for _, c := range []struct {
		name string
		args []string
		want string
	}{
		{"no folder", []string{"-data", data, "-log=info"}, "want a folder"},
		{"nothing at all", nil, "want a folder"},
		{"two folders", []string{"-data", data, "one", to}, `"one" is not a flag`},
		{"a flag without its value", []string{"-data", to}, "flag needs an argument"},
		{"the target is there", []string{"-data", data, there}, "is there already"},
		{"the target is a file", []string{"-data", data, file}, "is there already"},
		{"the target's folder is missing", []string{"-data", data, filepath.Join(parent, "none", "backup")}, "no such file"},
		{"the target is in a file", []string{"-data", data, filepath.Join(file, "backup")}, "not a directory"},
		{"no data folder", []string{"-data", filepath.Join(parent, "none"), to}, "no server has run over the data folder"},
		{"an empty data folder", []string{"-data", empty, to}, "no server has run over the data folder"},
		{"another database that is missing", []string{"-data", data, "-db", filepath.Join(parent, "none.db"), to}, "no such file"},
		{"a damaged database", []string{"-data", damaged, to}, "not a database"},
		{"a wrong setting", []string{"-data", data, "-ops", "9090", to}, "want host:port"},
		{"several nodes", append(hall, to), "pg_dump"},
		{"a database that does not answer", []string{"-data", data, "-db", "postgres://u:s3cret@127.0.0.1:1/hall", to}, "connection refused"},
	} {
		t.Run(c.name, func(t *testing.T) { refusedBackup(t, c.want, parent, c.args...) })
	}
	t.Run("the target cannot be written", func(t *testing.T) {
		if runtime.GOOS == "windows" || os.Geteuid() == 0 {
			parent = "/proc" // nobody can make a folder there
			to = filepath.Join(parent, "backup")
		} else if err := os.Chmod(parent, 0o500); err != nil {
			t.Fatal(err)
		}
		refusedBackup(t, "", "", "-data", data, to)
	})
}

func refusedBackup(t *testing.T, want, parent string, args ...string) {
	t.Helper()
	var out, errs bytes.Buffer
	status := run(context.Background(), append([]string{"backup"}, args...), nil, &out, &errs)
	said := errs.String()
	if status != 1 || out.Len() > 0 || !strings.HasPrefix(said, "flagfall: backup: ") || !strings.Contains(said, want) || strings.Count(said, "\n") != 1 {
		t.Errorf("status %d, said %q and %q, want one line with %q", status, out.String(), said, want)
	}
	if strings.Contains(said, "s3cret") {
		t.Errorf("said %q, with the password", said)
	}
	if parent == "" {
		return
	}
	if left, err := os.ReadDir(parent); err != nil || len(left) > 0 {
		t.Errorf("left behind %v, %v", left, err)
	}
}
