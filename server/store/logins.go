package store

import (
	"context"
	"database/sql"
	"time"

	"flagfall/server/account"
)

// AddLogin adds a session of a member.
func (s *Store) AddLogin(ctx context.Context, l account.Login, password string) error {
	return s.wrap("add login", l.Person, s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		m, err := lockMember(ctx, tx, l.Person)
		switch {
		case err != nil:
			return err
		case l.Key == "" && (m.Password == "" || m.Password != password):
			return account.ErrCredentials
		case !m.Closed.IsZero():
			return account.ErrClosed
		case l.Key != "":
			// Held until the end: a session must not be added while its key is dropped.
			if err := once(ctx, tx, account.ErrUnknownKey, `UPDATE api_key SET created = created WHERE id = $1 AND person = $2`, l.Key, l.Person); err != nil {
				return err
			}
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM login WHERE person = $1 AND until < $2`, l.Person, millis(l.Created)); err != nil {
			return err
		}
		return insertLogin(ctx, tx, l)
	}))
}

func insertLogin(ctx context.Context, tx *sql.Tx, l account.Login) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO login (id, person, api_key, created, seen, until) VALUES ($1, $2, $3, $4, $5, $6)`,
		l.ID, l.Person, l.Key, millis(l.Created), millis(l.Seen), millis(l.Until))
	return err
}

// RenewLogin notes that a session goes on.
func (s *Store) RenewLogin(ctx context.Context, id string, seen, until time.Time) error {
	return s.wrap("renew login", id, s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		return once(ctx, tx, account.ErrSessionEnded, `UPDATE login SET seen = $2, until = $3 WHERE id = $1`, id, millis(seen), millis(until))
	}))
}

// Logins lists the sessions of a person.
func (s *Store) Logins(ctx context.Context, person string) (list []account.Login, err error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	err = s.each(ctx, func(rows *sql.Rows) error {
		l := account.Login{Person: person}
		var created, seen, until int64
		err := rows.Scan(&l.ID, &l.Key, &created, &seen, &until)
		l.Created, l.Seen, l.Until = civil(created), civil(seen), civil(until)
		list = append(list, l)
		return err
	}, `SELECT id, api_key, created, seen, until FROM login WHERE person = $1 ORDER BY created, id`, person)
	if err != nil {
		return nil, s.wrap("logins of", person, err)
	}
	return list, nil
}

// EndLogins ends sessions of a person.
func (s *Store) EndLogins(ctx context.Context, person string, e account.Ending) (ended []string, err error) {
	err = s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if err := holdRevocations(ctx, tx); err != nil {
			return err
		}
		ended, err = endLogins(ctx, tx, person, e)
		return err
	})
	return ended, s.wrap("end logins of", person, err)
}

// holdRevocations locks the row of the count until the end. Who ends sessions takes it before any account's, so that no
// two wait for each other.
func holdRevocations(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, `UPDATE revocation_count SET last = last`)
	return err
}

func endLogins(ctx context.Context, tx *sql.Tx, person string, e account.Ending) ([]string, error) {
	if e.None {
		return nil, nil
	}
	rows, err := tx.QueryContext(ctx, `DELETE FROM login WHERE person = $1 AND id <> $2 AND ($3 = '' OR id = $3) AND ($4 = '' OR api_key = $4)
		RETURNING id`, person, e.Except, e.Only, e.Key)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var ended []string
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ended = append(ended, id)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	return ended, revoke(ctx, tx, e.Until, ended...)
}

// AddReset adds a permission to choose a new password.
func (s *Store) AddReset(ctx context.Context, r account.Reset) error {
	return s.wrap("add reset", r.Person, s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		m, err := lockMember(ctx, tx, r.Person)
		if err == nil && m.Bot() {
			err = account.ErrBot
		}
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO password_reset (person, hash, until) VALUES ($1, $2, $3)
			ON CONFLICT (person) DO UPDATE SET hash = excluded.hash, until = excluded.until`, r.Person, r.Hash, millis(r.Until))
		return err
	}))
}

// ResetOf finds the person of a permission.
func (s *Store) ResetOf(ctx context.Context, hash string, at time.Time) (person string, err error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	err = s.db.QueryRowContext(ctx, `SELECT person FROM password_reset WHERE hash = $1 AND until > $2`, hash, millis(at)).Scan(&person)
	return person, s.wrap("read", "a reset", none(err, account.ErrResetCode))
}

// UseReset sets a password by a permission.
func (s *Store) UseReset(ctx context.Context, hash string, at time.Time, password string, e account.Ending) (ended []string, err error) {
	err = s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if err := holdRevocations(ctx, tx); err != nil {
			return err
		}
		var person string
		err := tx.QueryRowContext(ctx, `DELETE FROM password_reset WHERE hash = $1 AND until > $2 RETURNING person`, hash, millis(at)).Scan(&person)
		if err != nil {
			return none(err, account.ErrResetCode)
		}
		if err := once(ctx, tx, account.ErrResetCode, `UPDATE account SET password = $2 WHERE person = $1`, person, password); err != nil {
			return err
		}
		ended, err = endLogins(ctx, tx, person, e)
		return err
	})
	return ended, s.wrap("use", "a reset", err)
}

// AddAPIKey adds a key of a bot.
func (s *Store) AddAPIKey(ctx context.Context, k account.APIKey, limit int) error {
	return s.wrap("add API token", k.Person, s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if _, err := lockMember(ctx, tx, k.Person); err != nil {
			return err
		}
		var count int
		if err := tx.QueryRowContext(ctx, `SELECT COUNT(*) FROM api_key WHERE person = $1`, k.Person).Scan(&count); err != nil {
			return err
		}
		if count >= limit {
			return account.ErrTooMany
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO api_key (id, hash, person, created) VALUES ($1, $2, $3, $4)`, k.ID, k.Hash, k.Person, millis(k.Created))
		return err
	}))
}

// APIKeys lists the keys of a bot.
func (s *Store) APIKeys(ctx context.Context, person string) (list []account.APIKey, err error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	err = s.each(ctx, func(rows *sql.Rows) error {
		k := account.APIKey{Person: person}
		var created int64
		err := rows.Scan(&k.ID, &k.Hash, &created)
		k.Created = civil(created)
		list = append(list, k)
		return err
	}, `SELECT id, hash, created FROM api_key WHERE person = $1 ORDER BY created, id`, person)
	if err != nil {
		return nil, s.wrap("API tokens of", person, err)
	}
	return list, nil
}

// APIKeyOf finds a key by its hash.
func (s *Store) APIKeyOf(ctx context.Context, hash string) (account.APIKey, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	k := account.APIKey{Hash: hash}
	var created int64
	err := s.db.QueryRowContext(ctx, `SELECT id, person, created FROM api_key WHERE hash = $1`, hash).Scan(&k.ID, &k.Person, &created)
	if err != nil {
		return account.APIKey{}, s.wrap("read", "an API token", none(err, account.ErrUnknownKey))
	}
	k.Created = civil(created)
	return k, nil
}

// DropAPIKey removes a key of a bot.
func (s *Store) DropAPIKey(ctx context.Context, person, id string, e account.Ending) (ended []string, err error) {
	err = s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if err := holdRevocations(ctx, tx); err != nil {
			return err
		}
		if err := once(ctx, tx, account.ErrUnknownKey, `DELETE FROM api_key WHERE id = $1 AND person = $2`, id, person); err != nil {
			return err
		}
		e.Key = id
		ended, err = endLogins(ctx, tx, person, e)
		return err
	})
	return ended, s.wrap("drop API token of", person, err)
}
