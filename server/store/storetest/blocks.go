package storetest

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"flagfall/server/account"
	"flagfall/server/store"
)

var blockTests = map[string]func(*testing.T, *store.Store){"blocks": blocks, "too many blocks": tooManyBlocks, "blocks of who is deleted": blocksDeleted, "ranks": ranks}

func known(t *testing.T, s *store.Store, names ...string) {
	t.Helper()
	for _, name := range names {
		must(t, s.SavePerson(t.Context(), store.Person{ID: name, Name: "Name " + name, Created: day, LastSeen: day}))
	}
}

// A block counts for both, is listed for the one who made it, and goes when he takes it back.
func blocks(t *testing.T, s *store.Store) {
	ctx := t.Context()
	known(t, s, "P", "Q", "R")
	must(t, s.Block(ctx, "P", "Q", day))
	must(t, s.Block(ctx, "P", "Q", day))
	must(t, s.Block(ctx, "R", "P", day))
	must(t, s.Block(ctx, "Q", "P", day))
	if err := s.Block(ctx, "P", "X", day); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("nobody is blocked: %v", err)
	}
	both := func(person string, want ...string) {
		t.Helper()
		got, err := s.Blocks(ctx, person)
		must(t, err)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("blocks of %s: %v, want %v", person, got, want)
		}
	}
	both("P", "Q", "R")
	both("Q", "P")
	both("R", "P")
	listed, err := s.Blocked(ctx, "P")
	must(t, err)
	if want := []store.Person{{ID: "Q", Name: "Name Q"}}; !reflect.DeepEqual(listed, want) {
		t.Errorf("listed %+v, want %+v", listed, want)
	}
	must(t, s.Unblock(ctx, "P", "Q"))
	must(t, s.Unblock(ctx, "P", "R")) // it is R's
	both("P", "Q", "R")
	must(t, s.Unblock(ctx, "Q", "P"))
	both("P", "R")
	both("Q")
}

// One more than the bound is refused; one that is there already is not one more.
func tooManyBlocks(t *testing.T, s *store.Store) {
	ctx := t.Context()
	known(t, s, "P")
	for i := range store.MaxBlocks + 1 {
		known(t, s, fmt.Sprint("B", i))
		err := s.Block(ctx, "P", fmt.Sprint("B", i), day)
		if full := i == store.MaxBlocks; errors.Is(err, store.ErrTooManyBlocks) != full || !full && err != nil {
			t.Fatalf("block %d: %v", i+1, err)
		}
	}
	must(t, s.Block(ctx, "P", "B0", day))
}

// Ranks are the ratings as the lists show them.
func ranks(t *testing.T, s *store.Store) {
	ctx := t.Context()
	known(t, s, "P", "Q")
	save(t, s, newRated("g1", "P", "Q", "1-0", day))
	listed, err := s.Ratings(ctx, "P", day)
	must(t, err)
	want := map[string]float64{}
	for _, r := range listed {
		want[r.Kind] = r.Rating.Rating
	}
	got, err := s.Ranks(ctx, "P")
	must(t, err)
	if len(want) != 1 || want["wbca"] <= 1500 || !reflect.DeepEqual(got, want) {
		t.Errorf("ranks %v, ratings %v", got, want)
	}
	if got, err := s.Ranks(ctx, "R"); err != nil || len(got) != 0 {
		t.Errorf("of nobody: %v, %v", got, err)
	}
}

// Who deletes his account blocks nobody any more, and nobody blocks him.
func blocksDeleted(t *testing.T, s *store.Store) {
	ctx := t.Context()
	known(t, s, "P", "Q")
	m := account.Member{Person: "P", Name: "Judit", Password: "$", Role: account.Player, Created: day}
	must(t, s.AddMember(ctx, m, account.Login{}, account.Revocation{}, 0))
	must(t, s.Block(ctx, "P", "Q", day))
	must(t, s.Block(ctx, "Q", "P", day))
	_, err := s.DeleteMember(ctx, "P", day, account.Ending{})
	must(t, err)
	for _, person := range []string{"P", "Q"} {
		if left, err := s.Blocks(ctx, person); err != nil || len(left) != 0 {
			t.Errorf("blocks of %s: %v, %v", person, left, err)
		}
	}
}
