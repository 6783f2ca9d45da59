package store_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"
	"time"

	"flagfall/server/store"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// season are rated games of a few people, in the order of their end, some days apart.
func season(r *rand.Rand, people, games int) []store.Game {
	list := make([]store.Game, games)
	at := noon
	for i := range list {
		at = at.Add(time.Duration(r.IntN(40)) * time.Hour)
		white := r.IntN(people)
		black := (white + 1 + r.IntN(people-1)) % people
		list[i] = rated(fmt.Sprintf("g%03d", i), fmt.Sprint("P", white), fmt.Sprint("P", black), []string{"1-0", "0-1", "1/2-1/2"}[r.IntN(3)], at)
		if i%3 == 0 {
			list[i].Rating, list[i].Rules = "fide", "fide"
		}
	}
	return list
}

func rated(id, white, black, result string, ended time.Time) store.Game {
	return store.Game{ID: id, White: white, WhiteName: white, Black: black, BlackName: black, Rules: "wbca", Mode: "board", Base: 300_000,
		Result: result, Reason: "time", Rule: "WBCA 7c", Started: ended.Add(-5 * time.Minute), Ended: ended, Plies: 40,
		Rating: "wbca", Counts: result != "*", Record: []byte("{}")}
}

// shown is all that anybody can see of the ratings of some people. The numbers of games are left out.
func shown(t *testing.T, s *store.Store, people int) map[string]any {
	t.Helper()
	all := map[string]any{}
	for i := range people {
		id := fmt.Sprint("P", i)
		now, err := s.Ratings(t.Context(), id, noon.AddDate(1, 0, 0))
		if err != nil {
			t.Fatal(err)
		}
		all[id] = now
		for _, kind := range []string{"wbca", "fide"} {
			points, err := s.RatingHistory(t.Context(), id, kind, 0, 1000)
			if err != nil {
				t.Fatal(err)
			}
			for i := range points {
				points[i].Number = 0
			}
			all[id+kind] = points
		}
	}
	return all
}

func saveAll(t *testing.T, s *store.Store, games []store.Game) {
	t.Helper()
	for _, g := range games {
		if _, err := s.SaveGame(t.Context(), g); err != nil {
			t.Fatal(err)
		}
	}
}

// amend makes random corrections, and gives the games as they would have been if they had been played so.
func amend(r *rand.Rand, games []store.Game, most int) (corrections []store.Correction, played []store.Game) {
	played = append(played, games...)
	for _, i := range r.Perm(len(games))[:1+r.IntN(most)] {
		g := &played[i]
		c := store.Correction{Game: g.ID, By: "Arbiter", Why: "a wrong claim", At: noon.AddDate(0, 6, 0)}
		for c.Result = g.Result; c.Result == g.Result; {
			c.Result = []string{"1-0", "0-1", "1/2-1/2", "*"}[r.IntN(4)]
		}
		c.Casual = r.IntN(6) == 0
		g.Result, g.Counts = c.Result, c.Result != "*" && !c.Casual
		corrections = append(corrections, c)
	}
	return corrections, played
}

// Corrected games end in the ratings that the right results would have given, for everybody; what is shown changes once, from
// all of the old to all of the new, however small the steps are and wherever they are broken off.
func (d database) reratedAsPlayed(t *testing.T) {
	const people = 7
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 1))
		games := season(r, people, 60)
		s := open(t, d.address(t))
		saveAll(t, s, games)
		old := shown(t, s, people)
		corrections, played := amend(r, games, 5)
		if err := s.Correct(t.Context(), corrections...); err != nil {
			t.Fatal(err)
		}
		s.SetBatch(1 + r.IntN(20))
		views, before := 0, old
		for more := true; more; {
			ended, cancel := context.WithCancel(t.Context())
			if r.IntN(2) == 0 {
				cancel()
			}
			var err error
			if more, err = s.Rerate(ended, noon); errors.Is(err, context.Canceled) {
				more, err = true, nil
			}
			cancel()
			if err != nil {
				t.Fatal(err)
			}
			if now := shown(t, s, people); !reflect.DeepEqual(now, before) {
				views, before = views+1, now
			}
		}
		right := open(t, d.address(t))
		saveAll(t, right, played)
		if want := shown(t, right, people); !reflect.DeepEqual(before, want) {
			t.Errorf("seed %d: after %+v:\n%v\nwant\n%v", seed, corrections, before, want)
		}
		kinds := map[string]bool{} // each kind is a job of its own
		for _, c := range corrections {
			for _, g := range games {
				kinds[g.Rating] = kinds[g.Rating] || g.ID == c.Game
			}
		}
		if most := len(kinds); views > most || kinds["wbca"] && kinds["fide"] && views == 0 {
			t.Errorf("seed %d: the ratings changed %d times", seed, views)
		}
	}
}

// Games go on to end, and results to be corrected, while two nodes rate again.
func (d database) reratedWhileGamesEnd(t *testing.T) {
	const people = 6
	r := rand.New(rand.NewPCG(7, 7))
	games := season(r, people, 120)
	where := d.address(t)
	s, other := open(t, where), open(t, where)
	s.SetBatch(3)
	other.SetBatch(4)
	saveAll(t, s, games[:60])
	corrections, played := amend(r, games[:60], 8)
	played = append(played, games[60:]...)
	var done sync.WaitGroup
	var saving sync.WaitGroup
	stop := make(chan struct{})
	for _, node := range []*store.Store{s, other} {
		done.Go(func() {
			for {
				more, err := node.Rerate(t.Context(), noon)
				if err != nil && !errors.Is(err, store.ErrUnavailable) { // SQLite: the file was locked for too long
					t.Error(err)
					return
				}
				select {
				case <-stop:
					if !more && err == nil {
						return
					}
				default:
				}
			}
		})
	}
	saving.Go(func() {
		for _, g := range games[60:] {
			for {
				_, err := s.SaveGame(t.Context(), g)
				if err == nil {
					break
				}
				if !errors.Is(err, store.ErrUnavailable) {
					t.Error(err)
					return
				}
			}
		}
	})
	for _, c := range corrections {
		if err := other.Correct(t.Context(), c); err != nil {
			t.Error(err)
		}
	}
	saving.Wait()
	close(stop)
	done.Wait()
	right := open(t, d.address(t))
	saveAll(t, right, played)
	if got, want := shown(t, s, people), shown(t, right, people); !reflect.DeepEqual(got, want) {
		t.Errorf("%v\nwant\n%v", got, want)
	}
}
