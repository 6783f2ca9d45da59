// Package review judges games that are over, for clubs that settle a dispute afterwards: why a move was illegal, what
// could be claimed by whom and until when, and what the result is under every rule book.
//
// The claims it knows are those a rule book judges by the board and the clocks. Conduct, and insufficient losing chances,
// are for arbiters.
package review

import (
	"flagfall/game"
	"flagfall/game/board"
)

// Record is a game as it was played, from whatever it was read. Times are milliseconds of the game's clocks: they pass
// only while one of the two runs.
type Record struct {
	Name   string // of the event
	Setup  game.Setup
	Start  board.Board
	Lines  []Line
	Score  game.Score   // as recorded; Void when the game has no result
	Result *game.Result // as recorded, where the reason and the rule are known
	Cut    bool         // moves are missing at its end: they could not be read
	Notes  []string     // what is assumed where the record does not say
	steps  []step
}

// Line is a move that was played.
type Line struct {
	Number  int // of the move
	By      game.Side
	Move    board.Move
	Before  board.Board
	Text    string // as shown: SAN, or squares when it was illegal
	Why     string // why it was illegal; "" when it was legal
	Clock   int64  // remaining after the press, ms; NoTime
	Pressed bool
	Notes   []string // a flag, a claim that was made, a move taken back
}

// NoTime is a time that is not known.
const NoTime = -1

func (r *Record) addLine(by game.Side, m board.Move, before board.Board) *Line {
	r.Lines = append(r.Lines, Line{
		Number: before.Fullmove(), By: by, Move: m, Before: before, Text: before.SAN(m), Why: before.Why(m), Clock: NoTime,
	})
	return &r.Lines[len(r.Lines)-1]
}

// stepKind is what happened in a step.
type stepKind uint8

const (
	doRelease stepKind = iota
	doPress
	doRetract
	doRestore // an illegal move was corrected
	doClocks  // both clocks are known
	doPass    // time passes
	doNote    // a reply that waited is on the board now
)

// step is a part of the game that is played again.
type step struct {
	kind  stepKind
	at    int64
	by    game.Side
	move  board.Move
	bare  bool
	press bool
	lag   int64
	line  int         // index of the line, -1 before the first move
	left  [2]int64    // known after a press and for doClocks; NoTime
	back  board.Board // after doRestore
}
