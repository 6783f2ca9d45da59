package clock

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "write what the scenarios gave into their files")

// TestScenarios plays testdata/*.txt. A line is `time command -> what it must give`:
//
//	new W B [START GAIN MOST PERMOVE]   a clock with two budgets, and what is given back for lag
//	T start SIDE                        T press RTT          T measured SIDE RTT
//	T add SIDE MS                       T deduct SIDE MS     T stop
//	T correct SIDE MS                   T delay MS           T resume SIDE
//	T tick                              T show               T quota
//	timing KIND MS                      for the clock of the last `new`
func TestScenarios(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) { playFile(t, name) })
	}
}

func playFile(t *testing.T, name string) {
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var c Clock
	lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	for i, line := range lines {
		do, want, isCommand := strings.Cut(line, "->")
		words := strings.Fields(do)
		switch {
		case strings.HasPrefix(line, "#") || line == "":
			continue
		case words[0] == "new":
			c = newClock(t, words[1:])
			continue
		case words[0] == "timing":
			timing := Timing{Kind: TimingKind(words[1]), Ms: number(t, words[2])}
			if err := timing.Check(); err != nil {
				t.Fatalf("%s:%d: %v", name, i+1, err)
			}
			c.Timing(timing)
			continue
		case !isCommand:
			t.Fatalf("%s:%d: no -> in %q", name, i+1, line)
		}
		got := play(t, &c, words)
		if got != strings.TrimSpace(want) && !*rewrite {
			t.Errorf("%s:%d: %s: got %q, want %q", name, i+1, strings.TrimSpace(do), got, strings.TrimSpace(want))
		}
		lines[i] = fmt.Sprintf("%-28s -> %s", strings.TrimSpace(do), got)
	}
	if *rewrite {
		if err := os.WriteFile(name, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func number(t *testing.T, word string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func newClock(t *testing.T, words []string) Clock {
	n := make([]int64, 6)
	for i, word := range words {
		n[i] = number(t, word)
	}
	return New(n[0], n[1], Lag{Start: n[2], Gain: n[3], Most: n[4], PerMove: n[5]})
}

func play(t *testing.T, c *Clock, words []string) string {
	at, args := number(t, words[0]), words[2:]
	side := None
	if len(args) > 0 && words[1] != "press" && words[1] != "delay" {
		side, _ = ParseSide(args[0])
	}
	switch words[1] {
	case "start":
		c.Start(side, at)
	case "measured":
		c.Measured(side, number(t, args[1]))
	case "add":
		c.Add(side, number(t, args[1]), at)
	case "deduct":
		c.Deduct(side, number(t, args[1]), at)
	case "correct":
		c.Correct(side, number(t, args[1]), at)
	case "delay":
		c.Delay(number(t, args[0]), at)
	case "resume":
		c.Resume(side, at)
	case "stop":
		c.Stop(at)
	case "press":
		return press(c, at, number(t, args[0]))
	case "tick":
		if fallen := c.Due(at); fallen != None {
			falls, _ := c.FallsAt()
			c.Fall(fallen, falls)
			return fmt.Sprintf("flag of %v at %d", fallen, falls)
		}
		if falls, ok := c.FallsAt(); ok {
			return fmt.Sprintf("falls at %d", falls)
		}
		return "falls never"
	case "show":
		return show(c, at)
	case "quota":
		return fmt.Sprintf("%d/%d", c.Quota(White), c.Quota(Black))
	default:
		t.Fatalf("unknown command %q", words[1])
	}
	return "ok"
}

// press does what a game does with the press of the running side.
func press(c *Clock, at, rtt int64) string {
	by := c.Running()
	fell := ""
	if c.DueAtPress(at, rtt) != None {
		c.Fall(by, at)
		fell = fmt.Sprintf("flag of %v; ", by)
	}
	charged, credit := c.Bill(at, rtt)
	c.Press(at, credit)
	c.Measured(by, rtt)
	return fmt.Sprintf("%scharged %d, credit %d", fell, charged, credit)
}

func show(c *Clock, at int64) string {
	down := ""
	for _, s := range []Side{White, Black} {
		if c.Down(s) {
			down += s.String()
		}
	}
	if down != "" {
		down = ", down " + down
	}
	running := c.Running().String()
	if running == "" {
		running = "none"
	}
	return fmt.Sprintf("%d/%d, %s runs%s", c.Remaining(White, at), c.Remaining(Black, at), running, down)
}
