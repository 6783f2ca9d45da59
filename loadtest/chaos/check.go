package chaos

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// gamePrefix begins the actors that are games; seatsActor is the one that seats people.
const (
	gamePrefix = "game/"
	seatsActor = "seats"
)

// Check holds a history against all invariants.
func Check(h *History) *Report {
	r := newReport()
	journals := merge(h.Entries)
	names := make([]string, 0, len(journals))
	for name := range journals {
		names = append(names, name)
	}
	slices.Sort(names)
	games := map[string]*gameLog{}
	for _, name := range names {
		j := journals[name]
		r.Counts.Actors++
		r.Counts.Entries += len(j.records)
		r.check(Written, name, j.wrong)
		problems, takeovers, rolled := owners(j.records, h.Claimed)
		r.check(Epochs, name, problems)
		r.Counts.Takeovers += takeovers
		if rolled {
			r.Counts.Rolled++
		}
		if id, ok := strings.CutPrefix(name, gamePrefix); ok {
			games[id] = readGame(id, j.records)
		}
	}
	rows := byGame(h.Archive)
	clients := byTable(h.Clients)
	for _, name := range names {
		if g := games[strings.TrimPrefix(name, gamePrefix)]; g != nil && strings.HasPrefix(name, gamePrefix) {
			r.game(g, rows[g.id], clients[g.id], h.Settled)
		}
	}
	for _, id := range strangers(rows, games) {
		r.check(Archived, id, []string{"the archive has a game that no journal knows"})
	}
	for _, id := range strangers(clients, games) {
		r.check(Acknowledged, id, []string{"clients played a game that no journal knows"})
	}
	if seats := journals[seatsActor]; seats != nil {
		r.seats(sit(seats.records, games, h.Settled), games)
	} else if len(games) > 0 {
		r.check(Tables, seatsActor, []string{"there are games and no journal of the seats"})
	}
	return r
}

// game checks what concerns one game.
func (r *Report) game(g *gameLog, rows []Record, clients []Client, settled bool) {
	r.Counts.Games++
	r.Counts.Ended += min(1, len(g.ends))
	told := false
	for i := range clients {
		c := &clients[i]
		seen := g.compare(c)
		told = told || seen.end
		r.Counts.Acknowledged += seen.acknowledged
		r.check(Acknowledged, fmt.Sprintf("%s, %q in game %s", c.Person, c.Seat, g.id), seen.wrong)
	}
	r.check(EndedOnce, g.id, g.endedOnce(settled, told))
	r.check(AfterEnd, g.id, g.afterEnd())
	l := audit(g)
	r.Counts.Moves += l.moves
	r.Counts.Paused += l.pauses
	r.Counts.Flags += l.flags
	r.check(Clocks, g.id, l.wrong)
	r.check(Flags, g.id, l.wrongFlags)
	r.check(Archived, g.id, g.archived(rows, settled))
}

// seats checks who sat at each game.
func (r *Report) seats(wrong map[string][]string, games map[string]*gameLog) {
	ids := slices.Collect(maps.Keys(wrong))
	for id := range games {
		if wrong[id] == nil {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	for _, id := range ids {
		r.check(Tables, id, wrong[id])
	}
}

func byGame(rows []Record) map[string][]Record {
	out := map[string][]Record{}
	for _, row := range rows {
		out[row.Game] = append(out[row.Game], row)
	}
	return out
}

func byTable(clients []Client) map[string][]Client {
	out := map[string][]Client{}
	for _, c := range clients {
		out[c.Game] = append(out[c.Game], c)
	}
	return out
}

// strangers are the games of which there is no journal.
func strangers[T any](known map[string][]T, games map[string]*gameLog) []string {
	var out []string
	for id := range known {
		if games[id] == nil {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return out
}

// Unsettled counts the games that have not ended, and those that have and whose result is not written everywhere.
func Unsettled(entries []Entry) (running, owing int) {
	for name, j := range merge(entries) {
		id, ok := strings.CutPrefix(name, gamePrefix)
		if !ok {
			continue
		}
		switch g := readGame(id, j.records); {
		case len(g.ends) == 0:
			running++
		case g.done["archive"] == 0 || g.done["free"] == 0:
			owing++
		}
	}
	return running, owing
}
