package game

import (
	"flagfall/clock"
	"flagfall/game/board"
)

// Phase is where a game stands.
type Phase string

// The phases.
const (
	Waiting Phase = "waiting" // the clock has not been started
	Play    Phase = "play"
	Halted  Phase = "paused" // the server was away; both clocks stand until the side on move is back

	Proving       Phase = "proof"   // a claim waits for a search; both clocks stand
	Demonstrating Phase = "demo"    // a win is being shown on a side board; both clocks stand
	Disputing     Phase = "dispute" // both clocks stand for an arbiter
	Over          Phase = "over"
)

// Ply is a completed move.
type Ply struct {
	Move  board.Move
	Legal bool
	Left  int64 // remaining time of its maker after the press
}

// pending is a released move whose maker has not pressed.
type pending struct {
	by       Side
	move     board.Move
	legal    bool
	bare     bool // a pawn left on the last rank: no piece was named
	adjacent bool // illegal only because the kings stand side by side
	reply    bool // it was released before the opponent's press (D1)
	after    board.Board
}

// reply waits for the opponent's press.
type reply struct {
	by    Side
	move  board.Move
	press bool
	bare  bool  // a promotion that named no piece
	lag   int64 // round trip of the connection that sent it
}

// completed is the last move that was pressed.
type completed struct {
	by       Side
	legal    bool
	adjacent bool
	before   board.Board
}

// offers is the state of draw offers, by side.
type offers struct {
	open    Side // who offered; None
	made    [2]int
	refused [2]int // own moves made when the last offer was refused, plus one
	muted   [2]bool
}

// ladder counts wrong claims (D30), by side.
type ladder struct {
	claims [2]int // false illegal-move claims and refused retractions
	flags  [2]int // time claims while the flag is up
}

// Game is the state of one game. The zero value waits for Created. A copy is independent as long as only one of the
// two is continued: they share the memory of the lists of plies and positions.
type Game struct {
	setup    *Setup
	rules    *RuleSet
	phase    Phase
	board    board.Board // the last completed position
	pending  pending
	queue    reply
	last     completed
	window   bool // the last completed move may be claimed as illegal
	adjacent Side // who set the kings side by side
	must     [2]board.Square
	clock    clock.Clock
	fallen   [2]board.Board // what a claim is judged on, when the flag fell (D13)
	fellAt   [2]int64
	offers   offers
	ladder   ladder
	here     [2]bool
	moved    [2]bool  // has released a move
	touched  [2]bool  // has released a man since the opponent's last press
	hereAt   [2]int64 // last change of here
	actedAt  [2]int64 // last time that the side did something
	turnAt   int64    // since when the side on turn is on turn, less the time for which its clock stood
	stoodAt  int64    // when the clock stopped
	pausedAt int64    // last pause; more than one may fall into the time for which the clock stands
	resumed  int64    // when the game last went on after a pause
	lastAt   int64    // time of the last event
	plies    []Ply
	result   *Result

	repeated    repetition
	offences    []offence // completed illegal moves
	illegal     [2]int    // completed illegal moves that an arbiter has noted
	inquiry     inquiry
	demo        demo
	asks        int   // proofs asked for in this game
	interrupted bool  // the server was away while the clocks stood
	held        int64 // until when a claim is held (D10); 0 when none is
	onDuty      bool
	denied      [2]int // wrong claims of all kinds
	disputed    [2]int // own moves made at the last dispute, plus one
	unjust      [2]int // disputes that an arbiter found without reason
}

// offence is a completed illegal move.
type offence struct {
	by     Side
	ply    int // its index among the plies
	move   board.Move
	before board.Board
}

// New is a game that waits for its Created event.
func New() *Game {
	g := &Game{adjacent: None}
	g.pending.by, g.queue.by, g.last.by, g.offers.open, g.inquiry.by = None, None, None, None, None
	g.must = [2]board.Square{board.NoSquare, board.NoSquare}
	return g
}

// Setup is what was agreed; nil before Created.
func (g *Game) Setup() *Setup { return g.setup }

// Phase is where the game stands.
func (g *Game) Phase() Phase { return g.phase }

