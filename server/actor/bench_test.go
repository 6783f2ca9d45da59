package actor_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"testing"

	"flagfall/server/actor"
	"flagfall/server/journal"
)

// counter is a machine as cheap as can be.
type counter struct{ n int64 }

func (c *counter) Decide(cmd any, _ int64) ([]actor.Event, error) {
	return []actor.Event{int64(1)}, nil
}
func (c *counter) Apply(e actor.Event)     { c.n += e.(int64) }
func (c *counter) Deadline() (int64, bool) { return 1 << 40, true }
func (c *counter) Effects() []actor.Effect { return nil }
func (c *counter) Done() bool              { return false }

// A command through an actor and back, into a journal on the disk.
func BenchmarkRoundTrip(b *testing.B) {
	for _, actors := range []int{1, 64} {
		b.Run(strconv.Itoa(actors), func(b *testing.B) { roundTrip(b, actors) })
	}
}

func roundTrip(b *testing.B, actors int) {
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	log, err := journal.Open(b.TempDir(), journal.Options{Log: quiet})
	if err != nil {
		b.Fatal(err)
	}
	defer log.Close()
	ctx := context.Background()
	hall := actor.New(actor.Config{Journal: log, Log: quiet})
	hall.Register(actor.Kind{
		Name: "counter", New: func(actor.ID) actor.Machine { return &counter{} },
		Encode: func(dst []byte, e actor.Event) ([]byte, error) { return strconv.AppendInt(dst, e.(int64), 10), nil },
		Decode: func(data []byte) (actor.Event, error) { return strconv.ParseInt(string(data), 10, 64) },
	})
	if err := hall.Start(ctx); err != nil {
		b.Fatal(err)
	}
	defer hall.Close(ctx)
	done := make(chan error)
	b.ReportAllocs()
	b.ResetTimer()
	for a := range actors {
		go func() {
			id := actor.ID(fmt.Sprint("counter/", a))
			err := hall.Create(ctx, id, "first")
			for i := 0; i < b.N/actors && err == nil; i++ {
				_, err = hall.Ask(ctx, id, actor.Command{From: "white", ID: strconv.Itoa(i), Body: "x"})
			}
			done <- err
		}()
	}
	for range actors {
		if err := <-done; err != nil {
			b.Fatal(err)
		}
	}
}
