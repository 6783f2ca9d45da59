package model_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"
	"testing"

	"flagfall/game"
	"flagfall/game/board"
	"flagfall/game/endgame"
	"flagfall/loadtest/model"
)

var (
	games = flag.Int("games", defaultGames, "random games that the engine and the model play side by side")
	seed  = flag.Uint64("seed", 1, "of the random games")
)

// step is one command with its game time.
type step struct {
	at int64
	c  game.Command
}

// TestTwoReferees plays random games through the engine and through the model: every outcome, refusal, ruling, clock and
// position must be the same after every command. The answers of proofs are a fixed function of their questions.
func TestTwoReferees(t *testing.T) {
	seen := census{}
	var mu sync.Mutex
	var playing sync.WaitGroup
	work := make(chan uint64)
	for range runtime.GOMAXPROCS(0) {
		playing.Go(func() {
			own := census{}
			for n := range work {
				d := newDice(*seed, n)
				setup := d.setup()
				p := newPair(setup, own)
				steps, difference := d.play(p)
				if difference == "" {
					continue
				}
				steps, difference = shrink(setup, steps, difference)
				t.Errorf("game %d of seed %d: %s\n%s", n, *seed, difference, transcript(setup, steps))
			}
			mu.Lock()
			defer mu.Unlock()
			seen.add(own)
		})
	}
	for n := range *games {
		if t.Failed() && n%64 == 0 {
			break // one or two transcripts are enough
		}
		work <- uint64(n)
	}
	close(work)
	playing.Wait()
	if testing.Verbose() {
		t.Logf("%d games\n%s", *games, seen)
	}
	if *games < 10_000 || t.Failed() {
		return
	}
	for _, what := range musts {
		if seen[what] == 0 {
			t.Errorf("in %d games there was never: %s", *games, what)
		}
	}
}

// census counts what happened.
type census map[string]int

func (c census) add(other census) {
	for k, n := range other {
		c[k] += n
	}
}

func (c census) String() string {
	names := make([]string, 0, len(c))
	for name := range c {
		names = append(names, name)
	}
	sort.Strings(names)
	var out strings.Builder
	for _, name := range names {
		fmt.Fprintf(&out, "%8d %s\n", c[name], name)
	}
	return out.String()
}

// pair is one game, twice.
type pair struct {
	engine *game.Game
	model  *model.Game
	at     int64
	rules  string
	seen   census
}

func newPair(setup *game.Setup, seen census) *pair {
	b, err := board.ParseFEN(setup.FEN)
	if err != nil {
		panic(err)
	}
	o := setup.Options
	p := &pair{engine: game.New(), rules: setup.RuleSet, seen: seen}
	p.model = model.New(model.Terms{
		Rules: setup.RuleSet, Board: b, Base: setup.Base, Fast: setup.Mode == game.Fast,
		Timing: string(setup.Timing.Kind), Each: setup.Timing.Ms,
		Ladder: o.Ladder, CallFlags: o.ArbiterCallsFlags, CallIllegal: o.ArbiterCallsIllegal, OnDuty: o.OnDuty,
		AddPenalty: o.AddPenalty, Wide8i: o.WideRookPawn, DelayClock: o.DelayClock, Window: o.Window,
		BothFlagsIdle: o.BothFlagsIdle, Presence: o.Presence, FirstMove: o.FirstMove, Abandonment: o.Abandonment,
	})
	p.model.Glance = glance
	events, err := p.engine.Decide(game.Command{Kind: game.Create, By: game.None, Setup: setup}, 0)
	if err != nil {
		panic(err)
	}
	for _, e := range events {
		p.engine.Apply(e)
	}
	if !o.Presence {
		p.model.Start(0)
	}
	return p
}

