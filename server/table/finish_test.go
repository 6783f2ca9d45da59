package table

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"flagfall/game"
	"flagfall/server/account"
	"flagfall/server/wire"
)

// A result frees the seats once and is archived once, however often either has to be tried, a restart in between or
// not; then the actor is gone, and its journal.
func TestEffects(t *testing.T) {
	tests := []struct {
		name                string
		failSave, failFree  int
		restart             bool
		seenFreed, seenSave int // right after the result
	}{
		{"at once", 0, 0, false, 1, 1},
		{"a full disk", 3, 0, false, 1, 0},
		{"no lobby", 0, 3, false, 0, 1},
		{"nothing works, and a restart", 1000, 1000, true, 0, 0},
		{"a full disk, and a restart", 1000, 0, true, 1, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				a, b := w.sit(setup(game.OverTheBoard))
				w.fail(test.failSave, test.failFree)
				a.do("m1 move e2e4 0 press")
				b.do("n1 resign")
				if freed, saved := w.ends(); freed != test.seenFreed || saved != test.seenSave {
					t.Errorf("freed %d and saved %d times, want %d and %d", freed, saved, test.seenFreed, test.seenSave)
				}
				pending := test.seenFreed+test.seenSave < 2
				if alive := w.hall.Alive(ActorID(theGame)); alive != pending {
					t.Errorf("alive %v with pending effects %v", alive, pending)
				}
				a.news()
				a.do("m2 press 0")
				a.expect("err:game_over")
				if s := state(t, w.join(white, 0)); s.End == nil || s.End.Rule != "WBCA 7b" || s.You != "w" {
					t.Errorf("final state: %+v", s)
				}
				if test.restart {
					w.stop()
					w.fail(0, 0)
					w.start()
				}
				pass(time.Minute)
				if freed, saved := w.ends(); freed != 1 || saved != 1 {
					t.Errorf("freed %d and saved %d times", freed, saved)
				}
				if w.hall.Alive(ActorID(theGame)) {
					t.Error("the actor is still there")
				}
				if live, _ := w.journal.Live(context.Background()); len(live) != 0 {
					t.Errorf("journals left: %v", live)
				}
				if f := w.freedAll()[0]; f.Result.Score != "1-0" || f.Setup.White.ID != white.ID {
					t.Errorf("freed %+v", f)
				}
				late := w.join(black, 5)
				if s := state(t, late); s.End == nil || s.You != "b" || s.Phase != "over" {
					t.Errorf("final state: %+v", s)
				}
				late.do("n9 press 1")
				late.expect("state err:game_over")
			})
		})
	}
}

// While the game runs the whole of it is nobody's business; afterwards it is everybody's, and the archive's copy says
// the same as the game itself.
func TestRecord(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		a, b := w.sit(setup(game.OverTheBoard))
		a.do("m1 move e2e4 0 press")
		b.do("n1 move e7e4 1 press") // illegal, overlooked
		b.do("n2 offer")
		a.do("m2 answer")
		a.do("m3 move g1g3 2")
		a.do("m4 retract 2")
		b.do("n3 move a7a6 3") // stale: nothing waits for a press
		a.do("m5 move g1f3 2")
		b.do("n4 move d7d5 3 press")
		a.do("m6 press 2")
		a.do("m7 claim illegal") // denied
		if n := w.tables.Denied(); n != 1 {
			t.Errorf("%d denied claims", n)
		}
		ctx := context.Background()
		if _, err := w.tables.PGN(ctx, theGame); err != error(ErrRunning) {
			t.Errorf("pgn of a running game: %v", err)
		}
		if _, err := w.tables.Finished(ctx, theGame); err != error(ErrRunning) {
			t.Errorf("set-up of a running game: %v", err)
		}
		view, running, err := w.tables.Game(ctx, theGame)
		if _, is := view.(wire.State); !is || !running || err != nil {
			t.Errorf("view %T, running %v, %v", view, running, err)
		}
		w.fail(1000, 0) // the game stays for a moment
		a.do("m8 move h1h8 4 press")
		b.do("n5 claim illegal")
		type copied struct {
			public  Public
			pgn     string
			history game.History
		}
		read := func() (c copied) {
			view, running, err := w.tables.Game(ctx, theGame)
			if err != nil || running {
				t.Fatalf("running %v, %v", running, err)
			}
			c.public = view.(Public)
			c.public.Ended = "" // while the game is alive this is the time of asking
			if c.pgn, err = w.tables.PGN(ctx, theGame); err != nil {
				t.Fatal(err)
			}
			setup, err := w.tables.Finished(ctx, theGame)
			if err != nil {
				t.Fatal(err)
			}
			c.history.Setup = setup
			return c
		}
		live := read()
		w.fail(0, 0)
		pass(time.Minute)
		if w.hall.Alive(ActorID(theGame)) {
			t.Fatal("the actor is still there")
		}
		archived := read()
		if !reflect.DeepEqual(live, archived) {
			t.Errorf("alive and archived differ:\n%+v\n%+v", live, archived)
		}
		checkRecord(t, w, archived.public, archived.pgn)
	})
}

