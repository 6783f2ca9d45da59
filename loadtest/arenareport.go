package main

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"time"

	"flagfall/loadtest/judge"
)

// arenaReport is what a run with -arena writes.
type arenaReport struct {
	Kind     string        `json:"kind"` // "arena"
	Version  int           `json:"version"`
	Began    time.Time     `json:"began"`
	Passed   bool          `json:"passed"`
	Stopped  bool          `json:"stopped"` // by Ctrl-C: the bell was rung, and all else is as usual
	Figures  []figure      `json:"figures"`
	Settings arenaSettings `json:"settings"`
	Machine  machine       `json:"machine"`
	Versions versions      `json:"versions"`

	People   int            `json:"people"` // who came in
	Games    int            `json:"games"`  // that count, or did not come about
	Counted  int            `json:"games_that_count"`
	Ends     map[string]int `json:"ends"` // by reason, as the players were told
	Moves    int            `json:"moves"`
	Illegal  int            `json:"illegal_moves"`
	Seconds  float64        `json:"seconds"` // of everything
	Pairings float64        `json:"pairings_per_minute"`
	Repeats  int            `json:"repeats"`
	Colors   int            `json:"colors_given_way"`
	Longest  float64        `json:"longest_wait_ms"`
	Acts     map[string]int `json:"acts"`          // of players and officials
	Refused  map[string]int `json:"acts_too_late"` // that could not be had any more
	Rulings  map[string]int `json:"rulings"`       // as the players were told, by act
	Asked    map[string]int `json:"refused_as_expected"`
	Denied   map[string]int `json:"denied_as_expected"`
	Checks   int            `json:"checks"` // of the event
	Judged   int            `json:"rulings_checked"`
	Wrong    []string       `json:"differences"`
	Errors   map[string]int `json:"errors"`

	Free    spread `json:"free_to_paired"`
	Deliver spread `json:"pairing_to_called"`
	Stands  spread `json:"dispute_to_ruling"`
	Receipt spread `json:"send_to_receipt"`
	Ack     spread `json:"send_to_acknowledgement"`

	Nodes       []nodeUse `json:"nodes"`
	CPU         float64   `json:"server_cpu_s"` // 0 when unknown
	Peak        int64     `json:"server_memory"`
	Client      float64   `json:"client_cpu_s"`
	Judge       float64   `json:"judge_s"` // that the judge took, beside the games
	ClientShare float64   `json:"client_share"`
}

type arenaSettings struct {
	People  int     `json:"people"`
	Minutes float64 `json:"minutes"`
	Base    float64 `json:"base_s"`
	Rest    float64 `json:"rest_s"`
	Wait    float64 `json:"repeat_wait_s"`
	Mode    string  `json:"mode"`
	Scoring string  `json:"scoring"`
	AtBell  string  `json:"at_bell"`
	Address string  `json:"address"` // of running servers; "" where the run started one, with default limits
	Seed    uint64  `json:"seed"`
	Think   float64 `json:"think_ms"`
	Illegal float64 `json:"illegal"`
	Wrong   float64 `json:"wrong"`
	Cuts    float64 `json:"cuts"`
}

