package game

import (
	"fmt"

	"flagfall/game/board"
	"flagfall/game/endgame"
)

// Answer searches for the verdict on a question. It may take seconds: never call it where a game is decided. The error
// is endgame.ErrNotReady while a table is missing, see Question.Tables.
func (q Question) Answer(p endgame.Prover) (Verdict, error) {
	b, err := q.Board()
	if err != nil {
		return "", fmt.Errorf("question: %w", err)
	}
	if q.Kind == AskPossible {
		switch endgame.Helpmate(b, board.Color(q.Side), endgame.PossibleNodes) {
		case endgame.MatePossible:
			return Proved, nil
		case endgame.MateImpossible:
			return Refuted, nil
		}
		return Undecided, nil
	}
	found, err := p.ForcedWin(b, board.Color(q.Side))
	switch {
	case err != nil:
		return "", err
	case found == endgame.Yes:
		return Proved, nil
	case found == endgame.No:
		return Refuted, nil
	}
	return Undecided, nil
}

// Tables names the endgame tables that the answer needs.
func (q Question) Tables() []string {
	b, err := q.Board()
	if err != nil || q.Kind == AskPossible {
		return nil
	}
	return endgame.Needs(b)
}
