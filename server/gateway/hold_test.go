package gateway_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"flagfall/server/wire"
)

// What is said in a hold is kept, at the tables and in the lobby, and nobody loses his socket: not even by one who comes or
// goes meanwhile, whose messages nobody hears.
func TestHold(t *testing.T) {
	inTown(t, "l a b c", func(t *testing.T, w *town, nodes []*node) {
		nodes = nodes[1:]
		white, black, crowd := seatAll(t, nodes)
		lobbyOnly := nodes[1].come("L")
		pass(4 * time.Second)
		away := func(is bool) {
			for _, n := range w.nodes {
				w.local.Cut(n.name, is)
			}
		}
		hold := func(on bool) {
			for _, n := range w.nodes {
				n.gate.Hold(on)
				n.gate.Hold(on) // said once more
			}
		}
		for _, n := range w.nodes {
			n.hall.Freeze()
		}
		hold(true)
		away(true)
		white.do("m1 move e2e4 0")
		lobbyOnly.seek("s1")
		crowd[1].sitting.Leave()
		if _, _, err := nodes[1].gate.Game(ctx, "g1"); !errors.Is(err, wire.Refuse(wire.CodeUnavailable)) {
			t.Errorf("a game of another node: %v", err)
		}
		pass(10 * time.Second)
		for _, one := range []*guest{white, black, lobbyOnly, crowd[0], crowd[2]} {
			one.closed()
		}
		black.news()
		away(false)
		pass(3 * time.Second) // they hear one another
		for _, n := range w.nodes {
			n.hall.Thaw()
		}
		hold(false)
		pass(5 * time.Second)
		lobbyOnly.expect("seeking")
		if told := strings.Join(black.news(), "\n"); !strings.Contains(told, `"k":"pause"`) || !strings.Contains(told, `"m":"e2e4"`) {
			t.Errorf("Black was told %s", told)
		}
		for _, one := range []*guest{white, black, lobbyOnly, crowd[0], crowd[2]} {
			one.closed()
		}
		if n := nodes[0].bus.Counts().Missed + nodes[1].bus.Counts().Missed; n != 0 {
			t.Errorf("messages were missed %d times", n)
		}
		white.do("m2 move d2d4 2")
		white.closed()
		for _, one := range []*guest{white, black, lobbyOnly, crowd[0], crowd[2]} {
			one.close()
		}
	})
}
