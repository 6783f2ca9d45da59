package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"flagfall/loadtest/judge"
	"flagfall/loadtest/tally"
	"flagfall/server/wire"
)

// room is an event of which frames are told by hand.
type room struct {
	t   *testing.T
	a   *arenaRun
	now time.Time
}

func newRoom(t *testing.T, people int) *room {
	o := options{arena: people, minutes: time.Minute, seed: 1, think: time.Second}
	a := newArenaRun(o, newRun(o, []string{"http://127.0.0.1:1"}, nil))
	a.link = &eventLink{Event: "evening"}
	a.organiser = &official{changed: make(chan struct{})}
	for i := range people {
		p := newAttendee(a, i)
		p.id, p.kept.Name, p.answer = string(rune('a'+i)), p.name, "at1"
		a.people = append(a.people, p)
	}
	return &room{t, a, time.UnixMilli(1_500_000_000_000)}
}

// tell gives somebody a frame, some ms after the last one; the server's clock is 40 ms behind.
func (r *room) tell(who int, after int64, message any) *room {
	r.t.Helper()
	r.now = r.now.Add(time.Duration(after) * time.Millisecond)
	raw, err := json.Marshal(message)
	if err != nil {
		r.t.Fatal(err)
	}
	f := frame{seen: r.now, raw: raw}
	if err := json.Unmarshal(raw, &f); err != nil {
		r.t.Fatal(err)
	}
	r.a.people[who].look(&f)
	return r
}

func (r *room) news(phase string) wire.EventNews {
	return wire.EventNews{T: "event", ID: "at1", Event: "evening", Now: r.now.UnixMilli() - 40, Phase: phase}
}

func (r *room) failed() string { return strings.Join(r.a.run.failed, "\n") }

func stateOf(game, white, black string) wire.State {
	return wire.State{T: "state", Game: game, White: wire.Person{ID: white}, Black: wire.Person{ID: black}}
}

func finish(result, reason string) wire.Events {
	return wire.Events{T: "ev", N: 2, E: []wire.Event{{K: "end", End: &wire.End{Result: result, Reason: reason}}}}
}

func paired(game, color string) wire.Paired {
	return wire.Paired{T: "paired", Game: game, Color: color}
}

func entry(status, why, game, color string, here bool) wire.EntryNews {
	return wire.EntryNews{T: "entry", Event: "evening", Status: status, Why: why, Game: game, Color: color, Here: here}
}

// A game as both see it: called, seated, won; then one of them rests, is called again, and the wait counts from the rest's end.
func TestWhatAnAttendeeSees(t *testing.T) {
	r := newRoom(t, 2)
	for who := range 2 {
		r.tell(who, 0, r.news("checkin"))
		r.a.people[who].away = &tally.Span{Why: "not yet in the event"}
		r.a.people[who].pairable(r.now)
		r.tell(who, 0, r.news("running"))
	}
	r.tell(0, 700, paired("g", "w")).tell(0, 0, entry("in", "", "g", "w", true)).tell(1, 100, entry("in", "", "g", "b", true))
	start := r.now.UnixMilli()
	r.tell(0, 50, stateOf("g", "a", "b")).tell(1, 0, stateOf("g", "a", "b")).tell(0, 9000, finish("1-0", "time")).tell(1, 5, finish("1-0", "time"))
	r.tell(1, 0, entry("in", "", "g", "b", true)) // an old one
	r.tell(0, arenaRest+1500, paired("h", "b"))
	if said := r.failed(); said != "" {
		t.Fatal(said)
	}
	e := r.a.tally()
	g := e.Games["g"]
	if want := (tally.Game{White: "a", Black: "b", Called: [2]int64{start - 140, start - 40}, End: start + 9010, Score: "1-0", Reason: "time"}); *g != want {
		t.Errorf("%+v, want %+v", *g, want)
	}
	if len(e.Games) != 2 || r.a.calls != 3 {
		t.Errorf("%d games, %d calls", len(e.Games), r.a.calls)
	}
	if s := r.a.wait.spread(); s.Count != 3 || s.Max < 1500 || s.Max > 1510 || s.Min < 699 || s.Min > 701 {
		t.Errorf("waits: %+v", s)
	}
	if p := e.Players["a"]; len(p.There) != 1 || p.There[0].From != start-840 || len(p.Away) != 1 || p.Away[0].To != start-840 {
		t.Errorf("%+v", p)
	}
}

