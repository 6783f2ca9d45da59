package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"flagfall/game"
	"flagfall/game/board"
)

// judged runs the command on one file of a kind.
func judged(t *testing.T, kind, text string) (exit int, out, errs string) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "game")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var o, e strings.Builder
	exit = run([]string{"-tables", t.TempDir(), kind, name}, strings.NewReader(""), &o, &e)
	return exit, strings.ReplaceAll(o.String(), name, "FILE"), e.String()
}

// squeezed is text with every run of spaces as one.
func squeezed(text string) string {
	var lines []string
	for _, l := range strings.Split(text, "\n") {
		lines = append(lines, strings.Join(strings.Fields(l), " "))
	}
	return strings.Join(lines, "\n")
}

func holds(t *testing.T, name, out string, want ...string) {
	t.Helper()
	lines := strings.Split(squeezed(out), "\n")
	for _, w := range want {
		if !slices.Contains(lines, w) {
			t.Errorf("%s: no line %q in\n%s", name, w, out)
		}
	}
}

func TestPGNFiles(t *testing.T) {
	const dispute = `[Event "Club evening"]
[White "Ann"]
[Black "Bob"]
[Result "1-0"]
[TimeControl "300"]
[Rules "WBCA"]

1. e4 {[%clk 0:04:58.5]} e5 {[%clk 0:04:55]} 2. Nf3 {[%clk 0:04:50]} Nb8-d6 {[%clk 0:04:40]}
3. Nxe5 {[%clk 0:04:45]} 1-0
`
	exit, out, errs := judged(t, "-pgn", dispute)
	if exit != 0 || errs != "" {
		t.Errorf("exit %d, %s", exit, errs)
	}
	holds(t, "dispute", out,
		"Game 1 (FILE line 1): Club evening: Ann - Bob, 1-0",
		"Moves, and claims under WBCA:",
		"1. White e4 4:58.5",
		"1... Black e5 4:55.0",
		"2... Black Nb8-d6 4:40.0 ILLEGAL (WBCA 14): a knight does not move like that; White may claim the illegal move: "+
			"1-0 (WBCA 7d), until the claimant makes a legal move or presses after any move",
		"3. White Nxe5 4:45.0 White may no longer claim the illegal move",
		"book everything claimed nothing claimed as recorded, 1-0",
		"WBCA 1-0 goes on if Black resigned",
		"US Chess goes back goes on if Black resigned",
		"CCA goes back goes on if Black resigned",
		"FIDE unlike the record unlike the record cannot be told",
		"WBCA, everything claimed: White claims the illegal move after 2... Nb8-d6: 1-0 (WBCA 7d)",
		"US Chess, everything claimed: White claims the illegal move after 2... Nb8-d6: the position before it is back and White gets 120 s",
		"FIDE, nothing claimed: after 2... Nb8-d6: the arbiter has the move taken back at once, and White gets 60 s",
	)
}

