package main

import (
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestMix(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mix")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("# a careless crowd\nillegal 0.2\n\nthink 100ms # quick\nthink-as uniform\nramp 3s\n")
	o, err := parse([]string{"-mix", path, "-illegal", "0.1"}, io.Discard)
	if err != nil || o.illegal != 0.1 || o.think != 100*time.Millisecond || o.thinkAs != "uniform" || o.ramp != 3*time.Second || o.wrong != 0.08 {
		t.Errorf("got %+v, %v", o, err)
	}
	for text, want := range map[string]string{
		"illegal":              "line 1: want a name and a value",
		"fast 1\nillegal much": `line 2: illegal "much"`,
		"games 7":              `line 1: "games" is not of the mix; it has pairing`,
		"cuts 0\ncuts 0":       "line 2: cuts was there before",
		"cuts 7":               "-cuts 7: want a share from 0 to 1",
		"think-as slow":        `-think-as "slow": want one of exponential`,
		"ramp 2h":              "-ramp 2h0m0s: want 0 to 1h",
	} {
		write(text)
		if _, err := parse([]string{"-mix", path}, io.Discard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	if _, err := parse([]string{"-mix", path + "x"}, io.Discard); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("no file: %v", err)
	}
	if _, err := parse([]string{"-baseline", "-mix", path}, io.Discard); err == nil {
		t.Error("a mix goes with -baseline")
	}
}

func TestThinkingTimes(t *testing.T) {
	for _, as := range thinkings {
		rng := rand.New(rand.NewPCG(1, 1))
		const mean, n = 800 * time.Millisecond, 20_000
		var sum time.Duration
		for range n {
			d := thinkingTime(rng, as, mean)
			if d < mean/8 || d > 6*mean {
				t.Fatalf("%s: %v", as, d)
			}
			sum += d
		}
		if got := sum / n; got < mean*95/100 || got > mean*105/100 {
			t.Errorf("%s: the mean is %v, want about %v", as, got, mean)
		}
	}
}
