package account

import (
	"context"
	"errors"
	"strings"
)

const (
	// BotsEach is how many bots belong to one person.
	BotsEach = 5
	// KeysEach is how many API tokens are good for one bot.
	KeysEach = 5
	// keyPrefix tells what an API token is to who finds one.
	keyPrefix = "flagfall_"
)

// AddBot makes a program a member. It belongs to who asks, who must be a person with an account. ErrName, ErrNameTaken,
// ErrTooMany, ErrBot, ErrUnknownMember (for a guest).
func (m *Members) AddBot(ctx context.Context, s Session, name string) (Member, error) {
	if s.Person.Bot {
		return Member{}, ErrBot
	}
	if err := CheckName(name); err != nil {
		return Member{}, err
	}
	bot := Member{Person: random(idLength), Name: name, Role: Player, Owner: s.Person.ID, Created: m.moment()}
	if err := m.store.AddMember(ctx, bot, Login{}, Revocation{}, BotsEach); err != nil {
		return Member{}, err
	}
	m.log.Info("a bot was made", "person", bot.Person, "name", name, "owner", bot.Owner)
	return bot, nil
}

// ownBot finds a bot of who asks; ErrUnknownMember for every other.
func (m *Members) ownBot(ctx context.Context, s Session, bot string) (Member, error) {
	member, err := m.store.Member(ctx, bot)
	if err == nil && (!member.Bot() || member.Owner != s.Person.ID) {
		err = ErrUnknownMember
	}
	return member, err
}

// DeleteBot removes a bot as Delete removes a person. ErrUnknownMember.
func (m *Members) DeleteBot(ctx context.Context, s Session, bot string) (ended []string, err error) {
	if _, err := m.ownBot(ctx, s, bot); err != nil {
		return nil, err
	}
	return m.remove(ctx, bot)
}

// AddKey makes an API token for a bot of who asks. It is told once: only its hash is kept. ErrUnknownMember, ErrTooMany.
func (m *Members) AddKey(ctx context.Context, s Session, bot string) (key APIKey, secret string, err error) {
	if _, err := m.ownBot(ctx, s, bot); err != nil {
		return APIKey{}, "", err
	}
	secret = keyPrefix + random(secretLetters)
	key = APIKey{ID: random(idLength), Hash: hashOf(secret), Person: bot, Created: m.moment()}
	return key, secret, m.store.AddAPIKey(ctx, key, KeysEach)
}

// DropKey makes an API token worthless and ends the sessions made from it. ErrUnknownMember, ErrUnknownKey.
func (m *Members) DropKey(ctx context.Context, s Session, bot, key string) (ended []string, err error) {
	if _, err := m.ownBot(ctx, s, bot); err != nil {
		return nil, err
	}
	ended, err = m.store.DropAPIKey(ctx, bot, key, m.all())
	m.tokens.ended(ended)
	return ended, err
}

// Enter begins a session of a bot by an API token. ErrUnknownKey, ErrClosed.
func (m *Members) Enter(ctx context.Context, secret string) (Session, error) {
	if !strings.HasPrefix(secret, keyPrefix) {
		return Session{}, ErrUnknownKey
	}
	key, err := m.store.APIKeyOf(ctx, hashOf(secret))
	if err != nil {
		return Session{}, err
	}
	bot, err := m.store.Member(ctx, key.Person)
	if err == nil {
		var s Session
		var login Login
		if s, login, err = m.begin(bot.person(), key.ID); err == nil {
			err = m.store.AddLogin(ctx, login, "")
		}
		if err == nil {
			return s, nil
		}
	}
	if errors.Is(err, ErrUnknownMember) { // deleted in between
		err = ErrUnknownKey
	}
	return Session{}, err
}
