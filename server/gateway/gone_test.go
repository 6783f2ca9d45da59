package gateway_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"flagfall/server/actor"
	"flagfall/server/table"
	"flagfall/server/wire"
)

// seatAll has White at b, Black at c and a spectator at each node, at a game of node a.
func seatAll(t *testing.T, nodes []*node) (white, black *guest, crowd []*guest) {
	t.Helper()
	nodes[0].open("g1")
	white, black = nodes[1].come("W"), nodes[2].come("B")
	white.sit("g1")
	black.sit("g1")
	for _, n := range nodes[:3] {
		one := n.come("S")
		one.join("g1", 0)
		crowd = append(crowd, one)
	}
	pass(time.Second)
	return white, black, crowd
}

// When the owner dies, those who sat there are sent away, and nobody else.
func TestOwnerGone(t *testing.T) {
	inTown(t, "l a b c", func(t *testing.T, w *town, nodes []*node) {
		lobbyOnly, nodes := nodes[2].come("L"), nodes[1:]
		white, black, crowd := seatAll(t, nodes)
		nodes[1].open("g2")
		other := nodes[2].come("O")
		other.join("g2", 0)
		journal := nodes[0].journal
		nodes[0].kill()
		pass(5 * time.Second)
		for _, one := range []*guest{white, black, crowd[1], crowd[2]} {
			one.closed(wire.CloseRestart)
			one.close()
		}
		other.closed()
		lobbyOnly.closed()

		w.start("d", journal, false)
		again := nodes[1].come("W")
		again.sit("g1")
		again.do("m1 move e2e4 0")
		frames := strings.Join(again.news(), "\n")
		if !strings.Contains(frames, `"id":"m1"`) {
			t.Errorf("no move at the new owner: %s", frames)
		}
		again.close()
	})
}

// When an edge dies, its players are away from the table.
func TestEdgeGone(t *testing.T) {
	inTown(t, "a b c", func(t *testing.T, w *town, nodes []*node) {
		white, _, crowd := seatAll(t, nodes)
		white.news()
		nodes[2].kill()
		pass(5 * time.Second)
		white.expect("ev:away")
		white.closed()
		crowd[0].closed()
		crowd[1].closed()
		before := nodes[0].bus.Counts().Dropped
		white.do("m1 move e2e4 0")
		white.expect("ev:move+press")
		if after := nodes[0].bus.Counts().Dropped; after != before {
			t.Errorf("%d frames for nobody", after-before)
		}
	})
}

// A gap on the way from the owner, or to it, closes the sockets that hung on it, on that node and no other.
func TestGap(t *testing.T) {
	for _, cut := range []string{"owner", "edge"} {
		t.Run(cut, func(t *testing.T) {
			inTown(t, "l a b c", func(t *testing.T, w *town, nodes []*node) {
				nodes = nodes[1:]
				white, black, crowd := seatAll(t, nodes)
				lobbyOnly := nodes[1].come("L")
				white.news()
				away := map[string]string{"owner": "a", "edge": "b"}[cut]
				w.local.Cut(away, true)
				white.sitting.Handle(parse("m1 move e2e4 0"))
				pass(100 * time.Millisecond)
				w.local.Cut(away, false)
				pass(10 * time.Second)
				white.closed(wire.CloseRestart)
				crowd[1].closed(wire.CloseRestart)
				black.closed()
				crowd[0].closed()
				crowd[2].closed()
				lobbyOnly.closed()
				black.expect("state ev:here+start ev:away")

				white.close()
				again := nodes[1].come("W")
				again.sit("g1")
				again.do("m1 move e2e4 0")
				if frames := strings.Join(again.news(), "\n"); !strings.Contains(frames, `"id":"m1"`) {
					t.Errorf("the move sent again: %s", frames)
				}
				again.close()
			})
		})
	}
}

