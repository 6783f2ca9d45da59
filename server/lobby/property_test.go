package lobby

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"testing"

	"pgregory.net/rapid"

	"flagfall/game"
	"flagfall/server/actor"
)

// crowd is six people, the lobby's two machines, and the world that carries out their effects in any order.
type crowd struct {
	t        *rapid.T
	pools    *pools
	seats    *seats
	at       int64
	serial   int
	tables   map[string]game.Setup // set up and not over
	finished []string
	setups   map[string]game.Setup
	invites  []string
	seeks    []string
	ranks    map[string]float64
	blocks   map[[2]string]bool // who blocks whom
	new      map[string]bool    // matches that were looked at
}

var letters = []string{"A", "B", "C", "D", "E", "F"}

func newCrowd(t *rapid.T) *crowd {
	c := &crowd{t: t, pools: newPools(ID).(*pools), seats: newSeats(SeatsID).(*seats),
		tables: map[string]game.Setup{}, setups: map[string]game.Setup{}, ranks: map[string]float64{}, blocks: map[[2]string]bool{}, new: map[string]bool{}}
	for _, letter := range letters {
		c.ranks[who(letter).ID] = float64(rapid.SampledFrom([]int{1200, 1490, 1500, 1900}).Draw(t, "rating"))
	}
	c.give(c.seats, start{})
	c.give(c.pools, start{})
	return c
}

// give decides a command and applies what follows; a refusal changes nothing.
func (c *crowd) give(m actor.Machine, cmd any) error {
	events, err := m.Decide(cmd, c.at)
	for _, e := range events {
		if m == actor.Machine(c.seats) { // the journal keeps them as text
			text, bad := encodeSeat(nil, e)
			if bad == nil {
				e, bad = decodeSeat(text)
			}
			if bad != nil {
				c.t.Fatal(bad)
			}
		}
		m.Apply(e)
	}
	return err
}

func (c *crowd) id(prefix string) string {
	c.serial++
	return fmt.Sprintf("%s%d", prefix, c.serial)
}

func (c *crowd) who(t *rapid.T) game.Player { return who(rapid.SampledFrom(letters).Draw(t, "who")) }

func (c *crowd) connect(t *rapid.T) {
	who := c.who(t)
	c.give(c.pools, connect{Who: who})
	c.learn(who.ID)
}

// learn tells the pools what is kept of somebody.
func (c *crowd) learn(who string) { c.give(c.pools, learn{Who: who, card: c.card(who)}) }

func (c *crowd) card(who string) card {
	known := card{Ranks: map[string]float64{"wbca": c.ranks[who]}, Avoid: map[string]bool{}}
	for pair := range c.blocks {
		if pair[0] == who || pair[1] == who {
			known.Avoid[pair[0]], known.Avoid[pair[1]] = true, true
		}
	}
	delete(known.Avoid, who)
	return known
}

// block keeps or takes back a block, and tells the pools; sometimes an older card is told after it.
func (c *crowd) block(t *rapid.T) {
	one, other := c.who(t).ID, c.who(t).ID
	if one == other {
		return // nobody blocks himself
	}
	if rapid.IntRange(0, 2).Draw(t, "on") > 0 {
		delete(c.blocks, [2]string{one, other})
		c.give(c.pools, wantBlock{Who: one, Other: other, On: c.blocks[[2]string{other, one}]})
		return
	}
	older := c.card(one)
	c.blocks[[2]string{one, other}] = true
	c.give(c.pools, wantBlock{Who: one, Other: other, On: true})
	if rapid.Bool().Draw(t, "late") {
		c.give(c.pools, learn{Who: one, card: older})
	}
}

func (c *crowd) apart(one, other string) bool {
	return c.blocks[[2]string{one, other}] || c.blocks[[2]string{other, one}]
}

func (c *crowd) disconnect(t *rapid.T) { c.give(c.pools, disconnect{Who: c.who(t).ID}) }
func (c *crowd) cancel(t *rapid.T)     { c.give(c.pools, cancel{Who: c.who(t).ID}) }

func (c *crowd) seek(t *rapid.T) {
	base := rapid.SampledFrom([]int64{180000, 300000}).Draw(t, "base")
	terms := fast(base)
	terms.RuleSet = rapid.SampledFrom([]string{"wbca", "fide"}).Draw(t, "rules")
	s := seek{ID: c.id("s"), Who: c.who(t), Terms: terms, Game: c.id("g"), Coin: rapid.Bool().Draw(t, "coin")}
	if rapid.IntRange(0, 4).Draw(t, "ranged") == 0 {
		s.Min, s.Max = int64(rapid.IntRange(0, 2000).Draw(t, "min")), 2000
	}
	c.give(c.pools, wantSeek{s})
	c.seeks = append(c.seeks, s.ID)
}

func (c *crowd) take(t *rapid.T) {
	if len(c.seeks) == 0 {
		return // nobody ever sought
	}
	id := rapid.SampledFrom(c.seeks).Draw(t, "seek")
	c.give(c.pools, wantTake{Seek: id, Who: c.who(t), Game: c.id("g"), Coin: rapid.Bool().Draw(t, "coin")})
}

