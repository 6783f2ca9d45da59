package account

import (
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
	Lifetime time.Duration    // of a new token; 0 means 30 days
	Now      func() time.Time // 0 means time.Now
	Revoked  func(jti string) bool
}

// Tokens makes and checks the signed tokens that a browser keeps in a cookie and a program sends as a bearer token.
// Safe for concurrent use.
type Tokens struct {
	keys     *Keys
	audience string
	lifetime time.Duration
	now      func() time.Time
	revoked  func(jti string) bool
	parser   *jwt.Parser
}

// Session is what a good token says.
type Session struct {
	Person  Person
	Token   string // the signed text
	ID      string // jti, what a revocation names
	Issued  time.Time
	Expires time.Time
}

// claims of a token. The person's name travels in it, so that no request needs the store.
type claims struct {
	Name  string `json:"name"`
	Guest bool   `json:"guest,omitempty"`
	jwt.RegisteredClaims
}

// NewTokens fails when the keyset or the audience is missing.
func NewTokens(c Config) (*Tokens, error) {
	if c.Keys == nil || c.Audience == "" {
		return nil, errors.New("account: tokens need a keyset and an audience")
	}
	t := &Tokens{keys: c.Keys, audience: c.Audience, lifetime: c.Lifetime, now: c.Now, revoked: c.Revoked}
	if t.lifetime <= 0 {
		t.lifetime = 30 * 24 * time.Hour
	}
	if t.now == nil {
		t.now = time.Now
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

// Issue makes a token for a person.
func (t *Tokens) Issue(p Person) (Session, error) {
	now := t.now().Truncate(time.Second)
	s := Session{Person: p, ID: random(idLength), Issued: now, Expires: now.Add(t.lifetime)}
	token := jwt.NewWithClaims(jwt.SigningMethodEdDSA, claims{
		Name:  p.Name,
		Guest: p.Guest,
		RegisteredClaims: jwt.RegisteredClaims{
			Issuer: Issuer, Subject: p.ID, Audience: jwt.ClaimStrings{t.audience}, ID: s.ID,
			IssuedAt: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(s.Expires),
		},
	})
	kid, key := t.keys.signing()
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
	case !validID.MatchString(c.ID) || !ValidID(c.Subject) || !ValidName(c.Name):
		return Session{}, fmt.Errorf("%w: jti, sub or name of another form", ErrToken)
	case t.Revoked(c.ID):
		return Session{}, fmt.Errorf("%w: revoked", ErrToken)
	}
	return Session{
		Person: Person{ID: c.Subject, Name: c.Name, Guest: c.Guest},
		Token:  text, ID: c.ID, Issued: c.IssuedAt.Time, Expires: c.ExpiresAt.Time,
	}, nil
}

// Revoked says whether the token of this jti was taken back; it is for connections that outlive their check.
func (t *Tokens) Revoked(jti string) bool { return t.revoked != nil && t.revoked(jti) }

// withoutExpiry hides the parser's own errors: a caller that asks errors.Is(err, jwt.ErrTokenExpired) could take a
// forged token for one that is merely old.
func withoutExpiry(err error) error { return errors.New(err.Error()) }