// do gives both the command and says how they differ.
func (p *pair) do(s step) string {
	p.at = s.at
	events, err := p.engine.Decide(s.c, s.at)
	before := p.model.Clone()
	// where many men stand the engine looks for a lock now and then only; it may find none that is not there
	p.model.Locked = func(b *model.Board) bool {
		few := b.Total(board.White)+b.Total(board.Black) <= alwaysLooked
		return (few || ends(events)) && endgame.Dead(*b, glanceNodes)
	}
	r := command(p.model, &s.c, s.at)
	if r.Refused() {
		p.model = before
	}
	if err != nil {
		code := string(err.(*game.Refusal).Code)
		p.count(true, "refused", code)
		if !r.Refused() || code != r.Code && !r.Loose {
			return fmt.Sprintf("the engine refuses with %s, the model says %s %s", code, r.Code, list(r.Facts))
		}
		return p.compare()
	}
	var got []model.Fact
	for i := range events {
		p.engine.Apply(events[i])
		if f, ok := fact(&events[i]); ok {
			got = append(got, f)
			p.count(f.K != "end", f.K, f.Claim, f.Code)
		}
		if result := events[i].Result; result != nil {
			score := string(result.Score)
			if result.Winner() != game.None {
				score = "win"
			}
			p.count(true, "end", score, string(result.Reason), result.Rule)
		}
	}
	if r.Refused() {
		return fmt.Sprintf("the model refuses with %s, the engine does %s", r.Code, list(got))
	}
	if !slices.Equal(got, r.Facts) {
		return fmt.Sprintf("the engine does %s, the model %s", list(got), list(r.Facts))
	}
	return p.compare()
}

func ends(events []game.Event) bool {
	return len(events) > 0 && events[len(events)-1].Kind == game.Ended
}

func (p *pair) count(really bool, parts ...string) {
	if really {
		p.seen[p.rules+" "+strings.Join(strings.Fields(strings.Join(parts, " ")), " ")]++
	}
}

// state is everything that both must agree on.
type state struct {
	Phase         string
	Board         board.Board
	Pending       string
	Queued        string
	Clock         [2]int64
	Flag          [2]bool
	Running       game.Side
	Delay         int64
	Offer         game.Side
	Plies         int
	Faults        [2]int
	End           model.End
	Question      string
	Demo          string
	Due           int64
	hasEnd, isDue bool
}

func (p *pair) compare() string {
	e, m := p.ofEngine(), p.ofModel()
	if e == m {
		return ""
	}
	if e.Board != m.Board {
		return fmt.Sprintf("the engine has %s on the board, the model %s", e.Board.FEN(), m.Board.FEN())
	}
	e.Board, m.Board = board.Board{}, board.Board{}
	return fmt.Sprintf("afterwards\n  engine %+v\n  model  %+v", e, m)
}

func (p *pair) ofEngine() state {
	g := p.engine
	c := g.Clock()
	s := state{Phase: string(g.Phase()), Board: g.Board(), Running: c.Running(), Offer: g.Offer(), Plies: len(g.Plies())}
	if m, by := g.Pending(); by != game.None && g.Phase() != game.Over {
		s.Pending = by.String() + m.UCI()
	}
	if m, press, by := g.Reply(); by != game.None && g.Phase() != game.Over {
		s.Queued = fmt.Sprint(by, m.UCI(), press)
	}
	for side := range game.None {
		s.Clock[side], s.Flag[side], s.Faults[side] = c.Remaining(side, p.at), c.Down(side), g.IllegalMoves(side)
	}
	if r := g.Result(); r != nil {
		s.End, s.hasEnd = model.End{Result: string(r.Score), Reason: string(r.Reason), Rule: r.Rule}, true
		s.Offer = game.None
		return s
	}
	s.Delay = c.DelayLeft(p.at)
	if q, _, waits := g.Asked(); waits {
		s.Question = fmt.Sprint(q.Kind, " ", q.Side, " ", q.FEN)
	}
	if by, b, _, left := g.Demo(p.at); by != game.None && g.Phase() == game.Demonstrating {
		s.Demo = fmt.Sprint(by, " ", b.FEN(), " ", left)
	}
	s.Due, s.isDue = g.Deadline()
	return s
}

