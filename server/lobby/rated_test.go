package lobby

import (
	"testing"
	"time"

	"flagfall/server/wire"
)

// A game between two accounts is rated, however they met, and stays so in a rematch; one with a guest never is.
func TestRated(t *testing.T) {
	for name, guests := range map[string][2]bool{
		"two accounts": {false, false}, "an account and a guest": {false, true}, "a guest and an account": {true, false}, "two guests": {true, true},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				want := guests == [2]bool{}
				a, b := w.come("A"), w.come("B")
				a.conn.person.Guest, b.conn.person.Guest = guests[0], guests[1]
				a.say(wire.ClientMessage{T: "seek", ID: "1", Base: 300000, Mode: "board"})
				b.say(wire.ClientMessage{T: "seek", ID: "1", Base: 300000, Mode: "board"})
				first := a.game()
				if s := w.setup(first); s.Counts != want {
					t.Errorf("from the pool: rated %v", s.Counts)
				}
				a.sit(first)
				b.sit(first)
				a.sitting.Handle(wire.ClientMessage{T: "resign", ID: "r1"})
				pass(time.Second)
				a.say(wire.ClientMessage{T: "rematch", ID: "2", Game: first})
				b.say(wire.ClientMessage{T: "rematch", ID: "2", Game: first})
				second := a.game()
				if s := w.setup(second); second == first || s.Counts != want {
					t.Errorf("the rematch %s: rated %v", second, s.Counts)
				}
			})
		})
	}
}
