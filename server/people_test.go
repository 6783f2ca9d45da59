package main

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"flagfall/server/account"
	"flagfall/server/lobby"
	"flagfall/server/store"
	"flagfall/server/wire"
)

// The lobby of a whole server knows ratings, names and blocks from its database, over a restart too.
func TestLobbyKnowsPeople(t *testing.T) {
	data := t.TempDir()
	p := start(t, data)
	ann, bob := p.member(t, data, "AAAAAAAAAAAAAAAA", "Ann"), p.member(t, data, "BBBBBBBBBBBBBBBB", "Bob")
	id := seat(ann, bob, wire.ClientMessage{Base: 300000, Mode: "board"})
	begin(ann, bob, id)
	play(ann, bob, "e2e4", "e7e5")
	bob.do(wire.ClientMessage{T: "resign"})
	ended(t, ann, "1-0", "resignation", "WBCA 7b")
	ended(t, bob, "1-0", "resignation", "WBCA 7b")
	p.archived(t, "Ann", 1)
	rating := p.profile(t, "Ann").Ratings[0].Rating

	ann.do(wire.ClientMessage{T: "seek", Base: 300000, Mode: "board"})
	if s := ann.expect("seeking").Body.(*wire.Seeking); s.Rating != rating || rating == 1500 || s.Reach == nil {
		t.Errorf("she seeks as %+v, and is rated %d", s, rating)
	}
	ann.do(wire.ClientMessage{T: "cancel"})
	ann.expect("idle")
	challenge := wire.ClientMessage{T: "invite", Base: 60000, Mode: "fast", Color: "white", To: "BOB"}
	ann.do(challenge)
	ann.expect("invited")
	if c := bob.expect("challenge").Body.(*wire.Challenge); c.By.Name != "Ann" || c.Rating != rating || c.Rated || c.Color != "black" {
		t.Errorf("he is challenged by %+v", c)
	}
	challenge.To = "Nobody"
	ann.do(challenge)
	ann.refused(wire.CodeUnknownPerson)

	bob.do(wire.ClientMessage{T: "block", Who: "AAAAAAAAAAAAAAAA"})
	bob.expect("done")
	bob.do(wire.ClientMessage{T: "block", Who: "CCCCCCCCCCCCCCCC"})
	bob.refused(wire.CodeUnknownPerson)
	p.stop()
	p = start(t, data)
	ann, bob = p.member(t, data, "AAAAAAAAAAAAAAAA", "Ann"), p.member(t, data, "BBBBBBBBBBBBBBBB", "Bob")
	challenge.To = "Bob"
	ann.do(challenge)
	ann.refused(wire.CodeNoChallenge)
	bob.do(wire.ClientMessage{T: "blocks"})
	if b := bob.expect("blocks").Body.(*wire.Blocks); len(b.People) != 1 || b.People[0].Name != "Ann" {
		t.Errorf("he blocks %+v", b.People)
	}
	bob.do(wire.ClientMessage{T: "unblock", Who: "AAAAAAAAAAAAAAAA"})
	bob.expect("done")
	ann.do(challenge)
	invited := ann.expect("invited").Body.(*wire.Invited)
	bob.expect("challenge")
	bob.do(wire.ClientMessage{T: "accept", Invite: invited.Invite})
	ann.expect("paired")
}

// Who can be found by his name: accounts, bots as what they are; not those that are closed, and no guests.
func TestNamed(t *testing.T) {
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "people.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	created := time.UnixMilli(1_700_000_000_000)
	for _, m := range []account.Member{
		{Person: "P1", Name: "Judit", Role: account.Player}, {Person: "P2", Name: "Robot", Role: account.Player, Owner: "P1"},
		{Person: "P3", Name: "Closed", Role: account.Player},
	} {
		m.Created = created
		if err := db.AddMember(t.Context(), m, account.Login{}, account.Revocation{}, 5); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := db.SetClosed(t.Context(), "P3", created, account.Ending{}); err != nil {
		t.Fatal(err)
	}
	if err := db.SavePerson(t.Context(), store.Person{ID: "G", Name: "Guest 4F7K", Guest: true, Created: created, LastSeen: created}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]account.Person{
		"judit": {ID: "P1", Name: "Judit"}, "Robot": {ID: "P2", Name: "Robot", Bot: true}, "Closed": {}, "Guest 4F7K": {}, "nobody": {},
	} {
		got, err := people{db}.Named(t.Context(), name)
		if got != want || errors.Is(err, lobby.ErrUnknownPerson) != (want.ID == "") {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}
