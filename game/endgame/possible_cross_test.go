//go:build !race

package endgame

import (
	"math/rand/v2"
	"testing"

	"flagfall/game/board"
)

// explore goes through every position that can arise and tells whether side
// mates in one of them; ok is false when there are more than most. It shares
// the legal moves with Helpmate and nothing else.
func explore(b board.Board, side board.Color, most int) (mate, ok bool) {
	seen := map[board.Key]bool{b.Key(): true}
	for level := []board.Board{b}; len(level) > 0; {
		var next []board.Board
		for _, p := range level {
			moves := p.AppendLegal(nil)
			if len(moves) == 0 && p.Turn() != side && p.InCheck(p.Turn()) {
				return true, true
			}
			for _, m := range moves {
				q := p.Displace(m)
				if k := q.Key(); !seen[k] {
					seen[k] = true
					next = append(next, q)
				}
			}
		}
		if len(seen) > most {
			return false, false
		}
		level = next
	}
	return false, true
}

// checkAnswer holds a certain answer against what can be verified: a line is
// played out with the moves of the chess library, a no is explored, as far as
// most positions go and material alone does not say it. It reports whether the
// answer was certain and whether it was verified.
func checkAnswer(t *testing.T, b board.Board, side board.Color, most int) (certain, verified bool) {
	t.Helper()
	line, p := HelpmateLine(b, side, PossibleNodes)
	switch p {
	case MatePossible:
		checkLine(t, b, side, line)
		return true, true
	case MateImpossible:
		if hopeless(&b, side) {
			return true, true // TestHopeless looks at all of these.
		}
		mate, all := explore(b, side, most)
		if mate {
			t.Errorf("%s: a mate by %s is said to be impossible", b.FEN(), side)
		}
		return true, all
	}
	return false, false
}

// anywhere, clustered: where random men are put.
var (
	anywhere  = area(0xffff_ffff_ffff_ffff)
	clustered = area(0x0000_0000_0f0f_0f0f)
)

// placeMen puts men on different random squares of a part of the board, beside
// those that are there.
func placeMen(r *rand.Rand, men [64]byte, letters string, part area) (board.Board, bool) {
	for _, letter := range []byte(letters) {
		s := r.IntN(64)
		if men[s] != 0 || !part.has(board.Square(s)) {
			return board.Board{}, false
		}
		men[s] = letter
	}
	b, err := board.ParseFEN(arrangement(men) + " " + string("wb"[r.IntN(2)]) + " - - 0 1")
	return b, err == nil
}

func randomLetters(r *rand.Rand, from string, most int) string {
	letters := "Kk"
	for range r.IntN(most + 1) {
		letters += string(from[r.IntN(len(from))])
	}
	return letters
}

// answers counts answers.
type answers struct{ total, unknown, unverified int }

func (a *answers) check(t *testing.T, b board.Board, most int) {
	t.Helper()
	for _, side := range [2]board.Color{board.White, board.Black} {
		a.total++
		switch certain, verified := checkAnswer(t, b, side, most); {
		case !certain:
			a.unknown++
		case !verified:
			a.unverified++
		}
	}
}

// report fails when one answer in a hundred is not known.
func (a *answers) report(t *testing.T) {
	t.Logf("%d answers, %d unknown, %d of no not verified", a.total, a.unknown, a.unverified)
	if a.unknown*100 >= a.total {
		t.Error("too many unknown")
	}
}

func TestHelpmateOfFewMen(t *testing.T) {
	for _, part := range []area{anywhere, clustered} {
		r := rand.New(rand.NewPCG(1, uint64(part)))
		var a answers
		for a.total < 5000 {
			if b, ok := placeMen(r, [64]byte{}, randomLetters(r, "QRBNPqrbnp", 2), part); ok {
				a.check(t, b, 200_000)
			}
		}
		a.report(t)
	}
}

// TestHelpmateOfWalls blocks pawns against one another, mostly so that none can
// take its neighbours' and on every file.
func TestHelpmateOfWalls(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var a answers
	no := 0
	for a.total < 800 {
		b, ok := placeMen(r, randomWall(r), randomLetters(r, "BbBbNnRr", 1), anywhere)
		if !ok {
			continue
		}
		if p := Helpmate(b, board.White, PossibleNodes); p == MateImpossible {
			no++
		}
		a.check(t, b, 60_000)
	}
	a.report(t)
	if no < 50 {
		t.Errorf("%d walls that hold: too few to mean anything", no)
	}
}

func randomWall(r *rand.Rand) (men [64]byte) {
	rank := 2 + r.IntN(3)
	for file := range 8 {
		if r.IntN(40) > 0 {
			men[rank*8+file], men[rank*8+8+file] = 'P', 'p'
		}
		if rank > 1 && (rank == 5 || r.IntN(2) == 0) {
			rank--
		} else {
			rank++
		}
	}
	return men
}

// TestHopeless looks for mates among the men that are said to give none. Men
// beyond the second of the mated side are put beside its king, where they can
// take flight squares away.
func TestHopeless(t *testing.T) {
	for _, letters := range []string{"N", "B", "Nq", "Nqq", "Bq", "Br", "Brr", "Bb", "Bbr"} {
		t.Run(letters, func(t *testing.T) {
			for corner := range board.NoSquare {
				if corner.File() < 4 && corner.Rank() <= corner.File() {
					eachMate(t, corner, letters)
				}
			}
		})
	}
}

func eachMate(t *testing.T, prey board.Square, letters string) {
	var men [64]byte
	men[prey] = 'k'
	for king := range board.NoSquare {
		if d := kingDistance(king, prey); d < 2 || d > 3 {
			continue // next to the other, or as far from all flight squares as any
		}
		men[king] = 'K'
		eachPlacing(t, &men, prey, letters)
		men[king] = 0
	}
}

func eachPlacing(t *testing.T, men *[64]byte, prey board.Square, letters string) {
	if letters == "" {
		b, err := board.ParseArrangement(arrangement(*men) + " b - - 0 1")
		if err == nil && hopeless(&b, board.White) && !b.AnyLegal() && b.InCheck(board.Black) && !b.InCheck(board.White) {
			t.Fatalf("%s is mate", b.FEN())
		}
		return
	}
	part := besideKing[prey]
	switch {
	case letters[0] == 'N':
		part = touches(board.Knight, prey, 0)
	case letters[0] == 'B':
		part = touches(board.Bishop, prey, 0)
	case len(letters) == 1 && letters[0] != 'b':
		part = anywhere
	}
	for ; part != 0; part &= part - 1 {
		if s := part.lowest(); men[s] == 0 {
			men[s] = letters[0]
			eachPlacing(t, men, prey, letters[1:])
			men[s] = 0
		}
	}
}
