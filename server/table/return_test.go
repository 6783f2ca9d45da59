package table

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"flagfall/game"
	"flagfall/server/account"
	"flagfall/server/wire"
)

// restart ends the hall and brings it back over the same journal after the pause.
func (w *world) restart(pause time.Duration) {
	w.t.Helper()
	w.stop()
	pass(pause)
	w.start()
	synctest.Wait()
}

// number is the n of a frame, and its type.
func number(t *testing.T, text string) (kind string, n uint64) {
	t.Helper()
	var f struct {
		T string
		N uint64
	}
	if err := json.Unmarshal([]byte(text), &f); err != nil {
		t.Fatal(err)
	}
	return f.T, f.N
}

// shuffle plays plies of knights going out and home, each a frame of its own, from the given ply on.
func shuffle(a, b *tab, from, plies int) {
	moves := [4]string{"g1f3", "g8f6", "f3g1", "f6g8"}
	for i := from; i < from+plies; i++ {
		c := a
		if i%2 == 1 {
			c = b
		}
		c.do(fmt.Sprintf("s%d move %s %d press", i, moves[i%4], i))
	}
}

func state(t *testing.T, c *tab) wire.State {
	t.Helper()
	var s wire.State
	c.last(&s)
	if s.T != "state" {
		t.Fatalf("%s's last frame is %q, want a state", c.name, s.T)
	}
	return s
}

// A join with the number of the last frame seen gives every later frame once, in order and as it was sent; an unknown
// or too old number gives a snapshot. Live frames go on behind without a gap.
func TestSince(t *testing.T) {
	for _, who := range []account.Person{white, black, third} {
		t.Run(who.Name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				w.open(setup(game.OverTheBoard))
				a, b := w.join(white, 0), w.join(black, 0)
				steady := map[string]*tab{white.Name: a, black.Name: b, third.Name: w.join(third, 0)}[who.Name]
				a.do("here")
				b.do("here")
				b.do("q1 offer")
				a.do("q2 answer")
				shuffle(a, b, 0, 10)
				frames := steady.news()[1:] // behind the snapshot
				first, last := uint64(0), uint64(0)
				for i, text := range frames {
					kind, n := number(t, text)
					if kind != "ev" || i > 0 && n != last+1 {
						t.Fatalf("frame %d follows %d: %s", n, last, text)
					}
					if i == 0 {
						first = n
					}
					last = n
				}
				for since := last - surelyKept; since <= last; since++ {
					c := w.join(who, since)
					got := c.news()
					want := frames[since-first+1:]
					if len(got) != len(want)+1 || !slices.Equal(got[:len(want)], want) {
						t.Fatalf("since %d:\n%s\nwant\n%s", since, strings.Join(got, "\n"), strings.Join(want, "\n"))
					}
					if kind, n := number(t, got[len(want)]); kind != "joined" || n != last {
						t.Fatalf("since %d ends with %s", since, got[len(want)])
					}
					if who == third {
						c.sitting.Leave() // a player's newer tab takes over, and nobody is told
					}
				}
				for _, since := range []uint64{0, first, last + 1, 1 << 52} {
					c := w.join(who, since)
					if s := state(t, c); len(c.news()) != 1 || s.N < last || len(s.Moves) != 10 {
						t.Errorf("since %d: n %d with %d moves", since, s.N, len(s.Moves))
					}
				}
			})
		})
	}
}

// surelyKept is how many frames of moves come back one by one, at the least.
const surelyKept = 6

// A socket that was away for longer than the frames are kept gets a snapshot with everything.
func TestSinceTooOld(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		a, b := w.sit(setup(game.OverTheBoard))
		s := w.join(third, 0)
		first := state(t, s).N
		s.sitting.Leave()
		shuffle(a, b, 0, surelyKept)
		kept := w.join(third, first)
		if got := kinds(t, kept.news()); len(got) != surelyKept+1 || got[0] != "ev:move+press" || got[surelyKept] != "joined" {
			t.Errorf("since %d with %d frames behind it: %d frames, %s ... %s", first, surelyKept, len(got), got[0], got[len(got)-1])
		}
		const more = 20
		shuffle(a, b, surelyKept, more)
		late := w.join(third, first)
		if s := state(t, late); len(s.Moves) != surelyKept+more || s.N != first+surelyKept+more {
			t.Errorf("snapshot at %d with %d moves, want %d and %d", s.N, len(s.Moves), first+surelyKept+more, surelyKept+more)
		}
	})
}

