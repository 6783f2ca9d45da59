package model

import "flagfall/game/board"

// Move releases a man (B.2, 1); press presses the clock in the same command.
func (g *Game) Move(by Color, m board.Move, press bool, at int64) Result {
	if g.End != nil {
		return refuse("game_over")
	}
	if g.pending != nil && g.pending.by == by {
		return g.alreadyReleased()
	}
	if g.Turn() != by {
		if g.pending == nil {
			return refuse("not_on_move")
		}
		if g.queue != nil {
			return Result{Code: "already_queued", Loose: true}
		}
		if code := possible(&g.pending.after, by, m); code != "" {
			return refuse(code)
		}
		g.queue = &reply{m, press}
		return Result{Code: Queued, Facts: []Fact{{K: "queued", By: by, Move: m}}}
	}
	var facts []Fact
	code := g.release(by, m, false, &facts)
	if code != OK && code != Accepted {
		return refuse(code)
	}
	if press && g.End == nil {
		g.press(at, &facts)
	}
	return Result{Code: code, Facts: facts}
}

// alreadyReleased says why a second release is refused. On the wire both cases read move_pending.
func (g *Game) alreadyReleased() Result {
	if g.pending.legal {
		return refuse("move_final")
	}
	return refuse("retract_first")
}

// release does what the mover's hand does; it returns OK, Accepted for a king capture, or the code of a refusal.
func (g *Game) release(by Color, m board.Move, queued bool, facts *[]Fact) string {
	b := g.Board
	if code := possible(&b, by, m); code != "" {
		return code
	}
	if m.To == b.King(by.Other()) && b.At(m.From).Color() == by && b.Pseudo(m) && g.Claimable(by) {
		g.judgeIllegal(by, "king_capture", facts)
		return Accepted
	}
	if must := g.must[by]; must != board.NoSquare && m.From != must && b.AnyLegalFrom(must) {
		return "touch_move"
	}
	r := release{by: by, move: b.Normal(m), legal: b.Legal(m), after: b.Displace(m), reply: queued}
	r.adj = !r.legal && b.OnlyAdjacent(m)
	*facts = append(*facts, Fact{K: "move", By: by, Move: r.move})
	g.pending = &r
	if g.Offer == by.Other() {
		g.lapse(facts)
	}
	if !r.legal {
		return OK
	}
	if !queued {
		g.window = false
	}
	g.endedBy(by, &r.after, facts)
	return OK
}

// possible refuses what no hand can do, and a king that would take a king; "" where nothing stands in the way.
func possible(b *Board, by Color, m board.Move) string {
	man, target := b.At(m.From), b.At(m.To)
	switch {
	case man == board.NoPiece, m.From == m.To, target == board.NewPiece(by, board.King):
		return "impossible"
	case man == board.NewPiece(by, board.King) && target == board.NewPiece(by.Other(), board.King):
		return "claim_instead"
	}
	return ""
}

// endedBy ends the game when the legal move to b mates, stalemates or leaves a dead position (7a, 8a, D7).
func (g *Game) endedBy(by Color, b *Board, facts *[]Fact) {
	switch {
	case !b.AnyLegal() && b.InCheck(by.Other()):
		g.win(by, "checkmate", "7a", facts)
	case !b.AnyLegal():
		g.draw("stalemate", "8a", facts)
	case dead(b):
		g.draw("dead_position", "8f", facts)
	}
}

// Press neutralises the clock.
func (g *Game) Press(by Color, at int64) Result {
	switch {
	case g.End != nil:
		return refuse("game_over")
	case g.queue != nil && g.pending != nil && g.pending.by != by:
		if g.queue.press {
			return Result{Code: "no_move", Loose: true}
		}
		g.queue.press = true
		return Result{Code: Queued, Facts: []Fact{{K: "queued", By: by, Move: g.queue.move}}}
	case g.Running != by:
		return Result{Code: "clock_not_running", Loose: true}
	case g.pending == nil || g.pending.by != by:
		return refuse("no_move")
	}
	var facts []Fact
	g.press(at, &facts)
	return Result{Code: OK, Facts: facts}
}

func (g *Game) press(at int64, facts *[]Fact) {
	p := g.pending
	by := p.by
	var credit int64
	if len(g.Credits) > 0 {
		credit, g.Credits = g.Credits[0], g.Credits[1:]
	}
	if g.Running == by && !g.Flag[by] {
		g.Clock[by] = max(0, g.Left(by, at)+credit)
	}
	*facts = append(*facts, Fact{K: "press", By: by})
	g.noteAdjacency(p)
	g.last = &completed{by: by, legal: p.legal, adj: p.adj, before: g.Board}
	g.window = !p.legal
	g.Board = p.after
	g.pending = nil
	g.must[by] = board.NoSquare
	g.Plies++
	g.offers[by].moves++
	g.run(by.Other(), at)
	q := g.queue
	if q == nil {
		return
	}
	g.queue = nil
	if code := g.release(by.Other(), q.move, true, facts); code != OK && code != Accepted {
		*facts = append(*facts, Fact{K: "unqueued", By: by.Other()})
		return
	}
	if q.press && g.End == nil {
		g.press(at, facts)
	}
}

// noteAdjacency keeps whose king move made the kings stand side by side.
func (g *Game) noteAdjacency(p *release) {
	before := g.Board
	switch {
	case !p.after.KingsAdjacent():
		g.author = Nobody
	case before.King(p.by) != p.after.King(p.by) || !before.KingsAdjacent():
		g.author = p.by
	}
}

// Retract takes an unpressed illegal move back (14, D4).
func (g *Game) Retract(by Color, at int64) Result {
	switch {
	case g.End != nil:
		return refuse("game_over")
	case g.pending == nil || g.pending.by != by:
		return Result{Code: "no_move", Loose: true}
	case g.pending.legal:
		return g.deny(by, "retract", "move_final", at)
	}
	p := g.pending
	g.pending = nil
	if g.must[by] == board.NoSquare && g.Board.At(p.move.From).Color() == by {
		g.must[by] = p.move.From
	}
	facts := []Fact{{K: "back", By: by, Move: p.move}}
	if g.queue != nil {
		g.queue = nil
		facts = append(facts, Fact{K: "unqueued", By: by.Other()})
	}
	return Result{Code: OK, Facts: facts}
}

// Wrong claims that cost nothing (D30).
const (
	freeFalsehoods = 1 // false illegal-move claims and refused retractions
	freeFlagClaims = 3 // time claims against a flag that is up
)

// deny counts a wrong claim; beyond the free ones each gives the opponent a minute (D30).
func (g *Game) deny(by Color, claim, code string, at int64) Result {
	if !g.ladder {
		return refuse(code)
	}
	count, free := &g.falsehood[by], freeFalsehoods
	if claim == "time" {
		count, free = &g.flagUps[by], freeFlagClaims
	}
	*count++
	var add int64
	if *count > free {
		add = PenaltyMs
		g.give(by.Other(), add, at)
	}
	return Result{Code: Denied, Facts: []Fact{{K: "denied", By: by, Claim: claim, Code: code, Add: add}}}
}

// give adds time; a fallen flag goes up again.
func (g *Game) give(c Color, ms, at int64) {
	g.Settle(at)
	g.Clock[c] = max(0, g.Clock[c]) + ms
	g.Flag[c] = false
}