func (c *crowd) challenge(t *rapid.T) {
	id := c.id("i")
	c.give(c.pools, wantInvite{invite{ID: id, By: c.who(t), To: c.who(t), Terms: fast(300000), Color: "random"}})
	c.invites = append(c.invites, id)
}

func (c *crowd) decline(t *rapid.T) {
	if len(c.invites) == 0 {
		return // no invitation was ever made
	}
	c.give(c.pools, wantDecline{Invite: rapid.SampledFrom(c.invites).Draw(t, "invite"), Who: c.who(t).ID})
}

func (c *crowd) invite(t *rapid.T) {
	id := c.id("i")
	color := rapid.SampledFrom([]string{"white", "black", "random"}).Draw(t, "color")
	c.give(c.pools, wantInvite{invite{ID: id, By: c.who(t), Terms: fast(300000), Color: color}})
	c.invites = append(c.invites, id)
}

func (c *crowd) accept(t *rapid.T) {
	if len(c.invites) == 0 {
		return // no invitation was ever made
	}
	id := rapid.SampledFrom(c.invites).Draw(t, "invite")
	c.give(c.pools, wantAccept{Invite: id, Who: c.who(t), Game: c.id("g"), Coin: rapid.Bool().Draw(t, "coin")})
}

func (c *crowd) rematch(t *rapid.T) {
	if len(c.finished) == 0 {
		return // no game is over
	}
	old := rapid.SampledFrom(c.finished).Draw(t, "game")
	setup := c.setups[old]
	by, person := game.White, setup.White.ID
	if rapid.Bool().Draw(t, "black") {
		by, person = game.Black, setup.Black.ID
	}
	c.give(c.pools, wantRematch{rematch: rematch{old, setup, by}, Who: person, NewGame: c.id("g")})
}

// elsewhere is a game that the pools know nothing of: an arena's, an arbiter's.
func (c *crowd) elsewhere(t *rapid.T) {
	c.give(c.seats, sit{Game: c.id("e"), Setup: game.NewSetup(c.who(t), c.who(t), 300000, game.Fast)})
}

func (c *crowd) draw(t *rapid.T, m actor.Machine) (actor.Effect, bool) {
	effects := m.Effects()
	if len(effects) == 0 {
		return actor.Effect{}, false
	}
	sort.Slice(effects, func(i, j int) bool { return effects[i].ID < effects[j].ID })
	return effects[rapid.IntRange(0, len(effects)-1).Draw(t, "effect")], true
}

// seatOne carries out one request for seats; twice is once.
func (c *crowd) seatOne(t *rapid.T) {
	e, ok := c.draw(t, c.pools)
	if !ok {
		return // nobody is paired
	}
	m := e.Do.(match)
	var cause error
	for range rapid.IntRange(1, 2).Draw(t, "tries") {
		cause = c.give(c.seats, sit{Game: m.Game, Setup: m.Setup})
	}
	if cause != nil {
		cause = &unseated{cause: cause, next: c.id("g"), coin: rapid.Bool().Draw(t, "coin")}
	}
	c.give(c.pools, actor.Acked{Effect: e.ID, Err: cause})
	c.ring(t, c.at)
}

// openOne sets up one table, or cannot.
func (c *crowd) openOne(t *rapid.T) {
	e, ok := c.draw(t, c.seats)
	if !ok {
		return // no table is wanted
	}
	s := e.Do.(seating)
	if _, stands := c.tables[s.Game]; !stands && rapid.IntRange(0, 9).Draw(t, "luck") == 0 {
		c.give(c.seats, actor.Acked{Effect: e.ID, Err: errors.New("no table")})
		return
	}
	c.tables[s.Game], c.setups[s.Game] = s.Setup, s.Setup
	if rapid.Bool().Draw(t, "acknowledged") {
		c.give(c.seats, actor.Acked{Effect: e.ID})
	}
}

// finish ends one game and lets its players stand up.
func (c *crowd) finish(t *rapid.T) {
	var running []string
	for id := range c.tables {
		running = append(running, id)
	}
	if len(running) == 0 {
		return // nobody plays
	}
	slices.Sort(running)
	id := rapid.SampledFrom(running).Draw(t, "game")
	delete(c.tables, id)
	c.finished = append(c.finished, id)
	c.give(c.seats, free{Game: id})
	c.give(c.seats, free{Game: id})
}

func (c *crowd) wait(t *rapid.T) {
	c.ring(t, c.at+rapid.SampledFrom([]int64{1, 500, 2000, 2 * away, 12 * 60_000}).Draw(t, "ms"))
}

// ring lets the time pass until then.
func (c *crowd) ring(t *rapid.T, until int64) {
	for ticks := 0; ; ticks++ {
		due, ok := c.pools.Deadline()
		if !ok || due > until {
			break
		}
		if ticks > 10_000 {
			t.Fatalf("the clock stands at %d", c.at)
		}
		c.at = max(c.at, due)
		c.give(c.pools, actor.Tick{})
	}
	c.at = until
}

