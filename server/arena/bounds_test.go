package arena

import (
	"fmt"
	"strings"
	"testing"

	"flagfall/game"
)

// A table that stood before the event was told of its opening can end first. The game is one that was played all the same: files and
// corrections find it.
func TestOverBeforeItWasOpened(t *testing.T) {
	e := open(t, Defaults(Arena))
	e.enter("a", "b")
	e.start()
	g := e.board("a")
	if g.Opened {
		t.Fatal("nobody has told that it is")
	}
	e.do(Finished{Game: g.ID, Outcome: Outcome{Score: game.WhiteWins, Reason: "resignation"}})
	if g = e.m.Game(g.ID); !g.Opened || !g.Over || g.Outcome.Score != game.WhiteWins {
		t.Errorf("%+v", g)
	}
	e.same()
}

// What a game cannot be held by is refused when the event is made, and says the field.
func TestSettingsNoGameCanHave(t *testing.T) {
	for field, change := range map[string]func(*Settings){
		"base":            func(s *Settings) { s.Terms.Base = game.MinBase - 1 },
		"presence":        func(s *Settings) { s.Options.Presence = false },
		"first_move":      func(s *Settings) { s.Options.FirstMove = 1<<63 - 1 },
		"first_move 0":    func(s *Settings) { s.Options.FirstMove = 0 },
		"both_flags_idle": func(s *Settings) { s.Options.BothFlagsIdle = 1<<63 - 1 },
		"start_at":        func(s *Settings) { s.StartAt = 1<<63 - 1 },
		"rating":          func(s *Settings) { s.MinRating = 4001 },
		"name":            func(s *Settings) { s.Name = "Club\nnight" },
	} {
		set := Defaults(Arena)
		set.Name = "Club night"
		change(&set)
		if err := set.Check(); err == nil || !strings.Contains(err.Error(), field) {
			t.Errorf("%s: %v", field, err)
		}
	}
}

func TestReadableNames(t *testing.T) {
	for name, want := range map[string]bool{
		"Żółć":             true,
		"محمد":             true, // from right to left by its own letters
		"♟ Club 1":         true,
		"👩‍👧 Mixed":        true, // joined by U+200D
		"":                 false,
		" \u200b":          false,
		"a\nb":             false,
		"a\tb":             false,
		"a\u202eb":         false,
		"a\u2066b":         false,
		"a\u2028b":         false,
		"a\x00":            false,
		"a\xff":            false,
		"\u200d\u200d":     false,
		"=cmd|' /C calc'!": true, // files keep it from being run
	} {
		if got := readable(name); got != want {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
	if _, err := ReadRoster([]byte("anna\n\"bert\nB\"\n")); err == nil || err.(*BadRoster).Line != 2 {
		t.Errorf("a name of two lines: %v", err)
	}
	e := open(t, Defaults(Arena))
	e.refused(BadList, Roster{By: "o", Lines: []RosterLine{{Name: "anna"}, {Name: "bert", Real: "B\u202eert"}}})
}

// What a spreadsheet could run is text to it (OWASP, CSV injection).
func TestCellText(t *testing.T) {
	for _, text := range []string{"=1+1", "+1", "-1", "@SUM(1)", "\t=1", "\r=1", "\n=1", "＝1+1", "＋1", "－1", "＠SUM(1)"} {
		if got := CellText(text); got != "'"+text {
			t.Errorf("%q is written as %q", text, got)
		}
	}
	for _, text := range []string{"", "anna", "Żółć", "a=1", "1-0"} {
		if got := CellText(text); got != text {
			t.Errorf("%q is written as %q", text, got)
		}
	}
}

// Who enters and withdraws again and again fills nothing without end.
func TestEntriesAreBounded(t *testing.T) {
	e := open(t, Defaults(Arena))
	lines := func(n int) (list []RosterLine) {
		for range n {
			list = append(list, RosterLine{Name: fmt.Sprintf("line %d of many", len(e.m.Entries)+len(list)+1)})
		}
		return list
	}
	for range 2 {
		e.do(Roster{By: "o", Lines: lines(mostEntries)})
		for _, one := range e.m.Entries {
			if one.Status == In {
				e.do(Withdraw{By: "o", Who: one.ID})
			}
		}
	}
	if n := len(e.m.Entries); n != mostKept {
		t.Fatalf("%d entries", n)
	}
	e.refused(Full, Roster{By: "o", Lines: lines(1)})
	e.refused(Full, Enter{By: "a", Player: account("a")})
}

// Ids are addresses with 32 characters at most, however often a game is played again.
func TestIDsOfGamesPlayedAgain(t *testing.T) {
	id := "abcdefghij-1999-2"
	for want := range strings.FieldsSeq("abcdefghij-1999-2-r abcdefghij-1999-2-r2 abcdefghij-1999-2-r3 abcdefghij-1999-2-r4") {
		if id = againID(id); id != want {
			t.Errorf("%s, want %s", id, want)
		}
	}
	id = secondID("n-1-r2")
	for want := range strings.FieldsSeq("n-1-r2-2-r n-1-r2-2-r2 n-1-r2-2-r3") {
		if id = againID(id); id != want {
			t.Errorf("%s, want %s", id, want)
		}
	}
}

// An event that its organiser has forgotten does not stay for ever, whatever it waits for.
func TestNeglected(t *testing.T) {
	const days = 24 * 60 * 60000
	over := func(e *event) {
		t.Helper()
		e.pass(60*days - 1)
		if e.m.Closed {
			t.Fatalf("%s: closed too soon", e.m.Phase)
		}
		e.pass(1)
		if !e.m.Closed {
			t.Fatalf("%s: not closed", e.m.Phase)
		}
		e.stored()
		if !e.m.Done() {
			t.Errorf("%s: not done", e.m.Phase)
		}
		e.same()
	}
	e := open(t, Defaults(Arena))
	e.pass(59 * days)
	e.enter("a", "b", "c") // something has happened
	e.stored()
	over(e)
	if e.m.Cancelled == "" || e.m.Phase != Open {
		t.Errorf("%s, %q", e.m.Phase, e.m.Cancelled)
	}

	e = open(t, robin(RoundRobin))
	set := e.m.Settings
	set.AutoRound = false
	e.do(Edit{By: "o", Settings: set})
	e.enter("a", "b", "c")
	e.start()
	e.do(StartRound{By: "o"})
	e.playAll()
	if e.m.Round != 1 || e.m.Phase != Running {
		t.Fatalf("round %d, %s", e.m.Round, e.m.Phase)
	}
	e.pass(60 * days)
	if e.m.Round != 1 || e.m.Phase != Provisional {
		t.Fatalf("round %d, %s", e.m.Round, e.m.Phase)
	}
	e.stored()
	over(e)
	if e.m.Cancelled != "" || len(e.m.Standings()) != 3 {
		t.Errorf("%q, %+v", e.m.Cancelled, e.m.Standings())
	}
}
