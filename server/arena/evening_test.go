package arena

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"flagfall/game"
	"flagfall/server/actor"
)

// evening is an arena with players who think, leave, hide their pages, pause, come back and come late, on a server that
// dies now and then.
type evening struct {
	*event
	rng      *rand.Rand
	ends     map[string]int64 // game -> actor time
	tables   map[string]*fakeTable
	base     *Event // a snapshot, and how many events it stands for
	baseSize int
	late     int
}

func newEvening(t *testing.T, n int, seed uint64, set Settings) *evening {
	v := &evening{event: open(t, set), rng: rand.New(rand.NewPCG(seed, uint64(n))), ends: map[string]int64{},
		tables: map[string]*fakeTable{}}
	v.do(Roster{By: "o", Lines: threeLines})
	for i := range n {
		v.come(i)
	}
	v.start()
	return v
}

func (v *evening) come(i int) {
	id := fmt.Sprintf("p%03d", i)
	v.do(Enter{By: id, Player: account(id), Rating: 1000 + v.rng.IntN(1400)})
	v.do(Presence{Who: id, Here: true})
}

func (v *evening) chance(n int) bool { return v.rng.IntN(n) == 0 }

// play lets the evening happen, in steps of half a second.
func (v *evening) play() {
	for v.m.Phase < Provisional {
		v.pass(500)
		v.carryOut()
		v.endGames()
		v.people()
		v.arbiter()
		v.told()
		if v.chance(1200) {
			v.restart()
		}
		if v.chance(900) {
			v.snap()
		}
	}
}

func (v *evening) carryOut() {
	for _, f := range v.m.Effects() {
		ack := actor.Acked{Effect: f.ID}
		switch do := f.Do.(type) {
		case RuleGame:
			v.ruled(do)
			continue
		case OpenGame:
			switch {
			case v.chance(60):
				ack.Err = &Busy{Who: []string{[]string{do.Setup.White.ID, do.Setup.Black.ID}[v.rng.IntN(2)]}}
			case v.chance(200):
				ack.Err = errors.New("no table")
			default:
				v.ends[do.Game] = v.at + 15000 + v.rng.Int64N(220000)
				v.tables[do.Game] = &fakeTable{duty: do.Setup.Options.OnDuty, done: map[string]error{}}
			}
		case StopGame:
			v.ends[do.Game] = v.at
		}
		v.do(ack)
	}
}

func (v *evening) endGames() {
	for _, g := range v.m.live() {
		end, known := v.ends[g.ID]
		if !known || end > v.at || v.tables[g.ID].stands(v.at) && !g.Stopping {
			continue
		}
		out := Outcome{Score: []game.Score{game.WhiteWins, game.BlackWins, game.Draw}[v.rng.IntN(3)], Reason: "checkmate"}
		switch {
		case g.Stopping && v.chance(2):
			out = Outcome{Score: game.Void, Reason: "annulled"}
		case v.tables[g.ID].result != nil:
			out = *v.tables[g.ID].result
		case v.chance(40):
			out = Outcome{Score: game.Void, Reason: "absent"}
			out.NoShow[v.rng.IntN(2)] = true
		}
		v.do(Finished{Game: g.ID, Outcome: out, Ago: v.at - max(end, g.At+v.m.gapless(), v.at-400)})
	}
}

// gapless turns civil into actor time.
func (s *State) gapless() int64 { return -s.Origin }

func (v *evening) people() {
	if v.m.Phase != Running {
		return
	}
	if v.chance(400) && v.late < 3 {
		v.late++
		v.come(900 + v.late)
	}
	for _, e := range v.m.Entries {
		switch {
		case e.Line:
		case !e.Here && v.chance(20):
			v.do(Presence{Who: e.ID, Here: true})
		case e.Here && v.chance(700):
			v.do(Presence{Who: e.ID, Here: false})
		case e.Status == In && v.chance(3000):
			v.do(Pause{By: e.ID, Who: e.ID})
		case e.Status == In && v.chance(4000):
			v.do(Withdraw{By: e.ID, Who: e.ID})
		case (e.Status == Paused || e.Status == Withdrawn) && v.chance(60):
			v.do(Return{By: e.ID, Who: e.ID})
		case e.Game == "" && v.chance(15):
			v.do(Ready{By: e.ID, Who: e.ID})
		}
	}
}

