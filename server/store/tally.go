package store

import (
	"context"
	"database/sql"
)

// Tally counts games by their outcome for somebody. Void games are in none.
type Tally struct{ Won, Drawn, Lost int }

// RulesTally is the tally of a rule set, of rated games or of casual ones.
type RulesTally struct {
	Rules string
	Rated bool
	Tally
}

// OpponentTally is the tally against somebody.
type OpponentTally struct {
	Person, Name string
	Tally
}

// MostMet is a place in a person's opponents, who are listed by the number of games, the most first. The zero value begins.
type MostMet struct {
	Games  int
	Person string
}

const (
	tallies = `SUM(CASE WHEN outcome = 1 THEN 1 ELSE 0 END), SUM(CASE WHEN outcome = 0 THEN 1 ELSE 0 END), SUM(CASE WHEN outcome = -1 THEN 1 ELSE 0 END)`
	asWhite = `CASE result WHEN '1-0' THEN 1 WHEN '0-1' THEN -1 ELSE 0 END AS outcome FROM game WHERE white = $1 AND result <> '*' AND black <> $1`
	asBlack = `CASE result WHEN '0-1' THEN 1 WHEN '1-0' THEN -1 ELSE 0 END AS outcome FROM game WHERE black = $1 AND result <> '*' AND white <> $1`

	recordQuery = `SELECT rules, counts, ` + tallies + ` FROM (SELECT rules, counts, ` + asWhite + ` UNION ALL SELECT rules, counts, ` + asBlack + `) AS games
		GROUP BY rules, counts ORDER BY rules, counts`
	againstQuery = `SELECT rules, counts, ` + tallies + ` FROM (SELECT rules, counts, ` + asWhite + ` AND black = $2 UNION ALL SELECT rules, counts, ` + asBlack + ` AND white = $2) AS games
		GROUP BY rules, counts ORDER BY rules, counts`
	opponentsQuery = `SELECT opponent, person.name, won, drawn, lost FROM
		(SELECT opponent, count(*) AS games, ` + opponentTallies + ` FROM (SELECT black AS opponent, ` + asWhite + ` UNION ALL SELECT white AS opponent, ` + asBlack + `) AS games
			GROUP BY opponent HAVING (count(*), opponent) < ($2, $3) ORDER BY games DESC, opponent DESC LIMIT $4) AS met
		LEFT JOIN person ON person.id = opponent ORDER BY games DESC, opponent DESC`
	opponentTallies = `SUM(CASE WHEN outcome = 1 THEN 1 ELSE 0 END) AS won, SUM(CASE WHEN outcome = 0 THEN 1 ELSE 0 END) AS drawn, SUM(CASE WHEN outcome = -1 THEN 1 ELSE 0 END) AS lost`
)

// Record tallies all games of a person.
func (s *Store) Record(ctx context.Context, person string) ([]RulesTally, error) {
	return s.tally(ctx, person, recordQuery, person)
}

// Against tallies the games of a person against another one.
func (s *Store) Against(ctx context.Context, person, opponent string) ([]RulesTally, error) {
	return s.tally(ctx, person, againstQuery, person, opponent)
}

func (s *Store) tally(ctx context.Context, person, query string, args ...any) ([]RulesTally, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	list := []RulesTally{}
	err := s.each(ctx, func(rows *sql.Rows) error {
		var one RulesTally
		err := rows.Scan(&one.Rules, &one.Rated, &one.Won, &one.Drawn, &one.Lost)
		list = append(list, one)
		return err
	}, query, args...)
	return list, s.wrap("tally of", person, err)
}

// Opponents tallies the games of a person by opponent, at most limit of them, after a place.
func (s *Store) Opponents(ctx context.Context, person string, after MostMet, limit int) ([]OpponentTally, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	if after == (MostMet{}) {
		after.Games = 1 << 52
	}
	list := []OpponentTally{}
	err := s.each(ctx, func(rows *sql.Rows) error {
		var one OpponentTally
		var name sql.NullString
		err := rows.Scan(&one.Person, &name, &one.Won, &one.Drawn, &one.Lost)
		one.Name = name.String
		list = append(list, one)
		return err
	}, opponentsQuery, person, after.Games, after.Person, limit)
	return list, s.wrap("opponents of", person, err)
}
