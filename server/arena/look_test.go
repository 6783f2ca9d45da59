package arena

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"flagfall/clock"
	"flagfall/game"
)

func keyed(t *testing.T, access Access) *event {
	set := Defaults(Arena)
	set.Name, set.Access = "Club night", access
	e := &event{t: t, m: newMachine(), twin: newMachine()}
	e.do(Create{By: "o", Salt: "n", Settings: set, Civil: dawn, Name: "club-night", Link: "LINK", Screen: "SCREEN", Hash: "$secret",
		Names: map[string]string{"o": "Olga"}})
	e.do(Staff{By: "o", Organisers: []string{"o"}, Arbiters: []string{"r"}, Names: map[string]string{"r": "Ruth"}})
	return e
}

func TestWhoMaySee(t *testing.T) {
	type ask struct {
		who        Viewer
		see, enter bool
	}
	for access, asks := range map[Access][2][]ask{ // while it is being written, and when it is open
		Public: {
			{{Viewer{}, false, true}, {Viewer{ID: "x"}, false, true}, {Viewer{ID: "o"}, true, true}, {Viewer{Key: "LINK"}, true, true}},
			{{Viewer{}, true, true}, {Viewer{ID: "x", Key: "wrong"}, true, true}},
		},
		ByPassword: {
			{{Viewer{ID: "x"}, false, true}, {Viewer{ID: "r"}, true, true}},
			{{Viewer{}, true, true}},
		},
		ByLink: {
			{{Viewer{}, false, false}, {Viewer{ID: "o"}, true, true}, {Viewer{Key: "SCREEN"}, true, false}},
			{
				{Viewer{}, false, false}, {Viewer{ID: "x", Key: "wrong"}, false, false}, {Viewer{ID: "x", Key: "LINK"}, true, true},
				{Viewer{ID: "x", Key: "SCREEN"}, true, false}, {Viewer{ID: "o"}, true, true}, {Viewer{ID: "r"}, true, true},
				{Viewer{ID: "in"}, true, true},
			},
		},
	} {
		e := keyed(t, access)
		for i, list := range asks {
			if i == 1 {
				e.do(Advance{By: "o", To: Open})
				e.do(Enter{By: "in", Player: account("in")})
			}
			for _, a := range list {
				if see, enter := e.m.May(a.who), e.m.MayEnter(a.who); see != a.see || enter != a.enter {
					t.Errorf("%q in %s: %+v sees %v, enters %v", access, e.m.Phase, a.who, see, enter)
				}
			}
		}
	}
	e := newMachine()
	e.Apply(Event{Kind: Created, By: "o", Settings: &Settings{Access: ByLink}, Origin: 1})
	if e.Opens("") || e.May(Viewer{}) { // an event without a link has no key
		t.Error("an empty key opens")
	}
}

// What only organisers and arbiters are shown, nobody else finds in his page.
func TestThePage(t *testing.T) {
	e := keyed(t, ByLink)
	e.do(Advance{By: "o", To: Open})
	e.do(Roster{By: "o", Lines: threeLines})
	e.enter("a", "b", "c")
	e.do(Announce{By: "r", Text: "Welcome"})
	e.do(Announce{By: "o", Text: "We start"})
	for _, id := range []string{"", "a", "x"} {
		text, err := json.Marshal(e.m.Page(Viewer{ID: id, Key: "LINK"}, dawn))
		if err != nil || strings.Contains(string(text), "LINK") || strings.Contains(string(text), "SCREEN") || strings.Contains(string(text), "secret") {
			t.Errorf("%q sees %s", id, text)
		}
	}
	p := e.m.Page(Viewer{ID: "r"}, dawn+e.at)
	if p.You.Link != "LINK" || p.You.Settings == nil || p.You.Role != (Role{Arbiter: true}) || p.You.Entry != nil {
		t.Errorf("%+v", p.You)
	}
	if len(p.Notices) != 2 || p.Notices[0] != (NoticeView{At: dawn, By: "Olga", Text: "We start"}) || p.Notices[1].By != "Ruth" {
		t.Errorf("%+v", p.Notices)
	}
	if want := []Member{{"o", "Olga", "organiser"}, {"r", "Ruth", "arbiter"}}; !slices.Equal(p.Staff, want) {
		t.Errorf("%+v", p.Staff)
	}
	if want := []Line{{"r-1", "Anna"}, {"r-2", "Ben"}, {"r-3", "Carl"}}; !slices.Equal(p.Roster, want) {
		t.Errorf("%+v", p.Roster)
	}
	if p.Terms != (Terms{Rules: "wbca", Base: 5 * minute, Mode: "board"}) || p.Phase != "open" || p.Duration != 60*minute || p.Next == "" {
		t.Errorf("%+v", p)
	}
	e.start()
	e.seat()
	e.pass(minute)
	p = e.m.Page(Viewer{ID: "a"}, dawn+e.at)
	if p.Entries != 3 || p.Lines != 3 || p.Here != 3 || p.Playing != 2 || p.Waiting != 1 || p.Games != 0 || p.Bell != dawn+60*minute {
		t.Errorf("%+v", p)
	}
	g := e.m.live()[0]
	m := e.m.Mine(g.Black, dawn+e.at)
	if m.Game != g.ID || m.Color != "b" || m.Opponent != strings.ToUpper(g.White) || m.Because != nil {
		t.Errorf("%+v", m)
	}
	odd := e.m.Mine(e.m.Left[0], dawn+e.at)
	if odd.Because == nil || odd.Because.Code != OddOne || odd.Because.Text == "" || !odd.Ready || odd.Place == 0 {
		t.Errorf("%+v", odd)
	}
	e.wins(g.White)
	if m := e.m.Mine(g.White, dawn+e.at); m.Place != 1 || m.Points != 2 || m.Games != 1 || m.Ready || m.Since != dawn+e.at+10000 {
		t.Errorf("%+v", m)
	}
	if e.m.Mine("x", dawn) != nil {
		t.Error("x is not in the event")
	}
	e.pass(75 * minute)
	e.do(Finished{Game: e.m.live()[0].ID, Outcome: Outcome{Score: game.Draw}})
	e.pass(0)
	if p := e.m.Page(Viewer{}, dawn+e.at); p.Roster != nil || p.Phase != "provisional" || p.Games != 2 || len(p.Top) != 3 {
		t.Errorf("%+v", p)
	}
}

