package main

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"sort"
	"strings"
	"time"

	"flagfall/loadtest/judge"
)

// most is how many differences are printed with their whole transcript.
const most = 5

// runReport is what an ordinary run writes.
type runReport struct {
	Kind     string      `json:"kind"` // "games"
	Version  int         `json:"version"`
	Began    time.Time   `json:"began"`
	Passed   bool        `json:"passed"`
	Stopped  bool        `json:"stopped"` // by Ctrl-C
	Figures  []figure    `json:"figures"`
	Settings runSettings `json:"settings"`
	Machine  machine     `json:"machine"`
	Versions versions    `json:"versions"`

	Games       int            `json:"games"`
	Finished    int            `json:"finished"`
	NotSetUp    int            `json:"not_set_up"`
	Ends        map[string]int `json:"ends"` // finished games by reason
	Moves       int            `json:"moves"`
	Illegal     int            `json:"illegal_moves"`
	Seconds     float64        `json:"seconds"`
	Rate        float64        `json:"moves_per_s"`
	Phases      []phase        `json:"phases"`
	HoldEnded   string         `json:"hold_ended"` // why
	Loop        string         `json:"loop"`       // "open": times count from the moment that an action was meant for; or "closed"
	Nodes       []nodeUse      `json:"nodes"`
	Commands    int64          `json:"commands"`
	Premoves    int64          `json:"premoves"`         // sent
	Dropped     int64          `json:"premoves_dropped"` // that had become impossible
	Slow        slowReport     `json:"slow_readers"`
	Refused     map[string]int `json:"refused_as_expected"` // by code
	Denied      map[string]int `json:"denied_as_expected"`  // by claim
	Errors      map[string]int `json:"errors"`              // by kind
	Rulings     int            `json:"rulings_checked"`
	Differences int            `json:"differences"` // between the server and the referee

	Ack     spread `json:"send_to_acknowledgement"`
	Receipt spread `json:"send_to_receipt"`
	Pairing spread `json:"time_to_pairing"`
	Return  spread `json:"reconnect_to_resumed"`
	Lag     spread `json:"client_lag"` // how late the simulated people acted

	ClientCPU   float64 `json:"client_cpu_s"`
	ClientShare float64 `json:"client_share"` // of the machine's CPU time

	Server *serverUse `json:"server"` // null when unknown
	Series []moment   `json:"series"`
}

// nodeUse is one of the servers that people went to.
type nodeUse struct {
	Address string `json:"address"`
	Sockets int64  `json:"sockets"` // that were opened there, over the whole run
}

// slowReport is what came of slow reading. Who was neither cut nor reset was told everything in the end.
type slowReport struct {
	Times int64 `json:"times"`
	Cut   int64 `json:"cut"`   // with the close code for slowness
	Reset int64 `json:"reset"` // without a code
}

// serverUse is what the servers' processes used together.
type serverUse struct {
	CPU     float64 `json:"cpu_s"`
	CPUMove float64 `json:"cpu_us_move"`
	Peak    int64   `json:"memory_peak"` // bytes, resident

	Processes []processUse `json:"processes"`
}

type processUse struct {
	PID  int     `json:"pid"`
	CPU  float64 `json:"cpu_s"`
	Peak int64   `json:"memory_peak"`
}

type runSettings struct {
	Games       int      `json:"games"`
	Duration    float64  `json:"duration_s"`
	MaxMoves    int64    `json:"moves,omitempty"` // after which the run ends
	Drain       float64  `json:"drain_s"`
	Address     string   `json:"address"` // of running servers, by commas; "" when the run started one
	Renew       bool     `json:"renew"`
	Pairing     string   `json:"pairing"`
	Pace        float64  `json:"rate"` // moves a second in each game; 0 is a closed loop
	Seed        uint64   `json:"seed"`
	Think       float64  `json:"think_ms"`
	ThinkAs     string   `json:"think_as"`
	Ramp        float64  `json:"ramp_s"`
	Premoves    float64  `json:"premoves"`
	Slow        float64  `json:"slow"`
	Illegal     float64  `json:"illegal"`
	Wrong       float64  `json:"wrong"`
	Cuts        float64  `json:"cuts"`
	Spectators  float64  `json:"spectators"`
	Fast        float64  `json:"fast"`
	Rules       float64  `json:"rules"`
	Timing      float64  `json:"timing"`
	Environment []string `json:"server_environment"`
}