// While nothing gets through, only those are sent away who say something at a table: they say it again when they are back.
// The lobby refuses.
func TestSaidIntoSilence(t *testing.T) {
	inTown(t, "l a b c", func(t *testing.T, w *town, nodes []*node) {
		nodes = nodes[1:]
		white, black, crowd := seatAll(t, nodes)
		pass(4 * time.Second)
		lobbyOnly := nodes[1].come("L")
		pass(4 * time.Second)
		for _, n := range w.nodes {
			w.local.Cut(n.name, true)
		}
		pass(4 * time.Second)
		white.do("m1 move e2e4 0")
		white.closed(wire.CloseRestart)
		lobbyOnly.seek("s1")
		lobbyOnly.expect("err:unavailable")
		if _, _, err := nodes[1].gate.Game(ctx, "g1"); !errors.Is(err, wire.Refuse(wire.CodeUnavailable)) {
			t.Errorf("a game of another node: %v", err)
		}
		for _, n := range w.nodes {
			w.local.Cut(n.name, false)
		}
		pass(7 * time.Second)
		for _, one := range append(crowd, black, lobbyOnly) {
			one.closed()
		}
	})
}

// An outage in which nothing was said closes nobody.
func TestSilence(t *testing.T) {
	inTown(t, "l a b c", func(t *testing.T, w *town, nodes []*node) {
		nodes = nodes[1:]
		white, black, crowd := seatAll(t, nodes)
		pass(4 * time.Second) // the bus has said how far it has come
		for _, n := range w.nodes {
			w.local.Cut(n.name, true)
		}
		pass(5 * time.Second)
		for _, n := range w.nodes {
			w.local.Cut(n.name, false)
		}
		pass(7 * time.Second)
		if n := nodes[1].bus.Counts().Resynced; n == 0 {
			t.Fatal("the bus has not noticed the outage")
		}
		for _, one := range append(crowd, white, black) {
			one.closed()
			one.news()
		}
		white.do("m1 move e2e4 0")
		white.expect("ev:move+press")
		black.expect("ev:move+press")
		pass(time.Second)
		for _, one := range crowd {
			one.expect("ev:move+press")
		}
		for _, one := range append(crowd, white, black) {
			one.close()
		}
	})
}

// A table that another server has taken over sends everybody there, those of its own node too.
func TestTableMoves(t *testing.T) {
	inTown(t, "a b c", func(t *testing.T, w *town, nodes []*node) {
		white, black, crowd := seatAll(t, nodes)
		local := nodes[0].come("W") // a newer tab, at the owner itself
		local.sit("g1")
		white.closed(wire.CloseReplaced)
		id := table.ActorID("g1")
		var last uint64
		if err := nodes[0].hall.Inspect(ctx, id, func(_ actor.Machine, seq uint64, _ int64) { last = seq }); err != nil {
			t.Fatal(err)
		}
		if err := nodes[0].journal.Append(ctx, id, last, []byte(`{"v":1,"own":"other"}`)); err != nil {
			t.Fatal(err)
		}
		local.sitting.Handle(parse("m1 move e2e4 0"))
		pass(time.Second)
		for _, one := range append(crowd, local, black) {
			one.closed(wire.CloseRestart)
		}
	})
}

// A hall that closes sends its sockets to where its tables will be.
func TestHallCloses(t *testing.T) {
	inTown(t, "l a b c", func(t *testing.T, w *town, nodes []*node) {
		nodes = nodes[1:]
		white, black, crowd := seatAll(t, nodes)
		if err := nodes[0].hall.Close(ctx); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		pass(time.Second)
		for _, one := range append(crowd, white, black) {
			one.closed(wire.CloseRestart)
		}
	})
}

