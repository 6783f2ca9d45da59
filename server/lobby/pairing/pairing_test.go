package pairing

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// crowd draws people who wait at 100 s.
func crowd(t *rapid.T, most int) []Seeker {
	n := rapid.IntRange(0, most).Draw(t, "people")
	id := func(i int) string { return fmt.Sprintf("P%03d", i) }
	spread := rapid.SampledFrom([]int{0, 100, 1000, 2500}).Draw(t, "spread")
	waiting := make([]Seeker, n)
	for i := range waiting {
		s := Seeker{ID: id(i), Rating: 1500 + float64(rapid.IntRange(-spread, spread).Draw(t, "rating")),
			Since: rapid.SampledFrom([]int64{100_000, 99_000, 95_000, 85_000, 80_001, 80_000, 20_000}).Draw(t, "since")}
		s.Any = rapid.IntRange(0, 9).Draw(t, "any") == 0
		s.Bot = rapid.IntRange(0, 9).Draw(t, "bot") == 0
		if rapid.IntRange(0, 4).Draw(t, "ranged") == 0 {
			s.Min, s.Max = s.Rating-float64(rapid.IntRange(0, 400).Draw(t, "below")), s.Rating+float64(rapid.IntRange(0, 400).Draw(t, "above"))
		}
		if rapid.IntRange(0, 2).Draw(t, "played") == 0 {
			s.Last = id(rapid.IntRange(0, most).Draw(t, "last"))
		}
		for range rapid.SampledFrom([]int{0, 0, 0, 1, 3}).Draw(t, "blocks") {
			if s.Avoid == nil {
				s.Avoid = map[string]bool{}
			}
			s.Avoid[id(rapid.IntRange(0, most).Draw(t, "blocked"))] = true
		}
		waiting[i] = s
	}
	return waiting
}

const now = 100_000

// worth is a set of pairs as the package's comment orders them: less is better.
type worth struct{ overdue, left, repeats, points int }

func (w worth) compare(o worth) int {
	return slices.Compare([]int{w.overdue, w.left, w.repeats, w.points}, []int{o.overdue, o.left, o.repeats, o.points})
}

func worthOf(waiting []Seeker, pairs [][2]int) worth {
	var w worth
	paired := make([]bool, len(waiting))
	for _, p := range pairs {
		a, b := &waiting[p[0]], &waiting[p[1]]
		paired[p[0]], paired[p[1]] = true, true
		w.points += int(math.Abs(a.Rating - b.Rating))
		if met(*a, *b) {
			w.repeats++
		}
	}
	for i, s := range waiting {
		if paired[i] {
			continue
		}
		waited := now - s.Since
		if waited >= 20_000 {
			w.overdue++
		}
		w.left++
		w.points += int(min(waited, 20_000) / 100)
	}
	return w
}

// may is the rule for two people, written anew from the package's promise.
func may(a, b Seeker) bool {
	apart := math.Abs(a.Rating - b.Rating)
	looks := func(s Seeker) bool {
		waited := float64(now-s.Since) / 1000
		return s.Any || waited >= 20 || apart <= 50+25*waited
	}
	return ever(a, b) && (looks(a) || looks(b))
}

// ever is may without a look at the time.
func ever(a, b Seeker) bool {
	within := func(s Seeker, r float64) bool { return r >= s.Min && (s.Max == 0 || r <= s.Max) }
	return a.ID != b.ID && a.Bot == b.Bot && !a.Avoid[b.ID] && !b.Avoid[a.ID] && within(a, b.Rating) && within(b, a.Rating)
}

func met(a, b Seeker) bool { return a.Last == b.ID || b.Last == a.ID }

// allowed is may for two in a room: who has just met waits for the others who are there, 20 seconds at most.
func allowed(waiting []Seeker, i, j int) bool {
	a, b := waiting[i], waiting[j]
	if !may(a, b) || !met(a, b) || now-a.Since >= 20_000 || now-b.Since >= 20_000 {
		return may(a, b)
	}
	for k, c := range waiting {
		if k != i && k != j && (ever(a, c) && !met(a, c) || ever(b, c) && !met(b, c)) {
			return false
		}
	}
	return true
}

// optimum tries every set of pairs.
func optimum(waiting []Seeker) worth {
	var best worth
	first := true
	var try func(from int, used []bool, pairs [][2]int)
	try = func(from int, used []bool, pairs [][2]int) {
		for from < len(waiting) && used[from] {
			from++
		}
		if from == len(waiting) {
			if w := worthOf(waiting, pairs); first || w.compare(best) < 0 {
				best, first = w, false
			}
			return
		}
		used[from] = true
		try(from+1, used, pairs)
		for j := from + 1; j < len(waiting); j++ {
			if !used[j] && allowed(waiting, from, j) {
				used[j] = true
				try(from+1, used, append(pairs, [2]int{from, j}))
				used[j] = false
			}
		}
		used[from] = false
	}
	try(0, make([]bool, len(waiting)), nil)
	return best
}

