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
	Lifetime time.Duration    // of a new token, not longer than that of the Keys; 0 means Lifetime
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
	now         func() time.Time
	revocations *Revocations
	parser      *jwt.Parser
}

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
	Session string `json:"sid,omitempty"`
	jwt.RegisteredClaims
}

// NewTokens fails when the keyset or the audience is missing, or tokens would outlive their keys.
func NewTokens(c Config) (*Tokens, error) {
	if c.Keys == nil || c.Audience == "" {
		return nil, errors.New("account: tokens need a keyset and an audience")
	}
	t := &Tokens{keys: c.Keys, audience: c.Audience, lifetime: c.Lifetime, now: c.Now, revocations: c.Revocations}
	if t.lifetime <= 0 {
		t.lifetime = Lifetime
	}
	if t.lifetime > c.Keys.lifetime {
		return nil, fmt.Errorf("account: tokens of %v outlive their keys, which verify for %v", t.lifetime, c.Keys.lifetime)
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
	return t, nil
}

// Issue makes the first token of a new session of a person.
func (t *Tokens) Issue(p Person) (Session, error) { return t.sign(p, "") }

// Renew makes a new token for a session that goes on. A revocation ends all tokens of a session.
func (t *Tokens) Renew(s Session) (Session, error) { return t.sign(s.Person, s.ID) }

func (t *Tokens) sign(p Person, session string) (Session, error) {
	now := t.now().Truncate(time.Second)
	id := random(idLength)
	s := Session{Person: p, ID: cmp.Or(session, id), Issued: now, Expires: now.Add(t.lifetime)}
	token := jwt.NewWithClaims(jwt.SigningMethodEdDSA, claims{
		Name:    p.Name,
		Guest:   p.Guest,
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
	_, err := t.parser.ParseWithClaims(text, &c, func(token *jwt.Token) (any, error) {
		kid, _ := token.Header["kid"].(string)
		key, ok := t.keys.verifying(kid)
		if !ok {
			return nil, errors.New("unknown kid")
		}
		return key, nil
	})
	switch {
	case err != nil:
		return Session{}, fmt.Errorf("%w: %w", ErrToken, withoutExpiry(err))
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
		Person: Person{ID: c.Subject, Name: c.Name, Guest: c.Guest},
		Token:  text, ID: id, Issued: c.IssuedAt.Time, Expires: c.ExpiresAt.Time,
	}, nil
}

// Revoked says whether the session of this id was ended; it is for connections that outlive their check.
func (t *Tokens) Revoked(id string) bool { return t.revocations.Revoked(id) }

// Revoke ends a session with all its tokens: here at once, on other nodes within two seconds. Its errors are those of the
// store; after one the session goes on.
func (t *Tokens) Revoke(ctx context.Context, s Session) error {
	// A node that does not know it yet may renew it, by a clock that differs.
	return t.revocations.Revoke(ctx, s.ID, t.now().Add(t.lifetime+leeway+announced))
}

// withoutExpiry hides the parser's own errors: a caller that asks errors.Is(err, jwt.ErrTokenExpired) could take a
// forged token for one that is merely old.
func withoutExpiry(err error) error { return errors.New(err.Error()) }
