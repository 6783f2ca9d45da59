package account

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"log/slog"
	"time"
)

// MembersConfig is what Members are made of. Store and Tokens are needed.
type MembersConfig struct {
	Store  MemberStore
	Tokens *Tokens
	Hasher *Hasher          // nil means one at OWASP's cost
	Log    *slog.Logger     // nil means slog.Default
	Now    func() time.Time // nil means time.Now
}

// Members are the people with an account: they register, log in and out, and manage what is theirs. Errors are those
// of this package, or the store's; after each everything is as it was. Methods that end sessions list them: on this node
// their tokens are refused when the method returns, on others within two seconds. Safe for concurrent use.
type Members struct {
	store  MemberStore
	tokens *Tokens
	hasher *Hasher
	log    *slog.Logger
	now    func() time.Time
	loop   *repeater
}

// OpenMembers begins to erase the names of those who have left, until Close.
func OpenMembers(c MembersConfig) *Members {
	m := &Members{store: c.Store, tokens: c.Tokens, hasher: c.Hasher, log: c.Log, now: c.Now}
	if m.hasher == nil {
		m.hasher = NewHasher(OWASP, 0)
	}
	if m.log == nil {
		m.log = slog.Default()
	}
	if m.now == nil {
		m.now = time.Now
	}
	m.loop = repeat(erasuresEvery, "the games of deleted accounts", m.log, func(ctx context.Context) error {
		if err := m.erase(ctx); err != nil { // the store raises the alarm
			m.log.Debug("names of deleted accounts are erased later", "err", err)
		}
		return nil
	})
	return m
}

// Close ends what OpenMembers has begun.
func (m *Members) Close() { m.loop.end() }

// moment is now as the store keeps it.
func (m *Members) moment() time.Time { return m.now().UTC().Truncate(time.Millisecond) }

// all ends every session of a person.
func (m *Members) all() Ending { return Ending{Until: m.tokens.until()} }

// begin makes the first token of a session of a member, and what the store has to know of it.
func (m *Members) begin(p Person, key string) (Session, Login, error) {
	s, err := m.tokens.Issue(p)
	now := m.moment()
	return s, Login{ID: s.ID, Person: p.ID, Key: key, Created: now, Seen: now, Until: m.tokens.until()}, err
}

// Register makes somebody a member and logs him in. A guest, whose session is given, stays the same person and that
// session ends; for anybody else it is the zero Session. ErrName, ErrPassword, ErrNameTaken, ErrRegistered, ErrBusy.
func (m *Members) Register(ctx context.Context, guest Session, name, password string) (Session, error) {
	if guest.ID != "" && !guest.Person.Guest {
		return Session{}, ErrRegistered
	}
	if err := CheckName(name); err != nil {
		return Session{}, err
	}
	if err := CheckPassword(password, name); err != nil {
		return Session{}, err
	}
	// Asked before the costly part; AddMember decides.
	if _, err := m.store.MemberNamed(ctx, Skeleton(name)); err == nil {
		return Session{}, ErrNameTaken
	} else if !errors.Is(err, ErrUnknownMember) {
		return Session{}, err
	}
	hash, err := m.hasher.Hash(ctx, password)
	if err != nil {
		return Session{}, err
	}
	person := Person{ID: guest.Person.ID, Name: name}
	var ended Revocation
	if guest.ID == "" {
		person.ID = random(idLength)
	} else {
		ended = Revocation{ID: guest.ID, Until: m.tokens.until()}
	}
	s, login, err := m.begin(person, "")
	if err != nil {
		return Session{}, err
	}
	err = m.store.AddMember(ctx, Member{Person: person.ID, Name: name, Password: hash, Role: Player, Created: login.Created}, login, ended, 0)
	if err != nil {
		return Session{}, err
	}
	if ended.ID != "" {
		m.tokens.ended([]string{ended.ID})
	}
	m.log.Info("an account was made", "person", person.ID, "name", name, "guest", ended.ID != "")
	return s, nil
}

// LogIn begins a session. ErrCredentials comes after the same work whether there is such an account or not; ErrClosed only
// to who knows the password; ErrBusy.
func (m *Members) LogIn(ctx context.Context, name, password string) (Session, error) {
	member, err := m.store.MemberNamed(ctx, Skeleton(name))
	if err != nil && !errors.Is(err, ErrUnknownMember) {
		return Session{}, err
	}
	same, err := m.hasher.Compare(ctx, password, member.Password)
	switch {
	case err != nil:
		return Session{}, err
	case !same:
		return Session{}, ErrCredentials
	case !member.Closed.IsZero():
		return Session{}, ErrClosed
	}
	hash := m.renewHash(ctx, member, password)
	s, login, err := m.begin(member.person(), "")
	if err == nil {
		err = m.store.AddLogin(ctx, login, hash)
	}
	if errors.Is(err, ErrUnknownMember) { // gone in between
		err = ErrCredentials
	}
	if err != nil {
		return Session{}, err
	}
	return s, nil
}

// renewHash brings a password that was given to today's cost, and tells the hash that is stored. It is tried again at the next log-in.
func (m *Members) renewHash(ctx context.Context, member Member, password string) string {
	if !m.hasher.Outdated(member.Password) {
		return member.Password
	}
	hash, err := m.hasher.Hash(ctx, password)
	if err == nil {
		_, err = m.store.SetPassword(ctx, member.Person, member.Password, hash, Ending{None: true})
	}
	if err != nil {
		m.log.Warn("a password keeps its old hash", "person", member.Person, "err", err)
		return member.Password
	}
	return hash
}

