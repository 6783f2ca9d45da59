package host_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"flagfall/game"
	"flagfall/server/account"
	"flagfall/server/arena/host"
	"flagfall/server/table"
	"flagfall/server/wire"
)

// keyOf is a key of an event, which its staff see.
func (w *world) keyOf(event, which string) string {
	w.t.Helper()
	return w.must(event, "A", "page", `{}`)["you"].(map[string]any)[which].(string)
}

// with asks with a key.
func (w *world) with(event, letter, key, what, body string) error {
	var by account.Person
	if letter != "" {
		by = person(letter)
	}
	_, err := w.host.Answer(ctx, event, by, key, what, json.RawMessage(body))
	return err
}

// Who makes events, and at which addresses.
func TestCreate(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		create := func(letter, body string) (string, error) {
			return w.host.Create(ctx, person(letter), json.RawMessage(body))
		}
		for _, c := range []struct{ letter, body, want string }{
			{"a", `{"settings":{"name":"X"}}`, "account_needed"},
			{"A", `{"settings":{"name":""}}`, "bad_settings"},
			{"A", `{"settings":{"name":"X","format":"swiss"}}`, "bad_settings"},
			{"A", `{"settings":{"name":"X","duration":"long"}}`, "bad_settings"},
			{"A", `{"event":"No","settings":{"name":"X"}}`, "bad_message"},
			{"A", `{"event":"new","settings":{"name":"X"}}`, "bad_message"},
			{"A", `{"club":"knights","settings":{"name":"X"}}`, "unknown_club"},
			{"A", `{"settings":{"name":"X","access":"password"}}`, "bad_password"},
			{"A", `[`, "bad_message"},
		} {
			if name, err := create(c.letter, c.body); code(err) != c.want {
				t.Errorf("%s: %q, %v, want %s", c.body, name, err, c.want)
			}
		}
		if w.shelf.Len() != 0 {
			t.Errorf("%d refused events are kept", w.shelf.Len())
		}
		if name, err := create("A", `{"event":"friday","settings":{"name":"X"}}`); name != "friday" || err != nil {
			t.Errorf("%q, %v", name, err)
		}
		if _, err := create("B", `{"event":"friday","settings":{"name":"Y"}}`); code(err) != "name_taken" {
			t.Errorf("the same address again: %v", err)
		}
		if _, err := create("A", `{"event":"friday","settings":{"name":"Y"}}`); code(err) != "name_taken" {
			t.Errorf("the same address by the same organiser: %v", err)
		}
		if name, err := create("A", `{"settings":{"name":"Café – Blitz!"}}`); !strings.HasPrefix(name, "cafe-blitz-") || err != nil {
			t.Errorf("%q, %v", name, err)
		}
		// the server died between the address and the event
		row := w.shelf.Get("friday")
		row.Event, row.Dump = "monday", nil
		w.shelf.Put(row)
		if name, err := create("A", `{"event":"monday","settings":{"name":"Y"}}`); name != "monday" || err != nil {
			t.Errorf("an event that never came to be: %q, %v", name, err)
		}
	})
}

// An event by link, one by password, and one that anybody finds.
func TestAccess(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		linked := w.create(`{"name":"Linked","access":"link"}`)
		w.must(linked, "A", "act", `{"do":"advance","to":"open"}`)
		link, screen := w.keyOf(linked, "link"), w.keyOf(linked, "screen")
		w.refused("unknown_event", linked, "B", "page", `{}`)
		w.refused("unknown_event", linked, "", "standings", `{}`)
		w.refused("unknown_event", linked, "B", "act", `{"do":"enter"}`)
		if err := w.with(linked, "B", screen, "act", `{"do":"enter"}`); code(err) != "forbidden" {
			t.Errorf("entered by the projector's key: %v", err)
		}
		if err := w.with(linked, "", screen, "boards", `{}`); err != nil {
			t.Errorf("the projector: %v", err)
		}
		if err := w.with(linked, "B", link, "act", `{"do":"enter"}`); err != nil {
			t.Error(err)
		}
		w.must(linked, "B", "page", `{}`)
		if err := w.host.Attend(&conn{person: person("C")}, wire.ClientMessage{T: "attend", ID: "a", Event: linked}); code(err) != "unknown_event" {
			t.Errorf("attended without the link: %v", err)
		}
		for key, want := range map[string]bool{link: true, screen: false, "": false} {
			if got := w.host.Known(linked, key); got != want {
				t.Errorf("a link is known by %q: %v", key, got)
			}
		}

		name, err := w.host.Create(ctx, person("A"), json.RawMessage(`{"password":"sesame","settings":{"name":"Closed","access":"password"}}`))
		if err != nil {
			t.Fatal(err)
		}
		w.must(name, "A", "act", `{"do":"advance","to":"open"}`)
		w.must(name, "B", "page", `{}`)
		for _, letter := range []string{"C", "D"} { // the second time the right one is remembered
			w.must(name, letter, "act", `{"do":"enter","password":"sesame"}`)
			w.refused("wrong_password", name, "B", "act", `{"do":"enter"}`)
			w.refused("wrong_password", name, "B", "act", `{"do":"enter","password":"Sesame"}`)
		}
		w.must(name, "A", "act", `{"do":"password","password":"mellon"}`)
		w.refused("wrong_password", name, "B", "act", `{"do":"enter","password":"sesame"}`)
		w.must(name, "B", "act", `{"do":"enter","password":"mellon"}`)
		if dump := string(w.shelf.Get(name).Dump); strings.Contains(fmt.Sprint(w.must(name, "A", "page", `{}`)), "argon2") || !strings.Contains(dump, "argon2") {
			t.Error("the password's hash is shown, or lost")
		}
	})
}

