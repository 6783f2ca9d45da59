package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// DumpName is that of a PostgreSQL database in the folder of a backup, in pg_dump's custom format.
const DumpName = "flagfall.dump"

// lockTime bounds the wait for the lock, behind which writers queue; less than answerTime, so that none of them fails.
const lockTime = 2 * time.Second

type postgresSnapshot struct {
	address string
	reader  *pgx.Conn // in a transaction, which sees the moment
	id      string    // by which other connections see it too
}

func snapshotPostgres(ctx context.Context, address string, meanwhile func() error) (_ *postgresSnapshot, err error) {
	config, err := parsePostgres(address)
	if err != nil {
		return nil, err
	}
	s := &postgresSnapshot{address: address}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("%s: %w", placeOf(config), reasonOf(err)), s.Close())
		}
	}()
	if s.reader, err = pgx.ConnectConfig(ctx, config); err != nil {
		return s, err
	}
	writer, err := pgx.ConnectConfig(ctx, config.Copy())
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, writer.Close(context.WithoutCancel(ctx))) }() // with it goes the lock
	locking, cancel := context.WithTimeout(ctx, lockTime)
	defer cancel()
	if err := lockResults(locking, writer); err != nil {
		return s, err
	}
	if err := meanwhile(); err != nil {
		return s, err
	}
	if _, err := s.reader.Exec(ctx, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"); err != nil {
		return s, err
	}
	return s, s.reader.QueryRow(ctx, "SELECT pg_export_snapshot()").Scan(&s.id)
}

// lockResults begins a transaction while which no result of a game or event is written. Who writes both takes them in this
// order, too: EraseGames.
func lockResults(ctx context.Context, writer *pgx.Conn) error {
	events := false // a database of a version before has none
	if err := writer.QueryRow(ctx, "SELECT to_regclass('event') IS NOT NULL").Scan(&events); err != nil {
		return err
	}
	lock := "BEGIN; "
	if events {
		lock += "LOCK TABLE event IN SHARE MODE; "
	}
	_, err := writer.Exec(ctx, lock+"LOCK TABLE game IN SHARE MODE")
	return err
}

// WriteTo runs pg_dump, which knows all that can be in a database. It has to be of the server's version or a later one.
func (s *postgresSnapshot) WriteTo(ctx context.Context, folder string) (string, error) {
	address, password, err := apart(s.address)
	if err != nil {
		return "", err
	}
	name := filepath.Join(folder, DumpName)
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	var complaints bytes.Buffer
	dump := exec.CommandContext(ctx, "pg_dump", "--dbname", address, "--snapshot", s.id, "--format", "custom", "--no-owner", "--no-privileges")
	dump.Env = append(os.Environ(), "PGPASSWORD="+password)
	dump.Stdout, dump.Stderr = file, &complaints
	err = dump.Run()
	if complaints.Len() > 0 && err != nil {
		err = fmt.Errorf("%w: %s", err, strings.Join(strings.Fields(complaints.String()), " "))
	}
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return "", fmt.Errorf("pg_dump: %w", err)
	}
	return name, nil
}

// apart takes the password out of a URL: the list of processes shows the arguments of a program to everybody.
func apart(address string) (without, password string, err error) {
	config, err := parsePostgres(address)
	if err != nil {
		return "", "", err
	}
	u, err := url.Parse(address)
	if err != nil {
		return "", "", wrongURL(err)
	}
	if u.User != nil {
		u.User = url.User(u.User.Username())
	}
	query := u.Query()
	query.Del("password")
	u.RawQuery = query.Encode()
	return u.String(), config.Password, nil
}

func (s *postgresSnapshot) Close() error {
	if s.reader == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), pingTime)
	defer cancel()
	return s.reader.Close(ctx)
}
