package arena

import (
	"errors"
	"strings"
	"testing"

	"flagfall/game"
	"flagfall/server/actor"
)

// rulings are what tables are asked for now: "game act", in order.
func (e *event) rulings() string {
	var list []string
	for _, f := range e.m.rulings() {
		do := f.Do.(RuleGame)
		list = append(list, do.Game+" "+string(do.Ruling.Act))
	}
	return strings.Join(list, ", ")
}

// seat has all games find their tables.
func (e *event) seat() {
	e.t.Helper()
	for _, f := range e.m.Effects() {
		if _, opens := f.Do.(OpenGame); opens {
			e.do(actor.Acked{Effect: f.ID})
		}
	}
}

// obey has the tables do what they are asked for, until nothing is left.
func (e *event) obey() {
	e.t.Helper()
	for list := e.m.rulings(); len(list) > 0; list = e.m.rulings() {
		e.do(actor.Acked{Effect: list[0].ID})
	}
}

// four has two games going; r is the arbiter, p another one who plays as a.
func four(t *testing.T) *event {
	e := open(t, Defaults(Arena))
	e.do(Staff{By: "o", Organisers: []string{"o"}, Arbiters: []string{"r", "a"}, Names: map[string]string{"r": "Ruth", "o": "Olga"}})
	e.enter("a", "b", "c", "d")
	e.start()
	e.seat()
	return e
}

// Nobody has his own opponent leave the event.
func TestStaffAndTheirOpponents(t *testing.T) {
	e := four(t)
	g := e.board("a") // a is an arbiter
	other := g.White
	if other == "a" {
		other = g.Black
	}
	e.refused(OwnGame, Pause{By: "a", Who: other})
	e.refused(OwnGame, Withdraw{By: "a", Who: other})
	e.do(Withdraw{By: "r", Who: other})
	e.do(Withdraw{By: "a", Who: "a"})
}

func TestARuling(t *testing.T) {
	e := four(t)
	own, g := e.board("a").ID, e.board("c")
	stop := game.Ruling{Act: game.ActStop}
	e.refused(Forbidden, Rule{By: "o", Game: g.ID, Ruling: stop, Why: "x"})
	e.refused(Forbidden, Rule{By: "c", Game: g.ID, Ruling: stop, Why: "x"})
	e.refused(OwnGame, Rule{By: "a", Game: own, Ruling: stop, Why: "x"})
	e.refused(UnknownGame, Rule{By: "r", Game: "n-99", Ruling: stop, Why: "x"})
	e.refused(NeedsReason, Rule{By: "r", Game: g.ID, Ruling: stop, Why: " "})
	for _, bad := range []game.Ruling{
		{}, {Act: game.ActDuty}, {Act: game.ActOffDuty}, {Act: "burn"}, {Act: game.ActWarn, Side: game.None},
		{Act: game.ActLoss, Side: game.None}, {Act: game.ActResult, Score: game.Void}, {Act: game.ActResult, Score: "2-0"},
		{Act: game.ActWarn, Rule: strings.Repeat("9", 21)}, {Act: game.ActClocks, Clocks: [2]int64{-1, 5}}, {Act: game.ActClocks, Clocks: [2]int64{5, game.MaxBase + 1}},
	} {
		e.refused(BadRuling, Rule{By: "r", Game: g.ID, Ruling: bad, Why: "x"})
	}
	e.refused(BadRuling, Rule{By: "r", Game: g.ID, Ruling: stop, Why: "x", Replay: true})

	e.do(Rule{By: "r", Game: g.ID, Ruling: stop, Why: "let me see"})
	e.do(Rule{By: "r", Game: g.ID, Ruling: game.Ruling{Act: game.ActClocks, Clocks: [2]int64{187000, 60000}}, Why: "as both say"})
	e.do(Rule{By: "r", Game: g.ID, Ruling: game.Ruling{Act: game.ActResume}, Why: "play"})
	for _, want := range []string{"stop", "clocks", "resume"} { // one after the other
		list := e.m.rulings()
		if len(list) != 1 || list[0].Do.(RuleGame).Ruling.Act != game.Act(want) || list[0].Do.(RuleGame).Ruling.Who != "Ruth" {
			t.Fatalf("%+v, want %s", list, want)
		}
		var err error
		if want == "resume" {
			err = errors.New("the clocks were not stopped")
		}
		e.do(actor.Acked{Effect: list[0].ID, Err: err})
	}
	if got := e.rulings(); got != "" {
		t.Error(got)
	}
	acts := e.m.DeskView("r", dawn+e.at).Acts
	for i, want := range []string{"Play goes on: play", "Clocks set to 3:07 and 1:00: as both say", "Clocks stopped: let me see"} {
		if a := acts[i]; a.Text != want || a.By != "Ruth" || a.Do != "rule" || a.Game != g.ID || a.N != acts[0].N-i {
			t.Errorf("%+v, want %s", a, want)
		}
	}
	if acts[0].Failed != "the clocks were not stopped" || acts[1].Failed != "" {
		t.Errorf("failed: %q, %q", acts[0].Failed, acts[1].Failed)
	}
	e.wins("c")
	e.refused(NotNow, Rule{By: "r", Game: g.ID, Ruling: stop, Why: "x"})
	e.same()
}

