package endgame

import (
	"testing"

	"flagfall/game/board"
)

func BenchmarkHelpmate(b *testing.B) {
	for _, bb := range []struct {
		name, fen string
		side      board.Color
	}{
		{"bare king", "4k3/8/8/8/8/8/8/4K2R w - - 0 1", board.Black},
		{"lone bishop", "4k2r/8/8/8/8/8/8/1B2K3 w - - 0 1", board.White},
		{"rook", "8/8/3k4/8/8/3K4/8/R7 w - - 0 1", board.White},
		{"pawn", "8/8/3k4/8/8/3K4/P7/8 w - - 0 1", board.White},
		{"start", board.Start().FEN(), board.White},
		{"middle game", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", board.White},
		{"knight v pawn", "8/7p/8/3k4/8/3K1N2/8/8 b - - 0 1", board.White},
		{"bishop v rook pawn far away", "8/8/8/4k3/2b5/8/P7/4K3 w - - 0 1", board.Black},
		{"wall", "4k3/8/3b4/p1p1p1p1/PpPpPpPp/1P1P1P1P/4B3/4K3 w - - 0 1", board.White},
		{"budget spent", "4k3/8/8/8/8/8/8/p3K2N w - - 0 1", board.White},
	} {
		b.Run(bb.name, func(b *testing.B) {
			p := mustBoard(b, bb.fen)
			b.ReportAllocs()
			for b.Loop() {
				Helpmate(p, bb.side, PossibleNodes)
			}
		})
	}
}

func BenchmarkDead(b *testing.B) {
	for _, bb := range []struct{ name, fen string }{
		{"start", board.Start().FEN()},
		{"middle game", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"},
		{"rook ending", "8/5k2/r5p1/7p/5P1P/3K2P1/R7/8 w - - 0 1"},
		{"knights", "4k2n/8/8/8/8/8/8/N3K3 w - - 0 1"},
		{"bishops of one colour", "4k1b1/8/8/8/8/8/8/1B2K3 w - - 0 1"},
		{"wall", "4k3/8/3b4/p1p1p1p1/PpPpPpPp/1P1P1P1P/4B3/4K3 w - - 0 1"},
	} {
		b.Run(bb.name, func(b *testing.B) {
			p := mustBoard(b, bb.fen)
			b.ReportAllocs()
			for b.Loop() {
				Dead(p, PossibleNodes)
			}
		})
	}
}

func BenchmarkHelpmateWithoutSearch(b *testing.B) {
	p := board.Start()
	for b.Loop() {
		Helpmate(p, board.White, 0)
	}
}

func BenchmarkConfined(b *testing.B) {
	for _, fen := range []string{
		board.Start().FEN(),
		"8/8/1Q1K3P/1n2P3/k7/8/8/8 w - - 5 147",
		"3B3N/1k6/8/8/8/3n1K2/8/N7 w - - 8 101",
		"4kb2/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/2B1K3 w - - 0 1",
	} {
		b.Run(fen, func(b *testing.B) {
			p := mustBoard(b, fen)
			for b.Loop() {
				confined(&p, board.White)
			}
		})
	}
}
