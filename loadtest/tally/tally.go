// Package tally keeps the score of an event as those who were there saw it, and holds what the server says of it at the end
// against that: the table, who met whom and with which colour, and who was paired although he was not there. It shares no
// code with the server; its rules are written in server/arena and, for the performance, by FIDE.
package tally

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// Scores of a game that count.
const (
	whiteWins = "1-0"
	blackWins = "0-1"
	draw      = "1/2-1/2"
	void      = "*"
)

// Event is an arena as the people in it saw it. Times are the server's civil time in ms, as far as it is known from outside.
type Event struct {
	RepeatWait int64 // how long both wait before they meet again at once
	ColorWait  int64 // and before a bound on colours gives way
	Fire       bool  // arena points: 2 a win and 1 a draw, twice that after two wins in a row until a game is not won
	Stop       bool  // what is not over at the bell does not count
	Bell       int64
	EndNoted   int64 // how much too late the end of a game may be noted; 0: EndNoted
	Jump       int64 // by how much the server's civil time may have jumped, having been away
	Players    map[string]*Player
	Games      map[string]*Game
}

// Player is somebody who has entered.
type Player struct {
	Name   string
	Rating int    // at the start, 0 for none
	Out    bool   // he has withdrawn or was expelled, and is not back
	Away   []Span // when he could not be paired
	There  []Span // when a socket of his attended the event
	Last   *Standing
}

// Attends tells whether a socket of his attended the event all that time.
func (p *Player) Attends(from, to int64) bool {
	return slices.ContainsFunc(p.There, func(s Span) bool { return s.From <= from && to <= s.To })
}

// Standing is how somebody was told that he stands, the last time.
type Standing struct{ Place, Points, Games int }

// Span is a time, both ends included.
type Span struct {
	From, To int64
	Why      string
}

// Game is one game, as its players saw it.
type Game struct {
	White, Black string
	Called       [2]int64 // when White and Black were first told of it; 0: never
	End          int64    // the first sight of its end; 0: nobody saw it
	Score        string   // as the players were told
	Reason       string
	Corrected    string // the score that an arbiter has set afterwards, "" for none

	late bool // it was over after the bell, and does not count
}

// final is the score that the event goes by.
func (g *Game) final() string {
	if g.late && g.Corrected == "" {
		return void
	}
	return cmp.Or(g.Corrected, g.Score)
}

// halves are the half points of White and Black; ok is false for what does not count.
func halves(score string) (white, black int, ok bool) {
	switch score {
	case whiteWins:
		return 2, 0, true
	case blackWins:
		return 0, 2, true
	case draw:
		return 1, 1, true
	}
	return 0, 0, false
}

// Row is a line of the table: half points, and sb in quarters.
type Row struct {
	Place       int    `json:"place"`
	ID          string `json:"id"`
	Name        string `json:"name"`
	Rating      int    `json:"rating"`
	Status      string `json:"status"`
	Points      int    `json:"points"`
	Games       int    `json:"games"`
	Wins        int    `json:"wins"`
	Draws       int    `json:"draws"`
	Losses      int    `json:"losses"`
	Performance int    `json:"performance"`
	Direct      int    `json:"direct"`
	SB          int    `json:"sb"`
	Fire        bool   `json:"fire"` // with arena points: the next game counts twice

	row int // wins in a row
}

