package host_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"flagfall/server/wire"
)

// An arena that is restarted again and again ends with a table of exactly the games that were played.
func TestRestarts(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		event := w.open(blitz, "BCDef")
		played := map[string]string{} // game -> who won
		for round := range 140 {
			pass(2 * time.Second)
			for id, pair := range w.games("BCDef") {
				w.finish(id, pair)
				played[id] = pair[1].conn.person.ID
			}
			if round%20 == 7 {
				w.restart()
			}
		}
		pass(time.Minute)
		w.sameGames(event, played)
	})
}

// open makes an event that runs, with these people before it.
func (w *world) open(settings, letters string) (event string) {
	w.t.Helper()
	event = w.create(settings)
	w.must(event, "A", "act", `{"do":"advance","to":"open"}`)
	for _, letter := range letters {
		w.must(event, string(letter), "act", `{"do":"enter"}`)
		w.come(event, string(letter), true)
	}
	w.must(event, "A", "act", `{"do":"advance","to":"running"}`)
	return event
}

// sameGames holds what the event knows against what was played.
func (w *world) sameGames(event string, played map[string]string) {
	w.t.Helper()
	of := w.must(event, "A", "standings", `{}`)
	known := map[string]bool{}
	for _, one := range of["games"].([]any) {
		g := one.(map[string]any)
		id := g["id"].(string)
		if g["score"] == "*" { // somebody did not come: D33
			if played[id] != "" {
				w.t.Errorf("%s was played, and is void", id)
			}
			continue
		}
		known[id] = true
		if g["score"] != "0-1" || g["black"] != played[id] {
			w.t.Errorf("%s is %v of %v, %v won", id, g["score"], g["black"], played[id])
		}
	}
	for id := range played {
		if !known[id] {
			w.t.Errorf("%s was played, and is not known", id)
		}
	}
}

// ARN-01: whatever races for somebody - the pool, a rematch, an invitation, the arena - he is at one table, and the event's
// games and the seats say the same.
func TestOneGameAtATime(t *testing.T) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) { w.race(rand.New(rand.NewPCG(seed, 7))) })
		})
	}
}

const racers = "BCDEFg"

// race lets people ask for games everywhere at once.
func (w *world) race(dice *rand.Rand) {
	w.t.Helper()
	event := w.open(`{"name":"Race","format":"arena","duration":600000,"rest":0,"repeat_wait":1000,"color_wait":1000,"guests":true,"late":true}`, racers)
	played, outside, last := map[string]string{}, 0, map[string]string{}
	for step := range 250 {
		for _, letter := range racers {
			w.wish(dice, w.guests[string(letter)], last, step)
		}
		pass(time.Duration(dice.IntN(1500)) * time.Millisecond)
		running := w.games(racers)
		w.oneEach(event, running)
		for id, pair := range running {
			if pair[0] == nil || pair[1] == nil {
				w.t.Fatalf("%s has one player at the seats", id)
			}
			if dice.IntN(3) > 0 {
				continue
			}
			s, err := w.setup(id)
			if err != nil {
				w.t.Fatal(err)
			}
			w.finish(id, pair)
			for _, g := range pair {
				last[g.letter] = id
			}
			if s.Event == event {
				played[id] = pair[1].conn.person.ID
			} else {
				outside++
			}
		}
	}
	pass(15 * time.Minute)
	w.sameGames(event, played)
	if len(played) < 20 || outside < 20 {
		w.t.Errorf("%d games of the event and %d others: no race", len(played), outside)
	}
}

// wish has somebody ask the lobby for something, perhaps.
func (w *world) wish(dice *rand.Rand, g *guest, last map[string]string, step int) {
	id := fmt.Sprintf("s%d", step)
	var m wire.ClientMessage
	switch dice.IntN(8) {
	case 0:
		m = wire.ClientMessage{T: "seek", ID: id, Base: 180000, Mode: "board"}
	case 1:
		m = wire.ClientMessage{T: "invite", ID: id, Base: 180000, Mode: "board", Color: "random"}
	case 2:
		invite := w.anyInvite(dice)
		if invite == "" {
			return
		}
		m = wire.ClientMessage{T: "accept", ID: id, Invite: invite}
	case 3:
		if last[g.letter] == "" {
			return
		}
		m = wire.ClientMessage{T: "rematch", ID: id, Game: last[g.letter]}
	case 4:
		m = wire.ClientMessage{T: "cancel", ID: id}
	default:
		return
	}
	g.session.Handle(m)
}

// anyInvite is one that somebody made.
func (w *world) anyInvite(dice *rand.Rand) string {
	var all []string
	for _, letter := range racers {
		g := w.guests[string(letter)]
		g.conn.mu.Lock()
		for _, text := range g.conn.frames {
			var f struct{ Invite string }
			if strings.HasPrefix(text, `{"t":"invited"`) && json.Unmarshal([]byte(text), &f) == nil {
				all = append(all, f.Invite)
			}
		}
		g.conn.mu.Unlock()
	}
	if len(all) == 0 {
		return ""
	}
	all = all[max(0, len(all)-4):]
	return all[dice.IntN(len(all))]
}

// oneEach holds the event's boards against the seats.
func (w *world) oneEach(event string, running map[string][2]*guest) {
	w.t.Helper()
	boards, err := w.tables.Boards(ctx, event)
	if err != nil {
		w.t.Fatal(err)
	}
	busy := map[string][]string{}
	for _, b := range boards {
		busy[b.White.ID] = append(busy[b.White.ID], b.Game)
		busy[b.Black.ID] = append(busy[b.Black.ID], b.Game)
	}
	for id, pair := range running {
		for _, g := range pair {
			if g != nil && !slices.Contains(busy[g.conn.person.ID], id) {
				busy[g.conn.person.ID] = append(busy[g.conn.person.ID], id)
			}
		}
	}
	for who, games := range busy {
		if len(games) > 1 {
			w.t.Fatalf("%s is at %v", who, games)
		}
	}
}
