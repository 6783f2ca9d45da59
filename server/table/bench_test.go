package table

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
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

// counted is a spectator's socket as cheap as can be.
type counted struct {
	bell
	frames *atomic.Int64
}

func (c *counted) Send([]byte)               { c.frames.Add(1) }
func (c *counted) SendShared(s *wire.Shared) { c.frames.Add(int64(len(s.Frames))) }

// One frame for 5,000 spectators: what the table's goroutine does for them, and until the last one is told, the
// pauses of a large crowd among it. Writing to their sockets is not.
func BenchmarkFanOut(b *testing.B) {
	const watching = 5000
	frame := []byte(`{"t":"ev","n":17,"at":12345,"clk":{"w":180000,"b":179000,"run":"w","flags":""},"e":[{"k":"press","by":"b"}]}`)
	gather := func(b *testing.B) (*Crowd, *atomic.Int64) {
		c, frames := &Crowd{}, &atomic.Int64{}
		for range watching {
			c.Come(&Member{conn: &counted{frames: frames}})
		}
		return c, frames
	}
	until := func(frames *atomic.Int64, n int64) {
		for frames.Load() < n {
			runtime.Gosched()
		}
	}
	b.Run("table", func(b *testing.B) {
		c, frames := gather(b)
		b.ReportAllocs()
		told := int64(0)
		for b.Loop() {
			c.Tell(frame)
			if told++; told%100 == 0 { // less than the crowd lets wait
				b.StopTimer()
				until(frames, told*watching)
				b.StartTimer()
			}
		}
		until(frames, told*watching)
	})
	b.Run("all", func(b *testing.B) {
		c, frames := gather(b)
		b.ReportAllocs()
		told := int64(0)
		for b.Loop() {
			c.Tell(frame)
			told++
			until(frames, told*watching)
		}
	})
}
