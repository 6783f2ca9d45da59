package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"gonum.org/v1/plot/plotter"
)

// poolReport is what a run with -lobby writes.
type poolReport struct {
	Kind     string       `json:"kind"` // "lobby"
	Version  int          `json:"version"`
	Began    time.Time    `json:"began"`
	Stopped  bool         `json:"stopped"`
	Figures  []figure     `json:"figures"`
	Settings poolSettings `json:"settings"`
	Machine  machine      `json:"machine"`
	Versions versions     `json:"versions"`

	Seated   int            `json:"seated"` // people who sat at a table at least once
	Pairs    int            `json:"pairs"`
	Again    int            `json:"pairs_again"` // of two who had played their last game against each other
	Left     int            `json:"left"`        // people who waited when the time was up
	Longest  float64        `json:"longest_wait_ms"`
	Pairing  spread         `json:"time_to_pairing"`
	Apart    points         `json:"rating_difference"`
	Errors   map[string]int `json:"errors"`
	Failures []string       `json:"failures"`
	Nodes    []nodeUse      `json:"nodes"`
	CPU      float64        `json:"server_cpu_s"` // of all servers; 0 when unknown
	Peak     int64          `json:"server_memory"`
	Client   float64        `json:"client_cpu_s"`
}

type poolSettings struct {
	People      int      `json:"people"`
	Duration    float64  `json:"duration_s"`
	Ramp        float64  `json:"ramp_s"`
	Seed        uint64   `json:"seed"`
	Environment []string `json:"server_environment"`
}

// points are the figures of a histogram of differences of ratings.
type points struct {
	Count int64 `json:"count"`
	Min   int64 `json:"min"`
	P50   int64 `json:"p50"`
	P90   int64 `json:"p90"`
	P95   int64 `json:"p95"`
	P99   int64 `json:"p99"`
	Max   int64 `json:"max"`

	Curve [len(quantiles)]int64 `json:"at_quantiles"`
}

func pointsOf(h *hdrhistogram.Histogram) points {
	if h.TotalCount() == 0 {
		return points{}
	}
	p := points{Count: h.TotalCount(), Min: h.Min(), P50: h.ValueAtQuantile(50), P90: h.ValueAtQuantile(90), P95: h.ValueAtQuantile(95),
		P99: h.ValueAtQuantile(99), Max: h.Max()}
	for i, q := range quantiles {
		p.Curve[i] = h.ValueAtQuantile(q)
	}
	return p
}

// poolsMain is the command of a run with -lobby; it gives the exit code.
func poolsMain(ctx context.Context, o options) int {
	rep, err := lobbyRun(ctx, o, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "loadtest:", err)
		return 1
	}
	var printed bytes.Buffer
	rep.print(io.MultiWriter(os.Stdout, &printed))
	if !o.afterwards(os.Stdout, rep, printed.Bytes()) || !rep.passed() {
		return 1
	}
	return 0
}

func (o *options) poolFlags(fs *flag.FlagSet) {
	fs.IntVar(&o.lobby, "lobby", 0, "have so many `people` with ratings seek in the pools, again and again, 20 to 20000")
	fs.StringVar(&o.db, "db", "", "with -lobby and -addr: the database of the running servers, its path or `URL`; people with ratings are added there, and tokens signed with the servers' keys")
}

func (o *options) checkPools(given map[string]bool) error {
	for other := range given {
		switch other {
		case "lobby", "db", "duration", "ramp", "addr", "pid", "json", "html", "fail", "compare", "seed":
		default:
			return fmt.Errorf("-%s does not go with -lobby", other)
		}
	}
	switch {
	case o.lobby < 20 || o.lobby > 20000:
		return fmt.Errorf("-lobby %d: want 20 to 20000", o.lobby)
	case o.duration < time.Second || o.duration > time.Hour:
		return fmt.Errorf("-duration %v: want 1s to 1h", o.duration)
	case o.ramp < 0 || o.ramp > time.Hour:
		return fmt.Errorf("-ramp %v: want 0 to 1h", o.ramp)
	case given["addr"] != given["db"]:
		return errors.New("-addr and -db go together with -lobby: people with ratings are added to the database of the running servers")
	}
	return nil
}

