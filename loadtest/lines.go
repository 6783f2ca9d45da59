package main

import (
	"math/rand/v2"

	"flagfall/game/board"
)

// opening is how many plies of a prepared game are any quiet moves; after them no pawn moves unless it must, so that a game
// can be as long as is wanted.
const opening = 60

// preparedGame is a legal game of the given number of plies, in UCI, that no rule ends: nobody is mated or stalemated, and
// nothing is captured where something else can be played.
func preparedGame(seed uint64, plies int) []string {
	rng := rand.New(rand.NewPCG(seed, 0x6c6f6e67))
	game := make([]string, 0, plies)
	b := board.Start()
	moves := make([]board.Move, 0, 64)
	for len(game) < plies {
		moves = b.AppendLegal(moves[:0])
		m, ok := quiet(rng, b, moves, len(game) >= opening)
		if !ok {
			b, game = board.Start(), game[:0]
			continue
		}
		game = append(game, m.UCI())
		b = b.Displace(m)
	}
	return game
}

// quiet picks a random move after which the game goes on: best a quiet one, else any.
func quiet(rng *rand.Rand, b board.Board, moves []board.Move, keepPawns bool) (board.Move, bool) {
	rng.Shuffle(len(moves), func(i, j int) { moves[i], moves[j] = moves[j], moves[i] })
	for _, loud := range []bool{false, true} {
		for _, m := range moves {
			captures := b.At(m.To) != board.NoPiece
			pawn := b.At(m.From).Kind() == board.Pawn
			if isLoud := captures || pawn && keepPawns; isLoud == loud && b.Displace(m).AnyLegal() {
				return m, true
			}
		}
	}
	return board.Move{}, false
}
