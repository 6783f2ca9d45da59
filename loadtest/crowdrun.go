package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// crowdReport is what a run with -crowd writes: the same paced games with nobody watching and with one of them watched.
type crowdReport struct {
	Kind     string           `json:"kind"` // "crowd"
	Version  int              `json:"version"`
	Began    time.Time        `json:"began"`
	Stopped  bool             `json:"stopped"`
	Ratios   crowdRatios      `json:"ratios"`
	Valid    crowdValidity    `json:"valid"`
	Figures  []figure         `json:"figures"`
	Settings baselineSettings `json:"settings"`
	Machine  machine          `json:"machine"`
	Versions versions         `json:"versions"`

	// Of all rounds together.
	Game        playersTimes `json:"watched_game"` // the players of the watched game
	Others      playersTimes `json:"other_games"`  // those of the games beside it
	Alone       playersTimes `json:"unwatched"`    // all players of the drives with nobody watching
	AloneGame   playersTimes `json:"unwatched_game"`
	Spectators  spread       `json:"spectators_send_to_receipt"`
	Frames      int64        `json:"spectators_frames"`
	CPUPerFrame float64      `json:"cpu_us_frame"` // what a spectator's frame adds to the server's CPU
	Rounds      []crowdRound `json:"rounds"`
}

type crowdRatios struct {
	P99    float64 `json:"p99_watched"` // send to receipt, the watched game's players over all of the unwatched drives
	P99Ack float64 `json:"p99_ack_watched"`
}

type crowdValidity struct {
	OK       bool      `json:"ok"`
	SendLag  condition `json:"send_lag"`
	Quiet    condition `json:"quiet_machine"`
	Answered condition `json:"answered"`
	Complete condition `json:"complete"`
}

type playersTimes struct {
	Receipt spread `json:"send_to_receipt"`
	Ack     spread `json:"send_to_acknowledgement"`
}

// crowdRound is one drive.
type crowdRound struct {
	round
	Game    playersTimes `json:"game"` // game 0, the one that is watched in every other drive
	Watched *watched     `json:"watched,omitempty"`
}

// sums are the times of all drives of a kind.
type sums struct{ game, others ownSums }

type ownSums struct{ receipt, ack *hdrhistogram.Histogram }

func (s *ownSums) add(receipt, ack *hdrhistogram.Histogram) {
	if s.receipt == nil {
		s.receipt, s.ack = newHDR(), newHDR()
	}
	if receipt != nil {
		s.receipt.Merge(receipt)
		s.ack.Merge(ack)
	}
}

func (s *ownSums) times() playersTimes { return playersTimes{spreadOf(s.receipt), spreadOf(s.ack)} }

// crowdRun alternates drives with and without a crowd.
type crowdRun struct {
	*baseline
	alone, watched sums
	spectators     *hdrhistogram.Histogram
}

func (c *crowdRun) run(ctx context.Context) (*crowdReport, error) {
	binary, remove, err := c.build(ctx, 2*c.o.games+c.o.crowd)
	if err != nil {
		return nil, err
	}
	defer remove()
	rep := &crowdReport{
		Kind: "crowd", Version: reportVersion, Began: time.Now().UTC().Truncate(time.Second),
		Machine: thisMachine(), Versions: theseVersions(), Settings: c.settings(),
	}
	rep.Stopped, err = alternate(ctx, c.o.rounds, [2]int{0, c.o.crowd},
		func(size int) (crowdRound, error) { return c.drive(ctx, binary, size) },
		func(r crowdRound, number int) {
			r.Number, r.Order = number, len(rep.Rounds)+1
			rep.Rounds = append(rep.Rounds, r)
		})
	if err != nil {
		return nil, err
	}
	c.conclude(rep)
	return rep, nil
}

