package table

import (
	"flagfall/game"
	"flagfall/game/board"
	"flagfall/server/wire"
)

// audience is who sees a frame: a player's side, or None for the public.
type audience game.Side

func (a audience) is(s game.Side) bool { return game.Side(a) == s && s != game.None }

func person(p game.Player) wire.Person { return wire.Person{ID: p.ID, Name: p.Name, Bot: p.Bot} }

// seat is a player of a game; in an event guests choose their names.
func seat(setup *game.Setup, side game.Side) wire.Person {
	p := [2]game.Player{setup.White, setup.Black}[side]
	out := person(p)
	out.Guest = setup.Event != "" && !p.Account
	return out
}

func clocks(g *game.Game, at int64) wire.Clocks {
	c := g.Clock()
	out := wire.Clocks{W: c.Remaining(game.White, at), B: c.Remaining(game.Black, at), Run: c.Running().String()}
	if c.Running() != game.None {
		out.Delay = c.DelayLeft(at)
	}
	for _, s := range [2]game.Side{game.White, game.Black} {
		if c.Down(s) {
			out.Flags += s.String()
		}
	}
	return out
}

// snapshot is the game as one audience may see it, at frame n.
func snapshot(m *machine, to audience, n uint64, at int64) wire.State {
	g := m.game
	setup, b := g.Setup(), g.Board()
	state := wire.State{
		T: "state", Game: m.id, N: n, You: game.Side(to).String(),
		White: seat(setup, game.White), Black: seat(setup, game.Black),
		Terms: terms(setup), Mode: string(setup.Mode), Base: setup.Base[0], Event: setup.Event, Rated: setup.WBCATime(), Counts: setup.Rated, Premove: setup.Premove,
		Phase: string(g.Phase()), Start: startPlacement(setup), Board: b.Placement(),
		Moves: []wire.Ply{}, Offer: g.Offer().String(), Clocks: clocks(g, at),
	}
	for _, c := range setup.Claims() {
		state.Claims = append(state.Claims, string(c))
	}
	state.Late = setup.LateClaims()
	state.Risk.Take, state.Risk.Add = setup.DrawRisk()
	for _, p := range g.Plies() {
		state.Moves = append(state.Moves, wire.Ply{M: p.Move.UCI(), Ms: p.Left})
	}
	if move, by := g.Pending(); by != game.None {
		state.Pending = move.UCI()
	}
	if move, press, by := g.Reply(); to.is(by) {
		state.Queued = &wire.Queued{M: move.UCI(), Press: press}
	}
	for _, s := range [2]game.Side{game.White, game.Black} {
		if g.Here(s) {
			state.Here += s.String()
		}
	}
	state.Seen = seen(g)
	if by, claim := g.Judged(); by != game.None {
		state.Claim = &wire.Claim{By: by.String(), Claim: string(claim)}
	}
	if game.Side(to) != game.None {
		state.Demo = demo(g, at)
	}
	if r := g.Result(); r != nil {
		state.End = end(r)
	}
	return state
}

// seen is how often what now stands on the board has stood there, 0 for the first time.
func seen(g *game.Game) int {
	if n := g.Seen(); n > 1 {
		return n
	}
	return 0
}

func terms(setup *game.Setup) wire.Terms {
	return wire.Terms{Rules: setup.RuleSet, Timing: string(setup.Timing.Kind), Each: setup.Timing.Ms}
}

// demo is the side board of a demonstration, nil when there is none.
func demo(g *game.Game, at int64) *wire.Demo {
	by, b, moves, left := g.Demo(at)
	if by == game.None {
		return nil
	}
	out := &wire.Demo{By: by.String(), Rule: g.DemoCites(), Board: b.Placement(), Moves: []string{}, W: left[game.White], B: left[game.Black]}
	for _, m := range moves {
		out.Moves = append(out.Moves, m.UCI())
	}
	return out
}

func startPlacement(setup *game.Setup) string {
	b := board.Start()
	if setup.FEN != "" {
		if custom, err := board.ParseFEN(setup.FEN); err == nil {
			b = custom
		}
	}
	return b.Placement()
}

// demoFor is the side board for those who may see it while the game runs.
func demoFor(to audience, g *game.Game, at int64) *wire.Demo {
	if game.Side(to) == game.None {
		return nil
	}
	return demo(g, at)
}

// shownDemo is the side board of the demonstration that ended last, as it stood then; nil when there was none.
func shownDemo(setup *game.Setup, events []game.Event) *wire.Demo {
	last := len(events) - 1
	for last >= 0 && events[last].Kind != game.DemoEnded {
		last--
	}
	first := last
	for first >= 0 && events[first].Kind != game.DemoBegan {
		first--
	}
	if first < 0 {
		return nil
	}
	g := game.New()
	g.Apply(game.Event{Kind: game.Created, Setup: setup})
	for _, e := range events[first:last] {
		g.Apply(e)
	}
	return demo(g, events[last].At)
}

