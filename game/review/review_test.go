package review_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"flagfall/clock"
	"flagfall/game"
	"flagfall/game/board"
	"flagfall/game/pgn"
	"flagfall/game/review"

	"pgregory.net/rapid"
)

// unsure decides nothing: what the rules ask to be shown stays to be shown.
type unsure struct{}

func (unsure) Answer(game.Question) (game.Verdict, error) { return game.Undecided, nil }

// refuted says that nothing is forced.
type refuted struct{}

func (refuted) Answer(game.Question) (game.Verdict, error) { return game.Refuted, nil }

// one is the only game of a text, with every problem an error.
func one(t *testing.T, text string) *review.Record {
	t.Helper()
	games := pgn.Read(text)
	if len(games) != 1 || len(games[0].Problems) > 0 {
		t.Fatalf("%d games, %v, in\n%s", len(games), games[0].Problems, text)
	}
	r, problems := review.FromPGN(games[0])
	if len(problems) > 0 {
		t.Fatalf("%v in\n%s", problems, text)
	}
	return r
}

func place(r *review.Record, line int) string {
	switch {
	case line == review.StillOpen:
		return "open"
	case line < 0:
		return "start"
	}
	return fmt.Sprintf("%d%s", r.Lines[line].Number, r.Lines[line].By)
}

// told is an opinion in short: "w illegal 1-0 7d 1b..2w; ends 1-0 7a 3w".
func told(r *review.Record, o *review.Opinion) string {
	var words []string
	for _, c := range o.Claims {
		what := ""
		switch {
		case c.Result != nil:
			what = string(c.Result.Score) + " " + c.Result.Rule
		default:
			what = fmt.Sprintf("back+%d", c.Back.Add/1000)
		}
		if c.Shower != game.None {
			what += " unless " + c.Shower.String()
			if c.Shown != nil {
				what += " " + string(c.Shown.Score)
			}
		}
		words = append(words, fmt.Sprintf("%s %s %s %s..%s", c.By, c.Claim, what, place(r, c.From), place(r, c.To)))
	}
	if o.End != nil {
		words = append(words, fmt.Sprintf("ends %s %s %s", o.End.Score, o.End.Rule, place(r, o.EndLine)))
	}
	if o.Stopped != "" {
		words = append(words, fmt.Sprintf("stops %s", place(r, o.StopLine)))
	}
	return strings.Join(words, "; ")
}

