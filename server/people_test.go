package main

import (
	"testing"

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
