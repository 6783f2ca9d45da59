package arena

import (
	"errors"
	"math/rand/v2"
	"testing"

	"flagfall/game"
	"flagfall/server/actor"
)

// Any commands by anybody in any order: the machine answers each, what it refuses leaves no trace, nobody sits twice, and
// the journal alone gives the same state.
func TestAnyCommands(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 5))
		set := Defaults(Arena)
		set.Format = []Format{Arena, RoundRobin, DoubleRoundRobin}[rng.IntN(3)]
		set.Two, set.AutoRound, set.Playoff, set.Late = rng.IntN(2) == 0, rng.IntN(2) == 0, rng.IntN(2) == 0, rng.IntN(2) == 0
		set.Duration = 3 * minute
		e := open(t, set)
		for range 400 {
			before := stateText(t, e.m)
			if err := e.try(anyCommand(rng, e.m)); err != nil {
				var r *Refusal
				if !errors.As(err, &r) || r.Code == UnknownRequest {
					t.Fatalf("seed %d: %v", seed, err)
				}
				if stateText(t, e.m) != before {
					t.Fatalf("seed %d: refused with %v, and changed", seed, err)
				}
			}
			e.once()
			e.pass(rng.Int64N(4000))
			e.once()
			e.looks(rng)
			for _, r := range e.m.Standings() {
				if text := e.m.Why(r.ID, e.m.civil(e.at)).Text(e.m.civil(e.at)); text == "" {
					t.Fatal("no reason")
				}
			}
		}
		e.same()
	}
}

// once checks that nobody sits twice and that everybody's game is his.
func (e *event) once() {
	e.t.Helper()
	at := map[string]string{}
	for _, g := range e.m.running {
		for _, id := range [2]string{g.White, g.Black} {
			if at[id] != "" {
				e.t.Fatalf("%s plays %s and %s", id, at[id], g.ID)
			}
			at[id] = g.ID
		}
	}
	for _, p := range e.m.Entries {
		if p.Game != at[p.ID] {
			e.t.Fatalf("%s is at %q, and plays %q", p.ID, p.Game, at[p.ID])
		}
	}
}

// looks has everybody look at the event: nobody is shown what is not his, and looking changes nothing.
func (e *event) looks(rng *rand.Rand) {
	e.t.Helper()
	before := stateText(e.t, e.m)
	now := e.m.civil(e.at)
	for _, id := range []string{"p01", "r", "o", "nobody"}[rng.IntN(4):] {
		d := e.m.DeskView(id, now)
		for _, w := range d.Queue {
			if w.White.ID == id || w.Black.ID == id {
				e.t.Fatalf("%s sees what waits in his own game: %+v", id, w)
			}
		}
		if y := d.Page.You; (y.Settings != nil) != e.m.Staff(id) || (y.Entry != nil) != (e.m.Entry(id) != nil) {
			e.t.Fatalf("%s: %+v", id, y)
		}
	}
	if _, err := e.m.JSON(); err != nil {
		e.t.Fatal(err)
	}
	if stateText(e.t, e.m) != before || stateText(e.t, e.m.clone()) != before {
		e.t.Fatal("a look has changed the event, or a copy is none")
	}
}

