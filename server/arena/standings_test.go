package arena

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"flagfall/game"
)

// crosstable makes an event of results. A line is a name, a rating and one cell for each player, of digits 1, = and 0;
// '*' and '.' are no games. A table says each result twice.
func crosstable(t *testing.T, set Settings, lines []string) *State {
	t.Helper()
	s := newMachine()
	s.Settings = set
	var cells [][]string
	for _, line := range lines {
		f := strings.Fields(line)
		rating := 0
		fmt.Sscan(f[1], &rating)
		s.Entries = append(s.Entries, &Entry{ID: f[0], Name: f[0], Rating: rating, Status: In})
		cells = append(cells, f[2:])
	}
	if set.robin() {
		s.Groups = [][]string{nil}
		for _, e := range s.Entries {
			s.Groups[0] = append(s.Groups[0], e.ID)
		}
	}
	turned := strings.NewReplacer("1", "0", "0", "1")
	for i, row := range cells {
		for j := range i {
			if turned.Replace(row[j]) != cells[j][i] {
				t.Fatalf("%s against %s: %s and %s", lines[i], lines[j], row[j], cells[j][i])
			}
		}
		for j := i + 1; j < len(row); j++ {
			for n, c := range row[j] {
				score, known := map[rune]game.Score{'1': game.WhiteWins, '=': game.Draw, '0': game.BlackWins}[c]
				if known {
					at := int64(len(s.Games))
					s.Games = append(s.Games, &Game{ID: fmt.Sprint(at), White: s.Entries[i].ID, Black: s.Entries[j].ID, Over: true,
						Ended: at, Round: n + 1, Group: 1, Outcome: Outcome{Score: score}})
				}
			}
		}
	}
	s.index()
	return s
}

func rowsByID(s *State) map[string]Row {
	rows := map[string]Row{}
	for _, r := range s.Standings() {
		rows[r.ID] = r
	}
	return rows
}

// The example of Sensei's Library (senseis.xmp.net/?SonnebornBerger): A and B have four points each, A is first with 11 to 9.
// Among themselves they have one each, and both have four wins.
func TestSonnebornBerger(t *testing.T) {
	s := crosstable(t, robin(DoubleRoundRobin), []string{"A 0 * 10 11 10", "B 0 01 * 10 11", "C 0 00 01 * 11", "D 0 01 00 00 *"})
	want := map[string][2]int{"A": {4, 11}, "B": {4, 9}, "C": {3, 6}, "D": {1, 4}}
	for id, r := range rowsByID(s) {
		if r.Points != 2*want[id][0] || r.SB != 4*want[id][1] {
			t.Errorf("%s: %s points, Sonneborn-Berger %s, want %v", id, asPoints(r.Points), quarters(r.SB), want[id])
		}
	}
	if got := s.Standings(); got[0].ID != "A" || got[1].ID != "B" || got[1].Place != 2 {
		t.Errorf("%+v", got)
	}
}

// The Candidates of 2016 after thirteen rounds, as published (chessdailynews.com, 27 March 2016), which also says how the
// tie would be broken: Karjakin and Caruana level, Karjakin wins, having one win more; with Anand level too, Caruana wins
// by the games among the three.
func TestCandidates2016(t *testing.T) {
	table := []string{
		"Caruana  2794 *  =. =1 == == == =1 ==",
		"Karjakin 2760 =. *  10 == == == 1= =1",
		"Anand    2762 =0 01 *  == 1. =1 =0 1=",
		"Giri     2793 == == == *  == == == =.",
		"Svidler  2757 == == 0. == *  =1 == ==",
		"Aronian  2786 == == =0 == =0 *  1. 1=",
		"Nakamura 2790 =0 0= =1 == == 0. *  11",
		"Topalov  2780 == =0 0= =. == 0= 00 * ",
	}
	set := robin(DoubleRoundRobin)
	rows := rowsByID(crosstable(t, set, table))
	points := map[string]int{"Caruana": 15, "Karjakin": 15, "Anand": 14, "Giri": 13, "Svidler": 13, "Aronian": 13, "Nakamura": 13,
		"Topalov": 8}
	for id, want := range points {
		if rows[id].Points != want {
			t.Errorf("%s has %s points, want %s", id, asPoints(rows[id].Points), asPoints(want))
		}
	}
	if k, c := rows["Karjakin"], rows["Caruana"]; k.Wins != c.Wins+1 || k.Place != 1 || c.Place != 2 {
		t.Errorf("Karjakin %+v, Caruana %+v", k, c)
	}
	// the last round: Karjakin and Caruana draw, Anand wins
	three := slices.Clone(table)
	three[0] = strings.Replace(three[0], "=. =1", "== =1", 1)
	three[1] = strings.Replace(three[1], "=. * ", "== * ", 1)
	three[2] = strings.Replace(three[2], "1. =1", "11 =1", 1)
	three[4] = strings.Replace(three[4], "0. ==", "00 ==", 1)
	got := crosstable(t, set, three).Standings()
	if got[0].ID != "Caruana" || got[0].Points != got[2].Points || got[0].Direct != 5 {
		t.Errorf("with Anand level: %+v", got[:3])
	}
}

