package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"flagfall/server/rating"
)

// standing is what is known of somebody in one kind of rating. The zero value is nobody who was rated.
type standing struct {
	rating.Rating       // after his last rated game
	games         int   // rated
	last          int64 // the latest end of these, ms
}

// at is the rating as it stands at a time.
func (s standing) at(ms int64) rating.Rating {
	if s.games == 0 {
		return rating.New()
	}
	return s.Aged(time.Duration(ms-s.last) * time.Millisecond)
}

// settled is until when the rating is not provisional, ms; 0 if it is.
func (s standing) settled() int64 {
	d := s.Settled()
	if d <= 0 || s.games == 0 {
		return 0
	}
	return s.last + d.Milliseconds()
}

// with is the standing after another game.
func (s standing) with(r rating.Rating, ended int64) standing {
	return standing{Rating: r, games: s.games + 1, last: max(s.last, ended)}
}

// change is what a game did to one player.
type change struct {
	game, person  string
	kind          string
	number, ended int64
	before        rating.Rating
	after         standing
}

// decided holds for the results of games that have one.
func decided(result string) bool {
	_, ok := scores[result]
	return ok
}

// scores are White's.
var scores = map[string]float64{"1-0": 1, "0-1": 0, "1/2-1/2": 0.5}

// rates computes what a game that counts does to both players, from what they were before it.
func rates(g ratedGame, white, black standing) [2]change {
	before := [2]rating.Rating{white.at(g.ended), black.at(g.ended)}
	w, b := rating.Played(before[0], before[1], scores[g.result])
	after := [2]standing{white.with(w, g.ended), black.with(b, g.ended)}
	var both [2]change
	for i, person := range [2]string{g.white, g.black} {
		both[i] = change{game: g.id, person: person, kind: g.kind, number: g.number, ended: g.ended, before: before[i], after: after[i]}
	}
	return both
}

// ratedGame is a game as far as ratings go.
type ratedGame struct {
	id, white, black string
	kind, result     string
	counts           bool
	number, ended    int64
}

// nextNumber gives the next number, and holds the row until the commit: until then nobody else changes ratings.
func nextNumber(ctx context.Context, tx *sql.Tx) (number int64, err error) {
	err = tx.QueryRowContext(ctx, `UPDATE rating_count SET last = last + 1 RETURNING last`).Scan(&number)
	return number, err
}

// rateGame gives a game that was just added its number, and changes the ratings if it counts.
func rateGame(ctx context.Context, tx *sql.Tx, g Game) error {
	number, err := nextNumber(ctx, tx)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE game SET rating_number = $2 WHERE id = $1`, g.ID, number); err != nil || !g.Counts {
		return err
	}
	white, err := standingOf(ctx, tx, g.White, g.Rating)
	if err != nil {
		return err
	}
	black, err := standingOf(ctx, tx, g.Black, g.Rating)
	if err != nil {
		return err
	}
	one := ratedGame{id: g.ID, white: g.White, black: g.Black, kind: g.Rating, result: g.Result, counts: true, number: number, ended: g.Ended.UnixMilli()}
	for _, c := range rates(one, white, black) {
		if err := saveChange(ctx, tx, c); err != nil {
			return err
		}
		if err := saveStanding(ctx, tx, c.person, c.kind, c.after); err != nil {
			return err
		}
	}
	return nil
}

// standingOf reads what somebody is rated now.
func standingOf(ctx context.Context, tx *sql.Tx, person, kind string) (s standing, err error) {
	err = tx.QueryRowContext(ctx, `SELECT rating, deviation, volatility, games, last FROM rating WHERE person = $1 AND kind = $2`, person, kind).
		Scan(&s.Rating.Rating, &s.Deviation, &s.Volatility, &s.games, &s.last)
	if errors.Is(err, sql.ErrNoRows) {
		return standing{}, nil
	}
	return s, err
}

func saveStanding(ctx context.Context, tx *sql.Tx, person, kind string, s standing) error {
	_, err := tx.ExecContext(ctx, `
		INSERT INTO rating (person, kind, rating, deviation, volatility, games, last, settled) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT (person, kind) DO UPDATE SET rating = excluded.rating, deviation = excluded.deviation,
			volatility = excluded.volatility, games = excluded.games, last = excluded.last, settled = excluded.settled`,
		person, kind, s.Rating.Rating, s.Deviation, s.Volatility, s.games, s.last, s.settled())
	return err
}

func saveChange(ctx context.Context, tx *sql.Tx, c change) error {
	_, err := tx.ExecContext(ctx, `
		INSERT INTO rating_change (game, person, kind, number, ended, before, before_deviation, rating, deviation, volatility, games, last)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
		c.game, c.person, c.kind, c.number, c.ended, c.before.Rating, c.before.Deviation,
		c.after.Rating.Rating, c.after.Deviation, c.after.Volatility, c.after.games, c.after.last)
	return err
}