// Result is nil while the game runs.
func (g *Game) Result() *Result { return g.result }

// Clock is a copy of the clock.
func (g *Game) Clock() clock.Clock { return g.clock }

// Board is the last completed position.
func (g *Game) Board() board.Board { return g.board }

// Plies are the completed moves; the caller must not change them.
func (g *Game) Plies() []Ply { return g.plies }

// Pending is the released move that is not pressed, and its maker, or None.
func (g *Game) Pending() (board.Move, Side) { return g.pending.move, g.pending.by }

// Reply is the reply that waits for the opponent's press, and its author, or None.
func (g *Game) Reply() (move board.Move, press bool, by Side) {
	return g.queue.move, g.queue.press, g.queue.by
}

// Offer is the side whose draw offer is open, or None.
func (g *Game) Offer() Side { return g.offers.open }

// Here tells whether s is at the table.
func (g *Game) Here(s Side) bool { return g.here[s] }

// Position is the last position reached by a released legal move or by a completed one.
func (g *Game) Position() board.Board {
	if g.pending.by != None && g.pending.legal {
		return g.pending.after
	}
	return g.board
}

// IllegalMoves is how many illegal moves of s an arbiter has noted.
func (g *Game) IllegalMoves(s Side) int { return g.illegal[s] }

// SideOf is the side on which the person plays, or None.
func (g *Game) SideOf(person string) Side {
	switch {
	case g.setup == nil || person == "":
		return None
	case g.setup.White.ID == person:
		return White
	case g.setup.Black.ID == person:
		return Black
	}
	return None
}

// turn is the side on move in the last completed position.
func (g *Game) turn() Side { return Side(g.board.Turn()) }

// basis is the position that a claim is judged on (D5): while an illegal move may still be claimed, the one before it;
// else that of a released legal move, which is complete (WBCA 15); else the last completed one.
func (g *Game) basis() board.Board {
	switch {
	case g.window:
		return g.last.before
	case g.pending.by != None && g.pending.legal:
		return g.pending.after
	}
	return g.board
}

// Apply makes an event part of the state. It uses what the event recorded and judges nothing anew.
func (g *Game) Apply(e Event) {
	g.lastAt = e.At
	if side := e.actor(); side != None {
		g.actedAt[side] = e.At
	}
	switch e.Kind {
	case Created:
		g.create(e)
	case Arrived, Departed:
		g.here[e.By] = e.Kind == Arrived
		g.hereAt[e.By] = e.At
	case Started:
		g.phase = Play
		g.turnAt = e.At
		g.clock.Start(g.turn(), e.At)
	case Released, Retracted, Queued, QueuedPress, Unqueued, Pressed:
		g.applyMove(e)
	case Flagged:
		g.clock.Fall(e.By, e.At)
		g.fallen[e.By] = g.basis()
		g.fellAt[e.By] = e.At
	case Offered, Declined, Lapsed, Muted:
		g.applyOffer(e)
	case Denied:
		g.applyDenied(e)
	case ProofAsked, ProofGiven:
		g.applyProof(e)
	case DemoBegan, DemoMoved, DemoEnded:
		g.applyDemo(e)
	case Disputed, Ruled:
		g.applyArbiter(e)
	case Held:
		g.stopForClaim(e.At)
		g.inquiry.by, g.inquiry.claim = e.By, e.Claim
		g.held = e.At + g.setup.Options.Window
		g.phase = Proving
	case Restored:
		g.applyRestored(e)
	case Faulted:
		g.illegal[e.By] = e.Step
		g.clock.Add(e.By.Other(), e.Add, e.At)
	case DelayInserted:
		g.clock.Delay(e.Delay, e.At)
		g.clock.Correct(White, e.Left[White], e.At)
		g.clock.Correct(Black, e.Left[Black], e.At)
	case Paused:
		if g.phase != Halted {
			g.stoodAt = e.At
		}
		g.phase = Halted
		g.pausedAt = e.At
		g.clock.Stop(e.At)
		g.clock.Set(White, e.Left[White], e.At)
		g.clock.Set(Black, e.Left[Black], e.At)
		g.here = [2]bool{}
		g.hereAt = [2]int64{e.At, e.At}
	case Resumed:
		g.resume(e.At)
	case Interrupted:
		g.interrupted = true
		g.here = [2]bool{}
		g.hereAt = [2]int64{e.At, e.At}
	case Waited:
		g.wait(e.At)
	case Ended:
		g.phase = Over
		g.inquiry, g.demo, g.held = inquiry{by: None}, demo{}, 0
		g.clock.Stop(e.At)
		g.result = e.Result
	}
}

