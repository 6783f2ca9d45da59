package judge

import (
	"flagfall/game/board"
	"flagfall/loadtest/model"
)

// plain is the answer to the question whether a side mates, where everybody sees it at once; else what was told.
func plain(b *model.Board, side model.Color, told model.Verdict) model.Verdict {
	switch {
	case b.Total(side) == 1:
		return model.No
	case b.Turn() == side && matesNow(b):
		return model.Yes
	}
	return told
}

// matesNow tells whether the side on move mates at once.
func matesNow(b *model.Board) bool {
	for _, m := range b.AppendLegal(nil) {
		after := b.Displace(m)
		if after.InCheck(after.Turn()) && !after.AnyLegal() {
			return true
		}
	}
	return false
}

// mayBeLocked tells whether it is possible that neither side can ever mate for more than its lack of men: pawns wall the
// others off, or the few moves that there are take the last man.
func mayBeLocked(b *model.Board) bool {
	pawns := b.Count(board.White, board.Pawn) + b.Count(board.Black, board.Pawn)
	return (pawns > 0 || len(b.AppendLegal(nil)) <= 2) && !matesNow(b)
}
