package game

import (
	"testing"

	"flagfall/clock"
)

// WBCA 1: three to seven minutes, the same for both, no increment or delay. The other books: what is blitz by the count of
// FIDE's and US Chess's regulations, base and sixty increments, three to ten minutes.
func TestRatingKind(t *testing.T) {
	const minute = 60000
	inc := func(ms int64) clock.Timing { return clock.Timing{Kind: clock.Fischer, Ms: ms} }
	delay := func(ms int64) clock.Timing { return clock.Timing{Kind: clock.USDelay, Ms: ms} }
	for _, c := range []struct {
		book   string
		base   [2]int64
		timing clock.Timing
		fen    string
		want   string
	}{
		{"wbca", [2]int64{3 * minute, 3 * minute}, clock.Timing{}, "", "wbca"},
		{"wbca", [2]int64{7 * minute, 7 * minute}, clock.Timing{}, "", "wbca"},
		{"wbca", [2]int64{3*minute - 1, 3*minute - 1}, clock.Timing{}, "", ""},
		{"wbca", [2]int64{7*minute + 1, 7*minute + 1}, clock.Timing{}, "", ""},
		{"wbca", [2]int64{5 * minute, 4 * minute}, clock.Timing{}, "", ""},
		{"wbca", [2]int64{3 * minute, 3 * minute}, inc(2000), "", ""},
		{"wbca", [2]int64{5 * minute, 5 * minute}, clock.Timing{}, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", ""},
		{"fide", [2]int64{3 * minute, 3 * minute}, inc(2000), "", "fide"},
		{"fide", [2]int64{10 * minute, 10 * minute}, clock.Timing{}, "", "fide"},
		{"fide", [2]int64{10 * minute, 10 * minute}, inc(1), "", ""},
		{"fide", [2]int64{1 * minute, 1 * minute}, clock.Timing{}, "", ""},
		{"fide", [2]int64{1 * minute, 1 * minute}, inc(2000), "", "fide"},
		{"uscf", [2]int64{5 * minute, 5 * minute}, delay(3000), "", "uscf"},
		{"uscf", [2]int64{8 * minute, 8 * minute}, delay(3000), "", ""},
		{"cca", [2]int64{5 * minute, 5 * minute}, clock.Timing{}, "", "cca"},
		{"cca", [2]int64{5 * minute, 6 * minute}, clock.Timing{}, "", ""},
	} {
		s := Setup{RuleSet: c.book, Base: c.base, Timing: c.timing, FEN: c.fen}
		if got := s.RatingKind(); got != c.want {
			t.Errorf("%s %v %v %q: %q, want %q", c.book, c.base, c.timing, c.fen, got, c.want)
		}
	}
}

// Only a game between two accounts is rated.
func TestWhoIsRated(t *testing.T) {
	ann, bob := Player{ID: "A", Name: "Ann", Account: true}, Player{ID: "B", Name: "Bob", Account: true}
	guest := Player{ID: "G", Name: "Guest"}
	bot, other := Player{ID: "C", Name: "Bot", Account: true, Bot: true}, Player{ID: "D", Name: "Other bot", Account: true, Bot: true}
	five := Terms{Base: 300000, Mode: OverTheBoard}
	casual := five
	casual.Casual = true
	for _, c := range []struct {
		white, black Player
		terms        Terms
		want         bool
	}{
		{ann, bob, five, true}, {bob, ann, five, true},
		{ann, guest, five, false}, {guest, ann, five, false}, {guest, guest, five, false},
		{ann, ann, five, false},
		{ann, bob, Terms{Base: 60000, Mode: Fast}, false},
		{ann, bob, casual, false},
		{ann, bot, five, false}, {bot, ann, five, false}, {bot, other, five, true},
	} {
		if s := c.terms.Setup(c.white, c.black); s.Rated != c.want {
			t.Errorf("%s and %s, %d: rated %v", c.white.Name, c.black.Name, c.terms.Base, s.Rated)
		}
	}
	for _, s := range []Setup{
		{RuleSet: "wbca", Mode: Fast, Base: [2]int64{60000, 60000}, White: ann, Black: bob, Rated: true},
		{RuleSet: "wbca", Mode: Fast, Base: [2]int64{300000, 300000}, White: ann, Black: ann, Rated: true},
		{RuleSet: "wbca", Mode: Fast, Base: [2]int64{300000, 300000}, White: ann, Black: bob, Rated: true, Casual: true},
	} {
		if s.Check() == nil {
			t.Errorf("%+v was taken", s)
		}
	}
}

// Aborted games, and those given up before the first move, are never rated.
func TestCounts(t *testing.T) {
	rated := five(Player{ID: "A", Account: true}, Player{ID: "B", Account: true})
	casual := rated
	casual.Rated = false
	both, whiteOnly := []Moved{{By: White}, {By: Black}}, []Moved{{By: White}}
	for _, c := range []struct {
		name  string
		setup Setup
		moves []Moved
		score Score
		want  bool
	}{
		{"a win", rated, both, WhiteWins, true},
		{"a draw", rated, both, Draw, true},
		{"casual", casual, both, WhiteWins, false},
		{"void", rated, both, Void, false},
		{"running", rated, both, "", false},
		{"White resigns without a move", rated, nil, BlackWins, false},
		{"Black resigns without a move", rated, whiteOnly, WhiteWins, false},
		{"a draw agreed after one move", rated, whiteOnly, Draw, false},
		{"White's first move is illegal and claimed", rated, whiteOnly, BlackWins, true},
	} {
		h := History{Setup: c.setup, Moves: c.moves, Result: Result{Score: c.score}}
		if got := h.Counts(); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func five(white, black Player) Setup { return NewSetup(white, black, 300000, OverTheBoard) }
