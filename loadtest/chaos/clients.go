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

// view is what one client saw, on the way through the journal.
type view struct {
	seen
	client    *Client
	steps     map[command]*step
	sent      map[string]*wire.ClientMessage
	journaled []fact
	next      int    // of journaled: the first that may still be told
	last      uint64 // entry of the last acknowledgement
}

func (v *view) complain(format string, args ...any) {
	v.wrong = append(v.wrong, fmt.Sprintf(format, args...))
}

// compare holds what a client saw against the journal: each acknowledged command is there once, with the time that he was
// told, acknowledgements come in the journal's order, and everything that happened was told in its order.
func (g *gameLog) compare(c *Client) seen {
	v := &view{client: c, steps: map[command]*step{}, sent: map[string]*wire.ClientMessage{}, journaled: g.facts()}
	for i := range g.steps {
		s := &g.steps[i]
		if s.ID == "" {
			continue
		}
		key := command{s.From, s.ID}
		if before := v.steps[key]; before != nil && key.from == c.Person {
			v.complain("the command %s counted in entry %d and again in entry %d", s.ID, before.seq, s.seq)
		}
		v.steps[key] = s
	}
	for _, sight := range c.Seen {
		if sight.Sent != nil {
			v.sent[sight.Sent.ID] = sight.Sent
		} else if !v.frame(sight.Got) {
			break
		}
	}
	return v.seen
}

// frame takes one frame in; false when nothing that follows can be compared.
func (v *view) frame(raw json.RawMessage) bool {
	var head struct {
		T, ID string
		End   *wire.End
	}
	if err := json.Unmarshal(raw, &head); err != nil {
		v.complain("a frame that is not JSON: %s", raw)
		return true
	}
	switch head.T {
	case "done":
		m := v.sent[head.ID]
		if m != nil && (m.T == "move" || m.T == "resign") && v.steps[command{v.client.Person, head.ID}] == nil {
			v.complain("the %s %s was said to be done and is not in the journal", m.T, m.ID)
		}
	case "state":
		v.end = v.end || head.End != nil
	case "ev":
		var ev wire.Events
		if err := json.Unmarshal(raw, &ev); err != nil {
			v.complain("a frame that cannot be read: %v", err)
			return true
		}
		if ev.ID != "" {
			v.acknowledge(&ev, raw)
		}
		return v.follow(&ev)
	}
	return true
}

func (v *view) acknowledge(ev *wire.Events, raw json.RawMessage) {
	v.acknowledged++
	step := v.steps[command{v.client.Person, ev.ID}]
	switch {
	case step == nil:
		v.complain("the command %s was acknowledged at %d and is not in the journal: %s", ev.ID, ev.At, raw)
	case step.At != ev.At:
		v.complain("the command %s was acknowledged at %d and is in the journal at %d", ev.ID, ev.At, step.At)
	case step.seq < v.last:
		v.complain("the command %s was acknowledged after entry %d and is entry %d", ev.ID, v.last, step.seq)
	default:
		v.last = step.seq
	}
}

// follow looks for what a frame tells behind what was told before.
func (v *view) follow(ev *wire.Events) bool {
	for _, f := range told(ev) {
		v.end = v.end || f.kind == "end"
		found := v.next
		for found < len(v.journaled) && v.journaled[found] != f {
			found++
		}
		if found == len(v.journaled) {
			v.complain("he was told %v, which the journal does not have after %d of its %d events", f, v.next, len(v.journaled))
			return false
		}
		v.next = found + 1
	}
	return true
}
