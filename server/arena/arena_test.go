package arena

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"flagfall/game"
	"flagfall/server/actor"
)

const minute = int64(60000)

func TestTheLifeOfAnEvent(t *testing.T) {
	set := Defaults(Arena)
	set.CheckInAt, set.StartAt = dawn+10*minute, dawn+20*minute
	e := open(t, set)
	e.enter("a", "b", "c")
	e.pass(10 * minute)
	if e.m.Phase != CheckIn {
		t.Fatalf("%s at the check-in", e.m.Phase)
	}
	e.do(Arrive{By: "a", Who: "a"})
	if a, b := e.m.Mine("a", dawn+e.at), e.m.Mine("b", dawn+e.at); !a.Checked || b.Checked {
		t.Errorf("checked in: a %v, b %v", a.Checked, b.Checked)
	}
	e.pass(10 * minute)
	if e.m.Phase != Running || e.m.Bell != dawn+80*minute || len(e.m.running) != 1 {
		t.Fatalf("%s, bell %d, %d games", e.m.Phase, e.m.Bell-dawn, len(e.m.running))
	}
	e.pass(60 * minute)
	if e.m.Phase != LastGames {
		t.Fatalf("%s after the bell", e.m.Phase)
	}
	for _, g := range e.m.live() {
		e.do(Finished{Game: g.ID, Outcome: Outcome{Score: game.WhiteWins}})
	}
	e.pass(0)
	if e.m.Phase != Provisional {
		t.Fatalf("%s after the last game", e.m.Phase)
	}
	e.refused(WrongPhase, Advance{By: "o", To: Published})
	e.do(Advance{By: "r", To: Signed})
	e.stored()
	e.refused(Forbidden, Advance{By: "r", To: Published})
	e.do(Advance{By: "o", To: Published})
	e.stored()
	if got := e.effects(); len(got) != 0 {
		t.Errorf("effects %v", got)
	}
	const week = 7 * 24 * 60 * minute
	e.pass(week - 1)
	if e.m.Done() {
		t.Error("closed within the week")
	}
	e.do(Expel{By: "r", Who: "b", Why: "fairly late"}) // is kept, too
	e.pass(1)
	if !e.m.Closed || e.m.Done() {
		t.Error("not closed after a week, or not to be stored")
	}
	e.stored()
	if !e.m.Done() {
		t.Error("not done when it is stored")
	}
	e.refused(WrongPhase, Announce{By: "o", Text: "late"})
	e.same()
	e.lateCorrection()
}

// lateCorrection corrects a result of an event of which only the stored text is left.
func (e *event) lateCorrection() {
	e.t.Helper()
	text, err := e.m.Dump()
	if err != nil {
		e.t.Fatal(err)
	}
	if e.m, err = Load(text); err != nil {
		e.t.Fatal(err)
	}
	if e.twin, err = Load(text); err != nil {
		e.t.Fatal(err)
	}
	g := e.m.Games[0]
	e.do(Correct{By: "r", Game: g.ID, Outcome: Outcome{Score: game.Draw}, Why: "found on the sheets"})
	if got := e.effects(); e.row(g.White).Points != 1 || !slices.Contains(got, "file/"+g.ID+"/1") || e.m.Done() {
		e.t.Errorf("%+v, effects %v", e.row(g.White), got)
	}
	e.stored()
	e.same()
}

func TestACancelledEvent(t *testing.T) {
	e := open(t, Defaults(Arena))
	e.enter("a", "b")
	e.refused(Forbidden, Cancel{By: "r", Why: "no heating"})
	e.refused(NeedsReason, Cancel{By: "o"})
	e.do(Cancel{By: "o", Why: "no heating"})
	e.refused(WrongPhase, Enter{By: "c", Player: account("c"), Rating: 1500})
	if e.m.Done() {
		t.Error("gone before it is stored")
	}
	e.stored()
	if _, due := e.m.Deadline(); due || !e.m.Done() {
		t.Error("a cancelled event lives on")
	}
	other := open(t, Defaults(Arena))
	other.enter("a", "b")
	other.start()
	other.refused(WrongPhase, Cancel{By: "o", Why: "no heating"})
}

