package accounttest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"flagfall/server/account"
)

// MemberStore is a store of members that keeps revocations too.
type MemberStore interface {
	account.MemberStore
	account.RevocationStore
}

// RunMembers runs the suite of a MemberStore; open gives a new, empty one.
func RunMembers(t *testing.T, open func(t *testing.T) MemberStore) {
	for name, test := range map[string]func(*testing.T, MemberStore){
		"member": member, "names": names, "names at once": namesAtOnce, "registered twice": registeredTwice, "members by name": membersByName,
		"logins": logins, "login refused": loginRefused, "login beside a new password": loginBesidePassword, "passwords": passwords, "resets": resets,
		"roles": roles, "the last administrator": lastAdministrator, "closed": closed, "deleted": deleted, "bots": bots, "bots at once": botsAtOnce, "API keys": apiKeys,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
}

var (
	later = day.Add(30 * 24 * time.Hour)
	all   = account.Ending{Until: later}
	none  = account.Revocation{}
)

func newMember(id, name string) account.Member {
	return account.Member{Person: id, Name: name, Password: "$hash of " + name, Role: account.Player, Created: day}
}

func newLogin(person, id string) account.Login {
	return account.Login{ID: id, Person: person, Created: day, Seen: day, Until: later}
}

// added adds members without a session.
func added(t *testing.T, s MemberStore, members ...account.Member) {
	t.Helper()
	for _, m := range members {
		must(t, s.AddMember(t.Context(), m, account.Login{}, none, 9))
	}
}

func want(t *testing.T, what string, err, wanted error) {
	t.Helper()
	if !errors.Is(err, wanted) {
		t.Errorf("%s: %v, want %v", what, err, wanted)
	}
}

// sessions are the ids of a person's logins.
func sessions(t *testing.T, s MemberStore, person string) string {
	t.Helper()
	list, err := s.Logins(t.Context(), person)
	must(t, err)
	var ids []string
	for _, l := range list {
		ids = append(ids, l.ID)
	}
	return strings.Join(ids, " ")
}

// endedAre compares what a step says it ended with what it revoked.
func endedAre(t *testing.T, s MemberStore, ended []string, err error, wanted ...string) {
	t.Helper()
	must(t, err)
	slices.Sort(ended)
	if !slices.Equal(ended, wanted) {
		t.Errorf("ended %v, want %v", ended, wanted)
	}
	revoked, _ := after(t, s, 0)
	for _, id := range wanted {
		if !slices.Contains(strings.Fields(revoked), id) {
			t.Errorf("%s is not revoked: %q", id, revoked)
		}
	}
}

func member(t *testing.T, s MemberStore) {
	m := newMember("P1", "Judit")
	m.Role = account.Arbiter
	must(t, s.AddMember(t.Context(), m, newLogin("P1", "S1"), account.Revocation{ID: "G1", Until: later}, 0))
	for what, find := range map[string]func() (account.Member, error){
		"by id":   func() (account.Member, error) { return s.Member(t.Context(), "P1") },
		"by name": func() (account.Member, error) { return s.MemberNamed(t.Context(), account.Skeleton("JUDIT")) },
	} {
		if got, err := find(); err != nil || got != m {
			t.Errorf("%s: %+v, %v; want %+v", what, got, err, m)
		}
	}
	list, err := s.Logins(t.Context(), "P1")
	if err != nil || !reflect.DeepEqual(list, []account.Login{newLogin("P1", "S1")}) {
		t.Errorf("logins %+v, %v", list, err)
	}
	if revoked, _ := after(t, s, 0); revoked != "G1" {
		t.Errorf("revoked %q, want the guest's session", revoked)
	}
	_, err = s.Member(t.Context(), "P2")
	want(t, "nobody", err, account.ErrUnknownMember)
	_, err = s.MemberNamed(t.Context(), "nobody")
	want(t, "nobody's name", err, account.ErrUnknownMember)
}

func names(t *testing.T, s MemberStore) {
	added(t, s, newMember("P1", "Magnus"))
	for _, name := range []string{"Magnus", "MAGNUS", "rnagnus", "Mag.nus"} {
		err := s.AddMember(t.Context(), newMember("P2", name), newLogin("P2", "S2"), account.Revocation{ID: "G2", Until: later}, 0)
		want(t, name, err, account.ErrNameTaken)
	}
	if _, err := s.Member(t.Context(), "P2"); !errors.Is(err, account.ErrUnknownMember) || sessions(t, s, "P2") != "" {
		t.Errorf("after a refusal: %v, sessions %q", err, sessions(t, s, "P2"))
	}
	if revoked, _ := after(t, s, 0); revoked != "" {
		t.Errorf("after a refusal %q is revoked", revoked)
	}
	added(t, s, newMember("P2", "Magnusson"))
}

func namesAtOnce(t *testing.T, s MemberStore) {
	var nodes sync.WaitGroup
	var mu sync.Mutex
	won := 0
	for i := range 8 {
		nodes.Go(func() {
			err := s.AddMember(t.Context(), newMember(fmt.Sprint("P", i), "Judit"), account.Login{}, none, 0)
			if err != nil && !errors.Is(err, account.ErrNameTaken) {
				t.Error(err)
			}
			if err == nil {
				mu.Lock()
				won++
				mu.Unlock()
			}
		})
	}
	nodes.Wait()
	if won != 1 {
		t.Errorf("%d have the name", won)
	}
}

func registeredTwice(t *testing.T, s MemberStore) {
	added(t, s, newMember("P1", "Judit"))
	want(t, "another name", s.AddMember(t.Context(), newMember("P1", "Sofia"), account.Login{}, none, 0), account.ErrRegistered)
	added(t, s, newMember("P2", "Sofia")) // the name was not taken by it
}

func membersByName(t *testing.T, s MemberStore) {
	for i, name := range []string{"Dana", "Anna", "Carl", "Berta"} {
		added(t, s, newMember(fmt.Sprint("P", i), name))
	}
	var got []string
	for place := ""; ; {
		list, err := s.Members(t.Context(), "", place, 3)
		must(t, err)
		if len(list) == 0 {
			break
		}
		for _, m := range list {
			got = append(got, m.Name)
			place = account.Skeleton(m.Name)
		}
	}
	if strings.Join(got, " ") != "Anna Berta Carl Dana" {
		t.Errorf("listed %v", got)
	}
}

func logins(t *testing.T, s MemberStore) {
	m := newMember("P1", "Judit")
	added(t, s, m, newMember("P2", "Sofia"))
	old := newLogin("P1", "old")
	old.Until = day.Add(-time.Second)
	for _, l := range []account.Login{old, newLogin("P1", "A"), newLogin("P1", "B"), newLogin("P1", "C"), newLogin("P1", "D")} {
		must(t, s.AddLogin(t.Context(), l, m.Password))
	}
	must(t, s.AddLogin(t.Context(), newLogin("P2", "E"), "$hash of Sofia"))
	if got := sessions(t, s, "P1"); got != "A B C D" {
		t.Errorf("sessions %q; the one that is out is to be forgotten", got)
	}
	must(t, s.RenewLogin(t.Context(), "B", day.Add(time.Hour), later.Add(time.Hour)))
	list, err := s.Logins(t.Context(), "P1")
	must(t, err)
	if b := list[1]; !b.Created.Equal(day) || !b.Seen.Equal(day.Add(time.Hour)) || !b.Until.Equal(later.Add(time.Hour)) {
		t.Errorf("renewed: %+v", b)
	}
	ended, err := s.EndLogins(t.Context(), "P1", account.Ending{Only: "A", Until: later})
	endedAre(t, s, ended, err, "A")
	ended, err = s.EndLogins(t.Context(), "P1", account.Ending{Only: "E", Until: later})
	endedAre(t, s, ended, err)
	ended, err = s.EndLogins(t.Context(), "P1", account.Ending{Except: "C", Until: later})
	endedAre(t, s, ended, err, "B", "D")
	want(t, "renewed after its end", s.RenewLogin(t.Context(), "B", day, later), account.ErrSessionEnded)
	ended, err = s.EndLogins(t.Context(), "P1", all)
	endedAre(t, s, ended, err, "C")
	if got := sessions(t, s, "P1") + "," + sessions(t, s, "P2"); got != ",E" {
		t.Errorf("left are %q", got)
	}
}

func loginRefused(t *testing.T, s MemberStore) {
	m, guest := newMember("P1", "Judit"), newMember("P2", "Sofia")
	guest.Password = ""
	added(t, s, m, guest)
	want(t, "another password", s.AddLogin(t.Context(), newLogin("P1", "A"), "$other"), account.ErrCredentials)
	want(t, "no password", s.AddLogin(t.Context(), newLogin("P2", "A"), ""), account.ErrCredentials)
	want(t, "nobody", s.AddLogin(t.Context(), newLogin("P3", "A"), ""), account.ErrUnknownMember)
	_, err := s.SetClosed(t.Context(), "P1", day, all)
	must(t, err)
	want(t, "closed", s.AddLogin(t.Context(), newLogin("P1", "A"), m.Password), account.ErrClosed)
	if got := sessions(t, s, "P1") + sessions(t, s, "P2"); got != "" {
		t.Errorf("sessions %q", got)
	}
}

// loginBesidePassword: whoever logs in by a password while it is replaced is out when it is.
func loginBesidePassword(t *testing.T, s MemberStore) {
	m := newMember("P1", "Judit")
	added(t, s, m)
	var nodes sync.WaitGroup
	for i := range 6 {
		nodes.Go(func() {
			if err := s.AddLogin(t.Context(), newLogin("P1", fmt.Sprint("S", i)), m.Password); err != nil && !errors.Is(err, account.ErrCredentials) {
				t.Error(err)
			}
		})
	}
	nodes.Go(func() {
		if _, err := s.SetPassword(t.Context(), "P1", m.Password, "$new", all); err != nil {
			t.Error(err)
		}
	})
	nodes.Wait()
	if got := sessions(t, s, "P1"); got != "" {
		t.Errorf("%q came in by the old password", got)
	}
}

func passwords(t *testing.T, s MemberStore) {
	m := newMember("P1", "Judit")
	added(t, s, m)
	for _, id := range []string{"A", "B", "C"} {
		must(t, s.AddLogin(t.Context(), newLogin("P1", id), m.Password))
	}
	_, err := s.SetPassword(t.Context(), "P1", "$other", "$new", all)
	want(t, "another password", err, account.ErrCredentials)
	ended, err := s.SetPassword(t.Context(), "P1", m.Password, "$same, other cost", account.Ending{None: true})
	endedAre(t, s, ended, err)
	if got := sessions(t, s, "P1"); got != "A B C" {
		t.Errorf("sessions %q", got)
	}
	ended, err = s.SetPassword(t.Context(), "P1", "$same, other cost", "$new", account.Ending{Except: "B", Until: later})
	endedAre(t, s, ended, err, "A", "C")
	if got, err := s.Member(t.Context(), "P1"); err != nil || got.Password != "$new" {
		t.Errorf("%+v, %v", got, err)
	}
}

func resets(t *testing.T, s MemberStore) {
	m, bot := newMember("P1", "Judit"), newMember("B1", "Engine")
	bot.Owner, bot.Password = "P1", ""
	added(t, s, m, bot)
	must(t, s.AddLogin(t.Context(), newLogin("P1", "A"), m.Password))
	reset := func(hash string) account.Reset {
		return account.Reset{Hash: hash, Person: "P1", Until: day.Add(time.Hour)}
	}
	must(t, s.AddReset(t.Context(), reset("one")))
	must(t, s.AddReset(t.Context(), reset("two")))
	want(t, "for nobody", s.AddReset(t.Context(), account.Reset{Hash: "x", Person: "P9", Until: later}), account.ErrUnknownMember)
	want(t, "for a bot", s.AddReset(t.Context(), account.Reset{Hash: "x", Person: "B1", Until: later}), account.ErrBot)
	for hash, at := range map[string]time.Time{"one": day, "three": day, "two": day.Add(time.Hour)} {
		_, err := s.ResetOf(t.Context(), hash, at)
		want(t, hash, err, account.ErrResetCode)
		_, err = s.UseReset(t.Context(), hash, at, "$new", all)
		want(t, hash, err, account.ErrResetCode)
	}
	if person, err := s.ResetOf(t.Context(), "two", day); err != nil || person != "P1" {
		t.Errorf("the reset of %q, %v", person, err)
	}
	ended, err := s.UseReset(t.Context(), "two", day, "$new", all)
	endedAre(t, s, ended, err, "A")
	_, err = s.UseReset(t.Context(), "two", day, "$newer", all)
	want(t, "twice", err, account.ErrResetCode)
	if got, err := s.Member(t.Context(), "P1"); err != nil || got.Password != "$new" {
		t.Errorf("%+v, %v", got, err)
	}
}

func roles(t *testing.T, s MemberStore) {
	bot := newMember("B1", "Engine")
	bot.Owner = "P1"
	added(t, s, newMember("P1", "Judit"), newMember("P2", "Sofia"), bot)
	for _, role := range []account.Role{account.Organiser, account.Arbiter, account.Player} {
		must(t, s.SetRole(t.Context(), "P1", role))
		if got, err := s.Member(t.Context(), "P1"); err != nil || got.Role != role {
			t.Errorf("%+v, %v", got, err)
		}
	}
	want(t, "of nobody", s.SetRole(t.Context(), "P9", account.Player), account.ErrUnknownMember)
	want(t, "of a bot", s.SetRole(t.Context(), "B1", account.Arbiter), account.ErrBot)
}

func lastAdministrator(t *testing.T, s MemberStore) {
	added(t, s, newMember("P1", "Judit"), newMember("P2", "Sofia"))
	must(t, s.SetRole(t.Context(), "P1", account.Administrator))
	refused := func(what string) {
		t.Helper()
		want(t, what+": another role", s.SetRole(t.Context(), "P1", account.Player), account.ErrLastAdmin)
		_, err := s.SetClosed(t.Context(), "P1", day, all)
		want(t, what+": closed", err, account.ErrLastAdmin)
		_, err = s.DeleteMember(t.Context(), "P1", day, all)
		want(t, what+": deleted", err, account.ErrLastAdmin)
	}
	refused("alone")
	must(t, s.SetRole(t.Context(), "P1", account.Administrator))
	must(t, s.SetRole(t.Context(), "P2", account.Administrator))
	_, err := s.SetClosed(t.Context(), "P2", day, all)
	must(t, err)
	refused("beside one that is closed")
	_, err = s.SetClosed(t.Context(), "P2", time.Time{}, all)
	must(t, err)
	var nodes sync.WaitGroup
	for _, person := range []string{"P1", "P2"} { // each takes it from the other
		nodes.Go(func() {
			if err := s.SetRole(context.WithoutCancel(t.Context()), person, account.Player); err != nil && !errors.Is(err, account.ErrLastAdmin) {
				t.Error(err)
			}
		})
	}
	nodes.Wait()
	one, err := s.Member(t.Context(), "P1")
	must(t, err)
	two, err := s.Member(t.Context(), "P2")
	must(t, err)
	if (one.Role == account.Administrator) == (two.Role == account.Administrator) {
		t.Errorf("roles %s and %s", one.Role, two.Role)
	}
}

func closed(t *testing.T, s MemberStore) {
	m, bot := newMember("P1", "Judit"), newMember("B1", "Engine")
	bot.Owner, bot.Password = "P1", ""
	added(t, s, m, bot)
	must(t, s.AddLogin(t.Context(), newLogin("P1", "A"), m.Password))
	must(t, s.AddAPIKey(t.Context(), account.APIKey{ID: "K", Hash: "h", Person: "B1", Created: day}, 1))
	byKey := newLogin("B1", "B")
	byKey.Key = "K"
	must(t, s.AddLogin(t.Context(), byKey, ""))
	ended, err := s.SetClosed(t.Context(), "P1", day.Add(time.Hour), all)
	endedAre(t, s, ended, err, "A", "B")
	if got, err := s.Member(t.Context(), "P1"); err != nil || !got.Closed.Equal(day.Add(time.Hour)) {
		t.Errorf("%+v, %v", got, err)
	}
	want(t, "its bot", s.AddLogin(t.Context(), byKey, ""), account.ErrClosed)
	ended, err = s.SetClosed(t.Context(), "P1", time.Time{}, all)
	endedAre(t, s, ended, err)
	must(t, s.AddLogin(t.Context(), newLogin("P1", "C"), m.Password))
	must(t, s.AddLogin(t.Context(), byKey, ""))
	_, err = s.SetClosed(t.Context(), "P9", day, all)
	want(t, "nobody", err, account.ErrUnknownMember)
}
