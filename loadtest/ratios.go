package main

import (
	"fmt"
	"io"
	"slices"
)

// ratios are medians of the server's rounds over medians of the relay's.
type ratios struct {
	CPUPerMove   float64 `json:"cpu_per_move"` // of the target's process; the leading figure
	MovesPerS    float64 `json:"moves_per_s"`
	P99          float64 `json:"p99"`            // send to the opponent's receipt
	BytesPerGame float64 `json:"bytes_per_game"` // resident memory at the end of the measured time

	P99Ack      float64 `json:"p99_ack"`               // send to acknowledgement
	BytesSeated float64 `json:"bytes_per_game_seated"` // resident memory before the first move
}

// medians of the rounds, for each target.
type medians struct {
	Server middle `json:"server"`
	Relay  middle `json:"relay"`
}

type middle struct {
	CPUMove   float64 `json:"cpu_us_move"`
	Rate      float64 `json:"moves_per_s"`
	Receipt   spread  `json:"send_to_receipt"`
	Ack       spread  `json:"send_to_acknowledgement"`
	BytesGame float64 `json:"bytes_per_game"`
	Seated    float64 `json:"bytes_per_game_seated"`
	ClientUs  float64 `json:"client_us_move"`
}

// validity says whether the ratios may be quoted.
type validity struct {
	OK           bool      `json:"ok"`            // all of the conditions hold
	RelayReached condition `json:"relay_reached"` // the relay went as far as this client and machine can drive it
	ClientCPU    condition `json:"client_cpu"`    // the client's share of the machine while it drove the server
	ClientCost   condition `json:"client_cost"`   // the client's CPU a move with the server, over that with the relay
	SendLag      condition `json:"send_lag"`      // the client's lateness as a share of the relay's latency, both p99
	Quiet        condition `json:"quiet_machine"` // the share of programs that were neither client nor target
	Answered     condition `json:"answered"`      // errors, moves without acknowledgement or receipt among them
	Steady       condition `json:"steady"`        // the server's dearest round over its cheapest, CPU a move
	Complete     condition `json:"complete"`      // rounds of both
}

// condition is a figure and what it must be for a run to count.
type condition struct {
	OK    bool    `json:"ok"`
	Value float64 `json:"value"`
	Least float64 `json:"least,omitempty"` // what it must be at least, or
	Most  float64 `json:"most"`            // at most
	What  string  `json:"what"`
}

func atLeast(value, least float64, what string) condition {
	return condition{OK: value >= least, Value: value, Least: least, What: what}
}

func atMost(value, most float64, what string) condition {
	return condition{OK: value <= most, Value: value, Most: most, What: what}
}

// Limits of a run that counts.
const (
	saturated     = 0.85 // of the machine in the relay's rounds of a closed loop
	onPace        = 0.98 // of the moves that the pace wants
	mostClientCPU = 0.60 // of the machine
	mostCost      = 2
	mostLag       = 0.50
	mostOthers    = 0.05 // of the machine
	mostSpread    = 1.25
)

// rounds are the drives of a run.
type rounds []round

// of gives a figure of every round of a target.
func (rs rounds) of(target string, figure func(r *round) float64) []float64 {
	var out []float64
	for i := range rs {
		if rs[i].Target == target {
			out = append(out, figure(&rs[i]))
		}
	}
	return out
}

func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(values))
	if n := len(s); n%2 == 0 {
		return (s[n/2-1] + s[n/2]) / 2
	}
	return s[len(s)/2]
}