func (o *options) runSettings() runSettings {
	s := runSettings{
		Games: o.games, Duration: o.duration.Seconds(), Address: strings.Join(o.addrs, ","), Seed: o.seed,
		MaxMoves: o.moves, Renew: o.renew, Drain: o.drain.Seconds(), Pairing: o.pairing, Pace: o.rate, Ramp: o.ramp.Seconds(),
		Premoves: o.premoves, Slow: o.slow,
		Illegal: o.illegal, Wrong: o.wrong, Cuts: o.cuts, Spectators: o.spectators, Fast: o.fast, Rules: o.rules, Timing: o.timing,
	}
	if o.rate == 0 {
		s.Think, s.ThinkAs = float64(o.think)/1e6, o.thinkAs
	}
	if len(o.addrs) == 0 {
		s.Environment = raised
	}
	return s
}

// figures are what thresholds and comparisons know; without a prefix, times from send to receipt.
func (rep *runReport) figures() []figure {
	out := append(spreadFigures("", rep.Receipt), spreadFigures("ack.", rep.Ack)...)
	out = append(out, spreadFigures("pairing.", rep.Pairing)...)
	out = append(out, spreadFigures("reconnect.", rep.Return)...)
	out = append(out, spreadFigures("lag.", rep.Lag)...)
	var use serverUse
	if rep.Server != nil {
		use = *rep.Server
	}
	return append(out,
		figure{"moves_per_s", rep.Rate, plain, rep.Seconds > 0}, figure{"finished", float64(rep.Finished), plain, true},
		figure{"cpu_per_move", use.CPUMove, micros, rep.Server != nil && rep.Moves > 0},
		figure{"memory", float64(use.Peak), octets, rep.Server != nil},
		figure{"client_share", rep.ClientShare, plain, rep.Seconds > 0},
		figure{"errors", float64(total(rep.Errors)), plain, true}, figure{"differences", float64(rep.Differences), plain, true},
	)
}

// report prints the figures and says whether every check passed.
func (r *run) report(out io.Writer) bool { return r.conclude(out).Passed }

// conclude judges the games, prints the figures and gives them.
func (r *run) conclude(out io.Writer) *runReport {
	shapes := &judge.Shapes{}
	verdicts := r.verdicts(shapes)
	s := sum(verdicts)
	differences := r.differences(out, verdicts)
	for _, d := range append(slices.Clone(r.failed), shapes.Differences()...) {
		differences++
		fmt.Fprintf(out, "\nDIFFERENCE: %s\n", d)
	}
	rep := &runReport{
		Kind: "games", Version: reportVersion, Began: r.began.UTC().Truncate(time.Second), Stopped: r.stopped,
		Settings: r.o.runSettings(), Machine: thisMachine(), Versions: theseVersions(),
		Games: s.games, Finished: s.finished, Ends: s.ends, Moves: s.plies, Illegal: s.illegal,
		Seconds: r.played.Seconds(), Rate: over(float64(s.plies), r.played.Seconds()), Commands: r.commands.Load(),
		Refused: s.refused, Denied: s.denied, Errors: r.errors, Rulings: s.rulings, Differences: differences,
		Ack: r.acks.spread(), Receipt: r.latency.spread(), Pairing: r.pairing.spread(), Return: r.returns.spread(), Lag: r.lags.spread(),
		ClientCPU: r.ownCPU.Seconds(), ClientShare: over(r.ownCPU.Seconds(), r.played.Seconds()*float64(runtime.NumCPU())),
		Premoves: r.premoves.Load(), Dropped: r.dropped.Load(), Loop: "closed",
		Slow:   slowReport{r.slow.times.Load(), r.slow.cut.Load(), r.slow.reset.Load()},
		Series: r.series,
	}
	if r.o.rate > 0 {
		rep.Loop = "open"
	}
	rep.NotSetUp = max(len(r.pairs), r.o.games) - s.games
	rep.Phases, rep.HoldEnded = r.phases.list()
	rep.Nodes, rep.Server = r.nodeUses(), r.serverUse(s.plies)
	rep.Figures = rep.figures()
	rep.print(out, s, shapes.Compared())
	if n := r.outages.Load(); s.outage > 0 || n > 0 {
		fmt.Fprintf(out, "outage           %d games went on after the server was away; %d sockets were lost and attempts failed\n", s.outage, n)
	}
	if r.stopped {
		fmt.Fprintln(out, "stopped before the end: games that the drain did not end were not judged as finished")
	}
	rep.Passed = rep.outcome(out)
	return rep
}

