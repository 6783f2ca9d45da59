package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

const (
	// rerateBatch is how many games one transaction of a re-rating looks at.
	rerateBatch = 500
	// rerateTime bounds one of its transactions. The last one puts all the new ratings in place of the old ones.
	rerateTime = time.Minute
)

// job is a re-rating: everybody's ratings of one kind, as far as they follow from corrected games, are computed again beside
// those that are shown, and take their place at once when they have come to the end.
type job struct {
	number, next int64
	kind         string
}

// Rerate does the next part of what corrections ask for, in one transaction; more is false when nothing is left to do. It may
// be called by several nodes, and broken off, at any time. The time is when a re-rating that ends here was done.
func (s *Store) Rerate(ctx context.Context, now time.Time) (more bool, err error) {
	err = s.transactFor(ctx, rerateTime, func(ctx context.Context, tx *sql.Tx) error {
		// Who has the row is the only one that works on it.
		var j job
		err := tx.QueryRowContext(ctx, `UPDATE rerating SET next = next
			WHERE number = (SELECT min(number) FROM rerating WHERE finished IS NULL) AND finished IS NULL RETURNING number, kind, next`).
			Scan(&j.number, &j.kind, &j.next)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		more = true
		w, err := s.open(ctx, tx, j)
		if err != nil {
			return err
		}
		full, err := w.batch(ctx)
		if err != nil || full {
			return errors.Join(err, w.save(ctx))
		}
		// No game is added from here to the commit.
		if _, err := tx.ExecContext(ctx, `UPDATE rating_count SET last = last`); err != nil {
			return err
		}
		for again := true; again; {
			if again, err = w.batch(ctx); err != nil {
				return err
			}
		}
		if err := w.save(ctx); err != nil {
			return err
		}
		return w.publish(ctx, now)
	})
	return more && err == nil, s.wrap("rate", "again", err)
}

// rerating is a job at work within a transaction.
type rerating struct {
	tx     *sql.Tx
	job    job
	forced map[string]bool      // the corrected games
	known  map[string]*standing // whom the job touches, nil for whom it does not, as far as they were looked up
	dirty  map[string]bool
	games  int // rated
	most   int // games of a batch
	insert *sql.Stmt
}

func (s *Store) open(ctx context.Context, tx *sql.Tx, j job) (*rerating, error) {
	w := &rerating{tx: tx, job: j, most: s.batch, forced: map[string]bool{}, known: map[string]*standing{}, dirty: map[string]bool{}}
	rows, err := tx.QueryContext(ctx, `SELECT game FROM correction WHERE rerating = $1`, j.number)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		w.forced[id] = true
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	w.insert, err = tx.PrepareContext(ctx, `
		INSERT INTO rerating_change (rerating, game, person, number, ended, before, before_deviation, rating, deviation, volatility, games, last)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`)
	return w, err
}

// batch rates the next games; full tells that there may be more.
func (w *rerating) batch(ctx context.Context) (full bool, err error) {
	games, err := w.read(ctx)
	if err != nil {
		return false, err
	}
	for _, g := range games {
		if err := w.rate(ctx, g); err != nil {
			return false, err
		}
		w.job.next = g.number + 1
	}
	return len(games) == w.most, nil
}

func (w *rerating) read(ctx context.Context) ([]ratedGame, error) {
	rows, err := w.tx.QueryContext(ctx, `SELECT id, white, black, result, counts, rating_number, ended FROM game
		WHERE rating = $1 AND rating_number >= $2 ORDER BY rating_number LIMIT $3`, w.job.kind, w.job.next, w.most)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var games []ratedGame
	for rows.Next() {
		g := ratedGame{kind: w.job.kind}
		if err := rows.Scan(&g.id, &g.white, &g.black, &g.result, &g.counts, &g.number, &g.ended); err != nil {
			return nil, err
		}
		games = append(games, g)
	}
	return games, rows.Err()
}

// rate rates a game again if it is a corrected one, or one of somebody whom the job has touched.
func (w *rerating) rate(ctx context.Context, g ratedGame) error {
	white, err := w.touched(ctx, g.white)
	if err != nil {
		return err
	}
	black, err := w.touched(ctx, g.black)
	if err != nil {
		return err
	}
	if !w.forced[g.id] && white == nil && black == nil {
		return nil
	}
	if !g.counts {
		_, err := w.tx.ExecContext(ctx, `INSERT INTO rerating_gone (rerating, game) VALUES ($1, $2)`, w.job.number, g.id)
		if err != nil || !w.forced[g.id] {
			return err
		}
	}
	var both [2]standing
	for i, side := range []struct {
		person string
		known  *standing
	}{{g.white, white}, {g.black, black}} {
		if side.known != nil {
			both[i] = *side.known
		} else if both[i], err = w.before(ctx, side.person, g.number); err != nil {
			return err
		}
		w.touch(side.person, both[i])
	}
	w.games++
	if !g.counts {
		return nil
	}
	for _, c := range rates(g, both[0], both[1]) {
		w.touch(c.person, c.after)
		_, err := w.insert.ExecContext(ctx, w.job.number, c.game, c.person, c.number, c.ended, c.before.Rating, c.before.Deviation,
			c.after.Rating.Rating, c.after.Deviation, c.after.Volatility, c.after.games, c.after.last)
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *rerating) touch(person string, s standing) {
	w.known[person], w.dirty[person] = &s, true
}

// touched is the standing of somebody whom the job has touched, else nil.
func (w *rerating) touched(ctx context.Context, person string) (*standing, error) {
	if s, ok := w.known[person]; ok {
		return s, nil
	}
	var s standing
	err := w.tx.QueryRowContext(ctx, `SELECT rating, deviation, volatility, games, last FROM rerating_person WHERE rerating = $1 AND person = $2`,
		w.job.number, person).Scan(&s.Rating.Rating, &s.Deviation, &s.Volatility, &s.games, &s.last)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		w.known[person] = nil
		return nil, nil
	case err != nil:
		return nil, err
	}
	w.known[person] = &s
	return &s, nil
}

