package main

import (
	"context"
	"io"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// hosted starts a server for a test.
func hosted(t *testing.T) *server {
	t.Helper()
	s, err := startServer(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.stop)
	return s
}

// ordinary are options by the command line, but for a shorter run than it takes.
func ordinary(t *testing.T, duration time.Duration, args string) options {
	t.Helper()
	o, err := parse(strings.Fields(args), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	o.duration = duration
	return o
}

// concluded plays a run to its end, judges it and wants it to have passed.
func concluded(t *testing.T, r *run, soft, hard context.Context) *runReport {
	t.Helper()
	r.play(soft, hard)
	var out strings.Builder
	rep := r.conclude(&out)
	if !rep.Passed {
		t.Errorf("the run failed:\n%s", out.String())
	}
	return rep
}

func TestOrdinaryRuns(t *testing.T) {
	s := hosted(t)
	local := strings.Replace(s.base, "127.0.0.1", "localhost", 1)
	for name, tt := range map[string]struct {
		args  string
		check func(t *testing.T, rep *runReport)
	}{
		"direct, closed loop": {"-games 10 -think 50ms", func(t *testing.T, rep *runReport) {
			if rep.Loop != "closed" || rep.Pairing.Count != 10 || rep.Settings.Think != 50 {
				t.Errorf("%+v", rep)
			}
		}},
		"lobby, two nodes": {"-games 12 -pairing lobby -think 50ms -spectators 1 -ramp 300ms -addr " + s.base + "," + local, func(t *testing.T, rep *runReport) {
			if rep.Games != 12 || rep.Finished != 12 || rep.Pairing.Count != 24 {
				t.Errorf("%d games, %d finished, %d times to pairing", rep.Games, rep.Finished, rep.Pairing.Count)
			}
			if len(rep.Nodes) != 2 || rep.Nodes[0].Sockets < 18 || rep.Nodes[1].Sockets < 18 || rep.Nodes[1].Address != local {
				t.Errorf("sockets are not spread: %+v", rep.Nodes)
			}
			if rep.Phases[0].Seconds < 0.25 {
				t.Errorf("the ramp: %+v", rep.Phases)
			}
		}},
		"open loop, premoves": {"-games 10 -rate 10 -premoves 0.5", func(t *testing.T, rep *runReport) {
			if rep.Loop != "open" || rep.Premoves == 0 || rep.Settings.ThinkAs != "" {
				t.Errorf("%s loop, %d premoves", rep.Loop, rep.Premoves)
			}
		}},
		"renewed": {"-games 3 -think 20ms -renew", func(t *testing.T, rep *runReport) {
			if rep.Games < 5 || rep.Games != rep.Finished || rep.NotSetUp != 0 {
				t.Errorf("%d games, %d finished, %d not set up", rep.Games, rep.Finished, rep.NotSetUp)
			}
		}},
		"renewed in the lobby": {"-games 3 -think 20ms -renew -pairing lobby", func(t *testing.T, rep *runReport) {
			if rep.Games < 5 || rep.Games != rep.Finished || rep.NotSetUp != 0 {
				t.Errorf("%d games, %d finished, %d not set up", rep.Games, rep.Finished, rep.NotSetUp)
			}
		}},
		"a node is gone": {"-games 4 -think 20ms -outage -addr http://127.0.0.1:1," + s.base, func(t *testing.T, rep *runReport) {
			if rep.Finished != 4 || rep.Nodes[0].Sockets != 0 || rep.Nodes[1].Sockets < 8 {
				t.Errorf("%d games finished; %+v", rep.Finished, rep.Nodes)
			}
		}},
		"slow readers": {"-games 4 -spectators 2 -slow 1 -think 50ms", func(t *testing.T, rep *runReport) {
			if rep.Slow.Times == 0 || rep.Slow.Cut == 0 || rep.Return.Count == 0 {
				t.Errorf("%+v", rep.Slow)
			}
		}},
		"bounded in moves": {"-games 10 -think 20ms -moves 40", func(t *testing.T, rep *runReport) {
			if rep.HoldEnded != errMoves.Error() || rep.Moves < 40 || rep.Moves > 60 || rep.Finished != 10 || rep.Ends["resignation"] < 7 {
				t.Errorf("%d moves, %d games finished: %v; the hold ended since %s", rep.Moves, rep.Finished, rep.Ends, rep.HoldEnded)
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			duration := 3 * time.Second
			if name == "slow readers" {
				duration = 10 * time.Second
			}
			o := ordinary(t, duration, tt.args)
			if len(o.addrs) == 0 {
				o.addrs = []string{s.base}
			}
			tt.check(t, concluded(t, newRun(o, o.addrs, nil), t.Context(), t.Context()))
		})
	}
}

// TestInterrupted is Ctrl-C in each phase: the first one drains, the second one ends at once.
func TestInterrupted(t *testing.T) {
	s := hosted(t)
	await := func(r *run, phase string, moves int64) {
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for r.phases.now() != phase || r.moves.Load() < moves {
			<-tick.C
		}
	}
	for name, tt := range map[string]struct {
		args     string
		phase    string
		moves    int64
		finished int
	}{
		"ramp":         {"-games 20 -ramp 1h -think 20ms", "ramp", 1, 1},
		"hold":         {"-games 5 -think 20ms", "hold", 20, 5},
		"lobby's ramp": {"-games 20 -ramp 1h -pairing lobby", "ramp", 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRun(ordinary(t, time.Hour, tt.args), []string{s.base}, nil)
			soft, halt := context.WithCancel(t.Context())
			go func() {
				await(r, tt.phase, tt.moves)
				halt()
			}()
			r.play(soft, t.Context())
			rep := cutShort(t, r)
			if len(rep.Phases) != 3 || rep.Finished != tt.finished {
				t.Errorf("%d of %d games finished, want %d; %+v", rep.Finished, rep.Games, tt.finished, rep.Phases)
			}
		})
	}
	for name, twice := range map[string]bool{"drain": true, "drain that lasts too long": false} {
		t.Run(name, func(t *testing.T) {
			o := ordinary(t, time.Hour, "-games 5 -think 20ms -drain 1m")
			if !twice {
				o.drain = 300 * time.Millisecond
			}
			r := newRun(o, []string{s.base}, nil)
			soft, halt := context.WithCancel(t.Context())
			hard, end := context.WithCancel(t.Context())
			defer end()
			go func() {
				await(r, "hold", 20)
				_ = s.cmd.Process.Signal(syscall.SIGSTOP) // so that nothing is answered any more
				halt()
				await(r, "drain", 0)
				if twice {
					end()
				}
			}()
			r.play(soft, hard)
			_ = s.cmd.Process.Signal(syscall.SIGCONT)
			rep := cutShort(t, r)
			if drain := rep.Phases[2].Seconds; drain > 10 || !twice && drain < 0.3 {
				t.Errorf("the drain took %v s", drain)
			}
		})
	}
}

// cutShort judges a run that was stopped: nothing is wrong with it but that games are not over.
func cutShort(t *testing.T, r *run) *runReport {
	t.Helper()
	var out strings.Builder
	rep := r.conclude(&out)
	if !rep.Stopped || rep.Differences > 0 || len(rep.Errors) > 0 || rep.HoldEnded != "it was stopped" {
		t.Errorf("%+v\n%s", rep.Phases, out.String())
	}
	return rep
}

// TestStalledServer stops the server for a second: in an open loop every move that was due meanwhile counts with the time
// that it was kept from being sent, not only the one that was on its way.
func TestStalledServer(t *testing.T) {
	s := hosted(t)
	const games, rate = 4, 10
	o := ordinary(t, 6*time.Second, "-games 4 -rate 10 -fast 1 -rules 0 -timing 0 -illegal 0 -wrong 0 -cuts 0 -spectators 0")
	r := newRun(o, []string{s.base}, nil)
	go func() {
		defer s.cmd.Process.Signal(syscall.SIGCONT)
		for tick := time.Tick(time.Millisecond); r.moves.Load() < 20; {
			<-tick
		}
		_ = s.cmd.Process.Signal(syscall.SIGSTOP)
		<-time.After(time.Second)
	}()
	concluded(t, r, t.Context(), t.Context())
	// Of the ten moves of each game that a second has, six or seven are late by more than 300 ms; each is a release and a press.
	late := above(r.latency.h, 300*time.Millisecond)
	if late < 2*games*rate/3 {
		t.Errorf("%d receipts took more than 300 ms", late)
	}
}

// above counts what a histogram has above a time.
func above(h *hdrhistogram.Histogram, d time.Duration) (n int64) {
	for _, bar := range h.Distribution() {
		if bar.From > d.Microseconds() {
			n += bar.Count
		}
	}
	return n
}
