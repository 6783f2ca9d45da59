package arena

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"
)

func named(i int) string { return fmt.Sprintf("p%04d", i) }

// crowd is a room of n players with histories that keep the bounds.
func crowd(rng *rand.Rand, n int) []candidate {
	room := make([]candidate, n)
	for i := range room {
		c := &room[i]
		*c = candidate{id: named(i), score: rng.IntN(12), rating: 1000 + rng.IntN(1500), since: -int64(rng.IntN(30000)), out: rng.IntN(3)}
		for range rng.IntN(12) {
			color := byte("wb"[rng.IntN(2)])
			if fits(c.colors, color) {
				c.colors += string(color)
			}
		}
		if rng.IntN(2) == 0 {
			c.last = named(rng.IntN(n))
		}
	}
	return room
}

// tally is what a pairing costs, counted from its players alone: those left over, bounds that gave way, turns and
// seconds of those left over, and the distances.
type tally struct{ over, gave, turns, seconds, distance int64 }

func (t tally) less(u tally) bool {
	a, b := [5]int64{t.over, t.gave, t.turns, t.seconds, t.distance}, [5]int64{u.over, u.gave, u.turns, u.seconds, u.distance}
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}

// permitted judges a pair by the rule's words: what gives way, and whether it may.
func permitted(a, b candidate, rules pairRules, at int64) (gave int64, ok bool) {
	waited := min(at-a.since, at-b.since)
	if a.last == b.id || b.last == a.id {
		gave, ok = 1, waited >= rules.repeatWait
		if !ok {
			return 0, false
		}
	}
	keeps := func(colors string, c string) bool {
		colors += c
		d := strings.Count(colors, "w") - strings.Count(colors, "b")
		return d >= -2 && d <= 2 && !strings.HasSuffix(colors, strings.Repeat(c, 4))
	}
	if keeps(a.colors, "w") && keeps(b.colors, "b") || keeps(a.colors, "b") && keeps(b.colors, "w") {
		return gave, true
	}
	return gave + 1, waited >= rules.colorWait
}

// bestOf tries every pairing.
func bestOf(left []candidate, rules pairRules, at int64) tally {
	if len(left) == 0 {
		return tally{}
	}
	a, rest := left[0], left[1:]
	best := bestOf(rest, rules, at)
	best.over, best.turns, best.seconds = best.over+1, best.turns+int64(a.out), best.seconds+(at-a.since)/1000
	for i, b := range rest {
		gave, ok := permitted(a, b, rules, at)
		if !ok {
			continue
		}
		others := append(append([]candidate(nil), rest[:i]...), rest[i+1:]...)
		t := bestOf(others, rules, at)
		t.gave, t.distance = t.gave+gave, t.distance+distance(&a, &b)
		if t.less(best) {
			best = t
		}
	}
	return best
}

// weigh checks the hard bounds and the waits of a pairing and counts what it costs.
func weigh(t *testing.T, room []candidate, pairs []couple, rules pairRules, at int64) tally {
	t.Helper()
	byID := map[string]candidate{}
	for _, c := range room {
		byID[c.id] = c
	}
	var sum tally
	for _, p := range pairs {
		a, okA := byID[p.white]
		b, okB := byID[p.black]
		if !okA || !okB || p.white == p.black {
			t.Fatalf("pair %+v: somebody is not there, or paired twice or with himself", p)
		}
		delete(byID, p.white)
		delete(byID, p.black)
		gave, ok := permitted(a, b, rules, at)
		if !ok {
			t.Fatalf("%+v against %+v: not permitted", a, b)
		}
		flagged := int64(0)
		if p.repeat {
			flagged++
		}
		if p.color {
			flagged++
		}
		if flagged != gave {
			t.Fatalf("%+v against %+v: %d bounds gave way, flagged %+v", a, b, gave, p)
		}
		sum.gave, sum.distance = sum.gave+gave, sum.distance+distance(&a, &b)
	}
	for _, c := range byID {
		sum.over, sum.turns, sum.seconds = sum.over+1, sum.turns+int64(c.out), sum.seconds+(at-c.since)/1000
	}
	return sum
}

var testRules = pairRules{repeatWait: 15000, colorWait: 15000}

func TestSmallRoomsArePairedAtTheLeastCost(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 7))
		room := crowd(rng, 2+int(seed%9))
		got := weigh(t, room, pair(room, testRules, 0, 0), testRules, 0)
		want := bestOf(room, testRules, 0)
		if float64(got.distance) > 1.1*float64(want.distance) {
			t.Fatalf("seed %d: distance %d, the best has %d", seed, got.distance, want.distance)
		}
		got.distance, want.distance = 0, 0
		if got != want {
			t.Fatalf("seed %d: %+v, the best is %+v", seed, got, want)
		}
	}
}

func TestARoomOfTwelveAgainstEveryPairing(t *testing.T) {
	for seed := range uint64(3) {
		room := crowd(rand.New(rand.NewPCG(seed, 12)), 12)
		if got, want := weigh(t, room, pair(room, testRules, 0, 0), testRules, 0), bestOf(room, testRules, 0); got != want {
			t.Errorf("seed %d: %+v, the best is %+v", seed, got, want)
		}
	}
}

