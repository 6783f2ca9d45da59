package arena

import (
	"strings"
	"unicode/utf8"

	"flagfall/game"
)

// admit judges the commands about entries.
func (s *State) admit(cmd any, now int64) ([]Event, error) {
	switch c := cmd.(type) {
	case Enter:
		return s.enter(c)
	case Roster:
		return s.list(c)
	case Claim:
		return s.claim(c)
	case Admit:
		return s.judge(c.By, c.Who, In, "")
	case Remove:
		return s.judge(c.By, c.Who, Removed, c.Why)
	case Expel:
		return s.expel(c)
	case Pause:
		return s.self(c.By, c.Who, Paused)
	case Return:
		return s.self(c.By, c.Who, In)
	case Withdraw:
		return s.self(c.By, c.Who, Withdrawn)
	case Arrive:
		if err := s.may(c.By, c.Who); err != nil {
			return nil, err
		}
		switch e := s.entries[c.Who]; {
		case s.Phase != CheckIn || e.Status != In:
			return nil, refuse(WrongPhase, "%s", s.Phase)
		case e.Line:
			return nil, refuse(UnknownEntry, "nobody has claimed the line yet")
		case e.Checked && e.Here:
			return nil, nil
		}
		return []Event{{Kind: CheckedIn, By: c.By, Who: c.Who}}, nil
	case Ready:
		if err := s.may(c.By, c.Who); err != nil {
			return nil, err
		}
		if e := s.entries[c.Who]; e.Since <= now || e.Game != "" {
			return nil, nil
		}
		return []Event{{Kind: WasReady, By: c.By, Who: c.Who}}, nil
	}
	return nil, refuse(UnknownRequest, "%T", cmd)
}

// may tells whether somebody may act for an entry: for his own, or as an organiser or arbiter.
func (s *State) may(by, who string) error {
	switch {
	case s.entries[who] == nil && (by == who || s.staff(by)):
		return refuse(UnknownEntry, "")
	case by != who && !s.staff(by):
		return refuse(Forbidden, "")
	}
	return nil
}

func (s *State) enter(c Enter) ([]Event, error) {
	organiser := s.Organiser(c.By)
	if c.By != c.Player.ID && !organiser {
		return nil, refuse(Forbidden, "")
	}
	if old := s.entries[c.Player.ID]; old != nil {
		return nil, s.enteredBefore(old)
	}
	if err := s.enters(c.Player, organiser, c.Rating); err != nil {
		return nil, err
	}
	if err := s.nameable(c.Player.Name, c.Real, nil); err != nil {
		return nil, err
	}
	e := &Entry{ID: c.Player.ID, Name: c.Player.Name, Account: c.Player.Account, Bot: c.Player.Bot,
		Real: c.Real, Rating: c.Rating, Status: In}
	if s.Settings.Approve && !organiser {
		e.Status = Asked
	}
	return []Event{{Kind: Entered, By: c.By, Entry: e}}, nil
}

// nameable refuses names that are too long, and one that somebody else in the event has.
func (s *State) nameable(name, real string, line *Entry) error {
	for _, text := range [2]string{name, real} {
		if utf8.RuneCountInString(text) > mostName || !utf8.ValidString(text) {
			return refuse(BadSettings, "name: want %d characters at most", mostName)
		}
	}
	for _, e := range s.Entries {
		if e != line && strings.EqualFold(e.Name, name) {
			return refuse(NameTaken, "%s", name)
		}
	}
	return nil
}

func (s *State) enteredBefore(old *Entry) error {
	if old.Status == Removed || old.Status == Expelled {
		return refuse(Barred, "%s", old.Why)
	}
	return refuse(AlreadyIn, "")
}

// enters tells whether somebody may enter now. An organiser's roster passes the limits of rating and takes guests.
func (s *State) enters(p game.Player, roster bool, rating int) error {
	set := &s.Settings
	switch {
	case p.ID == "" || p.Name == "" || rating < 0 || rating > mostRating:
		return refuse(BadSettings, "id, name or rating")
	case s.Phase == Draft && !roster || s.Phase > Running:
		return refuse(WrongPhase, "%s", s.Phase)
	case s.Phase == Running && (set.robin() || !set.Late && !roster):
		return refuse(NoLateEntry, "")
	case p.Bot && !set.Bots:
		return refuse(NotForBots, "")
	case !p.Account && !set.Guests && !roster:
		return refuse(NoGuests, "")
	case !roster && (rating < set.MinRating || set.MaxRating > 0 && rating > set.MaxRating):
		return refuse(RatingLimit, "%d: want %d to %d", rating, set.MinRating, set.MaxRating)
	case !s.takes(1):
		return refuse(Full, "%d", set.most())
	}
	return nil
}

