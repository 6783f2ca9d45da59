package arena

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"flagfall/game"
)

func guest(id, name string) game.Player { return game.Player{ID: id, Name: name} }

var threeLines = []RosterLine{{Name: "Anna", Real: "Anna Berg", Rating: 1800}, {Name: "Ben"}, {Name: "Carl", Rating: 1500}}

func TestTheList(t *testing.T) {
	set := Defaults(Arena)
	set.MinRating, set.MaxRating, set.Guests, set.Approve, set.Most = 1900, 2100, false, true, 5
	e := open(t, set)
	e.do(Enter{By: "d", Player: account("d"), Rating: 2000})
	e.refused(Forbidden, Roster{By: "r", Lines: threeLines})
	e.refused(BadList, Roster{By: "o"})
	e.refused(BadList, Roster{By: "o", Lines: []RosterLine{{Name: " "}}})
	e.refused(BadList, Roster{By: "o", Lines: []RosterLine{{Name: "x"}, {Name: strings.Repeat("x", 81)}}})
	e.refused(BadList, Roster{By: "o", Lines: []RosterLine{{Name: "x", Rating: -1}}})
	e.refused(NameTaken, Roster{By: "o", Lines: []RosterLine{{Name: "Ben"}, {Name: "ben"}}})
	e.refused(NameTaken, Roster{By: "o", Lines: []RosterLine{{Name: "d"}}})
	e.refused(Full, Roster{By: "o", Lines: slices.Concat(threeLines, []RosterLine{{Name: "x"}, {Name: "y"}})})
	if err := e.try(Roster{By: "o", Lines: []RosterLine{{Name: "x"}, {Name: "D"}}}); err == nil || err.Error() != "name_taken: line 2: D" {
		t.Error(err)
	}
	e.do(Roster{By: "o", Lines: threeLines})
	e.do(Enter{By: "o", Player: account("x")})
	e.refused(Full, Enter{By: "o", Player: account("y")}) // lines have their places, too
	e.same()
}

