package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// MaxBlocks is how many people one person can block.
const MaxBlocks = 500

// ErrTooManyBlocks says that somebody blocks MaxBlocks people already.
var ErrTooManyBlocks = errors.New("too many people are blocked")

const (
	blocksQuery = `SELECT blocked FROM block WHERE person = $1 UNION SELECT person FROM block WHERE blocked = $1`
	// blockedQuery lists whom somebody blocks, by name.
	blockedQuery = `SELECT p.id, p.name FROM block AS b JOIN person AS p ON p.id = b.blocked WHERE b.person = $1 ORDER BY p.name, p.id`
	// rankQuery is that of ratings, with nothing but what pairing needs.
	rankQuery = `SELECT kind, rating FROM rating WHERE person = $1`
)

// Block keeps that one person blocks another. ErrNotFound: there is no such other; ErrTooManyBlocks. The same again changes
// nothing.
func (s *Store) Block(ctx context.Context, person, blocked string, at time.Time) error {
	return s.wrap("block", blocked, s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		var name string
		if err := tx.QueryRowContext(ctx, `SELECT name FROM person WHERE id = $1`, blocked).Scan(&name); err != nil {
			return err
		}
		var n int
		if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM block WHERE person = $1 AND blocked <> $2`, person, blocked).Scan(&n); err != nil {
			return err
		}
		if n >= MaxBlocks {
			return ErrTooManyBlocks
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO block (person, blocked, at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
			person, blocked, at.UnixMilli())
		return err
	}))
}

// Unblock takes a block back, if there is one.
func (s *Store) Unblock(ctx context.Context, person, blocked string) error {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	_, err := s.db.ExecContext(ctx, `DELETE FROM block WHERE person = $1 AND blocked = $2`, person, blocked)
	return s.wrap("unblock", blocked, err)
}

// Blocked lists whom somebody blocks, by name.
func (s *Store) Blocked(ctx context.Context, person string) ([]Person, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	list := []Person{}
	err := s.each(ctx, func(rows *sql.Rows) error {
		var p Person
		err := rows.Scan(&p.ID, &p.Name)
		list = append(list, p)
		return err
	}, blockedQuery, person)
	return list, s.wrap("blocks of", person, err)
}

// Blocks lists all whom somebody blocks and all who block him, in no order.
func (s *Store) Blocks(ctx context.Context, person string) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	var list []string
	err := s.each(ctx, func(rows *sql.Rows) error {
		var id string
		err := rows.Scan(&id)
		list = append(list, id)
		return err
	}, blocksQuery, person)
	return list, s.wrap("blocks of", person, err)
}

// Ranks are somebody's ratings by kind. Who is not rated in a kind has none of it.
func (s *Store) Ranks(ctx context.Context, person string) (map[string]float64, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	ranks := map[string]float64{}
	err := s.each(ctx, func(rows *sql.Rows) error {
		var kind string
		var points float64
		err := rows.Scan(&kind, &points)
		ranks[kind] = points
		return err
	}, rankQuery, person)
	return ranks, s.wrap("ratings of", person, err)
}
