package main

import (
	"context"
	"fmt"
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
	o         options
	nodes     []*node
	processes []*process
	meter     *meter // of the servers' metrics; nil without
	began     time.Time
	pool      sync.Pool // write buffers of the sockets
	readers   sync.WaitGroup

	active context.Context // ramp and hold; when it ends nobody does anything new
	halt   context.CancelCauseFunc
	begun  sync.WaitGroup // games that are being set up, or wait to be
	phases phases

	commands atomic.Int64
	moves    atomic.Int64 // completed moves, as the opponent was told
	playing  atomic.Int64 // games that go on
	finished atomic.Int64
	outages  atomic.Int64 // lost sockets that were expected
	premoves atomic.Int64 // that were sent
	dropped  atomic.Int64 // premoves that had become impossible
	slow     slowReading
	acks     histogram // send to acknowledgement
	latency  histogram // send to the opponent's receipt
	pairing  histogram // invitation to both paired, or seek to paired
	returns  histogram // reconnect to resumed
	lags     histogram // how late this client's people act

	mu     sync.Mutex
	errors map[string]int
	failed []string // checks that failed outside of any game's transcript
	pairs  []*pair  // in the order in which they were formed

	moving  histogram // send to receipt, since the last moment
	series  []moment
	ownCPU  time.Duration // of this process, meanwhile
	played  time.Duration // from the first game's begin to the last one's end
	used    usageOf       // by the servers, meanwhile
	hasUsed bool
	stopped bool // by Ctrl-C
}

// newRun plays on the servers with these addresses; pids are those of their processes, where they can be watched.
func newRun(o options, bases []string, pids []int) *run {
	r := &run{o: o, began: time.Now(), errors: map[string]int{}}
	for _, base := range bases {
		r.nodes = append(r.nodes, newNode(base))
	}
	for _, pid := range pids {
		r.processes = append(r.processes, watchProcess(pid))
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

// play plays all games; it returns when they are over. When soft ends, nobody does anything new and the games are drained;
// when hard ends, everything does.
func (r *run) play(soft, hard context.Context) {
	r.active, r.halt = context.WithCancelCause(soft)
	end, cancel := context.WithCancel(hard)
	defer cancel()
	own := ownCPU()
	began := time.Now()
	r.phases.begin(began)
	bar := newBar(r.o.games)
	over := make(chan struct{})
	var showing sync.WaitGroup
	showing.Go(func() { r.show(bar, over) })
	if r.meter != nil {
		showing.Go(func() { r.meter.watch(over) })
	}
	var games sync.WaitGroup
	if r.o.pairing == lobby {
		r.meetInLobby(end, &games)
	} else {
		r.inviteAll(end, &games)
	}
	showing.Go(func() { r.conduct(over, cancel) })
	games.Wait()
	r.played, r.ownCPU = time.Since(began), ownCPU()-own
	r.used, r.hasUsed = r.lookAtServers()
	close(over)
	showing.Wait()
	r.readers.Wait()
	r.stopped = soft.Err() != nil
	r.halt(nil)
}

// inviteAll plays the games of people who know each other, begun over the ramp.
func (r *run) inviteAll(end context.Context, games *sync.WaitGroup) {
	places := make(chan struct{}, settingUp)
	r.begun.Add(r.o.games)
	for n := range r.o.games {
		pr := r.add(newPair(r, n))
		games.Go(func() {
			defer r.finished.Add(1)
			pr.err = rest(r.active, r.o.ramp*time.Duration(n)/time.Duration(r.o.games))
			if pr.err == nil {
				pr.begin(places)
			}
			r.begun.Done()
			pr.playOut(end)
			for next := n + r.o.games; r.renews() && (pr.err == nil || r.o.outage); next += r.o.games {
				_ = rest(r.active, pr.breath()) // stopped meanwhile, the set-up says so
				pr = r.add(newPair(r, next))
				pr.begin(places)
				pr.playOut(end)
			}
		})
	}
}

// renews tells whether a game that is over is followed by another.
func (r *run) renews() bool { return r.o.renew && r.active.Err() == nil }

// add keeps a pair for the judge.
func (r *run) add(pr *pair) *pair {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pairs = append(r.pairs, pr)
	return pr
}

// breath is how long to wait before another pair tries what this one could not.
func (pr *pair) breath() time.Duration {
	if pr.err == nil {
		return 0
	}
	return 500 * time.Millisecond
}

// begin sets the game up as soon as one of the places is free.
func (pr *pair) begin(places chan struct{}) {
	places <- struct{}{}
	pr.err = pr.setUp(pr.run.active)
	<-places
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
	last.use, _ = r.lookAtServers()
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
		p99 := 0.0
		if len(r.series) > 0 {
			p99 = r.series[len(r.series)-1].P99
		}
		r.mu.Lock()
		errors := total(r.errors)
		r.mu.Unlock()
		bar.Describe(fmt.Sprintf("games over, %s, %.0f moves/s, p99 %.1f ms, %d errors", r.phases.now(), rate, p99, errors))
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
	now.use, _ = r.lookAtServers()
	seconds := now.at.Sub(last.at).Seconds()
	s := r.moving.take()
	r.series = append(r.series, moment{
		At: now.at.Sub(began).Seconds(), Rate: float64(now.moves-last.moves) / seconds, P50: s.P50, P99: s.P99,
		Cores: (now.use.cpu - last.use.cpu).Seconds() / seconds, Memory: now.use.now, Running: int(r.playing.Load()),
		Goroutines: r.meter.goroutines(),
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