// Guests choose a name, or keep theirs.
func TestNames(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		event := w.create(blitz)
		w.must(event, "A", "act", `{"do":"advance","to":"open"}`)
		w.must(event, "b", "act", `{"do":"enter","name":"  Zoë d’Arc-Müller "}`)
		w.refused("bad_name", event, "c", "act", `{"do":"enter","name":"<b>x</b>"}`)
		w.refused("bad_name", event, "c", "act", `{"do":"enter","name":"`+strings.Repeat("x", 41)+`"}`)
		w.refused("name_taken", event, "c", "act", `{"do":"enter","name":"Judit"}`)
		w.refused("name_taken", event, "c", "act", `{"do":"enter","name":"zoë d’arc-müller"}`)
		w.must(event, "B", "act", `{"do":"enter","name":"Somebody else"}`)
		rows := w.must(event, "A", "entries", `{}`)["entries"].([]any)
		var names []string
		for _, r := range rows {
			names = append(names, r.(map[string]any)["name"].(string))
		}
		if got := strings.Join(names, ","); got != "Zoë d’Arc-Müller,P B" {
			t.Errorf("names %s", got)
		}
		w.refused("forbidden", event, "B", "entries", `{}`)
		w.refused("bad_roster", event, "A", "act", `{"do":"roster","csv":"name\n,x\n"}`)
		w.must(event, "A", "act", `{"do":"roster","csv":"name,real,rating\nNobody Yet,Someone,1700\n"}`)
		w.must(event, "A", "act", `{"do":"add","name":"By Hand"}`)
		lines := w.must(event, "d", "page", `{}`)["roster"].([]any)
		if len(lines) != 2 {
			t.Fatalf("the list has %v", lines)
		}
		w.must(event, "d", "act", `{"do":"enter","claim":"`+lines[0].(map[string]any)["id"].(string)+`"}`)
		w.must(event, "A", "act", `{"do":"staff","organisers":["P A","P C"],"arbiters":["P D"]}`)
		w.refused("unknown_person", event, "A", "act", `{"do":"staff","organisers":["P A"],"arbiters":["Nobody"]}`)
		w.must(event, "D", "desk", `{}`)
		w.must(event, "C", "act", `{"do":"edit","settings":{"name":"Renamed"}}`)
		if page := w.must(event, "", "page", `{}`); page["name"] != "Renamed" || page["duration"] != 300000.0 {
			t.Errorf("edited to %v", page)
		}
		w.refused("unauthorized", event, "", "act", `{"do":"enter"}`)
		w.refused("unknown_request", event, "A", "act", `{"do":"dance"}`)
		w.refused("unknown_event", "nothing-here", "A", "page", `{}`)
		w.refused("not_found", event, "A", "finished", `{}`)
	})
}

