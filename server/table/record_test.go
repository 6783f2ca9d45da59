package table

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"flagfall/clock"
	"flagfall/game"
	"flagfall/server/actor"
	"flagfall/server/wire"
)

// finished plays a script and returns what the archive shows of it. Lines begin with "w" or "b".
func finished(t *testing.T, s game.Setup, o oracle, script ...string) (p Public, pgn string) {
	t.Helper()
	inWorld(t, func(t *testing.T, w *world) {
		s.Options.FirstMove = 0
		w.answer(o)
		a, b := w.sit(s)
		for i, line := range script {
			who, what, _ := strings.Cut(line, " ")
			if who == "wait" {
				pass(time.Minute)
				continue
			}
			map[string]*tab{"w": a, "b": b}[who].do(fmt.Sprintf("x%d %s", i, what))
		}
		pass(time.Minute)
		ctx := context.Background()
		view, running, err := w.tables.Game(ctx, theGame)
		if err != nil || running || w.hall.Alive(ActorID(theGame)) {
			t.Fatalf("running %v, %v", running, err)
		}
		p = view.(Public)
		if pgn, err = w.tables.PGN(ctx, theGame); err != nil {
			t.Fatal(err)
		}
		var back Public
		text, err := json.Marshal(p)
		if err == nil {
			err = json.Unmarshal(text, &back)
		}
		if err != nil || !reflect.DeepEqual(p, back) {
			t.Errorf("the record changes on the way: %v", err)
		}
	})
	return p, pgn
}

// words of a log: its events, with moves and what was hidden about them.
func logWords(p Public) string {
	var words []string
	for _, l := range p.Log {
		word := l.K
		switch {
		case l.Legal != nil:
			word = fmt.Sprintf("%s:%s:%v:%d", l.K, l.SAN, *l.Legal, l.Ply)
		case l.K == "restored":
			word = fmt.Sprintf("%s:%d", l.K, l.Ply)
		case l.K == "demomove":
			word = l.K + ":" + l.M
		case l.K == "demoend":
			word = fmt.Sprintf("%s:%v:%s", l.K, l.Shown, strings.Join(l.Demo.Moves, ","))
		case l.K == "press" && l.Seen > 0:
			word = fmt.Sprintf("%s:%d", l.K, l.Seen)
		case l.K == "denied":
			word = l.K + ":" + l.Code
		}
		words = append(words, word)
	}
	return strings.TrimPrefix(strings.Join(words, " "), "here here start ")
}

func completed(p Public) string {
	var moves []string
	for _, m := range p.State.Moves {
		moves = append(moves, m.M)
	}
	return strings.Join(moves, " ")
}

// Moves that an illegal one made void stay in the log; the moves of the game, and its PGN, are those that stand.
func TestRecordsOfCorrectedGames(t *testing.T) {
	ruled := func(rules string) game.Setup {
		s := setup(game.OverTheBoard)
		s.RuleSet = rules
		return s
	}
	tests := []struct {
		name   string
		setup  game.Setup
		script []string
		log    string
		moves  string
		pgn    []string
		not    string
	}{
		{"US Chess, at once", ruled("uscf"),
			[]string{"w move g1g3 0 press", "b claim illegal", "w move g1f3 0 press", "b move e7e5 1 press", "w resign"},
			"move:Ng1-g3:false:0 press restored:0 move:Nf3:true:0 press move:e5:true:1 press end",
			"g1f3 e7e5", []string{"Ng1-g3", "1. Nf3", "1... e5", `[Rules "USCF"]`, "0-1"}, "SetUp"},
		{"US Chess, a move later", ruled("uscf"),
			[]string{"w move e2e4 0 press", "b move e7e5 1 press", "w move g1g3 2 press", "b move d7d6 3 press", "w move a2a3 4", "b claim illegal",
				"w move g1f3 2 press", "b move b8c6 3 press", "w resign"},
			"move:e4:true:0 press move:e5:true:1 press move:Ng1-g3:false:2 press move:d6:true:3 press move:a3:true:4 restored:2 " +
				"move:Nf3:true:2 press move:Nc6:true:3 press end",
			"e2e4 e7e5 g1f3 b8c6", []string{"Ng1-g3", "2. Nf3", "2... Nc6"}, "d6"},
		{"FIDE", ruled("fide"),
			[]string{"w move g1g3 0 press", "w move g1f3 0 press", "b move e7e5 1 press", "w press 2", "b resign"},
			"move:Ng1-g3:false:0 press restored:0 move:Nf3:true:0 press move:e5:true:1 press fault proof end",
			"g1f3 e7e5", []string{"Ng1-g3", "1. Nf3", `[Termination "rules infraction"]`, "0-1"}, "SetUp"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p, pgn := finished(t, test.setup, oracle{answers: verdicts{game.AskPossible: game.Proved}}, test.script...)
			if got := logWords(p); got != test.log {
				t.Errorf("log\n%s\nwant\n%s", got, test.log)
			}
			if got := completed(p); got != test.moves {
				t.Errorf("moves %s, want %s", got, test.moves)
			}
			for _, part := range test.pgn {
				if !strings.Contains(pgn, part) {
					t.Errorf("the PGN lacks %s:\n%s", part, pgn)
				}
			}
			if strings.Contains(pgn, test.not) {
				t.Errorf("the PGN has %s:\n%s", test.not, pgn)
			}
		})
	}
}

