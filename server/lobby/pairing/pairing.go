// Package pairing says who of those who wait in a pool plays whom. It is pure: the time is an argument, and the same people
// give the same pairs in whatever order they are listed.
//
// Nobody meets the opponent of his last game again while somebody else waits whom one of the two could meet, now or later;
// but who has waited for Anybody does.
//
// What comes first, in this order: that those are paired who have waited for Anybody; that many are; that the fewest meet
// their last opponent again; that the ratings are near to each other, and somebody who has waited goes before one who has
// just come. With Exact people at most this holds to the letter. With more the pairs are
// sought along the line of ratings, where the best partner of nearly everybody is a neighbour.
package pairing

import (
	"cmp"
	"math"
	"slices"
)

// How far a seeker looks: up to Near points of rating at once, Widen points more with each second, and from Anybody on to
// whoever takes him. It is enough that one of the two looks as far as the other is. Times are ms.
const (
	Near    = 50
	Widen   = 25
	Anybody = 20_000
	// Every is the time between two passes over a pool in which somebody still widens.
	Every = 1000
)

// Seeker is somebody who waits.
type Seeker struct {
	ID     string
	Rating float64
	Min    float64         // the least rating of an opponent that he takes; 0 for any
	Max    float64         // the highest; 0 for any
	Since  int64           // when he began to wait, ms
	Any    bool            // looks as far as his range goes from the beginning
	Bot    bool            // bots play only bots here
	Last   string          // the opponent of his last game
	Avoid  map[string]bool // whom he does not want to meet, or who does not want to meet him
}

// Reach is how far somebody looks at a time who has waited since another, in points of rating.
func Reach(since, now int64) float64 {
	waited := now - since
	if waited >= Anybody {
		return math.Inf(1)
	}
	return Near + Widen*float64(max(waited, 0))/1000
}

func (s *Seeker) reach(now int64) float64 {
	if s.Any {
		return math.Inf(1)
	}
	return Reach(s.Since, now)
}

// Takes tells whether s would play somebody of this rating at all.
func (s *Seeker) takes(rating float64) bool {
	return rating >= s.Min && (s.Max == 0 || rating <= s.Max)
}

// possible tells whether two can be paired, sooner or later.
func possible(a, b *Seeker) bool {
	return a.ID != b.ID && a.Bot == b.Bot && !a.Avoid[b.ID] && !b.Avoid[a.ID] && a.takes(b.Rating) && b.takes(a.Rating)
}

// repeat tells whether one of two has played his last game against the other.
func repeat(a, b *Seeker) bool { return a.Last == b.ID || b.Last == a.ID }

// Next is when a pass can find pairs that one at this time did not, if nobody comes or goes; ok is false for never.
func Next(waiting []Seeker, now int64) (at int64, ok bool) {
	if len(waiting) < 2 {
		return 0, false
	}
	for i := range waiting {
		if now-waiting[i].Since < Anybody {
			return now + Every, true
		}
	}
	return 0, false
}

// Exact is the most people among whom the best pairs of all are sought.
const Exact = 10

// Pair chooses pairs of people who wait, as indices. Nobody is in two of them, and no two of those who are left over could
// have been paired (of very many, no two that are near to each other by rating).
func Pair(waiting []Seeker, now int64) [][2]int {
	var pairs [][2]int
	for _, bots := range [2]bool{false, true} {
		r := room{now: now}
		var index []int
		for i := range waiting {
			if waiting[i].Bot == bots {
				index = append(index, i)
			}
		}
		slices.SortFunc(index, func(i, j int) int {
			return cmp.Or(cmp.Compare(waiting[i].Rating, waiting[j].Rating), cmp.Compare(waiting[i].ID, waiting[j].ID))
		})
		for _, i := range index {
			r.people = append(r.people, &waiting[i])
		}
		for _, p := range r.pair() {
			pairs = append(pairs, [2]int{index[p[0]], index[p[1]]})
		}
	}
	return pairs
}

// Costs are compared as sums: each is more than all of the next kind together can be.
const (
	overdue  = int64(1) << 50 // somebody who has waited for Anybody is left over
	leftOver = int64(1) << 37 // anybody else is
	repeated = int64(1) << 25
	never    = int64(math.MaxInt64)
	// mostInLine and mostApart, the difference of two ratings that counts, keep the sums as far apart as the kinds are.
	mostInLine = 4000
	mostApart  = 4000
	// perPoint is how much waiting, in ms, weighs as much as a point of rating.
	perPoint = 100
)

