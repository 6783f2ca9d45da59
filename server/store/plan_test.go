package store_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"flagfall/server/store"
	"flagfall/server/store/pgtest"
)

// fill makes games of five times fewer people, a fifth of them P0's, and what they did to ratings. The statements are the same
// for both databases.
func fill(games int) []string {
	people := games / 5
	list := []string{
		`INSERT INTO person (id, name, guest, created, last_seen)
		WITH RECURSIVE c(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM c WHERE n < 19999)
		SELECT 'P' || n, 'Player ' || n, n % 10 = 1, 1, 1 FROM c`,
		`INSERT INTO game (id, white, white_name, black, black_name, rules, mode, base, result, reason, rule, started, ended, plies, rating, rating_number, counts, record)
		WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 100000)
		SELECT 'g' || n, CASE WHEN n % 10 = 0 THEN 'P0' ELSE 'P' || (n * 7919 % 20000) END, 'W',
			CASE WHEN n % 10 = 5 THEN 'P0' ELSE 'P' || (n * 523 % 19999 + 1) END, 'B',
			CASE n / 20 % 4 WHEN 0 THEN 'fide' ELSE 'wbca' END, 'board', 300000,
			CASE n / 10 % 3 WHEN 0 THEN '1-0' WHEN 1 THEN '0-1' ELSE '1/2-1/2' END, 'time', 'WBCA 7c',
			1700000000000 + CAST(n AS BIGINT) * 480000, 1700000300000 + CAST(n AS BIGINT) * 480000, 40,
			CASE n / 20 % 4 WHEN 0 THEN 'fide' ELSE 'wbca' END, n, n / 80 % 3 > 0, '{}' FROM c`,
		`INSERT INTO rating_change (game, person, kind, number, ended, before, before_deviation, rating, deviation, volatility, games, last)
		SELECT id, white, rating, rating_number, ended, 1500, 50, 1510, 50, 0.06, 1, ended FROM game WHERE counts
		UNION ALL SELECT id, black, rating, rating_number, ended, 1500, 50, 1490, 50, 0.06, 1, ended FROM game WHERE counts AND white <> black`,
		`INSERT INTO rating (person, kind, rating, deviation, volatility, games, last, settled)
		WITH RECURSIVE c(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM c WHERE n < 19999)
		SELECT 'P' || n, 'wbca', 1000 + n * 37 % 1000, 60, 0.06, 40, 1, CASE WHEN n % 2 = 0 THEN 0 WHEN n % 3 = 0 THEN 1 ELSE 1900000000000 END FROM c`,
		`UPDATE rating_count SET last = 100000`,
		`INSERT INTO block (person, blocked, at)
			WITH RECURSIVE c(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM c WHERE n < 59999)
			SELECT 'P' || (n % 20000), 'P' || ((n * 523 + n / 20000) % 20000), 1 FROM c`,
	}
	numbers := strings.NewReplacer("100000", fmt.Sprint(games), "20000", fmt.Sprint(people), "19999", fmt.Sprint(people-1))
	for i := range list {
		list[i] = numbers.Replace(list[i])
	}
	return list
}

// The pages stay fast over 100,000 games: every query goes by an index, and by the one that is meant; a page of a list looks
// at a bounded number of rows.
func TestPlans(t *testing.T) {
	t.Run("SQLite", func(t *testing.T) {
		d := database{driver: "sqlite"}
		where := t.TempDir() + "/plans.db"
		d.plans(t, where, sqliteGames, planOfSQLite)
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		d := database{driver: "pgx"}
		d.plans(t, pgtest.Start(t).Database(t), 100_000, planOfPostgres)
	})
}

