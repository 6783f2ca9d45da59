package arena

import (
	"cmp"
	"math/bits"
	"slices"
)

// candidate is somebody who waits for a game.
type candidate struct {
	id     string
	score  int // half points
	rating int
	since  int64  // civil ms from which he could have been paired
	out    int    // how often he was left over while others were paired
	last   string // his last opponent
	colors string
}

// pairRules are what the pairing needs of an event's settings.
type pairRules struct {
	repeatWait int64 // ms both wait before they meet again at once
	colorWait  int64 // ms both wait before a bound on colours gives way
	match      bool  // two games with colours reversed: the bounds on colours always hold
}

// couple is a pairing. The flags say what gave way.
type couple struct {
	white, black  string
	repeat, color bool
}

// Weights of what is wrong with a pairing, most important first: a player left over, a bound that gave way, who is left
// over, the distance in score and rating. Each is more than all below it together in a window of the search.
const (
	leftOver  = int64(1) << 58
	gaveWay   = int64(1) << 54
	turnAway  = int64(1) << 46 // for each time somebody was left over before, beyond the one with the fewest
	mostTurns = 1<<4 - 1
	second    = int64(1) << 35 // for each second he waited
	longest   = 1<<10 - 1
	farthest  = int64(1) << 31 // the most a pair's distance costs
)

// A room of at most window players is matched exactly; a larger one so many at a time as pane says.
const (
	window = 12
	pane   = 10
)

// room is the pairing of one pass.
type room struct {
	rules pairRules
	at    int64
	toss  int // of the first pair
	all   []candidate
	turns int // the fewest times that somebody in the room was left over

	best   [1 << window]int64 // of exact
	choice [1 << window]int8
}

// pair makes the pairs of one pass at civil time at. Players are ordered by score, then rating, and meet their neighbours.
// Nobody is paired with himself or twice. An immediate repeat, or a colour beyond the bounds, comes only after both have
// waited as the rules say and where without it fewer would play.
func pair(waiting []candidate, rules pairRules, at int64, toss int) []couple {
	if len(waiting) < 2 {
		return nil
	}
	r := room{rules: rules, at: at, toss: toss, all: slices.Clone(waiting)}
	r.turns = slices.MinFunc(waiting, func(a, b candidate) int { return a.out - b.out }).out
	slices.SortFunc(r.all, func(a, b candidate) int {
		return cmp.Or(b.score-a.score, b.rating-a.rating, cmp.Compare(a.since, b.since), cmp.Compare(a.id, b.id))
	})
	var pairs [][2]int
	for _, p := range r.match() {
		pairs = append(pairs, [2]int{min(p[0], p[1]), max(p[0], p[1])})
	}
	slices.SortFunc(pairs, func(a, b [2]int) int { return a[0] - b[0] })
	couples := make([]couple, 0, len(pairs))
	for i, p := range pairs {
		couples = append(couples, r.couple(p[0], p[1], toss+i))
	}
	return couples
}

func (r *room) couple(i, j, serial int) couple {
	ahead, other := &r.all[i], &r.all[j]
	white, fit := firstWhite(ahead.colors, other.colors, serial%2 == 0)
	c := couple{white: ahead.id, black: other.id, repeat: again(ahead, other), color: !fit && !r.rules.match}
	if !white {
		c.white, c.black = c.black, c.white
	}
	return c
}

func again(a, b *candidate) bool { return a.last == b.id || b.last == a.id }

// cost of a pair; ok is false where they may not meet, or not yet.
func (r *room) cost(i, j int) (c int64, ok bool) {
	a, b := &r.all[i], &r.all[j]
	waited := r.at - max(a.since, b.since)
	if again(a, b) {
		if waited < r.rules.repeatWait {
			return 0, false
		}
		c += gaveWay
	}
	if !r.rules.match {
		if _, fit := firstWhite(a.colors, b.colors, true); !fit {
			if waited < r.rules.colorWait {
				return 0, false
			}
			c += gaveWay
		}
	}
	return c + distance(a, b), true
}

// distance grows with the square of what lies between two players, so that two middling distances are better than a small
// and a large one. A half point outweighs any difference in rating.
func distance(a, b *candidate) int64 {
	const halfPoint = 400
	d := int64(abs(a.score-b.score))*halfPoint + int64(min(abs(a.rating-b.rating), halfPoint-1))
	return min(d*d, farthest)
}

func abs(n int) int { return max(n, -n) }

// leave is the cost of leaving somebody over: it comes to those who were not, and among them to who came last.
func (r *room) leave(i int) int64 {
	waited := min(max(0, r.at-r.all[i].since)/1000, longest)
	return leftOver + turnAway*int64(min(r.all[i].out-r.turns, mostTurns)) + second*waited
}