// room is people in the order of their ratings.
type room struct {
	people []*Seeker
	now    int64
}

// together is the cost of a pair, never where it may not be.
func (r *room) together(i, j int) int64 {
	a, b := r.people[i], r.people[j]
	if math.Abs(a.Rating-b.Rating) > max(a.reach(r.now), b.reach(r.now)) || !possible(a, b) {
		return never
	}
	cost := int64(min(math.Abs(a.Rating-b.Rating), mostApart))
	if !repeat(a, b) {
		return cost
	}
	if r.now-min(a.Since, b.Since) < Anybody && r.others(a, b) {
		return never
	}
	return cost + repeated
}

// others tells whether somebody waits whom one of two could meet instead of each other.
func (r *room) others(a, b *Seeker) bool {
	for _, c := range r.people {
		for _, one := range [2]*Seeker{a, b} {
			if c != a && c != b && possible(one, c) && !repeat(one, c) {
				return true
			}
		}
	}
	return false
}

// alone is the cost of leaving somebody over.
func (r *room) alone(i int) int64 {
	waited := max(r.now-r.people[i].Since, 0)
	cost := leftOver + min(waited, Anybody)/perPoint
	if waited >= Anybody {
		cost += overdue
	}
	return cost
}

func (r *room) pair() [][2]int {
	if len(r.people) <= Exact {
		return r.best()
	}
	left := make([]int, len(r.people))
	for i := range left {
		left[i] = i
	}
	var pairs [][2]int
	for {
		var rest []int
		before := len(pairs)
		for line := range slices.Chunk(left, mostInLine) {
			found, over := r.along(line)
			pairs, rest = append(pairs, found...), append(rest, over...)
		}
		left = rest
		if len(pairs) == before {
			break
		}
	}
	found, left := r.rest(left)
	pairs, left = r.widen(append(pairs, found...), left)
	r.avoidRepeats(pairs, left)
	found, _ = r.rest(left)
	return append(pairs, found...)
}

// best tries all sets of pairs.
func (r *room) best() [][2]int {
	n := len(r.people)
	costs := make([]int64, 1<<n) // of the people of a set, at best
	choice := make([]int, 1<<n)  // the partner of the first of them, or himself
	for set := 1; set < 1<<n; set++ {
		first := 0
		for set&(1<<first) == 0 {
			first++
		}
		rest := set &^ (1 << first)
		costs[set], choice[set] = r.alone(first)+costs[rest], first
		for j := first + 1; j < n; j++ {
			if rest&(1<<j) == 0 {
				continue
			}
			if cost := r.together(first, j); cost != never && cost+costs[rest&^(1<<j)] < costs[set] {
				costs[set], choice[set] = cost+costs[rest&^(1<<j)], j
			}
		}
	}
	var pairs [][2]int
	for set := 1<<n - 1; set != 0; {
		first := 0
		for set&(1<<first) == 0 {
			first++
		}
		partner := choice[set]
		set &^= 1<<first | 1<<partner
		if partner != first {
			pairs = append(pairs, [2]int{first, partner})
		}
	}
	return pairs
}

// shapes are the ways in which one to four neighbours are paired, the last of them included; who is in no pair is left over.
var shapes = []struct {
	size  int
	pairs [][2]int
}{
	{1, nil}, {2, [][2]int{{0, 1}}}, {3, [][2]int{{0, 2}}},
	{4, [][2]int{{0, 2}, {1, 3}}}, {4, [][2]int{{0, 3}, {1, 2}}}, {4, [][2]int{{0, 3}}},
}

// along pairs people with neighbours in the line: the best of all ways to cut it into shapes.
func (r *room) along(line []int) (pairs [][2]int, left []int) {
	n := len(line)
	costs, choice := make([]int64, n+1), make([]int, n+1)
	for end := 1; end <= n; end++ {
		costs[end] = never
		for s := range shapes {
			begin := end - shapes[s].size
			if begin < 0 {
				continue
			}
			if cost := r.shape(line[begin:end], shapes[s].pairs); cost != never && cost+costs[begin] < costs[end] {
				costs[end], choice[end] = cost+costs[begin], s
			}
		}
	}
	for end := n; end > 0; {
		s := shapes[choice[end]]
		begin := end - s.size
		paired := [4]bool{}
		for _, p := range s.pairs {
			pairs = append(pairs, [2]int{line[begin+p[0]], line[begin+p[1]]})
			paired[p[0]], paired[p[1]] = true, true
		}
		for i := s.size - 1; i >= 0; i-- {
			if !paired[i] {
				left = append(left, line[begin+i])
			}
		}
		end = begin
	}
	slices.Reverse(left)
	return pairs, left
}

