package accounttest

import (
	"errors"
	"fmt"
	"reflect"
	"sync"
	"testing"
	"time"

	"flagfall/server/account"
)

func deleted(t *testing.T, s MemberStore) {
	m, bot := newMember("P1", "Judit"), newMember("B1", "Engine")
	bot.Owner, bot.Password = "P1", ""
	added(t, s, m, bot, newMember("P2", "Sofia"))
	must(t, s.AddLogin(t.Context(), newLogin("P1", "A"), m.Password))
	must(t, s.AddLogin(t.Context(), newLogin("P2", "B"), "$hash of Sofia"))
	must(t, s.AddReset(t.Context(), account.Reset{Hash: "r", Person: "P1", Until: later}))
	must(t, s.AddAPIKey(t.Context(), account.APIKey{ID: "K", Hash: "h", Person: "B1", Created: day}, 1))
	ended, err := s.DeleteMember(t.Context(), "P1", day, all)
	endedAre(t, s, ended, err, "A")
	for _, person := range []string{"P1", "B1"} {
		_, err := s.Member(t.Context(), person)
		want(t, person, err, account.ErrUnknownMember)
	}
	_, err = s.ResetOf(t.Context(), "r", day)
	want(t, "the reset", err, account.ErrResetCode)
	_, err = s.APIKeyOf(t.Context(), "h")
	want(t, "the bot's key", err, account.ErrUnknownKey)
	for _, name := range []string{"Judit", "Engine"} {
		want(t, name, s.AddMember(t.Context(), newMember("P3", name), account.Login{}, none, 0), account.ErrNameTaken)
	}
	_, err = s.DeleteMember(t.Context(), "P1", day, all)
	want(t, "twice", err, account.ErrUnknownMember)
	if erasures, err := s.Erasures(t.Context()); err != nil || len(erasures) != 2 || !erasures["P1"].Equal(day) || !erasures["B1"].Equal(day) {
		t.Errorf("erasures %v, %v", erasures, err)
	}
	must(t, s.DropErasure(t.Context(), "P1"))
	must(t, s.DropErasure(t.Context(), "P1"))
	if erasures, err := s.Erasures(t.Context()); err != nil || len(erasures) != 1 {
		t.Errorf("erasures %v, %v", erasures, err)
	}
	if got := sessions(t, s, "P2"); got != "B" {
		t.Errorf("another one's sessions are %q", got)
	}
}

func bots(t *testing.T, s MemberStore) {
	bot := func(id, name, owner string) account.Member {
		return account.Member{Person: id, Name: name, Owner: owner, Role: account.Player, Created: day}
	}
	added(t, s, newMember("P1", "Judit"), newMember("P2", "Sofia"))
	must(t, s.AddMember(t.Context(), bot("B1", "Two", "P1"), account.Login{}, none, 2))
	must(t, s.AddMember(t.Context(), bot("B2", "One", "P1"), account.Login{}, none, 2))
	want(t, "the third", s.AddMember(t.Context(), bot("B3", "Three", "P1"), account.Login{}, none, 2), account.ErrTooMany)
	want(t, "of nobody", s.AddMember(t.Context(), bot("B3", "Three", "P9"), account.Login{}, none, 2), account.ErrUnknownMember)
	want(t, "of a bot", s.AddMember(t.Context(), bot("B3", "Three", "B1"), account.Login{}, none, 2), account.ErrUnknownMember)
	added(t, s, bot("B3", "Three", "P2"))
	list, err := s.Members(t.Context(), "P1", "", 10)
	if err != nil || !reflect.DeepEqual(list, []account.Member{bot("B2", "One", "P1"), bot("B1", "Two", "P1")}) || !list[0].Bot() {
		t.Errorf("bots %+v, %v", list, err)
	}
}

func botsAtOnce(t *testing.T, s MemberStore) {
	added(t, s, newMember("P1", "Judit"))
	var nodes sync.WaitGroup
	for i := range 6 {
		nodes.Go(func() {
			m := account.Member{Person: fmt.Sprint("B", i), Name: fmt.Sprint("Bot number ", i), Owner: "P1", Role: account.Player, Created: day}
			if err := s.AddMember(t.Context(), m, account.Login{}, none, 3); err != nil && !errors.Is(err, account.ErrTooMany) {
				t.Error(err)
			}
		})
	}
	nodes.Wait()
	if list, err := s.Members(t.Context(), "P1", "", 10); err != nil || len(list) != 3 {
		t.Errorf("%d bots, %v; want 3", len(list), err)
	}
}

func apiKeys(t *testing.T, s MemberStore) {
	added(t, s, newMember("P1", "Judit"), account.Member{Person: "B1", Name: "Engine", Owner: "P1", Role: account.Player, Created: day})
	key := func(n int) account.APIKey {
		return account.APIKey{ID: fmt.Sprint("K", n), Hash: fmt.Sprint("hash", n), Person: "B1", Created: day.Add(time.Duration(n) * time.Second)}
	}
	must(t, s.AddAPIKey(t.Context(), key(1), 2))
	must(t, s.AddAPIKey(t.Context(), key(2), 2))
	want(t, "the third", s.AddAPIKey(t.Context(), key(3), 2), account.ErrTooMany)
	want(t, "of nobody", s.AddAPIKey(t.Context(), account.APIKey{ID: "K4", Hash: "x", Person: "B9"}, 2), account.ErrUnknownMember)
	list, err := s.APIKeys(t.Context(), "B1")
	if err != nil || !reflect.DeepEqual(list, []account.APIKey{key(1), key(2)}) {
		t.Errorf("keys %+v, %v", list, err)
	}
	if got, err := s.APIKeyOf(t.Context(), "hash2"); err != nil || got != key(2) {
		t.Errorf("%+v, %v", got, err)
	}
	for id, by := range map[string]string{"A": "K1", "B": "K2", "C": "K2"} {
		l := newLogin("B1", id)
		l.Key = by
		must(t, s.AddLogin(t.Context(), l, ""))
	}
	foreign := newLogin("P1", "D")
	foreign.Key = "K2"
	want(t, "somebody else's key", s.AddLogin(t.Context(), foreign, ""), account.ErrUnknownKey)
	_, err = s.DropAPIKey(t.Context(), "P1", "K2", all)
	want(t, "dropped by somebody else", err, account.ErrUnknownKey)
	ended, err := s.DropAPIKey(t.Context(), "B1", "K2", all)
	endedAre(t, s, ended, err, "B", "C")
	_, err = s.DropAPIKey(t.Context(), "B1", "K2", all)
	want(t, "dropped twice", err, account.ErrUnknownKey)
	_, err = s.APIKeyOf(t.Context(), "hash2")
	want(t, "the dropped one", err, account.ErrUnknownKey)
	late := newLogin("B1", "E")
	late.Key = "K2"
	want(t, "a login by it", s.AddLogin(t.Context(), late, ""), account.ErrUnknownKey)
	if got := sessions(t, s, "B1"); got != "A" {
		t.Errorf("sessions %q", got)
	}
}
