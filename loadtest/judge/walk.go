package judge

import (
	"fmt"
	"math"
	"strings"
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
		line: l, seats: [2]*story{w, b}, shapes: shapes,
		game: model.New(board.Start(), t.Base, t.Base, model.Options{Ladder: true}),
		fast: t.Mode == "fast",
		v:    &Verdict{Refused: map[string]int{}, Denied: map[string]int{}},
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
	if l.outage == len(l.steps) && k.phase != "over" {
		return k.afterOutage(l.outage)
	}
	k.remarks(l.notes[len(l.steps)])
	k.unanswered()
	return k.v
}

// afterOutage looks at a game that both players have missed a part of, as when the server was away: every move that
// anybody was told of must still be there, and the game must come to an end.
func (k *walker) afterOutage(from int) *Verdict {
	k.v.Outage = true
	for _, n := range k.line.notes[from] {
		if s := n.it.state; s != nil {
			k.v.Rulings++
			if len(s.Moves) < k.v.Plies {
				k.differ("after the outage %d moves are there of %d that were told", len(s.Moves), k.v.Plies)
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
	line   *line
	seats  [2]*story
	game   *model.Game
	fast   bool
	v      *Verdict
	shapes *Shapes
	at     int64 // game time of the last step
	lo, hi float64
	phase  string   // "waiting", "play", "paused", "over"
	same   []ranked // the commands of the millisecond `at` so far
}

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
		if first && r.rank > max(2, mine.rank) {
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
	k.phase = "waiting"
	k.lo, k.hi = math.Inf(-1), math.Inf(1)
	for i := range k.line.steps {
		s := &k.line.steps[i]
		ev := s.any().ev
		if paused(ev) || i == k.line.outage {
			return // game time does not go on with ours across an outage
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

func (k *walker) narrow(lo, hi float64, s *step) {
	lo, hi = max(k.lo, lo), min(k.hi, hi)
	if lo > hi {
		k.differ("the stamp of frame %s cannot be the moment of arrival: it lies %.1f ms outside of what sending and receipt allow", s.any().raw, lo-hi)
		return
	}
	k.lo, k.hi = lo, hi
}

func paused(ev *wire.Events) bool {
	for _, e := range ev.E {
		if e.K == "pause" {
			return true
		}
	}
	return false
}

// step judges one step and follows it; false when the game cannot be followed any further.
func (k *walker) step(s *step) bool {
	ev := s.any().ev
	if ev.At < k.at {
		k.differ("game time went back from %d to %d in %s", k.at, ev.At, s.any().raw)
	}
	k.at = max(k.at, ev.At)
	told := k.surroundings(ev)
	c, cmd := k.author(s, told)
	legal, known := true, false
	if len(told) > 0 || cmd != nil {
		if cmd == nil {
			return k.lost("%s has no command that could have caused it", s.any().raw)
		}
		if !k.judge(c, cmd, told, s) {
			return false
		}
		if cmd.msg.T == "move" || cmd.msg.T == "press" {
			legal, known = k.lastLegal(cmd.msg.T, told)
		}
	}
	k.clocks(ev)
	if k.shapes != nil && known {
		k.shapes.step(s, c, cmd.msg.T, legal)
	}
	return true
}

func (k *walker) lost(format string, args ...any) bool {
	k.differ(format, args...)
	return false
}

// surroundings follows what no player's command causes - starts, flags, presence, outages - and returns the rest.
func (k *walker) surroundings(ev *wire.Events) []wire.Event {
	var rest []wire.Event
	for i := range ev.E {
		e := ev.E[i]
		switch e.K {
		case "start":
			k.phase = "play"
			k.game.Start(ev.At)
		case "flag":
			k.flag(e, ev)
		case "here", "away":
		case "pause":
			k.phase = "paused"
			k.game.Settle(ev.At)
			k.outage(ev)
			k.game.Stand()
		case "resume":
			k.phase = "play"
			k.game.Resume(ev.At)
		default:
			rest = append(rest, e)
		}
	}
	return rest
}

// outage takes over the clocks that the server stopped with, which may only give time back.
func (k *walker) outage(ev *wire.Events) {
	for c, told := range []int64{ev.Clocks.W, ev.Clocks.B} {
		if told < max(0, k.game.Clock[c]) {
			k.differ("an outage took time from %v: %d ms were left, %d are told", board.Color(c), k.game.Clock[c], told)
		}
		k.game.Clock[c] = told
	}
}

// flag lets a flag fall that the server says is down, if its time can be up by then.
func (k *walker) flag(e wire.Event, ev *wire.Events) {
	c, err := board.ParseColor(e.By)
	if err != nil {
		k.differ("a flag of nobody: %+v", e)
		return
	}
	over, by, ok := k.game.Over(ev.At)
	if !ok || over != c {
		k.differ("the flag of %v fell at %d with %d ms left", c, ev.At, k.game.Left(c, ev.At))
	} else if by > MaxCredit+k.late(ev) {
		k.differ("the flag of %v fell %d ms late, at %d", c, by, ev.At)
	}
	k.game.Fall(c, ev.At)
	k.v.Rulings++
}

// late is by how much a flag may be told late: a command that came with the fall is stamped with its own arrival, a
// timer may be woken late but must then say when the flag fell.
func (k *walker) late(ev *wire.Events) int64 {
	if len(ev.E) > 1 {
		return math.MaxInt64 / 2
	}
	return 1000
}

// author finds the command behind a step: by its id, or, where a snapshot covered the acknowledgement, the first
// command in doubt that the rules answer with exactly these events.
func (k *walker) author(s *step, told []wire.Event) (board.Color, *sent) {
	for c, it := range []*item{s.w, s.b} {
		if it == nil || it.ev.ID == "" {
			continue
		}
		if cmd := k.seats[c].sends[it.ev.ID]; cmd != nil {
			return board.Color(c), cmd
		}
	}
	if len(told) == 0 {
		return board.White, nil
	}
	for c, it := range []*item{s.w, s.b} {
		if it != nil && told[0].K != "end" && told[0].By != "" && told[0].By != board.Color(c).String() {
			continue
		}
		for _, cmd := range k.seats[c].order {
			if cmd.doubtful() && k.fits(board.Color(c), cmd, told, s) {
				return board.Color(c), cmd
			}
		}
	}
	return board.White, nil
}

func (k *walker) fits(c board.Color, cmd *sent, told []wire.Event, s *step) bool {
	g := k.game.Clone()
	g.Credits = credits(told)
	r := k.do(g, c, &cmd.msg, s.any().ev.At)
	return !r.Refused() && compare(g, r.Facts, told, [2]*item{}) == ""
}

// credits lists what the presses of a step were given back.
func credits(told []wire.Event) []int64 {
	var out []int64
	for _, e := range told {
		if e.K == "press" {
			out = append(out, e.Lag)
		}
	}
	return out
}

// judge holds the events of a step against what the rules make of the command.
func (k *walker) judge(c board.Color, cmd *sent, told []wire.Event, s *step) bool {
	at := s.any().ev.At
	k.tie(c, &cmd.msg, at)
	cmd.used = true
	k.v.Commands++
	k.v.Rulings++
	if over, by, ok := k.game.Over(at); ok && by > MaxCredit {
		return k.lost("the flag of %v should have fallen %d ms before %s", over, by, s.any().raw)
	}
	given := credits(told)
	for _, lag := range given {
		if lag < 0 || lag > MaxCredit || lag > at-k.game.Turned {
			k.differ("%d ms of credit after %d ms in %s", lag, at-k.game.Turned, s.any().raw)
		}
	}
	k.game.Credits = given
	r := k.do(k.game, c, &cmd.msg, at)
	k.game.Credits = nil
	if r.Refused() {
		return k.lost("%s of %v must be refused (%s) but was accepted: %s", short(&cmd.msg), c, r.Code, s.any().raw)
	}
	if d := compare(k.game, r.Facts, told, [2]*item{s.w, s.b}); d != "" {
		return k.lost("%s of %v: %s in %s", short(&cmd.msg), c, d, s.any().raw)
	}
	if k.game.End != nil {
		k.phase = "over"
	}
	for _, f := range r.Facts {
		if f.K == "denied" {
			k.v.Denied[f.Claim]++
		}
		if f.K == "press" {
			k.v.Plies++
			if k.game.Claimable(f.By.Other()) {
				k.v.Illegal++
			}
		}
	}
	for _, e := range told {
		if e.K == "end" {
			k.v.End = e.End
		}
	}
	return true
}

func (k *walker) lastLegal(t string, told []wire.Event) (legal, known bool) {
	for _, e := range told {
		if e.K == "end" {
			return true, false
		}
	}
	if t == "move" && !k.fast {
		_, _, legal, known = k.game.Pending()
		return legal, known
	}
	last := k.game.Turn().Other()
	return !k.game.Claimable(last.Other()), true
}

// do gives a client's command to a model.
func (k *walker) do(g *model.Game, c board.Color, m *wire.ClientMessage, at int64) model.Result {
	if m.T == "claim" && k.phase == "waiting" {
		return model.Result{Code: "not_started", Loose: true}
	}
	switch m.T {
	case "move":
		if r, stale := plyOf(g, c, m); stale {
			return r
		}
		move, err := board.ParseUCI(m.Move)
		if err != nil {
			return model.Result{Code: "bad_message", Loose: true}
		}
		return g.Move(c, move, m.Press || k.fast, at)
	case "press":
		if r, stale := plyOf(g, c, m); stale {
			return r
		}
		return g.Press(c, at)
	case "retract":
		if r, stale := plyOf(g, c, m); stale {
			return r
		}
		return g.Retract(c, at)
	case "claim":
		return g.Claim(c, m.Claim, at)
	case "resign":
		return g.Resign(c)
	case "offer":
		return g.OfferDraw(c)
	case "answer":
		return g.Answer(c, m.Accept)
	case "mute":
		return g.Mute(c)
	}
	return model.Result{Code: "unknown", Loose: true}
}

// plyOf refuses a command that means another move than the next one; which of the possible reasons the server gives
// then is left to it.
func plyOf(g *model.Game, c board.Color, m *wire.ClientMessage) (model.Result, bool) {
	if g.End == nil && m.Ply != nil && *m.Ply != g.NextPly(c) {
		return model.Result{Code: "stale_ply", Loose: true}, true
	}
	return model.Result{}, false
}

// clocks holds the clocks of a frame against the model's.
func (k *walker) clocks(ev *wire.Events) {
	run := ""
	if k.game.Running != model.Nobody && k.game.End == nil {
		run = k.game.Running.String()
	}
	flags := ""
	for c := range k.game.Flag {
		if k.game.Flag[c] {
			flags += board.Color(c).String()
		}
	}
	want := wire.Clocks{
		W: max(0, k.game.Left(board.White, ev.At)), B: max(0, k.game.Left(board.Black, ev.At)), Run: run, Flags: flags,
	}
	if ev.Clocks != want {
		k.differ("clocks at %d are told as %+v and must be %+v (%s)", ev.At, ev.Clocks, want, kinds(ev))
	}
	k.v.Rulings++
}

func kinds(ev *wire.Events) string {
	var ks []string
	for _, e := range ev.E {
		ks = append(ks, e.K)
	}
	return strings.Join(ks, ",")
}
