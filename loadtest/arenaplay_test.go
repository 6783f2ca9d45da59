package main

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"flagfall/server/cluster/redistest"
	"flagfall/server/store/pgtest"
)

// TestArena is a small arena on a real server with its default limits. Ctrl-C after some games rings the bell; what was played
// is signed, published and checked all the same.
func TestArena(t *testing.T) {
	t.Parallel() // they wait most of the time
	s, err := startWith(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.stop)
	o, err := parse(strings.Fields("-arena 8 -minutes 60 -think 50ms"), &strings.Builder{})
	if err != nil {
		t.Fatal(err)
	}
	evening(t, newArenaRun(o, newRun(o, []string{s.base}, nil)))
}

// evening plays until eight games are over.
func evening(t *testing.T, a *arenaRun) {
	t.Helper()
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

// So does one whose people go to two nodes of a hall.
func TestArenaOnTwoNodes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	binary, err := buildServer(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	redis, database := redistest.Single(t), pgtest.Start(t).Database(t)
	var bases []string
	for _, name := range []string{"one", "two"} {
		s, err := launchWith(t.Context(), nil, binary, filepath.Join(dir, name), "FLAGFALL_URL=http://hall.example", "FLAGFALL_DB="+database,
			"FLAGFALL_REDIS="+redis.URL(), "FLAGFALL_NODE="+name)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.stop)
		bases = append(bases, s.base)
	}
	o, err := parse(strings.Fields("-arena 8 -minutes 60 -think 50ms"), &strings.Builder{})
	if err != nil {
		t.Fatal(err)
	}
	a := newArenaRun(o, newRun(o, bases, nil))
	evening(t, a)
	for _, n := range a.run.nodes {
		if n.sockets.Load() < 4 {
			t.Errorf("%d sockets at %s", n.sockets.Load(), n.base)
		}
	}
}

// again starts a server that is gone anew, at its address and with its data.
func again(t *testing.T, s *server) {
	t.Helper()
	cmd := exec.Command(s.cmd.Path)
	cmd.Env, cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = s.cmd.Env, s.log, s.log, s.cmd.SysProcAttr
	if err := cmd.Start(); err != nil {
		t.Error(err)
		return
	}
	gone := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(gone)
	}()
	s.cmd, s.gone = cmd, gone
}

// A server that is killed in the middle and started again has lost no entry, result, colour or pairing.
func TestArenaSurvivesAKill(t *testing.T) {
	t.Parallel()
	s, err := startWith(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.stop() })
	o, err := parse(strings.Fields("-arena 8 -minutes 60 -think 50ms -outage -addr "+s.base), &strings.Builder{})
	if err != nil {
		t.Fatal(err)
	}
	a := newArenaRun(o, newRun(o, []string{s.base}, nil))
	soft, halt := context.WithCancel(t.Context())
	go func() {
		defer halt()
		over := func(n int64) {
			for tick := time.Tick(10 * time.Millisecond); a.run.finished.Load() < n && t.Context().Err() == nil; {
				<-tick
			}
		}
		over(5)
		_ = s.cmd.Process.Kill()
		<-s.gone
		again(t, s)
		over(12)
	}()
	if err := a.play(soft, t.Context()); err != nil {
		t.Error(err)
	}
	var out strings.Builder
	rep := a.conclude(&out)
	if !rep.Passed || rep.Counted < 8 || a.run.outages.Load() < 8 {
		t.Errorf("%d sockets lost\n%s\nthe server said:\n%s", a.run.outages.Load(), &out, s.log)
	}
}

// An event whose making is stopped is cancelled.
func TestArenaStoppedAtOnce(t *testing.T) {
	t.Parallel()
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
