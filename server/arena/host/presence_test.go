package host_test

import (
	"testing"
	"time"

	"flagfall/server/wire"
)

// here is how many the event takes to be present.
func (w *world) here(event string) float64 {
	w.t.Helper()
	return w.must(event, "A", "page", `{}`)["here"].(float64)
}

// Only who has a visible page is present, wherever it is, and as long as it is.
func TestPresence(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		event := w.create(blitz)
		w.must(event, "A", "act", `{"do":"advance","to":"open"}`)
		for _, letter := range []string{"B", "C"} {
			w.must(event, letter, "act", `{"do":"enter"}`)
		}
		want := func(n float64, when string) {
			t.Helper()
			pass(2 * time.Second)
			if got := w.here(event); got != n {
				t.Errorf("%s: %v are present, want %v", when, got, n)
			}
		}
		want(0, "before anybody has come")
		b := w.come(event, "B", true)
		c := w.come(event, "C", false)
		want(1, "one is hidden")
		c.attend(event, true)
		want(2, "both are shown")
		b.attend(event, false)
		want(1, "one is hidden again")
		second := w.come(event, "B", true)
		want(2, "with a second page")
		if n := w.host.Stats().Attending; n != 3 {
			t.Errorf("%d sockets attend, want 3", n)
		}
		w.host.Depart(second.conn)
		want(1, "without it")
		w.host.Depart(c.conn)
		want(0, "all are gone")
		c.attend(event, true)
		want(1, "one is back")
		w.host.Depart(second.conn)
		delete(w.guests, "B")
		w.restart()
		want(1, "after a restart")
	})
}

// Nobody is paired whose page is hidden, and who sits at another table is paired once he has stood up.
func TestNotPaired(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		event := w.open(blitz, "B")
		for _, letter := range []string{"C", "D"} {
			w.must(event, letter, "act", `{"do":"enter"}`)
			w.come(event, letter, false)
		}
		pass(10 * time.Second)
		if games := w.games("BCD"); len(games) > 0 {
			t.Fatalf("paired although all others are hidden: %v", games)
		}
		d := w.guests["D"]
		other := w.come(event, "X", false)
		d.session.Handle(wire.ClientMessage{T: "seek", ID: "s1", Base: 180000, Mode: "board"})
		other.session.Handle(wire.ClientMessage{T: "seek", ID: "s2", Base: 180000, Mode: "board"})
		pass(5 * time.Second)
		game := w.lobby.Seated(d.conn.person.ID)
		if game == "" {
			t.Fatal("not paired in the pool")
		}
		d.sit(game)
		other.sit(game)
		d.attend(event, true)
		pass(20 * time.Second)
		if at := w.lobby.Seated(w.guests["B"].conn.person.ID); at != "" {
			t.Fatalf("paired with somebody who plays elsewhere: %s", at)
		}
		d.do("resign", "r", wire.ClientMessage{})
		pass(10 * time.Second)
		if at := w.lobby.Seated(d.conn.person.ID); at == "" || at != w.lobby.Seated(w.guests["B"].conn.person.ID) {
			t.Errorf("not paired after the other game: %q", at)
		}
	})
}

// A player who does not come to his game is set aside, and the other one is paired again; nobody gets a point (D33).
func TestNoShow(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		event := w.open(blitz, "BC")
		pass(3 * time.Second)
		id := w.lobby.Seated(w.guests["B"].conn.person.ID)
		if id == "" {
			t.Fatal("not paired")
		}
		w.guests["B"].sit(id)
		pass(12 * time.Second)
		ply := 0
		w.guests["B"].do("move", "m", wire.ClientMessage{Move: "e2e4", Ply: &ply, Press: true}) // if he has White
		pass(time.Minute)
		for letter, want := range map[string]string{"B": "in", "C": "paused"} {
			you := w.must(event, letter, "page", `{}`)["you"].(map[string]any)["entry"].(map[string]any)
			if you["status"] != want || you["points"] != 0.0 {
				t.Errorf("%s is %v with %v points, want %s", letter, you["status"], you["points"], want)
			}
		}
		w.must(event, "C", "act", `{"do":"return"}`)
		pass(20 * time.Second)
		if again := w.lobby.Seated(w.guests["B"].conn.person.ID); again == "" || again == id {
			t.Errorf("not paired again after the other one has returned: %q", again)
		}
	})
}

