package arena

import (
	"errors"
	"fmt"
	"slices"
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
		{Act: game.ActClocks, Clocks: [2]int64{-1, 5}}, {Act: game.ActClocks, Clocks: [2]int64{5, game.MaxBase + 1}},
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
		e.pass(10000)
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

func TestFreeze(t *testing.T) {
	e := four(t)
	one, two := e.board("a").ID, e.board("c").ID
	e.refused(Forbidden, Freeze{By: "o", On: true, Why: "x"})
	e.refused(OwnGame, Freeze{By: "a", On: true, Why: "x"})
	e.refused(NeedsReason, Freeze{By: "r", On: true})
	e.do(Freeze{By: "r", On: true, Why: "the network is down"})
	if got := e.rulings(); got != one+" stop, "+two+" stop" {
		t.Fatal(got)
	}
	list := e.m.rulings()
	if why := list[0].Do.(RuleGame).Ruling.Why; why != "All boards are stopped: the network is down" {
		t.Error(why)
	}
	e.do(actor.Acked{Effect: list[0].ID})
	e.do(actor.Acked{Effect: list[1].ID, Err: errors.New("the clocks stand already")}) // a dispute
	e.refused(NotNow, PairByHand{By: "r", White: "a", Black: "c", Why: "x"})
	if got := e.m.Notices[len(e.m.Notices)-1].Text; got != "All boards are stopped: the network is down" {
		t.Error(got)
	}
	e.pass(4999)
	if got := e.rulings(); got != "" {
		t.Error(got)
	}
	e.pass(1) // the dispute may be over
	if got := e.rulings(); got != two+" stop" {
		t.Error(got)
	}
	e.do(actor.Acked{Effect: e.m.rulings()[0].ID, Err: errors.New("the clocks stand already")})
	e.do(Freeze{By: "r", Why: "it works again"})
	if got := e.rulings(); got != one+" resume" { // the other was not stopped by the freeze
		t.Error(got)
	}
	e.obey()
	if e.m.DeskView("r", dawn).Frozen {
		t.Error("still frozen")
	}
	e.same()
}

// An order that is under way is not overtaken by the next one.
func TestFreezeAndResumeAtOnce(t *testing.T) {
	e := four(t)
	one, two := e.board("a").ID, e.board("c").ID
	e.do(Freeze{By: "r", On: true, Why: "x"})
	e.do(Freeze{By: "r", Why: "x"})
	list := e.m.rulings()
	if got := e.rulings(); got != one+" stop, "+two+" stop" {
		t.Error(got)
	}
	e.do(actor.Acked{Effect: list[0].ID})
	e.do(actor.Acked{Effect: list[1].ID, Err: errors.New("the clocks stand already")})
	if got := e.rulings(); got != one+" resume" {
		t.Error(got)
	}
	e.obey()
	e.same()
}

// D36 lets a game go on by itself after three minutes: a board that is to stand longer is stopped again before.
func TestALongFreeze(t *testing.T) {
	e := four(t)
	one, two := e.board("a").ID, e.board("c").ID
	e.do(Freeze{By: "r", On: true, Why: "the lights went out"})
	e.obey()
	e.do(Rule{By: "r", Game: two, Ruling: game.Ruling{Act: game.ActResume}, Why: "these two have light"})
	e.obey()
	for range 3 {
		e.pass(169999)
		if got := e.rulings(); got != "" {
			t.Error(got)
		}
		e.pass(1)
		if got := e.rulings(); got != one+" resume" {
			t.Error(got)
		}
		e.do(actor.Acked{Effect: e.m.rulings()[0].ID})
		if got := e.rulings(); got != one+" stop" {
			t.Error(got)
		}
		e.obey()
	}
	e.wins("c")
	e.pass(minute)
	if e.m.Entry("c").Game != "" || e.m.Why("c", dawn+e.at).Code != IsFrozen {
		t.Errorf("paired in a freeze, or why: %+v", e.m.Why("c", dawn+e.at))
	}
	e.do(Freeze{By: "r", Why: "light"})
	e.obey()
	e.pass(minute)
	if e.m.Entry("c").Game == "" {
		t.Error("not paired after the freeze")
	}
	e.same()
}

// The last games have as much longer as the boards stood; the end of the last one ends the freeze, too.
func TestAFreezeAtTheEnd(t *testing.T) {
	e := four(t)
	e.pass(60*minute - 1000)
	e.do(Freeze{By: "r", On: true, Why: "x"})
	e.obey()
	e.pass(20 * minute)
	e.do(Freeze{By: "r", Why: "x"})
	e.pass(12*minute + 1000 - 1) // both clocks and two minutes after the bell, and 20 minutes more
	if e.board("a").Stopping {
		t.Error("stopped too soon")
	}
	e.pass(1)
	if !e.board("a").Stopping {
		t.Error("not stopped")
	}
	e.do(Freeze{By: "r", On: true, Why: "x"})
	e.wins("a")
	e.wins("c")
	e.pass(0)
	if e.m.Phase != Provisional || e.m.Frozen > 0 {
		t.Errorf("%s, frozen %d", e.m.Phase, e.m.Frozen)
	}
	e.refused(WrongPhase, Freeze{By: "r", On: true, Why: "x"})
	e.same()
}

func TestNoRoundInAFreeze(t *testing.T) {
	set := robin(RoundRobin)
	set.AutoRound = false
	e := open(t, set)
	e.enter(players(4)...)
	e.start()
	e.do(Freeze{By: "r", On: true, Why: "x"})
	e.refused(NotNow, StartRound{By: "o"})
	e.do(Freeze{By: "r", Why: "x"})
	e.do(StartRound{By: "o"})
}

// queue is what waits for an arbiter: "id kind by stops".
func (e *event) queue(by string) string {
	var list []string
	for _, w := range e.m.DeskView(by, dawn+e.at).Queue {
		list = append(list, fmt.Sprint(w.ID, " ", w.Kind, " ", w.By, " ", w.Stops))
	}
	return strings.Join(list, ", ")
}

func TestTheQueue(t *testing.T) {
	e := four(t)
	own, g := e.board("a").ID, e.board("c").ID
	e.refused(UnknownGame, Disputed{Game: "n-99", Kind: QueueDispute, Open: true})
	e.refused(BadRuling, Disputed{Game: g, Kind: "quarrel", Open: true})
	e.refused(BadRuling, Disputed{Game: g, Kind: QueueDispute, By: game.None, Open: true})
	step := func(want string, cmd any) {
		t.Helper()
		e.do(cmd)
		if got := e.queue("r"); got != want {
			t.Errorf("after %+v: %s, want %s", cmd, got, want)
		}
	}
	e.pass(1000)
	step("ladder-1 ladder b false", Disputed{Game: g, N: 1, By: game.Black, Kind: QueueLadder, Step: 2, Open: true})
	e.pass(1000)
	dispute := Disputed{Game: g, N: 2, By: game.White, Kind: QueueDispute, Stops: true, Until: dawn + 200000, Open: true}
	step("dispute-2 dispute w true, ladder-1 ladder b false", dispute)
	step("dispute-2 dispute w true, ladder-1 ladder b false", dispute) // told again
	if d := e.m.DeskView("r", dawn).Games[1]; d.Game != g || d.Dispute != "w" {
		t.Errorf("%+v", d)
	}
	e.refused(NotNow, Settle{By: "r", ID: "dispute-2", Why: "x"})
	// nobody rules in time: it stays as a note
	step("ladder-1 ladder b false, dispute-2 dispute w false", Disputed{Game: g, N: 3, By: game.White, Kind: QueueDispute, Stops: true})
	dispute.N = 4
	step("dispute-3 dispute w true, ladder-1 ladder b false, dispute-2 dispute w false", dispute)
	e.do(Rule{By: "r", Game: g, Ruling: game.Ruling{Act: game.ActResume}, Why: "go on"})
	step("ladder-1 ladder b false, dispute-2 dispute w false", Disputed{Game: g, N: 5, By: game.White, Kind: QueueDispute, Stops: true})
	step("dispute-2 dispute w false, ladder-4 ladder b false", Disputed{Game: g, N: 6, By: game.Black, Kind: QueueLadder, Step: 3, Open: true})
	step("demo-5 demo w true, dispute-2 dispute w false, ladder-4 ladder b false", Disputed{Game: g, N: 7, Kind: QueueDemo, Stops: true, Open: true})
	step("dispute-2 dispute w false, ladder-4 ladder b false", Disputed{Game: g, N: 8, Kind: QueueDemo, Stops: true})

	e.refused(Forbidden, Settle{By: "o", ID: "dispute-2", Why: "x"})
	e.refused(NeedsReason, Settle{By: "r", ID: "dispute-2"})
	e.refused(UnknownReport, Settle{By: "r", ID: "dispute-99", Why: "x"})
	step("ladder-4 ladder b false", Settle{By: "r", ID: "dispute-2", Why: "spoke with both"})

	e.do(Disputed{Game: own, By: game.White, Kind: QueueDispute, Open: true})
	if got := e.queue("a"); got != "ladder-4 ladder b false" {
		t.Errorf("a sees %s", got)
	}
	e.refused(OwnGame, Settle{By: "a", ID: "dispute-6", Why: "x"})
	e.same()
}

// What clocks stood for ends with the game.
func TestTheQueueWhenAGameEnds(t *testing.T) {
	e := four(t)
	g := e.board("c").ID
	e.do(Disputed{Game: g, By: game.White, Kind: QueueDispute, Stops: true, Open: true})
	e.do(Disputed{Game: g, By: game.Black, Kind: QueueDemo, Stops: true, Open: true})
	e.wins("c")
	if got := e.queue("r"); got != "dispute-1 dispute w false" {
		t.Error(got)
	}
}

func TestTheQueueIsBounded(t *testing.T) {
	e := four(t)
	g := e.board("c").ID
	e.do(Disputed{Game: g, By: game.White, Kind: QueueDispute, Stops: true, Open: true})
	for range mostMatters + 20 {
		e.do(Disputed{Game: g, By: game.Black, Kind: QueueDispute, Open: true})
	}
	if len(e.m.Queue) != mostMatters || !e.m.Queue[0].Stops {
		t.Errorf("%d in the queue, first %+v", len(e.m.Queue), e.m.Queue[0])
	}
	for range mostActs + 20 {
		e.do(Announce{By: "r", Text: "quiet"})
	}
	if a := e.m.Acts; len(a) != mostActs || a[len(a)-1].N != e.m.Acted {
		t.Errorf("%d acts", len(a))
	}
}

// WBCA 22: a player says afterwards what was wrong.
func TestReports(t *testing.T) {
	e := four(t)
	g := *e.board("c")
	report := Report{By: "c", Game: g.ID, Text: "He moved my king"}
	e.refused(UnknownGame, Report{By: "c", Game: "n-99", Text: "x"})
	e.refused(Forbidden, Report{By: "a", Game: g.ID, Text: "x"})
	e.refused(NotNow, report)
	e.wins("c")
	e.refused(NeedsReason, Report{By: "c", Game: g.ID, Text: "  "})
	e.refused(NeedsReason, Report{By: "c", Game: g.ID, Text: strings.Repeat("x", mostReport+1)})
	for range mostReports {
		e.do(report)
	}
	e.refused(TooMany, report)
	e.do(Report{By: "d", Game: g.ID, Text: "He banged the clock"})
	if got := e.queue("r"); got != "report-1 report C false, report-2 report C false, report-3 report C false, report-4 report D false" {
		t.Error(got)
	}
	e.do(Settle{By: "r", ID: "report-1", Why: "spoke with both"})
	e.do(Settle{By: "r", ID: "report-1", Why: "again"})
	d := e.m.DeskView("r", dawn)
	want := ReportView{ID: "report-1", At: d.Reports[3].At, By: "C", Game: g.ID, Text: "He moved my king", Settled: "spoke with both"}
	if len(d.Queue) != 3 || len(d.Reports) != 4 || d.Reports[3] != want {
		t.Errorf("%+v", d.Reports)
	}
	e.wins("a")
	e.do(Report{By: "b", Game: e.m.Games[0].ID, Text: "x"})
	if n := len(e.m.DeskView("a", dawn).Reports); n != 4 {
		t.Errorf("a sees %d reports, one of them about his own game", n)
	}
	e.same()
}

func TestHush(t *testing.T) {
	e := four(t)
	e.refused(Forbidden, Hush{By: "a0", Who: "b", On: true})
	e.refused(UnknownEntry, Hush{By: "r", On: true})
	if e.m.MayChat("b") || !e.m.MayChat("watcher") {
		t.Error("who plays sees no chat, who watches does")
	}
	e.do(Hush{By: "o", Who: "watcher", Name: "Walter", On: true})
	d := e.m.DeskView("r", dawn)
	if e.m.MayChat("watcher") || !slices.Equal(d.Hushed, []Person{{ID: "watcher", Name: "Walter"}}) || d.Acts[0].Who != "Walter" {
		t.Errorf("%+v, %+v", d.Hushed, d.Acts[0])
	}
	e.do(Hush{By: "o", Who: "watcher"})
	if !e.m.MayChat("watcher") {
		t.Error("still hushed")
	}
	for i := range mostEntries {
		e.do(Hush{By: "o", Who: fmt.Sprint("x", i), On: true})
	}
	e.refused(TooMany, Hush{By: "o", Who: "b", On: true})
	e.same()
}
