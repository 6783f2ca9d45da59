package main

import (
	"context"
	"fmt"
	"io"
	"time"
)

// stormReport is what a run with -storm writes.
type stormReport struct {
	Kind     string           `json:"kind"` // "storm"
	Version  int              `json:"version"`
	Began    time.Time        `json:"began"`
	Stopped  bool             `json:"stopped"`
	Figures  []figure         `json:"figures"`
	Settings baselineSettings `json:"settings"`
	Machine  machine          `json:"machine"`
	Versions versions         `json:"versions"`

	Sockets int            `json:"sockets"` // of players and spectators
	Resumed spread         `json:"cut_to_resumed"`
	Return  spread         `json:"reconnect_to_resumed"`
	Before  spread         `json:"send_to_receipt_before"`
	After   spread         `json:"send_to_receipt_after"`
	Errors  map[string]int `json:"errors"`
	Storms  []stormRound   `json:"storms"`
}

// stormRound is one storm.
type stormRound struct {
	Back        int            `json:"back"`             // sockets that came back
	AllBack     float64        `json:"all_back_ms"`      // after the cut
	Refused     map[string]int `json:"refused"`          // tries that did not lead back, by how; their owners tried again
	RefusedGood map[string]int `json:"refused_for_good"` // people who did not come back
	Games       int            `json:"games"`
	PlayedOn    int            `json:"games_played_on"` // made moves after everybody was back
	PlayedOnMs  float64        `json:"played_on_ms"`    // from then until all had
	CPU         float64        `json:"cpu_s"`           // of the server, from the cut until all were back
	Memory      int64          `json:"memory"`          // of the server when all were back
	Resumed     spread         `json:"cut_to_resumed"`
	Return      spread         `json:"reconnect_to_resumed"`
}

// storms starts a server, seats everybody, and cuts and waits as often as there are rounds.
func (b *baseline) storms(ctx context.Context) (*stormReport, error) {
	binary, remove, err := b.build(ctx, b.o.storm)
	if err != nil {
		return nil, err
	}
	defer remove()
	rep := &stormReport{
		Kind: "storm", Version: reportVersion, Began: time.Now().UTC().Truncate(time.Second),
		Machine: thisMachine(), Versions: theseVersions(), Settings: b.settings(), Sockets: b.o.storm,
	}
	t, err := serverTarget(ctx, binary, b.mode())
	if err != nil {
		return nil, err
	}
	defer t.stop()
	st := &storm{drive: newDrive(false, b.period()), target: t, crowd: &crowd{size: b.o.stormSpectators()}, ctx: ctx}
	st.drive.back, st.crowd.back = st.playerBack, st.spectatorBack
	b.say("seating %d games", b.o.games)
	if err := st.drive.setUp(ctx, b.o.games, b.lines, t.connect); err != nil {
		return nil, err
	}
	defer st.drive.close()
	if err := st.crowd.arrive(ctx, st.drive, t); err != nil {
		return nil, err
	}
	st.drive.run()
	if err := b.weather(ctx, st, rep); err != nil {
		return nil, err
	}
	st.drive.halt(ctx)
	st.crowd.leave(ctx)
	rep.Resumed, rep.Return = spreadOf(st.allResumed), spreadOf(st.allReturns)
	st.drive.mu.Lock()
	defer st.drive.mu.Unlock()
	rep.Errors = st.drive.errors
	rep.Figures = rep.figures()
	return rep, nil
}

// weather has calm before, between and after the storms.
func (b *baseline) weather(ctx context.Context, st *storm, rep *stormReport) error {
	d := st.drive
	// calm lets the games go on for a while; the receipts of that time are in d.receipt.whole then.
	calm := func() error {
		d.receipt.collect()
		d.receipt.whole = nil
		err := rest(ctx, b.o.duration/time.Duration(2*b.o.rounds))
		d.receipt.collect()
		return err
	}
	for n := range b.o.rounds {
		if rep.Stopped = calm() != nil; rep.Stopped {
			return nil
		}
		if n == 0 {
			rep.Before = spreadOf(d.receipt.whole)
		}
		r, err := st.round(ctx)
		if rep.Stopped = err != nil && ctx.Err() != nil; rep.Stopped {
			return nil
		}
		if err != nil {
			return err
		}
		rep.Storms = append(rep.Storms, r)
		b.say("storm %d: %d back after %.0f ms, p99 %.0f ms", n+1, r.Back, r.AllBack, r.Resumed.P99)
		if rep.Stopped = calm() != nil; rep.Stopped {
			return nil
		}
		rep.After = spreadOf(d.receipt.whole)
	}
	return nil
}

// round is one storm, until everybody is back or has given up and every game has gone on.
func (st *storm) round(ctx context.Context) (stormRound, error) {
	st.begin()
	before, ok := st.target.usage()
	if !ok {
		return stormRound{}, fmt.Errorf("the CPU and memory of the server cannot be read: this needs Linux")
	}
	st.strike()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for st.away.Load() > 0 {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return stormRound{}, ctx.Err()
		}
	}
	back := time.Since(st.drive.began)
	after, ok := st.target.usage()
	if !ok {
		return stormRound{}, fmt.Errorf("the server ended in the storm")
	}
	r := st.end()
	r.AllBack = (back - time.Duration(st.cut.Load())).Seconds() * 1000
	r.CPU, r.Memory = (after.cpu - before.cpu).Seconds(), after.now
	st.cut.Store(0) // whoever is lost from now on is an error
	r.PlayedOn, r.PlayedOnMs = st.playedOn(ctx, back)
	r.Games = len(st.drive.tables)
	return r, nil
}

