package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
)

// hopReport is what a run with -hop writes.
type hopReport struct {
	Kind     string           `json:"kind"` // "hop"
	Version  int              `json:"version"`
	Began    time.Time        `json:"began"`
	Stopped  bool             `json:"stopped"`
	Adds     hopAdds          `json:"hop_adds"`
	Valid    hopValidity      `json:"valid"`
	Medians  hopMedians       `json:"medians"`
	Figures  []figure         `json:"figures"`
	Settings baselineSettings `json:"settings"`
	Machine  machine          `json:"machine"`
	Versions versions         `json:"versions"`
	Rounds   rounds           `json:"rounds"`
}

// hopAdds is what the second node adds: differences of the medians; less than 0 is within what the machine adds by itself.
type hopAdds struct {
	P50        float64 `json:"p50_ms"` // send to the opponent's receipt
	P99        float64 `json:"p99_ms"`
	P50Ack     float64 `json:"p50_ack_ms"` // send to acknowledgement
	P99Ack     float64 `json:"p99_ack_ms"`
	CPUPerMove float64 `json:"cpu_us_move"` // of the nodes
	RedisCPU   float64 `json:"redis_cpu_us_move"`
	Commands   float64 `json:"redis_commands_move"`
}

// hopMedians are those of the rounds, for one node and for two.
type hopMedians struct {
	One hopMiddle `json:"one"`
	Two hopMiddle `json:"two"`
}

type hopMiddle struct {
	middle
	Redis redisUse `json:"redis"`
}

// hopValidity says whether the figures may be quoted.
type hopValidity struct {
	OK         bool      `json:"ok"`
	OnPace     condition `json:"on_pace"`
	ClientCPU  condition `json:"client_cpu"`
	ClientCost condition `json:"client_cost"`
	SendLag    condition `json:"send_lag"`
	Quiet      condition `json:"quiet_machine"`
	Answered   condition `json:"answered"`
	Steady     condition `json:"steady"`
	Complete   condition `json:"complete"`
}

// conclude works the figures out of the rounds.
func (rep *hopReport) conclude() {
	one, two := rep.hopMiddle("one"), rep.hopMiddle("two")
	rep.Medians = hopMedians{One: one, Two: two}
	rep.Adds = hopAdds{
		P50: two.Receipt.P50 - one.Receipt.P50, P99: two.Receipt.P99 - one.Receipt.P99,
		P50Ack: two.Ack.P50 - one.Ack.P50, P99Ack: two.Ack.P99 - one.Ack.P99,
		CPUPerMove: two.CPUMove - one.CPUMove, RedisCPU: two.Redis.CPUMove - one.Redis.CPUMove,
		Commands: two.Redis.Commands - one.Redis.Commands,
	}
	rep.judge()
	rep.Figures = rep.figures()
}

func (rep *hopReport) hopMiddle(target string) hopMiddle {
	m := func(part func(u redisUse) float64) float64 {
		return median(rep.Rounds.of(target, func(r *round) float64 { return part(*r.Redis) }))
	}
	out := hopMiddle{middle: rep.Rounds.middle(target), Redis: redisUse{
		CPU: m(func(u redisUse) float64 { return u.CPU }), CPUMove: m(func(u redisUse) float64 { return u.CPUMove }),
		Commands: m(func(u redisUse) float64 { return u.Commands }),
		In:       m(func(u redisUse) float64 { return u.In }), Out: m(func(u redisUse) float64 { return u.Out }),
		Calls: map[string]float64{},
	}}
	for _, r := range rep.Rounds {
		for name := range r.Redis.Calls {
			if calls := m(func(u redisUse) float64 { return u.Calls[name] }); r.Target == target && calls > 0 {
				out.Redis.Calls[name] = calls
			}
		}
	}
	return out
}

