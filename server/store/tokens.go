package store

import (
	"context"
	"database/sql"
	"encoding/base64"
	"time"

	"flagfall/server/account"
)

// Shared tells whether other nodes may stand on the same database.
func (s *Store) Shared() bool { return s.watch != nil }

// revocationsPage is how many revocations one call lists.
const revocationsPage = 1000

// SigningKeys lists the keys that sign tokens.
func (s *Store) SigningKeys(ctx context.Context) ([]account.Key, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	var keys []account.Key
	err := s.each(ctx, func(rows *sql.Rows) error {
		var key account.Key
		var seed string
		var signs int64
		err := rows.Scan(&key.Number, &key.ID, &seed, &signs)
		if err == nil {
			key.Seed, err = base64.StdEncoding.DecodeString(seed)
		}
		key.Signs = civil(signs)
		keys = append(keys, key)
		return err
	}, `SELECT number, id, seed, signs FROM signing_key ORDER BY number`)
	if err != nil {
		return nil, s.wrap("read", "the keyset", err)
	}
	return keys, nil
}

// AddSigningKeys adds keys in one transaction; one whose number is taken is passed over.
func (s *Store) AddSigningKeys(ctx context.Context, keys ...account.Key) error {
	return s.wrap("add to", "the keyset", s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		for _, key := range keys {
			_, err := tx.ExecContext(ctx, `INSERT INTO signing_key (number, id, seed, signs) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
				key.Number, key.ID, base64.StdEncoding.EncodeToString(key.Seed), key.Signs.UnixMilli())
			if err != nil {
				return err
			}
		}
		return nil
	}))
}

// DropSigningKey removes the key of an id, if it is there.
func (s *Store) DropSigningKey(ctx context.Context, id string) error {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	_, err := s.db.ExecContext(ctx, `DELETE FROM signing_key WHERE id = $1`, id)
	return s.wrap("drop signing key", id, err)
}

// Revoke adds a revocation. The row of the count is locked until the commit, so numbers become visible in their order.
func (s *Store) Revoke(ctx context.Context, r account.Revocation) error {
	return s.wrap("revoke", r.ID, s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		return revoke(ctx, tx, r.Until, r.ID)
	}))
}

func revoke(ctx context.Context, tx *sql.Tx, until time.Time, ids ...string) error {
	for _, id := range ids {
		var number int64
		if err := tx.QueryRowContext(ctx, `UPDATE revocation_count SET last = last + 1 RETURNING last`).Scan(&number); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO revocation (id, number, until) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
			id, number, until.UnixMilli()); err != nil {
			return err
		}
	}
	return nil
}

// Revocations lists at most a thousand of those after a number, and gives the number of the last.
func (s *Store) Revocations(ctx context.Context, after int64) (list []account.Revocation, last int64, err error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	last = after
	err = s.each(ctx, func(rows *sql.Rows) error {
		var one account.Revocation
		var until int64
		err := rows.Scan(&last, &one.ID, &until)
		one.Until = civil(until)
		list = append(list, one)
		return err
	}, `SELECT number, id, until FROM revocation WHERE number > $1 ORDER BY number LIMIT $2`, after, revocationsPage)
	if err != nil {
		return nil, after, s.wrap("read", "the revocations", err)
	}
	return list, last, nil
}

// ForgetRevocations removes those that ended before a time.
func (s *Store) ForgetRevocations(ctx context.Context, before time.Time) error {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	_, err := s.db.ExecContext(ctx, `DELETE FROM revocation WHERE until < $1`, before.UnixMilli())
	return s.wrap("forget", "old revocations", err)
}

// each calls scan for every row of a query.
func (s *Store) each(ctx context.Context, scan func(*sql.Rows) error, query string, args ...any) error {
	rows, err := s.db.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// transact does all of what do does, or nothing.
func (s *Store) transact(ctx context.Context, do func(context.Context, *sql.Tx) error) error {
	return s.transactFor(ctx, answerTime, do)
}

// transactFor is transact within a time.
func (s *Store) transactFor(ctx context.Context, most time.Duration, do func(context.Context, *sql.Tx) error) error {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // after a commit there is nothing to roll back
	if err := do(ctx, tx); err != nil {
		return err
	}
	return tx.Commit()
}
