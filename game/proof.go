package game

import (
	"errors"

	"flagfall/game/board"
)

// QuestionKind is what is asked about a position.
type QuestionKind string

// The questions. All are about one side, whoever is on move.
const (
	AskMate     QuestionKind = "mate"     // can the side force mate?
	AskWin      QuestionKind = "win"      // can it force mate, or a position that the tables know as won?
	AskKnownWin QuestionKind = "known"    // as win, but "undecided" counts as no
	AskPossible QuestionKind = "possible" // can it mate by any series of legal moves? "undecided" counts as yes
)

// Question is put to whoever searches: the game waits with both clocks stopped and never searches itself.
type Question struct {
	Kind QuestionKind `json:"kind"`
	FEN  string       `json:"fen"`
	Side Side         `json:"side"`
}

// Board is the position asked about.
func (q Question) Board() (board.Board, error) { return board.ParseArrangement(q.FEN) }

// Verdict answers a question. It must be the same on every machine.
type Verdict string

// The verdicts.
const (
	Proved    Verdict = "yes"
	Refuted   Verdict = "no"
	Undecided Verdict = "undecided"
)

// inquiry is a claim that waits for answers, with those it has.
type inquiry struct {
	by       Side // None: nothing waits
	claim    Claim
	question Question
	known    []answered
}

type answered struct {
	question Question
	yes      bool
}

// needed is the error of a judgement that lacks an answer.
type needed struct{ question Question }

func (n *needed) Error() string { return "a proof is needed: " + string(n.question.Kind) }

// proved answers a question from what is known, or says that it has to be asked.
func (d *draft) proved(kind QuestionKind, b *board.Board, side Side) (bool, error) {
	q := Question{Kind: kind, FEN: b.FEN(), Side: side}
	for _, a := range d.inquiry.known {
		if a.question == q {
			return a.yes, nil
		}
	}
	return false, &needed{q}
}

// judge lets the rule book judge a claim. Where it lacks a proof, both clocks stop and the proof is asked for.
func (d *draft) judge(by Side, claim Claim) error {
	err := d.rules.claim(d, by, claim)
	var n *needed
	if errors.As(err, &n) {
		d.emit(Event{Kind: ProofAsked, By: by, Claim: claim, Question: &n.question})
		return nil
	}
	return err
}

// answerProof takes the verdict of a search, and goes on with the claim that waits for it.
func (d *draft) answerProof(c Command) {
	if d.phase != Proving || c.Question == nil || *c.Question != d.inquiry.question {
		return
	}
	q := *c.Question
	switch {
	case d.demo.on: // the position reached on the side board is decided
		d.endDemo(c.Verdict == Proved)
	case c.Verdict == Undecided && (q.Kind == AskMate || q.Kind == AskWin):
		d.emit(Event{Kind: DemoBegan, By: d.demonstrator(), Question: &q})
	default:
		d.emit(Event{Kind: ProofGiven, By: None, Question: &q, Yes: c.Verdict == Proved || c.Verdict == Undecided && q.Kind == AskPossible})
		d.settle()
	}
}

// settle judges the waiting claim with what is known by now. Where it ends nothing, the game goes on.
func (d *draft) settle() {
	by, claim, asks := d.inquiry.by, d.inquiry.claim, d.asks
	err := d.judge(by, claim)
	if d.phase == Over || d.asks > asks {
		return
	}
	var refusal *Refusal
	if errors.As(err, &refusal) {
		d.emit(Event{Kind: Denied, By: by, Claim: claim, Code: refusal.Code})
	}
	d.inquiry.by = None
	if d.callFlags(); d.phase == Over || d.asks > asks {
		return
	}
	if d.phase != Play {
		d.goOn()
	}
	d.answer()
}

// flagFell lets the rule book call a flag, unless a claim is being judged: that came first.
func (d *draft) flagFell(side Side) {
	if d.inquiry.by == None {
		d.rules.flagFell(d, side)
	}
}

// callFlags calls the flags that have fallen while a claim was judged.
func (d *draft) callFlags() {
	for _, side := range [2]Side{White, Black} {
		if d.phase != Over && d.clock.Down(side) {
			d.flagFell(side)
		}
	}
}

// Asked is the question that waits for its verdict, and its number in this game.
func (g *Game) Asked() (q Question, number int, waits bool) {
	return g.inquiry.question, g.asks, g.phase == Proving && g.held == 0
}

func (g *Game) applyProof(e Event) {
	switch e.Kind {
	case ProofAsked:
		if g.phase != Proving && g.phase != Demonstrating {
			g.stopForClaim(e.At)
		}
		g.inquiry.by, g.inquiry.claim = e.By, e.Claim
		g.inquiry.question = *e.Question
		g.asks++
		g.held = 0
		g.phase = Proving
	case ProofGiven:
		g.inquiry.known = append(g.inquiry.known, answered{*e.Question, e.Yes})
	}
}

// stopForClaim stands both clocks; resume lets that of the side on turn run on.
func (g *Game) stopForClaim(at int64) {
	g.stoodAt = at
	g.clock.Stop(at)
}

func (g *Game) resume(at int64) {
	g.phase = Play
	g.resumed = at
	g.turnAt += at - g.stoodAt
	g.clock.Resume(g.turn(), at)
	g.inquiry = inquiry{by: None}
	g.demo = demo{}
	g.held = 0
	g.interrupted = false
}

// wait leaves both clocks standing until the side on move is back.
func (g *Game) wait(at int64) {
	if g.phase == Play {
		g.stopForClaim(at)
	}
	g.phase, g.pausedAt = Halted, at
	g.inquiry, g.demo, g.held = inquiry{by: None}, demo{}, 0
	g.interrupted = false
}

// Judged is the claim that waits for its verdict, and its claimant, or None.
func (g *Game) Judged() (by Side, claim Claim) { return g.inquiry.by, g.inquiry.claim }
