package account

import (
	"crypto/ed25519"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

const audience = "https://chess.example"

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// fixture is a Tokens whose clock the test holds.
type fixture struct {
	*Tokens
	keys *Keys
	at   time.Time
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{keys: MemoryKeys(), at: noon}
	var err error
	f.Tokens, err = NewTokens(Config{
		Keys: f.keys, Audience: audience, Lifetime: time.Hour,
		Now: func() time.Time { return f.at },
	})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func (f *fixture) good() jwt.MapClaims {
	return jwt.MapClaims{
		"iss": Issuer, "aud": audience, "sub": "23456789ABCDEFGH", "jti": "HGFEDCBA98765432", "name": "Guest 4F7K", "guest": true,
		"iat": f.at.Unix(), "exp": f.at.Add(time.Hour).Unix(),
	}
}

func (f *fixture) sign(t *testing.T, method jwt.SigningMethod, key any, kid any, claims jwt.MapClaims) string {
	t.Helper()
	token := jwt.NewWithClaims(method, claims)
	if kid != nil {
		token.Header["kid"] = kid
	}
	text, err := token.SignedString(key)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestIssueAndCheck(t *testing.T) {
	f := newFixture(t)
	p := NewGuest()
	issued, err := f.Issue(p)
	if err != nil {
		t.Fatal(err)
	}
	got, err := f.Check(issued.Token)
	if err != nil {
		t.Fatal(err)
	}
	if got.Person != p || got.ID != issued.ID || !got.Expires.Equal(noon.Add(time.Hour)) || !got.Issued.Equal(noon) {
		t.Errorf("issued %+v, checked %+v", issued, got)
	}
	f.at = noon.Add(time.Hour + leeway + time.Second)
	if _, err := f.Check(issued.Token); !errors.Is(err, ErrToken) {
		t.Errorf("expired: %v", err)
	}
}

// A revocation ends every token of a session, those that renewed it too, and no other session of the same person.
func TestRevoked(t *testing.T) {
	f := newFixture(t)
	first, err := f.Issue(NewGuest())
	if err != nil {
		t.Fatal(err)
	}
	f.at = f.at.Add(time.Minute)
	second, err := f.Renew(first)
	if err != nil {
		t.Fatal(err)
	}
	third, err := f.Renew(second)
	if err != nil {
		t.Fatal(err)
	}
	other, err := f.Issue(first.Person)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := f.Check(third.Token); err != nil || got.Person != first.Person || got.ID != first.ID || got.Token == first.Token || !got.Expires.After(first.Expires) {
		t.Fatalf("renewed: %+v, %v", got, err)
	}
	if err := f.Revoke(t.Context(), second); err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]Session{"first": first, "second": second, "third": third} {
		if _, err := f.Check(s.Token); !errors.Is(err, ErrToken) || !f.Revoked(s.ID) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := f.Check(other.Token); err != nil || f.Revoked(other.ID) {
		t.Errorf("another session: %v", err)
	}
}

func TestTokensDoNotOutliveTheirKeys(t *testing.T) {
	if _, err := NewTokens(Config{Keys: MemoryKeys(), Audience: audience, Lifetime: Lifetime + time.Second}); err == nil {
		t.Error("taken")
	}
}

// What golang-jwt's default parser lets through, and what attackers try.
func TestRefusedTokens(t *testing.T) {
	f := newFixture(t)
	kid, private := f.keys.signing(f.at)
	public := private.Public().(ed25519.PublicKey)
	der, err := x509.MarshalPKIXPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	_, stranger, _ := ed25519.GenerateKey(nil)
	with := func(name string, v any) jwt.MapClaims {
		c := f.good()
		if v == nil {
			delete(c, name)
		} else {
			c[name] = v
		}
		return c
	}
	eddsa := func(c jwt.MapClaims) string { return f.sign(t, jwt.SigningMethodEdDSA, private, kid, c) }
	if _, err := f.Check(eddsa(f.good())); err != nil {
		t.Fatalf("the good token of this test: %v", err)
	}
	whole := eddsa(f.good())
	parts := strings.Split(whole, ".")
	b64 := base64.RawURLEncoding.EncodeToString
	altered, _ := json.Marshal(with("sub", "ZZZZZZZZZZZZZZZZ"))
	for name, text := range map[string]string{
		"empty":                     "",
		"not a token":               "a.b.c",
		"alg none":                  f.sign(t, jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, kid, f.good()),
		"alg None, no signature":    b64([]byte(`{"alg":"None","kid":"`+kid+`"}`)) + "." + parts[1] + ".",
		"HS256 with public key":     f.sign(t, jwt.SigningMethodHS256, []byte(public), kid, f.good()),
		"HS256 with public key DER": f.sign(t, jwt.SigningMethodHS256, der, kid, f.good()),
		"another key":               f.sign(t, jwt.SigningMethodEdDSA, stranger, kid, f.good()),
		"unknown kid":               f.sign(t, jwt.SigningMethodEdDSA, private, "nobody", f.good()),
		"no kid":                    f.sign(t, jwt.SigningMethodEdDSA, private, nil, f.good()),
		"kid a number":              f.sign(t, jwt.SigningMethodEdDSA, private, 7, f.good()),
		"payload altered":           parts[0] + "." + b64(altered) + "." + parts[2],
		"signature cut":             parts[0] + "." + parts[1] + ".",
		"no exp":                    eddsa(with("exp", nil)),
		"expired":                   eddsa(with("exp", noon.Add(-time.Minute).Unix())),
		"no aud":                    eddsa(with("aud", nil)),
		"aud of another scheme":     eddsa(with("aud", "http://chess.example")),
		"aud of another server":     eddsa(with("aud", "https://other.example")),
		"no iss":                    eddsa(with("iss", nil)),
		"another iss":               eddsa(with("iss", "flagfall.example")),
		"no iat":                    eddsa(with("iat", nil)),
		"iat in the future":         eddsa(with("iat", noon.Add(time.Minute).Unix())),
		"nbf in the future":         eddsa(with("nbf", noon.Add(time.Minute).Unix())),
		"no jti":                    eddsa(with("jti", nil)),
		"sid of another form":       eddsa(with("sid", "../HGFEDCBA9876543")),
		"no sub":                    eddsa(with("sub", nil)),
		"sub with a line break":     eddsa(with("sub", "23456789ABCDEFG\n")),
		"name with markup":          eddsa(with("name", "<script>")),
	} {
		if s, err := f.Check(text); !errors.Is(err, ErrToken) || s != (Session{}) {
			t.Errorf("%s: session %+v, error %v; want ErrToken", name, s, err)
		}
	}
}

// SEC-02: forged and expired must not look like merely expired.
func TestForgedAndExpiredIsNotExpired(t *testing.T) {
	f := newFixture(t)
	kid, _ := f.keys.signing(f.at)
	_, stranger, _ := ed25519.GenerateKey(nil)
	c := f.good()
	c["exp"] = noon.Add(-time.Hour).Unix()
	_, err := f.Check(f.sign(t, jwt.SigningMethodEdDSA, stranger, kid, c))
	if !errors.Is(err, ErrToken) || errors.Is(err, jwt.ErrTokenExpired) {
		t.Errorf("error %v; want ErrToken and not ErrTokenExpired", err)
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]bool{
		"Guest 4F7K": true, "Jo": true, "J. R. Capablanca": true, "a_b-c.": true,
		"": false, "J": false, " Jo": false, "Jo ": false, "two  spaces": false, "O\"Neil": false, "back\\slash": false,
		"a]b[c": false, "x\"]\n[Result \"1-0": false, "\u0410lice": false, "<b>": false, "Jo\n": false, "\u202eoJ": false,
		strings.Repeat("a", 24): true, strings.Repeat("a", 25): false,
	} {
		if got := ValidName(name); got != want {
			t.Errorf("ValidName(%q) = %v", name, got)
		}
	}
	seen := map[string]bool{}
	for range 1000 {
		p := NewGuest()
		if !ValidID(p.ID) || !ValidName(p.Name) || !p.Guest || seen[p.ID] {
			t.Fatalf("guest %+v", p)
		}
		seen[p.ID] = true
	}
}
