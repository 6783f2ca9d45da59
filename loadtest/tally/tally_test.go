package tally

import (
	"strings"
	"testing"
)

// evening is four players and five games; the fourth, a void one, does not count, and a later one is corrected. Aa wins
// twice (against Bb and Cc) and draws with Bb by correction; Dd is beaten by Bb.
func evening() (*Event, *Final) {
	e := &Event{RepeatWait: 5000, ColorWait: 5000, Players: map[string]*Player{
		"a": {Name: "Aa", Rating: 1800}, "b": {Name: "Bb", Rating: 1600}, "c": {Name: "Cc"}, "d": {Name: "Dd", Rating: 1500},
	}, Games: map[string]*Game{
		"1": {White: "a", Black: "b", Called: [2]int64{1010, 1010}, End: 9010, Score: "1-0", Reason: "time"},
		"2": {White: "c", Black: "d", Called: [2]int64{1010, 0}, End: 9020, Score: "*", Reason: "no_first_move"},
		"3": {White: "c", Black: "a", Called: [2]int64{12010, 12010}, End: 20010, Score: "0-1", Reason: "checkmate"},
		"4": {White: "b", Black: "d", Called: [2]int64{12010, 12010}, End: 22010, Score: "1-0", Reason: "resignation"},
		"5": {White: "b", Black: "a", Called: [2]int64{30010, 30010}, End: 40010, Score: "1-0", Reason: "time", Corrected: "1/2-1/2"},
	}}
	for _, p := range e.Players {
		p.There = []Span{{From: 0, To: 100_000}}
	}
	e.Players["d"].There = []Span{{From: 10_500, To: 100_000}}
	e.Players["d"].Away = []Span{{From: 2000, To: 10_400, Why: "closed"}}
	f := &Final{Games: []Told{
		{ID: "1", White: "a", Black: "b", Score: "1-0", Started: 1000, Ended: 9000},
		{ID: "2", White: "c", Black: "d", Score: "*", Started: 1000, Ended: 9000},
		{ID: "3", White: "c", Black: "a", Score: "0-1", Started: 12_000, Ended: 20_000},
		{ID: "4", White: "b", Black: "d", Score: "1-0", Started: 12_000, Ended: 22_000},
		{ID: "5", White: "b", Black: "a", Score: "1/2-1/2", Started: 30_000, Ended: 40_000, Changed: "the clock stood"},
	}}
	// Performances by FIDE's table: a has 1.5 of 2 against 1600 and 1600 (Cc has no rating), 75 %, +193; b has 1.5 of 3
	// against 1800, 1500 and 1800, average 1700, 50 %; c has 0 of 1 against 1800, 0 %, -800; d 0 of 1 against 1600.
	f.Rows = []Row{
		{Place: 1, ID: "a", Name: "Aa", Rating: 1800, Status: "in", Points: 5, Games: 3, Wins: 2, Draws: 1, Performance: 1793, SB: 2*3 + 1*3},
		{Place: 2, ID: "b", Name: "Bb", Rating: 1600, Status: "in", Points: 3, Games: 3, Wins: 1, Draws: 1, Losses: 1, Performance: 1700, SB: 5},
		{Place: 3, ID: "c", Name: "Cc", Status: "in", Games: 1, Losses: 1, Performance: 1000},
		{Place: 4, ID: "d", Name: "Dd", Rating: 1500, Status: "in", Games: 1, Losses: 1, Performance: 800},
	}
	e.Players["a"].Last = &Standing{1, 5, 3}
	return e, f
}

const file = "Group,Place,Name,Real name,Rating,Points,Games,Wins,Draws,Losses,Performance,Direct encounter,Sonneborn-Berger,Play-off,Status\r\n" +
	"0,1,Aa,,1800,2.5,3,2,1,0,1793,0.0,2.25,0.0,in\r\n0,2,Bb,,1600,1.5,3,1,1,1,1700,0.0,1.25,0.0,in\r\n" +
	"0,3,Cc,,,0.0,1,0,0,1,1000,0.0,0.00,0.0,in\r\n0,4,Dd,,1500,0.0,1,0,0,1,800,0.0,0.00,0.0,in\r\n"

