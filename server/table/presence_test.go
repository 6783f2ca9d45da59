package table

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"flagfall/game"
	"flagfall/server/wire"
)

// heartbeat is how often the hall says that it lives, in ms: what came behind the last one is charged to nobody.
const heartbeat = 250

// Starts and games that nobody begins (rulings D33): what a spectator is told after each stretch of time.
func TestStarts(t *testing.T) {
	type step struct {
		who, line string // nothing: only time passes
		wait      time.Duration
		told      string
	}
	const ms, sec = time.Millisecond, time.Second
	tests := []struct {
		name   string
		steps  []step
		reason string // of the end, if there is one
		score  string
	}{
		{"both are here", []step{
			{"w", "here", 4 * sec, "ev:here"},
			{"b", "here", 0, "ev:here+start"},
		}, "", ""},
		{"one is here for ten seconds", []step{
			{"b", "here", 9990 * ms, "ev:here"},
			{"", "", 20 * ms, "ev:start"},
		}, "", ""},
		{"nobody comes", []step{
			{"", "", 29990 * ms, ""},
			{"", "", 20 * ms, "ev:end"},
		}, "absent", "*"},
		{"a hidden page is away", []step{
			{"w", "here", 9 * sec, "ev:here"},
			{"w", "hidden", 5 * sec, "ev:away"},
			{"w", "here", 9990 * ms, "ev:here"},
			{"", "", 20 * ms, "ev:start"},
		}, "", ""},
		{"both gone again", []step{
			{"w", "here", sec, "ev:here"},
			{"w", "hidden", 29990 * ms, "ev:away"},
			{"", "", 20 * ms, "ev:end"},
		}, "absent", "*"},
		{"White does not move", []step{
			{"w", "here", 0, "ev:here"},
			{"b", "here", 19990 * ms, "ev:here+start"},
			{"", "", 20 * ms, "ev:end"},
		}, "no_first_move", "*"},
		{"Black does not move", []step{
			{"w", "here", 0, "ev:here"},
			{"b", "here", 15 * sec, "ev:here+start"},
			{"w", "m1 move e2e4 0 press", 19990 * ms, "ev:move+press"},
			{"", "", 20 * ms, "ev:end"},
		}, "no_first_move", "*"},
		{"after both have moved only the rules end it", []step{
			{"w", "here", 0, "ev:here"},
			{"b", "here", 0, "ev:here+start"},
			{"w", "m1 move e2e4 0 press", 0, "ev:move+press"},
			{"b", "n1 move e7e5 1 press", 40 * sec, "ev:move+press"},
			{"w", "m2 move g1f3 2 press", 0, "ev:move+press"},
		}, "", ""},
		{"a move before the start is refused", []step{
			{"w", "m1 move e2e4 0 press", sec, ""},
			{"w", "here", 0, "ev:here"},
			{"b", "here", 0, "ev:here+start"},
			{"w", "m2 move e2e4 0 press", 0, "ev:move+press"},
		}, "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				w.open(setup(game.OverTheBoard))
				a, b, s := w.join(white, 0), w.join(black, 0), w.join(third, 0)
				s.news()
				for _, st := range test.steps {
					switch st.who {
					case "w":
						a.do(st.line)
					case "b":
						b.do(st.line)
					}
					if st.wait > 0 {
						pass(st.wait - time.Millisecond)
					}
					s.expect(st.told)
				}
				if test.reason == "" {
					return
				}
				final := state(t, w.join(third, 0))
				if final.End == nil || final.End.Reason != test.reason || final.End.Result != test.score {
					t.Errorf("end %+v, want %s %s", final.End, test.reason, test.score)
				}
			})
		})
	}
}

// The lobby is told who was there and whose move it was when a first move did not come.
func TestFreedAfterNoFirstMove(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		a, b := w.sit(setup(game.OverTheBoard))
		a.do("m1 move e2e4 0 press")
		b.sitting.Leave()
		pass(21 * time.Second)
		all := w.freedAll()
		if len(all) != 1 {
			t.Fatalf("freed %d times", len(all))
		}
		f := all[0]
		if f.Game != theGame || f.Result.Reason != "no_first_move" || f.Present != [2]bool{true, false} || f.OnMove != game.Black || f.Setup.Origin != "pool" {
			t.Errorf("freed %+v", f)
		}
	})
}