// An arbiter's desk has the games of the event except his own.
func TestTheDeskOfOneWhoPlays(t *testing.T) {
	e := four(t)
	own, other := *e.board("a"), *e.board("c")
	if d := e.m.DeskView("a", dawn); len(d.Games) != 1 || d.Games[0].Game != other.ID {
		t.Errorf("%+v", d.Games)
	}
	d := e.m.DeskView("r", dawn)
	if len(d.Games) != 2 || d.Games[0].Game != own.ID || d.Games[0].White.ID != own.White || d.Games[0].White.Rating == 0 || d.Games[0].Started != own.At {
		t.Errorf("%+v", d.Games)
	}
}

// Whatever the directory of events tells is stored when it changes.
func TestEditions(t *testing.T) {
	e := open(t, Defaults(Arena))
	e.stored()
	e.enter("a", "b")
	for _, cmd := range []any{
		Edit{By: "o", Settings: e.m.Settings},
		Staff{By: "o", Organisers: []string{"o"}, Arbiters: []string{"r"}},
		SetPassword{By: "o", Hash: "x"},
		Advance{By: "o", To: CheckIn},
		Advance{By: "o", To: Running},
	} {
		e.do(cmd)
		e.stored()
	}
	e.do(MoveBell{By: "o", Bell: dawn + 90*minute, Why: "x"})
	e.stored()
	before := e.m.Edition
	e.do(Announce{By: "o", Text: "x"})
	if e.m.Edition != before {
		t.Error("an announcement stores the event")
	}
	other := open(t, Defaults(Arena))
	other.stored()
	other.do(Cancel{By: "o", Why: "x"})
	other.stored()
}

// The terms are written as in messages, and read so; version 1 wrote them otherwise.
func TestSettingsAsText(t *testing.T) {
	set := Defaults(Arena)
	set.Terms = game.Terms{RuleSet: "fide", Base: 180000, Mode: game.Fast, Timing: clock.Timing{Kind: clock.Fischer, Ms: 2000}, Casual: true}
	text, err := json.Marshal(set)
	if err != nil || !strings.Contains(string(text), `"terms":{"rules":"fide","base":180000,"mode":"fast","timing":"increment","each":2000,"casual":true}`) {
		t.Errorf("%v, %s", err, text)
	}
	var back Settings
	if err := json.Unmarshal(text, &back); err != nil || back != set {
		t.Errorf("%v, %+v, want %+v", err, back, set)
	}
	if err := json.Unmarshal([]byte(`{"name":"x","terms":{"base":60000}}`), &back); err != nil || back.Terms.Base != 60000 || back.Terms.RuleSet != "fide" || back.Name != "x" {
		t.Errorf("%v, %+v: what is absent stays", err, back)
	}
	for _, bad := range []string{`{"terms":5}`, `{"terms":{"base":"long"}}`, `{"rest":"x"}`, `{"terms":{"RuleSet":"wbca","Timing":5}}`} {
		if err := json.Unmarshal([]byte(bad), &back); err == nil {
			t.Errorf("%s is read", bad)
		}
	}
}

// The days of a report are those of the place where the event is held.
func TestTheZoneOfTheEvent(t *testing.T) {
	for zone, want := range map[string]string{"": "2023/11/14", "Europe/Madrid": "2023/11/14", "Asia/Tokyo": "2023/11/15", "America/New_York": "2023/11/14"} { // dawn is 22:13 UTC
		set := robin(RoundRobin)
		set.Zone = zone
		e := open(t, set)
		e.enter(players(2)...)
		e.start()
		text, err := e.m.TRF(1)
		if err != nil || !strings.Contains(string(text), "042 "+want+"\r\n") {
			t.Errorf("%s: %v\n%s", zone, err, text)
		}
	}
	for _, bad := range []string{"Local", "Europe/Nowhere", "../etc/passwd"} {
		set := Defaults(Arena)
		set.Name, set.Zone = "x", bad
		if set.Check() == nil {
			t.Errorf("zone %q is taken", bad)
		}
	}
}
