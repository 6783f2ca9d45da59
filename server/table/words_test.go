package table

import (
	"testing"

	"flagfall/server/wire"
)

// What an arbiter did is told with who got it and why; every act of the wire has words.
func TestRulingsInWords(t *testing.T) {
	for act, want := range map[string]string{
		"duty":    "An arbiter is on duty",
		"offduty": "No arbiter is on duty",
		"stop":    "Zoe stopped the clocks (noise)",
		"resume":  "Zoe lets the game go on (noise)",
		"clocks":  "Zoe set the clocks (noise)",
		"warn":    "Zoe warned Black (noise)",
		"minute":  "Zoe gave the opponent of Black a minute (noise)",
		"loss":    "Zoe ruled that Black loses (noise)",
		"result":  "Zoe set the result 1-0 (noise)",
		"annul":   "Zoe annulled the game (noise)",
		"delay":   "Zoe put in a delay clock for Black (noise)",
		"unjust":  "Zoe found no reason for the call of Black (noise)",
		"end":     "Zoe ended the game (noise)",
	} {
		if got := inWords(&wire.Event{K: "ruling", Act: act, Who: "Zoe", Why: "noise", By: "b", Score: "1-0"}); got != want {
			t.Errorf("%s: %q, want %q", act, got, want)
		}
	}
}
