package board

import (
	"strings"
	"testing"
)

func TestKeyCountsRepetitions(t *testing.T) {
	const startFEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
	tests := []struct {
		name, fen, moves string
		key, seen        int // how often the last position has stood on the board
	}{
		{"a phantom en-passant square", startFEN,
			"e4 e5 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8", 3, 3},
		{"a pinned capture en passant", startFEN,
			"e4 c5 e5 Qb6 Nf3 Qe6 Ng1 d5 Nf3 Nc6 Ng1 Nb8 Nf3 Nc6 Ng1 Nb8", 3, 3},
		{"a capture en passant into check", "6k1/1p2p1rp/rP1pR3/2pP1pP1/p1P2P1P/R5K1/8/8 b - - 0 1",
			"h5 Rh6 Rh7 Re6 Rg7 Rh6 Rh7 Re6 Rg7", 3, 3},
		{"a legal capture en passant", "4k3/8/8/8/4p3/8/3P4/4K2R w - - 0 1",
			"d4 Ke7 Kd2 Ke8 Ke1 Ke7 Kd2 Ke8 Ke1", 2, 3},
		// The men stand alike after 1...e5, 3...Ng8, 5...Ke8 and 7...Nb8, the first
		// two times with rights that the kings have lost since.
		{"castling rights lost", startFEN,
			"e4 e5 Nf3 Nf6 Ng1 Ng8 Ke2 Ke7 Ke1 Ke8 Na3 Na6 Nb1 Nb8", 2, 4},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := mustFEN(tt.fen)
			keys, seen := map[Key]int{b.Key(): 1}, map[Key]int{b.Seen(): 1}
			for _, san := range strings.Fields(tt.moves) {
				m, err := b.ParseSAN(san)
				if err != nil {
					t.Fatal(err)
				}
				b = b.Displace(m)
				keys[b.Key()]++
				seen[b.Seen()]++
			}
			if got := keys[b.Key()]; got != tt.key {
				t.Errorf("stood there %d times, want %d", got, tt.key)
			}
			if got := seen[b.Seen()]; got != tt.seen {
				t.Errorf("seen there %d times, want %d", got, tt.seen)
			}
		})
	}
}

func TestKeyTellsPositionsApart(t *testing.T) {
	base := "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
	tests := []struct {
		name, a, b string
		key, seen  bool // equal
	}{
		{"counters", base, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 7 9", true, true},
		{"a right", base, "r3k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1", false, true},
		{"turn", base, "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", false, false},
		{"a man", base, "r3k2r/8/8/8/8/8/8/R3K1R1 w Qkq - 0 1", false, false},
		{"colours", "4k3/8/8/3n4/8/8/8/4K3 w - - 0 1", "4k3/8/8/3N4/8/8/8/4K3 w - - 0 1", false, false},
		{"kinds", "4k3/8/8/3n4/8/8/8/4K3 w - - 0 1", "4k3/8/8/3b4/8/8/8/4K3 w - - 0 1", false, false},
		{"en passant, nobody there", "4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1", "4k3/8/8/3p4/8/8/8/4K3 w - - 0 1", true, true},
		{"en passant, a pawn there", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", false, true},
		{"en passant, only the second of two can", "k3r3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1", "k3r3/8/8/2PpP3/8/8/8/4K3 w - - 0 1", false, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, b := mustFEN(tt.a), mustFEN(tt.b)
			if got := a.Key() == b.Key(); got != tt.key {
				t.Errorf("keys equal: %v", got)
			}
			if got := a.Seen() == b.Seen(); got != tt.seen {
				t.Errorf("seen equal: %v", got)
			}
		})
	}
}
