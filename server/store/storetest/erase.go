package storetest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"flagfall/server/account"
	"flagfall/server/store"
)

// oldGuest: a token of when a member was a guest does not take his name away.
func oldGuest(t *testing.T, s *store.Store) {
	guest := store.Person{ID: "P1", Name: "Guest 4F7K", Guest: true, Created: day, LastSeen: day}
	must(t, s.SavePerson(t.Context(), guest))
	m := account.Member{Person: "P1", Name: "Judit", Password: "$", Role: account.Player, Created: day.Add(time.Hour)}
	must(t, s.AddMember(t.Context(), m, account.Login{}, account.Revocation{}, 0))
	guest.LastSeen = day.Add(2 * time.Hour)
	must(t, s.SavePerson(t.Context(), guest))
	got, err := s.Person(t.Context(), "P1")
	must(t, err)
	if want := (store.Person{ID: "P1", Name: "Judit", Created: day, LastSeen: guest.LastSeen}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// record is that of a game, as tables write it, with what has nothing to do with names.
func record(white, black string) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{"v":1,"events":[{"k":"created","setup":{"white":{"id":%q,"name":"Judit"},"black":{"id":%q,"name":"Sofia"},`+
		`"base":[9007199254740993,1]}},{"k":"ruled","ruling":{"who":"Judit","why":"she said so"}}]}`, white, black))
}

func erased(t *testing.T, s *store.Store) {
	games := map[string][2]string{"g1": {"P1", "P2"}, "g2": {"P2", "P1"}, "g3": {"P2", "P3"}}
	for id, players := range games {
		g := newGame(id, players[0], players[1], day)
		g.WhiteName, g.BlackName, g.Record = "Judit", "Sofia", record(players[0], players[1])
		_, err := s.SaveGame(t.Context(), g)
		must(t, err)
	}
	n, next, err := s.EraseGames(t.Context(), "P1", "", 10)
	if err != nil || n != 2 || next != "" {
		t.Errorf("erased %d, then %q, %v", n, next, err)
	}
	for id, players := range games {
		got, err := s.Game(t.Context(), id)
		must(t, err)
		white, black := "Judit", "Sofia"
		if players[0] == "P1" {
			white = account.Deleted
		}
		if players[1] == "P1" {
			black = account.Deleted
		}
		want := strings.Replace(strings.Replace(string(record(players[0], players[1])), `"name":"Judit"`, `"name":"`+white+`"`, 1),
			`"name":"Sofia"`, `"name":"`+black+`"`, 1)
		if got.WhiteName != white || got.BlackName != black || !sameJSON(t, got.Record, want) {
			t.Errorf("%s: %s against %s, record %s", id, got.WhiteName, got.BlackName, got.Record)
		}
	}
	if n, _, err := s.EraseGames(t.Context(), "P1", "", 10); err != nil || n != 0 {
		t.Errorf("again: %d, %v", n, err)
	}
	if _, _, err := s.EraseGames(t.Context(), "P1", "nowhere", 10); err == nil {
		t.Error("a place that is none was taken")
	}
}

func sameJSON(t *testing.T, a json.RawMessage, b string) bool {
	t.Helper()
	read := func(text string) (v any) {
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		must(t, d.Decode(&v))
		return v
	}
	return reflect.DeepEqual(read(string(a)), read(b))
}

func erasedByAndBy(t *testing.T, s *store.Store) {
	for i := range 7 {
		g := newGame(fmt.Sprint("g", i), "P1", "P2", day.Add(time.Duration(i/2)*time.Second))
		_, err := s.SaveGame(t.Context(), g)
		must(t, err)
	}
	var counts []int
	for place := ""; ; {
		n, next, err := s.EraseGames(t.Context(), "P1", place, 3)
		must(t, err)
		counts = append(counts, n)
		if place = next; place == "" {
			break
		}
	}
	if !reflect.DeepEqual(counts, []int{3, 3, 1}) {
		t.Errorf("erased %v", counts)
	}
}
