package endgame

import (
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
		t.Run(tt.name, func(t *testing.T) {
			b := mustBoard(t, tt.fen)
			if got := Helpmate(b, board.White, PossibleNodes); got != tt.white {
				t.Errorf("%s: white %s, want %s", tt.fen, got, tt.white)
			}
			if got := Helpmate(b, board.Black, PossibleNodes); got != tt.black {
				t.Errorf("%s: black %s, want %s", tt.fen, got, tt.black)
			}
		})
	}
}
