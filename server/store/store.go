// Package store keeps what outlives a game: people, finished games, ratings, signing keys and revocations, in one SQL schema on
// SQLite or PostgreSQL.
package store

import (
	"context"
	"database/sql"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"strings"
	"time"

	"github.com/pressly/goose/v3"
)

// Errors of the store.
var (
	// ErrNotFound says that there is no such person or game.
	ErrNotFound = errors.New("not found")
	// ErrUnavailable says that the database did not answer. Whether a write was done is not known: every write may be
	// tried again.
	ErrUnavailable = errors.New("the database does not answer")
)

// Person is somebody who was here. Times are UTC with millisecond precision.
type Person struct {
	ID       string
	Name     string
	Guest    bool
	Bot      bool // read only: who adds a member says so
	Created  time.Time
	LastSeen time.Time
}

// Game is a finished game. Base is in ms for each side; Record is the whole game as JSON and is kept as it is. Result, Reason,
// Rule and Counts are those of the last correction, if there was one.
type Game struct {
	ID        string
	White     string // a person's id
	WhiteName string // as it was then
	Black     string
	BlackName string
	Rules     string
	Mode      string
	Base      int64
	Result    string // "1-0", "0-1", "1/2-1/2" or "*" (void)
	Reason    string
	Rule      string
	Started   time.Time
	Ended     time.Time
	Plies     int
	Rating    string // the kind of rating that it may count for, "" for a casual game
	Counts    bool   // as it ended, it does
	Record    json.RawMessage
}

// Cursor is a place in a person's games, which are listed from the latest to the earliest: the next page begins after
// it. The zero Cursor begins at the latest.
type Cursor struct {
	Ended time.Time
	ID    string
}

// Store is the database. Safe for concurrent use. No call waits longer than answerTime.
type Store struct {
	name  string
	db    *sql.DB
	away  func(error) bool // of an error of the driver: the database could not be asked
	watch *watch           // nil for a database within this process

	dialect dialect
	batch   int // how many games one transaction of a re-rating looks at
}

// answerTime bounds every statement: it is shorter than what a person waits for an answer.
const answerTime = 4 * time.Second

// Options of a Store.
type Options struct {
	Log *slog.Logger // nil means slog.Default
}

//go:embed migrations/*.sql
var migrations embed.FS

// Check tells whether an address can be one of a database, without opening it. The error does not repeat it.
func Check(address string) error {
	scheme, _, isURL := strings.Cut(address, "://")
	switch {
	case address == "":
		return errors.New("want a path or a postgres:// URL")
	case isPostgres(address):
		_, err := parsePostgres(address)
		return err
	case isURL:
		return fmt.Errorf("%s:// is not a database of this program; want a path or a postgres:// URL", scheme)
	}
	return nil
}

// Open opens a database and brings its schema up to date: "postgres://user:password@host/name", or an SQLite file (a
// path, or "file:..." with its own parameters), which is made if it is not there. Its errors name no password.
func Open(ctx context.Context, address string, o Options) (*Store, error) {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	err := Check(address)
	if err != nil {
		return nil, fmt.Errorf("database: %w", err)
	}
	var s *Store
	if isPostgres(address) {
		s, err = openPostgres(ctx, address, o)
	} else {
		s, err = openSQLite(ctx, address)
	}
	if err != nil {
		return nil, fmt.Errorf("database: %w", err)
	}
	s.batch = rerateBatch
	return s, nil
}

func migrate(ctx context.Context, db *sql.DB, of dialect, more ...goose.ProviderOption) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	provider, err := goose.NewProvider(of.Dialect, db, files, append(more, goose.WithDisableGlobalRegistry(true), goose.WithGoMigrations(nameIndex(of)))...)
	if err != nil {
		return err
	}
	_, err = provider.Up(ctx)
	return err
}

// Err tells whether the database answers: nil, or why not. It is known from a question every two seconds, and costs nothing.
func (s *Store) Err() error {
	if s.watch == nil {
		return nil
	}
	return s.watch.state()
}

// String names the database, without a password.
func (s *Store) String() string { return s.name }

// Close waits for running statements.
func (s *Store) Close() error {
	var err error
	if s.watch != nil {
		err = s.watch.end()
	}
	return errors.Join(err, s.db.Close())
}

