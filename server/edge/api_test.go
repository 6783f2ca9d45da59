package edge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"flagfall/server/account"
	"flagfall/server/edge/apitest"
	"flagfall/server/store"
	"flagfall/server/wire"
)

// described is the published description.
var described = sync.OnceValues(func() (*apitest.Checker, error) { return apitest.New(OpenAPI) })

// ask sends a request without following redirects, and holds the answer against the description.
func (st *stage) ask(t *testing.T, method, path, body string, headers ...string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequest(method, st.http.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Add(headers[i], headers[i+1])
	}
	res, err := (&http.Transport{DisableKeepAlives: true, DisableCompression: true}).RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	checker, err := described()
	if err != nil {
		t.Fatal(err)
	}
	// Redirects and headers that are too long are answered before the server's own code is asked.
	if res.StatusCode != http.StatusTemporaryRedirect && res.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		if err := checker.Answer(req, res, data); err != nil {
			t.Error(err)
		}
	}
	return res, string(data)
}

func TestAnswers(t *testing.T) {
	st := newStage(t, nil)
	const jsonType, js = "Content-Type", "application/json"
	long := strings.Repeat("a", maxBody+1)
	for _, c := range []struct {
		method, path, body string
		headers            []string
		status             int
		code               string // of a problem, "" for none
	}{
		{"GET", "/", "", nil, 200, ""},
		{"HEAD", "/", "", nil, 200, ""},
		{"GET", "/g/abc", "", nil, 200, ""},
		{"GET", "/i/abc", "", nil, 200, ""},
		{"GET", "/practice", "", nil, 200, ""},
		{"GET", "/live", "", nil, 200, ""},
		{"GET", "/rules", "", nil, 200, ""},
		{"GET", "/assets/main-AB12CD34.js", "", nil, 200, ""},
		{"GET", "/nothing.js", "", nil, 404, wire.CodeNotFound},
		{"GET", "/../../etc/passwd", "", nil, 307, ""},
		{"POST", "/", "", nil, 405, wire.CodeMethodNotAllowed},
		{"GET", "/asyncapi.yaml", "", nil, 200, ""},
		{"GET", "/api/games", "", nil, 200, ""},
		{"DELETE", "/api/games", "", nil, 405, wire.CodeMethodNotAllowed},
		{"GET", "/api/games/g1", "", nil, 200, ""},
		{"GET", "/api/games/nope", "", nil, 404, wire.CodeUnknownGame},
		{"GET", "/api/games/%3Cscript%3E", "", nil, 404, wire.CodeUnknownGame},
		{"GET", "/api/games/" + strings.Repeat("g", 33), "", nil, 404, wire.CodeUnknownGame},
		{"GET", "/api/games/broken", "", nil, 500, wire.CodeServerInternal},
		{"GET", "/api/games/g1/pgn", "", nil, 409, wire.CodeRunning},
		{"GET", "/api/games/g2/pgn", "", nil, 200, ""},
		{"GET", "/api/games/nope/pgn", "", nil, 404, wire.CodeUnknownGame},
		{"GET", "/api/invites/inv1", "", nil, 200, ""},
		{"GET", "/api/invites/nope", "", nil, 404, wire.CodeUnknownInvite},
		{"GET", "/api/nothing", "", nil, 404, wire.CodeNotFound},
		{"POST", "/api/nothing", "", nil, 404, wire.CodeNotFound},
		{"GET", "/api/guest", "", nil, 405, wire.CodeMethodNotAllowed},
		{"GET", "/api/me", "", nil, 401, wire.CodeUnauthorized},
		{"GET", "/api/me", "", []string{"Authorization", "Basic Zm9vOmJhcg=="}, 401, wire.CodeUnauthorized},
		{"GET", "/api/me", "", []string{"Authorization", "Bearer x.y.z"}, 401, wire.CodeUnauthorized},
		{"POST", "/api/guest", "", nil, 201, ""},
		{"POST", "/api/guest", "{}", []string{jsonType, js}, 201, ""},
		{"POST", "/api/guest", `{"token":true}`, []string{jsonType, js + "; charset=utf-8"}, 201, ""},
		{"POST", "/api/guest", `{"token":true}`, nil, 415, wire.CodeUnsupportedMedia},
		{"POST", "/api/guest", `token=true`, []string{jsonType, "application/x-www-form-urlencoded"}, 415, wire.CodeUnsupportedMedia},
		{"POST", "/api/guest", `{"token":1}`, []string{jsonType, js}, 400, wire.CodeBadMessage},
		{"POST", "/api/guest", `{"tokens":true}`, []string{jsonType, js}, 400, wire.CodeBadMessage},
		{"POST", "/api/guest", `{"token":true}{}`, []string{jsonType, js}, 400, wire.CodeBadMessage},
		{"POST", "/api/guest", `{"token"`, []string{jsonType, js}, 400, wire.CodeBadMessage},
		{"POST", "/api/guest", long, []string{jsonType, js}, 413, wire.CodeTooLarge},
		{"POST", "/api/guest", "", []string{"Origin", "https://other.example"}, 403, wire.CodeForbiddenOrigin},
		{"POST", "/api/guest", "", []string{"Origin", "null"}, 403, wire.CodeForbiddenOrigin},
		{"POST", "/api/guest", "", []string{"Origin", st.origin}, 201, ""},
		{"GET", "/api/logout", "", nil, 405, wire.CodeMethodNotAllowed},
		{"POST", "/api/logout", "", nil, 401, wire.CodeUnauthorized},
		{"POST", "/api/logout", "", []string{"Authorization", "Bearer x.y.z"}, 401, wire.CodeUnauthorized},
		{"POST", "/api/logout", "", []string{"Origin", "https://other.example"}, 403, wire.CodeForbiddenOrigin},
		{"POST", "/ws", "", nil, 405, wire.CodeMethodNotAllowed},
		{"GET", "/ws", "", nil, 401, wire.CodeUnauthorized},
	} {
		res, body := st.ask(t, c.method, c.path, c.body, c.headers...)
		if res.StatusCode != c.status {
			t.Errorf("%s %s %q: status %d, want %d (%s)", c.method, c.path, c.body, res.StatusCode, c.status, body)
			continue
		}
		if c.status == 405 && res.Header.Get("Allow") == "" {
			t.Errorf("%s %s: no Allow", c.method, c.path)
		}
		for _, name := range []string{"Content-Security-Policy", "X-Content-Type-Options", "X-Frame-Options", "Referrer-Policy"} {
			if res.Header.Get(name) == "" {
				t.Errorf("%s %s: no %s", c.method, c.path, name)
			}
		}
		if c.code == "" {
			continue
		}
		var p problem
		if err := json.Unmarshal([]byte(body), &p); err != nil || p.Code != c.code || p.Status != c.status || p.Title == "" || p.Detail == "" {
			t.Errorf("%s %s: problem %s, error %v; want code %s", c.method, c.path, body, err, c.code)
		}
		if got := res.Header.Get("Content-Type"); got != "application/problem+json" {
			t.Errorf("%s %s: content type %s", c.method, c.path, got)
		}
	}
}

