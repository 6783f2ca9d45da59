package pgn

import (
	"strings"
	"testing"
)

// uci are the moves of a game, with what is known of their clocks: "e2e4 59.5".
func uci(g *Game) string {
	var words []string
	for _, m := range g.Moves {
		words = append(words, m.Move.UCI())
	}
	return strings.Join(words, " ")
}

func problems(games []*Game) string {
	var lines []string
	for _, g := range games {
		for _, p := range g.Problems {
			lines = append(lines, p.String())
		}
	}
	return strings.Join(lines, "; ")
}

func TestMovetexts(t *testing.T) {
	for _, tt := range []struct{ name, text, moves, result, problems string }{
		{"plain", "1. e4 e5 2. Nf3 Nc6 1-0", "e2e4 e7e5 g1f3 b8c6", "1-0", ""},
		{"close", "1.e4 e5 2.Nf3 Nc6 *", "e2e4 e7e5 g1f3 b8c6", "*", ""},
		{"no numbers", "e4 e5 Nf3 1/2-1/2", "e2e4 e7e5 g1f3", "1/2-1/2", ""},
		{"squares", "1. e2e4 e7-e5 2. Ng1-f3 Nb8xc6 *", "e2e4 e7e5 g1f3 b8c6", "*", ""},
		{"illegal knight", "1. Ng1-g3 e5 2. Ng3-g5 *", "g1g3 e7e5 g3g5", "*", ""},
		{"illegal short, the only one", "1. e4 e5 2. Ke3 Qd4 *", "e2e4 e7e5 e1e3 d8d4", "*", ""},
		{"illegal short, by its file", "1. Ngg3 e5 *", "g1g3 e7e5", "*", ""},
		{"the other side's man", "1. e7-e5 e4 *", "e7e5 e5e4", "*", ""},
		{"own man taken", "1. Ra1xa2 e5 *", "a1a2 e7e5", "*", ""},
		{"castling too early", "1. e4 e5 2. O-O *", "e2e4 e7e5 e1g1", "*", ""},
		{"castling with zeros", "1. Nf3 d5 2. g3 d4 3. Bg2 d3 4. 0-0 *", "g1f3 d7d5 g2g3 d5d4 f1g2 d4d3 e1g1", "*", ""},
		{"a pawn that leaps", "1. e5 e6 *", "e2e5 e7e6", "*", ""},
		{"pinned man", "1. e4 e6 2. d4 Bb4+ 3. Nc3 a6 4. Ne2 a5 5. Nxd5 *", "e2e4 e7e6 d2d4 f8b4 b1c3 a7a6 g1e2 a6a5 c3d5", "*", ""},
		{"comments", "1. e4 { best [%clk 0:04:59.5] } e5 ; by test\n2. Nf3 $1 (2. f4 exf4 (2... d5 {Falkbeer}) 3. Nf3) 2... Nc6!? *",
			"e2e4 e7e5 g1f3 b8c6", "*", ""},
		{"escaped line", "1. e4 e5\n% 2. f4 exf4\n2. Nf3 *", "e2e4 e7e5 g1f3", "*", ""},
		{"en passant words", "1. e4 a6 2. e5 d5 3. exd6 e.p. *", "e2e4 a7a6 e4e5 d7d5 e5d6", "*", ""},
		{"promotions", "[FEN \"7k/P6P/8/8/8/8/8/K7 w - - 0 1\"]\n1. a8=N Kg7 2. h8Q+ *", "a7a8n h8g7 h7h8q", "*", ""},
		{"promotion to a queen unsaid", "[FEN \"7k/P7/8/8/8/8/8/K7 w - -\"]\n1. a8+ *", "a7a8q", "*", ""},
		{"two games", "1. e4 *\n\n1. d4 1-0", "e2e4", "*", ""},

		{"no result", "1. e4 e5", "e2e4 e7e5", "*", "line 1: the moves end without a result (1-0, 0-1, 1/2-1/2 or *)"},
		{"two results", "[Result \"1-0\"]\n\n1. e4 0-1", "e2e4", "0-1", "line 3: the moves end with 0-1 and the tag Result says 1-0; the moves count"},
		{"noise", "1. e4 novelty 1... e5 *", "e2e4 e7e5", "*", `line 1: move 1 of Black: "novelty" is no move`},
		{"a move missing", "1. e4 ???!x9 2. Nf3 Nc6 *", "e2e4", "*", `line 1: move 1 of Black: "???!x9" is no move; ` +
			"line 1: move 1 of Black: it is missing before Nf3; the moves from here on cannot be followed"},
		{"no such man", "1. e4 e5\n2. Ra3-a5 Nc6 *", "e2e4 e7e5", "*",
			"line 2: move 2 of White: Ra3-a5: no man stands on a3; the moves after it cannot be followed"},
		{"another man", "1. Bg1-g3 *", "", "*",
			"line 1: move 1 of White: Bg1-g3: there is no bishop on g1 but a knight; the moves after it cannot be followed"},
		{"two men", "1. Nd5 e5 *", "", "*",
			"line 1: move 1 of White: Nd5: it may be the knight on b1 or on g1; the moves after it cannot be followed"},
		{"own king taken", "1. Qxe1 *", "", "*",
			"line 1: move 1 of White: Qxe1: the own king is on e1; the moves after it cannot be followed"},
		{"wrong number", "1. e4 e5 3. Nf3 *", "e2e4 e7e5 g1f3", "*", "line 1: number 3., but it is move 2 of White"},
		{"bad clock", "1. e4 {[%clk 5 minutes]} e5 *", "e2e4 e7e5", "*", "line 1: [%clk 5 minutes]: want a time such as 0:04:59.5"},
		{"clock before any move", "{[%clk 0:05:00]} 1. e4 *", "e2e4", "*", "line 1: [%clk 0:05:00] stands before any move"},
		{"open comment", "1. e4 e5 {and then", "e2e4 e7e5", "*", "line 1: a comment that no } closes; the rest of the file is part of it; " +
			"line 1: the moves end without a result (1-0, 0-1, 1/2-1/2 or *)"},
		{"open variation", "1. e4 (1. d4\n", "e2e4", "*", "line 1: a variation that nothing closes; " +
			"line 2: the moves end without a result (1-0, 0-1, 1/2-1/2 or *)"},
		{"closed variation", "1. e4 ) e5 *", "e2e4 e7e5", "*", "line 1: a ) that closes no variation"},
		{"bad tag", "[Event 1992]\n[White \"A \\\"B\\\" \\\\ C\"]\n1. e4 *", "e2e4", "*", `line 1: tag [Event 1992: want [Name "value"]`},
		{"tag twice", "[White \"A\"]\n[White \"B\"]\n1. e4 *", "e2e4", "*", "line 2: tag White stands there twice; the first one counts"},
		{"bad position", "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n1. e4 *", "", "*",
			`line 1: fen "8/8/8/8/8/8/8/8 w - - 0 1": 0 kings of w, want 1; the moves of this game are not judged`},
		{"set up without position", "[SetUp \"1\"]\n1. e4 *", "", "*", "line 1: SetUp without FEN; the moves of this game are not judged"},
		{"bracket among moves", "1. e4 [%clk 0:01:00] 1... e5 *", "e2e4 e7e5", "*", `line 1: move 1 of Black: "[%clk 0:01:00" is no move`},
		{"nothing", " \n", "", "*", "line 1: there is no game in it"},
		{"a result alone", "1-0", "", "1-0", "line 1: a result 1-0 without a game"},
		{"other letters", "[White \"J\xfcrgen\"]\n1. e4 *", "e2e4", "*", ""},
	} {
		games := Read(tt.text)
		if got := uci(games[0]); got != tt.moves {
			t.Errorf("%s: moves %q, want %q", tt.name, got, tt.moves)
		}
		if games[0].Result != tt.result {
			t.Errorf("%s: result %s, want %s", tt.name, games[0].Result, tt.result)
		}
		if got := problems(games); got != tt.problems {
			t.Errorf("%s: %s\nwant %s", tt.name, got, tt.problems)
		}
	}
}

