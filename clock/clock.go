// Package clock is a chess clock as a pure value: two budgets of milliseconds, two flags that stay down, and a bounded
// credit for the network's delay. It reads no time; every call brings the game time `at`, in milliseconds, and times
// never run backwards.
package clock

// Side is one side of the clock.
type Side uint8

// The sides. None means that both sides stand.
const (
	White Side = iota
	Black
	None
)

// Other is the opponent's side; None has none.
func (s Side) Other() Side {
	if s == None {
		return None
	}
	return 1 - s
}

// Lag says how much of the network's delay is given back at a press, in milliseconds. The zero value gives nothing.
type Lag struct {
	Start   int64 // what each side's quota holds at first
	Gain    int64 // what each press adds to the presser's quota
	Most    int64 // what a quota holds at most
	PerMove int64 // what one press is given at most
}

// LagFor is the credit of a game with `base` milliseconds a side: a tenth of a second for each minute of base time at
// every press, one second at first, three at most, half a second for a move. All of it is in proportion for short games.
func LagFor(base int64) Lag {
	return Lag{
		Start:   min(1000, base/60),
		Gain:    min(500, base/600),
		Most:    min(3000, base/20),
		PerMove: min(500, base/60),
	}
}

// Clock is the state of both sides. The zero value has no time; use New.
type Clock struct {
	remaining [2]int64 // at `since`; below zero only while credit may still save the move
	down      [2]bool
	quota     [2]int64
	rtt       [2]int64 // round trip measured at the side's last command
	running   Side
	since     int64 // game time of `remaining` of the running side
	spent     int64 // time that ran for the running side until `since`, from when its clock was set going
	before    int64 // time that ran in its move before a stop
	stopped   Side  // whose move a stop interrupted, or None
	lag       Lag
	timing    Timing
	delay     int64 // of the running side's move, not yet used
}

// New is a standing clock with the given budgets.
func New(white, black int64, lag Lag) Clock {
	return Clock{
		remaining: [2]int64{max(0, white), max(0, black)},
		quota:     [2]int64{lag.Start, lag.Start},
		running:   None,
		stopped:   None,
		lag:       lag,
	}
}

// Running is the side whose time runs, or None.
func (c *Clock) Running() Side { return c.running }

// Down tells whether the flag of s is down.
func (c *Clock) Down(s Side) bool { return c.down[s] }

// BothDown tells whether both flags are down.
func (c *Clock) BothDown() bool { return c.down[White] && c.down[Black] }

// Quota is the credit that s still holds, in milliseconds.
func (c *Clock) Quota(s Side) int64 { return c.quota[s] }

// Remaining is what the display of s shows at `at`: never below zero, zero once the flag is down.
func (c *Clock) Remaining(s Side, at int64) int64 {
	if c.down[s] {
		return 0
	}
	return max(0, c.left(s, at))
}

func (c *Clock) left(s Side, at int64) int64 {
	if s == c.running && !c.down[s] {
		return c.remaining[s] - c.ran(at)
	}
	return c.remaining[s]
}

// ran is the time that has run for the running side since `since`: none within a delay.
func (c *Clock) ran(at int64) int64 { return max(0, at-c.since-c.delay) }

// credit is what a press at `at` over a connection with round trip rtt would be given: never more than what
// has run since the clock was set going. Nothing is given for a flag that is down.
func (c *Clock) credit(s Side, at, rtt int64) int64 {
	if c.down[s] {
		return 0
	}
	return max(0, min(rtt, c.rtt[s], c.quota[s], c.lag.PerMove, c.spent+c.ran(at)))
}

// grace is the most that a press of s may still be given in this move.
func (c *Clock) grace(s Side) int64 {
	return max(0, min(c.rtt[s], c.quota[s], c.lag.PerMove))
}

// FallsAt is the game time at which the running side's flag falls: when its time and the credit it could still be
// given are used up. ok is false when no flag is going to fall.
func (c *Clock) FallsAt() (at int64, ok bool) {
	if c.running == None || c.down[c.running] {
		return 0, false
	}
	return c.since + c.delay + c.remaining[c.running] + c.grace(c.running), true
}

