package game_test

import (
	"slices"
	"strings"
	"testing"

	"flagfall/game"
)

// seen are the kinds of a command's events, or its refusal as the player reads it. Whether a move was legal must not be
// told by them (WBCA 12; D35).
func seen(s *script, c game.Command) []string {
	before := len(s.events)
	_, err := s.do(c)
	if refusal, refused := err.(*game.Refusal); refused {
		return []string{"refused " + string(refusal.Shown())}
	}
	if err != nil {
		return []string{err.Error()}
	}
	var kinds []string
	for _, e := range s.events[before:] {
		text := string(e.Kind)
		if e.By != game.None {
			text += " " + e.By.String()
		}
		if e.Code != "" {
			text += " " + string(e.Code)
		}
		kinds = append(kinds, text)
	}
	return kinds
}

// twin plays the same commands in two games and fails where one shows what the other does not.
func twin(t *testing.T, name string, setups [2]string, commands [2][]string) {
	t.Helper()
	var games [2]*script
	for i, fen := range setups {
		games[i] = newScript(t, name, i, strings.Fields("ladder fen="+fen))
	}
	for i := range commands[0] {
		var told [2][]string
		var clocks [2]string
		for g, s := range games {
			l := line{words: strings.Fields(commands[g][i]), do: commands[g][i]}
			s.pass(number(t, l.words[0]))
			told[g] = seen(s, s.command(t, l))
			clocks[g] = s.ask("show") + " " + s.ask("offer")
		}
		if !slices.Equal(told[0], told[1]) || clocks[0] != clocks[1] {
			t.Errorf("%s: after %q and %q: %v (%s), and %v (%s)", name, commands[0][i], commands[1][i], told[0], clocks[0],
				told[1], clocks[1])
		}
	}
}

// Games that look the same and differ only in a lost castling right or an expired en passant.
func TestTwinsThatLookTheSame(t *testing.T) {
	const castle, noRight = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w kq - 0 1"
	const passing, expired = "4k2r/8/8/3pP3/8/8/8/R3K3 w - d6 0 1", "4k2r/8/8/3pP3/8/8/8/R3K3 w - - 0 1"
	for name, tt := range map[string]struct {
		setups   [2]string
		commands []string
	}{
		"castling": {[2]string{castle, noRight}, []string{
			"1000 w move e1g1", "1100 w move h1g1", "1200 b claim illegal", "1300 b offer", "1400 w press", "1500 w press",
			"2000 b move a8a7", "2100 b claim time", "2200 b press", "2300 w move a1a2", "2400 w claim illegal", "2500 w press",
		}},
		"castling with a reply in advance": {[2]string{castle, noRight}, []string{
			"1000 w move e1c1", "1100 b move h8h1", "1150 b move a8a7", "1200 b press", "1300 w press", "1400 w move c1b1",
		}},
		"en passant": {[2]string{passing, expired}, []string{
			"1000 w move e5d6", "1100 w press", "1200 w offer", "2000 b move e8d7", "2100 w accept", "2200 b press", "2300 w move a1a2",
		}},
		"en passant to the flag": {[2]string{passing, expired}, []string{
			"1000 w move e5d6", "400000 b claim illegal", "400001 b claim both_flags", "400002 w press",
		}},
		"two releases": {[2]string{passing, expired}, []string{"1000 w move e5d6", "1100 w move e5d6", "1200 b move h8h7", "1300 b move h8h6"}},
	} {
		twin(t, name, tt.setups, [2][]string{tt.commands, tt.commands})
	}
}

// The same steps with a legal and an illegal move in the same game.
func TestLegalAndIllegalStepsLookTheSame(t *testing.T) {
	for name, tt := range map[string][2][]string{
		"release and press": {
			{"1000 w move e2e4", "1100 w press", "1200 b move e7e5", "1300 b press"},
			{"1000 w move e2e5", "1100 w press", "1200 b move e7e6", "1300 b press"},
		},
		"a claim before the press": {
			{"1000 w move e2e4", "1100 b claim illegal", "1150 b claim time", "1200 w press"},
			{"1000 w move e2e5", "1100 b claim illegal", "1150 b claim time", "1200 w press"},
		},
		"offers": {
			{"1000 w offer", "1100 b move e7e5", "1200 w move e2e4", "1300 w press", "1400 b move e7e5", "1500 b offer"},
			{"1000 w offer", "1100 b move e7e5", "1200 w move e2e5", "1300 w press", "1400 b move e7e4", "1500 b offer"},
		},
		"a reply in advance": {
			{"1000 w move e2e4", "1100 b move e7e5 press", "1150 b move d7d5", "1200 w press"},
			{"1000 w move e2e5", "1100 b move e7e4 press", "1150 b move d7d5", "1200 w press"},
		},
		"a second release": {
			{"1000 w move e2e4", "1100 w move d2d4", "1200 b press", "1300 w press"},
			{"1000 w move e2e5", "1100 w move d2d4", "1200 b press", "1300 w press"},
		},
		"an outage": {
			{"1000 w move e2e4", "2000 recover elapsed=1000 gap=9", "2500 b claim illegal", "3000 w press"},
			{"1000 w move e2e5", "2000 recover elapsed=1000 gap=9", "2500 b claim illegal", "3000 w press"},
		},
		"a flag": {
			{"1000 w move e2e4", "400000 w press", "400100 b move e7e5", "400200 w claim time"},
			{"1000 w move e2e5", "400000 w press", "400100 b move e7e4", "400200 w claim time"},
		},
	} {
		twin(t, name, [2]string{}, tt)
	}
}

// Nothing but the verdict itself tells a released move that gives check, and one that looks like mate and is none.
func TestNoEndForAnIllegalMate(t *testing.T) {
	twin(t, "mate", [2]string{"b5k1/1q4pp/8/8/8/1B6/5PPP/6K1 b - - 0 1", "b5k1/1q4pp/8/8/8/B7/5PPP/6K1 b - - 0 1"}, [2][]string{
		{"1000 b move b7g2", "1100 b press"},
		{"1000 b move b7e4", "1100 b press"},
	})
}

func TestShownRefusals(t *testing.T) {
	for code, want := range map[game.Code]game.Code{
		game.MoveFinal: "move_pending", game.RetractFirst: "move_pending", game.NoMove: "no_move", game.TouchMove: "touch_move",
	} {
		if got := (&game.Refusal{Code: code}).Shown(); got != want {
			t.Errorf("%s is shown as %s, want %s", code, got, want)
		}
	}
}
