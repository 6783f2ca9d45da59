package main

import (
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"
	"time"

	"flagfall/loadtest/judge"
)

// most is how many differences are printed with their whole transcript.
const most = 5

// report prints the figures and says whether every check passed.
func (r *run) report(out io.Writer) bool {
	shapes := &judge.Shapes{}
	verdicts := r.verdicts(shapes)
	s := sum(verdicts)
	differences := r.differences(out, verdicts)
	for _, d := range append(slices.Clone(r.failed), shapes.Differences()...) {
		differences++
		fmt.Fprintf(out, "\nDIFFERENCE: %s\n", d)
	}
	seconds := r.played.Seconds()
	fmt.Fprintf(out, "\ngames            %d started, %d finished, %d could not be set up\n", s.games, s.finished, r.o.games-s.games)
	fmt.Fprintf(out, "ends             %s\n", list(s.ends))
	fmt.Fprintf(out, "moves            %d completed, %d of them illegal\n", s.plies, s.illegal)
	fmt.Fprintf(out, "corrections      %d illegal moves taken back after their press; %d demonstrations\n", s.corrected, s.shown)
	fmt.Fprintf(out, "moves/s          %.0f over %.1f s\n", float64(s.plies)/seconds, seconds)
	fmt.Fprintf(out, "commands         %d sent, %d acknowledged\n", r.commands.Load(), s.commands)
	fmt.Fprintf(out, "refused as expected  %d: %s\n", total(s.refused), list(s.refused))
	fmt.Fprintf(out, "denied as expected   %d: %s\n", total(s.denied), list(s.denied))
	fmt.Fprintf(out, "errors           %d: %s\n", total(r.errors), list(r.errors))
	fmt.Fprintf(out, "rulings checked  %d; frames after illegal moves compared with those after legal ones: %d\n", s.rulings, shapes.Compared())
	fmt.Fprintf(out, "differences      %d\n", differences)
	r.latency.print(out, "send to the opponent's receipt")
	r.pairing.print(out, "invitation to both paired")
	r.returns.print(out, "reconnect to resumed")
	r.reportServer(out, s.plies)
	if s.outage > 0 || r.outages.Load() > 0 {
		fmt.Fprintf(out, "outage           %d games went on after the server was away; %d sockets were lost and attempts failed\n", s.outage, r.outages.Load())
	}
	if r.stopped {
		fmt.Fprintln(out, "stopped before the end: games still running were not judged as finished")
	}
	return r.outcome(out, differences, s)
}

func (r *run) reportServer(out io.Writer, plies int) {
	if !r.hasUsed {
		fmt.Fprintln(out, "server           CPU and memory unknown (give -pid)")
		return
	}
	perMove := 0.0
	if plies > 0 {
		perMove = float64(r.used.cpu.Microseconds()) / float64(plies)
	}
	fmt.Fprintf(out, "server           %.2f s CPU, %.0f µs CPU a move, %.1f MB memory at most\n",
		r.used.cpu.Seconds(), perMove, float64(r.used.peak)/(1<<20))
}

func (r *run) outcome(out io.Writer, differences int, s summary) bool {
	switch {
	case differences > 0:
		fmt.Fprintln(out, "FAILED: the server and the referee differ")
	case s.finished == 0:
		fmt.Fprintln(out, "FAILED: no game was finished")
	case total(r.errors) > 0:
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
		if r.stopped {
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

func (h *histogram) print(out io.Writer, name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.h == nil {
		fmt.Fprintf(out, "%s: none\n", name)
		return
	}
	at := func(q float64) time.Duration { return time.Duration(h.h.ValueAtQuantile(q)) * time.Microsecond }
	fmt.Fprintf(out, "%s: p50 %v  p95 %v  p99 %v  max %v  (%d)\n",
		name, at(50), at(95), at(99), time.Duration(h.h.Max())*time.Microsecond, h.h.TotalCount())
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
