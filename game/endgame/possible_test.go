package endgame

import (
	"strings"
	"testing"

	"flagfall/game/board"
)

func mustBoard(t testing.TB, fen string) board.Board {
	t.Helper()
	b, err := board.ParseArrangement(fen)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

const (
	yes = MatePossible
	no  = MateImpossible
)

func TestHelpmateByMaterial(t *testing.T) {
	tests := []struct {
		name, fen    string
		white, black Possible
	}{
		{"bare kings", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", no, no},
		{"queen", "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", yes, no},
		{"rook", "4k3/8/8/8/8/8/8/R3K3 b - - 0 1", yes, no},
		{"pawn", "4k3/8/8/8/8/8/P7/4K3 w - - 0 1", yes, no},
		{"lone knight", "4k3/8/8/8/8/8/8/N3K3 w - - 0 1", no, no},
		{"lone bishop", "4k3/8/8/8/8/8/8/B3K3 w - - 0 1", no, no},
		{"two knights", "4k3/8/8/8/8/8/8/NN2K3 w - - 0 1", yes, no},
		{"bishop and knight", "4k3/8/8/8/8/8/8/BN2K3 b - - 0 1", yes, no},
		{"two bishops", "4k3/8/8/8/8/8/8/BB2K3 w - - 0 1", yes, no},
		{"two bishops of one colour", "4k3/8/8/8/8/2B5/8/B3K3 w - - 0 1", no, no},
		{"knight v knight", "4k2n/8/8/8/8/8/8/N3K3 w - - 0 1", yes, yes},
		{"knight v bishop", "4k2b/8/8/8/8/8/8/N3K3 w - - 0 1", yes, yes},
		{"knight v rook", "4k2r/8/8/8/8/8/8/1N2K3 w - - 0 1", yes, yes},
		{"knight v pawn", "4k3/7p/8/8/8/8/8/1N2K3 w - - 0 1", yes, yes},
		{"knight v queen", "4k2q/8/8/8/8/8/8/1N2K3 w - - 0 1", no, yes},
		{"knight v queen and pawn", "4k2q/7p/8/8/8/8/8/1N2K3 w - - 0 1", yes, yes},
		{"knight v two queens", "4k1qq/8/8/8/8/8/8/1N2K3 w - - 0 1", no, yes},
		{"bishop v rook", "4k2r/8/8/8/8/8/8/1B2K3 w - - 0 1", no, yes},
		{"bishop v two rooks", "4k1rr/8/8/8/8/8/8/1B2K3 w - - 0 1", no, yes},
		{"bishop v queen", "4k2q/8/8/8/8/8/8/1B2K3 w - - 0 1", no, yes},
		{"bishop v pawn", "4k3/7p/8/8/8/8/8/1B2K3 w - - 0 1", yes, yes},
		{"bishop v knight", "4k2n/8/8/8/8/8/8/1B2K3 w - - 0 1", yes, yes},
		{"bishop v bishop, other colour", "4kb2/8/8/8/8/8/8/1B2K3 w - - 0 1", yes, yes},
		{"bishop v bishop, same colour", "4k1b1/8/8/8/8/8/8/1B2K3 w - - 0 1", no, no},
		{"bishop v bishop and rook, same colour", "4k1br/8/8/8/8/8/8/1B2K3 w - - 0 1", no, yes},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { checkBoth(t, tt.fen, tt.white, tt.black) })
	}
}

// checkBoth asks for both sides and plays the lines that prove a mate.
func checkBoth(t *testing.T, fen string, white, black Possible) {
	t.Helper()
	b := mustBoard(t, fen)
	for side, want := range [2]Possible{white, black} {
		line, got := HelpmateLine(b, board.Color(side), PossibleNodes)
		if got != want {
			t.Errorf("%s: %s for %s, want %s", fen, got, board.Color(side), want)
		}
		if got == MatePossible {
			checkLine(t, b, board.Color(side), line)
		}
	}
	if got, want := Dead(b, PossibleNodes), white == no && black == no; got != want {
		t.Errorf("%s: dead %t, want %t", fen, got, want)
	}
}

func TestHelpmateWithPawns(t *testing.T) {
	tests := []struct {
		name, fen    string
		white, black Possible
	}{
		{"wall and kings", "4k3/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/4K3 w - - 0 1", no, no},
		{"wall with a bishop that its pawns shut in", "4k3/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/4B3/4K3 w - - 0 1", no, no},
		{"wall with both bishops shut in", "4k3/3b4/3b4/p1p1p1p1/PpPpPpPp/1P1P1P1P/4B3/3BK3 w - - 0 1", yes, yes},
		{"wall with bishops of the colour of their pawns", "4k3/8/3b4/p1p1p1p1/PpPpPpPp/1P1P1P1P/4B3/4K3 b - - 0 1", no, no},
		{"wall with a bishop that can take a pawn", "4k3/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/3B4/4K3 w - - 0 1", yes, yes},
		{"wall with a knight", "4k3/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/3N4/4K3 w - - 0 1", yes, yes},
		{"wall with a rook that a pawn can take", "7k/8/2r5/1p1p1p1p/pPpPpPpP/P1P1P1P1/K7/8 w - - 0 1", yes, yes},
		{"wall without its last file, where pawns guard the way", "4k3/8/8/p1p1p1p1/PpPpPpP1/1P1P1P2/8/4K3 w - - 0 1", no, no},
		{"wall without its last two files", "4k3/8/8/p1p1p3/PpPpPp2/1P1P1P2/8/4K3 w - - 0 1", yes, yes},
		{"wall higher up", "4k3/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/8/4K3 w - - 0 1", no, no},
		{"the same, to be opened en passant", "4k3/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/8/4K3 w - d6 0 1", yes, yes},
		{"wall in a row, whose pawns take one another", "4k3/8/8/pppppppp/PPPPPPPP/8/8/4K3 w - - 0 1", yes, yes},
		{"two blocked pawns", "4k3/8/8/3p4/3P4/8/8/4K3 w - - 0 1", yes, yes},
		{"bishop at home behind pawns", "4k3/8/8/8/8/1p1p4/1P1P4/2B1K3 w - - 0 1", yes, yes},
		{"pawn about to be taken by force", "8/8/8/8/8/8/1p6/K1k5 w - - 0 1", no, yes},
		{"rook pawn and its king in front", "k7/P7/8/K7/8/8/8/8 w - - 0 1", yes, no},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { checkBoth(t, tt.fen, tt.white, tt.black) })
	}
}

