package arena

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sort"

	"flagfall/server/actor"
)

// KindName is the kind of the events' actors.
const KindName = "arena"

// Version of the events.
const Version = 2

// New makes the empty machine of an event.
func New(actor.ID) actor.Machine {
	s := &State{}
	s.index()
	return s
}

// ActorKind is the actor kind "arena". Effect and Observe are the caller's.
func ActorKind() actor.Kind {
	return actor.Kind{
		Name: KindName, Version: Version, New: New, Encode: Encode, Decode: Decode,
		Snapshot: func(m actor.Machine) actor.Event { return m.(*State).snapshot() },
	}
}

func (s *State) snapshot() Event { return Event{Kind: Snapshot, At: s.Now, State: s.clone()} }

// Encode appends an event's JSON.
func Encode(dst []byte, event actor.Event) ([]byte, error) {
	text, err := json.Marshal(event)
	return append(dst, text...), err
}

// Decode reads what Encode wrote.
func Decode(text []byte) (actor.Event, error) {
	var e Event
	if err := json.Unmarshal(text, &e); err != nil {
		return nil, fmt.Errorf("arena: event: %w", err)
	}
	return e, nil
}

// civil is the time of day at actor time at, never before what has happened.
func (s *State) civil(at int64) int64 { return max(s.Now, s.Origin+at) }

// Decide judges a command.
func (s *State) Decide(cmd any, at int64) ([]actor.Event, error) {
	if c, ok := cmd.(Create); ok {
		return s.create(c, at)
	}
	if s.Origin == 0 {
		return nil, refuse(WrongPhase, "there is no event yet")
	}
	now := s.civil(at)
	events, err := s.decide(cmd, now)
	if err != nil {
		return nil, err
	}
	out := make([]actor.Event, len(events))
	for i, e := range events {
		e.At = max(e.At, now)
		out[i] = e
	}
	return out, nil
}

func (s *State) decide(cmd any, now int64) ([]Event, error) {
	switch c := cmd.(type) {
	case actor.Tick:
		return s.tick(now), nil
	case actor.Recovered:
		return []Event{{Kind: Gap, At: now + c.Gap, Time: c.Gap}}, nil
	case actor.Acked:
		return s.acked(c), nil
	case Finished:
		return s.finished(c, now)
	case Presence:
		return s.presence(c)
	case Desk:
		return s.deskSeen(c, now)
	case Disputed:
		return s.disputed(c, now)
	case Correct:
		return s.correct(c)
	case Forget:
		return s.forget(c), nil
	}
	if s.Closed {
		return nil, refuse(WrongPhase, "closed")
	}
	switch c := cmd.(type) {
	case Edit, Staff, SetPassword, Advance, StartRound, MoveBell, Hold, Announce, Cancel:
		return s.direct(cmd, now)
	case Enter, Roster, Claim, Admit, Remove, Arrive, Pause, Return, Withdraw, Ready, Expel:
		return s.admit(cmd, now)
	case Rule, Duty, Freeze, Hush, Report, Settle:
		return s.atDesk(cmd, now)
	case PairByHand:
		return s.pairByHand(c, now)
	}
	return nil, refuse(UnknownRequest, "%T", cmd)
}

// Deadline is when the next thing is due by the clock.
func (s *State) Deadline() (at int64, ok bool) {
	when, ok := s.due()
	return max(when, s.Now) - s.Origin, ok
}

// Done tells that the event is closed and stored: a week after its publication, or cancelled. What is stored can still be
// read, and corrected, as Load gives it.
func (s *State) Done() bool { return s.Closed && s.settled() }

// Dump is all that is known of the event.
func (s *State) Dump() ([]byte, error) { return json.Marshal(s) }

// Load reads what Dump wrote: for tables and exports, or to decide on a late correction.
func Load(text []byte) (*State, error) {
	s := &State{}
	if err := json.Unmarshal(text, s); err != nil {
		return nil, fmt.Errorf("arena: stored event: %w", err)
	}
	s.index()
	return s, nil
}

// Effects are what is to be done outside.
func (s *State) Effects() []actor.Effect {
	var list []actor.Effect
	for id, g := range s.running {
		if !g.Opened {
			setup := s.Settings.setup(s.entries[g.White], s.entries[g.Black])
			setup.Options.OnDuty = g.Duty
			list = append(list, actor.Effect{ID: "open/" + id, Pool: "open", Do: OpenGame{Game: id, Setup: setup}})
		}
		if g.Stopping && !g.Stopped {
			list = append(list, actor.Effect{ID: "stop/" + id, Pool: "stop", Do: StopGame{Game: id}})
		}
	}
	for id, g := range s.unfiled {
		c := g.Change
		list = append(list, actor.Effect{ID: fmt.Sprintf("file/%s/%d", id, c.Times), Pool: "file",
			Do: File{Game: id, Outcome: g.Outcome, By: c.By, Why: c.Why}})
	}
	if s.Edition > s.Stored {
		list = append(list, actor.Effect{ID: fmt.Sprintf("store/%d", s.Edition), Pool: "store", Do: Store{Edition: s.Edition}})
	}
	list = append(list, s.rulings()...)
	sort.Slice(list, func(i, j int) bool { return list[i].ID < list[j].ID })
	return list
}

// acked takes in that an effect was carried out, or never will be.
func (s *State) acked(c actor.Acked) []Event {
	for _, e := range s.Effects() {
		if e.ID != c.Effect {
			continue
		}
		switch do := e.Do.(type) {
		case OpenGame:
			return s.opened(do.Game, c.Err)
		case StopGame:
			return s.stopped(do.Game, c.Err)
		case RuleGame:
			return s.carried(do, c.Err)
		case File:
			return []Event{{Kind: Filed, Game: do.Game, Times: s.games[do.Game].Change.Times}}
		case Store:
			return []Event{{Kind: Stored, Times: do.Edition}}
		}
	}
	return nil
}

func (s *State) opened(id string, err error) []Event {
	if err == nil {
		return []Event{{Kind: Opened, Game: id}}
	}
	var busy *Busy
	if !errors.As(err, &busy) {
		if s.Settings.robin() { // stays in the round, for an arbiter to pair anew
			return []Event{{Kind: Ended, Game: id, Time: s.Now, Outcome: &Outcome{Score: "*", Reason: "not_opened"}}}
		}
		return []Event{{Kind: Unseated, Game: id, Why: err.Error()}}
	}
	g, away, absent := s.games[id], []string(nil), [2]bool{}
	for side, who := range [2]string{g.White, g.Black} {
		if slices.Contains(busy.Who, who) {
			away, absent[side] = append(away, who), true
		}
	}
	if s.Settings.robin() && len(away) > 0 {
		o, _ := Outcome{Score: "*", NoShow: absent}.settled(true)
		return []Event{{Kind: Ended, Game: id, Time: s.Now, Outcome: &o}}
	}
	return []Event{{Kind: Unseated, Game: id, Left: away, Why: err.Error()}}
}

// stopped ends a game whose table is gone; one that was stopped is reported by Finished.
func (s *State) stopped(id string, err error) []Event {
	if err == nil {
		return []Event{{Kind: Stopped, Game: id}}
	}
	return []Event{{Kind: Ended, Game: id, Time: s.Now, Outcome: &Outcome{Score: "*", Reason: Late}}}
}

// Copy is the event as it is now, to be read while it goes on.
func (s *State) Copy() *State { return s.clone() }
