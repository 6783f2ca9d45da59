package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	"modernc.org/sqlite"
)

// Snapshot is a database as it was at one moment. Nobody waits for it: what is written later is beside it.
type Snapshot interface {
	// WriteTo writes it into a folder and gives the name of the file, which must not be there.
	WriteTo(ctx context.Context, folder string) (name string, err error)
	// Close lets it go.
	Close() error
}

// TakeSnapshot takes hold of what is in a database, whoever uses it, and of what meanwhile reads elsewhere: no finished
// game is committed from before meanwhile until after the moment of the snapshot, which is not before meanwhile returns.
// So whatever meanwhile finds to rest on a commit is in the snapshot, and what is in the snapshot had been done before
// meanwhile. The schema is left as it is. The address is as for Open, but a file must be there. An error of meanwhile is
// returned as it is.
func TakeSnapshot(ctx context.Context, address string, meanwhile func() error) (Snapshot, error) {
	err := Check(address)
	var s Snapshot
	var failed error
	within := func() error {
		failed = meanwhile()
		return failed
	}
	switch {
	case err != nil:
	case isPostgres(address):
		s, err = snapshotPostgres(ctx, address, within)
	default:
		s, err = snapshotSQLite(ctx, address, within)
	}
	switch {
	case failed != nil:
		return nil, failed
	case err != nil:
		return nil, fmt.Errorf("database: %w", err)
	}
	return s, nil
}

// backupPages are copied between two looks at the context.
const backupPages = 1000

// FileName is that of an SQLite database in the folder of a backup, and by default in that of a server.
const FileName = "flagfall.db"

type sqliteSnapshot struct {
	db     *sql.DB
	reader *sql.Conn // in a transaction, which sees the moment
}

func snapshotSQLite(ctx context.Context, address string, meanwhile func() error) (_ *sqliteSnapshot, err error) {
	path, _ := splitSQLite(address)
	if info, err := os.Stat(path); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no file", path)
	}
	s := &sqliteSnapshot{}
	if s.db, err = connectSQLite(address, url.Values{"mode": {"rw"}}); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("%s: %w", path, err), s.Close())
		}
	}()
	if s.reader, err = s.db.Conn(ctx); err != nil {
		return s, err
	}
	writer, err := s.db.Conn(ctx)
	if err != nil {
		return s, err
	}
	defer writer.Close()
	// A file of another kind is told before anybody waits.
	if err := s.holdsGames(ctx); err != nil {
		return s, err
	}
	// Who holds the only lock for writing keeps everybody from committing; readers go on.
	if _, err = writer.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return s, err
	}
	defer func() {
		_, unlockErr := writer.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
		err = errors.Join(err, unlockErr)
	}()
	if err := meanwhile(); err != nil {
		return s, err
	}
	if _, err := s.reader.ExecContext(ctx, "BEGIN"); err != nil {
		return s, err
	}
	return s, s.holdsGames(ctx) // the moment is that of the first statement that reads
}

// holdsGames says that this is no database of the program.
func (s *sqliteSnapshot) holdsGames(ctx context.Context) error {
	var tables int
	err := s.reader.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN ('person', 'game')`).Scan(&tables)
	if err == nil && tables != 2 {
		err = errors.New("there are no tables of people and games in it")
	}
	return err
}

func (s *sqliteSnapshot) WriteTo(ctx context.Context, folder string) (string, error) {
	name := filepath.Join(folder, FileName)
	// Made here for its mode, and so that nothing is written over.
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	if err := file.Close(); err != nil {
		return "", err
	}
	err = s.reader.Raw(func(conn any) error {
		from, ok := conn.(interface {
			NewBackup(to string) (*sqlite.Backup, error)
		})
		if !ok {
			return fmt.Errorf("the driver's %T makes no backups", conn)
		}
		return copyPages(ctx, from.NewBackup, name)
	})
	if err == nil {
		err = checkPages(ctx, name)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return name, nil
}

func copyPages(ctx context.Context, begin func(to string) (*sqlite.Backup, error), name string) error {
	b, err := begin(fileURI(name, nil))
	if err != nil {
		return err
	}
	for more := true; more && err == nil; {
		if err = ctx.Err(); err == nil {
			more, err = b.Step(backupPages)
		}
	}
	return errors.Join(err, b.Finish())
}

// checkPages reads a written database once.
func checkPages(ctx context.Context, name string) error {
	db, err := connectSQLite(name, url.Values{"mode": {"rw"}})
	if err != nil {
		return err
	}
	var verdict string
	err = db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&verdict)
	if err == nil && verdict != "ok" {
		err = errors.New(verdict)
	}
	return errors.Join(err, db.Close())
}

func (s *sqliteSnapshot) Close() error {
	var err error
	if s.reader != nil {
		err = s.reader.Close()
	}
	return errors.Join(err, s.db.Close())
}
