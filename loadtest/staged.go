package main

import (
	"flag"
	"fmt"
	"time"
)

// Runs with -crowd, -storm and -hop play prepared games at a pace, as those with -baseline do, on servers of their own.

func (o *options) stagedFlags(fs *flag.FlagSet) {
	fs.IntVar(&o.crowd, "crowd", 0, "compare games with the same while one of them is watched by so many `spectators`, 1 to 20000")
	fs.IntVar(&o.crowdSlow, "crowd-slow", 0, "with -crowd: so many of the `spectators` stop to read")
	fs.IntVar(&o.storm, "storm", 0, "cut so many `sockets` at once, players' and spectators', and have all come back, 20 to 20000")
	fs.BoolVar(&o.hop, "hop", false, "compare one node over Redis with two, the players of each game at different ones; needs redis-server and PostgreSQL")
}

// staged tells whether this is such a run.
func (o *options) staged() bool { return o.crowd != 0 || o.storm != 0 || o.hop }

// stagedDefaults of flags that were not given.
func (o *options) stagedDefaults(given map[string]bool) {
	if !given["duration"] {
		o.duration = 20 * time.Second
	}
	if o.hop {
		if !given["rate"] {
			o.rate = 1
		}
		return
	}
	if o.crowd != 0 {
		if !given["games"] {
			o.games = 20
		}
		if !given["rate"] {
			o.rate = 2
		}
		return
	}
	o.games = (o.storm - o.stormSpectators()) / 2
	if !given["rate"] {
		o.rate = 0.5
	}
}

// stormSpectators is how many of the sockets of a storm watch: one of fifty, and an even number is left for the players.
func (o *options) stormSpectators() int {
	n := max(1, o.storm/50)
	return n + (o.storm-n)%2
}

// leastSlow is the shortest run in which the server finds out who does not read.
const leastSlow = 15 * time.Second

func (o *options) checkStaged(given map[string]bool) error {
	name := "-" + o.kind()
	for other := range given {
		switch other {
		case "crowd", "storm", "hop", "duration", "rounds", "rate", "json", "html", "fail", "compare", "seed":
		case "games", "board":
			if o.storm != 0 {
				return fmt.Errorf("-%s does not go with -storm", other)
			}
		case "crowd-slow":
			if o.crowd == 0 {
				return fmt.Errorf("-%s does not go with %s", other, name)
			}
		default:
			return fmt.Errorf("-%s does not go with %s, which drives servers of its own by prepared games", other, name)
		}
	}
	switch {
	case o.crowd != 0 && o.storm != 0, o.hop && o.crowd != 0, o.hop && o.storm != 0:
		return fmt.Errorf("-crowd, -storm and -hop are kinds of run: give one of them")
	case o.crowd < 0 || o.crowd > 20000:
		return fmt.Errorf("-crowd %d: want 1 to 20000", o.crowd)
	case o.storm != 0 && (o.storm < 20 || o.storm > 20000):
		return fmt.Errorf("-storm %d: want 20 to 20000", o.storm)
	case o.crowdSlow < 0 || o.crowdSlow > o.crowd:
		return fmt.Errorf("-crowd-slow %d: want 0 to %d, the spectators", o.crowdSlow, o.crowd)
	case o.crowdSlow > 0 && o.duration < leastSlow:
		return fmt.Errorf("-crowd-slow wants a -duration of %v at least: that is how long a server waits for those who do not read", leastSlow)
	case o.duration < time.Second || o.duration > time.Hour:
		return fmt.Errorf("-duration %v: want 1s to 1h", o.duration)
	case o.rounds < 1 || o.rounds > 100:
		return fmt.Errorf("-rounds %d: want 1 to 100", o.rounds)
	case !(o.rate >= 0.1 && o.rate <= 100):
		return fmt.Errorf("-rate %v: want 0.1 to 100", o.rate)
	}
	return nil
}
