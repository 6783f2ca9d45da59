package arena

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// lineID is the id of the nth line of the organiser's lists. No person has one like it.
func lineID(n int) string { return fmt.Sprintf("r-%d", n) }

// list adds the organiser's list to the entries: all of it, or nothing. A refusal names the line, from 1.
func (s *State) list(c Roster) ([]Event, error) {
	switch {
	case !s.Organiser(c.By):
		return nil, refuse(Forbidden, "")
	case s.Phase > Running:
		return nil, refuse(WrongPhase, "%s", s.Phase)
	case s.Phase == Running && s.Settings.robin():
		return nil, refuse(NoLateEntry, "")
	case len(c.Lines) == 0:
		return nil, refuse(BadList, "the list is empty")
	case !s.takes(len(c.Lines)):
		return nil, refuse(Full, "%d", s.Settings.most())
	}
	taken := map[string]bool{}
	for _, e := range s.Entries {
		taken[strings.ToLower(e.Name)] = true
	}
	for i, l := range c.Lines {
		if err := s.lineable(l, taken); err != nil {
			return nil, &Refusal{Code: err.Code, Detail: fmt.Sprintf("line %d: %s", i+1, err.Detail)}
		}
		taken[strings.ToLower(l.Name)] = true
	}
	text := fmt.Sprintf("%d players", len(c.Lines))
	if len(c.Lines) == 1 {
		text = c.Lines[0].Name
	}
	return []Event{{Kind: Lined, By: c.By, Lines: c.Lines, Text: text}}, nil
}

func (s *State) lineable(l RosterLine, taken map[string]bool) *Refusal {
	switch {
	case !nameFits(l.Name) || l.Real != "" && !nameFits(l.Real):
		return &Refusal{BadList, fmt.Sprintf("name: want 1 to %d characters, on one line", mostName)}
	case l.Rating < 0 || l.Rating > mostRating:
		return &Refusal{BadList, fmt.Sprintf("rating: want 0 to %d", mostRating)}
	case taken[strings.ToLower(l.Name)]:
		return &Refusal{NameTaken, l.Name}
	}
	return nil
}

func nameFits(name string) bool { return readable(name) && utf8.RuneCountInString(name) <= mostName }

// claim has a person take the place of a line of the list, with its rating; its limits do not bind him. A guest takes the
// name of the line, too; a member keeps his own, and the line's is his real one where it has no other.
func (s *State) claim(c Claim) ([]Event, error) {
	if old := s.entries[c.Player.ID]; old != nil {
		return nil, s.enteredBefore(old)
	}
	line := s.entries[c.Line]
	switch {
	case line == nil || !line.Line:
		return nil, s.noLine(c.Line)
	case line.Status != In:
		return nil, refuse(LineTaken, "%s", line.Status)
	case s.Phase == Draft || s.Phase > Running:
		return nil, refuse(WrongPhase, "%s", s.Phase)
	case s.Phase == Running && (s.Settings.robin() || !s.Settings.Late):
		return nil, refuse(NoLateEntry, "")
	case c.Player.Bot && !s.Settings.Bots:
		return nil, refuse(NotForBots, "")
	case c.Player.ID == "" || c.Player.Name == "" || c.Rating < 0 || c.Rating > mostRating:
		return nil, refuse(BadSettings, "id, name or rating")
	}
	e := &Entry{ID: c.Player.ID, Name: line.Name, Account: c.Player.Account, Bot: c.Player.Bot, Real: line.Real,
		Rating: line.Rating, Status: In, Claimed: true}
	if c.Player.Account {
		e.Name = c.Player.Name
		if e.Real == "" && e.Name != line.Name {
			e.Real = line.Name
		}
	}
	if e.Rating == 0 {
		e.Rating = c.Rating
	}
	if err := s.nameable(e.Name, e.Real, line); err != nil {
		return nil, err
	}
	return []Event{{Kind: Claimed, By: c.Player.ID, Who: c.Line, Entry: e}}, nil
}

// noLine says that a line is claimed, or never was.
func (s *State) noLine(id string) error {
	var n int
	if _, err := fmt.Sscanf(id, "r-%d", &n); err == nil && n > 0 && n <= s.Lines && lineID(n) == id {
		return refuse(LineTaken, "")
	}
	return refuse(UnknownLine, "")
}
