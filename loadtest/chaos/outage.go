package chaos

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"flagfall/game"
)

// Outage is what became of the games of a node that was killed: a time for each game, sorted. All clocks are those of one
// machine.
type Outage struct {
	Games int // that it ran, that had not ended, and that somebody took over
	// Taken is when they were taken over, Runs when their clocks ran again, the player on move being back: ms since the
	// kill, when that was in the journal.
	Taken, Runs []int64
	// First is when the first move or press was acknowledged again: ms since the kill. It has the games in which that one
	// was due before the clock ran again; in the others nobody wanted to move before.
	First []int64
	// Longest is the longest wait for the acknowledgement of a move or press: ms since it was due, or since the kill where
	// that was later. It has all games with one.
	Longest []int64
}

// AfterKill finds what became of the games of a process that was killed at a moment in Unix ms. Of the history it wants
// entries, with their times, and clients.
func AfterKill(h *History, process string, kill int64) *Outage {
	games, seats := map[string][]Entry{}, map[string][]*Client{}
	for _, e := range h.Entries {
		if id, ok := strings.CutPrefix(e.Actor, gamePrefix); ok && !e.Read {
			games[id] = append(games[id], e)
		}
	}
	for i := range h.Clients {
		if c := &h.Clients[i]; c.Seat != "" {
			seats[c.Game] = append(seats[c.Game], c)
		}
	}
	o := &Outage{}
	for id, entries := range games {
		slices.SortStableFunc(entries, func(a, b Entry) int { return int(a.Seq) - int(b.Seq) })
		before := slices.IndexFunc(entries, func(e Entry) bool { return e.Process != process && e.Time >= kill })
		if before < 1 || entries[before-1].Process != process || has(entries[:before], game.Ended) >= 0 {
			continue
		}
		o.add(entries[before:], kill, seats[id])
	}
	for _, times := range [][]int64{o.Taken, o.Runs, o.First, o.Longest} {
		slices.Sort(times)
	}
	return o
}

// has is the index of the first entry with an event of a kind, or -1.
func has(entries []Entry, kind game.Kind) int {
	return slices.IndexFunc(entries, func(e Entry) bool {
		var r record
		if json.Unmarshal(e.Data, &r) != nil {
			return false
		}
		return slices.ContainsFunc(r.Events, func(text json.RawMessage) bool {
			var event struct {
				Kind string `json:"k"`
			}
			return json.Unmarshal(text, &event) == nil && event.Kind == string(kind)
		})
	})
}

// add takes a game in from its takeover on.
func (o *Outage) add(entries []Entry, kill int64, seats []*Client) {
	o.Games++
	taken := entries[0].Time
	o.Taken = append(o.Taken, taken-kill)
	var runs int64
	if at := has(entries, game.Resumed); at >= 0 {
		runs = entries[at].Time
		o.Runs = append(o.Runs, runs-kill)
	}
	var first acknowledged
	longest := int64(-1)
	for _, c := range seats {
		for _, a := range c.acknowledged(taken) {
			longest = max(longest, a.at-max(a.due, kill))
			if first.at == 0 || a.at < first.at {
				first = a
			}
		}
	}
	if longest >= 0 {
		o.Longest = append(o.Longest, longest)
	}
	if first.at > 0 && first.due <= runs {
		o.First = append(o.First, first.at-kill)
	}
}

// acknowledged is a move or press that was: when, and for when it was meant.
type acknowledged struct{ at, due int64 }

// acknowledged lists the moves and presses that were so from a moment on.
func (c *Client) acknowledged(from int64) []acknowledged {
	var out []acknowledged
	due := map[string]int64{}
	for _, s := range c.Seen {
		if m := s.Sent; m != nil {
			if _, again := due[m.ID]; !again && (m.T == "move" || m.T == "press") {
				due[m.ID] = s.Due
			}
			continue
		}
		var head struct{ T, ID string }
		if json.Unmarshal(s.Got, &head) != nil || head.T != "ev" && head.T != "done" {
			continue
		}
		if at, ok := due[head.ID]; ok {
			if s.At >= from {
				out = append(out, acknowledged{s.At, at})
			}
			delete(due, head.ID)
		}
	}
	return out
}

// Print writes how the times are distributed, in seconds.
func (o *Outage) Print(out io.Writer) {
	fmt.Fprintf(out, "%-62s %7s %7s %7s %7s %6s\n", fmt.Sprintf("seconds after the kill, of %d games", o.Games), "min", "median", "p95", "max", "games")
	for _, row := range []struct {
		what  string
		times []int64
	}{
		{"taken over", o.Taken},
		{"the clock runs again, the player on move is back", o.Runs},
		{"first move acknowledged, if it was due before that", o.First},
		{"longest wait of a move since it was due, or since the kill", o.Longest},
	} {
		fmt.Fprintf(out, "%-62s", row.what)
		if n := len(row.times); n > 0 {
			for _, i := range []int{0, n / 2, n * 95 / 100, n - 1} {
				fmt.Fprintf(out, " %7.2f", float64(row.times[i])/1000)
			}
		} else {
			fmt.Fprintf(out, " %7s %7s %7s %7s", "-", "-", "-", "-")
		}
		fmt.Fprintf(out, " %6d\n", len(row.times))
	}
}