func TestHelpmateAtTheEnd(t *testing.T) {
	tests := []struct {
		name, fen    string
		white, black Possible
	}{
		{"mate", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", yes, no},
		{"mate by Black, who is stripped but for a knight", "8/8/8/8/8/7k/5n2/6RK w - - 0 1", no, yes},
		{"stalemate", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", no, no},
		{"stalemate with men on both sides", "k7/P7/1K6/8/8/7p/7P/8 b - - 0 1", no, no},
		{"the queen must be taken", "7k/6Q1/8/8/8/8/8/K7 b - - 0 1", no, no},
		{"the queen must be taken, a pawn is left", "7k/6Q1/8/8/8/8/P7/K7 b - - 0 1", yes, no},
		{"the queen need not be taken", "7k/6Q1/5K2/8/8/8/8/8 b - - 0 1", yes, no},
		{"stalemate by a rook", "8/8/8/8/8/8/1r6/K1k5 w - - 0 1", no, no},
		{"one legal move, which takes nothing", "8/8/8/8/8/1r6/8/K2k4 w - - 0 1", no, yes},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { checkBoth(t, tt.fen, tt.white, tt.black) })
	}
}

// TestHelpmateOfCases has the disputes that other servers had about a lone
// minor piece, and mates of lone minor pieces from the literature.
func TestHelpmateOfCases(t *testing.T) {
	tests := []struct {
		fen          string
		white, black Possible
	}{
		{"8/8/8/4k3/2b5/8/P7/4K3 w - - 0 1", yes, yes},
		{"8/8/8/4k3/2n5/8/P7/4K3 w - - 0 1", yes, yes},
		{"8/8/8/4k3/5b2/3K4/8/2B5 w - - 0 33", no, no},
		{"5K2/8/8/1B6/8/k7/6b1/8 w - - 0 39", no, no},
		{"B1b1k3/3b4/4b3/8/8/8/8/4KB2 w - - 0 1", no, no},
		{"7k/8/7K/2Bb4/8/8/8/8 b - - 0 1", yes, yes},
		{"8/8/4K3/8/1n6/8/5k1N/8 w - - 0 50", yes, yes},
		{"8/8/8/8/8/p2N4/k1K5/8 w - - 0 1", yes, yes},
		{"8/8/8/8/8/p2N4/k1K5/8 b - - 0 1", yes, yes},
		{"8/8/8/8/pN6/8/2K5/k7 b - - 0 1", yes, yes},
		{"8/8/8/8/8/p7/2N5/k1K5 b - - 0 1", yes, yes},
		{"8/8/8/8/8/p7/k1K5/1N6 b - - 0 1", yes, yes},
		{"8/8/8/8/8/p7/k7/1NK5 w - - 0 1", yes, yes},
		{"8/8/8/8/8/8/p1K5/k1N5 w - - 0 1", yes, yes},
		{"8/8/8/8/8/1K6/8/kn2N3 w - - 0 1", yes, yes},
		{"8/8/8/8/8/7k/8/3n2RK b - - 0 1", yes, yes},
		{"8/8/8/8/8/8/p1K5/k1B5 w - - 0 1", yes, yes},
		{"8/8/8/8/8/1K6/8/knB5 w - - 0 1", yes, yes},
		{"8/8/8/8/8/K7/8/kbB5 w - - 0 1", yes, yes},
		{"7k/7p/8/8/8/8/8/K6N b - - 0 1", yes, yes},
		{"8/7p/8/3k4/8/3K1N2/8/8 b - - 0 1", yes, yes},
		{"8/8/8/3k4/3p4/8/8/KB6 b - - 0 1", yes, yes},
	}
	for _, tt := range tests {
		t.Run(tt.fen, func(t *testing.T) { checkBoth(t, tt.fen, tt.white, tt.black) })
	}
}

// TestKnownHelpmates plays two mates by a lone minor piece that settled such
// disputes: they end in what mated calls a mate.
func TestKnownHelpmates(t *testing.T) {
	for fen, line := range map[string]string{
		"8/8/8/4k3/2b5/8/P7/4K3 w - - 0 1": "Kd2 Kd6 Kc3 Bd5 Kb4 Kc7 Ka5 Be6 a4 Bd7 Ka6 Be6 Ka7 Bd7 Ka8 Be6 a5 Bd7 a6 Be6 a7 Bd5",
		"8/8/8/4k3/2n5/8/P7/4K3 w - - 0 1": "Kd1 Na3 Kc1 Kd6 Kb2 Nb5 Kb3 Kc7 Kb4 Nd6 Ka5 Nc8 Ka6 Nd6 Ka7 Nb5 Ka8 Nd6 a4 Nc8 a5 Nd6 a6 Nc8 a7 Nb6",
	} {
		b := mustBoard(t, fen)
		for _, san := range strings.Fields(line) {
			if p := Helpmate(b, board.Black, PossibleNodes); p != MatePossible {
				t.Errorf("%s: %s for Black, before %s", b.FEN(), p, san)
			}
			m, err := b.ParseSAN(san)
			if err != nil {
				t.Fatal(err)
			}
			b = b.Displace(m)
		}
		if b.AnyLegal() || !mated(&b, board.Black) {
			t.Errorf("%s: no mate", b.FEN())
		}
	}
}

func TestHelpmateWithoutSearch(t *testing.T) {
	tests := []struct {
		name, fen    string
		white, black Possible
	}{
		{"start", board.Start().FEN(), MateUnknown, MateUnknown},
		{"lone bishop", "4k3/8/8/8/8/8/8/B3K3 w - - 0 1", no, no},
		{"wall", "4k3/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/4B3/4K3 w - - 0 1", no, no},
		{"mate", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", yes, no},
		{"rook", "4k3/8/8/8/8/8/8/R3K3 b - - 0 1", MateUnknown, no},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := mustBoard(t, tt.fen)
			for side, want := range [2]Possible{tt.white, tt.black} {
				for _, nodes := range []int{0, -1} {
					if got := Helpmate(b, board.Color(side), nodes); got != want {
						t.Errorf("%s for %s, want %s", got, board.Color(side), want)
					}
				}
			}
		})
	}
}

