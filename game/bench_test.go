package game_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
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

// step is a command, and the game as it stands before.
type step struct {
	name    string
	game    *game.Game
	command game.Command
}

// steps are a release, its press and both in one.
func steps(b *testing.B) []step {
	move := uci(b, "f3g1")
	released := started(b)
	must(b, released, game.Command{Kind: game.Release, By: game.White, Move: move, Ply: game.AnyPly}, 0)
	return []step{
		{"release", started(b), game.Command{Kind: game.Release, By: game.White, Move: move, Ply: game.AnyPly}},
		{"press", released, game.Command{Kind: game.Press, By: game.White, Ply: game.AnyPly}},
		{"both", started(b), game.Command{Kind: game.Release, By: game.White, Move: move, Ply: game.AnyPly, Press: true}},
	}
}

// BenchmarkDecide is what judging a move costs.
func BenchmarkDecide(b *testing.B) {
	for _, s := range steps(b) {
		b.Run(s.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.game.Decide(s.command, 1000); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkApply is what taking it in costs.
func BenchmarkApply(b *testing.B) {
	for _, s := range steps(b) {
		b.Run(s.name, func(b *testing.B) {
			events, err := s.game.Decide(s.command, 1000)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				again := *s.game // what is appended to its history is thrown away
				for _, e := range events {
					again.Apply(e)
				}
			}
		})
	}
}

// wandered is a game of so many legal plies, picked by chance, that has not ended; men are taken only where
// they must be, and pawns move seldom.
func wandered(b *testing.B, rules string, plies int) *game.Game {
	b.Helper()
	for seed := uint64(1); ; seed++ {
		random := rand.New(rand.NewPCG(seed, 3))
		setup := game.Setup{RuleSet: rules, Mode: game.OverTheBoard, Base: [2]int64{300000, 300000}}
		g := game.New()
		must(b, g, game.Command{Kind: game.Create, By: game.None, Setup: &setup}, 0)
		for len(g.Plies()) < plies && g.Phase() == game.Play {
			position := g.Board()
			legal := position.AppendLegal(nil)
			quiet := slices.DeleteFunc(slices.Clone(legal), func(m board.Move) bool {
				return position.At(m.To) != board.NoPiece || position.Halfmove() < 100 && position.At(m.From).Kind() == board.Pawn
			})
			if len(quiet) > 0 {
				legal = quiet
			}
			c := game.Command{Kind: game.Release, By: game.Side(position.Turn()), Move: legal[random.IntN(len(legal))], Ply: game.AnyPly}
			must(b, g, c, 0)
			if g.Phase() == game.Play {
				must(b, g, game.Command{Kind: game.Press, By: c.By, Ply: game.AnyPly}, 0)
			}
		}
		position := g.Board()
		if g.Phase() == game.Play && !position.InCheck(position.Turn()) {
			return g
		}
	}
}

// BenchmarkMoveAtPly is a legal release and its press early and late in a game: what it costs does not grow.
func BenchmarkMoveAtPly(b *testing.B) {
	for _, rules := range game.RuleSets() {
		for _, plies := range []int{10, 300} {
			b.Run(fmt.Sprintf("%s/%d", rules, plies), func(b *testing.B) {
				g := wandered(b, rules, plies)
				position := g.Board()
				legal := position.AppendLegal(nil)
				by := game.Side(position.Turn())
				b.ReportAllocs()
				for n := 0; b.Loop(); n++ {
					again := *g // what is appended to its history is thrown away
					must(b, &again, game.Command{Kind: game.Release, By: by, Move: legal[n%len(legal)], Ply: game.AnyPly}, 0)
					if again.Phase() == game.Play {
						must(b, &again, game.Command{Kind: game.Press, By: by, Ply: game.AnyPly}, 0)
					}
				}
			})
		}
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

// BenchmarkClaim is every claim that is judged without a search, in the middle of a game of 300 plies.
func BenchmarkClaim(b *testing.B) {
	for _, claim := range []game.Claim{game.ClaimIllegal, game.ClaimTime, game.ClaimBothFlags, game.ClaimDraw, game.ClaimPerpetual,
		game.ClaimPawn, game.ClaimNoMating} {
		b.Run(string(claim), func(b *testing.B) {
			g := wandered(b, "wbca", 300)
			position := g.Board()
			by := game.Side(position.Turn())
			hop := game.Command{Kind: game.Release, By: by, Move: board.Move{From: position.King(board.Color(by)), To: 0}, Ply: game.AnyPly}
			for position.Legal(hop.Move) || position.At(hop.Move.To).Kind() == board.King {
				hop.Move.To++
			}
			must(b, g, hop, 0)
			must(b, g, game.Command{Kind: game.Press, By: by, Ply: game.AnyPly}, 0)
			b.ReportAllocs()
			for b.Loop() {
				_, _ = g.Decide(game.Command{Kind: game.MakeClaim, By: by.Other(), Claim: claim}, 1000)
			}
		})
	}
	for _, rules := range []string{"uscf", "cca", "fide"} {
		for _, claim := range []game.Claim{game.ClaimThreefold, game.ClaimFifty, game.ClaimIllegal} {
			b.Run(rules+"/"+string(claim), func(b *testing.B) {
				g := wandered(b, rules, 300)
				position := g.Board()
				b.ReportAllocs()
				for b.Loop() {
					_, _ = g.Decide(game.Command{Kind: game.MakeClaim, By: game.Side(position.Turn()), Claim: claim}, 1000)
				}
			})
		}
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
