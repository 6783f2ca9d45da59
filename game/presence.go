package game

// Limits of starts, absences and games that nobody ends (D33), in milliseconds.
const (
	startAlone  = 10000  // the clock starts this long after the first player came
	startNobody = 30000  // both absent for so long before the start: void
	idleFlag    = 60000  // a fallen flag that its opponent leaves alone
	awayOnMove  = 60000  // an absence on move that may be claimed
	haltAtMost  = 30000  // a halted clock waits so long for the side on move
	outageVoid  = 180000 // an outage by the server that voids the game
	leastLeft   = 1000   // what an outage leaves the side on move at least, if he had it
)

// presence notes who has the table in front of him and starts the clock when both have.
func (d *draft) presence(c Command) {
	if c.By == None {
		return
	}
	if here := c.Kind == Arrive; here != d.here[c.By] {
		kind := Departed
		if here {
			kind = Arrived
		}
		d.emit(Event{Kind: kind, By: c.By})
	}
	if d.phase == Waiting && d.here[White] && d.here[Black] {
		d.emit(Event{Kind: Started, By: None})
	}
}

// recover goes on after the server was away: the side on move is charged at most what is known to have passed, and is
// left a second, or what he had. His clock waits for him.
func (d *draft) recover(c Command) {
	if c.Gap > outageVoid {
		d.voidFor("outage")
		return
	}
	left := [2]int64{d.clock.Remaining(White, d.at), d.clock.Remaining(Black, d.at)}
	var charged int64
	if side := d.clock.Running(); side != None && !d.clock.Down(side) {
		before := d.clock.Remaining(side, d.at-c.Elapsed)
		left[side] = max(left[side], min(before, leastLeft))
		charged = before - left[side]
	}
	if d.phase == Play || d.phase == Halted {
		d.emit(Event{Kind: Paused, By: None, Charged: charged, Gap: c.Gap, Left: left})
		return
	}
	if d.phase != Waiting { // both clocks stand for a claim or an arbiter
		d.emit(Event{Kind: Interrupted, By: None, Gap: c.Gap})
		return
	}
	for _, side := range [2]Side{White, Black} {
		if d.here[side] {
			d.emit(Event{Kind: Departed, By: side})
		}
	}
}

// away tells whether the side on move has not come back since the server was away while the clocks stood.
func (d *draft) away() bool {
	return d.interrupted && d.setup.Options.Presence && !d.here[d.turn()]
}

// goOn lets the clock run that a claim or an arbiter stopped. If the server was away meanwhile it waits for the side on
// move, as after any outage.
func (d *draft) goOn() {
	kind := Resumed
	if d.away() {
		kind = Waited
	}
	d.emit(Event{Kind: kind, By: None})
}

// tick does what is due.
func (d *draft) tick() {
	switch {
	case d.phase == Waiting:
		d.tickWaiting()
	case d.phase == Halted && d.at >= d.pausedAt+haltAtMost:
		d.emit(Event{Kind: Resumed, By: None})
	case d.phase == Disputing:
		d.tickDispute()
	case d.phase == Play && d.setup.Options.Presence:
		d.tickPlay()
	}
	if d.phase == Play && d.idleBothFlags() {
		d.end(None, "both_flags", d.rules.bothFlags)
	}
}

func (d *draft) tickWaiting() {
	if due, ok := d.startDue(); ok && d.at >= due {
		if d.here[White] || d.here[Black] {
			d.emit(Event{Kind: Started, By: None})
		} else {
			d.voidFor("absent")
		}
	}
}

func (d *draft) tickPlay() {
	if due, ok := d.firstMoveDue(); ok && d.at >= due {
		if both, fallen := d.bothFlagsDue(); !fallen || due <= both { // a late tick does first what was due first
			d.voidFor("no_first_move")
			return
		}
	}
	if due, side := d.idleFlagDue(); side != None && d.at >= due {
		claimant := side.Other()
		if d.here[claimant] {
			_ = d.judge(claimant, claimTimeCalled) // a fallen flag can always be called
		} else {
			d.end(None, "unclaimed_flag", "")
		}
	}
}

func (d *draft) idleBothFlags() bool {
	due, ok := d.bothFlagsDue()
	return ok && d.at >= due
}

// voidFor ends the game without a result.
func (d *draft) voidFor(reason Reason) {
	d.finish(Result{Score: Void, Reason: reason})
}

// Deadline is the game time at which a Tick is due, if any.
func (g *Game) Deadline() (at int64, ok bool) {
	due := func(t int64, is bool) {
		if is && (!ok || t < at) {
			at, ok = t, true
		}
	}
	switch g.phase {
	case Waiting:
		due(g.startDue())
	case Halted:
		due(g.pausedAt+haltAtMost, true)
	case Proving:
		due(g.held, g.held > 0)
	case Demonstrating:
		due(g.demo.due(), true)
	case Disputing:
		due(g.stoodAt+DisputeAtMost, true)
	case Play:
		due(g.clock.FallsAt())
		due(g.bothFlagsDue())
		if g.setup.Options.Presence {
			due(g.firstMoveDue())
			t, side := g.idleFlagDue()
			due(t, side != None)
		}
	}
	return at, ok
}

// startDue is when a game that waits is started or given up.
func (g *Game) startDue() (int64, bool) {
	switch {
	case g.here[White] && g.here[Black]:
		return 0, false
	case g.here[White]:
		return g.hereAt[White] + startAlone, true
	case g.here[Black]:
		return g.hereAt[Black] + startAlone, true
	}
	return max(g.hereAt[White], g.hereAt[Black]) + startNobody, true
}

// firstMoveDue is when the side on turn has let the time for its first move pass.
func (g *Game) firstMoveDue() (int64, bool) {
	side := g.turn()
	if g.moved[side] || g.queue.by == side || g.setup.Options.FirstMove == 0 {
		return 0, false
	}
	return g.turnAt + g.setup.Options.FirstMove, true
}

// idleFlagDue is when a single fallen flag that nobody claimed is called (D33 a), and whose flag it is.
func (g *Game) idleFlagDue() (int64, Side) {
	side := None
	switch {
	case g.clock.Down(White) && !g.clock.Down(Black):
		side = White
	case g.clock.Down(Black) && !g.clock.Down(White):
		side = Black
	default:
		return 0, None
	}
	return max(g.fellAt[side], g.actedAt[side.Other()], g.resumed) + idleFlag, side
}

// bothFlagsDue is when the server itself notices two fallen flags (D9).
func (g *Game) bothFlagsDue() (int64, bool) {
	if !g.clock.BothDown() || g.setup.Options.BothFlagsIdle == 0 {
		return 0, false
	}
	return max(g.fellAt[White], g.fellAt[Black]) + g.setup.Options.BothFlagsIdle, true
}

// abandoned tells whether the opponent of `by` has been away for a minute on move (D33 c).
func (g *Game) abandoned(by Side, at int64) bool {
	other := by.Other()
	return g.setup.Options.Abandonment && g.setup.Options.Presence &&
		g.moved[White] && g.moved[Black] &&
		g.phase == Play && g.turn() == other && !g.here[other] &&
		at-max(g.hereAt[other], g.turnAt, g.resumed) >= awayOnMove
}