// Who deletes his account is in the event by no name of his, and stays in its table.
func TestDeleted(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		event := w.create(blitz)
		w.must(event, "A", "act", `{"do":"advance","to":"open"}`)
		w.must(event, "B", "act", `{"do":"enter"}`)
		w.must(event, "A", "act", `{"do":"staff","organisers":["P A","P B"]}`)
		w.must(event, "X", "say", `{"text":"hello"}`)
		w.deleted.Store([]string{person("B").ID, person("X").ID})
		pass(time.Minute)
		page := w.must(event, "", "page", `{}`)
		rows, staff := page["top"].([]any), page["staff"].([]any)
		if len(rows) != 1 || rows[0].(map[string]any)["name"] != "deleted" || staff[1].(map[string]any)["name"] != "deleted" {
			t.Errorf("the table %v, the staff %v", rows, staff)
		}
		said := w.must(event, "A", "chat", `{}`)["chat"].([]any)
		if len(said) != 1 || said[0].(map[string]any)["who"].(map[string]any)["name"] != "deleted" {
			t.Errorf("the chat: %v", said)
		}
		if dump := string(w.shelf.Get(event).Dump); strings.Contains(dump, "P B") || !strings.Contains(dump, "P A") {
			t.Errorf("kept: %s", dump)
		}
	})
}

// The chat is for who does not play; it is moderated, and bounded.
func TestChat(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		event := w.open(blitz, "BC")
		w.must(event, "X", "say", `{"text":"hello"}`)
		w.refused("too_many", event, "X", "say", `{"text":"again"}`)
		w.refused("bad_message", event, "Y", "say", `{"text":"two\nlines"}`)
		w.refused("bad_message", event, "Y", "say", `{"text":"`+strings.Repeat("x", 301)+`"}`)
		w.refused("unauthorized", event, "", "say", `{"text":"x"}`)
		pass(3 * time.Second)
		if w.lobby.Seated(person("B").ID) == "" {
			t.Fatal("not paired")
		}
		w.refused("playing", event, "B", "chat", `{}`)
		w.refused("playing", event, "C", "say", `{"text":"psst"}`)
		w.must(event, "X", "say", `{"text":"bye"}`)
		lines := func(after int) []any {
			return w.must(event, "Y", "chat", fmt.Sprintf(`{"after":%d}`, after))["chat"].([]any)
		}
		all := lines(0)
		if len(all) != 2 || all[1].(map[string]any)["text"] != "bye" || all[1].(map[string]any)["who"].(map[string]any)["name"] != "P X" {
			t.Fatalf("said: %v", all)
		}
		first := int(all[0].(map[string]any)["n"].(float64))
		if rest := lines(first); len(rest) != 1 {
			t.Errorf("after the first: %v", rest)
		}
		w.refused("forbidden", event, "Y", "act", fmt.Sprintf(`{"do":"unsay","n":%d}`, first))
		w.must(event, "A", "act", fmt.Sprintf(`{"do":"unsay","n":%d}`, first))
		if rest := lines(0); len(rest) != 1 {
			t.Errorf("after one was taken back: %v", rest)
		}
		w.must(event, "A", "act", `{"do":"hush","who":"`+person("X").ID+`","on":true}`)
		hushed := w.must(event, "A", "desk", `{}`)["hushed"].([]any)
		if len(hushed) != 1 || hushed[0].(map[string]any)["name"] != "P X" {
			t.Errorf("on the desk: %v", hushed)
		}
		pass(3 * time.Second)
		w.refused("hushed", event, "X", "say", `{"text":"but"}`)
		if w.must(event, "X", "chat", `{}`)["muted"] != true {
			t.Error("who is hushed is not told")
		}
		before := w.must(event, "Y", "page", `{}`)["chat"].(float64)
		w.restart()
		w.must(event, "Y", "say", `{"text":"anew"}`)
		if after := w.must(event, "Y", "page", `{}`)["chat"].(float64); after <= before {
			t.Errorf("the numbers go back from %v to %v", before, after)
		}
	})
}

// What an arbiter sees of a running game, and what he may not do with it.
func TestRuling(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		event := w.open(blitz, "BC")
		w.must(event, "A", "act", `{"do":"staff","organisers":["P A"],"arbiters":["P D","P B"]}`)
		pass(3 * time.Second)
		id := w.lobby.Seated(person("B").ID)
		pair := w.games("BC")[id]
		for _, g := range pair {
			g.sit(id)
		}
		pass(time.Second)
		ply := 0
		pair[0].do("move", "m0", wire.ClientMessage{Move: "e2e5", Ply: &ply, Press: true}) // illegal, and nobody's business yet
		pass(time.Second)
		log := w.must(event, "D", "game", `{"game":"`+id+`"}`)
		if text := fmt.Sprint(log["log"]); log["running"] != true || !strings.Contains(text, "White moved e2e5") || strings.Contains(text, "legal") {
			t.Errorf("the log of a running game: %v", log)
		}
		w.refused("own_game", event, "B", "game", `{"game":"`+id+`"}`)
		w.refused("forbidden", event, "X", "game", `{"game":"`+id+`"}`)
		w.refused("unknown_game", event, "D", "game", `{"game":"other"}`)
		w.refused("own_game", event, "B", "act", `{"do":"rule","game":"`+id+`","act":"warn","side":"w","why":"x"}`)
		w.refused("needs_reason", event, "D", "act", `{"do":"rule","game":"`+id+`","act":"warn","side":"w"}`)
		w.refused("bad_message", event, "D", "act", `{"do":"rule","game":"`+id+`","act":"duty","why":"x"}`)
	})
}

