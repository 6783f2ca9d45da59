package model

import "flagfall/game/board"

// Move releases a man (B.2, 1); press presses the clock in the same command.
func (g *Game) Move(by Color, m board.Move, press bool, at int64) Result {
	if r, stop := g.ready(false); stop && !g.takesInTime(by, m) {
		return r
	}
	press = press || g.Terms.Fast
	switch {
	case g.hand != nil && g.hand.by == by && g.hand.legal:
		return refuse("move_final")
	case g.hand != nil && g.hand.by == by:
		return refuse("retract_first")
	case g.Turn() != by && g.hand == nil:
		return refuse("not_on_move")
	case g.Turn() != by && g.queue != nil:
		return refuse("already_queued")
	case g.Turn() != by:
		if code := possible(&g.hand.after, by, m); code != "" {
			return refuse(code)
		}
		g.queue = &reply{by, g.hand.after.Normal(m), m.Promo == board.NoKind, press}
		return g.did(by, at, Result{Code: Queued, Facts: []Fact{{K: "queued", By: by, Move: g.queue.move}}})
	}
	b := g.Board()
	if code := possible(&b, by, m); code != "" {
		return refuse(code)
	}
	if g.takesKing(by, m) {
		var f []Fact
		if code := g.judge(call{by, "king"}, at, &f); code != "" {
			return refuse(code)
		}
		return g.did(by, at, Result{Code: Accepted, Facts: f})
	}
	if must := g.must[by]; must != board.NoSquare && m.From != must && b.AnyLegalFrom(must) {
		return refuse("touch_move")
	}
	var f []Fact
	g.put(by, m, m.Promo == board.NoKind, false, at, &f)
	if press && g.Phase == Playing {
		g.complete(at, &f)
	}
	g.call(at, &f)
	return g.did(by, at, Result{Code: OK, Facts: f})
}

// did notes that a side has acted.
func (g *Game) did(by Color, at int64, r Result) Result {
	g.acted[by] = at
	return r
}

// takesKing tells whether m takes a king that was left to be taken (7d). FIDE knows no such thing.
func (g *Game) takesKing(by Color, m board.Move) bool {
	b := g.Board()
	return !g.fide() && m.To == b.King(by.Other()) && b.At(m.From).Color() == by && b.Pseudo(m) && g.Claimable(by)
}

// takesInTime tells whether m takes the king while a time claim of the same moment waits (D10).
func (g *Game) takesInTime(by Color, m board.Move) bool {
	b := g.Board()
	return g.inquiry != nil && g.inquiry.held > 0 && by != g.inquiry.by && g.hand == nil && possible(&b, by, m) == "" && g.takesKing(by, m)
}

// possible refuses what no hand can do, and a king that would take a king; "" where nothing stands in the way.
func possible(b *Board, by Color, m board.Move) string {
	if m.From >= board.NoSquare || m.To >= board.NoSquare || m.From == m.To {
		return "impossible"
	}
	man, target := b.At(m.From), b.At(m.To)
	switch {
	case man == board.NoPiece, target == board.NewPiece(by, board.King):
		return "impossible"
	case man == board.NewPiece(by, board.King) && target == board.NewPiece(by.Other(), board.King):
		return "claim_instead"
	}
	return ""
}

// put is what the mover's hand does.
func (g *Game) put(by Color, m board.Move, bare, queued bool, at int64, f *[]Fact) {
	b := g.Board()
	h := hand{by: by, move: b.Normal(m), legal: b.Legal(b.Normal(m)), reply: queued}
	h.bare = bare && h.move.Promo != board.NoKind
	h.after = b.Displace(h.move)
	g.hand = &h
	g.touched[by], g.released[by], g.acted[by] = len(g.history), true, at
	*f = append(*f, Fact{K: "move", By: by, Move: h.move})
	if g.Offer == by.Other() {
		g.lapse(f)
	}
	if h.legal {
		g.endedBy(by, &h.after, at, f)
	}
}

// endedBy ends the game when the legal move to b does: mate, stalemate, nobody can ever mate, what FIDE counts itself.
func (g *Game) endedBy(by Color, b *Board, at int64, f *[]Fact) {
	rule := map[string][3]string{
		"wbca": {"7a", "8a", "8f"}, "uscf": {"13A", "14A", "14D1"}, "cca": {"13A", "14A", "14D1"}, "fide": {"5.1.1", "5.2.1", "5.2.2"},
	}[g.Terms.Rules]
	reason := "insufficient_material"
	if g.wbca() || g.fide() {
		reason = "dead_position"
	}
	switch {
	case !b.AnyLegal() && b.InCheck(by.Other()):
		g.win(by, "checkmate", rule[0], at, f)
	case !b.AnyLegal():
		g.draw("stalemate", rule[1], at, f)
	case dead(b):
		g.draw(reason, rule[2], at, f)
	case g.fide() && g.stood() >= 5:
		g.draw("fivefold", "9.6.1", at, f)
	case g.fide() && b.Halfmove() >= 150:
		g.draw("seventyfive_moves", "9.6.2", at, f)
	case !g.wbca() && g.Locked != nil && g.Locked(b):
		g.draw(reason, rule[2], at, f)
	}
}

