package arena

import (
	"fmt"
	"strings"
	"testing"
)

// The tables of FIDE's handbook C.05, annex 1, as published.
var bergerTables = map[int]string{
	4:  "1-4 2-3|4-3 1-2|2-4 3-1",
	6:  "1-6 2-5 3-4|6-4 5-3 1-2|2-6 3-1 4-5|6-5 1-4 2-3|3-6 4-2 5-1",
	8:  "1-8 2-7 3-6 4-5|8-5 6-4 7-3 1-2|2-8 3-1 4-7 5-6|8-6 7-5 1-4 2-3|3-8 4-2 5-1 6-7|8-7 1-6 2-5 3-4|4-8 5-3 6-2 7-1",
	10: "1-10 2-9 3-8 4-7 5-6|10-6 7-5 8-4 9-3 1-2|2-10 3-1 4-9 5-8 6-7|10-7 8-6 9-5 1-4 2-3|3-10 4-2 5-1 6-9 7-8|10-8 9-7 1-6 2-5 3-4|4-10 5-3 6-2 7-1 8-9|10-9 1-8 2-7 3-6 4-5|5-10 6-4 7-3 8-2 9-1",
	12: "1-12 2-11 3-10 4-9 5-8 6-7|12-7 8-6 9-5 10-4 11-3 1-2|2-12 3-1 4-11 5-10 6-9 7-8|12-8 9-7 10-6 11-5 1-4 2-3|3-12 4-2 5-1 6-11 7-10 8-9|12-9 10-8 11-7 1-6 2-5 3-4|4-12 5-3 6-2 7-1 8-11 9-10|12-10 11-9 1-8 2-7 3-6 4-5|5-12 6-4 7-3 8-2 9-1 10-11|12-11 1-10 2-9 3-8 4-7 5-6|6-12 7-5 8-4 9-3 10-2 11-1",
}

func TestBergerTables(t *testing.T) {
	for n, table := range bergerTables {
		rounds := strings.Split(table, "|")
		if got := written(berger(n)); got != table {
			t.Errorf("%d players:\n%s\nwant\n%s", n, got, table)
		}
		// an odd number: the highest of the table is a bye
		for r, games := range rounds {
			var left []string
			for _, g := range strings.Fields(games) {
				if white, black, _ := strings.Cut(g, "-"); white != fmt.Sprint(n) && black != fmt.Sprint(n) {
					left = append(left, g)
				}
			}
			rounds[r] = strings.Join(left, " ")
		}
		if got, want := written(berger(n-1)), strings.Join(rounds, "|"); got != want {
			t.Errorf("%d players:\n%s\nwant\n%s", n-1, got, want)
		}
	}
}

func written(rounds [][][2]int) string {
	var lines []string
	for _, games := range rounds {
		var line []string
		for _, g := range games {
			line = append(line, fmt.Sprintf("%d-%d", g[0], g[1]))
		}
		lines = append(lines, strings.Join(line, " "))
	}
	return strings.Join(lines, "|")
}

// A double round robin: everybody meets everybody once with each colour, and nobody has a colour three times in a row.
func TestDoubleRoundRobin(t *testing.T) {
	for n := 2; n <= 16; n++ {
		met := map[[2]int]int{}
		colors := map[int]string{}
		for _, games := range schedule(n, true) {
			seen := map[int]bool{}
			for _, g := range games {
				met[g]++
				colors[g[0]] += "w"
				colors[g[1]] += "b"
				if seen[g[0]] || seen[g[1]] {
					t.Errorf("%d players: somebody plays twice in a round", n)
				}
				seen[g[0]], seen[g[1]] = true, true
			}
		}
		if len(met) != n*(n-1) {
			t.Errorf("%d players: %d pairings, want %d", n, len(met), n*(n-1))
		}
		for p, c := range colors {
			if n > 3 && n%2 == 0 && (strings.Contains(c, "www") || strings.Contains(c, "bbb")) {
				t.Errorf("%d players: player %d has %s", n, p, c)
			}
		}
	}
}
