// Package pgtest runs a real PostgreSQL server for tests: private, empty, on a port of its own, gone when the test is.
package pgtest

import (
	"context"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"flagfall/server/store/pgserver"
)

// Owner of every database, and his password. The password has letters that a URL must escape.
const (
	Owner    = pgserver.Owner
	Password = "pass/word:%@?#"
)

// Server is one PostgreSQL server. Its methods end the test when they fail; call them from the test's goroutine.
type Server struct {
	Port   int // of 127.0.0.1; it stays when the server is stopped and started
	server *pgserver.Server
}

// Start makes a server and runs it until the end of the test.
func Start(t testing.TB) *Server {
	t.Helper()
	s, err := pgserver.Start(t.Context(), Password)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return &Server{Port: s.Port, server: s}
}

// Restart runs the server again after Stop or Kill.
func (s *Server) Restart(t testing.TB) {
	t.Helper()
	if err := s.server.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// Stop shuts the server down: it ends every connection and writes everything.
func (s *Server) Stop(t testing.TB) {
	t.Helper()
	if err := s.server.Stop(); err != nil {
		t.Fatal(err)
	}
}

// Kill ends the server as a crash does.
func (s *Server) Kill(t testing.TB) {
	t.Helper()
	if err := s.server.Kill(); err != nil {
		t.Fatal(err)
	}
}

// Database makes an empty database and gives its URL.
func (s *Server) Database(t testing.TB) string {
	t.Helper()
	url, err := s.server.Database(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return url
}

// URL is the address of a database, whether there is one or not.
func (s *Server) URL(database string) string { return s.server.URL(database) }

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
