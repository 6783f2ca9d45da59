package game

import (
	"slices"
	"sync"

	"flagfall/game/board"
)

// draft is a game that runs ahead of its journal while one command is decided. The list of plies may be written beyond
// the length that the real game knows; Apply writes the same there again. Positions are written into the scratch.
type draft struct {
	Game
	at      int64
	events  []Event
	scratch scratch
}

// drafts are used again: a game is more than a thousand bytes.
var drafts = sync.Pool{New: func() any { return new(draft) }}

// emit stamps an event, applies it and keeps it. A flag has a time of its own.
func (d *draft) emit(e Event) {
	if e.Kind != Flagged {
		e.At = d.at
	}
	d.events = append(d.events, e)
	d.Apply(e)
}

// Decide judges a command that arrived at game time `at`. It returns what follows, or a *Refusal; the game itself is
// unchanged either way.
func (g *Game) Decide(c Command, at int64) ([]Event, error) { return g.DecideInto(nil, c, at) }

// DecideInto is Decide that appends the events to dst, which a refusal leaves as it was.
func (g *Game) DecideInto(dst []Event, c Command, at int64) ([]Event, error) {
	if g.phase == "" && c.Kind != Create {
		return dst, refuse(NotStarted)
	}
	d := drafts.Get().(*draft)
	defer drafts.Put(d)
	if g.phase != "" {
		g.plies = slices.Grow(g.plies, len(d.scratch.pieces)) // here, or both the draft's and the game's would grow
	}
	d.Game, d.at, d.events = *g, at, d.events[:0]
	d.scratch.used, d.repeated.scratch = 0, &d.scratch
	err := d.decide(c)
	if err == nil {
		dst = append(dst, d.events...)
	}
	clear(d.events)
	d.Game, d.events = Game{}, d.events[:0]
	return dst, err
}

func (d *draft) decide(c Command) error {
	if c.Kind == Create {
		return d.create(c)
	}
	if d.phase == Over {
		if c.Kind == Arrive || c.Kind == Depart || c.Kind == Tick || c.Kind == Recover {
			return nil
		}
		return refuse(GameOver)
	}
	if c.Kind == Recover {
		d.recover(c)
		return nil
	}
	d.advance(c)
	d.overdue()
	if d.phase == Over {
		return nil
	}
	switch c.Kind {
	case Prove:
		d.answerProof(c)
		return nil
	case Arbitrate:
		return d.rule(c)
	case Tick:
		d.tick()
		return nil
	case Arrive, Depart:
		d.presence(c)
		return nil
	}
	if c.By >= None {
		return refuse(NotAPlayer)
	}
	return d.play(c)
}

func (d *draft) create(c Command) error {
	if d.phase != "" {
		return refuse(AlreadyCreated)
	}
	if c.Setup == nil {
		return refuse(BadSetup)
	}
	if err := c.Setup.Check(); err != nil {
		return &Refusal{Code: BadSetup, Detail: err.Error()}
	}
	d.emit(Event{Kind: Created, By: None, Setup: c.Setup})
	if !c.Setup.Options.Presence {
		d.emit(Event{Kind: Started, By: None})
	}
	return nil
}

// advance lets the running flag fall if its time is up, and wakes a game that was halted when a player acts.
func (d *draft) advance(c Command) {
	if d.phase == Halted && c.fromPlayer() && c.By == d.turn() && c.Kind != Depart {
		d.emit(Event{Kind: Resumed, By: None})
	}
	side := d.clock.Due(d.at)
	if c.Kind == Press || (c.Kind == Release && d.presses(c)) {
		if c.By == d.clock.Running() {
			if late := d.clock.DueAtPress(d.at, c.Lag); late != None {
				side = late
			}
		}
	}
	if side == None {
		return
	}
	fell, _ := d.clock.FallsAt() // before the last event, if that took credit away
	d.emit(Event{Kind: Flagged, By: side, At: max(d.lastAt, min(fell, d.at))})
	d.flagFell(side)
}

// overdue ends what had to be over by now, should a command come before the tick.
func (d *draft) overdue() {
	switch {
	case d.phase == Proving && d.held > 0 && d.at >= d.held:
		d.settle()
	case d.phase == Demonstrating:
		d.tickDemo()
	}
}

// presses tells whether a release brings its press.
func (d *draft) presses(c Command) bool { return c.Press || d.setup.Mode == Fast }