// On duty is who is switched on and at the desk; then a dispute stops the clocks and is on the desk, until he has ruled.
func TestDispute(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		event := w.open(blitz, "BC")
		w.must(event, "A", "act", `{"do":"staff","organisers":["P A"],"arbiters":["P D","P B"]}`)
		pass(3 * time.Second)
		id := w.lobby.Seated(person("B").ID)
		pair := w.games("BC")[id]
		for _, g := range pair {
			g.sit(id)
		}
		pass(time.Second)
		w.come(event, "D", true)
		if err := w.host.Attend(w.guests["D"].conn, wire.ClientMessage{T: "attend", ID: "d", Event: event, Visible: true, Desk: true}); err != nil {
			t.Fatal(err)
		}
		w.must(event, "D", "act", `{"do":"duty","on":true}`)
		pass(3 * time.Second)
		pair[1].do("dispute", "q", wire.ClientMessage{})
		pass(3 * time.Second)
		desk := w.must(event, "D", "desk", `{}`)
		queue := desk["queue"].([]any)
		if len(queue) != 1 {
			t.Fatalf("the queue: %v", queue)
		}
		waits := queue[0].(map[string]any)
		again := table.Matter{Event: event, Game: id, N: 1, Kind: "dispute", By: game.Black, Stops: true, Open: true} // the answer was lost
		step := table.Matter{Event: event, Game: id, Kind: "ladder", By: game.Black, Step: 3, Open: true, Ago: 2000}
		for _, m := range []table.Matter{again, step, again} {
			if err := w.host.TakeMatter(ctx, m); err != nil {
				t.Fatal(err)
			}
		}
		queue = w.must(event, "D", "desk", `{}`)["queue"].([]any)
		if len(queue) != 2 || queue[1].(map[string]any)["text"] != "Step 3" ||
			queue[1].(map[string]any)["at"].(float64) != float64(time.Now().UnixMilli()-2000) {
			t.Fatalf("the queue: %v", queue)
		}
		left := waits["until"].(float64) - float64(time.Now().UnixMilli())
		if waits["kind"] != "dispute" || waits["by"] != "b" || waits["stops"] != true || left < 170000 || left > 180000 {
			t.Errorf("what waits: %v, for %v ms", waits, left)
		}
		if games := desk["games"].([]any); len(games) != 1 || games[0].(map[string]any)["phase"] != "dispute" {
			t.Errorf("games on the desk: %v", games)
		}
		w.restart()
		w.must(event, "D", "act", `{"do":"rule","game":"`+id+`","act":"loss","side":"w","why":"a second illegal move"}`)
		pass(5 * time.Second)
		if s, err := w.setup(id); err == nil {
			t.Fatalf("the game goes on: %+v", s)
		}
		w.sameGames(event, map[string]string{id: pair[1].conn.person.ID})
		if queue := w.must(event, "D", "desk", `{}`)["queue"].([]any); len(queue) != 1 { // the step stays as a note
			t.Errorf("the queue after the ruling: %v", queue)
		}
		w.refused("not_now", event, "D", "act", `{"do":"rule","game":"`+id+`","act":"warn","side":"w","why":"late"}`)
	})
}

// At the bell the games that run are stopped, where the event is held so, and nobody stays at a table.
func TestStoppedAtTheBell(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		event := w.open(`{"name":"Short","format":"arena","duration":60000,"last_pair":1000,"bell":"stop","guests":true}`, "BC")
		pass(3 * time.Second)
		id := w.lobby.Seated(person("B").ID)
		pair := w.games("BC")[id]
		for _, g := range pair {
			g.sit(id)
		}
		ply, one := 0, 1
		pass(time.Second)
		pair[0].do("move", "m0", wire.ClientMessage{Move: "e2e4", Ply: &ply, Press: true})
		pass(time.Second)
		pair[1].do("move", "m1", wire.ClientMessage{Move: "e7e5", Ply: &one, Press: true})
		pass(70 * time.Second)
		if at := w.lobby.Seated(person("B").ID); at != "" {
			t.Errorf("still at %s after the bell", at)
		}
		if page := w.must(event, "", "page", `{}`); page["phase"] != "provisional" || page["games"] != 0.0 {
			t.Errorf("after the bell: %v, %v games", page["phase"], page["games"])
		}
	})
}