func (g *Game) create(e Event) {
	position, err := e.Setup.position()
	if err != nil {
		panic("game: created with a position that Check refuses: " + err.Error())
	}
	rules, err := ruleSet(e.Setup.RuleSet)
	if err != nil {
		panic("game: created with a rule set that Check refuses: " + err.Error())
	}
	g.setup, g.rules, g.phase, g.board = e.Setup, rules, Waiting, position
	g.clock = clock.New(e.Setup.Base[White], e.Setup.Base[Black], e.Setup.Lag)
	g.clock.Timing(e.Setup.Timing)
	g.onDuty = e.Setup.Options.OnDuty
	g.plies = make([]Ply, 0, 16)
	g.repeated.stood(&position)
}

func (g *Game) applyMove(e Event) {
	switch e.Kind {
	case Released:
		g.moved[e.By], g.touched[e.By] = true, true
		g.clock.Measured(e.By, e.Lag)
		fromQueue := g.queue.by == e.By
		if fromQueue {
			g.queue = reply{by: None}
		}
		g.pending = pending{
			by: e.By, move: board.Move(e.Move), legal: e.Legal, adjacent: e.Adjacent, bare: e.Bare, reply: fromQueue,
			after: g.board.Displace(board.Move(e.Move)),
		}
		if e.Legal {
			g.repeated.released(e.By, &g.pending.after, true)
		}
		if e.Legal && !fromQueue {
			g.window = false
		}
	case Retracted:
		if g.must[e.By] == board.NoSquare {
			from := board.Move(e.Move).From
			if man := g.board.At(from); man != board.NoPiece && Side(man.Color()) == e.By {
				g.must[e.By] = from
			}
		}
		g.pending = pending{by: None}
	case Queued:
		g.queue = reply{by: e.By, move: board.Move(e.Move), press: e.Press, bare: e.Bare, lag: e.Lag}
	case QueuedPress:
		g.queue.press = true
	case Unqueued:
		g.queue = reply{by: None}
	case Pressed:
		g.applyPress(e)
	}
}

func (g *Game) applyPress(e Event) {
	p := g.pending
	g.clock.Press(e.At, e.Credit)
	g.clock.Measured(e.By, e.Lag)
	g.clock.Set(White, e.Left[White], e.At)
	g.clock.Set(Black, e.Left[Black], e.At)
	if !p.legal {
		g.repeated.released(p.by, &p.after, false)
	}
	g.noteOffence(p)
	g.last = completed{by: p.by, legal: p.legal, adjacent: p.adjacent, before: g.board}
	g.adjacent = g.adjacencyAfter(p)
	g.board = p.after
	g.window = !p.legal
	g.must[p.by] = board.NoSquare
	g.touched[p.by.Other()] = false
	g.plies = append(g.plies, Ply{Move: p.move, Left: e.Left[p.by], Legal: p.legal})
	g.pending = pending{by: None}
	g.turnAt = e.At
	g.repeated.stood(&g.board)
}

// noteOffence keeps an illegal move, which may be corrected for a while.
func (g *Game) noteOffence(p pending) {
	if !p.legal {
		n := len(g.offences)
		g.offences = append(g.offences[:n:n], offence{by: p.by, ply: len(g.plies), move: p.move, before: g.board})
	}
}

// answers is how many moves the opponent has completed since an illegal move.
func (g *Game) answers(o *offence) int { return (len(g.plies) - o.ply) / 2 }