// exactly is the best of all pairings of a room, found by sets of players.
func exactly(room []candidate, rules pairRules, at int64) tally {
	best := make([]tally, 1<<len(room))
	for set := 1; set < len(best); set++ {
		i := bits.TrailingZeros(uint(set))
		a, rest := room[i], set&^(1<<i)
		least := best[rest]
		least.over, least.turns, least.seconds = least.over+1, least.turns+int64(a.out), least.seconds+(at-a.since)/1000
		for others := rest; others != 0; others &= others - 1 {
			j := bits.TrailingZeros(uint(others))
			gave, ok := permitted(a, room[j], rules, at)
			if !ok {
				continue
			}
			t := best[rest&^(1<<j)]
			t.gave, t.distance = t.gave+gave, t.distance+distance(&a, &room[j])
			if t.less(least) {
				least = t
			}
		}
		best[set] = least
	}
	return best[len(best)-1]
}

// Rooms a little larger than those that are matched exactly are hardly worse.
func TestLargerRoomsAgainstTheBest(t *testing.T) {
	for n := 13; n <= 16; n++ {
		var sum, best int64
		for seed := range uint64(8) {
			room := crowd(rand.New(rand.NewPCG(seed, 77)), n)
			got, want := weigh(t, room, pair(room, testRules, 0, 0), testRules, 0), exactly(room, testRules, 0)
			sum, best = sum+got.distance, best+want.distance
			got.distance, want.distance = 0, 0
			if got != want {
				t.Errorf("%d players, seed %d: %+v, the best is %+v", n, seed, got, want)
			}
		}
		if float64(sum) > 1.1*float64(best) {
			t.Errorf("%d players: distance %d, the best have %d", n, sum, best)
		}
	}
}

// Where nothing is in the way, neighbours meet: no pairing of a line of players has a smaller sum of squares.
func TestLargeRoomsPairNeighbours(t *testing.T) {
	for _, n := range []int{13, 15, 60, 61, 400, 1000} {
		var room []candidate
		for i := range n {
			room = append(room, candidate{id: named(i), rating: 3000 - i})
		}
		got := weigh(t, room, pair(room, testRules, 0, 0), testRules, 0)
		if got.over != int64(n%2) {
			t.Errorf("%d players: %d left over", n, got.over)
		}
		if most := int64(n/2) * 11 / 10; got.distance > most {
			t.Errorf("%d players: distance %d, want %d at most", n, got.distance, most)
		}
	}
}

func TestLargeRoomsLeaveNobodyOverWhoCanPlay(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 99))
		n := 13 + rng.IntN(400)
		room := crowd(rng, n)
		got := weigh(t, room, pair(room, testRules, 0, 0), testRules, 0)
		if got.over > int64(n%2) || got.gave > 0 {
			t.Errorf("seed %d: of %d players %d were left over, %d bounds gave way", seed, n, got.over, got.gave)
		}
	}
}

// Everybody has just played his neighbour in the order.
func TestNoNeighbourTwice(t *testing.T) {
	for _, n := range []int{4, 12, 60, 400} {
		var room []candidate
		for i := range n {
			room = append(room, candidate{id: named(i), rating: 3000 - i, last: named(i ^ 1), colors: "wb"[i%2 : i%2+1]})
		}
		got := weigh(t, room, pair(room, testRules, 0, 0), testRules, 0)
		if got.over != 0 || got.gave != 0 {
			t.Errorf("%d players: %+v", n, got)
		}
	}
}

// The cases ARN-02: a wait before an immediate repeat, and two games of four players who can be paired anew.
func TestSmallRooms(t *testing.T) {
	a := candidate{id: "a", last: "b", since: 0, colors: "w"}
	b := candidate{id: "b", last: "a", since: 0, colors: "b"}
	if got := pair([]candidate{a, b}, testRules, 14999, 0); len(got) != 0 {
		t.Errorf("paired %v before the wait is over", got)
	}
	got := pair([]candidate{a, b}, testRules, 15000, 0)
	if len(got) != 1 || !got[0].repeat || got[0].white != "b" {
		t.Errorf("after the wait: %+v", got)
	}
	c := candidate{id: "c", last: "d", colors: "w"}
	d := candidate{id: "d", last: "c", colors: "b"}
	got = pair([]candidate{a, b, c, d}, testRules, 60000, 0)
	if len(got) != 2 || got[0].repeat || got[1].repeat {
		t.Errorf("four: %+v", got)
	}
}

func TestTheOddOneOutChanges(t *testing.T) {
	room := []candidate{{id: "a", rating: 1900}, {id: "b", rating: 1800}, {id: "c", rating: 1200, out: 1}}
	for _, p := range pair(room, testRules, 1000, 0) {
		if p.white != "c" && p.black != "c" {
			t.Errorf("c is left over again: %+v", p)
		}
	}
}

func BenchmarkPair(b *testing.B) {
	for _, n := range []int{12, 100, 400, 1000} {
		room := crowd(rand.New(rand.NewPCG(1, 1)), n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				pair(room, testRules, 0, 0)
			}
		})
	}
}

// A whole pass of the machine: a thousand wait, after some thousands of games.
func BenchmarkPass(b *testing.B) {
	s := newMachine()
	s.Settings, s.Phase, s.Bell = Defaults(Arena), Running, 3600000
	for i, c := range crowd(rand.New(rand.NewPCG(1, 1)), 1000) {
		s.Entries = append(s.Entries, &Entry{ID: c.id, Rating: c.rating, Status: In, Here: true, Colors: c.colors, Last: c.last})
		for range 5 {
			s.Games = append(s.Games, &Game{White: c.id, Black: named((i + 1) % 1000), Over: true, Outcome: Outcome{Score: "1-0"}})
		}
	}
	s.index()
	for b.Loop() {
		s.pass(60000)
	}
}
