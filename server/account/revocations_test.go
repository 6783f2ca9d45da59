package account_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"flagfall/server/account"
	"flagfall/server/account/accounttest"
)

func openRevocations(t *testing.T, store account.RevocationStore) (*account.Revocations, *bytes.Buffer) {
	t.Helper()
	log := &bytes.Buffer{}
	r, err := account.OpenRevocations(t.Context(), store, slog.New(slog.NewTextHandler(log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r, log
}

func inDays(n int) time.Time { return time.Now().Add(time.Duration(n) * day) }

// A session that is ended on one node is ended on every node within two seconds, and on one that starts later.
func TestRevocationReachesAllNodes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &accounttest.Memory{}
		a, _ := openRevocations(t, store)
		b, _ := openRevocations(t, store)
		for _, id := range []string{"first", "second"} {
			if err := a.Revoke(t.Context(), id, inDays(30)); err != nil {
				t.Fatal(err)
			}
			if !a.Revoked(id) || b.Revoked(id) {
				t.Errorf("%s at once: %v here, %v there", id, a.Revoked(id), b.Revoked(id))
			}
			time.Sleep(2 * time.Second)
			synctest.Wait()
			if !b.Revoked(id) {
				t.Errorf("%s is not known elsewhere after two seconds", id)
			}
		}
		late, _ := openRevocations(t, store)
		if !late.Revoked("first") || !late.Revoked("second") || late.Revoked("third") {
			t.Error("a node that starts later does not know them, or more than them")
		}
	})
}

// With the store away nobody can be logged out, but those who were stay so. A failover that lost the latest revocation
// and gave its number again hides no other one.
func TestRevocationStoreAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &accounttest.Memory{}
		a, _ := openRevocations(t, store)
		b, log := openRevocations(t, store)
		if err := a.Revoke(t.Context(), "before", inDays(30)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(3 * time.Second)
		store.Fail(errAway)
		if err := a.Revoke(t.Context(), "during", inDays(30)); !errors.Is(err, errAway) || a.Revoked("during") {
			t.Errorf("while it is away: %v, revoked %v", err, a.Revoked("during"))
		}
		time.Sleep(time.Minute)
		if !a.Revoked("before") || !b.Revoked("before") {
			t.Error("a revocation was forgotten")
		}
		store.Lose()
		store.Fail(nil)
		if err := a.Revoke(t.Context(), "after", inDays(30)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(3 * time.Second)
		synctest.Wait()
		if !b.Revoked("after") || !b.Revoked("before") {
			t.Errorf("when it is back: after %v, before %v", b.Revoked("after"), b.Revoked("before"))
		}
		if said := log.String(); strings.Count(said, "level=WARN") != 1 || strings.Count(said, "is up to date again") != 1 {
			t.Errorf("the log: %s", said)
		}
		store.Fail(errAway)
		if _, err := account.OpenRevocations(t.Context(), store, nil); !errors.Is(err, errAway) {
			t.Errorf("opened over a store that is away: %v", err)
		}
	})
}

// What nobody needs any more goes, from memory and store, an hour or two after its last token is out.
func TestRevocationForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &accounttest.Memory{}
		a, _ := openRevocations(t, store)
		until := time.Now().Add(5 * time.Hour)
		if err := a.Revoke(t.Context(), "short", until); err != nil {
			t.Fatal(err)
		}
		if err := a.Revoke(t.Context(), "long", inDays(30)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(5*time.Hour + 59*time.Minute)
		if !a.Revoked("short") {
			t.Error("forgotten while the clock of another node may take its tokens")
		}
		time.Sleep(time.Hour + 2*time.Minute)
		synctest.Wait()
		list, _, err := store.Revocations(t.Context(), 0)
		if err != nil || len(list) != 1 || list[0].ID != "long" || a.Revoked("short") || !a.Revoked("long") {
			t.Errorf("later: %+v, %v", list, err)
		}
	})
}