// about is the side that an arbiter's act is about, "" where it is about both.
func about(r *game.Ruling) string {
	switch r.Act {
	case game.ActWarn, game.ActMinute, game.ActLoss, game.ActDelay, game.ActUnjust:
		return r.Side.String()
	}
	return ""
}

func placement(fen string) string {
	b, err := board.ParseArrangement(fen)
	if err != nil {
		return "" // journaled positions can be read
	}
	return b.Placement()
}

func end(r *game.Result) *wire.End {
	return &wire.End{Result: string(r.Score), Reason: string(r.Reason), Rule: r.Cite(), Text: r.Text()}
}

// show is the event as the audience may see it, with the rule that it rests on; ok is false where it is not the audience's
// business. g is the game as it stands after the step.
func show(e game.Event, ply int, to audience, setup *game.Setup, g *game.Game) (wire.Event, bool) {
	out, ok := plain(e, ply, to, g)
	if ok {
		out.Rule = setup.Cites(e)
	}
	return out, ok
}

func plain(e game.Event, ply int, to audience, g *game.Game) (wire.Event, bool) {
	by := e.By.String()
	own := to.is(e.By)
	switch e.Kind {
	case game.Started:
		return wire.Event{K: "start"}, true
	case game.Released:
		return wire.Event{K: "move", By: by, M: board.Move(e.Move).UCI(), Ply: ply}, true
	case game.Pressed:
		return wire.Event{K: "press", By: by, Lag: e.Credit}, true
	case game.Retracted:
		return wire.Event{K: "back", By: by, M: board.Move(e.Move).UCI()}, true
	case game.Queued:
		return wire.Event{K: "queued", By: by, M: board.Move(e.Move).UCI(), Press: e.Press}, own
	case game.QueuedPress:
		return wire.Event{K: "queued", By: by, Press: true}, own
	case game.Unqueued:
		return wire.Event{K: "unqueued", By: by}, own
	case game.Flagged:
		return wire.Event{K: "flag", By: by}, true
	case game.Offered:
		return wire.Event{K: "offer", By: by}, true
	case game.Declined:
		return wire.Event{K: "decline", By: by}, true
	case game.Lapsed:
		return wire.Event{K: "decline", By: e.By.Other().String()}, true
	case game.Muted:
		return wire.Event{K: "muted", By: by}, own
	case game.Denied:
		// a refused retraction without a penalty is between the server and the player
		return wire.Event{K: "denied", By: by, Claim: string(e.Claim), Code: string(e.Code), Step: e.Step, Add: e.Add, Take: e.Take},
			own || e.Claim != game.ClaimRetract || e.Add > 0
	case game.Arrived:
		return wire.Event{K: "here", By: by}, true
	case game.Departed:
		return wire.Event{K: "away", By: by}, true
	case game.Paused:
		return wire.Event{K: "pause", Why: "server", Ms: e.Charged}, true
	case game.Interrupted:
		return wire.Event{K: "pause", Why: "server"}, true
	case game.Waited:
		return wire.Event{K: "pause", Why: "away"}, true
	case game.Resumed:
		return wire.Event{K: "resume"}, true
	case game.ProofAsked:
		return wire.Event{K: "proof", By: by, Claim: string(e.Claim)}, true
	case game.DemoBegan:
		return wire.Event{K: "demo", By: by, Demo: demoFor(to, g, e.At)}, true
	case game.DemoMoved: // spectators see a demonstration when it is over (rulings D37)
		return wire.Event{K: "demomove", By: by, M: board.Move(e.Move).UCI(), Demo: demoFor(to, g, e.At)}, game.Side(to) != game.None
	case game.DemoEnded:
		return wire.Event{K: "demoend", Shown: e.Yes}, true
	case game.Disputed:
		return wire.Event{K: "dispute", By: by, Claim: string(e.Claim), Stops: e.Stops}, true
	case game.Ruled:
		r := e.Ruling
		return wire.Event{K: "ruling", By: about(r), Who: r.Who, Why: r.Why, Act: string(r.Act), Add: e.Add, Score: string(r.Score)}, true
	case game.Restored:
		return wire.Event{K: "restored", By: by, Board: placement(e.FEN), Ply: e.Ply, Step: e.Step, Add: e.Add}, true
	case game.Faulted:
		return wire.Event{K: "fault", By: by, Step: e.Step, Add: e.Add}, true
	case game.DelayInserted:
		return wire.Event{K: "delay", By: by, Ms: e.Delay}, true
	case game.Held:
		return wire.Event{K: "proof", By: by, Claim: string(e.Claim)}, true
	case game.Ended:
		return wire.Event{K: "end", End: end(e.Result)}, true
	}
	return wire.Event{}, false
}