// Press neutralises the clock. ply is the move meant, or -1.
func (g *Game) Press(by Color, ply int, at int64) Result {
	if r, stop := g.ready(false); stop {
		return r
	}
	if q := g.queue; q != nil && q.by == by && g.Running != by && !q.press {
		q.press = true
		return g.did(by, at, Result{Code: Queued, Facts: []Fact{{K: "queued", By: by}}})
	}
	if g.Running != by {
		return loose("clock_not_running")
	}
	stale := ply >= 0 && ply != g.NextPly(by)
	var f []Fact
	switch {
	case g.hand == nil || g.hand.by != by:
		if !g.fide() {
			return loose("no_move")
		}
		if stale {
			return refuse("stale_ply")
		}
		g.fault(by, at, &f) // 7.5.3
	case stale:
		return refuse("stale_ply")
	default:
		g.complete(at, &f)
	}
	g.call(at, &f)
	return g.did(by, at, Result{Code: OK, Facts: f})
}

// complete presses the clock for the move in hand, and for the reply that waited, if it was pressed too.
func (g *Game) complete(at int64, f *[]Fact) {
	h, b := g.hand, g.Board()
	g.neutralise(h.by, at)
	*f = append(*f, Fact{K: "press", By: h.by})
	g.history = append(g.history, turn{h.by, h.move, h.legal, !h.legal && b.OnlyAdjacent(h.move), b, h.after})
	g.hand = nil
	g.must[h.by] = board.NoSquare
	g.turnAt, g.acted[h.by] = at, at
	g.run(h.by.Other(), at)
	switch {
	case g.fide() && !h.legal:
		g.restore(len(g.history)-1, 0, true, at, f)
	case g.fide() && h.bare:
		g.fault(h.by, at, f)
	case g.wbca() && !h.legal && g.Terms.CallIllegal:
		g.calls = append(g.calls, call{h.by.Other(), "illegal"})
	}
	g.call(at, f)
	g.answer(at, f)
}

// answer plays the reply that waited for the press, as if it were released now.
func (g *Game) answer(at int64, f *[]Fact) {
	q := g.queue
	if g.Phase != Playing || q == nil || q.by != g.Turn() {
		return
	}
	g.queue = nil
	if g.takesKing(q.by, q.move) {
		*f = append(*f, Fact{K: "unqueued", By: q.by})
		g.judge(call{q.by, "king"}, at, f) // refused or not, the press stands
		return
	}
	g.put(q.by, q.move, q.bare, true, at, f)
	if q.press && g.Phase == Playing {
		g.complete(at, f)
	}
}

// Retract takes an unpressed illegal move back (14, D4).
func (g *Game) Retract(by Color, ply int, at int64) Result {
	if r, stop := g.ready(false); stop {
		return r
	}
	switch {
	case g.hand == nil || g.hand.by != by:
		return loose("no_move")
	case ply >= 0 && ply != g.NextPly(by):
		return refuse("stale_ply")
	case g.hand.legal && g.denials[by] >= 20:
		return refuse("move_final")
	case g.hand.legal:
		var f []Fact
		if code := g.deny(by, "retract", "move_final", at, &f); code != "" {
			return refuse(code)
		}
		return g.did(by, at, Result{Code: Denied, Facts: f})
	}
	h := g.hand
	g.hand = nil
	if b := g.Board(); g.must[by] == board.NoSquare && b.At(h.move.From).Color() == by {
		g.must[by] = h.move.From
	}
	f := []Fact{{K: "back", By: by, Move: h.move}}
	if g.queue != nil {
		f = append(f, Fact{K: "unqueued", By: g.queue.by})
		g.queue = nil
	}
	return g.did(by, at, Result{Code: OK, Facts: f})
}

// restore puts the position before move number i back: its maker is on move with the man he touched, what came later is
// void (US Chess 11D, CCA 21, FIDE 7.5.1).
func (g *Game) restore(i int, add int64, counts bool, at int64, f *[]Fact) {
	by, move := g.history[i].by, g.history[i].move
	g.history = g.history[:i:i]
	g.hand, g.queue = nil, nil
	g.must = [2]Square{board.NoSquare, board.NoSquare}
	b := g.Board()
	if man := b.At(move.From); man != board.NoPiece && man.Color() == by {
		g.must[by] = move.From
	}
	for c := range g.touched {
		g.touched[c] = min(g.touched[c], i)
	}
	fact := Fact{K: "restored", By: by, Add: add}
	if counts {
		g.Faults[by]++
		fact.Step = g.Faults[by]
		if fact.Step == 1 {
			fact.Add = 60_000
		}
	}
	*f = append(*f, fact)
	if fact.Add > 0 {
		g.give(by.Other(), fact.Add, at)
	}
	g.stop(at)
	g.run(by, at)
	if g.Phase == Paused { // it waits for the side on move
		g.Running = Nobody
	}
	g.turnAt = at
	if fact.Step > 1 {
		g.calls = append(g.calls, call{by.Other(), "second"})
	}
}

// fault notes an illegal move that is not taken back (FIDE 7.5.2, 7.5.3).
func (g *Game) fault(by Color, at int64, f *[]Fact) {
	g.Faults[by]++
	fact := Fact{K: "fault", By: by, Step: g.Faults[by]}
	if fact.Step == 1 {
		fact.Add = 60_000
		g.give(by.Other(), fact.Add, at)
	} else {
		g.calls = append(g.calls, call{by.Other(), "second"})
	}
	*f = append(*f, fact)
}
