package lobby

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"flagfall/game"
	"flagfall/server/actor"
)

// BenchmarkPairing is two people who seek the same in a pool where 1,000 wait for something else, decided and applied until
// they are seated.
func BenchmarkPairing(b *testing.B) {
	p := newPools(ID).(*pools)
	do := func(cmd any) {
		events, err := p.Decide(cmd, 0)
		if err != nil {
			b.Fatal(err)
		}
		for _, e := range events {
			p.Apply(e)
		}
	}
	person := func(n int) game.Player { return game.Player{ID: fmt.Sprintf("P%015d", n), Name: "P"} }
	const waiting = 1000
	for n := range waiting {
		do(connect{Who: person(n)})
		do(learn{Who: person(n).ID})
		do(wantSeek{seek{ID: fmt.Sprint(n), Who: person(n), Terms: fast(int64(420_001 + 1000*n)), Game: "g"}})
	}
	one, other := person(waiting), person(waiting+1)
	for _, who := range []game.Player{one, other} {
		do(connect{Who: who})
		do(learn{Who: who.ID})
	}
	terms := fast(30_000)
	b.ReportAllocs()
	for b.Loop() {
		do(wantSeek{seek{ID: "one", Who: one, Terms: terms, Game: "a"}})
		do(wantSeek{seek{ID: "other", Who: other, Terms: terms, Game: "b"}})
		if len(p.matches) != 1 || len(p.seeks) != waiting {
			b.Fatalf("%d matches, %d seeks", len(p.matches), len(p.seeks))
		}
		do(actor.Acked{Effect: "b"})
	}
}

// BenchmarkPass is a pass over 2,000 people who wait in one pool, decided and applied.
func BenchmarkPass(b *testing.B) {
	const waiting = 2000
	dice := rand.New(rand.NewPCG(1, 2))
	full := func() *pools {
		p := newPools(ID).(*pools)
		for n := range waiting {
			who := game.Player{ID: fmt.Sprintf("P%015d", n), Name: "P", Account: true}
			p.Apply(connected{Who: who})
			p.Apply(learned{learn{Who: who.ID, card: card{Ranks: map[string]float64{"wbca": 1500 + 300*dice.NormFloat64()}}}})
			p.seeks = append(p.seeks, seek{ID: fmt.Sprint(n), Who: who, Terms: fast(300_000), Rating: p.people[who.ID].ranks["wbca"], Game: fmt.Sprint("g", n)})
		}
		p.due = 1000
		return p
	}
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		p := full()
		b.StartTimer()
		events, err := p.Decide(actor.Tick{}, 1000)
		if err != nil {
			b.Fatal(err)
		}
		for _, e := range events {
			p.Apply(e)
		}
		if len(p.matches) < waiting/2-50 {
			b.Fatalf("%d pairs", len(p.matches))
		}
	}
}
