package arena

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"flagfall/game"
	"flagfall/server/actor"
)

func robin(format Format) Settings {
	set := Defaults(format)
	set.AutoRound = true
	return set
}

// pairings are the games of a round, by the numbers of the players p01, p02...
func (e *event) pairings(round int) string {
	var list []string
	for _, g := range e.m.Games {
		if g.Round == round {
			list = append(list, fmt.Sprintf("%s-%s", strings.TrimLeft(g.White, "p0"), strings.TrimLeft(g.Black, "p0")))
		}
	}
	return strings.Join(list, " ")
}

func players(n int) []string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf("p%02d", i+1))
	}
	return list
}

// playAll ends all running games: the player with the lower number wins.
func (e *event) playAll() {
	for _, g := range e.m.live() {
		if g := e.m.Game(g.ID); !g.Over {
			e.wins(min(g.White, g.Black))
		}
	}
}

func TestRoundRobinByTheTables(t *testing.T) {
	for _, n := range []int{5, 6, 10} {
		e := open(t, robin(RoundRobin))
		e.enter(players(n)...)
		e.start()
		table := strings.Split(bergerTables[n+n%2], "|")
		for r, want := range table {
			if n%2 == 1 {
				var left []string
				for _, g := range strings.Fields(want) {
					if !strings.Contains(g, fmt.Sprint(n+1)) {
						left = append(left, g)
					}
				}
				want = strings.Join(left, " ")
			}
			if got := e.pairings(r + 1); got != want {
				t.Errorf("%d players, round %d: %s, want %s", n, r+1, got, want)
			}
			e.playAll()
			e.pass(9999)
			if r+1 < len(table) && e.m.Round != r+1 {
				t.Error("the next round began too soon")
			}
			e.pass(1)
		}
		if e.m.Phase != Provisional {
			t.Errorf("%s after the last round", e.m.Phase)
		}
		for i, r := range e.m.Standings() {
			if r.ID != players(n)[i] || r.Points != 2*(n-1-i) || r.Place != i+1 {
				t.Errorf("place %d: %+v", i+1, r)
			}
		}
		e.same()
	}
}

