package gateway_test

import (
	"testing"
	"time"

	"flagfall/game"
)

// Two who play from nodes of their own, at a table of a third.
func TestPlayOverNodes(t *testing.T) {
	inTown(t, "a b c", func(t *testing.T, w *town, nodes []*node) {
		nodes[0].open("g1", game.Fast)
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
