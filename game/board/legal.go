package board

// A castle is one of the four castlings.
type castle struct {
	right        uint8
	king, to     Square // the king's squares
	rook, rookTo Square
	empty        set // between king and rook
	unattacked   set // from the king's square to its target
}

var castles = [4]castle{
	newCastle(rightK, White, 6), newCastle(rightQ, White, 2),
	newCastle(rightk, Black, 6), newCastle(rightq, Black, 2),
}

// newCastle describes the castling that takes the king to a file (2 or 6).
func newCastle(right uint8, c Color, file int) castle {
	r := c.homeRank()
	at := func(file int) Square { return squareAt(file, r) }
	k := castle{right: right, king: at(4), to: at(file)}
	if file == 6 {
		k.rook, k.rookTo = at(7), at(5)
		k.empty = at(5).bit() | at(6).bit()
		k.unattacked = at(4).bit() | k.empty
		return k
	}
	k.rook, k.rookTo = at(0), at(3)
	k.unattacked = at(4).bit() | at(3).bit() | at(2).bit()
	k.empty = at(1).bit() | at(2).bit() | at(3).bit()
	return k
}

// castlesOf returns the castlings of a colour.
func castlesOf(c Color) []castle { return castles[2*c : 2*c+2] }

// targets returns the squares the man on an occupied square can go to by the
// geometry of the rules; its own king's safety is not looked at.
func (b *Board) targets(s Square) set {
	c, occupied := b.owner(s), b.all()
	own := b.sides[c]
	switch b.kindAt(s.bit()) {
	case Pawn:
		return b.pawnTargets(s, c)
	case Knight:
		return knightSteps[s] &^ own
	case Bishop:
		return bishopHits(s, occupied) &^ own
	case Rook:
		return rookHits(s, occupied) &^ own
	case Queen:
		return (bishopHits(s, occupied) | rookHits(s, occupied)) &^ own
	case King:
		to := kingSteps[s] &^ own
		for i := range castlesOf(c) {
			k := &castlesOf(c)[i]
			if b.rights&k.right != 0 && s == k.king && occupied&k.empty == 0 {
				to |= k.to.bit()
			}
		}
		return to
	}
	return 0
}

func (b *Board) pawnTargets(s Square, c Color) set {
	takes := b.sides[c.Other()]
	if c == b.turn {
		takes |= b.ep.bit()
	}
	to := pawnHits[c][s] & takes
	if s.Rank() == c.lastRank() {
		return to
	}
	free := ^b.all()
	one := Square(int(s) + c.forward())
	to |= one.bit() & free
	if s.Rank() == c.pawnRank() && one.bit()&free != 0 {
		to |= Square(int(one)+c.forward()).bit() & free
	}
	return to
}

// after returns the occupied squares and the enemy men left once the own man
// on from has gone to one of its targets.
func (b *Board) after(from, to Square) (occupied, enemies set) {
	occupied = b.all()&^from.bit() | to.bit()
	enemies = b.sides[b.turn.Other()] &^ to.bit()
	if to == b.ep && b.kinds[Pawn-1]&from.bit() != 0 {
		victim := squareAt(to.File(), from.Rank()).bit()
		occupied &^= victim
		enemies &^= victim
	}
	return occupied, enemies
}

// hitsAfter returns the enemy men that attack the king of the side on move
// once its man on from has gone to one of its targets; in castling, those that
// attack any square on the king's way.
func (b *Board) hitsAfter(from, to Square) set {
	king, them := b.king(b.turn), b.turn.Other()
	occupied, enemies := b.after(from, to)
	if from != king {
		return b.attackers(king, them, occupied) & enemies
	}
	if kingSteps[from]&to.bit() != 0 {
		return b.attackers(to, them, occupied) & enemies
	}
	var hits set
	for i := range castlesOf(b.turn) {
		if k := &castlesOf(b.turn)[i]; k.to == to {
			for way := k.unattacked; way != 0; way &= way - 1 {
				hits |= b.attackers(way.first(), them, b.all())
			}
		}
	}
	return hits
}

// playable tells whether the man may make this displacement by geometry, is
// the mover's, does not take a king and has a promotion that fits.
func (b *Board) playable(m Move) bool {
	if m.From >= NoSquare || m.To >= NoSquare || b.sides[b.turn]&m.From.bit() == 0 {
		return false
	}
	if m.Promo != NoKind && (!m.Promo.promotes() || !b.promotion(m)) {
		return false
	}
	return b.targets(m.From)&^b.kinds[King-1]&m.To.bit() != 0
}

// promotion tells whether the mover's own pawn reaches its last rank.
func (b *Board) promotion(m Move) bool {
	return m.To < NoSquare && m.To.Rank() == b.turn.lastRank() && b.men(b.turn, Pawn)&m.From.bit() != 0
}

// Pseudo tells whether the man on m.From can go to m.To as its own colour
// moves, whoever is on move, with the safety of kings left out: a pinned man
// moves, a king may be taken, a king may castle through attacked squares while
// it has the right. En passant needs the right. m.Promo is not looked at.
func (b Board) Pseudo(m Move) bool {
	if m.From >= NoSquare || m.To >= NoSquare || b.all()&m.From.bit() == 0 {
		return false
	}
	return b.targets(m.From)&m.To.bit() != 0
}

// Legal tells whether the side on move may make this move. A pawn that reaches
// the last rank without a promotion becomes a queen (WBCA 17); a promotion
// named anywhere else, or to a king or pawn, is not legal.
func (b Board) Legal(m Move) bool {
	return b.playable(m) && b.hitsAfter(m.From, m.To) == 0
}

// OnlyAdjacent tells whether m is illegal for no other reason than that the
// kings stand next to each other after it (WBCA 16).
func (b Board) OnlyAdjacent(m Move) bool {
	if !b.playable(m) {
		return false
	}
	king, enemy := b.king(b.turn), b.men(b.turn.Other(), King)
	if m.From == king {
		king = m.To
	}
	return kingSteps[king]&enemy != 0 && b.hitsAfter(m.From, m.To)&^enemy == 0
}

// AnyLegal tells whether the side on move has a legal move.
func (b Board) AnyLegal() bool {
	for men := b.sides[b.turn]; men != 0; men &= men - 1 {
		if b.anyFrom(men.first()) {
			return true
		}
	}
	return false
}

// AnyLegalFrom tells whether the man on the square, the mover's own, has a
// legal move.
func (b Board) AnyLegalFrom(s Square) bool {
	return s < NoSquare && b.sides[b.turn]&s.bit() != 0 && b.anyFrom(s)
}

func (b *Board) anyFrom(s Square) bool {
	for to := b.targets(s) &^ b.kinds[King-1]; to != 0; to &= to - 1 {
		if b.hitsAfter(s, to.first()) == 0 {
			return true
		}
	}
	return false
}

// AppendLegal adds all legal moves of the side on move to a list, each
// promotion as a move of its own.
func (b Board) AppendLegal(moves []Move) []Move {
	for men := b.sides[b.turn]; men != 0; men &= men - 1 {
		from := men.first()
		for to := b.targets(from) &^ b.kinds[King-1]; to != 0; to &= to - 1 {
			m := Move{From: from, To: to.first()}
			if b.hitsAfter(m.From, m.To) != 0 {
				continue
			}
			if !b.promotion(m) {
				moves = append(moves, m)
				continue
			}
			for m.Promo = Queen; m.Promo >= Knight; m.Promo-- {
				moves = append(moves, m)
			}
		}
	}
	return moves
}
