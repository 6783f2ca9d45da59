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

// here connects somebody of whom this is known.
func here(t *testing.T, m actor.Machine, who game.Player, c card) {
	t.Helper()
	run(t, m, connect{Who: who}, 0)
	run(t, m, learn{Who: who.ID, card: c}, 0)
}

// want is a seek for a fast game by the WBCA rules.
func want(letter string, base int64) seek {
	return seek{ID: "s" + letter, Who: who(letter), Terms: fast(base), Game: "g" + letter}
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
