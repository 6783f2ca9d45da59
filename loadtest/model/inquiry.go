package model

import "flagfall/game/board"

// Verdict is the answer to a question.
type Verdict uint8

// The verdicts.
const (
	Undecided Verdict = iota
	Yes
	No
)

// Kinds of questions.
const (
	Mate     = "mate"     // can the side force mate?
	Win      = "win"      // as mate, or a position that tables know as won?
	Known    = "known"    // as win; undecided is no
	Possible = "possible" // can it mate by any series of legal moves? undecided is yes
)

// Question is what a claim depends on: something that one side can or cannot do on a board.
type Question struct {
	Kind  string
	Board Board
	Side  Color
}

// call is a claim, by a player or made for him.
type call struct {
	by    Color
	claim string
}

// inquiry is a claim that waits.
type inquiry struct {
	call
	held int64 // until when it waits for an illegal-move claim of the same moment (D10), or 0
	open Question
}

type known struct {
	question Question
	yes      bool
}

// show is a demonstration on a side board (B.6, D37).
type show struct {
	by    Color // who has to show
	asked Question
	board Board
	left  [2]int64
	since int64
	table bool // it waits for what the tables say of the side board
}

func (s *show) due() int64 { return s.since + s.left[s.board.Turn()] }

// Asked is the question that waits for Prove.
func (g *Game) Asked() (Question, bool) {
	switch {
	case g.Phase != Judging || g.inquiry == nil || g.inquiry.held > 0:
		return Question{}, false
	case g.show != nil:
		return Question{Win, g.show.board, g.show.by}, true
	}
	return g.inquiry.open, true
}

// Shown is the side board of a demonstration and what both have left for it.
func (g *Game) Shown(at int64) (by Color, b Board, left [2]int64, ok bool) {
	if g.show == nil {
		return Nobody, Board{}, left, false
	}
	left = g.show.left
	if !g.show.table {
		c := g.show.board.Turn()
		left[c] = max(0, left[c]-(at-g.show.since))
	}
	return g.show.by, g.show.board, left, true
}

// ask looks an answer up. Where there is none the judgement ends here, by a panic that attempt catches, and is begun
// again with the answer.
func (g *Game) ask(kind string, b *Board, side Color) bool {
	q := Question{kind, *b, side}
	for _, k := range g.known {
		if k.question == q {
			return k.yes
		}
	}
	panic(q)
}

// attempt judges a claim as far as the answers go.
func (g *Game) attempt(c call, at int64, f *[]Fact) (code string, open *Question) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case Question:
			open = &r
		default:
			panic(r)
		}
	}()
	switch g.Terms.Rules {
	case "wbca":
		return g.wbcaClaim(c.by, c.claim, at, f), nil
	case "fide":
		return g.fideClaim(c.by, c.claim, at, f), nil
	}
	return g.usClaim(c.by, c.claim, at, f), nil
}

// judge judges a new claim; where an answer is lacking the clocks stop for it. It returns the code of a refusal.
func (g *Game) judge(c call, at int64, f *[]Fact) string {
	waiting := g.inquiry
	g.inquiry = nil
	code, open := g.attempt(c, at, f)
	switch {
	case open != nil:
		g.inquiry = &inquiry{call: c, open: *open}
		if g.Phase == Playing {
			g.stand(at, Judging)
		}
		g.Phase = Judging
		*f = append(*f, Fact{K: "proof", By: c.by, Claim: c.claim})
	case g.Phase != Over:
		g.inquiry = waiting
	}
	return code
}

// call makes the claims that the server makes for somebody, unless one is being judged.
func (g *Game) call(at int64, f *[]Fact) {
	for g.inquiry == nil && g.Phase != Over && len(g.calls) > 0 {
		c := g.calls[0]
		g.calls = g.calls[1:]
		g.judge(c, at, f) // a refused one leaves everything as it is
	}
}

