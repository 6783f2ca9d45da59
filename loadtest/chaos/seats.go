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
	wrong  []string
}

func (h *hall) complain(format string, args ...any) {
	h.wrong = append(h.wrong, fmt.Sprintf(format, args...))
}

// sit follows the journal of the seats: nobody sits down who sits somewhere, and nobody stands up from a game that goes on.
func sit(records []record, games map[string]*gameLog, settled bool) []string {
	h := &hall{at: map[string]string{}, seated: map[string]*seating{}, opened: map[string]bool{}, ever: map[string]*seating{}}
	for i := range records {
		for _, text := range records[i].Events {
			var e seatEvent
			if err := json.Unmarshal(text, &e); err != nil {
				h.complain("entry %d cannot be read: %v", records[i].seq, err)
				continue
			}
			h.take(&e, records[i].seq, games)
		}
	}
	for id, g := range games {
		s := h.ever[id]
		switch {
		case s == nil:
			h.complain("game %s is played and nobody was seated at it", id)
		case g.setup != nil && s.people() != [2]string{g.setup.White.ID, g.setup.Black.ID}:
			h.complain("game %s is played by others than were seated", id)
		}
	}
	if settled {
		for id := range h.seated {
			h.complain("game %s is over and its players still sit", id)
		}
	}
	return h.wrong
}

func (h *hall) take(e *seatEvent, seq uint64, games map[string]*gameLog) {
	switch {
	case e.Seated != nil:
		s := e.Seated
		if h.ever[s.Game] != nil {
			h.complain("entry %d: game %s is seated again", seq, s.Game)
		}
		for _, person := range s.people() {
			if at := h.at[person]; at != "" {
				h.complain("entry %d: %s sits down at %s and sits at %s", seq, person, s.Game, at)
			}
			h.at[person] = s.Game
		}
		if people := s.people(); people[0] == people[1] {
			h.complain("entry %d: %s has both seats of %s", seq, people[0], s.Game)
		}
		h.seated[s.Game], h.ever[s.Game] = s, s
	case e.Opened != "":
		if h.seated[e.Opened] == nil {
			h.complain("entry %d: the table of %s is set up and nobody sits there", seq, e.Opened)
		}
		h.opened[e.Opened] = true
	case e.Freed != "":
		h.free(e.Freed, seq, games)
	case e.Snapshot:
		if len(e.All) != len(h.seated) {
			h.complain("entry %d: the snapshot has %d games, %d are seated", seq, len(e.All), len(h.seated))
		}
		for _, s := range e.All {
			if known := h.seated[s.Game]; known == nil || known.people() != s.people() {
				h.complain("entry %d: the snapshot has game %s with other people than are seated", seq, s.Game)
			}
		}
	}
}

func (h *hall) free(id string, seq uint64, games map[string]*gameLog) {
	s := h.seated[id]
	if s == nil {
		h.complain("entry %d: the players of %s stand up and do not sit", seq, id)
		return
	}
	if g := games[id]; g != nil && len(g.ends) == 0 {
		h.complain("entry %d: the players of %s stand up and the game has not ended", seq, id)
	}
	delete(h.seated, id)
	for _, person := range s.people() {
		if h.at[person] == id {
			delete(h.at, person)
		}
	}
}
