package main

import (
	"flag"
	"fmt"
	"slices"
	"strconv"
	"time"
)

func (o *options) arenaFlags(fs *flag.FlagSet) {
	fs.IntVar(&o.arena, "arena", 0, "hold an arena with so many `guests`, who come from one address by its link, an organiser and an arbiter, 4 to 2000")
	fs.StringVar(&o.atBell, "at-bell", "play_on", "with -arena: what becomes of games that run at the `bell`: play_on or stop")
	fs.StringVar(&o.scoring, "scoring", "classic", "with -arena: what a game is worth: classic, or arena `points`")
	o.minutes = time.Minute
	fs.Func("minutes", "with -arena: `minutes` from its start to its bell, 1 to 600 (default 1)", func(text string) error {
		n, err := strconv.ParseFloat(text, 64)
		if err != nil || !(n >= 1 && n <= 600) {
			return fmt.Errorf("%q: want 1 to 600", text)
		}
		o.minutes = time.Duration(n * float64(time.Minute))
		return nil
	})
}

// arenaMix is what is said of the people of an event, too.
var arenaMix = []string{"arena", "minutes", "at-bell", "scoring", "addr", "pid", "json", "html", "fail", "compare", "seed", "think", "think-as", "illegal", "wrong", "cuts", "fast", "mix", "outage"}

func (o *options) checkArena(given map[string]bool) error {
	for other := range given {
		if !slices.Contains(arenaMix, other) {
			return fmt.Errorf("-%s does not go with -arena", other)
		}
	}
	if !given["fast"] {
		o.fast = 0
	}
	o.rules, o.timing, o.spectators, o.slow = 0, 0, 0, 0
	switch {
	case o.arena < 4 || o.arena > 2000:
		return fmt.Errorf("-arena %d: want 4 to 2000", o.arena)
	case o.atBell != "play_on" && o.atBell != "stop":
		return fmt.Errorf("-at-bell %q: want play_on or stop", o.atBell)
	case o.scoring != "classic" && o.scoring != "arena":
		return fmt.Errorf("-scoring %q: want classic or arena", o.scoring)
	case o.fast != 0 && o.fast != 1:
		return fmt.Errorf("-fast %v: all games of an event have one mode, want 0 or 1", o.fast)
	}
	if err := o.checkMix(); err != nil {
		return err
	}
	return o.checkNodes(given)
}