func TestJudge(t *testing.T) {
	for _, tt := range []struct {
		name, pgn string
		prover    review.Prover
		want      map[string]string
	}{
		{"illegal move, answered by a legal one (WBCA 14; 11D1; CCA 21)",
			"1. e4 e5 2. Ke3 Nc6 3. Nf3 Nf6 4. Bc4 *", refuted{}, map[string]string{
				"wbca": "b illegal 0-1 7d 2w..2b",
				"uscf": "b illegal back+120 2w..3b",
				"cca":  "b illegal back+120 2w..2b; b illegal back+0 2b..3b",
				"fide": "stops 2w",
			}},
		{"illegal reply to an illegal move (D3)", "1. Ke3 Ke6 2. a3 *", refuted{}, map[string]string{
			"wbca": "b illegal 0-1 7d 1w..1b; w illegal 1-0 7d 1b..2w",
			"uscf": "b illegal back+120 1w..open; w illegal back+120 1b..open",
			"fide": "stops 1w",
		}},
		{"illegal move against a bare king (8f)", "[FEN \"8/8/4k3/8/8/4K3/8/Q7 w - - 0 1\"]\n1. Qa1-c2 Kd5 *", refuted{},
			map[string]string{"wbca": "b illegal 1/2-1/2 8f 1w..1b"}},
		{"kings side by side: who made it may not claim (16, D12)",
			"[FEN \"8/8/4k3/8/8/4K2R/7P/r7 w - - 0 1\"]\n1. Ke4 Kd6 2. Kd5 Rg1 *", refuted{},
			map[string]string{"wbca": "b illegal 0-1 7d 2w..2b"}},
		{"the king is taken (7d)", "[FEN \"4r1k1/p7/8/8/8/8/4R3/4K3 w - - 0 1\"]\n1. Rd2 Rxe1 0-1", refuted{}, map[string]string{
			"wbca": "b illegal 0-1 7d 1w..1b; ends 0-1 7d 1b",
			"uscf": "b illegal back+120 1w..open; stops 1b",
		}},
		{"flag while the opponent thinks (7c); he overlooks it and mates (7a)",
			"[TimeControl \"60\"]\n1. f3 {[%clk 0:00:58]} e5 {[%clk 0:00:00.0]} 2. g4 {[%clk 0:00:50]} Qh4# *", refuted{}, map[string]string{
				"wbca": "w time 1-0 7c 1w..2b; ends 0-1 7a 2b",
				"fide": "ends 1/2-1/2 6.5 1w", // refuted: no mate by any series of moves
			}},
		{"both flags (8c)", "[TimeControl \"60\"]\n1. e4 {[%clk 0:00:00.0]} e5 {[%clk 0:00:00.0]} 2. d4 *", refuted{}, map[string]string{
			"wbca": "b time 0-1 7c start..1w; w both_flags 1/2-1/2 8c 1w..open; b both_flags 1/2-1/2 8c 1w..open",
		}},
		{"the record ends by time", "[TimeControl \"180\"]\n[Termination \"Time forfeit\"]\n1. e4 {[%clk 0:02:58]} e5 {[%clk 0:02:55]} 2. d4 1-0", refuted{},
			map[string]string{"wbca": "w time 1-0 7c 2w..open"}},
		{"king and pawn (8h)", "[FEN \"8/4k3/8/4P3/4K3/8/8/8 b - - 0 1\"]\n1... Ke6 2. Kd4 Kf5 3. Kd5 *", refuted{}, map[string]string{
			"wbca": "w 8h 1/2-1/2 8h 1b..2b; b 8h 1/2-1/2 8h 1b..2b",
			"uscf": "",
		}},
		{"identical pieces, with nothing forced (8e)", "[FEN \"4k3/8/8/8/8/8/r7/4K2R w - - 0 1\"]\n1. Rg1 Rxa1 *", refuted{}, map[string]string{
			"wbca": "w 8e 1/2-1/2 8e start..open; b 8e 1/2-1/2 8e start..open",
		}},
		{"identical pieces, to be shown", "[FEN \"4k3/8/8/8/8/8/r7/4K2R w - - 0 1\"]\n*", unsure{}, map[string]string{
			"wbca": "w 8e 1/2-1/2 8e unless b start..open; b 8e 1/2-1/2 8e unless w start..open",
		}},
		{"a lone knight has to show a win (7a, 14)", "[FEN \"7k/7p/8/8/8/8/8/K6N b - - 0 1\"]\n1... Kg7 2. Ng3 Kg5 *", unsure{}, map[string]string{
			"wbca": "w illegal 1/2-1/2 8f unless w 1-0 2b..open",
		}},
		{"perpetual check (8d)",
			"[FEN \"6k1/6p1/7p/8/4Q3/8/q7/7K w - - 0 1\"]\n1. Qe8+ Kh7 2. Qe4+ Kg8 3. Qe8+ Kh7 4. Qe4+ Kg8 5. Qe8+ Kh7 6. Qe4+ Kg8 " +
				"7. Qe8+ Kh7 8. Qe2 *",
			refuted{}, map[string]string{
				"wbca": "w 8d 1/2-1/2 8d 7w..8w; b 8d 1/2-1/2 8d 7w..7b",
			}},
		{"three times (14C), on move only", "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 *", refuted{}, map[string]string{
			"wbca": "",
			"uscf": "b threefold 1/2-1/2 14C 4b..4b; w threefold 1/2-1/2 14C 4b..5w",
		}},
		{"stalemate (8a)", "[FEN \"7k/5K2/8/6Q1/8/8/8/8 w - - 0 1\"]\n1. Qg6 1/2-1/2", refuted{}, map[string]string{
			"wbca": "ends 1/2-1/2 8a 1w", "uscf": "ends 1/2-1/2 14A 1w", "fide": "ends 1/2-1/2 5.2.1 1w",
		}},
		{"an illegal mate ends nothing (D25)", "[FEN \"b5k1/1q4pp/8/8/8/1B6/5PPP/6K1 b - - 0 1\"]\n1... Qxg2 0-1", refuted{}, map[string]string{
			"wbca": "w illegal 1-0 7d 1b..open",
		}},
	} {
		r := one(t, tt.pgn)
		for name, want := range tt.want {
			o, err := r.Judge(name, tt.prover)
			if err != nil {
				t.Errorf("%s, %s: %v", tt.name, name, err)
				continue
			}
			if got := told(r, o); got != want {
				t.Errorf("%s, %s:\n got %s\nwant %s", tt.name, name, got, want)
			}
		}
	}
}

// playing drives a game by commands and keeps its events.
type playing struct {
	game   *game.Game
	events []game.Event
}