// Due is the side whose flag has fallen by `at` and is not yet marked down, or None.
func (c *Clock) Due(at int64) Side {
	if falls, ok := c.FallsAt(); ok && at >= falls {
		return c.running
	}
	return None
}

// DueAtPress is Due for a press over a connection with round trip rtt: a press that its credit does not save comes
// after the fall.
func (c *Clock) DueAtPress(at, rtt int64) Side {
	s := c.running
	if s == None || c.down[s] {
		return None
	}
	if c.left(s, at)+c.credit(s, at, rtt) <= 0 {
		return s
	}
	return None
}

// Fall marks the flag of s as down; it stays down until time is added.
func (c *Clock) Fall(s Side, at int64) {
	c.settle(at)
	c.down[s] = true
	c.remaining[s] = 0
}

// Bill is what a press of the running side at `at` costs: the milliseconds charged since its clock was set going, after
// a delay, and the credit given back, at most the round trip, the quota and the time that really ran.
func (c *Clock) Bill(at, rtt int64) (charged, credit int64) {
	s := c.running
	if s == None {
		return 0, 0
	}
	credit = c.credit(s, at, rtt)
	return c.spent + c.ran(at) - credit, credit
}

// Press stops the running side with the credit that Bill found and starts the other.
func (c *Clock) Press(at, credit int64) {
	s := c.running
	if s == None {
		return
	}
	c.settle(at)
	c.quota[s] = min(c.quota[s]-credit+c.lag.Gain, c.lag.Most)
	if !c.down[s] {
		c.remaining[s] = max(0, c.remaining[s]+credit) + c.timing.back(c.before+c.spent-credit)
	}
	c.Start(s.Other(), at)
}

// RoundTrip is what Measured noted last for s.
func (c *Clock) RoundTrip(s Side) int64 { return c.rtt[s] }

// Measured notes the round trip of the connection that sent the last command of s.
func (c *Clock) Measured(s Side, rtt int64) { c.rtt[s] = max(0, rtt) }

// Start lets the time of s run from `at`, for a new move.
func (c *Clock) Start(s Side, at int64) {
	c.running, c.since, c.spent = s, at, 0
	c.before, c.stopped, c.delay = 0, None, 0
	if c.timing.Kind == USDelay {
		c.delay = c.timing.Ms
	}
}

// Stop stands both sides. The running side is charged up to `at`.
func (c *Clock) Stop(at int64) {
	c.settle(at)
	if s := c.running; s != None {
		c.remaining[s] = max(0, c.remaining[s])
		c.before, c.spent, c.stopped = c.before+c.spent, 0, s
	}
	c.running = None
}

// Resume lets the time of s run again. Where a stop interrupted its move that goes on, with what was left of its delay.
func (c *Clock) Resume(s Side, at int64) {
	if s != c.stopped {
		c.Start(s, at)
		return
	}
	c.running, c.since, c.stopped = s, at, None
}

// Add gives s time; a fallen flag goes up again. What a side owes that lives on credit is not forgiven.
func (c *Clock) Add(s Side, ms, at int64) {
	c.settle(at)
	c.remaining[s] += ms
	c.down[s] = false
}

// Deduct takes time from s, never below zero; at zero the flag is down.
func (c *Clock) Deduct(s Side, ms, at int64) {
	c.settle(at)
	c.remaining[s] = max(0, c.remaining[s]-ms)
	if c.remaining[s] == 0 {
		c.down[s] = true
	}
}

// Set makes the remaining time of s what an event recorded.
func (c *Clock) Set(s Side, ms, at int64) {
	c.settle(at)
	c.remaining[s] = max(0, ms)
}

// settle charges the running side up to `at` without ending its move.
func (c *Clock) settle(at int64) {
	if s := c.running; s != None {
		c.remaining[s] = c.left(s, at)
		c.spent += c.ran(at)
		c.delay = max(0, c.delay-(at-c.since))
		c.since = at
	}
}