// A ruling waits for the table of its game, and is not lost when the game ends meanwhile.
func TestRulingsAndTheirTables(t *testing.T) {
	e := open(t, Defaults(Arena))
	e.enter("a", "b", "c", "d")
	e.start()
	first, second := e.board("a"), e.board("c")
	warn := game.Ruling{Act: game.ActWarn, Side: game.White}
	e.do(Rule{By: "r", Game: first.ID, Ruling: warn, Why: "noise"})
	e.do(Rule{By: "r", Game: second.ID, Ruling: warn, Why: "noise"})
	if got := e.rulings(); got != "" {
		t.Errorf("%s, and no table is there", got)
	}
	e.do(actor.Acked{Effect: "open/" + first.ID})
	e.do(actor.Acked{Effect: "open/" + second.ID, Err: errors.New("no table")})
	if got := e.rulings(); got != first.ID+" warn" {
		t.Error(got)
	}
	e.do(Finished{Game: first.ID, Outcome: Outcome{Score: game.Draw}})
	e.do(actor.Acked{Effect: e.m.rulings()[0].ID, Err: errors.New("the game is over")})
	acts := e.m.Acts[len(e.m.Acts)-2:]
	if acts[0].Failed != "the game is over" || acts[1].Failed != "the game did not begin" || len(e.m.Orders) != 0 {
		t.Errorf("%+v", acts)
	}
	e.same()
}

// Who is expelled loses the game that he plays, by a ruling.
func TestExpelledWhilePlaying(t *testing.T) {
	e := four(t)
	g := e.board("c")
	e.refused(OwnGame, Expel{By: "a", Who: map[bool]string{true: e.board("a").Black, false: e.board("a").White}[e.board("a").White == "a"], Why: "x"})
	e.do(Expel{By: "r", Who: "c", Why: "used an engine"})
	want := game.Ruling{Act: game.ActLoss, Side: game.White, Who: "Ruth", Why: "used an engine"}
	if g.Black == "c" {
		want.Side = game.Black
	}
	if list := e.m.rulings(); len(list) != 1 || list[0].Do != (RuleGame{Game: g.ID, ID: list[0].ID, Ruling: want}) {
		t.Errorf("%+v, want %+v", list, want)
	}
	e.obey()
	e.do(Finished{Game: g.ID, Outcome: Outcome{Score: [2]game.Score{game.BlackWins, game.WhiteWins}[want.Side], Reason: "penalty"}})
	if r := e.row("d"); r.Points != 2 || e.m.Entry("c").Status != Expelled {
		t.Errorf("%+v", r)
	}
	if a := e.m.DeskView("r", dawn).Acts[1]; a.Do != "expel" || a.Who != "C" || a.Text != "used an engine" {
		t.Errorf("%+v", a)
	}
	e.same()
}

