package table

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"flagfall/game"
)

// What stops the clocks of an event's game is told to the event, and told again when it waits no longer: by the arbiter's
// word, by his result, or when his time is over (D36).
func TestMattersEnd(t *testing.T) {
	ruling := func(act game.Act) *game.Ruling {
		return &game.Ruling{Act: act, Who: "Zoe", Why: "so it is", Side: game.White, Score: game.Draw}
	}
	for name, test := range map[string]struct {
		rulings []*game.Ruling
		after   time.Duration
	}{
		"a word":          {rulings: []*game.Ruling{ruling(game.ActResume)}},
		"a penalty first": {rulings: []*game.Ruling{ruling(game.ActMinute), ruling(game.ActResume)}},
		"a result":        {rulings: []*game.Ruling{ruling(game.ActResult)}},
		"nobody":          {after: game.DisputeAtMost * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				s := setup(game.OverTheBoard)
				s.Event, s.Origin, s.Options.OnDuty = "club", "arena", true
				w.open(s)
				a, b := w.join(white, 0), w.join(black, 0)
				a.do("here")
				b.do("here")
				a.do("d dispute")
				synctest.Wait()
				if told := w.toldMatters(); len(told) != 1 || !told[0].Open || !told[0].Stops || told[0].Kind != "dispute" || told[0].By != game.White {
					t.Fatalf("told %+v", told)
				}
				for i, r := range test.rulings {
					if err := w.tables.Rule(context.Background(), "arena/club", string(rune('a'+i)), theGame, *r); err != nil {
						t.Fatal(err)
					}
				}
				pass(test.after + time.Second)
				if told := w.toldMatters(); len(told) != 2 || told[1].Open || told[1].Kind != "dispute" || told[1].N != 2 {
					t.Fatalf("told %+v", told)
				}
			})
		})
	}
}
