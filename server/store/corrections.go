package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"
)

// ReasonCorrected is the reason of a result that was changed; an arbiter may give it during the game, too.
const ReasonCorrected = "arbiter"

// Correction is a result that is set after the game (rulings D38). The game's record stays as it is.
type Correction struct {
	Game   string
	Result string // "1-0", "0-1", "1/2-1/2" or "*" (void)
	Casual bool   // it does not count for a rating, though the game was played for one; not read back
	By     string // who corrects it
	Why    string
	At     time.Time
}

// Corrected is a correction on record.
type Corrected struct {
	Correction
	Before       string // the result
	BeforeReason string
	BeforeRule   string
	Counted      bool // before
	Counts       bool // now
	// Rated is when the ratings that follow were shown; the zero time before that.
	Rated time.Time
}

// ErrSame says that a correction would change nothing.
var ErrSame = errors.New("the game has this result already")

// Correct sets the results of games, all or none. Ratings follow by Rerate, until which the old ones are shown. It fails with
// ErrNotFound and ErrSame.
func (s *Store) Correct(ctx context.Context, corrections ...Correction) error {
	if len(corrections) == 0 {
		return errors.New("store: correct: no game is named")
	}
	return s.wrap("correct", corrections[0].Game, s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		jobs := map[string]*job{}
		for _, c := range corrections {
			if err := correct(ctx, tx, c, jobs); err != nil {
				return fmt.Errorf("game %s: %w", c.Game, err)
			}
		}
		for _, j := range jobs {
			_, err := tx.ExecContext(ctx, `INSERT INTO rerating (number, kind, next, asked, games, people) VALUES ($1, $2, $3, $4, 0, 0)`,
				j.number, j.kind, j.next, corrections[0].At.UnixMilli())
			if err != nil {
				return err
			}
		}
		return nil
	}))
}

func (c Correction) check() error {
	switch {
	case !decided(c.Result) && c.Result != "*":
		return fmt.Errorf("%q is no result: want 1-0, 0-1, 1/2-1/2 or *", c.Result)
	case strings.TrimSpace(c.By) == "" || strings.TrimSpace(c.Why) == "":
		return errors.New("a correction needs who makes it and why")
	}
	return nil
}

// played tells whether who did not win has moved: a forfeit without a move is never rated. White moves first.
func played(plies int, result string) bool {
	if result == "0-1" {
		return plies > 0
	}
	return plies > 1
}

// correct changes one game, and notes in jobs what must be rated again.
func correct(ctx context.Context, tx *sql.Tx, c Correction, jobs map[string]*job) error {
	if err := c.check(); err != nil {
		return err
	}
	number, err := nextNumber(ctx, tx)
	if err != nil {
		return err
	}
	var result, reason, rule, kind, white, black string
	var plies int
	var counted bool
	var place sql.NullInt64
	err = tx.QueryRowContext(ctx, `SELECT result, reason, rule, rating, white, black, plies, counts, rating_number FROM game WHERE id = $1`, c.Game).
		Scan(&result, &reason, &rule, &kind, &white, &black, &plies, &counted, &place)
	if err != nil {
		return err
	}
	counts := place.Valid && white != black && decided(c.Result) && !c.Casual && played(plies, c.Result)
	if result == c.Result && counted == counts {
		return ErrSame
	}
	var follows sql.NullInt64
	if counted || counts {
		j := jobs[kind]
		if j == nil {
			j = &job{kind: kind, next: place.Int64}
			if j.number, err = nextNumber(ctx, tx); err != nil {
				return err
			}
			jobs[kind] = j
		}
		j.next = min(j.next, place.Int64)
		follows = sql.NullInt64{Int64: j.number, Valid: true}
	}
	if result == c.Result { // why the game ended so is known
		_, err = tx.ExecContext(ctx, `UPDATE game SET counts = $2 WHERE id = $1`, c.Game, counts)
	} else {
		_, err = tx.ExecContext(ctx, `UPDATE game SET result = $2, reason = $3, rule = '', counts = $4 WHERE id = $1`, c.Game, c.Result, ReasonCorrected, counts)
	}
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `
		INSERT INTO correction (number, game, result_before, reason_before, rule_before, counts_before, result, counts, by_whom, why, at, rerating)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
		number, c.Game, result, reason, rule, counted, c.Result, counts, c.By, c.Why, c.At.UnixMilli(), follows)
	return err
}

// Corrections lists those of a game, the first one first.
func (s *Store) Corrections(ctx context.Context, game string) ([]Corrected, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	var list []Corrected
	err := s.each(ctx, func(rows *sql.Rows) error {
		one := Corrected{Correction: Correction{Game: game}}
		var at int64
		var finished sql.NullInt64
		err := rows.Scan(&one.Before, &one.BeforeReason, &one.BeforeRule, &one.Counted, &one.Result, &one.Counts, &one.By, &one.Why, &at, &finished)
		one.At = civil(at)
		if finished.Valid {
			one.Rated = civil(finished.Int64)
		}
		list = append(list, one)
		return err
	}, `SELECT result_before, reason_before, rule_before, counts_before, result, counts, by_whom, why, at, finished
		FROM correction LEFT JOIN rerating ON rerating.number = correction.rerating WHERE game = $1 ORDER BY correction.number`, game)
	return list, s.wrap("corrections of", game, err)
}
