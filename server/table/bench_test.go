package table

import (
	"context"
	"fmt"
	"testing"

	"flagfall/game"
	"flagfall/server/account"
	"flagfall/server/wire"
)

// bell is a socket that rings for every frame.
type bell struct {
	person account.Person
	rings  chan struct{}
}

func (b *bell) Send([]byte)            { b.rings <- struct{}{} }
func (b *bell) Close(int, string)      {}
func (b *bell) Lag() int64             { return 20 }
func (b *bell) Person() account.Person { return b.person }

// benchTable seats two players at a fresh table; its clock runs at once.
func benchTable(b *testing.B, w *world, id string, mode game.Mode) (seats [2]Sitting, bells [2]*bell) {
	b.Helper()
	s := setup(mode)
	s.Options.Presence = false
	if err := w.tables.Open(context.Background(), id, s); err != nil {
		b.Fatal(err)
	}
	for i, p := range [2]account.Person{white, black} {
		bells[i] = &bell{person: p, rings: make(chan struct{}, 16)}
		var err error
		if seats[i], err = w.tables.Join(bells[i], wire.ClientMessage{T: "join", ID: "j", Game: id}); err != nil {
			b.Fatal(err)
		}
		<-bells[i].rings
	}
	return seats, bells
}

// One whole move through a table, from the message to the frames of both players. Games have 80 plies.
func BenchmarkMove(b *testing.B) {
	for _, mode := range []game.Mode{game.OverTheBoard, game.Fast} {
		b.Run(string(mode), func(b *testing.B) {
			w := newWorld(b)
			defer w.stop()
			moves := [4]string{"g1f3", "g8f6", "f3g1", "f6g8"}
			var seats [2]Sitting
			var bells [2]*bell
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				ply := i % 80
				if ply == 0 {
					seats, bells = benchTable(b, w, fmt.Sprintf("g%d", i), mode)
				}
				id := fmt.Sprintf("c%d", i)
				seats[ply%2].Handle(wire.ClientMessage{T: "move", ID: id, Move: moves[ply%4], Ply: &ply})
				<-bells[0].rings
				<-bells[1].rings
				if mode == game.OverTheBoard {
					seats[ply%2].Handle(wire.ClientMessage{T: "press", ID: id + "p", Ply: &ply})
					<-bells[0].rings
					<-bells[1].rings
				}
			}
		})
	}
}

// What a spectator is sent who comes after 80 plies.
func BenchmarkSnapshot(b *testing.B) {
	w := newWorld(b)
	defer w.stop()
	seats, bells := benchTable(b, w, theGame, game.Fast)
	moves := [4]string{"g1f3", "g8f6", "f3g1", "f6g8"}
	for ply := range 80 {
		seats[ply%2].Handle(wire.ClientMessage{T: "move", ID: fmt.Sprintf("c%d", ply), Move: moves[ply%4], Ply: &ply})
		<-bells[0].rings
		<-bells[1].rings
	}
	guest := &bell{person: third, rings: make(chan struct{}, 1)}
	b.ReportAllocs()
	for b.Loop() {
		s, err := w.tables.Join(guest, wire.ClientMessage{T: "join", ID: "j", Game: theGame})
		if err != nil {
			b.Fatal(err)
		}
		<-guest.rings
		s.Leave()
	}
}
