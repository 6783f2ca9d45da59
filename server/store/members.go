package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"flagfall/server/account"
)

const memberColumns = `account.person, person.name, account.password, account.role, account.owner, account.created, account.closed`

const fromMembers = ` FROM account JOIN person ON person.id = account.person `

func scanMember(row interface{ Scan(...any) error }) (account.Member, error) {
	var m account.Member
	var created, closed int64
	if err := row.Scan(&m.Person, &m.Name, &m.Password, &m.Role, &m.Owner, &created, &closed); err != nil {
		return account.Member{}, err
	}
	m.Created = civil(created)
	if closed != 0 {
		m.Closed = civil(closed)
	}
	return m, nil
}

// none turns no rows into an error of the account's own.
func none(err, instead error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return instead
	}
	return err
}

// millis is a time as the tables hold it: 0 for the zero time.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// AddMember makes a person a member.
func (s *Store) AddMember(ctx context.Context, m account.Member, first account.Login, ended account.Revocation, bots int) error {
	return s.wrap("add member", m.Person, s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if ended.ID != "" {
			if err := revoke(ctx, tx, ended.Until, ended.ID); err != nil {
				return err
			}
		}
		if m.Bot() {
			if err := roomForBot(ctx, tx, m.Owner, bots); err != nil {
				return err
			}
		}
		skeleton := account.Skeleton(m.Name)
		if err := once(ctx, tx, account.ErrRegistered, `INSERT INTO account (person, skeleton, password, role, owner, created, closed)
			VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
			m.Person, skeleton, m.Password, string(m.Role), m.Owner, millis(m.Created), millis(m.Closed)); err != nil {
			return err
		}
		if err := once(ctx, tx, account.ErrNameTaken, `INSERT INTO taken_name (skeleton, person) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
			skeleton, m.Person); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO person (id, name, guest, bot, created, last_seen) VALUES ($1, $2, FALSE, $3, $4, $4)
			ON CONFLICT (id) DO UPDATE SET name = excluded.name, guest = FALSE, bot = excluded.bot`,
			m.Person, m.Name, m.Bot(), millis(m.Created)); err != nil {
			return err
		}
		if first.ID == "" {
			return nil
		}
		return insertLogin(ctx, tx, first)
	}))
}

// roomForBot holds the owner's row until the end, so that two bots made at once are counted.
func roomForBot(ctx context.Context, tx *sql.Tx, owner string, most int) error {
	var count int
	if err := once(ctx, tx, account.ErrUnknownMember, `UPDATE account SET created = created WHERE person = $1 AND owner = ''`, owner); err != nil {
		return err
	}
	if err := tx.QueryRowContext(ctx, `SELECT COUNT(*) FROM account WHERE owner = $1`, owner).Scan(&count); err != nil {
		return err
	}
	if count >= most {
		return account.ErrTooMany
	}
	return nil
}

// once runs a statement that changes a row, or fails with instead when it changes none.
func once(ctx context.Context, tx *sql.Tx, instead error, statement string, args ...any) error {
	done, err := tx.ExecContext(ctx, statement, args...)
	if err != nil {
		return err
	}
	rows, err := done.RowsAffected()
	if err == nil && rows == 0 {
		return instead
	}
	return err
}

// Member finds one by the person's id.
func (s *Store) Member(ctx context.Context, person string) (account.Member, error) {
	return s.member(ctx, `WHERE account.person = $1`, person)
}

// MemberNamed finds one by the skeleton of a name.
func (s *Store) MemberNamed(ctx context.Context, skeleton string) (account.Member, error) {
	return s.member(ctx, `WHERE account.skeleton = $1`, skeleton)
}

func (s *Store) member(ctx context.Context, where, what string) (account.Member, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	m, err := scanMember(s.db.QueryRowContext(ctx, `SELECT `+memberColumns+fromMembers+where, what))
	return m, s.wrap("member", what, none(err, account.ErrUnknownMember))
}

// Members lists members by skeleton.
func (s *Store) Members(ctx context.Context, owner, after string, limit int) (list []account.Member, err error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	where, args := `WHERE account.skeleton > $1 ORDER BY account.skeleton LIMIT $2`, []any{after, limit}
	if owner != "" {
		where, args = `WHERE account.owner = $3 AND account.skeleton > $1 ORDER BY account.skeleton LIMIT $2`, append(args, owner)
	}
	err = s.each(ctx, func(rows *sql.Rows) error {
		m, err := scanMember(rows)
		list = append(list, m)
		return err
	}, `SELECT `+memberColumns+fromMembers+where, args...)
	if err != nil {
		return nil, s.wrap("list", "members", err)
	}
	return list, nil
}

// lockMember holds a member's row until the end of the transaction, and reads it.
func lockMember(ctx context.Context, tx *sql.Tx, person string) (m account.Member, err error) {
	var closed int64
	err = tx.QueryRowContext(ctx, `UPDATE account SET created = created WHERE person = $1 RETURNING person, password, role, owner, closed`, person).
		Scan(&m.Person, &m.Password, &m.Role, &m.Owner, &closed)
	if closed != 0 {
		m.Closed = civil(closed)
	}
	return m, none(err, account.ErrUnknownMember)
}

// SetPassword replaces a password that is still the one that was seen.
func (s *Store) SetPassword(ctx context.Context, person, from, to string, e account.Ending) (ended []string, err error) {
	err = s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if err := holdRevocations(ctx, tx); err != nil {
			return err
		}
		if err := once(ctx, tx, account.ErrCredentials, `UPDATE account SET password = $3 WHERE person = $1 AND password = $2`, person, from, to); err != nil {
			return err
		}
		ended, err = endLogins(ctx, tx, person, e)
		return err
	})
	return ended, s.wrap("set password", person, err)
}

// SetRole changes a role.
func (s *Store) SetRole(ctx context.Context, person string, r account.Role) error {
	return s.wrap("set role", person, s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if err := holdRevocations(ctx, tx); err != nil { // one after the other, or two administrators could undo each other
			return err
		}
		m, err := lockMember(ctx, tx, person)
		switch {
		case err != nil:
			return err
		case m.Bot():
			return account.ErrBot
		case r != account.Administrator:
			if err := anotherAdmin(ctx, tx, m); err != nil {
				return err
			}
		}
		_, err = tx.ExecContext(ctx, `UPDATE account SET role = $2 WHERE person = $1`, person, string(r))
		return err
	}))
}

// anotherAdmin fails where a member is the only administrator whose account is open.
func anotherAdmin(ctx context.Context, tx *sql.Tx, m account.Member) error {
	if m.Role != account.Administrator || !m.Closed.IsZero() {
		return nil
	}
	var others int
	err := tx.QueryRowContext(ctx, `SELECT COUNT(*) FROM account WHERE role = $1 AND closed = 0 AND person <> $2`,
		string(account.Administrator), m.Person).Scan(&others)
	if err == nil && others == 0 {
		return account.ErrLastAdmin
	}
	return err
}

// withBots lists a person and his bots.
func withBots(ctx context.Context, tx *sql.Tx, person string) ([]string, error) {
	all := []string{person}
	rows, err := tx.QueryContext(ctx, `SELECT person FROM account WHERE owner = $1`, person)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var bot string
		if err := rows.Scan(&bot); err != nil {
			return nil, err
		}
		all = append(all, bot)
	}
	return all, rows.Err()
}

// forAll does something to a member and to his bots, unless he is the last administrator.
func (s *Store) forAll(ctx context.Context, person string, spare bool, do func(ctx context.Context, tx *sql.Tx, one string) error) error {
	return s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if err := holdRevocations(ctx, tx); err != nil {
			return err
		}
		m, err := lockMember(ctx, tx, person)
		if err == nil && spare {
			err = anotherAdmin(ctx, tx, m)
		}
		if err != nil {
			return err
		}
		all, err := withBots(ctx, tx, person)
		if err != nil {
			return err
		}
		for _, one := range all {
			if err := do(ctx, tx, one); err != nil {
				return err
			}
		}
		return nil
	})
}

// SetClosed closes or opens an account with its bots.
func (s *Store) SetClosed(ctx context.Context, person string, closed time.Time, e account.Ending) (ended []string, err error) {
	err = s.forAll(ctx, person, !closed.IsZero(), func(ctx context.Context, tx *sql.Tx, one string) error {
		if _, err := tx.ExecContext(ctx, `UPDATE account SET closed = $2 WHERE person = $1`, one, millis(closed)); err != nil || closed.IsZero() {
			return err
		}
		more, err := endLogins(ctx, tx, one, e)
		ended = append(ended, more...)
		return err
	})
	return ended, s.wrap("close account", person, err)
}

// DeleteMember removes a member and his bots.
func (s *Store) DeleteMember(ctx context.Context, person string, at time.Time, e account.Ending) (ended []string, err error) {
	err = s.forAll(ctx, person, true, func(ctx context.Context, tx *sql.Tx, one string) error {
		more, err := endLogins(ctx, tx, one, e)
		if err != nil {
			return err
		}
		ended = append(ended, more...)
		if err := leaveAllClubs(ctx, tx, one); err != nil {
			return err
		}
		for _, statement := range []string{
			`DELETE FROM identity WHERE person = $1`, `DELETE FROM api_key WHERE person = $1`, `DELETE FROM password_reset WHERE person = $1`,
			`DELETE FROM block WHERE person = $1`, `DELETE FROM block WHERE blocked = $1`,
			`DELETE FROM account WHERE person = $1`, `UPDATE taken_name SET person = '' WHERE person = $1`,
			fmt.Sprintf(`UPDATE person SET name = '%s', created = 0, last_seen = 0 WHERE id = $1`, account.Deleted),
		} {
			if _, err := tx.ExecContext(ctx, statement, one); err != nil {
				return err
			}
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO erasure (person, asked) VALUES ($1, $2) ON CONFLICT DO NOTHING`, one, millis(at))
		return err
	})
	return ended, s.wrap("delete member", person, err)
}