func TestFaithful(t *testing.T) {
	e, f := evening()
	if r := e.Check(f); len(r.Differences) > 0 || r.Checks < 50 || r.Repeats != 0 || r.Colors != 0 {
		t.Errorf("%+v", r)
	}
	if r := e.CheckCSV([]byte(file)); len(r.Differences) > 0 || r.Checks < 36 {
		t.Errorf("%+v", r)
	}
	if r := e.CheckTable("event.json", f.Rows); len(r.Differences) > 0 {
		t.Errorf("%+v", r)
	}
}

// Whatever a server does wrongly is found.
func TestUnfaithful(t *testing.T) {
	for name, tt := range map[string]struct {
		spoil func(e *Event, f *Final)
		want  string
	}{
		"points":            {func(_ *Event, f *Final) { f.Rows[1].Points = 4 }, "the table says"},
		"performance":       {func(_ *Event, f *Final) { f.Rows[0].Performance++ }, "the table says"},
		"place":             {func(_ *Event, f *Final) { f.Rows[1].Place = 1 }, "the table says"},
		"order":             {func(_ *Event, f *Final) { f.Rows[0], f.Rows[1] = f.Rows[1], f.Rows[0] }, "place 1 after place 2"},
		"somebody lacks":    {func(_ *Event, f *Final) { f.Rows = f.Rows[:3] }, "lacks Dd"},
		"somebody unknown":  {func(_ *Event, f *Final) { f.Rows[3].ID = "x" }, "not in the people's own"},
		"a game is lost":    {func(_ *Event, f *Final) { f.Games = f.Games[:4] }, "is not told"},
		"a game twice":      {func(_ *Event, f *Final) { f.Games = append(f.Games, f.Games[0]) }, "told twice"},
		"another winner":    {func(_ *Event, f *Final) { f.Games[2].Score = "1-0" }, "game 3 counts as 1-0"},
		"colours exchanged": {func(_ *Event, f *Final) { f.Games[3].White, f.Games[3].Black = "d", "b" }, "it was b against d"},
		"uncorrected":       {func(_ *Event, f *Final) { f.Games[4].Score, f.Games[4].Changed = "1-0", "" }, "an arbiter has set"},
		"changed unasked":   {func(_ *Event, f *Final) { f.Games[0].Changed = "so" }, "is told as changed"},
		"a game of nobody": {func(_ *Event, f *Final) {
			f.Games = append(f.Games, Told{ID: "6", White: "c", Black: "d", Score: "1-0", Started: 50_000, Ended: 60_000})
		}, "neither saw it end"},
		"known too early":    {func(e *Event, _ *Final) { e.Games["1"].End = 8000 }, "knew at 8000"},
		"two games at once":  {func(_ *Event, f *Final) { f.Games[2].Started = 8000 }, "plays game 3 from 8000, and game 1 until 9000"},
		"called in his game": {func(e *Event, _ *Final) { e.Games["3"].Called[1] = 8500 }, "while he played game 1"},
		"with himself":       {func(_ *Event, f *Final) { f.Games[3].Black = "b" }, "plays himself"},
		"absent": {func(e *Event, _ *Final) {
			e.Players["d"].Away = append(e.Players["d"].Away, Span{11_000, 13_000, "paused"})
		},
			"Dd was paired at 12000 for game 4, and was paused"},
		"never entered": {func(e *Event, _ *Final) { delete(e.Players, "d") }, "has never entered"},
		"not called": {func(e *Event, _ *Final) { e.Games["4"].Called[0] = 0 },
			"b was there when he was paired for game 4"},
		"called before":    {func(e *Event, _ *Final) { e.Games["3"].Called[0] = 11_800 }, "before its pairing"},
		"repeat unsaid":    {func(e *Event, f *Final) { swap(e, f, "3", "1") }, "that a and b had just met is told as false"},
		"repeat too early": {func(e *Event, f *Final) { swap(e, f, "3", "1"); f.Games[2].Repeat = true }, "less than the stated wait"},
		"repeat made up":   {func(_ *Event, f *Final) { f.Games[4].Repeat = true }, "had just met is told as true"},
		"colours unsaid":   {func(e *Event, f *Final) { inARow(e, f, false, 20_000) }, `(White had "www", Black "bbb") is told as false`},
		"colours made up":  {func(_ *Event, f *Final) { f.Games[4].Color = true }, "is told as true"},
		"colours too soon": {func(e *Event, f *Final) { inARow(e, f, true, 3000) }, "the colours give way after 3000 ms"},
		"told otherwise":   {func(e *Event, _ *Final) { e.Players["a"].Last.Points = 4 }, "was told last"},
	} {
		e, f := evening()
		tt.spoil(e, f)
		if said := strings.Join(e.Check(f).Differences, "\n"); !strings.Contains(said, tt.want) {
			t.Errorf("%s: want %q in:\n%s", name, tt.want, said)
		}
	}
	for old, by := range map[string]string{"2.5,3": "3.0,3", "Dd": "Ee", "1793": "1794", "Points": "Score", "0,4,Dd": "", "0,1,Aa": "0,2,Aa"} {
		e, _ := evening()
		if r := e.CheckCSV([]byte(strings.Replace(file, old, by, 1))); len(r.Differences) == 0 {
			t.Errorf("%q for %q in the CSV was not found", by, old)
		}
	}
}