func (p *playing) do(c game.Command, at int64) error {
	c.Ply = game.AnyPly
	events, err := p.game.Decide(c, at)
	for _, e := range events {
		p.game.Apply(e)
	}
	p.events = append(p.events, events...)
	return err
}

// drawGame is a game with illegal moves, some taken back, with claims, and with clocks that run.
func drawGame(t *rapid.T) *playing {
	p := &playing{game: game.New()}
	setup := game.NewSetup(game.Player{ID: "1", Name: "Ann"}, game.Player{ID: "2", Name: "Bob"}, 60000, game.OverTheBoard)
	setup.Options = game.Options{Presence: rapid.Bool().Draw(t, "presence"), Ladder: rapid.Bool().Draw(t, "ladder")}
	if rapid.Bool().Draw(t, "no lag") {
		setup.Lag = clock.Lag{}
	}
	setup.RuleSet = rapid.SampledFrom([]string{"wbca", "uscf", "cca", "fide"}).Draw(t, "rules")
	if rapid.Bool().Draw(t, "increment") {
		setup.Timing = clock.Timing{Kind: clock.Fischer, Ms: 2000}
	}
	if err := p.do(game.Command{Kind: game.Create, By: game.None, Setup: &setup}, 0); err != nil {
		t.Fatal(err)
	}
	at := int64(0)
	for _, side := range [2]game.Side{game.White, game.Black} {
		at += 700
		_ = p.do(game.Command{Kind: game.Arrive, By: side}, at)
	}
	for range rapid.IntRange(1, 40).Draw(t, "moves") {
		at += rapid.Int64Range(1, 3000).Draw(t, "think") / 100 * 100
		b := p.game.Board()
		by := game.Side(b.Turn())
		m := board.Move{From: board.Square(rapid.IntRange(0, 63).Draw(t, "from")), To: board.Square(rapid.IntRange(0, 63).Draw(t, "to"))}
		if legal := b.AppendLegal(nil); len(legal) > 0 && rapid.IntRange(0, 3).Draw(t, "legal") > 0 {
			m = legal[rapid.IntRange(0, len(legal)-1).Draw(t, "move")]
		}
		if p.do(game.Command{Kind: game.Release, By: by, Move: m}, at) != nil {
			continue
		}
		if rapid.IntRange(0, 9).Draw(t, "retract") == 0 && p.do(game.Command{Kind: game.Retract, By: by}, at) == nil {
			continue
		}
		if rapid.IntRange(0, 4).Draw(t, "reply in advance") == 0 {
			reply := board.Move{From: board.Square(rapid.IntRange(48, 63).Draw(t, "from")), To: board.Square(rapid.IntRange(24, 47).Draw(t, "to"))}
			_ = p.do(game.Command{Kind: game.Release, By: by.Other(), Move: reply, Press: rapid.Bool().Draw(t, "pressed")}, at)
			if rapid.Bool().Draw(t, "pressed later") {
				_ = p.do(game.Command{Kind: game.Press, By: by.Other()}, at)
			}
		}
		at += 100
		_ = p.do(game.Command{Kind: game.Press, By: by, Lag: rapid.Int64Range(0, 300).Draw(t, "lag")}, at)
		if rapid.IntRange(0, 19).Draw(t, "outage") == 0 {
			_ = p.do(game.Command{Kind: game.Recover, By: game.None, Elapsed: 500, Gap: 2000}, at)
			at += 5000
		}
		if rapid.IntRange(0, 9).Draw(t, "claim") == 0 {
			_ = p.do(game.Command{Kind: game.MakeClaim, By: by.Other(), Claim: game.ClaimIllegal}, at)
		}
		if p.game.Phase() != game.Play {
			break
		}
	}
	_ = p.do(game.Command{Kind: game.Resign, By: game.White}, at)
	return p
}

