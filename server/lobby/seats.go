package lobby

import (
	"encoding/json"
	"errors"
	"fmt"
	"sort"

	"flagfall/game"
	"flagfall/server/actor"
)

// SeatsID is the one actor through which every game starts: nobody ever sits at two tables.
const SeatsID actor.ID = "seats"

const seatsVersion = 1

// sit asks for both seats of a new game: both players get one, or neither.
type sit struct {
	Game  string
	Setup game.Setup
}

// free lets the players of a game stand up.
type free struct{ Game string }

// Busy says who of the two sits already, and where.
type Busy struct{ At map[string]string }

func (e *Busy) Error() string { return fmt.Sprintf("already at a table: %v", e.At) }

// ErrSamePerson says that one person was to have both seats.
var ErrSamePerson = errors.New("one person cannot take both seats")

// seatEvent is a fact of the seats; one of the fields is set.
type seatEvent struct {
	Seated *seating  `json:"seated,omitempty"`
	Opened string    `json:"opened,omitempty"` // the table of this game is set up
	Freed  string    `json:"freed,omitempty"`
	Who    []string  `json:"who,omitempty"` // of Freed: the players
	All    []seating `json:"all,omitempty"` // a snapshot: these games, and no others
	Snap   bool      `json:"snap,omitempty"`
}

// seating is a game that has its players.
type seating struct {
	Game   string     `json:"game"`
	Setup  game.Setup `json:"setup"`
	Opened bool       `json:"opened,omitempty"`
}

// seats is the machine.
type seats struct {
	games map[string]*seating
	at    map[string]string // person -> game
}

func newSeats(actor.ID) actor.Machine {
	return &seats{games: map[string]*seating{}, at: map[string]string{}}
}

func (s *seats) Decide(cmd any, _ int64) ([]actor.Event, error) {
	switch c := cmd.(type) {
	case sit:
		return s.sit(c)
	case free:
		if s.games[c.Game] == nil {
			return nil, nil
		}
		return []actor.Event{s.freed(c.Game)}, nil
	case actor.Acked:
		return s.acked(c)
	case start:
		return []actor.Event{seatEvent{Snap: true}}, nil
	case actor.Tick, actor.Recovered:
		return nil, nil
	}
	return nil, fmt.Errorf("seats: command %T is not known", cmd)
}

// start is the first command of the seats.
type start struct{}

func (s *seats) sit(c sit) ([]actor.Event, error) {
	if s.games[c.Game] != nil {
		return nil, nil
	}
	white, black := c.Setup.White.ID, c.Setup.Black.ID
	if white == black {
		return nil, ErrSamePerson
	}
	busy := map[string]string{}
	for _, person := range [2]string{white, black} {
		if at := s.at[person]; at != "" {
			busy[person] = at
		}
	}
	if len(busy) > 0 {
		return nil, &Busy{At: busy}
	}
	if err := c.Setup.Check(); err != nil {
		return nil, &game.Refusal{Code: game.BadSetup, Detail: err.Error()}
	}
	return []actor.Event{seatEvent{Seated: &seating{Game: c.Game, Setup: c.Setup}}}, nil
}

func (s *seats) acked(c actor.Acked) ([]actor.Event, error) {
	if s.games[c.Effect] == nil {
		return nil, nil
	}
	if c.Err != nil { // a table that cannot be set up seats nobody
		return []actor.Event{s.freed(c.Effect)}, nil
	}
	return []actor.Event{seatEvent{Opened: c.Effect}}, nil
}

func (s *seats) freed(id string) seatEvent {
	setup := s.games[id].Setup
	return seatEvent{Freed: id, Who: []string{setup.White.ID, setup.Black.ID}}
}

func (s *seats) Apply(event actor.Event) {
	e := event.(seatEvent)
	switch {
	case e.Seated != nil:
		s.put(*e.Seated)
	case e.Opened != "":
		if g := s.games[e.Opened]; g != nil {
			g.Opened = true
		}
	case e.Freed != "":
		s.remove(e.Freed)
	case e.Snap:
		s.games, s.at = map[string]*seating{}, map[string]string{}
		for _, g := range e.All {
			s.put(g)
		}
	}
}

func (s *seats) put(g seating) {
	s.games[g.Game] = &g
	s.at[g.Setup.White.ID] = g.Game
	s.at[g.Setup.Black.ID] = g.Game
}

func (s *seats) remove(id string) {
	g := s.games[id]
	if g == nil {
		return
	}
	delete(s.games, id)
	for _, person := range [2]string{g.Setup.White.ID, g.Setup.Black.ID} {
		if s.at[person] == id {
			delete(s.at, person)
		}
	}
}

func (s *seats) Deadline() (int64, bool) { return 0, false }

// Effects are the tables that still have to be set up, by game.
func (s *seats) Effects() []actor.Effect {
	var pending []actor.Effect
	for id, g := range s.games {
		if !g.Opened {
			pending = append(pending, actor.Effect{ID: id, Pool: "open", Do: *g})
		}
	}
	return pending
}

func (s *seats) Done() bool { return false }

// snapshot stands for all that happened before.
func (s *seats) snapshot() seatEvent {
	e := seatEvent{Snap: true}
	for _, g := range s.games {
		e.All = append(e.All, *g)
	}
	sort.Slice(e.All, func(i, j int) bool { return e.All[i].Game < e.All[j].Game })
	return e
}

func encodeSeat(dst []byte, event actor.Event) ([]byte, error) {
	text, err := json.Marshal(event)
	return append(dst, text...), err
}

func decodeSeat(text []byte) (actor.Event, error) {
	var e seatEvent
	if err := json.Unmarshal(text, &e); err != nil {
		return nil, fmt.Errorf("seats: event: %w", err)
	}
	return e, nil
}