func (d *draft) play(c Command) error {
	if err := d.playable(c); err != nil {
		return err
	}
	switch c.Kind {
	case Release:
		return d.release(c)
	case Press:
		return d.press(c)
	case Retract:
		return d.retract(c)
	case MakeClaim:
		return d.claim(c.By, c.Claim)
	case DemoMove:
		return d.demoMove(c)
	case Concede:
		return d.concede(c)
	case Dispute:
		return d.dispute(c.By)
	case Resign:
		d.end(c.By.Other(), "resignation", d.rules.resignation)
		return nil
	case OfferDraw, AnswerDraw, MuteOffers:
		return d.offer(c)
	}
	return refuse(UnknownCommand)
}

// playable refuses what cannot be done while the clocks stand.
func (d *draft) playable(c Command) error {
	if c.Kind == Resign {
		return nil
	}
	switch d.phase {
	case Waiting:
		return refuse(NotStarted)
	case Proving:
		if d.held > 0 && c.By != d.inquiry.by && d.claimsIllegal(c) {
			return nil
		}
		return refuse(BeingJudged)
	case Demonstrating:
		if c.Kind != DemoMove && c.Kind != Concede {
			return refuse(BeingJudged)
		}
	case Disputing:
		if c.Kind != OfferDraw && c.Kind != AnswerDraw {
			return refuse(ClocksStopped)
		}
	}
	return nil
}

// claimsIllegal tells whether the command claims the opponent's last move, by name or by taking the king.
func (d *draft) claimsIllegal(c Command) bool {
	switch c.Kind {
	case MakeClaim:
		return c.Claim == ClaimIllegal
	case Release:
		move := d.board.Normal(c.Move)
		return d.pending.by == None && possible(&d.board, c.By, move) == nil && d.takesKing(c.By, move)
	}
	return false
}

// claim judges a claim, or holds a good time claim of somebody whose own last move might be claimed as illegal at the same
// time (D10). It is held after a legal move too: who saw it held only after an illegal one could claim that. A bad claim is
// refused at once.
func (d *draft) claim(by Side, claim Claim) error {
	if d.denied[by] >= mostDenied {
		return refuse(TooManyClaims)
	}
	if claim == ClaimTime && d.setup.Options.Window > 0 && d.rules.illegalBeforeTime && d.last.by == by &&
		d.clock.Down(by.Other()) && !d.clock.Down(by) {
		d.emit(Event{Kind: Held, By: by, Claim: claim})
		return nil
	}
	return d.judge(by, claim)
}

// release puts a man on a square: a move, legal or not, a capture of the king, or a reply in advance (B.2 1).
func (d *draft) release(c Command) error {
	if c.Ply != AnyPly && c.Ply != d.nextPly(c.By) {
		return refuse(StalePly)
	}
	switch {
	case d.pending.by == c.By && d.pending.legal:
		return refuse(MoveFinal)
	case d.pending.by == c.By:
		return refuse(RetractFirst)
	case d.pending.by == c.By.Other() && d.turn() == c.By.Other():
		return d.enqueue(c)
	case d.turn() != c.By:
		return refuse(NotOnMove)
	}
	move := d.board.Normal(c.Move)
	bare := move.Promo != board.NoKind && c.Move.Promo == board.NoKind
	if err := possible(&d.board, c.By, move); err != nil {
		return err
	}
	if d.takesKing(c.By, move) {
		return d.judge(c.By, claimKing)
	}
	if must := d.must[c.By]; must != board.NoSquare && move.From != must && d.board.AnyLegalFrom(must) {
		return refuse(TouchMove)
	}
	known := d.clock.RoundTrip(c.By) // of the command before this one
	d.put(c.By, move, bare, c.Lag)
	if d.phase == Play && d.presses(c) {
		d.complete(c.By, c.Lag, min(c.Lag, known))
		d.answer()
	}
	return nil
}

// possible refuses what no hand can do on the board, and a king that would take a king.
func possible(b *board.Board, by Side, m board.Move) error {
	target := b.At(m.To)
	switch {
	case m.From >= board.NoSquare || m.To >= board.NoSquare || m.From == m.To || b.At(m.From) == board.NoPiece,
		target == board.NewPiece(board.Color(by), board.King):
		return refuse(Impossible)
	case b.At(m.From) == board.NewPiece(board.Color(by), board.King) && target.Kind() == board.King:
		return refuse(ClaimInstead)
	}
	return nil
}