// drive starts a server, drives it and stops it; size is that of the crowd, 0 for none.
func (c *crowdRun) drive(ctx context.Context, binary string, size int) (crowdRound, error) {
	t, err := serverTarget(ctx, binary, c.mode())
	if err != nil {
		return crowdRound{}, err
	}
	defer t.stop()
	t.name = "alone"
	d := newDrive(c.o.board, c.period())
	d.apart = &ownTimes{}
	var public *crowd
	var with company
	sum := &c.alone
	if size > 0 {
		t.name, sum = "watched", &c.watched
		public = &crowd{size: size, slow: c.o.crowdSlow}
		with = public
	}
	r, err := c.driveWith(ctx, t, d, with)
	if err != nil {
		return crowdRound{}, err
	}
	if c.live {
		fmt.Fprint(c.out, "\r\x1b[K")
	}
	sum.others.add(d.receipt.whole, d.acks.whole)
	sum.game.add(d.apart.receipt.whole, d.apart.acks.whole)
	one := crowdRound{round: r, Game: playersTimes{spreadOf(d.apart.receipt.whole), spreadOf(d.apart.acks.whole)}}
	if public != nil {
		seen := public.result()
		one.Watched = &seen
		if public.receipt.whole != nil {
			c.spectators.Merge(public.receipt.whole)
		}
	}
	c.say("%s: %.0f moves/s, p99 of game 0 %.2f ms, of the others %.2f ms, %d errors", t.name, r.Rate, one.Game.Receipt.P99, r.Receipt.P99, total(r.Errors))
	return one, nil
}

// conclude works the figures out of the rounds.
func (c *crowdRun) conclude(rep *crowdReport) {
	rep.Game, rep.Others, rep.AloneGame = c.watched.game.times(), c.watched.others.times(), c.alone.game.times()
	all := c.alone.others
	all.add(c.alone.game.receipt, c.alone.game.ack)
	rep.Alone, rep.Spectators = all.times(), spreadOf(c.spectators)
	rep.Ratios = crowdRatios{over(rep.Game.Receipt.P99, rep.Alone.Receipt.P99), over(rep.Game.Ack.P99, rep.Alone.Ack.P99)}
	cpu := map[bool]float64{}
	for _, r := range rep.Rounds {
		cpu[r.Watched != nil] += r.CPU
		if r.Watched != nil {
			rep.Frames += r.Watched.Frames
		}
	}
	if rep.Frames > 0 {
		rep.CPUPerFrame = max(0, cpu[true]-cpu[false]) * 1e6 / float64(rep.Frames)
	}
	rep.judge()
	rep.Figures = rep.figures()
}

func (rep *crowdReport) judge() {
	v := &rep.Valid
	var lags []float64
	others, watched := 0.0, 0
	for i := range rep.Rounds {
		r := &rep.Rounds[i]
		others = max(others, r.OthersShare)
		if r.Watched != nil {
			watched++
		}
		lags = append(lags, over(r.Lag.P99, rep.Alone.Receipt.P99))
	}
	v.SendLag = atMost(median(lags), mostLag, "how late the client was, as a share of send to receipt with nobody watching, both p99")
	v.Quiet = atMost(others, mostOthers, "share of the machine's CPU time that other programs used, in the worst drive")
	v.Answered = atMost(float64(rep.errors()), 0, "errors: moves, acknowledgements or frames that did not come as they must")
	v.Complete = atLeast(float64(min(watched, len(rep.Rounds)-watched)), float64(rep.Settings.Rounds), "rounds with both drives")
	v.OK = v.SendLag.OK && v.Quiet.OK && v.Answered.OK && v.Complete.OK
}

func (rep *crowdReport) errors() int {
	n := 0
	for i := range rep.Rounds {
		n += total(rep.Rounds[i].Errors)
	}
	return n
}

func (rep *crowdReport) passed() bool { return !rep.Stopped && rep.errors() == 0 }

// cut counts spectators who read and were closed all the same.
func (rep *crowdReport) cut() (others, slow int) {
	for _, r := range rep.Rounds {
		if r.Watched != nil {
			others, slow = others+total(r.Watched.Cut), slow+r.Watched.SlowTold
		}
	}
	return others, slow
}

// figures are what thresholds and comparisons know: the players' of the watched game without a prefix.
func (rep *crowdReport) figures() []figure {
	cut, slow := rep.cut()
	measured, valid := rep.Game.Receipt.Count > 0, 0.0
	if rep.Valid.OK {
		valid = 1
	}
	out := append(spreadFigures("", rep.Game.Receipt), spreadFigures("ack.", rep.Game.Ack)...)
	out = append(out, spreadFigures("others.", rep.Others.Receipt)...)
	out = append(out, spreadFigures("alone.", rep.Alone.Receipt)...)
	out = append(out, spreadFigures("alone.ack.", rep.Alone.Ack)...)
	out = append(out, spreadFigures("spectators.", rep.Spectators)...)
	return append(out,
		figure{"ratio.p99_watched", rep.Ratios.P99, plain, measured}, figure{"ratio.p99_ack_watched", rep.Ratios.P99Ack, plain, measured},
		figure{"spectators.frames", float64(rep.Frames), plain, measured}, figure{"spectators.cut", float64(cut), plain, measured},
		figure{"spectators.slow_told", float64(slow), plain, measured}, figure{"cpu_per_frame", rep.CPUPerFrame, micros, measured},
		figure{"errors", float64(rep.errors()), plain, true}, figure{"valid", valid, plain, true},
	)
}

