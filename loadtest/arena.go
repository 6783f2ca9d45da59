package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"flagfall/game/board"
	"flagfall/loadtest/judge"
	"flagfall/loadtest/tally"
)

// What is played: games of a few seconds, so that there are many. Times are ms.
const (
	arenaBase      = 5000
	arenaRest      = 2000
	arenaWait      = 5000 // before an immediate repeat, and before a bound on colours gives way
	arenaLastPair  = 5000
	arenaFirstMove = 5000
	// arenaGame is how long a game is meant to last at most: plans let flags fall at some third of it.
	arenaGame = arenaBase * 20 / 7 * time.Millisecond
)

// arenaRun is one event, from its making to its published table, and everybody in it.
type arenaRun struct {
	o    options
	run  *run
	link *eventLink

	organiser, arbiter *official
	people             []*attendee
	desk               *desk

	wait    histogram // from free to called
	deliver histogram // from the pairing to called, by the server's and this machine's civil time
	stands  histogram // from a dispute to the ruling, as the players see it

	living sync.WaitGroup
	over   atomic.Bool // everybody goes

	acts    tallied // what players and officials asked for and got, by name
	refused tallied // and what they could not have at that moment, by name and code

	mu     sync.Mutex
	tables map[string]*arenaTable
	ahead  int64 // by how much this machine's civil time is ahead of the server's, ms; as little as was ever seen
	told   bool  // it is known
	calls  int   // of people to tables
	oldest time.Duration

	verdicts  []*judge.Verdict
	shapes    judge.Shapes
	judging   sync.WaitGroup
	toJudge   chan *arenaTable
	judgeTime atomic.Int64

	checked *tally.Report
	final   *tally.Final
	stage   string // what was being done
}

// arenaTable is one game.
type arenaTable struct {
	pair *pair
	seen tally.Game // times by this machine's clock
	sat  [2]bool
	gone [2]bool // from the table, after the end
	sent bool    // to the judge
}

func newArenaRun(o options, r *run) *arenaRun {
	a := &arenaRun{o: o, run: r, tables: map[string]*arenaTable{}, toJudge: make(chan *arenaTable, 1<<16)}
	a.desk = &desk{a: a, handled: map[string]bool{}}
	return a
}

// play goes through the whole event. When soft ends the bell is rung and the games are drained; when hard ends everything
// is over.
func (a *arenaRun) play(soft, hard context.Context) error {
	r := a.run
	r.active, r.halt = context.WithCancelCause(soft)
	defer r.halt(nil)
	ctx, cancel := context.WithCancel(hard)
	defer cancel()
	a.judging.Go(a.judge)
	err := a.evening(soft, ctx)
	cancel()
	a.living.Wait()
	for _, p := range a.people {
		p.leave()
	}
	for _, o := range []*official{a.organiser, a.arbiter} {
		if o != nil {
			o.leave()
		}
	}
	r.readers.Wait()
	a.lastVerdicts()
	r.stopped = soft.Err() != nil
	if err != nil {
		err = fmt.Errorf("%s: %w", a.stage, err)
	}
	return err
}

// evening is the event as its organiser leads it.
func (a *arenaRun) evening(soft, ctx context.Context) error {
	for _, step := range []struct {
		name string
		do   func(ctx context.Context) error
	}{
		{"making the event", a.organise}, {"entering", a.enter}, {"starting", a.start},
	} {
		a.stage = step.name
		if err := step.do(ctx); err != nil {
			return err
		}
		if soft.Err() != nil {
			return a.organiser.act(ctx, act{"do": "cancel", "why": "The load test was stopped."})
		}
	}
	a.stage = "playing"
	var ruling sync.WaitGroup
	over, end := context.WithCancel(ctx)
	ruling.Go(func() { a.desk.work(over) })
	ruling.Go(func() { a.show(over) })
	ruling.Go(func() { a.organiser.stay(over) })
	ruling.Go(func() { a.arbiter.stay(over) })
	err := a.untilProvisional(soft, ctx)
	end()
	ruling.Wait()
	if err != nil {
		return err
	}
	a.stage = "signing"
	if err := a.sign(ctx); err != nil {
		return err
	}
	a.stage = "checking"
	return a.check(ctx)
}

