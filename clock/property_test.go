package clock

import (
	"testing"

	"pgregory.net/rapid"
)

// fact is what a journal keeps of a step: enough to repeat it without judging anew.
type fact func(c *Clock)

// walker takes random steps on a clock and keeps the facts.
type walker struct {
	c     Clock
	at    int64
	facts []fact
	lag   Lag
	going int64 // since when the running side's clock runs
}

func (w *walker) record(f fact) {
	f(&w.c)
	w.facts = append(w.facts, f)
}

func drawLag(t *rapid.T) Lag {
	draw := func(name string, most int64) int64 { return rapid.Int64Range(0, most).Draw(t, name) }
	return Lag{Start: draw("start", 2000), Gain: draw("gain", 500), Most: draw("most", 4000), PerMove: draw("move", 800)}
}

// press checks what a press may be given, and that it takes nothing it should not.
func (w *walker) press(t *rapid.T, rtt int64) {
	c, by, at := &w.c, w.c.Running(), w.at
	before, known, quota, down := c.Remaining(by, at), c.RoundTrip(by), c.Quota(by), c.Down(by)
	timing, elapsed := c.timing, at-w.going
	if c.DueAtPress(at, rtt) != None {
		w.record(func(c *Clock) { c.Fall(by, at) })
		down = true
	}
	charged, credit := c.Bill(at, rtt)
	ran := charged + credit
	if timing.Kind != USDelay && ran != elapsed || ran < elapsed-timing.Ms || ran > elapsed {
		t.Fatalf("charged %d and credit %d of %d, %+v", charged, credit, elapsed, timing)
	}
	if credit < 0 || credit > max(0, min(rtt, known, quota, w.lag.PerMove, ran)) {
		t.Fatalf("credit %d: round trips %d and %d, quota %d, ran %d", credit, rtt, known, quota, ran)
	}
	w.record(func(c *Clock) {
		c.Press(at, credit)
		c.Measured(by, rtt)
	})
	gain := credit
	if timing.Kind == Fischer || timing.Kind == Bronstein {
		gain += timing.Ms
	}
	if after := c.Remaining(by, at); !down && (after <= 0 || after > before+gain) {
		t.Fatalf("a press in time left %d of %d, credit %d, %+v", after, before, credit, timing)
	}
	w.going = at
	if c.Running() != by.Other() {
		t.Fatalf("%v runs after the press of %v", c.Running(), by)
	}
}

func (w *walker) step(t *rapid.T) {
	w.at += rapid.SampledFrom([]int64{0, 1, 7, 400, 3000, 20000}).Draw(t, "pass")
	at, side := w.at, Side(rapid.IntRange(0, 1).Draw(t, "side"))
	ms, rtt := rapid.Int64Range(0, 60000).Draw(t, "ms"), rapid.Int64Range(-100, 1000).Draw(t, "rtt")
	if due := w.c.Due(at); due != None {
		falls, _ := w.c.FallsAt()
		w.record(func(c *Clock) { c.Fall(due, falls) })
	}
	do := []string{"press", "press", "press", "start", "resume", "stop", "add", "deduct", "correct", "delay", "measured"}
	switch rapid.SampledFrom(do).Draw(t, "do") {
	case "press":
		if w.c.Running() != None {
			w.press(t, rtt)
		}
	case "start":
		if w.c.Running() == None {
			w.record(func(c *Clock) { c.Start(side, at) })
			w.going = at
		}
	case "resume":
		if w.c.Running() == None {
			w.record(func(c *Clock) { c.Resume(side, at) })
			w.going = at
		}
	case "correct":
		w.record(func(c *Clock) { c.Correct(side, ms, at) })
	case "delay":
		if w.c.Running() == None { // what ran before would not be told from what ran after
			w.record(func(c *Clock) { c.Delay(1+ms, at) })
		}
	case "stop":
		w.record(func(c *Clock) { c.Stop(at) })
	case "add":
		w.record(func(c *Clock) { c.Add(side, ms, at) })
	case "deduct":
		w.record(func(c *Clock) { c.Deduct(side, ms, at) })
	case "measured":
		w.record(func(c *Clock) { c.Measured(side, rtt) })
	}
}

// invariants hold at all times.
func (w *walker) invariants(t *rapid.T) {
	for _, s := range []Side{White, Black} {
		left := w.c.Remaining(s, w.at)
		if left < 0 || w.c.Down(s) && left != 0 {
			t.Fatalf("%v shows %d, flag down %v", s, left, w.c.Down(s))
		}
		if q := w.c.Quota(s); q < 0 || q > max(w.lag.Most, w.lag.Start) {
			t.Fatalf("quota of %v is %d of %+v", s, q, w.lag)
		}
	}
	falls, ok := w.c.FallsAt()
	if !ok {
		return
	}
	if w.c.Due(falls-1) != None || w.c.Due(falls) != w.c.Running() {
		t.Fatalf("a flag that falls at %d is due before, or not then", falls)
	}
}

