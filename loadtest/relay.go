package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"github.com/gorilla/websocket"
)

// relayCommand as the first argument makes this program the bare relay: it says its address on its output and serves until
// its input ends.
const relayCommand = "relay"

// relay is what any server of two players must do at least: a frame comes in, its sender gets it back as the
// acknowledgement and the other side gets it too. No chess, no journal, no clock; sockets as the server's.
type relay struct {
	upgrader websocket.Upgrader
	mu       sync.Mutex
	waiting  map[string]*relayed // alone at a table, by its name
}

// relayed is one socket of the relay.
type relayed struct {
	ws    *websocket.Conn
	other *relayed // set before the second player is let in
	mu    sync.Mutex
}

func newRelay() *relay {
	return &relay{
		upgrader: websocket.Upgrader{
			ReadBufferSize: 512, WriteBufferSize: 512, WriteBufferPool: &sync.Pool{},
			CheckOrigin: func(*http.Request) bool { return true },
		},
		waiting: map[string]*relayed{},
	}
}

func (s *relay) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ws, err := s.upgrader.Upgrade(w, r, nil)
	if err != nil {
		return // Upgrade has answered
	}
	one, name := &relayed{ws: ws}, r.URL.Query().Get("table")
	s.mu.Lock()
	if other := s.waiting[name]; other != nil {
		delete(s.waiting, name)
		one.other, other.other = other, one
		s.mu.Unlock()
		go other.run() // both are there now
		go one.run()
		return
	}
	s.waiting[name] = one
	s.mu.Unlock()
}

// run passes frames on until the socket ends.
func (p *relayed) run() {
	defer p.ws.Close()
	for {
		kind, data, err := p.ws.ReadMessage()
		if err != nil || p.send(kind, data) != nil || p.other.send(kind, data) != nil {
			return
		}
	}
}

func (p *relayed) send(kind int, data []byte) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ws.WriteMessage(kind, data)
}

// relayMain serves on a free address of this machine until in ends.
func relayMain(in io.Reader, out io.Writer) error {
	raiseDescriptors()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return err
	}
	srv := &http.Server{Handler: newRelay(), ReadHeaderTimeout: 5 * time.Second}
	go func() {
		_, _ = io.Copy(io.Discard, in) // only its end counts
		srv.Close()
	}()
	fmt.Fprintln(out, l.Addr())
	if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// relayProcess is the relay in a process of its own.
type relayProcess struct {
	addr  string
	cmd   *exec.Cmd
	input io.Closer
}

// startRelay runs this program again as the relay.
func startRelay(ctx context.Context) (*relayProcess, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("start the relay: %w", err)
	}
	cmd := exec.CommandContext(ctx, self, relayCommand)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C is for this process
	cmd.Stderr = os.Stderr
	input, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start the relay: %w", err)
	}
	output, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start the relay: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the relay: %w", err)
	}
	p := &relayProcess{cmd: cmd, input: input}
	if _, err := fmt.Fscanln(output, &p.addr); err != nil {
		p.stop()
		return nil, fmt.Errorf("the relay did not say its address: %w", err)
	}
	return p, nil
}

// stop ends the relay and waits for it.
func (p *relayProcess) stop() {
	p.input.Close()
	_ = p.cmd.Wait() // how it ends does not matter
}