func TestRulesOfTheMoveList(t *testing.T) {
	name := filepath.Join(t.TempDir(), "g.pgn")
	if err := os.WriteFile(name, []byte("1. Ke3 e5 2. a3 *\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs strings.Builder
	if exit := run([]string{"-tables", t.TempDir(), "-rules", "cca", "-pgn", name}, nil, &out, &errs); exit != 0 {
		t.Fatalf("exit %d: %s", exit, errs.String())
	}
	holds(t, "cca", out.String(),
		"1. White Ke1-e3 - ILLEGAL (CCA 21): a king does not move like that; Black may claim the illegal move: "+
			"the position before it is back and Black gets 120 s, until the claimant makes a move",
		"1... Black e5 - Black may claim the illegal move: the position before it is back, until the claimant has completed two moves; "+
			"Black may no longer claim the illegal move",
	)
}

// Two famous games: every move is legal and nothing could be claimed before the mate.
func TestFamousGames(t *testing.T) {
	const opera = `[Event "Paris"]
[Date "1858.??.??"]
[White "Morphy"]
[Black "Duke Karl and Count Isouard"]
[Result "1-0"]

1.e4 e5 2.Nf3 d6 3.d4 Bg4 4.dxe5 Bxf3 5.Qxf3 dxe5 6.Bc4 Nf6 7.Qb3 Qe7 8.Nc3 c6 9.Bg5 b5 10.Nxb5 cxb5 11.Bxb5+ Nbd7
12.O-O-O Rd8 13.Rxd7 Rxd7 14.Rd1 Qe6 15.Bxd7+ Nxd7 16.Qb8+ Nxb8 17.Rd8# 1-0

[Event "London"]
[White "Anderssen"]
[Black "Kieseritzky"]
[Result "1-0"]

1. e4 e5 2. f4 exf4 3. Bc4 Qh4+ 4. Kf1 b5 5. Bxb5 Nf6 6. Nf3 Qh6 7. d3 Nh5 8. Nh4 Qg5 9. Nf5 c6 10. g4 Nf6 11. Rg1 cxb5
12. h4 Qg6 13. h5 Qg5 14. Qf3 Ng8 15. Bxf4 Qf6 16. Nc3 Bc5 17. Nd5 Qxb2 18. Bd6 Bxg1 19. e5 Qxa1+ 20. Ke2 Na6
21. Nxg7+ Kd8 22. Qf6+ Nxf6 23. Be7# 1-0
`
	exit, out, errs := judged(t, "-pgn", opera)
	if exit != 0 || errs != "" || strings.Contains(out, "ILLEGAL") || strings.Contains(out, "may claim") {
		t.Errorf("exit %d, %s\n%s", exit, errs, out)
	}
	holds(t, "famous", out,
		"17. White Rd8# - the game is over: 1-0, White mated Black's king - WBCA 7a",
		"23. White Be7# - the game is over: 1-0, White mated Black's king - WBCA 7a",
		"FIDE 1-0 1-0 fits",
	)
	if n := strings.Count(squeezed(out), "\nWBCA 1-0 1-0 fits"); n != 2 {
		t.Errorf("%d of 2 games fit WBCA:\n%s", n, out)
	}
}

func TestBadPGNFiles(t *testing.T) {
	exit, out, errs := judged(t, "-pgn", "[Event \"A\"]\n\n1. e4 Xz9 2. d4 *\n\n[Event \"B\"]\n[TimeControl \"soon\"]\n\n1. d4 d5 *\n")
	if exit != 1 || errs != "" {
		t.Errorf("exit %d, %s", exit, errs)
	}
	holds(t, "bad", out,
		`BAD FILE line 3: move 1 of Black: "Xz9" is no move`,
		"BAD FILE line 3: move 1 of Black: it is missing before d4; the moves from here on cannot be followed",
		`BAD FILE line 5: time control "soon": want the seconds of the whole game, such as 300 or 180+2`,
		"Game 2 (FILE line 5): B: ? - ?, no result",
		"1... Black d5 -",
	)
	if exit, out, _ = judged(t, "-pgn", ""); exit != 1 {
		t.Errorf("an empty file: exit %d, %s", exit, out)
	}
}

// events plays a game by commands and returns what the server would have written down.
func events(t *testing.T, rules string, commands ...game.Command) []game.Event {
	t.Helper()
	setup := game.NewSetup(game.Player{ID: "1", Name: "Ann"}, game.Player{ID: "2", Name: "Bob"}, 300000, game.OverTheBoard)
	setup.RuleSet, setup.Options = rules, game.Options{}
	g := game.New()
	var all []game.Event
	commands = append([]game.Command{{Kind: game.Create, By: game.None, Setup: &setup}}, commands...)
	for i, c := range commands {
		c.Ply = game.AnyPly
		happened, err := g.Decide(c, int64(i)*1000)
		if err != nil {
			t.Fatalf("command %d: %v", i, err)
		}
		for _, e := range happened {
			g.Apply(e)
		}
		all = append(all, happened...)
	}
	return all
}

func move(t *testing.T, by game.Side, uci string) game.Command {
	t.Helper()
	m, err := board.ParseUCI(uci)
	if err != nil {
		t.Fatal(err)
	}
	return game.Command{Kind: game.Release, By: by, Move: m, Press: true}
}

func TestRecordedGames(t *testing.T) {
	claim := game.Command{Kind: game.MakeClaim, By: game.White, Claim: game.ClaimIllegal}
	all := events(t, "wbca", move(t, game.White, "e2e4"), move(t, game.Black, "e7e4"), claim)
	archived, err := json.Marshal(map[string]any{"v": 1, "id": "g1", "ended": "2026-03-01T18:30:05Z", "events": all})
	if err != nil {
		t.Fatal(err)
	}
	pretty, err := json.MarshalIndent(map[string]any{"v": 1, "id": "g1", "events": all}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	var lines, entries []string
	for i, e := range all {
		text, err := game.AppendEvent(nil, e)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(text))
		entries = append(entries, fmt.Sprintf(`{"v":1,"seq":%d,"at":0,"mono":0,"own":"x","ev":[%s,{"acked":"archive"}]}`, i+1, text))
	}
	list, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"archived": string(archived), "in many lines": string(pretty), "events": strings.Join(lines, "\n"),
		"journal": strings.Join(entries, "\n"), "a list": string(list),
	} {
		exit, out, errs := judged(t, "-json", text)
		if exit != 0 || errs != "" {
			t.Errorf("%s: exit %d, %s\n%s", name, exit, errs, out)
		}
		holds(t, name, out,
			"Game 1 (FILE line 1): Ann - Bob, 1-0, Black completed an illegal move and White claimed it - WBCA 7d",
			"1. White e4 4:59.0",
			"1... Black e7xe4 4:59.0 ILLEGAL (WBCA 14): a pawn does not move like that; White may claim the illegal move: 1-0 (WBCA 7d), "+
				"until the claimant makes a legal move or presses after any move",
			"WBCA 1-0 goes on fits a claim",
		)
	}

	// A corrected game goes on under its own rules, and differs under others.
	all = events(t, "uscf", move(t, game.White, "e2e4"), move(t, game.Black, "e7e4"), claim, move(t, game.Black, "e7e5"),
		game.Command{Kind: game.Resign, By: game.Black})
	corrected, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	exit, out, errs := judged(t, "-json", string(corrected))
	if exit != 0 || errs != "" {
		t.Errorf("exit %d, %s", exit, errs)
	}
	holds(t, "corrected", out,
		"1... Black e7xe4 4:59.0 ILLEGAL (US Chess 11D): a pawn does not move like that; void: the illegal move was corrected; "+
			"White may claim the illegal move: the position before it is back and White gets 120 s, until the claimant has completed two moves",
		"1... Black e5 4:58.0 White may no longer claim the illegal move",
		"US Chess goes back goes on if Black resigned",
		"WBCA 1-0 unlike the record cannot be told",
		"WBCA, nothing claimed: after 1... e7xe4: in the record White claims the illegal move, and here that is 1-0 (WBCA 7d)",
	)
}

func TestBadJSONFiles(t *testing.T) {
	good := events(t, "wbca", move(t, game.White, "e2e4"), game.Command{Kind: game.Resign, By: game.Black})
	archived, err := json.Marshal(map[string]any{"v": 1, "id": "g1", "events": good})
	if err != nil {
		t.Fatal(err)
	}
	pressed := `{"v":1,"events":[{"k":"pressed","at":0,"by":"w"}]}`
	created, err := game.AppendEvent(nil, good[0])
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join([]string{
		`{"v":1,`, `  "id": }`, `{"v":9,"events":[]}`, pressed, `{"x":1}`, `7`, `{"k":"nonsense"}`,
		`[` + string(created) + `,{"k":"started","at":0,"by":""},{"k":"retracted","at":5,"by":"b","m":"e2e4"}]`,
		string(archived), `{"v":1,"events":[{"k":"created"}]}`,
	}, "\n")
	exit, out, errs := judged(t, "-json", text)
	if exit != 1 || errs != "" {
		t.Errorf("exit %d, %s", exit, errs)
	}
	holds(t, "bad", out,
		"BAD FILE line 2: not JSON: invalid character '}' looking for beginning of value",
		"BAD FILE line 3: archived game of version 9: only 1 is known",
		"BAD FILE line 4: event 1 (pressed): a game is created once, and first",
		"BAD FILE line 5: neither an archived game, nor an entry of a journal, nor an event",
		"BAD FILE line 7: game event \"nonsense\": the kind is not known",
		"BAD FILE line 8: event 3 (retracted): Black has released no move",
		"BAD FILE line 10: event 1: game event \"created\": there is no setup; the events after it are left out",
		"1. White e4 4:59.0",
	)
}

func TestUsage(t *testing.T) {
	for _, tt := range []struct {
		args []string
		exit int
		errs string
	}{
		{[]string{"-h"}, 0, "usage: referee"},
		{[]string{"-nonsense"}, 2, "flag provided but not defined"},
		{[]string{"-pgn", "a", "-json", "b"}, 2, "referee: -pgn and -json exclude each other\n"},
		{[]string{"-rules", "wbca"}, 2, "referee: -rules needs -pgn or -json\n"},
		{[]string{"-rules", "go", "-pgn", "a"}, 2, "referee: rule book \"go\" is not known: want one of wbca, uscf, cca, fide\n"},
		{[]string{"-pgn", filepath.Join("none", "such")}, 2, "referee: open "},
	} {
		var out, errs strings.Builder
		if exit := run(tt.args, strings.NewReader(""), &out, &errs); exit != tt.exit || !strings.Contains(errs.String(), tt.errs) {
			t.Errorf("%v: exit %d, want %d; %q", tt.args, exit, tt.exit, errs.String())
		}
	}
}

// Nothing that stands in a file stops the command.
func FuzzJSON(f *testing.F) {
	f.Add(`{"v":1,"events":[{"k":"created","at":0,"by":"","setup":{"rules":"fide","mode":"board","base":[60000,60000],"options":{},"lag":{}}},` +
		`{"k":"started","at":0,"by":""},{"k":"released","at":10,"by":"w","m":"e2e5"},{"k":"pressed","at":11,"by":"w","left":[59989,60000]},` +
		`{"k":"restored","at":11,"by":"w","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","ply":0,"m":"e2e5","step":1,"add":60000}]}`)
	f.Fuzz(func(_ *testing.T, text string) {
		g := gamesOf{out: &strings.Builder{}, prover: unsure{}}
		_ = g.json("FILE", text)
	})
}

type unsure struct{}

func (unsure) Answer(game.Question) (game.Verdict, error) { return game.Undecided, nil }
