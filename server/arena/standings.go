package arena

import (
	"cmp"
	"math"
	"slices"
)

// Row is a line of the table. The live table and the final one come from the same function.
type Row struct {
	Place  int    `json:"place"` // those equal in everything that decides share one
	Group  int    `json:"group,omitempty"`
	ID     string `json:"id"`
	Name   string `json:"name"`
	Real   string `json:"real,omitempty"`
	Rating int    `json:"rating"`
	Status Status `json:"status"`
	// Account: the name is that of an account; a guest has chosen his for this event.
	Account bool `json:"account,omitempty"`

	Points      int  `json:"points"` // in half points
	Games       int  `json:"games"`  // that count
	Wins        int  `json:"wins"`
	Draws       int  `json:"draws"`
	Losses      int  `json:"losses"`
	Playoff     int  `json:"playoff,omitempty"`     // half points
	Performance int  `json:"performance,omitempty"` // 0: unknown
	Direct      int  `json:"direct"`                // half points among those with the same points
	SB          int  `json:"sb"`                    // Sonneborn-Berger, in quarter points
	Fire        bool `json:"fire,omitempty"`        // arena points: the next win counts twice
	Out         bool `json:"out,omitempty"`         // round robins: left before half of the games; they do not count
}

// Standings is the table. Points decide; then in an arena the performance, the games among those level, the wins; in a
// round robin the play-off, the games among those level, the wins, Sonneborn-Berger. Forfeits of a round robin count as
// games there, but have no part in a performance. Who leaves a round robin before half of his games stands last in it.
func (s *State) Standings() []Row {
	counted, leavers := s.counted(), s.leavers()
	t := table{state: s, rows: map[string]*Row{}}
	for _, e := range s.Entries {
		row := &Row{ID: e.ID, Name: e.Name, Real: e.Real, Rating: e.Rating, Status: e.Status, Group: s.groupOf(e.ID),
			Account: e.Account, Out: leavers[e.ID]}
		t.rows[e.ID] = row
	}
	for _, g := range counted {
		t.result(g)
	}
	rows := make([]Row, 0, len(s.Entries))
	points := scores(s.Settings.Scoring, counted)
	for _, e := range s.Entries {
		row := t.rows[e.ID]
		listed := (e.Status == In || e.Status == Paused) && !e.Line
		if !listed && row.Games == 0 && row.Group == 0 {
			continue
		}
		row.Points, row.Fire = points[e.ID].halves, points[e.ID].fire()
		row.Performance = performance(t.opponents[e.ID])
		rows = append(rows, *row)
	}
	t.direct(rows, counted)
	sonneborn(rows, counted)
	return s.ranked(rows)
}

// decided are the games with a result, in the order in which they ended.
func (s *State) decided() []*Game {
	var list []*Game
	for _, g := range s.Games {
		if g.Over && g.Outcome.counts() {
			list = append(list, g)
		}
	}
	slices.SortStableFunc(list, func(a, b *Game) int { return cmp.Compare(a.Ended, b.Ended) })
	return list
}

// counted are those of them that count for the table.
func (s *State) counted() []*Game {
	list := s.decided()
	if leavers := s.leavers(); len(leavers) > 0 {
		list = slices.DeleteFunc(list, func(g *Game) bool { return leavers[g.White] || leavers[g.Black] })
	}
	return list
}

// leavers are those who left a round robin, or were expelled, before they had played half of their games: by FIDE's rules
// their results stay in the crosstable and do not count for the standings.
func (s *State) leavers() map[string]bool {
	var gone map[string]bool
	for _, group := range s.Groups {
		for _, id := range group {
			if status := s.entries[id].Status; status != Withdrawn && status != Expelled {
				continue
			}
			if 2*s.playedBy(id) < s.gamesOf(group) {
				if gone == nil {
					gone = map[string]bool{}
				}
				gone[id] = true
			}
		}
	}
	return gone
}

// gamesOf is how many games each of a group has to play.
func (s *State) gamesOf(group []string) int {
	games := len(group) - 1
	if s.Settings.Format == DoubleRoundRobin {
		games *= 2
	}
	if s.Settings.Two {
		games *= 2
	}
	return games
}

// playedBy is how many games somebody has played, without play-offs and forfeits.
func (s *State) playedBy(id string) int {
	n := 0
	for _, g := range s.Games {
		if (g.White == id || g.Black == id) && g.Over && !g.Playoff && g.Outcome.played() {
			n++
		}
	}
	return n
}

// points are everybody's half points, without play-offs.
func (s *State) points() map[string]int {
	points := map[string]int{}
	for id, sc := range scores(s.Settings.Scoring, s.counted()) {
		points[id] = sc.halves
	}
	return points
}

// score is what somebody has, and how many games in a row he has won.
type score struct{ halves, row int }

// fire tells whether the next game counts twice: after two wins in a row.
func (s score) fire() bool { return s.row >= 2 }