// restart is a kill: only the journal is left.
func (v *evening) restart() {
	v.m, v.twin = newMachine(), newMachine()
	from := 0
	if v.base != nil {
		from = v.baseSize
		v.m.Apply(*v.base)
		v.twin.Apply(*v.base)
	}
	for _, e := range v.log[from:] {
		v.m.Apply(e)
		v.twin.Apply(e)
	}
	v.do(actor.Recovered{Elapsed: 200, Gap: v.rng.Int64N(20000)})
}

func (v *evening) snap() {
	text, err := Encode(nil, v.m.snapshot())
	if err != nil {
		v.t.Fatal(err)
	}
	back, err := Decode(text)
	if err != nil {
		v.t.Fatal(err)
	}
	e := back.(Event)
	v.base, v.baseSize = &e, len(v.log)
}

func TestEvenings(t *testing.T) {
	seen := map[string]int{}
	for _, n := range []int{3, 4, 5, 7, 15, 60, 400} {
		for _, two := range []bool{false, true} {
			for seed := range uint64(4) {
				set := Defaults(Arena)
				set.Duration, set.Two, set.Bell = 30*minute, two, []AtBell{PlayOn, Stop}[seed%2]
				t.Run(fmt.Sprintf("%d players, two %v, seed %d", n, two, seed), func(t *testing.T) {
					if n == 400 && (testing.Short() || two || seed > 0) {
						t.Skip("a large evening is played once")
					}
					v := newEvening(t, n, seed, set)
					v.play()
					v.same()
					a := audit(t, set, v.log)
					a.table(v.m.Standings())
					if a.games < n {
						t.Errorf("only %d games were played", a.games)
					}
					v.tally(seen)
				})
			}
		}
	}
	for _, what := range []string{"again", "renewed", "failed", string(Claimed), string(DeskSeen), string(Gap), string(Waits), string(Skipped)} {
		if seen[what] < 3 {
			t.Errorf("the evenings have seen %s only %d times", what, seen[what])
		}
	}
}

// person is what the audit knows of somebody from the events.
type person struct {
	status       Status
	here         bool
	since, freed int64
	game, last   string
	colors       string
	out, points  int
	rating       int
	leg          bool
}

// auditor checks the bounds of the pairing from an event's journal alone.
type auditor struct {
	t        *testing.T
	set      Settings
	people   map[string]*person
	running  map[string]Game
	ended    map[string]Game
	seen     map[string]bool
	bell     int64
	lastPass int64
	phase    Phase
	games    int
	replay   map[string]bool // games that are played again once they are annulled
	frozen   bool
}

func audit(t *testing.T, set Settings, log []Event) *auditor {
	t.Helper()
	a := &auditor{t: t, set: set, people: map[string]*person{}, running: map[string]Game{}, ended: map[string]Game{},
		replay: map[string]bool{}, seen: map[string]bool{}}
	for _, e := range log {
		a.patience(e)
		a.take(e)
	}
	if len(a.running) > 0 {
		t.Errorf("%d games never ended", len(a.running))
	}
	return a
}

