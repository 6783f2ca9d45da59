package game_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"flagfall/game"
	"flagfall/game/board"
)

// What is only decided leaves no trace in the game, whatever else is decided after it and whichever of it comes true: at
// every length of the game it is what its events alone make of another game, which shares nothing with it.
func TestDraftsLeaveNoTrace(t *testing.T) {
	for seed := range uint64(40) {
		random := rand.New(rand.NewPCG(seed, 7))
		setup := game.Setup{RuleSet: "wbca", Mode: game.OverTheBoard, Base: [2]int64{300000, 300000}}
		g, apart := game.New(), game.New()
		pressed := func(by game.Side, m board.Move) game.Command {
			return game.Command{Kind: game.Release, By: by, Move: m, Ply: game.AnyPly, Press: true}
		}
		do := func(c game.Command) {
			events, err := g.Decide(c, 0)
			if err != nil {
				t.Fatalf("seed %d: %+v: %v", seed, c, err)
			}
			for _, e := range events {
				g.Apply(e)
				apart.Apply(e)
			}
		}
		do(game.Command{Kind: game.Create, By: game.None, Setup: &setup})
		for range 100 {
			b := g.Board()
			by := game.Side(b.Turn())
			legal := b.AppendLegal(nil)
			if g.Phase() != game.Play || len(legal) == 0 || len(g.Plies()) > 60 {
				break
			}
			choices := []game.Command{{Kind: game.Resign, By: by}, {Kind: game.MakeClaim, By: by, Claim: game.ClaimIllegal}}
			if m := legal[random.IntN(len(legal))]; random.IntN(2) == 0 { // with a reply that waits one press completes two moves
				do(game.Command{Kind: game.Release, By: by, Move: m, Ply: game.AnyPly})
				after := b.Displace(m)
				if replies := after.AppendLegal(nil); len(replies) > 0 && g.Phase() == game.Play {
					do(pressed(by.Other(), replies[random.IntN(len(replies))]))
				}
				choices = append(choices, game.Command{Kind: game.Press, By: by, Ply: game.AnyPly})
			} else {
				choices = append(choices, pressed(by, m), pressed(by, legal[random.IntN(len(legal))]))
				hop := board.Move{From: b.King(b.Turn()), To: board.Square(random.IntN(64))}
				if man := b.At(hop.To); man.Kind() != board.King && hop.From != hop.To {
					choices = append(choices, pressed(by, hop))
				}
			}
			for range 8 {
				_, _ = g.Decide(choices[random.IntN(len(choices))], 0)
			}
			if !reflect.DeepEqual(*g, *apart) {
				t.Fatalf("seed %d, %d plies: drafts have changed the game", seed, len(g.Plies()))
			}
			for _, i := range random.Perm(len(choices)) {
				if choices[i].Kind == game.Resign {
					continue
				}
				if _, err := g.Decide(choices[i], 0); err == nil {
					do(choices[i])
					break
				}
			}
			if !reflect.DeepEqual(*g, *apart) {
				t.Fatalf("seed %d, %d plies: the game is not what its events make of it", seed, len(g.Plies()))
			}
		}
	}
}
