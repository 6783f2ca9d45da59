package endgame

import "flagfall/game/board"

// A seriesSearch looks for a series of legal moves, made by both sides
// together, that ends with side giving mate. It goes through the positions
// that can arise, the most promising ones first and each once; when none is
// left, there is no mate.
type seriesSearch struct {
	guide
	thorough bool // looks at what the men can reach after each irreversible move
	queue    queue
	seen     map[board.Key]struct{}
	looks    int // positions in which that is still looked at
}

// mostLooks bounds the positions of one search in which the reach of the men
// is worked out.
const mostLooks = 200

func newSeriesSearch(b *board.Board, side board.Color) *seriesSearch {
	h := &seriesSearch{guide: guide{side}, looks: mostLooks, seen: make(map[board.Key]struct{}, 512)}
	h.seen[b.Key()] = struct{}{}
	h.queue.push(0, *b)
	return h
}

// search goes on until it is sure or so many positions more were looked at.
func (h *seriesSearch) search(nodes int) Possible {
	var moves [256]board.Move
	for {
		b, ok := h.queue.pop()
		if !ok {
			return MateImpossible
		}
		list := b.AppendLegal(moves[:0])
		if nodes -= len(list); nodes < 0 {
			h.queue.push(h.distance(&b), b)
			return MateUnknown
		}
		for _, m := range list {
			if h.visit(b.Displace(m)) {
				return MatePossible
			}
		}
	}
}

// visit puts a position in the queue if a mate may come of it; it tells
// whether it is one.
func (h *seriesSearch) visit(next board.Board) bool {
	if next.InCheck(next.Turn()) && !next.AnyLegal() {
		return mated(&next, h.side)
	}
	if next.Halfmove() == 0 && hopeless(&next, h.side) {
		return false
	}
	key := next.Key()
	if _, known := h.seen[key]; known {
		return false
	}
	h.seen[key] = struct{}{}
	if h.thorough && next.Halfmove() == 0 && h.looks > 0 {
		h.looks--
		if confined(&next, h.side) {
			return false
		}
	}
	h.queue.push(h.distance(&next), next)
	return false
}

// A queue gives back the positions with the lowest rank first, among equals
// the latest.
type queue struct {
	ranks [256][]board.Board
	low   int
}

func (q *queue) push(rank int, b board.Board) {
	rank = min(rank, len(q.ranks)-1)
	q.ranks[rank] = append(q.ranks[rank], b)
	q.low = min(q.low, rank)
}

func (q *queue) pop() (b board.Board, ok bool) {
	for ; q.low < len(q.ranks); q.low++ {
		if r := &q.ranks[q.low]; len(*r) > 0 {
			last := (*r)[len(*r)-1]
			*r = (*r)[:len(*r)-1]
			return last, true
		}
	}
	return board.Board{}, false
}
