package edge

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"flagfall/server/account"
	"flagfall/server/account/accounttest"
	"flagfall/server/store"
	"flagfall/server/wire"
)

// logout sends a request to end the session of a token, which goes as a cookie or as a bearer token.
func (st *stage) logout(t *testing.T, asCookie bool, token string, headers ...string) (*http.Response, string) {
	t.Helper()
	if asCookie {
		return st.ask(t, "POST", "/api/logout", "", append(headers, "Cookie", CookieName+"="+token)...)
	}
	return st.ask(t, "POST", "/api/logout", "", append(headers, "Authorization", "Bearer "+token)...)
}

// isGood tells whether the server takes a token.
func (st *stage) isGood(t *testing.T, token string) bool {
	t.Helper()
	res, body := st.ask(t, "GET", "/api/me", "", "Authorization", "Bearer "+token)
	if res.StatusCode != 200 && res.StatusCode != 401 {
		t.Fatalf("me: %d %s", res.StatusCode, body)
	}
	return res.StatusCode == 200
}

// isOpen holds that a socket is there and answers.
func isOpen(t *testing.T, what string, ws *websocket.Conn) {
	t.Helper()
	send(t, ws, `{"t":"ping"}`)
	if got := read(t, ws); !strings.Contains(got, `"pong"`) {
		t.Errorf("%s: %s", what, got)
	}
}

// SEC-04: who logs out is out with every token and socket of his session, and nobody else is.
func TestLogout(t *testing.T) {
	for name, asCookie := range map[string]bool{"cookie": true, "bearer token": false} {
		t.Run(name, func(t *testing.T) {
			st := newStage(t, func(c *Config) { // no token is looked at again meanwhile
				c.Limits.PingEvery, c.Limits.PingIdleEvery, c.Limits.ReadTimeout = time.Hour, time.Hour, 2*time.Hour
			})
			first := st.person(t)
			early := st.open(t, first)
			res, _ := st.ask(t, "POST", "/api/guest", "", "Cookie", CookieName+"="+first.Token)
			if len(res.Cookies()) != 1 {
				t.Fatalf("renewed: %v", res.Cookies())
			}
			renewed := res.Cookies()[0].Value
			late := st.open(t, account.Session{Token: renewed})
			other := st.open(t, st.person(t))

			res, body := st.logout(t, asCookie, renewed, "Origin", st.origin)
			if res.StatusCode != http.StatusNoContent || body != "" || res.Header.Get("Cache-Control") != "no-store" {
				t.Errorf("status %d: %s", res.StatusCode, body)
			}
			cookies := res.Cookies()
			if asCookie && (len(cookies) != 1 || cookies[0].Name != CookieName || cookies[0].Value != "" || cookies[0].MaxAge >= 0 || cookies[0].Path != "/") {
				t.Errorf("cookies %v, want the one taken back", cookies)
			}
			if !asCookie && len(cookies) > 0 {
				t.Errorf("cookies %v for a program", cookies)
			}
			for what, ws := range map[string]*websocket.Conn{"opened with the first token": early, "with the renewed one": late} {
				if got := closeCode(ws); got != wire.CloseToken {
					t.Errorf("the socket %s: close code %d, want %d", what, got, wire.CloseToken)
				}
			}
			if st.isGood(t, first.Token) || st.isGood(t, renewed) {
				t.Error("a token of the session is good")
			}
			if _, res, err := st.dial(bearer(first), "/ws"); err == nil || res.StatusCode != 401 {
				t.Errorf("a new socket: %v, %v", res, err)
			}
			isOpen(t, "somebody else's socket", other)
			res, body = st.logout(t, asCookie, renewed)
			if res.StatusCode != 401 || (len(res.Cookies()) == 1) != asCookie {
				t.Errorf("again: status %d %s, cookies %v", res.StatusCode, body, res.Cookies())
			}
		})
	}
}

// Another site cannot log a visitor out, and nobody can keep the server busy with it.
func TestLogoutRefused(t *testing.T) {
	st := newStage(t, func(c *Config) { c.Limits.Guests = Rate{0.001, 3} })
	s := st.person(t)
	for _, origin := range []string{"https://other.example", "null"} {
		if res, body := st.logout(t, true, s.Token, "Origin", origin); res.StatusCode != 403 || len(res.Cookies()) > 0 || !strings.Contains(body, wire.CodeForbiddenOrigin) {
			t.Errorf("from %s: %d %s", origin, res.StatusCode, body)
		}
	}
	for range 3 {
		st.logout(t, false, "x.y.z")
	}
	res, body := st.logout(t, true, s.Token)
	if res.StatusCode != 429 || len(res.Cookies()) > 0 || res.Header.Get("Retry-After") == "" || !strings.Contains(body, wire.CodeTooMany) {
		t.Errorf("the fourth: %d %s", res.StatusCode, body)
	}
	if !st.isGood(t, s.Token) {
		t.Error("the session has ended")
	}
	if res, body := st.ask(t, "POST", "/api/guest", ""); res.StatusCode != 201 {
		t.Errorf("log-outs keep guests away: %d %s", res.StatusCode, body)
	}
}

// While the database is away nobody is told that he is out.
func TestLogoutWithoutDatabase(t *testing.T) {
	shared := &accounttest.Memory{}
	revocations, err := account.OpenRevocations(t.Context(), shared, quiet)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(revocations.Close)
	st := newStage(t, func(c *Config) {
		c.Tokens, err = account.NewTokens(account.Config{Keys: account.MemoryKeys(), Audience: c.PublicURL, Revocations: revocations})
		if err != nil {
			t.Fatal(err)
		}
	})
	s := st.person(t)
	ws := st.open(t, s)
	shared.Fail(store.ErrUnavailable)
	res, body := st.logout(t, true, s.Token)
	if res.StatusCode != 503 || len(res.Cookies()) > 0 || res.Header.Get("Retry-After") == "" || !strings.Contains(body, wire.CodeUnavailable) {
		t.Errorf("status %d %s, cookies %v", res.StatusCode, body, res.Cookies())
	}
	isOpen(t, "the socket", ws)
	shared.Fail(nil)
	if res, body := st.logout(t, true, s.Token); res.StatusCode != 204 || st.isGood(t, s.Token) {
		t.Errorf("when it is back: %d %s", res.StatusCode, body)
	}
}
