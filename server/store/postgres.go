package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

const (
	connectTime = 3 * time.Second // for one host of the URL, unless the URL has a connect_timeout
	pingTime    = 2 * time.Second
	openTime    = 20 * time.Second // for all hosts of the URL
	poolSize    = 8                // statements take milliseconds; PostgreSQL has 100 connections for all nodes by default
	lockTries   = 60
)

// postgresSchemes begin an address that is no path.
var postgresSchemes = []string{"postgres://", "postgresql://"}

func isPostgres(address string) bool {
	return slices.ContainsFunc(postgresSchemes, func(s string) bool { return strings.HasPrefix(address, s) })
}

// parsePostgres reads a URL. Its errors hold no part of the URL: a password with an unescaped / or % may stand anywhere.
func parsePostgres(address string) (*pgx.ConnConfig, error) {
	config, err := pgx.ParseConfig(address)
	if err != nil {
		return nil, wrongURL(err)
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectTime
	}
	if config.RuntimeParams["application_name"] == "" {
		config.RuntimeParams["application_name"] = "flagfall"
	}
	return config, nil
}

// wrongURL keeps of "cannot parse `URL`: what is wrong (why)" what is wrong: the reason, too, may quote a part of the URL.
func wrongURL(err error) error {
	parts := strings.Split(err.Error(), "`: ")
	what, _, _ := strings.Cut(parts[len(parts)-1], " (")
	if len(parts) == 1 || what == "failed to parse as URL" {
		return errors.New("the postgres:// URL cannot be read; in a password each of :/?#[]@% and space is written as %XX")
	}
	return fmt.Errorf("the postgres:// URL cannot be used: %s", what)
}

// openPostgres connects, brings the schema up to date and watches.
func openPostgres(ctx context.Context, address string, o Options) (*Store, error) {
	config, err := parsePostgres(address)
	if err != nil {
		return nil, err
	}
	s := &Store{name: placeOf(config), db: stdlib.OpenDB(*config), away: postgresAway, dialect: postgresDialect}
	s.db.SetMaxOpenConns(poolSize)
	s.db.SetMaxIdleConns(poolSize)
	s.db.SetConnMaxIdleTime(5 * time.Minute)
	s.db.SetConnMaxLifetime(30 * time.Minute) // so that nodes spread again after a failover
	opening, cancel := context.WithTimeout(ctx, openTime)
	defer cancel()
	if err := s.db.PingContext(opening); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", s.name, reasonOf(err)), s.db.Close())
	}
	// A node waits a minute while another one migrates. An advisory lock belongs to its connection, so a node that dies
	// with it lets it go.
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, lockTries))
	if err == nil {
		err = migrate(ctx, s.db, postgresDialect, goose.WithSessionLocker(locker))
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", s.name, err), s.db.Close())
	}
	// The question has a connection of its own: a busy pool is no outage.
	probe := stdlib.OpenDB(*config)
	probe.SetMaxOpenConns(1)
	s.watch = startWatch(func(ctx context.Context) error {
		if err := probe.PingContext(ctx); err != nil {
			return reasonOf(err)
		}
		return nil
	}, probe.Close, o.Log.With("database", s.name))
	return s, nil
}

// placeOf names the database without its password.
func placeOf(c *pgx.ConnConfig) string {
	return fmt.Sprintf("postgres://%s@%s/%s", c.User, net.JoinHostPort(c.Host, fmt.Sprint(c.Port)), c.Database)
}

// reasonOf is an error of connecting in few words: the driver's own names every address it tried, on a line each.
func reasonOf(err error) error {
	var said *pgconn.PgError
	var lookup *net.DNSError
	var network *net.OpError
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &said):
		return errors.New(said.Message)
	case errors.As(err, &lookup):
		return lookup
	case errors.Is(err, context.DeadlineExceeded), pgconn.Timeout(err):
		return errors.New("it does not answer")
	case errors.As(err, &network):
		return network.Err
	}
	return errors.New(strings.Join(strings.Fields(err.Error()), " "))
}

// Classes of SQLSTATE by which a server says that it cannot serve: connection exceptions, insufficient resources,
// operator intervention (shutdown, start-up), system errors.
var awayClasses = []string{"08", "53", "57", "58"}

// readOnly is the SQLSTATE of a write to a server that is a replica, as after a failover.
const readOnly = "25006"

// postgresAway tells whether an error means that the database could not be asked, not that it refused.
func postgresAway(err error) bool {
	var said *pgconn.PgError
	if errors.As(err, &said) {
		return said.Code == readOnly || slices.Contains(awayClasses, said.Code[:min(2, len(said.Code))])
	}
	var connect *pgconn.ConnectError
	var network net.Error
	return errors.As(err, &connect) || errors.As(err, &network) || pgconn.SafeToRetry(err) ||
		errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone) || errors.Is(err, pgconn.ErrConnClosed) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed)
}