// Renew makes a new token of a session that goes on: of a guest's at once, of a member's when the store has it;
// ErrSessionEnded.
func (m *Members) Renew(ctx context.Context, s Session) (Session, error) {
	if !s.Person.Guest {
		if err := m.store.RenewLogin(ctx, s.ID, m.moment(), m.tokens.until()); err != nil {
			return Session{}, err
		}
	}
	return m.tokens.Renew(s)
}

// LogOut ends a session.
func (m *Members) LogOut(ctx context.Context, s Session) error {
	if s.Person.Guest {
		return m.tokens.Revoke(ctx, s)
	}
	ended, err := m.store.EndLogins(ctx, s.Person.ID, Ending{Only: s.ID, Until: m.tokens.until()})
	m.tokens.ended(ended)
	return err
}

// LogOutEverywhere ends all sessions of a person. A guest has one.
func (m *Members) LogOutEverywhere(ctx context.Context, s Session) (ended []string, err error) {
	if s.Person.Guest {
		return []string{s.ID}, m.tokens.Revoke(ctx, s)
	}
	ended, err = m.store.EndLogins(ctx, s.Person.ID, m.all())
	m.tokens.ended(ended)
	return ended, err
}

// EndSession ends one session of the same person; ErrSessionEnded when there is none of the id.
func (m *Members) EndSession(ctx context.Context, s Session, id string) (ended []string, err error) {
	if id == "" {
		return nil, ErrSessionEnded
	}
	ended, err = m.store.EndLogins(ctx, s.Person.ID, Ending{Only: id, Until: m.tokens.until()})
	m.tokens.ended(ended)
	if err == nil && len(ended) == 0 {
		err = ErrSessionEnded
	}
	return ended, err
}

// Account is all that a member sees of his own.
type Account struct {
	Member
	Logins []Login
	Bots   []Member
	Keys   map[string][]APIKey // by the bot's person
}

// AccountOf is the account of a session; ErrUnknownMember for a guest.
func (m *Members) AccountOf(ctx context.Context, s Session) (a Account, err error) {
	if a.Member, err = m.store.Member(ctx, s.Person.ID); err != nil {
		return Account{}, err
	}
	if a.Logins, err = m.store.Logins(ctx, s.Person.ID); err != nil {
		return Account{}, err
	}
	if a.Bots, err = m.store.Members(ctx, s.Person.ID, "", BotsEach); err != nil {
		return Account{}, err
	}
	a.Keys = map[string][]APIKey{}
	for _, bot := range a.Bots {
		if a.Keys[bot.Person], err = m.store.APIKeys(ctx, bot.Person); err != nil {
			return Account{}, err
		}
	}
	return a, nil
}

// confirm checks a member's password again, before something that a stolen token must not do; ErrCredentials, ErrBusy.
func (m *Members) confirm(ctx context.Context, s Session, password string) (Member, error) {
	member, err := m.store.Member(ctx, s.Person.ID)
	if err != nil {
		return Member{}, err
	}
	same, err := m.hasher.Compare(ctx, password, member.Password)
	if err == nil && !same {
		err = ErrCredentials
	}
	return member, err
}

// ChangePassword replaces a member's password and ends his other sessions. ErrCredentials, ErrPassword, ErrBusy.
func (m *Members) ChangePassword(ctx context.Context, s Session, from, to string) (ended []string, err error) {
	if err := CheckPassword(to, s.Person.Name); err != nil {
		return nil, err
	}
	member, err := m.confirm(ctx, s, from)
	if err != nil {
		return nil, err
	}
	hash, err := m.hasher.Hash(ctx, to)
	if err != nil {
		return nil, err
	}
	ended, err = m.store.SetPassword(ctx, member.Person, member.Password, hash, Ending{Except: s.ID, Until: m.tokens.until()})
	m.tokens.ended(ended)
	return ended, err
}

// secretLetters make 160 bits: nobody guesses what has them, so a plain hash of it does.
const secretLetters = 32

func hashOf(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// ResetLifetime is how long a link to choose a new password is good.
const ResetLifetime = 24 * time.Hour

// NewReset makes the code of a one-time link by which a member chooses a new password; an earlier one is good no more.
// ErrUnknownMember, ErrBot.
func (m *Members) NewReset(ctx context.Context, person string) (code string, until time.Time, err error) {
	code, until = random(secretLetters), m.moment().Add(ResetLifetime)
	if err := m.store.AddReset(ctx, Reset{Hash: hashOf(code), Person: person, Until: until}); err != nil {
		return "", time.Time{}, err
	}
	m.log.Info("a password may be reset", "person", person, "until", until)
	return code, until, nil
}

// ResetPassword sets a password by the code of a link and ends all sessions. ErrResetCode, ErrPassword, ErrBusy; a code
// is used up only by a password that was taken.
func (m *Members) ResetPassword(ctx context.Context, code, password string) (ended []string, err error) {
	person, err := m.store.ResetOf(ctx, hashOf(code), m.moment())
	if err != nil {
		return nil, err
	}
	member, err := m.store.Member(ctx, person)
	if err != nil {
		return nil, err
	}
	if err := CheckPassword(password, member.Name); err != nil {
		return nil, err
	}
	hash, err := m.hasher.Hash(ctx, password)
	if err != nil {
		return nil, err
	}
	ended, err = m.store.UseReset(ctx, hashOf(code), m.moment(), hash, m.all())
	m.tokens.ended(ended)
	if err == nil {
		m.log.Info("a password was reset", "person", person)
	}
	return ended, err
}
