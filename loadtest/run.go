package main

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/schollz/progressbar/v3"

	"flagfall/loadtest/judge"
)

// run is one run of the load-tester.
type run struct {
	o        options
	base     string // of the server
	loopback bool   // clients may come from addresses of their own
	pid      int
	began    time.Time
	over     chan struct{}
	pool     sync.Pool // write buffers of the sockets
	readers  sync.WaitGroup

	commands atomic.Int64
	moves    atomic.Int64 // completed moves, as the opponent was told
	finished atomic.Int64
	outages  atomic.Int64 // lost sockets that were expected
	acks     histogram    // send to acknowledgement
	latency  histogram    // send to the opponent's receipt
	pairing  histogram    // invitation to both paired
	returns  histogram    // reconnect to resumed
	lags     histogram    // how late this client's people act

	mu     sync.Mutex
	errors map[string]int
	failed []string // checks that failed outside of any game's transcript

	moving  histogram // send to receipt, since the last moment
	series  []moment
	ownCPU  time.Duration // of this process, meanwhile
	played  time.Duration // from the first game's begin to the last one's end
	used    usageOf       // by the server, meanwhile
	hasUsed bool
	pairs   []*pair
	stopped bool // by Ctrl-C
}

func newRun(o options, base string, pid int) *run {
	r := &run{o: o, base: base, pid: pid, began: time.Now(), over: make(chan struct{}), errors: map[string]int{}}
	if u, err := url.Parse(base); err == nil {
		ip := net.ParseIP(u.Hostname())
		r.loopback = ip != nil && ip.IsLoopback() && ip.To4() != nil && runtime.GOOS == "linux"
	}
	return r
}

func (r *run) now() time.Duration { return time.Since(r.began) }

// count counts an error by its kind.
func (r *run) count(kind string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.errors[kind]++
}

// lost counts a lost socket, or an attempt to come back that failed: an error, unless the server is meant to go away.
func (r *run) lost(kind string) {
	if r.o.outage {
		r.outages.Add(1)
		return
	}
	r.count(kind)
}

// fail notes a check that failed.
func (r *run) fail(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failed = append(r.failed, fmt.Sprintf(format, args...))
}

// settingUp is how many games are paired at the same time.
const settingUp = 8

// play plays all games; it returns when they are over or ctx ends.
func (r *run) play(ctx context.Context) {
	before, ok := readUsage(r.pid)
	own := ownCPU()
	began := time.Now()
	bar := newBar(r.o.games)
	stop := make(chan struct{})
	var showing sync.WaitGroup
	showing.Go(func() { r.show(bar, stop) })
	places := make(chan struct{}, settingUp)
	var games sync.WaitGroup
	for n := range r.o.games {
		pr := newPair(r, n)
		r.pairs = append(r.pairs, pr)
		games.Go(func() {
			defer r.finished.Add(1)
			_ = rest(ctx, r.o.ramp*time.Duration(n)/time.Duration(r.o.games)) // stopped meanwhile, the set-up says so
			places <- struct{}{}
			pr.err = pr.setUp(ctx)
			<-places
			if pr.err == nil {
				pr.play(ctx)
				return
			}
			r.count("set-up: " + pr.err.Error())
			for _, p := range pr.players {
				p.leave()
			}
			for _, w := range pr.watchers {
				w.leave()
			}
		})
	}
	games.Wait()
	r.played, r.ownCPU = time.Since(began), ownCPU()-own
	if after, ok2 := readUsage(r.pid); ok && ok2 {
		r.used, r.hasUsed = usageOf{cpu: after.cpu - before.cpu, peak: after.peak}, true
	}
	close(stop)
	showing.Wait()
	close(r.over)
	r.readers.Wait()
	r.stopped = ctx.Err() != nil
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

func newBar(games int) *progressbar.ProgressBar {
	every := 2 * time.Second
	if isTerminal(os.Stderr) {
		every = 100 * time.Millisecond
	}
	return progressbar.NewOptions(games, progressbar.OptionSetWriter(os.Stderr), progressbar.OptionSetWidth(30),
		progressbar.OptionShowCount(), progressbar.OptionThrottle(every), progressbar.OptionSetPredictTime(false),
		progressbar.OptionSetElapsedTime(true), progressbar.OptionOnCompletion(func() { fmt.Fprintln(os.Stderr) }))
}

// show keeps the progress bar going.
func (r *run) show(bar *progressbar.ProgressBar, stop <-chan struct{}) {
	tick := time.NewTicker(250 * time.Millisecond)
	defer tick.Stop()
	began := time.Now()
	last := reading{at: began}
	last.use, _ = readUsage(r.pid)
	for n := 1; ; n++ {
		select {
		case <-stop:
			_ = bar.Finish()
			return
		case <-tick.C:
		}
		if n%2 == 0 {
			last = r.look(began, last)
		}
		rate := float64(r.moves.Load()) / time.Since(began).Seconds()
		p99, errors := 0.0, 0
		if len(r.series) > 0 {
			p99 = r.series[len(r.series)-1].P99
		}
		r.mu.Lock()
		errors = total(r.errors)
		r.mu.Unlock()
		bar.Describe(fmt.Sprintf("games over, %.0f moves/s, p99 %.1f ms, %d errors", rate, p99, errors))
		_ = bar.Set64(r.finished.Load())
	}
}

// reading is where the last moment ended.
type reading struct {
	at    time.Time
	moves int64
	use   usageOf
}

// look adds a moment to the series.
func (r *run) look(began time.Time, last reading) reading {
	now := reading{at: time.Now(), moves: r.moves.Load()}
	now.use, _ = readUsage(r.pid)
	seconds := now.at.Sub(last.at).Seconds()
	s := r.moving.take()
	r.series = append(r.series, moment{
		At: now.at.Sub(began).Seconds(), Rate: float64(now.moves-last.moves) / seconds, P50: s.P50, P99: s.P99,
		Cores: (now.use.cpu - last.use.cpu).Seconds() / seconds, Memory: now.use.now, Running: r.o.games - int(r.finished.Load()),
	})
	return now
}

// verdicts judges every game, on all cores.
func (r *run) verdicts(shapes *judge.Shapes) []*judge.Verdict {
	out := make([]*judge.Verdict, len(r.pairs))
	work := make(chan int)
	var judging sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		judging.Go(func() {
			for i := range work {
				out[i] = judge.Judge(&r.pairs[i].transcript, shapes)
			}
		})
	}
	for i, pr := range r.pairs {
		if pr.err == nil {
			work <- i
		}
	}
	close(work)
	judging.Wait()
	return out
}
