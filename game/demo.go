package game

import "flagfall/game/board"

// Times of a demonstration (rulings B.6, D37), in milliseconds of game time.
const (
	demoShows   = 120000 // for the own moves of the side that must show the win
	demoReplies = 60000  // for the other one's
)

// demo is a win that is being shown on a side board. The game's own board and clocks stand.
type demo struct {
	on     bool
	shower Side
	board  board.Board
	left   [2]int64
	since  int64 // when the side on move on the side board was set going
	moves  []board.Move
	asked  Question // what the demonstration answers
}

// demonstrator is who must show a win: under WBCA 7a the claimant, under 8e, 8g and 8i the opponent of the one who
// claims the draw. The question is always about that side.
func (d *draft) demonstrator() Side { return d.inquiry.question.Side }

// demoMove takes a move of a demonstration. Only legal moves are played there.
func (d *draft) demoMove(c Command) error {
	if d.phase != Demonstrating {
		return refuse(NoDemo)
	}
	if Side(d.demo.board.Turn()) != c.By {
		return refuse(NotOnMove)
	}
	move := d.demo.board.Normal(c.Move)
	if !d.demo.board.Legal(move) {
		return refuse(DemoIllegal)
	}
	d.emit(Event{Kind: DemoMoved, By: c.By, Move: UCI(move), Demo: d.demo.after(d.at)})
	after := d.demo.board
	onMove := Side(after.Turn())
	switch {
	case !after.AnyLegal():
		d.endDemo(after.InCheck(after.Turn()) && onMove != d.demo.shower)
	case deadPosition(&after):
		d.endDemo(false)
	case after.Total(board.White)+after.Total(board.Black) <= 4: // the tables know
		d.emit(Event{Kind: ProofAsked, By: d.inquiry.by, Claim: d.inquiry.claim,
			Question: &Question{Kind: AskWin, FEN: after.FEN(), Side: d.demo.shower}})
	}
	return nil
}

// after is the time that both have left on the side board at `at`.
func (m *demo) after(at int64) [2]int64 {
	left := m.left
	onMove := m.board.Turn()
	left[onMove] = max(0, left[onMove]-(at-m.since))
	return left
}

// due is when the side on move on the side board has used its time.
func (m *demo) due() int64 { return m.since + m.left[m.board.Turn()] }

// concede ends a demonstration: the shower gives up, or the other one believes it.
func (d *draft) concede(c Command) error {
	if d.phase != Demonstrating {
		return refuse(NoDemo)
	}
	d.endDemo(c.By != d.demo.shower)
	return nil
}

// tickDemo ends a demonstration whose time is up: the shower has not shown it, or the replier has let it pass.
func (d *draft) tickDemo() {
	if d.at >= d.demo.due() {
		d.endDemo(Side(d.demo.board.Turn()) != d.demo.shower)
	}
}

// endDemo records whether the win was shown, and goes on with the claim.
func (d *draft) endDemo(shown bool) {
	q := d.demo.asked
	d.emit(Event{Kind: DemoEnded, By: None, Yes: shown})
	d.emit(Event{Kind: ProofGiven, By: None, Question: &q, Yes: shown})
	d.settle()
}

func (g *Game) applyDemo(e Event) {
	switch e.Kind {
	case DemoBegan:
		b, err := e.Question.Board()
		if err != nil {
			panic("game: a demonstration of a position that cannot be read: " + err.Error())
		}
		left := [2]int64{demoReplies, demoReplies}
		left[e.By] = demoShows
		g.phase = Demonstrating
		g.demo = demo{on: true, shower: e.By, board: b, left: left, since: e.At, asked: *e.Question}
	case DemoMoved:
		g.demo.left = e.Demo
		g.demo.since = e.At
		g.demo.board = g.demo.board.Displace(board.Move(e.Move))
		g.demo.moves = append(g.demo.moves, board.Move(e.Move))
	case DemoEnded:
		g.demo = demo{}
		g.phase = Proving
	}
}

// Demo is the side board on which `by` shows a win, with what both have left for it at `at`; by is None when nothing is
// being shown. The caller must not change the moves.
func (g *Game) Demo(at int64) (by Side, b board.Board, moves []board.Move, left [2]int64) {
	if !g.demo.on {
		return None, board.Board{}, nil, left
	}
	return g.demo.shower, g.demo.board, g.demo.moves, g.demo.after(at)
}