func (a *auditor) take(e Event) {
	switch e.Kind {
	case Phased:
		a.phase, a.bell = e.Phase, max(a.bell, e.Bell)
		if e.Phase == Running {
			for _, p := range a.people {
				p.since = e.At
			}
		}
	case Froze:
		a.frozen = e.Held
		for _, p := range a.people {
			p.freed = max(p.freed, e.At)
		}
	case RuledOn:
		a.replay[e.Game] = a.replay[e.Game] || e.Change
	case Entered, Claimed:
		a.people[e.Entry.ID] = &person{status: e.Entry.Status, rating: e.Entry.Rating, since: e.At}
	case Judged:
		p := a.people[e.Who]
		p.status = e.Status
		if e.Status == In {
			p.since = max(p.since, e.At)
		}
	case Seen:
		p := a.people[e.Who]
		p.here = e.Here
		if e.Here {
			p.since = max(p.since, e.At)
		}
	case WasReady:
		a.people[e.Who].since = e.At
	case Gap:
		for _, p := range a.people {
			p.here = false
		}
	case Paired:
		a.paired(e)
	case Unseated:
		g := a.running[e.Game]
		delete(a.running, e.Game)
		for _, p := range [2]*person{a.people[g.White], a.people[g.Black]} {
			p.game, p.freed = "", e.At
		}
		for _, id := range e.Left {
			a.people[id].here = false
		}
	case Skipped:
		g := a.ended[e.Game]
		for _, p := range [2]*person{a.people[g.White], a.people[g.Black]} {
			p.leg, p.freed = false, e.At
		}
	case Ended:
		a.end(e)
	}
}

// patience: while games are paired, no two wait longer than the stated wait and a few seconds.
func (a *auditor) patience(e Event) {
	if a.phase != Running || e.Kind == Gap || e.At >= a.bell-a.set.LastPair || a.frozen {
		return
	}
	long := 0
	for _, p := range a.people {
		if p.free() && e.At-max(p.since, p.freed) > max(a.set.RepeatWait, a.set.ColorWait)+2000 {
			long++
		}
	}
	if long > 1 {
		a.t.Fatalf("%d players wait at %d", long, e.At-dawn)
	}
}

func (p *person) free() bool { return p.status == In && p.here && p.game == "" && !p.leg }

func (a *auditor) paired(e Event) {
	if len(e.Games) > 0 && a.frozen {
		a.t.Fatalf("paired at %d, and all boards stand", e.At-dawn)
	}
	if len(e.Games) > 0 && (a.phase != Running || e.At >= a.bell-a.set.LastPair) {
		a.t.Fatalf("paired at %d, in %s, the bell is at %d", e.At-dawn, a.phase, a.bell-dawn)
	}
	if e.Pass {
		if e.At < a.lastPass+1000 {
			a.t.Fatalf("passes at %d and %d", a.lastPass-dawn, e.At-dawn)
		}
		a.lastPass = e.At
		if e.At < a.bell-a.set.LastPair {
			a.best(e)
		}
	}
	for _, g := range e.Games {
		white, black := a.people[g.White], a.people[g.Black]
		if a.seen[g.ID] || g.White == g.Black || white.game != "" || black.game != "" {
			a.t.Fatalf("%+v: somebody sits twice, or the id is old", g)
		}
		a.seen[g.ID] = true
		if white.status != In || black.status != In || !white.here || !black.here || e.At < max(white.since, black.since) {
			a.t.Fatalf("%+v: %+v or %+v is not there, or rests", g, white, black)
		}
		if old, again := annulledOf(g.ID); again {
			was := a.ended[old]
			if !a.replay[old] || was.White != g.White || was.Black != g.Black || was.Leg != g.Leg || !white.leg || !black.leg {
				a.t.Fatalf("%+v is not %+v again", g, was)
			}
			white.leg, black.leg = false, false
		} else if g.Leg == 2 {
			if white.last != g.Black || white.colors[len(white.colors)-1] != 'b' || !white.leg || !black.leg {
				a.t.Fatalf("%+v is no second game", g)
			}
			white.leg, black.leg = false, false
		} else {
			a.bounds(g, white, black, e.At)
		}
		white.game, black.game = g.ID, g.ID
		a.running[g.ID] = g
	}
	for _, id := range e.Left {
		if len(e.Games) > 0 {
			a.people[id].out++
		}
	}
}