// Prove takes the answer to the question that is asked.
func (g *Game) Prove(v Verdict, at int64) Result {
	q, ok := g.Asked()
	if !ok {
		return refuse("not_asked")
	}
	var f []Fact
	switch {
	case g.show != nil:
		g.endShow(v == Yes, at, &f)
	case v == Undecided && (q.Kind == Mate || q.Kind == Win):
		s := &show{by: q.Side, asked: q, board: q.Board, left: [2]int64{60_000, 60_000}, since: at}
		s.left[s.by] = 120_000
		g.show, g.Phase = s, Showing
		f = append(f, Fact{K: "demo", By: q.Side})
	default:
		g.learn(q, v == Yes || v == Undecided && q.Kind == Possible, at, &f)
	}
	return Result{Code: OK, Facts: f}
}

// learn goes on with the claim that waits.
func (g *Game) learn(q Question, yes bool, at int64, f *[]Fact) {
	i := g.inquiry
	g.known = append(g.known, known{q, yes})
	code, open := g.attempt(i.call, at, f)
	if open != nil {
		i.open, g.Phase = *open, Judging
		*f = append(*f, Fact{K: "proof", By: i.by, Claim: i.claim})
		return
	}
	g.settled(i.call, code, at, f)
}

// settled ends the wait of a claim that was judged, and lets the game go on.
func (g *Game) settled(c call, code string, at int64, f *[]Fact) {
	if g.Phase == Over {
		return
	}
	if code != "" {
		g.denials[c.by]++
		*f = append(*f, Fact{K: "denied", By: c.by, Claim: c.claim, Code: code})
	}
	g.inquiry = nil
	g.call(at, f)
	if g.inquiry != nil || g.Phase == Over {
		return
	}
	if g.Phase != Playing {
		g.goOn(at, f)
	}
	g.answer(at, f)
}

// release10 judges a time claim that has waited for an illegal-move claim of the same moment (D10).
func (g *Game) release10(at int64, f *[]Fact) {
	c := g.inquiry.call
	g.inquiry = nil
	code := g.judge(c, at, f)
	if g.inquiry == nil {
		g.settled(c, code, at, f)
	}
}

// endShow ends a demonstration, and the claim is judged by it.
func (g *Game) endShow(shown bool, at int64, f *[]Fact) {
	q := g.show.asked
	g.show, g.Phase = nil, Judging
	*f = append(*f, Fact{K: "demoend", By: Nobody, Yes: shown})
	g.learn(q, shown, at, f)
}

// Demo plays a move on the side board, where only legal ones are played.
func (g *Game) Demo(by Color, m board.Move, at int64) Result {
	if r, stop := g.ready(true); stop {
		return r
	}
	s := g.show
	switch {
	case g.Phase != Showing:
		return refuse("no_demo")
	case s.board.Turn() != by:
		return refuse("not_on_move")
	case !s.board.Legal(s.board.Normal(m)):
		return refuse("demo_illegal")
	}
	f := []Fact{{K: "demomove", By: by, Move: s.board.Normal(m)}}
	_, _, s.left, _ = g.Shown(at)
	s.since, s.board = at, s.board.Displace(s.board.Normal(m))
	after := s.board
	switch {
	case !after.AnyLegal():
		g.endShow(by == s.by && after.InCheck(by.Other()), at, &f)
	case dead(&after):
		g.endShow(false, at, &f)
	case after.Total(0)+after.Total(1) <= 4:
		s.table, g.Phase = true, Judging
		f = append(f, Fact{K: "proof", By: g.inquiry.by, Claim: g.inquiry.claim})
	}
	return g.did(by, at, Result{Code: OK, Facts: f})
}

// Concede gives a demonstration up, or believes it.
func (g *Game) Concede(by Color, at int64) Result {
	if r, stop := g.ready(true); stop {
		return r
	}
	if g.Phase != Showing {
		return refuse("no_demo")
	}
	var f []Fact
	g.endShow(by != g.show.by, at, &f)
	return g.did(by, at, Result{Code: OK, Facts: f})
}