// Results are had in all forms, after the event is closed, too; a correction then reaches archive and table.
func TestResults(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		event := w.open(strings.Replace(blitz, "Club night", `Club \"night\"`, 1), "BC")
		played := w.playAll("BC", 155)
		running := w.exports(event)
		if n := strings.Count(running["games.pgn"], "[Result \"0-1\"]"); n != len(played) || n == 0 {
			t.Errorf("%d games in the PGN, %d were played", n, len(played))
		}
		if n := strings.Count(running["games.pgn"], `[Event "Club \"night\""]`); n != len(played) {
			t.Errorf("%d games of the PGN name their event", n)
		}
		w.archive.fail(errors.New("the database is away"))
		w.refused("unavailable", event, "A", "export", `{"file":"games.pgn"}`) // and not a file with games missing
		w.archive.fail(nil)
		w.refused("forbidden", event, "B", "export", `{"file":"roster.csv"}`)
		w.refused("wrong_phase", event, "B", "export", `{"file":"report.trf"}`)
		w.refused("not_found", event, "B", "export", `{"file":"passwd"}`)
		w.must(event, "A", "act", `{"do":"advance","to":"signed"}`)
		w.must(event, "A", "act", `{"do":"advance","to":"published"}`)
		if list, err := w.host.List(ctx, host.ListQuery{Phase: "past"}); err != nil || len(list) != 1 || list[0].Players != 2 {
			t.Errorf("listed %+v, %v", list, err)
		}
		for _, g := range w.guests {
			w.host.Depart(g.conn)
		}
		pass(8 * 24 * time.Hour)
		if ids := w.hall.IDs("arena"); len(ids) > 0 {
			t.Fatalf("%v still run", ids)
		}
		closed := w.exports(event)
		for _, name := range []string{"standings.csv", "crosstable.csv", "games.pgn", "roster.csv"} {
			if closed[name] != running[name] {
				t.Errorf("%s is another one after the event is closed:\n%s\n%s", name, closed[name], running[name])
			}
		}
		w.correctClosed(event, slices.Max(slices.Collect(maps.Keys(played))))
	})
}

// playAll plays what is paired, for so many times two seconds; it gives the winners.
func (w *world) playAll(letters string, times int) map[string]string {
	w.t.Helper()
	played := map[string]string{}
	for range times {
		pass(2 * time.Second)
		for id, pair := range w.games(letters) {
			w.finish(id, pair)
			played[id] = pair[1].conn.person.ID
		}
	}
	return played
}

func (w *world) exports(event string) map[string]string {
	w.t.Helper()
	texts := map[string]string{}
	for _, name := range []string{"standings.csv", "crosstable.csv", "event.json", "games.pgn", "roster.csv"} {
		texts[name] = w.must(event, "A", "export", `{"file":"`+name+`"}`)["text"].(string)
	}
	return texts
}

// correctClosed corrects a result of an event that is closed.
func (w *world) correctClosed(event, id string) {
	w.t.Helper()
	w.refused("forbidden", event, "B", "act", `{"do":"correct","game":"`+id+`","score":"1-0","why":"x"}`)
	w.refused("wrong_phase", event, "A", "act", `{"do":"announce","text":"x"}`)
	preview := w.must(event, "A", "preview", `{"game":"`+id+`","score":"1-0"}`)["rows"]
	w.must(event, "A", "act", `{"do":"correct","game":"`+id+`","score":"1-0","why":"the scoresheet says so"}`)
	if after := w.must(event, "", "standings", `{}`)["rows"]; fmt.Sprint(after) != fmt.Sprint(preview) {
		w.t.Errorf("corrected to\n%v, shown before as\n%v", after, preview)
	}
	last := w.archive.corrected[len(w.archive.corrected)-1]
	if last.Game != id || last.Outcome.Score != "1-0" || last.By != "P A" || last.Why != "the scoresheet says so" {
		w.t.Errorf("filed %+v", last)
	}
	w.come(event, "X", true) // and looks on for a minute: all is known
	pass(time.Second)
	before := w.shelf.Reads()
	pass(time.Minute)
	if n := w.shelf.Reads() - before; n > 0 {
		w.t.Errorf("the event was read %d times more", n)
	}
}
