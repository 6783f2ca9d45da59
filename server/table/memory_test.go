package table

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"testing"
	"time"

	"flagfall/game"
	"flagfall/server/account"
	"flagfall/server/actor"
	"flagfall/server/journal"
	"flagfall/server/wire"
)

// Games that are over leave nothing behind: neither their actors, nor what the journal knows of them, nor their people.
func TestMemoryComesBack(t *testing.T) {
	quiet := slog.New(slog.DiscardHandler)
	log, err := journal.Open(t.TempDir(), journal.Options{Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	hall := actor.New(actor.Config{Journal: log, Log: quiet})
	tables := New(Config{
		Hall: hall, Archive: nowhere{}, Log: quiet,
		Free: func(context.Context, Freed) error { return nil },
	})
	if err := hall.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer hall.Close(context.Background())
	play := func(from, to int) {
		var seats []Sitting
		for n := from; n < to; n++ {
			seats = append(seats, memorableGame(t, tables, fmt.Sprintf("g%d", n))...)
		}
		for _, s := range seats {
			s.Handle(wire.ClientMessage{T: "resign", ID: "end"})
			s.Leave()
		}
		for deadline := time.Now().Add(time.Minute); len(hall.IDs(KindName)) > 0; {
			if time.Now().After(deadline) {
				t.Fatalf("%d games are not over", len(hall.IDs(KindName)))
			}
			runtime.Gosched()
		}
	}
	const games = 300
	play(0, games) // pools and maps get their size
	before := inUse()
	for round := 1; round <= 4; round++ {
		play(round*games, (round+1)*games)
	}
	// A running game holds some ten thousand bytes.
	if grown := int64(inUse()-before) / (4 * games); grown > 400 {
		t.Errorf("each game that is over left %d bytes behind", grown)
	}
}

// nowhere is an archive that loses everything.
type nowhere struct{}

func (nowhere) Save(context.Context, Record) error           { return nil }
func (nowhere) Load(context.Context, string) (Record, error) { return Record{}, ErrUnknownGame }

// memorableGame is a game of forty plies with a spectator, still running.
func memorableGame(t *testing.T, tables *Tables, id string) []Sitting {
	t.Helper()
	s := setup(game.Fast)
	s.Options.Presence = false
	if err := tables.Open(t.Context(), id, s); err != nil {
		t.Fatal(err)
	}
	var seats []Sitting
	for _, p := range []account.Person{white, black, third} {
		seat, err := tables.Join(deaf{p}, wire.ClientMessage{T: "join", ID: "j", Game: id})
		if err != nil {
			t.Fatal(err)
		}
		seats = append(seats, seat)
	}
	moves := [4]string{"g1f3", "g8f6", "f3g1", "f6g8"}
	for ply := range 40 {
		seats[ply%2].Handle(wire.ClientMessage{T: "move", ID: fmt.Sprint(ply), Move: moves[ply%4], Ply: &ply, Press: true})
	}
	return seats
}

// deaf is a socket that nobody reads.
type deaf struct{ person account.Person }

func (deaf) Send([]byte)              {}
func (deaf) Close(int, string)        {}
func (deaf) Lag() int64               { return 0 }
func (d deaf) Person() account.Person { return d.person }

func inUse() uint64 {
	runtime.GC()
	runtime.GC() // pools are emptied by the second one
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