// forget takes somebody's names away.
func (s *State) forget(c Forget) []Event {
	e, staff := s.entries[c.Who], s.Names[c.Who]
	if (e == nil || e.Name == c.Name && e.Real == "") && (staff == "" || staff == c.Name) {
		return nil
	}
	return []Event{{Kind: Forgot, Who: c.Who, Text: c.Name}}
}

// takes tells whether there is a place for so many more. Those who withdrew have none, but are kept, too.
func (s *State) takes(more int) bool {
	return s.count()+more <= s.Settings.most() && len(s.Entries)+more <= mostKept
}

// count is how many have a place.
func (s *State) count() int {
	n := 0
	for _, e := range s.Entries {
		if e.placed() {
			n++
		}
	}
	return n
}

// placed tells whether the entry has a place.
func (e *Entry) placed() bool { return e.Status == Asked || e.Status == In || e.Status == Paused }

// People is how many people have a place: unclaimed lines of the list are none.
func (s *State) People() int {
	n := 0
	for _, e := range s.Entries {
		if e.placed() && !e.Line {
			n++
		}
	}
	return n
}

// lines is how many of them are lines of the list that nobody has claimed.
func (s *State) lines() int {
	n := 0
	for _, e := range s.Entries {
		if e.Line && e.Status == In {
			n++
		}
	}
	return n
}

// expel puts somebody out. A game that he plays is lost; nobody does that to his own opponent.
func (s *State) expel(c Expel) ([]Event, error) {
	events, err := s.judge(c.By, c.Who, Expelled, c.Why)
	if err != nil || len(events) == 0 {
		return events, err
	}
	g := s.games[s.entries[c.Who].Game]
	if g == nil {
		return events, nil
	}
	if err := s.MayRule(c.By, g.ID); err != nil {
		return nil, err
	}
	r := game.Ruling{Act: game.ActLoss, Side: game.White}
	if g.Black == c.Who {
		r.Side = game.Black
	}
	return append(events, s.ruling(c.By, c.Why, g, r, false)), nil
}

// judge is what organisers and arbiters do with an entry.
func (s *State) judge(by, who string, to Status, why string) ([]Event, error) {
	allowed := s.Organiser(by)
	if to == Expelled {
		allowed = s.Arbiter(by)
	}
	e := s.entries[who]
	switch {
	case !allowed:
		return nil, refuse(Forbidden, "")
	case e == nil:
		return nil, refuse(UnknownEntry, "")
	case e.Status == to:
		return nil, nil
	case to == In && e.Status != Asked && e.Status != Removed:
		return nil, refuse(WrongPhase, "%s", e.Status)
	case to == In && e.Status == Removed && s.count() >= s.Settings.most():
		return nil, refuse(Full, "%d", s.Settings.most())
	case to != Expelled && s.Phase >= Running && (s.Settings.robin() || to == Removed):
		return nil, refuse(WrongPhase, "%s", s.Phase)
	}
	if to != In {
		if err := reasoned(why); err != nil {
			return nil, err
		}
	}
	return []Event{{Kind: Judged, By: by, Who: who, Status: to, Why: why}}, nil
}

// opponents tells whether two play each other now.
func (s *State) opponents(a, b string) bool {
	g := s.games[s.entries[b].Game]
	return g != nil && (g.White == a || g.Black == a)
}

// self is what a player does with his own entry, or an organiser for him.
func (s *State) self(by, who string, to Status) ([]Event, error) {
	if err := s.may(by, who); err != nil {
		return nil, err
	}
	e := s.entries[who]
	switch {
	case s.Phase > Running:
		return nil, refuse(WrongPhase, "%s", s.Phase)
	case by != who && s.opponents(by, who):
		return nil, refuse(OwnGame, "")
	case e.Status == Removed || e.Status == Expelled:
		return nil, refuse(Barred, "%s", e.Why)
	case e.Status == to:
		return nil, nil
	case e.Line && to != Withdrawn:
		return nil, refuse(UnknownEntry, "nobody has claimed the line yet")
	case e.Status == Asked && to != Withdrawn:
		return nil, refuse(WrongPhase, "%s", e.Status)
	case e.Status == Withdrawn && to == Paused:
		return nil, refuse(WrongPhase, "%s", e.Status)
	case e.Status == Withdrawn && s.Phase == Running && !s.Settings.Late && !s.staff(by):
		return nil, refuse(NoLateEntry, "")
	case e.Status == Withdrawn && s.count() >= s.Settings.most():
		return nil, refuse(Full, "%d", s.Settings.most())
	case e.Status == Withdrawn && s.Settings.Approve && !e.Admitted && !s.Organiser(by):
		to = Asked
	}
	return []Event{{Kind: Judged, By: by, Who: who, Status: to}}, nil
}
