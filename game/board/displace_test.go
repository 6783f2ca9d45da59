package board

import "testing"

func TestDisplace(t *testing.T) {
	const startFEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
	tests := []struct{ name, fen, move, want string }{
		{"double step", startFEN, "e2e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"},
		{"single step", startFEN, "e2e3", "rnbqkbnr/pppppppp/8/8/8/4P3/PPPP1PPP/RNBQKBNR b KQkq - 0 1"},
		{"knight out", startFEN, "g1f3", "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1"},
		{"three ranks is no double step", startFEN, "e2e5", "rnbqkbnr/pppppppp/8/4P3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"},
		{"the enemy's pawn two squares (W111)", startFEN, "e7e5", "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1"},
		{"double step over a man", "4k3/8/8/8/8/4n3/4P3/4K3 w - - 5 1", "e2e4", "4k3/8/8/8/4P3/4n3/8/4K3 b - - 0 1"},
		{"double step onto a man", "4k3/8/8/8/4n3/8/4P3/4K3 w - - 5 1", "e2e4", "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"},
		{"double step that leaves the king in check", "4k3/8/8/b7/8/8/3P4/4K3 w - - 5 1", "d2d4", "4k3/8/8/b7/3P4/8/8/4K3 b - d3 0 1"},
		{"double step from the third rank", "4k3/8/8/8/8/4P3/8/4K3 w - - 5 1", "e3e5", "4k3/8/8/4P3/8/8/8/4K3 b - - 0 1"},
		{"double step of Black", "4k3/4p3/8/8/8/8/8/4K3 b - - 5 7", "e7e5", "4k3/8/8/4p3/8/8/8/4K3 w - e6 0 8"},
		{"own man taken", startFEN, "a1a2", "rnbqkbnr/pppppppp/8/8/8/8/RPPPPPPP/1NBQKBNR b Kkq - 0 1"},
		{"own rook taken loses its right", startFEN, "b1a1", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/N1BQKBNR b Kkq - 0 1"},
		{"enemy rook taken loses its right", startFEN, "b1h8", "rnbqkbnN/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR b KQq - 0 1"},
		{"enemy rook moved loses its right", startFEN, "h8h5", "rnbqkbn1/pppppppp/8/7r/8/8/PPPPPPPP/RNBQKBNR b KQq - 1 1"},
		{"enemy king moved loses its rights", startFEN, "e8e5", "rnbq1bnr/pppppppp/8/4k3/8/8/PPPPPPPP/RNBQKBNR b KQ - 1 1"},
		{"man onto the enemy king goes back", startFEN, "g1e8", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 1 1"},
		{"rook onto the enemy king keeps its right", "4k3/8/8/8/8/8/8/4K2R w K - 3 4", "h1e8", "4k3/8/8/8/8/8/8/4K2R b K - 4 4"},
		{"onto the king: en passant has passed", "4k3/8/8/3pP3/8/8/8/4K1N1 w - d6 0 4", "g1e8", "4k3/8/8/3pP3/8/8/8/4K1N1 b - - 1 4"},
		{"black man onto the white king", "4k3/8/8/8/8/8/8/4K1n1 b - - 3 4", "g1e1", "4k3/8/8/8/8/8/8/4K1n1 w - - 4 5"},
		{"king onto king", "8/8/8/3k4/3K4/8/8/8 w - - 0 9", "d4d5", "8/8/8/3k4/3K4/8/8/8 b - - 1 9"},
		{"king next to king (W013)", "8/p7/8/3k4/8/3K4/7R/8 w - - 0 1", "d3d4", "8/p7/8/3k4/3K4/8/7R/8 b - - 1 1"},
		{"castling", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1"},
		{"castling long", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", "2kr3r/8/8/8/8/8/8/R3K2R w KQ - 1 2"},
		{"castling out of check", "4r1k1/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "4r1k1/8/8/8/8/8/8/5RK1 b - - 1 1"},
		{"castling gesture without the right", "4k3/8/8/8/8/8/8/4K2R w - - 0 1", "e1g1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"},
		{"castling gesture without a rook", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1g1", "4k3/8/8/8/8/8/8/6K1 b - - 1 1"},
		{"castling gesture with the enemy's rook", "4k3/8/8/8/8/8/8/4K2r w - - 0 1", "e1g1", "4k3/8/8/8/8/8/8/6Kr b - - 1 1"},
		{"castling gesture over b1", "4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1", "e1c1", "4k3/8/8/8/8/8/8/RNK5 b - - 1 1"},
		{"castling gesture onto a man", "4k3/8/8/8/8/8/8/4K1NR w K - 0 1", "e1g1", "4k3/8/8/8/8/8/8/6KR b - - 0 1"},
		{"castling gesture with the enemy's king", "4k2r/8/8/8/8/8/8/4K3 w k - 0 1", "e8g8", "6kr/8/8/8/8/8/8/4K3 b - - 1 1"},
		{"castling gesture on the other first rank", "4K2R/8/8/8/8/8/8/4k3 w - - 0 1", "e8g8", "6KR/8/8/8/8/8/8/4k3 b - - 1 1"},
		{"en passant", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "4k3/8/3P4/8/8/8/8/4K3 b - - 0 1"},
		{"en passant gesture without the right", "4k3/8/8/3pP3/8/8/8/4K3 w - - 7 1", "e5d6", "4k3/8/3P4/8/8/8/8/4K3 b - - 0 1"},
		{"en passant gesture of Black", "4k3/8/8/8/3pP3/8/8/4K3 b - - 7 1", "d4e3", "4k3/8/8/8/8/4p3/8/4K3 w - - 0 2"},
		{"en passant gesture backwards", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d4", "4k3/8/8/3p4/3P4/8/8/4K3 b - - 0 1"},
		{"en passant gesture beside a knight", "4k3/8/8/3nP3/8/8/8/4K3 w - - 0 1", "e5d6", "4k3/8/3P4/3n4/8/8/8/4K3 b - - 0 1"},
		{"en passant gesture beside an own pawn", "4k3/8/8/3PP3/8/8/8/4K3 w - - 0 1", "e5d6", "4k3/8/3P4/3P4/8/8/8/4K3 b - - 0 1"},
		{"en passant gesture from the fourth rank", "4k3/8/8/8/3pP3/8/8/4K3 w - - 0 1", "e4d5", "4k3/8/8/3P4/3p4/8/8/4K3 b - - 0 1"},
		{"sideways onto a man is a plain capture", "4k3/8/3n4/3pP3/8/8/8/4K3 w - - 0 1", "e5d6", "4k3/8/3P4/3p4/8/8/8/4K3 b - - 0 1"},
		{"the enemy's pawn takes nothing in passing", "4k3/8/8/8/3pP3/8/8/4K3 w - - 7 1", "d4e3", "4k3/8/8/8/4P3/4p3/8/4K3 b - - 0 1"},
		{"the enemy's pawn along the mover's way", "4k3/8/8/3pp3/8/8/8/4K3 w - - 7 1", "e5d6", "4k3/8/3p4/3p4/8/8/8/4K3 b - - 0 1"},
		{"the enemy's pawn two squares the mover's way", "4k3/8/8/8/8/8/3p4/4K3 w - - 7 1", "d2d4", "4k3/8/8/8/3p4/8/8/4K3 b - - 0 1"},
		{"around the edge takes nothing", "4k3/8/8/P6p/8/8/8/4K3 w - - 0 1", "a5h6", "4k3/8/7P/7p/8/8/8/4K3 b - - 0 1"},
		{"promotion without a piece (W107)", "8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8", "Q7/7k/8/8/8/8/8/K7 b - - 0 1"},
		{"promotion to a rook (W109)", "8/5P1k/8/6K1/8/8/8/8 w - - 0 1", "f7f8r", "5R2/7k/8/6K1/8/8/8/8 b - - 0 1"},
		{"promotion of Black", "4k3/8/8/8/8/8/p7/1R2K3 b - - 0 1", "a2b1n", "4k3/8/8/8/8/8/8/1n2K3 w - - 0 2"},
		{"promotion from afar", "4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "a2a8", "Q3k3/8/8/8/8/8/8/4K3 b - - 0 1"},
		{"promotion that is none", "4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "a2a3q", "4k3/8/8/8/8/P7/8/4K3 b - - 0 1"},
		{"back to the first rank", "4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "a2a1", "4k3/8/8/8/8/8/8/P3K3 b - - 0 1"},
		{"the enemy's pawn on its last rank", "4k3/8/8/8/8/8/p7/4K3 w - - 0 1", "a2a1q", "4k3/8/8/8/8/8/8/p3K3 b - - 0 1"},
		{"nothing there", startFEN, "e4e5", startFEN},
		{"no distance", startFEN, "e2e2", startFEN},
		{"counters full", "4k3/8/8/8/8/8/8/4K3 b - - 65535 65535", "e8e7", "8/4k3/8/8/8/8/8/4K3 w - - 65535 65535"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := arrange(t, tt.fen)
			if got := b.Displace(uci(t, tt.move)).FEN(); got != tt.want {
				t.Errorf("%s on %s\n got  %s\n want %s", tt.move, tt.fen, got, tt.want)
			}
			if b != arrange(t, tt.fen) {
				t.Error("the board itself changed")
			}
		})
	}
}

// What holds on every board, however it came about.
func TestDisplaceInvariants(t *testing.T) {
	games(200, 2, func(b Board) {
		if n, m := b.Count(White, King), b.Count(Black, King); n != 1 || m != 1 {
			t.Fatalf("%s: %d and %d kings", b.FEN(), n, m)
		}
		if b.sides[White]&b.sides[Black] != 0 {
			t.Fatalf("%s: two men on one square", b.FEN())
		}
		var all set
		for _, men := range b.kinds {
			if all&men != 0 {
				t.Fatalf("%s: a man of two kinds", b.FEN())
			}
			all |= men
		}
		if all != b.all() {
			t.Fatalf("%s: a man without an owner or a kind", b.FEN())
		}
	})
}

func TestNormal(t *testing.T) {
	b := arrange(t, "4k3/P7/8/8/8/8/p6P/4K3 w - - 0 1")
	for move, want := range map[string]string{
		"a7a8": "a7a8q", "a7a8n": "a7a8n", "h2h8": "h2h8q", "h2h3q": "h2h3", "a2a1q": "a2a1", "a2a8q": "a2a8", "e1e8q": "e1e8", "d4d8q": "d4d8",
	} {
		if got := b.Normal(uci(t, move)).UCI(); got != want {
			t.Errorf("%s became %s, want %s", move, got, want)
		}
	}
	king := Move{From: 48, To: 56, Promo: King}
	if got := b.Normal(king).Promo; got != Queen {
		t.Errorf("promotion to a king became %s", got)
	}
	beyond := Move{From: NoSquare, To: 200, Promo: King}
	if b.Displace(beyond) != b || b.Legal(beyond) || b.Pseudo(beyond) || b.OnlyAdjacent(beyond) || b.AnyLegalFrom(200) {
		t.Error("something happened off the board")
	}
}
