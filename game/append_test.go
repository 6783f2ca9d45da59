package game

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"flagfall/game/board"
)

// What is written by hand is what encoding/json writes.
func TestAppendEvent(t *testing.T) {
	number := rapid.OneOf(rapid.Just(int64(0)), rapid.Int64())
	square := rapid.Uint8Range(0, 63)
	rapid.Check(t, func(t *rapid.T) {
		e := Event{
			Kind: rapid.SampledFrom([]Kind{Released, Pressed, Queued, Flagged, Denied}).Draw(t, "kind"),
			At:   number.Draw(t, "at"), By: Side(rapid.Uint8Range(0, 2).Draw(t, "by")),
			Legal: rapid.Bool().Draw(t, "legal"), Adjacent: rapid.Bool().Draw(t, "adj"), Press: rapid.Bool().Draw(t, "press"),
			Bare: rapid.Bool().Draw(t, "bare"), Charged: number.Draw(t, "charged"), Credit: number.Draw(t, "credit"),
			Lag: number.Draw(t, "lag"), Left: [2]int64{number.Draw(t, "w"), number.Draw(t, "b")}, Add: number.Draw(t, "add"),
		}
		if rapid.Bool().Draw(t, "moves") {
			e.Move = UCI{From: board.Square(square.Draw(t, "from")), To: board.Square(square.Draw(t, "to")),
				Promo: rapid.SampledFrom([]board.Kind{board.NoKind, board.Queen, board.Knight}).Draw(t, "promo")}
		}
		want, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		var log Log
		log.Append(Event{Kind: Started, At: 5, By: None})
		log.Append(e)
		log.Append(e)
		if got := log.Events(); log.Len() != 3 || len(got) != 3 || got[1] != e || got[2] != e {
			t.Fatalf("the log gives %+v, want %+v", got, e)
		}
		if got, err := AppendEvent(nil, e); err != nil || string(got) != string(want) {
			t.Fatalf("got  %s, %v\nwant %s", got, err, want)
		}
	})
}
