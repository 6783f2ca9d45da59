// Package storetest is what every store must do, whatever database it stands on.
package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"testing"
	"time"

	"flagfall/server/account"
	"flagfall/server/account/accounttest"
	"flagfall/server/store"
)

var day = time.Date(2026, 3, 1, 12, 0, 0, 123_000_000, time.UTC)

// Run runs the suite; open gives a new, empty store.
func Run(t *testing.T, open func(t *testing.T) *store.Store) {
	for name, test := range map[string]func(*testing.T, *store.Store){
		"person": person, "person seen again": personAgain, "game": game, "game saved twice": gameTwice,
		"game saved at once": gameAtOnce, "games of a person": gamesOf, "not found": notFound, "bad record": badRecord,
		"an old guest's token": oldGuest, "games of a deleted person": erased, "erasing is read on": erasedByAndBy,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
	for _, tests := range []map[string]func(*testing.T, *store.Store){ratingTests, listTests, blockTests, eventTests, clubTests} {
		for name, test := range tests {
			t.Run(name, func(t *testing.T) { test(t, open(t)) })
		}
	}
	t.Run("signing keys", func(t *testing.T) {
		accounttest.RunKeys(t, func(t *testing.T) account.KeyStore { return open(t) })
	})
	t.Run("revocations", func(t *testing.T) {
		accounttest.RunRevocations(t, func(t *testing.T) account.RevocationStore { return open(t) })
	})
	t.Run("members", func(t *testing.T) {
		accounttest.RunMembers(t, func(t *testing.T) accounttest.MemberStore { return open(t) })
	})
}

func newGame(id, white, black string, ended time.Time) store.Game {
	return store.Game{
		ID: id, White: white, WhiteName: "Guest " + white, Black: black, BlackName: `a "quoted" \ name`,
		Rules: "wbca", Mode: "board", Base: 300_000, Result: "1-0", Reason: "illegal_move", Rule: "WBCA 7d",
		Started: ended.Add(-time.Minute), Ended: ended, Plies: 31,
		Record: json.RawMessage(`{"moves": ["e2e4"],  "note": "é"}`),
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func person(t *testing.T, s *store.Store) {
	want := store.Person{ID: "P1", Name: "Guest 4F7K", Guest: true, Created: day, LastSeen: day.Add(time.Second)}
	must(t, s.SavePerson(t.Context(), want))
	got, err := s.Person(t.Context(), "P1")
	must(t, err)
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func personAgain(t *testing.T, s *store.Store) {
	must(t, s.SavePerson(t.Context(), store.Person{ID: "P1", Name: "Guest 4F7K", Guest: true, Created: day, LastSeen: day}))
	must(t, s.SavePerson(t.Context(), store.Person{ID: "P1", Name: "Judit", Created: day.Add(time.Hour), LastSeen: day.Add(time.Hour)}))
	must(t, s.SavePerson(t.Context(), store.Person{ID: "P1", Name: "Judit", Created: day, LastSeen: day.Add(time.Minute)}))
	got, err := s.Person(t.Context(), "P1")
	must(t, err)
	want := store.Person{ID: "P1", Name: "Judit", Created: day, LastSeen: day.Add(time.Hour)}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func game(t *testing.T, s *store.Store) {
	want := newGame("g1", "W", "B", day)
	added, err := s.SaveGame(t.Context(), want)
	must(t, err)
	if !added {
		t.Error("not added")
	}
	got, err := s.Game(t.Context(), "g1")
	must(t, err)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func gameTwice(t *testing.T, s *store.Store) {
	first := newGame("g1", "W", "B", day)
	_, err := s.SaveGame(t.Context(), first)
	must(t, err)
	second := first
	second.Result = "0-1"
	added, err := s.SaveGame(t.Context(), second)
	must(t, err)
	got, err := s.Game(t.Context(), "g1")
	must(t, err)
	if added || got.Result != "1-0" {
		t.Errorf("added %v, result %s; the first result must stand", added, got.Result)
	}
}

func gameAtOnce(t *testing.T, s *store.Store) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	count := 0
	for range 16 {
		wg.Go(func() {
			added, err := s.SaveGame(t.Context(), newGame("g1", "W", "B", day))
			if err != nil {
				t.Error(err)
			}
			if added {
				mu.Lock()
				count++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if count != 1 {
		t.Errorf("%d writers added the game, want 1", count)
	}
}

func gamesOf(t *testing.T, s *store.Store) {
	// Seven games of P, two of them ended in the same millisecond, one against himself; one of others.
	ends := []int{0, 5, 5, 9, 2, 7}
	for i, ms := range ends {
		white, black := "P", "Q"
		if i%2 == 1 {
			white, black = "Q", "P"
		}
		_, err := s.SaveGame(t.Context(), newGame(fmt.Sprintf("g%d", i), white, black, day.Add(time.Duration(ms)*time.Millisecond)))
		must(t, err)
	}
	_, err := s.SaveGame(t.Context(), newGame("self", "P", "P", day.Add(20*time.Millisecond)))
	must(t, err)
	_, err = s.SaveGame(t.Context(), newGame("other", "Q", "R", day))
	must(t, err)

	var got []string
	var after store.Cursor
	for {
		page, err := s.GamesOf(t.Context(), "P", after, 3)
		must(t, err)
		if len(page) == 0 {
			break
		}
		for _, g := range page {
			got = append(got, g.ID)
		}
		last := page[len(page)-1]
		after = store.Cursor{Ended: last.Ended, ID: last.ID}
	}
	want := []string{"self", "g3", "g5", "g2", "g1", "g4", "g0"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func notFound(t *testing.T, s *store.Store) {
	if _, err := s.Person(t.Context(), "nobody"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("person: %v", err)
	}
	if _, err := s.Game(t.Context(), "nothing"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("game: %v", err)
	}
	if games, err := s.GamesOf(t.Context(), "nobody", store.Cursor{}, 10); err != nil || len(games) != 0 {
		t.Errorf("games: %v, %v", games, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Game(ended, "nothing"); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func badRecord(t *testing.T, s *store.Store) {
	g := newGame("g1", "W", "B", day)
	g.Record = json.RawMessage(`{"moves":`)
	if _, err := s.SaveGame(t.Context(), g); err == nil {
		t.Error("a record that is not JSON was taken")
	}
	if _, err := s.Game(t.Context(), "g1"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("game: %v", err)
	}
}