// TestHelpmateOnOddBoards has what only illegal moves that stand lead to.
func TestHelpmateOnOddBoards(t *testing.T) {
	tests := []struct {
		name, fen    string
		white, black Possible
	}{
		{"adjacent kings", "8/8/8/3kK3/8/8/8/8 w - - 0 1", no, no},
		{"adjacent kings and a rook", "8/8/8/3kK3/8/8/8/R7 w - - 0 1", yes, no},
		{"king en prise", "k6R/8/8/8/8/8/8/K7 w - - 0 1", yes, no},
		{"both kings attacked and no move", "kK6/8/1Q6/8/8/8/8/8 b - - 0 1", no, no},
		{"white pawn on the first rank", "4k3/8/8/8/8/8/8/P3K3 w - - 0 1", yes, no},
		{"white pawn left on the last rank", "P3k3/8/8/8/8/8/8/4K3 w - - 0 1", no, no},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { checkBoth(t, tt.fen, tt.white, tt.black) })
	}
}

func FuzzHelpmate(f *testing.F) {
	for _, fen := range []string{
		board.Start().FEN(),
		"P3k3/8/8/3pP3/8/8/8/p3K3 w - d6 65535 65535",
		"4k3/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/8/4K3 w - d6 0 1",
		"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
		"8/8/8/3kK3/8/8/8/8 w - - 0 1",
		"8/8/8/4k3/2n5/8/P7/4K3 w - - 0 1",
	} {
		f.Add(fen)
	}
	f.Fuzz(func(t *testing.T, fen string) {
		b, err := board.ParseArrangement(fen)
		if err != nil {
			return
		}
		const nodes = 1500
		for _, side := range [2]board.Color{board.White, board.Black} {
			line, p := HelpmateLine(b, side, nodes)
			if p == MatePossible {
				checkLine(t, b, side, line)
			}
			if again := Helpmate(b, side, nodes); again != p {
				t.Errorf("%s: %s, then %s", fen, p, again)
			}
			s := newSeriesSearch(&b, side)
			if s.search(nodes); len(s.found) > nodes+1 {
				t.Errorf("%s: %d positions", fen, len(s.found))
			}
			if p == MatePossible && confined(&b, side) {
				t.Errorf("%s: confined, and there is a mate by %s", fen, side)
			}
		}
		Dead(b, nodes)
	})
}
