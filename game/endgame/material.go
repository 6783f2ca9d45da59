package endgame

import (
	"fmt"

	"flagfall/game/board"
)

// side is the strong (0) or the weak (1) side of a material.
type side = uint8

const (
	strong side = 0
	weak   side = 1
)

// man is one beside the kings.
type man struct {
	owner side
	kind  board.Kind
}

// material is what stands on the board, named as players do: KRKP is king and
// rook against king and pawn. The strong side comes first.
type material struct {
	name  string
	men   []man // one or two; the strong side's first, then Q R B N P
	pawns bool
	kings *kings
	size  int // positions of the index for each side on move
}

// order is that of men in a name.
var order = [5]board.Kind{board.Queen, board.Rook, board.Bishop, board.Knight, board.Pawn}

// materials holds every material with three or four men, each behind those it
// leads to by a capture or a promotion.
var materials = newMaterials()

func newMaterials() (all []*material) {
	for _, pawns := range []int{0, 1} {
		for _, k := range order {
			all = appendMaterial(all, pawns, man{strong, k})
		}
	}
	for _, pawns := range []int{0, 1, 2} {
		for i, k := range order {
			for _, l := range order[i:] {
				all = appendMaterial(all, pawns, man{strong, k}, man{strong, l})
				all = appendMaterial(all, pawns, man{strong, k}, man{weak, l})
			}
		}
	}
	return all
}

func appendMaterial(all []*material, pawns int, men ...man) []*material {
	names, n := [2]string{"K", "K"}, 0
	for _, m := range men {
		names[m.owner] += m.kind.String()
		if m.kind == board.Pawn {
			n++
		}
	}
	if n != pawns {
		return all
	}
	m := &material{name: names[strong] + names[weak], men: men, pawns: n > 0, kings: &pieceKings}
	if m.pawns {
		m.kings = &pawnKings
	}
	m.size = len(m.kings.pairs) << (6 * len(men))
	return append(all, m)
}

// Materials names every material with three or four men, "KQK" to "KPKP", in
// an order in which each needs only the tables of earlier ones.
func Materials() []string {
	names := make([]string, len(materials))
	for i, m := range materials {
		names[i] = m.name
	}
	return names
}

// number finds a material by its name: its place in materials.
func number(name string) (int, error) {
	for i, m := range materials {
		if m.name == name {
			return i, nil
		}
	}
	return 0, fmt.Errorf("material %q: want three or four men such as KQK or KRKP", name)
}

// seat says how some men become the men of a material: which comes first, and
// whether the sides change places.
type seat struct {
	number int // in materials
	swap   bool
	order  [2]uint8
}

// seats finds the seat of one or two men by owner and kind; the second index
// is 0 for none.
var seats = newSeats()

func code(m man) int { return int(m.owner)*8 + int(m.kind) }

func newSeats() (all [16][16]seat) {
	for n, m := range materials {
		for _, swap := range []bool{true, false} {
			men := [2]man{m.men[0]}
			copy(men[:], m.men)
			var codes [2]int
			for i := range m.men {
				if swap {
					men[i].owner ^= 1
				}
				codes[i] = code(men[i])
			}
			// The order without a change wins where a material is its own mirror.
			all[codes[1]][codes[0]] = seat{n, swap, [2]uint8{1, 0}}
			all[codes[0]][codes[1]] = seat{n, swap, [2]uint8{0, 1}}
		}
	}
	return all
}
