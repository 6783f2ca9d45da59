package store

import "time"

// SetBatch says how many games one transaction of a re-rating looks at.
func (s *Store) SetBatch(n int) { s.batch = n }

// Query is a query of a page, with the indexes that SQLite is to use and the most rows that PostgreSQL may look at.
type Query struct {
	Name    string
	Text    string
	Args    []any
	Indexes []string
	Most    int
}

// Queries are those of all pages, for somebody who has played `games` games, of which `met` were against another one. The
// pages have 20 lines, and what they choose is no rarer than one game in twelve.
func (s *Store) Queries(person, opponent string, games, met int, now time.Time) []Query {
	yes, no := true, false
	list := func(name string, f Filter, most int, indexes ...string) []Query {
		q := Query{Name: name, Indexes: indexes, Most: most}
		entries, records := q, q
		entries.Text, entries.Args = f.entries(s.dialect, Cursor{}, 20)
		records.Name += ", records"
		records.Text, records.Args = f.records(s.dialect, Cursor{}, 20)
		return []Query{entries, records}
	}
	const page, chosen = 20 * 5, 20 * 12 * 5
	var all []Query
	for _, some := range [][]Query{
		list("games", Filter{}, page, "game_ended"),
		list("games won by White", Filter{Result: "1-0"}, chosen, "game_ended"),
		list("games of a month", Filter{Since: now.AddDate(0, -2, 0), Until: now.AddDate(0, -1, 0)}, page, "game_ended"),
		list("games by FIDE", Filter{Rules: "fide"}, page, "game_rules"),
		list("rated games by FIDE", Filter{Rules: "fide", Rated: &yes, Result: "0-1"}, chosen, "game_rules"),
		list("rated games", Filter{Rated: &yes}, page, "game_counts"),
		list("casual games", Filter{Rated: &no}, chosen, "game_ended"),
		list("his games", Filter{Person: person}, 2*chosen, "game_white", "game_black"),
		list("his games with White", Filter{Person: person, Color: "white"}, 2*chosen, "game_white"),
		list("games he won by FIDE", Filter{Person: person, Outcome: "won", Rules: "fide"}, 2*chosen, "game_white", "game_black"),
		list("his rated games", Filter{Person: person, Rated: &yes}, 2*chosen, "game_white", "game_black"),
		list("his casual games of a month", Filter{Person: person, Rated: &no, Since: now.AddDate(0, -2, 0), Until: now.AddDate(0, -1, 0)}, 2*chosen, "game_white", "game_black"),
		list("their games", Filter{Person: person, Opponent: opponent}, 2*page, "game_pair"),
		{
			{"record", recordQuery, []any{person}, []string{"game_white_tally", "game_black_tally"}, games},
			{"against", againstQuery, []any{person, opponent}, []string{"_tally"}, met},
			{"opponents", opponentsQuery, []any{person, 1 << 50, "", 20}, []string{"game_white_tally", "game_black_tally"}, games + page},
			{"ratings", ratingsQuery, []any{person}, []string{"rating"}, 4},
			{"leaders", leadersQuery, []any{"wbca", now.UnixMilli(), 1e9, "", 20}, []string{"rating_leaders"}, chosen},
			{"history", historyQuery, []any{person, "wbca", 1 << 60, 20}, []string{"rating_change_person"}, page},
			{"search", s.byPrefix(), []any{"player 12", "player 12\x7f", "", 20}, []string{"person_name"}, page},
			{"by name", s.byName(), []any{"player 777"}, []string{"person_name"}, 1},
			{"blocks", blocksQuery, []any{person}, []string{"block", "block_blocked"}, 20},
			{"whom he blocks", blockedQuery, []any{person}, []string{"block"}, 20},
			{"ranks", rankQuery, []any{person}, []string{"rating"}, 4},
		},
	} {
		all = append(all, some...)
	}
	return all
}
