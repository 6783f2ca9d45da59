package game_test

import (
	"slices"
	"testing"

	"flagfall/game"
)

// order is the order of the rules for commands of one millisecond (rulings B.2, D32), of two different sides.
var order = [][]game.Command{
	{{Kind: game.Release}, {Kind: game.Retract}, {Kind: game.DemoMove}},
	{{Kind: game.Press}},
	{{Kind: game.MakeClaim, Claim: game.ClaimIllegal}},
	{{Kind: game.MakeClaim, Claim: game.ClaimTime}},
	{{Kind: game.MakeClaim, Claim: game.ClaimBothFlags}, {Kind: game.MakeClaim, Claim: game.ClaimNoMating},
		{Kind: game.MakeClaim, Claim: game.ClaimAbandoned}, {Kind: game.MakeClaim, Claim: game.ClaimDraw},
		{Kind: game.MakeClaim, Claim: game.ClaimIdentical}, {Kind: game.MakeClaim, Claim: game.ClaimThreefold},
		{Kind: game.MakeClaim, Claim: game.ClaimLosing}, {Kind: game.Dispute}},
	{{Kind: game.Resign}, {Kind: game.Concede}, {Kind: game.OfferDraw}, {Kind: game.AnswerDraw}, {Kind: game.MuteOffers}},
}

func TestMergeOrdersEveryPair(t *testing.T) {
	for i, firsts := range order {
		for j, seconds := range order {
			for _, first := range firsts {
				for _, second := range seconds {
					first.By, second.By = game.White, game.Black
					want := []int{0, 1} // by arrival among equals
					if j < i {
						want = []int{1, 0}
					}
					if got := game.Merge([]game.Command{first, second}); !slices.Equal(got, want) {
						t.Errorf("%+v, %+v: got %v, want %v", first, second, got, want)
					}
					second.By = game.White
					if got := game.Merge([]game.Command{first, second}); !slices.Equal(got, []int{0, 1}) {
						t.Errorf("one side's own %+v and %+v: got %v", first, second, got)
					}
				}
			}
		}
	}
}

func TestMergeOfMany(t *testing.T) {
	w := func(kind game.CommandKind) game.Command { return game.Command{Kind: kind, By: game.White} }
	b := func(kind game.CommandKind) game.Command { return game.Command{Kind: kind, By: game.Black} }
	for _, tt := range []struct {
		batch []game.Command
		want  []int
	}{
		{nil, []int{}},
		{[]game.Command{w(game.Resign), b(game.Release)}, []int{1, 0}},
		{[]game.Command{w(game.Resign), w(game.Release), b(game.Press)}, []int{2, 0, 1}},
		{[]game.Command{b(game.Press), w(game.Release), w(game.Press), b(game.Release)}, []int{1, 0, 3, 2}},
		{[]game.Command{{Kind: game.Tick, By: game.None}, b(game.Resign), w(game.Press)}, []int{2, 1, 0}},
		{[]game.Command{w(game.Resign), b(game.Arrive)}, []int{1, 0}},
	} {
		if got := game.Merge(tt.batch); !slices.Equal(got, tt.want) {
			t.Errorf("%+v: got %v, want %v", tt.batch, got, tt.want)
		}
	}
}

// Claims, resignations and offers are held until their millisecond is over; what they may lose to is not.
func TestWaits(t *testing.T) {
	for i, commands := range order {
		for _, c := range commands {
			if got := c.Waits(); got != (i >= 2) {
				t.Errorf("%+v waits: %v", c, got)
			}
		}
	}
}