// WBCA 12: an annulled game is played again by the same two, with the same colours, once both are there.
func TestAnnulledAndPlayedAgain(t *testing.T) {
	for _, two := range []bool{false, true} {
		set := Defaults(Arena)
		set.Two = two
		e := open(t, set)
		e.enter("a", "b", "c", "d", "x")
		e.start()
		e.seat()
		g := *e.m.live()[0]
		annul := Rule{By: "r", Game: g.ID, Ruling: game.Ruling{Act: game.ActAnnul}, Why: "somebody called out a move", Replay: true}
		e.do(annul)
		e.obey()
		e.do(Finished{Game: g.ID, Outcome: Outcome{Score: game.Void, Reason: "annulled"}})
		e.refused(NotNow, PairByHand{By: "r", White: g.White, Black: e.m.Left[0], Why: "x"})
		e.why(g.White, PlayedAgain, "Your game was annulled and is played again at once")
		twice := Correct{By: "r", Game: g.ID, Outcome: Outcome{Score: game.WhiteWins}, Why: "it was won, after all"}
		e.refused(BadResult, twice) // only one of the two counts
		e.pass(10000)
		e.refused(BadResult, twice)
		again := *e.board(g.White)
		if again.ID != g.ID+"-r" || again.White != g.White || again.Black != g.Black || again.Leg != g.Leg || again.Repeat {
			t.Errorf("%+v after %+v", again, g)
		}
		if e.m.Entry(g.White).Colors != "" {
			t.Error("the annulled game left a colour")
		}
		e.wins(g.White)
		e.pass(10000)
		if next := e.m.Game(g.ID + "-r-2"); two != (next != nil) || two && (next.White != g.Black || next.Leg != 2) {
			t.Errorf("two games %v: %+v", two, next)
		}
		e.same()
	}
}

// The table's answer may come after the game's end, and a second order for the same may fail: it is played again once.
func TestAnnulledTwice(t *testing.T) {
	e := four(t)
	g := *e.board("c")
	annul := Rule{By: "r", Game: g.ID, Ruling: game.Ruling{Act: game.ActAnnul}, Why: "noise", Replay: true}
	e.do(annul)
	e.do(annul)
	first := e.m.rulings()[0].ID
	e.do(Finished{Game: g.ID, Outcome: Outcome{Score: game.Void, Reason: "annulled"}})
	e.do(actor.Acked{Effect: first})
	e.do(actor.Acked{Effect: e.m.rulings()[0].ID, Err: errors.New("the game is over")})
	e.pass(10000)
	if got := e.board("c").ID; got != g.ID+"-r" {
		t.Error(got)
	}
	other := *e.board("a")
	annul.Game = other.ID
	e.do(annul)
	annul.Replay = false
	e.do(annul)
	e.do(actor.Acked{Effect: e.m.rulings()[0].ID})
	e.do(actor.Acked{Effect: e.m.rulings()[0].ID, Err: errors.New("the game is over")})
	e.do(Finished{Game: other.ID, Outcome: Outcome{Score: game.Void, Reason: "annulled"}})
	e.pass(10000)
	if got := e.board("a").ID; got != other.ID+"-r" {
		t.Error(got)
	}
	e.same()
}

// One of the two is gone: after the stated wait there is no game, and the other is free. One that could not be annulled is
// not played again, and nothing is begun that the bell would cut off.
func TestWhatIsNotPlayedAgain(t *testing.T) {
	e := four(t)
	annul := func(g *Game) Rule {
		return Rule{By: "r", Game: g.ID, Ruling: game.Ruling{Act: game.ActAnnul}, Why: "somebody called out a move", Replay: true}
	}
	g := e.board("c")
	e.do(annul(g))
	e.obey()
	e.do(Finished{Game: g.ID, Outcome: Outcome{Score: game.Void, Reason: "annulled"}})
	e.do(Presence{Who: "c", Here: false})
	e.pass(39999)
	if !e.m.Entry("d").Leg {
		t.Error("not waited for")
	}
	e.pass(1)
	if e.m.Entry("d").Leg || e.m.Game(g.ID+"-r") != nil {
		t.Error("waited for too long")
	}
	g = e.board("a")
	e.do(annul(g))
	e.do(actor.Acked{Effect: e.m.rulings()[0].ID, Err: errors.New("the game is over")})
	e.wins("a")
	e.pass(30000)
	if e.m.Game(g.ID+"-r") != nil {
		t.Error("played again, and not annulled")
	}
	g = e.m.live()[0]
	e.pass(58*minute + 45000)
	e.refused(WrongPhase, annul(g))
	e.same()
}

