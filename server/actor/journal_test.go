package actor_test

import (
	"testing"

	"flagfall/server/actor"
	"flagfall/server/actor/journaltest"
)

func TestMemory(t *testing.T) {
	journaltest.Run(t, func(*testing.T) actor.Journal { return actor.NewMemory() })
}
