package judge

import (
	"testing"

	"flagfall/game/board"
	"flagfall/loadtest/model"
)

func TestWhatEverybodySees(t *testing.T) {
	tests := []struct {
		fen  string
		side board.Color
		told model.Verdict
		want model.Verdict
	}{
		{"8/8/8/3k4/8/3K4/7R/8 w - - 0 1", board.Black, model.Yes, model.No},               // a bare king
		{"8/8/8/8/8/8/p1K5/k1N5 w - - 0 1", board.White, model.No, model.Yes},              // F.3: Nb3 mate
		{"8/8/8/8/8/8/p1K5/k1B5 w - - 0 1", board.White, model.Undecided, model.Yes},       // F.3: Bb2 mate
		{"8/7p/8/3k4/8/3K1N2/8/8 b - - 0 1", board.White, model.No, model.No},              // F.4
		{"8/7p/8/3k4/8/3K1N2/8/8 b - - 0 1", board.White, model.Yes, model.Yes},            // not seen at a glance
		{"8/8/8/8/8/p2N4/k1K5/8 b - - 0 1", board.White, model.Undecided, model.Undecided}, // Stamma: neither
	}
	for _, tt := range tests {
		b, err := board.ParseArrangement(tt.fen)
		if err != nil {
			t.Fatal(err)
		}
		if got := plain(&b, tt.side, tt.told); got != tt.want {
			t.Errorf("%s for %v, told %v: %v, want %v", tt.fen, tt.side, tt.told, got, tt.want)
		}
	}
}

func TestWhatMayBeLocked(t *testing.T) {
	tests := map[string]bool{
		"8/8/8/3k4/8/3K4/7R/7r w - - 0 1":                    false, // rooks and room
		"5k2/8/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/4K3 w - - 0 1": true,  // a wall
		"8/8/8/8/8/8/5n1k/7K w - - 0 1":                      true,  // no move but one
	}
	for fen, want := range tests {
		b, err := board.ParseArrangement(fen)
		if err != nil {
			t.Fatal(err)
		}
		if got := mayBeLocked(&b); got != want {
			t.Errorf("%s: %v, want %v", fen, got, want)
		}
	}
}