func TestWhoMayDoWhat(t *testing.T) {
	set := Defaults(Arena)
	set.Approve, set.MinRating, set.MaxRating, set.Guests, set.Most = true, 1000, 2200, false, 3
	e := open(t, set)
	guest := game.Player{ID: "g", Name: "Guest"}
	e.refused(Forbidden, Enter{By: "x", Player: account("a"), Rating: 1500})
	e.refused(NoGuests, Enter{By: "g", Player: guest, Rating: 1500})
	e.refused(RatingLimit, Enter{By: "a", Player: account("a"), Rating: 900})
	e.refused(RatingLimit, Enter{By: "a", Player: account("a"), Rating: 2201})
	e.do(Enter{By: "a", Player: account("a"), Rating: 1500})
	e.refused(AlreadyIn, Enter{By: "a", Player: account("a"), Rating: 1500})
	e.do(Enter{By: "o", Player: guest, Rating: 0}) // the roster passes the limits
	if a, g := e.m.Entry("a").Status, e.m.Entry("g").Status; a != Asked || g != In {
		t.Errorf("a %s, g %s", a, g)
	}
	e.refused(Forbidden, Admit{By: "r", Who: "a"})
	e.refused(UnknownEntry, Admit{By: "o", Who: "z"})
	e.do(Admit{By: "o", Who: "a"})
	e.do(Enter{By: "b", Player: account("b"), Rating: 1600})
	e.refused(Full, Enter{By: "c", Player: account("c"), Rating: 1600})
	e.refused(NeedsReason, Remove{By: "o", Who: "b"})
	e.do(Remove{By: "o", Who: "b", Why: "not a member"})
	e.refused(Barred, Enter{By: "b", Player: account("b"), Rating: 1600})
	e.refused(Barred, Return{By: "b", Who: "b"})
	e.do(Enter{By: "c", Player: account("c"), Rating: 1600})
	e.do(Withdraw{By: "c", Who: "c"}) // never approved
	e.do(Return{By: "c", Who: "c"})
	if got := e.m.Entry("c").Status; got != Asked {
		t.Errorf("c came back %s without approval", got)
	}
	e.do(Withdraw{By: "a", Who: "a"}) // approved before
	e.do(Return{By: "a", Who: "a"})
	if got := e.m.Entry("a").Status; got != In {
		t.Errorf("a came back %s", got)
	}
	e.refused(Forbidden, Pause{By: "c", Who: "a"})
	e.refused(Forbidden, Edit{By: "r", Settings: set})
	e.refused(Forbidden, Staff{By: "r", Organisers: []string{"r"}})
	e.refused(Forbidden, Expel{By: "o", Who: "a", Why: "x"})
	e.refused(Forbidden, Announce{By: "a", Text: "hello"})
	e.refused(NeedsReason, Announce{By: "r", Text: " "})
	e.refused(Forbidden, Hold{By: "a", Held: true, Why: "x"})
	e.refused(NeedsReason, Hold{By: "o", Held: true})
	e.refused(UnknownRequest, "checkmate")
	e.do(Announce{By: "r", Text: "We start at eight"})
	e.start()
	e.refused(WrongPhase, Edit{By: "o", Settings: set})
	e.refused(WrongPhase, Remove{By: "o", Who: "a", Why: "x"})
	e.do(Expel{By: "r", Who: "a", Why: "used an engine"})
	e.refused(Barred, Return{By: "a", Who: "a"})
	e.refused(AlreadyMade, Create{By: "x", Salt: "s", Settings: set, Civil: dawn})
	e.same()
}