// A minute away on move may be claimed (rulings D33 c), not earlier, and not by whom the clock waits.
func TestAbandoned(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		a, b := w.sit(setup(game.OverTheBoard))
		a.do("m1 move e2e4 0 press")
		b.do("n1 move e7e5 1 press")
		a.do("m2 move g1f3 2 press")
		b.sitting.Leave()
		pass(59 * time.Second)
		a.news()
		a.do("m3 claim abandoned")
		a.expect("err:not_away")
		pass(2 * time.Second)
		a.do("m4 claim abandoned")
		a.expect("ev:end")
		if final := state(t, w.join(white, 0)); final.End.Reason != "abandoned" || final.End.Result != "1-0" {
			t.Errorf("end %+v", final.End)
		}
	})
}

// After the server was away both clocks stand until the side on move is back, or for thirty seconds; both players are
// told. An outage of more than three minutes voids the game.
func TestAfterAnOutage(t *testing.T) {
	begin := func(t *testing.T, w *world) wire.State {
		a, b := w.sit(setup(game.OverTheBoard))
		a.do("m1 move e2e4 0 press")
		pass(10 * time.Second)
		return state(t, w.join(b.conn.person, 0))
	}
	t.Run("the side on move is back", func(t *testing.T) {
		inWorld(t, func(t *testing.T, w *world) {
			before := begin(t, w)
			w.restart(20 * time.Second)
			a := w.join(white, before.N)
			a.do("here")
			pass(10 * time.Second)
			s := state(t, w.join(third, 0))
			if s.Phase != "paused" || s.Clocks.Run != "" || s.Clocks.B < before.Clocks.B || s.Clocks.B > before.Clocks.B+heartbeat {
				t.Errorf("before %+v, after %+v", before.Clocks, s)
			}
			b := w.join(black, 0)
			b.do("here")
			b.expect("state ev:resume+here")
			back := state(t, w.join(third, 0))
			if back.Phase != "play" || back.Clocks.Run != "b" || back.Clocks.B < s.Clocks.B-10 {
				t.Errorf("back: %+v", back)
			}
		})
	})
	t.Run("nobody is back", func(t *testing.T) {
		inWorld(t, func(t *testing.T, w *world) {
			begin(t, w)
			w.restart(20 * time.Second)
			s := w.join(third, 0)
			pass(29 * time.Second)
			s.expect("state")
			pass(2 * time.Second)
			s.expect("ev:resume")
		})
	})
	t.Run("it began to wait before the outage", func(t *testing.T) {
		inWorld(t, func(t *testing.T, w *world) {
			w.open(setup(game.OverTheBoard))
			w.join(white, 0).do("here")
			w.restart(20 * time.Second)
			a, b := w.join(white, 0), w.join(black, 0)
			if s := state(t, a); s.Here != "" || s.Phase != "waiting" {
				t.Errorf("here %q, phase %q", s.Here, s.Phase)
			}
			a.do("here")
			b.do("here")
			b.expect("state ev:here ev:here+start")
		})
	})
	t.Run("more than three minutes", func(t *testing.T) {
		inWorld(t, func(t *testing.T, w *world) {
			begin(t, w)
			w.restart(181 * time.Second)
			final := state(t, w.join(white, 0))
			if final.End == nil || final.End.Reason != "outage" || final.End.Result != "*" {
				t.Errorf("end %+v", final.End)
			}
			if freed, saved := w.ends(); freed != 1 || saved != 1 {
				t.Errorf("freed %d times, saved %d times", freed, saved)
			}
		})
	})
}

