package gateway_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"flagfall/server/edge"
	"flagfall/server/gateway"
	"flagfall/server/table"
	"flagfall/server/wire"
)

// Two who play from nodes of their own, at a table of a third.
func TestPlayOverNodes(t *testing.T) {
	inTown(t, "a b c", func(t *testing.T, w *town, nodes []*node) {
		nodes[0].open("g1")
		white, black := nodes[1].come("W"), nodes[2].come("B")
		white.sit("g1")
		white.expect("state ev:here")
		black.sit("g1")
		black.expect("state ev:here+start")
		white.expect("ev:here+start")
		if !white.sitting.Plays() || !black.sitting.Plays() {
			t.Error("a player does not play")
		}

		white.do("m1 move e2e4 0")
		white.expect("ev:move+press")
		black.expect("ev:move+press")
		white.do("m2 move d2d4 2") // a reply that waits for the opponent's move
		white.expect("err:not_on_move")
		black.do("m1 move e7e5 1")
		white.expect("ev:move+press")
		black.expect("ev:move+press")
		black.do("m1 move e7e5 1") // sent again
		black.expect("done")
		white.expect("")
		white.do("c1 claim illegal") // none there
		white.expect("ev:denied")
		black.expect("ev:denied")
		black.do("r1 resign")
		white.expect("ev:end")
		black.expect("ev:end")
		pass(time.Second)
		white.do("m3 move d2d4 2")
		white.expect("err:game_over")
		white.join("g1", 0) // from the archive
		white.expect("state")
		white.close()
		black.close()
		if white.conn.direct == 0 {
			t.Error("no frame went to the player without a detour")
		}
	})
}

// A socket that comes back finds its commands counted, those that it sends again as well.
func TestSentAgainFromAnotherNode(t *testing.T) {
	inTown(t, "a b c", func(t *testing.T, w *town, nodes []*node) {
		nodes[0].open("g1")
		white, black := nodes[1].come("W"), nodes[0].come("B")
		white.sit("g1")
		black.sit("g1")
		white.do("m1 move e2e4 0")
		black.expect("state ev:here+start ev:move+press")
		white.expect("state ev:here ev:here+start ev:move+press")
		white.close()

		again := nodes[2].come("W")
		again.join("g1", 2) // the move was never seen
		again.expect("ev:move+press ev:away joined")
		again.do("m1 move e2e4 0")
		again.expect("done")
		again.close()
	})
}

// What was said before a socket left, or joined anew, is answered though the answer was still on its way: a refusal, that it
// was counted before, and that of a claim which is held until its millisecond is over (rulings D32).
func TestAnswersOnTheirWay(t *testing.T) {
	for _, at := range []int{0, 1} { // at the owner itself, and at another node
		for _, how := range []string{"leaves", "joins anew"} {
			t.Run(fmt.Sprint(how, " at node ", at), func(t *testing.T) {
				inTown(t, "a b", func(t *testing.T, w *town, nodes []*node) {
					nodes[0].open("g1")
					white, black := nodes[at].come("W"), nodes[0].come("B")
					white.sit("g1")
					black.sit("g1")
					white.do("m1 move e2e4 0")
					white.expect("state ev:here ev:here+start ev:move+press")
					for _, line := range []string{"m2 move d2d4 2", "m1 move e2e4 0", "c1 claim abandoned"} {
						white.sitting.Handle(parse(line))
					}
					switch how {
					case "leaves":
						white.sitting.Leave()
						white.sitting = nil
						pass(10 * time.Millisecond)
						white.expect("err:not_on_move done err:not_away")
					case "joins anew":
						white.join("g1", 3)
						pass(10 * time.Millisecond)
						white.expect("err:not_on_move done joined err:not_away ev:away")
					}
					white.close()
					black.close()
					if n := white.n.gate.Attached(); n != 0 {
						t.Errorf("%d places are attached that were left", n)
					}
				})
			})
		}
	}
}