// Small rooms get the best pairs that there are.
func TestSmallRoomsAreOptimal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		waiting := crowd(t, 9)
		got := worthOf(waiting, Pair(waiting, now))
		if want := optimum(waiting); got != want {
			t.Fatalf("pairs worth %+v, the best are %+v: %+v", got, want, waiting)
		}
	})
}

// hold checks what is promised of any room.
func hold(t *rapid.T, waiting []Seeker, pairs [][2]int) {
	paired := map[int]bool{}
	for _, p := range pairs {
		a, b := waiting[p[0]], waiting[p[1]]
		if p[0] == p[1] || paired[p[0]] || paired[p[1]] {
			t.Fatalf("somebody twice, or with himself: %v", pairs)
		}
		paired[p[0]], paired[p[1]] = true, true
		if !allowed(waiting, p[0], p[1]) {
			t.Fatalf("%+v may not meet %+v", a, b)
		}
	}
	for i := range waiting {
		for j := range i {
			if !paired[i] && !paired[j] && allowed(waiting, i, j) {
				t.Fatalf("both are left over: %+v, %+v", waiting[i], waiting[j])
			}
		}
	}
}

// Nobody twice nor with himself, blocks, ranges and bots respected, and no two are left waiting who could play, in rooms of
// any size. Nobody meets his last opponent while two pairs could exchange partners.
func TestPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		waiting := crowd(t, 60)
		pairs := Pair(waiting, now)
		hold(t, waiting, pairs)
		fresh := func(i, j int) bool { return may(waiting[i], waiting[j]) && !met(waiting[i], waiting[j]) }
		for i, p := range pairs {
			if fresh(p[0], p[1]) {
				continue
			}
			for j, q := range pairs {
				if i != j && (fresh(p[0], q[0]) && fresh(p[1], q[1]) || fresh(p[0], q[1]) && fresh(p[1], q[0])) {
					t.Fatalf("%s meets %s again, and could exchange with %s and %s", waiting[p[0]].ID, waiting[p[1]].ID, waiting[q[0]].ID, waiting[q[1]].ID)
				}
			}
		}
		slices.Reverse(waiting)
		again := Pair(waiting, now)
		names := func(list []Seeker, pairs [][2]int, last int) (all []string) {
			for _, p := range pairs {
				i, j := p[0], p[1]
				if last >= 0 {
					i, j = last-i, last-j
				}
				all = append(all, fmt.Sprint(min(list[i].ID, list[j].ID), max(list[i].ID, list[j].ID)))
			}
			slices.Sort(all)
			return all
		}
		if got, want := names(waiting, again, -1), names(waiting, pairs, len(waiting)-1); !slices.Equal(got, want) {
			t.Fatalf("in another order %v, before %v", got, want)
		}
	})
}

// Whoever nobody wants to avoid plays after 20 seconds at the latest if anybody is there: the pool never leaves two of those who have
// waited so long, and the one who is left over goes first in the next pass.
func TestBoundedWait(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var waiting []Seeker
		var at int64
		for pass := range 60 {
			at += Every
			for range rapid.IntRange(0, 3).Draw(t, "come") {
				waiting = append(waiting, Seeker{ID: fmt.Sprint(pass, "-", len(waiting)), Since: at, Rating: float64(rapid.IntRange(0, 3000).Draw(t, "rating"))})
			}
			before := len(waiting)
			pairs := Pair(waiting, at)
			gone := map[int]bool{}
			for _, p := range pairs {
				gone[p[0]], gone[p[1]] = true, true
			}
			var left []Seeker
			for i, s := range waiting {
				if !gone[i] {
					left = append(left, s)
				}
			}
			waiting = left
			for _, s := range waiting {
				if before > 1 && at-s.Since >= 20_000+Every && before-len(waiting) < before-1 {
					t.Fatalf("%+v waits at %d with %d others", s, at, len(waiting)-1)
				}
				if at-s.Since > 20_000+Every && before > 1 {
					t.Fatalf("%+v was left over twice at %d", s, at)
				}
			}
		}
	})
}