func (rep *hopReport) judge() {
	v, one, two := &rep.Valid, rep.Medians.One, rep.Medians.Two
	want := rep.Settings.Rate * float64(rep.Settings.Games)
	v.OnPace = atLeast(over(min(one.Rate, two.Rate), want), onPace, "share of the moves wanted by the pace that were made, on the slower of one node and two")
	worst := func(share func(r *round) float64) float64 {
		return max(median(rep.Rounds.of("one", share)), median(rep.Rounds.of("two", share)))
	}
	client := func(r *round) float64 { return r.ClientShare }
	v.ClientCPU = atMost(worst(client), mostClientCPU, "the client's share of the machine's CPU time")
	v.ClientCost = atMost(over(two.ClientUs, one.ClientUs), mostCost, "the client's CPU a move with two nodes, over that with one")
	lag := func(r *round) float64 { return over(r.Lag.P99, r.Receipt.P99) }
	v.SendLag = atMost(worst(lag), mostLag, "how late the client was, as a share of send to receipt, both p99")
	others := slices.Max(append(rep.Rounds.of("one", othersShare), append(rep.Rounds.of("two", othersShare), 0)...))
	v.Quiet = atMost(others, mostOthers, "share of the machine's CPU time that other programs used, PostgreSQL among them, in the worst drive")
	v.Answered = atMost(float64(rep.Rounds.errors()), 0, "errors, moves without acknowledgement or receipt among them")
	v.Steady = atMost(max(rep.unsteady("one"), rep.unsteady("two")), mostSpread, "the dearest round of one node, or of two, over its cheapest, CPU a move")
	complete := min(len(rep.Rounds.of("one", client)), len(rep.Rounds.of("two", client)))
	v.Complete = atLeast(float64(complete), float64(rep.Settings.Rounds), "rounds in which both were driven")
	v.OK = true
	for _, c := range v.all() {
		v.OK = v.OK && c.OK
	}
}

// unsteady is the dearest round of a target over its cheapest.
func (rep *hopReport) unsteady(target string) float64 {
	costs := rep.Rounds.of(target, func(r *round) float64 { return r.CPUMove })
	if len(costs) == 0 {
		return 0
	}
	return over(slices.Max(costs), slices.Min(costs))
}

func (v *hopValidity) all() []namedCondition {
	return []namedCondition{
		{"on_pace", v.OnPace}, {"client_cpu", v.ClientCPU}, {"client_cost", v.ClientCost}, {"send_lag", v.SendLag},
		{"quiet_machine", v.Quiet}, {"answered", v.Answered}, {"steady", v.Steady}, {"complete", v.Complete},
	}
}

func (rep *hopReport) passed() bool { return !rep.Stopped && rep.Rounds.errors() == 0 }

// figures are what thresholds and comparisons know: those of two nodes without a prefix.
func (rep *hopReport) figures() []figure {
	measured, valid := len(rep.Rounds) > 0, 0.0
	if rep.Valid.OK {
		valid = 1
	}
	a := rep.Adds
	out := []figure{
		{"hop.p50", a.P50, millis, measured}, {"hop.p99", a.P99, millis, measured},
		{"hop.ack.p50", a.P50Ack, millis, measured}, {"hop.ack.p99", a.P99Ack, millis, measured},
		{"hop.cpu_per_move", a.CPUPerMove, micros, measured}, {"hop.redis.cpu_per_move", a.RedisCPU, micros, measured},
		{"hop.redis.commands_per_move", a.Commands, plain, measured},
		{"ratio.cpu_per_move", over(rep.Medians.Two.CPUMove, rep.Medians.One.CPUMove), plain, measured},
		{"errors", float64(rep.Rounds.errors()), plain, true}, {"valid", valid, plain, true},
	}
	for _, of := range []struct {
		prefix string
		m      hopMiddle
	}{{"", rep.Medians.Two}, {"one.", rep.Medians.One}} {
		out = append(append(out, spreadFigures(of.prefix, of.m.Receipt)...), spreadFigures(of.prefix+"ack.", of.m.Ack)...)
		out = append(out,
			figure{of.prefix + "moves_per_s", of.m.Rate, plain, measured}, figure{of.prefix + "cpu_per_move", of.m.CPUMove, micros, measured},
			figure{of.prefix + "redis.cpu_per_move", of.m.Redis.CPUMove, micros, measured},
			figure{of.prefix + "redis.commands_per_move", of.m.Redis.Commands, plain, measured},
			figure{of.prefix + "redis.bytes_in_per_move", of.m.Redis.In, octets, measured},
			figure{of.prefix + "redis.bytes_out_per_move", of.m.Redis.Out, octets, measured},
		)
	}
	return out
}

