package chaos

import (
	"encoding/json"
	"slices"
	"strings"
)

// Lost counts what a failover has taken back: entries that were in the journal of a game once and are not in the one that
// went on, those of them that a client saw acknowledged, and the games.
func Lost(h *History) (entries, acknowledged, hurt int) {
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
	games := map[string][]record{}
	for _, e := range h.Entries {
		r := record{seq: e.Seq, Epoch: 1}
		if id, ok := strings.CutPrefix(e.Actor, gamePrefix); ok && !e.Read && json.Unmarshal(e.Data, &r) == nil {
			games[id] = append(games[id], r)
		}
	}
	for id, records := range games {
		before := entries
		for _, r := range records {
			if slices.ContainsFunc(records, func(next record) bool { return next.Epoch > r.Epoch && next.seq <= r.seq }) {
				entries++
				if r.ID != "" && told[name{id, r.From, r.ID}] {
					acknowledged++
				}
			}
		}
		if entries > before {
			hurt++
		}
	}
	return entries, acknowledged, hurt
}
