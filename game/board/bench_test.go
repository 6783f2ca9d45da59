package board

import "testing"

// Kept where the compiler sees that results are used.
var (
	sinkBool  bool
	sinkBoard Board
	sinkKey   Key
)

func BenchmarkLegal(b *testing.B) {
	for _, bb := range []struct{ name, fen, move string }{
		{"quiet", perfts[1].fen, "f3f6"},
		{"castling", perfts[1].fen, "e1g1"},
		{"pawn", perfts[0].fen, "e2e4"},
		{"illegal", perfts[0].fen, "g1g3"},
	} {
		b.Run(bb.name, func(b *testing.B) {
			pos := mustFEN(bb.fen)
			m, err := ParseUCI(bb.move)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				sinkBool = pos.Legal(m)
			}
		})
	}
}

func BenchmarkAnyLegal(b *testing.B) {
	for _, bb := range []struct{ name, fen string }{
		{"middle game", perfts[1].fen},
		{"mate", "R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 1 1"},
	} {
		b.Run(bb.name, func(b *testing.B) {
			pos := mustFEN(bb.fen)
			b.ReportAllocs()
			for b.Loop() {
				sinkBool = pos.AnyLegal()
			}
		})
	}
}

func BenchmarkDisplace(b *testing.B) {
	pos := mustFEN(perfts[1].fen)
	m := Move{From: 21, To: 45} // Qf3xf6
	b.ReportAllocs()
	for b.Loop() {
		sinkBoard = pos.Displace(m)
	}
}

func BenchmarkKey(b *testing.B) {
	pos := mustFEN("8/8/8/K2pP2r/8/8/8/7k w - d6 0 1")
	b.ReportAllocs()
	for b.Loop() {
		sinkKey = pos.Key()
	}
}

func BenchmarkLegalMoves(b *testing.B) {
	pos := mustFEN(perfts[1].fen)
	b.ReportAllocs()
	for b.Loop() {
		pos.LegalMoves()
	}
}

func TestHotPathDoesNotAllocate(t *testing.T) {
	pos := mustFEN(perfts[1].fen)
	m := Move{From: 4, To: 6}
	if n := testing.AllocsPerRun(100, func() {
		sinkBool = pos.Legal(m) && pos.AnyLegal() && pos.Pseudo(m) && pos.OnlyAdjacent(m)
		sinkBoard = pos.Displace(m)
		sinkKey = sinkBoard.Key()
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