func (d database) plans(t *testing.T, where string, amount int, check func(*testing.T, *sql.DB, store.Query)) {
	s := open(t, where)
	d.run(t, where, fill(amount)...)
	if d.driver == "pgx" { // it does so by itself after a while; SQLite never does
		d.run(t, where, `VACUUM ANALYZE`)
	}
	db, err := sql.Open(d.driver, where)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var games, met int
	const his = `SELECT count(*) FROM game WHERE (white = 'P0' OR black = 'P0')`
	if err := db.QueryRowContext(t.Context(), his).Scan(&games); err != nil || games < amount/6 {
		t.Fatal(games, err)
	}
	var opponent string
	if err := db.QueryRowContext(t.Context(), `SELECT black FROM game WHERE white = 'P0' ORDER BY id LIMIT 1`).Scan(&opponent); err != nil {
		t.Fatal(err)
	}
	if err := db.QueryRowContext(t.Context(), his+` AND (white = $1 OR black = $1)`, opponent).Scan(&met); err != nil || met == 0 {
		t.Fatal(met, err)
	}
	for _, q := range s.Queries("P0", opponent, games, met, time.UnixMilli(1_740_000_000_000)) {
		t.Run(q.Name, func(t *testing.T) { check(t, db, q) })
	}
	// And what the pages call answers.
	list, err := s.Games(t.Context(), store.Filter{Person: "P0", Outcome: "won"}, store.Cursor{}, 20)
	if err != nil || len(list) != 20 {
		t.Errorf("%d games, %v", len(list), err)
	}
}

// reads tells which table a line of a plan reads whole.
var reads = regexp.MustCompile(`^SCAN (game|person|block|rating|rating_change|r|p|w|b)\b`)

func planOfSQLite(t *testing.T, db *sql.DB, q store.Query) {
	rows, err := db.QueryContext(t.Context(), `EXPLAIN QUERY PLAN `+q.Text, q.Args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var plan []string
	for rows.Next() {
		var id, parent, unused int
		var line string
		if err := rows.Scan(&id, &parent, &unused, &line); err != nil {
			t.Fatal(err)
		}
		plan = append(plan, line)
		if reads.MatchString(line) {
			t.Errorf("reads all: %s", line)
		}
	}
	text := strings.Join(plan, "\n")
	for _, index := range q.Indexes {
		if !regexp.MustCompile(`^SEARCH .* INDEX \w*` + index + `(_1)? \(`).MatchString(lineWith(plan, index)) {
			t.Errorf("%s is not searched:\n%s", index, text)
		}
	}
	if rows.Err() != nil {
		t.Error(rows.Err())
	}
}

func lineWith(plan []string, index string) string {
	at := slices.IndexFunc(plan, func(line string) bool { return regexp.MustCompile(`INDEX \w*` + index + `(_1)? `).MatchString(line) })
	if at < 0 {
		return ""
	}
	return plan[at]
}

// node is a part of a plan of PostgreSQL.
type node struct {
	Type    string  `json:"Node Type"`
	Table   string  `json:"Relation Name"`
	Index   string  `json:"Index Name"`
	Rows    float64 `json:"Actual Rows"`
	Loops   float64 `json:"Actual Loops"`
	Removed float64 `json:"Rows Removed by Filter"`
	Plans   []node  `json:"Plans"`
}

func planOfPostgres(t *testing.T, db *sql.DB, q store.Query) {
	var text []byte
	if err := db.QueryRowContext(t.Context(), `EXPLAIN (ANALYZE, FORMAT JSON) `+q.Text, q.Args...).Scan(&text); err != nil {
		t.Fatal(err)
	}
	var plan []struct{ Plan node }
	if err := json.Unmarshal(text, &plan); err != nil {
		t.Fatal(err)
	}
	looked := 0.0
	var walk func(n node)
	walk = func(n node) {
		if n.Type == "Seq Scan" {
			t.Errorf("reads all of %s", n.Table)
		}
		if n.Table != "" || n.Index != "" {
			looked += (n.Rows + n.Removed) * n.Loops
		}
		for _, inner := range n.Plans {
			walk(inner)
		}
	}
	walk(plan[0].Plan)
	if looked > float64(q.Most) {
		t.Errorf("looks at %v rows, at most %d are to be:\n%s", looked, q.Most, text)
	}
}
