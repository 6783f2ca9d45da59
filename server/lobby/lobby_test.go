package lobby

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"flagfall/server/wire"
)

// The next who wants the same is the opponent; nobody plays himself, and one seek is one seek.
func TestSeeks(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		a, b, c, d := w.come("A"), w.come("B"), w.come("C"), w.come("D")
		if a.hello.T != "hello" || a.hello.Version != wire.Version || a.hello.You.Name != "P A" || a.hello.Game != "" {
			t.Errorf("hello %+v", a.hello)
		}
		a.seek("1", 3)
		a.expect("seeking")
		a.seek("2", 3)
		a.expect("seeking")
		a.seek("1", 3) // sent again
		a.expect("done")
		b.seek("1", 5)
		b.expect("seeking")
		c.say(wire.ClientMessage{T: "seek", ID: "1", Base: 180000, Mode: "fast"})
		c.expect("seeking")
		if got := w.lobby.Stats(); got != (Stats{Seeks: 3}) {
			t.Errorf("three seek: %+v", got)
		}
		d.seek("1", 3)
		color := d.expect("paired:" + w.color(d))[0]
		a.expect("paired:" + w.color(a))
		if color["game"] != a.game() || a.game() != d.game() || a.game() == "" || w.color(a) == w.color(d) {
			t.Errorf("games %q and %q", a.game(), d.game())
		}
		s := w.setup(a.game())
		if s.Base != 180000 || s.Mode != "board" || !s.Rated || s.Premove || s.Rules != "wbca" {
			t.Errorf("set-up %+v", s)
		}
		a.seek("3", 3)
		a.expect("err:seated")
		if got := w.lobby.Stats(); got != (Stats{Games: 1, Seeks: 2}) {
			t.Errorf("one is paired, two seek: %+v", got)
		}
		b.say(wire.ClientMessage{T: "cancel", ID: "2"})
		b.expect("idle:cancelled")
		e := w.come("E")
		e.seek("1", 5)
		e.expect("seeking") // Bob is not there any more
		again := w.come("A")
		if again.hello.Game != a.game() {
			t.Errorf("hello says %q, sits at %q", again.hello.Game, a.game())
		}
	})
}

// color is "w" or "b" at the table where the guest sits.
func (w *world) color(g *guest) string {
	if w.setup(g.game()).White.ID == g.conn.person.ID {
		return "w"
	}
	return "b"
}

// Of people of one strength who waits longest is first, and asking again does not cost the place.
func TestFirstComeFirstServed(t *testing.T) {
	p := newPools(ID).(*pools)
	for i, letter := range []string{"A", "B", "C"} {
		here(t, p, who(letter), card{Avoid: map[string]bool{who("B").ID: letter == "A"}})
		want := want(letter, 300000)
		want.Game, want.Coin = "g"+letter, letter == "C"
		if letter == "C" {
			run(t, p, wantSeek{seek{ID: "again", Who: who("A"), Terms: want.Terms}}, 1500)
		}
		run(t, p, wantSeek{want}, int64(i)*1000)
	}
	m := p.matches["gC"]
	if m.Setup.White.ID != who("A").ID || m.Setup.Black.ID != who("C").ID || len(p.seeks) != 1 || p.seeks[0].Who != who("B") {
		t.Errorf("paired %s with %s, %d left", m.Setup.White.Name, m.Setup.Black.Name, len(p.seeks))
	}
}

// NET-05: ten seconds without a connection take a seek away, a shorter absence and a second socket do not.
func TestPresence(t *testing.T) {
	tests := []struct {
		name  string
		steps func(w *world, a *guest)
		waits bool
	}{
		{"stays", func(w *world, a *guest) { pass(time.Minute) }, true},
		{"gone for ten seconds", func(w *world, a *guest) { a.close(); pass(10 * time.Second) }, false},
		{"gone for less", func(w *world, a *guest) { a.close(); pass(9900 * time.Millisecond) }, true},
		{"back within ten seconds, three times", func(w *world, a *guest) {
			for range 3 {
				a.close()
				pass(9 * time.Second)
				a = w.come("A")
				a.expect("seeking")
				a.seek("1", 5)
				a.expect("done")
			}
			pass(time.Minute)
		}, true},
		{"back too late", func(w *world, a *guest) {
			a.close()
			pass(11 * time.Second)
			a = w.come("A")
			a.expect("")
			pass(time.Second)
		}, false},
		{"a second socket", func(w *world, a *guest) {
			two := w.come("A")
			two.expect("seeking")
			a.close()
			a.close()
			pass(time.Minute)
		}, true},
		{"both sockets", func(w *world, a *guest) {
			two := w.come("A")
			a.close()
			pass(9 * time.Second)
			two.close()
			pass(9 * time.Second)
			w.come("A").close()
			pass(11 * time.Second)
		}, false},
		{"cancelled at another socket", func(w *world, a *guest) {
			two := w.come("A")
			two.news()
			two.say(wire.ClientMessage{T: "cancel", ID: "9"})
			two.expect("idle:cancelled")
			a.expect("seeking seeking idle:cancelled")
		}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				a := w.come("A")
				a.seek("1", 5)
				test.steps(w, a)
				b := w.come("B")
				b.seek("1", 5)
				if paired := b.game() != ""; paired != test.waits {
					t.Errorf("paired %v, want %v", paired, test.waits)
				}
			})
		})
	}
}

