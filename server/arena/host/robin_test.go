package host_test

import (
	"testing"
	"time"

	"flagfall/server/wire"
)

// In a round robin who still sits at another table has his time to come to the next one: he is waited for, and has lost only
// when it is over.
func TestRobinWaits(t *testing.T) {
	for name, c := range map[string]struct {
		plays  time.Duration
		opened bool
	}{"in time": {40 * time.Second, true}, "too late": {5 * time.Minute, false}} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				event := w.create(`{"name":"Robin","format":"round_robin","guests":true}`)
				w.must(event, "A", "act", `{"do":"advance","to":"open"}`)
				for _, letter := range []string{"B", "C"} {
					w.must(event, letter, "act", `{"do":"enter"}`)
					w.come(event, letter, true)
				}
				x := w.come(event, "X", false)
				b := w.guests["B"]
				b.session.Handle(wire.ClientMessage{T: "seek", ID: "s1", Base: 180000, Mode: "board"})
				x.session.Handle(wire.ClientMessage{T: "seek", ID: "s2", Base: 180000, Mode: "board"})
				pass(5 * time.Second)
				other := w.lobby.Seated(b.conn.person.ID)
				pair := w.games("BX")[other]
				for _, g := range pair {
					g.sit(other)
				}
				pass(time.Second)
				ply, one := 0, 1
				pair[0].do("move", "m0", wire.ClientMessage{Move: "e2e4", Ply: &ply, Press: true})
				pass(time.Second)
				pair[1].do("move", "m1", wire.ClientMessage{Move: "e7e5", Ply: &one, Press: true})
				w.must(event, "A", "act", `{"do":"advance","to":"running"}`)
				w.must(event, "A", "act", `{"do":"round"}`)
				pass(c.plays)
				x.do("resign", "r", wire.ClientMessage{})
				pass(15 * time.Second)
				id := w.lobby.Seated(w.guests["C"].conn.person.ID)
				if opened := id != "" && id == w.lobby.Seated(b.conn.person.ID); opened != c.opened {
					t.Fatalf("B and C play: %v", opened)
				}
				if c.opened {
					return
				}
				for _, one := range w.must(event, "A", "standings", `{}`)["rows"].([]any) {
					row := one.(map[string]any)
					if want := map[string]float64{"P B": 0, "P C": 2}[row["name"].(string)]; row["points"] != want {
						t.Errorf("%v has %v half points, want %v", row["name"], row["points"], want)
					}
				}
			})
		})
	}
}
