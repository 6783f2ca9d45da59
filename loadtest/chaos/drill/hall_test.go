//go:build unix

package drill

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"flagfall/server/cluster/redistest"
	"flagfall/server/store/pgtest"
)

// hall is all that runs and can be broken.
type hall struct {
	t        *testing.T
	nodes    []*node
	redis    *redistest.Replicated // nil for one node with a journal of its own
	query    string                // after its URL
	postgres *pgtest.Server
	database string // URL
	copies   string // folder
	folder   string
	next     string // the program as the next release, where a fault rolls to it
}

// node is one server process, the next one after each of its deaths. Its players come through a proxy.
type node struct {
	hall    *hall
	name    string
	addr    string
	data    string // folder; of several nodes that of all, with the keys
	binary  string
	rolled  bool // it is of the next release
	proxy   *redistest.Proxy
	command *exec.Cmd
	ended   chan struct{}
	log     log
}

// log keeps the end of what a node says.
type log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

const mostLog = 1 << 20

func (l *log) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.text.Len() > mostLog {
		l.text.Next(mostLog / 2)
	}
	return l.text.Write(text)
}

// troubles are the last errors that the node has told.
func (l *log) troubles() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []string
	for line := range strings.Lines(l.text.String()) {
		if strings.Contains(line, "level=ERROR") || strings.Contains(line, "panic") || strings.HasPrefix(line, "flagfall:") {
			out = append(out, strings.TrimSpace(line))
		}
	}
	return strings.Join(out[max(0, len(out)-5):], "\n")
}

// nextRelease is the tag of the program that writes events of the next version.
const nextRelease = "nextrelease"

// build compiles a program of this module.
func build(t *testing.T, folder, program, tags string) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(folder, filepath.Base(program)+tags)
	compile := exec.Command("go", "build", "-tags", tags, "-o", binary, "./"+program)
	compile.Dir = filepath.Dir(strings.TrimSpace(string(out)))
	if said, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("build %s: %v\n%s", program, err, said)
	}
	return binary
}

// folder is where everything is kept that the run writes; it goes with the test, but within CHAOS_KEEP it stays.
func folder(t *testing.T) string {
	t.Helper()
	keep := os.Getenv("CHAOS_KEEP")
	if keep == "" {
		return t.TempDir()
	}
	if err := os.MkdirAll(keep, 0o700); err != nil {
		t.Fatal(err)
	}
	made, err := os.MkdirTemp(keep, "chaos-")
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("everything is kept in %s", made)
	return made
}

// open starts everything: with Redis as many nodes as are wanted, without it one.
func open(t *testing.T, what hallOf) *hall {
	t.Helper()
	h := &hall{t: t, folder: folder(t), postgres: pgtest.Start(t)}
	h.database, h.copies = h.postgres.Database(t), filepath.Join(h.folder, "copies")
	if what.redis {
		var settings []string
		if !what.lax {
			settings = []string{"--min-replicas-to-write", "1", "--min-replicas-max-lag", "2"}
		}
		h.redis, h.query = redistest.Sentinel(t, settings...), what.query
	}
	binary := build(t, h.folder, "server", "")
	for i := range what.nodes {
		addr := freeAddr(t)
		n := &node{hall: h, name: fmt.Sprint("node", i+1), addr: addr, data: filepath.Join(h.folder, "data"),
			binary: binary, proxy: redistest.NewProxy(t, addr)}
		h.nodes = append(h.nodes, n)
		t.Cleanup(n.kill)
		n.start()
		n.ready() // before the next one: the first makes the keys
	}
	return h
}

// freeAddr is below the ports that the kernel gives to outgoing connections, so that nobody takes it while its node is down.
func freeAddr(t *testing.T) string {
	t.Helper()
	for range 100 {
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 15000+rand.IntN(17000)))
		if err == nil {
			l.Close()
			return l.Addr().String()
		}
	}
	t.Fatal("no port is free between 15000 and 32000")
	return ""
}

// addresses are where players find the nodes.
func (h *hall) addresses() string {
	var out []string
	for _, n := range h.nodes {
		out = append(out, "http://"+n.proxy.Addr())
	}
	return strings.Join(out, ",")
}

// environ is the environment without settings meant for another server.
func environ() []string {
	var out []string
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "FLAGFALL_") && !strings.HasPrefix(e, "CHAOS_") {
			out = append(out, e)
		}
	}
	return out
}