func TestGuestCookie(t *testing.T) {
	for _, public := range []string{"", "https://chess.example"} {
		st := newStage(t, func(c *Config) {
			if public != "" {
				c.PublicURL = public
			}
		})
		res, body := st.ask(t, "POST", "/api/guest", "")
		var got me
		if err := json.Unmarshal([]byte(body), &got); err != nil || got.Token != "" || !account.ValidID(got.ID) {
			t.Fatalf("answer %s, error %v", body, err)
		}
		cookies := res.Cookies()
		if len(cookies) != 1 {
			t.Fatalf("cookies %v", cookies)
		}
		c := cookies[0]
		if c.Name != CookieName || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" || c.Domain != "" || c.MaxAge <= 0 || c.Secure != (public != "") {
			t.Errorf("public URL %q: cookie %v", public, c)
		}
		if hsts := res.Header.Get("Strict-Transport-Security"); (hsts != "") != (public != "") {
			t.Errorf("public URL %q: HSTS %q", public, hsts)
		}
		st.hall.await(t, "save "+got.Name)

		// The same person again keeps his seat: his token is renewed, no other guest is made.
		res, body = st.ask(t, "POST", "/api/guest", "", "Cookie", c.Name+"="+c.Value)
		if res.StatusCode != 200 || !strings.Contains(body, got.ID) || len(res.Cookies()) != 1 {
			t.Errorf("again: %d %s", res.StatusCode, body)
		}
		res, body = st.ask(t, "GET", "/api/me", "", "Cookie", c.Name+"="+c.Value)
		if res.StatusCode != 200 || !strings.Contains(body, got.ID) || len(res.Cookies()) != 0 {
			t.Errorf("me: %d %s %v", res.StatusCode, body, res.Cookies())
		}
	}
}

