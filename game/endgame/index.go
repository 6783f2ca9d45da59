package endgame

// The index of a position. The strong side is turned to move up the board as
// White does (ranks and owners change where it is Black). Then the board is
// mirrored so that the strong king stands on files a to d and, without pawns,
// on ranks 1 to 4. The index is
//
//	(pair of kings * 64 + first man) * 64 + second man
//
// where the pairs of kings that are not adjacent are numbered: 1,806 with
// pawns, 903 without. There is one such table for each side on move. Nothing
// else is folded: equal men have an order each, mirrors in the diagonal are
// two positions, and pawns may stand on all 64 squares, since an illegal move
// that stands can put one on the first rank or the last.

// kings numbers the pairs of kings.
type kings struct {
	pairs [][2]uint8    // strong and weak king by number
	of    [64][64]int16 // number by squares, -1 for adjacent kings
	turn  [64]uint8     // what mirrors the strong king home: squares ^ turn
}

var (
	pieceKings = newKings(0o77)
	pawnKings  = newKings(0o07)
)

// newKings numbers pairs with the mirrors allowed: of files, or files and ranks.
func newKings(mirrors uint8) (k kings) {
	for s := range uint8(64) {
		if s&7 > 3 {
			k.turn[s] |= 0o07
		}
		if s>>3 > 3 {
			k.turn[s] |= 0o70
		}
		k.turn[s] &= mirrors
	}
	for a := range uint8(64) {
		for b := range uint8(64) {
			k.of[a][b] = -1
			if k.turn[a] == 0 && a != b && kingTo[a]&bit(b) == 0 {
				k.of[a][b] = int16(len(k.pairs))
				k.pairs = append(k.pairs, [2]uint8{a, b})
			}
		}
	}
	for a := range uint8(64) {
		for b := range uint8(64) {
			k.of[a][b] = k.of[a^k.turn[a]][b^k.turn[a]]
		}
	}
	return k
}

// place is where the kings and the men stand, the strong side moving up.
type place struct {
	king [2]uint8
	man  [2]uint8
}

// index returns the number of a place, or -1 for adjacent kings.
func (m *material) index(p place) int {
	pair := m.kings.of[p.king[strong]][p.king[weak]]
	if pair < 0 {
		return -1
	}
	turn := m.kings.turn[p.king[strong]]
	n := int(pair)<<6 | int(p.man[0]^turn)
	if len(m.men) == 2 {
		n = n<<6 | int(p.man[1]^turn)
	}
	return n
}

// place returns what a number stands for.
func (m *material) place(n int) (p place) {
	if len(m.men) == 2 {
		p.man[1] = uint8(n & 63)
		n >>= 6
	}
	p.man[0] = uint8(n & 63)
	p.king = m.kings.pairs[n>>6]
	return p
}

// replaced returns the number of a place after man i went to a square.
func (m *material) replaced(n, i int, to uint8) int {
	at := 6 * (len(m.men) - 1 - i)
	return n&^(63<<at) | int(to)<<at
}

// seated returns a place of some men as the place of their material, and the
// side on move seen from there.
func (s *seat) seated(p place, onMove side) (place, side) {
	if s.swap {
		p.king[0], p.king[1] = p.king[1]^56, p.king[0]^56
		p.man[0] ^= 56
		p.man[1] ^= 56
		onMove ^= 1
	}
	p.man = [2]uint8{p.man[s.order[0]], p.man[s.order[1]]}
	return p, onMove
}