func (n *node) start() {
	n.hall.t.Helper()
	n.command = exec.Command(n.binary)
	n.command.Env = append(environ(),
		"FLAGFALL_ADDR="+n.addr, "FLAGFALL_URL=http://chess.example", "FLAGFALL_DATA="+n.data, "FLAGFALL_DB="+n.hall.database,
		"FLAGFALL_NODE="+n.name, "FLAGFALL_JOURNAL_COPY="+n.hall.copies,
		"FLAGFALL_LIMIT_SOCKETS_PER_ADDRESS=100000", "FLAGFALL_LIMIT_HANDSHAKES=100000", "FLAGFALL_LIMIT_GUESTS=100000",
		"FLAGFALL_LIMIT_MESSAGES=1000000")
	if n.hall.redis != nil {
		n.command.Env = append(n.command.Env, "FLAGFALL_REDIS="+n.hall.redis.URL()+n.hall.query)
	}
	if cache, err := os.UserCacheDir(); err == nil { // endgame tables are computed once, not in every run
		n.command.Env = append(n.command.Env, "FLAGFALL_TABLES="+filepath.Join(cache, "flagfall", "endgames"))
	}
	n.command.Stdout, n.command.Stderr = &n.log, &n.log
	if err := n.command.Start(); err != nil {
		n.hall.t.Fatal(err)
	}
	n.ended = make(chan struct{})
	command, ended := n.command, n.ended
	go func() {
		_ = command.Wait() // ends by a signal, as often as not
		close(ended)
	}()
}

// patience bounds every wait for a process.
const patience = 30 * time.Second

// ready waits until the node answers.
func (n *node) ready() {
	n.hall.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for {
		err := n.answers(ctx)
		if err == nil {
			return
		}
		select {
		case <-n.ended:
			n.hall.t.Fatalf("%s ended: %s", n.name, n.log.troubles())
		case <-ctx.Done():
			n.hall.t.Fatalf("%s does not answer: %v\n%s", n.name, err, n.log.troubles())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func (n *node) answers(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+n.addr+"/api/games", nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	resp.Body.Close()
	if resp.StatusCode >= 500 {
		return errors.New(resp.Status)
	}
	return nil
}

func (n *node) signal(s syscall.Signal) { _ = n.command.Process.Signal(s) } // it may have ended

// kill ends the process as kill -9 does, stopped or not.
func (n *node) kill() {
	if n.command != nil && n.command.Process != nil {
		n.signal(syscall.SIGKILL)
		<-n.ended
	}
}

// leave ends the process as a deploy does.
func (n *node) leave() {
	n.hall.t.Helper()
	n.signal(syscall.SIGTERM)
	select {
	case <-n.ended:
	case <-time.After(patience):
		n.hall.t.Errorf("%s does not end after SIGTERM", n.name)
		n.kill()
	}
}

// alive fails the test when a node has ended by itself.
func (h *hall) alive() {
	h.t.Helper()
	for _, n := range h.nodes {
		select {
		case <-n.ended:
			h.t.Fatalf("%s has ended by itself: %s", n.name, n.log.troubles())
		default:
		}
	}
}

// roll makes a node, or the next one after it that is not so yet, one of the next release when it starts again.
func (h *hall) roll(node int) *node {
	n := h.nodes[node]
	for i := range h.nodes {
		if one := h.nodes[(node+i)%len(h.nodes)]; !one.rolled {
			n = one
			break
		}
	}
	n.rolled, n.binary = true, h.next
	return n
}

// strike lets a fault happen and mends what it broke.
func (h *hall) strike(f fault) {
	h.t.Helper()
	h.alive()
	n := h.nodes[f.node]
	switch f.kind {
	case kill:
		n.kill()
		time.Sleep(f.lag)
		n.start()
	case stop:
		n.signal(syscall.SIGSTOP)
		time.Sleep(f.lag)
		n.signal(syscall.SIGCONT)
	case leave, roll:
		if f.kind == roll {
			n = h.roll(f.node)
		}
		n.leave()
		time.Sleep(f.lag)
		n.start()
	case cut:
		n.proxy.Cut()
	case database:
		h.postgres.Kill(h.t)
		time.Sleep(f.lag)
		h.postgres.Restart(h.t)
	case all:
		for _, n := range h.nodes {
			n.kill()
		}
		time.Sleep(f.lag)
		for _, n := range h.nodes {
			n.start()
		}
	case failover, both:
		primary := h.redis.Master()
		if f.kind == both {
			n.kill()
		}
		primary.Kill()
		time.Sleep(f.lag)
		primary.Start()
		if f.kind == both {
			n.start()
		}
	case drop:
		h.redis.Master().Do("client", "kill", "type", "normal")
	}
	for _, n := range h.nodes {
		n.ready()
	}
}