func scores(scoring Scoring, counted []*Game) map[string]score {
	all := map[string]score{}
	for _, g := range counted {
		if g.Playoff {
			continue
		}
		white, black := g.Outcome.Halves()
		for id, halves := range map[string]int{g.White: white, g.Black: black} {
			sc := all[id]
			worth := halves
			if scoring == ArenaPoints {
				worth = halves * 2 // two points a win, one a draw
				if sc.fire() {
					worth *= 2
				}
				sc.row++
				if halves < 2 {
					sc.row = 0
				}
			}
			sc.halves += worth
			all[id] = sc
		}
	}
	return all
}

// table gathers what the rows say.
type table struct {
	state     *State
	rows      map[string]*Row
	opponents map[string][]met
}

// met is a played game: the opponent's rating and the half points against him.
type met struct{ rating, halves int }

func (t *table) result(g *Game) {
	white, black := g.Outcome.Halves()
	for _, side := range [2]struct {
		own, other string
		halves     int
	}{{g.White, g.Black, white}, {g.Black, g.White, black}} {
		row := t.rows[side.own]
		if g.Playoff {
			row.Playoff += side.halves
			continue
		}
		row.Games++
		switch side.halves {
		case 2:
			row.Wins++
		case 1:
			row.Draws++
		default:
			row.Losses++
		}
		if rating := t.rows[side.other].Rating; g.Outcome.played() && rating > 0 {
			if t.opponents == nil {
				t.opponents = map[string][]met{}
			}
			t.opponents[side.own] = append(t.opponents[side.own], met{rating, side.halves})
		}
	}
}

// direct is the score among those with the same points, where all of them have met each other equally often.
func (t *table) direct(rows []Row, counted []*Game) {
	type level struct{ group, points int }
	sizes := map[level]int{}
	of := map[string]level{}
	for _, r := range rows {
		if !r.Out {
			of[r.ID] = level{r.Group, r.Points}
			sizes[of[r.ID]]++
		}
	}
	won := map[string]int{}
	times := map[level]map[[2]string]int{}
	for _, g := range counted {
		l := of[g.White]
		if g.Playoff || l != of[g.Black] {
			continue
		}
		white, black := g.Outcome.Halves()
		won[g.White] += white
		won[g.Black] += black
		if times[l] == nil {
			times[l] = map[[2]string]int{}
		}
		times[l][[2]string{min(g.White, g.Black), max(g.White, g.Black)}]++
	}
	for i := range rows {
		l := of[rows[i].ID]
		if n := sizes[l]; !rows[i].Out && len(times[l]) == n*(n-1)/2 && allEqual(times[l]) {
			rows[i].Direct = won[rows[i].ID]
		}
	}
}

func allEqual(times map[[2]string]int) bool {
	first := -1
	for _, n := range times {
		if first < 0 {
			first = n
		}
		if n != first {
			return false
		}
	}
	return true
}

// sonneborn adds the points of everybody beaten and half the points of everybody drawn with.
func sonneborn(rows []Row, counted []*Game) {
	at := map[string]*Row{}
	for i := range rows {
		at[rows[i].ID] = &rows[i]
	}
	for _, g := range counted {
		if g.Playoff {
			continue
		}
		white, black := g.Outcome.Halves()
		at[g.White].SB += white * at[g.Black].Points
		at[g.Black].SB += black * at[g.White].Points
	}
}

// last has those stand last in their group whose games do not count.
func last(r Row) int {
	if r.Out {
		return 1
	}
	return 0
}

// ranked puts the rows in order and gives them their places.
func (s *State) ranked(rows []Row) []Row {
	decides := func(a, b Row) int {
		if c := cmp.Or(a.Group-b.Group, last(a)-last(b), b.Points-a.Points); c != 0 {
			return c
		}
		return s.Settings.style().order(a, b)
	}
	slices.SortStableFunc(rows, func(a, b Row) int {
		return cmp.Or(decides(a, b), b.Rating-a.Rating, cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
	first := 0
	for i := range rows {
		if i > 0 && rows[i].Group != rows[i-1].Group {
			first = i
		}
		rows[i].Place = i - first + 1
		if i > first && decides(rows[i-1], rows[i]) == 0 {
			rows[i].Place = rows[i-1].Place
		}
	}
	return rows
}

// performance is FIDE's Rp: the average rating of the opponents and the difference that belongs to the score (B.02, table
// 8.1a). 0 without a rated opponent.
func performance(games []met) int {
	if len(games) == 0 {
		return 0
	}
	var ratings, halves int
	for _, g := range games {
		ratings += g.rating
		halves += g.halves
	}
	average := int(math.Floor(float64(ratings)/float64(len(games)) + 0.5))
	percent := int(math.Floor(100*float64(halves)/float64(2*len(games)) + 0.5))
	if percent < 50 {
		return average - ratingDifference[100-percent-50]
	}
	return average + ratingDifference[percent-50]
}

// ratingDifference is dp for scores of 50 to 100 per cent.
var ratingDifference = [51]int{
	0, 7, 14, 21, 29, 36, 43, 50, 57, 65,
	72, 80, 87, 95, 102, 110, 117, 125, 133, 141,
	149, 158, 166, 175, 184, 193, 202, 211, 220, 230,
	240, 251, 262, 273, 284, 296, 309, 322, 336, 351,
	366, 383, 401, 422, 444, 470, 501, 538, 589, 677,
	800,
}
