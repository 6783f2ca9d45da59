package account

import (
	"crypto/ed25519"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
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
	keys    *Keys
	at      time.Time
	revoked map[string]bool
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{keys: MemoryKeys(), at: noon, revoked: map[string]bool{}}
	var err error
	f.Tokens, err = NewTokens(Config{
		Keys: f.keys, Audience: audience, Lifetime: time.Hour,
		Now: func() time.Time { return f.at }, Revoked: func(id string) bool { return f.revoked[id] },
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

func TestRevoked(t *testing.T) {
	f := newFixture(t)
	s, err := f.Issue(NewGuest())
	if err != nil {
		t.Fatal(err)
	}
	f.revoked[s.ID] = true
	if _, err := f.Check(s.Token); !errors.Is(err, ErrToken) {
		t.Errorf("revoked: %v", err)
	}
}

// What golang-jwt's default parser lets through, and what attackers try.
func TestRefusedTokens(t *testing.T) {
	f := newFixture(t)
	kid, private := f.keys.signing()
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
	kid, _ := f.keys.signing()
	_, stranger, _ := ed25519.GenerateKey(nil)
	c := f.good()
	c["exp"] = noon.Add(-time.Hour).Unix()
	_, err := f.Check(f.sign(t, jwt.SigningMethodEdDSA, stranger, kid, c))
	if !errors.Is(err, ErrToken) || errors.Is(err, jwt.ErrTokenExpired) {
		t.Errorf("error %v; want ErrToken and not ErrTokenExpired", err)
	}
}

func TestKeysetFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys.json")
	first, err := OpenKeys(path)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("mode %v, error %v; want 0600", info.Mode(), err)
	}
	tokens := func(k *Keys) *Tokens {
		tk, err := NewTokens(Config{Keys: k, Audience: audience})
		if err != nil {
			t.Fatal(err)
		}
		return tk
	}
	old, err := tokens(first).Issue(NewGuest())
	if err != nil {
		t.Fatal(err)
	}
	second, err := OpenKeys(path) // a restart
	if err != nil {
		t.Fatal(err)
	}
	if err := second.Rotate(); err != nil {
		t.Fatal(err)
	}
	third, err := OpenKeys(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tokens(third).Check(old.Token); err != nil {
		t.Errorf("a token of before the rotation: %v", err)
	}
	fresh, err := tokens(third).Issue(NewGuest())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tokens(first).Check(fresh.Token); !errors.Is(err, ErrToken) {
		t.Errorf("the old set knows the new key: %v", err)
	}
	if err := third.Retire(1); err != nil {
		t.Fatal(err)
	}
	if _, err := tokens(third).Check(old.Token); !errors.Is(err, ErrToken) {
		t.Errorf("a token of a retired key: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".keys-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestKeysetFileRefused(t *testing.T) {
	seed := base64.StdEncoding.EncodeToString(make([]byte, 32))
	for name, text := range map[string]string{
		"not JSON":   "{",
		"no key":     `{"keys":[]}`,
		"short seed": `{"keys":[{"kid":"A","seed":"AAAA"}]}`,
		"no kid":     `{"keys":[{"kid":"","seed":"` + seed + `"}]}`,
		"kid twice":  `{"keys":[{"kid":"A","seed":"` + seed + `"},{"kid":"A","seed":"` + seed + `"}]}`,
	} {
		path := filepath.Join(t.TempDir(), "keys.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenKeys(path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: error %v; want one that names the file", name, err)
		}
		if now, _ := os.ReadFile(path); string(now) != text {
			t.Errorf("%s: the file was changed", name)
		}
	}
	if _, err := OpenKeys(filepath.Join(t.TempDir(), "missing", "keys.json")); err == nil {
		t.Error("a folder that is not there: no error")
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
