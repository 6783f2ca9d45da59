package endgame

import (
	"sync"

	"flagfall/game/board"
)

// A guide guesses how far a position is from a mate by side, in no particular
// unit. It decides only where a search looks first.
type guide struct{ side board.Color }

func (g guide) distance(b *board.Board) int {
	own := forceOf(b, g.side)
	if own.loneKnight() || own.oneColour() {
		return 30 + g.toPicture(b)
	}
	return g.toNet(b, &own)
}

// toNet rates positions in which the side has men enough to mate by itself:
// the king to be mated with few flights, near a corner, the men of the side
// near it, a pawn promoted if there is no rook or queen.
func (g guide) toNet(b *board.Board, own *force) int {
	prey, king := b.King(g.side.Other()), b.King(g.side)
	flights := 0
	for around := besideKing[prey]; around != 0; around &= around - 1 {
		s := around.lowest()
		if p := b.At(s); p != board.NoPiece && p.Color() != g.side || b.Attacked(s, g.side) {
			continue
		}
		flights++
	}
	// Fewer men of the other side are fewer that can spoil the mate.
	rank := 2*flights + 2*cornerDistance(prey) + kingDistance(king, prey) + 6*b.Total(g.side.Other())
	major, minors, steps := 8, 0, 8
	for s, p := range b.Men() {
		if p.Color() != g.side {
			continue
		}
		switch p.Kind() {
		case board.Pawn:
			steps = min(steps, pawnSteps(s, g.side))
		case board.Queen, board.Rook:
			major = min(major, kingDistance(s, prey))
		case board.Knight, board.Bishop:
			minors += kingDistance(s, prey)
		}
	}
	switch {
	case own.major():
		return rank + 2*major
	case own.pawns > 0:
		return rank + 20 + 4*steps
	}
	return rank + 20 + 2*minors
}

func kingDistance(a, b board.Square) int {
	return max(abs(a.File()-b.File()), abs(a.Rank()-b.Rank()))
}

func cornerDistance(s board.Square) int {
	return min(s.File(), 7-s.File()) + min(s.Rank(), 7-s.Rank())
}

// pawnSteps counts the steps of a pawn to its last rank.
func pawnSteps(s board.Square, owner board.Color) int {
	if owner == board.White {
		return 7 - s.Rank()
	}
	return s.Rank()
}

func abs(n int) int { return max(n, -n) }

// A picture is a mate by a lone knight or bishop: a king in its corner, the
// other king near it and a man of its own on the last flight square.
type picture struct {
	prey, king, man, filler board.Square
	kind, filled            board.Kind
}

// pictures returns the mates by a side's lone minor piece, by its kind.
var pictures = [2]func() album{
	sync.OnceValue(func() album { return newAlbum(board.White) }),
	sync.OnceValue(func() album { return newAlbum(board.Black) }),
}

type album [board.Bishop + 1][]picture

func newAlbum(side board.Color) (all album) {
	corners := [4]board.Square{0, 7, 56, 63}
	for _, corner := range corners {
		for king := range board.NoSquare {
			if kingDistance(king, corner) != 2 {
				continue
			}
			for fillers := besideKing[corner]; fillers != 0; fillers &= fillers - 1 {
				for filled := board.Pawn; filled <= board.Rook; filled++ {
					p := picture{prey: corner, king: king, filler: fillers.lowest(), filled: filled}
					p.addMates(&all, side)
				}
			}
		}
	}
	return all
}

// addMates adds the pictures in which a minor piece of the side mates. A bishop
// that mates from afar would do so from near the corner too.
func (p picture) addMates(all *album, side board.Color) {
	for _, p.kind = range [2]board.Kind{board.Knight, board.Bishop} {
		for men := touches(p.kind, p.prey, 0); men != 0; men &= men - 1 {
			p.man = men.lowest()
			if kingDistance(p.man, p.prey) > 2 {
				continue
			}
			if b, ok := p.board(side); ok && !b.AnyLegal() && mated(&b, side) {
				all[p.kind] = append(all[p.kind], p)
			}
		}
	}
}