// NET-01, with the server's own death in between: whoever comes back with an old number misses nothing.
func TestRestart(t *testing.T) {
	for _, presence := range []bool{true, false} {
		t.Run(fmt.Sprintf("presence %v", presence), func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				s := setup(game.OverTheBoard)
				s.Options.Presence = presence
				w.open(s)
				plies := 0
				seen := map[string]uint64{}
				for life := range 4 {
					a, b, c := w.join(white, seen["w"]), w.join(black, seen["b"]), w.join(third, seen["s"])
					for name, one := range map[string]*tab{"w": a, "b": b, "s": c} {
						checkReturn(t, life, one, seen[name], plies)
					}
					a.do("here")
					b.do("here")
					if life > 0 {
						a.do(fmt.Sprintf("s%d move g1f3 %d press", plies-1, plies-1)) // answered: it counted before
						if got := kinds(t, a.news()); got[len(got)-1] != "done" {
							t.Errorf("life %d: a move sent again: %v", life, got)
						}
					}
					shuffle(a, b, plies, 3-life%2)
					plies += 3 - life%2
					if life == 1 {
						shuffle(a, b, plies, 1)
						plies++
					}
					for name, one := range map[string]*tab{"w": a, "b": b, "s": c} {
						for _, text := range one.conn.frames {
							if kind, n := number(t, text); kind == "ev" || kind == "state" {
								seen[name] = n
							}
						}
					}
					if plies%2 == 0 { // the last move of each life is White's
						a.do(fmt.Sprintf("s%d move %s %d press", plies, []string{"g1f3", "", "f3g1"}[plies%4], plies))
						plies++
					}
					w.restart(2 * time.Second)
				}
			})
		})
	}
}

// checkReturn holds that a client with the given last number hears that the server was away and has all moves.
func checkReturn(t *testing.T, life int, c *tab, since uint64, plies int) {
	t.Helper()
	frames := c.news()
	if life == 0 {
		return
	}
	kind, n := number(t, frames[0])
	if n <= since {
		t.Errorf("life %d, %s: number %d after %d", life, c.name, n, since)
	}
	switch kind {
	case "state":
		var s wire.State
		if err := json.Unmarshal([]byte(frames[0]), &s); err != nil {
			t.Fatal(err)
		}
		if len(s.Moves) != plies || s.Phase != "paused" {
			t.Errorf("life %d, %s: %d moves, phase %q; want %d, paused", life, c.name, len(s.Moves), s.Phase, plies)
		}
	case "ev":
		if n != since+1 || !strings.Contains(strings.Join(kinds(t, frames), " "), "pause") {
			t.Errorf("life %d, %s since %d: %s", life, c.name, since, frames)
		}
	default:
		t.Errorf("life %d, %s since %d: %s", life, c.name, since, frames)
	}
}

// NET-01 and NET-02: a command whose answer was lost counts once, under its own id and under a new one.
func TestResent(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		a, b := w.sit(setup(game.OverTheBoard))
		a.do("m1 move e2e4 0 press")
		_, n := number(t, a.news()[0])
		a.sitting.Leave() // the answer was lost with the socket
		synctest.Wait()
		b.news()
		again := w.join(white, n-2)
		again.do("here")
		again.news()
		again.do("m1 move e2e4 0 press")
		again.expect("done")
		again.do("m2 move e2e4 0 press")
		again.expect("err:stale_ply")
		b.expect("ev:here")
		if s := state(t, w.join(third, 0)); len(s.Moves) != 1 {
			t.Errorf("%d moves, want 1", len(s.Moves))
		}
	})
}

// NET-02: a mating move sent again, by the new tab and by the old one, ends the game once.
func TestMateSentAgain(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		a, b := w.sit(from("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", game.OverTheBoard))
		tell := w.join(third, 0)
		a.do("m7 move a1a8 0")
		tab2 := w.join(white, 0)
		tab2.do("m8 move a1a8 0")
		a.do("m7 move a1a8 0")
		tell.expect("state ev:move+end")
		b.expect("ev:move+end")
		a.expect("ev:move+end err:game_over")
		tab2.expect("state err:game_over")
		final := state(t, w.join(white, 3))
		if final.End == nil || final.End.Rule != "WBCA 7a" || final.Pending != "a1a8" || final.Phase != "over" {
			t.Errorf("final state: %+v", final)
		}
		if freed, saved := w.ends(); freed != 1 || saved != 1 {
			t.Errorf("freed %d times, saved %d times", freed, saved)
		}
	})
}

// NET-03: the newest tab is in charge; what the old socket still does makes nobody absent.
func TestTwoTabs(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		old, b := w.sit(setup(game.OverTheBoard))
		tab2 := w.join(white, 0)
		tab2.do("here")
		if !slices.Equal(old.closed(), []int{wire.CloseReplaced}) {
			t.Errorf("old tab closed with %v", old.closed())
		}
		pass(45 * time.Second / 4) // within the first-move limit
		old.do("hidden")
		old.sitting.Leave()
		old.sitting.Leave()
		synctest.Wait()
		b.expect("")
		old.expect("")
		if s := state(t, w.join(third, 0)); s.Here != "wb" {
			t.Errorf("here %q, want both", s.Here)
		}
		// NET-04: the new tab moves; the stale one means another move of the game
		tab2.do("m1 move e2e4 0 press")
		old.do("m2 move d2d4 0 press")
		old.expect("err:stale_ply")
		tab2.expect("state ev:move+press")
		b.expect("ev:move+press")
		tab2.sitting.Leave()
		synctest.Wait()
		b.expect("ev:away")
	})
}