// lobbyRun makes the people, starts a server where none is named, and has them seek.
func lobbyRun(ctx context.Context, o options, out io.Writer) (*poolReport, error) {
	if err := enoughDescriptors(o.lobby); err != nil {
		return nil, err
	}
	bases, pids := o.addrs, o.pids
	database, data := o.db, ""
	var binary, dir string
	if len(bases) == 0 {
		var err error
		if dir, err = os.MkdirTemp("", "flagfall-loadtest-"); err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		fmt.Fprintln(out, "building the server")
		if binary, err = buildServer(ctx, dir); err != nil {
			return nil, err
		}
		data = filepath.Join(dir, "data")
		if err := os.MkdirAll(data, 0o700); err != nil {
			return nil, err
		}
		database = filepath.Join(data, "flagfall.db")
	}
	fmt.Fprintf(out, "enrolling %d people and %d games of theirs\n", o.lobby, o.lobby/2*pastGames)
	office, err := openOffice(ctx, database, data)
	if err != nil {
		return nil, err
	}
	defer office.close()
	people, err := enroll(ctx, office.store, o.lobby, o.seed)
	if err != nil {
		return nil, err
	}
	var environment []string
	if binary != "" {
		own, err := launch(ctx, binary, dir)
		if err != nil {
			return nil, err
		}
		defer own.stop()
		bases, pids, environment = []string{own.base}, []int{own.cmd.Process.Pid}, raised
	}
	tokens, err := office.tokens(ctx, bases[0], people)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(out, "%d people seek for %v at %s, seed %d\n", o.lobby, o.duration, strings.Join(bases, ", "), o.seed)
	p := newPoolRun(o, newRun(o, bases, pids), people, tokens)
	began, own := time.Now(), ownCPU()
	p.play(ctx)
	rep := p.report(began)
	rep.Stopped = ctx.Err() != nil
	rep.Client = (ownCPU() - own).Seconds()
	rep.Settings.Environment = environment
	return rep, nil
}

func (p *poolRun) report(began time.Time) *poolReport {
	p.mu.Lock()
	defer p.mu.Unlock()
	rep := &poolReport{
		Kind: "lobby", Version: reportVersion, Began: began.UTC().Truncate(time.Second), Machine: thisMachine(), Versions: theseVersions(),
		Settings: poolSettings{People: len(p.everyone), Duration: p.o.duration.Seconds(), Ramp: p.o.ramp.Seconds(), Seed: p.o.seed},
		Pairs:    p.pairs, Again: p.again, Left: p.left, Longest: p.oldest.Seconds() * 1000,
		Pairing: p.wait.spread(), Apart: pointsOf(p.apart), Errors: p.run.errors, Failures: p.run.failed,
	}
	for _, s := range p.everyone {
		if s.seats > 0 {
			rep.Seated++
		}
	}
	for _, n := range p.run.nodes {
		rep.Nodes = append(rep.Nodes, nodeUse{n.base, n.sockets.Load()})
	}
	if used, known := p.run.lookAtServers(); known {
		rep.CPU, rep.Peak = used.cpu.Seconds(), used.peak
	}
	rep.Figures = rep.figures()
	return rep
}

// passed: nobody sat at two tables, there were no errors, and everybody was seated, but one in each pool who may be left over.
func (rep *poolReport) passed() bool {
	return !rep.Stopped && len(rep.Failures) == 0 && total(rep.Errors) == 0 && rep.Pairs > 0 && rep.Seated >= rep.Settings.People-len(poolMinutes)
}

