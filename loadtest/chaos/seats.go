package chaos

import (
	"encoding/json"
	"fmt"

	"flagfall/game"
)

// seating is a game that has its players, as the journal of the seats has it.
type seating struct {
	Game  string     `json:"game"`
	Setup game.Setup `json:"setup"`
}

func (s *seating) people() [2]string { return [2]string{s.Setup.White.ID, s.Setup.Black.ID} }

// seatEvent is a fact of the seats.
type seatEvent struct {
	Seated   *seating  `json:"seated"`
	Opened   string    `json:"opened"`
	Freed    string    `json:"freed"`
	Snapshot bool      `json:"snap"`
	All      []seating `json:"all"`
}

// hall is who sits where.
type hall struct {
	at     map[string]string // person -> game
	seated map[string]*seating
	opened map[string]bool
	ever   map[string]*seating
	wrong  map[string][]string
}

func (h *hall) complain(game, format string, args ...any) {
	h.wrong[game] = append(h.wrong[game], fmt.Sprintf(format, args...))
}

// sit follows the journal of the seats: nobody sits down who sits somewhere, and nobody stands up from a game that goes on.
// What is wrong is given by game, and by seatsActor where it is about none.
func sit(records []record, games map[string]*gameLog, settled bool) map[string][]string {
	h := &hall{at: map[string]string{}, seated: map[string]*seating{}, opened: map[string]bool{}, ever: map[string]*seating{}, wrong: map[string][]string{}}
	for i := range records {
		for _, text := range records[i].Events {
			var e seatEvent
			if err := json.Unmarshal(text, &e); err != nil {
				h.complain(seatsActor, "entry %d cannot be read: %v", records[i].seq, err)
				continue
			}
			h.take(&e, records[i].seq, games)
		}
	}
	for id, g := range games {
		s := h.ever[id]
		switch {
		case s == nil:
			h.complain(id, "it is played and nobody was seated at it")
		case g.setup != nil && s.people() != [2]string{g.setup.White.ID, g.setup.Black.ID}:
			h.complain(id, "it is played by others than were seated")
		}
	}
	if settled {
		for id := range h.seated {
			h.complain(id, "it is over and its players still sit")
		}
	}
	return h.wrong
}

func (h *hall) take(e *seatEvent, seq uint64, games map[string]*gameLog) {
	switch {
	case e.Seated != nil:
		s := e.Seated
		if h.ever[s.Game] != nil {
			h.complain(s.Game, "entry %d: it is seated again", seq)
		}
		for _, person := range s.people() {
			if at := h.at[person]; at != "" {
				h.complain(s.Game, "entry %d: %s sits down and sits at %s", seq, person, at)
			}
			h.at[person] = s.Game
		}
		if people := s.people(); people[0] == people[1] {
			h.complain(s.Game, "entry %d: %s has both seats", seq, people[0])
		}
		h.seated[s.Game], h.ever[s.Game] = s, s
	case e.Opened != "":
		if h.seated[e.Opened] == nil {
			h.complain(e.Opened, "entry %d: the table is set up and nobody sits there", seq)
		}
		h.opened[e.Opened] = true
	case e.Freed != "":
		h.free(e.Freed, seq, games)
	case e.Snapshot:
		if len(e.All) != len(h.seated) {
			h.complain(seatsActor, "entry %d: the snapshot has %d games, %d are seated", seq, len(e.All), len(h.seated))
		}
		for _, s := range e.All {
			if known := h.seated[s.Game]; known == nil || known.people() != s.people() {
				h.complain(s.Game, "entry %d: the snapshot has it with other people than are seated", seq)
			}
		}
	}
}

func (h *hall) free(id string, seq uint64, games map[string]*gameLog) {
	s := h.seated[id]
	if s == nil {
		h.complain(id, "entry %d: its players stand up and do not sit", seq)
		return
	}
	if g := games[id]; g != nil && len(g.ends) == 0 {
		h.complain(id, "entry %d: its players stand up and it has not ended", seq)
	}
	delete(h.seated, id)
	for _, person := range s.people() {
		if h.at[person] == id {
			delete(h.at, person)
		}
	}
}
