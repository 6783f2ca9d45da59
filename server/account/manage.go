package account

import (
	"context"
	"errors"
	"fmt"
	"time"
)

const (
	// erasuresEvery is the time between two looks for names that are still to be erased.
	erasuresEvery = time.Minute
	// erasureLasts is how long a deleted person's games are looked at: one that was being played comes to the archive later.
	erasureLasts = time.Hour
	// eraseAtOnce is how many games are changed in one step.
	eraseAtOnce = 50
)

// Delete removes a member's account with his bots, if the password is his: what is known of him is gone, his games stay
// under Deleted, and his name goes to nobody else. ErrCredentials, ErrLastAdmin, ErrBusy.
func (m *Members) Delete(ctx context.Context, s Session, password string) (ended []string, err error) {
	if _, err := m.confirm(ctx, s, password); err != nil {
		return nil, err
	}
	return m.remove(ctx, s.Person.ID)
}

func (m *Members) remove(ctx context.Context, person string) (ended []string, err error) {
	ended, err = m.store.DeleteMember(ctx, person, m.moment(), m.all())
	if err != nil {
		return nil, err
	}
	m.tokens.ended(ended)
	m.log.Info("an account was deleted", "person", person)
	if err := m.erase(ctx); err != nil {
		m.log.Info("the games of a deleted account are not yet all without the name", "person", person, "err", err)
	}
	return ended, nil
}

// erase puts Deleted for the names of those who have left in what is archived of their games.
func (m *Members) erase(ctx context.Context) error {
	all, err := m.store.Erasures(ctx)
	if err != nil {
		return fmt.Errorf("account: erasures: %w", err)
	}
	for person, asked := range all {
		found := 0
		for place := ""; ; {
			n, next, err := m.store.EraseGames(ctx, person, place, eraseAtOnce)
			if err != nil {
				return fmt.Errorf("account: erase games: %w", err)
			}
			found += n
			if place = next; place == "" {
				break
			}
		}
		if found == 0 && m.now().Sub(asked) > erasureLasts {
			if err := m.store.DropErasure(ctx, person); err != nil {
				return fmt.Errorf("account: erasure: %w", err)
			}
		}
	}
	return nil
}

// Require tells the member of a session who has one of the roles; an administrator has all. ErrForbidden for everybody else.
func (m *Members) Require(ctx context.Context, s Session, roles ...Role) (Member, error) {
	if s.Person.Guest {
		return Member{}, ErrForbidden
	}
	member, err := m.store.Member(ctx, s.Person.ID)
	if errors.Is(err, ErrUnknownMember) {
		return Member{}, ErrForbidden
	}
	if err != nil {
		return Member{}, err
	}
	for _, one := range append(roles, Administrator) {
		if member.Role == one {
			return member, nil
		}
	}
	return Member{}, ErrForbidden
}

// Find is the member of a name, or of one that looks like it; ErrUnknownMember.
func (m *Members) Find(ctx context.Context, name string) (Member, error) {
	return m.store.MemberNamed(ctx, Skeleton(name))
}

// Get is the member of a person; ErrUnknownMember.
func (m *Members) Get(ctx context.Context, person string) (Member, error) {
	return m.store.Member(ctx, person)
}

// List is at most limit members by name, after the one of a name, "" for the first.
func (m *Members) List(ctx context.Context, after string, limit int) ([]Member, error) {
	return m.store.Members(ctx, "", Skeleton(after), limit)
}

// Create makes an account without a password: a reset gives it one. ErrName, ErrNameTaken.
func (m *Members) Create(ctx context.Context, name string) (Member, error) {
	if err := CheckName(name); err != nil {
		return Member{}, err
	}
	member := Member{Person: random(idLength), Name: name, Role: Player, Created: m.moment()}
	if err := m.store.AddMember(ctx, member, Login{}, Revocation{}, 0); err != nil {
		return Member{}, err
	}
	m.log.Info("an account was made", "person", member.Person, "name", name)
	return member, nil
}

// SetRole changes a member's role. ErrRole, ErrUnknownMember, ErrBot, ErrLastAdmin.
func (m *Members) SetRole(ctx context.Context, person string, r Role) error {
	if !r.Valid() {
		return ErrRole
	}
	err := m.store.SetRole(ctx, person, r)
	if err == nil {
		m.log.Info("a role was given", "person", person, "role", r)
	}
	return err
}

// SetClosed closes an account with its bots, whose sessions end, or opens it again. ErrUnknownMember, ErrLastAdmin.
func (m *Members) SetClosed(ctx context.Context, person string, closed bool) (ended []string, err error) {
	at := time.Time{}
	if closed {
		at = m.moment()
	}
	ended, err = m.store.SetClosed(ctx, person, at, m.all())
	m.tokens.ended(ended)
	if err == nil {
		m.log.Info("an account was closed or opened", "person", person, "closed", closed)
	}
	return ended, err
}