// Frames of one socket are numbered without gaps, whatever the others are told in between.
func TestNoGaps(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.open(setup(game.OverTheBoard))
		a, b, s := w.join(white, 0), w.join(black, 0), w.join(third, 0)
		a.do("here")
		b.do("here")
		a.do("a1 move e2e4 0")
		b.do("b1 move a7a6 1") // Black's only
		a.do("a2 retract 0")   // refused: White's only
		b.do("b2 mute")        // Black's only
		a.do("a3 press 0")
		b.do("b3 press 1")
		for _, c := range []*tab{a, b, s} {
			frames := c.news()
			_, last := number(t, frames[0])
			for _, text := range frames[1:] {
				kind, n := number(t, text)
				if kind != "ev" || n != last+1 {
					t.Errorf("%s: %d after %d: %s", c.name, n, last, text)
				}
				last = n
			}
		}
	})
}

// What is unknown is said, and changes nothing.
func TestJoinNowhere(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		_, err := w.tables.Join(&conn{person: white}, wire.ClientMessage{T: "join", ID: "j", Game: "nowhere"})
		if err != error(ErrUnknownGame) {
			t.Errorf("join: %v", err)
		}
		if _, _, err = w.tables.Game(context.Background(), "nowhere"); err != error(ErrUnknownGame) {
			t.Errorf("game: %v", err)
		}
		if _, err = w.tables.PGN(context.Background(), "nowhere"); err != error(ErrUnknownGame) {
			t.Errorf("pgn: %v", err)
		}
		if _, err = w.tables.Finished(context.Background(), "nowhere"); err != error(ErrUnknownGame) {
			t.Errorf("finished: %v", err)
		}
	})
}

// A table that is started by itself and restarted before anything happens still tells that the server was away.
func TestRestartAtOnce(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		s := setup(game.OverTheBoard)
		s.Options.Presence = false
		w.open(s)
		seen := state(t, w.join(third, 0)).N
		w.restart(2 * time.Second)
		checkReturn(t, 1, w.join(third, seen), seen, 0)
	})
}

// A process that stood still goes on with the sockets it has: those who sit at the table are there (rulings D33).
func TestStoppedProcess(t *testing.T) {
	t.Run("before the clock started", func(t *testing.T) {
		inWorld(t, func(t *testing.T, w *world) {
			w.open(setup(game.OverTheBoard))
			a := w.join(white, 0)
			a.do("here")
			w.jump.Add(int64(20 * time.Second))
			pass(time.Second)
			a.expect("state ev:here ev:away ev:here")
			pass(9500 * time.Millisecond) // alone for ten seconds
			a.expect("ev:start")
		})
	})
	t.Run("a hidden page stays away", func(t *testing.T) {
		inWorld(t, func(t *testing.T, w *world) {
			a, b := w.sit(setup(game.OverTheBoard))
			a.do("hidden")
			b.news()
			w.jump.Add(int64(5 * time.Second))
			pass(time.Second)
			b.expect("ev:pause ev:here")
			if s := state(t, w.join(third, 0)); s.Here != "b" || s.Phase != "paused" {
				t.Errorf("here %q, phase %q", s.Here, s.Phase)
			}
		})
	})
	t.Run("while it runs", func(t *testing.T) {
		inWorld(t, func(t *testing.T, w *world) {
			a, b := w.sit(setup(game.OverTheBoard))
			a.do("m1 move e2e4 0 press")
			a.news()
			b.news()
			before := state(t, w.join(third, 0)).Clocks
			w.jump.Add(int64(5 * time.Second))
			pass(time.Second)
			for _, c := range []*tab{a, b} {
				frames := c.news()
				if got := strings.Join(kinds(t, frames), " "); got != "ev:pause ev:here ev:resume+here" {
					t.Errorf("%s got %q", c.name, got)
				}
			}
			after := state(t, w.join(third, 0))
			if after.Phase != "play" || after.Clocks.W != before.W || after.Clocks.B > before.B || after.Clocks.B < before.B-2000 || after.Here != "wb" {
				t.Errorf("before %+v, after %+v", before, after)
			}
		})
	})
}

// While the disk is full the public's questions are answered all the same: what cannot be told is left out.
func TestQuestionsWhileTheDiskIsFull(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		a, _ := w.sit(setup(game.Fast))
		w.full.Store(true)
		a.do("m1 move e2e4 0")
		began := time.Now()
		list, err := w.tables.Live(context.Background())
		if err != nil || len(list) != 0 || time.Since(began) > 2*time.Second {
			t.Errorf("the list has %d games, error %v, after %v", len(list), err, time.Since(began))
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if _, _, err := w.tables.Game(ctx, theGame); !errors.Is(err, wire.Refuse(wire.CodeUnavailable)) {
			t.Errorf("the game: %v", err)
		}
		w.full.Store(false)
		pass(5 * time.Second)
		if list, err = w.tables.Live(context.Background()); err != nil || len(list) != 1 || list[0].Ply != 1 {
			t.Errorf("afterwards the list is %+v, error %v", list, err)
		}
	})
}
