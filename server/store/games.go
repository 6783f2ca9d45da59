package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"
)

// Entry is a finished game in a list: without its record, and with what it did to the ratings.
type Entry struct {
	Game                 // Record is nil
	Ratings    [2]Change // of White and Black, if the game counts and is rated
	HasRatings bool
}

// Change is what a game did to a rating.
type Change struct{ Before, After float64 }

// Filter chooses finished games. A zero field chooses all.
type Filter struct {
	Person   string // plays
	Opponent string // plays against Person
	Color    string // of Person, "white" or "black"
	Outcome  string // for Person: "won", "lost", "drawn" or "void"
	Result   string // "1-0", "0-1", "1/2-1/2" or "*"; instead of Outcome
	Rules    string
	Rated    *bool     // counts for a rating
	Since    time.Time // ended then or later
	Until    time.Time // ended before that
}

// Outcomes are what Filter.Outcome may be, with the result of White and of Black that it means.
var outcomes = map[string][2]string{"won": {"1-0", "0-1"}, "lost": {"0-1", "1-0"}, "drawn": {"1/2-1/2", "1/2-1/2"}, "void": {"*", "*"}}

// Games lists at most limit finished games, the latest first, after the cursor.
func (s *Store) Games(ctx context.Context, f Filter, after Cursor, limit int) ([]Entry, error) {
	query, args := f.entries(s.dialect, after, limit)
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	list := []Entry{}
	err := s.each(ctx, func(rows *sql.Rows) error {
		var e Entry
		var started, ended int64
		var ratings [4]sql.NullFloat64
		err := rows.Scan(&e.ID, &e.White, &e.WhiteName, &e.Black, &e.BlackName, &e.Rules, &e.Mode, &e.Base, &e.Result, &e.Reason, &e.Rule,
			&started, &ended, &e.Plies, &e.Rating, &e.Counts, &ratings[0], &ratings[1], &ratings[2], &ratings[3])
		e.Started, e.Ended = civil(started), civil(ended)
		e.Ratings = [2]Change{{ratings[0].Float64, ratings[1].Float64}, {ratings[2].Float64, ratings[3].Float64}}
		e.HasRatings = ratings[0].Valid && ratings[2].Valid
		list = append(list, e)
		return err
	}, query, args...)
	return list, s.wrap("games of", f.Person, err)
}

// Records is Games with the records and without the ratings.
func (s *Store) Records(ctx context.Context, f Filter, after Cursor, limit int) ([]Game, error) {
	query, args := f.records(s.dialect, after, limit)
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	var list []Game
	err := s.each(ctx, func(rows *sql.Rows) error {
		g, err := scanGame(rows)
		list = append(list, g)
		return err
	}, query, args...)
	return list, s.wrap("records of", f.Person, err)
}

const (
	bareColumns  = `id, white, white_name, black, black_name, rules, mode, base, result, reason, rule, started, ended, plies, rating, counts`
	latestFirst  = ` ORDER BY ended DESC, id DESC LIMIT `
	entryColumns = `g.id, g.white, g.white_name, g.black, g.black_name, g.rules, g.mode, g.base, g.result, g.reason, g.rule, g.started, g.ended, g.plies, g.rating, g.counts`
)

// entries is the query of Games.
func (f Filter) entries(d dialect, after Cursor, limit int) (string, []any) {
	inner, args := f.page(d, bareColumns, after, limit)
	return `SELECT ` + entryColumns + `, w.before, w.rating, b.before, b.rating FROM (` + inner + `) AS g
		LEFT JOIN rating_change AS w ON w.game = g.id AND w.person = g.white
		LEFT JOIN rating_change AS b ON b.game = g.id AND b.person = g.black
		ORDER BY g.ended DESC, g.id DESC`, args
}

// records is the query of Records.
func (f Filter) records(d dialect, after Cursor, limit int) (string, []any) {
	return f.page(d, gameColumns, after, limit)
}

// page is the query for a page of games. A person's games are read by two indexes, White's and Black's: one OR over both
// columns would read the whole table.
func (f Filter) page(d dialect, columns string, after Cursor, limit int) (string, []any) {
	q := &where{aside: d.aside}
	bound := f.bound(after)
	if f.Person == "" {
		query := `SELECT ` + columns + ` FROM game WHERE ` + f.all(q, bound)
		return query + latestFirst + q.arg(limit), q.args
	}
	var halves []string
	person := q.arg(f.Person)
	for side, color := range [2]string{"white", "black"} {
		if f.Color == "" || f.Color == color {
			halves = append(halves, `SELECT * FROM (SELECT `+columns+` FROM game WHERE `+f.half(q, side, person, bound)+latestFirst+q.arg(limit)+`) AS `+color+`_games`)
		}
	}
	return strings.Join(halves, ` UNION `) + latestFirst + q.arg(limit), q.args
}

// bound is what all games of the page come before.
func (f Filter) bound(after Cursor) Cursor {
	if after == (Cursor{}) {
		after = Cursor{Ended: time.UnixMilli(1 << 52)}
	}
	if !f.Until.IsZero() && !f.Until.After(after.Ended) {
		after = Cursor{Ended: f.Until}
	}
	return after
}

// all are the conditions on games of whomever.
func (f Filter) all(q *where, bound Cursor) string {
	conditions := q.before(bound, f.Since)
	switch {
	case f.Rules != "":
		conditions += ` AND rules = ` + q.arg(f.Rules) + q.rated(f.Rated)
	case f.Rated != nil && *f.Rated:
		conditions += ` AND counts`
	default:
		conditions += q.rated(f.Rated)
	}
	return conditions + q.also("result", f.Result)
}

// half are the conditions on the games that a person plays with White (0) or Black (1).
func (f Filter) half(q *where, side int, person string, bound Cursor) string {
	columns := [2]string{"white", "black"}
	conditions := columns[side] + ` = ` + person
	if f.Opponent != "" {
		conditions += ` AND ` + columns[1-side] + ` = ` + q.arg(f.Opponent)
	}
	result := f.Result
	if f.Outcome != "" {
		result = outcomes[f.Outcome][side]
	}
	return conditions + ` AND ` + q.before(bound, f.Since) + q.also("rules", f.Rules) + q.also("result", result) + q.rated(f.Rated)
}

// where collects the arguments of a query.
type where struct {
	aside string
	args  []any
}

func (q *where) arg(value any) string {
	q.args = append(q.args, value)
	return fmt.Sprintf("$%d", len(q.args))
}

func (q *where) before(bound Cursor, since time.Time) string {
	text := `(ended, id) < (` + q.arg(bound.Ended.UnixMilli()) + `, ` + q.arg(bound.ID) + `)`
	if !since.IsZero() {
		text += ` AND ended >= ` + q.arg(since.UnixMilli())
	}
	return text
}

// also compares a column that is no part of the index which gives the order.
func (q *where) also(column, value string) string {
	if value == "" {
		return ""
	}
	return ` AND ` + q.aside + column + ` = ` + q.arg(value)
}

func (q *where) rated(want *bool) string {
	if want == nil {
		return ""
	}
	return ` AND ` + q.aside + `counts = ` + q.arg(*want)
}