func (rep *poolReport) figures() []figure {
	measured := rep.Pairs > 0
	count := func(name string, n float64) figure { return figure{name, n, plain, measured} }
	return append(spreadFigures("", rep.Pairing),
		count("apart.p50", float64(rep.Apart.P50)), count("apart.p90", float64(rep.Apart.P90)), count("apart.p95", float64(rep.Apart.P95)),
		count("apart.p99", float64(rep.Apart.P99)), count("apart.max", float64(rep.Apart.Max)),
		count("seated", float64(rep.Seated)), count("pairs", float64(rep.Pairs)), count("pairs_again", float64(rep.Again)),
		count("left", float64(rep.Left)), figure{"longest_wait", rep.Longest, millis, measured},
		figure{"server_cpu", rep.CPU * 1e6, micros, rep.CPU > 0},
		figure{"failures", float64(len(rep.Failures)), plain, true}, figure{"errors", float64(total(rep.Errors)), plain, true},
	)
}

func (rep *poolReport) charts() []chart {
	apart := curve{name: "points"}
	if rep.Apart.Count > 0 {
		for i, q := range quantiles {
			apart.points = append(apart.points, plotter.XY{X: tail(q), Y: float64(rep.Apart.Curve[i])})
		}
	}
	return []chart{
		{title: "Time to pairing by percentile", y: "ms", percentiles: true, curves: []curve{byPercentile(rep.Pairing, "seek to paired", 0)}},
		{title: "Difference of the ratings by percentile", y: "points", percentiles: true, curves: []curve{apart}},
	}
}

func (rep *poolReport) print(out io.Writer) {
	fmt.Fprintf(out, "\n%d people with ratings in the pools for 3, 5 and 7 minutes, %.0f s; %d CPUs (%s)\n\n", rep.Settings.People, rep.Settings.Duration,
		rep.Machine.CPUs, rep.Machine.CPU)
	fmt.Fprintf(out, "seated               %d of %d people, in %d pairs; %d of these had just played each other; %d people waited at the end\n",
		rep.Seated, rep.Settings.People, rep.Pairs, rep.Again, rep.Left)
	s, a := rep.Pairing, rep.Apart
	fmt.Fprintf(out, "%-20s %9s %9s %9s %9s %9s %8s\n", "", "min", "p50", "p95", "p99", "max", "count")
	fmt.Fprintf(out, "%-20s %9.1f %9.1f %9.1f %9.1f %9.1f %8d\n", "time to pairing, ms", s.Min, s.P50, s.P95, s.P99, s.Max, s.Count)
	fmt.Fprintf(out, "%-20s %9d %9d %9d %9d %9d %8d\n", "points apart", a.Min, a.P50, a.P95, a.P99, a.Max, a.Count)
	for _, n := range rep.Nodes {
		fmt.Fprintf(out, "sockets opened       %s %d\n", n.Address, n.Sockets)
	}
	if rep.CPU > 0 {
		fmt.Fprintf(out, "server               %.2f s CPU, %.1f MB memory at most\n", rep.CPU, float64(rep.Peak)/(1<<20))
	}
	fmt.Fprintf(out, "client               %.2f s CPU\n", rep.Client)
	if len(rep.Settings.Environment) > 0 {
		fmt.Fprintf(out, "raised limits        %s\n", strings.Join(rep.Settings.Environment, " "))
	}
	for i, text := range rep.Failures {
		if i == most {
			fmt.Fprintf(out, "and %d more\n", len(rep.Failures)-most)
			break
		}
		fmt.Fprintln(out, "FAILED:", text)
	}
	fmt.Fprintf(out, "errors               %d: %s\n", total(rep.Errors), list(rep.Errors))
	switch {
	case rep.Stopped:
		fmt.Fprintln(out, "STOPPED before the time was up")
	case rep.passed():
		fmt.Fprintln(out, "PASSED: everybody was seated, and nobody at two tables")
	default:
		fmt.Fprintln(out, "FAILED")
	}
}