func TestGuestToken(t *testing.T) {
	st := newStage(t, func(c *Config) { c.Seat = func(string) string { return "g1" } })
	for _, headers := range [][]string{{"Content-Type", "application/json"}, {"Accept", "application/jwt"}} {
		body := ""
		if headers[0] == "Content-Type" {
			body = `{"token":true}`
		}
		res, text := st.ask(t, "POST", "/api/guest", body, headers...)
		var got me
		if err := json.Unmarshal([]byte(text), &got); err != nil || got.Token == "" || got.Expires == "" {
			t.Fatalf("answer %s, error %v", text, err)
		}
		if len(res.Cookies()) != 0 || res.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("cookies %v, cache %q", res.Cookies(), res.Header.Get("Cache-Control"))
		}
		res, text = st.ask(t, "GET", "/api/me", "", "Authorization", "Bearer "+got.Token)
		if res.StatusCode != 200 || !strings.Contains(text, got.ID) || !strings.Contains(text, `"game":"g1"`) {
			t.Errorf("me: %d %s", res.StatusCode, text)
		}
	}
}

// A guest who keeps coming stays himself: the cookie is renewed in the second half of its life.
func TestCookieRenewed(t *testing.T) {
	st := newStage(t, nil)
	st.now = time.Now().Add(-40 * time.Minute)
	old := st.person(t)
	st.now = time.Time{}
	res, _ := st.ask(t, "GET", "/api/me", "", "Cookie", CookieName+"="+old.Token)
	if len(res.Cookies()) != 1 {
		t.Fatalf("cookies %v", res.Cookies())
	}
	renewed, err := st.cfg.Tokens.Check(res.Cookies()[0].Value)
	if err != nil || renewed.Person != old.Person || !renewed.Expires.After(old.Expires) {
		t.Errorf("renewed %+v, error %v", renewed, err)
	}
}

func TestGuestsLimited(t *testing.T) {
	st := newStage(t, func(c *Config) { c.Limits.Guests = Rate{0.001, 3} })
	for i := range 4 {
		res, body := st.ask(t, "POST", "/api/guest", "")
		if want := map[bool]int{true: 201, false: 429}[i < 3]; res.StatusCode != want {
			t.Errorf("guest %d: status %d (%s), want %d", i, res.StatusCode, body, want)
		}
		if i == 3 && res.Header.Get("Retry-After") == "" {
			t.Error("no Retry-After")
		}
	}
}

func TestFiles(t *testing.T) {
	st := newStage(t, nil)
	res, _ := st.ask(t, "GET", "/", "")
	if res.Header.Get("Cache-Control") != "no-cache" || !strings.HasPrefix(res.Header.Get("Content-Type"), "text/html") {
		t.Errorf("index: %v", res.Header)
	}
	res, _ = st.ask(t, "GET", "/assets/main-AB12CD34.js", "", "Accept-Encoding", "gzip")
	if !strings.Contains(res.Header.Get("Cache-Control"), "immutable") || res.Header.Get("Content-Encoding") != "gzip" ||
		!strings.HasPrefix(res.Header.Get("Content-Type"), "text/javascript") {
		t.Errorf("script: %v", res.Header)
	}
	etag := res.Header.Get("ETag")
	res, body := st.ask(t, "GET", "/assets/main-AB12CD34.js", "", "Accept-Encoding", "gzip", "If-None-Match", etag)
	if res.StatusCode != 304 || body != "" {
		t.Errorf("again: %d", res.StatusCode)
	}
	// a browser that is lost gets the client, which says so in words; a program gets the problem document
	res, body = st.ask(t, "GET", "/no/such/page", "", "Accept", "text/html,application/xhtml+xml")
	if res.StatusCode != 404 || !strings.HasPrefix(res.Header.Get("Content-Type"), "text/html") || body == "" {
		t.Errorf("a lost browser: %d, %s", res.StatusCode, res.Header.Get("Content-Type"))
	}
	csp := res.Header.Get("Content-Security-Policy")
	if strings.Contains(csp, "unsafe") || strings.Contains(csp, "*") || !strings.Contains(csp, "connect-src 'self' ws://127.0.0.1") {
		t.Errorf("policy %s", csp)
	}
}

