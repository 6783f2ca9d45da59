package gateway_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"flagfall/game"
	"flagfall/server/account"
	"flagfall/server/gateway"
	"flagfall/server/lobby"
	"flagfall/server/table"
	"flagfall/server/wire"
)

// pairUp has two guests paired and gives their game.
func pairUp(t *testing.T, a, b *guest) string {
	t.Helper()
	a.seek("s1")
	b.seek("s1")
	pass(100 * time.Millisecond)
	var id string
	for _, one := range []*guest{a, b} {
		frames := one.news()
		var paired wire.Paired
		if len(frames) == 0 || json.Unmarshal([]byte(frames[len(frames)-1]), &paired) != nil || paired.T != "paired" || id != "" && paired.Game != id {
			t.Fatalf("%s got %q", one.conn.person.Name, frames)
		}
		id = paired.Game
	}
	return id
}

// homes counts the games of each node.
func (w *town) homes() (all []int) {
	for _, n := range w.nodes {
		all = append(all, len(n.hall.IDs(table.KindName)))
	}
	return all
}

// People of different nodes are paired, play, and play again; tables are set up on all nodes.
func TestPairingOverNodes(t *testing.T) {
	inTown(t, "a b c", func(t *testing.T, w *town, nodes []*node) {
		a, b := nodes[1].come("A"), nodes[2].come("B")
		if a.hello.T != "hello" || a.hello.You.ID != a.conn.person.ID || a.hello.Game != "" {
			t.Errorf("hello %+v", a.hello)
		}
		a.seek("s0")
		a.expect("seeking")
		a.say(wire.ClientMessage{T: "cancel", ID: "c0"})
		a.expect("idle:cancelled")
		id := pairUp(t, a, b)
		for _, n := range nodes {
			if n.gate.Seat(a.conn.person.ID) != id || n.gate.Seat("nobody") != "" {
				t.Errorf("at %s: A sits at %q, want %q", n.name, n.gate.Seat(a.conn.person.ID), id)
			}
		}
		late := nodes[0].come("A")
		if late.hello.Game != id {
			t.Errorf("hello of another socket names game %q, want %q", late.hello.Game, id)
		}
		late.close()
		b.say(wire.ClientMessage{T: "seek", ID: "s9", Base: 300000, Mode: "fast"})
		b.expect("err:seated")

		a.sit(id)
		b.sit(id)
		a.do("r1 resign")
		pass(time.Second)
		if at := nodes[2].gate.Seat(a.conn.person.ID); at != "" {
			t.Errorf("A sits at %q after the end", at)
		}
		a.news()
		b.news()
		a.say(wire.ClientMessage{T: "rematch", ID: "x1", Game: id})
		b.expect("rematch")
		b.say(wire.ClientMessage{T: "rematch", ID: "x1", Game: id})
		pass(100 * time.Millisecond)
		if frames := a.news(); len(frames) != 2 || !strings.HasPrefix(frames[1], `{"t":"paired"`) {
			t.Errorf("after a rematch: %q", frames)
		}
		a.close()
		b.close()
	})
}

