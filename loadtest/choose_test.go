package main

import (
	"math/rand/v2"
	"testing"

	"flagfall/game/board"
	"flagfall/server/wire"
)

// TestChoice walks at random through games with illegal moves in them and checks every choice with the full list of
// legal moves.
func TestChoice(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	illegal := 0
	for range 40 {
		b := board.Start()
		for range 60 {
			legal := map[board.Move]bool{}
			for _, m := range b.LegalMoves() {
				legal[m] = true
			}
			m, ok := legalMove(&b, rng, 0.5, board.NoSquare)
			if ok != (len(legal) > 0) || ok && !legal[b.Normal(m)] {
				t.Fatalf("%s: legal move %v, %v", b.FEN(), m, ok)
			}
			if !ok {
				break
			}
			if bad, ok := illegalMove(&b, rng); ok {
				man, target := b.At(bad.From), b.At(bad.To)
				if legal[b.Normal(bad)] || man == board.NoPiece || bad.From == bad.To || target.Kind() == board.King {
					t.Fatalf("%s: illegal move %v", b.FEN(), bad)
				}
				if rng.Float64() < 0.1 {
					m = bad
					illegal++
				}
			}
			b = b.Displace(m)
		}
	}
	if illegal < 50 {
		t.Errorf("only %d illegal moves were chosen", illegal)
	}
}

func TestKingCapture(t *testing.T) {
	tests := map[string]string{
		"R3r1k1/5ppp/8/8/8/8/5PPP/4K3 b - - 1 1": "e8e1", // W010
		"8/8/8/8/R3r2k/P7/8/4K3 b - - 0 1":       "e4e1", // W116: a pinned man takes too
		"8/p7/8/3k4/3K4/8/7R/8 b - - 1 1":        "",     // W014: a king does not take a king
	}
	for fen, want := range tests {
		b, err := board.ParseArrangement(fen)
		if err != nil {
			t.Fatal(err)
		}
		m, ok := kingCapture(&b)
		if ok != (want != "") || ok && m.UCI() != want {
			t.Errorf("%s: %v %v, want %q", fen, m, ok, want)
		}
	}
}

// TestView follows W003 and W124 as Black sees them: a retracted move, then a reply that waits for the press.
func TestView(t *testing.T) {
	v := newView()
	told := func(e ...wire.Event) {
		if err := v.apply(&frame{T: "ev", E: e, Clocks: wire.Clocks{Run: "w"}}, board.Black); err != nil {
			t.Fatal(err)
		}
	}
	told(wire.Event{K: "start"})
	told(wire.Event{K: "move", By: "w", M: "g1g3"})
	if !v.theirs(board.Black) || v.nextPly(board.Black) != 1 {
		t.Error("White's released move is not seen")
	}
	told(wire.Event{K: "back", By: "w", M: "g1g3"})
	if v.theirs(board.Black) {
		t.Error("the retracted move is still seen")
	}
	told(wire.Event{K: "move", By: "w", M: "g1g3"})
	told(wire.Event{K: "queued", By: "b", M: "e7e5"})
	told(wire.Event{K: "press", By: "w"}, wire.Event{K: "move", By: "b", M: "e7e5"})
	if v.queued || !v.mine(board.Black) || v.plies != 1 {
		t.Errorf("after the press: queued %v, mine %v, %d plies", v.queued, v.mine(board.Black), v.plies)
	}
	told(wire.Event{K: "press", By: "b"})
	if want := "rnbqkbnr/pppp1ppp/8/4p3/8/6N1/PPPPPPPP/RNBQKB1R w"; v.board.Placement() != want {
		t.Errorf("board %s, want %s", v.board.Placement(), want)
	}
	if err := v.apply(&frame{T: "ev", E: []wire.Event{{K: "move", By: "w", M: "z9"}}}, board.Black); err == nil {
		t.Error("a move that is none was taken")
	}
}
