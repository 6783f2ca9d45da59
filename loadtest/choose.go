package main

import (
	"math/rand/v2"

	"flagfall/game/board"
)

// legalMove picks a legal move: a mate if it finds one, often a capture, else any. ok is false if there is none.
func legalMove(b *board.Board, rng *rand.Rand, appetite float64, only board.Square) (board.Move, bool) {
	var buf [256]board.Move
	moves := b.AppendLegal(buf[:0])
	var captures, all []board.Move
	for _, m := range moves {
		if only != board.NoSquare && m.From != only {
			continue
		}
		all = append(all, m)
		if b.At(m.To) != board.NoPiece {
			captures = append(captures, m)
		}
	}
	if len(all) == 0 {
		return board.Move{}, false
	}
	if len(captures) > 0 && rng.Float64() < appetite {
		return captures[rng.IntN(len(captures))], true
	}
	m := all[rng.IntN(len(all))]
	if m.Promo != board.NoKind && rng.Float64() < 0.2 {
		m.Promo = board.NoKind // a queen by default
	}
	return m, true
}

// illegalMove picks a displacement that is possible but illegal, of a random kind: an own man against its geometry, a
// king left or put in check, castling without the right, an own man captured, an enemy man moved, kings side by side.
func illegalMove(b *board.Board, rng *rand.Rand) (board.Move, bool) {
	me := b.Turn()
	for range 6 {
		var found []board.Move
		switch kind := rng.IntN(6); kind {
		case 0, 1:
			found = pseudoOnly(b)
		case 2:
			found = castlings(b)
		case 3:
			found = displacements(b, rng, me, func(to board.Piece) bool {
				return to != board.NoPiece && to.Color() == me
			})
		case 4:
			found = displacements(b, rng, me.Other(), func(to board.Piece) bool { return to == board.NoPiece })
		default:
			found = displacements(b, rng, me, func(to board.Piece) bool {
				return to == board.NoPiece || to.Color() != me
			})
		}
		if len(found) > 0 {
			return found[rng.IntN(len(found))], true
		}
	}
	return board.Move{}, false
}

// pseudoOnly lists moves that are illegal for the king's safety alone.
func pseudoOnly(b *board.Board) []board.Move {
	var out []board.Move
	me := b.Turn()
	for from, man := range b.Men() {
		if man.Color() != me {
			continue
		}
		for to := board.Square(0); to < 64; to++ {
			m := b.Normal(board.Move{From: from, To: to})
			if to != from && kingless(b, to) && b.Pseudo(m) && !b.Legal(m) {
				out = append(out, m)
			}
		}
	}
	return out
}

func castlings(b *board.Board) []board.Move {
	king := b.King(b.Turn())
	if king.File() != 4 || king.Rank()%7 != 0 {
		return nil
	}
	var out []board.Move
	for _, to := range []board.Square{king - 2, king + 2} {
		m := board.Move{From: king, To: to}
		if kingless(b, to) && !b.Legal(m) {
			out = append(out, m)
		}
	}
	return out
}

// displacements tries a few random ones of the men of c onto squares that fit.
func displacements(b *board.Board, rng *rand.Rand, c board.Color, fits func(board.Piece) bool) []board.Move {
	var out []board.Move
	for range 60 {
		from, to := board.Square(rng.IntN(64)), board.Square(rng.IntN(64))
		man := b.At(from)
		if from == to || man == board.NoPiece || man.Color() != c || !fits(b.At(to)) || !kingless(b, to) {
			continue
		}
		if c != b.Turn() && man.Kind() == board.King {
			continue
		}
		m := b.Normal(board.Move{From: from, To: to})
		if !b.Legal(m) {
			out = append(out, m)
		}
	}
	return out
}

func kingless(b *board.Board, s board.Square) bool { return b.At(s).Kind() != board.King }

// kingCapture finds a man of the side on turn, not the king, that takes the enemy king.
func kingCapture(b *board.Board) (board.Move, bool) {
	me := b.Turn()
	to := b.King(me.Other())
	for from, man := range b.Men() {
		m := b.Normal(board.Move{From: from, To: to})
		if man.Color() == me && man.Kind() != board.King && b.Pseudo(m) {
			return m, true
		}
	}
	return board.Move{}, false
}
