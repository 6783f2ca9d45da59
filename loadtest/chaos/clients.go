package chaos

import (
	"encoding/json"
	"fmt"

	"flagfall/game"
	"flagfall/server/wire"
)

// seen is what became of what one client saw.
type seen struct {
	wrong        []string
	acknowledged int
	end          bool // he was told the end
}

// fact is something that happened, as it is told.
type fact struct {
	at   int64
	kind string // of the wire
	by   string
	move string
}

func (f fact) String() string { return fmt.Sprintf("%s %s%s at %d", f.kind, f.by, f.move, f.at) }

// shown are the names that the wire has for the events that both players are told, and for those that one alone is told.
var shown = map[game.Kind]string{
	game.Started: "start", game.Released: "move", game.Retracted: "back", game.Pressed: "press", game.Flagged: "flag",
	game.Queued: "queued", game.QueuedPress: "queued", game.Unqueued: "unqueued", game.Muted: "muted",
	game.Offered: "offer", game.Declined: "decline", game.Lapsed: "decline", game.Denied: "denied",
	game.Arrived: "here", game.Departed: "away", game.Paused: "pause", game.Interrupted: "pause", game.Waited: "pause", game.Resumed: "resume",
	game.ProofAsked: "proof", game.Held: "proof", game.DemoBegan: "demo", game.DemoMoved: "demomove", game.DemoEnded: "demoend",
	game.Disputed: "dispute", game.Restored: "restored", game.Faulted: "fault", game.DelayInserted: "delay", game.Ended: "end",
}

// facts are those of a journal.
func (g *gameLog) facts() []fact {
	var out []fact
	for _, s := range g.steps {
		for _, e := range s.events {
			f := fact{at: s.At, kind: shown[e.Kind], by: e.By.String()}
			switch e.Kind {
			case game.Released, game.Retracted, game.DemoMoved, game.Queued:
				f.move = moveText(e)
			case game.Lapsed:
				f.by = e.By.Other().String()
			case game.Ended:
				f.by = string(e.Result.Score)
			}
			if f.kind == "queued" || f.kind == "unqueued" { // told to one alone, without his side
				f.by = ""
			}
			if f.kind != "" {
				out = append(out, f)
			}
		}
	}
	return out
}

func moveText(e game.Event) string {
	text, err := e.Move.MarshalText()
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// told are the facts of a frame.
func told(ev *wire.Events) []fact {
	var out []fact
	for _, e := range ev.E {
		f := fact{at: ev.At, kind: e.K, by: e.By}
		switch e.K {
		case "ruling": // arbiters have no part in this
			continue
		case "move", "back", "demomove", "queued":
			f.move = e.M
		case "end":
			if e.End != nil {
				f.by = e.End.Result
			}
		}
		if e.K == "queued" || e.K == "unqueued" {
			f.by = ""
		}
		out = append(out, f)
	}
	return out
}

// command names a client's command.
type command struct{ from, id string }

// compare holds what a client saw against the journal: each acknowledged command is there once, with the time that he was
// told, acknowledgements come in the journal's order, and everything that happened was told in its order.
func (g *gameLog) compare(c *Client) seen {
	var out seen
	complain := func(format string, args ...any) { out.wrong = append(out.wrong, fmt.Sprintf(format, args...)) }
	steps := map[command]*step{}
	for i := range g.steps {
		s := &g.steps[i]
		if s.ID == "" {
			continue
		}
		key := command{s.From, s.ID}
		if before := steps[key]; before != nil && key.from == c.Person {
			complain("the command %s counted in entry %d and again in entry %d", s.ID, before.seq, s.seq)
		}
		steps[key] = s
	}
	journaled := g.facts()
	next, last := 0, uint64(0)
	sent := map[string]*wire.ClientMessage{}
	for _, sight := range c.Seen {
		if sight.Sent != nil {
			sent[sight.Sent.ID] = sight.Sent
			continue
		}
		var head struct {
			T, ID string
		}
		if err := json.Unmarshal(sight.Got, &head); err != nil {
			complain("a frame that is not JSON: %s", sight.Got)
			continue
		}
		step := steps[command{c.Person, head.ID}]
		if m := sent[head.ID]; head.T == "done" && m != nil && (m.T == "move" || m.T == "resign") && step == nil {
			complain("the %s %s was said to be done and is not in the journal", m.T, m.ID)
		}
		if head.T == "state" {
			var s wire.State
			if json.Unmarshal(sight.Got, &s) == nil && s.End != nil {
				out.end = true
			}
		}
		if head.T != "ev" {
			continue
		}
		var ev wire.Events
		if err := json.Unmarshal(sight.Got, &ev); err != nil {
			complain("a frame that cannot be read: %v", err)
			continue
		}
		if ev.ID != "" {
			out.acknowledged++
			switch {
			case step == nil:
				complain("the command %s was acknowledged at %d and is not in the journal: %s", ev.ID, ev.At, sight.Got)
			case step.At != ev.At:
				complain("the command %s was acknowledged at %d and is in the journal at %d", ev.ID, ev.At, step.At)
			case step.seq < last:
				complain("the command %s was acknowledged after entry %d and is entry %d", ev.ID, last, step.seq)
			default:
				last = step.seq
			}
		}
		for _, f := range told(&ev) {
			out.end = out.end || f.kind == "end"
			found := next
			for found < len(journaled) && journaled[found] != f {
				found++
			}
			if found == len(journaled) {
				complain("he was told %v, which the journal does not have after %d of its %d events", f, next, len(journaled))
				return out
			}
			next = found + 1
		}
	}
	return out
}
