package endgame

import (
	"slices"
	"testing"
)

// longest is a number of moves to mate and how many positions need it; no
// positions where there is no such result.
type longest struct{ moves, positions int }

// published are the counts of the Syzygy generator for one side on move: board
// symmetries removed, equal men in both orders, en passant left out; and the
// longest mates as the literature has them.
type published struct {
	win, draw, loss int
	longestWin      longest
	longestLoss     longest
}

var none = longest{}

// Each name has the strong side on move first, then the weak one.
var threeMen = map[string][2]published{
	"KQK": {{18081, 0, 0, longest{10, 1}, none}, {0, 2896, 25160, none, longest{10, 8}}},
	"KRK": {{21959, 0, 0, longest{16, 121}, none}, {0, 2796, 25260, none, longest{16, 390}}},
	"KPK": {{62480, 19184, 0, longest{28, 3}, none}, {0, 35210, 48802, none, longest{28, 2}}},
	"KBK": {{0, 24178, 0, none, none}, {0, 28056, 0, none, none}},
	"KNK": {{0, 25750, 0, none, none}, {0, 28056, 0, none, none}},
}

// full are counts of all placements on 64 squares: win, draw, loss.
var fullThree = map[string][2][3]int{
	"KQK": {{144508, 0, 0}, {0, 23048, 200896}},
	"KRK": {{175168, 0, 0}, {0, 22244, 201700}},
	"KPK": {{124960, 38368, 0}, {0, 70420, 97604}},
}

func TestCountsOfThreeMen(t *testing.T) {
	for name, want := range threeMen {
		checkCounts(t, name, want)
	}
	for name, want := range fullThree {
		checkFull(t, name, want)
	}
}

func checkCounts(t *testing.T, name string, want [2]published) {
	t.Helper()
	st := statsOf(t, name)
	for s, w := range want {
		c := st.Reduced[s]
		if c.Win != w.win || c.Draw != w.draw || c.Loss != w.loss || c.Legal != w.win+w.draw+w.loss {
			t.Errorf("%s, side %d on move: %+v, want win %d draw %d loss %d", name, s, c, w.win, w.draw, w.loss)
		}
		if got := deepestOf(st.Plies[s], 1); got != w.longestWin {
			t.Errorf("%s, side %d on move: longest win %+v, want %+v", name, s, got, w.longestWin)
		}
		if got := deepestOf(st.Plies[s], 0); got != w.longestLoss {
			t.Errorf("%s, side %d on move: longest loss %+v, want %+v", name, s, got, w.longestLoss)
		}
	}
}

// deepestOf finds the most moves among the wins (1) or losses (0).
func deepestOf(plies []int, parity int) longest {
	for ply := len(plies) - 1; ply >= 0; ply-- {
		if ply&1 == parity && plies[ply] > 0 {
			return longest{(ply + 1) / 2, plies[ply]}
		}
	}
	return none
}

func checkFull(t *testing.T, name string, want [2][3]int) {
	t.Helper()
	st := statsOf(t, name)
	for s, w := range want {
		if w == [3]int{} {
			continue // not published
		}
		c := st.Full[s]
		if got := [3]int{c.Win, c.Draw, c.Loss}; got != w || c.Legal != w[0]+w[1]+w[2] {
			t.Errorf("%s, side %d on move: %+v, want win, draw, loss %v", name, s, c, w)
		}
	}
}

// The whole distributions of the two smallest endings are published too.
func TestDistributions(t *testing.T) {
	for name, want := range map[string][2][]int{
		"KQK": {
			{306, 629, 1135, 2499, 3273, 4010, 4016, 1877, 335, 1},
			{46, 169, 372, 936, 1773, 3190, 4997, 6769, 5483, 1417, 8},
		},
		"KRK": {
			{189, 587, 484, 238, 607, 1091, 1418, 2149, 2514, 2382, 2565, 2691, 2234, 2027, 662, 121},
			{27, 78, 246, 81, 198, 471, 592, 683, 1433, 1712, 1985, 2854, 3597, 4194, 4553, 2166, 390},
		},
	} {
		st := statsOf(t, name)
		if got := everySecond(st.Plies[strong], 1); !slices.Equal(got, want[strong]) {
			t.Errorf("%s, mate in 1, 2, ...: %v, want %v", name, got, want[strong])
		}
		if got := everySecond(st.Plies[weak], 0); !slices.Equal(got, want[weak]) {
			t.Errorf("%s, mated in 0, 1, ...: %v, want %v", name, got, want[weak])
		}
	}
}

func everySecond(plies []int, from int) (moves []int) {
	for i := from; i < len(plies); i += 2 {
		moves = append(moves, plies[i])
	}
	return moves
}