// What the server exports comes back move by move, illegal ones and clocks included, and so does what it recorded.
func TestExportsComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawGame(t)
		if p.game.Result() == nil {
			return // a claim waits for a proof
		}
		_, h := game.Replay(p.events)
		text := h.PGN("g1", "Flagfall", time.Unix(0, 0))
		games := pgn.Read(text)
		if len(games) != 1 || len(games[0].Problems) > 0 {
			t.Fatalf("%d games, %v in\n%s", len(games), games[0].Problems, text)
		}
		r, problems := review.FromPGN(games[0])
		if len(problems) > 0 || r.Score != h.Result.Score || r.Setup.RuleSet != h.Setup.RuleSet || r.Setup.Timing != h.Setup.Timing {
			t.Fatalf("%v, %s, %s, %v from\n%s", problems, r.Score, r.Setup.RuleSet, r.Setup.Timing, text)
		}
		recorded, err := review.FromEvents(p.events)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Lines) != len(h.Moves) {
			t.Fatalf("%d moves, want %d, from\n%s", len(r.Lines), len(h.Moves), text)
		}
		for i, m := range h.Moves {
			l := r.Lines[i]
			if l.Move != m.Move || l.By != m.By || (l.Why == "") != m.Legal || l.Clock != (m.Left+99)/100*100 ||
				l.Before.FEN() != m.Before.FEN() {
				t.Fatalf("move %d came back as %+v, want %+v, from\n%s", i+1, l, m, text)
			}
		}
		if o, err := recorded.Judge(h.Setup.RuleSet, refuted{}); err != nil || o.Stopped != "" {
			t.Fatalf("%v, %s after %s\n%s", err, o.Stopped, place(recorded, o.StopLine), text)
		}
		if recorded.Result.Score != h.Result.Score {
			t.Fatalf("%s was recorded as %s", h.Result.Score, recorded.Result.Score)
		}
	})
}

// Records that no game can have made are refused, and never more than that.
func TestBrokenRecords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		events := drawGame(t).events
		for range rapid.IntRange(1, 4).Draw(t, "faults") {
			i, j := rapid.IntRange(0, len(events)-1).Draw(t, "i"), rapid.IntRange(0, len(events)-1).Draw(t, "j")
			switch rapid.IntRange(0, 4).Draw(t, "fault") {
			case 0:
				events[i], events[j] = events[j], events[i]
			case 1:
				events[i].Kind = rapid.SampledFrom([]game.Kind{game.Retracted, game.Pressed, game.Declined, game.Lapsed, game.Restored,
					game.Flagged, game.DemoMoved, game.Queued, game.QueuedPress, game.Unqueued, game.Resumed, game.Held, game.Paused}).Draw(t, "kind")
				events[i].FEN = board.Start().FEN()
			case 2:
				events[i].By = events[i].By.Other()
			case 3:
				events = append(events[:i:i], events[min(len(events), i+1):]...)
			case 4:
				events[i].Ply, events[i].At = 7, events[i].At+5000
			}
			if len(events) == 0 {
				return
			}
		}
		var readable []game.Event
		for _, e := range events {
			text, err := game.AppendEvent(nil, e)
			if err != nil {
				continue
			}
			if e, err = game.ParseEvent(text); err == nil {
				readable = append(readable, e)
			}
		}
		r, err := review.FromEvents(readable)
		if err != nil && r.Setup.RuleSet == "" {
			return
		}
		for _, name := range game.RuleSets() {
			if _, err := r.Judge(name, unsure{}); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestClocksOfPGN(t *testing.T) {
	for _, tt := range []struct{ name, pgn, notes, clocks string }{
		{"increment", "[TimeControl \"60+2\"]\n1. e4 {[%clk 0:01:01]} e5 {[%clk 0:01:02]} *", "", "61000 62000"},
		{"used time", "[TimeControl \"60\"]\n1. e4 {[%emt 0:00:05]} e5 {[%emt 0:00:02]} 2. d4 {[%emt 0:00:01]} *", "", "55000 58000 54000"},
		{"a clock set forward", "[TimeControl \"60\"]\n1. e4 {[%clk 0:02:00]} *", "the clock was set forward by 60 s", "120000"},
		{"zero in whole seconds", "[TimeControl \"60\"]\n1. e4 {[%clk 0:00:00]} *",
			"the clock reads zero in whole seconds: the flag is taken as down", "0"},
		{"no time control", "1. e4 {[%clk 0:02:58]} e5 {[%clk 0:02:57]} *", "", "178000 177000"},
	} {
		r := one(t, tt.pgn)
		var notes, clocks []string
		for _, l := range r.Lines {
			notes = append(notes, l.Notes...)
			clocks = append(clocks, fmt.Sprint(l.Clock))
		}
		if strings.Join(notes, "; ") != tt.notes || strings.Join(clocks, " ") != tt.clocks {
			t.Errorf("%s: %v, %v", tt.name, notes, clocks)
		}
	}
	for _, text := range []string{"[TimeControl \"40/7200:3600\"]\n1. e4 *", "[TimeControl \"300+\"]\n*", "[TimeControl \"99999\"]\n*",
		"[TimeControl \"NaN\"]\n*", "[Delay \"x\"]\n*", "1. e4 {[%clk 9:00:00]} *"} {
		if _, problems := review.FromPGN(pgn.Read(text)[0]); len(problems) == 0 {
			t.Errorf("no problem in %s", text)
		}
	}
}
