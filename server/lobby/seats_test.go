package lobby

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"flagfall/game"
	"flagfall/server/actor"
	"flagfall/server/wire"
)

func gameOf(a, b string) game.Setup { return game.NewSetup(who(a), who(b), 300000, game.Fast) }

// The seats give both chairs or none.
func TestBothOrNeither(t *testing.T) {
	s := newSeats(SeatsID).(*seats)
	run(t, s, start{}, 0)
	run(t, s, sit{Game: "g1", Setup: gameOf("A", "B")}, 0)
	bad := gameOf("E", "F")
	bad.FEN = "nothing"
	tests := []struct {
		name string
		sit  sit
		busy []string // who sits already
		want string   // of another refusal
	}{
		{"one person", sit{"g2", gameOf("C", "C")}, nil, "one person"},
		{"White sits", sit{"g2", gameOf("A", "C")}, []string{"A"}, ""},
		{"Black sits", sit{"g2", gameOf("C", "B")}, []string{"B"}, ""},
		{"both sit", sit{"g2", gameOf("B", "A")}, []string{"A", "B"}, ""},
		{"no such position", sit{"g2", bad}, nil, "FEN"},
	}
	for _, test := range tests {
		events, err := s.Decide(test.sit, 0)
		if err == nil || events != nil {
			t.Errorf("%s: %v, %v", test.name, events, err)
			continue
		}
		busy, is := err.(*Busy)
		if is != (test.busy != nil) || !strings.Contains(strings.ToLower(err.Error()), strings.ToLower(test.want)) {
			t.Errorf("%s: %v", test.name, err)
		}
		for _, letter := range test.busy {
			if busy.At[who(letter).ID] != "g1" {
				t.Errorf("%s: %v lacks %s", test.name, err, letter)
			}
		}
	}
	if events, err := s.Decide(sit{"g1", gameOf("A", "B")}, 0); events != nil || err != nil {
		t.Errorf("the same game again: %v, %v", events, err)
	}
	if events, err := s.Decide(free{"g9"}, 0); events != nil || err != nil {
		t.Errorf("a game that is not there: %v, %v", events, err)
	}
	run(t, s, free{"g1"}, 0)
	run(t, s, sit{"g2", gameOf("B", "C")}, 0)
	if len(s.at) != 2 || s.at[who("B").ID] != "g2" {
		t.Errorf("seats %v", s.at)
	}
	run(t, s, actor.Acked{Effect: "g2", Err: ErrSamePerson}, 0) // no table for them
	if len(s.at) != 0 || len(s.games) != 0 {
		t.Errorf("seats %v", s.at)
	}
}