// What is wrong in one game does not hide the next one.
func TestTheRestOfTheFileIsRead(t *testing.T) {
	games := Read("[Event \"A\"]\n\n1. e4 Zz9 2. d4\n\n[Event \"B\"]\n[Event \"C\"]\n\n1. d4 d5 1-0\n\n[Event \"D\"]\n1. c4 {x} 0-1")
	var got []string
	for _, g := range games {
		got = append(got, g.Tags["Event"]+" "+uci(g)+" "+g.Result)
	}
	if want := "A e2e4 *|B  *|C d2d4 d7d5 1-0|D c2c4 0-1"; strings.Join(got, "|") != want {
		t.Errorf("got %s, want %s", strings.Join(got, "|"), want)
	}
	if games[0].Lost == 0 || games[1].Lost != 0 {
		t.Errorf("lost %d and %d", games[0].Lost, games[1].Lost)
	}
	if games[2].Line != 6 {
		t.Errorf("game C begins in line %d, want 6", games[2].Line)
	}
}

func TestTimes(t *testing.T) {
	for text, want := range map[string]int64{
		"0:04:59.5": 299500, "0:00:00": 0, "1:00:00": 3600000, "4:59": 299000, "59": 59000, "0:00:00.05": 50, "0:05:00.1234": 300123,
	} {
		if got, err := parseTime(text); err != nil || got != want {
			t.Errorf("%s: %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "x", "1:2:3:4", "0:60:00", "0:00:60", "1.5:00", "-1", "0:00:00.", "0:00:00.x", "100:00:00", "99999999999:00"} {
		if got, err := parseTime(text); err == nil {
			t.Errorf("%q is read as %d", text, got)
		}
	}
	g := Read("1. e4 {[%clk 0:04:59.5]} e5 {[%emt 0:00:03] [%eval 0.1] fine} *")[0]
	if m := g.Moves[0]; m.Clock != 299500 || !m.Tenths || m.Used != NoTime {
		t.Errorf("first move: %+v", m)
	}
	if m := g.Moves[1]; m.Clock != NoTime || m.Used != 3000 || g.Remark != "fine" {
		t.Errorf("second move: %+v, %q", m, g.Remark)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("[Event \"x\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O {[%clk 0:00:01.5]} Kd8 (1... Ke7) 2. Ng1-g3 $3 ; c\n% e\n*")
	f.Add("[Part \"2 of 2\"] 1... Qxe1 { White played the illegal move Ke1-e3, released and never pressed (0:00:01.0 left). } 0-1")
	f.Fuzz(func(t *testing.T, text string) {
		lines := strings.Count(text, "\n") + 1
		for _, g := range Read(text) {
			b := g.Start
			for _, m := range g.Moves {
				if m.Before.Placement() != b.Placement() {
					t.Fatalf("%s begins from another position", m.Text)
				}
				b = m.Before.Displace(m.Move)
				if b == m.Before {
					t.Fatalf("%s changes nothing", m.Text)
				}
			}
			for _, p := range g.Problems {
				if p.Line < 1 || p.Line > lines {
					t.Fatalf("%s: there are %d lines", p, lines)
				}
			}
		}
	})
}
