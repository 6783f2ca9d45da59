package chaos

import (
	"encoding/json"
	"fmt"
	"reflect"

	"flagfall/game"
)

// gameLog is the journal of a game, read.
type gameLog struct {
	id      string
	records []record
	steps   []step
	setup   *game.Setup
	ends    []int // indexes of the steps with an end
	done    map[string]int
	unread  []string
}

// step is one entry of a game: what happened in it.
type step struct {
	*record
	events []game.Event
}

func readGame(id string, records []record) *gameLog {
	g := &gameLog{id: id, records: records, done: map[string]int{}}
	for i := range records {
		s := step{record: &records[i]}
		for _, text := range s.Events {
			var effect struct {
				Done string `json:"acked"`
			}
			if json.Unmarshal(text, &effect) == nil && effect.Done != "" {
				g.done[effect.Done]++
				continue
			}
			e, err := game.ParseEvent(text)
			if err != nil {
				g.unread = append(g.unread, fmt.Sprintf("entry %d: %v", s.seq, err))
				continue
			}
			switch e.Kind {
			case game.Created:
				g.setup = e.Setup
			case game.Ended:
				g.ends = append(g.ends, i)
			}
			s.events = append(s.events, e)
		}
		g.steps = append(g.steps, s)
	}
	return g
}

// endedOnce wants one end: of every game when it was waited for that, else of those whose end somebody was told.
func (g *gameLog) endedOnce(settled, told bool) []string {
	wrong := append([]string(nil), g.unread...)
	switch {
	case len(g.ends) > 1:
		wrong = append(wrong, fmt.Sprintf("it ended %d times", len(g.ends)))
	case len(g.ends) == 0 && settled:
		wrong = append(wrong, "it has not ended")
	case len(g.ends) == 0 && told:
		wrong = append(wrong, "a client was told an end that the journal does not have")
	}
	created := 0
	for i, s := range g.steps {
		for k, e := range s.events {
			if e.Kind != game.Created {
				continue
			}
			created++
			if i > 0 || k > 0 {
				wrong = append(wrong, fmt.Sprintf("it was set up in entry %d", s.seq))
			}
		}
	}
	if created == 0 {
		wrong = append(wrong, "it was never set up")
	}
	return wrong
}

// afterEnd wants nothing but what comes of a result.
func (g *gameLog) afterEnd() []string {
	var wrong []string
	over := false
	for _, s := range g.steps {
		for _, e := range s.events {
			if over {
				wrong = append(wrong, fmt.Sprintf("%s of %s in entry %d comes after the end", e.Kind, e.By.Name(), s.seq))
			}
			over = over || e.Kind == game.Ended
		}
	}
	return wrong
}

// events are all events of the game in order.
func (g *gameLog) events() []game.Event {
	var out []game.Event
	for _, s := range g.steps {
		out = append(out, s.events...)
	}
	return out
}

// archived wants one row for a game that is over, with all that is in the journal, and none for another.
func (g *gameLog) archived(rows []Record, settled bool) []string {
	var wrong []string
	complain := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	if n := g.done["archive"]; n > 1 {
		complain("it was archived %d times", n)
	}
	switch {
	case len(rows) > 1:
		complain("the archive has %d rows of it", len(rows))
	case len(rows) == 0 && g.done["archive"] > 0:
		complain("the journal says that it was archived, and the archive does not have it")
	case len(rows) == 0 && settled && len(g.ends) > 0:
		complain("the archive does not have it")
	case len(rows) == 1 && len(g.ends) == 0:
		complain("the archive has it, and it has not ended")
	}
	if len(rows) != 1 || len(g.ends) != 1 || g.setup == nil {
		return wrong
	}
	row, events := rows[0], g.events()
	if row.White != g.setup.White.ID || row.Black != g.setup.Black.ID {
		complain("the archive has %s and %s at it, the journal %s and %s", row.White, row.Black, g.setup.White.ID, g.setup.Black.ID)
	}
	for _, e := range g.steps[g.ends[0]].events {
		if e.Kind == game.Ended && (row.Result != string(e.Result.Score) || row.Reason != string(e.Result.Reason)) {
			complain("the archive says %s by %s, the journal %s by %s", row.Result, row.Reason, e.Result.Score, e.Result.Reason)
		}
	}
	if len(row.Events) != len(events) {
		complain("the archive has %d events, the journal %d", len(row.Events), len(events))
		return wrong
	}
	for i := range events {
		if !reflect.DeepEqual(row.Events[i], events[i]) {
			complain("event %d is %s at %d in the archive and %s at %d in the journal", i+1, row.Events[i].Kind, row.Events[i].At, events[i].Kind, events[i].At)
			break
		}
	}
	return wrong
}