// A node that could not be reached for so long that it was taken for dead finds its places given up, and its sockets come
// back.
func TestPartition(t *testing.T) {
	for _, length := range []time.Duration{2800 * time.Millisecond, 6 * time.Second} { // the bus notices a silence of 3 s
		t.Run(length.String(), func(t *testing.T) {
			inTown(t, "l a b c", func(t *testing.T, w *town, nodes []*node) {
				nodes = nodes[1:]
				white, black, crowd := seatAll(t, nodes)
				lobbyOnly := nodes[1].come("L")
				black.news()
				w.local.Cut("b", true)
				pass(length)
				black.expect("ev:away")
				w.local.Cut("b", false)
				pass(6 * time.Second)
				white.closed(wire.CloseRestart)
				crowd[1].closed(wire.CloseRestart)
				for _, one := range []*guest{black, crowd[0], crowd[2], lobbyOnly} {
					one.closed()
				}
				white.close()
				again := nodes[1].come("W")
				again.sit("g1")
				black.expect("ev:here")
				lobbyOnly.seek("s1")
				lobbyOnly.expect("seeking")
			})
		})
	}
}

// After a gap a session of the lobby counts once: with the last socket the person is gone.
func TestGapOfTheLobby(t *testing.T) {
	inTown(t, "l b", func(t *testing.T, w *town, nodes []*node) {
		seeker := nodes[1].come("A")
		seeker.seek("s1")
		for range 3 {
			w.local.Cut("l", true)
			other := nodes[0].come("A") // says something to the socket at node b
			other.seek("s1")
			pass(200 * time.Millisecond)
			w.local.Cut("l", false)
			pass(5 * time.Second)
			other.close()
		}
		if n := nodes[1].bus.Counts().Missed; n != 3 {
			t.Errorf("%d gaps, want 3", n)
		}
		seeker.closed()
		seeker.close()
		pass(11 * time.Second)
		if s := nodes[0].lobby.Stats(); s.Seeks != 0 {
			t.Errorf("the lobby has %+v without anybody there", s)
		}
	})
}

// A table that dies as it answers a join has answered: the socket comes back, and is not told besides that the table cannot
// be reached.
func TestJoinAnsweredOnce(t *testing.T) {
	inTown(t, "l a b", func(t *testing.T, w *town, nodes []*node) {
		owner, edge := nodes[1], nodes[2]
		owner.open("g1")
		for _, who := range []string{"W", "S"} { // a player and a spectator
			one := edge.come(who)
			owner.replies.hold(true) // the state goes out, the reply does not
			refused := make(chan error)
			go func() {
				_, err := edge.gate.Join(one.conn, wire.ClientMessage{T: "join", ID: "j", Game: "g1"})
				refused <- err
			}()
			pass(time.Second)
			one.expect("state")
			if who == "S" {
				owner.kill()
			}
			if err := <-refused; !errors.Is(err, wire.Refuse(wire.CodeUnavailable)) {
				t.Errorf("%s joins: %v", who, err)
			}
			one.closed(wire.CloseRestart)
			one.close()
			owner.replies.hold(false)
		}
	})
}

// A place that is left is forgotten, whatever becomes of the word that it was.
func TestLeftPlacesAreForgotten(t *testing.T) {
	for _, c := range []struct {
		name   string
		before func(w *town, owner *node)
	}{
		{"the owner says so", func(*town, *node) {}},
		{"the owner is not heard", func(w *town, owner *node) { w.local.Cut(owner.name, true) }},
		{"the owner is dead", func(w *town, owner *node) { owner.kill() }},
	} {
		t.Run(c.name, func(t *testing.T) {
			inTown(t, "l a b", func(t *testing.T, w *town, nodes []*node) {
				owner, edge := nodes[1], nodes[2]
				owner.open("g1")
				white := edge.come("W")
				white.sit("g1")
				c.before(w, owner)
				white.close()
				pass(5 * time.Second)
				w.local.Cut(owner.name, false)
				pass(10 * time.Second)
				if n := edge.gate.Attached(); n != 0 {
					t.Errorf("%d are attached", n)
				}
			})
		})
	}
}
