package actor

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"
)

const childHall = "FLAGFALL_TEST_HALL"

// runHall is the child: a hall with one actor whose deadline is a second away. It
// prints the steps that its observer is told.
func runHall() {
	k := diaryKind()
	k.Observe = func(ID, Machine) Observer { return printer{} }
	h := New(Config{
		Journal: NewMemory(), Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		Heartbeat: 20 * time.Millisecond, StopLimit: 700 * time.Millisecond,
	})
	h.Register(k)
	if err := h.Start(context.Background()); err != nil {
		fmt.Println("error", err)
	}
	if err := h.Create(context.Background(), a1, alarm(1000)); err != nil {
		fmt.Println("error", err)
	}
	_, _ = io.Copy(io.Discard, os.Stdin) // until the parent is done
	os.Exit(0)
}

type printer struct{}

func (printer) Ended(error) {}
func (printer) Step(s Step) {
	f := s.Events[0].(fact)
	fmt.Println(f.What, s.At, f.Text)
}