// Commands of one millisecond are judged in the order of the rules, not of their arrival (rulings B.2, D10, D11, D32).
func TestTies(t *testing.T) {
	const sec = time.Second
	tests := []struct {
		name         string
		fen          string
		base         [2]int64
		before       []string // who and what, in order
		wait         time.Duration
		one, another string // of one millisecond
		reason, rule string
	}{
		{"mate stands against a time claim", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", [2]int64{2000, 60000}, nil, 3 * sec,
			"w x move a1a8 0", "b y claim time", "checkmate", "WBCA 7a"},
		{"stalemate stands against a time claim", "7k/8/8/6Q1/8/8/5P2/6K1 w - - 0 1", [2]int64{2000, 60000}, nil, 3 * sec,
			"w x move g5g6 0", "b y claim time", "stalemate", "WBCA 8a"},
		{"the illegal mover loses a tie", "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", [2]int64{60000, 2000},
			[]string{"w a move a1b3 0 press"}, 3 * sec,
			"w x claim time", "b y claim illegal", "illegal_move", "WBCA 7d"},
		{"a press completes before a claim", "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", [2]int64{60000, 60000},
			[]string{"w a move a1b3 0"}, sec,
			"w x press 0", "b y claim illegal", "illegal_move", "WBCA 7d"},
		{"a time claim comes before a resignation", "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", [2]int64{60000, 2000},
			[]string{"w a move a1b3 0 press", "b b move g8f8 1 press", "w c move g1f1 2 press"}, 3 * sec,
			"b x resign", "w y claim time", "time", "WBCA 7c"},
		{"an illegal-move claim comes before a resignation", "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", [2]int64{60000, 60000},
			[]string{"w a move a1b3 0 press"}, sec,
			"w x resign", "b y claim illegal", "illegal_move", "WBCA 7d"},
		{"one person's own commands keep their order", "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", [2]int64{60000, 2000},
			[]string{"w a move a1b1 0 press", "b b offer"}, 3 * sec,
			"w x answer accept", "w y claim time", "agreement", "WBCA 8b"},
	}
	for _, test := range tests {
		for _, order := range [][2]string{{test.one, test.another}, {test.another, test.one}} {
			if test.one[0] == test.another[0] && order[0] == test.another {
				continue // one person's own commands never change places
			}
			t.Run(test.name+"/"+order[0], func(t *testing.T) {
				inWorld(t, func(t *testing.T, w *world) {
					s := from(test.fen, game.OverTheBoard)
					s.Base, s.Options.FirstMove = test.base, 0
					a, b := w.sit(s)
					tabs := map[byte]*tab{'w': a, 'b': b}
					for _, line := range test.before {
						tabs[line[0]].do(line[2:])
					}
					pass(test.wait)
					for _, line := range order {
						tabs[line[0]].sitting.Handle(parse(line[2:]))
					}
					pass(5 * time.Millisecond)
					final := state(t, w.join(third, 0))
					if final.End == nil || final.End.Reason != test.reason || final.End.Rule != test.rule {
						t.Errorf("end %+v, want %s %s", final.End, test.reason, test.rule)
					}
				})
			})
		}
	}
}

// CLK-01: what arrives one millisecond before the flag saves the game, one after it does not.
func TestFlagByReceipt(t *testing.T) {
	for _, test := range []struct {
		at   time.Duration
		told string
		ok   bool
	}{{119, "ev:move+press", false}, {121, "ev:flag ev:move+press", true}} {
		inWorld(t, func(t *testing.T, w *world) {
			s := from("6k1/5ppp/8/8/8/8/5PPP/R5K1 b - - 0 1", game.OverTheBoard)
			s.Base, s.Lag.PerMove = [2]int64{60000, 120}, 0
			a, b := w.sit(s)
			pass(test.at*time.Millisecond - time.Millisecond)
			b.do("n1 move g8f8 0 press")
			b.expect(test.told)
			a.do("m1 claim time")
			got := kinds(t, a.news())
			if ended := slices.Contains(got, "ev:end"); ended != test.ok {
				t.Errorf("at %d: White's claim ended the game: %v, want %v (%v)", test.at, ended, test.ok, got)
			}
		})
	}
}

// At a table that is over nobody is missed, and every command is answered.
func TestLeaveOfADeadTable(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		a, b := w.sit(setup(game.OverTheBoard))
		a.do("m1 resign")
		pass(time.Second)
		a.news()
		a.sitting.Leave()
		b.do("here")
		b.do("n1 move e7e5 1")
		b.do("n2 claim illegal")
		b.expect("ev:end err:game_over err:game_over")
		a.expect("")
		if list, err := w.tables.Live(context.Background()); err != nil || len(list) != 0 {
			t.Errorf("live: %v, %v", list, err)
		}
	})
}

// Whoever closes his socket, hides his page or shows it while the table waits for its journal has done so when it goes on.
func TestPresenceWhileTheDiskIsFull(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(b *tab)
		here string
	}{
		"leaves":             {func(b *tab) { b.sitting.Leave() }, "w"},
		"hides":              {func(b *tab) { b.do("hidden") }, "w"},
		"hides, then shows":  {func(b *tab) { b.do("hidden"); b.do("here") }, "wb"},
		"shows, then leaves": {func(b *tab) { b.do("here"); b.sitting.Leave() }, "w"},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				a, b := w.sit(setup(game.Fast))
				w.full.Store(true)
				a.do("m1 move e2e4 0")
				pass(time.Second)
				c.do(b)
				pass(time.Minute)
				w.full.Store(false)
				pass(5 * time.Second)
				spectator := w.join(third, 0)
				if s := state(t, spectator); !strings.Contains(s.Board, "4P3") || s.Here != c.here {
					t.Errorf("here are %q on %s, want %q after e2e4", s.Here, s.Board, c.here)
				}
			})
		})
	}
}
