package arena

import "testing"

// The words of Continental rule 34: totals; then the most recent round that was different; then the player with the
// higher score gets his due colour.
func TestColours(t *testing.T) {
	for _, c := range []struct {
		name, ahead, other string
		toss, white, fit   bool
	}{
		{"fewer whites gets White", "bb", "wb", false, true, true},
		{"more whites gets Black", "wwb", "wb", true, false, true},
		{"totals before the last game", "bbw", "wb", true, true, true},
		{"the latest difference", "wb", "bw", false, true, true},
		{"the latest difference lies back", "bwwb", "wbwb", true, false, true},
		{"the latest difference of four", "wbbw", "wbwb", false, false, true},
		{"all the same: the one ahead is due White", "wb", "wb", false, true, true},
		{"all the same: the one ahead is due Black", "bw", "bw", true, false, true},
		{"nobody has played: the toss", "", "", true, true, true},
		{"nobody has played: the toss", "", "", false, false, true},
		{"one has not played, his opponent is due Black", "", "bw", false, true, true},
		{"a fourth in a row is passed on", "bbbwww", "bw", false, false, true},
		{"the totals would give a fourth White", "bbbbwww", "wb", true, false, true},
		{"both at the bound", "wbww", "wbww", false, false, false},
	} {
		white, fit := firstWhite(c.ahead, c.other, c.toss)
		if white != c.white || fit != c.fit {
			t.Errorf("%s: %q, %q: white %v, fit %v, want %v, %v", c.name, c.ahead, c.other, white, fit, c.white, c.fit)
		}
	}
}
