package main

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"time"
)

// mixed are the flags that a mix file may set: what the simulated people are like.
var mixed = []string{
	"pairing", "rate", "think", "think-as", "ramp", "premoves", "illegal", "wrong", "cuts", "spectators", "slow", "fast", "rules", "timing",
}

// readMix sets the flags of a mix file that the command line did not: a name and a value on each line, # begins a comment.
func readMix(fs *flag.FlagSet, path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("-mix: %w", err)
	}
	first, seen := given(fs), map[string]bool{}
	for i, line := range strings.Split(string(data), "\n") {
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		at := fmt.Sprintf("-mix %s, line %d", path, i+1)
		switch {
		case len(words) != 2:
			return fmt.Errorf("%s: want a name and a value", at)
		case !slices.Contains(mixed, words[0]):
			return fmt.Errorf("%s: %q is not of the mix; it has %s", at, words[0], strings.Join(mixed, ", "))
		case seen[words[0]]:
			return fmt.Errorf("%s: %s was there before", at, words[0])
		}
		seen[words[0]] = true
		if first[words[0]] {
			continue
		}
		if err := fs.Set(words[0], words[1]); err != nil {
			return fmt.Errorf("%s: %s %q: %w", at, words[0], words[1], err)
		}
	}
	return nil
}

// thinkings are the distributions of thinking times.
var thinkings = []string{"exponential", "lognormal", "uniform", "fixed"}

// thinkingTime is a random time of a distribution with about that mean, between an eighth of it and six times it.
func thinkingTime(rng *rand.Rand, as string, mean time.Duration) time.Duration {
	m := float64(mean)
	var d float64
	switch as {
	case "fixed":
		d = m
	case "uniform":
		d = 2 * m * rng.Float64()
	case "lognormal": // sigma 1: the median is 0.6 of the mean
		d = m * math.Exp(rng.NormFloat64()-0.5)
	default:
		d = m * rng.ExpFloat64()
	}
	return time.Duration(min(max(d, m/8), 6*m))
}
