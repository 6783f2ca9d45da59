package board

import "testing"

// The six positions of the chess programming community, with the published
// numbers of leaves from depth 1 on.
var perfts = []struct {
	name   string
	fen    string
	leaves []int
}{
	{"start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
		[]int{20, 400, 8902, 197281, 4865609}},
	{"kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
		[]int{48, 2039, 97862, 4085603}},
	{"position 3", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
		[]int{14, 191, 2812, 43238, 674624, 11030083}},
	{"position 4", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
		[]int{6, 264, 9467, 422333}},
	{"position 5", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
		[]int{44, 1486, 62379, 2103487}},
	{"position 6", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
		[]int{46, 2079, 89890, 3894594}},
}

func perft(b Board, depth int, list func(Board) []Move) int {
	moves := list(b)
	if depth == 1 {
		return len(moves)
	}
	n := 0
	for _, m := range moves {
		n += perft(b.Displace(m), depth-1, list)
	}
	return n
}

func ownMoves(b Board) []Move { return b.AppendLegal(make([]Move, 0, 64)) }

// legalByAsking finds the moves by asking Legal about every displacement.
func legalByAsking(b Board) []Move {
	var moves []Move
	for from := range NoSquare {
		for to := range NoSquare {
			for promo := NoKind; promo <= King; promo++ {
				m := Move{From: from, To: to, Promo: promo}
				if b.Legal(m) && m == b.Normal(m) {
					moves = append(moves, m)
				}
			}
		}
	}
	return moves
}

func TestPerft(t *testing.T) {
	lists := []struct {
		name    string
		list    func(Board) []Move
		deepest int
	}{
		{"AppendLegal", ownMoves, 10_000},
		{"LegalMoves", Board.LegalMoves, 10_000},
		{"Legal", legalByAsking, 500},
	}
	for _, p := range perfts {
		b := mustFEN(p.fen)
		for _, l := range lists {
			for i, want := range p.leaves {
				if want > l.deepest {
					break
				}
				if got := perft(b, i+1, l.list); got != want {
					t.Errorf("%s by %s: depth %d has %d leaves, want %d", p.name, l.name, i+1, got, want)
				}
			}
		}
	}
}