// Wijk aan Zee 2013, ratings of January 2013. aicf.in (27 January 2013) has Carlsen at 2933, Anand at 2816, Harikrishna at
// 2735.
func TestPerformance(t *testing.T) {
	ratings := map[string]int{"Carlsen": 2861, "Aronian": 2802, "Anand": 2772, "Karjakin": 2780, "Leko": 2735, "Nakamura": 2769,
		"Harikrishna": 2698, "Giri": 2726, "Wang Hao": 2752, "van Wely": 2679, "Hou": 2603, "Caruana": 2781, "L'Ami": 2627, "Sokolov": 2663}
	for name, c := range map[string]struct{ halves, want int }{"Carlsen": {20, 2933}, "Anand": {16, 2816}, "Harikrishna": {13, 2735}} {
		var games []met
		left := c.halves
		for other, rating := range ratings {
			if other != name {
				got := min(2, left)
				left -= got
				games = append(games, met{rating, got})
			}
		}
		if got := performance(games); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
	// FIDE B.02, table 8.1a
	for percent, want := range map[int]int{100: 800, 99: 677, 90: 366, 75: 193, 67: 125, 50: 0, 49: -7, 33: -125, 10: -366, 1: -677, 0: -800} {
		var games []met
		for i := range 100 {
			halves := 0
			if i < percent {
				halves = 2
			}
			games = append(games, met{2000, halves})
		}
		if got := performance(games) - 2000; got != want {
			t.Errorf("%d %%: %d, want %d", percent, got, want)
		}
	}
}

// Lichess's FAQ: a win 2, a draw 1; after two wins in a row the following games count twice until one is not won. "Two wins
// followed by a draw will be worth 6 points."
func TestArenaPoints(t *testing.T) {
	set := Defaults(Arena)
	set.Scoring = ArenaPoints
	for results, want := range map[string]int{"11=": 6, "111": 8, "11=1": 8, "110": 4, "1=1": 5, "0": 0, "1111=11": 18} {
		turned := strings.NewReplacer("1", "0", "0", "1").Replace(results)
		s := crosstable(t, set, []string{"A 0 * " + results, "B 0 " + turned + " *"})
		if got := rowsByID(s)["A"].Points; got != 2*want {
			t.Errorf("%s: %s, want %d", results, asPoints(got), want)
		}
	}
}

// An event on Lichess, "Juni Blitzschach 5 Plus 0" of nine players in nine rounds, as its own export has it
// (github.com/sklangen/TRF, tests/2021_03.trf); a bye there gives a point, here none.
func TestALichessEvent(t *testing.T) {
	report := readTRF(t, lichessTRF)
	s := newMachine()
	s.Settings = Defaults(Arena)
	for _, p := range report.players {
		s.Entries = append(s.Entries, &Entry{ID: p.name, Name: p.name, Status: In})
		for r, g := range p.rounds {
			if g.color != "w" {
				continue
			}
			score := map[string]game.Score{"1": game.WhiteWins, "=": game.Draw, "0": game.BlackWins}[g.result]
			s.Games = append(s.Games, &Game{ID: fmt.Sprint(len(s.Games)), White: p.name, Black: report.players[g.opponent-1].name,
				Over: true, Ended: int64(r), Outcome: Outcome{Score: score}})
		}
	}
	s.index()
	rows := rowsByID(s)
	for _, p := range report.players {
		if got := rows[p.name]; asPoints(got.Points+2) != p.points || got.Games != 8 {
			t.Errorf("%s: %s points in %d games and a bye, want %s", p.name, asPoints(got.Points), got.Games, p.points)
		}
	}
}