func (p *pair) ofModel() state {
	g := p.model
	s := state{Phase: g.Phase, Board: g.Board(), Running: game.Side(g.Running), Flag: g.Flag, Faults: g.Faults, Plies: g.Plies(),
		Offer: game.Side(g.Offer)}
	if by, m, _, ok := g.Pending(); ok && g.End == nil {
		s.Pending = by.String() + m.UCI()
	}
	if by, m, press, ok := g.Reply(); ok && g.End == nil {
		s.Queued = fmt.Sprint(by, m.UCI(), press)
	}
	for side := range s.Clock {
		s.Clock[side] = max(0, g.Left(model.Color(side), p.at))
	}
	if g.End != nil {
		s.End, s.hasEnd = *g.End, true
		s.Offer = game.None
		return s
	}
	s.Delay = g.DelayLeft(p.at)
	if q, asked := g.Asked(); asked {
		s.Question = fmt.Sprint(q.Kind, " ", q.Side, " ", q.Board.FEN())
	}
	if by, b, left, ok := g.Shown(p.at); ok && g.Phase == model.Showing {
		s.Demo = fmt.Sprint(by, " ", b.FEN(), " ", left)
	}
	s.Due, s.isDue = g.Due()
	return s
}

// command gives one command of the engine to the model.
func command(g *model.Game, c *game.Command, at int64) model.Result {
	by := model.Color(c.By)
	fromPlayer := true
	switch c.Kind {
	case game.Tick, game.Prove, game.Arbitrate, game.Recover:
		fromPlayer = false
	}
	if g.Phase == model.Over {
		switch c.Kind {
		case game.Arrive, game.Depart, game.Tick, game.Recover:
			return model.Result{Code: model.OK}
		}
		return model.Result{Code: "game_over"}
	}
	if c.Kind == game.Recover {
		return g.Outage(c.Elapsed, c.Gap, at)
	}
	var first []model.Fact
	if fromPlayer && c.Kind != game.Depart {
		first = g.Wake(by, at)
	}
	first = append(first, g.Advance(at)...)
	if g.Phase == model.Over {
		return model.Result{Code: model.OK, Facts: first}
	}
	r := act(g, c, by, at)
	r.Facts = append(first, r.Facts...)
	return r
}

func act(g *model.Game, c *game.Command, by model.Color, at int64) model.Result {
	stale := c.Ply != game.AnyPly && c.Ply != g.NextPly(by)
	switch c.Kind {
	case game.Tick:
		return model.Result{Code: model.OK, Facts: g.Tick(at)}
	case game.Arrive, game.Depart:
		return g.Presence(by, c.Kind == game.Arrive, at)
	case game.Prove:
		if q, asked := g.Asked(); !asked || c.Question == nil || q.Board.FEN() != c.Question.FEN || q.Kind != string(c.Question.Kind) {
			return model.Result{Code: model.OK}
		}
		return g.Prove(map[game.Verdict]model.Verdict{game.Proved: model.Yes, game.Refuted: model.No}[c.Verdict], at)
	case game.Release:
		if stale {
			r := g.Clone().Move(by, c.Move, c.Press, at)
			switch r.Code {
			case "not_started", "being_judged", "clocks_stopped":
				return r
			}
			return model.Result{Code: "stale_ply"}
		}
		return g.Move(by, c.Move, c.Press, at)
	case game.Press:
		return g.Press(by, c.Ply, at)
	case game.Retract:
		return g.Retract(by, c.Ply, at)
	case game.MakeClaim:
		return g.Claim(by, string(c.Claim), at)
	case game.Resign:
		return g.Resign(by, at)
	case game.OfferDraw:
		return g.OfferDraw(by, at)
	case game.AnswerDraw:
		return g.Answer(by, c.Accept, at)
	case game.MuteOffers:
		return g.Mute(by, at)
	case game.DemoMove:
		return g.Demo(by, c.Move, at)
	case game.Concede:
		return g.Concede(by, at)
	case game.Dispute:
		return g.Dispute(by, at)
	case game.Arbitrate:
		r := c.Ruling
		return g.Arbitrate(model.Ruling{Act: string(r.Act), Side: model.Color(r.Side), Clocks: r.Clocks, Score: string(r.Score), Rule: r.Rule}, at)
	}
	return model.Result{Code: "unknown_command"}
}

var kinds = map[game.Kind]string{
	game.Started: "start", game.Arrived: "here", game.Departed: "away", game.Released: "move", game.Queued: "queued",
	game.QueuedPress: "queued", game.Unqueued: "unqueued", game.Retracted: "back", game.Pressed: "press", game.Flagged: "flag",
	game.Offered: "offer", game.Declined: "decline", game.Lapsed: "decline", game.Muted: "muted", game.Denied: "denied",
	game.ProofAsked: "proof", game.Held: "proof", game.DemoBegan: "demo", game.DemoMoved: "demomove", game.DemoEnded: "demoend",
	game.Disputed: "dispute", game.Ruled: "ruling", game.Restored: "restored", game.Faulted: "fault",
	game.DelayInserted: "delay", game.Paused: "pause", game.Resumed: "resume",
	game.Interrupted: "interrupted", game.Waited: "waited", game.Ended: "end",
}

