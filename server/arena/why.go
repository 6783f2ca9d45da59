package arena

import (
	"fmt"
	"slices"
)

// Because is why somebody has no game at the moment.
type Because struct {
	Code   Reason `json:"code"`
	Others int    `json:"others,omitempty"` // who play, or wait too
	Next   int64  `json:"next,omitempty"`   // civil: the next try, or the end of the wait; 0 where no time is known
}

// Reason names it.
type Reason string

// The reasons.
const (
	NotEntered  Reason = "not_entered"
	NotRunning  Reason = "not_running"
	NotApproved Reason = "not_approved"
	IsPaused    Reason = "paused"
	SetAside    Reason = "set_aside" // after a no-show
	IsOut       Reason = "out"
	IsAway      Reason = "away"    // no visible page
	IsPaired    Reason = "paired"  // the table is not there yet
	IsPlaying   Reason = "playing" //
	MatchGoesOn Reason = "match"   // the second game is due
	PlayedAgain Reason = "again"   // the annulled game
	IsResting   Reason = "resting"
	IsHeld      Reason = "held"
	IsFrozen    Reason = "frozen"
	NearBell    Reason = "near_bell"
	NextRound   Reason = "next_round"
	HasBye      Reason = "bye"
	AllPlay     Reason = "all_play" // nobody else waits
	NobodyElse  Reason = "alone"    // nobody else is here
	OddOne      Reason = "odd_one"  // left over in the last pass, and all others play
	OthersRest  Reason = "others_rest"
	SameAgain   Reason = "repeat"    // only his last opponent waits
	ColorsWait  Reason = "colors"    // only opponents whom the colours do not suit
	NextPass    Reason = "next_pass" //
)

// Why tells why somebody has no game at civil time at.
func (s *State) Why(id string, at int64) Because {
	e := s.entries[id]
	if e == nil {
		return Because{Code: NotEntered}
	}
	if code, next := s.own(e); code != "" {
		return Because{Code: code, Next: next}
	}
	return s.Settings.style().waits(s, e, at)
}

// own are the reasons that lie with the player and the event.
func (s *State) own(e *Entry) (Reason, int64) {
	switch e.Status {
	case Asked:
		return NotApproved, 0
	case Paused:
		if e.Why == string(Absent) {
			return SetAside, 0
		}
		return IsPaused, 0
	case Withdrawn, Removed, Expelled:
		return IsOut, 0
	}
	switch {
	case e.Game != "" && !s.games[e.Game].Opened:
		return IsPaired, 0
	case e.Game != "":
		return IsPlaying, 0
	case s.Phase != Running:
		return NotRunning, s.Settings.StartAt
	case e.Leg:
		return s.matchGoesOn(e)
	case s.Frozen > 0:
		return IsFrozen, 0
	case s.Held:
		return IsHeld, 0
	}
	return "", 0
}

// matchGoesOn is when somebody's next game with the same opponent starts, and why he has one.
func (s *State) matchGoesOn(e *Entry) (Reason, int64) {
	for _, id := range s.Legs {
		if g := s.games[id]; g.White == e.ID || g.Black == e.ID {
			at, _ := s.legDue(g)
			return map[bool]Reason{true: PlayedAgain, false: MatchGoesOn}[g.Replay], at
		}
	}
	return MatchGoesOn, 0
}

func (s *State) betweenRounds(e *Entry) Because {
	if s.Rested > 0 {
		return Because{Code: NextRound, Next: s.robinDue()}
	}
	for _, g := range s.Games {
		if g.Round == s.Round && (g.White == e.ID || g.Black == e.ID) {
			return Because{Code: NextRound, Others: 2 * len(s.running)}
		}
	}
	return Because{Code: HasBye, Others: 2 * len(s.running)}
}

// waits are the reasons that lie with the others.
func (s *State) waits(e *Entry, at int64) Because {
	self := s.candidate(e, 0)
	waiting, resting := 0, 0
	repeat, colors := false, false
	for _, o := range s.Entries {
		if o == e || !o.free() {
			continue
		}
		if o.Since > at {
			resting++
			continue
		}
		waiting++
		other := s.candidate(o, 0)
		_, fit := firstWhite(self.colors, other.colors, true)
		switch {
		case again(&self, &other):
			repeat = true
		case !fit && !s.Settings.Two:
			colors = true
		default:
			return Because{Code: NextPass, Others: waiting, Next: max(s.passDue(), s.Pass+passEvery)}
		}
	}
	playing, next := 2*len(s.running), s.passDue()
	switch {
	case colors:
		return Because{Code: ColorsWait, Others: playing, Next: next}
	case repeat:
		return Because{Code: SameAgain, Others: playing, Next: next}
	case playing > 0 && slices.Contains(s.Left, e.ID):
		return Because{Code: OddOne, Others: playing, Next: next}
	case playing > 0:
		return Because{Code: AllPlay, Others: playing, Next: next}
	case resting > 0:
		return Because{Code: OthersRest, Others: resting, Next: next}
	}
	return Because{Code: NobodyElse}
}

// Text says it in plain English at civil time at.
func (b Because) Text(at int64) string {
	in := ""
	if b.Next > at {
		in = fmt.Sprintf("; next try in %d s", (b.Next-at+999)/1000)
	}
	playing := others(b.Others, "is playing", "are playing")
	switch b.Code {
	case NotEntered:
		return "You are not in this event"
	case NotRunning:
		return "The event is not running"
	case NotApproved:
		return "The organiser has not approved your entry yet"
	case IsPaused:
		return "You have paused"
	case SetAside:
		return "You did not come to your last game; return when you are ready"
	case IsOut:
		return "You are not in the event any more"
	case IsAway:
		return "Your page is hidden"
	case IsPaired:
		return "You are paired; your table is being set up"
	case IsPlaying:
		return "Your game is on"
	case MatchGoesOn:
		return "The second game of your match is about to start"
	case PlayedAgain:
		return "Your game was annulled and is played again at once"
	case IsFrozen:
		return "All boards stand until the arbiter lets them go on"
	case IsResting:
		return fmt.Sprintf("You rest for %d s, or until you are ready", (b.Next-at+999)/1000)
	case IsHeld:
		return "The arbiter holds the pairing"
	case NearBell:
		return "The end is too near for another game"
	case NextRound:
		return "The next round has not started"
	case HasBye:
		return "You have a bye in this round"
	case AllPlay:
		return playing + in
	case NobodyElse:
		return "Nobody else is here"
	case OddOne:
		return "You are the odd one out this time; " + playing + in
	case OthersRest:
		return others(b.Others, "rests", "rest") + " after a game" + in
	case SameAgain:
		return "Only your last opponent waits" + in
	case ColorsWait:
		return "With those who wait you would have the same colour too often" + in
	}
	return others(b.Others, "waits", "wait") + " too" + in
}

func others(n int, one, more string) string {
	if n == 1 {
		return "1 other " + one
	}
	return fmt.Sprintf("%d others %s", n, more)
}
