// Package model is a plain model of the WBCA rules as a server has to apply them: what every command must lead to in one
// game. It exists to judge a server from outside and shares nothing with the engine but move generation.
//
// The model has no timers. Whoever drives it gives every command its game time in milliseconds, tells it the credit of a
// press and lets flags fall (Fall), so that it can follow a server that is free to choose within an interval.
package model

import "flagfall/game/board"

// Color, Square and Board are those of the move generator.
type (
	Color  = board.Color
	Square = board.Square
	Board  = board.Board
)

// Nobody is the value of Running when both clocks stand.
const Nobody Color = 2

// PenaltyMs is the minute that a step of a ladder gives to the opponent.
const PenaltyMs = 60_000

// Outcome codes that are not refusals.
const (
	OK       = "ok"
	Queued   = "queued"
	Accepted = "accepted"
	Denied   = "denied" // a refusal that is an event: a step of a ladder
)

// Fact is one thing that a command brings about, named as on the wire: move, press, back, queued, unqueued, offer,
// decline, muted, denied, end.
type Fact struct {
	K     string
	By    Color
	Move  board.Move
	Claim string
	Code  string // of a denied claim
	Add   int64  // ms given to the opponent
}

// End is a result and what it rests on. Rule is without the name of the rule set: "7c", "8f+8h".
type End struct{ Result, Reason, Rule string }

// Result is what a command must lead to: Code is OK, Queued, Accepted, Denied or the code of a refusal. Loose tells that
// the rules leave the code of a refusal open; any refusal will do.
type Result struct {
	Code  string
	Facts []Fact
	Loose bool
}

// Refused tells whether the command leaves everything as it was.
func (r Result) Refused() bool {
	return r.Code != OK && r.Code != Queued && r.Code != Accepted && r.Code != Denied
}

type release struct {
	by    Color
	move  board.Move
	legal bool
	after Board
	reply bool // executed from the queue: closes the window only at its own press (D2)
	adj   bool // illegal for no other reason than that the kings stand side by side
}

type completed struct {
	by     Color
	legal  bool
	adj    bool
	before Board
}

type reply struct {
	move  board.Move
	press bool
}

// Game is one game under the WBCA rules. Copies are independent of one another.
type Game struct {
	Board   Board // last completed position
	Clock   [2]int64
	Flag    [2]bool
	Running Color
	Began   int64 // game time at which the running clock was last settled
	Turned  int64 // game time at which the running side's move began
	Plies   int
	End     *End
	Offer   Color // whose offer is open, or Nobody

	// Credits is what the next presses are given back for the network (D31), in their order.
	Credits []int64

	pending   *release
	last      *completed
	window    bool
	must      [2]Square
	queue     *reply
	basisFell [2]Board
	author    Color // whose king move made the kings adjacent, or Nobody
	falsehood [2]int
	flagUps   [2]int
	offers    [2]offering
	muted     [2]bool // muted[c]: c takes no more offers
	ladder    bool
}

type offering struct {
	lastAt  int // own moves made when the last offer was made, -1 for none
	refused int // own moves made when the last offer was refused, -1 for none
	moves   int // own moves made
}

// Options of a game. Ladder switches the ladder of false claims on (D30), as it is in every live game.
type Options struct{ Ladder bool }

// New is a game from b with ms for each side; nobody's clock runs yet.
func New(b Board, white, black int64, o Options) *Game {
	g := &Game{Board: b, Clock: [2]int64{white, black}, Running: Nobody, Offer: Nobody, author: Nobody, ladder: o.Ladder}
	for c := range g.must {
		g.must[c] = board.NoSquare
		g.offers[c] = offering{lastAt: -1, refused: -1}
	}
	return g
}

// Clone is an independent copy.
func (g *Game) Clone() *Game {
	c := *g
	return &c
}

// Start lets the clock of the side on move run from at.
func (g *Game) Start(at int64) { g.run(g.Board.Turn(), at) }

// Stand stops both clocks without charging anybody beyond what Settle has charged.
func (g *Game) Stand() { g.Running = Nobody }

func (g *Game) run(c Color, at int64) { g.Running, g.Began, g.Turned = c, at, at }

// Resume lets the clock of the side that has to press run again from at.
func (g *Game) Resume(at int64) { g.Running, g.Began = g.Board.Turn(), at }

// Left is the unsigned time of c at the given moment, before any flag is considered; it may be below zero while the
// flag is still up and a credit may save the move.
func (g *Game) Left(c Color, at int64) int64 {
	if g.Flag[c] {
		return 0
	}
	if c == g.Running {
		return g.Clock[c] - (at - g.Began)
	}
	return g.Clock[c]
}

// Over tells by how many ms the running side has used up its time at the given moment while its flag is still up.
func (g *Game) Over(at int64) (c Color, ms int64, ok bool) {
	if g.Running == Nobody || g.Flag[g.Running] {
		return Nobody, 0, false
	}
	left := g.Left(g.Running, at)
	return g.Running, -left, left <= 0
}

// Settle charges the running side up to at.
func (g *Game) Settle(at int64) {
	if g.Running != Nobody {
		g.Clock[g.Running] = g.Left(g.Running, at)
		g.Began = at
	}
}

// Fall lets the flag of c fall at the given moment.
func (g *Game) Fall(c Color, at int64) {
	g.Settle(at)
	g.Flag[c], g.Clock[c] = true, 0
	g.basisFell[c] = g.basis()
}

// Turn is the side that has to move and press.
func (g *Game) Turn() Color { return g.Board.Turn() }

// Pending is the released move that is not pressed yet.
func (g *Game) Pending() (by Color, m board.Move, legal, ok bool) {
	if g.pending == nil {
		return Nobody, board.Move{}, false, false
	}
	return g.pending.by, g.pending.move, g.pending.legal, true
}

// HasReply tells whether a reply waits for the opponent's press.
func (g *Game) HasReply() bool { return g.queue != nil }

// NextPly is the index of the move that c would make now.
func (g *Game) NextPly(c Color) int {
	if g.Turn() != c {
		return g.Plies + 1
	}
	return g.Plies
}

// Claimable tells whether an illegal move of the opponent stands open to c's claim.
func (g *Game) Claimable(c Color) bool {
	return g.window && g.last != nil && g.last.by != c && !g.last.legal
}

func (g *Game) bothDown() bool { return g.Flag[0] && g.Flag[1] }

// basis is the position that material is judged on (B.1, D5).
func (g *Game) basis() Board {
	if g.window && g.last != nil && !g.last.legal {
		return g.last.before
	}
	if g.pending != nil && g.pending.legal {
		return g.pending.after
	}
	return g.Board
}

func (g *Game) finish(result, reason, rule string, f *[]Fact) {
	g.End = &End{result, reason, rule}
	*f = append(*f, Fact{K: "end", By: Nobody})
}

func (g *Game) win(c Color, reason, rule string, f *[]Fact) {
	result := "1-0"
	if c == board.Black {
		result = "0-1"
	}
	g.finish(result, reason, rule, f)
}

func (g *Game) draw(reason, rule string, f *[]Fact) { g.finish("1/2-1/2", reason, rule, f) }

func refuse(code string) Result { return Result{Code: code} }