func over(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// conclude works the medians, ratios and conditions out of the rounds.
func (rep *baselineReport) conclude() {
	rep.Medians = medians{Server: rep.Rounds.middle("server"), Relay: rep.Rounds.middle("relay")}
	s, r := rep.Medians.Server, rep.Medians.Relay
	rep.Ratios = ratios{
		CPUPerMove: over(s.CPUMove, r.CPUMove), MovesPerS: over(s.Rate, r.Rate),
		P99: over(s.Receipt.P99, r.Receipt.P99), BytesPerGame: over(s.BytesGame, r.BytesGame),
		P99Ack: over(s.Ack.P99, r.Ack.P99), BytesSeated: over(s.Seated, r.Seated),
	}
	rep.judge()
	rep.Figures = rep.figures()
}

func (rs rounds) middle(target string) middle {
	m := func(figure func(r *round) float64) float64 { return median(rs.of(target, figure)) }
	return middle{
		CPUMove:   m(func(r *round) float64 { return r.CPUMove }),
		Rate:      m(func(r *round) float64 { return r.Rate }),
		Receipt:   rs.middleSpread(target, func(r *round) spread { return r.Receipt }),
		Ack:       rs.middleSpread(target, func(r *round) spread { return r.Ack }),
		BytesGame: m(func(r *round) float64 { return r.BytesGame }),
		Seated:    m(func(r *round) float64 { return r.BytesSeated }),
		ClientUs:  m(func(r *round) float64 { return r.ClientUs }),
	}
}

// middleSpread has the medians of each percentile and all that was counted.
func (rs rounds) middleSpread(target string, of func(r *round) spread) spread {
	m := func(part func(s spread) float64) float64 {
		return median(rs.of(target, func(r *round) float64 { return part(of(r)) }))
	}
	out := spread{
		Min: m(func(s spread) float64 { return s.Min }), P50: m(func(s spread) float64 { return s.P50 }),
		P95: m(func(s spread) float64 { return s.P95 }), P99: m(func(s spread) float64 { return s.P99 }),
		P999: m(func(s spread) float64 { return s.P999 }), Max: m(func(s spread) float64 { return s.Max }),
	}
	for i := range out.Curve {
		out.Curve[i] = m(func(s spread) float64 { return s.Curve[i] })
	}
	for i := range rs {
		if r := &rs[i]; r.Target == target {
			out.Count += of(r).Count
		}
	}
	return out
}

// figures are what thresholds and comparisons know: the server's without a prefix, times from send to receipt.
func (rep *baselineReport) figures() []figure {
	s, r, q := rep.Medians.Server, rep.Medians.Relay, rep.Ratios
	measured, valid := len(rep.Rounds) > 0, 0.0
	if rep.Valid.OK {
		valid = 1
	}
	out := append(spreadFigures("", s.Receipt), spreadFigures("ack.", s.Ack)...)
	out = append(out, spreadFigures("relay.", r.Receipt)...)
	out = append(out, spreadFigures("relay.ack.", r.Ack)...)
	return append(out,
		figure{"moves_per_s", s.Rate, plain, measured}, figure{"relay.moves_per_s", r.Rate, plain, measured},
		figure{"cpu_per_move", s.CPUMove, micros, measured}, figure{"relay.cpu_per_move", r.CPUMove, micros, measured},
		figure{"bytes_per_game", s.BytesGame, octets, measured}, figure{"relay.bytes_per_game", r.BytesGame, octets, measured},
		figure{"ratio.cpu_per_move", q.CPUPerMove, plain, measured}, figure{"ratio.moves_per_s", q.MovesPerS, plain, measured},
		figure{"ratio.p99", q.P99, plain, measured}, figure{"ratio.bytes_per_game", q.BytesPerGame, plain, measured},
		figure{"errors", float64(rep.Rounds.errors()), plain, true}, figure{"valid", valid, plain, true},
	)
}

func (rep *baselineReport) judge() {
	v := &rep.Valid
	if rep.Settings.Rate == 0 {
		busy := rep.Rounds.of("relay", func(r *round) float64 { return 1 - r.IdleShare })
		v.RelayReached = atLeast(median(busy), saturated, "share of the machine that was busy while the relay was driven: the client drives it as hard as it can")
	} else {
		want := rep.Settings.Rate * float64(rep.Settings.Games)
		v.RelayReached = atLeast(over(rep.Medians.Relay.Rate, want), onPace, "share of the moves wanted by the pace that the relay passed on")
	}
	client := func(r *round) float64 { return r.ClientShare }
	v.ClientCPU = atMost(median(rep.Rounds.of("server", client)), mostClientCPU, "the client's share of the machine's CPU time while it drove the server")
	v.ClientCost = atMost(over(rep.Medians.Server.ClientUs, rep.Medians.Relay.ClientUs), mostCost, "the client's CPU a move with the server, over that with the relay")
	lag := median(rep.Rounds.of("relay", func(r *round) float64 { return over(r.Lag.P99, r.Receipt.P99) }))
	v.SendLag = atMost(lag, mostLag, "how late the client was, as a share of send to receipt, both p99, with the relay")
	others := slices.Max(append(rep.Rounds.of("relay", othersShare), append(rep.Rounds.of("server", othersShare), 0)...))
	v.Quiet = atMost(others, mostOthers, "share of the machine's CPU time that other programs used, in the worst round")
	v.Answered = atMost(float64(rep.Rounds.errors()), 0, "errors, moves without acknowledgement or receipt among them")
	costs := append(rep.Rounds.of("server", func(r *round) float64 { return r.CPUMove }), rep.Medians.Server.CPUMove)
	v.Steady = atMost(over(slices.Max(costs), slices.Min(costs)), mostSpread, "the server's dearest round over its cheapest, CPU a move")
	complete := min(len(rep.Rounds.of("server", client)), len(rep.Rounds.of("relay", client)))
	v.Complete = atLeast(float64(complete), float64(rep.Settings.Rounds), "rounds in which both were driven")
	v.OK = true
	for _, c := range v.all() {
		v.OK = v.OK && c.OK
	}
}

func othersShare(r *round) float64 { return r.OthersShare }

type namedCondition struct {
	name string
	condition
}

func (v *validity) all() []namedCondition {
	return []namedCondition{
		{"relay_reached", v.RelayReached}, {"client_cpu", v.ClientCPU}, {"client_cost", v.ClientCost}, {"send_lag", v.SendLag},
		{"quiet_machine", v.Quiet}, {"answered", v.Answered}, {"steady", v.Steady}, {"complete", v.Complete},
	}
}

func (rs rounds) errors() int {
	n := 0
	for i := range rs {
		n += total(rs[i].Errors)
	}
	return n
}

func (rep *baselineReport) passed() bool { return !rep.Stopped && rep.Rounds.errors() == 0 }

// print writes the report for people.
func (rep *baselineReport) print(out io.Writer) {
	s := rep.Settings
	pace := "as fast as it goes"
	if s.Rate > 0 {
		pace = fmt.Sprintf("%g moves a second each", s.Rate)
	}
	fmt.Fprintf(out, "\n%d games, %s mode, %s, %d rounds of %g s; %d CPUs (%s)\n\n", s.Games, s.Mode, pace, s.Rounds, s.Duration,
		rep.Machine.CPUs, rep.Machine.CPU)
	fmt.Fprintf(out, "%-6s %5s %9s %8s %9s %9s %9s %9s %9s %7s %7s %6s\n", "", "round", "moves/s", "CPU µs", "ack p50", "ack p99",
		"rec. p50", "rec. p99", "rec. max", "KB/game", "client", "others")
	for _, r := range rep.Rounds {
		fmt.Fprintf(out, "%-6s %5d %9.0f %8.1f %9.3f %9.3f %9.3f %9.3f %9.3f %7.1f %6.0f%% %5.1f%%\n", r.Target, r.Number, r.Rate, r.CPUMove,
			r.Ack.P50, r.Ack.P99, r.Receipt.P50, r.Receipt.P99, r.Receipt.Max, r.BytesGame/1024, 100*r.ClientShare, 100*r.OthersShare)
		for _, kind := range sortedKeys(r.Errors) {
			fmt.Fprintf(out, "       error: %s: %d\n", kind, r.Errors[kind])
		}
	}
	q := rep.Ratios
	fmt.Fprintf(out, "\nserver over relay, medians: cpu_per_move %.2f  moves_per_s %.2f  p99 %.2f  bytes_per_game %.2f\n\n",
		q.CPUPerMove, q.MovesPerS, q.P99, q.BytesPerGame)
	printConditions(out, rep.Valid.all(), rep.Stopped, rep.Valid.OK)
}

// printConditions ends a report: whether its figures may be quoted.
func printConditions(out io.Writer, conditions []namedCondition, stopped, valid bool) {
	for _, c := range conditions {
		sign, limit := "at most", c.Most
		if c.Least > 0 {
			sign, limit = "at least", c.Least
		}
		word := "ok  "
		if !c.OK {
			word = "NOT "
		}
		fmt.Fprintf(out, "%s %-14s %.3g, %s %g: %s\n", word, c.name, c.Value, sign, limit, c.What)
	}
	switch {
	case stopped:
		fmt.Fprintln(out, "STOPPED before all rounds were played: no figure")
	case valid:
		fmt.Fprintln(out, "VALID")
	default:
		fmt.Fprintln(out, "NOT VALID: these ratios are no figure")
	}
}

func sortedKeys(m map[string]int) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