func TestSettings(t *testing.T) {
	for name, spoil := range map[string]func(*Settings){
		"no name":                 func(s *Settings) { s.Name = "" },
		"format":                  func(s *Settings) { s.Format = "swiss" },
		"scoring of the format":   func(s *Settings) { s.Format, s.Scoring = RoundRobin, ArenaPoints },
		"access":                  func(s *Settings) { s.Access = "friends" },
		"bell":                    func(s *Settings) { s.Bell = "" },
		"duration":                func(s *Settings) { s.Duration = minute - 1 },
		"rest":                    func(s *Settings) { s.Rest = -1 },
		"check-in after start":    func(s *Settings) { s.CheckInAt, s.StartAt = 2, 1 },
		"limits":                  func(s *Settings) { s.MinRating, s.MaxRating = 2000, 1000 },
		"group":                   func(s *Settings) { s.GroupSize = 2 },
		"rule set":                func(s *Settings) { s.Terms.RuleSet = "nobody's" },
		"WBCA rates no 2 minutes": func(s *Settings) { s.Terms.Base, s.Rated = 2*minute, true },
		"nor 8 minutes":           func(s *Settings) { s.Terms.Base, s.Rated = 8*minute, true },
	} {
		set := Defaults(Arena)
		set.Name = "x"
		if err := set.Check(); err != nil {
			t.Fatal(err)
		}
		spoil(&set)
		var r *Refusal
		if err := set.Check(); !errors.As(err, &r) || r.Code != BadSettings {
			t.Errorf("%s: %v", name, err)
		}
	}
	set := Defaults(Arena)
	set.Name, set.Rated = "x", true // five minutes by WBCA's rules
	if err := set.Check(); err != nil {
		t.Error(err)
	}
	if s := set.setup(&Entry{ID: "a", Account: true}, &Entry{ID: "g"}); s.Rated {
		t.Error("a guest's game is rated")
	}
}

// Case ARN-03: T is the bell. G1 ended at T-1 ms and is reported at T+30; G2 at T+1 ms; G3 is played on.
func TestGamesThatRunAtTheBell(t *testing.T) {
	for _, at := range []AtBell{PlayOn, Stop} {
		set := Defaults(Arena)
		set.Bell = at
		e := open(t, set)
		e.enter("a", "b", "c", "d", "e", "f")
		e.start()
		if len(e.m.running) != 3 {
			t.Fatalf("%d games", len(e.m.running))
		}
		g1, g2, g3 := e.board("a"), e.board("c"), e.board("e")
		for _, g := range []*Game{g1, g2, g3} {
			e.do(actor.Acked{Effect: "open/" + g.ID})
		}
		e.pass(60*minute + 30)
		win := Outcome{Score: game.WhiteWins, Reason: "checkmate"}
		e.do(Finished{Game: g1.ID, Outcome: win, Ago: 31})
		e.do(Finished{Game: g2.ID, Outcome: win, Ago: 29})
		e.do(Finished{Game: g2.ID, Outcome: Outcome{Score: game.BlackWins}}) // told again: the first word stands
		if at == Stop {
			if got := e.effects(); !slices.Contains(got, "stop/"+g3.ID) || !slices.Contains(got, "file/"+g2.ID+"/1") {
				t.Errorf("effects %v", got)
			}
			e.do(actor.Acked{Effect: "stop/" + g3.ID})
			e.do(Finished{Game: g3.ID, Outcome: Outcome{Score: game.Void, Reason: "annulled"}})
		} else {
			if e.pass(minute); e.m.Phase != LastGames {
				t.Errorf("%s while a game runs", e.m.Phase)
			}
			e.do(Finished{Game: g3.ID, Outcome: win})
		}
		e.pass(0)
		if e.m.Phase != Provisional {
			t.Errorf("%s: %s", at, e.m.Phase)
		}
		want := map[AtBell][3]int{PlayOn: {2, 2, 2}, Stop: {2, 0, 0}}[at]
		for i, g := range []*Game{g1, g2, g3} {
			if got := e.row(g.White); got.Points != want[i] || got.Games != want[i]/2 {
				t.Errorf("%s: game %d gives %d half points in %d games", at, i+1, got.Points, got.Games)
			}
		}
		e.same()
	}
}

// Both clocks and two minutes after the bell the last games are stopped, and one whose table is gone ends nobody's evening.
func TestTheHardStop(t *testing.T) {
	e := open(t, Defaults(Arena))
	e.enter("a", "b")
	e.start()
	g := e.board("a")
	e.pass(60*minute + 12*minute - 1)
	if g := e.board("a"); g.Stopping {
		t.Error("stopped too soon")
	}
	e.pass(1)
	e.do(actor.Acked{Effect: "stop/" + g.ID, Err: errors.New("no such game")})
	e.pass(0)
	if e.m.Phase != Provisional || e.row("a").Games != 0 {
		t.Errorf("%s, %+v", e.m.Phase, e.row("a"))
	}
}