// show keeps a progress bar of the evening going.
func (a *arenaRun) show(over context.Context) {
	bar := newBar(int(a.o.minutes.Seconds()))
	tick := time.NewTicker(250 * time.Millisecond)
	defer tick.Stop()
	for began := time.Now(); ; {
		select {
		case <-over.Done():
			_ = bar.Finish()
			return
		case <-tick.C:
		}
		a.run.mu.Lock()
		errors, failed := total(a.run.errors), len(a.run.failed)
		a.run.mu.Unlock()
		phase, _ := a.organiser.phase()
		bar.Describe(fmt.Sprintf("s, %s, %d at the tables, %d games over, %d errors, %d differences", phase, a.run.playing.Load(), a.run.finished.Load(), errors, failed))
		_ = bar.Set64(min(int64(time.Since(began).Seconds()), int64(a.o.minutes.Seconds())))
	}
}

// errLate is a server that does not end an event in time.
var errLate = errors.New("the event is not over although both clocks and two minutes have passed since its bell")

// untilProvisional waits for the bell and the last games.
func (a *arenaRun) untilProvisional(soft, ctx context.Context) error {
	limit := time.NewTimer(a.o.minutes + 2*arenaBase*time.Millisecond + 3*time.Minute)
	defer limit.Stop()
	stop := soft.Done()
	for {
		phase, changed := a.organiser.phase()
		if reached(phase, "provisional") {
			return nil
		}
		select {
		case <-changed:
		case <-stop:
			stop = nil
			now := a.civil(time.Now())
			if err := a.organiser.act(ctx, act{"do": "bell", "bell": now + 200, "why": "The load test was stopped."}); err != nil && !refusedWith(err, "wrong_phase") {
				return err
			}
		case <-limit.C:
			return errLate
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

var eventPhases = []string{"draft", "open", "checkin", "running", "last_games", "provisional", "signed", "published"}

// reached tells whether an event is in a phase or a later one.
func reached(phase, least string) bool {
	return slices.Index(eventPhases, phase) >= slices.Index(eventPhases, least)
}

// clock takes in what the server's civil time was when a frame was written.
func (a *arenaRun) clock(seen time.Time, server int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if d := seen.UnixMilli() - server; !a.told || d < a.ahead {
		a.ahead, a.told = d, true
	}
}

// civil is a moment by the server's civil time.
func (a *arenaRun) civil(at time.Time) int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return at.UnixMilli() - a.ahead
}

// table is a game that somebody was told of.
func (a *arenaRun) table(game string) *arenaTable {
	a.mu.Lock()
	defer a.mu.Unlock()
	t := a.tables[game]
	if t == nil {
		t = &arenaTable{pair: a.newPair(game, len(a.tables))}
		a.tables[game] = t
	}
	return t
}

// newPair is a game whose players come when they are called, each by himself.
func (a *arenaRun) newPair(game string, number int) *pair {
	r := a.run
	o := a.o
	o.duration = arenaGame
	rng := rand.New(rand.NewPCG(o.seed, uint64(number)))
	pr := &pair{run: r, number: uint64(number), marks: map[mark]time.Time{}, plan: newPlan(rng, &o), evening: true}
	pr.plan.base, pr.plan.fast = arenaBase*time.Millisecond, a.fast()
	for c := range pr.settled {
		settled := make(chan struct{})
		pr.settled[c], pr.settle[c] = settled, sync.OnceFunc(func() { close(settled) })
	}
	pr.transcript = judge.Transcript{
		Game: game, Mode: pr.mode(), Base: arenaBase, Rules: pr.plan.rules, FirstMove: arenaFirstMove, Duty: a.desk.duty(time.Now()),
		Travels: len(r.nodes) > 1, White: judge.Log{Seat: "w"}, Black: judge.Log{Seat: "b"},
	}
	return pr
}

func (a *arenaRun) fast() bool { return a.o.fast > 0 }

// rises lets somebody go from a table; the judge gets it when both have.
func (a *arenaRun) rises(t *arenaTable, side board.Color) {
	a.mu.Lock()
	defer a.mu.Unlock()
	t.gone[side] = true
	if t.gone == [2]bool{true, true} && !t.sent {
		t.sent = true
		a.toJudge <- t // has room for more games than an event may have
	}
}

// judge holds the games against the rules while others are played.
func (a *arenaRun) judge() {
	for t := range a.toJudge {
		a.verdict(t)
	}
}

func (a *arenaRun) verdict(t *arenaTable) {
	began := time.Now()
	tr := &t.pair.transcript
	for side, l := range []*judge.Log{&tr.White, &tr.Black} {
		if !t.sat[side] { // he never came
			l.Entries = []judge.Entry{{Kind: judge.Cut}}
		}
	}
	v := judge.Judge(tr, &a.shapes)
	a.judgeTime.Add(int64(time.Since(began)))
	a.mu.Lock()
	defer a.mu.Unlock()
	a.verdicts = append(a.verdicts, v)
	if len(v.Differences) > 0 {
		a.run.pairs = append(a.run.pairs, t.pair)
	} else {
		tr.White.Entries, tr.Black.Entries = nil, nil
	}
}

// lastVerdicts judges what is left: games that somebody did not come to, or that were cut short.
func (a *arenaRun) lastVerdicts() {
	close(a.toJudge)
	a.judging.Wait()
	for _, t := range a.tables {
		if !t.sent && t.sat != [2]bool{} {
			a.verdict(t)
		}
	}
}

// tallied counts by name.
type tallied struct {
	mu sync.Mutex
	n  map[string]int
}

func (t *tallied) add(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.n == nil {
		t.n = map[string]int{}
	}
	t.n[name]++
}

func (t *tallied) all() map[string]int {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := map[string]int{}
	for name, n := range t.n {
		out[name] = n
	}
	return out
}

// arenaMain is the command of such a run; it gives the exit code.
func arenaMain(soft, hard context.Context, stop func(), o options) int {
	rep, printed, err := arenaOf(soft, hard, o, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "loadtest:", err)
		return 1
	}
	_, _ = io.WriteString(os.Stdout, printed) // nobody to tell
	if !o.afterwards(os.Stdout, rep, []byte(printed)) || !rep.Passed {
		return 1
	}
	return 0
}

// arenaOf plays an arena on running servers, or on one of its own with the limits that everybody meets.
func arenaOf(soft, hard context.Context, o options, out io.Writer) (*arenaReport, string, error) {
	if err := enoughDescriptors(o.arena + 2); err != nil {
		return nil, "", err
	}
	bases, pids := o.addrs, o.pids
	var own *server
	if len(bases) == 0 {
		fmt.Fprintln(out, "building and starting a server with its default limits")
		var err error
		if own, err = startWith(soft, nil); err != nil {
			return nil, "", err
		}
		defer own.stop()
		bases, pids = []string{own.base}, []int{own.cmd.Process.Pid}
	}
	fmt.Fprintf(out, "an arena of %d people for %v at %s, seed %d\n", o.arena, o.minutes, strings.Join(bases, ", "), o.seed)
	a := newArenaRun(o, newRun(o, bases, pids))
	began, used := time.Now(), ownCPU()
	err := a.play(soft, hard)
	if own != nil && !own.alive() {
		a.run.fail("the server ended during the run; it said:\n%s", own.log)
	}
	a.run.played, a.run.ownCPU = time.Since(began), ownCPU()-used
	a.run.used, a.run.hasUsed = a.run.lookAtServers()
	if err != nil && soft.Err() == nil {
		a.run.fail("%v", err)
	}
	var printed strings.Builder
	return a.conclude(&printed), printed.String(), nil
}
