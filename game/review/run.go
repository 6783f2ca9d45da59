package review

import (
	"errors"
	"fmt"

	"flagfall/game"
	"flagfall/game/board"
)

// Prover answers what games ask about positions.
type Prover interface {
	Answer(q game.Question) (game.Verdict, error)
}

// Opinion is a game under one rule book.
type Opinion struct {
	RuleSet string
	Book    string // "WBCA"
	Claims  []*Claim
	End     *game.Result // with nothing claimed, where the game ended by itself
	EndLine int
	Stopped string // why the record was not followed to its end; "" when it was
	StopLine,
	Unplayed int // moves of the record after the end or the stop
	Resigned [2]*game.Result // what a resignation at the end of the record gives, by its side; nil when it had ended
	Agreed   *game.Result
}

// Once is a prover that asks every question once. Those that judge one game under several rule books share it.
func Once(prover Prover) Prover {
	return memory{prover: prover, known: map[game.Question]game.Verdict{}}
}

// Judge plays the record under a rule set, as it was played and with nothing claimed, and looks at each moment for what
// could have been claimed. The error is of the prover.
func (r *Record) Judge(ruleSet string, prover Prover) (*Opinion, error) {
	book, known := game.BookOf(ruleSet)
	if !known {
		return nil, fmt.Errorf("rule set %q is not known", ruleSet)
	}
	p := &play{
		record: r, game: game.New(), prove: prover,
		out: &Opinion{RuleSet: ruleSet, Book: book.Cite},
	}
	p.run(ruleSet)
	return p.out, p.err
}

// memory asks every question once.
type memory struct {
	prover Prover
	known  map[game.Question]game.Verdict
}

// Answer implements Prover.
func (m memory) Answer(q game.Question) (game.Verdict, error) {
	if v, ok := m.known[q]; ok {
		return v, nil
	}
	v, err := m.prover.Answer(q)
	if err == nil {
		m.known[q] = v
	}
	return v, err
}

// play is a record that is played again.
type play struct {
	record *Record
	game   *game.Game
	prove  Prover
	out    *Opinion
	at     int64
	line   int
	rest   []step // what follows the step that is played
	err    error
	back   *game.Event // the position of an illegal move was restored with the last command
}

func (p *play) run(ruleSet string) {
	setup := p.record.Setup
	setup.RuleSet, setup.Mode = ruleSet, game.OverTheBoard
	o := setup.Options
	setup.Options = game.Options{
		BothFlagsIdle: o.BothFlagsIdle, ArbiterCallsFlags: o.ArbiterCallsFlags, ArbiterCallsIllegal: o.ArbiterCallsIllegal,
		WideRookPawn: o.WideRookPawn, AddPenalty: o.AddPenalty,
	}
	p.line = -1
	if err := p.do(game.Command{Kind: game.Create, By: game.None, Setup: &setup}); err != nil {
		p.stop(err.Error())
		return
	}
	p.look()
	for i, s := range p.record.steps {
		if !p.goesOn() {
			break
		}
		p.rest = p.record.steps[i+1:]
		if p.pass(s.at); p.goesOn() {
			p.line = s.line
			p.step(s)
		}
	}
	p.finish()
}

func (p *play) goesOn() bool {
	return p.err == nil && p.out.Stopped == "" && p.game.Phase() != game.Over
}

func (p *play) stop(why string) { p.out.Stopped, p.out.StopLine = why, p.line }

// do carries out a command and answers what the game asks.
func (p *play) do(c game.Command) error {
	p.back = nil
	events, err := p.game.Decide(c, p.at)
	for i, e := range events {
		p.game.Apply(e)
		if e.Kind == game.Restored {
			p.back = &events[i]
		}
	}
	if err != nil {
		return err
	}
	if p.err = settle(p.game, p.prove, p.at); p.err == nil && p.game.Phase() == game.Demonstrating {
		by, _, _, _ := p.game.Demo(p.at)
		p.stop(fmt.Sprintf("%s would have to show a forced win on the board within two minutes", by.Name()))
	}
	return nil
}

// settle answers the questions of a game until it asks no more.
func settle(g *game.Game, prover Prover, at int64) error {
	for {
		q, _, waits := g.Asked()
		if !waits {
			return nil
		}
		verdict, err := prover.Answer(q)
		if err != nil {
			return fmt.Errorf("%s for %s of %s: %w", q.Kind, q.Side.Name(), q.FEN, err)
		}
		events, err := g.Decide(game.Command{Kind: game.Prove, By: game.None, Question: &q, Verdict: verdict}, at)
		if err != nil {
			return err
		}
		for _, e := range events {
			g.Apply(e)
		}
	}
}

// pass lets time pass, and looks at every flag that falls meanwhile.
func (p *play) pass(at int64) {
	for p.goesOn() {
		due, ok := p.game.Deadline()
		if !ok || due > at {
			break
		}
		p.at = max(p.at, due)
		if err := p.do(game.Command{Kind: game.Tick, By: game.None}); err != nil {
			p.stop(err.Error())
			return
		}
		if next, again := p.game.Deadline(); again && next <= due {
			p.stop("its clock does not go on") // a deadline that a tick does not settle
			return
		}
		p.look()
	}
	p.at = max(p.at, at)
}

