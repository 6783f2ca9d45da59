package account

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// Issuer is the `iss` claim of every token.
const Issuer = "flagfall"

// leeway forgives small differences between the clocks of two nodes.
const leeway = 5 * time.Second

// ErrToken says that a token is not good, for whatever reason: an answer must not tell a forger more. Why it was
// refused is in the wrapped text, for the log.
var ErrToken = errors.New("the token is not valid")

// Config of a Tokens.
type Config struct {
	Keys     *Keys
	Audience string           // the server's public URL
	Lifetime time.Duration    // of a guest's new token, and of a member's session, not longer than that of the Keys; 0 means Lifetime
	Member   time.Duration    // of a member's new token, not longer than Lifetime; 0 means MemberLifetime
	Now      func() time.Time // nil means time.Now
	// Revocations are the sessions that were ended; nil means that they are kept in memory only.
	Revocations *Revocations
}

// Tokens makes and checks the signed tokens that a browser keeps in a cookie and a program sends as a bearer token.
// Safe for concurrent use.
type Tokens struct {
	keys        *Keys
	audience    string
	lifetime    time.Duration
	member      time.Duration
	now         func() time.Time
	revocations *Revocations
	parser      *jwt.Parser
	lapsed      *jwt.Parser // looks at the signature only
}

// MemberLifetime is how long a member's token is good unless a Config says otherwise. While his session lasts he gets a new one.
const MemberLifetime = 24 * time.Hour

// Session is what a good token says.
type Session struct {
	Person  Person
	Token   string // the signed text
	ID      string // what a revocation names: the jti of the session's first token, the sid of those that renewed it
	Issued  time.Time
	Expires time.Time
}

// claims of a token. The person's name travels in it, so that no request needs the store.
type claims struct {
	Name    string `json:"name"`
	Guest   bool   `json:"guest,omitempty"`
	Bot     bool   `json:"bot,omitempty"`
	Session string `json:"sid,omitempty"`
	jwt.RegisteredClaims
}

// NewTokens fails when the keyset or the audience is missing, or tokens would outlive their keys.
func NewTokens(c Config) (*Tokens, error) {
	if c.Keys == nil || c.Audience == "" {
		return nil, errors.New("account: tokens need a keyset and an audience")
	}
	t := &Tokens{keys: c.Keys, audience: c.Audience, lifetime: c.Lifetime, member: c.Member, now: c.Now, revocations: c.Revocations}
	if t.lifetime <= 0 {
		t.lifetime = Lifetime
	}
	if t.member <= 0 {
		t.member = min(MemberLifetime, t.lifetime)
	}
	if max(t.lifetime, t.member) > c.Keys.lifetime {
		return nil, fmt.Errorf("account: tokens of %v outlive their keys, which verify for %v", max(t.lifetime, t.member), c.Keys.lifetime)
	}
	if t.now == nil {
		t.now = time.Now
	}
	if t.revocations == nil {
		t.revocations = MemoryRevocations()
	}
	t.parser = jwt.NewParser(
		jwt.WithValidMethods([]string{jwt.SigningMethodEdDSA.Alg()}),
		jwt.WithIssuer(Issuer),
		jwt.WithAudience(c.Audience),
		jwt.WithExpirationRequired(),
		jwt.WithIssuedAt(),
		jwt.WithLeeway(leeway),
		jwt.WithTimeFunc(t.now),
		jwt.WithStrictDecoding(),
	)
	t.lapsed = jwt.NewParser(jwt.WithValidMethods([]string{jwt.SigningMethodEdDSA.Alg()}), jwt.WithoutClaimsValidation(), jwt.WithStrictDecoding())
	return t, nil
}

// Issue makes the first token of a new session of a person.
func (t *Tokens) Issue(p Person) (Session, error) { return t.sign(p, "") }

// Renew makes a new token for a session that goes on. A revocation ends all tokens of a session.
func (t *Tokens) Renew(s Session) (Session, error) { return t.sign(s.Person, s.ID) }

func (t *Tokens) sign(p Person, session string) (Session, error) {
	now := t.now().Truncate(time.Second)
	id := random(idLength)
	lifetime := t.member
	if p.Guest {
		lifetime = t.lifetime
	}
	s := Session{Person: p, ID: cmp.Or(session, id), Issued: now, Expires: now.Add(lifetime)}
	token := jwt.NewWithClaims(jwt.SigningMethodEdDSA, claims{
		Name:    p.Name,
		Guest:   p.Guest,
		Bot:     p.Bot,
		Session: session,
		RegisteredClaims: jwt.RegisteredClaims{
			Issuer: Issuer, Subject: p.ID, Audience: jwt.ClaimStrings{t.audience}, ID: id,
			IssuedAt: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(s.Expires),
		},
	})
	kid, key := t.keys.signing(now)
	token.Header["kid"] = kid
	signed, err := token.SignedString(key)
	if err != nil {
		return Session{}, fmt.Errorf("account: sign a token: %w", err)
	}
	s.Token = signed
	return s, nil
}

