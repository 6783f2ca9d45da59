package main

import (
	"context"
	"strings"
	"testing"
	"time"
)

// TestArena is a small arena on a real server with its default limits. Ctrl-C after some games rings the bell; what was played
// is signed, published and checked all the same.
func TestArena(t *testing.T) {
	s, err := startWith(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.stop)
	o, err := parse(strings.Fields("-arena 8 -minutes 60 -think 50ms"), &strings.Builder{})
	if err != nil {
		t.Fatal(err)
	}
	a := newArenaRun(o, newRun(o, []string{s.base}, nil))
	soft, halt := context.WithCancel(t.Context())
	go func() {
		defer halt()
		for tick := time.Tick(10 * time.Millisecond); a.run.finished.Load() < 8; {
			select {
			case <-tick:
			case <-t.Context().Done():
				return
			}
		}
	}()
	if err := a.play(soft, t.Context()); err != nil {
		t.Error(err)
	}
	var out strings.Builder
	rep := a.conclude(&out)
	if !rep.Passed || !rep.Stopped || rep.People != 8 || rep.Counted < 4 || rep.Free.Count < 16 || rep.Acts["enter"] != 8 || rep.Checks < 200 {
		t.Errorf("%+v\n%s", rep, &out)
	}
}

// An event whose making is stopped is cancelled.
func TestArenaStoppedAtOnce(t *testing.T) {
	s, err := startWith(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.stop)
	o, err := parse(strings.Fields("-arena 4"), &strings.Builder{})
	if err != nil {
		t.Fatal(err)
	}
	a := newArenaRun(o, newRun(o, []string{s.base}, nil))
	soft, halt := context.WithCancel(t.Context())
	halt()
	if err := a.play(soft, t.Context()); err != nil {
		t.Error(err)
	}
	var page struct{ Cancelled string }
	if err := a.organiser.get(t.Context(), "", &page); err != nil || page.Cancelled == "" {
		t.Errorf("%q, %v", page.Cancelled, err)
	}
	if rep := a.conclude(&strings.Builder{}); rep.Passed || !rep.Stopped || len(rep.Wrong) > 0 || total(rep.Errors) > 0 {
		t.Errorf("%+v", rep)
	}
}