// A newer tab at another node takes the place of the older one.
func TestNewerTab(t *testing.T) {
	inTown(t, "a b c", func(t *testing.T, w *town, nodes []*node) {
		nodes[0].open("g1")
		for i, n := range []*node{nodes[1], nodes[2], nodes[0], nodes[1]} {
			older := n.come("W")
			older.sit("g1")
			newer := nodes[(i+2)%3].come("W")
			newer.sit("g1")
			older.closed(wire.CloseReplaced)
			older.close()
			newer.closed()
			newer.do("here")
			newer.close()
		}
		// The same socket again is no newer tab.
		same := nodes[1].come("W")
		for range 3 {
			same.sit("g1")
			if state := frame(t, same.expect("state ev:here")[0]); state.Here != "" {
				t.Errorf("still here after leaving: %q", state.Here)
			}
		}
		same.closed()
		same.close()
	})
}

// frame reads a numbered frame.
func frame(t *testing.T, text string) (f struct {
	T, You, Here string
	N            uint64
	E            []wire.Event
}) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &f); err != nil {
		t.Fatal(err)
	}
	return f
}

// Spectators of three nodes get every frame once and in order, whenever they come, and a node is told of a frame once
// for all its spectators.
func TestSpectators(t *testing.T) {
	inTown(t, "a b c", func(t *testing.T, w *town, nodes []*node) {
		nodes[0].open("g1")
		white, black := nodes[1].come("W"), nodes[2].come("B")
		white.sit("g1")
		black.sit("g1")
		var crowd []*guest
		watch := func(count int) {
			for range count {
				one := nodes[len(crowd)%3].come(string(rune('C' + len(crowd)%20)))
				one.join("g1", 0)
				if one.sitting.Plays() {
					t.Error("a spectator plays")
				}
				crowd = append(crowd, one)
			}
		}
		moves := []string{"g1f3", "g8f6", "f3g1", "f6g8"}
		for i := range 8 {
			watch(9)
			mover := []*guest{white, black}[i%2]
			before := nodes[0].bus.Counts().Sent
			mover.do(fmt.Sprintf("m%d move %s %d", i, moves[i%4], i))
			pass(time.Second) // the pauses of a crowd
			// one for each of two galleries and two players; the members of the lobby hear nothing
			if sent := nodes[0].bus.Counts().Sent - before; sent != 4 {
				t.Errorf("move %d: %d messages from the owner, want 4", i, sent)
			}
		}
		for i, one := range crowd {
			frames := one.news()
			first := frame(t, frames[0])
			if first.T != "state" || first.You != "" || len(frames) != 1+8-i/9 {
				t.Fatalf("spectator %d: %d frames, first %s", i, len(frames), frames[0])
			}
			for k, text := range frames[1:] {
				if f := frame(t, text); f.T != "ev" || f.N != first.N+uint64(k)+1 {
					t.Errorf("spectator %d: frame %d is %s after a state of %d", i, k, text, first.N)
				}
			}
			one.do("r1 resign")
			one.expect("err:not_seated")
			one.closed()
		}
		// With the last one the node lets go of the table.
		for _, one := range crowd {
			if one.n != nodes[0] {
				one.close()
			}
		}
		before := nodes[0].bus.Counts().Sent
		white.do("m8 move g1f3 8")
		pass(time.Second)
		if sent := nodes[0].bus.Counts().Sent - before; sent != 2 {
			t.Errorf("%d messages from the owner to two players, want 2", sent)
		}
		for _, one := range append(crowd, white, black) {
			if one.n == nodes[0] || one == white || one == black {
				one.close()
			}
		}
	})
}

// Of the spectators of a node only the one who is slow is cut.
func TestSlowSpectator(t *testing.T) {
	inTown(t, "a b", func(t *testing.T, w *town, nodes []*node) {
		nodes[0].open("g1")
		white, black := nodes[0].come("W"), nodes[0].come("B")
		white.sit("g1")
		black.sit("g1")
		slow, quick := nodes[1].come("S"), nodes[1].come("Q")
		slow.join("g1", 0)
		quick.join("g1", 0)
		slow.conn.full = true
		white.do("m1 move e2e4 0")
		black.do("m1 move e7e5 1")
		slow.closed(wire.CloseSlow)
		quick.closed()
		slow.expect("state")
		quick.expect("state ev:move+press ev:move+press")
		slow.close()
		quick.close()
	})
}