func checkRecord(t *testing.T, w *world, p Public, pgn string) {
	t.Helper()
	record, err := ParseRecord(w.shelf.records[theGame])
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(record)
	if err != nil || string(text) != string(w.shelf.records[theGame]) {
		t.Errorf("a record read and written is another one: %v", err)
	}
	var moves []string
	for _, m := range record.History().Moves {
		moves = append(moves, m.Move.UCI())
	}
	if got := strings.Join(moves, " "); got != "e2e4 e7e4 g1f3 d7d5 h1h8" {
		t.Errorf("moves %s", got)
	}
	var log []string
	for _, l := range p.Log {
		word := l.K
		if l.Legal != nil {
			word = fmt.Sprintf("%s:%s:%v:%d", l.K, l.SAN, *l.Legal, l.Ply)
		}
		log = append(log, word)
	}
	want := "here here start move:e4:true:0 press move:e7xe4:false:1 press offer decline move:Ng1-g3:false:2 back " +
		"move:Nf3:true:2 queued press move:d5:true:3 press denied move:Rh1xh8:false:4 press end"
	if got := strings.Join(log, " "); got != want {
		t.Errorf("log\n%s\nwant\n%s", got, want)
	}
	if p.State.End == nil || p.State.End.Rule != "WBCA 7d" || p.State.End.Result != "0-1" {
		t.Errorf("end %+v", p.State.End)
	}
	for _, part := range []string{`[Termination "rules infraction"]`, `[Result "0-1"]`, `[SetUp "1"]`, `[White "Ann"]`, "Nf3"} {
		if !strings.Contains(pgn, part) {
			t.Errorf("the PGN lacks %s:\n%s", part, pgn)
		}
	}
}

func TestParseRecord(t *testing.T) {
	for _, text := range []string{"", "{}", `{"v":2,"id":"g"}`, `{"v":1,"events":3}`, `{"v":1,"events":[{"k":"released","m":"zz"}]}`} {
		if _, err := ParseRecord([]byte(text)); err == nil {
			t.Errorf("%q is taken for a record", text)
		}
	}
}

// Every code that a player may be shown has its line on the wire.
func TestCodesHaveLines(t *testing.T) {
	never := map[game.Code]bool{game.RetractFirst: true, game.NotAPlayer: true, game.UnknownCommand: true, game.BadSetup: true,
		game.AlreadyCreated: true, game.BadRuling: true}
	file, err := parser.ParseFile(token.NewFileSet(), "../../game/refusal.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		text, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		if err != nil {
			t.Fatal(err)
		}
		shown := (&game.Refusal{Code: game.Code(text)}).Shown()
		for _, c := range []string{text, string(shown)} {
			if !never[game.Code(c)] && wire.Message(c) == "" {
				t.Errorf("code %s has no line", c)
			}
		}
		lines++
		return true
	})
	if lines < 40 {
		t.Errorf("only %d codes", lines)
	}
}

