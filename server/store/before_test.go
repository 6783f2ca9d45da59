package store_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"flagfall/server/store"
	"flagfall/server/store/pgtest"
)

// versionsBefore are the versions of the schema that earlier releases have (testdata/before).
var versionsBefore = []int{1, 2, 6}

// saidGame is what the earlier server said of a finished game.
type saidGame struct {
	Game         string
	White, Black struct{ ID, Name string }
	Rules        string
	End          struct{ Result, Reason, Rule string }
}

// A database of each earlier release opens, everything is found in it, and that release goes on over the new schema.
func TestBefore(t *testing.T) {
	server := pgtest.Start(t)
	for _, version := range versionsBefore {
		t.Run(fmt.Sprint("SQLite ", version), func(t *testing.T) {
			before(t, database{driver: "sqlite"}, filepath.Join(t.TempDir(), "flagfall.db"), "sqlite", version)
		})
		t.Run(fmt.Sprint("PostgreSQL ", version), func(t *testing.T) {
			before(t, database{driver: "pgx"}, server.Database(t), "postgres", version)
		})
	}
}

func before(t *testing.T, d database, where, kind string, version int) {
	folder := filepath.Join("testdata", "before", fmt.Sprint(version), kind)
	dump, err := os.ReadFile(filepath.Join(folder, "database.sql"))
	if err != nil {
		t.Fatal(err)
	}
	d.run(t, where, string(dump))
	s := open(t, where)
	text, err := os.ReadFile(filepath.Join(folder, "said.json"))
	if err != nil {
		t.Fatal(err)
	}
	var said struct{ Over []saidGame }
	if err := json.Unmarshal(text, &said); err != nil || len(said.Over) != 6 {
		t.Fatalf("%d games, %v", len(said.Over), err)
	}
	for _, want := range said.Over {
		want.isIn(t, s)
	}
	if keys, err := s.SigningKeys(t.Context()); err != nil || version >= 2 && kind == "postgres" && len(keys) != 1 {
		t.Errorf("%d keys, %v", len(keys), err)
	}
	if revoked, last, err := s.Revocations(t.Context(), 0); err != nil || version == 2 && (len(revoked) != 1 || last != 1) {
		t.Errorf("revocations %v to %d, %v", revoked, last, err)
	}
	if version >= 6 {
		membersAreIn(t, s)
	}
	d.goesOn(t, s, where, version)
}

// membersAreIn finds the two people with an account, their rated game, a program and a block.
func membersAreIn(t *testing.T, s *store.Store) {
	t.Helper()
	members, err := s.Members(t.Context(), "", "", 10)
	if err != nil || len(members) != 3 {
		t.Fatalf("members %v, %v; want two people and a program", members, err)
	}
	rated, blocked, bots := 0, 0, 0
	for _, m := range members {
		ranks, err := s.Ranks(t.Context(), m.Person)
		if err != nil {
			t.Fatal(err)
		}
		blocks, err := s.Blocked(t.Context(), m.Person)
		if err != nil {
			t.Fatal(err)
		}
		rated += len(ranks)
		blocked += len(blocks)
		if m.Bot() {
			bots++
		}
	}
	if rated != 2 || blocked != 1 || bots != 1 {
		t.Errorf("%d ratings, %d blocks, %d programs", rated, blocked, bots)
	}
}

func (want saidGame) isIn(t *testing.T, s *store.Store) {
	t.Helper()
	g, err := s.Game(t.Context(), want.Game)
	if err != nil {
		t.Fatal(err)
	}
	if g.White != want.White.ID || g.WhiteName != want.White.Name || g.Black != want.Black.ID || g.BlackName != want.Black.Name ||
		g.Rules != want.Rules || g.Result != want.End.Result || g.Reason != want.End.Reason || g.Rule != want.End.Rule {
		t.Errorf("game %+v, want %+v", g, want)
	}
	for _, one := range []struct{ ID, Name string }{want.White, want.Black} {
		if p, err := s.Person(t.Context(), one.ID); err != nil || p.Name != one.Name || !p.Guest {
			t.Errorf("person %+v, %v; want %s", p, err, one.Name)
		}
		if games, err := s.GamesOf(t.Context(), one.ID, store.Cursor{}, 5); err != nil || len(games) != 1 || games[0].ID != want.Game {
			t.Errorf("games of %s: %v, %v", one.Name, games, err)
		}
	}
}

