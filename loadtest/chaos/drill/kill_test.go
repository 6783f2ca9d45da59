//go:build unix

package drill

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"flagfall/loadtest/chaos"
)

// TestKill kills one of three nodes under CHAOS_KILL games, each with a move every 5 s, and tells how long it takes until
// they go on. It is a measurement: only what is lost or wrong fails it.
func TestKill(t *testing.T) {
	games := setting(t, "CHAOS_KILL", 0)
	if games == 0 {
		t.Skip("CHAOS_KILL says with how many games; `make chaos` does")
	}
	seed := setting(t, "CHAOS_SEED", 1)
	t.Logf("seed %d, %d games, 3 nodes", seed, games)
	h := open(t, hallOf{nodes: 3, redis: true})
	const hold = 40 * time.Second
	players := h.play(seed, games, hold, "-rate", "0.2", "-cuts", "0")
	h.await(int(games) * 95 / 100)
	time.Sleep(5 * time.Second) // all have moved

	n := h.nodes[seed%3]
	process := n.command.Process.Pid
	at := time.Now().UnixMilli()
	n.kill()
	t.Logf("%s is killed", n.name)
	time.Sleep(15 * time.Second)
	n.start()
	n.ready()
	if err := players.command.Process.Signal(syscall.SIGINT); err != nil { // the games are drained
		t.Fatal(err)
	}
	players.wait(time.Minute)
	h.alive()
	settled := h.settle(time.Minute)
	for _, n := range h.nodes {
		n.leave()
	}
	history := h.history(players.saw)
	history.Claimed, history.Settled = true, settled
	var out bytes.Buffer
	chaos.AfterKill(history, h.copyOf(process), at).Print(&out)
	t.Logf("\n%s", out.String())
	h.report(chaos.Check(history), history, seed)
}

// await waits until so many games go on.
func (h *hall) await(games int) {
	h.t.Helper()
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(500 * time.Millisecond) {
		running, _ := chaos.Unsettled(h.entries())
		if running >= games {
			return
		}
		if time.Now().After(end) {
			h.t.Fatalf("%d games go on, want %d", running, games)
		}
	}
}

// copyOf is the name of a process's copy of the journals.
func (h *hall) copyOf(pid int) string {
	h.t.Helper()
	names, err := os.ReadDir(h.copies)
	if err != nil {
		h.t.Fatal(err)
	}
	for _, one := range names {
		if strings.Contains(one.Name(), fmt.Sprintf("-%d-", pid)) {
			return one.Name()
		}
	}
	h.t.Fatalf("process %d has copied nothing", pid)
	return ""
}