func (rep *hopReport) charts() []chart {
	m := rep.Medians
	return []chart{{title: "Times by percentile", y: "ms", percentiles: true, curves: []curve{
		byPercentile(m.Two.Receipt, "two nodes, to receipt", 0), byPercentile(m.One.Receipt, "one node, to receipt", 1),
		byPercentile(m.Two.Ack, "two nodes, to acknowledgement", 2), byPercentile(m.One.Ack, "one node, to acknowledgement", 3),
	}}}
}

// print writes the report for people.
func (rep *hopReport) print(out io.Writer) {
	s := rep.Settings
	fmt.Fprintf(out, "\n%d games, %s mode, %g moves a second each, %d rounds of %g s; %d CPUs (%s)\n\n", s.Games, s.Mode, s.Rate, s.Rounds, s.Duration,
		rep.Machine.CPUs, rep.Machine.CPU)
	fmt.Fprintf(out, "%-5s %5s %8s %8s %8s %8s %8s %8s %8s %8s %8s %8s %8s %7s %7s\n", "nodes", "round", "moves/s", "CPU µs", "Redis µs", "commands",
		"B in", "B out", "ack p50", "ack p99", "rec. p50", "rec. p99", "rec. max", "client", "others")
	for _, r := range rep.Rounds {
		fmt.Fprintf(out, "%-5s %5d %8.0f %8.1f %8.1f %8.2f %8.0f %8.0f %8.3f %8.3f %8.3f %8.3f %8.3f %6.0f%% %6.1f%%\n", r.Target, r.Number, r.Rate, r.CPUMove,
			r.Redis.CPUMove, r.Redis.Commands, r.Redis.In, r.Redis.Out, r.Ack.P50, r.Ack.P99, r.Receipt.P50, r.Receipt.P99, r.Receipt.Max,
			100*r.ClientShare, 100*r.OthersShare)
		for _, kind := range sortedKeys(r.Errors) {
			fmt.Fprintf(out, "      error: %s: %d\n", kind, r.Errors[kind])
		}
	}
	one, two, a := rep.Medians.One, rep.Medians.Two, rep.Adds
	fmt.Fprintf(out, "\nmedians      %9s %9s %9s\n", "one", "two", "hop adds")
	for _, l := range []struct {
		name          string
		one, two, add float64
	}{
		{"receipt p50", one.Receipt.P50, two.Receipt.P50, a.P50}, {"receipt p99", one.Receipt.P99, two.Receipt.P99, a.P99},
		{"ack p50", one.Ack.P50, two.Ack.P50, a.P50Ack}, {"ack p99", one.Ack.P99, two.Ack.P99, a.P99Ack},
		{"CPU µs", one.CPUMove, two.CPUMove, a.CPUPerMove}, {"Redis CPU µs", one.Redis.CPUMove, two.Redis.CPUMove, a.RedisCPU},
		{"commands", one.Redis.Commands, two.Redis.Commands, a.Commands},
	} {
		fmt.Fprintf(out, "%-12s %9.3f %9.3f %9.3f\n", l.name, l.one, l.two, l.add)
	}
	fmt.Fprintf(out, "commands of Redis a move, those that scripts run among them: one: %s; two: %s\n\n", calls(one.Redis), calls(two.Redis))
	printConditions(out, rep.Valid.all(), rep.Stopped, rep.Valid.OK)
}

// calls names the commands, the most frequent first.
func calls(u redisUse) string {
	names := slices.SortedFunc(maps.Keys(u.Calls), func(a, b string) int {
		if u.Calls[a] != u.Calls[b] {
			if u.Calls[a] > u.Calls[b] {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	})
	var parts []string
	for _, name := range names {
		parts = append(parts, fmt.Sprintf("%s %.2f", name, u.Calls[name]))
	}
	return strings.Join(parts, ", ")
}
