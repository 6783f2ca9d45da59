package board

import (
	"strings"
	"testing"
)

func TestFENRoundTrip(t *testing.T) {
	for _, p := range perfts {
		b, err := ParseFEN(p.fen)
		if err != nil {
			t.Fatal(err)
		}
		if b.FEN() != p.fen {
			t.Errorf("%s became %s", p.fen, b.FEN())
		}
		if want := strings.Join(strings.Fields(p.fen)[:2], " "); b.Placement() != want {
			t.Errorf("placement %q, want %q", b.Placement(), want)
		}
	}
	games(60, 8, func(b Board) {
		again, err := ParseArrangement(b.FEN())
		if err != nil {
			t.Fatal(err)
		}
		if again != b {
			t.Fatalf("%s became %s", b.FEN(), again.FEN())
		}
	})
	games(60, 0, func(b Board) {
		if _, err := ParseFEN(b.FEN()); err != nil {
			t.Fatal(err)
		}
	})
}

func TestFENErrors(t *testing.T) {
	tests := []struct{ name, fen, want string }{
		{"empty", "", "1 fields"},
		{"four fields", "4k3/8/8/8/8/8/8/4K3 w - -", "4 fields"},
		{"two spaces", "4k3/8/8/8/8/8/8/4K3  w - - 0 1", "7 fields"},
		{"seven ranks", "4k3/8/8/8/8/8/4K3 w - - 0 1", "7 ranks"},
		{"short rank", "4k3/7/8/8/8/8/8/4K3 w - - 0 1", "rank 7: 7 squares"},
		{"long rank", "4k3/8/8/8/8/8/8/4K4 w - - 0 1", "rank 1: 9 squares"},
		{"far too long a rank", "4k3/8/pppppppppppppppppppp/8/8/8/8/4K3 w - - 0 1", "rank 6: 20 squares"},
		{"unknown man", "4k3/8/8/8/8/4X3/8/4K3 w - - 0 1", "rank 3: 'X'"},
		{"a nine", "4k3/9/8/8/8/8/8/4K3 w - - 0 1", "rank 7: '9'"},
		{"two numbers", "4k3/44/8/8/8/8/8/4K3 w - - 0 1", "two numbers"},
		{"no white king", "4k3/8/8/8/8/8/8/8 w - - 0 1", "0 kings of w"},
		{"two black kings", "4k2k/8/8/8/8/8/8/4K3 w - - 0 1", "2 kings of b"},
		{"17 men", "4k3/8/8/8/PPPPPPPP/8/RNBQRNBQ/R3K3 w - - 0 1", "18 men of w"},
		{"nine pawns", "4k3/8/8/8/P7/8/PPPPPPPP/4K3 w - - 0 1", "9 pawns of w"},
		{"two queens with eight pawns", "4k3/8/8/8/8/QQ6/PPPPPPPP/4K3 w - - 0 1", "1 promoted men of w"},
		{"three knights too many", "nnnnnk2/pppppp2/8/8/8/8/8/4K3 w - - 0 1", "3 promoted men of b"},
		{"pawn on rank 8", "P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "pawn on a8"},
		{"pawn on rank 1", "4k3/8/8/8/8/8/8/p3K3 w - - 0 1", "pawn on a1"},
		{"no side on move", "4k3/8/8/8/8/8/8/4K3 x - - 0 1", "side on move"},
		{"empty castling", "4k3/8/8/8/8/8/8/4K3 w  - 0 1", "castling rights \"\""},
		{"castling order", "r3k2r/8/8/8/8/8/8/R3K2R w QK - 0 1", "castling rights \"QK\""},
		{"castling twice", "r3k2r/8/8/8/8/8/8/R3K2R w KK - 0 1", "castling rights \"KK\""},
		{"castling letter", "r3k2r/8/8/8/8/8/8/R3K2R w Kx - 0 1", "castling rights \"Kx\""},
		{"castling without rook", "r3k2r/8/8/8/8/8/8/R3K3 w K - 0 1", "right K without king on e1 and rook on h1"},
		{"castling without king", "r4k1r/8/8/8/8/8/8/R3K2R w q - 0 1", "right q without king on e8 and rook on a8"},
		{"castling with the enemy's rook", "4k3/8/8/8/8/8/8/4K2r w K - 0 1", "right K without"},
		{"en passant no square", "4k3/8/8/3pP3/8/8/8/4K3 w - d9 0 1", "en passant: square"},
		{"en passant wrong rank", "4k3/8/8/3pP3/8/8/8/4K3 w - d3 0 1", "en passant d3: wrong rank with w"},
		{"en passant wrong side", "4k3/8/8/3pP3/8/8/8/4K3 b - d6 0 1", "en passant d6: wrong rank with b"},
		{"en passant no pawn", "4k3/8/8/4P3/8/8/8/4K3 w - d6 0 1", "no pawn of b on d5"},
		{"en passant own pawn", "4k3/8/8/3PP3/8/8/8/4K3 w - d6 0 1", "no pawn of b on d5"},
		{"en passant not empty", "4k3/8/3n4/3pP3/8/8/8/4K3 w - d6 0 1", "must be empty"},
		{"en passant home square", "4k3/3p4/8/3pP3/8/8/8/4K3 w - d6 0 1", "d7 and d6 must be empty"},
		{"kings adjacent", "8/8/8/3k4/3K4/8/8/8 w - - 0 1", "kings on d4 and d5 are adjacent"},
		{"side not on move in check", "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "b is not on move and in check"},
		{"negative halfmove", "4k3/8/8/8/8/8/8/4K3 w - - -1 1", "halfmove clock \"-1\""},
		{"halfmove too large", "4k3/8/8/8/8/8/8/4K3 w - - 65536 1", "from 0 to 65535"},
		{"leading zero", "4k3/8/8/8/8/8/8/4K3 w - - 00 1", "halfmove clock \"00\""},
		{"plus sign", "4k3/8/8/8/8/8/8/4K3 w - - +1 1", "halfmove clock \"+1\""},
		{"move zero", "4k3/8/8/8/8/8/8/4K3 w - - 0 0", "move number \"0\""},
		{"move missing", "4k3/8/8/8/8/8/8/4K3 w - - 0 ", "move number \"\""},
		{"endless", strings.Repeat("8/", 5000) + " w - - 0 1", "5001 ranks"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b, err := ParseFEN(tt.fen)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("error %v, want ...%s...", err, tt.want)
			}
			if b != (Board{}) {
				t.Error("a board came with the error")
			}
			if len(err.Error()) > 250 {
				t.Errorf("error of %d bytes", len(err.Error()))
			}
		})
	}
}

