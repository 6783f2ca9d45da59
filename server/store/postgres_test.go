package store_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"flagfall/server/store"
	"flagfall/server/store/pgtest"
)

// Whatever is wrong with a URL, the error says so in a line that has nothing of the password.
func TestPostgresRefused(t *testing.T) {
	server := pgtest.Start(t)
	right := server.URL("postgres")
	deaf := silent(t)
	_, afterUser, _ := strings.Cut(right, pgtest.Owner+":")
	_, place, _ := strings.Cut(afterUser, "@")
	for _, c := range []struct{ name, address, want string }{
		{"no such database", server.URL("nowhere"), `database "nowhere" does not exist`},
		{"wrong password", "postgres://flagfall:s3cret@" + place, `password authentication failed for user "flagfall"`},
		{"no password", "postgres://flagfall@" + place, `password authentication failed for user "flagfall"`},
		{"no such user", "postgres://somebody:s3cret@" + place, `password authentication failed for user "somebody"`},
		{"password as a parameter", "postgres://flagfall@" + place + "&password=s3cret", "password authentication failed"},
		{"nobody listens", "postgres://flagfall:s3cret@127.0.0.1:1/hall", "connection refused"},
		{"no such host", "postgres://flagfall:s3cret@nowhere.invalid/hall", "nowhere.invalid"},
		{"no answer", "postgres://flagfall:s3cret@" + deaf + "/hall?connect_timeout=1", "does not answer"},
		{"no TLS there", strings.Replace(right, "sslmode=disable", "sslmode=require", 1), "TLS"},
		{"port", "postgres://flagfall:s3cret@localhost:none/hall", "cannot be"},
		{"port too large", "postgres://flagfall:s3cret@localhost:123456/hall", "port"},
		{"sslmode", "postgres://flagfall:s3cret@localhost/hall?sslmode=maybe", "cannot be used"},
		{"timeout", "postgres://flagfall:s3cret@localhost/hall?connect_timeout=soon", "connect_timeout"},
		{"slash in the password", "postgres://flagfall:s3/cret@localhost/hall", "cannot be"},
		{"percent in the password", "postgres://flagfall:s3%cret@localhost/hall", "%XX"},
		{"question mark in the password", "postgres://flagfall:s3?cret@localhost:1/hall", "connection refused"},
		{"hash in the password", "postgres://flagfall:s3#cret@localhost:1/hall", "connection refused"},
		{"parameter", "postgres://flagfall:" + strings.SplitN(afterUser, "@", 2)[0] + "@" + place + "&colour=red", `"colour"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := store.Open(t.Context(), c.address, store.Options{})
			if err == nil {
				s.Close()
				t.Fatal("opened")
			}
			said := err.Error()
			if !strings.Contains(said, c.want) || strings.Contains(said, "\n") {
				t.Errorf("said %q, want one line with %q", said, c.want)
			}
			for _, part := range []string{"s3", "cret", "pass/word", "pass%2Fword"} {
				if strings.Contains(said, part) {
					t.Errorf("said %q, which has the password or a part of it", said)
				}
			}
		})
	}
}

// silent listens, and never says anything.
func silent(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l.Addr().String()
}

// A server that is shut down, or crashes, makes calls fail as unavailable and Err tell it; when it is back the same store
// works again, and nothing of the failure stays.
func TestPostgresAway(t *testing.T) {
	server := pgtest.Start(t)
	s := open(t, server.Database(t))
	for name, end := range map[string]func(testing.TB){"shut down": server.Stop, "killed": server.Kill} {
		t.Run(name, func(t *testing.T) {
			person := store.Person{ID: name, Name: "Jo"}
			if err := s.SavePerson(t.Context(), person); err != nil || s.Err() != nil {
				t.Fatal(err, s.Err())
			}
			end(t)
			for range 10 { // the pool has several connections to find dead
				if err := s.SavePerson(t.Context(), person); !errors.Is(err, store.ErrUnavailable) {
					t.Fatalf("while it is away: %v", err)
				}
			}
			until(t, s, false)
			server.Restart(t)
			if _, err := s.Person(t.Context(), name); err != nil {
				t.Errorf("the first call after it is back: %v", err)
			}
			until(t, s, true)
		})
	}
}

// until waits for Err to tell whether the database answers.
func until(t *testing.T, s *store.Store, answers bool) {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for (s.Err() == nil) != answers {
		if time.Now().After(deadline) {
			t.Fatalf("Err says %v", s.Err())
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// A database that hangs, rather than refuses, holds nobody for longer than the bound.
func TestPostgresHangs(t *testing.T) {
	server := pgtest.Start(t)
	line := newLine(t, fmt.Sprint("127.0.0.1:", server.Port))
	address := strings.Replace(server.Database(t), fmt.Sprint(":", server.Port, "/"), line.port()+"/", 1)
	s := open(t, address)
	person := store.Person{ID: "P", Name: "Jo"}
	if err := s.SavePerson(t.Context(), person); err != nil {
		t.Fatal(err)
	}
	line.freeze()
	began := time.Now()
	var callers sync.WaitGroup
	for range 40 { // more than the pool has connections
		callers.Go(func() {
			if err := s.SavePerson(context.Background(), person); !errors.Is(err, store.ErrUnavailable) {
				t.Errorf("while it hangs: %v", err)
			}
		})
	}
	callers.Wait()
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("the callers waited %v", took)
	}
	until(t, s, false)
	line.thaw()
	until(t, s, true)
	if err := s.SavePerson(t.Context(), person); err != nil {
		t.Errorf("after it hung: %v", err)
	}
}

// line is a TCP relay that can stop passing bytes on without closing anything.
type line struct {
	listener net.Listener
	target   string
	mu       sync.Mutex
	open     *sync.Cond
	frozen   bool
	closed   bool
	conns    []net.Conn
	copies   sync.WaitGroup
}

func newLine(t *testing.T, target string) *line {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &line{listener: listener, target: target}
	l.open = sync.NewCond(&l.mu)
	l.copies.Go(l.accept)
	t.Cleanup(l.close)
	return l
}

func (l *line) port() string {
	return fmt.Sprint(":", l.listener.Addr().(*net.TCPAddr).Port)
}

func (l *line) accept() {
	for {
		in, err := l.listener.Accept()
		if err != nil {
			return
		}
		out, err := net.Dial("tcp", l.target)
		if err != nil {
			in.Close()
			continue
		}
		l.mu.Lock()
		l.conns = append(l.conns, in, out)
		l.mu.Unlock()
		l.copies.Go(func() { l.pass(in, out) })
		l.copies.Go(func() { l.pass(out, in) })
	}
}

// pass copies until either side ends.
func (l *line) pass(from, to net.Conn) {
	defer from.Close()
	defer to.Close()
	buffer := make([]byte, 4096)
	for {
		n, err := from.Read(buffer)
		l.mu.Lock()
		for l.frozen && !l.closed {
			l.open.Wait()
		}
		l.mu.Unlock()
		if _, writeErr := to.Write(buffer[:n]); err != nil || writeErr != nil {
			return
		}
	}
}

func (l *line) set(frozen, closed bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.frozen, l.closed = frozen, closed
	l.open.Broadcast()
}

func (l *line) freeze() { l.set(true, false) }
func (l *line) thaw()   { l.set(false, false) }

func (l *line) close() {
	l.listener.Close()
	l.set(false, true)
	l.mu.Lock()
	for _, c := range l.conns {
		c.Close()
	}
	l.mu.Unlock()
	l.copies.Wait()
}