func (a *arenaRun) report() *arenaReport {
	o, r := a.o, a.run
	s := sum(a.verdicts)
	mode := "board"
	if a.fast() {
		mode = "fast"
	}
	rep := &arenaReport{
		Kind: "arena", Version: reportVersion, Began: r.began.UTC().Truncate(time.Second), Stopped: r.stopped, Machine: thisMachine(), Versions: theseVersions(),
		Settings: arenaSettings{People: o.arena, Minutes: o.minutes.Minutes(), Base: arenaBase / 1e3, Rest: arenaRest / 1e3, Wait: arenaWait / 1e3, Mode: mode, Scoring: o.scoring, AtBell: o.atBell,
			Address: strings.Join(o.addrs, ","), Seed: o.seed, Think: float64(o.think) / 1e6, Illegal: o.illegal, Wrong: o.wrong, Cuts: o.cuts},
		Ends: map[string]int{}, Moves: s.plies, Illegal: s.illegal, Seconds: r.played.Seconds(), Rulings: map[string]int{}, Asked: s.refused, Denied: s.denied,
		Judged: s.rulings, Longest: float64(a.oldest) / 1e6, Acts: a.acts.all(), Refused: a.refused.all(), Errors: r.errors,
		Free: a.wait.spread(), Deliver: a.deliver.spread(), Stands: a.stands.spread(), Receipt: r.latency.spread(), Ack: r.acks.spread(),
		Nodes: r.nodeUses(), Client: r.ownCPU.Seconds(), Judge: time.Duration(a.judgeTime.Load()).Seconds(),
		ClientShare: over(r.ownCPU.Seconds(), r.played.Seconds()*float64(runtime.NumCPU())),
	}
	for _, p := range a.people {
		if p.kept.Name != "" {
			rep.People++
		}
	}
	for _, t := range a.tables {
		if t.seen.End > 0 {
			rep.Ends[t.seen.Reason]++
		}
	}
	for _, v := range a.verdicts {
		for name, n := range v.Ruled {
			rep.Rulings[name] += n
		}
	}
	if r.hasUsed {
		rep.CPU, rep.Peak = r.used.cpu.Seconds(), r.used.peak
	}
	if a.checked != nil {
		rep.Checks, rep.Repeats, rep.Colors = a.checked.Checks, a.checked.Repeats, a.checked.Colors
		rep.Wrong = append(rep.Wrong, a.checked.Differences...)
		rep.Games = len(a.final.Games)
		var first, last int64
		for _, g := range a.final.Games {
			if g.Score != "*" {
				rep.Counted++
			}
			if first == 0 || g.Started < first {
				first = g.Started
			}
			last = max(last, g.Started)
		}
		rep.Pairings = over(float64(rep.Games), float64(last-first)/60_000)
	}
	return rep
}

// conclude prints the report and gives it.
func (a *arenaRun) conclude(out io.Writer) *arenaReport {
	rep := a.report()
	rep.Wrong = append(rep.Wrong, a.run.failed...)
	rep.Wrong = append(rep.Wrong, a.shapes.Differences()...)
	shown := 0
	for _, pr := range a.run.pairs {
		found := judge.Judge(&pr.transcript, nil).Differences
		if a.final == nil { // games were cut short
			found = slices.DeleteFunc(found, judge.Unfinished)
		}
		for _, d := range found {
			rep.Wrong = append(rep.Wrong, "game "+pr.transcript.Game+": "+d)
		}
		if len(found) > 0 && shown < most {
			shown++
			fmt.Fprintf(out, "\nDIFFERENCE in game %s:\n  %s\n", pr.transcript.Game, strings.Join(found, "\n  "))
			judge.Print(out, &pr.transcript)
		}
	}
	rep.Passed = a.final != nil && len(rep.Wrong) == 0 && total(rep.Errors) == 0 && rep.Counted > 0
	rep.Figures = rep.figures()
	rep.print(out)
	return rep
}

func (rep *arenaReport) figures() []figure {
	measured := rep.Games > 0
	count := func(name string, n float64) figure { return figure{name, n, plain, measured} }
	out := append(spreadFigures("", rep.Free), spreadFigures("called.", rep.Deliver)...)
	out = append(append(out, spreadFigures("ruling.", rep.Stands)...), spreadFigures("receipt.", rep.Receipt)...)
	return append(out,
		count("games", float64(rep.Games)), count("pairings_per_minute", rep.Pairings), count("repeats", float64(rep.Repeats)),
		count("colors_given_way", float64(rep.Colors)), figure{"longest_wait", rep.Longest, millis, rep.Free.Count > 0},
		count("checks", float64(rep.Checks)), figure{"server_cpu", rep.CPU * 1e6, micros, rep.CPU > 0},
		figure{"client_share", rep.ClientShare, plain, rep.Seconds > 0},
		figure{"errors", float64(total(rep.Errors)), plain, true}, figure{"differences", float64(len(rep.Wrong)), plain, true},
	)
}

