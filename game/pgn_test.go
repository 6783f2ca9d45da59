package game_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"flagfall/clock"
	"flagfall/game"

	reader "github.com/corentings/chess/v2"
)

var startedAt = time.Date(2026, 3, 1, 18, 30, 5, 0, time.UTC)

// played is a game that was played by commands such as "1000 w e2e4", "1000 w e2e4-" (not pressed), "2000 b claim time",
// "3000 w resign", "4000 tick".
func played(t *testing.T, setup game.Setup, commands ...string) game.History {
	t.Helper()
	setup.Options = game.Options{}
	s := &script{where: "game", game: game.New()}
	if _, err := s.do(game.Command{Kind: game.Create, By: game.None, Setup: &setup}); err != nil {
		t.Fatal(err)
	}
	for _, text := range commands {
		words := strings.Fields(text)
		if len(words) == 3 && len(words[2]) >= 4 && words[2][1] < 'a' {
			move, open := strings.CutSuffix(words[2], "-")
			words = []string{words[0], words[1], "move", move, "press"}
			if open {
				words = words[:4]
			}
		}
		c := s.command(t, line{words: words, do: text})
		s.pass(number(t, words[0]))
		if _, err := s.do(c); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	_, history := game.Replay(s.events)
	return history
}

func lobbyGame(white, black string) game.Setup {
	setup := game.NewSetup(game.Player{ID: "1", Name: white}, game.Player{ID: "2", Name: black}, 300000, game.OverTheBoard)
	setup.Origin, setup.Lag = "pool", game.Setup{}.Lag
	return setup
}

// parsed reads a file back with another library.
func parsed(t *testing.T, text string) []*reader.Game {
	t.Helper()
	var games []*reader.Game
	scanner := reader.NewScanner(strings.NewReader(text))
	for scanner.HasNext() {
		g, err := scanner.ParseNext()
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		games = append(games, g)
	}
	return games
}

func moves(g *reader.Game) string {
	var words []string
	for _, m := range g.Moves() {
		words = append(words, m.String())
	}
	return strings.Join(words, " ")
}

func TestPGN(t *testing.T) {
	h := played(t, lobbyGame("Ann", "Bob"),
		"1000 w f2f3", "2500 b e7e5", "4000 w g2g4", "65550 b d8h4-")
	text := h.PGN("g1", "Flagfall", startedAt)
	want := `[Event "Flagfall pool game"]
[Site "Flagfall"]
[Date "2026.03.01"]
[Round "-"]
[White "Ann"]
[Black "Bob"]
[Result "0-1"]
[GameId "g1"]
[TimeControl "300"]
[UTCDate "2026.03.01"]
[UTCTime "18:30:05"]
[Rules "WBCA"]
[Termination "normal"]

1. f3 { [%clk 0:04:59.0] } 1... e5 { [%clk 0:04:58.5] } 2. g4 {
[%clk 0:04:57.5] } 2... Qh4# { [%clk 0:03:57.0] Black mated White's king - WBCA
7a } 0-1
`
	if text != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
	games := parsed(t, text)
	if len(games) != 1 {
		t.Fatalf("%d games in\n%s", len(games), text)
	}
	if got := moves(games[0]); got != "f2f3 e7e5 g2g4 d8h4" {
		t.Errorf("read back as %s", got)
	}
	if games[0].Outcome() != reader.BlackWon {
		t.Errorf("read back as %s", games[0].Outcome())
	}
}

// A legal game with castling, en passant, promotions and checks comes back move by move.
func TestPGNReadsBack(t *testing.T) {
	line := "e2e4 c7c5 g1f3 d7d6 e4e5 f7f5 e5f6 g8h6 f6g7 b8c6 g7h8q c8g4 f1e2 d8a5 e1g1 e8c8 h8h7 a5d2"
	var commands []string
	side := "w"
	for i, m := range strings.Fields(line) {
		commands = append(commands, fmt.Sprintf("%d %s %s", 1000*(i+1), side, m))
		side = map[string]string{"w": "b", "b": "w"}[side]
	}
	h := played(t, lobbyGame("Ann", "Bob"), append(commands, "40000 w resign")...)
	text := h.PGN("g1", "Flagfall", startedAt)
	games := parsed(t, text)
	if len(games) != 1 {
		t.Fatalf("%d games in\n%s", len(games), text)
	}
	if got := moves(games[0]); got != line {
		t.Errorf("read back as %s, want %s, from\n%s", got, line, text)
	}
	if n := strings.Count(text, "[%clk"); n != len(commands) {
		t.Errorf("%d clock times for %d moves", n, len(commands))
	}
	for _, l := range strings.Split(text, "\n") {
		if len(l) > 79 {
			t.Errorf("line of %d characters: %s", len(l), l)
		}
	}
}

// PGN-01: names neither break nor forge headers.
func TestPGNHeadersAreEscaped(t *testing.T) {
	tagLine := regexp.MustCompile(`^\[([A-Za-z]+) "((?:[^"\\]|\\["\\])*)"\]$`)
	unescape := strings.NewReplacer(`\"`, `"`, `\\`, `\`)
	for name, want := range map[string]string{
		`O"Neil`:                   `O"Neil`,
		`back\slash`:               `back\slash`,
		`end\`:                     `end\`,
		`a]b[c`:                    `a]b[c`,
		"x\"]\n[Result \"1-0":      `x"][Result "1-0`,
		"\u0085\u2028\u2029\x7f\t": "",
		"Zoë":                      "Zoë",
	} {
		h := played(t, lobbyGame(name, name), "1000 w e2e4", "2000 w resign")
		text := h.PGN("g1", name, startedAt)
		header, body, _ := strings.Cut(text, "\n\n")
		tags := map[string]string{}
		for _, l := range strings.Split(header, "\n") {
			m := tagLine.FindStringSubmatch(l)
			if m == nil {
				t.Fatalf("%q: no tag pair: %q", name, l)
			}
			if _, twice := tags[m[1]]; twice {
				t.Errorf("%q: %s stands there twice", name, m[1])
			}
			tags[m[1]] = unescape.Replace(m[2])
		}
		if tags["White"] != want || tags["Black"] != want || tags["Site"] != want {
			t.Errorf("%q was written as %q", name, tags["White"])
		}
		if tags["Result"] != "0-1" || !strings.HasSuffix(body, " 0-1\n") {
			t.Errorf("%q: result %q, movetext %q", name, tags["Result"], body)
		}
		games := parsed(t, text)
		if len(games) != 1 || games[0].Outcome() != reader.BlackWon {
			t.Errorf("%q: %d games read back", name, len(games))
		}
	}
}

// PGN-02 and its kind: tag, movetext and result agree, and Termination says how.
func TestPGNTermination(t *testing.T) {
	short := func(fen string, base int64) game.Setup {
		s := lobbyGame("Ann", "Bob")
		s.FEN, s.Base = fen, [2]int64{base, base}
		return s
	}
	fide := func(fen string, base int64) game.Setup {
		s := short(fen, base)
		s.RuleSet = "fide"
		return s
	}
	for _, tt := range []struct {
		name        string
		setup       game.Setup
		commands    []string
		result      game.Score
		termination string
	}{
		{"flag against a bare king", short("8/8/3k4/8/8/3K4/Q7/8 w - - 0 1", 2000), []string{"2500 b claim time"}, game.Draw, "time forfeit"},
		{"flag", short("", 2000), []string{"1000 w e2e4", "3500 w claim time"}, game.WhiteWins, "time forfeit"},
		{"both flags", short("", 1000), []string{"1500 w e2e4", "3500 w claim both_flags"}, game.Draw, "time forfeit"},
		{"illegal move", short("", 2000), []string{"1000 w e2e5", "1500 b claim illegal"}, game.BlackWins, "rules infraction"},
		{"king taken", short("4r1k1/p7/8/8/8/8/4R3/4K3 w - - 0 1", 9000), []string{"1000 w e2d2", "1500 b move e8e1"}, game.BlackWins, "rules infraction"},
		{"resignation", short("", 2000), []string{"1000 w resign"}, game.BlackWins, "normal"},
		{"agreement", short("", 2000), []string{"1000 w offer", "1001 b accept"}, game.Draw, "normal"},
		{"stalemate", short("7k/5K2/8/6Q1/8/8/8/8 w - - 0 1", 2000), []string{"1000 w g5g6-"}, game.Draw, "normal"},
		{"outage", short("", 2000), []string{"1000 recover gap=200000"}, game.Void, "emergency"},
		{"flag seen by the arbiter", fide("7k/8/8/8/8/8/8/KQ6 w - - 0 1", 2000), []string{"2500 tick"}, game.Draw, "time forfeit"},
		{"second illegal move", fide("7k/8/8/8/8/8/8/KQ6 w - - 0 1", 9000), []string{"1000 w a1h1", "2000 w a1h2"}, game.Draw, "rules infraction"},
	} {
		h := played(t, tt.setup, tt.commands...)
		text := h.PGN("g1", "Flagfall", startedAt)
		for _, want := range []string{
			fmt.Sprintf("[Result %q]\n", tt.result), fmt.Sprintf("[Termination %q]\n", tt.termination), "} " + string(tt.result) + "\n",
		} {
			if !strings.Contains(strings.ReplaceAll(text, "}\n", "} "), want) {
				t.Errorf("%s: no %q in\n%s", tt.name, want, text)
			}
		}
		if h.Result.Score != tt.result {
			t.Errorf("%s: result %s, want %s", tt.name, h.Result.Score, tt.result)
		}
	}
}

// Every illegal move that stood ends a movetext; what came after is a game of its own, set up from the board.
func TestPGNWithIllegalMoves(t *testing.T) {
	h := played(t, lobbyGame("Ann", "Bob"),
		"1000 w e2e4", "2000 b e7e5", "3000 w d1h4", "4000 b b8c6", "5000 w h4h5", "6000 b a7a4", "7000 w f1c4", "8000 b g8f6",
		"9000 w h5f7-")
	text := h.PGN("g1", "Flagfall", startedAt)
	games := parsed(t, text)
	want := []struct{ part, fen, moves, result, last string }{
		{"1 of 3", "", "e2e4 e7e5", "*", "White played the illegal move Qd1-h4, completed by the clock and not claimed"},
		{"2 of 3", "rnbqkbnr/pppp1ppp/8/4p3/4P2Q/8/PPPP1PPP/RNB1KBNR b KQkq - 1 2", "b8c6 h4h5", "*",
			"Black played the illegal move a7-a4, completed by the clock and not claimed"},
		{"3 of 3", "r1bqkbnr/1ppp1ppp/2n5/4p2Q/p3P3/8/PPPP1PPP/RNB1KBNR w KQkq - 0 4", "f1c4 g8f6 h5f7", "1-0",
			"White mated Black's king - WBCA 7a"},
	}
	if len(games) != len(want) {
		t.Fatalf("%d games in\n%s", len(games), text)
	}
	for i, w := range want {
		g := games[i]
		setUp := ""
		if w.fen != "" {
			setUp = "1"
		}
		if g.GetTagPair("Part") != w.part || g.GetTagPair("FEN") != w.fen || g.GetTagPair("SetUp") != setUp ||
			g.GetTagPair("Result") != w.result || moves(g) != w.moves {
			t.Errorf("part %d: %q, SetUp %q, FEN %q, result %q, moves %s", i+1, g.GetTagPair("Part"), g.GetTagPair("SetUp"),
				g.GetTagPair("FEN"), g.GetTagPair("Result"), moves(g))
		}
		if part := strings.Split(text, "\n\n[")[i]; !strings.Contains(strings.ReplaceAll(part, "\n", " "), w.last) {
			t.Errorf("part %d: no %q in\n%s", i+1, w.last, part)
		}
	}
}

// An illegal move that was claimed, and one that was never pressed, are told at the end of the movetext.
func TestPGNEndsWithAnIllegalMove(t *testing.T) {
	for _, tt := range []struct {
		commands []string
		want     string
	}{
		{[]string{"1000 w e2e4", "2000 b e7e4", "2500 w claim illegal"},
			"1. e4 { [%clk 0:04:59.0] Black played the illegal move e7xe4, completed by the clock (0:04:59.0 left). " +
				"Black completed an illegal move and White claimed it - WBCA 7d } 1-0"},
		{[]string{"1000 w e2e4", "2000 b e7e4-", "2500 b resign"},
			"1. e4 { [%clk 0:04:59.0] Black played the illegal move e7xe4, released and never pressed (0:04:59.0 left). " +
				"Black resigned - WBCA 7b } 1-0"},
		{[]string{"1000 w e2e5", "2500 b claim illegal"},
			"{ White played the illegal move e2-e5, completed by the clock (0:04:59.0 left). " +
				"White completed an illegal move and Black claimed it - WBCA 7d } 0-1"},
		{[]string{"1000 w resign"}, "{ White resigned - WBCA 7b } 0-1"},
		{[]string{"1000 w e2e5-", "1100 w retract", "1200 w e2e3", "2000 b resign"},
			"1. e3 { [%clk 0:04:58.8] Black resigned - WBCA 7b } 1-0"},
	} {
		h := played(t, lobbyGame("Ann", "Bob"), tt.commands...)
		_, body, _ := strings.Cut(h.PGN("g1", "Flagfall", startedAt), "\n\n")
		if got := strings.ReplaceAll(strings.TrimSpace(body), "\n", " "); got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
	}
}

// With 40 ms left a clock does not read nothing (CLK-06).
func TestPGNClockRoundsUp(t *testing.T) {
	setup := lobbyGame("Ann", "Bob")
	setup.Base = [2]int64{1040, 3_725_000}
	h := played(t, setup, "1000 w e2e4", "2000 b e7e5", "2001 b resign")
	text := h.PGN("g1", "Flagfall", startedAt)
	for _, want := range []string{"e4 { [%clk 0:00:00.1] }", "e5 { [%clk 1:02:04.0] ", `[TimeControl "1.04"]`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// An illegal move that was taken back, and what was played after it, is told and no more part of the game.
func TestPGNOfACorrectedGame(t *testing.T) {
	setup := lobbyGame("Ann", "Bob")
	setup.RuleSet = "uscf"
	h := played(t, setup,
		"1000 w e2e4", "2000 b e7e4", "3000 w d2d4", "4000 b a7a6", "4500 w claim illegal", "6000 b e7e5", "7000 w g1f3", "8000 b resign")
	text := h.PGN("g1", "Flagfall", startedAt)
	games := parsed(t, text)
	if len(games) != 1 || moves(games[0]) != "e2e4 e7e5 g1f3" {
		t.Fatalf("%d games read back from\n%s", len(games), text)
	}
	plain := strings.Join(strings.Fields(text), " ")
	for _, want := range []string{
		"1. e4 { [%clk 0:04:59.0] The illegal move e7xe4 of Black was taken back, and 2 moves after it; White got 120 s. } 1... e5",
		"2. Nf3 { [%clk 0:06:56.5] Black resigned - US Chess 13B } 1-0",
	} {
		if !strings.Contains(plain, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}

	setup.RuleSet = "fide" // the first move of the game
	h = played(t, setup, "1000 w e2e5", "2000 w e2e4", "3000 w resign")
	plain = strings.Join(strings.Fields(h.PGN("g1", "Flagfall", startedAt)), " ")
	want := "{ The illegal move e2-e5 of White was taken back; Black got 60 s. } 1. e4 { [%clk 0:04:58.0] White resigned - FIDE 5.1.2 } 0-1"
	if !strings.HasSuffix(plain, want) {
		t.Errorf("got %s, want %s", plain, want)
	}
}

func TestPGNTellsTheTiming(t *testing.T) {
	for _, tt := range []struct {
		base   [2]int64
		timing clock.Timing
		want   string
	}{
		{[2]int64{180000, 180000}, clock.Timing{}, `[TimeControl "180"]`},
		{[2]int64{180000, 180000}, clock.Timing{Kind: clock.Fischer, Ms: 2500}, `[TimeControl "180+2.5"]`},
		{[2]int64{180000, 180000}, clock.Timing{Kind: clock.USDelay, Ms: 2000}, "[TimeControl \"180\"]\n[Delay \"2\"]"},
		{[2]int64{180000, 180000}, clock.Timing{Kind: clock.Bronstein, Ms: 2000}, "[TimeControl \"180\"]\n[Delay \"2 Bronstein\"]"},
		{[2]int64{180000, 240000}, clock.Timing{}, "[TimeControl \"180\"]\n[BlackTimeControl \"240\"]"},
	} {
		setup := lobbyGame("Ann", "Bob")
		setup.Base, setup.Timing = tt.base, tt.timing
		h := played(t, setup, "1000 w resign")
		if text := h.PGN("g1", "Flagfall", startedAt); !strings.Contains(text, tt.want+"\n") {
			t.Errorf("no %s in\n%s", tt.want, text)
		}
	}
}