// playedOn waits until every game has made a move after the moment back, a few periods at most.
func (st *storm) playedOn(ctx context.Context, back time.Duration) (games int, ms float64) {
	d := st.drive
	plies := make([]int, len(d.tables))
	for i, t := range d.tables {
		t.mu.Lock()
		plies[i] = t.ply
		t.mu.Unlock()
	}
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	limit := time.Now().Add(3*d.period + patience)
	for {
		games = 0
		for i, t := range d.tables {
			t.mu.Lock()
			if t.ply > plies[i] {
				games++
			}
			t.mu.Unlock()
		}
		if games == len(d.tables) || time.Now().After(limit) || ctx.Err() != nil {
			return games, (time.Since(d.began) - back).Seconds() * 1000
		}
		<-tick.C
	}
}

func (rep *stormReport) total(of func(r *stormRound) int) int {
	n := 0
	for i := range rep.Storms {
		n += of(&rep.Storms[i])
	}
	return n
}

func (rep *stormReport) refusedForGood() int {
	return rep.total(func(r *stormRound) int { return total(r.RefusedGood) })
}

// gamesLost counts games that made no move after a storm.
func (rep *stormReport) gamesLost() int {
	return rep.total(func(r *stormRound) int { return r.Games - r.PlayedOn })
}

func (rep *stormReport) passed() bool {
	return !rep.Stopped && total(rep.Errors) == 0 && rep.refusedForGood() == 0 && rep.gamesLost() == 0
}

// figures are what thresholds and comparisons know: the times from the cut to resumed without a prefix.
func (rep *stormReport) figures() []figure {
	out := append(spreadFigures("", rep.Resumed), spreadFigures("reconnect.", rep.Return)...)
	out = append(out, spreadFigures("before.", rep.Before)...)
	out = append(out, spreadFigures("after.", rep.After)...)
	measured := len(rep.Storms) > 0
	count := func(name string, n int) figure { return figure{name, float64(n), plain, measured} }
	return append(out,
		count("back", rep.total(func(r *stormRound) int { return r.Back })),
		count("refused", rep.total(func(r *stormRound) int { return total(r.Refused) })),
		count("refused_for_good", rep.refusedForGood()), count("games_lost", rep.gamesLost()),
		figure{"errors", float64(total(rep.Errors)), plain, true},
	)
}

func (rep *stormReport) charts() []chart {
	return []chart{{title: "Times by percentile", y: "ms", percentiles: true, curves: []curve{
		byPercentile(rep.Resumed, "from the cut to resumed", 0), byPercentile(rep.Return, "from the reconnect to resumed", 1),
	}}, {title: "Send to the opponent's receipt, by percentile", y: "ms", percentiles: true, curves: []curve{
		byPercentile(rep.Before, "before the first storm", 0), byPercentile(rep.After, "after the last one", 1),
	}}}
}

// print writes the report for people.
func (rep *stormReport) print(out io.Writer) {
	s := rep.Settings
	fmt.Fprintf(out, "\n%d sockets: the players of %d games at %g moves a second each, and spectators; %d storms; %d CPUs (%s)\n\n", rep.Sockets, s.Games,
		s.Rate, len(rep.Storms), rep.Machine.CPUs, rep.Machine.CPU)
	for i, r := range rep.Storms {
		fmt.Fprintf(out, "storm %d: %d of %d back, the last after %.0f ms; %d of %d games played on within %.0f ms; server: %.2f CPU seconds until all were back\n",
			i+1, r.Back, rep.Sockets, r.AllBack, r.PlayedOn, r.Games, r.PlayedOnMs, r.CPU)
		for _, kind := range sortedKeys(r.Refused) {
			fmt.Fprintf(out, "         refused for a while: %s: %d\n", kind, r.Refused[kind])
		}
		for _, kind := range sortedKeys(r.RefusedGood) {
			fmt.Fprintf(out, "         REFUSED FOR GOOD: %s: %d\n", kind, r.RefusedGood[kind])
		}
	}
	fmt.Fprintf(out, "\n%-34s %8s %9s %9s %9s\n", "ms", "count", "p50", "p99", "max")
	for _, l := range []struct {
		name string
		s    spread
	}{{"cut to resumed", rep.Resumed}, {"reconnect to resumed", rep.Return}, {"send to receipt, before", rep.Before}, {"send to receipt, after", rep.After}} {
		fmt.Fprintf(out, "%-34s %8d %9.3f %9.3f %9.3f\n", l.name, l.s.Count, l.s.P50, l.s.P99, l.s.Max)
	}
	fmt.Fprintln(out)
	for _, kind := range sortedKeys(rep.Errors) {
		fmt.Fprintf(out, "error: %s: %d\n", kind, rep.Errors[kind])
	}
	switch {
	case rep.Stopped:
		fmt.Fprintln(out, "STOPPED before all storms had passed")
	case rep.passed():
		fmt.Fprintln(out, "PASSED: nobody was refused for good and no game was lost")
	default:
		fmt.Fprintln(out, "FAILED")
	}
}