// before is what somebody was rated before a game, of those whom the job has not touched yet.
func (w *rerating) before(ctx context.Context, person string, number int64) (s standing, err error) {
	err = w.tx.QueryRowContext(ctx, `SELECT rating, deviation, volatility, games, last FROM rating_change
		WHERE person = $1 AND kind = $2 AND number < $3 ORDER BY number DESC LIMIT 1`, person, w.job.kind, number).
		Scan(&s.Rating.Rating, &s.Deviation, &s.Volatility, &s.games, &s.last)
	if errors.Is(err, sql.ErrNoRows) {
		return standing{}, nil
	}
	return s, err
}

// save keeps how far the job has come.
func (w *rerating) save(ctx context.Context) error {
	for person := range w.dirty {
		s := w.known[person]
		_, err := w.tx.ExecContext(ctx, `
			INSERT INTO rerating_person (rerating, person, rating, deviation, volatility, games, last, settled) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
			ON CONFLICT (rerating, person) DO UPDATE SET rating = excluded.rating, deviation = excluded.deviation,
				volatility = excluded.volatility, games = excluded.games, last = excluded.last, settled = excluded.settled`,
			w.job.number, person, s.Rating.Rating, s.Deviation, s.Volatility, s.games, s.last, s.settled())
		if err != nil {
			return err
		}
	}
	_, err := w.tx.ExecContext(ctx, `UPDATE rerating SET next = $2, games = games + $3 WHERE number = $1`, w.job.number, w.job.next, w.games)
	return err
}

// publish puts the new ratings in place of the old ones. What each person was rated before stays with the job.
func (w *rerating) publish(ctx context.Context, now time.Time) error {
	number, kind := w.job.number, w.job.kind
	for _, one := range []struct {
		query string
		args  []any
	}{
		{`UPDATE rerating_person SET before = (SELECT rating FROM rating WHERE rating.person = rerating_person.person AND kind = $2) WHERE rerating = $1`, []any{number, kind}},
		{`DELETE FROM rating_change WHERE game IN (SELECT game FROM rerating_change WHERE rerating = $1)`, []any{number}},
		{`DELETE FROM rating_change WHERE game IN (SELECT game FROM rerating_gone WHERE rerating = $1)`, []any{number}},
		{`INSERT INTO rating_change (game, person, kind, number, ended, before, before_deviation, rating, deviation, volatility, games, last)
			SELECT game, person, CAST($2 AS TEXT), number, ended, before, before_deviation, rating, deviation, volatility, games, last
			FROM rerating_change WHERE rerating = $1`, []any{number, kind}},
		{`DELETE FROM rating WHERE kind = $2 AND person IN (SELECT person FROM rerating_person WHERE rerating = $1)`, []any{number, kind}},
		{`INSERT INTO rating (person, kind, rating, deviation, volatility, games, last, settled)
			SELECT person, CAST($2 AS TEXT), rating, deviation, volatility, games, last, settled FROM rerating_person WHERE rerating = $1 AND games > 0`, []any{number, kind}},
		{`DELETE FROM rerating_change WHERE rerating = $1`, []any{number}},
		{`DELETE FROM rerating_gone WHERE rerating = $1`, []any{number}},
		{`UPDATE rerating SET finished = $2, people = (SELECT count(*) FROM rerating_person WHERE rerating = $1) WHERE number = $1`, []any{number, now.UnixMilli()}},
	} {
		if _, err := w.tx.ExecContext(ctx, one.query, one.args...); err != nil {
			return err
		}
	}
	return nil
}

// Rerated is what a re-rating did to one person.
type Rerated struct {
	Kind          string
	Before, After float64   // 0 for none
	At            time.Time // when it was shown
}

// Reratings lists what finished re-ratings did to somebody, the latest first, at most limit.
func (s *Store) Reratings(ctx context.Context, person string, limit int) ([]Rerated, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	var list []Rerated
	err := s.each(ctx, func(rows *sql.Rows) error {
		var one Rerated
		var games int
		var before sql.NullFloat64
		var finished int64
		err := rows.Scan(&one.Kind, &before, &one.After, &games, &finished)
		if one.Before, one.At = before.Float64, civil(finished); games == 0 {
			one.After = 0
		}
		list = append(list, one)
		return err
	}, `SELECT kind, before, rating, rerating_person.games, finished FROM rerating_person JOIN rerating ON rerating.number = rerating
		WHERE person = $1 AND finished IS NOT NULL ORDER BY rerating DESC LIMIT $2`, person, limit)
	return list, s.wrap("re-ratings of", person, err)
}
