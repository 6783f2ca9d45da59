package game

import (
	"testing"
	"unsafe"
)

// A game's state stays under 2 KB, its history (plies, positions, answers) not counted.
func TestSizeOfAGame(t *testing.T) {
	if size := unsafe.Sizeof(Game{}); size > 2048 {
		t.Errorf("a game is %d bytes, want 2048 at most", size)
	} else {
		t.Logf("a game is %d bytes, an event %d", size, unsafe.Sizeof(Event{}))
	}
}
