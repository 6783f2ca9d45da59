package storetest

import (
	"errors"
	"fmt"
	"reflect"
	"sync"
	"testing"
	"time"

	"flagfall/server/account"
	"flagfall/server/store"
)

var clubTests = map[string]func(*testing.T, *store.Store){
	"clubs": clubs, "rights in a club": clubRights, "clubs made at once": clubsAtOnce, "the last owners leave at once": ownersAtOnce,
	"clubs of who is deleted": clubsDeleted,
}

// registered makes people with an account; a name's first letter is his id.
func registered(t *testing.T, s *store.Store, names ...string) {
	t.Helper()
	for _, name := range names {
		m := account.Member{Person: name[:1], Name: name, Password: "$", Role: account.Player, Created: day}
		must(t, s.AddMember(t.Context(), m, account.Login{}, account.Revocation{}, 0))
	}
}

func refused(t *testing.T, what string, got, want error) {
	t.Helper()
	if !errors.Is(got, want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func after(minutes int) time.Time { return day.Add(time.Duration(minutes) * time.Minute) }

// members is who is in a club, in the order of the list: "Ann owner".
func membersOf(t *testing.T, s *store.Store, club string) (list []string) {
	t.Helper()
	_, members, err := s.Club(t.Context(), club)
	must(t, err)
	for _, m := range members {
		list = append(list, m.Name+" "+string(m.Role))
	}
	return list
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// A club is made, people come, get roles and go.
func clubs(t *testing.T, s *store.Store) {
	ctx := t.Context()
	registered(t, s, "Ann", "Bob", "Cat", "Dan")
	oslo := store.Club{Name: "oslo", Title: "Oslo Blitz", About: "Fridays, \"upstairs\"", Created: after(0)}
	must(t, s.AddClub(ctx, oslo, "A"))
	refused(t, "a name again", s.AddClub(ctx, store.Club{Name: "oslo", Title: "Another", Created: day}, "B"), store.ErrClubTaken)
	refused(t, "an owner without an account", s.AddClub(ctx, store.Club{Name: "bergen", Title: "Bergen", Created: day}, "X"), account.ErrUnknownMember)
	must(t, s.AddClub(ctx, store.Club{Name: "bergen", Title: "Bergen", Created: after(1)}, "B"))
	for i, one := range []string{"C", "B", "D", "D"} {
		must(t, s.JoinClub(ctx, "oslo", one, after(10+i)))
	}
	must(t, s.JoinClub(ctx, "oslo", "A", after(20))) // stays owner
	refused(t, "no club", s.JoinClub(ctx, "none", "C", day), store.ErrNoClub)
	refused(t, "no account", s.JoinClub(ctx, "oslo", "X", day), account.ErrUnknownMember)
	same(t, "members", membersOf(t, s, "oslo"), []string{"Ann owner", "Cat member", "Bob member", "Dan member"})
	must(t, s.SetClubRole(ctx, "oslo", "A", "D", store.ClubArbiter))
	must(t, s.SetClubRole(ctx, "oslo", "A", "B", store.ClubOrganiser))
	same(t, "members with roles", membersOf(t, s, "oslo"), []string{"Ann owner", "Bob organiser", "Dan arbiter", "Cat member"})
	got, _, err := s.Club(ctx, "oslo")
	must(t, err)
	oslo.Members = 4
	same(t, "the club", got, oslo)
	_, _, err = s.Club(ctx, "none")
	refused(t, "an unknown club", err, store.ErrNoClub)
	list, err := s.Clubs(ctx, "", 10)
	must(t, err)
	same(t, "list", list, []store.Club{{Name: "bergen", Title: "Bergen", Created: after(1), Members: 1}, oslo})
	list, err = s.Clubs(ctx, "bergen", 1)
	must(t, err)
	same(t, "next page", list, []store.Club{oslo})
	of, err := s.ClubsOf(ctx, "B")
	must(t, err)
	same(t, "clubs of Bob", of, map[string]store.ClubRole{"oslo": store.ClubOrganiser, "bergen": store.ClubOwner})
	of, err = s.ClubsOf(ctx, "X")
	must(t, err)
	same(t, "clubs of nobody", of, map[string]store.ClubRole{})
	must(t, s.SetClubAbout(ctx, "oslo", "A", "é"))
	must(t, s.LeaveClub(ctx, "oslo", "C", "C"))
	same(t, "after Cat left", membersOf(t, s, "oslo"), []string{"Ann owner", "Bob organiser", "Dan arbiter"})
	if got, _, err = s.Club(ctx, "oslo"); err != nil || got.About != "é" || got.Members != 3 {
		t.Errorf("%+v, %v", got, err)
	}
}

// Who may not, changes nothing.
func clubRights(t *testing.T, s *store.Store) {
	ctx := t.Context()
	registered(t, s, "Ann", "Bob", "Cat", "Dan", "Eve")
	must(t, s.AddClub(ctx, store.Club{Name: "oslo", Title: "Oslo", Created: day}, "A"))
	for i, one := range []string{"B", "C", "D"} {
		must(t, s.JoinClub(ctx, "oslo", one, after(i+1)))
	}
	must(t, s.SetClubRole(ctx, "oslo", "A", "B", store.ClubOrganiser))
	must(t, s.SetClubRole(ctx, "oslo", "A", "C", store.ClubArbiter))
	before := membersOf(t, s, "oslo")
	for _, by := range []string{"B", "C", "D"} {
		refused(t, by+" gives a role", s.SetClubRole(ctx, "oslo", by, by, store.ClubOwner), store.ErrClubRights)
		refused(t, by+" takes a role", s.SetClubRole(ctx, "oslo", by, "A", store.ClubMember), store.ErrClubRights)
		refused(t, by+" writes about it", s.SetClubAbout(ctx, "oslo", by, "Mine"), store.ErrClubRights)
		refused(t, by+" removes the owner", s.LeaveClub(ctx, "oslo", by, "A"), store.ErrClubRights)
	}
	refused(t, "an arbiter removes a member", s.LeaveClub(ctx, "oslo", "C", "D"), store.ErrClubRights)
	refused(t, "a member removes an organiser", s.LeaveClub(ctx, "oslo", "D", "B"), store.ErrClubRights)
	refused(t, "a stranger gives a role", s.SetClubRole(ctx, "oslo", "E", "E", store.ClubOwner), store.ErrClubRights)
	refused(t, "a stranger removes", s.LeaveClub(ctx, "oslo", "E", "D"), store.ErrClubRights)
	refused(t, "a stranger leaves", s.LeaveClub(ctx, "oslo", "E", "E"), store.ErrNotInClub)
	refused(t, "a stranger writes", s.SetClubAbout(ctx, "oslo", "E", "Mine"), store.ErrClubRights)
	refused(t, "a role for a stranger", s.SetClubRole(ctx, "oslo", "A", "E", store.ClubMember), store.ErrNotInClub)
	refused(t, "a stranger is removed", s.LeaveClub(ctx, "oslo", "A", "E"), store.ErrNotInClub)
	refused(t, "the last owner leaves", s.LeaveClub(ctx, "oslo", "A", "A"), store.ErrLastOwner)
	refused(t, "the last owner becomes a member", s.SetClubRole(ctx, "oslo", "A", "A", store.ClubMember), store.ErrLastOwner)
	refused(t, "in no club", s.LeaveClub(ctx, "none", "A", "A"), store.ErrNoClub)
	same(t, "after refusals", membersOf(t, s, "oslo"), before)

	must(t, s.LeaveClub(ctx, "oslo", "B", "D")) // an organiser removes a member
	must(t, s.LeaveClub(ctx, "oslo", "B", "C")) // and an arbiter
	must(t, s.SetClubRole(ctx, "oslo", "A", "B", store.ClubOwner))
	must(t, s.LeaveClub(ctx, "oslo", "B", "A")) // an owner removes another one
	same(t, "at last", membersOf(t, s, "oslo"), []string{"Bob owner"})
}

// One person makes no more clubs than allowed, however he hurries, and of a name one club.
func clubsAtOnce(t *testing.T, s *store.Store) {
	ctx := t.Context()
	registered(t, s, "Ann")
	var wg sync.WaitGroup
	for i := range store.MostClubsOwned + 6 {
		wg.Go(func() {
			name := fmt.Sprint("club", i/2*2) // two of each
			err := s.AddClub(ctx, store.Club{Name: name, Title: name, Created: day}, "A")
			if err != nil && !errors.Is(err, store.ErrClubTaken) && !errors.Is(err, store.ErrClubsOwned) {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for i := range store.MostClubsOwned {
		err := s.AddClub(ctx, store.Club{Name: fmt.Sprint("more", i), Title: "More", Created: day}, "A")
		if err != nil && !errors.Is(err, store.ErrClubsOwned) {
			t.Fatal(err)
		}
	}
	of, err := s.ClubsOf(ctx, "A")
	must(t, err)
	list, err := s.Clubs(ctx, "", 100)
	must(t, err)
	if len(of) != store.MostClubsOwned || len(list) != store.MostClubsOwned {
		t.Errorf("%d owned, %d there, want %d", len(of), len(list), store.MostClubsOwned)
	}
}

// Of two last owners who leave at the same moment one stays.
func ownersAtOnce(t *testing.T, s *store.Store) {
	ctx := t.Context()
	registered(t, s, "Ann", "Bob")
	for i := range 8 {
		club := fmt.Sprint("club", i)
		must(t, s.AddClub(ctx, store.Club{Name: club, Title: club, Created: day}, "A"))
		must(t, s.JoinClub(ctx, club, "B", day))
		must(t, s.SetClubRole(ctx, club, "A", "B", store.ClubOwner))
		var wg sync.WaitGroup
		for _, who := range []string{"A", "B"} {
			wg.Go(func() {
				if err := s.LeaveClub(ctx, club, who, who); err != nil && !errors.Is(err, store.ErrLastOwner) {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if left := membersOf(t, s, club); len(left) != 1 {
			t.Errorf("left: %v", left)
		}
	}
}

// A club of somebody who deletes his account goes on under the next one, and ends with its last member.
func clubsDeleted(t *testing.T, s *store.Store) {
	ctx := t.Context()
	registered(t, s, "Ann", "Bob", "Cat", "Dan")
	for _, club := range []string{"alone", "heir", "two-owners"} {
		must(t, s.AddClub(ctx, store.Club{Name: club, Title: club, Created: day}, "A"))
	}
	for i, one := range []string{"B", "C", "D"} {
		must(t, s.JoinClub(ctx, "heir", one, after(i)))
	}
	must(t, s.SetClubRole(ctx, "heir", "A", "C", store.ClubArbiter))
	must(t, s.JoinClub(ctx, "two-owners", "D", day))
	must(t, s.SetClubRole(ctx, "two-owners", "A", "D", store.ClubOwner))
	_, err := s.DeleteMember(ctx, "A", day, account.Ending{})
	must(t, err)
	same(t, "the arbiter inherits", membersOf(t, s, "heir"), []string{"Cat owner", "Bob member", "Dan member"})
	same(t, "the other owner", membersOf(t, s, "two-owners"), []string{"Dan owner"})
	_, _, err = s.Club(ctx, "alone")
	refused(t, "an empty club", err, store.ErrNoClub)
	must(t, s.AddClub(ctx, store.Club{Name: "alone", Title: "Not alone", Created: day}, "B"))
	refused(t, "who is deleted comes back", s.JoinClub(ctx, "heir", "A", day), account.ErrUnknownMember)
}
