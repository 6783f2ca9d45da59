package game_test

import (
	"strings"
	"testing"

	"flagfall/clock"
	"flagfall/game"
)

func TestSetupIsChecked(t *testing.T) {
	for _, tt := range []struct {
		name string
		spin func(s *game.Setup)
		want string // in the error, "" for none
	}{
		{"a lobby game", func(*game.Setup) {}, ""},
		{"a rule set", func(s *game.Setup) { s.RuleSet = "house" }, `rule set "house" is not known`},
		{"a mode", func(s *game.Setup) { s.Mode = "slow" }, `mode "slow"`},
		{"too much time", func(s *game.Setup) { s.Base[1] = game.MaxBase + 1 }, "base time of Black"},
		{"negative time", func(s *game.Setup) { s.Base[0] = -1 }, "base time of White"},
		{"a position", func(s *game.Setup) { s.FEN = "8/8/8/8/8/8/8/8 w - - 0 1" }, "fen"},
		{"a timing", func(s *game.Setup) { s.Timing.Kind = "hourglass" }, `timing "hourglass"`},
		{"a timing without a kind", func(s *game.Setup) { s.Timing.Ms = 5 }, "it needs a kind"},
		{"an endless delay", func(s *game.Setup) { s.Timing = clock.Timing{Kind: clock.USDelay, Ms: 180001} }, "delay of 180001 ms"},
		{"a window", func(s *game.Setup) { s.Options.Window = 51 }, "window 51 ms"},
		{"a negative window", func(s *game.Setup) { s.Options.Window = -1 }, "window -1 ms"},
		{"a limit", func(s *game.Setup) { s.Options.FirstMove = -1 }, "negative"},
	} {
		setup := game.NewSetup(game.Player{ID: "1"}, game.Player{ID: "2"}, 300000, game.OverTheBoard)
		tt.spin(&setup)
		err := setup.Check()
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", tt.name, err, tt.want)
		}
		_, refused := game.New().Decide(game.Command{Kind: game.Create, By: game.None, Setup: &setup}, 0)
		if (refused == nil) != (tt.want == "") {
			t.Errorf("%s: created with %v", tt.name, refused)
		}
	}
}

// WBCA 1: its own rules, three to seven minutes, the same for both, no increment and no delay.
func TestWBCATime(t *testing.T) {
	for _, tt := range []struct {
		rules        string
		white, black int64
		timing       clock.Timing
		want         bool
	}{
		{"wbca", 180000, 180000, clock.Timing{}, true}, {"wbca", 300000, 300000, clock.Timing{}, true},
		{"wbca", 420000, 420000, clock.Timing{}, true}, {"wbca", 179999, 179999, clock.Timing{}, false},
		{"wbca", 420001, 420001, clock.Timing{}, false}, {"wbca", 300000, 180000, clock.Timing{}, false},
		{"wbca", 300000, 300000, clock.Timing{Kind: clock.Fischer, Ms: 1000}, false},
		{"wbca", 300000, 300000, clock.Timing{Kind: clock.USDelay, Ms: 1000}, false},
		{"uscf", 300000, 300000, clock.Timing{}, false}, {"cca", 300000, 300000, clock.Timing{}, false},
		{"fide", 300000, 300000, clock.Timing{}, false},
	} {
		s := game.Setup{RuleSet: tt.rules, Base: [2]int64{tt.white, tt.black}, Timing: tt.timing}
		if got := s.WBCATime(); got != tt.want {
			t.Errorf("%+v: got %v", tt, got)
		}
	}
}

