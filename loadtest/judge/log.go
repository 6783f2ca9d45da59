// Package judge holds what clients saw of one game against the model of the rules: the order and the times the server
// told, what every command led to, what was refused, the clocks, the result, and that everybody was told the same story.
package judge

import (
	"encoding/json"
	"fmt"
	"time"

	"flagfall/server/wire"
)

// Kind tells what an Entry of a Log is.
type Kind uint8

// The entries of a log.
const (
	Sent   Kind = iota // a command went out
	Got                // a frame came in
	Opened             // a socket was opened
	Cut                // the socket is gone
)

// Entry is one thing that happened at one seat. At is local monotonic time since the run began; for Sent it was read
// before the write, for Got after the read; Due is the moment that what was sent was meant for.
type Entry struct {
	At   time.Duration
	Due  time.Duration
	Kind Kind
	Msg  wire.ClientMessage // of Sent
	Raw  []byte             // of Got
}

// Log is everything one client sent and received about one game, over all its sockets, in order.
type Log struct {
	Seat    string // "w", "b" or "" for a spectator
	Entries []Entry
}

// Duty tells whether an arbiter is on duty when the game begins.
type Duty uint8

// In the lobby nobody is. Where it is not known, the first dispute and the first ruling tell.
const (
	OffDuty Duty = iota
	OnDuty
	UnknownDuty
)

// Transcript is one game as its clients saw it.
type Transcript struct {
	Game   string
	Mode   string
	Base   int64
	Rules  string // "" is WBCA
	Timing string
	Each   int64
	// Travels says that commands may go from one server to another. One that comes later than it would have without that
	// has the stamp of what was taken before it, and the order of the two is not that of one millisecond.
	Travels    bool
	FirstMove  int64 // ms that each side has for its first move; 0 is what the lobby gives
	Duty       Duty
	White      Log
	Black      Log
	Spectators []Log
}

// item is one frame of a log that concerns the game.
type item struct {
	at    time.Duration
	ev    *wire.Events
	err   *wire.Error
	state *wire.State
	raw   []byte
	key   string // of ev: equal for two seats' frames of the same step
	open  bool   // of ev: it tells something to both players
	all   string // of ev: equal for a player's frame and a spectator's; "" where spectators are told nothing
	hole  bool   // frames before this one may be missing (a snapshot covered them)
}

// story is a log read: its frames in order, the commands it sent, and what is wrong with it by itself.
type story struct {
	seat  string
	items []item
	sends map[string]*sent
	order []*sent
	wrong []string
	n     uint64 // number of the last frame

	covered bool          // a snapshot after the first has covered frames
	toldEnd bool          // a frame or a snapshot told the end
	away    bool          // the last socket was lost and none was opened again
	held    time.Duration // since when the clocks stand, as far as the open socket has told; 0 while they do not
}

// sent is one command of a seat with the moments it went out.
type sent struct {
	msg    wire.ClientMessage
	first  time.Duration
	times  int
	acked  uint64 // number of the frame that acknowledged it
	done   bool   // the server said that it is done: a resent command, or one that has no event
	refuse string // code of the refusal
	used   bool
	cut    bool          // its socket, or the server behind it, was lost before it was answered
	held   time.Duration // it was sent while the clocks stood: since when its author had been told so; else 0
}

// doubtful tells whether the command may have been carried out without its author having been told: the socket was
// lost, or it was sent again and answered as one that had been counted. The table of a game that is over answers
// everything with game_over.
func (c *sent) doubtful() bool {
	if c.used || c.acked != 0 {
		return false
	}
	return c.done || (c.cut && (c.refuse == "" || c.refuse == "game_over"))
}

func (s *story) complain(format string, args ...any) {
	s.wrong = append(s.wrong, s.who()+": "+fmt.Sprintf(format, args...))
}

func (s *story) who() string {
	switch s.seat {
	case "w":
		return "White"
	case "b":
		return "Black"
	}
	return "spectator"
}

// read turns a log into a story and checks that its frames are numbered without gap or repeat.
func read(l *Log) *story {
	s := &story{seat: l.Seat, sends: map[string]*sent{}}
	var hole, known bool
	for i := range l.Entries {
		e := &l.Entries[i]
		switch e.Kind {
		case Sent:
			s.noteSend(e)
		case Opened:
			s.away, s.held = false, 0
		case Cut:
			s.away = true
			for _, c := range s.order {
				if c.acked == 0 && c.refuse == "" && !c.done {
					c.cut = true
				}
			}
		case Got:
			it, ok := s.parse(e)
			if !ok {
				continue
			}
			switch {
			case it.state != nil:
				it.hole = !known || it.state.N != s.n
				s.covered = s.covered || known && it.hole
				hole = hole || it.hole // a second snapshot of the same moment does not tell what the first has covered
				s.n, known = it.state.N, true
			case it.ev != nil && !known:
				s.complain("frame %d came before any snapshot", it.ev.N)
				s.n, known = it.ev.N, true
			case it.ev != nil && it.ev.N <= s.n:
				s.complain("frame %d came again after frame %d", it.ev.N, s.n)
				continue
			case it.ev != nil && it.ev.N != s.n+1:
				s.complain("frame %d came after frame %d: a gap", it.ev.N, s.n)
				s.n = it.ev.N
			case it.ev != nil:
				s.n = it.ev.N
			}
			s.toldEnd = s.toldEnd || tellsEnd(&it)
			if it.ev != nil {
				it.hole, hole = hole, false
			}
			s.items = append(s.items, it)
		}
	}
	return s
}