// Events and snapshots are what they were when they are read back.
func TestSeatsReplay(t *testing.T) {
	s, copied := newSeats(SeatsID).(*seats), newSeats(SeatsID).(*seats)
	for _, cmd := range []any{start{}, sit{"g1", gameOf("A", "B")}, sit{"g2", gameOf("C", "D")}, actor.Acked{Effect: "g1"},
		free{"g2"}, sit{"g3", gameOf("D", "E")}} {
		for _, e := range run(t, s, cmd, 0) {
			text, err := encodeSeat(nil, e)
			if err != nil {
				t.Fatal(err)
			}
			back, err := decodeSeat(text)
			if err != nil {
				t.Fatal(err)
			}
			copied.Apply(back)
		}
	}
	text, err := encodeSeat(nil, s.snapshot())
	if err != nil {
		t.Fatal(err)
	}
	snap, err := decodeSeat(text)
	if err != nil {
		t.Fatal(err)
	}
	fresh := newSeats(SeatsID).(*seats)
	fresh.Apply(seatEvent{Seated: &seating{Game: "old", Setup: gameOf("X", "Y")}}) // a snapshot stands for all before it
	fresh.Apply(snap)
	want := fmt.Sprint(s.at, len(s.Effects()))
	for name, m := range map[string]*seats{"events": copied, "snapshot": fresh} {
		if got := fmt.Sprint(m.at, len(m.Effects())); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if _, err := decodeSeat([]byte("{")); err == nil {
		t.Error("half an event was read")
	}
}

// The seats outlive the process, by replay and by snapshot.
func TestSeatsRestart(t *testing.T) {
	for _, many := range []bool{false, true} {
		t.Run(fmt.Sprintf("snapshot %v", many), func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				a, b := w.come("A"), w.come("B")
				a.seek("1", 5)
				b.seek("1", 5)
				id := a.game()
				if many {
					w.breakTables(1 << 30)
					for i := range 2100 { // two steps each; a snapshot comes every 4096
						g := fmt.Sprintf("s%d", i)
						w.ask(sit{g, gameOf("C", "D")})
						w.ask(free{g})
					}
					synctest.Wait()
					w.breakTables(0)
					entries, err := w.journal.Read(context.Background(), SeatsID, 0)
					if err != nil || len(entries) == 0 || entries[0].Seq == 1 {
						t.Fatalf("%d entries, from the first on: %v", len(entries), err)
					}
				}
				w.stop()
				pass(time.Second)
				w.start()
				a, b = w.come("A"), w.come("B")
				if id == "" || a.hello.Game != id || b.hello.Game != id {
					t.Errorf("hello says %q and %q, want %q", a.hello.Game, b.hello.Game, id)
				}
				a.seek("2", 5)
				a.expect("err:seated")
				a.sit(id)
				a.sitting.Handle(wire.ClientMessage{T: "resign", ID: "r"})
				pass(time.Second)
				if a.game() != "" || b.game() != "" || len(w.openings()) != 1 {
					t.Errorf("seats %q, %q; opened %v", a.game(), b.game(), w.openings())
				}
			})
		})
	}
}

func (w *world) ask(body any) actor.Result {
	w.t.Helper()
	r, err := w.hall.Ask(context.Background(), SeatsID, actor.Command{Body: body})
	if err != nil || r.Err != nil {
		w.t.Fatal(err, r.Err)
	}
	return r
}

// A crash between the seats and the table: the table is set up after the restart, once.
func TestOpenedAfterRestart(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.breakTables(1 << 30)
		a, b := w.come("A"), w.come("B")
		a.seek("1", 5)
		b.seek("1", 5)
		id := a.game()
		pass(time.Second)
		a.expect("seeking")
		b.expect("")
		w.stop()
		w.breakTables(0)
		w.start()
		pass(time.Second)
		a = w.come("A")
		if a.hello.Game != id || !slices.Equal(w.openings(), []string{id}) {
			t.Errorf("sits at %q, opened %v, want %q", a.hello.Game, w.openings(), id)
		}
		a.sit(id)
		w.stop()
		w.start()
		pass(time.Second)
		if !slices.Equal(w.openings(), []string{id}) {
			t.Errorf("opened %v", w.openings())
		}
	})
}

// A table that fails is tried again, and both are called to it when it stands.
func TestOpenedLater(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.breakTables(3)
		a, b := w.come("A"), w.come("B")
		a.seek("1", 5)
		b.seek("1", 5)
		a.expect("seeking")
		pass(10 * time.Second)
		a.expect("paired:" + w.color(a))
		b.expect("paired:" + w.color(b))
	})
}

// ARN-01: a pool's pair, an invitation and a rematch for one person in the same moment, in every order. He gets exactly one
// game; what the others offered stays open.
func TestRaces(t *testing.T) {
	orders := [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}
	for _, order := range orders {
		t.Run(fmt.Sprint(order), func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				a, b, c, d := w.come("A"), w.come("B"), w.come("C"), w.come("D")
				old := w.play(a, d)
				invite := c.invite("1", 180000, "white")
				d.rematch("2", old)
				a.seek("3", 5)
				moment := [3]func(){
					func() { b.session.Handle(wire.ClientMessage{T: "seek", ID: "s", Base: 300000, Mode: "board"}) },
					func() { a.session.Handle(wire.ClientMessage{T: "accept", ID: "x", Invite: invite}) },
					func() { a.session.Handle(wire.ClientMessage{T: "rematch", ID: "y", Game: old}) },
				}
				for _, i := range order {
					moment[i]()
				}
				pass(time.Millisecond)
				others := map[int]*guest{0: b, 1: c, 2: d}
				for i, g := range others {
					if plays := g.game() != ""; plays != (i == order[0]) {
						t.Errorf("%s plays: %v", g.conn.person.Name, plays)
					}
				}
				if first := others[order[0]]; a.game() == "" || a.game() != first.game() {
					t.Errorf("games %q and %q", a.game(), first.game())
				}
				if len(w.openings()) != 2 {
					t.Errorf("opened %v", w.openings())
				}
				if order[0] != 0 { // Bob waits
					e := w.come("E")
					e.seek("1", 5)
					if e.game() == "" || e.game() != b.game() {
						t.Error("the one left over does not wait")
					}
				}
				if order[0] != 1 { // Cat's invitation is open
					f := w.come("F")
					f.accept("1", invite)
					if f.game() == "" || f.game() != c.game() {
						t.Errorf("the invitation is gone: %v, games %q, %q", f.news(), f.game(), c.game())
					}
				}
			})
		})
	}
}

