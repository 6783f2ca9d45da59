package arena

import "fmt"

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
	IsPlaying   Reason = "playing" // or on the way to the table
	MatchGoesOn Reason = "match"   // the second game is due
	IsResting   Reason = "resting"
	IsHeld      Reason = "held"
	NearBell    Reason = "near_bell"
	NextRound   Reason = "next_round"
	HasBye      Reason = "bye"
	AllPlay     Reason = "all_play"  // nobody else waits
	NobodyElse  Reason = "alone"     // nobody else is here
	OddOne      Reason = "odd_one"   // left over in the last pass
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
	case e.Game != "":
		return IsPlaying, 0
	case s.Phase != Running:
		return NotRunning, s.Settings.StartAt
	case e.Leg:
		return MatchGoesOn, s.matchGoesOn(e)
	case s.Held:
		return IsHeld, 0
	}
	return "", 0
}

// matchGoesOn is when the second game of somebody's match starts.
func (s *State) matchGoesOn(e *Entry) int64 {
	for _, id := range s.Legs {
		if g := s.games[id]; g.White == e.ID || g.Black == e.ID {
			at, _ := s.legDue(g)
			return at
		}
	}
	return 0
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
	waiting := s.candidates(s.pairable(at))
	var self candidate
	repeat, colors, count := false, false, 0
	for _, c := range waiting {
		if c.id == e.ID {
			self = c
		}
	}
	for _, c := range waiting {
		if c.id == e.ID {
			continue
		}
		count++
		_, fit := firstWhite(self.colors, c.colors, true)
		switch {
		case again(&self, &c):
			repeat = true
		case !fit && !s.Settings.Two:
			colors = true
		default:
			if s.isLeft(e.ID) && s.passDue() == 0 {
				return Because{Code: OddOne, Others: count}
			}
			return Because{Code: NextPass, Others: count, Next: max(s.passDue(), s.Pass+passEvery)}
		}
	}
	playing := 2 * len(s.running)
	switch {
	case colors:
		return Because{Code: ColorsWait, Others: playing, Next: s.passDue()}
	case repeat:
		return Because{Code: SameAgain, Others: playing, Next: s.passDue()}
	case playing > 0:
		return Because{Code: AllPlay, Others: playing, Next: s.passDue()}
	}
	return Because{Code: NobodyElse}
}

func (s *State) isLeft(id string) bool {
	for _, left := range s.Left {
		if left == id {
			return true
		}
	}
	return false
}

// Text says it in plain English at civil time at.
func (b Because) Text(at int64) string {
	in := ""
	if b.Next > at {
		in = fmt.Sprintf("; next try in %d s", (b.Next-at+999)/1000)
	}
	playing := fmt.Sprintf("%d others are playing", b.Others)
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
	case IsPlaying:
		return "Your game is on"
	case MatchGoesOn:
		return "The second game of your match is about to start"
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
		return "The number of players who wait is odd, and this time it is you" + in
	case SameAgain:
		return "Only your last opponent waits" + in
	case ColorsWait:
		return "With those who wait you would have the same colour too often" + in
	}
	return fmt.Sprintf("%d others wait%s", b.Others, in)
}
