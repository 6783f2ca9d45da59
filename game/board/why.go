package board

import "fmt"

// names are the men in plain words.
var names = [...]string{Pawn: "pawn", Knight: "knight", Bishop: "bishop", Rook: "rook", Queen: "queen", King: "king"}

// Name returns the English word: "knight"; "" for NoKind.
func (k Kind) Name() string {
	if k < Pawn || k > King {
		return ""
	}
	return names[k]
}

// Name returns "White" or "Black".
func (c Color) Name() string {
	if c == Black {
		return "Black"
	}
	return "White"
}

// Why tells in words why the side on move may not make this move: "a knight does not move like that". It is empty for
// a legal move.
func (b Board) Why(m Move) string {
	if b.Legal(m) {
		return ""
	}
	switch {
	case m.From >= NoSquare || m.To >= NoSquare:
		return "there is no such square"
	case b.at(m.From) == NoPiece:
		return fmt.Sprintf("no man stands on %s", m.From)
	case m.From == m.To:
		return "the man does not leave its square"
	case b.owner(m.From) != b.turn:
		return fmt.Sprintf("%s is on move, and the %s is %s's", b.turn.Name(), b.standing(m.From), b.turn.Other().Name())
	}
	for _, reason := range []func(Move) string{b.whyTarget, b.whyGeometry, b.whyPromotion, b.whyCheck} {
		if words := reason(m); words != "" {
			return words
		}
	}
	return "the rules do not allow it"
}

// standing is "knight on g1".
func (b *Board) standing(s Square) string { return b.at(s).Kind().Name() + " on " + s.String() }

// whyTarget is about the man on the target square.
func (b *Board) whyTarget(m Move) string {
	target := b.at(m.To)
	switch {
	case target == NoPiece:
		return ""
	case target.Color() == b.turn:
		return fmt.Sprintf("the own %s is there", b.standing(m.To))
	case target.Kind() != King || b.targets(m.From)&m.To.bit() == 0:
		return ""
	case b.at(m.From).Kind() == King:
		return "a king does not take a king"
	}
	return "a king is not taken"
}

// whyGeometry is about the way the man moves.
func (b *Board) whyGeometry(m Move) string {
	if b.targets(m.From)&m.To.bit() != 0 {
		return ""
	}
	kind := b.at(m.From).Kind()
	switch kind {
	case Pawn:
		return b.whyPawn(m)
	case King:
		if words := b.whyCastling(m); words != "" {
			return words
		}
	case Bishop, Rook, Queen:
		if words := b.whyBlocked(m); words != "" {
			return words
		}
	}
	return fmt.Sprintf("a %s does not move like that", kind.Name())
}

// whyBlocked names the man on the way of a bishop, rook or queen that would get there on an empty board.
func (b *Board) whyBlocked(m Move) string {
	files, ranks := sign(m.To.File()-m.From.File()), sign(m.To.Rank()-m.From.Rank())
	on := Board{kinds: b.kinds, sides: b.sides}
	var way []Square
	for s := shift(m.From, files, ranks); s != NoSquare && s != m.To; s = shift(s, files, ranks) {
		if b.all()&s.bit() != 0 {
			way = append(way, s)
			on.clear(s)
		}
	}
	if len(way) == 0 || on.targets(m.From)&m.To.bit() == 0 {
		return ""
	}
	return fmt.Sprintf("the %s stands in the way", b.standing(way[0]))
}

func sign(n int) int {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}

func (b *Board) whyPawn(m Move) string {
	const other = "a pawn does not move like that"
	files, ranks := m.To.File()-m.From.File(), (m.To.Rank()-m.From.Rank())*b.turn.forward()/8
	occupied := b.all()
	switch {
	case ranks < 0:
		return "a pawn does not go back"
	case files == 0 && ranks == 1:
		return fmt.Sprintf("a pawn does not take straight ahead, and the %s is there", b.standing(m.To))
	case files == 0 && ranks == 2:
		over := Square(int(m.From) + b.turn.forward())
		switch {
		case m.From.Rank() != b.turn.pawnRank():
			return "a pawn goes two squares only from where it stood at the start"
		case occupied&over.bit() != 0:
			return fmt.Sprintf("the %s stands in the way", b.standing(over))
		}
		return fmt.Sprintf("a pawn does not take straight ahead, and the %s is there", b.standing(m.To))
	case (files == 1 || files == -1) && ranks == 1:
		if victim := b.enPassantVictim(m); victim != NoSquare {
			return fmt.Sprintf("en passant is over or never was: the %s did not step over %s with the last move", b.standing(victim), m.To)
		}
		return fmt.Sprintf("a pawn goes aside only to take, and nothing to be taken is on %s", m.To)
	}
	return other
}

// whyCastling is about a king that makes the gesture of castling from its first square.
func (b *Board) whyCastling(m Move) string {
	for i := range castlesOf(b.turn) {
		k := &castlesOf(b.turn)[i]
		if m.From != k.king || m.To != k.to {
			continue
		}
		switch {
		case b.men(b.turn, Rook)&k.rook.bit() == 0:
			return fmt.Sprintf("castling needs the rook on %s", k.rook)
		case b.all()&k.empty != 0:
			return fmt.Sprintf("no castling: the %s stands between king and rook", b.standing((b.all() & k.empty).first()))
		case b.rights&k.right == 0:
			return "the right to castle is gone: the king or that rook has moved before"
		}
	}
	return ""
}

func (b *Board) whyPromotion(m Move) string {
	if m.Promo == NoKind || m.Promo.promotes() && b.promotion(m) {
		return ""
	}
	if b.promotion(m) {
		return fmt.Sprintf("a pawn does not become a %s", m.Promo.Name())
	}
	return "there is no promotion in this move"
}

// whyCheck is about the own king's safety after a move that is right by geometry.
func (b *Board) whyCheck(m Move) string {
	king, them := b.king(b.turn), b.turn.Other()
	if m.From == king && kingSteps[m.From]&m.To.bit() == 0 {
		return b.whyCastlingCheck(m)
	}
	hits := b.hitsAfter(m.From, m.To)
	if hits == 0 {
		return ""
	}
	enemy := b.men(them, King)
	switch {
	case hits&^enemy == 0:
		return "the kings would stand side by side"
	case m.From == king:
		return fmt.Sprintf("the king goes into check: the %s attacks %s", b.standing((hits &^ enemy).first()), m.To)
	case b.attackers(king, them, b.all())&hits&^enemy != 0:
		by := b.standing((b.attackers(king, them, b.all()) & hits &^ enemy).first())
		return fmt.Sprintf("the king on %s stays in check from the %s", king, by)
	}
	by := b.standing((hits &^ enemy).first())
	return fmt.Sprintf("it leaves the king on %s in check: the %s was pinned before the %s", king, b.standing(m.From), by)
}

// whyCastlingCheck names the attacked square of a castling that is right but for checks.
func (b *Board) whyCastlingCheck(m Move) string {
	for i := range castlesOf(b.turn) {
		k := &castlesOf(b.turn)[i]
		if k.to != m.To {
			continue
		}
		for _, step := range [3]struct {
			at    Square
			words string
		}{{k.king, "out of check"}, {k.rookTo, "through check"}, {k.to, "into check"}} {
			if hits := b.attackers(step.at, b.turn.Other(), b.all()); hits != 0 {
				return fmt.Sprintf("no castling %s: the %s attacks %s", step.words, b.standing(hits.first()), step.at)
			}
		}
	}
	return ""
}