func TestRoundsByTheOrganiser(t *testing.T) {
	set := robin(DoubleRoundRobin)
	set.AutoRound = false
	e := open(t, set)
	e.enter(players(4)...)
	e.start()
	e.refused(Forbidden, StartRound{By: "p01"})
	for round := 1; round <= 6; round++ {
		e.do(StartRound{By: "o"})
		e.refused(NotNow, StartRound{By: "o"})
		e.playAll()
		e.pass(minute)
	}
	if got, want := e.pairings(3)+"|"+e.pairings(2), "4-3 1-2|2-4 3-1"; got != want { // changed places
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := e.pairings(4), "4-1 3-2"; got != want {
		t.Errorf("first round of the second cycle %s, want %s", got, want)
	}
	if e.m.Phase != Provisional {
		t.Error(e.m.Phase)
	}
	e.refused(WrongPhase, StartRound{By: "o"})
}

func TestGroupsAndCheckIn(t *testing.T) {
	set := robin(RoundRobin)
	set.GroupSize = 4
	e := open(t, set)
	e.enter(players(9)...)
	e.do(Advance{By: "o", To: CheckIn})
	for _, id := range players(8) {
		e.do(Arrive{By: id, Who: id})
	}
	e.start()
	want := [][]string{{"p01", "p04", "p05", "p08"}, {"p02", "p03", "p06", "p07"}}
	if got := e.m.Groups; len(got) != 2 || !slices.Equal(got[0], want[0]) || !slices.Equal(got[1], want[1]) {
		t.Errorf("groups %v", got)
	}
	if got := e.m.Entry("p09"); got.Status != Withdrawn {
		t.Errorf("who did not check in is %s", got.Status)
	}
	for range 3 {
		e.playAll()
		e.pass(10000)
	}
	rows := e.m.Standings()
	if e.m.Phase != Provisional || len(rows) != 8 || rows[4].Place != 1 || rows[4].Group != 2 {
		t.Errorf("%s, %+v", e.m.Phase, rows)
	}
	e.refused(WrongPhase, Enter{By: "late", Player: account("late")})
}

// D33: 1F-0F against who does not come; who is out of the event loses what is left to play.
func TestForfeits(t *testing.T) {
	e := open(t, robin(RoundRobin))
	e.enter(players(4)...)
	e.start()
	g := e.board("p01") // against p04
	e.do(Finished{Game: g.ID, Outcome: Outcome{Score: game.Void, Reason: "absent", NoShow: [2]bool{false, true}}})
	g = e.board("p02")
	e.do(Finished{Game: g.ID, Outcome: Outcome{Score: game.Void, NoShow: [2]bool{true, true}}})
	e.do(Withdraw{By: "p03", Who: "p03"})
	e.pass(10000)
	if r := e.row("p01"); r.Points != 2 || r.Wins != 1 || r.Performance != 0 || e.m.Entry("p01").Colors != "" {
		t.Errorf("%+v", r)
	}
	if got := e.results(); got != "p01-p04 1-0F p02-p03 0-0F p04-p03 1-0F" { // p03 has lost round 2 as well
		t.Error(got)
	}
	if got := e.m.Why("p04", dawn+e.at); got.Code != NextRound {
		t.Errorf("why: %+v", got)
	}
	e.same()
}

// Matches of two games in a round robin, one of them against somebody who has left.
func TestRobinOfMatches(t *testing.T) {
	set := robin(RoundRobin)
	set.Two = true
	e := open(t, set)
	e.enter(players(3)...)
	e.start()
	e.wins("p02") // against p03, who has the other colour next
	e.do(Expel{By: "r", Who: "p03", Why: "moved the clock"})
	e.pass(10000)
	e.pass(10000)
	if got := e.results(); got != "p02-p03 1-0 p03-p02 0-1F" {
		t.Error(got)
	}
	for range 4 {
		e.playAll()
		e.pass(10000)
	}
	if r := e.row("p03"); r.Games != 0 || r.Status != Expelled || !r.Out {
		t.Errorf("p03: %+v", r)
	}
	if r := e.row("p01"); e.m.Phase != Provisional || r.Points != 4 || r.Games != 2 {
		t.Errorf("%s, p01: %+v", e.m.Phase, r)
	}
	e.same()
}

// results are the games that are over, in the order of their pairing; F is a forfeit.
func (e *event) results() string {
	var list []string
	for _, g := range e.m.Games {
		if !g.Over {
			continue
		}
		text := g.White + "-" + g.Black + " " + string(g.Outcome.Score)
		if g.Outcome.Forfeit {
			text += "F"
		}
		list = append(list, text)
	}
	return strings.Join(list, " ")
}

// FIDE's tournament rules, C.06, V.4: who leaves a round robin before half of his games stays in the crosstable, and his
// games count for nobody; who has played half of them, and loses the rest by default, counts.
func TestWhoLeavesARoundRobin(t *testing.T) {
	for _, rounds := range []int{2, 3} { // that he plays, of five
		e := open(t, robin(RoundRobin))
		e.enter(players(6)...)
		e.start()
		for range rounds {
			e.playAll()
			e.pass(10000)
		}
		left := e.m.Entry("p03").Game
		if left != "" { // the game of the round that has begun is not played any more
			g := e.board("p03")
			e.do(Finished{Game: g.ID, Outcome: Outcome{Score: game.Void, NoShow: [2]bool{g.White == "p03", g.Black == "p03"}}})
		}
		e.do(Withdraw{By: "p03", Who: "p03"})
		for range 5 {
			e.pass(10000)
			e.playAll()
		}
		e.pass(10000)
		out := rounds < 3
		rows := e.m.Standings()
		if r := e.row("p03"); r.Out != out || out && (r.Games != 0 || r.Points != 0 || rows[5].ID != "p03") || !out && r.Games != 5 {
			t.Errorf("after %d rounds: %+v", rounds, r)
		}
		for _, r := range rows {
			if want := map[bool]int{true: 4, false: 5}[out]; r.ID != "p03" && r.Games != want {
				t.Errorf("after %d rounds: %+v, want %d games", rounds, r, want)
			}
		}
		text := string(e.m.CrosstableCSV())
		if n := strings.Count(text, "+"); n != 5-rounds {
			t.Errorf("after %d rounds %d forfeits in\n%s", rounds, n, text)
		}
		e.same()
	}
}

func TestAPlayoffForASharedFirst(t *testing.T) {
	set := robin(RoundRobin)
	set.Playoff = true
	e := open(t, set)
	e.enter(players(4)...)
	e.start()
	for range 3 {
		for _, g := range e.m.live() {
			e.draws(g.White)
		}
		if e.m.Round < 3 {
			e.pass(10000)
		}
	}
	e.pass(0)
	if len(e.m.Playoff) != 1 || len(e.m.Playoff[0]) != 4 {
		t.Fatalf("play-off %v", e.m.Playoff)
	}
	for range 3 { // all four share the first place: once each
		e.pass(10000)
		e.playAll()
	}
	e.pass(10000)
	rows := e.m.Standings()
	if e.m.Phase != Provisional || rows[0].ID != "p01" || rows[0].Playoff != 6 || rows[0].Points != 3 || rows[3].Place != 4 {
		t.Errorf("%s, %+v", e.m.Phase, rows)
	}
	e.same()
}

// Two who share the first place meet twice, with both colours.
func TestAPlayoffOfTwo(t *testing.T) {
	set := robin(RoundRobin)
	set.Playoff = true
	e := open(t, set)
	e.enter(players(3)...)
	e.start()
	for range 3 {
		g := e.m.live()[0]
		if g.White == "p03" || g.Black == "p03" {
			e.wins(min(g.White, g.Black))
		} else {
			e.draws(g.White)
		}
		e.pass(10000)
	}
	e.pass(10000)
	first := *e.board("p01")
	e.wins("p02")
	e.pass(10000)
	if second := e.board("p01"); second.White != first.Black || !second.Playoff {
		t.Errorf("%+v after %+v", second, first)
	}
	e.draws("p01")
	e.pass(10000)
	if rows := e.m.Standings(); e.m.Phase != Provisional || rows[0].ID != "p02" || rows[0].Place != 1 || rows[1].Place != 2 {
		t.Errorf("%s, %+v", e.m.Phase, rows)
	}
}

func TestARoundRobinThatCannotStart(t *testing.T) {
	set := robin(RoundRobin)
	set.StartAt = dawn + minute
	e := open(t, set)
	e.enter("p01")
	e.refused(TooFew, Advance{By: "o", To: Running})
	e.pass(2 * minute)
	if e.m.Phase != Open || e.m.Settings.StartAt != 0 {
		t.Errorf("%s, start at %d", e.m.Phase, e.m.Settings.StartAt)
	}
	e.enter("p02")
	e.start()
	if e.pairings(1) == "" {
		t.Error("no game")
	}
	g := e.board("p02")
	e.do(actor.Acked{Effect: "open/" + g.ID, Err: &Busy{Who: []string{"p02"}}}) // sits elsewhere all the time
	if r := e.row("p01"); r.Points != 2 {
		t.Errorf("%+v", r)
	}
	e.same()
}

// Round robins of any size with people who leave, do not come, or sit elsewhere, and pairing that is held: from the journal
// alone, everybody meets everybody of his group as often as he should, once in a round, with both colours where there are
// two games.
func TestRoundRobinsKeepTheirBounds(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 34))
		n := 2 + rng.IntN(11)
		set := robin([]Format{RoundRobin, DoubleRoundRobin}[rng.IntN(2)])
		set.Two, set.Playoff = rng.IntN(2) == 0, rng.IntN(2) == 0
		if n > 5 && rng.IntN(2) == 0 {
			set.GroupSize = 3 + rng.IntN(3)
		}
		e := open(t, set)
		e.enter(players(n)...)
		e.start()
		for e.m.Phase == Running {
			for _, f := range e.m.Effects() {
				if g, opens := f.Do.(OpenGame); opens && rng.IntN(30) == 0 {
					e.do(actor.Acked{Effect: f.ID, Err: &Busy{Who: []string{g.Setup.Black.ID}}})
				} else {
					e.do(actor.Acked{Effect: f.ID})
				}
			}
			for _, g := range e.m.live() {
				out := Outcome{Score: []game.Score{game.WhiteWins, game.BlackWins, game.Draw}[rng.IntN(3)]}
				out.NoShow[rng.IntN(2)] = rng.IntN(20) == 0
				e.do(Finished{Game: g.ID, Outcome: out})
			}
			if id := players(n)[rng.IntN(n)]; rng.IntN(25) == 0 {
				e.do(Withdraw{By: id, Who: id})
			}
			if held := e.m.Held; held || rng.IntN(10) == 0 {
				e.do(Hold{By: "r", Why: "a moment", Held: !held})
			}
			if rng.IntN(10) == 0 {
				e.do(actor.Recovered{Gap: minute})
			}
			e.pass(3000)
		}
		e.same()
		e.everybodyMet(set)
	}
}

