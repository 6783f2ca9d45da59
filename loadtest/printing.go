package main

import (
	"fmt"
	"io"
	"strings"
)

func (rep *runReport) print(out io.Writer, s summary, compared int) {
	fmt.Fprintf(out, "\ngames            %d started, %d finished, %d could not be set up\n", s.games, s.finished, rep.NotSetUp)
	fmt.Fprintf(out, "ends             %s\n", list(s.ends))
	fmt.Fprintf(out, "moves            %d completed, %d of them illegal\n", s.plies, s.illegal)
	fmt.Fprintf(out, "corrections      %d illegal moves taken back after their press; %d demonstrations\n", s.corrected, s.shown)
	fmt.Fprintf(out, "moves/s          %.0f over %.1f s\n", rep.Rate, rep.Seconds)
	rep.printRun(out)
	fmt.Fprintf(out, "commands         %d sent, %d acknowledged\n", rep.Commands, s.commands)
	fmt.Fprintf(out, "refused as expected  %d: %s\n", total(s.refused), list(s.refused))
	fmt.Fprintf(out, "denied as expected   %d: %s\n", total(s.denied), list(s.denied))
	fmt.Fprintf(out, "errors           %d: %s\n", total(rep.Errors), list(rep.Errors))
	fmt.Fprintf(out, "rulings checked  %d; frames after illegal moves compared with those after legal ones: %d\n", s.rulings, compared)
	fmt.Fprintf(out, "differences      %d\n", rep.Differences)
	rep.printTimes(out)
	fmt.Fprintf(out, "client           %.2f s CPU, %.0f %% of the machine\n", rep.ClientCPU, 100*rep.ClientShare)
	rep.printServer(out)
}

// printRun tells how the run went: its loop, phases and nodes, and what the mix has brought.
func (rep *runReport) printRun(out io.Writer) {
	set := rep.Settings
	if rep.Loop == "open" {
		fmt.Fprintf(out, "loop             open, %g moves/s in each game: times count from the moment that an action was meant for\n", set.Pace)
	} else {
		fmt.Fprintf(out, "loop             closed, after thinking %g ms on average (%s)\n", set.Think, set.ThinkAs)
	}
	var parts []string
	for _, p := range rep.Phases {
		parts = append(parts, fmt.Sprintf("%s %.1f s (%.0f moves/s)", p.Name, p.Seconds, p.Rate))
	}
	fmt.Fprintf(out, "phases           %s; the hold ended since %s\n", strings.Join(parts, ", "), rep.HoldEnded)
	parts = nil
	for _, n := range rep.Nodes {
		parts = append(parts, fmt.Sprintf("%s %d", n.Address, n.Sockets))
	}
	fmt.Fprintf(out, "sockets opened   %s\n", strings.Join(parts, ", "))
	if set.Premoves > 0 {
		fmt.Fprintf(out, "premoves         %d sent, %d dropped as impossible\n", rep.Premoves, rep.Dropped)
	}
	if set.Slow > 0 {
		fmt.Fprintf(out, "slow readers     %d times nothing was read: %d cut for it, %d reset, %d kept\n",
			rep.Slow.Times, rep.Slow.Cut, rep.Slow.Reset, rep.Slow.Times-rep.Slow.Cut-rep.Slow.Reset)
	}
}

func (rep *runReport) printTimes(out io.Writer) {
	fmt.Fprintf(out, "%-30s %9s %9s %9s %9s %9s %9s %8s\n", "ms", "min", "p50", "p95", "p99", "p99.9", "max", "count")
	for _, line := range []struct {
		name string
		spread
	}{
		{"send to acknowledgement", rep.Ack}, {"send to the opponent's receipt", rep.Receipt},
		{"time to pairing", rep.Pairing}, {"reconnect to resumed", rep.Return},
		{"the client's own lateness", rep.Lag},
	} {
		fmt.Fprintf(out, "%-30s %9.3f %9.3f %9.3f %9.3f %9.3f %9.3f %8d\n", line.name, line.Min, line.P50, line.P95, line.P99, line.P999, line.Max, line.Count)
	}
}

func (rep *runReport) printServer(out io.Writer) {
	if len(rep.Settings.Environment) > 0 {
		fmt.Fprintf(out, "raised limits    %s\n", strings.Join(rep.Settings.Environment, " "))
	}
	if rep.Server == nil {
		fmt.Fprintln(out, "server           CPU and memory unknown (give -pid)")
		return
	}
	fmt.Fprintf(out, "server           %.2f s CPU, %.0f µs CPU a move, %.1f MB memory at most\n",
		rep.Server.CPU, rep.Server.CPUMove, float64(rep.Server.Peak)/(1<<20))
	if len(rep.Server.Processes) > 1 {
		for _, p := range rep.Server.Processes {
			fmt.Fprintf(out, "  process %-8d %.2f s CPU, %.1f MB memory at most\n", p.PID, p.CPU, float64(p.Peak)/(1<<20))
		}
	}
}