// board sets the picture up.
func (p *picture) board(side board.Color) (board.Board, bool) {
	them := side.Other()
	men := map[board.Square]board.Piece{
		p.prey: board.NewPiece(them, board.King), p.king: board.NewPiece(side, board.King),
		p.man: board.NewPiece(side, p.kind), p.filler: board.NewPiece(them, p.filled),
	}
	if len(men) != 4 {
		return board.Board{}, false
	}
	var fen []byte
	for rank := 7; rank >= 0; rank-- {
		for file := range 8 {
			if man := men[board.Square(rank*8+file)]; man == board.NoPiece {
				fen = addGap(fen)
			} else {
				fen = append(fen, man.String()...)
			}
		}
		if rank > 0 {
			fen = append(fen, '/')
		}
	}
	b, err := board.ParseFEN(string(fen) + " " + them.String() + " - - 0 1")
	return b, err == nil
}

// addGap counts one more empty square in a rank of a FEN.
func addGap(fen []byte) []byte {
	if n := len(fen); n > 0 && fen[n-1] >= '1' && fen[n-1] < '8' {
		fen[n-1]++
		return fen
	}
	return append(fen, '1')
}

// toPicture rates a position by the nearest picture of a minor piece that the
// side has. The sides move in turn, so the side with more to do counts most.
func (g guide) toPicture(b *board.Board) int {
	men := scene{king: b.King(g.side), prey: b.King(g.side.Other()), side: g.side}
	for s, p := range b.Men() {
		if p.Kind() != board.King {
			men.others[men.n] = placed{s, p}
			men.n++
		}
	}
	best := 200
	for k, all := range pictures[g.side]() {
		if b.Count(g.side, board.Kind(k)) == 0 {
			continue
		}
		for i := range all {
			best = min(best, all[i].distance(&men, best))
		}
	}
	return best + 4*b.Total(g.side.Other())
}

type placed struct {
	at  board.Square
	man board.Piece
}

// A scene is a position as pictures are compared with it.
type scene struct {
	king, prey board.Square
	side       board.Color
	others     [32]placed
	n          int
}

// distance rates how far the men are from their places in the picture, as far
// as it is below enough. Until the king to be mated is in its corner, the others
// had better keep away.
func (p *picture) distance(men *scene, enough int) int {
	own, their := kingDistance(men.king, p.king), kingDistance(men.prey, p.prey)
	if their > 0 {
		own = max(own, 2)
	}
	if pictureRank(own, their) >= enough {
		return enough
	}
	man, filler := 20, 20
	for _, m := range men.others[:men.n] {
		if k := m.man.Kind(); m.man.Color() == men.side {
			man = min(man, travel(k, p.kind, m.at, p.man, men.side))
		} else {
			filler = min(filler, travel(k, p.filled, m.at, p.filler, men.side.Other()))
		}
	}
	if their > 0 {
		man = max(man, 1)
	}
	return pictureRank(own+man, their+filler)
}

func pictureRank(own, their int) int { return 5*max(own, their) + own + their }

// travel returns about how many moves take a man from one square to another as
// a given kind, 20 when it cannot get there. A pawn may promote on its way.
func travel(k, as board.Kind, from, to board.Square, owner board.Color) int {
	const never = 20
	if k == board.Pawn {
		last := board.Square(from.File())
		if owner == board.White {
			last += 56
		}
		steps := pawnSteps(from, owner)
		if as != board.Pawn {
			return min(never, steps+travel(as, as, last, to, owner))
		}
		if rest := pawnSteps(to, owner); from.File() == to.File() && rest <= steps {
			return steps - rest
		}
		return never
	}
	switch {
	case k != as || k == board.Bishop && from.Light() != to.Light():
		return never
	case from == to:
		return 0
	case k == board.Knight:
		return int(knightTravel[from][to])
	case k == board.Rook && (from.File() == to.File() || from.Rank() == to.Rank()),
		k == board.Bishop && abs(from.File()-to.File()) == abs(from.Rank()-to.Rank()):
		return 1
	}
	return 2
}

// knightTravel counts a knight's moves between squares of an empty board.
var knightTravel = func() (all [64][64]uint8) {
	for from := range board.NoSquare {
		reached, edge := areaOf(from), areaOf(from)
		for n := uint8(1); edge != 0; n++ {
			var next area
			for ; edge != 0; edge &= edge - 1 {
				next |= knightJumps[edge.lowest()]
			}
			edge = next &^ reached
			reached |= edge
			for new := edge; new != 0; new &= new - 1 {
				all[from][new.lowest()] = n
			}
		}
	}
	return all
}()
