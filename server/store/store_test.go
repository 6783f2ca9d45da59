package store_test

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"flagfall/server/account"
	"flagfall/server/store"
	"flagfall/server/store/pgtest"
	"flagfall/server/store/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func open(t *testing.T, address string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), address, store.Options{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// database is one of the two kinds; address gives a new one, and driver is what database/sql opens it with.
type database struct {
	driver  string
	address func(t *testing.T) string
}

// What every store must do is tried on both databases.
func TestStores(t *testing.T) {
	run := func(t *testing.T, d database) {
		storetest.Run(t, func(t *testing.T) *store.Store { return open(t, d.address(t)) })
		t.Run("reopened", func(t *testing.T) { d.reopened(t) })
		t.Run("started at once", func(t *testing.T) { d.startedAtOnce(t) })
		t.Run("keysets opened at once", func(t *testing.T) { d.keysetsOpenedAtOnce(t) })
		t.Run("schema of the next release", func(t *testing.T) { d.schemaOfTheNextRelease(t) })
		t.Run("re-rated as if played so", func(t *testing.T) { d.reratedAsPlayed(t) })
		t.Run("re-rating while games end", func(t *testing.T) { d.reratedWhileGamesEnd(t) })
		t.Run("a full club", func(t *testing.T) { d.fullClub(t) })
	}
	t.Run("SQLite", func(t *testing.T) {
		run(t, database{"sqlite", func(t *testing.T) string { return filepath.Join(t.TempDir(), "a name with #signs%.db") }})
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		server := pgtest.Start(t)
		run(t, database{"pgx", func(t *testing.T) string { return server.Database(t) }})
	})
}

func (d database) reopened(t *testing.T) {
	where := d.address(t)
	first := open(t, where)
	at := time.UnixMilli(1_700_000_000_000).UTC()
	if err := first.SavePerson(t.Context(), store.Person{ID: "P", Name: "Jo", Created: at, LastSeen: at}); err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if p, err := open(t, where).Person(t.Context(), "P"); err != nil || p.Name != "Jo" {
		t.Errorf("after a restart: %+v, %v", p, err)
	}
}

// run runs statements past the store.
func (d database) run(t *testing.T, where string, statements ...string) {
	t.Helper()
	if d.driver == "sqlite" {
		where = "file:" + strings.NewReplacer("%", "%25", "#", "%23").Replace(where)
	}
	db, err := sql.Open(d.driver, where)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, one := range statements {
		if _, err := db.ExecContext(t.Context(), one); err != nil {
			t.Fatalf("%s: %v", one, err)
		}
	}
}

// Nodes that start at once all come up, and the schema is made once: over an empty database, and over one of an earlier
// release, where no table of versions has to be made first.
func (d database) startedAtOnce(t *testing.T) {
	where := d.address(t)
	d.startNodes(t, where)
	d.run(t, where, "DROP TABLE game", "DROP TABLE person", "DROP TABLE signing_key", "DROP TABLE revocation", "DROP TABLE revocation_count",
		"DROP TABLE rating", "DROP TABLE rating_change", "DROP TABLE rating_count", "DROP TABLE correction",
		"DROP TABLE rerating", "DROP TABLE rerating_person", "DROP TABLE rerating_change", "DROP TABLE rerating_gone",
		"DROP TABLE taken_name", "DROP TABLE account", "DROP TABLE identity", "DROP TABLE login", "DROP TABLE api_key", "DROP TABLE password_reset", "DROP TABLE erasure",
		"DROP TABLE event", "DROP TABLE event_person",
		"DROP TABLE block", "DROP TABLE club_member", "DROP TABLE club",
		"DELETE FROM goose_db_version WHERE version_id > 0")
	d.startNodes(t, where)
}

func (d database) startNodes(t *testing.T, where string) {
	t.Helper()
	var nodes sync.WaitGroup
	for range 6 {
		nodes.Go(func() {
			s, err := store.Open(t.Context(), where, store.Options{})
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			if _, err := s.SaveGame(t.Context(), store.Game{ID: "g", Record: []byte("{}")}); err != nil {
				t.Error(err)
			}
		})
	}
	nodes.Wait()
}

// Nodes that start at once over an empty database sign by one key, and take one another's tokens.
func (d database) keysetsOpenedAtOnce(t *testing.T) {
	where := d.address(t)
	open(t, where) // the schema
	var nodes sync.WaitGroup
	all := make([]*account.Tokens, 4)
	for i := range all {
		s := open(t, where)
		nodes.Go(func() {
			keys, err := account.OpenKeys(t.Context(), account.KeysConfig{Store: s, Log: slog.New(slog.DiscardHandler)})
			if err != nil {
				t.Error(err)
				return
			}
			defer keys.Close()
			if all[i], err = account.NewTokens(account.Config{Keys: keys, Audience: "https://chess.example"}); err != nil {
				t.Error(err)
			}
		})
	}
	nodes.Wait()
	if t.Failed() {
		return
	}
	for _, maker := range all {
		session, err := maker.Issue(account.NewGuest())
		if err != nil {
			t.Fatal(err)
		}
		for _, checker := range all {
			if _, err := checker.Check(session.Token); err != nil {
				t.Error(err)
			}
		}
	}
	if keys, err := open(t, where).SigningKeys(t.Context()); err != nil || len(keys) != 1 {
		t.Errorf("%d keys, %v; want one", len(keys), err)
	}
}

