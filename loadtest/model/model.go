// Package model is a plain model of the four rule books as a server has to apply them: what every command must lead to
// in one game. It exists to judge a server from outside and shares nothing with the engine but move generation.
//
// It keeps the moves of the game and asks them anew every time: what may still be claimed, how often a position has
// stood, who set the kings side by side. It is slow and has no timers: whoever drives it gives every command its game
// time in milliseconds, tells it the credit of a press and lets flags fall (Fall, or Advance for a server without
// freedom in this), so that it can follow a server that may choose within an interval.
//
// Forced wins and possible mates are not searched for. A claim that needs one stops the clocks until Prove brings the
// answer.
package model

import "flagfall/game/board"

// Color, Square and Board are those of the move generator.
type (
	Color  = board.Color
	Square = board.Square
	Board  = board.Board
)

// Nobody is the value of Running when both clocks stand, and the author of what no side does.
const Nobody Color = 2

// Phases of a game.
const (
	Waiting  = "waiting"
	Playing  = "play"
	Paused   = "paused"
	Judging  = "proof"
	Showing  = "demo"
	Disputed = "dispute"
	Over     = "over"
)

// Codes of a Result that are not refusals.
const (
	OK       = "ok"
	Queued   = "queued"
	Accepted = "accepted"
	Denied   = "denied" // a refusal that is an event: a penalty, a step of a ladder
)

// Terms are what was agreed before the game. Times are milliseconds.
type Terms struct {
	Rules  string // "wbca", "uscf", "cca", "fide"
	Board  Board
	Base   [2]int64
	Fast   bool   // a release presses too
	Timing string // "", "increment", "delay", "bronstein"
	Each   int64

	Ladder        bool // wrong claims after the free ones give the opponent a minute (D30)
	CallFlags     bool // the server claims fallen flags (12)
	CallIllegal   bool // and illegal moves
	OnDuty        bool // an arbiter is there
	AddPenalty    bool // 13b gives a minute instead of taking one (D21)
	Wide8i        bool // D20
	DelayClock    bool // a losing-chances claim with nobody on duty gets the delay clock (D36)
	Window        int64
	BothFlagsIdle int64 // 0: never (D9)
	Presence      bool  // D33
	FirstMove     int64
	Abandonment   bool
}