// Sockets are told what changes: all of the event, each of himself, a desk that there is something.
func TestTold(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		event := w.open(blitz, "BC")
		watcher := w.come(event, "X", false)
		first := watcher.news("event")
		if len(first) != 1 || first[0]["id"] != "a" || first[0]["name"] != "Club night" || first[0]["entries"] != 2.0 {
			t.Fatalf("the answer to attend: %v", first)
		}
		desk := w.come(event, "A", true)
		if err := w.host.Attend(desk.conn, wire.ClientMessage{T: "attend", ID: "d", Event: event, Visible: true, Desk: true}); err != nil {
			t.Fatal(err)
		}
		if err := w.host.Attend(watcher.conn, wire.ClientMessage{T: "attend", ID: "d", Event: event, Desk: true}); code(err) != "forbidden" {
			t.Errorf("a desk for anybody: %v", err)
		}
		pass(3 * time.Second)
		b := w.guests["B"]
		mine := b.news("entry")
		last := mine[len(mine)-1]
		if last["game"] == nil || last["opponent"] != "P C" || last["event"] != event {
			t.Errorf("who is paired was told %v", last)
		}
		told := watcher.news("event")
		if n := len(told); n == 0 || told[n-1]["playing"] != 2.0 || len(told[n-1]["boards"].([]any)) != 1 {
			t.Errorf("all were told %v", told)
		}
		if len(desk.news("desk")) == 0 || len(watcher.news("desk")) > 0 {
			t.Error("the desk was not told, or somebody else was")
		}
		pass(10 * time.Second)
		watcher.news("event")
		pass(10 * time.Second)
		if again := watcher.news("event"); len(again) > 0 {
			t.Errorf("told although nothing has changed: %v", again)
		}
		w.host.Depart(watcher.conn)
		w.must(event, "A", "act", `{"do":"announce","text":"Tea is ready"}`)
		pass(3 * time.Second)
		if heard := b.news("event"); len(heard) == 0 || heard[len(heard)-1]["notices"].([]any)[0].(map[string]any)["text"] != "Tea is ready" {
			t.Errorf("the announcement: %v", heard)
		}
		if rest := watcher.news("event"); len(rest) > 0 {
			t.Errorf("told after depart: %v", rest)
		}
	})
}

// Many connections that are lost together are told to the desk; pages that are hidden or closed one by one are not.
func TestDropped(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		event := w.open(blitz, "BCDEFG")
		pass(2 * time.Second)
		dropped := func() any { return w.must(event, "A", "desk", `{}`)["dropped"] }
		for _, letter := range "BCDEFG" {
			w.guests[string(letter)].attend(event, false)
		}
		pass(2 * time.Second)
		for _, letter := range "BCDEFG" {
			w.guests[string(letter)].attend(event, true)
		}
		pass(5 * time.Second)
		if got := dropped(); got != nil {
			t.Fatalf("hidden pages are %v", got)
		}
		for _, letter := range "BCDE" {
			w.host.Depart(w.guests[string(letter)].conn)
			pass(10 * time.Second)
		}
		if got := dropped(); got != nil {
			t.Fatalf("one after the other is %v", got)
		}
		for _, letter := range "BCDE" {
			w.guests[string(letter)].attend(event, true)
		}
		pass(5 * time.Second)
		for _, letter := range "BCDE" {
			w.host.Depart(w.guests[string(letter)].conn)
		}
		pass(2 * time.Second)
		if got, _ := dropped().(map[string]any); got["count"] != 4.0 {
			t.Errorf("four at once are %v", got)
		}
	})
}