// What only an illegal move leads to is no start of a game, yet can be read.
func TestArrangementReadsWhatIllegalMovesLeave(t *testing.T) {
	for _, fen := range []string{
		"8/8/8/3k4/3K4/8/8/8 w - - 0 1",
		"4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
		"P3k3/8/8/8/8/8/8/p3K3 b - - 3 9",
	} {
		if _, err := ParseFEN(fen); err == nil {
			t.Errorf("ParseFEN takes %s", fen)
		}
		if b := arrange(t, fen); b.FEN() != fen {
			t.Errorf("%s became %s", fen, b.FEN())
		}
	}
}

func TestUCI(t *testing.T) {
	for _, tt := range []struct {
		text string
		want Move
	}{
		{"a1a2", Move{From: 0, To: 8}},
		{"e2e4", Move{From: 12, To: 28}},
		{"h7h8n", Move{From: 55, To: 63, Promo: Knight}},
		{"a7a8q", Move{From: 48, To: 56, Promo: Queen}},
		{"e4e4", Move{From: 28, To: 28}},
	} {
		if got := uci(t, tt.text); got != tt.want || got.UCI() != tt.text {
			t.Errorf("%s read as %+v, written as %s", tt.text, got, got.UCI())
		}
	}
	for _, text := range []string{
		"", "e2", "e2e", "e2e44", "e2e4qq", "i2e4", "e0e4", "e2e9", "E2E4", "e7e8Q", "e7e8k", "e7e8p", "e7e8 ", "0000", "e2-e4", "é2e4", "\x00\x00\x00\x00",
	} {
		if m, err := ParseUCI(text); err == nil || m != (Move{}) {
			t.Errorf("%q read as %+v, error %v", text, m, err)
		}
	}
}

func TestSmallTypes(t *testing.T) {
	b := Start()
	if b.At(4) != NewPiece(White, King) || b.At(59).String() != "q" || b.At(30) != NoPiece || b.At(NoSquare) != NoPiece {
		t.Error("the men of the start stand elsewhere")
	}
	if b.King(White).String() != "e1" || b.King(Black).String() != "e8" || b.EnPassant() != NoSquare || NoSquare.String() != "-" {
		t.Error("kings or en passant of the start")
	}
	if b.Castling() != "KQkq" || b.Halfmove() != 0 || b.Fullmove() != 1 || b.Turn() != White {
		t.Error("state of the start")
	}
	if b.Count(White, Pawn) != 8 || b.Count(Black, Knight) != 2 || b.Count(White, NoKind) != 0 || b.Total(Black) != 16 {
		t.Error("counts of the start")
	}
	if sq := b.Squares(Black, Rook); len(sq) != 2 || sq[0].String() != "a8" || sq[1].String() != "h8" {
		t.Errorf("rooks on %v", sq)
	}
	men := 0
	for s, p := range b.Men() {
		men++
		if b.At(s) != p {
			t.Errorf("%s on %s", p, s)
		}
	}
	if men != 32 {
		t.Errorf("%d men", men)
	}
	for name, light := range map[string]bool{"a1": false, "h1": true, "e4": true, "d4": false, "h8": false, "a8": true} {
		if s, err := ParseSquare(name); err != nil || s.Light() != light {
			t.Errorf("%s light: %v, %v", name, s.Light(), err)
		}
	}
	if White.Other() != Black || Black.String() != "b" || NoPiece.String() != "" || Queen.String() != "Q" || NoKind.String() != "" {
		t.Error("names")
	}
	if c, err := ParseColor("b"); c != Black || err != nil {
		t.Error("b is black")
	}
	if _, err := ParseColor("W"); err == nil {
		t.Error("W is no colour")
	}
}
