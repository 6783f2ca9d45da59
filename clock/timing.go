package clock

import "fmt"

// TimingKind is what is given for each move beside the base time.
type TimingKind string

// The kinds of timing. The empty one gives nothing: sudden death.
const (
	Fischer   TimingKind = "increment" // added at each press
	USDelay   TimingKind = "delay"     // at each move the time begins to run after the delay
	Bronstein TimingKind = "bronstein" // at each press the time used is given back, the delay at most
)

// Timing is an increment or a delay of Ms milliseconds a move.
type Timing struct {
	Kind TimingKind `json:"kind,omitempty"`
	Ms   int64      `json:"ms,omitempty"`
}

// maxTiming is the longest increment or delay, in milliseconds.
const maxTiming = 180000

// Check refuses a timing that is none.
func (t Timing) Check() error {
	switch t.Kind {
	case "":
		if t.Ms != 0 {
			return fmt.Errorf("timing of %d ms: it needs a kind", t.Ms)
		}
		return nil
	case Fischer, USDelay, Bronstein:
		if t.Ms < 1 || t.Ms > maxTiming {
			return fmt.Errorf("%s of %d ms: want 1 to %d", t.Kind, t.Ms, maxTiming)
		}
		return nil
	}
	return fmt.Errorf("timing %q: want %q, %q or %q", t.Kind, Fischer, USDelay, Bronstein)
}

// back is what a press gives for a move that took `used`.
func (t Timing) back(used int64) int64 {
	switch t.Kind {
	case Fischer:
		return t.Ms
	case Bronstein:
		return min(max(0, used), t.Ms)
	}
	return 0
}

// Timing sets an increment or a delay for the moves that follow.
func (c *Clock) Timing(t Timing) { c.timing = t }

// HasTiming tells whether moves get an increment or a delay.
func (c *Clock) HasTiming() bool { return c.timing.Kind != "" }

// Delay makes it a delay clock of ms a move, the one that is being made included.
func (c *Clock) Delay(ms, at int64) {
	c.settle(at)
	c.timing = Timing{Kind: USDelay, Ms: ms}
	if c.running != None || c.stopped != None {
		c.delay = ms
	}
}

// DelayLeft is what is left at `at` of the delay of the running side's move.
func (c *Clock) DelayLeft(at int64) int64 {
	if c.running == None {
		return c.delay
	}
	return max(0, c.delay-(at-c.since))
}

// Correct makes the remaining time of s what an arbiter says: with time the flag is up, without it is down.
func (c *Clock) Correct(s Side, ms, at int64) {
	c.settle(at)
	c.remaining[s] = max(0, ms)
	c.down[s] = c.remaining[s] == 0
}
