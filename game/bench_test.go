package game_test

import (
	"testing"

	"flagfall/game"
	"flagfall/game/board"
)

// must decides and applies.
func must(b *testing.B, g *game.Game, c game.Command, at int64) []game.Event {
	events, err := g.Decide(c, at)
	if err != nil {
		b.Fatal(err)
	}
	for _, e := range events {
		g.Apply(e)
	}
	return events
}

func started(b *testing.B) *game.Game {
	setup := game.NewSetup(game.Player{ID: "1"}, game.Player{ID: "2"}, 300000, game.OverTheBoard)
	setup.Options.Presence = false
	setup.FEN = "r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R w KQkq - 0 6"
	g := game.New()
	must(b, g, game.Command{Kind: game.Create, By: game.None, Setup: &setup}, 0)
	return g
}

func uci(b *testing.B, text string) board.Move {
	m, err := board.ParseUCI(text)
	if err != nil {
		b.Fatal(err)
	}
	return m
}

// BenchmarkMove is a legal release and its press, decided and applied.
func BenchmarkMove(b *testing.B) {
	g := started(b)
	knights := []board.Move{uci(b, "f3g1"), uci(b, "f6g8"), uci(b, "g1f3"), uci(b, "g8f6")}
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		by := game.Side(n & 1)
		must(b, g, game.Command{Kind: game.Release, By: by, Move: knights[n&3], Ply: game.AnyPly}, 0)
		must(b, g, game.Command{Kind: game.Press, By: by, Ply: game.AnyPly}, 0)
	}
}

// BenchmarkRefusedRelease is what a flood of moves out of turn costs.
func BenchmarkRefusedRelease(b *testing.B) {
	g, move := started(b), uci(b, "f6g8")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := g.Decide(game.Command{Kind: game.Release, By: game.Black, Move: move, Ply: game.AnyPly}, 0); err == nil {
			b.Fatal("accepted")
		}
	}
}

func BenchmarkClaim(b *testing.B) {
	for _, claim := range []game.Claim{game.ClaimIllegal, game.ClaimTime, game.ClaimBothFlags} {
		b.Run(string(claim), func(b *testing.B) {
			g := started(b)
			must(b, g, game.Command{Kind: game.Release, By: game.White, Move: uci(b, "e1e3"), Ply: game.AnyPly, Press: true}, 0)
			b.ReportAllocs()
			for b.Loop() {
				_, _ = g.Decide(game.Command{Kind: game.MakeClaim, By: game.Black, Claim: claim}, 1000)
			}
		})
	}
}

func BenchmarkMerge(b *testing.B) {
	batch := []game.Command{{Kind: game.MakeClaim, By: game.White, Claim: game.ClaimTime}, {Kind: game.Press, By: game.Black},
		{Kind: game.Resign, By: game.White}, {Kind: game.MakeClaim, By: game.Black, Claim: game.ClaimIllegal}}
	b.ReportAllocs()
	for b.Loop() {
		game.Merge(batch)
	}
}

func BenchmarkAppendEvent(b *testing.B) {
	e := game.Event{Kind: game.Pressed, By: game.White, At: 123456, Charged: 2345, Credit: 30, Lag: 30, Left: [2]int64{290000, 288000}}
	var dst []byte
	b.ReportAllocs()
	for b.Loop() {
		var err error
		if dst, err = game.AppendEvent(dst[:0], e); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParseEvent(b *testing.B) {
	text := []byte(`{"k":"pressed","at":123456,"by":"w","charged":2345,"credit":30,"lag":30,"left":[290000,288000]}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := game.ParseEvent(text); err != nil {
			b.Fatal(err)
		}
	}
}
