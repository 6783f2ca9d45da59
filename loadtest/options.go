package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"strings"
	"time"
)

// options are what the command line says.
type options struct {
	games      int
	duration   time.Duration
	moves      int64         // completed, after which the run ends; 0 for no such bound
	renew      bool          // a game that is over is followed by another
	drain      time.Duration // how long games have to end when the time is up
	addrs      []string      // base URLs of running servers; none starts one
	pids       []int         // of running servers, for their CPU and memory
	metrics    []string      // URLs of running servers' metrics
	pairing    string        // one of pairings
	seed       uint64
	think      time.Duration
	illegal    float64
	wrong      float64
	cuts       float64
	premoves   float64
	slow       float64
	spectators float64
	fast       float64
	rules      float64
	timing     float64
	outage     bool
	baseline   bool
	rounds     int
	rate       float64 // moves a second in each game; 0 as fast as it goes
	board      bool
	crowd      int // spectators of one game; 0: another kind of run
	crowdSlow  int // of them stop to read
	storm      int // sockets that are cut at once; 0: another kind of run
	hop        bool
	lobby      int           // people in the pools; 0: another kind of run
	arena      int           // people in an event; 0: another kind of run
	minutes    time.Duration // of the event
	atBell     string        // what becomes of its games then
	scoring    string        // of the event
	db         string
	json       string
	html       string
	saw        string
	thinkAs    string
	ramp       time.Duration
	mix        string
	fail       []threshold
	compare    string
	old        oldReport // what compare names
	verbose    bool
}

const usage = `loadtest plays many games at once against a Flagfall server and checks every ruling with a referee of its own.

  go run ./loadtest -games 200 -duration 60s              builds and starts a server for the run
  go run ./loadtest -addr http://127.0.0.1:8080 -games 50 plays against a running one
  go run ./loadtest -rate 1 -moves 5000                   an open loop: a move a second in each game, 5000 in all
  go run ./loadtest -baseline -games 1000 -rounds 3 -duration 10s -json FILE
                                                          what the server costs, beside a bare relay
  go run ./loadtest -crowd 5000                           one of the games watched by so many, beside the same unwatched
  go run ./loadtest -storm 5000                           so many sockets are cut at once and come back
  go run ./loadtest -hop -games 1000 -rate 1 -rounds 2 -duration 10s
                                                          two nodes over Redis beside one: what the hop adds
  go run ./loadtest -lobby 2000 -duration 60s             so many people with ratings meet in the pools
  go run ./loadtest -arena 400 -minutes 10                a whole event with so many guests, an organiser and an arbiter

The exit code is 0 only when at least one game was finished and every check passed, else 1; 2 for a bad flag.

`

// parse reads the command line. An error is one clear line.
func parse(args []string, out io.Writer) (options, error) {
	var o options
	fs := flag.NewFlagSet("loadtest", flag.ContinueOnError)
	fs.SetOutput(out)
	fs.Usage = func() {
		fmt.Fprint(out, usage)
		fs.PrintDefaults()
	}
	o.define(fs)
	var fails []string
	fs.Func("fail", "what a figure must be for the exit code 0, such as 'p99<20ms' or 'errors<=0'; may be given again", func(text string) error {
		fails = append(fails, text)
		return nil
	})
	if err := fs.Parse(args); err != nil {
		return o, err
	}
	if fs.NArg() > 0 {
		return o, fmt.Errorf("unexpected argument %q", fs.Arg(0))
	}
	if o.staged() {
		o.stagedDefaults(given(fs))
	}
	if o.mix != "" {
		if err := readMix(fs, o.mix); err != nil {
			return o, err
		}
	}
	if err := o.check(given(fs)); err != nil {
		return o, err
	}
	return o, o.checkFigures(fails)
}

// define names the flags of every kind of run.
func (o *options) define(fs *flag.FlagSet) {
	fs.IntVar(&o.games, "games", 200, "games at once, 1 to 20000")
	fs.DurationVar(&o.duration, "duration", time.Minute, "how long the games go on, 5s to 1h")
	fs.Int64Var(&o.moves, "moves", 0, "`number` of completed moves, of all games together, after which the hold ends before its time; 0: no such bound")
	fs.BoolVar(&o.renew, "renew", false, "a game that is over is followed by another, between new people, until the hold ends")
	fs.DurationVar(&o.ramp, "ramp", 0, "time over which the games begin, evenly, up to 1h; 0: as fast as they can be paired")
	fs.DurationVar(&o.drain, "drain", 10*time.Second, "how long, at most, the games that still go on then have to end, 0 to 10m: nothing new is done, what is on its way is waited for, and White resigns")
	fs.Func("addr", "`addresses` of running servers by commas, http://host:port; may be given again, and people go to one after the other; none: build and start a server", func(text string) error {
		return addNodes(&o.addrs, text)
	})
	fs.Func("pid", "process `ids` of the running servers by commas, for their CPU and memory (same machine, Linux); may be given again", func(text string) error {
		return addPids(&o.pids, text)
	})
	fs.Func("metrics", "`URLs` of the running servers' metrics by commas, in the text format of Prometheus, for the number of their goroutines; may be given again", func(text string) error {
		return addMetrics(&o.metrics, text)
	})
	fs.Uint64Var(&o.seed, "seed", 1, "seed of everything random, so that a run can be played again")
	o.defineMix(fs)
	fs.StringVar(&o.mix, "mix", "", "`file` with a flag of the mix and its value on each line, such as 'illegal 0.05'; the command line goes before it; they are "+strings.Join(mixed, ", "))
	fs.BoolVar(&o.outage, "outage", false, "running servers will be killed and started again meanwhile: lost sockets and failed log-ins are no errors")
	fs.BoolVar(&o.baseline, "baseline", false, "compare the server with a bare relay: prepared games, no errors, nothing but moves")
	fs.IntVar(&o.rounds, "rounds", 3, "with -baseline: rounds, each one drive of the server and one of the relay, 1 to 100; with -crowd: one drive unwatched and one watched; with -storm: storms; with -hop: one drive of one node and one of two")
	fs.BoolVar(&o.board, "board", false, "with -baseline, -crowd or -hop: over the board, a move and a press are two frames; else fast mode")
	o.stagedFlags(fs)
	o.poolFlags(fs)
	o.arenaFlags(fs)
	fs.StringVar(&o.json, "json", "", "`file` to write the figures to")
	fs.StringVar(&o.html, "html", "", "`file` to write the report to, as one page with charts")
	fs.StringVar(&o.saw, "saw", "", "`file` to write to what every client sent and was told, a line of JSON for each client of each game")
	fs.StringVar(&o.compare, "compare", "", "`file` of an earlier run's -json to compare the figures with")
	fs.BoolVar(&o.verbose, "v", false, "print every game's end")
}

