package table

import (
	"encoding/json"
	"fmt"
	"time"

	"flagfall/game"
	"flagfall/game/board"
	"flagfall/server/wire"
)

// recordVersion is the version of the archived form.
const recordVersion = 1

// Record is a finished game as the archive keeps it: everything that happened, illegal moves and claims too.
type Record struct {
	Version int          `json:"v"`
	ID      string       `json:"id"`
	Ended   string       `json:"ended"` // civil time, RFC 3339
	Events  []game.Event `json:"events"`

	// What an arbiter set after the game (rulings D38), from the archive: the events stay what happened.
	Corrected   *game.Result `json:"-"`
	Corrections []Correction `json:"-"`
}

// Correction is a result that was changed after the game.
type Correction struct {
	At     string `json:"at"` // civil time, RFC 3339
	By     string `json:"by"`
	Why    string `json:"why"`
	Before string `json:"before"` // the result
	Result string `json:"result"`
}

func newRecord(m *machine, now time.Time) Record {
	return Record{Version: recordVersion, ID: m.id, Ended: now.UTC().Format(time.RFC3339Nano), Events: m.log.Events()}
}

// ParseRecord reads an archived game.
func ParseRecord(text []byte) (Record, error) {
	var r Record
	if err := json.Unmarshal(text, &r); err != nil {
		return Record{}, fmt.Errorf("archived game: %w", err)
	}
	if r.Version != recordVersion {
		return Record{}, fmt.Errorf("archived game: version %d is not known", r.Version)
	}
	return r, nil
}

// History is the game's moves and result, as it was corrected.
func (r Record) History() game.History {
	_, h := game.Replay(r.Events)
	if r.Corrected != nil {
		h.Result = *r.Corrected
	}
	return h
}

// Correct takes over the result that the archive knows, where it is not that of the events.
func (r *Record) Correct(score game.Score, reason game.Reason) {
	if played := r.History().Result; played.Score != score {
		r.Corrected = &game.Result{Score: score, Reason: reason, Book: played.Book}
	}
}

// Started is the civil time at which the table was set up.
func (r Record) Started() time.Time {
	h := r.History()
	at, err := time.Parse(time.RFC3339, h.Setup.Started)
	if err != nil {
		return time.Time{}
	}
	return at
}

// PGN is the game as PGN.
func (r Record) PGN() string {
	h := r.History()
	return h.PGN(r.ID, "Flagfall", r.Started())
}

// Logged is an event of a finished game with what was hidden while it ran.
type Logged struct {
	wire.Event
	At    int64  `json:"at"`
	SAN   string `json:"san,omitempty"`
	Legal *bool  `json:"legal,omitempty"`
	Left  int64  `json:"left,omitempty"` // remaining after a press
}

// Public is a finished game in whole, as the HTTP API shows it.
type Public struct {
	State   wire.State `json:"state"`
	Started string     `json:"started"`
	Ended   string     `json:"ended"`
	Log     []Logged   `json:"log"`

	Corrections []Correction `json:"corrections,omitempty"` // of the result, the last one is in State
}

// Public shows everything: the game is over.
func (r Record) Public() Public {
	m := r.replay()
	out := Public{
		State:   snapshot(m, audience(game.None), uint64(len(r.Events)), r.endedAt()),
		Started: m.game.Setup().Started, Ended: r.Ended, Log: []Logged{}, Corrections: r.Corrections,
	}
	if r.Corrected != nil {
		out.State.End = end(r.Corrected)
	}
	step := game.New()
	plies := 0
	for i, e := range r.Events {
		before := step.Board()
		step.Apply(e)
		w, ok := show(e, plies, audience(e.By), step.Setup(), step)
		if !ok {
			continue
		}
		entry := Logged{Event: w, At: e.At}
		switch e.Kind {
		case game.Released:
			legal := e.Legal
			moved := game.Moved{Move: board.Move(e.Move), Before: before, Legal: legal}
			entry.Legal, entry.SAN = &legal, moved.Text()
			plies++
		case game.Retracted:
			plies--
		case game.Restored:
			plies = e.Ply
		case game.Pressed:
			entry.Left = e.Left[e.By]
			entry.Seen = seen(step)
		case game.DemoMoved: // the side board follows from the moves
			entry.Demo = nil
		case game.DemoEnded:
			entry.Demo = shownDemo(step.Setup(), r.Events[:i+1])
		}
		out.Log = append(out.Log, entry)
	}
	return out
}

// replay is the finished game as a machine without people.
func (r Record) replay() *machine {
	m := newMachine(ActorID(r.ID)).(*machine)
	for _, e := range r.Events {
		m.Apply(&e)
	}
	return m
}

func (r Record) endedAt() int64 {
	if len(r.Events) == 0 {
		return 0
	}
	return r.Events[len(r.Events)-1].At
}