// Somebody is seated from elsewhere in the moment in which the pool pairs him: the one left over waits on, first in
// line, or plays the one who came meanwhile.
func TestLeftOver(t *testing.T) {
	elsewhere := func(w *world, letter string) {
		w.ask(sit{"elsewhere" + letter, gameOf(letter, "Z")})
		synctest.Wait()
	}
	t.Run("waits on", func(t *testing.T) {
		inWorld(t, func(t *testing.T, w *world) {
			a, b := w.come("A"), w.come("B")
			a.seek("1", 5)
			elsewhere(w, "A")
			b.seek("1", 5)
			a.expect("seeking paired:w idle:seated")
			b.expect("seeking")
			c := w.come("C")
			c.seek("1", 5)
			if c.game() == "" || c.game() != b.game() {
				t.Errorf("games %q, %q", c.game(), b.game())
			}
		})
	})
	t.Run("an invitation", func(t *testing.T) {
		inWorld(t, func(t *testing.T, w *world) {
			a, b := w.come("A"), w.come("B")
			id := a.invite("1", 300000, "white")
			elsewhere(w, "A")
			b.accept("1", id)
			b.expect("idle:seated")
			a.expect("paired:w idle:seated")
			if b.game() != "" {
				t.Errorf("sits at %q", b.game())
			}
		})
	})
	machine := func(t *testing.T) (*pools, *match) {
		p := newPools(ID).(*pools)
		for _, letter := range []string{"A", "B", "C"} {
			here(t, p, who(letter), card{})
		}
		run(t, p, wantSeek{want("A", 300000)}, 0)
		b := want("B", 300000)
		b.Game, b.Coin = "g", true
		run(t, p, wantSeek{b}, 0)
		m := p.matches["g"]
		return p, &m
	}
	refused := func(letters ...string) actor.Acked {
		busy := &Busy{At: map[string]string{}}
		for _, letter := range letters {
			busy.At[who(letter).ID] = "e"
		}
		return actor.Acked{Effect: "g", Err: &unseated{cause: busy, next: "g2", coin: true}}
	}
	tests := []struct {
		name   string
		before func(t *testing.T, p *pools)
		busy   []string
		seeks  string // who waits afterwards
		paired string // White and Black of a new match
	}{
		{"first in line", func(t *testing.T, p *pools) {
			run(t, p, wantSeek{want("C", 180000)}, 0)
		}, []string{"A"}, "BC", ""},
		{"somebody waits for the same", func(t *testing.T, p *pools) {
			run(t, p, wantSeek{want("C", 300000)}, 0)
		}, []string{"A"}, "", "BC"},
		{"both sit", func(*testing.T, *pools) {}, []string{"A", "B"}, "", ""},
		{"he has left", func(t *testing.T, p *pools) {
			run(t, p, disconnect{Who: who("B").ID}, 0)
			run(t, p, actor.Tick{}, away)
		}, []string{"A"}, "", ""},
		{"he has cancelled", func(t *testing.T, p *pools) {
			run(t, p, cancel{Who: who("B").ID}, 0)
		}, []string{"A"}, "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p, _ := machine(t)
			test.before(t, p)
			run(t, p, refused(test.busy...), 0)
			seeks, paired := "", ""
			for _, s := range p.seeks {
				seeks += s.Who.Name
			}
			for id, m := range p.matches {
				paired += m.Setup.White.Name + m.Setup.Black.Name
				if id == "g" {
					t.Errorf("the id of a game that was refused is used again")
				}
			}
			if seeks != test.seeks || paired != test.paired {
				t.Errorf("waiting %q, paired %q; want %q, %q", seeks, paired, test.seeks, test.paired)
			}
		})
	}
}

