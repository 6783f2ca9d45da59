//go:build !race

package endgame

import (
	"slices"
	"testing"
)

// Tables of four men are too slow under the race detector. Those against a
// lone minor piece are made in every run, all others with -endgame.all.

var minorMen = map[string][2]published{
	"KQKN": {{1111906, 7310, 0, longest{21, 3}, none}, {0, 305896, 1261326, none, longest{21, 12}}},
	"KRKN": {{651492, 696413, 1, longest{40, 1}, longest{0, 1}}, {4, 1396546, 170672, longest{1, 4}, longest{40, 1}}},
	"KBKN": {{2, 1479195, 1, longest{1, 2}, longest{0, 1}}, {5, 1567216, 1, longest{1, 5}, longest{0, 1}}},
	"KNKN": {{5, 1567216, 1, longest{1, 5}, longest{0, 1}}, {5, 1567216, 1, longest{1, 5}, longest{0, 1}}},
	"KNKP": {{208, 4095612, 608446, longest{7, 29}, longest{28, 4}}, {1622140, 3359329, 35, longest{29, 13}, longest{6, 7}}},
}

var otherMen = map[string][2]published{
	"KBNK": {{1352913, 6665, 0, longest{33, 138}, none}, {0, 309147, 1398741, none, longest{33, 370}}},
	// Unordered 312,951 and so on, longest 19 (15) and 19 (45): both orders are twice as many.
	"KBBK": {{625902, 645198, 0, longest{19, 30}, none}, {0, 1004966, 703510, none, longest{19, 90}}},
	"KNNK": {{154, 1438106, 0, longest{1, 154}, none}, {0, 1708446, 30, none, longest{0, 30}}},
	"KQKQ": {{467214, 646911, 5091, longest{13, 2}, longest{12, 2}}, {467214, 646911, 5091, longest{13, 2}, longest{12, 2}}},
	"KQKR": {{1108111, 8963, 2142, longest{35, 10}, longest{18, 4}}, {386313, 78518, 883075, longest{19, 23}, longest{35, 59}}},
	"KQKB": {{1115754, 3462, 0, longest{17, 2}, none}, {0, 342019, 1137179, none, longest{17, 6}}},
	"KQKP": {{3349631, 21317, 20, longest{28, 3}, longest{10, 2}}, {385976, 601733, 3993795, longest{29, 8}, longest{28, 13}}},
	"KRKR": {{392459, 946389, 9058, longest{19, 136}, longest{19, 18}}, {392459, 946389, 9058, longest{19, 136}, longest{19, 18}}},
	"KRKB": {{473447, 874459, 0, longest{29, 29}, none}, {0, 1431462, 47736, none, longest{29, 1}}},
	"KRKP": {{3703102, 340191, 6727, longest{26, 82}, longest{42, 1}}, {816810, 871949, 3292745, longest{43, 1}, longest{32, 2}}},
	"KBKB": {{52, 1479132, 14, longest{1, 52}, longest{0, 14}}, {52, 1479132, 14, longest{1, 52}, longest{0, 14}}},
	"KBKP": {{104, 4212608, 232968, longest{1, 104}, longest{19, 20}}, {1174317, 3807159, 28, longest{29, 8}, longest{0, 28}}},
}

var fullMinor = map[string][2][3]int{
	"KRKN": {{5210920, 5569800, 8}, {}},
	"KNKN": {{40, 12535208, 8}, {40, 12535208, 8}},
	"KNKP": {{416, 8191224, 1216892}, {3244280, 6718658, 70}},
}

var fullOther = map[string][2][3]int{
	"KQKR": {{8863768, 71704, 17136}, {}},
	"KBNK": {{10822184, 53320, 0}, {0, 2472416, 11188168}},
	"KNNK": {{1232, 11498072, 0}, {0, 13660344, 240}},
	"KQKQ": {{3737092, 5174888, 40628}, {3737092, 5174888, 40628}},
	"KRKR": {{3139232, 7569032, 72464}, {3139232, 7569032, 72464}},
	"KBKB": {{416, 11831936, 112}, {416, 11831936, 112}},
	"KBKP": {{208, 8425216, 465936}, {2348634, 7614318, 56}},
}

func TestCountsOfFourMen(t *testing.T) {
	for name, want := range minorMen {
		checkCounts(t, name, want)
	}
	for name, want := range fullMinor {
		checkFull(t, name, want)
	}
	if !*all {
		return
	}
	need(t, Materials()...)
	for name, want := range otherMen {
		checkCounts(t, name, want)
	}
	for name, want := range fullOther {
		checkFull(t, name, want)
	}
}

func TestKnightAgainstPawnByMoves(t *testing.T) {
	want := []int{18, 16, 33, 22, 73, 17, 29}
	got := everySecond(statsOf(t, "KNKP").Plies[strong], 1)[:7]
	if !slices.Equal(got, want) {
		t.Errorf("mate in 1, 2, ...: %v, want %v", got, want)
	}
}