func tellsEnd(it *item) bool {
	if it.state != nil {
		return it.state.End != nil
	}
	if it.ev == nil {
		return false
	}
	for i := range it.ev.E {
		if it.ev.E[i].End != nil {
			return true
		}
	}
	return false
}

func (s *story) noteSend(e *Entry) {
	if e.Msg.ID == "" {
		return
	}
	if c := s.sends[e.Msg.ID]; c != nil {
		c.times++
		if s.held == 0 {
			c.held = 0 // it may have arrived now
		}
		return
	}
	c := &sent{msg: e.Msg, first: e.At, times: 1, held: s.held}
	s.sends[e.Msg.ID] = c
	s.order = append(s.order, c)
}

func (s *story) parse(e *Entry) (item, bool) {
	var head struct {
		T  string `json:"t"`
		ID string `json:"id"`
		N  uint64 `json:"n"`
		On bool   `json:"on"`
	}
	if err := json.Unmarshal(e.Raw, &head); err != nil {
		s.complain("a frame is not JSON: %v", err)
		return item{}, false
	}
	it := item{at: e.At, raw: e.Raw}
	var into any
	switch head.T {
	case "ev":
		it.ev = &wire.Events{}
		into = it.ev
	case "err":
		it.err = &wire.Error{}
		into = it.err
	case "state":
		it.state = &wire.State{}
		into = it.state
	case "done":
		if c := s.sends[head.ID]; c != nil {
			c.done = true
		} else {
			s.complain("a command %q is done that was never sent", head.ID)
		}
		return item{}, false
	case "hold":
		if s.held = 0; head.On {
			s.held = e.At
		}
		return item{}, false
	case "joined":
		if head.N != s.n {
			s.complain("joined again at frame %d, but the last frame that came is %d", head.N, s.n)
		}
		return item{}, false
	default:
		return item{}, false
	}
	if err := json.Unmarshal(e.Raw, into); err != nil {
		s.complain("a %s frame cannot be read: %v", head.T, err)
		return item{}, false
	}
	if it.ev != nil {
		both := public(it.ev)
		it.key, it.open = key(it.ev, both), len(both) > 0
		if all := watchable(both); len(all) > 0 {
			it.all = key(it.ev, all)
		}
	}
	return it, s.noteAnswer(&it)
}

// noteAnswer ties acknowledgements and refusals to the commands of this seat.
func (s *story) noteAnswer(it *item) bool {
	switch {
	case it.ev != nil && it.ev.ID != "":
		c := s.sends[it.ev.ID]
		switch {
		case c == nil:
			s.complain("frame %d acknowledges the command %q, which was never sent", it.ev.N, it.ev.ID)
		case c.acked != 0 && c.acked != it.ev.N:
			s.complain("the command %q was acknowledged by frame %d and again by frame %d", it.ev.ID, c.acked, it.ev.N)
		default:
			c.acked = it.ev.N
		}
	case it.err != nil:
		c := s.sends[it.err.ID]
		if c == nil {
			s.complain("an error without a command of ours: %s (%s)", it.err.Code, it.err.Msg)
			return false
		}
		if it.err.Code == wire.CodeUnavailable { // whether it was carried out is not known
			c.cut = true
			return false
		}
		c.refuse = it.err.Code
	}
	return true
}

// private tells whether an event is told to one seat alone: a reply that waits, a mute, a refused retraction that cost
// nothing.
func private(e *wire.Event) bool {
	switch e.K {
	case "queued", "unqueued", "muted":
		return true
	}
	return e.K == "denied" && e.Claim == "retract" && e.Add == 0
}

// public is what both players are told in a frame: its events without those for one seat alone.
func public(ev *wire.Events) []wire.Event {
	var out []wire.Event
	for _, e := range ev.E {
		if !private(&e) {
			out = append(out, e)
		}
	}
	return out
}

// watchable is what spectators are told of it: the side board only when the demonstration is over (rulings D37).
func watchable(events []wire.Event) []wire.Event {
	var out []wire.Event
	for _, e := range events {
		switch e.K {
		case "demomove":
			continue
		case "demo":
			e.Demo = nil
		}
		out = append(out, e)
	}
	return out
}

// key is equal for the frames of a step that tell the same events.
func key(ev *wire.Events, events []wire.Event) string {
	b, err := json.Marshal(struct {
		At int64
		C  wire.Clocks
		E  []wire.Event
	}{ev.At, ev.Clocks, events})
	if err != nil {
		return ""
	}
	return string(b)
}
