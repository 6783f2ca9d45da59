package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// server is a Flagfall server that this run has started.
type server struct {
	base    string
	metrics string // URL; "" where the server has none
	cmd     *exec.Cmd
	dir     string
	log     *bytes.Buffer
	gone    chan struct{}
}

// moduleRoot finds the folder with go.mod, from the working directory upwards.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", errors.New("no go.mod here or above: run loadtest in the module, or give -addr")
		}
		dir = up
	}
}

// freeAddr is an address of this machine that nothing listens on.
func freeAddr() (string, error) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}

// raised are the limits that a run would meet because all its people are on one machine or act faster than people do.
var raised = []string{
	"FLAGFALL_LIMIT_SOCKETS_PER_ADDRESS=100000", "FLAGFALL_LIMIT_HANDSHAKES=100000", "FLAGFALL_LIMIT_GUESTS=100000",
	"FLAGFALL_LIMIT_MESSAGES=1000000",
}

// buildServer builds the server into a folder and gives its path.
func buildServer(ctx context.Context, dir string) (binary string, err error) {
	root, err := moduleRoot()
	if err != nil {
		return "", err
	}
	binary = filepath.Join(dir, "flagfall")
	build := exec.CommandContext(ctx, "go", "build", "-o", binary, "./server")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the server: %w\n%s", err, bytes.TrimSpace(out))
	}
	return binary, nil
}

// startServer builds the server and starts it with a data folder of its own and raised limits.
func startServer(ctx context.Context) (*server, error) { return startWith(ctx, raised) }

// startWith is startServer with other limits; nil are the server's own.
func startWith(ctx context.Context, limits []string) (*server, error) {
	dir, err := os.MkdirTemp("", "flagfall-loadtest-")
	if err != nil {
		return nil, err
	}
	binary, err := buildServer(ctx, dir)
	if err != nil {
		_ = os.RemoveAll(dir)
		return nil, err
	}
	ops, err := opsAddr(ctx, binary)
	if err != nil {
		_ = os.RemoveAll(dir)
		return nil, err
	}
	if ops == "" {
		return launchWith(ctx, limits, binary, dir)
	}
	s, err := launchWith(ctx, limits, binary, dir, opsSetting+"="+ops)
	if err == nil {
		s.metrics = "http://" + ops + "/metrics"
	}
	return s, err
}

// launch starts a built server; its data goes into dir, which goes when the server is stopped. More are settings beside
// the raised limits, or instead of those that it chooses.
func launch(ctx context.Context, binary, dir string, more ...string) (*server, error) {
	return launchWith(ctx, raised, binary, dir, more...)
}

func launchWith(ctx context.Context, limits []string, binary, dir string, more ...string) (*server, error) {
	s := &server{dir: dir, log: &bytes.Buffer{}, gone: make(chan struct{})}
	addr, err := freeAddr()
	if err != nil {
		s.remove()
		return nil, err
	}
	s.base = "http://" + addr
	s.cmd = exec.Command(binary)
	s.cmd.Env = append(append(cleanEnv(), limits...),
		"FLAGFALL_ADDR="+addr, "FLAGFALL_URL="+s.base, "FLAGFALL_DATA="+filepath.Join(dir, "data"))
	s.cmd.Env = append(s.cmd.Env, more...)
	if cache, err := os.UserCacheDir(); err == nil { // endgame tables are computed once, not in every run
		s.cmd.Env = append(s.cmd.Env, "FLAGFALL_TABLES="+filepath.Join(cache, "flagfall", "endgames"))
	}
	s.cmd.Env = append(s.cmd.Env, more...) // the last one of a name counts
	s.cmd.Stdout, s.cmd.Stderr = s.log, s.log
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C is for this process; it stops the server itself
	if err := s.cmd.Start(); err != nil {
		s.remove()
		return nil, fmt.Errorf("start the server: %w", err)
	}
	go func() {
		_ = s.cmd.Wait() // how it ended is in its log
		close(s.gone)
	}()
	if err := s.ready(ctx); err != nil {
		s.stop()
		return nil, fmt.Errorf("%w; it said:\n%s", err, s.log)
	}
	return s, nil
}

// opsSetting names the address where a server tells its metrics.
const opsSetting = "FLAGFALL_OPS"

// opsAddr is a free address for the metrics of a built server; "" where it does not know that setting, and would refuse it.
func opsAddr(ctx context.Context, binary string) (string, error) {
	help, _ := exec.CommandContext(ctx, binary, "-h").CombinedOutput() // what counts is what it prints
	if !bytes.Contains(help, []byte(opsSetting)) {
		return "", nil
	}
	return freeAddr()
}

// cleanEnv is the environment without settings meant for another server.
func cleanEnv() []string {
	var out []string
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "FLAGFALL_") {
			out = append(out, e)
		}
	}
	return out
}

// ready waits until the server answers.
func (s *server) ready(ctx context.Context) error {
	return s.answers(ctx, s.base+"/api/games", func(int) bool { return true })
}

// answers waits until a URL of the server's is answered with a wanted status.
func (s *server) answers(ctx context.Context, url string, wanted func(status int) bool) error {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		resp, err := http.DefaultClient.Do(req)
		if err == nil {
			resp.Body.Close()
			if wanted(resp.StatusCode) {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return errors.New("the server does not answer")
		case <-s.gone:
			return errors.New("the server ended at once")
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// alive tells whether the server still runs.
func (s *server) alive() bool {
	select {
	case <-s.gone:
		return false
	default:
		return true
	}
}

// stop ends the server, kindly first, and removes its folder.
func (s *server) stop() {
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-s.gone:
	case <-time.After(10 * time.Second):
		_ = s.cmd.Process.Kill()
		<-s.gone
	}
	s.remove()
}

func (s *server) remove() { _ = os.RemoveAll(s.dir) }