// bounds: what gave way is flagged, only after the wait, and nothing else does.
func (a *auditor) bounds(g Game, white, black *person, at int64) {
	waited := at - max(white.since, black.since)
	if repeat := white.last == g.Black || black.last == g.White; repeat != g.Repeat || repeat && waited < a.set.RepeatWait {
		a.t.Fatalf("%+v after %d ms: %+v, %+v", g, waited, white, black)
	}
	if a.set.Two {
		return
	}
	over := func(colors string, c byte) bool {
		w, row := 0, 0
		for i := range len(colors) {
			if colors[i] == 'w' {
				w++
			}
			if row++; i > 0 && colors[i] != colors[i-1] {
				row = 1
			}
		}
		if c == 'b' {
			w = len(colors) - w
		}
		return 2*w-len(colors) > 2 || row > 3
	}
	broken := over(white.colors+"w", 'w') || over(black.colors+"b", 'b')
	if broken != g.Color || broken && waited < a.set.ColorWait {
		a.t.Fatalf("%+v after %d ms: %+v, %+v", g, waited, white, black)
	}
	reverse := over(black.colors+"w", 'w') || over(white.colors+"b", 'b')
	if difference(white.colors) > difference(black.colors) && !reverse {
		a.t.Fatalf("%+v: White has %q, Black %q", g, white.colors, black.colors)
	}
}

// best compares the pass of a small room with all others that were possible.
func (a *auditor) best(e Event) {
	if len(e.Games)*2+len(e.Left) > 8 || a.set.Two {
		return
	}
	var room []candidate
	var pairs []couple
	add := func(id string) {
		p := a.people[id]
		room = append(room, candidate{id: id, score: p.points, rating: p.rating, since: p.since, out: p.out, last: p.last, colors: p.colors})
	}
	for _, g := range e.Games {
		add(g.White)
		add(g.Black)
		pairs = append(pairs, couple{white: g.White, black: g.Black, repeat: g.Repeat, color: g.Color})
	}
	for _, id := range e.Left {
		add(id)
	}
	for id, p := range a.people {
		if p.free() && p.since <= e.At && !slices.ContainsFunc(room, func(c candidate) bool { return c.id == id }) {
			a.t.Fatalf("%s waits and was forgotten at %d", id, e.At-dawn)
		}
	}
	rules := pairRules{repeatWait: a.set.RepeatWait, colorWait: a.set.ColorWait}
	if got, want := weigh(a.t, room, pairs, rules, e.At), bestOf(room, rules, e.At); want.less(got) {
		a.t.Fatalf("%+v in %+v costs %+v, the best %+v", pairs, room, got, want)
	}
}

func (a *auditor) end(e Event) {
	g, known := a.running[e.Game]
	if !known {
		a.t.Fatalf("%s ended and did not run", e.Game)
	}
	delete(a.running, e.Game)
	a.ended[e.Game] = g
	score := e.Outcome.Score
	white, black := a.people[g.White], a.people[g.Black]
	noShow := e.Outcome.NoShow != [2]bool{}
	if noShow && score != game.Void {
		a.t.Fatalf("%+v gives points", e)
	}
	for i, p := range []*person{white, black} {
		p.game, p.since = "", e.At+a.set.Rest
		if noShow {
			p.since = e.At
		}
		if e.Outcome.NoShow[i] && p.status == In {
			p.status = Paused
		}
		if score != game.Void {
			p.colors += "wb"[i : i+1]
			p.last = [2]string{g.Black, g.White}[i]
		}
	}
	if (g.Leg == 1 && score != game.Void || a.replay[g.ID] && score == game.Void && !noShow) && a.phase == Running {
		white.leg, black.leg = true, true
	}
	if late := a.set.Bell == Stop && e.Time >= a.bell; late != (e.Change || late && score == game.Void) {
		a.t.Fatalf("%+v: the bell was at %d", e, a.bell-dawn)
	} else if late {
		return
	}
	if score != game.Void {
		a.games++
	}
	switch score {
	case game.WhiteWins:
		white.points += 2
	case game.BlackWins:
		black.points += 2
	case game.Draw:
		white.points++
		black.points++
	}
}

// table holds the final table against the audit's own count.
func (a *auditor) table(rows []Row) {
	for i, r := range rows {
		if p := a.people[r.ID]; p.points != r.Points {
			a.t.Errorf("%s has %d half points, the journal gives %d", r.ID, r.Points, p.points)
		}
		if i > 0 && (r.Points > rows[i-1].Points || r.Place < rows[i-1].Place) {
			a.t.Errorf("%+v stands behind %+v", r, rows[i-1])
		}
	}
}