// Table is the table of an arena by the people's own count: points, performance, the games among those level, wins.
func (e *Event) Table() []Row {
	rows := map[string]*Row{}
	met := map[string][]meeting{}
	for id, p := range e.Players {
		rows[id] = &Row{ID: id, Name: p.Name, Rating: p.Rating}
	}
	for _, g := range e.inOrder() {
		w, b, ok := halves(g.final())
		white, black := rows[g.White], rows[g.Black]
		if !ok || white == nil || black == nil {
			continue
		}
		white.add(w)
		black.add(b)
		if e.Fire {
			white.burn(w)
			black.burn(b)
		}
		met[g.White] = append(met[g.White], meeting{g.Black, black.Rating, w})
		met[g.Black] = append(met[g.Black], meeting{g.White, white.Rating, b})
	}
	var table []Row
	for id, row := range rows {
		if e.Players[id].Out && row.Games == 0 {
			continue
		}
		row.Performance = performance(met[id])
		for _, m := range met[id] {
			row.SB += m.halves * rows[m.with].Points
		}
		row.Direct = e.direct(id, rows, met)
		row.row = 0
		table = append(table, *row)
	}
	place(table)
	return table
}

// meeting is a game that counts, as one of its players has it.
type meeting struct {
	with           string
	rating, halves int
}

// inOrder are the games as they ended.
func (e *Event) inOrder() []*Game {
	games := slices.Collect(maps.Values(e.Games))
	slices.SortFunc(games, func(a, b *Game) int { return cmp.Compare(a.End, b.End) })
	return games
}

// burn gives what arena points are more than a point a win: another one, or three more.
func (r *Row) burn(halves int) {
	times := 2
	if r.Fire {
		times = 4
	}
	r.Points += (times - 1) * halves
	if r.row++; halves < 2 {
		r.row = 0
	}
	r.Fire = r.row >= 2
}

func (r *Row) add(halves int) {
	r.Points += halves
	r.Games++
	switch halves {
	case 2:
		r.Wins++
	case 1:
		r.Draws++
	default:
		r.Losses++
	}
}

// direct is what somebody has from those with his points, if all of them have met equally often, and at all.
func (e *Event) direct(id string, rows map[string]*Row, met map[string][]meeting) int {
	level := []string{}
	for other, row := range rows {
		if row.Points == rows[id].Points && !(e.Players[other].Out && row.Games == 0) {
			level = append(level, other)
		}
	}
	times := -1
	for i, a := range level {
		for _, b := range level[i+1:] {
			n := 0
			for _, m := range met[a] {
				if m.with == b {
					n++
				}
			}
			if n == 0 || times >= 0 && n != times {
				return 0
			}
			times = n
		}
	}
	won := 0
	for _, m := range met[id] {
		if slices.Contains(level, m.with) {
			won += m.halves
		}
	}
	return won
}

// place orders the table and gives the places; those equal in all that decides share one.
func place(table []Row) {
	decides := func(a, b *Row) int {
		return cmp.Or(b.Points-a.Points, b.Performance-a.Performance, b.Direct-a.Direct, b.Wins-a.Wins)
	}
	slices.SortFunc(table, func(a, b Row) int { return cmp.Or(decides(&a, &b), cmp.Compare(a.ID, b.ID)) })
	for i := range table {
		table[i].Place = i + 1
		if i > 0 && decides(&table[i-1], &table[i]) == 0 {
			table[i].Place = table[i-1].Place
		}
	}
}

// performance is FIDE's Rp (Handbook B.02): the average of the opponents' ratings and dp for the score against them, both
// rounded half up. Opponents without a rating have no part in it; 0 where nobody has one.
func performance(met []meeting) int {
	n, ratings, won := 0, 0, 0
	for _, m := range met {
		if m.rating > 0 {
			n++
			ratings += m.rating
			won += m.halves
		}
	}
	if n == 0 {
		return 0
	}
	rounded := func(x float64) int { return int(math.Floor(x + 0.5)) }
	average, percent := rounded(float64(ratings)/float64(n)), rounded(50*float64(won)/float64(n))
	if percent < 50 {
		return average - dp[50-percent]
	}
	return average + dp[percent-50]
}

// dp is table 8.1a: the difference in rating of a score of 50 to 100 per cent.
var dp = [51]int{
	0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158, 166, 175, 184, 193,
	202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366, 383, 401, 422, 444, 470, 501, 538, 589, 677, 800,
}