// defineMix names the flags that say what the simulated people are like.
func (o *options) defineMix(fs *flag.FlagSet) {
	fs.StringVar(&o.pairing, "pairing", direct, "how people meet: direct, by an invitation; or lobby, all seek in the pools and play whom they get")
	fs.Float64Var(&o.rate, "rate", 0, "moves a second in each game, 0.2 to 100: an open loop, times count from the moment that a move was meant for; 0: a closed loop, people think as -think says (with -baseline 0.1 to 100; 0: as fast as it goes)")
	fs.DurationVar(&o.think, "think", 250*time.Millisecond, "mean time before an action, 20ms to 10s")
	fs.StringVar(&o.thinkAs, "think-as", "exponential", "`distribution` of these times: exponential, lognormal, uniform (from 0 to twice the mean) or fixed")
	fs.Float64Var(&o.premoves, "premoves", 0, "share of moves that are chosen before the opponent has moved and sent the instant the turn comes, where the table allows premoves, 0 to 1")
	fs.Float64Var(&o.illegal, "illegal", 0.03, "share of moves that are illegal, 0 to 1")
	fs.Float64Var(&o.wrong, "wrong", 0.08, "share of moves that come with a command to be refused or denied, 0 to 1")
	fs.Float64Var(&o.cuts, "cuts", 0.01, "share of moves after which a player loses his socket and comes back, 0 to 1")
	fs.Float64Var(&o.spectators, "spectators", 0.1, "spectators for each game, 0 to 5")
	fs.Float64Var(&o.slow, "slow", 0, "share of spectators that now and then read nothing until the server cuts them, and come back, 0 to 1")
	fs.Float64Var(&o.fast, "fast", 0.5, "share of games in fast mode, 0 to 1")
	fs.Float64Var(&o.rules, "rules", 0.25, "share of games by another rule book than WBCA: US Chess, CCA or FIDE, 0 to 1")
	fs.Float64Var(&o.timing, "timing", 0.15, "share of games with an increment or a delay, 0 to 1")
}

// kind of the report that this run writes.
func (o *options) kind() string {
	switch {
	case o.crowd != 0:
		return "crowd"
	case o.storm != 0:
		return "storm"
	case o.hop:
		return "hop"
	case o.lobby > 0:
		return "lobby"
	case o.arena != 0:
		return "arena"
	case o.baseline:
		return "baseline"
	}
	return "games"
}

// checkFigures reads the thresholds and the earlier report before anything is measured.
func (o *options) checkFigures(fails []string) error {
	known := map[string]figured{"games": &runReport{}, "baseline": &baselineReport{}, "crowd": &crowdReport{}, "storm": &stormReport{}, "hop": &hopReport{}, "lobby": &poolReport{}, "arena": &arenaReport{}}[o.kind()].figures()
	for _, text := range fails {
		t, err := parseThreshold(text, known)
		if err != nil {
			return err
		}
		o.fail = append(o.fail, t)
	}
	if o.compare == "" {
		return nil
	}
	var err error
	o.old, err = readReport(o.compare, o.kind())
	return err
}

// figured is a report of either kind.
type figured interface {
	figures() []figure
	charts() []chart
}

// afterwards compares, checks the thresholds and writes the report's files; printed is what people were told of it. It is
// false when something is not as it should be.
func (o *options) afterwards(out io.Writer, rep figured, printed []byte) bool {
	var more bytes.Buffer
	if o.compare != "" {
		compare(&more, o.compare, o.old.Figures, rep.figures())
	}
	ok := checkThresholds(&more, o.fail, rep.figures())
	_, _ = out.Write(more.Bytes()) // nobody to tell
	if o.json != "" {
		if err := writeJSON(o.json, rep); err != nil {
			fmt.Fprintf(out, "-json %s: %v\n", o.json, err)
			ok = false
		}
	}
	if o.html != "" {
		if err := writePage(o.html, append(printed, more.Bytes()...), rep); err != nil {
			fmt.Fprintf(out, "-html %s: %v\n", o.html, err)
			ok = false
		}
	}
	return ok
}

// given are the flags that the command line names.
func given(fs *flag.FlagSet) map[string]bool {
	out := map[string]bool{}
	fs.Visit(func(f *flag.Flag) { out[f.Name] = true })
	return out
}