func (rep *crowdReport) charts() []chart {
	return []chart{{title: "Times by percentile", y: "ms", percentiles: true, curves: []curve{
		byPercentile(rep.Game.Receipt, "players of the watched game, to receipt", 0), byPercentile(rep.Alone.Receipt, "players, nobody watching, to receipt", 1),
		byPercentile(rep.Others.Receipt, "players of the games beside it, to receipt", 2),
	}}, {title: "From a move's sending to its spectators, by percentile", y: "ms", percentiles: true, curves: []curve{
		byPercentile(rep.Spectators, "", 0),
	}}}
}

// print writes the report for people.
func (rep *crowdReport) print(out io.Writer) {
	s := rep.Settings
	fmt.Fprintf(out, "\n%d games, %s mode, %g moves a second each, %d rounds of %g s; %d CPUs (%s)\n\n", s.Games, s.Mode, s.Rate, s.Rounds,
		s.Duration, rep.Machine.CPUs, rep.Machine.CPU)
	fmt.Fprintf(out, "%-8s %5s %8s %8s %7s %7s %8s %8s %10s %9s %9s\n", "", "round", "moves/s", "CPU s", "client", "others", "game p50", "game p99", "spectators", "frames", "spec. p99")
	for _, r := range rep.Rounds {
		w := watched{}
		if r.Watched != nil {
			w = *r.Watched
		}
		fmt.Fprintf(out, "%-8s %5d %8.0f %8.2f %6.0f%% %6.1f%% %8.3f %8.3f %10d %9d %9.3f\n", r.Target, r.Number, r.Rate, r.CPU, 100*r.ClientShare,
			100*r.OthersShare, r.Game.Receipt.P50, r.Game.Receipt.P99, w.Spectators, w.Frames, w.Receipt.P99)
		for _, kind := range sortedKeys(r.Errors) {
			fmt.Fprintf(out, "         error: %s: %d\n", kind, r.Errors[kind])
		}
		for _, kind := range sortedKeys(w.Cut) {
			fmt.Fprintf(out, "         spectators closed: %s: %d\n", kind, w.Cut[kind])
		}
		if w.Slow > 0 {
			fmt.Fprintf(out, "         %d slow spectators, %d told so\n", w.Slow, w.SlowTold)
		}
	}
	fmt.Fprintf(out, "\n%-42s %8s %9s %9s %9s %9s %9s\n", "ms, all rounds", "count", "p50", "p99", "max", "ack p50", "ack p99")
	for _, l := range []struct {
		name string
		t    playersTimes
	}{{"players of the watched game", rep.Game}, {"players of the games beside it", rep.Others}, {"all players, nobody watching", rep.Alone},
		{"the same game's, nobody watching", rep.AloneGame}, {"spectators, from the move's sending", playersTimes{Receipt: rep.Spectators}}} {
		fmt.Fprintf(out, "%-42s %8d %9.3f %9.3f %9.3f %9.3f %9.3f\n", l.name, l.t.Receipt.Count, l.t.Receipt.P50, l.t.Receipt.P99, l.t.Receipt.Max,
			l.t.Ack.P50, l.t.Ack.P99)
	}
	fmt.Fprintf(out, "\np99_watched %.2f (acknowledgement %.2f); %.1f µs of the server's CPU for a spectator's frame\n\n", rep.Ratios.P99, rep.Ratios.P99Ack, rep.CPUPerFrame)
	v := &rep.Valid
	conditions := []namedCondition{{"send_lag", v.SendLag}, {"quiet_machine", v.Quiet}, {"answered", v.Answered}, {"complete", v.Complete}}
	printConditions(out, conditions, rep.Stopped, v.OK)
}