// Who was not there when he was called is set aside until he is back, and not again by what was written before.
func TestSetAside(t *testing.T) {
	r := newRoom(t, 1)
	p := r.a.people[0]
	r.tell(0, 0, r.news("running")).tell(0, 0, paired("g", "w")).tell(0, 0, stateOf("g", "a", "b")).tell(0, 5000, finish("*", "no_first_move"))
	r.tell(0, 300, entry("paused", "no_show", "", "", true))
	aside := r.now.UnixMilli()
	if !p.aside || p.away == nil || p.away.From != aside {
		t.Fatalf("%v, %+v", p.aside, p.away)
	}
	p.aside = false
	p.pairable(r.now.Add(time.Second))
	r.tell(0, 1100, entry("paused", "no_show", "", "", true))
	if p.aside || p.away != nil || len(p.kept.Away) != 1 || p.kept.Away[0] != (tally.Span{From: aside, To: aside + 1000, Why: "set aside"}) {
		t.Errorf("%v, %+v, %+v", p.aside, p.away, p.kept.Away)
	}
}

// A hidden page is known when the server says so.
func TestHidden(t *testing.T) {
	r := newRoom(t, 1)
	p := r.a.people[0]
	p.unpairable("hidden", r.now.Add(absenceKnown))
	r.tell(0, 400, entry("in", "", "", "", false))
	if p.away.From != r.now.UnixMilli() {
		t.Errorf("%+v", p.away)
	}
}

// What is told wrongly is noticed as it comes.
func TestAnAttendeeNotices(t *testing.T) {
	for name, tt := range map[string]struct {
		do   func(r *room)
		want string
	}{
		"another colour":   {func(r *room) { r.tell(0, 0, paired("g", "white")) }, "is paired as"},
		"no game":          {func(r *room) { r.tell(0, 0, paired("", "w")) }, "is paired as"},
		"another event":    {func(r *room) { r.tell(0, 0, wire.EventNews{T: "event", Event: "other"}) }, "or of another"},
		"other players":    {func(r *room) { r.tell(0, 0, stateOf("g", "a", "b")).tell(1, 0, stateOf("g", "b", "a")) }, "and as b against a"},
		"another end":      {func(r *room) { r.over("1-0", "time").tell(1, 0, finish("0-1", "time")) }, "for another"},
		"another reason":   {func(r *room) { r.over("1-0", "time").tell(1, 0, finish("1-0", "resignation")) }, "for another"},
		"dispute unheard":  {func(r *room) { r.disputed(answeredIn.Milliseconds() + 1000) }, "the desk was not told in time"},
		"dispute answered": {func(r *room) { r.disputed(1000) }, ""},
		"a game":           {func(r *room) { r.over("1-0", "time").tell(1, 0, finish("1-0", "time")) }, ""},
	} {
		r := newRoom(t, 2)
		tt.do(r)
		if said := r.failed(); tt.want == "" && said != "" || !strings.Contains(said, tt.want) {
			t.Errorf("%s: %q, want %q", name, said, tt.want)
		}
	}
}

func (r *room) over(result, reason string) *room {
	return r.tell(0, 0, stateOf("g", "a", "b")).tell(1, 0, stateOf("g", "a", "b")).tell(0, 0, finish(result, reason))
}

func (r *room) disputed(stands int64) {
	r.tell(0, 0, stateOf("g", "a", "b")).tell(0, 0, wire.Events{T: "ev", N: 2, E: []wire.Event{{K: "dispute", By: "w", Stops: true}}})
	r.tell(0, stands, wire.Events{T: "ev", N: 3, E: []wire.Event{{K: "ruling", Act: "resume"}}})
}

// Whatever is wrong fails a run.
func TestArenaFails(t *testing.T) {
	for name, spoil := range map[string]func(a *arenaRun){
		"":             func(*arenaRun) {},
		"difference":   func(a *arenaRun) { a.checked.Differences = []string{"points"} },
		"noticed":      func(a *arenaRun) { a.run.fail("two tables") },
		"error":        func(a *arenaRun) { a.run.count("enter: 429 too_many") },
		"no games":     func(a *arenaRun) { a.final.Games[0].Score = "*" },
		"not finished": func(a *arenaRun) { a.checked, a.final = nil, nil },
	} {
		a := newRoom(t, 4).a
		a.checked = &tally.Report{Checks: 7, Repeats: 2, Colors: 1}
		a.final = &tally.Final{Games: []tally.Told{{ID: "g", Score: "1-0", Started: 1000}, {ID: "h", Score: "*", Started: 31_000}}}
		spoil(a)
		var out strings.Builder
		rep := a.conclude(&out)
		if rep.Passed != (name == "") {
			t.Errorf("%s: %v\n%s", name, rep.Passed, &out)
		}
		if name == "" && (rep.Pairings != 4 || rep.Games != 2 || rep.Counted != 1 || rep.Checks != 7 || !strings.Contains(out.String(), "PASSED") || len(rep.charts()) != 3) {
			t.Errorf("%+v\n%s", rep, &out)
		}
	}
}

// A game to which one of the two never came is judged by what the other saw.
func TestJudgedAlone(t *testing.T) {
	r := newRoom(t, 2)
	tab := r.a.table("g")
	tab.sat[0] = true
	tab.pair.transcript.White = alone(tab.pair.transcript.White.Seat)
	r.a.lastVerdicts()
	if v := r.a.verdicts; len(v) != 1 || len(v[0].Differences) > 0 || v[0].End == nil || v[0].End.Reason != "no_first_move" {
		t.Errorf("%+v", v)
	}
}

