package main

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"flagfall/server/wire"
	"flagfall/server/wire/client"
)

// child makes this test binary run as the server.
const child = "RUN_AS_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(child) != "" {
		os.Unsetenv(child)
		os.Exit(run(context.Background(), os.Args[1:], os.Environ(), os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// launch runs the server as a process of its own and waits until it listens.
func launch(t *testing.T, addr, data string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], append([]string{"-addr", addr, "-data", data, "-log", "error",
		"-limit-sockets-per-address", "500", "-limit-guests", "500", "-limit-handshakes", "500", "-limit-messages", "500"}, args...)...)
	cmd.Env = append(os.Environ(), child+"=1")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || !strings.HasPrefix(line, "Flagfall listens on ") {
		t.Fatalf("the server did not start: %q, %v", line, err)
	}
	return cmd
}

func freeAddr(t *testing.T) string {
	t.Helper()
	for range 100 {
		// Below the ports that the system gives to connections: nobody else takes it meanwhile.
		addr := fmt.Sprintf("127.0.0.1:%d", 11_000+rand.IntN(20_000))
		if l, err := net.Listen("tcp", addr); err == nil {
			l.Close()
			return addr
		}
	}
	t.Fatal("no port is free")
	return ""
}

// interrupted is one of the games that the kill interrupts.
type interrupted struct {
	white, black *somebody
	game         string
	n            [2]uint64 // last frame that each player had
	clk          wire.Clocks
}

// The server is killed in the middle of fifty games; every one goes on where it stood.
func TestKill(t *testing.T) {
	const games = 50
	addr, data := freeAddr(t), t.TempDir()
	server := launch(t, addr, data)
	p := &program{Server: client.Server{URL: "http://" + addr}}
	all := make([]*interrupted, games)
	for i := range all {
		g := &interrupted{}
		g.white, g.black, g.game = p.pair(t, 180000, "board")
		begin(g.white, g.black, g.game)
		play(g.white, g.black, "e2e4", "e7e5", "g1f3")
		all[i] = g
	}
	for _, g := range all {
		for side, who := range []*somebody{g.white, g.black} {
			last := who.seen[len(who.seen)-1].Body.(*wire.Events)
			g.n[side], g.clk = last.N, last.Clocks
		}
	}
	if err := server.Process.Kill(); err != nil { // SIGKILL
		t.Fatal(err)
	}
	_ = server.Wait()
	launch(t, addr, data)

	var wait sync.WaitGroup
	for _, g := range all {
		wait.Go(func() { g.goesOn(t) })
	}
	wait.Wait()
}

func (g *interrupted) goesOn(t *testing.T) {
	for side, who := range []*somebody{g.white, g.black} {
		who.connect()
		who.seen = nil
		who.do(wire.ClientMessage{T: "join", Game: g.game, Since: g.n[side]})
		state, _ := who.until("event", func(f client.Frame) bool { return f.T == "state" || f.T == "joined" }).Body.(*wire.State)
		if state == nil {
			t.Errorf("%s: %s had missed the pause, but got no snapshot", g.game, who.guest.Name)
			return
		}
		g.compare(t, state)
	}
	g.white.conn.Send(wire.ClientMessage{T: "here", Visible: true})
	g.black.conn.Send(wire.ClientMessage{T: "here", Visible: true})
	g.white.event("resume")
	g.black.move("b8c6")
	g.black.press()
	g.white.event("press")
}

// compare holds the game after the restart against what was seen before it.
func (g *interrupted) compare(t *testing.T, s *wire.State) {
	var moves []string
	for _, m := range s.Moves {
		moves = append(moves, m.M)
	}
	if got := strings.Join(moves, " "); got != "e2e4 e7e5 g1f3" {
		t.Errorf("%s: the moves are %q after the restart", g.game, got)
	}
	if s.Phase != "paused" || s.Clocks.Run != "" {
		t.Errorf("%s: phase %q with clock %q after the restart", g.game, s.Phase, s.Clocks.Run)
	}
	if s.Clocks.W != g.clk.W {
		t.Errorf("%s: White has %d ms, had %d, and was not on move", g.game, s.Clocks.W, g.clk.W)
	}
	if lost := g.clk.B - s.Clocks.B; lost < 0 || lost > int64(10*time.Second/time.Millisecond) {
		t.Errorf("%s: Black lost %d ms by the outage", g.game, lost)
	}
}
