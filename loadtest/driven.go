package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"runtime/debug"
)

// drivenReport is that of a run that drives prepared games: -baseline, -crowd, -storm and -hop.
type drivenReport interface {
	figured
	print(out io.Writer)
	passed() bool
}

// drivenMain is the command of such a run; it gives the exit code.
func drivenMain(ctx context.Context, o options) int {
	debug.SetGCPercent(400) // the client's own share of the machine is to be small
	b := newBaseline(o, os.Stderr)
	b.live = isTerminal(os.Stderr)
	rep, err := b.play(ctx)
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

func (b *baseline) play(ctx context.Context) (drivenReport, error) {
	switch {
	case b.o.crowd > 0:
		return (&crowdRun{baseline: b, spectators: newHDR()}).run(ctx)
	case b.o.storm > 0:
		return b.storms(ctx)
	case b.o.hop:
		return (&hop{baseline: b}).run(ctx)
	}
	return b.run(ctx)
}

// build makes the server for a run with so many sockets; remove takes it away again.
func (b *baseline) build(ctx context.Context, sockets int) (binary string, remove func(), err error) {
	if err := enoughDescriptors(sockets); err != nil {
		return "", nil, err
	}
	dir, err := os.MkdirTemp("", "flagfall-loadtest-")
	if err != nil {
		return "", nil, err
	}
	remove = func() { os.RemoveAll(dir) }
	b.say("building the server")
	if binary, err = buildServer(ctx, dir); err != nil {
		remove()
		return "", nil, err
	}
	return binary, remove, nil
}

// alternate drives two things in turns, so many rounds long, each round the other way round than the one before, so that
// a drift of the machine is nobody's gain. keep is given what came of each drive that was not cut short; stopped says
// that the context ended one.
func alternate[K, R any](ctx context.Context, rounds int, things [2]K, drive func(K) (R, error), keep func(r R, number int)) (stopped bool, err error) {
	for n := range rounds {
		for turn := range things {
			r, err := drive(things[(n+turn)%2])
			if ctx.Err() != nil {
				return true, nil
			}
			if err != nil {
				return false, err
			}
			keep(r, n+1)
		}
	}
	return false, nil
}
