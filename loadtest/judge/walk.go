package judge

import (
	"fmt"
	"math"
	"slices"
	"time"

	"flagfall/game/board"
	"flagfall/loadtest/model"
	"flagfall/server/wire"
)

// MaxCredit is the most that a press may be given back, whatever the measured round trip, in milliseconds.
const MaxCredit = 500

// slackMs is what stamps may be off by rounding, since the server's game time is whole milliseconds.
const slackMs = 2

// Verdict is what was found in one game.
type Verdict struct {
	Differences []string
	Plies       int            // completed moves
	Illegal     int            // of them
	Commands    int            // commands that were acknowledged
	Refused     map[string]int // refusals that the rules wanted, by code
	Denied      map[string]int // denials that the rules wanted, by claim
	Corrected   int            // illegal moves that were taken back after their press
	Shown       int            // demonstrations
	Ruled       map[string]int // arbiter's rulings, by act
	Rulings     int            // outcomes, results and refusals that were compared
	Outage      bool           // the server was away, and from there on only the end was looked at
	End         *wire.End
}

// Judge checks one game. It reads the transcript only. Shapes may be nil.
func Judge(t *Transcript, shapes *Shapes) *Verdict {
	w, b := read(&t.White), read(&t.Black)
	l := merge(w, b)
	for i := range t.Spectators {
		s := read(&t.Spectators[i])
		l.watched(s)
		l.wrong = append(l.wrong, s.wrong...)
	}
	k := &walker{
		line: l, seats: [2]*story{w, b}, shapes: shapes, loose: t.Travels, games: []*model.Game{model.New(t.terms())},
		v:    &Verdict{Refused: map[string]int{}, Denied: map[string]int{}, Ruled: map[string]int{}},
		asks: t.Duty == UnknownDuty,
	}
	if t.Rules == "fide" { // there the server itself tells what was illegal
		k.shapes = nil
	}
	k.v.Differences = append(append(append(k.v.Differences, w.wrong...), b.wrong...), l.wrong...)
	k.window()
	for i := range l.steps {
		if i == l.outage {
			return k.afterOutage(i)
		}
		k.remarks(l.notes[i])
		if !k.step(&l.steps[i]) {
			return k.v
		}
	}
	if l.outage == len(l.steps) && k.game().End == nil {
		return k.afterOutage(l.outage)
	}
	k.remarks(l.notes[len(l.steps)])
	k.unanswered()
	return k.v
}

// terms are those of a table in the lobby, but for what the transcript says.
func (t *Transcript) terms() model.Terms {
	rules, first := t.Rules, t.FirstMove
	if rules == "" {
		rules = "wbca"
	}
	if first == 0 {
		first = 20_000
	}
	return model.Terms{
		Rules: rules, Board: board.Start(), Base: [2]int64{t.Base, t.Base}, Fast: t.Mode == "fast", Timing: t.Timing, Each: t.Each,
		Ladder: true, Presence: true, FirstMove: first, BothFlagsIdle: 60_000, Abandonment: true, DelayClock: true, OnDuty: t.Duty == OnDuty,
	}
}

// afterOutage looks at a game that both players have missed a part of, as when the server was away: every move that
// anybody was told of must still be there, and the game must come to an end.
func (k *walker) afterOutage(from int) *Verdict {
	k.v.Outage = true
	for _, n := range k.line.notes[from] {
		if s := n.it.state; s != nil {
			k.v.Rulings++
			if told := k.game().Plies(); len(s.Moves) < told { // those that were taken back are not missing
				k.differ("after the outage %d moves are there of %d that were told", len(s.Moves), told)
			}
		}
	}
	for i := from; i < len(k.line.steps); i++ {
		for _, e := range k.line.steps[i].any().ev.E {
			switch e.K {
			case "press":
				k.v.Plies++
			case "end":
				k.v.End = e.End
			}
		}
	}
	for _, s := range k.seats {
		if !s.toldEnd {
			k.differ(unfinished+"%s was not told an end after the outage", s.who())
		}
	}
	return k.v
}

// walker follows a game with the model.
type walker struct {
	line  *line
	seats [2]*story
	// games are what the model makes of the story so far. There is more than one only while a claim is judged and it
	// cannot be seen which answer the server has found.
	games  []*model.Game
	v      *Verdict
	shapes *Shapes
	at     int64 // game time of the last step
	lo, hi float64
	same   []ranked // the commands of the millisecond `at` so far
	loose  bool     // they need not be in the order of one
	asks   bool     // whether an arbiter is on duty is not known yet
}

