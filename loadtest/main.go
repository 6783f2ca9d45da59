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
	"strings"
	"sync"
	"syscall"
	"time"
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
	soft, hard, stop := interrupts()
	defer stop()
	if o.kind() == "lobby" {
		return poolsMain(soft, o)
	}
	if o.kind() == "arena" {
		return arenaMain(soft, hard, stop, o)
	}
	if o.kind() != "games" {
		return drivenMain(soft, o)
	}
	return gamesMain(soft, hard, stop, o)
}

// echo is for how long a second signal is the same Ctrl-C: a program around this one may pass on what came here, too.
const echo = 300 * time.Millisecond

// interrupts gives a context that ends with the first Ctrl-C and one that ends with the second; after stop the next one
// ends the process at once.
func interrupts() (soft, hard context.Context, stop func()) {
	soft, halt := context.WithCancel(context.Background())
	hard, end := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	stopped := make(chan struct{})
	go func() {
		for _, cancel := range []context.CancelFunc{halt, end} {
			select {
			case <-signals:
				cancel()
			case <-stopped:
				return
			}
			for again := time.After(echo); again != nil; {
				select {
				case <-signals:
				case <-again:
					again = nil
				}
			}
		}
	}()
	return soft, hard, sync.OnceFunc(func() {
		signal.Stop(signals)
		close(stopped)
	})
}

// gamesMain is an ordinary run; it gives the exit code.
func gamesMain(soft, hard context.Context, stop func(), o options) int {
	bases, pids, metrics := o.addrs, o.pids, o.metrics
	var own *server
	if len(bases) == 0 {
		fmt.Fprintln(os.Stderr, "building and starting a server")
		var err error
		if own, err = startServer(soft); err != nil {
			fmt.Fprintln(os.Stderr, "loadtest:", err)
			return 1
		}
		defer own.stop()
		bases, pids = []string{own.base}, []int{own.cmd.Process.Pid}
		if own.metrics != "" {
			metrics = []string{own.metrics}
		}
	}
	raiseDescriptors()
	r := newRun(o, bases, pids)
	var err error
	if r.meter, err = newMeter(soft, metrics); err != nil {
		fmt.Fprintln(os.Stderr, "loadtest:", err)
		return 1
	}
	fmt.Fprintf(os.Stderr, "%d games for %v against %s, seed %d\n", o.games, o.duration, strings.Join(bases, ", "), o.seed)
	r.play(soft, hard)
	if own != nil && !own.alive() {
		r.fail("the server ended during the run; it said:\n%s", own.log)
	}
	stop()
	var printed bytes.Buffer
	rep := r.conclude(io.MultiWriter(os.Stdout, &printed))
	if o.saw != "" {
		if err := r.writeSaw(o.saw); err != nil {
			fmt.Fprintf(os.Stdout, "-saw %s: %v\n", o.saw, err)
			return 1
		}
	}
	if !o.afterwards(os.Stdout, rep, printed.Bytes()) || !rep.Passed {
		return 1
	}
	return 0
}
