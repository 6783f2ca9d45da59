package lobby

import (
	"strings"
	"testing"

	"flagfall/game"
	"flagfall/server/actor"
)

func who(letter string) game.Player {
	return game.Player{ID: strings.Repeat(letter, 16), Name: letter}
}

// run decides a command and applies what follows.
func run(t *testing.T, m actor.Machine, cmd any, at int64) []actor.Event {
	t.Helper()
	events, err := m.Decide(cmd, at)
	if err != nil {
		t.Fatalf("%T: %v", cmd, err)
	}
	for _, e := range events {
		m.Apply(e)
	}
	return events
}