// Tables spread over the nodes, but not to one that takes nothing new.
func TestTablesSpread(t *testing.T) {
	inTown(t, "a b c", func(t *testing.T, w *town, nodes []*node) {
		setup := game.NewSetup(game.Player{ID: "w", Name: "w"}, game.Player{ID: "b", Name: "b"}, 300000, game.Fast)
		open := func(prefix string) {
			t.Helper()
			for i := range 60 {
				for range 2 { // the same again does nothing
					if err := nodes[i%3].gate.Open(ctx, prefix+string(rune('a'+i%26))+string(rune('a'+i/26)), setup); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		open("x")
		sum := 0
		for i, n := range w.homes() {
			if sum += n; n < 8 {
				t.Errorf("node %d has %d of 60 games", i, n)
			}
		}
		if sum != 60 {
			t.Errorf("%d games were set up, want 60", sum)
		}
		before := w.homes()
		nodes[1].members.Draining(true)
		pass(2 * time.Second)
		open("y")
		if after := w.homes(); after[1] != before[1] || after[0]+after[2] != before[0]+before[2]+60 {
			t.Errorf("games by node: %v, then %v with the second one draining", before, after)
		}
		bad := setup
		bad.RuleSet = "none"
		var refused *game.Refusal
		for i := range 3 {
			if err := nodes[i].gate.Open(ctx, "bad", bad); !errors.As(err, &refused) || refused.Code != game.BadSetup {
				t.Errorf("a setup that no table takes: %v", err)
			}
		}
	})
}

// What HTTP asks for is answered by any node.
func TestAnswersOfAnyNode(t *testing.T) {
	inTown(t, "a b c", func(t *testing.T, w *town, nodes []*node) {
		nodes[0].open("g1")
		white, black := nodes[0].come("W"), nodes[1].come("B")
		white.sit("g1")
		black.sit("g1")
		white.do("m1 move e2e4 0")
		for _, n := range nodes {
			view, running, err := n.gate.Game(ctx, "g1")
			text, _ := json.Marshal(view)
			var state wire.State
			if json.Unmarshal(text, &state) != nil || err != nil || !running || len(state.Moves) != 1 || state.Moves[0].M != "e2e4" {
				t.Errorf("%s: game %s, running %v, error %v", n.name, text, running, err)
			}
			if _, err := n.gate.PGN(ctx, "g1"); !errors.Is(err, table.ErrRunning) {
				t.Errorf("%s: PGN of a running game: %v", n.name, err)
			}
			if _, err := n.gate.Finished(ctx, "g1"); !errors.Is(err, table.ErrRunning) {
				t.Errorf("%s: setup of a running game: %v", n.name, err)
			}
			if list, err := n.gate.Live(ctx); err != nil || len(list) != 1 || list[0].Game != "g1" {
				t.Errorf("%s: list %v, error %v", n.name, list, err)
			}
			if _, _, err := n.gate.Game(ctx, "nope"); !errors.Is(err, table.ErrUnknownGame) {
				t.Errorf("%s: an unknown game: %v", n.name, err)
			}
		}
		white.do("r1 resign")
		pass(2 * time.Second)
		for _, n := range nodes {
			if view, running, err := n.gate.Game(ctx, "g1"); err != nil || running || view == nil {
				t.Errorf("%s: the finished game: %v, %v", n.name, running, err)
			}
			if text, err := n.gate.PGN(ctx, "g1"); err != nil || !strings.Contains(text, "1. e4") {
				t.Errorf("%s: PGN %q, error %v", n.name, text, err)
			}
			if setup, err := n.gate.Finished(ctx, "g1"); err != nil || setup.White.ID != white.conn.person.ID {
				t.Errorf("%s: setup %v, error %v", n.name, setup, err)
			}
			if list, err := n.gate.Live(ctx); err != nil || len(list) != 0 {
				t.Errorf("%s: list %v, error %v", n.name, list, err)
			}
		}
		white.close()
		black.close()
	})
}

func TestInvitationOverNodes(t *testing.T) {
	inTown(t, "a b c", func(t *testing.T, w *town, nodes []*node) {
		a, b := nodes[1].come("A"), nodes[2].come("B")
		id := invitation(t, a)
		for _, n := range nodes {
			view, err := n.gate.Invite(ctx, id)
			text, _ := json.Marshal(view)
			if err != nil || !strings.Contains(string(text), a.conn.person.ID) || !strings.Contains(string(text), `"color":"black"`) {
				t.Errorf("%s: invitation %s, error %v", n.name, text, err)
			}
			if _, err := n.gate.Invite(ctx, "nope"); !errors.Is(err, lobby.ErrUnknownInvite) {
				t.Errorf("%s: no invitation: %v", n.name, err)
			}
		}
		a.say(wire.ClientMessage{T: "accept", ID: "a1", Invite: id})
		a.expect("err:own_invite")
		b.say(wire.ClientMessage{T: "accept", ID: "a1", Invite: id})
		pass(100 * time.Millisecond)
		a.expect("paired:w")
		b.expect("paired:b")
		a.close()
		b.close()
	})
}

// invitation makes one.
func invitation(t *testing.T, a *guest) string {
	t.Helper()
	a.say(wire.ClientMessage{T: "invite", ID: "i1", Base: 180000, Mode: "board", Color: "white"})
	var invited wire.Invited
	if frames := a.expect("invited"); len(frames) != 1 || json.Unmarshal([]byte(frames[0]), &invited) != nil {
		t.Fatalf("invited: %q", frames)
	}
	return invited.Invite
}

// The lobby dies with seeks and an invitation open. Meanwhile nobody is served, and nobody's socket is closed; at the
// new one all of it is open again, the invitation under the same address.
func TestLobbyMoves(t *testing.T) {
	inTown(t, "a b c", func(t *testing.T, w *town, nodes []*node) {
		seeker, inviter, idle := nodes[1].come("A"), nodes[2].come("B"), nodes[2].come("C")
		seeker.seek("s1")
		seeker.expect("seeking")
		invite := invitation(t, inviter)
		ranged := nodes[1].come("E")
		ranged.say(wire.ClientMessage{T: "seek", ID: "s1", Base: 60000, Mode: "fast", Min: 1400, Max: 1600, Casual: true})
		ranged.expect("seeking")
		journal := nodes[0].journal
		nodes[0].kill()
		pass(5 * time.Second)
		for _, one := range []*guest{seeker, inviter, idle} {
			one.closed()
		}
		idle.seek("s1")
		idle.expect("err:unavailable")
		late := nodes[1].come("D")
		if late.hello.T != "hello" || late.hello.Game != "" {
			t.Errorf("hello without a lobby: %+v", late.hello)
		}

		d := w.start("d", journal, true)
		pass(3 * time.Second)
		seeker.expect("seeking")
		inviter.expect("invited")
		if frame := strings.Join(ranged.expect("seeking"), ""); !strings.Contains(frame, `"min":1400,"max":1600,"casual":true`) {
			t.Errorf("it is asked for again as %s", frame)
		}
		idle.say(wire.ClientMessage{T: "list", ID: "l1"})
		pass(100 * time.Millisecond)
		if list := strings.Join(idle.news(), ""); !strings.Contains(list, `{"t":"seeks","id":"l1","seeks":[{`) || strings.Count(list, `"seek":`) != 1 {
			t.Errorf("others see %s", list)
		}
		if _, err := nodes[1].gate.Invite(ctx, invite); err != nil {
			t.Errorf("the invitation at its old address: %v", err)
		}
		idle.say(wire.ClientMessage{T: "accept", ID: "a1", Invite: invite})
		late.seek("s1")
		pass(100 * time.Millisecond)
		idle.expect("paired:b")
		inviter.expect("paired:w")
		for _, one := range []*guest{seeker, late} {
			if frames := one.news(); len(frames) != 1 || !strings.HasPrefix(frames[0], `{"t":"paired"`) {
				t.Errorf("%s got %q", one.conn.person.Name, frames)
			}
		}
		if at := d.gate.Seat(late.conn.person.ID); at == "" || at != nodes[2].gate.Seat(seeker.conn.person.ID) {
			t.Errorf("the pair does not sit together: %q", at)
		}
		for _, one := range []*guest{seeker, inviter, idle, late, ranged} {
			one.closed()
			one.close()
		}
	})
}

// A challenge between people of two nodes moves with the lobby, and can be taken or declined at the new one.
func TestChallengeMoves(t *testing.T) {
	for _, answer := range []string{"accept", "decline"} {
		inTown(t, "a b c", func(t *testing.T, w *town, nodes []*node) {
			one := nodes[1].come("A")
			other := nodes[2].comes(account.Person{ID: person("B").ID, Name: "Guest B", Guest: true})
			one.say(wire.ClientMessage{T: "invite", ID: "i1", Base: 300000, Mode: "fast", Color: "white", To: "Guest B"})
			one.expect("invited")
			told := other.expect("challenge")
			journal := nodes[0].journal
			nodes[0].kill()
			pass(5 * time.Second)
			w.start("d", journal, true)
			pass(3 * time.Second)
			one.expect("invited")
			again := other.expect("challenge")
			if len(told) != 1 || len(again) != 1 || told[0] != again[0] {
				t.Fatalf("he is told %q, and then %q", told, again)
			}
			var challenge wire.Challenge
			if err := json.Unmarshal([]byte(again[0]), &challenge); err != nil {
				t.Fatal(err)
			}
			other.say(wire.ClientMessage{T: answer, ID: "a1", Invite: challenge.Invite})
			pass(100 * time.Millisecond)
			if answer == "accept" {
				other.expect("uninvited:withdrawn paired:b")
				one.expect("paired:w")
			} else {
				other.expect("uninvited:declined")
				one.expect("uninvited:declined")
			}
			one.close()
			other.close()
		})
	}
}

// What was taken back is not asked for again, and who has left does not come back with the lobby.
func TestLobbyMovesWithout(t *testing.T) {
	inTown(t, "a b c", func(t *testing.T, w *town, nodes []*node) {
		fickle, leaver := nodes[1].come("A"), nodes[2].come("B")
		for _, one := range []*guest{fickle, leaver} {
			one.say(wire.ClientMessage{T: "seek", ID: "s1", Base: map[string]int64{"P A": 60000, "P B": 120000}[one.conn.person.Name], Mode: "fast"})
		}
		fickle.say(wire.ClientMessage{T: "cancel", ID: "c1"})
		leaver.close()
		fickle.expect("seeking idle:cancelled")
		journal := nodes[0].journal
		nodes[0].kill()
		pass(5 * time.Second)
		d := w.start("d", journal, true)
		pass(3 * time.Second)
		fickle.expect("")
		if s := d.lobby.Stats(); s.Seeks != 0 || s.Invites != 0 {
			t.Errorf("the new lobby has %+v", s)
		}
		fickle.close()
	})
}

// A socket whose pairing went unheard is sent back to the door, where its hello names the game.
func TestPairedUnheard(t *testing.T) {
	inTown(t, "a b c", func(t *testing.T, w *town, nodes []*node) {
		a, b := nodes[1].come("A"), nodes[0].come("B")
		nodes[1].members.Draining(true) // a table that falls to it would be set up, and told of, after the cut
		pass(2 * time.Second)
		a.seek("s1")
		a.expect("seeking")
		w.local.Cut("b", true)
		b.seek("s1")
		pass(time.Second)
		if told := b.news(); len(told) != 1 || !strings.HasPrefix(told[0], `{"t":"paired"`) {
			t.Errorf("B was told %q during the cut", told)
		}
		a.expect("")
		w.local.Cut("b", false)
		pass(10 * time.Second)
		a.closed(wire.CloseRestart)
		again := nodes[1].come("A")
		if again.hello.Game == "" || again.hello.Game != nodes[0].gate.Seat(b.conn.person.ID) {
			t.Errorf("hello %+v", again.hello)
		}
		for _, one := range []*guest{a, b, again} {
			one.close()
		}
	})
}

// A place in the lobby that is lost before the socket has heard that it has it is asked for again.
func TestPlaceLostAtOnce(t *testing.T) {
	inTown(t, "l b", func(t *testing.T, w *town, nodes []*node) {
		one := nodes[1].come("A")
		lobbyAt, edgeAt := nodes[0], nodes[1]
		edge := edgeAt.members.Self()
		lost := func() { // all that the edge has there; both sides are told
			lobbyAt.gate.Missed(gateway.Peer{Name: edge.Name, Incarnation: edge.Incarnation})
			synctest.Wait()
		}
		lobbyAt.replies.hold(true)
		lost() // it is placed again, and does not hear of it
		lost()
		lobbyAt.replies.hold(false)
		pass(time.Second)
		one.seek("s1")
		one.expect("seeking")
		one.close()
		pass(11 * time.Second)
		if s := lobbyAt.lobby.Stats(); s.Seeks != 0 {
			t.Errorf("the lobby has %+v without anybody there", s)
		}
	})
}

// Who comes to a node while there is no lobby gets a hello without a game. If he finds his game by himself, nobody sends
// him there again once the lobby is back; if he does not, he is sent.
func TestComesBackWithoutLobby(t *testing.T) {
	inTown(t, "a b c", func(t *testing.T, w *town, nodes []*node) {
		a, b := nodes[1].come("A"), nodes[2].come("B")
		nodes[0].members.Draining(true) // the game is not where the lobby is
		pass(time.Second)               // all know that
		a.seek("s1")
		b.seek("s1")
		pass(100 * time.Millisecond)
		id := nodes[1].gate.Seat(a.conn.person.ID)
		if id == "" || nodes[0].hall.Alive(table.ActorID(id)) {
			t.Fatalf("game %q is not at b or c", id)
		}
		journal := nodes[0].journal
		nodes[0].kill()
		pass(5 * time.Second)
		a.close()
		b.close()
		finds, asks := nodes[1].come("A"), nodes[1].come("B")
		for _, one := range []*guest{finds, asks} {
			if one.hello.Game != "" {
				t.Fatalf("a hello without a lobby names %s", one.hello.Game)
			}
		}
		finds.sit(id)
		w.start("d", journal, true)
		pass(3 * time.Second)
		finds.closed()
		asks.closed(wire.CloseRestart)
		finds.close()
		asks.close()
	})
}