// match gives pairs of indices into the ordered room.
func (r *room) match() [][2]int {
	everybody := make([]int, len(r.all))
	for i := range everybody {
		everybody[i] = i
	}
	if len(everybody) <= window {
		pairs, _ := r.exact(everybody)
		return pairs
	}
	var odd []int
	if len(everybody)%2 == 1 {
		i := r.oddOne()
		odd, everybody = []int{i}, slices.Delete(everybody, i, i+1)
	}
	pairs, over := r.sweep(everybody)
	pairs = r.rescue(pairs, append(over, odd...))
	for _, from := range [3]int{pane / 4, 0, pane / 4} {
		pairs = r.improve(pairs, from)
	}
	return pairs
}

// oddOne is whom it costs least to leave over; of equals the last.
func (r *room) oddOne() int {
	odd := 0
	for i := range r.all {
		if r.leave(i) <= r.leave(odd) {
			odd = i
		}
	}
	return odd
}

// sweep matches window by window; who is left over comes into the next one.
func (r *room) sweep(order []int) (pairs [][2]int, over []int) {
	for len(order) > 0 || len(over) > 0 {
		if len(order) == 0 {
			return pairs, over
		}
		take := min(pane-min(len(over), pane/2), len(order))
		carried := over[max(0, len(over)-pane/2):]
		group := append(slices.Clone(carried), order[:take]...)
		kept := slices.Clone(over[:len(over)-len(carried)])
		order = order[take:]
		some, left := r.exact(group)
		pairs, over = append(pairs, some...), append(kept, left...)
	}
	return pairs, over
}

// improve matches neighbouring pairs anew, from the pair of this index on.
func (r *room) improve(pairs [][2]int, from int) [][2]int {
	slices.SortFunc(pairs, func(a, b [2]int) int { return (a[0] + a[1]) - (b[0] + b[1]) })
	better := slices.Clone(pairs[:min(from, len(pairs))])
	for pairs = pairs[len(better):]; len(pairs) > 0; {
		take := min(pane/2, len(pairs))
		var group []int
		for _, p := range pairs[:take] {
			group = append(group, p[0], p[1])
		}
		some, _ := r.exact(group)
		better, pairs = append(better, some...), pairs[take:]
	}
	return better
}

// rescue takes the ones left over into small groups of pairs, where two that may not meet both find somebody, or one who
// waited long takes the place of one who did not.
func (r *room) rescue(pairs [][2]int, over []int) [][2]int {
	for len(over) > 0 {
		few := min(2, len(over))
		group := slices.Clone(over[:few])
		tried := over[few:]
		near := slices.Clone(pairs)
		slices.SortStableFunc(near, func(a, b [2]int) int {
			return cmp.Compare(r.interest(a, group), r.interest(b, group))
		})
		take := min((pane-few)/2, len(near))
		for _, p := range near[:take] {
			group = append(group, p[0], p[1])
		}
		some, _ := r.exact(group)
		pairs = append(near[take:], some...)
		over = tried
	}
	return pairs
}

// interest orders pairs by how much they could help those left over: first whose players were left over least, then the
// nearest.
func (r *room) interest(p [2]int, over []int) int64 {
	turns := min(r.all[p[0]].out, r.all[p[1]].out)
	return int64(turns)<<32 + int64(min(abs(p[0]-over[0]), abs(p[1]-over[0])))
}

// exact matches a group of at most window players at the least cost.
func (r *room) exact(group []int) (pairs [][2]int, over []int) {
	n := len(group)
	slices.Sort(group)
	var cost [window][window]int64
	var may [window][window]bool
	var leave [window]int64
	for i := range n {
		leave[i] = r.leave(group[i])
		for j := i + 1; j < n; j++ {
			cost[i][j], may[i][j] = r.cost(group[i], group[j])
		}
	}
	// best[set] is the least cost of the players in the set; choice is the partner of its first, or he himself
	best, choice := &r.best, &r.choice
	for set := 1; set < 1<<n; set++ {
		i := bits.TrailingZeros(uint(set))
		rest := set &^ (1 << i)
		least, with := best[rest]+leave[i], int8(i)
		for others := rest; others != 0; others &= others - 1 {
			j := bits.TrailingZeros(uint(others))
			if !may[i][j] {
				continue
			}
			if c := best[rest&^(1<<j)] + cost[i][j]; c < least {
				least, with = c, int8(j)
			}
		}
		best[set], choice[set] = least, with
	}
	for set := 1<<n - 1; set != 0; {
		i, j := bits.TrailingZeros(uint(set)), int(choice[set])
		set &^= 1<<i | 1<<j
		if i == j {
			over = append(over, group[i])
		} else {
			pairs = append(pairs, [2]int{group[i], group[j]})
		}
	}
	return pairs, over
}