func TestCommandsBeforeTheGame(t *testing.T) {
	for _, c := range []game.Command{
		{Kind: game.Release}, {Kind: game.Tick, By: game.None}, {Kind: game.Recover, By: game.None}, {Kind: game.Arrive},
	} {
		if _, err := game.New().Decide(c, 0); err == nil || err.Error() != string(game.NotStarted) {
			t.Errorf("%+v: got %v", c, err)
		}
	}
	s := newScript(t, "game", 1, nil)
	if _, err := s.do(game.Command{Kind: game.Create, By: game.None, Setup: s.game.Setup()}); err == nil {
		t.Error("a game was created twice")
	}
	for _, c := range []game.Command{
		{Kind: game.Press, By: game.None}, {Kind: game.Resign, By: 7}, {Kind: 200}, {Kind: game.Create, By: game.None},
	} {
		if events, err := s.do(c); err == nil || len(events) > 0 {
			t.Errorf("%+v: got %v, %v", c, events, err)
		}
	}
	if side := s.game.SideOf(""); side != game.None {
		t.Errorf("nobody sits on the side of %s", side.Name())
	}
}

// The words of a result name the winner, the reason and the rule.
func TestResultText(t *testing.T) {
	for _, tt := range []struct {
		result game.Result
		want   string
	}{
		{game.Result{Score: game.WhiteWins, Reason: "time", Rule: "7c", Book: "WBCA"}, "Black's flag fell and White claimed it - WBCA 7c"},
		{game.Result{Score: game.BlackWins, Reason: "king_capture", Rule: "7d", Book: "WBCA"}, "White left the king to be taken and Black took it - WBCA 7d"},
		{game.Result{Score: game.Draw, Reason: "agreement", Rule: "8b", Book: "WBCA"}, "The players agreed on a draw - WBCA 8b"},
		{game.Result{Score: game.Draw, Reason: "time_insufficient_material", Rule: "8f", Book: "WBCA"},
			"A flag fell, but the other side has no mating material - WBCA 8f"},
		{game.Result{Score: game.Draw, Reason: "time_insufficient_material", Rule: "8f+8h", Book: "WBCA"}, // he has a pawn
			"A flag fell, but the other side has no mating material: the position is a dead draw - WBCA 8f+8h"},
		{game.Result{Score: game.Void, Reason: "outage", Book: "WBCA"}, "The server was away for more than three minutes"},
	} {
		if got := tt.result.Text(); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

func TestEventsThatCannotBeTakenIn(t *testing.T) {
	for text, want := range map[string]string{
		`{"k":"created","by":""}`:           "no setup",
		`{"k":"ended","by":""}`:             "no result",
		`{"k":"pressed","by":""}`:           "no side",
		`{"k":"juggled","by":"w"}`:          "not known",
		`{"k":"released","by":"x"}`:         `side "x"`,
		`{"k":"released","by":"w","m":"e"}`: `move "e"`,
		`[]`:                                "game event",

		`{"k":"proofasked","by":"w"}`: "no question",
		`{"k":"proofasked","by":"","question":{"kind":"win","fen":"4k3/8/8/8/8/8/8/4K3 w - - 0 1","side":"w"}}`: "no side",
		`{"k":"demobegan","by":"","question":{"kind":"win","fen":"4k3/8/8/8/8/8/8/4K3 w - - 0 1","side":"w"}}`:  "no side",
		`{"k":"demobegan","by":"w","question":{"kind":"win","fen":"4k3/8 w - - 0 1","side":"w"}}`:               "fen",
		`{"k":"restored","by":"w","fen":"nonsense"}`:                                                            "fen",
		`{"k":"restored","by":"","fen":"4k3/8/8/8/8/8/8/4K3 w - - 0 1"}`:                                        "no side",
		`{"k":"restored","by":"w","ply":-1,"fen":"4k3/8/8/8/8/8/8/4K3 w - - 0 1"}`:                              "ply -1",
		`{"k":"ruled","by":""}`: "no ruling",
		`{"k":"ruled","by":"","ruling":{"act":"unjust","side":""}}`:             "no side",
		`{"k":"ruled","by":"","add":60000,"ruling":{"act":"minute","side":""}}`: "no side",
		`{"k":"held","by":""}`: "no side",
	} {
		if _, err := game.ParseEvent([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
}