// A frame that kills its socket's code does not kill the bus.
func TestPanicOfASocket(t *testing.T) {
	inTown(t, "a b", func(t *testing.T, w *town, nodes []*node) {
		nodes[0].open("g1")
		white, black := nodes[1].come("W"), nodes[1].come("B")
		white.sit("g1")
		black.sit("g1")
		white.news()
		black.news()
		white.conn.bomb = true
		white.do("m1 move e2e4 0")
		black.do("m1 move e7e5 1")
		black.expect("ev:move+press ev:move+press")
		white.expect("ev:move+press")
		white.close()
		black.close()
	})
}

// The lag that the edge has measured counts at the table, and a message that had to wait is judged by when it came.
func TestLagAndAge(t *testing.T) {
	inTown(t, "a b", func(t *testing.T, w *town, nodes []*node) {
		nodes[0].open("g1")
		white, black := nodes[1].come("W"), nodes[0].come("B")
		white.conn.lag = 80
		white.sit("g1")
		black.sit("g1")
		pass(3 * time.Second)
		white.news()
		white.do("m1 move e2e4 0")
		black.do("m1 move e7e5 1")
		pass(3 * time.Second)
		white.do("m2 move d2d4 2")
		frames := white.expect("ev:move+press ev:move+press ev:move+press")
		last := frame(t, frames[2])
		if lag := last.E[1].Lag; lag != 80 {
			t.Errorf("%d ms were given back, want 80: %s", lag, frames[2])
		}

		black.do("m2 move d7d5 3")
		left := func() int64 {
			t.Helper()
			frames := white.expect("ev:move+press")
			var f wire.Events
			if err := json.Unmarshal([]byte(frames[0]), &f); err != nil {
				t.Fatal(err)
			}
			return f.Clocks.W
		}
		white.conn.lag = 0
		before := left()
		pass(3 * time.Second)
		w.old = 2 * time.Second
		white.do("m3 move g1f3 4")
		if spent := before - left(); spent < 1000 || spent > 1010 {
			t.Errorf("a move made after one second, and two on its way, cost %d ms", spent)
		}
		white.close()
		black.close()
	})
}

// What cannot be joined is refused in the same words everywhere.
func TestJoinRefused(t *testing.T) {
	inTown(t, "a b", func(t *testing.T, w *town, nodes []*node) {
		white := nodes[1].come("W")
		if _, err := nodes[1].gate.Join(white.conn, wire.ClientMessage{T: "join", ID: "j", Game: "nope"}); !errors.Is(err, table.ErrUnknownGame) {
			t.Errorf("an unknown game: %v", err)
		}
		nodes[0].open("g1")
		w.mu.Lock()
		w.away = true
		w.mu.Unlock()
		begin := time.Now()
		_, err := nodes[1].gate.Join(white.conn, wire.ClientMessage{T: "join", ID: "j", Game: "g1"})
		if took := time.Since(begin); !errors.Is(err, wire.Refuse(wire.CodeUnavailable)) || took != 5*time.Second {
			t.Errorf("while nobody knows where games are: %v after %v", err, took)
		}
		go func() {
			time.Sleep(2 * time.Second)
			w.mu.Lock()
			defer w.mu.Unlock()
			w.away = false
		}()
		white.sit("g1")
		white.expect("state ev:here")
		white.close()
	})
}

// The edge takes a Gateway for its tables and its lobby.
var (
	_ edge.Tables                          = (*gateway.Gateway)(nil)
	_ edge.Lobby                           = (*gateway.Gateway)(nil)
	_ func(*edge.Config, *gateway.Gateway) = func(c *edge.Config, g *gateway.Gateway) { c.Seat = g.Seat }
)
