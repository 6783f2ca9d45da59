package endgame

import (
	"slices"

	"flagfall/game/board"
)

// A seriesSearch looks for a series of legal moves, made by both sides
// together, that ends with side giving mate. It goes through the positions
// that can arise, the most promising ones first and each once; when none is
// left, there is no mate.
type seriesSearch struct {
	guide
	thorough bool // looks at the reach of the men when pawns have become blocked
	looks    int  // how often it still may
	found    []arrival
	seen     map[board.Key]struct{}
	kin      map[structure]int // a family for each structure
	sizes    []int             // positions found, by family
	queue    queue
}

// arrival is a position and how it came about.
type arrival struct {
	b      board.Board
	by     board.Move
	from   int // in found, -1 for the first
	family int
}

// structure is what no move that can be taken back changes: the pawns and how
// many men there are. Positions of one structure are a family. A large family
// without a mate has to wait for others, or a side that shuffles pieces behind
// a wall would never give one up to open it.
type structure struct {
	pawns [2]area
	men   [2]int
}

func structureOf(b *board.Board) structure {
	return structure{
		pawns: [2]area{pawnsOf(b, board.White), pawnsOf(b, board.Black)},
		men:   [2]int{b.Total(board.White), b.Total(board.Black)},
	}
}

// A family beyond familyRoom positions waits one step of rank longer for each
// familyStep more.
const (
	familyRoom = 2000
	familyStep = 100
)

// mostLooks bounds the positions of one search in which the reach of the men
// is worked out.
const mostLooks = 200

func newSeriesSearch(b *board.Board, side board.Color) *seriesSearch {
	s := &seriesSearch{guide: guide{side}, looks: mostLooks, seen: make(map[board.Key]struct{}, 512)}
	s.kin = map[structure]int{}
	s.seen[b.Key()] = struct{}{}
	s.add(arrival{b: *b, from: -1, family: s.familyOf(b)})
	return s
}

func (s *seriesSearch) familyOf(b *board.Board) int {
	key := structureOf(b)
	n, known := s.kin[key]
	if !known {
		n = len(s.sizes)
		s.kin[key] = n
		s.sizes = append(s.sizes, 0)
	}
	return n
}

func (s *seriesSearch) add(a arrival) {
	if a.b.Halfmove() == 0 {
		a.family = s.familyOf(&a.b)
	}
	s.queue.push(s.distance(&a.b)+max(0, s.sizes[a.family]-familyRoom)/familyStep, len(s.found))
	s.sizes[a.family]++
	s.found = append(s.found, a)
}

// search goes on until it is sure or has looked at so many positions more. The
// last position found is the mate if there is one.
func (s *seriesSearch) search(nodes int) Possible {
	var moves [256]board.Move
	for {
		n, ok := s.queue.pop()
		if !ok {
			return MateImpossible
		}
		b, family := s.found[n].b, s.found[n].family
		list := b.AppendLegal(moves[:0])
		if nodes -= len(list); nodes < 0 {
			s.queue.push(0, n)
			return MateUnknown
		}
		for _, m := range list {
			next := arrival{b: b.Displace(m), by: m, from: n, family: family}
			if next.b.InCheck(next.b.Turn()) && !next.b.AnyLegal() {
				if mated(&next.b, s.side) {
					s.found = append(s.found, next)
					return MatePossible
				}
				continue
			}
			if s.worth(&next.b) {
				s.add(next)
			}
		}
	}
}

// worth tells whether a position is new and a mate may come of it.
func (s *seriesSearch) worth(b *board.Board) bool {
	irreversible := b.Halfmove() == 0
	if irreversible && hopeless(b, s.side) {
		return false
	}
	key := b.Key()
	if _, known := s.seen[key]; known {
		return false
	}
	s.seen[key] = struct{}{}
	if irreversible && s.thorough && s.looks > 0 && pawnsBlocked(b) {
		s.looks--
		return !confined(b, s.side)
	}
	return true
}

// line returns the moves to the last position found.
func (s *seriesSearch) line() (line []board.Move) {
	for n := len(s.found) - 1; s.found[n].from >= 0; n = s.found[n].from {
		line = append(line, s.found[n].by)
	}
	slices.Reverse(line)
	return line
}

// A queue gives back the numbers with the lowest rank first, among equals the
// latest.
type queue struct {
	ranks [256][]int
	low   int
}

func (q *queue) push(rank, n int) {
	rank = min(rank, len(q.ranks)-1)
	q.ranks[rank] = append(q.ranks[rank], n)
	q.low = min(q.low, rank)
}

func (q *queue) pop() (n int, ok bool) {
	for ; q.low < len(q.ranks); q.low++ {
		if r := &q.ranks[q.low]; len(*r) > 0 {
			n = (*r)[len(*r)-1]
			*r = (*r)[:len(*r)-1]
			return n, true
		}
	}
	return 0, false
}