func (r *run) nodeUses() []nodeUse {
	var out []nodeUse
	for _, n := range r.nodes {
		out = append(out, nodeUse{n.base, n.sockets.Load()})
	}
	return out
}

// serverUse is nil where no process could be watched.
func (r *run) serverUse(moves int) *serverUse {
	if !r.hasUsed {
		return nil
	}
	u := &serverUse{CPU: r.used.cpu.Seconds(), Peak: r.used.peak}
	u.CPUMove = over(u.CPU*1e6, float64(moves))
	for _, p := range r.processes {
		u.Processes = append(u.Processes, processUse{p.pid, (p.last.cpu - p.begin.cpu).Seconds(), p.last.peak})
	}
	return u
}

func (rep *runReport) outcome(out io.Writer) bool {
	switch {
	case rep.Differences > 0:
		fmt.Fprintln(out, "FAILED: the server and the referee differ")
	case rep.Finished == 0:
		fmt.Fprintln(out, "FAILED: no game was finished")
	case total(rep.Errors) > 0:
		fmt.Fprintln(out, "FAILED: there were errors")
	default:
		fmt.Fprintln(out, "PASSED")
		return true
	}
	return false
}

// summary adds the verdicts up.
type summary struct {
	games, finished, outage, plies, illegal, corrected, shown, commands, rulings int
	refused, denied, ends                                                        map[string]int
}

func sum(verdicts []*judge.Verdict) summary {
	s := summary{refused: map[string]int{}, denied: map[string]int{}, ends: map[string]int{}}
	for _, v := range verdicts {
		if v == nil {
			continue
		}
		s.games++
		if v.Outage {
			s.outage++
		}
		s.plies += v.Plies
		s.illegal += v.Illegal
		s.corrected += v.Corrected
		s.shown += v.Shown
		s.commands += v.Commands
		s.rulings += v.Rulings
		for code, n := range v.Refused {
			s.refused[code] += n
		}
		for claim, n := range v.Denied {
			s.denied[claim] += n
		}
		if v.End != nil {
			s.finished++
			s.ends[v.End.Reason]++
		}
	}
	return s
}

// differences prints what was found in the games, the first few with their transcripts.
func (r *run) differences(out io.Writer, verdicts []*judge.Verdict) int {
	n, shown := 0, 0
	for i, v := range verdicts {
		if v == nil {
			continue
		}
		pr := r.pairs[i]
		if r.o.verbose {
			fmt.Fprintf(out, "%s %s %s base %v: %d plies, %v\n", pr.transcript.Game, pr.transcript.Rules, pr.transcript.Mode, pr.plan.base, v.Plies, v.End)
		}
		found := v.Differences
		if r.stopped || r.o.drain == 0 {
			found = slices.DeleteFunc(slices.Clone(found), judge.Unfinished)
		}
		if len(found) == 0 {
			continue
		}
		n += len(found)
		fmt.Fprintf(out, "\nDIFFERENCE in game %s (%s, %s, %v each %s %d):\n  %s\n", pr.transcript.Game, pr.transcript.Rules,
			pr.transcript.Mode, pr.plan.base, pr.plan.timing, pr.plan.each, strings.Join(found, "\n  "))
		if shown < most {
			shown++
			judge.Print(out, &pr.transcript)
		}
	}
	return n
}

func total(m map[string]int) int {
	n := 0
	for _, v := range m {
		n += v
	}
	return n
}

// list is "not_on_move 12, no_move 3", the most frequent first.
func list(m map[string]int) string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	sort.Slice(names, func(i, j int) bool {
		if m[names[i]] != m[names[j]] {
			return m[names[i]] > m[names[j]]
		}
		return names[i] < names[j]
	})
	for i, name := range names {
		names[i] = fmt.Sprintf("%s %d", name, m[name])
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
