package account_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"flagfall/server/account"
	"flagfall/server/account/accounttest"
)

const (
	audience = "https://chess.example"
	day      = 24 * time.Hour
)

var errAway = errors.New("the database is away")

func TestMemoryStore(t *testing.T) {
	accounttest.RunKeys(t, func(*testing.T) account.KeyStore { return &accounttest.Memory{} })
	accounttest.RunRevocations(t, func(*testing.T) account.RevocationStore { return &accounttest.Memory{} })
}

// node is what one server has of a keyset.
type node struct {
	*account.Tokens
	keys *account.Keys
	log  *bytes.Buffer // to be read while nothing runs
}

func openNode(t *testing.T, store account.KeyStore) node {
	t.Helper()
	n := node{log: &bytes.Buffer{}}
	keys, err := account.OpenKeys(t.Context(), account.KeysConfig{Store: store, Log: slog.New(slog.NewTextHandler(n.log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(keys.Close)
	n.keys = keys
	if n.Tokens, err = account.NewTokens(account.Config{Keys: keys, Audience: audience}); err != nil {
		t.Fatal(err)
	}
	return n
}

// issue makes a token and tells which key signed it.
func issue(t *testing.T, n node) (token, kid string) {
	t.Helper()
	s, err := n.Issue(account.NewGuest())
	if err != nil {
		t.Fatal(err)
	}
	parsed, _, err := jwt.NewParser().ParseUnverified(s.Token, jwt.MapClaims{})
	if err != nil {
		t.Fatal(err)
	}
	return s.Token, parsed.Header["kid"].(string)
}

// accepts holds that nodes take a token.
func accepts(t *testing.T, what, token string, nodes ...node) {
	t.Helper()
	for i, n := range nodes {
		if _, err := n.Check(token); err != nil {
			t.Errorf("%s: node %d: %v", what, i, err)
		}
	}
}

func numbers(t *testing.T, store account.KeyStore) (all []int64) {
	t.Helper()
	keys, err := store.SigningKeys(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range keys {
		all = append(all, k.Number)
	}
	return all
}

// A key signs for 30 days, its successor is known an hour before, and it goes when its last token is out. Two nodes that
// start, and rotate, at the same moment make one key of it each time.
func TestRotation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &accounttest.Memory{}
		a, b := openNode(t, store), openNode(t, store)
		began := time.Now()
		at := func(since time.Duration) { // the nodes run for the last minute, and read at the same moments
			a.keys.Close()
			b.keys.Close()
			time.Sleep(since - time.Minute - time.Since(began))
			a, b = openNode(t, store), openNode(t, store)
			time.Sleep(time.Minute)
			synctest.Wait()
		}
		keyCount := func(what string, want int) {
			t.Helper()
			if got := numbers(t, store); len(got) != want {
				t.Errorf("%s: keys %v, want %d", what, got, want)
			}
		}
		sign := func(what string) (token, kid string) {
			t.Helper()
			token, kid = issue(t, a)
			other, otherKid := issue(t, b)
			if kid != otherKid {
				t.Errorf("%s: the nodes sign by %s and %s", what, kid, otherKid)
			}
			accepts(t, what, token, a, b)
			accepts(t, what, other, a, b)
			return token, kid
		}
		_, first := sign("the beginning")
		keyCount("the beginning", 1)
		at(30*day - time.Hour - time.Minute)
		keyCount("more than an hour before", 1)
		at(30*day - time.Hour + 30*time.Second)
		keyCount("an hour before", 2)
		last, kid := sign("announced")
		if kid != first {
			t.Error("the new key signs before it was known for an hour")
		}
		at(30*day + time.Minute)
		_, second := sign("rotated")
		if second == first {
			t.Error("the old key signs after 30 days")
		}
		at(60*day - time.Hour)
		accepts(t, "a token in its last minutes", last, a, b)
		at(60*day + time.Hour + 2*time.Minute)
		if got := numbers(t, store); len(got) != 2 || got[0] != 2 || got[1] != 3 {
			t.Errorf("keys %v, want the second and the third", got)
		}
		_, third := sign("rotated again")
		if third == first || third == second {
			t.Errorf("%s signs again", third)
		}
	})
}

// A key that another node has just made is fetched when its first token comes; whoever invents keys costs one reading a
// second.
func TestUnknownKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &accounttest.Memory{}
		b := openNode(t, store)
		leaked, _ := issue(t, b)
		keys, err := store.SigningKeys(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := store.DropSigningKey(t.Context(), keys[0].ID); err != nil { // an operator does
			t.Fatal(err)
		}
		time.Sleep(3 * time.Second)
		a := openNode(t, store)
		token, _ := issue(t, a)
		accepts(t, "the first token of a new key", token, b)
		for name, n := range map[string]node{"the new node": a, "the one that read again": b} {
			if _, err := n.Check(leaked); !errors.Is(err, account.ErrToken) {
				t.Errorf("a token of the removed key at %s: %v", name, err)
			}
		}

		stranger, err := account.NewTokens(account.Config{Keys: account.MemoryKeys(), Audience: audience})
		if err != nil {
			t.Fatal(err)
		}
		forged, err := stranger.Issue(account.NewGuest())
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		before := store.Reads()
		for range 5 {
			for range 100 {
				if _, err := b.Check(forged.Token); !errors.Is(err, account.ErrToken) {
					t.Fatalf("forged: %v", err)
				}
			}
			time.Sleep(time.Second / 2)
		}
		if n := store.Reads() - before; n != 3 {
			t.Errorf("2.5 s of forged keys cost %d readings, want 3", n)
		}
	})
}