func TestNoPairingJustBeforeTheBell(t *testing.T) {
	e := open(t, Defaults(Arena))
	e.enter("a", "b", "c", "d")
	e.start()
	e.pass(59*minute + 50*1000)
	e.wins("a")
	e.wins("c")
	for _, id := range []string{"a", "b", "c", "d"} {
		e.do(Ready{By: id, Who: id})
	}
	e.pass(1000)
	if n := len(e.m.running); n != 0 {
		t.Errorf("%d games were started in the last ten seconds", n)
	}
	if got := e.m.Why("a", dawn+e.at); got.Code != NearBell {
		t.Errorf("why: %+v", got)
	}
}

// D33: the absent is set aside, the present is paired again at once, nobody gets a point.
func TestNoShow(t *testing.T) {
	e := open(t, Defaults(Arena))
	e.enter("a", "b", "c", "d", "x", "y")
	e.start()
	g := e.board("a")
	e.wins("c") // c and d rest
	e.pass(1000)
	e.do(Ready{By: "c", Who: "c"})
	e.pass(5000)
	absent := Outcome{Score: game.Void, Reason: "absent"}
	absent.NoShow[game.White] = g.White == "a"
	absent.NoShow[game.Black] = g.Black == "a"
	e.do(Finished{Game: g.ID, Outcome: absent})
	e.pass(0)
	other := g.White
	if other == "a" {
		other = g.Black
	}
	if next := e.board(other); next.White != "c" && next.Black != "c" {
		t.Errorf("the present player has %+v", next)
	}
	a := e.m.Entry("a")
	if a.Status != Paused || a.Colors != "" || e.row("a").Games != 0 || e.row(other).Points != 0 {
		t.Errorf("a: %+v", a)
	}
	if got := e.m.Why("a", dawn+e.at); got.Code != SetAside {
		t.Errorf("why: %+v", got)
	}
	e.do(Return{By: "a", Who: "a"})
	if !a.free() {
		t.Error("a cannot be paired after his return")
	}
	e.same()
}

// Between games the verdict stays until the player is ready, or ten seconds; a hidden page is never paired.
func TestRestAndPresence(t *testing.T) {
	e := open(t, Defaults(Arena))
	e.enter("a", "b", "c")
	e.start()
	out := e.m.Left[0]
	first := e.m.live()[0]
	e.wins(first.White)
	e.pass(9999)
	if len(e.m.running) != 0 {
		t.Error("paired while both rest")
	}
	if got := e.m.Why(first.White, dawn+e.at).Text(dawn + e.at); got != "You rest for 1 s, or until you are ready" {
		t.Error(got)
	}
	e.pass(1)
	if e.m.Entry(out).Game == "" {
		t.Error("the odd one out was not paired next")
	}
	second := e.m.live()[0]
	waits := e.m.Left[0]
	e.do(Presence{Who: waits, Here: false})
	if got := e.m.Why(waits, dawn+e.at); got.Code != IsAway {
		t.Errorf("why: %+v", got)
	}
	e.wins(second.White)
	e.pass(24 * 1000) // ten of rest, fifteen before the same two meet again
	if len(e.m.running) != 0 {
		t.Error("paired too soon, or with a hidden page")
	}
	e.pass(1000)
	if g := e.board(second.White); !g.Repeat || g.White != second.Black {
		t.Errorf("after the wait: %+v", g)
	}
	e.same()
}

// A pair that does not get its seats is no game: the one who sits elsewhere is not counted until he is back, the other
// waits on without a penalty (ARN-01).
func TestSeatsTakenElsewhere(t *testing.T) {
	e := open(t, Defaults(Arena))
	e.enter("a", "b", "c")
	e.start()
	g := *e.m.live()[0]
	e.do(actor.Acked{Effect: "open/" + g.ID, Err: fmt.Errorf("refused: %w", &Busy{Who: []string{g.White}})})
	e.pass(1000)
	next := e.m.live()
	if len(next) != 1 || next[0].White == g.White || next[0].Black == g.White || next[0].ID == g.ID {
		t.Fatalf("%+v", next)
	}
	if e.m.Entry(g.White).Here || e.m.Entry(g.Black).Colors != "" {
		t.Error("the pair that was not seated left something behind")
	}
	e.same()
}

