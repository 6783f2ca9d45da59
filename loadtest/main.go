// Command loadtest plays thousands of games of simulated people against a Flagfall server, over real sockets, and checks
// everything the server says against a referee of its own. README.md says how to run it and what the figures mean.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() { os.Exit(realMain()) }

func realMain() int {
	if len(os.Args) == 2 && os.Args[1] == relayCommand {
		if err := relayMain(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, "loadtest: relay:", err)
			return 1
		}
		return 0
	}
	o, err := parse(os.Args[1:], os.Stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "loadtest:", err)
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	switch {
	case o.crowd > 0:
		return crowdMain(ctx, o)
	case o.storm > 0:
		return stormMain(ctx, o)
	case o.baseline:
		return baselineMain(ctx, o)
	}
	base, pid := o.addr, o.pid
	var own *server
	if base == "" {
		fmt.Fprintln(os.Stderr, "building and starting a server")
		if own, err = startServer(ctx); err != nil {
			fmt.Fprintln(os.Stderr, "loadtest:", err)
			return 1
		}
		defer own.stop()
		base, pid = own.base, own.cmd.Process.Pid
	}
	raiseDescriptors()
	r := newRun(o, base, pid)
	fmt.Fprintf(os.Stderr, "%d games for %v against %s, seed %d\n", o.games, o.duration, base, o.seed)
	r.play(ctx)
	if own != nil && !own.alive() {
		r.fail("the server ended during the run; it said:\n%s", own.log)
	}
	stop() // a second Ctrl-C ends at once
	var printed bytes.Buffer
	rep := r.conclude(io.MultiWriter(os.Stdout, &printed))
	if !o.afterwards(os.Stdout, rep, printed.Bytes()) || !rep.Passed {
		return 1
	}
	return 0
}
