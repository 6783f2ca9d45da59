package lobby

import (
	"context"
	"strings"
	"testing"
	"time"

	"flagfall/game"
	"flagfall/server/wire"
)

// Seeks meet only where everything is the same: rules, time, timing and mode. WBCA is what is meant where no rules are named.
func TestTermsOfSeeks(t *testing.T) {
	plain := wire.ClientMessage{Base: 300000, Mode: "board"}
	with := func(change func(m *wire.ClientMessage)) wire.ClientMessage {
		m := plain
		change(&m)
		return m
	}
	increment := func(ms int64) func(m *wire.ClientMessage) {
		return func(m *wire.ClientMessage) { m.Timing, m.Each = "increment", ms }
	}
	tests := []struct {
		name        string
		first, next wire.ClientMessage
		pairs, wbca bool
	}{
		{"the same", plain, plain, true, true},
		{"WBCA named by one", plain, with(func(m *wire.ClientMessage) { m.Rules = "wbca" }), true, true},
		{"WBCA named by the other", with(func(m *wire.ClientMessage) { m.Rules = "wbca" }), plain, true, true},
		{"other rules", plain, with(func(m *wire.ClientMessage) { m.Rules = "uscf" }), false, false},
		{"the same other rules", with(func(m *wire.ClientMessage) { m.Rules = "fide" }), with(func(m *wire.ClientMessage) { m.Rules = "fide" }), true, false},
		{"US Chess and CCA", with(func(m *wire.ClientMessage) { m.Rules = "uscf" }), with(func(m *wire.ClientMessage) { m.Rules = "cca" }), false, false},
		{"another time", plain, with(func(m *wire.ClientMessage) { m.Base = 180000 }), false, false},
		{"eight minutes", with(func(m *wire.ClientMessage) { m.Base = 480000 }), with(func(m *wire.ClientMessage) { m.Base = 480000 }), true, false},
		{"another mode", plain, with(func(m *wire.ClientMessage) { m.Mode = "fast" }), false, false},
		{"an increment and none", plain, with(increment(2000)), false, false},
		{"the same increment", with(increment(2000)), with(increment(2000)), true, false},
		{"another increment", with(increment(2000)), with(increment(3000)), false, false},
		{"an increment and a delay", with(increment(2000)), with(func(m *wire.ClientMessage) { m.Timing, m.Each = "delay", 2000 }), false, false},
		{"US delay and Bronstein", with(func(m *wire.ClientMessage) { m.Timing, m.Each = "bronstein", 2000 }), with(func(m *wire.ClientMessage) { m.Timing, m.Each = "delay", 2000 }), false, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				a, b := w.come("A"), w.come("B")
				test.first.T, test.first.ID = "seek", "1"
				test.next.T, test.next.ID = "seek", "1"
				a.say(test.first)
				seeking := a.expect("seeking")
				want := test.first.Rules
				if want == "" {
					want = "wbca"
				}
				if seeking[0]["rules"] != want || seeking[0]["timing"] != given(test.first.Timing) {
					t.Errorf("the seek shows %v", seeking[0])
				}
				b.say(test.next)
				if paired := a.game() != "" && a.game() == b.game(); paired != test.pairs {
					t.Fatalf("paired: %v, want %v", paired, test.pairs)
				}
				if !test.pairs {
					b.expect("seeking")
					return
				}
				s := w.setup(a.game())
				if s.Rules != want || s.Timing != test.first.Timing || s.Each != test.first.Each || s.Base != test.first.Base ||
					s.Mode != test.first.Mode || s.Rated != test.wbca || s.Premove == test.wbca {
					t.Errorf("the table has %+v", s)
				}
			})
		})
	}
}

// given is a field as JSON shows it: nothing where it is empty.
func given(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// An invitation says what is to be played, to both, and a rematch keeps it.
func TestTermsOfInvitationsAndRematches(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		a, b := w.come("A"), w.come("B")
		a.say(wire.ClientMessage{T: "invite", ID: "1", Base: 300000, Mode: "fast", Color: "white", Rules: "cca", Timing: "delay", Each: 5000})
		told := a.expect("invited:white")[0]
		if told["rules"] != "cca" || told["timing"] != "delay" || told["each"] != 5000.0 || told["wbca"] != false {
			t.Errorf("the inviter is told %v", told)
		}
		view, err := w.lobby.Invite(context.Background(), told["invite"].(string))
		if err != nil {
			t.Fatal(err)
		}
		want := wire.Terms{Rules: "cca", Timing: "delay", Each: 5000}
		if seen := view.(InviteView); seen.Terms != want || seen.WBCA || seen.Color != "black" || seen.Base != 300000 || seen.Mode != "fast" {
			t.Errorf("the friend sees %+v", seen)
		}
		b.say(wire.ClientMessage{T: "accept", ID: "1", Invite: told["invite"].(string)})
		id := a.game()
		if s := w.setup(id); s.Terms != want || s.Rated || s.White.ID != a.conn.person.ID {
			t.Errorf("the table has %+v", s)
		}
		a.sit(id)
		b.sit(id)
		a.sitting.Handle(wire.ClientMessage{T: "resign", ID: "r1"})
		pass(time.Second)
		a.rematch("2", id)
		b.rematch("2", id)
		if s := w.setup(a.game()); a.game() == id || s.Terms != want || s.Base != 300000 || s.Mode != "fast" || s.White.ID != b.conn.person.ID {
			t.Errorf("the rematch has %+v", s)
		}
	})
}

// Who waits again after a first move that never came waits for the same.
func TestTermsOfWhoWaitsAgain(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		a, b := w.come("A"), w.come("B")
		message := wire.ClientMessage{T: "seek", ID: "1", Base: 180000, Mode: "board", Rules: "fide", Timing: "increment", Each: 2000}
		a.say(message)
		b.say(message)
		id := a.game()
		a.sit(id)
		b.sit(id)
		here := a
		if w.color(a) == "w" {
			here = b
		}
		a.news()
		b.news()
		pass(21 * time.Second)
		again := here.expect("seeking")[0]
		if again["rules"] != "fide" || again["timing"] != "increment" || again["each"] != 2000.0 || again["base"] != 180000.0 {
			t.Errorf("waits again for %v", again)
		}
	})
}

// Terms that no table would take end nowhere: nobody is left waiting for seats that never come.
func TestBadTerms(t *testing.T) {
	for name, m := range map[string]wire.ClientMessage{
		"rules":  {Base: 300000, Mode: "board", Rules: "chess960"},
		"timing": {Base: 300000, Mode: "board", Timing: "hourglass", Each: 5},
		"each":   {Base: 300000, Mode: "board", Timing: "delay"},
		"none":   {Base: 300000, Mode: "board", Each: 5000},
		"base":   {Base: game.MaxBase + 1, Mode: "board"},
		"mode":   {Base: 300000, Mode: "blindfold"},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				a := w.come("A")
				for i, kind := range []string{"seek", "invite"} {
					m.T, m.ID, m.Color = kind, strings.Repeat("x", i+1), "white"
					a.say(m)
					a.expect("err:bad_message")
				}
			})
		})
	}
}
