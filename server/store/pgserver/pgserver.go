// Package pgserver runs a real PostgreSQL server, private and empty, on a port of its own. It ends with this process.
package pgserver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"flagfall/server/child"
)

// Owner of every database.
const Owner = "flagfall"

// startTime bounds the wait for a server to start or to end.
const startTime = 60 * time.Second

// Server is one PostgreSQL server. Run, Stop, Kill and Close are for one goroutine.
type Server struct {
	Port int // of 127.0.0.1; it stays when the server is stopped and run again

	password  string
	bin, dir  string
	output    bytes.Buffer // of the process, read when it has ended
	process   *exec.Cmd
	ended     chan struct{}
	databases atomic.Int64
}

// Start makes a server, whose owner has the password, and runs it until Close.
func Start(ctx context.Context, password string) (s *Server, err error) {
	s = &Server{password: password}
	if s.bin, err = binaries(); err != nil {
		return nil, err
	}
	// In the folder for temporary files, which everybody may enter: PostgreSQL does not run as root.
	if s.dir, err = os.MkdirTemp("", "flagfall-postgres-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			s.Close()
		}
	}()
	if err = giveAway(s.dir); err != nil {
		return nil, err
	}
	secret := filepath.Join(s.dir, "password")
	if err = os.WriteFile(secret, []byte(password), 0o644); err != nil { // whom it is given to has to read it
		return nil, err
	}
	initdb := s.command(ctx, "initdb", "--pgdata", s.data(), "--username", Owner, "--pwfile", secret,
		"--auth", "scram-sha-256", "--encoding", "UTF8", "--locale", "C", "--no-sync")
	if out, err := initdb.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w: %s", err, bytes.TrimSpace(out))
	}
	if s.Port, err = freePort(); err != nil {
		return nil, err
	}
	return s, s.Run(ctx)
}

// binaries is the folder of the server's programs.
func binaries() (string, error) {
	if path, err := exec.LookPath("postgres"); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			return filepath.Dir(path), nil
		}
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
	if len(found) == 0 {
		return "", errors.New("PostgreSQL is needed: apt-get install postgresql (make setup does it)")
	}
	version := func(path string) int {
		n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(path))))
		return n
	}
	return filepath.Dir(slices.MaxFunc(found, func(a, b string) int { return version(a) - version(b) })), nil
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

func (s *Server) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(s.bin, name), args...)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	cmd.SysProcAttr = asServant()
	return cmd
}

// Run runs the server again after Stop or Kill; it answers then.
func (s *Server) Run(ctx context.Context) error {
	s.output.Reset()
	cmd := s.command(context.WithoutCancel(ctx), "postgres", "-D", s.data(), "-F", "-p", strconv.Itoa(s.Port),
		"-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="+s.dir)
	cmd.Stdout, cmd.Stderr = &s.output, &s.output
	if err := child.Start(cmd); err != nil {
		return err
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // how it ended is in its output
		close(ended)
	}()
	s.process, s.ended = cmd, ended
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	for {
		err := s.do(ctx, "SELECT 1")
		if err == nil {
			return nil
		}
		select {
		case <-ended:
			return fmt.Errorf("PostgreSQL did not start: %s", bytes.TrimSpace(s.output.Bytes()))
		case <-ctx.Done():
			return fmt.Errorf("PostgreSQL does not answer: %w", err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// Stop shuts the server down: it ends every connection and writes everything.
func (s *Server) Stop() error { return s.end(os.Interrupt) }

// Kill ends the server as a crash does.
func (s *Server) Kill() error { return s.kill() }

// Close ends the server and removes what it has written.
func (s *Server) Close() error { return errors.Join(s.kill(), os.RemoveAll(s.dir)) }

func (s *Server) end(signal os.Signal) error {
	if s.process == nil {
		return nil
	}
	// An error means that it has ended already.
	_ = s.process.Process.Signal(signal)
	select {
	case <-s.ended:
		s.process = nil
		return nil
	case <-time.After(startTime):
		return errors.New("PostgreSQL does not end")
	}
}

// do runs one statement.
func (s *Server) do(ctx context.Context, sql string) error {
	conn, err := pgx.Connect(ctx, s.URL("postgres"))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, sql)
	return err
}

// Database makes an empty database and gives its URL.
func (s *Server) Database(ctx context.Context) (string, error) {
	name := fmt.Sprint("hall", s.databases.Add(1))
	if err := s.do(ctx, "CREATE DATABASE "+name); err != nil {
		return "", err
	}
	return s.URL(name), nil
}

// URL is the address of a database, whether there is one or not.
func (s *Server) URL(database string) string {
	return fmt.Sprintf("postgres://%s@127.0.0.1:%d/%s?sslmode=disable", url.UserPassword(Owner, s.password), s.Port, database)
}
