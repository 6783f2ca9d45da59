package main

import (
	"testing"
	"time"

	"flagfall/server/cluster/redistest"
	"flagfall/server/store/pgtest"
	"flagfall/server/wire"
	"flagfall/server/wire/client"
)

// stopped is how long Redis does not answer in TestRedisStops: several leases.
const stopped = 6 * time.Second

// A game between two nodes while Redis is stopped and goes on: both players stay connected and are told why the clocks
// stand, nothing is acknowledged meanwhile, a move made meanwhile counts, nobody pays for the stop, and the game is played
// to its end.
func TestRedisStops(t *testing.T) {
	redis, database := redistest.Single(t), pgtest.Start(t).Database(t)
	node := func(name string) *program {
		return start(t, t.TempDir(), "-node", name, "-url", "http://hall.example", "-redis", redis.URL(), "-db", database)
	}
	a, b := node("a"), node("b")
	white, black := a.guest(t), b.guest(t)
	game := seat(white, black, wire.ClientMessage{Base: 300000, Mode: "board"})
	begin(white, black, game)
	play(white, black, "f2f3", "e7e5")
	before, moved := white.seen[len(white.seen)-1].Body.(*wire.Events), time.Now()

	redis.Stop()
	over := time.After(stopped)
	for _, who := range []*somebody{white, black} {
		if told := who.expect("hold").Body.(*wire.Hold); !told.On || told.Why != "journal" {
			t.Errorf("%s was told %+v", who.guest.Name, told)
		}
	}
	ran := time.Since(moved) // White's clock, at most
	late := b.guest(t)
	if told := late.expect("hold").Body.(*wire.Hold); !told.On {
		t.Errorf("who came meanwhile was told %+v", told)
	}
	white.move("g2g4")
	white.press()
	quiet(t, over, white, black)
	redis.Continue()

	if told := late.expect("hold").Body.(*wire.Hold); told.On {
		t.Errorf("who came meanwhile was told %+v", told)
	}
	for _, who := range []*somebody{white, black} {
		after := who.goesOn()
		if paid := before.Clocks.W - after.W; paid < 0 || paid > ran.Milliseconds()+500 {
			t.Errorf("White paid %d ms; his clock ran for %v", paid, ran)
		}
		if after.B != before.Clocks.B {
			t.Errorf("Black paid %d ms while White was on move", before.Clocks.B-after.B)
		}
	}
	black.move("d8h4")
	ended(t, white, "0-1", "checkmate", "WBCA 7a")
	ended(t, black, "0-1", "checkmate", "WBCA 7a")
}

// goesOn waits until the hold is over and White has pressed, in whichever order they are told, and gives the clocks then.
func (s *somebody) goesOn() (clk wire.Clocks) {
	s.t.Helper()
	over, pressed := false, false
	s.until("event", func(f client.Frame) bool {
		switch m := f.Body.(type) {
		case *wire.Hold:
			over = !m.On
		case *wire.Events:
			if e := m.E[len(m.E)-1]; e.K == "press" && e.By == "w" {
				clk, pressed = m.Clocks, true
			}
		}
		return over && pressed
	})
	return clk
}

// quiet lets time go by; nobody may be told anything, or lose his socket.
func quiet(t *testing.T, over <-chan time.Time, white, black *somebody) {
	t.Helper()
	for {
		select {
		case <-over:
			return
		case frame, open := <-white.frames:
			t.Fatalf("White's socket (open: %v) got %s", open, frame.Raw)
		case frame, open := <-black.frames:
			t.Fatalf("Black's socket (open: %v) got %s", open, frame.Raw)
		}
	}
}
