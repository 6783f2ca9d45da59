package main

import (
	"fmt"

	"flagfall/game/board"
	"flagfall/server/wire"
)

// view is a game as one player sees it, plus what a player with perfect sight of the board would know: whether the last
// move was legal.
type view struct {
	board   board.Board
	boards  []board.Board // before each completed move
	moves   []board.Move
	taken   board.Move // the illegal move that was taken back last
	demo    *wire.Demo
	bad     bool // the last completed move was illegal and may still be claimed
	plies   int
	pending *board.Move
	by      board.Color // of pending
	queued  bool        // the player's own reply waits
	flags   [2]bool
	clocks  [2]int64
	running bool
	offer   string
	over    *wire.End
	phase   string

	premoves bool // the table allows them
	outage   bool // the last pause was the server's
}

func newView() *view { return &view{board: board.Start(), phase: "waiting"} }

// reset takes a snapshot over.
func (v *view) reset(f *frame) error {
	fresh := newView()
	for _, p := range f.Moves {
		m, err := board.ParseUCI(p.M)
		if err != nil {
			return err
		}
		fresh.complete(m)
	}
	if f.Pend != "" {
		m, err := board.ParseUCI(f.Pend)
		if err != nil {
			return err
		}
		fresh.release(fresh.board.Turn(), m, false)
	}
	fresh.queued = f.Queued != nil
	fresh.premoves = f.Premove
	fresh.offer, fresh.phase, fresh.over = f.Offer, f.Phase, f.End
	fresh.running, fresh.demo = f.Phase == "play", f.Demo
	*v = *fresh
	v.tell(f.Clocks)
	return nil
}

func (v *view) tell(c wire.Clocks) {
	v.clocks = [2]int64{c.W, c.B}
	v.flags = [2]bool{c.Flags == "w" || c.Flags == "wb", c.Flags == "b" || c.Flags == "wb"}
	v.running = c.Run != ""
}

// release puts a move on the board; reply tells that it waited for the press before, which keeps a claim open (D2).
func (v *view) release(by board.Color, m board.Move, reply bool) {
	v.pending, v.by = &m, by
	if !reply && v.board.Legal(m) {
		v.bad = false
	}
	if v.offer == by.Other().String() {
		v.offer = ""
	}
}

func (v *view) complete(m board.Move) {
	v.bad = !v.board.Legal(m)
	v.boards, v.moves = append(v.boards, v.board), append(v.moves, m)
	v.board = v.board.Displace(m)
	v.pending = nil
	v.plies++
}

// restore puts the position before a completed move back.
func (v *view) restore(ply int) error {
	if ply >= len(v.boards) {
		return fmt.Errorf("move %d of %d is taken back", ply, len(v.boards))
	}
	v.taken, v.board = v.moves[ply], v.boards[ply]
	v.boards, v.moves, v.plies = v.boards[:ply], v.moves[:ply], ply
	v.pending, v.queued, v.bad = nil, false, false
	return nil
}

// apply follows one frame of events; me is the player's colour.
func (v *view) apply(f *frame, me board.Color) error {
	for i := range f.E {
		e := &f.E[i]
		by := board.White
		if e.By == "b" {
			by = board.Black
		}
		switch e.K {
		case "start", "resume":
			v.phase = "play"
		case "pause":
			v.phase, v.outage = "paused", e.Why == "server"
		case "move":
			m, err := board.ParseUCI(e.M)
			if err != nil {
				return err
			}
			v.release(by, m, by == me && v.queued)
			if by == me {
				v.queued = false
			}
		case "press":
			if v.pending != nil {
				v.complete(*v.pending)
			}
		case "restored":
			if err := v.restore(e.Ply); err != nil {
				return err
			}
		case "proof", "demoend":
			v.phase, v.demo, v.outage = "proof", nil, false
		case "demo":
			v.phase, v.demo = "demo", e.Demo
		case "demomove":
			v.demo = e.Demo
		case "dispute":
			if e.Stops {
				v.phase, v.outage = "dispute", false
			}
		case "ruling":
			switch e.Act {
			case "stop":
				v.phase, v.outage = "dispute", false
			case "resume":
				v.phase = "play"
			}
		case "back":
			v.pending = nil
		case "queued":
			v.queued = true
		case "unqueued":
			v.queued = false
		case "offer":
			v.offer = e.By
		case "decline":
			v.offer = ""
		case "end":
			v.phase, v.over = "over", e.End
		}
	}
	v.tell(f.Clocks)
	return nil
}

// nextPly is the index of the next move of me.
func (v *view) nextPly(me board.Color) int {
	if v.board.Turn() == me {
		return v.plies
	}
	return v.plies + 1
}

// mine tells whether me has a released move that is not pressed.
func (v *view) mine(me board.Color) bool { return v.pending != nil && v.by == me }

// theirs tells whether the opponent has one.
func (v *view) theirs(me board.Color) bool { return v.pending != nil && v.by != me }