// everybodyMet counts the meetings in the journal.
func (e *event) everybodyMet(set Settings) {
	e.t.Helper()
	var groups [][]string
	met := map[[2]string]int{}
	for _, ev := range e.log {
		if ev.Kind == Phased && ev.Phase == Running {
			groups = ev.Groups
		}
		inRound := map[string]int{}
		for _, g := range ev.Games {
			inRound[g.White]++
			inRound[g.Black]++
			if !g.Playoff {
				met[[2]string{g.White, g.Black}]++
			}
		}
		for id, times := range inRound {
			if ev.Kind == RoundOn && times > 1 && !(set.Two && times == 2) {
				e.t.Errorf("%s plays %d games in round %d", id, times, ev.Round)
			}
		}
	}
	want := map[bool]int{false: 1, true: 2}[set.Format == DoubleRoundRobin] * map[bool]int{false: 1, true: 2}[set.Two]
	pairs := 0
	for _, group := range groups {
		for i, a := range group {
			for _, b := range group[i+1:] {
				pairs++
				white, black := met[[2]string{a, b}], met[[2]string{b, a}]
				if white+black != want || want > 1 && white != black {
					e.t.Errorf("%s and %s met %d and %d times, want %d in all", a, b, white, black, want)
				}
			}
		}
	}
	total := 0
	for _, times := range met {
		total += times
	}
	if total != pairs*want {
		e.t.Errorf("%d games, want %d", total, pairs*want)
	}
}
