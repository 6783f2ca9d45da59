package arena

// act notes in the log of the desk what an organiser or arbiter has done. What players do for themselves is not in it.
func (s *State) act(e Event) {
	a := Act{At: e.At, By: e.By, Game: e.Game, Who: e.Who, Text: e.Text}
	if a.Text == "" {
		a.Text = e.Why
	}
	if e.By == "" || !s.describe(&a, e) {
		return
	}
	s.Acted++
	a.N = s.Acted
	s.Acts = append(s.Acts, a)
	s.Acts = s.Acts[max(0, len(s.Acts)-mostActs):]
}

// describe names the act; ok is false where it is none.
func (s *State) describe(a *Act, e Event) (ok bool) {
	switch e.Kind {
	case Edited:
		a.Do, a.Text = "edit", "The settings were changed"
	case Staffed:
		a.Do, a.Text = "staff", "Organisers and arbiters were named"
	case Secret:
		a.Do, a.Text = "password", "The password was changed"
	case Phased:
		a.Do, a.Text = "advance", phaseActs[e.Phase]
	case BellMoved:
		a.Do = "bell"
	case HeldBack:
		a.Do = "hold"
	case Froze:
		a.Do = "freeze"
	case Told:
		a.Do = "announce"
	case CalledOff:
		a.Do = "cancel"
	case Lined:
		a.Do = "roster"
	case RoundOn:
		a.Do = "round"
	case Corrected:
		a.Do = "correct"
	case RuledOn:
		a.Do = "rule"
	case OnDuty:
		a.Do, a.Text = "duty", onOff(e.Here, "On duty", "Off duty")
	case Hushes:
		a.Do, a.Text = "hush", onOff(e.Here, "May not chat", "May chat again")
	case Answered:
		a.Do, a.Text = "settle", e.Why
	case Paired:
		a.Do, a.Game = "pair", e.Games[0].ID
	case Judged, CheckedIn:
		a.Do = s.judgedAct(e)
	case Entered:
		a.Do, a.Who = onOff(e.By != e.Entry.ID, "add", ""), e.Entry.ID
	}
	return a.Do != ""
}

var phaseActs = map[Phase]string{
	Open: "Entries are taken", CheckIn: "The check-in has begun", Running: "The event was started",
	Signed: "The results were signed", Published: "The results were published",
}

func onOff(on bool, yes, no string) string {
	if on {
		return yes
	}
	return no
}

// judgedAct names what somebody did with another's entry. It is looked at before the entry changes.
func (s *State) judgedAct(e Event) string {
	switch {
	case e.By == e.Who:
		return ""
	case e.Kind == CheckedIn:
		return "arrive"
	case e.Status == In && s.entries[e.Who].Status != Asked && s.entries[e.Who].Status != Removed:
		return "return"
	}
	return map[Status]string{
		In: "admit", Asked: "return", Paused: "pause", Withdrawn: "withdraw", Removed: "remove", Expelled: "expel",
	}[e.Status]
}

// nameOf is the name of an organiser, arbiter or player.
func (s *State) nameOf(id string) string {
	if name := s.Names[id]; name != "" {
		return name
	}
	if e := s.entries[id]; e != nil {
		return e.Name
	}
	return id
}