// Every claim that the wire knows reaches the rules.
func TestClaimsOfTheWire(t *testing.T) {
	tests := map[string]map[string]string{
		"wbca": {"illegal": "ev:denied", "time": "ev:denied", "both_flags": "err:not_met", "draw": "ev:denied", "abandoned": "err:not_away",
			"draw_8f": "err:not_met", "8d": "ev:denied", "8e": "ev:denied", "8g": "ev:denied", "8h": "ev:denied", "8i": "ev:denied",
			"threefold": "err:not_in_ruleset", "fifty": "err:not_in_ruleset", "ilc": "err:not_in_ruleset"},
		"uscf": {"illegal": "ev:denied", "time": "ev:denied", "both_flags": "err:not_met", "draw": "err:not_met", "abandoned": "err:not_away",
			"draw_8f": "err:not_in_ruleset", "8d": "err:not_in_ruleset", "8e": "err:not_in_ruleset", "8g": "err:not_in_ruleset",
			"8h": "err:not_in_ruleset", "8i": "err:not_in_ruleset", "threefold": "err:not_met", "fifty": "err:not_met", "ilc": "err:not_in_ruleset"},
		"cca": {"illegal": "ev:denied", "time": "ev:denied", "both_flags": "err:not_met", "draw": "ev:denied", "abandoned": "err:not_away",
			"draw_8f": "err:not_in_ruleset", "8d": "err:not_in_ruleset", "8e": "err:not_in_ruleset", "8g": "err:not_in_ruleset",
			"8h": "err:not_in_ruleset", "8i": "err:not_in_ruleset", "threefold": "ev:denied", "fifty": "err:not_met", "ilc": "err:not_met"},
		"fide": {"illegal": "ev:denied", "time": "err:not_met", "both_flags": "err:not_met", "draw": "ev:denied", "abandoned": "err:not_away",
			"draw_8f": "err:not_in_ruleset", "8d": "err:not_in_ruleset", "8e": "err:not_in_ruleset", "8g": "err:not_in_ruleset",
			"8h": "err:not_in_ruleset", "8i": "err:not_in_ruleset", "threefold": "ev:denied", "fifty": "ev:denied", "ilc": "err:not_in_ruleset"},
	}
	for rules, claims := range tests {
		for name, want := range claims {
			t.Run(rules+" "+name, func(t *testing.T) {
				inWorld(t, func(t *testing.T, w *world) {
					s := setup(game.OverTheBoard)
					s.RuleSet = rules
					a, b := w.sit(s)
					a.do("m1 claim " + name)
					a.expect(want)
					if !strings.HasPrefix(want, "ev") { // refused: nobody else learns of it
						want = ""
					}
					b.expect(want)
				})
			})
		}
	}
}

// Messages that cannot be meant are answered, whatever they hold.
func TestStrangeMessages(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		a, b := w.sit(setup(game.OverTheBoard))
		minus := -7
		for i, m := range []wire.ClientMessage{
			{T: "move", Move: "e9e4"}, {T: "move"}, {T: "move", Move: "e2e4", Ply: &minus}, {T: "press", Ply: &minus},
			{T: "claim", Claim: "moon"}, {T: "claim"}, {T: "sing"}, {}, {T: "answer", Accept: true}, {T: "retract"},
			{T: "move", Move: "e2e2"}, {T: "move", Move: "e4e5"}, {T: "move", Move: "a2e1"},
		} {
			m.ID = fmt.Sprintf("x%d", i)
			a.sitting.Handle(m)
			pass(2 * time.Millisecond)
			frames := a.news()
			if len(frames) != 1 || !strings.HasPrefix(frames[0], `{"t":"err"`) || !strings.Contains(frames[0], m.ID) {
				t.Errorf("%+v: %v", m, frames)
			}
		}
		b.expect("")
	})
}

// Spectators see what the public may see and cannot touch anything; nobody waits for one of them.
func TestSpectators(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		a, b := w.sit(setup(game.OverTheBoard))
		crowd := make([]*tab, 200)
		for i := range crowd {
			crowd[i] = w.join(account.Person{ID: fmt.Sprintf("S%015d", i), Name: "Guest"}, 0)
			if s := state(t, crowd[i]); s.You != "" || crowd[i].sitting.Plays() {
				t.Fatalf("spectator plays %q", s.You)
			}
			crowd[i].news()
		}
		began := time.Now()
		shuffle(a, b, 0, 50)
		if spent := time.Since(began); spent != 50*time.Millisecond { // each command waits one
			t.Errorf("50 moves took %v of the table's time", spent)
		}
		pass(10 * breath) // a crowd of this size is told with pauses
		first := crowd[0].news()
		for _, c := range crowd[1:] {
			if got := c.news(); !reflect.DeepEqual(got, first) {
				t.Fatalf("%d frames, the first got %d", len(got), len(first))
			}
		}
		if len(first) != 50 {
			t.Errorf("%d frames for 50 moves", len(first))
		}
		for i, line := range []string{"x resign", "x move e2e4 50", "x press", "x claim illegal", "x offer", "x answer accept", "x mute", "x retract"} {
			crowd[i].do(line)
			crowd[i].expect("err:not_seated")
		}
		crowd[9].do("here")
		crowd[9].do("hidden")
		crowd[9].sitting.Leave()
		pass(10 * breath)
		b.do("n1 offer")
		pass(10 * breath)
		crowd[9].expect("")
		crowd[10].expect("ev:offer")
		a.news()
		b.news()
	})
}

