package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// options are what the command line says.
type options struct {
	games      int
	duration   time.Duration
	addr       string // base URL of a running server; "" starts one
	pid        int    // of a running server, for its CPU and memory; 0 unknown
	seed       uint64
	think      time.Duration
	illegal    float64
	wrong      float64
	cuts       float64
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
	json       string
	html       string
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
  go run ./loadtest -baseline -games 1000 -rounds 3 -duration 10s -json FILE
                                                          what the server costs, beside a bare relay
  go run ./loadtest -crowd 5000                           one of the games watched by so many, beside the same unwatched
  go run ./loadtest -storm 5000                           so many sockets are cut at once and come back

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
	fs.IntVar(&o.games, "games", 200, "games at once, 1 to 20000")
	fs.DurationVar(&o.duration, "duration", time.Minute, "how long the games go on, 5s to 1h")
	fs.StringVar(&o.addr, "addr", "", "`address` of a running server, http://host:port; empty: build and start one")
	fs.IntVar(&o.pid, "pid", 0, "process id of the running server, for its CPU and memory (same machine, Linux)")
	fs.Uint64Var(&o.seed, "seed", 1, "seed of everything random, so that a run can be played again")
	fs.DurationVar(&o.think, "think", 250*time.Millisecond, "mean time before an action, 20ms to 10s")
	fs.StringVar(&o.thinkAs, "think-as", "exponential", "`distribution` of these times: exponential, lognormal, uniform (from 0 to twice the mean) or fixed")
	fs.DurationVar(&o.ramp, "ramp", 0, "time over which the games begin, evenly, up to 1h; 0: as fast as they can be paired")
	fs.StringVar(&o.mix, "mix", "", "`file` with a flag of the mix and its value on each line, such as 'illegal 0.05'; the command line goes before it")
	fs.Float64Var(&o.illegal, "illegal", 0.03, "share of moves that are illegal, 0 to 1")
	fs.Float64Var(&o.wrong, "wrong", 0.08, "share of moves that come with a command to be refused or denied, 0 to 1")
	fs.Float64Var(&o.cuts, "cuts", 0.01, "share of moves after which a player loses his socket and comes back, 0 to 1")
	fs.Float64Var(&o.spectators, "spectators", 0.1, "spectators for each game, 0 to 5")
	fs.Float64Var(&o.fast, "fast", 0.5, "share of games in fast mode, 0 to 1")
	fs.Float64Var(&o.rules, "rules", 0.25, "share of games by another rule book than WBCA: US Chess, CCA or FIDE, 0 to 1")
	fs.Float64Var(&o.timing, "timing", 0.15, "share of games with an increment or a delay, 0 to 1")
	fs.BoolVar(&o.outage, "outage", false, "the running server will be killed and started again meanwhile: lost sockets are no errors")
	fs.BoolVar(&o.baseline, "baseline", false, "compare the server with a bare relay: prepared games, no errors, nothing but moves")
	fs.IntVar(&o.rounds, "rounds", 3, "with -baseline: rounds, each one drive of the server and one of the relay, 1 to 100; with -crowd: one drive unwatched and one watched; with -storm: storms")
	fs.Float64Var(&o.rate, "rate", 0, "with -baseline, -crowd or -storm: moves a second in each game, 0.1 to 100; 0, only with -baseline: as fast as it goes")
	fs.BoolVar(&o.board, "board", false, "with -baseline or -crowd: over the board, a move and a press are two frames; else fast mode")
	o.stagedFlags(fs)
	fs.StringVar(&o.json, "json", "", "`file` to write the figures to")
	fs.StringVar(&o.html, "html", "", "`file` to write the report to, as one page with charts")
	var fails []string
	fs.Func("fail", "what a figure must be for the exit code 0, such as 'p99<20ms' or 'errors<=0'; may be given again", func(text string) error {
		fails = append(fails, text)
		return nil
	})
	fs.StringVar(&o.compare, "compare", "", "`file` of an earlier run's -json to compare the figures with")
	fs.BoolVar(&o.verbose, "v", false, "print every game's end")
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

// kind of the report that this run writes.
func (o *options) kind() string {
	switch {
	case o.crowd > 0:
		return "crowd"
	case o.storm > 0:
		return "storm"
	case o.baseline:
		return "baseline"
	}
	return "games"
}

// checkFigures reads the thresholds and the earlier report before anything is measured.
func (o *options) checkFigures(fails []string) error {
	known := map[string]figured{"games": &runReport{}, "baseline": &baselineReport{}, "crowd": &crowdReport{}, "storm": &stormReport{}}[o.kind()].figures()
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

func (o *options) check(given map[string]bool) error {
	if o.games < 1 || o.games > 20000 {
		return fmt.Errorf("-games %d: want 1 to 20000", o.games)
	}
	if o.staged() {
		return o.checkStaged(given)
	}
	if o.baseline {
		return o.checkBaseline(given)
	}
	for _, name := range []string{"rounds", "rate", "board"} {
		if given[name] {
			return fmt.Errorf("-%s is for -baseline, -crowd or -storm: give that too", name)
		}
	}
	if given["crowd-slow"] {
		return fmt.Errorf("-crowd-slow is for -crowd: give that too")
	}
	switch {
	case o.duration < 5*time.Second || o.duration > time.Hour:
		return fmt.Errorf("-duration %v: want 5s to 1h", o.duration)
	case o.think < 20*time.Millisecond || o.think > 10*time.Second:
		return fmt.Errorf("-think %v: want 20ms to 10s", o.think)
	case !slices.Contains(thinkings, o.thinkAs):
		return fmt.Errorf("-think-as %q: want one of %s", o.thinkAs, strings.Join(thinkings, ", "))
	case o.ramp < 0 || o.ramp > time.Hour:
		return fmt.Errorf("-ramp %v: want 0 to 1h", o.ramp)
	case o.spectators < 0 || o.spectators > 5:
		return fmt.Errorf("-spectators %v: want 0 to 5", o.spectators)
	case o.pid < 0:
		return fmt.Errorf("-pid %d: want a process id", o.pid)
	case o.outage && o.addr == "":
		return fmt.Errorf("-outage is for a running server: give its -addr too")
	case o.pid > 0 && o.addr == "":
		return fmt.Errorf("-pid is for a running server: give its -addr too")
	}
	for name, share := range map[string]float64{"illegal": o.illegal, "wrong": o.wrong, "cuts": o.cuts, "fast": o.fast,
		"rules": o.rules, "timing": o.timing} {
		if !(share >= 0 && share <= 1) {
			return fmt.Errorf("-%s %v: want a share from 0 to 1", name, share)
		}
	}
	if o.pid > 0 {
		if _, err := os.Stat("/proc/" + strconv.Itoa(o.pid) + "/stat"); err != nil {
			return fmt.Errorf("-pid %d: no such process to read", o.pid)
		}
	}
	return o.checkAddr()
}

// checkBaseline wants only the flags that such a run reads.
func (o *options) checkBaseline(given map[string]bool) error {
	for name := range given {
		switch name {
		case "baseline", "games", "duration", "rounds", "rate", "board", "json", "html", "fail", "compare", "seed":
		default:
			return fmt.Errorf("-%s does not go with -baseline, which drives a server of its own by prepared games", name)
		}
	}
	switch {
	case o.duration < time.Second || o.duration > time.Hour:
		return fmt.Errorf("-duration %v: want 1s to 1h", o.duration)
	case o.rounds < 1 || o.rounds > 100:
		return fmt.Errorf("-rounds %d: want 1 to 100", o.rounds)
	case o.rate != 0 && !(o.rate >= 0.1 && o.rate <= 100):
		return fmt.Errorf("-rate %v: want 0.1 to 100, or 0 for as fast as it goes", o.rate)
	}
	return nil
}

func (o *options) checkAddr() error {
	if o.addr == "" {
		return nil
	}
	u, err := url.Parse(o.addr)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || strings.Trim(u.Path, "/") != "" {
		return fmt.Errorf("-addr %q: want http://host:port or https://host", o.addr)
	}
	o.addr = u.Scheme + "://" + u.Host
	return nil
}
