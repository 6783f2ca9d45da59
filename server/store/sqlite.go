package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"slices"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// openSQLite opens the file and brings its schema up to date.
func openSQLite(ctx context.Context, address string) (*Store, error) {
	db, err := connectSQLite(address, nil)
	if err != nil {
		return nil, err
	}
	if err := migrateSQLite(ctx, db); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", address, err), db.Close())
	}
	return &Store{name: address, db: db, away: sqliteAway, dialect: sqliteDialect}, nil
}

// connectSQLite sets what every connection needs: readers beside a writer (WAL), a wait instead of SQLITE_BUSY, and
// transactions that take the write lock at their beginning. A power loss may cost the last commits, never the file.
// The parameters of more go before those of the address.
func connectSQLite(address string, more url.Values) (*sql.DB, error) {
	path, query := splitSQLite(address)
	params, err := url.ParseQuery(query)
	if err != nil {
		return nil, err
	}
	maps.Copy(params, more)
	for _, pragma := range []string{"busy_timeout(5000)", "journal_mode(WAL)", "synchronous(NORMAL)", "foreign_keys(1)"} {
		params.Add("_pragma", pragma)
	}
	params.Set("_txlock", "immediate")
	db, err := sql.Open("sqlite", fileURI(path, params))
	if err != nil {
		return nil, err
	}
	if path == ":memory:" || params.Get("mode") == "memory" {
		db.SetMaxOpenConns(1) // every connection would be a database of its own
	} else {
		db.SetMaxOpenConns(4)
	}
	return db, nil
}

// splitSQLite parts an address into the path of the file and the parameters behind "?".
func splitSQLite(address string) (path, query string) {
	path, query, _ = strings.Cut(strings.TrimPrefix(address, "file:"), "?")
	return path, query
}

// fileURI is a path as SQLite wants it, whatever letters are in it.
func fileURI(path string, params url.Values) string {
	return "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + params.Encode()
}

// migrateSQLite lets programs that start at once over one file collide: a migration is one transaction, so who comes
// second fails, and finds it done at the next try.
func migrateSQLite(ctx context.Context, db *sql.DB) error {
	files, err := fs.ReadDir(migrations, "migrations")
	if err != nil {
		return err
	}
	for range len(files) + 2 { // one each, the table of versions, and the last look
		if err = migrate(ctx, db, sqliteDialect); err == nil || ctx.Err() != nil {
			break
		}
	}
	return err
}

// sqliteAway tells whether the file could not be used for now: locked by others, no room, a failing disk.
func sqliteAway(err error) bool {
	var said *sqlite.Error
	return errors.As(err, &said) &&
		slices.Contains([]int{sqlite3.SQLITE_BUSY, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN}, said.Code()&0xff)
}