func (k *walker) game() *model.Game { return k.games[0] }

// ranked is a command of one millisecond.
type ranked struct {
	at   int64
	by   board.Color
	rank int
}

// rank is the order in which commands of one millisecond are taken (rulings B.2, D32).
func rank(m *wire.ClientMessage) int {
	switch {
	case m.T == "move" || m.T == "retract":
		return 1
	case m.T == "press":
		return 2
	case m.T == "claim" && m.Claim == "illegal":
		return 3
	case m.T == "claim" && m.Claim == "time":
		return 4
	case m.T == "claim":
		return 5
	}
	return 6
}

// tie checks that claims, resignations and agreements have waited for the other commands of their millisecond. One
// player's own commands never change places, so only a player's first one is held against what the other did before it.
func (k *walker) tie(c board.Color, m *wire.ClientMessage, at int64) {
	if len(k.same) > 0 && k.same[0].at != at {
		k.same = k.same[:0]
	}
	mine := ranked{at, c, rank(m)}
	first := true
	for _, r := range k.same {
		first = first && r.by != c
	}
	for _, r := range k.same {
		if first && !k.loose && r.rank > max(2, mine.rank) {
			k.differ("%s of %v came in the same millisecond as what was taken before it and goes first", short(m), c)
			break
		}
	}
	k.same = append(k.same, mine)
}

func (k *walker) differ(format string, args ...any) {
	k.v.Differences = append(k.v.Differences, fmt.Sprintf(format, args...))
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// window finds the interval for the moment (in local time) at which the game began: every acknowledged command was
// stamped between its sending and the first sight of its acknowledgement. An empty interval is a wrong stamp.
func (k *walker) window() {
	k.lo, k.hi = math.Inf(-1), math.Inf(1)
	stands, began := k.line.stands(), false
	for i := range k.line.steps {
		s := &k.line.steps[i]
		ev := s.any().ev
		if ev.At >= stands || i == k.line.outage {
			return // game time does not go on with ours across an outage
		}
		if began = began || starts(ev); !began { // an outage before the start has no pause
			continue
		}
		if told := k.held(s); told > 0 {
			k.narrow(math.Inf(-1), ms(told)-float64(ev.At)+slackMs, s)
			return // it stood when this arrived, at a moment before it was told so
		}
		seen := math.Inf(1)
		for c, it := range []*item{s.w, s.b} {
			if it == nil {
				continue
			}
			seen = min(seen, ms(it.at))
			if cmd := k.seats[c].sends[it.ev.ID]; cmd != nil {
				k.narrow(ms(cmd.first)-float64(ev.At)-slackMs, math.Inf(1), s)
			}
		}
		k.narrow(math.Inf(-1), seen-float64(ev.At)+slackMs, s)
	}
}

// held is since when the author of a step had been told that the clocks stand, when he sent what caused it; else 0.
func (k *walker) held(s *step) time.Duration {
	for c, it := range []*item{s.w, s.b} {
		if it == nil {
			continue
		}
		if cmd := k.seats[c].sends[it.ev.ID]; cmd != nil {
			return cmd.held
		}
	}
	return 0
}

func (k *walker) narrow(lo, hi float64, s *step) {
	lo, hi = max(k.lo, lo), min(k.hi, hi)
	if lo > hi {
		k.differ("the stamp of frame %s cannot be the moment of arrival: it lies %.1f ms outside of what sending and receipt allow", s.any().raw, lo-hi)
		return
	}
	k.lo, k.hi = lo, hi
}

// stands is the game time at which the first outage found the clocks. What arrives while they stand has that stamp, too,
// and may be told before the pause.
func (l *line) stands() int64 {
	for i := range l.steps {
		if ev := l.steps[i].any().ev; paused(ev) {
			return ev.At
		}
	}
	return math.MaxInt64
}

func starts(ev *wire.Events) bool {
	return slices.ContainsFunc(ev.E, func(e wire.Event) bool { return e.K == "start" })
}

func paused(ev *wire.Events) bool {
	for _, e := range ev.E {
		if e.K == "pause" {
			return true
		}
	}
	return false
}
