package tally

import (
	"fmt"
	"slices"
	"strings"
)

// Final is what the server says of an event when it is over.
type Final struct {
	Rows  []Row  // of the table
	Games []Told // all games that are over
}

// Told is a game as the server tells it.
type Told struct {
	ID      string `json:"id"`
	White   string `json:"white"`
	Black   string `json:"black"`
	Score   string `json:"score"`
	Reason  string `json:"reason"`
	Repeat  bool   `json:"repeat"` // they had just met
	Color   bool   `json:"color"`  // a bound on colours gave way
	Started int64  `json:"started"`
	Ended   int64  `json:"ended"`
	Changed string `json:"changed"` // why it counts otherwise than it ended
}

func (t *Told) seats() [2]string { return [2]string{t.White, t.Black} }

// Freedoms of the server, in ms.
const (
	// Rounding is by how much two readings of the civil time may differ.
	Rounding = 100
	// EndNoted is how much too late the end of a game may be noted: the report of it travels.
	EndNoted = 250
	// Patience is how long a pairing may take to reach who is there.
	Patience = 5000
)

// Bounds on colours.
const (
	mostApart  = 2 // games with White less those with Black
	mostInARow = 3
)

// Report is what was compared, and what is wrong.
type Report struct {
	Checks      int
	Differences []string
	Repeats     int // games of two who had just met
	Colors      int // games for which a bound on colours gave way
}

func (r *Report) want(ok bool, format string, args ...any) {
	r.Checks++
	if !ok {
		r.Differences = append(r.Differences, fmt.Sprintf(format, args...))
	}
}

// Add takes in what was compared beside.
func (r *Report) Add(other *Report) {
	r.Checks += other.Checks
	r.Differences = append(r.Differences, other.Differences...)
}

// SameGames holds two lists of an event's games against each other.
func SameGames(a, b []Told) *Report {
	r := &Report{}
	r.want(slices.Equal(a, b), "event.json and GET standings do not tell the same games: %d and %d", len(a), len(b))
	return r
}

// Check holds what the server says of the whole event against what its people saw.
func (e *Event) Check(final *Final) *Report {
	r := &Report{}
	games := slices.Clone(final.Games)
	slices.SortStableFunc(games, func(a, b Told) int { return int(a.Started - b.Started) })
	e.bell(r, games)
	e.table(r, "the table", final.Rows)
	e.same(r, games)
	e.oneAtATime(r, games)
	e.present(r, games)
	e.delivered(r, games)
	e.colours(r, games)
	e.told(r)
	return r
}

// CheckTable holds one table of the server against the people's own.
func (e *Event) CheckTable(name string, rows []Row) *Report {
	r := &Report{}
	e.table(r, name, rows)
	return r
}

func (e *Event) table(r *Report, name string, rows []Row) {
	own := map[string]Row{}
	for _, row := range e.Table() {
		own[row.ID] = row
	}
	last := 0
	for _, got := range rows {
		want, known := own[got.ID]
		delete(own, got.ID)
		want.Status = got.Status
		r.want(known, "%s has %s, who is not in the people's own", name, got.Name)
		r.want(!known || got == want, "%s says %+v, the people's own %+v", name, got, want)
		r.want(got.Place >= last, "%s has place %d after place %d", name, got.Place, last)
		last = got.Place
	}
	for _, row := range own {
		r.want(false, "%s lacks %s", name, row.Name)
	}
}

// bell: where games that are not over at the bell do not count, those that the server noted after it do not, and nobody saw
// one of them end before it.
func (e *Event) bell(r *Report, games []Told) {
	for i := range games {
		t := &games[i]
		g := e.Games[t.ID]
		r.want(e.Bell == 0 || t.Started < e.Bell, "game %s was paired at %d, after the bell at %d", t.ID, t.Started, e.Bell)
		if g == nil || !e.Stop || t.Ended < e.Bell {
			continue
		}
		g.late = true
		r.want(g.End == 0 || g.End+e.noted() >= e.Bell || g.Score == void, "game %s was over at %d, before the bell at %d, and is told as ended at %d",
			t.ID, g.End, e.Bell, t.Ended)
	}
}

func (e *Event) rounding() int64 { return Rounding + e.Jump }

func (e *Event) noted() int64 { return max(e.EndNoted, EndNoted) }

// same: every game that somebody saw is told as he saw it, and one that nobody saw was no game.
func (e *Event) same(r *Report, games []Told) {
	known := map[string]bool{}
	for i := range games {
		t := &games[i]
		g := e.Games[t.ID]
		r.want(!known[t.ID], "game %s is told twice", t.ID)
		known[t.ID] = true
		if g == nil || g.End == 0 {
			r.want(t.Score == "*", "game %s of %s and %s is told as %s, and neither saw it end", t.ID, t.White, t.Black, t.Score)
			if g == nil {
				continue
			}
		}
		r.want(g.White == t.White && g.Black == t.Black, "game %s is told as %s against %s, it was %s against %s", t.ID, t.White, t.Black, g.White, g.Black)
		if g.End == 0 {
			continue
		}
		r.want(t.Score == g.final(), "game %s counts as %s, it ended as %s (%s), an arbiter has set %q", t.ID, t.Score, g.Score, g.Reason, g.Corrected)
		r.want((t.Changed != "") == (g.Corrected != "" || g.late && g.Score != void), "game %s is told as changed %q, an arbiter has set %q", t.ID, t.Changed, g.Corrected)
		r.want(t.Ended <= g.End+e.noted(), "game %s was over at %d, and its players knew at %d", t.ID, t.Ended, g.End)
	}
	for id, g := range e.Games {
		r.want(known[id] || g.End == 0, "game %s of %s and %s, which ended as %s, is not told", id, g.White, g.Black, g.Score)
	}
}