func (r *room) shape(some []int, pairs [][2]int) (cost int64) {
	paired := [4]bool{}
	for _, p := range pairs {
		one := r.together(some[p[0]], some[p[1]])
		if one == never {
			return never
		}
		cost += one
		paired[p[0]], paired[p[1]] = true, true
	}
	for i := range some {
		if !paired[i] {
			cost += r.alone(some[i])
		}
	}
	return cost
}

// nearby is how many others, on each side by rating, each of those who are left over is held against.
const nearby = 250

// rest pairs those who are left over one by one, who has waited longest first: between two of them stand people whom they
// may not meet.
func (r *room) rest(line []int) (pairs [][2]int, left []int) {
	order := make([]int, len(line)) // places in the line
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Compare(r.people[line[i]].Since, r.people[line[j]].Since)
	})
	taken := make([]bool, len(line))
	for _, i := range order {
		if taken[i] {
			continue
		}
		best, cost := -1, never
		for j := max(0, i-nearby); j < min(len(line), i+nearby+1); j++ {
			if j == i || taken[j] {
				continue
			}
			if one := r.together(line[i], line[j]); one < cost {
				best, cost = j, one
			}
		}
		if best >= 0 {
			taken[i], taken[best] = true, true
			pairs = append(pairs, [2]int{line[i], line[best]})
		}
	}
	for i := range line {
		if !taken[i] {
			left = append(left, line[i])
		}
	}
	return pairs, left
}

// mostParted bounds those who are left over for whom pairs are parted.
const mostParted = 50

// widen parts pairs whose people can both be paired with somebody who is left over: two pairs come of it.
func (r *room) widen(pairs [][2]int, left []int) ([][2]int, []int) {
	for i := 0; i < len(pairs) && len(left) > 1; i++ {
		p := pairs[i]
		best, cost := [2]int{}, never
		some := left[:min(len(left), mostParted)]
		for j, x := range some {
			one := r.together(p[0], x)
			if one == never {
				continue
			}
			for k, y := range some {
				if other := r.together(p[1], y); j != k && other != never && one+other < cost {
					best, cost = [2]int{j, k}, one+other
				}
			}
		}
		if cost != never {
			pairs[i] = [2]int{p[0], left[best[0]]}
			pairs = append(pairs, [2]int{p[1], left[best[1]]})
			left = slices.Delete(slices.Delete(left, max(best[0], best[1]), max(best[0], best[1])+1), min(best[0], best[1]), min(best[0], best[1])+1)
		}
	}
	return pairs, left
}

// avoidRepeats exchanges partners of pairs that repeat a game, with another pair or with somebody who is left over, where
// no repeat comes of it.
func (r *room) avoidRepeats(pairs [][2]int, left []int) {
	for i := range pairs {
		a, b := pairs[i][0], pairs[i][1]
		if !repeat(r.people[a], r.people[b]) {
			continue
		}
		if !r.exchange(pairs, i) {
			r.replace(pairs, i, left)
		}
	}
}

// exchange finds the pair with which pair i best exchanges partners.
func (r *room) exchange(pairs [][2]int, i int) bool {
	a, b := pairs[i][0], pairs[i][1]
	best, first, second := -1, [2]int{}, [2]int{}
	least := repeated // whatever repeats costs more
	for j := range pairs {
		if j == i {
			continue
		}
		for _, p := range [2][2]int{pairs[j], {pairs[j][1], pairs[j][0]}} {
			one, other := r.together(a, p[0]), r.together(b, p[1])
			if one < least && other < least && one+other < least {
				best, least = j, one+other
				first, second = [2]int{a, p[0]}, [2]int{b, p[1]}
			}
		}
	}
	if best >= 0 {
		pairs[i], pairs[best] = first, second
	}
	return best >= 0
}

// replace gives one of pair i somebody who is left over, and leaves the other one, who has waited less, for the next pass.
func (r *room) replace(pairs [][2]int, i int, left []int) {
	a, b := pairs[i][0], pairs[i][1]
	if r.alone(a) < r.alone(b) {
		a, b = b, a
	}
	for _, p := range [2][2]int{{a, b}, {b, a}} {
		for k, other := range left {
			stays, goes := p[0], p[1]
			if r.together(stays, other) < repeated && r.alone(goes) < overdue+r.alone(other) {
				pairs[i], left[k] = [2]int{stays, other}, goes
				return
			}
		}
	}
}