// An invitation is for one friend, with the colours that the inviter chose, and is used up by the first who takes it.
func TestInvitations(t *testing.T) {
	for _, color := range []string{"white", "black", "random"} {
		t.Run(color, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				a, b, c := w.come("A"), w.come("B"), w.come("C")
				id := a.invite("1", 300000, color)
				if got := w.lobby.Stats(); got != (Stats{Invites: 1}) {
					t.Errorf("one invites: %+v", got)
				}
				view, err := w.lobby.Invite(context.Background(), id)
				seen, is := view.(InviteView)
				if want := map[string]string{"white": "black", "black": "white", "random": "random"}[color]; !is || err != nil || seen.Color != want || !seen.WBCA || seen.By.Name != "P A" {
					t.Errorf("view %+v, %v", view, err)
				}
				a.accept("2", id)
				a.expect("err:own_invite")
				b.accept("1", "nothing")
				b.expect("err:unknown_invite")
				b.accept("2", id)
				if a.game() == "" || a.game() != b.game() {
					t.Fatalf("games %q and %q", a.game(), b.game())
				}
				if got := w.color(a); color != "random" && got != color[:1] {
					t.Errorf("the inviter has %s, wanted %s", got, color)
				}
				a.expect("paired:" + w.color(a))
				b.expect("paired:" + w.color(b))
				c.accept("1", id)
				c.expect("err:unknown_invite")
				if _, err := w.lobby.Invite(context.Background(), id); !errors.Is(err, ErrUnknownInvite) {
					t.Errorf("view of a used invitation: %v", err)
				}
				b.accept("3", id)
				b.expect("err:seated")
			})
		})
	}
}

func (g *guest) invite(id string, base int64, color string) string {
	g.w.t.Helper()
	g.say(wire.ClientMessage{T: "invite", ID: id, Base: base, Mode: "board", Color: color})
	frames := g.expect("invited:" + color)
	if len(frames) == 0 {
		return ""
	}
	if got, want := frames[0]["url"], "https://hall.example/i/"+frames[0]["invite"].(string); got != want || frames[0]["id"] != id {
		g.w.t.Errorf("invited %v", frames[0])
	}
	return frames[0]["invite"].(string)
}

func (g *guest) accept(id, invite string) {
	g.say(wire.ClientMessage{T: "accept", ID: id, Invite: invite})
}

// WBCA rates three to seven minutes; what lies outside is marked and may be played.
func TestInviteTimes(t *testing.T) {
	for base, rated := range map[int64]bool{1000: false, 179999: false, 180000: true, 300000: true, 420000: true, 420001: false, 10800000: false} {
		inWorld(t, func(t *testing.T, w *world) {
			a, b := w.come("A"), w.come("B")
			a.say(wire.ClientMessage{T: "invite", ID: "1", Base: base, Mode: "fast", Color: "white"})
			f := a.expect("invited:white")[0]
			if f["wbca"] != rated {
				t.Errorf("%d ms: rated %v", base, f["wbca"])
			}
			b.accept("1", f["invite"].(string))
			s := w.setup(b.game())
			if s.Rated != rated || s.Base != base || s.Mode != "fast" || s.Premove == rated {
				t.Errorf("%d ms: %+v", base, s)
			}
		})
	}
}

// One invitation for each person: the second replaces the first; it goes with its owner, and when he sits down.
func TestInvitationsEnd(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		a, b, c := w.come("A"), w.come("B"), w.come("C")
		first := a.invite("1", 300000, "white")
		second := a.invite("2", 300000, "black")
		b.accept("1", first)
		b.expect("err:unknown_invite")
		a.close()
		pass(9 * time.Second)
		a = w.come("A")
		pass(time.Minute)
		if _, err := w.lobby.Invite(context.Background(), second); err != nil {
			t.Errorf("after a short absence: %v", err)
		}
		a.close()
		pass(11 * time.Second)
		b.accept("2", second)
		b.expect("err:unknown_invite")
		a = w.come("A")
		third := a.invite("3", 300000, "white")
		a.say(wire.ClientMessage{T: "cancel", ID: "4"})
		a.expect("idle:cancelled")
		b.accept("3", third)
		b.expect("err:unknown_invite")
		fourth := a.invite("5", 300000, "white")
		a.seek("6", 3)
		c.seek("1", 3)
		if a.game() == "" {
			t.Fatal("not paired")
		}
		b.accept("4", fourth)
		b.expect("err:unknown_invite")
	})
}

