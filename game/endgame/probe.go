package endgame

import (
	"sync/atomic"

	"flagfall/game/board"
)

// Tables are those there are so far. The zero value has none; bare kings need
// none. One goroutine may add while others probe.
type Tables struct {
	all [64]atomic.Pointer[Table]
}

// Add puts a table in its place.
func (t *Tables) Add(table *Table) { t.all[table.number].Store(table) }

// table returns a table by its number, nil if it is not there.
func (t *Tables) table(n int) *Table {
	if t == nil {
		return nil
	}
	return t.all[n].Load()
}

// Has tells whether the table of a material, such as "KRKP", is there.
func (t *Tables) Has(name string) bool {
	n, err := number(name)
	return err == nil && t.table(n) != nil
}

// Complete tells whether every table is there, so that Probe knows every
// position that Covers names.
func (t *Tables) Complete() bool {
	for n := range materials {
		if t.table(n) == nil {
			return false
		}
	}
	return true
}

// Bytes is about what the tables take in memory.
func (t *Tables) Bytes() (n int) {
	for i := range materials {
		if table := t.table(i); table != nil {
			n += table.Bytes()
		}
	}
	return n
}

// Covers tells whether the tables, once they are all there, know the position:
// it has at most four men, kings included.
func Covers(b board.Board) bool { return b.Total(board.White)+b.Total(board.Black) <= 4 }

// Probe returns what the position is worth to the side on move; false if it
// has more than four men or a table that it needs is not there yet. Castling
// rights, en passant, kings en prise and pawns on the first or last rank are
// all taken as they are.
func (t *Tables) Probe(b board.Board) (WDL, bool) {
	if !Covers(b) {
		return Draw, false
	}
	return t.probe(b, 2)
}

// probe looks castling rights ahead for some plies. Two are enough: who still
// has them with a rook of his own and one man more wins without castling,
// and any other position loses them in two plies.
func (t *Tables) probe(b board.Board, castling int) (WDL, bool) {
	rights := castling > 0 && b.Castling() != "-"
	if rights || b.InCheck(b.Turn().Other()) || passes(b) {
		return t.probeMoves(b, castling-1)
	}
	x, p, onMove, ok := t.find(b)
	if !ok || x.table == nil {
		return Draw, ok
	}
	p, onMove = x.seat.seated(p, onMove)
	return x.table.onMove[onMove].at(materials[x.seat.number].index(p)), true
}

// probeMoves judges by the legal moves.
func (t *Tables) probeMoves(b board.Board, castling int) (WDL, bool) {
	moves := b.AppendLegal(make([]board.Move, 0, 64))
	if len(moves) == 0 {
		if b.InCheck(b.Turn()) {
			return Loss, true
		}
		return Draw, true
	}
	best := Loss
	for _, m := range moves {
		w, ok := t.probe(b.Displace(m), castling)
		if !ok {
			return Draw, false
		}
		best = max(best, -w)
	}
	return best, true
}

// passes tells whether the side on move can take en passant.
func passes(b board.Board) bool {
	ep := b.EnPassant()
	return ep < board.NoSquare && b.Count(board.White, board.Pawn) > 0 && b.Count(board.Black, board.Pawn) > 0 &&
		b.Key() != b.Seen()
}

// find returns the table for the men on the board and how they stand, White
// moving up; no table for bare kings, false if it is not there yet.
func (t *Tables) find(b board.Board) (x exit, p place, onMove side, ok bool) {
	var codes [2]int
	n := 0
	for square, piece := range b.Men() {
		if piece.Kind() == board.King {
			p.king[piece.Color()] = uint8(square)
			continue
		}
		codes[n] = code(man{side(piece.Color()), piece.Kind()})
		p.man[n] = uint8(square)
		n++
	}
	onMove = side(b.Turn())
	if n == 0 {
		return x, p, onMove, true
	}
	x.seat = seats[codes[0]][codes[1]]
	x.table = t.table(x.seat.number)
	return x, p, onMove, x.table != nil
}

// Depth returns in how many plies the side on move mates or is mated; false
// for a draw and where no table with depths knows the position as it stands
// (castling, en passant and kings en prise are not looked at).
func (t *Tables) Depth(b board.Board) (plies int, ok bool) {
	if !Covers(b) {
		return 0, false
	}
	x, p, onMove, ok := t.find(b)
	if !ok || x.table == nil || x.table.depth[0] == nil || b.InCheck(b.Turn().Other()) {
		return 0, false
	}
	p, onMove = x.seat.seated(p, onMove)
	v := x.table.depth[onMove][materials[x.seat.number].index(p)]
	return int(v - known), v >= known
}