// SavePerson adds a person, or renews when he was last seen; Created stays what it was first, and LastSeen never goes back. A guest's
// name is renewed too; who is no guest keeps his, whatever an old token says.
func (s *Store) SavePerson(ctx context.Context, p Person) error {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	_, err := s.db.ExecContext(ctx, `
		INSERT INTO person (id, name, guest, created, last_seen) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (id) DO UPDATE SET
			name = CASE WHEN person.guest THEN excluded.name ELSE person.name END, guest = person.guest AND excluded.guest,
			last_seen = CASE WHEN excluded.last_seen > person.last_seen THEN excluded.last_seen ELSE person.last_seen END`,
		p.ID, p.Name, p.Guest, p.Created.UnixMilli(), p.LastSeen.UnixMilli())
	return s.wrap("save person", p.ID, err)
}

// Person finds one by id.
func (s *Store) Person(ctx context.Context, id string) (Person, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	p := Person{ID: id}
	var created, seen int64
	err := s.db.QueryRowContext(ctx, `SELECT name, guest, bot, created, last_seen FROM person WHERE id = $1`, id).
		Scan(&p.Name, &p.Guest, &p.Bot, &created, &seen)
	if err != nil {
		return Person{}, s.wrap("person", id, err)
	}
	p.Created, p.LastSeen = civil(created), civil(seen)
	return p, nil
}

// SaveGame keeps a finished game, and changes the ratings of both players in the same transaction if it counts. The same id
// again changes nothing: a result is written once (added is false then).
func (s *Store) SaveGame(ctx context.Context, g Game) (added bool, err error) {
	if err := checkGame(g); err != nil {
		return false, fmt.Errorf("store: save game %s: %w", g.ID, err)
	}
	err = s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		added, err = s.saveGame(ctx, tx, g)
		return err
	})
	return added && err == nil, s.wrap("save game", g.ID, err)
}

func checkGame(g Game) error {
	switch {
	case !json.Valid(g.Record):
		return errors.New("the record is not JSON")
	case g.Counts && (g.Rating == "" || g.White == g.Black || !decided(g.Result)):
		return fmt.Errorf("a game that counts needs a kind of rating, two players and a result, not %q, %q, %q and %q", g.Rating, g.White, g.Black, g.Result)
	}
	return nil
}

func (s *Store) saveGame(ctx context.Context, tx *sql.Tx, g Game) (added bool, err error) {
	done, err := tx.ExecContext(ctx, `
		INSERT INTO game (`+gameColumns+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
		ON CONFLICT (id) DO NOTHING`,
		g.ID, g.White, g.WhiteName, g.Black, g.BlackName, g.Rules, g.Mode, g.Base, g.Result, g.Reason, g.Rule,
		g.Started.UnixMilli(), g.Ended.UnixMilli(), g.Plies, g.Rating, g.Counts, string(g.Record))
	if err != nil {
		return false, err
	}
	if rows, err := done.RowsAffected(); err != nil || rows == 0 {
		return false, err
	}
	if g.Rating == "" {
		return true, nil
	}
	return true, rateGame(ctx, tx, g)
}

const gameColumns = `id, white, white_name, black, black_name, rules, mode, base, result, reason, rule, started, ended, plies, rating, counts, record`

// Game finds a finished game by id.
func (s *Store) Game(ctx context.Context, id string) (Game, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	g, err := scanGame(s.db.QueryRowContext(ctx, `SELECT `+gameColumns+` FROM game WHERE id = $1`, id))
	return g, s.wrap("game", id, err)
}

// GamesOf lists at most limit finished games of a person, the latest first, after the cursor.
func (s *Store) GamesOf(ctx context.Context, person string, after Cursor, limit int) ([]Game, error) {
	return s.Records(ctx, Filter{Person: person}, after, limit)
}

func scanGame(row interface{ Scan(...any) error }) (Game, error) {
	var g Game
	var started, ended int64
	var record string
	err := row.Scan(&g.ID, &g.White, &g.WhiteName, &g.Black, &g.BlackName, &g.Rules, &g.Mode, &g.Base,
		&g.Result, &g.Reason, &g.Rule, &started, &ended, &g.Plies, &g.Rating, &g.Counts, &record)
	if err != nil {
		return Game{}, err
	}
	g.Started, g.Ended, g.Record = civil(started), civil(ended), json.RawMessage(record)
	return g, nil
}

func civil(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

// wrap says what was being done; no rows is ErrNotFound, and a database that did not answer ErrUnavailable.
func (s *Store) wrap(what, id string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, sql.ErrNoRows):
		err = ErrNotFound
	case errors.Is(err, context.Canceled):
	case errors.Is(err, context.DeadlineExceeded) || s.away(err):
		if s.watch != nil {
			s.watch.suspect()
		}
		err = fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return fmt.Errorf("store: %s %s: %w", what, id, err)
}
