package table

import (
	"fmt"
	"testing"
	"time"

	"flagfall/game"
	"flagfall/server/wire"
)

// Each letter of WBCA section 8 by itself and by the one button (rulings D40), claimed by either side on either clock.
func TestLetters(t *testing.T) {
	perpetual := []string{"w h5e8", "b g8h7", "w e8h5", "b h7g8", "w h5e8", "b g8h7", "w e8h5", "b h7g8", "w h5e8", "b g8h7", "w e8h5", "b h7g8", "w h5e8"}
	tests := []struct {
		name, fen, claim, rule string
		moves                  []string
	}{
		{"perpetual check", "6k1/6p1/8/7Q/8/8/8/K7 w - - 0 1", "8d", "WBCA 8d", perpetual},
		{"one rook each", rookEach, "8e", "WBCA 8e", nil},
		{"one knight each", "4k1n1/8/8/8/8/8/8/4K1N1 w - - 0 1", "8e", "WBCA 8e", nil},
		{"bishops and a pawn", bishops, "8g", "WBCA 8g", nil},
		{"king before a pawn", "8/8/8/4k3/4P3/4K3/8/8 w - - 0 1", "8h", "WBCA 8h", nil},
		{"king before a rook pawn", "k7/8/8/8/P7/8/8/4K3 w - - 0 1", "8h", "WBCA 8h", nil},
		{"rooks and a blocked rook pawn", "8/8/8/8/k7/P7/2R4r/4K3 w - - 0 1", "8i", "WBCA 8i", nil},
	}
	for _, test := range tests {
		for _, claim := range []string{test.claim, "draw"} {
			for _, by := range []string{"w", "b"} {
				t.Run(fmt.Sprint(test.name, " ", claim, " by ", by), func(t *testing.T) {
					inWorld(t, func(t *testing.T, w *world) {
						seats := map[string]*tab{}
						seats["w"], seats["b"] = w.sit(from(test.fen, game.Fast))
						for i, m := range test.moves {
							seats[m[:1]].do(fmt.Sprintf("m%d move %s %d", i, m[2:], i))
						}
						seats[by].do("c claim " + claim)
						pass(time.Millisecond)
						for _, c := range seats {
							var end wire.End
							c.lastEvent(&end)
							if end.Result != "1/2-1/2" || end.Rule != test.rule {
								t.Errorf("%s was told %+v", c.name, end)
							}
						}
					})
				})
			}
		}
	}
}

// A letter whose conditions are not met costs a minute (WBCA 13b), though another one would hold.
func TestWrongLetters(t *testing.T) {
	for claim, fen := range map[string]string{
		"8d": rookEach, "8e": bishops, "8g": rookEach, "8h": rookEach, "8i": rookEach,
	} {
		t.Run(claim, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				a, b := w.sit(from(fen, game.Fast))
				a.do("c claim " + claim)
				var f wire.Events
				b.last(&f)
				e := f.E[0]
				if e.K != "denied" || e.Claim != claim || e.Take != 60000 || e.Rule != "WBCA 13b" || f.Clocks.W > 240000 || f.Clocks.Run != "w" {
					t.Errorf("%+v", f)
				}
			})
		})
	}
}

// WBCA 8f pointed out by the player whose flag fell, with its own name and by the one button.
func TestFlaggedPlayerPointsOut(t *testing.T) {
	for _, claim := range []string{"draw_8f", "draw"} {
		t.Run(claim, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				s := from("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", game.OverTheBoard)
				s.Base, s.Options.FirstMove = [2]int64{5000, 60000}, 0
				a, b := w.sit(s)
				a.do("x claim draw_8f")
				a.expect("err:not_met")
				pass(6 * time.Second)
				a.expect("ev:flag")
				a.do("c claim " + claim)
				var end wire.End
				b.lastEvent(&end)
				if end.Result != "1/2-1/2" || end.Rule != "WBCA 8f" || end.Reason != "time_insufficient_material" {
					t.Errorf("%+v", end)
				}
			})
		})
	}
}
