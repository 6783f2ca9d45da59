package store

import (
	"context"
	"database/sql"

	"github.com/pressly/goose/v3"
)

// dialect is where the SQL of the two databases differs.
type dialect struct {
	goose.Dialect
	// lowerName is what names are ordered by: letter by letter, which a database in some language's order does not do by itself.
	lowerName string
	// aside stands before a column by which no index is to be chosen. SQLite knows nothing of how often a value occurs;
	// PostgreSQL does, and must be able to read the condition.
	aside string
}

var (
	sqliteDialect   = dialect{goose.DialectSQLite3, `lower(name)`, `+`}
	postgresDialect = dialect{goose.DialectPostgres, `lower(name) COLLATE "C"`, ``}
)

// nameIndex is the migration that lets people be found by the beginning of their name.
func nameIndex(of dialect) *goose.Migration {
	run := func(statement string) *goose.GoFunc {
		return &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, statement)
			return err
		}}
	}
	return goose.NewGoMigration(5,
		run(`CREATE INDEX person_name ON person ((`+of.lowerName+`), id) WHERE NOT guest`), run(`DROP INDEX person_name`))
}
