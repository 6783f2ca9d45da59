package table

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"flagfall/game"
	"flagfall/server/wire"
)

// Whatever is told to whom: who asks gets exactly the frames that he missed, as they were, or is told that they are not
// all there; and what is kept stays within its bounds.
func TestTold(t *testing.T) {
	dice := rand.New(rand.NewPCG(3, 4))
	everybody := []audience{audience(game.White), audience(game.Black), audience(game.None)}
	for range 200 {
		var kept told
		var all [audiences][]string // every frame, from number 1
		for range 60 {
			r := record{by: everybody[dice.IntN(3)], id: strings.Repeat("i", dice.IntN(33))}
			long := []int{90, 90, 90, 90, 300, 2000}[dice.IntN(6)]
			e := wire.Events{At: dice.Int64N(1e6), E: []wire.Event{{K: "move", M: strings.Repeat("m", dice.IntN(long))}}}
			r.tail = e.AppendTail(nil)
			to := everybody
			if dice.IntN(4) == 0 {
				to = everybody[dice.IntN(3):][:1]
			}
			kept.add(&r, to...)
			for _, a := range to {
				told := wire.Events{T: "ev", N: uint64(len(all[a]) + 1), At: e.At, E: e.E}
				if a == r.by && a != audience(game.None) {
					told.ID = r.id
				}
				frame := string(told.Append(nil))
				if got := string(r.frame(nil, a)); got != frame {
					t.Fatalf("%s\nwant\n%s", got, frame)
				}
				all[a] = append(all[a], frame)
			}
			if cap(kept.kept) > keptBytes {
				t.Fatalf("%d bytes are kept", cap(kept.kept))
			}
			for _, a := range everybody {
				checkSince(t, &kept, a, all[a], long < 100 && len(to) == 3)
			}
		}
	}
}

func checkSince(t *testing.T, kept *told, a audience, all []string, short bool) {
	t.Helper()
	for n := range len(all) + 2 {
		frames, ok := kept.since(a, uint64(n))
		if !ok {
			if short && n > 0 && n == len(all)-1 {
				t.Fatalf("the last of %d frames is not there", len(all))
			}
			continue
		}
		var got []string
		for _, f := range frames {
			got = append(got, string(f))
		}
		if n == 0 || n > len(all) || !slices.Equal(got, all[n:]) {
			t.Fatal(fmt.Sprintf("after %d of %d:\n", n, len(all)), strings.Join(got, "\n"))
		}
	}
}