// What is over after the bell does not count, where the event says so; and what is over before it does.
func TestBell(t *testing.T) {
	at := func(bell, ended, seen int64, score, changed string) *Report {
		e := &Event{Stop: true, Bell: bell, Players: map[string]*Player{"a": {Name: "a"}, "b": {Name: "b"}}, Games: map[string]*Game{
			"1": {White: "a", Black: "b", Called: [2]int64{1000, 1000}, End: seen, Score: "1-0", Reason: "time"}}}
		points := 0
		if score == "1-0" {
			points = 2
		}
		f := &Final{Games: []Told{{ID: "1", White: "a", Black: "b", Score: score, Started: 1000, Ended: ended, Changed: changed}}}
		for _, row := range e.Table() {
			if points == 0 {
				row = Row{Place: 1, ID: row.ID, Name: row.Name}
			}
			f.Rows = append(f.Rows, row)
		}
		return e.Check(f)
	}
	for name, r := range map[string]*Report{"before": at(9000, 8990, 8995, "1-0", ""), "after": at(9000, 9001, 9010, "*", "after_bell"), "noted late": at(9000, 9020, 8990, "*", "after_bell")} {
		if len(r.Differences) > 0 {
			t.Errorf("%s: %v", name, r.Differences)
		}
	}
	for name, tt := range map[string]struct {
		r    *Report
		want string
	}{
		"long before": {at(9000, 9001, 8000, "*", "after_bell"), "before the bell at 9000"},
		"counted":     {at(9000, 9001, 9010, "1-0", ""), "counts as 1-0"},
		"not counted": {at(9000, 8990, 8995, "*", "after_bell"), "counts as *"},
		"paired":      {at(1000, 1001, 1010, "*", "after_bell"), "after the bell"},
	} {
		if said := strings.Join(tt.r.Differences, "\n"); !strings.Contains(said, tt.want) {
			t.Errorf("%s: want %q in:\n%s", name, tt.want, said)
		}
	}
}

