// Package pgtest runs a real PostgreSQL server for tests: private, empty, on a port of its own, gone when the test is.
package pgtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Owner of every database, and his password. The password has letters that a URL must escape.
const (
	Owner    = "flagfall"
	Password = "pass/word:%@?#"
)

const escapedPassword = "pass%2Fword%3A%25%40%3F%23"

// startTime bounds the wait for a server to start or to end.
const startTime = 60 * time.Second

// Server is one PostgreSQL server. Its methods end the test when they fail; call them from the test's goroutine.
type Server struct {
	Port int // of 127.0.0.1; it stays when the server is stopped and started

	bin, dir  string
	output    bytes.Buffer // of the process, read when it has ended
	process   *exec.Cmd
	ended     chan struct{}
	databases atomic.Int64
}

// Start makes a server and runs it until the end of the test.
func Start(t testing.TB) *Server {
	t.Helper()
	s := &Server{bin: binaries(t)}
	var err error
	// Not t.TempDir, whose parent only its owner may enter: PostgreSQL does not run as root.
	if s.dir, err = os.MkdirTemp("", "pgtest"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.kill()
		_ = os.RemoveAll(s.dir)
	})
	if err := giveAway(s.dir); err != nil {
		t.Fatal(err)
	}
	secret := filepath.Join(s.dir, "password")
	if err := os.WriteFile(secret, []byte(Password), 0o644); err != nil {
		t.Fatal(err)
	}
	initdb := s.command("initdb", "--pgdata", s.data(), "--username", Owner, "--pwfile", secret,
		"--auth", "scram-sha-256", "--encoding", "UTF8", "--locale", "C", "--no-sync")
	if out, err := initdb.CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v\n%s", err, out)
	}
	s.Port = freePort(t)
	s.Restart(t)
	return s
}

// binaries is the folder of the server's programs.
func binaries(t testing.TB) string {
	t.Helper()
	if path, err := exec.LookPath("postgres"); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			return filepath.Dir(path)
		}
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
	if len(found) == 0 {
		t.Fatal("PostgreSQL is needed: apt-get install postgresql (make setup does it)")
	}
	version := func(path string) int {
		n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(path))))
		return n
	}
	return filepath.Dir(slices.MaxFunc(found, func(a, b string) int { return version(a) - version(b) }))
}

func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

func (s *Server) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(s.bin, name), args...)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	cmd.SysProcAttr = asServant()
	return cmd
}

// Restart runs the server again after Stop or Kill.
func (s *Server) Restart(t testing.TB) {
	t.Helper()
	s.output.Reset()
	cmd := s.command("postgres", "-D", s.data(), "-F", "-p", strconv.Itoa(s.Port),
		"-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="+s.dir)
	cmd.Stdout, cmd.Stderr = &s.output, &s.output
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	s.process, s.ended = cmd, ended
	ctx, cancel := context.WithTimeout(context.Background(), startTime)
	defer cancel()
	for {
		err := s.do(ctx, "SELECT 1")
		if err == nil {
			return
		}
		select {
		case <-ended:
			t.Fatalf("PostgreSQL did not start:\n%s", s.output.String())
		case <-ctx.Done():
			t.Fatalf("PostgreSQL does not answer: %v", err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// Stop shuts the server down: it ends every connection and writes everything.
func (s *Server) Stop(t testing.TB) {
	t.Helper()
	if err := s.end(os.Interrupt); err != nil {
		t.Fatal(err)
	}
}

// Kill ends the server as a crash does.
func (s *Server) Kill(t testing.TB) {
	t.Helper()
	if err := s.kill(); err != nil {
		t.Fatal(err)
	}
}

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
func (s *Server) Database(t testing.TB) string {
	t.Helper()
	name := fmt.Sprint("hall", s.databases.Add(1))
	if err := s.do(t.Context(), "CREATE DATABASE "+name); err != nil {
		t.Fatal(err)
	}
	return s.URL(name)
}

// URL is the address of a database, whether there is one or not.
func (s *Server) URL(database string) string {
	return fmt.Sprintf("postgres://%s:%s@127.0.0.1:%d/%s?sslmode=disable", Owner, escapedPassword, s.Port, database)
}

// Scalar asks one value of a database.
func Scalar[T any](t testing.TB, url, sql string, args ...any) T {
	t.Helper()
	var value T
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if err := conn.QueryRow(t.Context(), sql, args...).Scan(&value); err != nil {
		t.Fatalf("%s: %v", strings.TrimSpace(sql), err)
	}
	return value
}
