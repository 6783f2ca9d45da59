package host_test

import (
	"testing"
	"time"
)

const blitz = `{"name":"Club night","format":"arena","duration":300000,"rest":2000,"guests":true,"late":true}`

// A whole small arena: entered, paired again and again, and its table is what was played.
func TestArena(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		event := w.create(blitz)
		w.must(event, "A", "act", `{"do":"advance","to":"open"}`)
		for _, letter := range []string{"B", "C", "d", "e"} {
			w.must(event, letter, "act", `{"do":"enter"}`)
			w.come(event, letter, true)
		}
		w.must(event, "A", "act", `{"do":"advance","to":"running"}`)
		wins := map[string]float64{}
		played := 0
		for range 150 {
			pass(2 * time.Second)
			for id, pair := range w.games("BCde") {
				if pair[0] == nil || pair[1] == nil {
					t.Fatalf("game %s has one player at the seats", id)
				}
				w.finish(id, pair)
				wins[pair[1].conn.person.ID] += 2
				played++
			}
		}
		page := w.must(event, "", "page", `{}`)
		if page["phase"] != "provisional" || played < 20 || page["games"] != float64(played) {
			t.Fatalf("phase %v, %d games were played, %v count", page["phase"], played, page["games"])
		}
		for _, one := range page["top"].([]any) {
			row := one.(map[string]any)
			if row["points"] != wins[row["id"].(string)] {
				t.Errorf("%v has %v half points, won %v", row["name"], row["points"], wins[row["id"].(string)])
			}
		}
	})
}