func TestLongHeaderRefused(t *testing.T) {
	st := newStage(t, nil)
	if res, _ := st.ask(t, "GET", "/", "", "X-Long", strings.Repeat("a", 32<<10)); res.StatusCode != 431 {
		t.Errorf("status %d, want 431", res.StatusCode)
	}
}

func TestClientAddress(t *testing.T) {
	for _, c := range []struct{ remote, forwarded, want string }{
		{"10.0.0.1:5", "", "10.0.0.1"},
		{"10.0.0.1:5", "203.0.113.9", "203.0.113.9"},
		{"10.0.0.1:5", "1.2.3.4, 203.0.113.9", "203.0.113.9"},
		{"10.0.0.1:5", "203.0.113.9, 10.0.0.2", "203.0.113.9"},
		{"10.0.0.1:5", "nonsense", "10.0.0.1"},
		{"10.0.0.1:5", "203.0.113.9, nonsense", "10.0.0.1"},
		{"203.0.113.7:5", "1.2.3.4", "203.0.113.7"},
		{"[::ffff:10.0.0.1]:5", "2001:db8::1", "2001:db8::1"},
		{"garbage", "1.2.3.4", "invalid IP"},
	} {
		s := &Server{cfg: Config{TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}}}
		r := &http.Request{RemoteAddr: c.remote, Header: http.Header{}}
		if c.forwarded != "" {
			r.Header.Set("X-Forwarded-For", c.forwarded)
		}
		if got := s.clientAddress(r).String(); got != c.want {
			t.Errorf("%s forwarded for %q: %s, want %s", c.remote, c.forwarded, got, c.want)
		}
	}
	a, b := netip.MustParseAddr("2001:db8::1"), netip.MustParseAddr("2001:db8::ffff:1")
	if neighbourhood(a) != neighbourhood(b) {
		t.Error("one /64 counts as two addresses")
	}
}

func TestParsePublicURL(t *testing.T) {
	for text, want := range map[string]string{
		"https://Chess.example": "https://chess.example", "https://chess.example:443/": "https://chess.example",
		"http://10.0.0.5:8080": "http://10.0.0.5:8080", "http://localhost:80": "http://localhost", "https://chess.example:80": "https://chess.example:80",
		"": "", "chess.example": "", "ftp://chess.example": "", "https://": "", "https://chess.example/path": "", "https://a@chess.example": "", "https://chess.example?x": "",
	} {
		got, err := ParsePublicURL(text)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v; want %q", text, got, err, want)
		}
	}
}

// lockedPeople is a database that fails in a way.
type lockedPeople struct{ err error }

func (p lockedPeople) SavePerson(ctx context.Context, _ store.Person) error {
	if _, bounded := ctx.Deadline(); !bounded {
		return errors.New("the request would wait for ever")
	}
	return fmt.Errorf("store: %w", p.err)
}

func TestDatabaseLocked(t *testing.T) {
	for _, err := range []error{context.DeadlineExceeded, store.ErrUnavailable} {
		st := newStage(t, func(c *Config) { c.People = lockedPeople{err} })
		res, body := st.ask(t, "POST", "/api/guest", "")
		if res.StatusCode != http.StatusServiceUnavailable || !strings.Contains(body, wire.CodeUnavailable) || res.Header.Get("Retry-After") == "" {
			t.Errorf("%v: status %d: %s", err, res.StatusCode, body)
		}
	}
}