// Check reads a token. Every error is an ErrToken; an expired token with a bad signature is one like any other.
func (t *Tokens) Check(text string) (Session, error) {
	var c claims
	if _, err := t.parser.ParseWithClaims(text, &c, t.key); err != nil {
		return Session{}, fmt.Errorf("%w: %w", ErrToken, withoutExpiry(err))
	}
	return t.session(text, c)
}

// CheckLapsed reads a member's token that is good, or has expired no longer ago than his session can last: whether it
// does, the store knows. Every error is an ErrToken.
func (t *Tokens) CheckLapsed(text string) (Session, error) {
	var c claims
	if _, err := t.lapsed.ParseWithClaims(text, &c, t.key); err != nil {
		return Session{}, fmt.Errorf("%w: %w", ErrToken, withoutExpiry(err))
	}
	at := t.now()
	if c.ExpiresAt != nil && c.ExpiresAt.Before(at) {
		at = c.ExpiresAt.Time // everything else must hold as it did when it expired
	}
	err := jwt.NewValidator(jwt.WithIssuer(Issuer), jwt.WithAudience(t.audience), jwt.WithExpirationRequired(), jwt.WithIssuedAt(),
		jwt.WithLeeway(leeway), jwt.WithTimeFunc(func() time.Time { return at })).Validate(c)
	switch {
	case err != nil:
		return Session{}, fmt.Errorf("%w: %w", ErrToken, withoutExpiry(err))
	case c.Guest:
		return Session{}, fmt.Errorf("%w: a guest's has no session beside it", ErrToken)
	case c.IssuedAt == nil || t.now().After(c.IssuedAt.Add(t.lifetime+leeway)):
		return Session{}, fmt.Errorf("%w: too old", ErrToken)
	}
	return t.session(text, c)
}

// key is the one that a token was signed with.
func (t *Tokens) key(token *jwt.Token) (any, error) {
	kid, _ := token.Header["kid"].(string)
	key, ok := t.keys.verifying(kid)
	if !ok {
		return nil, errors.New("unknown kid")
	}
	return key, nil
}

// session is what claims say that have been checked.
func (t *Tokens) session(text string, c claims) (Session, error) {
	switch {
	case c.IssuedAt == nil:
		return Session{}, fmt.Errorf("%w: no iat", ErrToken)
	case !validID.MatchString(c.ID) || c.Session != "" && !validID.MatchString(c.Session) || !ValidID(c.Subject) || !ValidName(c.Name):
		return Session{}, fmt.Errorf("%w: jti, sid, sub or name of another form", ErrToken)
	}
	id := cmp.Or(c.Session, c.ID)
	if t.Revoked(id) {
		return Session{}, fmt.Errorf("%w: revoked", ErrToken)
	}
	return Session{
		Person: Person{ID: c.Subject, Name: c.Name, Guest: c.Guest, Bot: c.Bot},
		Token:  text, ID: id, Issued: c.IssuedAt.Time, Expires: c.ExpiresAt.Time,
	}, nil
}

// Revoked says whether the session of this id was ended; it is for connections that outlive their check.
func (t *Tokens) Revoked(id string) bool { return t.revocations.Revoked(id) }

// Revoke ends a session with all its tokens: here at once, on other nodes within two seconds. Its errors are those of the
// store; after one the session goes on.
func (t *Tokens) Revoke(ctx context.Context, s Session) error {
	return t.revocations.Revoke(ctx, s.ID, t.until())
}

// until is when the last token of a session is out, if it is ended now: a node that does not know it yet may renew it, by
// a clock that differs.
func (t *Tokens) until() time.Time {
	return t.now().Add(t.lifetime + leeway + announced).Truncate(time.Millisecond)
}

// ended notes sessions that the store has ended.
func (t *Tokens) ended(ids []string) {
	until := t.until()
	for _, id := range ids {
		t.revocations.take(Revocation{ID: id, Until: until})
	}
}

// withoutExpiry hides the parser's own errors: a caller that asks errors.Is(err, jwt.ErrTokenExpired) could take a
// forged token for one that is merely old.
func withoutExpiry(err error) error { return errors.New(err.Error()) }
