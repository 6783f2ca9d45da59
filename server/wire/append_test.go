package wire

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"
)

// What is written by hand is what encoding/json writes.
func TestAppendEvents(t *testing.T) {
	text := rapid.OneOf(rapid.Just(""), rapid.StringMatching(`[a-h1-8qw]{1,6}`), rapid.String())
	number := rapid.OneOf(rapid.Just(int64(0)), rapid.Int64())
	rapid.Check(t, func(t *rapid.T) {
		events := Events{T: "ev", N: rapid.Uint64().Draw(t, "n"), ID: text.Draw(t, "id"), At: number.Draw(t, "at"), E: []Event{},
			Clocks: Clocks{W: number.Draw(t, "w"), B: number.Draw(t, "b"), Run: text.Draw(t, "run"), Flags: text.Draw(t, "flags"), Delay: number.Draw(t, "delay")}}
		for range rapid.IntRange(0, 3).Draw(t, "events") {
			e := Event{K: text.Draw(t, "k"), By: text.Draw(t, "by"), M: text.Draw(t, "m"), Ply: int(number.Draw(t, "ply")),
				Press: rapid.Bool().Draw(t, "press"), Lag: number.Draw(t, "lag"), Seen: int(number.Draw(t, "seen"))}
			if rapid.Bool().Draw(t, "rare") {
				e.Why, e.Add, e.End = text.Draw(t, "why"), number.Draw(t, "add"), &End{Text: text.Draw(t, "text")}
			}
			events.E = append(events.E, e)
		}
		want, err := json.Marshal(events)
		if err != nil {
			t.Fatal(err)
		}
		if got := events.Append(nil); string(got) != string(want) {
			t.Fatalf("got  %s\nwant %s", got, want)
		}
	})
}

// BenchmarkEncode is the frame of a move.
func BenchmarkEncode(b *testing.B) {
	e := Events{T: "ev", N: 40, ID: "m17", At: 123456, Clocks: Clocks{W: 170000, B: 171000, Run: "w"},
		E: []Event{{K: "move", By: "b", M: "g8f6", Ply: 17}, {K: "press", By: "b", Lag: 12}}}
	b.ReportAllocs()
	for b.Loop() {
		e.Append(make([]byte, 0, 256))
	}
}
