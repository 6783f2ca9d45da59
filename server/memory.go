package main

import (
	"context"
	"os"
	"runtime/debug"
	gauges "runtime/metrics"
	"time"
)

// What a move leaves behind is little, what a game holds is not. So the heap grows by three quarters before it is swept,
// which saves an eighth of Go's default and lets thousands of games go on for half a minute between two sweeps, each of
// which slows the moves that fall into it; but where much is left behind, by as much as fills between two sweeps.
const (
	leastGrowth = 75  // percent of what is in use
	mostGrowth  = 200 // percent
	sweepEvery  = 400 * time.Millisecond
	freeEvery   = 30 * time.Second
)

// tendHeap sets the growth of the heap until the context ends. GOGC, where an operator has set it, goes before.
func tendHeap(ctx context.Context) {
	if os.Getenv("GOGC") != "" {
		return
	}
	growth := leastGrowth
	debug.SetGCPercent(growth)
	const round = 2 * time.Second
	ticker := time.NewTicker(round)
	defer ticker.Stop()
	left, most := heap()
	var freed time.Time
	for {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
		now, used := heap()
		most = max(most, used)
		want := heapGrowth(float64(now-left)/round.Seconds(), float64(used))
		left = now
		less := want < growth-growth/8
		if less || want > growth+growth/8 { // each change stops everything for a moment
			growth = want
			debug.SetGCPercent(growth)
		}
		if (less || used < most/2) && time.Since(freed) > freeEvery { // what is free now goes back to the system
			debug.FreeOSMemory()
			most, freed = used, time.Now()
		}
	}
}

// heapGrowth is the growth in percent for a heap of so many bytes in use to which so many bytes are added in a second.
func heapGrowth(perSecond, used float64) int {
	if used <= 0 {
		return leastGrowth
	}
	return int(min(max(100*perSecond*sweepEvery.Seconds()/used, leastGrowth), mostGrowth))
}

// heap is how much was ever put on it, and how much was in use after the last sweep, in bytes.
func heap() (ever, used uint64) {
	sample := []gauges.Sample{{Name: "/gc/heap/allocs:bytes"}, {Name: "/gc/heap/live:bytes"}}
	gauges.Read(sample)
	return sample[0].Value.Uint64(), sample[1].Value.Uint64()
}
