package store

import (
	"database/sql"
	"net/url"
	"strings"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// openSQLite sets what every connection needs: readers beside a writer (WAL), a wait instead of SQLITE_BUSY, and
// transactions that take the write lock at their beginning. A power loss may cost the last commits, never the file.
func openSQLite(dsn string) (*sql.DB, error) {
	path, query, _ := strings.Cut(strings.TrimPrefix(dsn, "file:"), "?")
	params, err := url.ParseQuery(query)
	if err != nil {
		return nil, err
	}
	for _, pragma := range []string{"busy_timeout(5000)", "journal_mode(WAL)", "synchronous(NORMAL)", "foreign_keys(1)"} {
		params.Add("_pragma", pragma)
	}
	params.Set("_txlock", "immediate")
	escaped := (&url.URL{Path: path}).EscapedPath()
	db, err := sql.Open("sqlite", "file:"+escaped+"?"+params.Encode())
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