// alone is a game to which Black never came: White's clock starts after ten seconds, he moves, and Black's time for his first
// move runs out.
func alone(seat string) judge.Log {
	l := judge.Log{Seat: seat}
	at := func(ms int64) time.Duration { return time.Duration(ms) * time.Millisecond }
	got := func(ms int64, message any) {
		l.Entries = append(l.Entries, judge.Entry{At: at(ms + 2), Kind: judge.Got, Raw: wire.Encode(message)})
	}
	ply := 0
	got(0, wire.State{T: "state", Game: "g", N: 1, Phase: "waiting", Board: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w", Moves: []wire.Ply{}})
	got(10, wire.Events{T: "ev", N: 2, At: 10, Clocks: wire.Clocks{W: arenaBase, B: arenaBase}, E: []wire.Event{{K: "here", By: "w"}}})
	got(10_010, wire.Events{T: "ev", N: 3, At: 10_010, Clocks: wire.Clocks{W: arenaBase, B: arenaBase, Run: "w"}, E: []wire.Event{{K: "start"}}})
	l.Entries = append(l.Entries, judge.Entry{At: at(11_008), Kind: judge.Sent, Msg: wire.ClientMessage{T: "move", ID: "c1", Move: "e2e4", Ply: &ply, Press: true}})
	got(11_010, wire.Events{T: "ev", N: 4, ID: "c1", At: 11_010, Clocks: wire.Clocks{W: 4000, B: arenaBase, Run: "b"},
		E: []wire.Event{{K: "move", By: "w", M: "e2e4"}, {K: "press", By: "w"}}})
	got(16_010, wire.Events{T: "ev", N: 5, At: 16_010, Clocks: wire.Clocks{W: 4000, B: 0, Flags: "b"},
		E: []wire.Event{{K: "flag", By: "b"}, {K: "end", End: &wire.End{Result: "*", Reason: "no_first_move"}}}})
	return l
}

func TestArenaOptions(t *testing.T) {
	for args, want := range map[string]string{
		"-arena 400 -minutes 10":                     "",
		"-arena 60 -minutes 1 -fast 1 -think 100ms":  "",
		"-arena 8 -fail p99<5s -fail differences<=0": "",
		"-arena 8 -at-bell stop -scoring arena":      "",
		"-arena 8 -at-bell now":                      "want play_on or stop",
		"-arena 8 -scoring 3":                        "want classic or arena",
		"-scoring arena":                             "-scoring is for -arena",
		"-arena 3":                                   "-arena 3: want 4 to 2000",
		"-arena 60 -minutes 0":                       "want 1 to 600",
		"-arena 60 -minutes x":                       "want 1 to 600",
		"-minutes 3":                                 "-minutes is for -arena",
		"-arena 60 -games 3":                         "-games does not go with -arena",
		"-arena 60 -duration 9s":                     "-duration does not go with -arena",
		"-arena 60 -fast 0.5":                        "one mode",
		"-arena 60 -illegal 2":                       "want a share from 0 to 1",
		"-arena 60 -think 1h":                        "want 20ms to 10s",
		"-arena 60 -pid 1":                           "give its -addr too",
		"-arena 60 -fail ack<3s":                     "there is no figure",
		"-arena 60 -compare /none":                   "no such file",
	} {
		_, err := parse(strings.Fields(args), io.Discard)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", args, err, want)
		}
	}
	o, err := parse(strings.Fields("-arena 60 -minutes 2"), io.Discard)
	if err != nil || o.kind() != "arena" || o.minutes != 2*time.Minute || o.fast != 0 || o.rules != 0 {
		t.Errorf("%+v, %v", o, err)
	}
}

// People come by the event's link, and so do their sockets.
func TestLink(t *testing.T) {
	var none *eventLink
	l := &eventLink{Event: "evening-abcd", Key: "k_-1"}
	if none.query() != "" || (&eventLink{Event: "e"}).query() != "?event=e" || (&eventLink{Event: "e"}).key() != "" || l.key() != "?key=k_-1" || l.query() != "?event=evening-abcd&key=k_-1" {
		t.Errorf("%q, %q", none.query(), l.query())
	}
	for _, p := range []*person{{}, {link: l}} {
		raw, err := json.Marshal(guestForm(p))
		want := `{"token":true}`
		if p.link != nil {
			want = `{"token":true,"event":"evening-abcd","key":"k_-1"}`
		}
		if err != nil || string(raw) != want {
			t.Errorf("%s, %v", raw, err)
		}
	}
	if fmt.Sprint(reached("running", "last_games"), reached("published", "provisional"), reached("", "draft")) != "false true false" {
		t.Error("phases")
	}
}
