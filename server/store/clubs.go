package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// ClubRole is what somebody is in a club.
type ClubRole string

// The roles. Organisers make events of the club; its arbiters are proposed for them; owners give roles.
const (
	ClubMember    ClubRole = "member"
	ClubArbiter   ClubRole = "arbiter"
	ClubOrganiser ClubRole = "organiser"
	ClubOwner     ClubRole = "owner"
)

// Errors of clubs.
var (
	ErrClubTaken  = errors.New("there is a club of this name")
	ErrNoClub     = errors.New("there is no such club")
	ErrNotInClub  = errors.New("not a member of the club")
	ErrLastOwner  = errors.New("the club would have no owner")
	ErrClubFull   = errors.New("the club has as many members as a club can have")
	ErrClubRights = errors.New("the role in the club does not allow that")
	ErrClubsOwned = errors.New("as many clubs are owned as one person can own")
)

// Bounds of clubs.
const (
	MostClubMembers = 2000
	MostClubsOwned  = 10
)

// Club is a club. Name is that of its addresses. Created is UTC with millisecond precision.
type Club struct {
	Name, Title, About string
	Created            time.Time
	Members            int // read only
}

// InClub is a member of a club.
type InClub struct {
	Person, Name string
	Role         ClubRole
}

const (
	clubsQuery = `SELECT name, title, about, created, (SELECT COUNT(*) FROM club_member WHERE club_member.club = club.name)
		FROM club WHERE name > $1 ORDER BY name LIMIT $2`
	clubQuery = `SELECT name, title, about, created, (SELECT COUNT(*) FROM club_member WHERE club_member.club = club.name)
		FROM club WHERE name = $1`
	clubMembersQuery = `SELECT p.id, p.name, m.role FROM club_member AS m JOIN person AS p ON p.id = m.person WHERE m.club = $1
		ORDER BY CASE m.role WHEN 'owner' THEN 0 WHEN 'organiser' THEN 1 WHEN 'arbiter' THEN 2 ELSE 3 END, m.since, p.id`
)

func scanClub(row interface{ Scan(...any) error }) (c Club, err error) {
	var created int64
	err = row.Scan(&c.Name, &c.Title, &c.About, &created, &c.Members)
	c.Created = civil(created)
	return c, err
}

// Clubs lists clubs by name, at most limit, those after a name.
func (s *Store) Clubs(ctx context.Context, after string, limit int) ([]Club, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	list := []Club{}
	err := s.each(ctx, func(rows *sql.Rows) error {
		c, err := scanClub(rows)
		list = append(list, c)
		return err
	}, clubsQuery, after, limit)
	return list, s.wrap("list", "clubs", err)
}

// Club finds one, with its members: owners, organisers, arbiters and the others, each by when they came. ErrNoClub.
func (s *Store) Club(ctx context.Context, name string) (Club, []InClub, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	c, err := scanClub(s.db.QueryRowContext(ctx, clubQuery, name))
	if err != nil {
		return Club{}, nil, s.wrap("club", name, none(err, ErrNoClub))
	}
	members := []InClub{}
	err = s.each(ctx, func(rows *sql.Rows) error {
		var m InClub
		err := rows.Scan(&m.Person, &m.Name, &m.Role)
		members = append(members, m)
		return err
	}, clubMembersQuery, name)
	return c, members, s.wrap("club", name, err)
}

// ClubsOf lists what somebody is in which clubs, by club.
func (s *Store) ClubsOf(ctx context.Context, person string) (map[string]ClubRole, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	all := map[string]ClubRole{}
	err := s.each(ctx, func(rows *sql.Rows) error {
		var club string
		var role ClubRole
		err := rows.Scan(&club, &role)
		all[club] = role
		return err
	}, `SELECT club, role FROM club_member WHERE person = $1`, person)
	return all, s.wrap("clubs of", person, err)
}