// Arena points: 2 a win, 1 a draw, twice that after two wins in a row until a game is not won.
func TestArenaPoints(t *testing.T) {
	e := &Event{Fire: true, Players: map[string]*Player{"a": {Name: "a"}, "b": {Name: "b"}}, Games: map[string]*Game{}}
	want := []struct {
		score string
		a, b  int // half points
		fire  bool
	}{{"1-0", 4, 0, false}, {"1-0", 8, 0, true}, {"1-0", 16, 0, true}, {"1/2-1/2", 20, 2, false}, {"1-0", 24, 2, false}, {"0-1", 24, 6, false}}
	for i, w := range want {
		e.Games[string(rune('1'+i))] = &Game{White: "a", Black: "b", End: int64(i + 1), Score: w.score}
		for _, row := range e.Table() {
			if row.ID == "a" && (row.Points != w.a || row.Fire != w.fire) || row.ID == "b" && row.Points != w.b {
				t.Errorf("after %d games: %+v", i+1, row)
			}
		}
	}
}

// swap lets game id be between the players of another one.
func swap(e *Event, f *Final, id, like string) {
	g, l := e.Games[id], e.Games[like]
	g.White, g.Black = l.White, l.Black
	for i := range f.Games {
		if f.Games[i].ID == id {
			f.Games[i].White, f.Games[i].Black = g.White, g.Black
		}
	}
}

// inARow gives a and b two games more before the one by which the colours give way, all with a as White.
func inARow(e *Event, f *Final, said bool, wait int64) {
	f.Games, e.Games = nil, map[string]*Game{}
	at := int64(1000)
	for i, id := range []string{"1", "2", "3", "4"} {
		if i == 3 {
			at += wait - 10_000
		}
		t := Told{ID: id, White: "a", Black: "b", Score: "1-0", Repeat: i > 0, Color: i >= 2 && (i == 2 || said), Started: at, Ended: at + 5000}
		f.Games = append(f.Games, t)
		e.Games[id] = &Game{White: "a", Black: "b", Called: [2]int64{at, at}, End: at + 5000, Score: "1-0"}
		at += 15_000
	}
}

// Both bounds on colours are looked at: the difference, and the row.
func TestBounds(t *testing.T) {
	for colors, fit := range map[string][2]bool{"": {true, true}, "w": {true, true}, "ww": {false, true}, "wbbb": {true, false}, "bwwbw": {true, true}, "bbwww": {false, true}, "wwwbb": {true, true}, "wbw": {true, true}} {
		h := history{colors: colors}
		if got := [2]bool{h.fits('w'), h.fits('b')}; got != fit {
			t.Errorf("%q: %v, want %v", colors, got, fit)
		}
	}
}

// Those level who have all met are parted by what they have of each other, those who have not are not.
func TestDirect(t *testing.T) {
	e := &Event{Players: map[string]*Player{"a": {Name: "a"}, "b": {Name: "b"}, "c": {Name: "c"}, "d": {Name: "d"}}, Games: map[string]*Game{
		"1": {White: "a", Black: "b", End: 1, Score: "1-0"}, "2": {White: "c", Black: "a", End: 1, Score: "1-0"}, "3": {White: "b", Black: "d", End: 1, Score: "1-0"},
		"4": {White: "c", Black: "d", End: 1, Score: "0-1"},
	}}
	for _, r := range e.Table() {
		if r.Points != 2 || r.Direct != 0 || r.Place != 1 {
			t.Errorf("not all have met: %+v", r)
		}
	}
	e.Games["2"].White, e.Games["3"].Black = "d", "c" // a beats b, d beats a, b beats c, d beats c
	e.Games["4"].Score = "1-0"                        // c beats d: a, b, c, d have one each
	e.Games["5"] = &Game{White: "a", Black: "d", End: 1, Score: "0-1"}
	e.Games["6"] = &Game{White: "b", Black: "a", End: 1, Score: "1/2-1/2"}
	// a 2+1, b 2+1, d 2+2, c 2: a and b are level and have met twice: a has one and a half of it
	want := map[string][3]int{"d": {1, 4, 0}, "a": {2, 3, 3}, "b": {3, 3, 1}, "c": {4, 2, 0}}
	for _, r := range e.Table() {
		if got := [3]int{r.Place, r.Points, r.Direct}; got != want[r.ID] {
			t.Errorf("%s: %v, want %v", r.ID, got, want[r.ID])
		}
	}
}
