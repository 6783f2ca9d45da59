package endgame

import (
	"math/bits"

	"flagfall/game/board"
)

// area is a set of squares, bit n for square n.
type area uint64

func areaOf(s board.Square) area { return 1 << s }

func (a area) has(s board.Square) bool { return a>>s&1 != 0 }

func (a area) lowest() board.Square { return board.Square(bits.TrailingZeros64(uint64(a))) }

var (
	straightWays = [][2]int{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}
	diagonalWays = [][2]int{{1, 1}, {1, -1}, {-1, -1}, {-1, 1}}
	royalWays    = append(straightWays[:4:4], diagonalWays...)
	jumpWays     = [][2]int{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}
	besideKing   = singleSteps(royalWays)
	knightJumps  = singleSteps(jumpWays)
	pawnTakes    = [2][64]area{singleSteps([][2]int{{-1, 1}, {1, 1}}), singleSteps([][2]int{{-1, -1}, {1, -1}})}
)

func singleSteps(ways [][2]int) (all [64]area) {
	for s := range board.NoSquare {
		for _, way := range ways {
			if to, ok := neighbour(s, way); ok {
				all[s] |= areaOf(to)
			}
		}
	}
	return all
}

func neighbour(s board.Square, way [2]int) (board.Square, bool) {
	f, r := s.File()+way[0], s.Rank()+way[1]
	return board.Square(r*8 + f), f >= 0 && f < 8 && r >= 0 && r < 8
}

// sweep returns the squares from s along lines, to the first stop inclusive.
func sweep(s board.Square, ways [][2]int, stops area) (a area) {
	for _, way := range ways {
		for to, ok := neighbour(s, way); ok; to, ok = neighbour(to, way) {
			a |= areaOf(to)
			if stops.has(to) {
				break
			}
		}
	}
	return a
}

// touches returns what a piece on s attacks when only stops are in its way.
func touches(k board.Kind, s board.Square, stops area) area {
	switch k {
	case board.Knight:
		return knightJumps[s]
	case board.Bishop:
		return sweep(s, diagonalWays, stops)
	case board.Rook:
		return sweep(s, straightWays, stops)
	case board.Queen:
		return sweep(s, royalWays, stops)
	case board.King:
		return besideKing[s]
	}
	return 0
}

// A roamer is one of the men on the board and every square that it might stand
// on in any continuation.
type roamer struct {
	home  board.Square
	kind  board.Kind
	owner board.Color
	at    area // as what it is
	risen area // as what it may have been promoted to
	taken bool // may be taken where it stands

	left  [7]area // by what it moves as: squares it was already moved on from
	walls area    // the fixed men at that time
}

// fixed tells whether the man can neither leave its square nor be taken there.
func (r *roamer) fixed() bool { return r.at == areaOf(r.home) && r.risen == 0 && !r.taken }

// A domain is how far all men might get, more rather than less: whose turn it
// is, pins, checks and what the others do meanwhile are left out, and a man
// that may leave its square is in nobody's way. What is sure is only what holds
// it back: men that are fixed, and squares that fixed men keep a king from.
type domain struct {
	men    []roamer
	store  [32]roamer
	fixed  area    // squares of the fixed men
	sides  [2]area // squares where a side's men other than its king may stand
	passed [2]area // squares on which a side's pawns may be taken en passant
}

// newDomain spreads the men until nothing is added. It gives up, with false,
// when a pawn of rising may promote.
func newDomain(b *board.Board, rising board.Color) (*domain, bool) {
	d := new(domain)
	d.men = d.store[:0]
	for s, p := range b.Men() {
		d.men = append(d.men, roamer{home: s, kind: p.Kind(), owner: p.Color(), at: areaOf(s)})
	}
	d.passant(b)
	d.castle(b.Castling())
	for again := true; again; {
		d.sum()
		again = false
		for i := range d.men {
			grew := d.spread(&d.men[i])
			if d.men[i].owner == rising && d.men[i].risen != 0 {
				return nil, false
			}
			again = again || grew
		}
	}
	return d, true
}

// passant allows for the pawn that may be taken en passant at once: it need not
// be able to move any more.
func (d *domain) passant(b *board.Board) {
	over := b.EnPassant()
	if over >= board.NoSquare {
		return
	}
	pawn := over + 8
	if b.Turn() == board.White {
		pawn = over - 8
	}
	d.passed[b.Turn().Other()] = areaOf(over)
	for i := range d.men {
		m := &d.men[i]
		m.taken = m.home == pawn && pawnTakes[b.Turn().Other()][over]&pawnsOf(b, b.Turn()) != 0
	}
}