// statement is one of an earlier release, word for word.
type statement struct {
	since int // version of the schema
	text  string
	args  []any
	rows  int64 // that it writes or finds; -1: any number
}

const (
	oldColumns = `id, white, white_name, black, black_name, rules, mode, base, result, reason, rule, started, ended, plies, record`
	// oldColumns6 are those since ratings.
	oldColumns6 = `id, white, white_name, black, black_name, rules, mode, base, result, reason, rule, started, ended, plies, rating, counts, record`
	oldHalf     = `SELECT * FROM (SELECT ` + oldColumns + ` FROM game WHERE %s = $1 AND (ended, id) < ($2, $3) ORDER BY ended DESC, id DESC LIMIT $4) AS %[1]s_games`
)

func statementsBefore() []statement {
	at := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC).UnixMilli()
	save := `
		INSERT INTO game (` + oldColumns + `)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
		ON CONFLICT (id) DO NOTHING`
	game := []any{"old", "PERSON", "Jo", "OTHER", "Al", "wbca", "board", 300000, "1-0", "resignation", "WBCA 7b", at, at + 1, 4, `{"v":1}`}
	return []statement{
		{1, `
		INSERT INTO person (id, name, guest, created, last_seen) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (id) DO UPDATE SET name = excluded.name, guest = excluded.guest,
			last_seen = CASE WHEN excluded.last_seen > person.last_seen THEN excluded.last_seen ELSE person.last_seen END`,
			[]any{"PERSON", "Jo", true, at, at}, 1},
		{1, `SELECT name, guest, created, last_seen FROM person WHERE id = $1`, []any{"PERSON"}, 1},
		{1, save, game, 1},
		{1, save, game, 0},
		{1, `SELECT ` + oldColumns + ` FROM game WHERE id = $1`, []any{"old"}, 1},
		{1, fmt.Sprintf(oldHalf, "white") + ` UNION ` + fmt.Sprintf(oldHalf, "black") + ` ORDER BY ended DESC, id DESC LIMIT $4`,
			[]any{"PERSON", int64(1 << 62), "", 10}, 1},
		{2, `SELECT number, id, seed, signs FROM signing_key ORDER BY number`, nil, -1},
		{2, `INSERT INTO signing_key (number, id, seed, signs) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`, []any{77, "key", "c2VlZA==", at}, 1},
		{2, `DELETE FROM signing_key WHERE id = $1`, []any{"key"}, 1},
		{2, `UPDATE revocation_count SET last = last + 1 RETURNING last`, nil, 1},
		{2, `INSERT INTO revocation (id, number, until) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`, []any{"session", 99, at}, 1},
		{2, `SELECT number, id, until FROM revocation WHERE number > $1 ORDER BY number LIMIT $2`, []any{98, 1000}, 1},
		{2, `DELETE FROM revocation WHERE until < $1`, []any{at + 1}, -1},
		{6, `
		INSERT INTO person (id, name, guest, created, last_seen) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (id) DO UPDATE SET
			name = CASE WHEN person.guest THEN excluded.name ELSE person.name END, guest = person.guest AND excluded.guest,
			last_seen = CASE WHEN excluded.last_seen > person.last_seen THEN excluded.last_seen ELSE person.last_seen END`,
			[]any{"PERSON", "Jo", true, at, at}, 1},
		{6, `INSERT INTO account (person, skeleton, password, role, owner, created, closed)
			VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`, []any{"PERSON", "j0", "$", "player", "", at, 0}, 1},
		{6, `INSERT INTO taken_name (skeleton, person) VALUES ($1, $2) ON CONFLICT DO NOTHING`, []any{"j0", "PERSON"}, 1},
		{6, `INSERT INTO login (id, person, api_key, created, seen, until) VALUES ($1, $2, $3, $4, $5, $6)`, []any{"session", "PERSON", "", at, at, at}, 1},
		{6, `UPDATE login SET seen = $2, until = $3 WHERE id = $1`, []any{"session", at + 1, at + 1}, 1},
		{6, `SELECT account.person, person.name, account.password, account.role, account.owner, account.created, account.closed` +
			` FROM account JOIN person ON person.id = account.person WHERE account.skeleton = $1`, []any{"j0"}, 1},
		{6, `
		INSERT INTO game (` + oldColumns6 + `)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
		ON CONFLICT (id) DO NOTHING`,
			[]any{"old6", "PERSON", "Jo", "OTHER", "Al", "wbca", "board", 300000, "1-0", "resignation", "WBCA 7b", at, at + 1, 4, "wbca", true, `{"v":1}`}, 1},
		{6, `UPDATE rating_count SET last = last + 1 RETURNING last`, nil, 1},
		{6, `UPDATE game SET rating_number = $2 WHERE id = $1`, []any{"old6", 77}, 1},
		{6, `SELECT ` + oldColumns6 + ` FROM game WHERE id = $1`, []any{"old6"}, 1},
		{6, `
		INSERT INTO rating (person, kind, rating, deviation, volatility, games, last, settled) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT (person, kind) DO UPDATE SET rating = excluded.rating, deviation = excluded.deviation,
			volatility = excluded.volatility, games = excluded.games, last = excluded.last, settled = excluded.settled`,
			[]any{"PERSON", "wbca", 1510.5, 300.5, 0.06, 1, at, 0}, 1},
		{6, `
		INSERT INTO rating_change (game, person, kind, number, ended, before, before_deviation, rating, deviation, volatility, games, last)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
			[]any{"old6", "PERSON", "wbca", 77, at, 1500.0, 350.0, 1510.5, 300.5, 0.06, 1, at}, 1},
		{6, `INSERT INTO block (person, blocked, at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`, []any{"PERSON", "OTHER", at}, 1},
		{6, `SELECT blocked FROM block WHERE person = $1 UNION SELECT person FROM block WHERE blocked = $1`, []any{"PERSON"}, 1},
		{6, `DELETE FROM block WHERE person = $1`, []any{"PERSON"}, 1},
		{6, `DELETE FROM account WHERE person = $1`, []any{"PERSON"}, 1},
	}
}

// goesOn runs the statements of a release over the schema of this one, which then finds what was written.
func (d database) goesOn(t *testing.T, s *store.Store, where string, version int) {
	t.Helper()
	db, err := sql.Open(d.driver, where)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, one := range statementsBefore() {
		if one.since > version {
			continue
		}
		n, err := one.run(t, db)
		if err != nil || one.rows >= 0 && n != one.rows {
			t.Errorf("%s: %d rows, %v; want %d", strings.TrimSpace(one.text), n, err, one.rows)
		}
	}
	if p, err := s.Person(t.Context(), "PERSON"); err != nil || p.Name != "Jo" {
		t.Errorf("a person whom the release before wrote: %+v, %v", p, err)
	}
	if g, err := s.Game(t.Context(), "old"); err != nil || g.Result != "1-0" || string(g.Record) != `{"v":1}` {
		t.Errorf("a game that the release before wrote: %+v, %v", g, err)
	}
}

func (one statement) run(t *testing.T, db *sql.DB) (n int64, err error) {
	if !strings.HasPrefix(one.text, "SELECT") && !strings.Contains(one.text, "RETURNING") {
		done, err := db.ExecContext(t.Context(), one.text, one.args...)
		if err != nil {
			return 0, err
		}
		return done.RowsAffected()
	}
	rows, err := db.QueryContext(t.Context(), one.text, one.args...)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		n++
	}
	return n, rows.Err()
}