// Somebody takes an invitation, or agrees to a rematch, in the moment in which he is seated elsewhere: what was offered to
// him stays open. It is gone where its owner sits, has cancelled or has left.
func TestOffersStayOpen(t *testing.T) {
	offers := map[string]func(t *testing.T, p *pools){
		"invitation": func(t *testing.T, p *pools) {
			run(t, p, wantInvite{invite{ID: "i", By: who("A"), Terms: fast(300000), Color: "white"}}, 0)
			run(t, p, wantAccept{Invite: "i", Who: who("B"), Game: "g"}, 0)
		},
		"open seek": func(t *testing.T, p *pools) {
			run(t, p, wantSeek{want("A", 60000)}, 0)
			run(t, p, wantTake{Seek: "sA", Who: who("B"), Game: "g"}, 0)
		},
		"rematch": func(t *testing.T, p *pools) {
			old := rematch{Game: "old", Setup: gameOf("A", "B"), By: game.White}
			run(t, p, wantRematch{rematch: old, Who: who("A").ID, NewGame: "x"}, 0)
			old.By = game.Black
			run(t, p, wantRematch{rematch: old, Who: who("B").ID, NewGame: "g"}, 0)
		},
	}
	tests := []struct {
		name   string
		before func(t *testing.T, p *pools)
		busy   string
		open   bool
	}{
		{"the other one sits", func(*testing.T, *pools) {}, "B", true},
		{"the owner sits", func(*testing.T, *pools) {}, "A", false},
		{"the owner has cancelled", func(t *testing.T, p *pools) { run(t, p, cancel{Who: who("A").ID}, 0) }, "B", false},
		{"the owner has left", func(t *testing.T, p *pools) {
			run(t, p, disconnect{Who: who("A").ID}, 0)
			run(t, p, actor.Tick{}, away)
		}, "B", false},
	}
	for name, offer := range offers {
		for _, test := range tests {
			t.Run(name+"/"+test.name, func(t *testing.T) {
				p := newPools(ID).(*pools)
				for _, letter := range []string{"A", "B"} {
					here(t, p, who(letter), card{})
				}
				offer(t, p)
				if len(p.matches) != 1 || len(p.invites)+len(p.rematches)+len(p.seeks) != 0 {
					t.Fatalf("matches %v", p.matches)
				}
				test.before(t, p)
				busy := &Busy{At: map[string]string{who(test.busy).ID: "e"}}
				run(t, p, actor.Acked{Effect: "g", Err: &unseated{cause: busy, next: "g2"}}, 0)
				if open := len(p.invites)+len(p.rematches)+len(p.seeks) == 1; open != test.open || len(p.matches) != 0 {
					t.Errorf("open: %v, want %v", open, test.open)
				}
			})
		}
	}
}

// Who has just finished may ask for the next game while his seat is still being freed; he gets it once it is.
func TestSeekRightAfterTheEnd(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		a, b, c := w.come("A"), w.come("B"), w.come("C")
		a.seek("1", 5)
		b.seek("1", 5)
		id := a.game()
		a.sit(id)
		w.lockSeats(true)
		a.sitting.Handle(wire.ClientMessage{T: "resign", ID: "r"})
		pass(time.Second)
		a.news()
		a.seek("2", 5)
		c.seek("2", 5)
		pass(time.Second)
		if a.expect("seeking"); a.game() != id || c.game() != "" {
			t.Errorf("games %q, %q", a.game(), c.game())
		}
		w.lockSeats(false)
		pass(20 * time.Second)
		if a.game() == "" || a.game() == id || a.game() != c.game() {
			t.Errorf("games %q, %q after %q", a.game(), c.game(), id)
		}
	})
}
