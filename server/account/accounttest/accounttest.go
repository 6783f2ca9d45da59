// Package accounttest is what every store of keys and revocations must do, whatever it stands on.
package accounttest

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"flagfall/server/account"
)

var day = time.Date(2026, 3, 1, 12, 0, 0, 123_000_000, time.UTC)

func key(number int64, id string) account.Key {
	return account.Key{
		Number: number, ID: id, Seed: bytes.Repeat([]byte{byte(number)}, 32), Signs: day.Add(time.Duration(number) * time.Hour),
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// RunKeys runs the suite of a KeyStore; open gives a new, empty one.
func RunKeys(t *testing.T, open func(t *testing.T) account.KeyStore) {
	for name, test := range map[string]func(*testing.T, account.KeyStore){
		"no key": noKey, "keys": keys, "a number that is taken": taken, "added at once": addedAtOnce,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
}

// holds compares the keys of a store, in any order.
func holds(t *testing.T, s account.KeyStore, want ...account.Key) {
	t.Helper()
	got, err := s.SigningKeys(t.Context())
	must(t, err)
	slices.SortFunc(got, func(a, b account.Key) int { return int(a.Number - b.Number) })
	same := func(a, b account.Key) bool {
		return a.Number == b.Number && a.ID == b.ID && bytes.Equal(a.Seed, b.Seed) && a.Signs.Equal(b.Signs)
	}
	if !slices.EqualFunc(got, want, same) {
		t.Errorf("keys %+v, want %+v", got, want)
	}
}

func noKey(t *testing.T, s account.KeyStore) {
	holds(t, s)
	must(t, s.AddSigningKeys(t.Context()))
	holds(t, s)
}

func keys(t *testing.T, s account.KeyStore) {
	a, b, c := key(1, "AAAAAAAA"), key(2, "BBBBBBBB"), key(3, "CCCCCCCC")
	must(t, s.AddSigningKeys(t.Context(), a, b))
	must(t, s.AddSigningKeys(t.Context(), c))
	holds(t, s, a, b, c)
	must(t, s.DropSigningKey(t.Context(), "AAAAAAAA"))
	must(t, s.DropSigningKey(t.Context(), "AAAAAAAA"))
	must(t, s.DropSigningKey(t.Context(), "nobody"))
	holds(t, s, b, c)
}

func taken(t *testing.T, s account.KeyStore) {
	a, b := key(1, "AAAAAAAA"), key(2, "BBBBBBBB")
	must(t, s.AddSigningKeys(t.Context(), a))
	must(t, s.AddSigningKeys(t.Context(), a))
	must(t, s.AddSigningKeys(t.Context(), key(1, "OTHER"), b))
	holds(t, s, a, b)
}

// addedAtOnce is two nodes, and more, that rotate at the same moment: one new key is kept.
func addedAtOnce(t *testing.T, s account.KeyStore) {
	first := key(1, "AAAAAAAA")
	must(t, s.AddSigningKeys(t.Context(), first))
	var nodes sync.WaitGroup
	for i := range 8 {
		nodes.Go(func() {
			if err := s.AddSigningKeys(t.Context(), key(2, fmt.Sprint("NODE", i))); err != nil {
				t.Error(err)
			}
		})
	}
	nodes.Wait()
	got, err := s.SigningKeys(t.Context())
	must(t, err)
	if len(got) != 2 {
		t.Errorf("%d keys, want 2: %+v", len(got), got)
	}
}

// RunRevocations runs the suite of a RevocationStore; open gives a new, empty one.
func RunRevocations(t *testing.T, open func(t *testing.T) account.RevocationStore) {
	for name, test := range map[string]func(*testing.T, account.RevocationStore){
		"none": noRevocation, "read on": readOn, "twice": twice, "forgotten": forgotten, "many": many, "nothing is passed over": nothingPassedOver,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
}

// after reads to the end.
func after(t *testing.T, s account.RevocationStore, number int64) (ids string, last int64) {
	t.Helper()
	var all []string
	for {
		list, next, err := s.Revocations(t.Context(), number)
		must(t, err)
		for _, one := range list {
			all = append(all, one.ID)
		}
		if next == number {
			if len(list) > 0 {
				t.Fatalf("after %d: %d revocations and no new number", number, len(list))
			}
			return strings.Join(all, " "), number
		}
		number = next
	}
}

func revoke(t *testing.T, s account.RevocationStore, id string, until time.Time) {
	t.Helper()
	must(t, s.Revoke(t.Context(), account.Revocation{ID: id, Until: until}))
}

func noRevocation(t *testing.T, s account.RevocationStore) {
	for _, number := range []int64{0, 7} {
		if ids, last := after(t, s, number); ids != "" || last != number {
			t.Errorf("after %d: %q, %d", number, ids, last)
		}
	}
}

func readOn(t *testing.T, s account.RevocationStore) {
	revoke(t, s, "A", day)
	revoke(t, s, "B", day.Add(time.Hour))
	ids, last := after(t, s, 0)
	if ids != "A B" {
		t.Errorf("first: %q", ids)
	}
	revoke(t, s, "C", day)
	if ids, _ := after(t, s, last); ids != "C" {
		t.Errorf("then: %q", ids)
	}
	list, _, err := s.Revocations(t.Context(), 0)
	must(t, err)
	if len(list) != 3 || !list[1].Until.Equal(day.Add(time.Hour)) {
		t.Errorf("all: %+v", list)
	}
}

func twice(t *testing.T, s account.RevocationStore) {
	for range 2 {
		revoke(t, s, "A", day)
	}
	revoke(t, s, "B", day)
	if ids, _ := after(t, s, 0); ids != "A B" {
		t.Errorf("got %q", ids)
	}
}

// forgotten: numbers go on where they were, or who has read on would miss the next one.
func forgotten(t *testing.T, s account.RevocationStore) {
	revoke(t, s, "old", day)
	revoke(t, s, "older", day.Add(-time.Minute))
	_, last := after(t, s, 0)
	must(t, s.ForgetRevocations(t.Context(), day))
	if ids, _ := after(t, s, 0); ids != "old" {
		t.Errorf("after the first: %q", ids)
	}
	must(t, s.ForgetRevocations(t.Context(), day.Add(time.Millisecond)))
	if ids, _ := after(t, s, 0); ids != "" {
		t.Errorf("after the second: %q", ids)
	}
	revoke(t, s, "new", day)
	if ids, _ := after(t, s, last); ids != "new" {
		t.Errorf("who has read on gets %q", ids)
	}
}

func many(t *testing.T, s account.RevocationStore) {
	var want []string
	for i := range 1500 {
		want = append(want, fmt.Sprint("S", i))
		revoke(t, s, want[i], day)
	}
	if ids, _ := after(t, s, 0); ids != strings.Join(want, " ") {
		t.Errorf("%d of %d were listed in order", len(strings.Fields(ids)), len(want))
	}
}

// nothingPassedOver reads on while several nodes write: a number that becomes visible late would be missed.
func nothingPassedOver(t *testing.T, s account.RevocationStore) {
	const nodes, each = 6, 25
	var writers sync.WaitGroup
	for n := range nodes {
		writers.Go(func() {
			for i := range each {
				if err := s.Revoke(t.Context(), account.Revocation{ID: fmt.Sprintf("N%d-%d", n, i), Until: day}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	done := make(chan struct{})
	go func() {
		writers.Wait()
		close(done)
	}()
	seen, number := map[string]bool{}, int64(0)
	for finished := false; ; {
		list, last, err := s.Revocations(t.Context(), number)
		must(t, err)
		for _, one := range list {
			seen[one.ID] = true
		}
		if number == last && finished {
			break
		}
		number = last
		select {
		case <-done:
			finished = true
		default:
		}
	}
	if len(seen) != nodes*each {
		t.Errorf("a reader that reads on has seen %d of %d", len(seen), nodes*each)
	}
}