// Fact is one thing that a command brings about, named as on the wire.
type Fact struct {
	K         string
	By        Color
	Move      board.Move
	Claim     string
	Code      string // of a denied claim
	Add, Take int64  // ms given to the opponent of By, and taken from By
	Step      int    // of illegal moves that an arbiter has noted (FIDE)
	Yes       bool   // a win was shown; a dispute stops the clocks
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

func refuse(code string) Result { return Result{Code: code} }
func loose(code string) Result  { return Result{Code: code, Loose: true} }

// hand is a released move that is not pressed.
type hand struct {
	by    Color
	move  board.Move
	legal bool
	bare  bool // a promotion that named no piece
	reply bool // it had waited in the queue, so it closes a claim only at its press (D2)
	after Board
}

// turn is a completed move.
type turn struct {
	by            Color
	move          board.Move
	legal         bool
	onlyAdjacent  bool // illegal for no other reason than that the kings stand side by side
	before, after Board
}

type reply struct {
	by    Color
	move  board.Move
	bare  bool
	press bool
}

// Game is one game. Clones are independent of one another.
type Game struct {
	Terms   Terms
	Phase   string
	Clock   [2]int64
	Flag    [2]bool
	Running Color
	Began   int64 // game time up to which the running side has been charged
	Turned  int64 // game time at which the running side's move began, or its clock was set going again
	End     *End
	Offer   Color // whose offer is open, or Nobody
	Faults  [2]int

	// Credits is what the next presses are given back for the network (D31), in their order.
	Credits []int64
	// Glance is what is seen at once of the question whether a side can mate by any series of legal moves; nil sees nothing.
	Glance func(b *Board, side Color) Verdict
	// Locked tells whether it is certain at a glance that neither side can ever mate, pawns being there; nil sees nothing.
	Locked func(b *Board) bool

	history  []turn
	hand     *hand
	queue    *reply
	must     [2]Square
	touched  [2]int // completed moves when the side released a man for the last time
	released [2]bool
	delay    int64 // what is left of the delay of this move
	used     int64 // what the running side has used of this move, delay included
	fellOn   [2]Board
	fellAt   [2]int64

	falsehoods [2]int
	flagUps    [2]int
	unjust     [2]int
	denials    [2]int
	disputes   [2]int // own moves made at the last dispute, plus one
	refusedAt  [2]int // own moves when the last offer was refused, -1 for none
	muted      [2]bool

	inquiry *inquiry
	known   []known // answers, as long as the clocks stand
	show    *show
	calls   []call // claims that the server makes for somebody once what it is at is done

	here                     [2]bool
	hereAt                   [2]int64
	acted                    [2]int64
	turnAt, stoodAt, resumed int64 // since when the side on turn is on turn; when the clocks stopped, and went on
	pausedAt                 int64
	interrupted              bool // the server was away while the clocks stood
}

// New is a game whose clocks do not run yet.
func New(t Terms) *Game {
	g := &Game{Terms: t, Phase: Waiting, Clock: t.Base, Running: Nobody, Offer: Nobody, refusedAt: [2]int{-1, -1}}
	g.must = [2]Square{board.NoSquare, board.NoSquare}
	return g
}

// Clone is an independent copy.
func (g *Game) Clone() *Game {
	c := *g
	c.history = g.history[:len(g.history):len(g.history)]
	c.calls = g.calls[:len(g.calls):len(g.calls)]
	c.known = g.known[:len(g.known):len(g.known)]
	if g.queue != nil {
		q := *g.queue
		c.queue = &q
	}
	if g.inquiry != nil {
		q := *g.inquiry
		c.inquiry = &q
	}
	if g.show != nil {
		s := *g.show
		c.show = &s
	}
	return &c
}

// Board is the last completed position.
func (g *Game) Board() Board {
	if n := len(g.history); n > 0 {
		return g.history[n-1].after
	}
	return g.Terms.Board
}

// Plies is the number of completed moves.
func (g *Game) Plies() int { return len(g.history) }

// Turn is the side that has to move and press.
func (g *Game) Turn() Color { return g.Board().Turn() }

// Pending is the released move that is not pressed yet.
func (g *Game) Pending() (by Color, m board.Move, legal, ok bool) {
	if g.hand == nil {
		return Nobody, board.Move{}, false, false
	}
	return g.hand.by, g.hand.move, g.hand.legal, true
}

// Reply is the reply that waits for the opponent's press.
func (g *Game) Reply() (by Color, m board.Move, press, ok bool) {
	if g.queue == nil {
		return Nobody, board.Move{}, false, false
	}
	return g.queue.by, g.queue.move, g.queue.press, true
}

// NextPly is the index of the move that c would make now.
func (g *Game) NextPly(c Color) int {
	if g.Turn() != c {
		return len(g.history) + 1
	}
	return len(g.history)
}

// last is the last completed move, or nil.
func (g *Game) last() *turn {
	if n := len(g.history); n > 0 {
		return &g.history[n-1]
	}
	return nil
}

// Claimable tells whether an illegal move of the opponent stands open to c's claim (B.3): until c has released a legal
// move, or one that had waited for the press is pressed.
func (g *Game) Claimable(c Color) bool {
	l := g.last()
	if l == nil || l.legal || l.by == c {
		return false
	}
	return g.hand == nil || g.hand.by != c || !g.hand.legal || g.hand.reply
}

// open tells whether the last move is illegal and may be claimed.
func (g *Game) open() bool { return g.Claimable(board.White) || g.Claimable(board.Black) }

// Position is what stands on the board: a released legal move is complete (15).
func (g *Game) Position() Board {
	if g.hand != nil && g.hand.legal {
		return g.hand.after
	}
	return g.Board()
}

// basis is the position that claims are judged on (B.1, D5).
func (g *Game) basis() Board {
	if g.open() {
		return g.last().before
	}
	return g.Position()
}

func (g *Game) bothDown() bool { return g.Flag[0] && g.Flag[1] }

func (g *Game) wbca() bool { return g.Terms.Rules == "wbca" }
func (g *Game) fide() bool { return g.Terms.Rules == "fide" }
func (g *Game) cca() bool  { return g.Terms.Rules == "cca" }

func (g *Game) finish(result, reason, rule string, at int64, f *[]Fact) {
	g.stop(at)
	g.Phase, g.End = Over, &End{result, reason, rule}
	g.calls, g.inquiry, g.show = nil, nil, nil
	*f = append(*f, Fact{K: "end", By: Nobody})
}

func (g *Game) win(c Color, reason, rule string, at int64, f *[]Fact) {
	result := "1-0"
	if c == board.Black {
		result = "0-1"
	}
	g.finish(result, reason, rule, at, f)
}

func (g *Game) draw(reason, rule string, at int64, f *[]Fact) {
	g.finish("1/2-1/2", reason, rule, at, f)
}