// oneAtATime: nobody was paired while he played, neither by what the server says nor by what he saw.
func (e *Event) oneAtATime(r *Report, games []Told) {
	last := map[string]*Told{}
	for i := range games {
		t := &games[i]
		r.want(t.White != t.Black, "%s plays himself in game %s", t.White, t.ID)
		for side, who := range t.seats() {
			if l := last[who]; l != nil {
				r.want(l.Ended <= t.Started, "%s plays game %s from %d, and game %s until %d", who, t.ID, t.Started, l.ID, l.Ended)
				seen, before := e.Games[t.ID], e.Games[l.ID]
				if seen != nil && before != nil && before.End > 0 && seen.Called[side] > 0 {
					r.want(before.End <= seen.Called[side]+e.rounding(), "%s was called to game %s while he played game %s", who, t.ID, l.ID)
				}
			}
			if l := last[who]; l == nil || t.Ended > l.Ended {
				last[who] = t
			}
		}
	}
}

// present: nobody was paired while he was not there to be paired.
func (e *Event) present(r *Report, games []Told) {
	for i := range games {
		for _, who := range games[i].seats() {
			p := e.Players[who]
			r.want(p != nil, "%s plays game %s and has never entered", who, games[i].ID)
			if p == nil {
				continue
			}
			for _, away := range p.Away {
				r.want(!away.has(games[i].Started, e.Jump), "%s was paired at %d for game %s, and was %s from %d to %d",
					p.Name, games[i].Started, games[i].ID, away.Why, away.From, away.To)
			}
		}
	}
}

func (s Span) has(at, jump int64) bool { return s.From+jump < at && at < s.To-jump }

// delivered: whoever was there when he was paired was told of it, and not before he was.
func (e *Event) delivered(r *Report, games []Told) {
	for i := range games {
		t := &games[i]
		for side, who := range t.seats() {
			var called int64
			if g := e.Games[t.ID]; g != nil {
				called = g.Called[side]
			}
			if called > 0 {
				r.want(called >= t.Started-e.rounding(), "%s was called to game %s at %d, before its pairing at %d", who, t.ID, called, t.Started)
				continue
			}
			p := e.Players[who]
			there := p != nil && p.Attends(t.Started, t.Started+Patience)
			r.want(!there || t.Ended < t.Started+Patience, "%s was there when he was paired for game %s at %d, and was never called to it", who, t.ID, t.Started)
		}
	}
}

// history is what a player's earlier games say of whom and with which colour he may play next.
type history struct {
	colors string // "wbbw", the latest last
	last   string // his last opponent
	ended  int64  // when
}

// colours: |White - Black| <= 2, no fourth game with the same colour in a row and no immediate repeat, except where the
// server says so, after the stated wait; and it says so only where it is so.
func (e *Event) colours(r *Report, games []Told) {
	byEnd := slices.Clone(games)
	slices.SortStableFunc(byEnd, func(a, b Told) int { return int(a.Ended - b.Ended) })
	had := map[string]history{}
	next := 0
	for i := range games {
		t := &games[i]
		for ; next < len(byEnd) && byEnd[next].Ended <= t.Started; next++ {
			e.learn(had, &byEnd[next])
		}
		white, black := had[t.White], had[t.Black]
		repeat := white.last == t.Black || black.last == t.White
		gave := !white.fits('w') || !black.fits('b')
		waited := t.Started - max(white.ended, black.ended)
		r.want(repeat == t.Repeat, "game %s: that %s and %s had just met is told as %v", t.ID, t.White, t.Black, t.Repeat)
		r.want(gave == t.Color, "game %s: that the colours give way (White had %q, Black %q) is told as %v", t.ID, white.colors, black.colors, t.Color)
		r.want(!repeat || waited+e.rounding() >= e.RepeatWait, "game %s: %s and %s meet again after %d ms, less than the stated wait", t.ID, t.White, t.Black, waited)
		r.want(!gave || waited+e.rounding() >= e.ColorWait, "game %s: the colours give way after %d ms, less than the stated wait", t.ID, waited)
		if repeat {
			r.Repeats++
		}
		if gave {
			r.Colors++
		}
	}
}

// learn takes a game in that was played at the board; a correction afterwards changes no colour.
func (e *Event) learn(had map[string]history, t *Told) {
	score := t.Score
	if g := e.Games[t.ID]; g != nil && g.End > 0 {
		score = g.Score
	}
	if _, _, played := halves(score); !played {
		return
	}
	for side, who := range t.seats() {
		h := had[who]
		had[who] = history{h.colors + "wb"[side:side+1], t.seats()[1-side], t.Ended}
	}
}

// fits tells whether another game with the colour keeps the bounds.
func (h history) fits(color byte) bool {
	same := strings.Count(h.colors, string(color))
	apart := same - (len(h.colors) - same)
	row := len(h.colors) - len(strings.TrimRight(h.colors, string(color)))
	return apart < mostApart && row < mostInARow
}

// told: what everybody was told last of how he stands is the table.
func (e *Event) told(r *Report) {
	for _, row := range e.Table() {
		if last := e.Players[row.ID].Last; last != nil {
			want := Standing{row.Place, row.Points, row.Games}
			r.want(*last == want, "%s was told last that he stands as %+v, it is %+v", row.Name, *last, want)
		}
	}
}
