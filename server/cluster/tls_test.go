//go:build unix

package cluster

import (
	"crypto/x509"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"flagfall/server/actor"
	"flagfall/server/actor/journaltest"
	"flagfall/server/cluster/redistest"
)

func TestJournalOverTLS(t *testing.T) {
	a := redistest.NewAuthority(t)
	s := a.Single(t)
	journaltest.Run(t, func(t *testing.T) actor.Journal {
		s.Flush()
		return NewJournal(connect(t, s.URL(), Options{}))
	})
}

func TestHallOverTLS(t *testing.T) {
	a := redistest.NewAuthority(t)
	for _, c := range []struct {
		name  string
		start func(t *testing.T) (url string, flush func())
	}{
		{"single", func(t *testing.T) (string, func()) { s := a.Single(t); return s.URL(), s.Flush }},
		{"sentinel", func(t *testing.T) (string, func()) { s := a.Sentinel(t); return s.URL(), s.Flush }},
		{"cluster", func(t *testing.T) (string, func()) { s := a.Cluster(t); return s.URL(), s.Flush }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			url, flush := c.start(t)
			if !strings.HasPrefix(url, "rediss") {
				t.Fatalf("%s is not over TLS", url)
			}
			for name, test := range map[string]func(*testing.T, place){"members": membersSeeEachOther, "messages": messagesInOrder, "questions": questions} {
				t.Run(name, func(t *testing.T) {
					flush()
					test(t, connect(t, url, Options{}))
				})
			}
			j := NewJournal(connect(t, url, Options{}))
			put(t, j, "game/a", 0, "one")
			expect(t, j, "game/a", "1:one")
		})
	}
}

// What is wrong with certificates is said at the start, with what to do about it.
func TestErrorsOverTLS(t *testing.T) {
	a, stranger := redistest.NewAuthority(t), redistest.NewAuthority(t)
	dir := t.TempDir()
	serving := func(name string, c *x509.Certificate) *redistest.Server {
		file := filepath.Join(dir, name)
		a.Sign(file, c)
		return a.Single(t, "--tls-auth-clients", "no", "--tls-cert-file", file)
	}
	files := func(s *redistest.Server, names ...string) string {
		q := url.Values{}
		for i := 0; i < len(names); i += 2 {
			q.Set(names[i], names[i+1])
		}
		return "rediss://:secret@" + s.Addr() + "?" + q.Encode()
	}
	ours, plainText := a.Single(t), redistest.Single(t)
	old := a.Certificate("127.0.0.1")
	old.NotAfter = time.Now().Add(-time.Hour)
	broken := filepath.Join(dir, "broken")
	if err := os.WriteFile(broken, []byte("no PEM"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ url, want string }{
		"unknown authority":       {files(ours), "signed by unknown authority: name the file of its authority with ?ca=FILE"},
		"another authority":       {files(ours, "ca", stranger.File), "?ca=FILE"},
		"no certificate":          {files(ours, "ca", a.File), "which ?cert=FILE&key=FILE name"},
		"a stranger's":            {files(ours, "ca", a.File, "cert", stranger.Client, "key", stranger.Key), "which ?cert=FILE&key=FILE name"},
		"plain, TLS wanted":       {"redis://:secret@" + ours.Addr(), "begins with rediss://"},
		"TLS, plain wanted":       {files(plainText, "ca", a.File), "it hangs, or speaks no TLS"},
		"TLS, something else":     {"rediss://:secret@" + babbler(t), "there is no TLS"},
		"no such file":            {files(ours, "ca", filepath.Join(dir, "nowhere")), "authorities of Redis's certificate: open "},
		"no PEM":                  {files(ours, "ca", broken), "no certificate in PEM is in " + broken},
		"a certificate alone":     {files(ours, "cert", a.Client), "one of cert and key"},
		"a key that does not fit": {files(ours, "cert", a.Client, "key", stranger.Key), "the client's certificate for Redis: tls: private key does not match"},
		"files without TLS":       {"redis://:secret@" + ours.Addr() + "?ca=" + a.File, "is not over TLS"},
	} {
		t.Run(name, func(t *testing.T) { refused(t, c.url, c.want) })
	}
	t.Run("expired", func(t *testing.T) { refused(t, files(serving("old", old), "ca", a.File), "certificate has expired") })
	t.Run("another host's", func(t *testing.T) {
		refused(t, files(serving("other", a.Certificate("10.1.2.3")), "ca", a.File), "certificate is valid for 10.1.2.3, not 127.0.0.1")
	})
	t.Run("in order", func(t *testing.T) {
		connect(t, strings.Replace(files(serving("good", a.Certificate("127.0.0.1")), "ca", a.File), ":secret@", "", 1), Options{})
	})
}

// babbler is the address of a server that says something to whoever connects.
func babbler(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = io.WriteString(c, "-ERR this is no greeting\r\n")
			_, _ = io.Copy(io.Discard, c)
			c.Close()
		}
	}()
	return l.Addr().String()
}

// refused wants an error of one line, without the password.
func refused(t *testing.T, url, want string) {
	t.Helper()
	r, err := Open(ctx, url, Options{Log: quiet()})
	if err == nil {
		r.Close()
		t.Fatal("it opens")
	}
	t.Log(err)
	if text := err.Error(); !strings.Contains(text, want) || strings.Contains(text, "secret") || strings.Contains(text, "\n") {
		t.Errorf("%q, want %q", text, want)
	}
}
