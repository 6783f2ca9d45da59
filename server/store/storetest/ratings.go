package storetest

import (
	"errors"
	"math"
	"reflect"
	"sync"
	"testing"
	"time"

	"flagfall/server/store"
)

var ratingTests = map[string]func(*testing.T, *store.Store){
	"a rated game": ratedGame, "a rated game twice": ratedTwice, "rated games at once": ratedAtOnce, "games that do not count": casual,
	"games that cannot count": cannotCount, "a rating ages": ages, "a correction": correction, "corrections refused": correctionRefused,
	"a void game that counts after all": voidCounts,
}

func newRated(id, white, black, result string, ended time.Time) store.Game {
	g := newGame(id, white, black, ended)
	g.Result, g.Rating, g.Counts = result, "wbca", result != "*"
	return g
}

func save(t *testing.T, s *store.Store, games ...store.Game) {
	t.Helper()
	for _, g := range games {
		_, err := s.SaveGame(t.Context(), g)
		must(t, err)
	}
}

// rate is what somebody is rated at a time in the one kind that he has.
func rate(t *testing.T, s *store.Store, person string, at time.Time) store.Rated {
	t.Helper()
	list, err := s.Ratings(t.Context(), person, at)
	must(t, err)
	if len(list) != 1 {
		t.Fatalf("%s has %d ratings", person, len(list))
	}
	return list[0]
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 0.005 {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// Two new players: both are rated from what they were before the game (RAT-02). The figures are the paper's formulas for a
// period of one game and no length.
func ratedGame(t *testing.T, s *store.Store) {
	save(t, s, newRated("g1", "W", "B", "1-0", day))
	w, b := rate(t, s, "W", day), rate(t, s, "B", day)
	near(t, "winner", w.Rating.Rating, 1662.21)
	near(t, "loser", b.Rating.Rating, 1337.79)
	near(t, "deviation", w.Rating.Deviation, 290.23)
	if w.Games != 1 || !w.Last.Equal(day) || !w.Provisional || w.Kind != "wbca" {
		t.Errorf("winner %+v", w)
	}
	points, err := s.RatingHistory(t.Context(), "B", "wbca", 0, 10)
	must(t, err)
	if len(points) != 1 || points[0].Game != "g1" || points[0].Before != 1500 || points[0].Rating != b.Rating.Rating || !points[0].Ended.Equal(day) {
		t.Errorf("history %+v", points)
	}
}

func ratedTwice(t *testing.T, s *store.Store) {
	save(t, s, newRated("g1", "W", "B", "1-0", day))
	before := rate(t, s, "W", day)
	again := newRated("g1", "W", "B", "0-1", day)
	added, err := s.SaveGame(t.Context(), again)
	must(t, err)
	if after := rate(t, s, "W", day); added || after != before {
		t.Errorf("added %v, %+v became %+v", added, before, after)
	}
}

// However games arrive, each of a player's ratings begins where the last one ended.
func ratedAtOnce(t *testing.T, s *store.Store) {
	var wg sync.WaitGroup
	for i := range 24 {
		wg.Go(func() {
			g := newRated(string(rune('a'+i/2)), "P", []string{"Q", "R", "S"}[i/2%3], "1-0", day) // every game twice
			for {
				_, err := s.SaveGame(t.Context(), g)
				if errors.Is(err, store.ErrUnavailable) { // SQLite: locked for too long; it is tried again as an effect is
					continue
				}
				if err != nil {
					t.Error(err)
				}
				return
			}
		})
	}
	wg.Wait()
	points, err := s.RatingHistory(t.Context(), "P", "wbca", 0, 100)
	must(t, err)
	if len(points) != 12 || rate(t, s, "P", day).Games != 12 {
		t.Fatalf("%d changes, %+v", len(points), rate(t, s, "P", day))
	}
	for i, p := range points {
		before := 1500.0
		if i+1 < len(points) {
			before = points[i+1].Rating
		}
		if p.Before != before || p.Rating <= p.Before {
			t.Errorf("change %d: %+v, before it %v", i, p, before)
		}
	}
}

func casual(t *testing.T, s *store.Store) {
	save(t, s, newGame("casual", "W", "B", day), newRated("void", "W", "B", "*", day))
	list, err := s.Ratings(t.Context(), "W", day)
	must(t, err)
	points, err := s.RatingHistory(t.Context(), "W", "wbca", 0, 10)
	must(t, err)
	if len(list) != 0 || len(points) != 0 {
		t.Errorf("%v, %v", list, points)
	}
}

// One person on both sides, and results that are none, are refused, and nothing is written.
func cannotCount(t *testing.T, s *store.Store) {
	self := newRated("self", "W", "W", "1-0", day)
	void := newRated("void", "W", "B", "*", day)
	void.Counts = true
	kindless := newRated("kindless", "W", "B", "1-0", day)
	kindless.Rating = ""
	for _, g := range []store.Game{self, void, kindless} {
		if _, err := s.SaveGame(t.Context(), g); err == nil {
			t.Errorf("%s was taken", g.ID)
		}
		if _, err := s.Game(t.Context(), g.ID); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s: %v", g.ID, err)
		}
	}
}

// Between games the deviation grows, a tenth of a period after a tenth of its time; the rating does not move.
func ages(t *testing.T, s *store.Store) {
	save(t, s, newRated("g1", "W", "B", "1-0", day))
	now := rate(t, s, "W", day)
	later := rate(t, s, "W", day.Add(4*24*time.Hour))
	near(t, "rating", later.Rating.Rating, now.Rating.Rating)
	near(t, "deviation after a period", later.Rating.Deviation, 290.4176) // the root of 290.2305² + (173.7178 · 0.06)²
	save(t, s, newRated("g2", "W", "B", "1/2-1/2", day.Add(4*24*time.Hour)))
	points, err := s.RatingHistory(t.Context(), "W", "wbca", 0, 1)
	must(t, err)
	near(t, "before the next game", points[0].Before, now.Rating.Rating)
	if got := rate(t, s, "W", day.Add(4*24*time.Hour)); got.Rating.Deviation >= later.Rating.Deviation {
		t.Errorf("a game made the deviation %v", got.Rating.Deviation)
	}
}

func rerate(t *testing.T, s *store.Store) {
	t.Helper()
	for more := true; more; {
		var err error
		more, err = s.Rerate(t.Context(), day.AddDate(0, 0, 9))
		must(t, err)
	}
}

// A corrected result is the game's from then on; ratings follow when they are computed; both leave a trace.
func correction(t *testing.T, s *store.Store) {
	save(t, s, newRated("g1", "W", "B", "1-0", day), newRated("g2", "X", "Y", "1-0", day))
	before := rate(t, s, "W", day)
	untouched := rate(t, s, "X", day)
	at := day.AddDate(0, 0, 3)
	must(t, s.Correct(t.Context(), store.Correction{Game: "g1", Result: "0-1", By: "Ada", Why: "the flag was down", At: at}))
	if got := rate(t, s, "W", day); got != before {
		t.Errorf("shown before it is whole: %+v", got)
	}
	rerate(t, s)
	near(t, "White", rate(t, s, "W", day).Rating.Rating, 1337.79)
	near(t, "Black", rate(t, s, "B", day).Rating.Rating, 1662.21)
	if got := rate(t, s, "X", day); got != untouched {
		t.Errorf("somebody else: %+v", got)
	}
	g, err := s.Game(t.Context(), "g1")
	must(t, err)
	if g.Result != "0-1" || g.Reason != "arbiter" || g.Rule != "" || !g.Counts {
		t.Errorf("game %+v", g)
	}
	list, err := s.Corrections(t.Context(), "g1")
	must(t, err)
	want := []store.Corrected{{
		Correction: store.Correction{Game: "g1", Result: "0-1", By: "Ada", Why: "the flag was down", At: at},
		Before:     "1-0", BeforeReason: "illegal_move", BeforeRule: "WBCA 7d", Counted: true, Counts: true, Rated: day.AddDate(0, 0, 9),
	}}
	if !reflect.DeepEqual(list, want) {
		t.Errorf("corrections %+v, want %+v", list, want)
	}
	trace, err := s.Reratings(t.Context(), "W", 10)
	must(t, err)
	if len(trace) != 1 || trace[0].Before != before.Rating.Rating || math.Abs(trace[0].After-1337.79) > 0.005 || trace[0].Kind != "wbca" {
		t.Errorf("trace %+v", trace)
	}
	// A game that no longer counts takes the ratings with it, and its line in the history.
	must(t, s.Correct(t.Context(), store.Correction{Game: "g1", Result: "*", By: "Ada", Why: "both were the same person", At: at}))
	rerate(t, s)
	ratings, err := s.Ratings(t.Context(), "W", day)
	must(t, err)
	points, err := s.RatingHistory(t.Context(), "B", "wbca", 0, 10)
	must(t, err)
	if len(ratings) != 0 || len(points) != 0 {
		t.Errorf("%v, %v", ratings, points)
	}
}

func correctionRefused(t *testing.T, s *store.Store) {
	save(t, s, newRated("g1", "W", "B", "1-0", day), newRated("g2", "W", "B", "1-0", day), newGame("casual", "W", "B", day))
	before := rate(t, s, "W", day)
	right := store.Correction{Game: "g2", Result: "0-1", By: "Ada", Why: "so", At: day}
	for name, c := range map[string]store.Correction{
		"no such game":    {Game: "g9", Result: "0-1", By: "Ada", Why: "so", At: day},
		"no result":       {Game: "g1", Result: "2-0", By: "Ada", Why: "so", At: day},
		"nobody":          {Game: "g1", Result: "0-1", By: " ", Why: "so", At: day},
		"no reason":       {Game: "g1", Result: "0-1", By: "Ada", At: day},
		"the same result": {Game: "g1", Result: "1-0", By: "Ada", Why: "so", At: day},
		"the same casual": {Game: "casual", Result: "1-0", Casual: true, By: "Ada", Why: "so", At: day},
	} {
		if err := s.Correct(t.Context(), right, c); err == nil { // all or none
			t.Errorf("%s was taken", name)
		}
	}
	if err := s.Correct(t.Context()); err == nil {
		t.Error("no correction was taken")
	}
	rerate(t, s)
	if got := rate(t, s, "W", day); got != before {
		t.Errorf("%+v became %+v", before, got)
	}
	if list, err := s.Corrections(t.Context(), "g2"); err != nil || len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
}

// A rated game that was void counts if an arbiter gives it a result (rulings D33d); one without moves never does.
func voidCounts(t *testing.T, s *store.Store) {
	empty := newRated("empty", "W", "B", "*", day)
	empty.Plies = 0
	save(t, s, newRated("g1", "W", "B", "*", day), empty)
	must(t, s.Correct(t.Context(),
		store.Correction{Game: "g1", Result: "1-0", By: "Ada", Why: "mate was on the board", At: day},
		store.Correction{Game: "empty", Result: "1-0", By: "Ada", Why: "he did not come", At: day}))
	rerate(t, s)
	if got := rate(t, s, "W", day); got.Games != 1 {
		t.Errorf("%+v", got)
	}
	g, err := s.Game(t.Context(), "empty")
	must(t, err)
	if g.Result != "1-0" || g.Counts {
		t.Errorf("%+v", g)
	}
}