func TestAnyGameOfTheClock(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lag := drawLag(t)
		white, black := rapid.Int64Range(0, 60000).Draw(t, "white"), rapid.Int64Range(0, 60000).Draw(t, "black")
		timing := Timing{Kind: rapid.SampledFrom([]TimingKind{"", Fischer, USDelay, Bronstein}).Draw(t, "timing")}
		if timing.Kind != "" {
			timing.Ms = rapid.Int64Range(1, 5000).Draw(t, "each")
		}
		w := walker{c: New(white, black, lag), lag: lag}
		w.record(func(c *Clock) { c.Timing(timing) })
		w.record(func(c *Clock) { c.Start(White, 0) })
		var down [2]bool
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			adds := len(w.facts)
			w.step(t)
			w.invariants(t)
			for s := range down {
				if down[s] && !w.c.Down(Side(s)) && len(w.facts) == adds {
					t.Fatalf("the flag of %v went up by itself", Side(s))
				}
				down[s] = w.c.Down(Side(s))
			}
		}
		again := New(white, black, lag)
		for _, f := range w.facts {
			f(&again)
		}
		if again != w.c {
			t.Fatalf("the recorded facts give %+v, the game had %+v", again, w.c)
		}
	})
}

// Without penalties and flags, what is missing on a clock is what its presses were charged.
func TestChargedIsWhatIsMissing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lag := drawLag(t)
		c := New(1_000_000, 1_000_000, lag)
		c.Start(White, 0)
		var at int64
		var charged, credits, presses [2]int64
		for range rapid.IntRange(1, 80).Draw(t, "presses") {
			at += rapid.Int64Range(0, 10000).Draw(t, "think")
			by, rtt := c.Running(), rapid.Int64Range(-100, 1000).Draw(t, "rtt")
			cost, credit := c.Bill(at, rtt)
			charged[by] += cost
			credits[by] += credit
			presses[by]++
			c.Press(at, credit)
			c.Measured(by, rtt)
		}
		for _, s := range []Side{White, Black} {
			if left := c.Remaining(s, at); left != 1_000_000-charged[s] {
				t.Fatalf("%v has %d, charged %d", s, left, charged[s])
			}
			if credits[s] > lag.Start+presses[s]*lag.Gain {
				t.Fatalf("%v was given %d in %d presses by %+v", s, credits[s], presses[s], lag)
			}
		}
		if charged[White]+charged[Black]+credits[White]+credits[Black] != at {
			t.Fatalf("charged %v and credit %v do not make the %d ms of the game", charged, credits, at)
		}
	})
}

// CLK-03: who thinks a second for each of forty moves loses forty seconds, but for the quota, whatever he reports.
func TestReportedLagIsBounded(t *testing.T) {
	lag := LagFor(300000)
	for _, rtt := range []int64{500, 100000, -500} {
		c := New(300000, 300000, lag)
		c.Start(White, 0)
		var at int64
		for range 40 {
			at += 1000
			_, credit := c.Bill(at, rtt)
			c.Press(at, credit)
			c.Measured(White, rtt)
			c.Press(at, 0)
		}
		gained := c.Remaining(White, at) - (300000 - 40000)
		if most := lag.Start + 40*lag.Gain; gained < 0 || gained > most {
			t.Errorf("round trip %d: gained %d ms, want at most %d", rtt, gained, most)
		}
	}
}

func TestLagFor(t *testing.T) {
	for _, tt := range []struct {
		base int64
		want Lag
	}{
		{300000, Lag{Start: 1000, Gain: 500, Most: 3000, PerMove: 500}},
		{180000, Lag{Start: 1000, Gain: 300, Most: 3000, PerMove: 500}},
		{60000, Lag{Start: 1000, Gain: 100, Most: 3000, PerMove: 500}},
		{6000, Lag{Start: 100, Gain: 10, Most: 300, PerMove: 100}},
		{0, Lag{}},
	} {
		if got := LagFor(tt.base); got != tt.want {
			t.Errorf("%d ms: got %+v, want %+v", tt.base, got, tt.want)
		}
	}
}

func TestSides(t *testing.T) {
	for side, text := range map[Side]string{White: "w", Black: "b", None: ""} {
		var back Side
		got, err := side.MarshalText()
		if err != nil || string(got) != text || back.UnmarshalText(got) != nil || back != side {
			t.Errorf("%s: wrote %q, read %v", side.Name(), got, back)
		}
		if side.Other().Other() != side {
			t.Errorf("%s: the other's other is %s", side.Name(), side.Other().Other().Name())
		}
	}
	side := Black
	if err := side.UnmarshalText([]byte("x")); err == nil || side != Black {
		t.Errorf("x was read as %v, %v", side, err)
	}
}

func BenchmarkPress(b *testing.B) {
	c := New(1<<50, 1<<50, LagFor(300000))
	c.Start(White, 0)
	b.ReportAllocs()
	for at := int64(0); b.Loop(); at += 10 {
		if c.DueAtPress(at, 30) != None {
			b.Fatal("flag")
		}
		_, credit := c.Bill(at, 30)
		c.Press(at, credit)
		c.Measured(c.Running().Other(), 30)
	}
}
