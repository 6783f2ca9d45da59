package chaos

import (
	"encoding/json"
	"slices"
	"strings"
)

// Loss is what a failover has taken back of the journals of games.
type Loss struct {
	Entries      int            // that were in the journal once and are not in the one that went on
	Acknowledged int            // of them, commands that a client saw acknowledged
	Games        int            // that have lost some
	Writers      map[string]int // how many of them each process had written
}

// Lost finds what was taken back.
func Lost(h *History) Loss {
	type name struct{ game, person, id string }
	told := map[name]bool{}
	for i := range h.Clients {
		c := &h.Clients[i]
		for _, s := range c.Seen {
			var head struct{ T, ID string }
			if s.Sent == nil && json.Unmarshal(s.Got, &head) == nil && head.T == "ev" && head.ID != "" {
				told[name{c.Game, c.Person, head.ID}] = true
			}
		}
	}
	type written struct {
		record
		process string
	}
	games := map[string][]written{}
	for _, e := range h.Entries {
		r := record{seq: e.Seq, Epoch: 1}
		if id, ok := strings.CutPrefix(e.Actor, gamePrefix); ok && !e.Read && json.Unmarshal(e.Data, &r) == nil {
			games[id] = append(games[id], written{r, e.Process})
		}
	}
	out := Loss{Writers: map[string]int{}}
	for id, records := range games {
		before := out.Entries
		for _, r := range records {
			if slices.ContainsFunc(records, func(next written) bool { return next.Epoch > r.Epoch && next.seq <= r.seq }) {
				out.Entries++
				out.Writers[r.process]++
				if r.ID != "" && told[name{id, r.From, r.ID}] {
					out.Acknowledged++
				}
			}
		}
		if out.Entries > before {
			out.Games++
		}
	}
	return out
}
