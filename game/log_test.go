package game

import (
	"slices"
	"strings"
	"testing"

	"flagfall/game/board"
)

// A long log, with entries of every length among them, is read as it was written.
func TestLongLog(t *testing.T) {
	var log Log
	setup := NewSetup(Player{ID: "1"}, Player{ID: "2"}, 300000, Fast)
	want := []Event{{Kind: Created, By: None, Setup: &setup}}
	log.Append(want[0])
	for i := range 400 {
		e := Event{Kind: Released, By: Side(i % 2), At: int64(i) * 1001, Legal: true, Charged: int64(1) << (i % 60), Left: [2]int64{int64(i), -1},
			Move: UCI{From: board.Square(i % 64), To: board.Square(i / 64)}}
		if i%37 == 0 {
			e = Event{Kind: Restored, By: White, At: e.At, FEN: strings.Repeat("r", i*3)}
		}
		log.Append(e)
		want = append(want, e)
		if log.Len() != len(want) {
			t.Fatalf("%d events, want %d", log.Len(), len(want))
		}
	}
	if got := log.Events(); !slices.Equal(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}