// restart loses the pools and keeps the seats, by their snapshot.
func (c *crowd) restart(t *rapid.T) {
	if rapid.IntRange(0, 4).Draw(t, "luck") != 0 {
		return // the server stays
	}
	text, err := encodeSeat(nil, c.seats.snapshot())
	if err != nil {
		t.Fatal(err)
	}
	snap, err := decodeSeat(text)
	if err != nil {
		t.Fatal(err)
	}
	c.seats, c.pools = newSeats(SeatsID).(*seats), newPools(ID).(*pools)
	c.seats.Apply(snap)
	c.give(c.pools, start{})
}

// check holds what must be true after every step.
func (c *crowd) check(t *rapid.T) {
	sits := map[string]string{}
	for id, g := range c.seats.games {
		for _, p := range []game.Player{g.Setup.White, g.Setup.Black} {
			if at, twice := sits[p.ID]; twice {
				t.Fatalf("%s sits at %s and at %s", p.Name, at, id)
			}
			sits[p.ID] = id
		}
	}
	if fmt.Sprint(sits) != fmt.Sprint(c.seats.at) {
		t.Fatalf("seats %v, games %v", c.seats.at, sits)
	}
	for id, s := range c.tables {
		if sits[s.White.ID] != id || sits[s.Black.ID] != id {
			t.Fatalf("a table %s without its players: %v", id, sits)
		}
	}
	c.checkPools(t)
}

func (c *crowd) checkPools(t *rapid.T) {
	engaged := map[string]string{}
	for id, m := range c.pools.matches {
		for _, p := range []game.Player{m.Setup.White, m.Setup.Black} {
			if other, twice := engaged[p.ID]; twice {
				t.Fatalf("%s is paired for %s and for %s", p.Name, other, id)
			}
			engaged[p.ID] = id
		}
	}
	offers := func(who string) {
		if c.pools.people[who] == nil || engaged[who] != "" {
			t.Fatalf("%s offers something, here: %v, paired for %q", who, c.pools.people[who] != nil, engaged[who])
		}
	}
	seekers := map[string]bool{}
	for _, s := range c.pools.seeks {
		offers(s.Who.ID)
		if seekers[s.Who.ID] || s.Since > c.at {
			t.Fatalf("seeks %v", c.pools.seeks)
		}
		seekers[s.Who.ID] = true
		for _, o := range c.pools.seeks {
			if due, ok := c.pools.Deadline(); o.Terms == s.Terms && o.ID != s.ID && pooled(s.Terms) && c.at < s.Since+20_000 && (!ok || due > c.at+1000) {
				t.Fatalf("%s and %s wait for the same at %d, and the next pass is at %d", s.Who.Name, o.Who.Name, c.at, due)
			}
		}
	}
	for _, m := range c.pools.matches {
		if c.new[m.Game] {
			continue
		}
		c.new[m.Game] = true
		if c.apart(m.Setup.White.ID, m.Setup.Black.ID) {
			t.Fatalf("%s and %s are paired", m.Setup.White.Name, m.Setup.Black.Name)
		}
	}
	inviters := map[string]bool{}
	for _, i := range c.pools.invites {
		offers(i.By.ID)
		if inviters[i.By.ID] || i.To.ID != "" && (i.To.ID == i.By.ID || c.apart(i.By.ID, i.To.ID) || c.at > i.At+10*60_000) {
			t.Fatalf("invitations of %s: %+v at %d", i.By.Name, i, c.at)
		}
		inviters[i.By.ID] = true
	}
	for _, r := range c.pools.rematches {
		offers(r.asker())
	}
	for _, id := range c.pools.leaving {
		if p := c.pools.people[id]; p == nil || p.sockets != 0 {
			t.Fatalf("%s leaves: %+v", id, p)
		}
	}
}

// Whatever six people do, nobody sits at two tables or plays himself, and when all is over everybody is free.
func TestNobodyAtTwoTables(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := newCrowd(t)
		for _, letter := range letters {
			c.give(c.pools, connect{Who: who(letter)})
			c.learn(who(letter).ID)
		}
		t.Repeat(map[string]func(*rapid.T){
			"": c.check, "connect": c.connect, "disconnect": c.disconnect, "cancel": c.cancel, "seek": c.seek, "seek again": c.seek,
			"take": c.take, "challenge": c.challenge, "decline": c.decline, "block": c.block,
			"invite": c.invite, "accept": c.accept, "rematch": c.rematch, "elsewhere": c.elsewhere, "seat": c.seatOne,
			"open": c.openOne, "finish": c.finish, "wait": c.wait, "restart": c.restart,
		})
		for steps := 0; len(c.pools.Effects())+len(c.seats.Effects())+len(c.tables) > 0; steps++ {
			if steps == 1000 {
				t.Fatal("it never ends")
			}
			switch {
			case len(c.pools.Effects()) > 0:
				c.seatOne(t)
			case len(c.seats.Effects()) > 0:
				c.openOne(t)
			default:
				c.finish(t)
			}
			c.check(t)
		}
		if len(c.seats.games) > 0 || len(c.seats.at) > 0 || len(c.pools.matches) > 0 {
			t.Fatalf("left over: %v, %v, %v", c.seats.games, c.seats.at, c.pools.matches)
		}
	})
}
