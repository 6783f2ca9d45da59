package game_test

import (
	"slices"
	"strings"
	"testing"

	"flagfall/game"
)

// Every rule that an event may cite is in the book of its game, and no game lacks its claims.
func TestEventsCiteRulesOfTheirBook(t *testing.T) {
	kinds := []game.Kind{game.Restored, game.Faulted, game.DelayInserted, game.Disputed, game.Denied, game.Pressed}
	claims := []game.Claim{
		"", game.ClaimIllegal, game.ClaimTime, game.ClaimBothFlags, game.ClaimNoMating, game.ClaimAbandoned, game.ClaimDraw,
		game.ClaimPerpetual, game.ClaimThreefold, game.ClaimFifty, game.ClaimLosing, game.ClaimRetract,
	}
	for _, book := range game.Books() {
		s := game.NewSetup(game.Player{}, game.Player{}, 300000, game.Fast)
		s.RuleSet = book.Name
		for _, kind := range kinds {
			for _, claim := range claims {
				cite := s.Cites(game.Event{Kind: kind, Claim: claim})
				if cite == "" {
					continue
				}
				number, ok := strings.CutPrefix(cite, book.Cite+" ")
				if !ok {
					t.Errorf("%s: %s of %q cites %q, not %s", book.Name, kind, claim, cite, book.Cite)
				}
				if _, ok := book.Rule(number); !ok {
					t.Errorf("%s: %s of %q cites %q, which is not in the book", book.Name, kind, claim, cite)
				}
			}
		}
		if !slices.Contains(s.Claims(), game.ClaimDraw) {
			t.Errorf("%s: a draw cannot be claimed", book.Name)
		}
	}
}

func TestWrongDrawClaimsAndTheirRules(t *testing.T) {
	for _, c := range []struct {
		rules     string
		opponent  bool // the event adds the minute instead of taking it (D21)
		take, add int64
		cites     string
	}{
		{"wbca", false, 60000, 0, "WBCA 13b"}, // WBCA 13b
		{"wbca", true, 0, 60000, "WBCA 13b"},
		{"uscf", false, 0, 0, ""},           // none in the extract
		{"cca", false, 0, 120000, "CCA 24"}, // CCA 24
		{"fide", false, 0, 60000, "FIDE 9.5.3"},
	} {
		s := game.NewSetup(game.Player{}, game.Player{}, 300000, game.Fast)
		s.RuleSet, s.Options.AddPenalty = c.rules, c.opponent
		if take, add := s.DrawRisk(); take != c.take || add != c.add {
			t.Errorf("%s: a wrong claim takes %d and adds %d, want %d and %d", c.rules, take, add, c.take, c.add)
		}
		if got := s.Cites(game.Event{Kind: game.Denied, Claim: game.ClaimDraw}); got != c.cites {
			t.Errorf("%s: a denied draw claim cites %q, want %q", c.rules, got, c.cites)
		}
	}
}