// fact is an event of the engine in the model's words.
func fact(e *game.Event) (model.Fact, bool) {
	f := model.Fact{K: kinds[e.Kind], By: model.Color(e.By), Move: board.Move(e.Move), Claim: string(e.Claim), Code: string(e.Code),
		Add: e.Add, Take: e.Take, Yes: e.Yes || e.Stops}
	switch e.Kind {
	case game.ProofGiven:
		return f, false
	case game.Lapsed:
		f.By = f.By.Other()
	case game.Restored, game.Faulted:
		f.Move, f.Step = board.Move{}, e.Step
	case game.Disputed, game.DelayInserted:
		f.Claim = ""
	case game.Ruled:
		f.By = model.Nobody
	}
	return f, true
}

func list(facts []model.Fact) string {
	var out []string
	for _, f := range facts {
		s := f.K
		if f.By != model.Nobody {
			s += " " + f.By.String()
		}
		if f.Move != (board.Move{}) {
			s += " " + f.Move.UCI()
		}
		for _, part := range []string{f.Claim, f.Code} {
			if part != "" {
				s += " " + part
			}
		}
		if f.Add != 0 || f.Take != 0 || f.Step != 0 {
			s += fmt.Sprintf(" +%d -%d #%d", f.Add, f.Take, f.Step)
		}
		if f.Yes {
			s += " yes"
		}
		out = append(out, s)
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// replay plays steps and tells the first difference and how many steps it took.
func replay(setup *game.Setup, steps []step) (n int, difference string) {
	p := newPair(setup, census{})
	for i, s := range steps {
		if d := p.do(s); d != "" {
			return i + 1, d
		}
	}
	return len(steps), ""
}

// shrink leaves out every step without which the two still differ.
func shrink(setup *game.Setup, steps []step, difference string) ([]step, string) {
	for size := len(steps) / 2; size > 0; size /= 2 {
		for from := 0; from+size <= len(steps); {
			fewer := slices.Concat(steps[:from], steps[from+size:])
			if n, d := replay(setup, fewer); d != "" {
				steps, difference = fewer[:n], d
				continue
			}
			from += size
		}
		if size == 1 {
			break
		}
	}
	return steps, difference
}

func transcript(setup *game.Setup, steps []step) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s %s %s clocks %v timing %+v %+v\n", setup.RuleSet, setup.Mode, setup.FEN, setup.Base, setup.Timing, setup.Options)
	for _, s := range steps {
		fmt.Fprintf(&out, "%8d %s\n", s.at, describe(&s.c))
	}
	return out.String()
}

var names = [...]string{"create", "arrive", "depart", "move", "press", "retract", "claim", "resign", "offer", "answer", "mute", "tick",
	"recover", "prove", "demo", "concede", "dispute", "arbiter"}

func describe(c *game.Command) string {
	out := c.By.String() + " " + names[c.Kind]
	switch c.Kind {
	case game.Release, game.DemoMove:
		out += " " + c.Move.UCI()
		if c.Press {
			out += " +press"
		}
	case game.MakeClaim:
		out += " " + string(c.Claim)
	case game.AnswerDraw:
		out += fmt.Sprint(" ", c.Accept)
	case game.Prove:
		out += fmt.Sprintf(" %s %s %s: %s", c.Question.Kind, c.Question.Side, c.Question.FEN, c.Verdict)
	case game.Recover:
		out += fmt.Sprintf(" elapsed %d gap %d", c.Elapsed, c.Gap)
	case game.Arbitrate:
		out += fmt.Sprintf(" %+v", *c.Ruling)
	}
	if c.Ply != game.AnyPly && (c.Kind == game.Release || c.Kind == game.Press || c.Kind == game.Retract) {
		out += fmt.Sprint(" ply ", c.Ply)
	}
	return out
}

// newDice are the dice of one game.
func newDice(seed, n uint64) *dice { return &dice{Rand: rand.New(rand.NewPCG(seed, n))} }
