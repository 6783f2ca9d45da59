package board

import (
	"strings"
	"testing"

	"github.com/notnil/chess"
)

func TestSAN(t *testing.T) {
	const startFEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
	tests := []struct{ name, fen, move, san, neutral string }{
		{"pawn", startFEN, "e2e4", "e4", "e2-e4"},
		{"knight", startFEN, "g1f3", "Nf3", "Ng1-f3"},
		{"pawn takes", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "exd5", "e4xd5"},
		{"en passant", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6", "e5xd6"},
		{"castling", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "O-O", "O-O"},
		{"castling long", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", "O-O-O", "O-O-O"},
		{"castling with check", "5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+", "O-O"},
		{"promotion", "8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8", "a8=Q", "a7-a8=Q"},
		{"promotion takes with check", "1r5k/P7/8/8/8/8/8/K7 w - - 0 1", "a7b8r", "axb8=R+", "a7xb8=R"},
		{"mate (W083)", "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "a1a8", "Ra8#", "Ra1-a8"},
		{"check", "6k1/5pp1/8/8/8/8/5PPP/R5K1 w - - 0 1", "a1a8", "Ra8+", "Ra1-a8"},
		{"knight mates (W125)", "8/8/8/8/8/8/p1K5/k1N5 w - - 0 1", "c1b3", "Nb3#", "Nc1-b3"},
		{"two knights, file", "4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1", "b1d2", "Nbd2", "Nb1-d2"},
		{"two rooks, rank", "4k3/8/8/R7/8/8/8/R3K3 w - - 0 1", "a1a3", "R1a3", "Ra1-a3"},
		{"two rooks, file first", "4k3/8/8/8/R7/8/8/3RK3 w - - 0 1", "a4d4", "Rad4", "Ra4-d4"},
		{"three queens, both", "6k1/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1", "Qh4-e1"},
		{"a pinned twin does not count", "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2", "Ng1-e2"},
		{"illegal: pinned", "4r1k1/8/8/8/8/8/4R3/4K3 w - - 0 1", "e2d2", "Re2-d2", "Re2-d2"},
		{"illegal: on own man", startFEN, "a1a2", "Ra1xa2", "Ra1xa2"},
		{"illegal: enemy's pawn", startFEN, "e7e5", "e7-e5", "e7-e5"},
		{"illegal: king far", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1e5", "Ke1-e5", "Ke1-e5"},
		{"illegal: en passant too late", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "e5d6", "e5xd6", "e5xd6"},
		{"illegal: castling", "4kr2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O", "O-O"},
		{"illegal: king taken", "4k3/8/8/8/8/8/8/K3R3 w - - 0 1", "e1e8", "Re1xe8", "Re1xe8"},
		{"nothing there", startFEN, "e4e5", "e4e5", "e4e5"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b, m := arrange(t, tt.fen), uci(t, tt.move)
			if got := b.SAN(m); got != tt.san {
				t.Errorf("SAN %s, want %s", got, tt.san)
			}
			if got := b.Neutral(m); got != tt.neutral {
				t.Errorf("neutral %s, want %s", got, tt.neutral)
			}
			if !b.Legal(m) {
				return
			}
			if back, err := b.ParseSAN(tt.san); err != nil || back != b.Normal(m) {
				t.Errorf("%s read as %s, %v", tt.san, back, err)
			}
		})
	}
}

func TestParseSANVariants(t *testing.T) {
	tests := []struct{ fen, san, want string }{
		{"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "ed5", "e4d5"},
		{"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4xd5!?", "e4d5"},
		{"4k3/8/8/3n4/8/2N5/8/4K3 w - - 0 1", "Nd5", "c3d5"},
		{"4k3/8/8/3n4/8/2N5/8/4K3 w - - 0 1", "Nc3xd5", "c3d5"},
		{"6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "Ra8", "a1a8"},
		{"6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "Ra8#!!", "a1a8"},
		{"8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8", "a7a8q"},
		{"8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8=N", "a7a8n"},
		// Only the d-pawn can be meant, the capture needs its file.
		{"4k3/8/3p4/4p3/3P4/8/8/4K3 w - - 0 1", "d5", "d4d5"},
		{"4k3/8/3p4/4p3/3P4/8/8/4K3 w - - 0 1", "dxe5", "d4e5"},
	}
	for _, tt := range tests {
		if m, err := arrange(t, tt.fen).ParseSAN(tt.san); err != nil || m.UCI() != tt.want {
			t.Errorf("%s on %s read as %s, %v; want %s", tt.san, tt.fen, m, err, tt.want)
		}
	}
}

func TestParseSANErrors(t *testing.T) {
	tests := []struct{ name, fen, san, want string }{
		{"empty", perfts[0].fen, "", "want algebraic"},
		{"marks only", perfts[0].fen, "+#", "want algebraic"},
		{"one letter", perfts[0].fen, "N", "want algebraic"},
		{"no square", perfts[0].fen, "Nf9", "want algebraic"},
		{"rank before file", perfts[0].fen, "N1gf3", "want algebraic"},
		{"too much origin", perfts[0].fen, "Ng1gf3", "want algebraic"},
		{"lower-case knight", perfts[0].fen, "nf3", "want algebraic"},
		{"promotion to a king", "8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8=K", "want algebraic"},
		{"promotion to nothing", "8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8=", "want algebraic"},
		{"promotion of a knight", perfts[0].fen, "Nf3=Q", "no such legal move for w"},
		{"illegal", perfts[0].fen, "Ng3", "no such legal move for w"},
		{"a capture that is none", perfts[0].fen, "Nxf3", "no such legal move"},
		{"castling too early", perfts[0].fen, "O-O", "no such legal move"},
		{"castling as a king move", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "Kg1", "no such legal move"},
		{"capture without its file", "4k3/8/8/4p3/3P4/8/8/4K3 w - - 0 1", "xe5", "no such legal move"},
		{"ambiguous", "4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1", "Nd2", "ambiguous, b1d2 or f1d2"},
		{"not text", perfts[0].fen, "\xff\xfe\x00", "want algebraic"},
		{"endless", perfts[0].fen, strings.Repeat("N", 9999), "want algebraic"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, err := arrange(t, tt.fen).ParseSAN(tt.san)
			if err == nil || !strings.Contains(err.Error(), tt.want) || m != (Move{}) {
				t.Errorf("read as %s, error %v, want ...%s...", m, err, tt.want)
			}
		})
	}
}

// The library writes the same, and what was written is read back.
func TestSANAgainstLibrary(t *testing.T) {
	seen := 0
	games(60, 0, func(b Board) {
		if seen++; seen%10 != 0 {
			return
		}
		pos := b.position()
		for _, v := range pos.ValidMoves() {
			m := Move{From: Square(v.S1()), To: Square(v.S2()), Promo: fromLibrary[v.Promo()]}
			want := chess.AlgebraicNotation{}.Encode(pos, v)
			if got := b.SAN(m); got != want {
				t.Fatalf("%s: %s is %s, the library says %s", b.FEN(), m, got, want)
			}
			if back, err := b.ParseSAN(want); err != nil || back != m {
				t.Fatalf("%s: %s read as %s, %v", b.FEN(), want, back, err)
			}
		}
	})
}
