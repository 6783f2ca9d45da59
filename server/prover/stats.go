package prover

import (
	"sync/atomic"
	"time"

	"flagfall/game"
)

// Stats are what a Prover counts, from zero.
type Stats struct {
	Pending int                     // questions that wait for their answer
	Answers map[game.Verdict]uint64 // by verdict; "" are searches that failed
	Time    time.Duration           // sum of all searches, without waiting and tables
}

type counts struct {
	pending                            atomic.Int64
	proved, refuted, undecided, failed atomic.Uint64
	time                               atomic.Int64
}

func (c *counts) count(v game.Verdict, took time.Duration) {
	c.time.Add(int64(took))
	switch v {
	case game.Proved:
		c.proved.Add(1)
	case game.Refuted:
		c.refuted.Add(1)
	case game.Undecided:
		c.undecided.Add(1)
	default:
		c.failed.Add(1)
	}
}

// Stats reads the counts.
func (p *Prover) Stats() Stats {
	c := &p.counts
	return Stats{
		Pending: int(c.pending.Load()), Time: time.Duration(c.time.Load()),
		Answers: map[game.Verdict]uint64{
			game.Proved: c.proved.Load(), game.Refuted: c.refuted.Load(), game.Undecided: c.undecided.Load(), "": c.failed.Load(),
		},
	}
}
