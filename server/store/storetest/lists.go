package storetest

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"flagfall/server/account"
	"flagfall/server/store"
)

var listTests = map[string]func(*testing.T, *store.Store){
	"games by filter": filters, "ratings in a list": listRatings, "tallies": tallies, "opponents": opponents, "leaders": leaders,
	"search": search, "person by name": named, "history by page and day": history,
}

// filters compares every list with what the games themselves say.
func filters(t *testing.T, s *store.Store) {
	var all []store.Game
	results := []string{"1-0", "0-1", "1/2-1/2", "*"}
	for i := range 48 {
		g := newRated(fmt.Sprintf("g%02d", i), []string{"P", "Q", "R"}[i%3], []string{"Q", "R", "P", "S"}[i/3%4], results[i%4], day.Add(time.Duration(i/5)*time.Hour))
		g.Rules = []string{"wbca", "fide"}[i/2%2]
		if g.White == g.Black || i%7 == 0 {
			g.Rating, g.Counts = "", false
		}
		save(t, s, g)
		all = append(all, g)
	}
	slices.SortFunc(all, func(a, b store.Game) int {
		if c := b.Ended.Compare(a.Ended); c != 0 {
			return c
		}
		return strings.Compare(b.ID, a.ID)
	})
	yes, no := true, false
	for _, f := range []store.Filter{
		{}, {Result: "1-0"}, {Rules: "fide"}, {Rules: "fide", Rated: &yes}, {Rated: &yes}, {Rated: &no}, {Rules: "uscf"},
		{Since: day.Add(3 * time.Hour), Until: day.Add(5 * time.Hour)}, {Until: day}, {Until: day.Add(time.Hour)},
		{Person: "P"}, {Person: "nobody"}, {Person: "P", Color: "white"}, {Person: "P", Color: "black", Outcome: "won"},
		{Person: "Q", Outcome: "won"}, {Person: "Q", Outcome: "lost"}, {Person: "R", Outcome: "drawn"}, {Person: "R", Outcome: "void"},
		{Person: "P", Opponent: "Q"}, {Person: "P", Opponent: "S", Outcome: "won", Rules: "wbca"}, {Person: "P", Rated: &yes, Rules: "fide"},
		{Person: "P", Rated: &no}, {Person: "Q", Result: "0-1"}, {Person: "Q", Since: day.Add(2 * time.Hour)},
	} {
		var want []string
		for _, g := range all {
			if fits(g, f) {
				want = append(want, g.ID)
			}
		}
		for _, limit := range []int{1, 4, 100} {
			got := []string{}
			var after store.Cursor
			for {
				page, err := s.Games(t.Context(), f, after, limit)
				must(t, err)
				records, err := s.Records(t.Context(), f, after, limit)
				must(t, err)
				if len(records) != len(page) || len(page) > limit {
					t.Fatalf("%+v: %d games and %d records, limit %d", f, len(page), len(records), limit)
				}
				for i, e := range page {
					got = append(got, e.ID)
					if after = (store.Cursor{Ended: e.Ended, ID: e.ID}); records[i].ID != e.ID || records[i].Record == nil {
						t.Fatalf("%+v: record of %s for %s", f, records[i].ID, e.ID)
					}
				}
				if len(page) < limit {
					break
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%+v by %d: %v, want %v", f, limit, got, want)
			}
		}
	}
}

// fits says what a filter means, a game at a time.
func fits(g store.Game, f store.Filter) bool {
	won := map[string]string{"1-0": "white", "0-1": "black"}[g.Result]
	white := f.Person == g.White && f.Color != "black" && (f.Opponent == "" || f.Opponent == g.Black) && outcome(f.Outcome, g.Result, won, "white")
	black := f.Person == g.Black && f.Color != "white" && (f.Opponent == "" || f.Opponent == g.White) && outcome(f.Outcome, g.Result, won, "black")
	return (f.Person == "" || white || black) && (f.Result == "" || f.Result == g.Result) && (f.Rules == "" || f.Rules == g.Rules) &&
		(f.Rated == nil || *f.Rated == g.Counts) && !g.Ended.Before(f.Since) && (f.Until.IsZero() || g.Ended.Before(f.Until))
}

func outcome(want, result, won, color string) bool {
	switch want {
	case "won":
		return won == color
	case "lost":
		return won != "" && won != color
	case "drawn":
		return result == "1/2-1/2"
	case "void":
		return result == "*"
	}
	return true
}

func listRatings(t *testing.T, s *store.Store) {
	save(t, s, newRated("g1", "W", "B", "0-1", day), newGame("g2", "W", "B", day.Add(time.Hour)))
	list, err := s.Games(t.Context(), store.Filter{Person: "W"}, store.Cursor{}, 10)
	must(t, err)
	if len(list) != 2 || list[0].HasRatings || !list[1].HasRatings || list[1].Record != nil {
		t.Fatalf("%+v", list)
	}
	if list[1].Ratings[0].Before != 1500 || list[1].Ratings[1].After != rate(t, s, "B", day).Rating.Rating {
		t.Errorf("%+v", list[1].Ratings)
	}
}

func tallies(t *testing.T, s *store.Store) {
	fide := newRated("g4", "W", "C", "1-0", day)
	fide.Rules, fide.Rating = "fide", "fide"
	self := newGame("self", "W", "W", day)
	save(t, s, newRated("g1", "W", "B", "1-0", day), newRated("g2", "B", "W", "1-0", day), newRated("g3", "B", "W", "1/2-1/2", day),
		newRated("void", "B", "W", "*", day), newGame("g5", "B", "W", day), self, fide)
	got, err := s.Record(t.Context(), "W")
	must(t, err)
	want := []store.RulesTally{{Rules: "fide", Rated: true, Tally: store.Tally{Won: 1}}, {Rules: "wbca", Rated: false, Tally: store.Tally{Lost: 1}}, {Rules: "wbca", Rated: true, Tally: store.Tally{Won: 1, Drawn: 1, Lost: 1}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("record %+v, want %+v", got, want)
	}
	got, err = s.Against(t.Context(), "B", "W")
	must(t, err)
	want = []store.RulesTally{{Rules: "wbca", Rated: false, Tally: store.Tally{Won: 1}}, {Rules: "wbca", Rated: true, Tally: store.Tally{Won: 1, Drawn: 1, Lost: 1}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("against %+v, want %+v", got, want)
	}
}

func opponents(t *testing.T, s *store.Store) {
	n := 0
	for i, person := range []string{"A", "B", "C", "D"} {
		must(t, s.SavePerson(t.Context(), store.Person{ID: person, Name: "name " + person, Created: day, LastSeen: day}))
		for range []int{2, 5, 2, 1}[i] {
			g := newGame(fmt.Sprint("g", n), "P", person, day)
			if n++; n%2 == 0 {
				g.White, g.Black = person, "P"
			}
			save(t, s, g)
		}
	}
	var got []string
	var after store.MostMet
	for {
		page, err := s.Opponents(t.Context(), "P", after, 2)
		must(t, err)
		for _, o := range page {
			got = append(got, fmt.Sprint(o.Name, o.Tally))
			after = store.MostMet{Games: o.Won + o.Drawn + o.Lost, Person: o.Person}
		}
		if len(page) < 2 {
			break
		}
	}
	want := []string{"name B{3 0 2}", "name C{1 0 1}", "name A{1 0 1}", "name D{0 0 1}"}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Only people who have an account and a settled rating are on a leader board, and not for ever. D is a bot.
func leaders(t *testing.T, s *store.Store) {
	people := []string{"A", "B", "C", "D", "E"}
	for _, p := range people {
		must(t, s.SavePerson(t.Context(), store.Person{ID: p, Name: p + p, Guest: p == "E", Created: day, LastSeen: day}))
	}
	for _, m := range []account.Member{{Person: "owner", Name: "owner", Created: day}, {Person: "D", Name: "DD", Owner: "owner", Created: day}} {
		must(t, s.AddMember(t.Context(), m, account.Login{}, account.Revocation{}, 1))
	}
	n := 0
	for range 30 { // everybody beats those behind him
		for i, white := range people {
			for _, black := range people[i+1:] {
				save(t, s, newRated(fmt.Sprint("g", n), white, black, []string{"1-0", "1-0", "1/2-1/2", "0-1"}[n%4], day.Add(time.Duration(n)*time.Minute)))
				n++
			}
		}
	}
	must(t, s.SavePerson(t.Context(), store.Person{ID: "N", Name: "new", Created: day, LastSeen: day}))
	save(t, s, newRated("new", "N", "E", "1-0", day.Add(time.Hour)))
	last := day.Add(time.Duration(n) * time.Minute)
	var got []store.Leader
	var after store.LeaderPlace
	for {
		page, err := s.Leaders(t.Context(), "wbca", after, 2, last)
		must(t, err)
		got = append(got, page...)
		if len(page) < 2 {
			break
		}
		after = store.LeaderPlace{Rating: page[1].Rating.Rating, Person: page[1].Person}
	}
	var order []string
	for i, l := range got {
		order = append(order, l.Name)
		if i > 0 && l.Rating.Rating > got[i-1].Rating.Rating || l.Provisional || l.Games != 120 {
			t.Errorf("place %d: %+v", i+1, l)
		}
	}
	slices.Sort(order)
	if want := []string{"AA", "BB", "CC"}; !slices.Equal(order, want) {
		t.Errorf("%v, want %v", order, want)
	}
	for name, c := range map[string]struct {
		kind string
		at   time.Time
	}{"two years later": {"wbca", last.AddDate(2, 0, 0)}, "another kind": {"fide", last}} {
		if list, err := s.Leaders(t.Context(), c.kind, store.LeaderPlace{}, 10, c.at); err != nil || len(list) != 0 {
			t.Errorf("%s: %v, %v", name, list, err)
		}
	}
}

// Names are found by their beginning, letter by letter, whatever the language of the database.
func search(t *testing.T, s *store.Store) {
	names := []string{"Ann", "ann.b", "ANN 2", "Anna", "Anno-X", "an", "Bob", "an_x", "Aaron", "Chloe", "Cz"}
	for i, name := range names {
		must(t, s.SavePerson(t.Context(), store.Person{ID: fmt.Sprint("P", i), Name: name, Created: day, LastSeen: day}))
	}
	must(t, s.SavePerson(t.Context(), store.Person{ID: "same", Name: "Anna", Created: day, LastSeen: day}))
	must(t, s.SavePerson(t.Context(), store.Person{ID: "guest", Name: "Annabel", Guest: true, Created: day, LastSeen: day}))
	must(t, s.SavePerson(t.Context(), store.Person{ID: "deleted", Name: "Annexed", Created: time.UnixMilli(0), LastSeen: day}))
	for prefix, want := range map[string][]string{
		"ann": {"Ann", "ANN 2", "ann.b", "Anna", "Anna", "Anno-X"},
		"AN":  {"an", "an_x", "Ann", "ANN 2", "ann.b", "Anna", "Anna", "Anno-X"},
		"c":   {"Chloe", "Cz"}, "an_": {"an_x"}, "ann ": {"ANN 2"}, "z": nil, "annoying": nil,
	} {
		var got []string
		var after store.NamePlace
		for {
			page, err := s.Search(t.Context(), prefix, after, 2)
			must(t, err)
			for _, p := range page {
				got = append(got, p.Name)
				after = store.NamePlace{Name: p.Name, Person: p.ID}
			}
			if len(page) < 2 {
				break
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", prefix, got, want)
		}
	}
}

func named(t *testing.T, s *store.Store) {
	want := store.Person{ID: "P", Name: "Judit", Created: day, LastSeen: day}
	must(t, s.SavePerson(t.Context(), want))
	must(t, s.SavePerson(t.Context(), store.Person{ID: "G", Name: "Guest 4F7K", Guest: true, Created: day, LastSeen: day}))
	for _, name := range []string{"Judit", "JUDIT", "judit"} {
		if got, err := s.PersonNamed(t.Context(), name); err != nil || got != want {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	bot := account.Member{Person: "B", Name: "Engine", Owner: "P", Created: day}
	must(t, s.AddMember(t.Context(), account.Member{Person: "P", Name: "Judit", Password: "$", Role: account.Player, Created: day}, account.Login{}, account.Revocation{}, 0))
	must(t, s.AddMember(t.Context(), bot, account.Login{}, account.Revocation{}, 5))
	if got, err := s.PersonNamed(t.Context(), "engine"); err != nil || !got.Bot || got.Guest {
		t.Errorf("a bot: %+v, %v", got, err)
	}
	if got, err := s.Search(t.Context(), "eng", store.NamePlace{}, 5); err != nil || len(got) != 1 || !got[0].Bot {
		t.Errorf("a bot, searched for: %+v, %v", got, err)
	}
	for _, name := range []string{"Guest 4F7K", "Judi", "", "%"} {
		if _, err := s.PersonNamed(t.Context(), name); err == nil {
			t.Errorf("%q was found", name)
		}
	}
}

func history(t *testing.T, s *store.Store) {
	var ids []string
	for i := range 9 { // three a day
		g := newRated(fmt.Sprint("g", i), "W", "B", "1-0", day.Add(time.Duration(i)*8*time.Hour).Add(-11*time.Hour))
		save(t, s, g)
		ids = append(ids, g.ID)
	}
	slices.Reverse(ids)
	var got []string
	var before int64
	for {
		page, err := s.RatingHistory(t.Context(), "W", "wbca", before, 4)
		must(t, err)
		for _, p := range page {
			got = append(got, p.Game)
			before = p.Number
		}
		if len(page) < 4 {
			break
		}
	}
	if !slices.Equal(got, ids) {
		t.Errorf("by page %v, want %v", got, ids)
	}
	days, err := s.RatingDays(t.Context(), "W", "wbca", 1000)
	must(t, err)
	got = nil
	for _, p := range days {
		got = append(got, p.Game)
	}
	if want := []string{"g8", "g5", "g2"}; !slices.Equal(got, want) {
		t.Errorf("by day %v, want %v", got, want)
	}
}