// With the store away tokens are made and checked as before; the log says it once.
func TestKeyStoreAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &accounttest.Memory{}
		n := openNode(t, store)
		before, _ := issue(t, n)
		store.Fail(errAway)
		time.Sleep(time.Minute)
		during, _ := issue(t, n)
		accepts(t, "while it is away", before, n)
		accepts(t, "while it is away", during, n)
		store.Fail(nil)
		time.Sleep(time.Minute)
		synctest.Wait()
		accepts(t, "when it is back", during, n)
		if said := n.log.String(); strings.Count(said, "level=WARN") != 1 || strings.Count(said, "is up to date again") != 1 || strings.Contains(said, "ERROR") {
			t.Errorf("the log: %s", said)
		}
	})
	store := &accounttest.Memory{}
	store.Fail(errAway)
	if _, err := account.OpenKeys(t.Context(), account.KeysConfig{Store: store}); !errors.Is(err, errAway) {
		t.Errorf("opened over a store that is away: %v", err)
	}
}

// An operator removes a key that has leaked: within ten seconds none of its tokens is taken, and there is a new one.
func TestLeakedKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &accounttest.Memory{}
		a, b := openNode(t, store), openNode(t, store)
		leaked, _ := issue(t, a)
		keys, err := store.SigningKeys(t.Context())
		if err != nil || len(keys) != 1 {
			t.Fatal(keys, err)
		}
		if err := store.DropSigningKey(t.Context(), keys[0].ID); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Second)
		synctest.Wait()
		for name, n := range map[string]node{"a": a, "b": b} {
			if _, err := n.Check(leaked); !errors.Is(err, account.ErrToken) {
				t.Errorf("%s: %v", name, err)
			}
		}
		token, _ := issue(t, a)
		accepts(t, "by the new key", token, a, b)
		if got := numbers(t, store); len(got) != 1 {
			t.Errorf("keys %v, want one", got)
		}
	})
}

// A set that cannot be used does not replace the one in memory.
func TestKeySetBroken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &accounttest.Memory{}
		n := openNode(t, store)
		token, _ := issue(t, n)
		if err := store.AddSigningKeys(t.Context(), account.Key{Number: 2, ID: "SHORT", Seed: []byte("short")}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		accepts(t, "beside a key that is none", token, n)
		if said := n.log.String(); !strings.Contains(said, `the key \"SHORT\" is not good`) {
			t.Errorf("the log: %s", said)
		}
	})
}

// A node whose clock is behind the first key of all signs by it.
func TestClockBehind(t *testing.T) {
	store := &accounttest.Memory{}
	keys, err := account.OpenKeys(t.Context(), account.KeysConfig{Store: store})
	if err != nil {
		t.Fatal(err)
	}
	defer keys.Close()
	tokens, err := account.NewTokens(account.Config{Keys: keys, Audience: audience, Now: func() time.Time { return time.Now().Add(-time.Hour) }})
	if err != nil {
		t.Fatal(err)
	}
	token, _ := issue(t, node{Tokens: tokens})
	accepts(t, "an hour behind", token, node{Tokens: tokens}, openNode(t, store))
}