func TestClaims(t *testing.T) {
	set := Defaults(Arena)
	set.MinRating, set.MaxRating, set.Guests, set.Approve = 1900, 2100, false, true
	e := &event{t: t, m: newMachine(), twin: newMachine()}
	set.Name = "Club night"
	e.do(Create{By: "o", Salt: "n", Settings: set, Civil: dawn})
	e.do(Roster{By: "o", Lines: threeLines})
	e.refused(WrongPhase, Claim{Player: guest("g", "Guest 1234"), Line: "r-1"})
	e.do(Advance{By: "o", To: Open})
	e.refused(UnknownLine, Claim{Player: guest("g", "Guest 1234"), Line: "r-4"})
	e.refused(UnknownLine, Claim{Player: guest("g", "Guest 1234"), Line: "o"})
	e.refused(UnknownLine, Claim{Player: guest("g", "Guest 1234"), Line: "r-01"})
	e.refused(BadSettings, Claim{Player: guest("", "Guest 1234"), Line: "r-1"})
	e.refused(NotForBots, Claim{Player: game.Player{ID: "b", Name: "bot", Bot: true}, Line: "r-1"})
	e.do(Claim{Player: guest("g", "Guest 1234"), Line: "r-1", Rating: 1200}) // no limit binds who is on the list
	if got, want := *e.m.Entry("g"), (Entry{ID: "g", Name: "Anna", Real: "Anna Berg", Rating: 1800, Status: In, Admitted: true, Claimed: true}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	e.refused(LineTaken, Claim{Player: guest("h", "Guest 9"), Line: "r-1"})
	e.refused(AlreadyIn, Claim{Player: guest("g", "Guest 1234"), Line: "r-2"})
	e.do(Claim{Player: game.Player{ID: "m", Name: "benny", Account: true}, Line: "r-2", Rating: 1650})
	if got, want := *e.m.Entry("m"), (Entry{ID: "m", Name: "benny", Real: "Ben", Rating: 1650, Account: true, Status: In, Admitted: true, Claimed: true}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	e.refused(NameTaken, Claim{Player: game.Player{ID: "k", Name: "anna", Account: true}, Line: "r-3"})
	e.do(Remove{By: "o", Who: "r-3", Why: "wrote that he is ill"})
	e.refused(LineTaken, Claim{Player: guest("h", "Guest 9"), Line: "r-3"})
	ids := []string{}
	for _, v := range e.m.EntryViews() {
		ids = append(ids, v.ID)
	}
	if !slices.Equal(ids, []string{"g", "m", "r-3"}) { // each in the place of his line
		t.Error(ids)
	}
	e.same()
}

// Nobody pairs a line that nobody has claimed, and nobody plays for it; it can be claimed while entries are taken.
func TestLinesOfAnArena(t *testing.T) {
	set := Defaults(Arena)
	e := open(t, set)
	e.enter("a", "b")
	e.do(Roster{By: "o", Lines: threeLines})
	e.do(Advance{By: "o", To: CheckIn})
	e.refused(UnknownEntry, Arrive{By: "o", Who: "r-1"})
	e.refused(UnknownEntry, Pause{By: "o", Who: "r-1"})
	e.start()
	e.pass(minute)
	e.refused(NotNow, PairByHand{By: "r", White: "r-1", Black: "r-2", Why: "x"})
	if n := len(e.m.Games); n != 1 {
		t.Errorf("%d games of two who are there", n)
	}
	if rows := e.m.Standings(); len(rows) != 2 {
		t.Errorf("%+v", rows)
	}
	e.do(Claim{Player: guest("g", "Guest 1"), Line: "r-1"})
	e.do(Claim{Player: guest("h", "Guest 2"), Line: "r-2"})
	e.do(Presence{Who: "g", Here: true})
	e.do(Presence{Who: "h", Here: true})
	e.pass(1000)
	if g := e.board("g"); g.White != "h" && g.Black != "h" {
		t.Errorf("%+v", g)
	}
	e.do(Withdraw{By: "o", Who: "r-3"})
	e.refused(LineTaken, Claim{Player: guest("i", "Guest 3"), Line: "r-3"})
	e.same()
	late := Defaults(Arena)
	late.Late = false
	other := open(t, late)
	other.enter("a", "b")
	other.do(Roster{By: "o", Lines: threeLines})
	other.start()
	other.refused(NoLateEntry, Claim{Player: guest("g", "Guest 1"), Line: "r-1"})
	other.pass(61 * minute)
	other.refused(WrongPhase, Roster{By: "o", Lines: []RosterLine{{Name: "Zoe"}}})
}

// Who is not there when a round robin is drawn has no number in it.
func TestLinesOfARoundRobin(t *testing.T) {
	e := open(t, robin(RoundRobin))
	e.enter(players(2)...)
	e.do(Roster{By: "o", Lines: threeLines})
	e.do(Claim{Player: guest("g", "Guest 1"), Line: "r-1"})
	e.start()
	if got := e.m.Groups; len(got) != 1 || !slices.Equal(got[0], []string{"p01", "p02", "g"}) {
		t.Errorf("%v", got)
	}
	e.refused(LineTaken, Claim{Player: guest("h", "Guest 2"), Line: "r-2"})
	e.refused(NoLateEntry, Roster{By: "o", Lines: []RosterLine{{Name: "Zoe"}}})
	e.same()
}

// Names are unique in an event, whatever their letters' case; programs enter only where they may.
func TestNamesAndBots(t *testing.T) {
	e := open(t, Defaults(Arena))
	e.do(Enter{By: "a", Player: guest("a", "Zoë")})
	e.refused(NameTaken, Enter{By: "b", Player: guest("b", "ZOË")})
	bot := game.Player{ID: "bot", Name: "Bot", Account: true, Bot: true}
	e.refused(NotForBots, Enter{By: "bot", Player: bot})
	set := e.m.Settings
	set.Bots = true
	e.do(Edit{By: "o", Settings: set})
	e.do(Enter{By: "bot", Player: bot})
	if p := e.m.Entry("bot").player(); !p.Bot {
		t.Errorf("%+v: its games would be rated", p)
	}
	e.same()
}

// Access by link wants a link, by password a password; only organisers change it, and nobody is shown it.
func TestKeysAndPasswords(t *testing.T) {
	set := Defaults(Arena)
	set.Name = "Club night"
	for _, access := range []Access{ByLink, ByPassword} {
		set.Access = access
		_, err := newMachine().Decide(Create{By: "o", Salt: "n", Settings: set, Civil: dawn}, 0)
		var r *Refusal
		if !errors.As(err, &r) || r.Code != BadSettings {
			t.Errorf("%s: %v", access, err)
		}
	}
	e := &event{t: t, m: newMachine(), twin: newMachine()}
	set.Access = Public
	e.do(Create{By: "o", Salt: "n", Settings: set, Civil: dawn, Name: "club-night", Link: "LINK", Screen: "SCREEN", Club: "north"})
	set.Access = ByPassword
	e.refused(BadSettings, Edit{By: "o", Settings: set})
	e.refused(Forbidden, SetPassword{By: "x", Hash: "$argon2id$secret"})
	e.do(SetPassword{By: "o", Hash: "$argon2id$secret"})
	e.do(Edit{By: "o", Settings: set})
	e.refused(BadSettings, SetPassword{By: "o"})
	d := e.m.DeskView("o", dawn)
	if text := stateText(t, &State{Acts: e.m.Acts}); strings.Contains(text, "secret") {
		t.Error(text)
	}
	if y := d.Page.You; y.Link != "LINK" || y.Screen != "SCREEN" || d.Page.Club != "north" || d.Page.Event != "club-night" || y.Settings.Access != ByPassword {
		t.Errorf("%+v", d.Page)
	}
	e.same()
}