// takesKing tells whether the move takes a king that the last move left to be taken (7d). A capture that the man
// cannot make is an ordinary illegal move.
func (d *draft) takesKing(by Side, m board.Move) bool {
	return d.rules.kingClaim && m.To == d.board.King(board.Color(by.Other())) &&
		d.board.At(m.From).Color() == board.Color(by) &&
		d.window && d.last.by == by.Other() && d.board.Pseudo(m)
}

// enqueue keeps a reply until the opponent presses (D1).
func (d *draft) enqueue(c Command) error {
	if d.queue.by != None {
		return refuse(QueueFull)
	}
	move := d.pending.after.Normal(c.Move)
	if err := possible(&d.pending.after, c.By, move); err != nil {
		return err
	}
	bare := move.Promo != board.NoKind && c.Move.Promo == board.NoKind
	d.emit(Event{Kind: Queued, By: c.By, Move: UCI(move), Bare: bare, Press: d.presses(c), Lag: c.Lag})
	return nil
}

// put releases a move that is possible: it is judged here, and nobody is told.
func (d *draft) put(by Side, move board.Move, bare bool, lag int64) {
	legal := d.board.Legal(move)
	adjacent := !legal && d.board.OnlyAdjacent(move)
	d.emit(Event{Kind: Released, By: by, Move: UCI(move), Legal: legal, Adjacent: adjacent, Bare: bare, Lag: lag})
	if d.offers.open == by.Other() {
		d.emit(Event{Kind: Lapsed, By: by.Other()})
	}
	if legal {
		d.rules.released(d, by)
	}
}

// press completes the released move and starts the opponent's clock (B.2 3).
func (d *draft) press(c Command) error {
	if d.queue.by == c.By && d.clock.Running() != c.By && !d.queue.press {
		d.emit(Event{Kind: QueuedPress, By: c.By})
		return nil
	}
	if d.clock.Running() != c.By {
		return refuse(NotRunning)
	}
	if c.Ply != AnyPly && c.Ply != d.nextPly(c.By) {
		return refuse(StalePly) // before a rule book punishes it as a press without a move
	}
	if d.pending.by != c.By {
		return d.rules.emptyPress(d, c.By)
	}
	d.complete(c.By, c.Lag, c.Lag)
	d.answer()
	return nil
}

// answer plays the reply that waited for the press, as if it were released now.
func (d *draft) answer() {
	for d.phase == Play && d.queue.by == d.turn() {
		q := d.queue
		if d.takesKing(q.by, q.move) {
			d.emit(Event{Kind: Unqueued, By: q.by})
			_ = d.judge(q.by, claimKing) // a capture that is refused is gone; the press stands
			return
		}
		d.put(q.by, q.move, q.bare, q.lag)
		if d.phase == Play && q.press {
			d.complete(q.by, q.lag, 0)
		}
	}
}

// complete presses the clock over a connection with round trip lag; at most `most` of it is given back.
func (d *draft) complete(by Side, lag, most int64) {
	done := d.pending
	charged, credit := d.clock.Bill(d.at, most)
	after := d.clock
	after.Press(d.at, credit)
	d.emit(Event{Kind: Pressed, By: by, Charged: charged, Credit: credit, Lag: lag,
		Left: [2]int64{after.Remaining(White, d.at), after.Remaining(Black, d.at)}})
	d.rules.pressed(d, by, done)
}

// retract takes an unpressed illegal move back (B.2 2).
func (d *draft) retract(c Command) error {
	if d.pending.by != c.By {
		return refuse(NoMove)
	}
	if c.Ply != AnyPly && c.Ply != d.nextPly(c.By) {
		return refuse(StalePly)
	}
	if d.pending.legal && d.denied[c.By] >= mostDenied {
		return refuse(MoveFinal)
	}
	if d.pending.legal {
		return d.deny(c.By, ClaimRetract, MoveFinal)
	}
	d.emit(Event{Kind: Retracted, By: c.By, Move: UCI(d.pending.move)})
	if d.queue.by != None {
		d.emit(Event{Kind: Unqueued, By: d.queue.by})
	}
	return nil
}

// end finishes the game: winner None is a draw.
func (d *draft) end(winner Side, reason Reason, rule string) {
	score := Draw
	switch winner {
	case White:
		score = WhiteWins
	case Black:
		score = BlackWins
	}
	d.finish(Result{Score: score, Reason: reason, Rule: rule})
}

func (d *draft) finish(r Result) {
	r.Book = d.rules.Book
	d.emit(Event{Kind: Ended, By: None, Result: &r,
		Left: [2]int64{d.clock.Remaining(White, d.at), d.clock.Remaining(Black, d.at)}})
}