// applyRestored puts the position before an illegal move back: its maker is on move with the man he touched, later moves
// are void, and the time that was used stays used.
func (g *Game) applyRestored(e Event) {
	b, err := board.ParseArrangement(e.FEN)
	if err != nil {
		panic("game: a restored position that cannot be read: " + err.Error())
	}
	g.plies = g.plies[:e.Ply:e.Ply]
	g.repeated.back(e.Ply)
	g.board, g.pending, g.queue = b, pending{by: None}, reply{by: None}
	g.last, g.window, g.adjacent = completed{by: None}, false, None
	g.dropOffences(e.Ply)
	g.must = [2]board.Square{board.NoSquare, board.NoSquare}
	from := board.Move(e.Move).From
	if man := b.At(from); !e.Move.IsZero() && man != board.NoPiece && Side(man.Color()) == e.By {
		g.must[e.By] = from
	}
	g.touched[e.By] = true
	g.illegal[e.By] = max(g.illegal[e.By], e.Step)
	g.clock.Stop(e.At)
	if e.Add > 0 {
		g.clock.Add(e.By.Other(), e.Add, e.At)
	}
	g.clock.Start(e.By, e.At)
	if g.phase == Halted { // it waits for the side on move
		g.clock.Stop(e.At)
	}
	g.turnAt = e.At
}

// dropOffences forgets the illegal moves from index ply on. Answers to earlier ones from there on are void, so that they
// may be open again; the last one is, if nothing but it stands.
func (g *Game) dropOffences(ply int) {
	n := len(g.offences)
	for n > 0 && g.offences[n-1].ply >= ply {
		n--
	}
	g.offences = g.offences[:n:n]
	if n > 0 && g.offences[n-1].ply == ply-1 {
		o := &g.offences[n-1]
		g.last, g.window = completed{by: o.by, before: o.before}, true
	}
}

// adjacencyAfter is who set the kings side by side, once p is on the board: a king that moves next to the other one
// makes a new adjacency of his own (D12).
func (g *Game) adjacencyAfter(p pending) Side {
	switch {
	case !p.after.KingsAdjacent():
		return None
	case g.adjacent == None || p.after.King(board.Color(p.by)) != g.board.King(board.Color(p.by)):
		return p.by
	}
	return g.adjacent
}

func (g *Game) applyOffer(e Event) {
	switch e.Kind {
	case Offered:
		g.offers.open = e.By
		g.offers.made[e.By] = g.ownMoves(e.By) + 1
	case Declined:
		g.offers.refused[g.offers.open] = g.ownMoves(g.offers.open) + 1
		g.offers.open = None
	case Lapsed:
		g.offers.refused[e.By] = g.ownMoves(e.By) + 1
		g.offers.open = None
	case Muted:
		g.offers.muted[e.By] = true
	}
}

func (g *Game) applyDenied(e Event) {
	g.denied[e.By]++
	switch {
	case e.Step == 0: // no step of the ladder
	case e.Claim == ClaimTime:
		g.ladder.flags[e.By]++
	default:
		g.ladder.claims[e.By]++
	}
	if e.Add > 0 {
		g.clock.Add(e.By.Other(), e.Add, e.At)
	}
	if e.Take > 0 {
		g.clock.Deduct(e.By, e.Take, e.At)
	}
}

// ownMoves counts the moves that s has released or completed.
func (g *Game) ownMoves(s Side) int {
	first := g.turn()
	n := len(g.plies)
	if n%2 == 1 {
		first = first.Other()
	}
	// `first` made plies 0, 2, 4...
	count := n / 2
	if s == first {
		count = (n + 1) / 2
	}
	if g.pending.by == s {
		count++
	}
	return count
}

// nextPly is the index of the move that s would release now, or that waits for his press.
func (g *Game) nextPly(s Side) int {
	if g.turn() == s {
		return len(g.plies)
	}
	return len(g.plies) + 1
}

// Running is the side whose clock runs, or None.
func (g *Game) Running() Side { return g.clock.Running() }

// ParseSide reads "w", "b" or "".
func ParseSide(text string) (Side, error) { return clock.ParseSide(text) }

// Denials is how many claims of s were wrong.
func (g *Game) Denials(s Side) int { return g.denied[s] }