// The list of running games is bounded and leaves out what has not begun.
func TestLive(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		s := setup(game.Fast)
		for i := range 5 {
			if err := w.tables.Open(context.Background(), fmt.Sprintf("a%d", i), s); err != nil {
				t.Fatal(err)
			}
		}
		s.Options.Presence = false
		for i := range MaxLive + 5 {
			if err := w.tables.Open(context.Background(), fmt.Sprintf("g%d", i), s); err != nil {
				t.Fatal(err)
			}
		}
		list, err := w.tables.Live(context.Background())
		if err != nil || len(list) != MaxLive || list[0].Game != "g0" || list[0].White.Name != "Ann" || !list[0].WBCA || list[0].Clk.Run != "w" {
			t.Errorf("%d games, %v: %+v", len(list), err, list[:1])
		}
	})
}

// The same table opened twice is one table; one that cannot be played is refused.
func TestOpen(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		ctx := context.Background()
		w.open(setup(game.Fast))
		other := setup(game.OverTheBoard)
		other.Base = [2]int64{60000, 60000}
		if err := w.tables.Open(ctx, theGame, other); err != nil {
			t.Error(err)
		}
		if s := state(t, w.join(third, 0)); s.Mode != "fast" || s.Base != 300000 {
			t.Errorf("the second opening counted: %+v", s)
		}
		bad := setup(game.Fast)
		bad.FEN = "not a position"
		if err := w.tables.Open(ctx, "bad", bad); err == nil {
			t.Error("a table without a position was set up")
		}
		if _, err := w.tables.Join(&conn{person: white}, wire.ClientMessage{T: "join", ID: "j", Game: "bad"}); err != error(ErrUnknownGame) {
			t.Errorf("join: %v", err)
		}
	})
}

// A hall that closes says so to those who still ask.
func TestClosingHall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		a, _ := w.sit(setup(game.OverTheBoard))
		w.stop()
		a.do("m1 move e2e4 0")
		a.expect("err:unavailable")
		a.sitting.Leave()
		if _, err := w.tables.Join(&conn{person: white}, wire.ClientMessage{T: "join", ID: "j", Game: theGame}); !errors.Is(err, wire.Refuse(wire.CodeUnavailable)) {
			t.Errorf("join at a closed hall: %v", err)
		}
	})
}

// A node that was stopped for longer than a game has lasted may still be asked to set it up: it stays over.
func TestOpenWhatIsOver(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		_, b := w.sit(setup(game.OverTheBoard))
		b.do("n1 resign")
		w.open(setup(game.OverTheBoard))
		if w.hall.Alive(ActorID(theGame)) {
			t.Error("the game that is over has begun again")
		}
		if freed, saved := w.ends(); freed != 1 || saved != 1 {
			t.Errorf("freed %d and saved %d times", freed, saved)
		}
	})
}

// silentArchive does not answer.
type silentArchive struct{ *shelf }

func (silentArchive) Load(ctx context.Context, _ string) (Record, error) {
	<-ctx.Done()
	return Record{}, ctx.Err()
}

// A table is set up though the archive does not answer, before the lobby asks another node (two seconds).
func TestOpenWithoutArchive(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.tables.cfg.Archive = silentArchive{w.shelf}
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		if err := w.tables.Open(ctx, theGame, setup(game.OverTheBoard)); err != nil || !w.hall.Alive(ActorID(theGame)) {
			t.Errorf("not set up: %v", err)
		}
	})
}
