package table

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"flagfall/game"
	"flagfall/server/actor"
)

// KindName is the kind of the games' actors; a game's id follows the slash.
const KindName = "game"

// ActorID is the actor of a game.
func ActorID(id string) actor.ID { return actor.ID(KindName + "/" + id) }

// Effects of a game that is over. Both are done once for a game, by its id.
const (
	effectArchive = "archive" // write the game to the archive
	effectFree    = "free"    // let both players stand up
	effectProof   = "proof"   // with the question's number: search for the verdict that a claim waits for
	effectTell    = "tell"    // with the matter's number: tell the event of it
)

// acked is the machine's own event: an effect was carried out.
type acked struct {
	Effect string `json:"acked"`
}

// machine is a game as an actor: the game decides, the machine keeps what happened and what is still to be done.
type machine struct {
	id   string
	game *game.Game
	log  game.Log        // all that happened
	done map[string]bool // nil until the first
	room *room           // the people; nil in a replay
	last *batch          // the events of the last command, until they are told

	matters []Matter // of a game of an event
	told    int      // so many of them
}

// batch is events that are used again.
type batch struct {
	events []game.Event
	out    []actor.Event // points at them
}

var batches = sync.Pool{New: func() any { return new(batch) }}

func newMachine(id actor.ID) actor.Machine {
	return &machine{id: id.Name(), game: game.New()}
}

func (m *machine) Decide(cmd any, at int64) ([]actor.Event, error) {
	switch c := cmd.(type) {
	case *game.Command:
		return m.decide(*c, at)
	case game.Command:
		return m.decide(c, at)
	case actor.Tick:
		return m.decide(game.Command{Kind: game.Tick, By: game.None}, at)
	case actor.Recovered:
		return m.decide(game.Command{Kind: game.Recover, By: game.None, Elapsed: c.Elapsed, Gap: c.Gap}, at)
	case actor.Acked:
		if proof, ok := c.Result.(proved); ok {
			return m.decide(game.Command{Kind: game.Prove, By: game.None, Question: &proof.question, Verdict: proof.verdict}, at)
		}
		return []actor.Event{acked{Effect: c.Effect}}, nil
	}
	return nil, fmt.Errorf("table: command %T is not known", cmd)
}

func (m *machine) decide(c game.Command, at int64) ([]actor.Event, error) {
	b := batches.Get().(*batch)
	var err error
	b.events, err = m.game.DecideInto(b.events[:0], c, at)
	if err != nil || len(b.events) == 0 {
		batches.Put(b)
		return nil, err
	}
	b.out = b.out[:0]
	for i := range b.events {
		b.out = append(b.out, &b.events[i])
	}
	m.last = b
	return b.out, nil
}

// Recycle implements actor.Recycler.
func (m *machine) Recycle([]actor.Event) {
	if m.last == nil {
		return
	}
	clear(m.last.events)
	batches.Put(m.last)
	m.last = nil
}

func (m *machine) Apply(event actor.Event) {
	switch e := event.(type) {
	case *game.Event:
		m.game.Apply(*e)
		m.log.Append(*e)
		m.minds(e)
	case acked:
		if n, ok := strings.CutPrefix(e.Effect, effectTell); ok {
			m.told, _ = strconv.Atoi(n)
			return
		}
		if m.done == nil {
			m.done = map[string]bool{}
		}
		m.done[e.Effect] = true
	}
}

func (m *machine) Deadline() (int64, bool) { return m.game.Deadline() }

// proved is what comes of a proof.
type proved struct {
	question game.Question
	verdict  game.Verdict
}

func (m *machine) Effects() []actor.Effect {
	var pending []actor.Effect
	if one, waits := m.untold(); waits {
		pending = append(pending, actor.Effect{ID: fmt.Sprint(effectTell, one.N), Pool: effectTell, Do: one})
	}
	if q, number, waits := m.game.Asked(); waits {
		return append(pending, actor.Effect{ID: fmt.Sprint(effectProof, number), Pool: effectProof, Do: q})
	}
	if m.game.Phase() != game.Over {
		return pending
	}
	for _, id := range [2]string{effectFree, effectArchive} {
		if !m.done[id] {
			pending = append(pending, actor.Effect{ID: id, Pool: id, Do: m})
		}
	}
	return pending
}

func (m *machine) Done() bool {
	_, waits := m.untold()
	return m.game.Phase() == game.Over && m.done[effectFree] && m.done[effectArchive] && !waits
}

// Hold keeps claims until their millisecond is over (rulings D32).
func (m *machine) Hold(cmd actor.Command) bool {
	c, ok := command(cmd)
	return ok && c.Waits()
}

func command(cmd actor.Command) (game.Command, bool) {
	if c, ok := cmd.Body.(*game.Command); ok {
		return *c, true
	}
	c, ok := cmd.Body.(game.Command)
	return c, ok
}

// Merge orders the commands of one millisecond by the rules.
func (m *machine) Merge(batch []actor.Command) []actor.Command {
	commands := make([]game.Command, len(batch))
	for i, b := range batch {
		c, ok := command(b)
		if !ok {
			c = game.Command{Kind: game.Tick, By: game.None}
		}
		commands[i] = c
	}
	out := make([]actor.Command, 0, len(batch))
	for _, i := range game.Merge(commands) {
		out = append(out, batch[i])
	}
	return out
}

func encodeEvent(dst []byte, event actor.Event) ([]byte, error) {
	switch e := event.(type) {
	case *game.Event:
		return game.AppendEvent(dst, *e)
	case acked:
		text, err := json.Marshal(e)
		return append(dst, text...), err
	}
	return dst, fmt.Errorf("table: event %T is not known", event)
}

func decodeEvent(text []byte) (actor.Event, error) {
	var a acked
	if err := json.Unmarshal(text, &a); err != nil {
		return nil, fmt.Errorf("table: event: %w", err)
	}
	if a.Effect != "" {
		return a, nil
	}
	e, err := game.ParseEvent(text)
	if err != nil {
		return nil, err
	}
	return &e, nil
}
