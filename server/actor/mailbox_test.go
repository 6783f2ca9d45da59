package actor

import (
	"testing"
	"time"
)

// still is a mailbox at time 0 of a hall that may be frozen.
func still() (*mailbox, *pulse) {
	p := &pulse{now: func() time.Duration { return 0 }, limit: time.Second}
	return newMailbox(p, 10, func() {}), p
}

// Who was told to end an actor cannot lay it to rest, wherever he was when he was told: nobody would come back to it.
func TestDismissed(t *testing.T) {
	for _, c := range []struct {
		name   string
		before func(mb *mailbox) // the end of it
		ending bool
	}{
		{"before he looks", func(mb *mailbox) { mb.dismiss() }, true},
		{"before he looks, and poked", func(mb *mailbox) { mb.dismiss(); mb.poke() }, true},
		{"not at all", func(mb *mailbox) { mb.poke() }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			mb, _ := still()
			if !mb.poke() {
				t.Fatal("somebody else runs the actor")
			}
			c.before(mb)
			if _, _, ending := mb.take(-1); ending != c.ending {
				t.Errorf("it is to end: %v", ending)
			}
			if rests := mb.rest(0, false); rests == c.ending {
				t.Errorf("it rests: %v", rests)
			}
		})
	}
	t.Run("after he has looked", func(t *testing.T) {
		mb, _ := still()
		mb.poke()
		if _, _, ending := mb.take(-1); ending {
			t.Error("it is to end")
		}
		if mb.dismiss() {
			t.Error("two run the actor")
		}
		if mb.rest(0, false) {
			t.Error("it rests")
		}
		if _, _, ending := mb.take(-1); !ending {
			t.Error("it is not to end")
		}
	})
	t.Run("in a freeze", func(t *testing.T) {
		mb, p := still()
		p.freeze()
		mb.poke()
		mb.dismiss()
		if mb.pause() {
			t.Error("it waits for the end of the freeze")
		}
	})
	t.Run("at rest", func(t *testing.T) {
		mb, _ := still()
		if !mb.dismiss() {
			t.Error("nobody runs the actor")
		}
	})
}
