//go:build unix

package drill

import (
	"bytes"
	"net"
	"syscall"
	"testing"
	"time"

	"flagfall/loadtest/chaos"
	"flagfall/server/cluster/redistest"
)

// still is how long replication stands still: longer than min-replicas-max-lag, and shorter than the sentinels put up with
// replicas that follow through a proxy, which is some 8 s.
const still = 4 * time.Second

// TestLoss has replication stand still under CHAOS_LOSS games, then kills the primary of Redis and a node together, and
// tells what that has taken back: with entries that wait for a replica, and without.
func TestLoss(t *testing.T) {
	games := setting(t, "CHAOS_LOSS", 0)
	if games == 0 {
		t.Skip("CHAOS_LOSS says with how many games; `make chaos` does")
	}
	seed := setting(t, "CHAOS_SEED", 1)
	for _, c := range []struct {
		name string
		what hallOf
		lost bool
	}{
		{"WAIT and min-replicas", hallOf{nodes: 3, redis: true}, false},
		{"min-replicas alone", hallOf{nodes: 3, redis: true, query: "?replicas=0"}, true},
		{"neither", hallOf{nodes: 3, redis: true, query: "?replicas=0", lax: true}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := open(t, c.what)
			players := h.play(seed, games, 40*time.Second, "-cuts", "0")
			h.await(int(games) * 95 / 100)
			time.Sleep(3 * time.Second)
			n, primary := h.nodes[seed%3], h.redis.Master()
			process := n.command.Process.Pid
			h.detour(primary).Silence(true)
			time.Sleep(still)
			at := time.Now().UnixMilli()
			primary.Kill()
			n.kill()
			time.Sleep(15 * time.Second)
			primary.Start()
			n.start()
			for _, n := range h.nodes {
				n.ready()
			}
			if err := players.command.Process.Signal(syscall.SIGINT); err != nil { // the games are drained
				t.Fatal(err)
			}
			if c.lost {
				<-players.ended // whatever its referee says of moves that are gone
			} else {
				players.wait(time.Minute)
			}
			h.alive()
			settled := !c.lost && h.settle(time.Minute) // who has lost a move may not find back into his game
			for _, n := range h.nodes {
				n.leave()
			}
			history := h.history(players.saw)
			history.Claimed, history.Settled = true, settled
			var out bytes.Buffer
			dead := h.copyOf(process)
			chaos.AfterKill(history, dead, at).Print(&out)
			lost := chaos.Lost(history)
			t.Logf("%d entries of %d games were taken back, %d of them of the dead node; players had seen %d acknowledged\n%s",
				lost.Entries, lost.Games, lost.Writers[dead], lost.Acknowledged, out.String())
			switch {
			case !c.lost:
				h.report(chaos.Check(history), history, seed)
			case lost.Acknowledged == 0:
				t.Error("nothing was lost without WAIT: nothing was tested")
			}
		})
	}
}

// detour has the replicas follow the primary through a proxy.
func (h *hall) detour(primary *redistest.Server) *redistest.Proxy {
	h.t.Helper()
	link := redistest.NewProxy(h.t, primary.Addr())
	host, port, err := net.SplitHostPort(link.Addr())
	if err != nil {
		h.t.Fatal(err)
	}
	for _, s := range h.redis.Servers() {
		if s == primary {
			continue
		}
		s.Do("replicaof", host, port)
		for end := time.Now().Add(patience); s.Info("replication")["master_link_status"] != "up"; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				h.t.Fatal("a replica does not follow through a proxy")
			}
		}
	}
	return link
}