// Two who have just played meet again only where there is nobody else.
func TestLastOpponent(t *testing.T) {
	a, b := Seeker{ID: "a", Rating: 1500, Since: now, Last: "b"}, Seeker{ID: "b", Rating: 1500, Since: now, Last: "a"}
	c, d := Seeker{ID: "c", Rating: 1540, Since: now}, Seeker{ID: "d", Rating: 1545, Since: now}
	if got := Pair([]Seeker{a, b}, now); len(got) != 1 {
		t.Errorf("alone in the room: %v", got)
	}
	if got := Pair([]Seeker{a, b, c}, now); len(got) != 1 || got[0] == [2]int{0, 1} {
		t.Errorf("with a third one: %v", got)
	}
	far := Seeker{ID: "f", Rating: 2500, Since: now}
	for waited, want := range map[int64]int{0: 0, 19_999: 0, 20_000: 1} {
		a.Since = now - waited
		if got := Pair([]Seeker{a, b, far}, now); len(got) != want {
			t.Errorf("somebody out of reach waits as well, after %d ms: %v", waited, got)
		}
	}
	a.Since = now
	if got := Pair([]Seeker{a, b, {ID: "f", Rating: 1500, Max: 1400, Since: now}}, now); len(got) != 1 {
		t.Errorf("somebody waits who can never play them: %v", got)
	}
	if got := Pair([]Seeker{a, b, c, d}, now); len(got) != 2 || worthOf([]Seeker{a, b, c, d}, got).repeats != 0 {
		t.Errorf("with two others: %v", got)
	}
}

// Larger rooms beside the optimum of all sets of pairs, over many rooms: one in a hundred more is left over at most, nobody
// more who has waited long, no more repeats, and the ratings differ by 2 % more at most.
func TestLargerRooms(t *testing.T) {
	const rooms = 25
	dice := rand.New(rand.NewPCG(7, 7))
	var got, want worth
	for range rooms {
		waiting := make([]Seeker, Exact+2)
		for i := range waiting {
			waiting[i] = Seeker{ID: fmt.Sprintf("P%d", i), Rating: 1500 + 300*dice.NormFloat64(), Since: now - dice.Int64N(30_000)}
			if i > 0 && dice.IntN(4) == 0 {
				waiting[i].Last = fmt.Sprintf("P%d", dice.IntN(i))
			}
			if dice.IntN(8) == 0 {
				waiting[i].Avoid = map[string]bool{fmt.Sprintf("P%d", dice.IntN(len(waiting))): true}
			}
		}
		add := func(sum *worth, w worth) {
			sum.overdue, sum.left, sum.repeats, sum.points = sum.overdue+w.overdue, sum.left+w.left, sum.repeats+w.repeats, sum.points+w.points
		}
		add(&got, worthOf(waiting, Pair(waiting, now)))
		add(&want, optimum(waiting))
	}
	if got.overdue != want.overdue || got.left > want.left+rooms*(Exact+2)/100 || got.repeats > want.repeats || got.points*100 > want.points*102 {
		t.Errorf("pairs worth %+v, the best are %+v", got, want)
	}
}

// How far one looks, at the ends of the steps.
func TestReach(t *testing.T) {
	for waited, want := range map[int64]float64{0: 50, 1000: 75, 10_000: 300, 19_999: 549.975, 20_000: math.Inf(1)} {
		if got := Reach(5, 5+waited); got != want {
			t.Errorf("after %d ms: %v, want %v", waited, got, want)
		}
	}
	two := []Seeker{{ID: "a", Rating: 1500, Since: 0}, {ID: "b", Rating: 1800, Since: 0}}
	for at, want := range map[int64]bool{9000: false, 9999: false, 10_000: true} {
		if got := len(Pair(two, at)) == 1; got != want {
			t.Errorf("300 points after %d ms: paired %v", at, got)
		}
	}
	if at, ok := Next(two, 9000); !ok || at != 10_000 {
		t.Errorf("the next pass at %d, %v", at, ok)
	}
	if _, ok := Next(two, 20_000); ok {
		t.Error("nothing widens any more")
	}
	if _, ok := Next(two[:1], 0); ok {
		t.Error("one alone")
	}
}

// BenchmarkPass is a pass over 2,000 people who wait, with last opponents and blocks.
func BenchmarkPass(b *testing.B) {
	for name, since := range map[string]int64{"just come": 0, "for long": 30_000} {
		b.Run(name, func(b *testing.B) {
			dice := rand.New(rand.NewPCG(1, 2))
			waiting := make([]Seeker, 2000)
			for i := range waiting {
				waiting[i] = Seeker{ID: fmt.Sprintf("P%015d", i), Rating: 1500 + 300*dice.NormFloat64(), Since: now - since,
					Last: fmt.Sprintf("P%015d", dice.IntN(2000)), Avoid: map[string]bool{fmt.Sprintf("P%015d", dice.IntN(2000)): true}}
			}
			b.ReportAllocs()
			for b.Loop() {
				if pairs := Pair(waiting, now); len(pairs) < 900 {
					b.Fatalf("%d pairs", len(pairs))
				}
			}
		})
	}
}
