package judge

import (
	"math"
	"strings"

	"flagfall/game/board"
	"flagfall/loadtest/model"
	"flagfall/server/wire"
)

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
	if len(told) > 0 || cmd != nil || k.game().Calls() {
		if !k.judge(c, cmd, told, s) {
			return false
		}
		if cmd != nil && (cmd.msg.T == "move" || cmd.msg.T == "press") {
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

// surroundings follows what comes before the doing of a command - starts, flags, presence, outages - and returns the
// rest.
func (k *walker) surroundings(ev *wire.Events) []wire.Event {
	for i := range ev.E {
		e := ev.E[i]
		paused := k.game().Phase == model.Paused
		for _, g := range k.games {
			switch {
			case e.K == "start":
				g.Start(ev.At)
			case e.K == "here" || e.K == "away":
				if c, err := board.ParseColor(e.By); err == nil {
					g.Presence(c, e.K == "here", ev.At)
				}
			case e.K == "resume" && paused:
				g.Resume(ev.At)
			}
		}
		switch {
		case e.K == "start", e.K == "here", e.K == "away", e.K == "resume" && paused:
		case e.K == "flag":
			k.flag(e, ev)
		case e.K == "pause" && e.Why != "away":
			k.outage(ev)
			k.same = k.same[:0]
		default:
			return ev.E[i:]
		}
	}
	return nil
}

// outage takes over the clocks that the server stopped with, which may only give time back.
func (k *walker) outage(ev *wire.Events) {
	left := [2]int64{ev.Clocks.W, ev.Clocks.B}
	for _, g := range k.games {
		g.Settle(ev.At)
		for c, told := range left {
			if told < max(0, g.Clock[c]) {
				k.differ("an outage took time from %v: %d ms were left, %d are told", board.Color(c), g.Clock[c], told)
			}
		}
		g.Suspend(left, ev.At)
	}
}

// flag lets a flag fall that the server says is down, if its time can be up by then.
func (k *walker) flag(e wire.Event, ev *wire.Events) {
	c, err := board.ParseColor(e.By)
	if err != nil {
		k.differ("a flag of nobody: %+v", e)
		return
	}
	over, by, ok := k.game().Over(ev.At)
	if !ok || over != c {
		k.differ("the flag of %v fell at %d with %d ms left", c, ev.At, k.game().Left(c, ev.At))
	} else if by > MaxCredit+k.late(ev) {
		k.differ("the flag of %v fell %d ms late, at %d", c, by, ev.At)
	}
	for _, g := range k.games {
		g.Fall(c, ev.At)
	}
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
// command in doubt that the rules answer with exactly these events; nil where time or the server itself is behind it.
func (k *walker) author(s *step, told []wire.Event) (board.Color, *sent) {
	for c, it := range []*item{s.w, s.b} {
		if it == nil || it.ev.ID == "" {
			continue
		}
		if cmd := k.seats[c].sends[it.ev.ID]; cmd != nil {
			return board.Color(c), cmd
		}
	}
	if len(told) == 0 || told[0].K == "ruling" { // an arbiter's
		return board.White, nil
	}
	for c, it := range []*item{s.w, s.b} {
		if it != nil && told[0].K != "end" && told[0].By != "" && told[0].By != board.Color(c).String() {
			continue
		}
		for _, cmd := range k.seats[c].order {
			if !cmd.doubtful() {
				continue
			}
			if games, _ := k.follow(board.Color(c), cmd, told, s); len(games) > 0 {
				return board.Color(c), cmd
			}
		}
	}
	return board.White, nil
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

// judge holds the events of a step against what the rules make of the command, or of the time and the server's answers
// where there is none.
func (k *walker) judge(c board.Color, cmd *sent, told []wire.Event, s *step) bool {
	at := s.any().ev.At
	k.v.Rulings++
	if cmd != nil {
		if cmd.held > 0 {
			k.same = k.same[:0] // the clocks stood: what has the same stamp came before
		}
		k.tie(c, &cmd.msg, at)
		cmd.used = true
		k.v.Commands++
		if over, by, ok := k.game().Over(at); ok && by > MaxCredit {
			return k.lost("the flag of %v should have fallen %d ms before %s", over, by, s.any().raw)
		}
	}
	for _, lag := range credits(told) {
		if lag < 0 || lag > MaxCredit || lag > at-k.game().Turned {
			k.differ("%d ms of credit after %d ms in %s", lag, at-k.game().Turned, s.any().raw)
		}
	}
	k.learn(told)
	games, why := k.follow(c, cmd, told, s)
	if len(games) == 0 {
		games = k.covered(c, cmd, told, s)
	}
	switch {
	case len(games) == 0 && cmd == nil:
		return k.lost("%s has no command that could have caused it, and not this by itself: %s", s.any().raw, why)
	case len(games) == 0:
		return k.lost("%s of %v: %s in %s", short(&cmd.msg), c, why, s.any().raw)
	}
	before := k.game().Plies()
	k.games = games
	if k.game().Phase == model.Playing || k.game().Phase == model.Over {
		k.games = games[:1] // what was asked is of no more use
	}
	k.tally(told, before)
	return true
}

// covered is follow after what a player did for himself alone - a reply that waits, its press - and was told only by a
// snapshot that does not say so.
func (k *walker) covered(c board.Color, cmd *sent, told []wire.Event, s *step) []*model.Game {
	before := k.games
	defer func() { k.games = before }()
	for by, seat := range k.seats {
		if !seat.covered {
			continue
		}
		for first := range seat.order {
			k.games = before
			var silent []*sent
			for _, m := range seat.order[first:] {
				after := k.silently(board.Color(by), m)
				if len(after) == 0 {
					continue
				}
				k.games, silent = after, append(silent, m)
				if games, _ := k.follow(c, cmd, told, s); len(games) > 0 {
					for _, m := range silent {
						m.used = true
					}
					return games
				}
			}
		}
	}
	return nil
}

// silently lists what the game may be after a command in doubt of which nobody else is told; none if it is not one.
func (k *walker) silently(c board.Color, cmd *sent) []*model.Game {
	if !cmd.doubtful() {
		return nil
	}
	var games []*model.Game
	for _, from := range k.games {
		g := from.Clone()
		r := k.do(g, c, &cmd.msg, k.at)
		if public, _ := split(r.Facts); !r.Refused() && len(public) == 0 && len(r.Facts) > 0 {
			games = append(games, g)
		}
	}
	return games
}

// tally counts what a step has brought.
func (k *walker) tally(told []wire.Event, before int) {
	for _, e := range told {
		switch e.K {
		case "denied":
			k.v.Denied[e.Claim]++
		case "press":
			k.v.Plies++
			before++
			if by, err := board.ParseColor(e.By); err == nil && k.game().Plies() == before && k.game().Claimable(by.Other()) {
				k.v.Illegal++
			}
		case "restored":
			k.v.Corrected++
		case "demoend":
			k.v.Shown++
		case "ruling":
			k.v.Ruled[e.Act]++
			if e.Who == "" || e.Why == "" {
				k.differ("a ruling (%s) says not who has ruled or why: %q, %q", e.Act, e.Who, e.Why)
			}
		case "end":
			k.v.End = e.End
		}
	}
}

// follow lists what the game may be after a step; none, and why, if the rules do not want these events. Where the rules
// leave something to a search, what the server told decides, unless it can be seen to be wrong.
func (k *walker) follow(c board.Color, cmd *sent, told []wire.Event, s *step) (games []*model.Game, why string) {
	at := s.any().ev.At
	for _, from := range k.games {
		for _, try := range k.tries(from, cmd, told) {
			g := from.Clone()
			g.Credits = credits(told)
			g.Glance = func(b *model.Board, side model.Color) model.Verdict { return plain(b, side, try.glance) }
			g.Locked = func(b *model.Board) bool { return len(told) > 0 && told[len(told)-1].K == "end" && mayBeLocked(b) }
			var r model.Result
			if act := ruling(s.any().ev, told); act != nil {
				r = arbitrated(g, *act, at)
			} else {
				r = k.outcome(g, c, cmd, try, at)
			}
			g.Credits, g.Glance, g.Locked = nil, nil, nil
			d := ""
			if r.Refused() {
				d = "it must be refused (" + r.Code + ") but was accepted"
			} else {
				d = compare(g, r.Facts, told, [2]*item{s.w, s.b})
			}
			if d == "" {
				games = append(games, g)
			} else if why == "" {
				why = d
			}
		}
	}
	return games[:min(len(games), 16)], why
}

// try is one way in which what needs a search may have come out.
type try struct {
	glance model.Verdict // at once
	answer model.Verdict // to the question that was asked
	asked  bool
}

// tries are the ways that are open.
func (k *walker) tries(g *model.Game, cmd *sent, told []wire.Event) []try {
	if q, asked := g.Asked(); asked && cmd == nil && (len(told) == 0 || told[0].K != "ruling") {
		var out []try
		for _, v := range []model.Verdict{model.Yes, model.No, model.Undecided} {
			if sure := plain(&q.Board, q.Side, v); sure == v || q.Kind == model.Known {
				out = append(out, try{answer: v, asked: true})
			}
		}
		return out
	}
	if g.Terms.Rules == "wbca" {
		return []try{{}}
	}
	return []try{{}, {glance: model.Yes}, {glance: model.No}}
}

// outcome is what a model makes of a command, or of time and an answer.
func (k *walker) outcome(g *model.Game, c board.Color, cmd *sent, t try, at int64) model.Result {
	if t.asked {
		return g.Prove(t.answer, at)
	}
	r := model.Result{Code: model.OK, Facts: g.Called(at)}
	if g.Phase == model.Over || len(r.Facts) > 0 && cmd == nil {
		return r
	}
	r.Facts = append(r.Facts, g.Expire(at)...)
	if cmd == nil {
		if len(r.Facts) == 0 {
			r.Facts = g.Tick(at)
		}
		return r
	}
	first := r.Facts
	r = k.do(g, c, &cmd.msg, at)
	r.Facts = append(first, r.Facts...)
	return r
}

func (k *walker) lastLegal(t string, told []wire.Event) (legal, known bool) {
	for _, e := range told {
		if e.K == "end" {
			return true, false
		}
	}
	g := k.game()
	if t == "move" && !g.Terms.Fast {
		_, _, legal, known = g.Pending()
		return legal, known
	}
	return !g.Claimable(g.Turn()), true
}

// do gives a client's command to a model.
func (k *walker) do(g *model.Game, c board.Color, m *wire.ClientMessage, at int64) model.Result {
	switch m.T {
	case "move", "press", "retract":
		// which of the possible reasons the server gives for a stale one is left to it
		if g.End == nil && m.Ply != nil && *m.Ply != g.NextPly(c) {
			return model.Result{Code: "stale_ply", Loose: true}
		}
	}
	switch m.T {
	case "move", "demo":
		move, err := board.ParseUCI(m.Move)
		if err != nil {
			return model.Result{Code: "bad_message", Loose: true}
		}
		if m.T == "demo" {
			return g.Demo(c, move, at)
		}
		return g.Move(c, move, m.Press, at)
	case "press":
		return g.Press(c, -1, at)
	case "retract":
		return g.Retract(c, -1, at)
	case "claim":
		return g.Claim(c, m.Claim, at)
	case "resign":
		return g.Resign(c, at)
	case "offer":
		return g.OfferDraw(c, at)
	case "answer":
		return g.Answer(c, m.Accept, at)
	case "mute":
		return g.Mute(c, at)
	case "concede":
		return g.Concede(c, at)
	case "dispute":
		return g.Dispute(c, at)
	}
	return model.Result{Code: "unknown", Loose: true}
}

// clocks holds the clocks of a frame against the model's.
func (k *walker) clocks(ev *wire.Events) {
	g := k.game()
	want := wire.Clocks{W: max(0, g.Left(board.White, ev.At)), B: max(0, g.Left(board.Black, ev.At))}
	if g.Running != model.Nobody && g.End == nil {
		want.Run, want.Delay = g.Running.String(), g.DelayLeft(ev.At)
	}
	for c := range g.Flag {
		if g.Flag[c] {
			want.Flags += board.Color(c).String()
		}
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