func (p *play) step(s step) {
	c := game.Command{By: s.by, Move: s.move, Ply: game.AnyPly, Lag: s.lag, Press: s.press}
	if s.bare {
		c.Move.Promo = board.NoKind
	}
	switch s.kind {
	case doRelease:
		c.Kind = game.Release
	case doPress:
		c.Kind = game.Press
	case doRetract:
		c.Kind = game.Retract
	case doRestore:
		p.restore(s)
		return
	case doClocks:
		p.setClocks(s.left)
		return
	case doPass, doNote:
		p.look()
		return
	}
	if err := p.do(c); err != nil {
		p.stop(p.refused(err))
		return
	}
	if p.back != nil && !p.restoredNext() {
		p.stop(fmt.Sprintf("the arbiter has the move taken back at once%s", gets(p.back)))
		return
	}
	if s.kind == doPress && p.back == nil && p.goesOn() {
		p.setClocks(s.left)
	}
	if p.goesOn() {
		p.look()
	}
}

// restoredNext tells whether the record, too, goes back before anything else is done.
func (p *play) restoredNext() bool {
	for _, s := range p.rest {
		switch s.kind {
		case doRestore:
			return true
		case doNote, doClocks, doPass:
		default:
			return false
		}
	}
	return false
}

func gets(e *game.Event) string {
	if e.Add == 0 {
		return ""
	}
	return fmt.Sprintf(", and %s gets %s", e.By.Other().Name(), seconds(e.Add))
}

// restore follows the record back to the position before an illegal move, by the claim that did it.
func (p *play) restore(s step) {
	same := func() bool {
		b := p.game.Board()
		return b.Placement() == s.back.Placement()
	}
	if same() {
		return
	}
	c, err := p.try(s.by.Other(), game.ClaimIllegal)
	switch {
	case err != nil:
		p.err = err
		return
	case c != nil && c.Result != nil:
		p.stop(fmt.Sprintf("in the record %s claims the illegal move, and here that is %s (%s)", c.By.Name(), c.Result.Score, c.Result.Cite()))
		return
	}
	if c == nil || p.do(game.Command{Kind: game.MakeClaim, By: s.by.Other(), Claim: game.ClaimIllegal}) != nil || !same() {
		p.stop("the record goes back to the position before an illegal move, and under these rules it could not")
	}
}

// refused says why the rules do not let a step of the record happen.
func (p *play) refused(err error) string {
	var refusal *game.Refusal
	if !errors.As(err, &refusal) {
		return err.Error()
	}
	switch refusal.Code {
	case game.TouchMove:
		return "the man that was touched has to move"
	case game.UseClaim:
		return "a king is not taken under these rules; the illegal move before it may be claimed instead"
	case game.ClaimInstead:
		return "the illegal move before it may be claimed instead"
	}
	return "the rules refuse it: " + refusal.Error()
}

// setClocks makes the clocks what the record says.
func (p *play) setClocks(left [2]int64) {
	c := p.game.Clock()
	want := [2]int64{left[game.White], left[game.Black]}
	for side := range want {
		if want[side] < 0 {
			want[side] = c.Remaining(game.Side(side), p.at)
		}
		want[side] = min(want[side], game.MaxBase)
	}
	if want == [2]int64{c.Remaining(game.White, p.at), c.Remaining(game.Black, p.at)} {
		return
	}
	ruling := &game.Ruling{Act: game.ActClocks, Who: "the record", Why: "its clocks", Side: game.None, Clocks: want}
	if err := p.do(game.Command{Kind: game.Arbitrate, By: game.None, Ruling: ruling}); err != nil {
		p.stop(err.Error())
	}
}

// finish notes how the game ended by itself, and what could still be done at the end of the record.
func (p *play) finish() {
	p.out.End, p.out.EndLine = p.game.Result(), p.line
	p.out.Unplayed = len(p.record.Lines) - 1 - p.line
	if p.game.Phase() != game.Play || p.out.Stopped != "" {
		p.closeAll()
		return
	}
	for _, side := range [2]game.Side{game.White, game.Black} {
		p.out.Resigned[side] = p.after(game.Command{Kind: game.Resign, By: side})
	}
	p.out.Agreed = p.after(game.Command{Kind: game.OfferDraw, By: game.White}, game.Command{Kind: game.AnswerDraw, By: game.Black, Accept: true})
}

// after is the result of commands that are tried on a copy, nil when there is none.
func (p *play) after(commands ...game.Command) *game.Result {
	g := *p.game
	for _, c := range commands {
		events, err := g.Decide(c, p.at)
		if err != nil {
			return nil
		}
		for _, e := range events {
			g.Apply(e)
		}
	}
	return g.Result()
}
