//go:build !race

package board

import "testing"

func TestPerftDeep(t *testing.T) {
	for _, p := range perfts {
		t.Run(p.name, func(t *testing.T) {
			depth := len(p.leaves)
			if got, want := perft(mustFEN(p.fen), depth, ownMoves), p.leaves[depth-1]; got != want {
				t.Errorf("depth %d has %d leaves, want %d", depth, got, want)
			}
		})
	}
}
