package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// baseline is a run that measures the server beside a bare relay.
type baseline struct {
	o     options
	out   io.Writer // progress
	live  bool      // out is a terminal
	lines [][]string
}

// baselineReport is what such a run writes.
type baselineReport struct {
	Kind     string           `json:"kind"` // "baseline"
	Version  int              `json:"version"`
	Began    time.Time        `json:"began"`
	Stopped  bool             `json:"stopped"` // before all rounds were played
	Ratios   ratios           `json:"ratios"`
	Valid    validity         `json:"valid"`
	Medians  medians          `json:"medians"`
	Figures  []figure         `json:"figures"` // the same by the names that -fail and -compare know
	Settings baselineSettings `json:"settings"`
	Machine  machine          `json:"machine"`
	Versions versions         `json:"versions"`
	Rounds   rounds           `json:"rounds"`
}

type baselineSettings struct {
	Games       int      `json:"games"`
	Rounds      int      `json:"rounds"`
	Duration    float64  `json:"duration_s"`
	WarmUp      float64  `json:"warm_up_s"`
	Rate        float64  `json:"rate"` // moves a second in each game; 0 is a closed loop
	Mode        string   `json:"mode"` // "fast" or "board"
	Seed        uint64   `json:"seed"`
	Lines       int      `json:"prepared_games"`
	Plies       int      `json:"prepared_plies"`
	Environment []string `json:"server_environment"`
}

// reportVersion is that of the JSON; a field that goes or changes its meaning makes it another one.
const reportVersion = 1

// differentLines is how many prepared games there are; tables share them.
const differentLines = 16

func newBaseline(o options, out io.Writer) *baseline {
	b := &baseline{o: o, out: out}
	for i := range min(differentLines, o.games) {
		b.lines = append(b.lines, preparedGame(o.seed+uint64(i), b.plies()))
	}
	return b
}

// period is the time between the moves of one game; 0 in a closed loop.
func (b *baseline) period() time.Duration {
	if b.o.rate == 0 {
		return 0
	}
	return time.Duration(float64(time.Second) / b.o.rate)
}

// plies that a game can need: more than a fast machine plays, in one game or in all.
func (b *baseline) plies() int {
	seconds := (b.o.duration + warmUp(b.period()) + 5*time.Second).Seconds()
	if b.o.storm > 0 {
		seconds += (time.Duration(b.o.rounds) * (giveUp + 3*b.period() + patience)).Seconds()
	}
	if b.o.rate > 0 {
		return int(seconds*b.o.rate) + firstMoves + 2
	}
	return int(seconds * min(20_000, 400_000/float64(b.o.games)))
}

func (b *baseline) mode() string {
	if b.o.board {
		return "board"
	}
	return "fast"
}

func (b *baseline) say(format string, args ...any) { fmt.Fprintf(b.out, format+"\n", args...) }

// show keeps one line of a terminal up to date.
func (b *baseline) show(name string, m moment, d *drive) {
	if !b.live {
		return
	}
	d.mu.Lock()
	errors := total(d.errors)
	d.mu.Unlock()
	fmt.Fprintf(b.out, "\r%s: %5.1f s  %6.0f moves/s  p99 %.2f ms  %.2f cores  %d errors\x1b[K", name, m.At, m.Rate, m.P99, m.Cores, errors)
}

// run plays all rounds. Ctrl-C ends it with the drives that were completed.
func (b *baseline) run(ctx context.Context) (*baselineReport, error) {
	binary, remove, err := b.build(ctx, 2*b.o.games)
	if err != nil {
		return nil, err
	}
	defer remove()
	rep := &baselineReport{
		Kind: "baseline", Version: reportVersion, Began: time.Now().UTC().Truncate(time.Second),
		Machine: thisMachine(), Versions: theseVersions(), Settings: b.settings(),
	}
	rep.Stopped, err = alternate(ctx, b.o.rounds, [2]string{"relay", "server"},
		func(name string) (round, error) { return b.drive(ctx, name, binary) },
		func(r round, number int) {
			r.Number, r.Order = number, len(rep.Rounds)+1
			rep.Rounds = append(rep.Rounds, r)
		})
	if err != nil {
		return nil, err
	}
	rep.conclude()
	return rep, nil
}

// drive starts a process, drives it and stops it: each one is fresh, so that none has the memory of an earlier one.
func (b *baseline) drive(ctx context.Context, name, binary string) (round, error) {
	var t *target
	var err error
	if name == "relay" {
		t, err = relayTarget(ctx)
	} else {
		t, err = serverTarget(ctx, binary, b.mode())
	}
	if err != nil {
		return round{}, err
	}
	defer t.stop()
	r, err := b.driveTarget(ctx, t)
	if b.live {
		fmt.Fprint(b.out, "\r\x1b[K")
	}
	b.say("%s: %.0f moves/s, %.1f µs CPU a move, p99 %.2f ms, %d errors", name, r.Rate, r.CPUMove, r.Receipt.P99, total(r.Errors))
	return r, err
}

func (b *baseline) settings() baselineSettings {
	return baselineSettings{
		Games: b.o.games, Rounds: b.o.rounds, Duration: b.o.duration.Seconds(), WarmUp: warmUp(b.period()).Seconds(),
		Rate: b.o.rate, Mode: b.mode(), Seed: b.o.seed, Lines: len(b.lines), Plies: b.plies(), Environment: raised,
	}
}

// writeJSON writes a file whole or not at all.
func writeJSON(path string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return writeFile(path, append(data, '\n'))
}

func writeFile(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".loadtest-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // when it was not renamed
	if _, err = f.Write(data); err == nil {
		err = f.Chmod(0o644)
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
