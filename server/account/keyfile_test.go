package account_test

import (
	"encoding/base64"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"flagfall/server/account"
	"flagfall/server/account/accounttest"
)

func newPath(t *testing.T) string { return filepath.Join(t.TempDir(), "keys.json") }

func TestKeyFile(t *testing.T) {
	accounttest.RunKeys(t, func(t *testing.T) account.KeyStore { return account.NewKeyFile(newPath(t)) })
	path := newPath(t)
	token, kid := issue(t, openNode(t, account.NewKeyFile(path)))
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("mode %v, error %v; want 0600", info.Mode(), err)
	}
	again := openNode(t, account.NewKeyFile(path)) // a restart
	accepts(t, "after a restart", token, again)
	if _, now := issue(t, again); now != kid {
		t.Errorf("a restart changed the key from %s to %s", kid, now)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".keys-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// firstRelease is a keyset as the first release wrote it, and the ids of its keys: the first one signs.
func firstRelease(t *testing.T, changed time.Time) (path string) {
	t.Helper()
	seed := func(letter string) string {
		return base64.StdEncoding.EncodeToString([]byte(strings.Repeat(letter, 32)))
	}
	path = newPath(t)
	text := `{"keys":[{"kid":"NEWER234","seed":"` + seed("n") + `"},{"kid":"OLDER234","seed":"` + seed("o") + `"}]}`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, changed, changed); err != nil {
		t.Fatal(err)
	}
	return path
}

// A keyset of the first release goes on to sign by its first key, and to verify by all; when it is old, a new key is made.
func TestKeyFileOfTheFirstRelease(t *testing.T) {
	for _, c := range []struct {
		name    string
		changed time.Duration
		want    []int64
	}{
		{"new", time.Hour, []int64{2, 1}},
		{"30 days and more", 30*day + time.Minute, []int64{3, 2, 1}},
		{"60 days and more", 60*day + 2*time.Hour, []int64{3, 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			store := account.NewKeyFile(firstRelease(t, time.Now().Add(-c.changed)))
			n := openNode(t, store)
			token, kid := issue(t, n)
			if kid != "NEWER234" {
				t.Errorf("%s signs", kid)
			}
			accepts(t, "at once", token, n)
			got := numbers(t, store)
			if len(got) != len(c.want) || got[0] != c.want[0] || got[len(got)-1] != c.want[len(c.want)-1] {
				t.Errorf("keys %v, want %v", got, c.want)
			}
			accepts(t, "after a restart", token, openNode(t, store))
		})
	}
}

func TestKeyFileRefused(t *testing.T) {
	seed := base64.StdEncoding.EncodeToString(make([]byte, 32))
	for name, text := range map[string]string{
		"not JSON":   "{",
		"no key":     `{"keys":[]}`,
		"no base64":  `{"keys":[{"kid":"A","seed":"?"}]}`,
		"short seed": `{"keys":[{"kid":"A","seed":"AAAA"}]}`,
		"no kid":     `{"keys":[{"kid":"","seed":"` + seed + `"}]}`,
		"kid twice":  `{"keys":[{"kid":"A","seed":"` + seed + `"},{"kid":"A","seed":"` + seed + `"}]}`,
	} {
		path := newPath(t)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := account.OpenKeys(t.Context(), account.KeysConfig{Store: account.NewKeyFile(path)})
		if err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: error %v; want one that names the file", name, err)
		}
		if now, _ := os.ReadFile(path); string(now) != text {
			t.Errorf("%s: the file was changed", name)
		}
	}
	nowhere := account.NewKeyFile(filepath.Join(t.TempDir(), "missing", "keys.json"))
	if _, err := account.OpenKeys(t.Context(), account.KeysConfig{Store: nowhere}); err == nil {
		t.Error("a folder that is not there: no error")
	}
}

// A server that gets a database for many nodes takes its keys along, once.
func TestKeyFileMoves(t *testing.T) {
	path := firstRelease(t, time.Now())
	file, shared := account.NewKeyFile(path), &accounttest.Memory{}
	token, _ := issue(t, openNode(t, file))
	shared.Fail(errAway)
	if done, err := file.Move(t.Context(), shared); done || !errors.Is(err, errAway) {
		t.Errorf("with the database away: %v, %v", done, err)
	}
	shared.Fail(nil)
	if done, err := file.Move(t.Context(), shared); !done || err != nil {
		t.Fatalf("%v, %v", done, err)
	}
	accepts(t, "of before the move", token, openNode(t, shared))
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file: %v", err)
	}
	if kept, err := os.ReadFile(path + ".moved"); err != nil || !strings.Contains(string(kept), "OLDER234") {
		t.Errorf("the file under its new name: %s, %v", kept, err)
	}
	for _, id := range []string{"NEWER234", "OLDER234"} {
		if err := shared.DropSigningKey(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	if done, err := file.Move(t.Context(), shared); done || err != nil || len(numbers(t, shared)) > 0 {
		t.Errorf("again: %v, %v, keys %v", done, err, numbers(t, shared))
	}
}

// The keys that nodes share are not mixed with those of a file.
func TestKeyFileStays(t *testing.T) {
	path, shared := firstRelease(t, time.Now()), &accounttest.Memory{}
	openNode(t, shared)
	if done, err := account.NewKeyFile(path).Move(t.Context(), shared); done || err != nil || len(numbers(t, shared)) != 1 {
		t.Errorf("%v, %v, keys %v", done, err, numbers(t, shared))
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("the file: %v", err)
	}
}