func anyCommand(rng *rand.Rand, s *State) any {
	one := func(list ...string) string { return list[rng.IntN(len(list))] }
	who := func() string { return one("p01", "p02", "p03", "p04", "p05", "r", "o", "nobody") }
	flip := func() bool { return rng.IntN(2) == 0 }
	someGame, effect := "n-1", "store/1"
	if len(s.Games) > 0 {
		someGame = s.Games[max(0, len(s.Games)-1-rng.IntN(4))].ID
	}
	if pending := s.Effects(); len(pending) > 0 {
		effect = pending[rng.IntN(len(pending))].ID
	}
	out := Outcome{Score: game.Score(one("1-0", "0-1", "1/2-1/2", "*", "0-0", "2-0")), Forfeit: flip()}
	out.NoShow[rng.IntN(2)] = rng.IntN(5) == 0
	a, b, why := who(), who(), one("", "a reason", "a reason")
	switch rng.IntN(36) {
	case 0:
		return Edit{By: a, Settings: s.Settings}
	case 1:
		return Staff{By: "o", Organisers: []string{"o"}, Arbiters: []string{"r"}}
	case 2:
		return Advance{By: one("o", "r"), To: Phase(rng.IntN(8))}
	case 3, 4, 5:
		return Enter{By: one(a, "o"), Player: account(a), Rating: rng.IntN(3000)}
	case 6:
		return Admit{By: one("o", b), Who: a}
	case 7:
		return Remove{By: "o", Who: a, Why: why}
	case 8:
		return Arrive{By: a, Who: a}
	case 9:
		return Pause{By: a, Who: a}
	case 10, 11:
		return Return{By: a, Who: a}
	case 12:
		return Withdraw{By: a, Who: one(a, b)}
	case 13:
		return Ready{By: a, Who: a}
	case 14:
		if rng.IntN(4) > 0 {
			return Advance{By: "o", To: Running}
		}
		return Expel{By: "r", Who: a, Why: why}
	case 15:
		return StartRound{By: one("o", a)}
	case 16:
		return MoveBell{By: "o", Bell: s.Now + rng.Int64N(100000) - 1000, Why: why}
	case 17:
		return Hold{By: "r", Held: rng.IntN(4) == 0, Why: why}
	case 18:
		return PairByHand{By: "r", White: a, Black: b, Why: why}
	case 19:
		return Correct{By: one("r", a), Game: someGame, Outcome: out, Why: why}
	case 20:
		return Presence{Who: a, Here: rng.IntN(4) > 0}
	case 21, 22:
		return Finished{Game: someGame, Outcome: out, Ago: rng.Int64N(5000) - 100}
	case 23:
		return actor.Recovered{Elapsed: 5, Gap: rng.Int64N(3000)}
	case 25:
		if rng.IntN(20) == 0 {
			return Cancel{By: "o", Why: why}
		}
		return Announce{By: a, Text: why}
	case 24:
		return actor.Acked{Effect: effect, Err: []error{nil, nil, errors.New("no"), &Busy{Who: []string{a, b}}}[rng.IntN(4)]}
	case 26, 27, 28:
		act := game.Act(one("stop", "resume", "annul", "warn", "loss", "clocks", "result", "duty"))
		return Rule{By: one("r", "r", a), Game: someGame, Why: why, Replay: act == game.ActAnnul && flip(),
			Ruling: game.Ruling{Act: act, Side: game.Side(rng.IntN(3)), Score: out.Score}}
	case 29:
		return Freeze{By: "r", On: rng.IntN(3) == 0, Why: why}
	case 30:
		return []any{Duty{By: one("r", a), On: flip()}, Desk{Who: one("r", a), Here: flip()}}[rng.IntN(2)]
	case 31:
		return Disputed{Game: someGame, N: rng.IntN(9), By: game.Side(rng.IntN(3)), Kind: one(QueueDispute, QueueDemo, QueueLadder, "x"),
			Stops: flip(), Open: flip()}
	case 32:
		return []any{Report{By: a, Game: someGame, Text: why}, Settle{By: "r", ID: one("report-1", "dispute-1", "ladder-2"), Why: why}}[rng.IntN(2)]
	case 33:
		return []any{Hush{By: "r", Who: a, On: flip()}, SetPassword{By: one("o", a), Hash: one("", "x")}}[rng.IntN(2)]
	case 34:
		return Roster{By: "o", Lines: []RosterLine{{Name: one("Ann", "Ben", "Cy", "Di"), Rating: rng.IntN(3000)}}}
	case 35:
		return Claim{Player: account(a), Line: one("r-1", "r-2", "r-3"), Rating: rng.IntN(3000)}
	}
	return actor.Acked{Effect: effect}
}