// A demonstration is in the record with its moves and how it ended, and not in the moves of the game.
func TestRecordOfADemonstration(t *testing.T) {
	p, pgn := finished(t, from(bishops, game.OverTheBoard), oracle{answers: verdicts{game.AskWin: game.Undecided}},
		"b claim 8g", "w demo e2e4", "b demo d5e6", "b concede", "w move e2e3 0 press", "b claim 8g", "w concede")
	want := "proof proof demo demomove:e2e4 demomove:d5e6 demoend:true:e2e4,d5e6 denied:penalty_60s resume " +
		"move:e3:true:0 press proof proof demo demoend:false: end"
	if got := logWords(p); got != want {
		t.Errorf("log\n%s\nwant\n%s", got, want)
	}
	if got := completed(p); got != "e2e3" || p.State.End.Rule != "WBCA 8g" {
		t.Errorf("moves %s, end %+v", got, p.State.End)
	}
	for _, l := range p.Log {
		if l.K == "demo" && (l.Demo == nil || l.Rule != "WBCA 8g" || l.By != "w") {
			t.Errorf("it began with %+v", l.Event)
		}
	}
	if strings.Contains(pgn, "Be6") || !strings.Contains(pgn, "1. e3") || !strings.Contains(pgn, `[Termination "normal"]`) {
		t.Errorf("the PGN\n%s", pgn)
	}
}

// The time control of the PGN, and its word for the end.
func TestTagsOfRuleBooks(t *testing.T) {
	timed := func(rules string, kind clock.TimingKind, ms int64) game.Setup {
		s := setup(game.Fast)
		s.RuleSet = rules
		if kind != "" {
			s.Timing = clock.Timing{Kind: kind, Ms: ms}
		}
		return s
	}
	tests := []struct {
		name   string
		setup  game.Setup
		script []string
		want   []string
	}{
		{"sudden death", timed("wbca", "", 0), []string{"w resign"}, []string{`[TimeControl "300"]`, `[Termination "normal"]`}},
		{"increment", timed("fide", clock.Fischer, 3000), []string{"w resign"}, []string{`[TimeControl "300+3"]`, `[Rules "FIDE"]`}},
		{"a flag by FIDE", timed("fide", clock.Fischer, 3000), []string{"wait", "wait", "wait", "wait", "wait"}, []string{`[Termination "time forfeit"]`, `[Result "0-1"]`}},
		{"fifty moves", func() game.Setup {
			s := timed("uscf", "", 0)
			s.FEN = "4k3/7r/8/8/8/8/R7/4K3 w - - 99 80"
			return s
		}(), []string{"w move a2a3 0", "b claim fifty"}, []string{`[Termination "normal"]`, `[Result "1/2-1/2"]`, "US Chess"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, pgn := finished(t, test.setup, oracle{answers: verdicts{game.AskPossible: game.Proved}}, test.script...)
			for _, part := range test.want {
				if !strings.Contains(pgn, part) {
					t.Errorf("the PGN lacks %s:\n%s", part, pgn)
				}
			}
		})
	}
	for _, kind := range []clock.TimingKind{clock.USDelay, clock.Bronstein} {
		_, pgn := finished(t, timed("uscf", kind, 5000), oracle{}, "w resign")
		if strings.Contains(pgn, `[TimeControl "300+5"]`) || !strings.Contains(pgn, `[TimeControl "300`) {
			t.Errorf("%s is no increment:\n%s", kind, pgn)
		}
	}
}

// What an arbiter does is told with who and why; of a penalty also whom it meets.
func TestRulings(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		a, b := w.sit(setup(game.OverTheBoard))
		act := func(r game.Ruling) wire.Events {
			t.Helper()
			r.Who, r.Why = "A. Biter", "as agreed"
			err := w.hall.Send(ActorID(theGame), actor.Command{Body: game.Command{Kind: game.Arbitrate, By: game.None, Ruling: &r}})
			if err != nil {
				t.Fatal(err)
			}
			pass(time.Millisecond)
			var f wire.Events
			b.last(&f)
			return f
		}
		if f := act(game.Ruling{Act: game.ActStop}); f.E[0].By != "" || f.E[0].Who != "A. Biter" || f.E[0].Why != "as agreed" || f.Clocks.Run != "" {
			t.Errorf("stop: %+v", f)
		}
		if s := state(t, w.join(third, 0)); s.Phase != "dispute" {
			t.Errorf("phase %s", s.Phase)
		}
		if f := act(game.Ruling{Act: game.ActClocks, Clocks: [2]int64{100000, 90000}}); f.Clocks.W != 100000 || f.Clocks.B != 90000 || f.E[0].By != "" {
			t.Errorf("clocks: %+v", f)
		}
		if f := act(game.Ruling{Act: game.ActResume}); f.Clocks.Run != "w" {
			t.Errorf("resume: %+v", f)
		}
		if f := act(game.Ruling{Act: game.ActMinute, Side: game.Black, Rule: "9"}); f.E[0].By != "b" || f.E[0].Add != 60000 || f.Clocks.W < 159000 {
			t.Errorf("a minute: %+v", f)
		}
		if f := act(game.Ruling{Act: game.ActResult, Score: game.Draw}); f.E[0].Score != "1/2-1/2" || f.E[0].By != "" || f.E[1].End.Reason != "arbiter" {
			t.Errorf("a result: %+v", f)
		}
		a.news()
		a.do("x move e2e4 0")
		a.expect("err:game_over")
	})
}
