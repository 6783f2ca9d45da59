package main

import (
	"slices"
	"testing"

	"github.com/corentings/chess/v2"
)

// Another chess library plays the prepared games.
func TestPreparedGames(t *testing.T) {
	const plies = 600
	for seed := range uint64(3) {
		game := preparedGame(seed, plies)
		if len(game) != plies {
			t.Fatalf("seed %d: %d plies", seed, len(game))
		}
		pos := chess.StartingPosition()
		for ply, text := range game {
			i := slices.IndexFunc(pos.ValidMoves(), func(m chess.Move) bool { return m.String() == text })
			if i < 0 {
				t.Fatalf("seed %d: ply %d, %s, is not legal in %s", seed, ply, text, pos)
			}
			m := pos.ValidMoves()[i]
			pos = pos.Update(&m)
		}
		if len(pos.ValidMoves()) == 0 {
			t.Errorf("seed %d: the game is over in %s", seed, pos)
		}
		if !slices.Equal(game, preparedGame(seed, plies)) {
			t.Errorf("seed %d gives another game the second time", seed)
		}
	}
	if slices.Equal(preparedGame(1, 20), preparedGame(2, 20)) {
		t.Error("two seeds give the same game")
	}
}
