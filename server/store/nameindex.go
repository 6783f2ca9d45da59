package store

import (
	"context"
	"database/sql"

	"github.com/pressly/goose/v3"
)

// nameIndex is the migration that lets people be found by the beginning of their name. Names are compared letter by letter,
// which a database in some language's order does not do by itself, and the two kinds of database say that differently.
func nameIndex(dialect goose.Dialect) *goose.Migration {
	run := func(statement string) *goose.GoFunc {
		return &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, statement)
			return err
		}}
	}
	return goose.NewGoMigration(5,
		run(`CREATE INDEX person_name ON person ((`+lowerName(dialect)+`), id) WHERE NOT guest`), run(`DROP INDEX person_name`))
}

func lowerName(dialect goose.Dialect) string {
	if dialect == goose.DialectPostgres {
		return `lower(name) COLLATE "C"`
	}
	return `lower(name)`
}