// AddClub makes a club with its first owner. ErrClubTaken, ErrClubsOwned.
func (s *Store) AddClub(ctx context.Context, c Club, owner string) error {
	return s.wrap("add club", c.Name, s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		// The member's row is held, so that two clubs made at once are counted.
		if _, err := lockMember(ctx, tx, owner); err != nil {
			return err
		}
		var owned int
		if err := tx.QueryRowContext(ctx, `SELECT COUNT(*) FROM club_member WHERE person = $1 AND role = 'owner'`, owner).Scan(&owned); err != nil {
			return err
		}
		if owned >= MostClubsOwned {
			return ErrClubsOwned
		}
		if err := once(ctx, tx, ErrClubTaken, `INSERT INTO club (name, title, about, created) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
			c.Name, c.Title, c.About, millis(c.Created)); err != nil {
			return err
		}
		return addToClub(ctx, tx, c.Name, owner, ClubOwner, c.Created)
	}))
}

func addToClub(ctx context.Context, tx *sql.Tx, club, person string, role ClubRole, at time.Time) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO club_member (club, person, role, since) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
		club, person, string(role), millis(at))
	return err
}

// inClub runs a change of a club while nobody else changes it.
func (s *Store) inClub(ctx context.Context, club string, do func(ctx context.Context, tx *sql.Tx) error) error {
	return s.wrap("change club", club, s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if err := lockClub(ctx, tx, club); err != nil {
			return err
		}
		return do(ctx, tx)
	}))
}

// lockClub holds a club's row until the end of the transaction.
func lockClub(ctx context.Context, tx *sql.Tx, club string) error {
	return once(ctx, tx, ErrNoClub, `UPDATE club SET created = created WHERE name = $1`, club)
}

// roleIn reads a role in a transaction. ErrNotInClub.
func roleIn(ctx context.Context, tx *sql.Tx, club, person string) (role ClubRole, err error) {
	err = tx.QueryRowContext(ctx, `SELECT role FROM club_member WHERE club = $1 AND person = $2`, club, person).Scan(&role)
	return role, none(err, ErrNotInClub)
}

// JoinClub makes somebody with an account a member; who is in it stays what he is. ErrNoClub, ErrClubFull.
func (s *Store) JoinClub(ctx context.Context, club, person string, at time.Time) error {
	return s.wrap("join club", club, s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		// Before the club, as in DeleteMember: who is being deleted does not come in again.
		if _, err := lockMember(ctx, tx, person); err != nil {
			return err
		}
		if err := lockClub(ctx, tx, club); err != nil {
			return err
		}
		var others int
		if err := tx.QueryRowContext(ctx, `SELECT COUNT(*) FROM club_member WHERE club = $1 AND person <> $2`, club, person).Scan(&others); err != nil {
			return err
		}
		if others >= MostClubMembers {
			return ErrClubFull
		}
		return addToClub(ctx, tx, club, person, ClubMember, at)
	}))
}

// SetClubAbout changes what a club says of itself; for owners. ErrNoClub, ErrClubRights.
func (s *Store) SetClubAbout(ctx context.Context, club, by, about string) error {
	return s.inClub(ctx, club, func(ctx context.Context, tx *sql.Tx) error {
		if err := owns(ctx, tx, club, by); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `UPDATE club SET about = $2 WHERE name = $1`, club, about)
		return err
	})
}

func owns(ctx context.Context, tx *sql.Tx, club, person string) error {
	role, err := roleIn(ctx, tx, club, person)
	if errors.Is(err, ErrNotInClub) || err == nil && role != ClubOwner {
		return ErrClubRights
	}
	return err
}

// SetClubRole gives a member a role; for owners. ErrNoClub, ErrNotInClub, ErrClubRights, ErrLastOwner.
func (s *Store) SetClubRole(ctx context.Context, club, by, who string, role ClubRole) error {
	return s.inClub(ctx, club, func(ctx context.Context, tx *sql.Tx) error {
		if err := owns(ctx, tx, club, by); err != nil {
			return err
		}
		was, err := roleIn(ctx, tx, club, who)
		if err == nil && was == ClubOwner && role != ClubOwner {
			err = anotherOwner(ctx, tx, club, who)
		}
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE club_member SET role = $3 WHERE club = $1 AND person = $2`, club, who, string(role))
		return err
	})
}

// anotherOwner fails where somebody is the only owner of a club.
func anotherOwner(ctx context.Context, tx *sql.Tx, club, person string) error {
	var others int
	err := tx.QueryRowContext(ctx, `SELECT COUNT(*) FROM club_member WHERE club = $1 AND role = 'owner' AND person <> $2`, club, person).Scan(&others)
	if err == nil && others == 0 {
		err = ErrLastOwner
	}
	return err
}

// LeaveClub takes somebody out of a club: himself, or a member or arbiter by an organiser or owner, or anybody by an owner.
// ErrNoClub, ErrNotInClub, ErrClubRights, ErrLastOwner.
func (s *Store) LeaveClub(ctx context.Context, club, by, who string) error {
	return s.inClub(ctx, club, func(ctx context.Context, tx *sql.Tx) error {
		may, err := roleIn(ctx, tx, club, by)
		if errors.Is(err, ErrNotInClub) && by != who {
			return ErrClubRights
		}
		if err != nil {
			return err
		}
		role, err := roleIn(ctx, tx, club, who)
		switch high := role == ClubOwner || role == ClubOrganiser; {
		case err != nil:
			return err
		case by != who && may != ClubOwner && (may != ClubOrganiser || high):
			return ErrClubRights
		}
		if role == ClubOwner {
			if err := anotherOwner(ctx, tx, club, who); err != nil {
				return err
			}
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM club_member WHERE club = $1 AND person = $2`, club, who)
		return err
	})
}

// leaveAllClubs takes a person whose account is deleted out of his clubs. A club that loses its last owner goes to the one
// with the highest role who has been in it longest; a club that loses its last member ends.
func leaveAllClubs(ctx context.Context, tx *sql.Tx, person string) error {
	clubs, err := clubsIn(ctx, tx, person)
	if err != nil {
		return err
	}
	for _, club := range clubs {
		if err := lockClub(ctx, tx, club); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM club_member WHERE club = $1 AND person = $2`, club, person); err != nil {
			return err
		}
		if err := anotherOwner(ctx, tx, club, person); err == nil {
			continue
		} else if !errors.Is(err, ErrLastOwner) {
			return err
		}
		heir, err := heirOf(ctx, tx, club)
		if err != nil {
			return err
		}
		if heir == "" {
			_, err = tx.ExecContext(ctx, `DELETE FROM club WHERE name = $1`, club)
		} else {
			_, err = tx.ExecContext(ctx, `UPDATE club_member SET role = 'owner' WHERE club = $1 AND person = $2`, club, heir)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func clubsIn(ctx context.Context, tx *sql.Tx, person string) (clubs []string, err error) {
	rows, err := tx.QueryContext(ctx, `SELECT club FROM club_member WHERE person = $1 ORDER BY club`, person)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var club string
		if err := rows.Scan(&club); err != nil {
			return nil, err
		}
		clubs = append(clubs, club)
	}
	return clubs, rows.Err()
}

// heirOf is who comes first in a club, "" for nobody.
func heirOf(ctx context.Context, tx *sql.Tx, club string) (heir string, err error) {
	err = tx.QueryRowContext(ctx, `SELECT person FROM club_member WHERE club = $1
		ORDER BY CASE role WHEN 'organiser' THEN 1 WHEN 'arbiter' THEN 2 ELSE 3 END, since, person LIMIT 1`, club).Scan(&heir)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return heir, err
}