// A node of this release goes on, and starts anew, over the schema of the next one.
func (d database) schemaOfTheNextRelease(t *testing.T) {
	where := d.address(t)
	running := open(t, where)
	if _, err := running.SaveGame(t.Context(), store.Game{ID: "before", White: "P", Record: []byte("{}")}); err != nil {
		t.Fatal(err)
	}
	if _, err := running.GamesOf(t.Context(), "P", store.Cursor{}, 1); err != nil {
		t.Fatal(err)
	}
	d.run(t, where,
		`ALTER TABLE game ADD COLUMN arena TEXT NOT NULL DEFAULT ''`,
		`ALTER TABLE person ADD COLUMN title BIGINT`,
		`INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, TRUE)`)
	for name, s := range map[string]*store.Store{"running": running, "started anew": open(t, where)} {
		if _, err := s.SaveGame(t.Context(), store.Game{ID: name, White: "P", Record: []byte("{}")}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := s.SavePerson(t.Context(), store.Person{ID: name}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if games, err := s.GamesOf(t.Context(), "P", store.Cursor{}, 10); err != nil || len(games) < 2 {
			t.Errorf("%s: %d games, %v", name, len(games), err)
		}
	}
}

// One more than a club can have is refused; one who is in it is not one more.
func (d database) fullClub(t *testing.T) {
	ctx, where := t.Context(), d.address(t)
	s := open(t, where)
	at := time.UnixMilli(1_700_000_000_000).UTC()
	for _, name := range []string{"Ann", "Bob"} {
		m := account.Member{Person: name, Name: name, Password: "$", Role: account.Player, Created: at}
		if err := s.AddMember(ctx, m, account.Login{}, account.Revocation{}, 0); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.AddClub(ctx, store.Club{Name: "oslo", Title: "Oslo", Created: at}, "Ann"); err != nil {
		t.Fatal(err)
	}
	d.run(t, where, fmt.Sprintf(`INSERT INTO club_member (club, person, role, since)
		WITH RECURSIVE c(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM c WHERE n < %d) SELECT 'oslo', 'P' || n, 'member', 1 FROM c`, store.MostClubMembers))
	if err := s.JoinClub(ctx, "oslo", "Bob", at); !errors.Is(err, store.ErrClubFull) {
		t.Errorf("one too many: %v", err)
	}
	if err := s.JoinClub(ctx, "oslo", "Ann", at); err != nil {
		t.Errorf("who is in it: %v", err)
	}
	if of, err := s.ClubsOf(ctx, "Bob"); err != nil || len(of) != 0 {
		t.Errorf("he is in %v, %v", of, err)
	}
}

// Migrations after the first only add (migrations/README.md).
func TestMigrationsOnlyAdd(t *testing.T) {
	takes := regexp.MustCompile(`(?i)\b(DROP|RENAME|TRUNCATE|DELETE|UPDATE|ALTER\s+COLUMN|SET\s+NOT\s+NULL|UNIQUE)\b`)
	comment := regexp.MustCompile(`--.*`)
	bare := regexp.MustCompile(`(?i)ADD\s+COLUMN[^;]*\bNOT\s+NULL\b`)
	files, err := fs.Glob(os.DirFS("migrations"), "*.sql")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files[1:] {
		text, err := os.ReadFile(filepath.Join("migrations", name))
		if err != nil {
			t.Fatal(err)
		}
		up, _, _ := strings.Cut(string(text), "-- +goose Down")
		up = comment.ReplaceAllString(up, "")
		for statement := range strings.SplitSeq(up, ";") {
			if found := takes.FindString(statement); found != "" {
				t.Errorf("%s: %s: the release before would not survive it", name, found)
			}
			if bare.MatchString(statement) && !strings.Contains(strings.ToUpper(statement), "DEFAULT") {
				t.Errorf("%s: a new column that is NOT NULL needs a DEFAULT: the release before does not fill it", name)
			}
		}
	}
}

func TestOpenRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "flagfall.db")
	if err := os.WriteFile(path, []byte("this is not a database, and it is long enough to tell"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, address := range map[string]string{
		"a file that is no database": path,
		"a folder that is not there": filepath.Join(t.TempDir(), "missing", "flagfall.db"),
		"no address":                 "",
		"another kind of database":   "mysql://root@localhost/flagfall",
	} {
		if s, err := store.Open(t.Context(), address, store.Options{}); err == nil {
			s.Close()
			t.Errorf("%s was opened", name)
		}
	}
}
