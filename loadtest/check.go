package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// check wants values that a run can keep to, and flags that go together.
func (o *options) check(given map[string]bool) error {
	if given["saw"] && (o.staged() || o.baseline) {
		return errors.New("-saw is for an ordinary run, not for -baseline, -crowd, -storm or -hop")
	}
	if given["arena"] {
		return o.checkArena(given)
	}
	for _, name := range []string{"minutes", "at-bell", "scoring"} {
		if given[name] {
			return fmt.Errorf("-%s is for -arena: give that too", name)
		}
	}
	if given["lobby"] {
		return o.checkPools(given)
	}
	if given["db"] {
		return errors.New("-db is for -lobby: give that too")
	}
	if o.games < 1 || o.games > 20000 {
		return fmt.Errorf("-games %d: want 1 to 20000", o.games)
	}
	if o.staged() {
		return o.checkStaged(given)
	}
	if o.baseline {
		return o.checkBaseline(given)
	}
	for _, name := range []string{"rounds", "board"} {
		if given[name] {
			return fmt.Errorf("-%s is for -baseline, -crowd, -storm or -hop: give that too", name)
		}
	}
	if given["crowd-slow"] {
		return errors.New("-crowd-slow is for -crowd: give that too")
	}
	switch {
	case o.duration < 5*time.Second || o.duration > time.Hour:
		return fmt.Errorf("-duration %v: want 5s to 1h", o.duration)
	case o.moves < 0 || given["moves"] && o.moves == 0:
		return fmt.Errorf("-moves %d: want a number from 1", o.moves)
	case o.drain < 0 || o.drain > 10*time.Minute:
		return fmt.Errorf("-drain %v: want 0 to 10m", o.drain)
	case o.pairing != direct && o.pairing != lobby:
		return fmt.Errorf("-pairing %q: want %s or %s", o.pairing, direct, lobby)
	case o.rate != 0 && (given["think"] || given["think-as"]):
		return errors.New("-rate is an open loop and -think a closed one: give one of them")
	case o.rate != 0 && !(o.rate >= 0.2 && o.rate <= 100):
		return fmt.Errorf("-rate %v: want 0.2 to 100, or 0 for a closed loop", o.rate)
	case o.ramp < 0 || o.ramp > time.Hour:
		return fmt.Errorf("-ramp %v: want 0 to 1h", o.ramp)
	case o.spectators < 0 || o.spectators > 5:
		return fmt.Errorf("-spectators %v: want 0 to 5", o.spectators)
	}
	if err := o.checkMix(); err != nil {
		return err
	}
	return o.checkNodes(given)
}

// checkMix looks at what the simulated people are like.
func (o *options) checkMix() error {
	switch {
	case o.think < 20*time.Millisecond || o.think > 10*time.Second:
		return fmt.Errorf("-think %v: want 20ms to 10s", o.think)
	case !slices.Contains(thinkings, o.thinkAs):
		return fmt.Errorf("-think-as %q: want one of %s", o.thinkAs, strings.Join(thinkings, ", "))
	}
	for name, share := range map[string]float64{"illegal": o.illegal, "wrong": o.wrong, "cuts": o.cuts, "premoves": o.premoves,
		"slow": o.slow, "fast": o.fast, "rules": o.rules, "timing": o.timing} {
		if !(share >= 0 && share <= 1) {
			return fmt.Errorf("-%s %v: want a share from 0 to 1", name, share)
		}
	}
	return nil
}

// checkNodes wants addresses for whatever is said of running servers.
func (o *options) checkNodes(given map[string]bool) error {
	for _, name := range []string{"outage", "pid", "metrics"} {
		if given[name] && len(o.addrs) == 0 {
			return fmt.Errorf("-%s is for a running server: give its -addr too", name)
		}
	}
	for _, pid := range o.pids {
		if _, err := os.Stat("/proc/" + strconv.Itoa(pid) + "/stat"); err != nil {
			return fmt.Errorf("-pid %d: no such process to read", pid)
		}
	}
	return nil
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