func (rep *arenaReport) charts() []chart {
	return []chart{
		{title: "From free to paired, by percentile", y: "ms", percentiles: true, curves: []curve{byPercentile(rep.Free, "free to paired", 0)}},
		{title: "From the pairing to the call, by percentile", y: "ms", percentiles: true, curves: []curve{byPercentile(rep.Deliver, "pairing to called", 0)}},
		{title: "Send to the opponent's receipt, by percentile", y: "ms", percentiles: true, curves: []curve{byPercentile(rep.Receipt, "send to receipt", 0)}},
	}
}

func (rep *arenaReport) print(out io.Writer) {
	s := rep.Settings
	fmt.Fprintf(out, "\nan arena of %d people, %g minutes, %g s each by WBCA's rules (%s), %g s of rest, %s scoring, %s at the bell; %d CPUs (%s)\n\n", s.People, s.Minutes, s.Base, s.Mode, s.Rest, s.Scoring, s.AtBell,
		rep.Machine.CPUs, rep.Machine.CPU)
	line := func(name, format string, args ...any) {
		fmt.Fprintf(out, "%-20s "+format+"\n", append([]any{name}, args...)...)
	}
	line("people", "%d came in, all from one address by the event's link", rep.People)
	line("games", "%d, of which %d count; %.0f pairings a minute", rep.Games, rep.Counted, rep.Pairings)
	line("ends", "%s", list(rep.Ends))
	line("moves", "%d, %d of them illegal", rep.Moves, rep.Illegal)
	line("given way", "%d immediate repeats, %d times a bound on colours", rep.Repeats, rep.Colors)
	fmt.Fprintf(out, "%-20s %9s %9s %9s %9s %9s %8s\n", "ms", "min", "p50", "p95", "p99", "max", "count")
	for _, t := range []struct {
		name string
		s    spread
	}{{"free to paired", rep.Free}, {"pairing to called", rep.Deliver}, {"dispute to ruling", rep.Stands}, {"send to receipt", rep.Receipt}} {
		fmt.Fprintf(out, "%-20s %9.1f %9.1f %9.1f %9.1f %9.1f %8d\n", t.name, t.s.Min, t.s.P50, t.s.P95, t.s.P99, t.s.Max, t.s.Count)
	}
	line("longest wait", "%.1f s", rep.Longest/1000)
	line("acts", "%s", list(rep.Acts))
	line("acts too late", "%s", list(rep.Refused))
	line("rulings", "%s", list(rep.Rulings))
	line("refused as expected", "%s", list(rep.Asked))
	line("denied as expected", "%s", list(rep.Denied))
	for _, n := range rep.Nodes {
		line("sockets opened", "%s %d", n.Address, n.Sockets)
	}
	if rep.CPU > 0 {
		line("server", "%.2f s CPU, %.1f MB memory at most", rep.CPU, float64(rep.Peak)/(1<<20))
	}
	line("client", "%.2f s CPU (%.0f %% of the machine); the judge took %.2f s", rep.Client, 100*rep.ClientShare, rep.Judge)
	line("checks", "%d of the event, %d of rulings in its games; %.0f s in all", rep.Checks, rep.Judged, rep.Seconds)
	for i, text := range rep.Wrong {
		if i == 4*most {
			fmt.Fprintf(out, "and %d more\n", len(rep.Wrong)-i)
			break
		}
		fmt.Fprintln(out, "DIFFERENCE:", text)
	}
	line("errors", "%d: %s", total(rep.Errors), list(rep.Errors))
	if rep.Stopped {
		fmt.Fprintln(out, "stopped before the time was up: the bell was rung and the games were given up")
	}
	if rep.Passed {
		fmt.Fprintln(out, "PASSED: the table is the people's own count, and nothing else differed")
	} else {
		fmt.Fprintln(out, "FAILED")
	}
}
