package gateway_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"flagfall/game"
	"flagfall/server/arena/host"
	"flagfall/server/lobby"
	"flagfall/server/wire"
)

// asks is a question about an event by way of a node.
func (n *node) asks(event, letter, what, body string) (answer map[string]any, err error) {
	text, err := n.events.Answer(ctx, event, person(letter), "", what, json.RawMessage(body))
	if err == nil {
		err = json.Unmarshal(text, &answer)
	}
	return answer, err
}

func (n *node) act(event, letter, body string) {
	n.t.Helper()
	if _, err := n.asks(event, letter, "act", body); err != nil {
		n.t.Fatalf("%s at %s: %s: %v", letter, n.name, body, err)
	}
}

// An event is made at one node, entered and attended at others, its games run wherever, and all say the same of it.
func TestEventOverNodes(t *testing.T) {
	inTown(t, "a b c", func(t *testing.T, w *town, nodes []*node) {
		owners := map[string]bool{}
		for i := range 12 {
			name := nodes[i%3].newEvent()
			for _, n := range nodes {
				if n.hall.Alive(host.ID(name)) {
					owners[n.name] = true
				}
			}
		}
		if len(owners) < 2 {
			t.Errorf("twelve events are all at %v", owners)
		}

		event := nodes[1].newEvent()
		nodes[0].act(event, "A", `{"do":"advance","to":"open"}`)
		var players []*guest
		for i, letter := range []string{"P", "Q"} {
			n := nodes[i+1]
			n.act(event, letter, `{"do":"enter"}`)
			g := n.come(letter)
			if err := n.events.Attend(g.conn, wire.ClientMessage{T: "attend", ID: "a", Event: event, Visible: true}); err != nil {
				t.Fatal(err)
			}
			players = append(players, g)
		}
		nodes[2].act(event, "A", `{"do":"advance","to":"running"}`)
		pass(3 * time.Second)
		id := ""
		for i, g := range players {
			at := nodes[(i+2)%3].gate.Seat(g.conn.person.ID)
			if at == "" || id != "" && at != id {
				t.Fatalf("the seats: %q and %q", at, id)
			}
			id = at
			if all := strings.Join(g.news(), "\n"); !strings.Contains(all, `"t":"paired"`) || !strings.Contains(all, `"t":"entry"`) {
				t.Errorf("%s was told %s", g.conn.person.Name, all)
			}
		}
		for _, n := range nodes {
			boards, err := n.asks(event, "X", "boards", `{}`)
			if err != nil || len(boards["boards"].([]any)) != 1 {
				t.Errorf("boards at %s: %v, %v", n.name, boards, err)
			}
			if log, err := n.asks(event, "A", "game", `{"game":"`+id+`"}`); err != nil || log["running"] != true {
				t.Errorf("the game's log at %s: %v, %v", n.name, log, err)
			}
			if _, err := n.asks(event, "A", "game", `{"game":"nope"}`); !errors.Is(err, wire.Refuse(wire.CodeUnknownGame)) {
				t.Errorf("a game that is not there, at %s: %v", n.name, err)
			}
			if _, err := n.asks("no-such-event", "A", "page", `{}`); !errors.Is(err, host.ErrUnknownEvent) {
				t.Errorf("an event that is not there, at %s: %v", n.name, err)
			}
		}
		for _, g := range players {
			g.sit(id)
		}
		nodes[0].act(event, "A", `{"do":"rule","game":"`+id+`","act":"result","score":"1-0","why":"as agreed"}`)
		pass(3 * time.Second)
		for _, n := range nodes {
			page, err := n.asks(event, "X", "page", `{}`)
			if err != nil || page["games"] != 1.0 {
				t.Errorf("after the game, at %s: %v, %v", n.name, page, err)
			}
		}

		// who is gone with his node is not present
		here := func() any {
			page, err := nodes[0].asks(event, "X", "page", `{}`)
			if err != nil {
				t.Fatal(err)
			}
			return page["here"]
		}
		if got := here(); got != 2.0 {
			t.Errorf("%v are present", got)
		}
		nodes[2].events.Depart(players[1].conn)
		pass(2 * time.Second)
		if got := here(); got != 1.0 {
			t.Errorf("after one has left: %v are present", got)
		}
		for _, g := range players {
			nodes[1].events.Depart(g.conn)
			g.close()
		}
		pass(time.Second)
	})
}

// newEvent is one of A's.
func (n *node) newEvent() string {
	n.t.Helper()
	body := `{"settings":{"name":"Town","duration":600000,"rest":0,"repeat_wait":300000}}`
	name, err := n.events.Create(ctx, person("A"), json.RawMessage(body))
	if err != nil {
		n.t.Fatal(fmt.Errorf("at %s: %w", n.name, err))
	}
	return name
}

// The seats refuse in the same way over nodes.
func TestSeatsOverNodes(t *testing.T) {
	inTown(t, "a b", func(t *testing.T, w *town, nodes []*node) {
		nodes[1].set("g1", func(s *game.Setup) {
			if err := nodes[1].gate.Take(ctx, "g1", *s); err != nil {
				t.Fatal(err)
			}
		})
		nodes[1].set("g2", func(s *game.Setup) {
			err := nodes[1].gate.Take(ctx, "g2", *s)
			var busy *lobby.Busy
			if !errors.As(err, &busy) || busy.At[person("W").ID] != "g1" || busy.At[person("B").ID] != "g1" {
				t.Errorf("both sit: %v", err)
			}
			s.Black = s.White
			if err := nodes[1].gate.Take(ctx, "g2", *s); !errors.Is(err, lobby.ErrSamePerson) {
				t.Errorf("one for both seats: %v", err)
			}
			s.Black.ID = "other"
		})
	})
}

// What a large event answers is larger than a message between nodes may be, and comes whole.
func TestLargeAnswers(t *testing.T) {
	inTown(t, "a b", func(t *testing.T, w *town, nodes []*node) {
		event := nodes[0].newEvent()
		for part := range 2 {
			var lines strings.Builder
			for i := range 1000 {
				fmt.Fprintf(&lines, "%d %s,%s\n", 1000*part+i, strings.Repeat("𝔸", 70), strings.Repeat("𝔹", 80))
			}
			body, err := json.Marshal(map[string]string{"do": "roster", "csv": lines.String()})
			if err != nil {
				t.Fatal(err)
			}
			nodes[0].act(event, "A", string(body))
		}
		for _, n := range nodes {
			answer, err := n.asks(event, "A", "entries", `{}`)
			if err != nil {
				t.Errorf("at %s: %v", n.name, err)
			} else if list := answer["entries"].([]any); len(list) != 2000 {
				t.Errorf("%d entries at %s", len(list), n.name)
			}
		}
	})
}