func TestTheArbiter(t *testing.T) {
	e := open(t, Defaults(Arena))
	e.enter("a", "b", "r")
	e.do(Hold{By: "r", Why: "the router is broken", Held: true})
	e.start()
	e.pass(minute)
	if len(e.m.running) != 0 {
		t.Fatal("paired while it is held")
	}
	e.refused(Forbidden, PairByHand{By: "o", White: "a", Black: "b", Why: "x"})
	e.refused(NotNow, PairByHand{By: "r", White: "a", Black: "a", Why: "x"})
	e.do(PairByHand{By: "r", White: "a", Black: "r", Why: "to play on"})
	e.refused(NotNow, PairByHand{By: "r", White: "b", Black: "a", Why: "x"})
	own := e.board("r").ID
	e.wins("a")
	e.refused(OwnGame, Correct{By: "r", Game: own, Outcome: Outcome{Score: game.Draw}, Why: "I was better"})
	e.do(Hold{By: "r", Why: "it works again", Held: false})
	e.do(Pause{By: "r", Who: "r"})
	e.pass(minute)
	g := e.board("a").ID
	white := e.board("a").White
	e.refused(NotNow, Correct{By: "r", Game: g, Outcome: Outcome{Score: game.Draw}, Why: "x"})
	e.wins(white)
	c := Correct{By: "r", Game: g, Outcome: Outcome{Score: game.Draw}, Why: "both flags were down"}
	e.refused(NeedsReason, Correct{By: "r", Game: g, Outcome: Outcome{Score: game.Draw}})
	e.refused(BadResult, Correct{By: "r", Game: g, Outcome: Outcome{Score: "2-0"}, Why: "x"})
	before := e.row(white).Points
	preview, err := e.m.Preview(c)
	if err != nil || e.row(white).Points != before {
		t.Fatalf("preview: %v, or it changed the table", err)
	}
	e.do(c)
	if got := e.row(white).Points; got != before-1 {
		t.Errorf("%d half points after the correction, %d before", got, before)
	}
	if got := e.m.Standings(); !slices.Equal(got, preview) {
		t.Errorf("%+v, shown before %+v", got, preview)
	}
	if got := e.effects(); !slices.Contains(got, "file/"+g+"/1") {
		t.Errorf("effects %v", got)
	}
	e.do(actor.Acked{Effect: "file/" + g + "/1"})
	e.do(Correct{By: "r", Game: g, Outcome: Outcome{Score: game.Void}, Why: "annulled (12)"})
	if from := e.m.Game(g).Change.From.Score; from == game.Draw || !slices.Contains(e.effects(), "file/"+g+"/2") {
		t.Errorf("from %s, effects %v", from, e.effects())
	}
	e.same()
}

// The bell does not move for an outage, and nobody is taken for present after it.
func TestAnOutage(t *testing.T) {
	e := open(t, Defaults(Arena))
	e.enter("a", "b", "c", "d")
	e.start()
	e.pass(minute)
	e.do(actor.Recovered{Elapsed: 100, Gap: 10 * minute})
	e.wins("a")
	e.wins("c")
	e.pass(minute)
	if len(e.m.running) != 0 {
		t.Error("a ghost was paired")
	}
	for _, id := range []string{"a", "b", "c", "d"} {
		e.do(Presence{Who: id, Here: true})
	}
	e.pass(minute)
	if len(e.m.running) != 2 {
		t.Errorf("%d games after the return", len(e.m.running))
	}
	e.pass(46*minute + 59999)
	if e.m.Phase != Running {
		t.Errorf("%s before the bell", e.m.Phase)
	}
	e.pass(1)
	if e.m.Phase != LastGames {
		t.Errorf("%s at the bell", e.m.Phase)
	}
	e.same()
}

func TestTheBellIsMoved(t *testing.T) {
	e := open(t, Defaults(Arena))
	e.enter("a", "b")
	e.start()
	e.pass(minute)
	e.refused(Forbidden, MoveBell{By: "r", Bell: dawn + 90*minute, Why: "x"})
	e.refused(BadBell, MoveBell{By: "o", Bell: dawn, Why: "x"})
	e.do(MoveBell{By: "o", Bell: dawn + 90*minute, Why: "we lost half an hour"})
	e.pass(60 * minute)
	if e.m.Phase != Running {
		t.Error(e.m.Phase)
	}
	e.pass(29 * minute)
	if e.m.Phase != LastGames {
		t.Error(e.m.Phase)
	}
}
