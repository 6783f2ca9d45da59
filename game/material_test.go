package game

import (
	"testing"

	"flagfall/game/board"
)

// lone is a draft that knows no proof.
func lone(t *testing.T) *draft {
	t.Helper()
	g, setup := New(), Setup{RuleSet: "wbca", Mode: OverTheBoard}
	events, err := g.Decide(Command{Kind: Create, By: None, Setup: &setup}, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		g.Apply(e)
	}
	return &draft{Game: *g}
}

// The rows of the table of rulings B.5 that need no proof, one by one. White claims.
func TestMatingMaterial(t *testing.T) {
	for _, tt := range []struct {
		fen  string
		want bool
		note string
	}{
		{"4k3/8/8/8/8/8/8/4K3 w - - 0 1", false, ""},
		{"q3k3/8/8/8/8/8/8/4K3 w - - 0 1", false, ""},
		{"4k3/8/8/8/8/8/8/N3K3 w - - 0 1", false, ""},
		{"4k3/8/8/8/8/8/8/NN2K3 w - - 0 1", false, ""},
		{"4k3/p7/8/8/8/8/8/NN2K3 w - - 0 1", true, ""},
		{"n3k3/8/8/8/8/8/8/NN2K3 w - - 0 1", true, ""},
		{"4k3/8/8/8/8/8/8/BN2K3 w - - 0 1", true, ""},
		{"4k3/8/8/8/8/8/8/BB2K3 w - - 0 1", true, ""},
		{"4k3/8/8/8/8/8/8/B1B1K3 w - - 0 1", false, ""},
		{"4k3/8/8/8/8/8/8/B1B1K1B1 w - - 0 1", false, ""},
		{"4k1b1/8/8/8/8/8/8/B1B1K3 w - - 0 1", true, ""},
		{"4kb2/8/8/8/8/8/8/B1B1K3 w - - 0 1", false, ""},
		{"n3k3/8/8/8/8/8/8/B1B1K3 w - - 0 1", true, ""},
		{"4k3/8/8/8/8/8/8/NNN1K3 w - - 0 1", true, ""},
		{"4k3/8/8/8/8/8/8/R3K3 w - - 0 1", true, ""},
		{"4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", true, ""},
		{"q3k3/8/8/8/8/8/P7/4K3 w - - 0 1", true, ""},

		// 8h: the rook pawn with the king anywhere in front, others with the king directly in front, not on the 7th.
		{"k7/8/8/8/8/8/P7/4K3 w - - 0 1", false, "+8h"},
		{"1k6/8/8/8/8/8/P7/4K3 w - - 0 1", true, ""},
		{"8/7k/8/7P/8/8/8/4K3 w - - 0 1", false, "+8h"},
		{"8/8/8/7P/7k/8/8/4K3 w - - 0 1", true, ""},
		{"8/4k3/4P3/8/8/8/8/4K3 w - - 0 1", false, "+8h"},
		{"4k3/8/4P3/8/8/8/8/4K3 w - - 0 1", true, ""},
		{"4k3/4P3/8/8/8/8/8/4K3 w - - 0 1", true, ""},
		{"k7/P7/8/8/8/8/8/4K3 w - - 0 1", false, "+8h"},
		{"k7/8/8/8/8/P7/P7/4K3 w - - 0 1", true, ""},
		{"k7/8/8/8/8/8/P7/N3K3 w - - 0 1", true, ""},
		{"k7/7p/8/8/8/8/P7/4K3 w - - 0 1", true, ""},
	} {
		b, err := board.ParseArrangement(tt.fen)
		if err != nil {
			t.Fatal(err)
		}
		mirror := mirrored(t, &b)
		for side, position := range map[Side]*board.Board{White: &b, Black: &mirror} {
			got, note, err := wbcaMating(lone(t), position, side)
			if err != nil || got != tt.want || note != tt.note {
				t.Errorf("%s for %s: got %v %q %v, want %v %q", position.FEN(), side.Name(), got, note, err, tt.want, tt.note)
			}
		}
	}
}

// mirrored is the position with the colours changed and the board turned.
func mirrored(t *testing.T, b *board.Board) board.Board {
	t.Helper()
	var squares [64]byte
	for s, man := range b.Men() {
		letter := man.String()[0]
		squares[int(s)^56] = letter ^ 0x20 // the other colour's letter
	}
	fen := ""
	for rank := 7; rank >= 0; rank-- {
		empty := 0
		for file := range 8 {
			letter := squares[8*rank+file]
			if letter == 0 {
				empty++
				continue
			}
			if empty > 0 {
				fen += string(rune('0' + empty))
			}
			empty = 0
			fen += string(rune(letter))
		}
		if empty > 0 {
			fen += string(rune('0' + empty))
		}
		if rank > 0 {
			fen += "/"
		}
	}
	m, err := board.ParseArrangement(fen + " b - - 0 1")
	if err != nil {
		t.Fatalf("%s mirrored: %v", b.FEN(), err)
	}
	return m
}

// POS-05 and D7: dead is what neither side can mate in by any sequence.
func TestDeadPosition(t *testing.T) {
	for fen, want := range map[string]bool{
		"8/8/8/4k3/5b2/3K4/8/2B5 w - - 0 33":    true,
		"5K2/8/8/1B6/8/k7/6b1/8 w - - 0 39":     true,
		"B1b1k3/3b4/4b3/8/8/8/8/4KB2 w - - 0 1": true,
		"7k/8/7K/2Bb4/8/8/8/8 b - - 0 1":        false,
		"8/8/4K3/8/1n6/8/5k1N/8 w - - 0 50":     false,
		"8/8/4K3/8/8/8/5k2/8 w - - 0 50":        true,
		"8/8/4K3/8/8/8/5k1N/8 w - - 0 50":       true,
		"8/8/4K3/8/8/8/5k1b/8 w - - 0 50":       true,
		"8/8/4K3/8/8/8/5kNN/8 w - - 0 50":       false,
		"8/8/4K3/8/8/8/5k1P/8 w - - 0 50":       false,
		"8/8/4K3/8/8/8/5k1r/8 w - - 0 50":       false,
	} {
		b, err := board.ParseFEN(fen)
		if err != nil {
			t.Fatal(err)
		}
		if got := deadPosition(&b); got != want {
			t.Errorf("%s: dead %v, want %v", fen, got, want)
		}
	}
}