// Both players of a finished game have to ask; colours are swapped.
func TestRematch(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		a, b, c := w.come("A"), w.come("B"), w.come("C")
		a.seek("1", 5)
		b.seek("1", 5)
		id := a.game()
		a.rematch("2", id)
		a.expect("seeking paired:" + w.color(a) + " err:seated") // it runs
		b.news()
		was := w.color(a)
		a.sit(id)
		a.sitting.Handle(wire.ClientMessage{T: "resign", ID: "3"})
		pass(time.Second)
		c.rematch("1", id)
		c.expect("err:no_rematch")
		c.rematch("2", "nowhere")
		c.expect("err:unknown_game")
		a.rematch("4", id)
		a.expect("rematch:" + was)
		b.expect("rematch:" + was)
		a.rematch("5", id) // again: nothing new
		a.expect("done")
		b.expect("")
		b.rematch("2", id)
		if a.game() == "" || a.game() != b.game() || a.game() == id {
			t.Fatalf("games %q and %q after %q", a.game(), b.game(), id)
		}
		if w.color(a) == was {
			t.Errorf("the colours are not swapped")
		}
		a.expect("paired:" + w.color(a))
		b.expect("paired:" + w.color(b))
		if s := w.setup(a.game()); s.Base != 300000 || s.Mode != "board" {
			t.Errorf("set-up %+v", s)
		}
	})
}

func (g *guest) rematch(id, game string) {
	g.say(wire.ClientMessage{T: "rematch", ID: id, Game: game})
}

// An offer of a rematch is gone when its owner leaves or sits down; the other's asking is then an offer of his own.
func TestRematchWithdrawn(t *testing.T) {
	for name, leave := range map[string]func(w *world, a *guest){
		"left":      func(w *world, a *guest) { a.close(); pass(11 * time.Second) },
		"cancelled": func(w *world, a *guest) { a.say(wire.ClientMessage{T: "cancel", ID: "9"}) },
		"sat down": func(w *world, a *guest) {
			a.seek("8", 3)
			w.come("C").seek("1", 3)
		},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				a, b := w.come("A"), w.come("B")
				id := w.play(a, b)
				a.rematch("5", id)
				b.news()
				leave(w, a)
				b.rematch("6", id)
				frames := b.news()
				if len(frames) != 1 || frames[0]["t"] != "rematch" || frames[0]["id"] != "6" || b.game() != "" {
					t.Errorf("%v, game %q", frames, b.game())
				}
			})
		})
	}
}

// Rulings D33: when the first move does not come, the one who is there waits for the next opponent at once.
func TestNoFirstMove(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		a, b := w.come("A"), w.come("B")
		a.seek("1", 5)
		b.seek("1", 5)
		id := a.game()
		here, away := a, b // White has to move
		if w.color(a) == "w" {
			here, away = b, a
		}
		a.sit(id)
		b.sit(id)
		a.news()
		b.news()
		pass(21 * time.Second)
		here.expect("seeking")
		away.expect("")
		if here.game() != "" || away.game() != "" {
			t.Errorf("still seated: %q, %q", here.game(), away.game())
		}
		c := w.come("C")
		c.seek("1", 5)
		if c.game() == "" || c.game() != here.game() {
			t.Errorf("the next opponent sits at %q, he at %q", c.game(), here.game())
		}
	})
}

// Nobody is put back into the pool who is not here to leave it.
func TestNoFirstMoveAndNobodyHere(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		a, b := w.come("A"), w.come("B")
		a.seek("1", 5)
		b.seek("1", 5)
		id := a.game()
		here := a
		if w.color(a) == "w" {
			here = b
		}
		here.sit(id)
		here.session.Close() // his table sees him still, the lobby does not
		pass(40 * time.Second)
		c := w.come("C")
		c.seek("1", 5)
		c.expect("seeking")
		if c.game() != "" {
			t.Error("paired with somebody who is not here")
		}
	})
}

// Whatever a socket sends is answered.
func TestStrangeMessages(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		a := w.come("A")
		for i, m := range []wire.ClientMessage{
			{T: "sing"}, {}, {T: "accept"}, {T: "accept", Invite: strings.Repeat("x", 4000)}, {T: "rematch"}, {T: "rematch", Game: "a/b/c"}, {T: "rematch", Game: " "},
		} {
			m.ID = fmt.Sprintf("x%d", i)
			a.say(m)
			if frames := a.news(); len(frames) != 1 || frames[0]["t"] != "err" || frames[0]["id"] != m.ID {
				t.Errorf("%+v: %v", m, frames)
			}
		}
	})
}

// A lobby that closes says so.
func TestClosing(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		a := w.come("A")
		w.stop()
		a.seek("1", 5)
		a.expect("err:unavailable")
		a.close()
		w.start()
	})
}

// A command that was counted is answered with done when it comes again, though its sender sits at the table that came of it.
func TestResentAfterThePair(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		a, b, c, d := w.come("A"), w.come("B"), w.come("C"), w.come("D")
		a.say(wire.ClientMessage{T: "invite", ID: "i1", Base: 300000, Mode: "board", Color: "white"})
		accept := wire.ClientMessage{T: "accept", ID: "a1", Invite: a.expect("invited:white")[0]["invite"].(string)}
		c.seek("s1", 3)
		d.seek("s2", 3)
		b.say(accept)
		b.say(accept)
		b.expect("paired:b done")
		d.seek("s2", 3)
		d.expect("paired:" + w.color(d) + " done")
		b.seek("s3", 3)
		b.expect("err:seated")
	})
}
