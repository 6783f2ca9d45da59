package edge

import (
	"net/http"
	"strings"
	"testing"
)

// SEC-01: who may open a socket.
func TestHandshakeOrigin(t *testing.T) {
	st := newStage(t, nil)
	host := strings.TrimPrefix(st.origin, "http://")
	s := st.person(t)
	cookie := http.Header{"Cookie": {CookieName + "=" + s.Token}}
	with := func(h http.Header, origins ...string) http.Header {
		h = h.Clone()
		if len(origins) > 0 {
			h["Origin"] = origins
		}
		return h
	}
	for _, c := range []struct {
		name   string
		header http.Header
		path   string
		status int
	}{
		{"own page", with(cookie, st.origin), "/ws", 101},
		{"other host", with(cookie, "http://evil.example"), "/ws", 403},
		{"host as a prefix", with(cookie, st.origin+".evil.example"), "/ws", 403},
		{"host as a suffix", with(cookie, "http://evil-"+host), "/ws", 403},
		{"host in the path", with(cookie, "http://evil.example/"+host), "/ws", 403},
		{"host as a user", with(cookie, "http://"+host+"@evil.example"), "/ws", 403},
		{"null", with(cookie, "null"), "/ws", 403},
		{"empty", with(cookie, ""), "/ws", 403},
		{"other scheme", with(cookie, "https://"+host), "/ws", 403},
		{"other port", with(cookie, "http://127.0.0.1:1"), "/ws", 403},
		{"two origins", with(cookie, st.origin, "http://evil.example"), "/ws", 403},
		{"cookie without an origin", cookie, "/ws", 403},
		{"bearer without an origin", bearer(s), "/ws", 101},
		{"bearer from another page", with(bearer(s), "http://evil.example"), "/ws", 403},
		{"bad bearer beside a good cookie", http.Header{"Cookie": cookie["Cookie"], "Authorization": {"Bearer x"}, "Origin": {st.origin}}, "/ws", 401},
		{"token in the URL", with(http.Header{}, st.origin), "/ws?token=" + s.Token + "&access_token=" + s.Token, 401},
	} {
		ws, res, err := st.dial(c.header, c.path)
		if err == nil {
			ws.Close()
		}
		if res == nil || res.StatusCode != c.status {
			t.Errorf("%s: %v, want %d", c.name, res, c.status)
		}
	}
}

// Without a public URL a page opened by another address of this machine may connect, a name that was made to point here may not.
func TestLocalHosts(t *testing.T) {
	st := newStage(t, func(c *Config) { c.PublicURL, c.LocalHosts = "http://localhost:8080", true })
	for _, c := range []struct {
		origin, host string
		want         bool
	}{
		{"http://localhost:8080", "anything", true},
		{"http://127.0.0.1:8080", "127.0.0.1:8080", true},
		{"http://192.168.1.5:8080", "192.168.1.5:8080", true},
		{"http://[::1]:8080", "[::1]:8080", true},
		{"http://localhost:9090", "localhost:9090", true},
		{"http://192.168.1.5:8080", "192.168.1.6:8080", false},
		{"https://192.168.1.5:8080", "192.168.1.5:8080", false},
		{"http://evil.example:8080", "evil.example:8080", false},
		{"null", "null", false},
	} {
		if got := st.originAllowed(c.origin, &http.Request{Host: c.host}); got != c.want {
			t.Errorf("origin %s, host %s: %v", c.origin, c.host, got)
		}
	}
}

func TestHandshakesLimited(t *testing.T) {
	st := newStage(t, func(c *Config) { c.Limits.Handshakes = Rate{0.001, 2} })
	for i := range 3 {
		_, res, _ := st.dial(http.Header{}, "/ws")
		if want := map[bool]int{true: 401, false: 429}[i < 2]; res == nil || res.StatusCode != want {
			t.Errorf("handshake %d: %v, want %d", i, res, want)
		}
	}
}
