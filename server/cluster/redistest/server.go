//go:build unix

// Package redistest starts real redis-server processes for tests: one server, a
// primary with replicas and sentinels, a cluster. All listen on 127.0.0.1, keep
// their files in the test's folder and end with the test.
package redistest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"flagfall/server/child"
)

// patience bounds every wait for a server to come to what a test needs.
const patience = 20 * time.Second

// Server is one redis-server process. Its methods end the test when they fail.
type Server struct {
	t    testing.TB
	dir  string
	args []string
	port int
	cmd  *exec.Cmd
	held bool          // the process is stopped
	done chan struct{} // closed when the process has ended

	client    *redis.Client
	authority *Authority // of its certificate; nil without TLS
}

// Single starts a server with an append-only file. More settings are given as
// redis-server takes them: "--maxmemory", "10mb".
func Single(t testing.TB, settings ...string) *Server {
	t.Helper()
	return start(t, nil, settings...)
}

// start runs a server, with an authority over TLS.
func start(t testing.TB, authority *Authority, settings ...string) *Server {
	t.Helper()
	s := prepare(t, authority)
	s.args = append(authority.listening(s.port), append([]string{
		"--bind", "127.0.0.1", "--dir", s.dir, "--logfile", "log",
		"--save", "", "--appendonly", "yes", "--maxmemory-policy", "noeviction",
		"--repl-diskless-sync-delay", "0",
	}, settings...)...)
	s.Start()
	return s
}

// prepare makes the folder and the cleanup of a server that is not started yet.
func prepare(t testing.TB, authority *Authority) *Server {
	t.Helper()
	s := &Server{t: t, dir: t.TempDir(), port: freePort(t), authority: authority}
	s.client = redis.NewClient(&redis.Options{
		Addr: s.Addr(), TLSConfig: authority.config(), MaxRetries: -1, DialerRetries: 1, DisableIdentity: true,
		DialTimeout: time.Second, ReadTimeout: 2 * time.Second, WriteTimeout: time.Second,
	})
	t.Cleanup(func() {
		s.client.Close()
		s.Kill()
	})
	return s
}

// Addr is the server's host:port.
func (s *Server) Addr() string { return fmt.Sprintf("127.0.0.1:%d", s.port) }

// URL is the server's address as a URL.
func (s *Server) URL() string { return s.authority.url("redis", s.Addr()) }

// Start runs the server, again after Kill with what its files hold, and waits until
// it answers.
func (s *Server) Start() {
	s.t.Helper()
	program, err := exec.LookPath("redis-server")
	if err != nil {
		s.t.Fatal("redis-server is missing: install the Debian package redis-server")
	}
	s.cmd = exec.Command(program, s.args...)
	s.done = make(chan struct{})
	if err := child.Start(s.cmd); err != nil {
		s.t.Fatal(err)
	}
	cmd, done := s.cmd, s.done
	go func() {
		_ = cmd.Wait() // ends by a signal
		close(done)
	}()
	until(s.t, "an answer of "+s.Addr(), func() error {
		select {
		case <-done:
			text, _ := os.ReadFile(filepath.Join(s.dir, "log"))
			s.t.Fatalf("redis-server %s ended:\n%s", strings.Join(s.args, " "), text)
		default:
		}
		return s.client.Ping(context.Background()).Err()
	})
}

// Kill ends the server as kill -9 does, and waits for its end.
func (s *Server) Kill() {
	if s.cmd == nil {
		return
	}
	s.signal(syscall.SIGKILL)
	<-s.done
	s.cmd = nil
}

// Stop freezes the process: its sockets stay open and nothing is answered.
func (s *Server) Stop() {
	s.signal(syscall.SIGSTOP)
	s.held = true
}

// Continue wakes a stopped process.
func (s *Server) Continue() {
	s.signal(syscall.SIGCONT)
	s.held = false
}

// answers tells whether the process runs.
func (s *Server) answers() bool { return s.cmd != nil && !s.held }

func (s *Server) signal(sig syscall.Signal) {
	if err := s.cmd.Process.Signal(sig); err != nil && err != os.ErrProcessDone {
		s.t.Errorf("signal %v to redis-server: %v", sig, err)
	}
}

// Do sends a command and returns its answer.
func (s *Server) Do(args ...any) any {
	s.t.Helper()
	answer, err := s.client.Do(context.Background(), args...).Result()
	if err != nil {
		s.t.Fatalf("%v: %v", args, err)
	}
	return answer
}

// Info returns the fields of a section of INFO.
func (s *Server) Info(section string) map[string]string {
	s.t.Helper()
	return s.fields("info", section)
}

// fields reads an answer of lines name:value.
func (s *Server) fields(args ...any) map[string]string {
	s.t.Helper()
	all := map[string]string{}
	for line := range strings.Lines(fmt.Sprint(s.Do(args...))) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok {
			all[name] = value
		}
	}
	return all
}

// CPU is the time that the process has used.
func (s *Server) CPU() time.Duration {
	s.t.Helper()
	info := s.Info("cpu")
	var sum float64
	for _, name := range []string{"used_cpu_sys", "used_cpu_user"} {
		seconds, err := strconv.ParseFloat(info[name], 64)
		if err != nil {
			s.t.Fatal(err)
		}
		sum += seconds
	}
	return time.Duration(sum * float64(time.Second))
}

// Flush empties the server, its scripts too.
func (s *Server) Flush() {
	s.t.Helper()
	s.Do("flushall")
	s.Do("script", "flush")
}

// The ports of servers, below those that the kernel gives to outgoing connections, so that nobody takes one while its
// server is down.
const (
	firstPort = 15000
	allPorts  = 17000
)

// handed counts ports up from a random one: none is handed out twice by a process, and two processes seldom come to the
// same.
var handed = func() *atomic.Uint32 {
	var from atomic.Uint32
	from.Store(rand.Uint32N(allPorts))
	return &from
}()

func freePort(t testing.TB) int {
	t.Helper()
	for range 100 {
		port := firstPort + int(handed.Add(1)%allPorts)
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err == nil {
			l.Close()
			return port
		}
	}
	t.Fatal("no port is free between 15000 and 32000")
	return 0
}

// until asks again and again until there is no error.
func until(t testing.TB, what string, ask func() error) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for {
		err := ask()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("no %s within %v: %v", what, patience, err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}