func pawnsOf(b *board.Board, c board.Color) (a area) {
	for s, p := range b.Men() {
		if p == board.NewPiece(c, board.Pawn) {
			a |= areaOf(s)
		}
	}
	return a
}

// castle lets kings and rooks that have the right stand where castling puts
// them.
func (d *domain) castle(rights string) {
	const e1, e8 = 4, 60
	for _, right := range []byte(rights) {
		home, step := board.Square(e1), 1
		if right == 'k' || right == 'q' {
			home = e8
		}
		corner := home + 3
		if right == 'Q' || right == 'q' {
			step, corner = -1, home-4
		}
		if right == '-' {
			return
		}
		for i := range d.men {
			switch m := &d.men[i]; m.home {
			case home:
				m.at |= areaOf(board.Square(int(home) + 2*step))
			case corner:
				m.at |= areaOf(board.Square(int(home) + step))
			}
		}
	}
}

// sum works out what the men's reach means for one another.
func (d *domain) sum() {
	d.fixed, d.sides = 0, [2]area{}
	for i := range d.men {
		m := &d.men[i]
		if m.fixed() {
			d.fixed |= areaOf(m.home)
		}
		if m.kind != board.King {
			d.sides[m.owner] |= m.at | m.risen
		}
	}
}

// spread adds the squares one move further and tells whether anything changed.
func (d *domain) spread(m *roamer) bool {
	at, risen, took := m.at, m.risen, false
	if m.walls != d.fixed {
		m.left, m.walls = [7]area{}, d.fixed
	}
	if m.kind == board.Pawn {
		took = d.spreadPawn(m)
		took = d.spreadPiece(m, board.Queen, &m.risen) || took
		took = d.spreadPiece(m, board.Knight, &m.risen) || took
	} else {
		took = d.spreadPiece(m, m.kind, &m.at)
	}
	return took || m.at != at || m.risen != risen
}

// spreadPiece moves a piece on from each of its squares; it tells whether it
// can take a fixed man.
func (d *domain) spreadPiece(m *roamer, k board.Kind, at *area) (took bool) {
	var to area
	for from := *at &^ m.left[k]; from != 0; from &= from - 1 {
		to |= touches(k, from.lowest(), d.fixed)
	}
	if k == board.King {
		// What keeps a king out may end without any man's leaving its square.
		to &^= d.guarded(m.owner.Other())
	} else {
		m.left[k] = *at
	}
	return d.enter(m, to&^*at, at)
}

// enter adds squares: free ones, and those of fixed men that are taken there.
func (d *domain) enter(m *roamer, to area, at *area) (took bool) {
	*at |= to &^ d.fixed
	for i := range d.men {
		if x := &d.men[i]; x.owner != m.owner && x.kind != board.King && x.fixed() && to.has(x.home) {
			x.taken, took = true, true
			*at |= areaOf(x.home)
		}
	}
	return took
}

// guarded returns the squares that the fixed men of a side attack for ever.
func (d *domain) guarded(by board.Color) (a area) {
	var ever area
	for i := range d.men {
		ever |= d.men[i].at | d.men[i].risen
	}
	for i := range d.men {
		m := &d.men[i]
		switch {
		case m.owner != by || !m.fixed():
		case m.kind == board.Pawn:
			a |= pawnTakes[by][m.home]
		default:
			a |= touches(m.kind, m.home, ever)
		}
	}
	return a
}

// spreadPawn moves a pawn on from each of its squares.
func (d *domain) spreadPawn(m *roamer) (took bool) {
	ahead, second, last := 8, 1, 7
	if m.owner == board.Black {
		ahead, second, last = -8, 6, 0
	}
	them := m.owner.Other()
	var steps, takes area
	for from := m.at; from != 0; from &= from - 1 {
		s := from.lowest()
		if s.Rank() == last {
			continue
		}
		takes |= pawnTakes[m.owner][s] & (d.sides[them] | d.passed[them])
		one := board.Square(int(s) + ahead)
		if d.fixed.has(one) {
			continue
		}
		steps |= areaOf(one)
		if two := board.Square(int(one) + ahead); s.Rank() == second && !d.fixed.has(two) {
			steps |= areaOf(two)
			if !d.passed[m.owner].has(one) {
				d.passed[m.owner] |= areaOf(one)
				took = true
			}
		}
	}
	var to area
	took = d.enter(m, (steps|takes)&^m.at, &to) || took
	end := area(0xff) << (8 * last)
	m.at |= to &^ end
	m.risen |= to & end
	return took
}