// In a round robin the round waits for the game that is played again.
func TestAnnulledInARoundRobin(t *testing.T) {
	e := open(t, robin(RoundRobin))
	e.enter(players(4)...)
	e.start()
	e.seat()
	g := *e.board("p01")
	e.do(Rule{By: "r", Game: g.ID, Ruling: game.Ruling{Act: game.ActAnnul}, Why: "the board was wrong", Replay: true})
	e.obey()
	e.do(Finished{Game: g.ID, Outcome: Outcome{Score: game.Void, Reason: "annulled"}})
	e.wins("p02")
	e.pass(10000)
	again := e.board("p01")
	if e.m.Round != 1 || again.White != g.White || again.Black != g.Black || again.Round != 1 || again.Group != 1 {
		t.Errorf("round %d, %+v", e.m.Round, again)
	}
	e.wins("p01")
	e.pass(10000)
	if e.m.Round != 2 {
		t.Errorf("round %d", e.m.Round)
	}
	text, err := e.m.TRF(1)
	if err != nil || !strings.Contains(string(text), "   4 "+map[bool]string{true: "w", false: "b"}[g.White == "p01"]+" 1") {
		t.Errorf("%v\n%s", err, text)
	}
	e.same()
}

// D36: on duty is who has switched it on and is at the desk; a page that is loaded anew ends nothing, and neither does the
// server's restart. Nobody is on duty for his own game.
func TestDuty(t *testing.T) {
	e := four(t)
	own, other := e.board("a").ID, e.board("c").ID
	e.refused(Forbidden, Duty{By: "b", On: true})
	e.refused(Forbidden, Desk{Who: "b", Here: true})
	step := func(want string, cmds ...any) {
		t.Helper()
		for _, cmd := range cmds {
			e.do(cmd)
		}
		if got := e.rulings(); got != want {
			t.Errorf("after %+v: %q, want %q", cmds, got, want)
		}
		e.obey()
	}
	step("", Duty{By: "a", On: true})
	step(other+" duty", Desk{Who: "a", Here: true})
	step(own+" duty", Duty{By: "r", On: true}, Desk{Who: "r", Here: true})
	step("", Duty{By: "a"})
	if d := e.m.DeskView("o", dawn).Duty; len(d) != 1 || d[0] != (Person{ID: "r", Name: "Ruth"}) {
		t.Errorf("%+v", d)
	}
	step("", Desk{Who: "r"})
	e.pass(9999)
	step("", Desk{Who: "r", Here: true})
	e.pass(minute)
	step("", actor.Recovered{Gap: 5000})
	e.pass(9999)
	step("", Desk{Who: "r", Here: true})
	e.pass(minute)
	step("", Desk{Who: "r"})
	e.pass(10000)
	step(own + " offduty, " + other + " offduty")
	step(own+" duty, "+other+" duty", Desk{Who: "r", Here: true})
	step(own+" offduty, "+other+" offduty", Staff{By: "o", Organisers: []string{"o"}, Arbiters: []string{"a"}})
	e.same()
}

// A game that is opened while an arbiter is on duty knows it from the start; what changes before its table is there, it is
// told after.
func TestDutyOfNewGames(t *testing.T) {
	e := open(t, Defaults(Arena))
	e.enter("a", "b")
	e.do(Duty{By: "r", On: true})
	e.do(Desk{Who: "r", Here: true})
	e.start()
	g := e.board("a").ID
	if do := e.m.Effects()[0].Do.(OpenGame); do.Game != g || !do.Setup.Options.OnDuty {
		t.Errorf("%+v", do)
	}
	e.do(Duty{By: "r"})
	if got := e.rulings(); got != "" {
		t.Error(got)
	}
	e.seat()
	if got := e.rulings(); got != g+" offduty" {
		t.Error(got)
	}
	e.wins("a")
	if got := e.rulings(); got != "" {
		t.Errorf("%s of a game that is over", got)
	}
	e.same()
}
