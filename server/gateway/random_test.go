package gateway_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"flagfall/game"
	"flagfall/server/table"
)

// watcher is a socket of the random test, with all it was told.
type watcher struct {
	*guest
	joined bool
	last   uint64
}

// follow reads the news: a state begins anew, everything else has the next number.
func (w *watcher) follow(t *testing.T, seed uint64) {
	t.Helper()
	for _, text := range w.news() {
		var f struct {
			T string
			N uint64
		}
		if err := json.Unmarshal([]byte(text), &f); err != nil {
			t.Fatal(err)
		}
		switch f.T {
		case "state":
			w.last = f.N
		case "ev":
			if f.N != w.last+1 {
				t.Fatalf("seed %d: %s at %s was told %s after number %d", seed, w.conn.person.Name, w.n.name, text, w.last)
			}
			w.last = f.N
		case "joined":
			if f.N != w.last {
				t.Fatalf("seed %d: %s at %s joined at %d, and has %d", seed, w.conn.person.Name, w.n.name, f.N, w.last)
			}
		}
	}
}

func (w *watcher) isClosed() bool {
	w.conn.mu.Lock()
	defer w.conn.mu.Unlock()
	return len(w.conn.closed) > 0
}

// Whatever happens on the bus, and whoever comes and goes: a socket that is not closed has had every frame since its
// state, once and in order, and one that comes back can go on from its last number.
func TestRandomComingsAndGaps(t *testing.T) {
	rounds := 12
	if testing.Short() {
		rounds = 3
	}
	for range rounds {
		seed := rand.Uint64()
		inTown(t, "l a b c", func(t *testing.T, w *town, nodes []*node) { comeAndGo(t, w, nodes[1:], seed) })
	}
}

func comeAndGo(t *testing.T, w *town, nodes []*node, seed uint64) {
	dice := rand.New(rand.NewPCG(seed, 1))
	nodes[0].set("g1", func(s *game.Setup) { s.Options, s.Base = game.Options{}, [2]int64{10_000_000, 10_000_000} })
	var all []*watcher
	for i := range 12 {
		all = append(all, &watcher{guest: nodes[dice.IntN(3)].come([]string{"W", "B", "W", "B", "S", "T", "U"}[min(i, 6)])})
		if i < 2 {
			all[i].sit("g1")
			all[i].joined = true
		}
	}
	moves := []string{"g1f3", "g8f6", "f3g1", "f6g8"}
	ply, cut := 0, ""
	for step := range 150 {
		one := all[dice.IntN(len(all))]
		switch k := dice.IntN(10); {
		case one.isClosed(): // it comes back to any node, and goes on from what it has seen
			one.follow(t, seed)
			one.close()
			last := one.last
			*one = watcher{guest: nodes[dice.IntN(3)].come(one.conn.person.ID[:1]), last: last}
			if cut == "" {
				one.join("g1", last)
				one.joined = true
			}
		case k < 2 && cut == "":
			one.follow(t, seed)
			one.join("g1", one.last)
			one.joined = true
		case k < 3 && one.joined:
			one.sitting.Leave()
			one.sitting, one.joined = nil, false
			one.follow(t, seed)
		case k < 8 && one.joined && one.sitting.Plays():
			one.do("here")
			for range 4 {
				one.do(fmt.Sprintf("s%dp%d move %s %d", step, ply, moves[ply%4], ply))
			}
		case k == 8 && cut == "":
			cut = nodes[dice.IntN(3)].name
			w.local.Cut(cut, true)
		case k == 9 && cut != "":
			w.local.Cut(cut, false)
			cut = ""
			pass(4 * time.Second) // whoever missed something has learned it
		}
		synctest.Wait()
		if dice.IntN(3) == 0 {
			for _, each := range all {
				each.follow(t, seed)
			}
		}
		ply = nodes[0].plies(t, ply)
	}
	if cut != "" {
		w.local.Cut(cut, false)
	}
	pass(10 * time.Second)
	if len(nodes[0].hall.IDs(table.KindName)) == 0 {
		t.Fatalf("seed %d: the game has ended", seed)
	}
	numbers := map[string]uint64{}
	for _, one := range all {
		one.follow(t, seed)
		if !one.joined || one.isClosed() {
			continue
		}
		audience := "public"
		if one.sitting.Plays() {
			audience = one.conn.person.Name
		}
		if n, known := numbers[audience]; known && n != one.last {
			t.Errorf("seed %d: of one audience, one has heard %d and another one %d", seed, n, one.last)
		}
		numbers[audience] = one.last
	}
}

// plies is how many moves the game has, or what it had when it cannot be asked.
func (n *node) plies(t *testing.T, before int) int {
	t.Helper()
	view, running, err := n.tables.Game(ctx, "g1")
	if err != nil || !running {
		return before
	}
	text, err := json.Marshal(view)
	if err != nil {
		t.Fatal(err)
	}
	var state struct{ Moves []any }
	if err := json.Unmarshal(text, &state); err != nil {
		t.Fatal(err)
	}
	return len(state.Moves)
}
