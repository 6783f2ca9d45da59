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

// fast are the terms of a fast game by the WBCA rules with base milliseconds each.
func fast(base int64) game.Terms { return game.Terms{RuleSet: "wbca", Base: base, Mode: game.Fast} }

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
