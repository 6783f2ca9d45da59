package account_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"flagfall/server/account"
	"flagfall/server/store"
)

func TestBots(t *testing.T) {
	m := openMembers(t)
	judit := m.register("Judit")
	bot, err := m.AddBot(t.Context(), judit, "Engine")
	if err != nil {
		t.Fatal(err)
	}
	key, token, err := m.AddKey(t.Context(), judit, bot.Person)
	if err != nil || !strings.HasPrefix(token, "flagfall_") || strings.Contains(fmt.Sprint(key), token[9:]) {
		t.Fatalf("key %+v, %v", key, err)
	}
	s, err := m.Enter(t.Context(), token)
	if err != nil || s.Person != (account.Person{ID: bot.Person, Name: "Engine", Bot: true}) {
		t.Fatalf("%+v, %v", s, err)
	}
	if checked, err := m.tokens.Check(s.Token); err != nil || !checked.Person.Bot {
		t.Errorf("the token does not tell a bot: %+v, %v", checked, err)
	}
	if ended, err := m.DropKey(t.Context(), judit, bot.Person, key.ID); err != nil || len(ended) != 1 || m.good(s) {
		t.Errorf("dropped: %v, %v; the session is good %v", ended, err, m.good(s))
	}
	if _, err := m.Enter(t.Context(), token); !errors.Is(err, account.ErrUnknownKey) {
		t.Errorf("by a dropped token: %v", err)
	}
	_, token, err = m.AddKey(t.Context(), judit, bot.Person)
	if err != nil {
		t.Fatal(err)
	}
	if s, err = m.Enter(t.Context(), token); err != nil {
		t.Fatal(err)
	}
	if _, err := m.SetClosed(t.Context(), judit.Person.ID, true); err != nil || m.good(s) {
		t.Errorf("its owner's account was closed: %v; it is in: %v", err, m.good(s))
	}
	if _, err := m.Enter(t.Context(), token); !errors.Is(err, account.ErrClosed) {
		t.Errorf("with a closed account: %v", err)
	}
	if _, err := m.SetClosed(t.Context(), judit.Person.ID, false); err != nil {
		t.Fatal(err)
	}
	if judit, err = m.LogIn(t.Context(), "Judit", secret); err != nil {
		t.Fatal(err)
	}
	if _, err := m.DeleteBot(t.Context(), judit, bot.Person); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Enter(t.Context(), token); !errors.Is(err, account.ErrUnknownKey) {
		t.Errorf("a deleted bot: %v", err)
	}
}

// Who deletes his account leaves games under another name, one that comes to the archive later too; nobody gets his name.
func TestDelete(t *testing.T) {
	m := openMembers(t)
	judit, sofia := m.register("Judit"), m.register("Sofia")
	game := func(id string) {
		t.Helper()
		record := fmt.Sprintf(`{"white":{"id":%q,"name":"Judit"},"black":{"id":%q,"name":"Sofia"}}`, judit.Person.ID, sofia.Person.ID)
		_, err := m.store.SaveGame(t.Context(), store.Game{
			ID: id, White: judit.Person.ID, WhiteName: "Judit", Black: sofia.Person.ID, BlackName: "Sofia", Ended: m.at, Record: []byte(record),
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	nowhere := func(id string) {
		t.Helper()
		g, err := m.store.Game(t.Context(), id)
		if err != nil || g.WhiteName != account.Deleted || g.BlackName != "Sofia" || strings.Contains(string(g.Record), "Judit") {
			t.Errorf("%s: %+v, %v", id, g, err)
		}
	}
	game("early")
	if _, err := m.Delete(t.Context(), judit, secret); err != nil {
		t.Fatal(err)
	}
	nowhere("early")
	if _, err := m.LogIn(t.Context(), "Judit", secret); !errors.Is(err, account.ErrCredentials) {
		t.Errorf("log in: %v", err)
	}
	if p, err := m.store.Person(context.WithoutCancel(t.Context()), judit.Person.ID); err != nil || p.Name != account.Deleted || p.Created.UnixMilli() != 0 {
		t.Errorf("person %+v, %v", p, err)
	}
	for _, name := range []string{"Judit", "JUD1T"} {
		if _, err := m.Register(t.Context(), account.Session{}, name, secret); !errors.Is(err, account.ErrNameTaken) {
			t.Errorf("%s: %v", name, err)
		}
	}
	game("late")
	other := m.register("Maria")
	if _, err := m.Delete(t.Context(), other, secret); err != nil { // looks for everybody's games
		t.Fatal(err)
	}
	nowhere("late")
	last := m.register("Vera")
	m.at = m.at.Add(2 * time.Hour)
	if _, err := m.Delete(t.Context(), last, secret); err != nil {
		t.Fatal(err)
	}
	if left, err := m.store.Erasures(t.Context()); err != nil || len(left) != 1 {
		t.Errorf("after two hours %v are looked for, %v", left, err)
	}
}
