package arena

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"flagfall/game"
)

const lichessTRF = `012 Juni Blitzschach 5 Plus 0
022 https://lichess.org/swiss/QLMFFLBq
032 Lichess
042 Jun 26, 2020
052 Jun 26, 2020
062 9
072 0
082 0
092 Individual: Swiss-System
102 https://lichess.org/swiss
112 
122 
132
XXR 9
XXC black1
001    1      mattderkuerschner                                                  7.5          6 w 1     2 b =     9 w 1     5 b 1     4 w 1     3 b 0     7 w 1     8 b 1         U
001    2      hansimpech                                                         7.5          4 b 0     1 w =     3 w 1     8 b 1     5 w 1     7 b 1         U     6 w 1     9 b 1
001    3      kicia64                                                            6.0          8 b 1     4 w 0     2 b 0     6 w 1     9 b 1     1 w 1     5 w 1         U     7 b 0
001    4      tobiasthomas                                                       6.0          2 w 1     3 b 1     5 b 0     7 w 1     1 b 0         U     8 w 1     9 b 1     6 b 0
001    5      nowosibirsk                                                        6.0              U     9 b 1     4 w 1     1 w 0     2 b 0     6 w 1     3 b 0     7 w 1     8 b 1
001    6      liamyoda2007                                                       4.0          1 b 0     8 w 1     7 w 0     3 b 0         U     5 b 0     9 w 1     2 b 0     4 w 1
001    7      michaelwalz7                                                       3.5          9 w 0         U     6 b 1     4 b 0     8 w =     2 w 0     1 b 0     5 b 0     3 w 1
001    8      feyre17                                                            2.5          3 w 0     6 b 0         U     2 w 0     7 b =     9 w 1     4 b 0     1 w 0     5 w 0
001    9      presidentlangen                                                    2.0          7 b 1     5 w 0     1 b 0         U     3 w 0     8 b 0     6 b 0     4 w 0     2 w 0
`

// Lines of the sample in the manual of JaVaFo, a program that FIDE has approved.
const javafoTRF = `001    1 m  g Mirzoev Azer                      2527 AZE    13400304 1978        4.0    1    26 w 1    13 b 1     8 w 1     4 b 1          
001    8 m    Ladron De Guevara Galar Fco J     2087 ESP     2265745 1961        2.0   20    34 b 1    23 w 1     1 b 0    21 w -          
001   14 m    Riesco Lecuona Juan Manuel        1931 ESP     2268922 1959        2.0   24    40 b 1     3 w 0  0000 - H    26 b =          
001   22 m    Markina Amutxastegi Fernando      1797 ESP     2265583 1956        2.0   26    48 b 1     9 w 0    46 b 1    11 w 0  0000 - Z
`

// trfReport is what a reader of the format finds.
type trfReport struct {
	head    map[string]string
	players []trfLine
}

type trfLine struct {
	number, rating, rank int
	name, points         string
	rounds               []trfCell
}

type trfCell struct {
	opponent      int
	color, result string
}

// readTRF reads by the columns of the handbook (C.04, annex 2, from 1): 5-8 number, 15-47 name, 49-52 rating, 81-84
// points, 86-89 rank, then for each round ten columns: 92-95 opponent, 97 colour, 99 result.
func readTRF(t *testing.T, text string) trfReport {
	t.Helper()
	report := trfReport{head: map[string]string{}}
	for _, line := range strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		if len(line) < 3 {
			continue
		}
		if line[:3] != "001" {
			report.head[line[:3]] = strings.TrimSpace(line[3:])
			continue
		}
		wide := []rune(line)
		field := func(from, to int) string {
			if from > len(wide) {
				return ""
			}
			return strings.TrimSpace(string(wide[from-1 : min(to, len(wide))]))
		}
		number := func(from, to int) int {
			text := field(from, to)
			if text == "" {
				return 0
			}
			n, err := strconv.Atoi(text)
			if err != nil {
				t.Fatalf("columns %d to %d of %q: %v", from, to, line, err)
			}
			return n
		}
		p := trfLine{number: number(5, 8), name: field(15, 47), rating: number(49, 52), points: field(81, 84), rank: number(86, 89)}
		for at := 92; at <= len(wide); at += 10 {
			c := trfCell{number(at, at+3), field(at+5, at+5), field(at+7, at+7)}
			if c != (trfCell{}) {
				p.rounds = append(p.rounds, c)
			}
		}
		report.players = append(report.players, p)
	}
	return report
}

// The reader finds in files from outside what stands there.
func TestTheReaderOfReports(t *testing.T) {
	got := readTRF(t, javafoTRF)
	want := []string{
		"{1 2527 1 Mirzoev Azer 4.0 [{26 w 1} {13 b 1} {8 w 1} {4 b 1}]}",
		"{8 2087 20 Ladron De Guevara Galar Fco J 2.0 [{34 b 1} {23 w 1} {1 b 0} {21 w -}]}",
		"{14 1931 24 Riesco Lecuona Juan Manuel 2.0 [{40 b 1} {3 w 0} {0 - H} {26 b =}]}",
		"{22 1797 26 Markina Amutxastegi Fernando 2.0 [{48 b 1} {9 w 0} {46 b 1} {11 w 0} {0 - Z}]}",
	}
	for i, p := range got.players {
		if fmt.Sprint(p) != want[i] {
			t.Errorf("%v, want %s", p, want[i])
		}
	}
}

// robinOf5 plays a round robin of five with a draw and a forfeit in it.
func robinOf5(t *testing.T) *event {
	e := open(t, robin(RoundRobin))
	e.enter(players(4)...)
	e.do(Enter{By: "o", Player: game.Player{ID: "p05", Name: "=cmd()"}, Real: "Żółć, \"Ö\"\n001 Anna-Maria von und zu Hohenstein-Lange"})
	e.do(Presence{Who: "p05", Here: true})
	e.start()
	e.draws("p02")
	e.do(Finished{Game: e.board("p03").ID, Outcome: Outcome{Score: "*", NoShow: [2]bool{false, true}}})
	for range 5 {
		e.playAll()
		e.pass(10000)
	}
	return e
}

func TestTRF(t *testing.T) {
	e := robinOf5(t)
	text, err := e.m.TRF(1)
	if err != nil {
		t.Fatal(err)
	}
	// a line of ours in the columns of the sample from outside: what is not filled in is blank
	first := strings.Split(string(text), "\r\n")[8]
	sample := strings.Split(javafoTRF, "\n")[0]
	blank := []rune("001    1      P01                               2000" + strings.Repeat(" ", 28))
	if got := []rune(first); string(got[:80]) != string(blank) || got[94] == ' ' != (sample[94] == ' ') {
		t.Errorf("%q, want the columns of %q", first, sample)
	}
	report := readTRF(t, string(text))
	if report.head["012"] != "Club night" || report.head["062"] != "5" || report.head["072"] != "4" || report.head["042"] != "2023/11/14" {
		t.Errorf("head %v", report.head)
	}
	if len(report.players) != 5 {
		t.Fatalf("%d players", len(report.players))
	}
	for i, p := range report.players {
		halves, byes := 0, 0
		for r, c := range p.rounds {
			halves += map[string]int{"1": 2, "+": 2, "=": 1}[c.result]
			if c.opponent == 0 {
				byes++
				continue
			}
			back := report.players[c.opponent-1].rounds[r]
			if back.opponent != p.number || back.color == c.color || !strings.Contains("10 01 == +- -+", c.result+back.result) {
				t.Errorf("round %d of %s: %v, the other way %v", r+1, p.name, c, back)
			}
		}
		if p.number != i+1 || len(p.rounds) != 5 || byes != 1 || asPoints(halves) != p.points {
			t.Errorf("%+v: %d rounds, %d byes, %s points", p, len(p.rounds), byes, asPoints(halves))
		}
	}
	if last := report.players[4]; last.rating != 0 || !strings.HasPrefix(last.name, "Żółć, \"Ö\" 001 Anna") {
		t.Errorf("%+v", last)
	}
	if _, err := e.m.TRF(2); err == nil {
		t.Error("there is no second group")
	}
	arena := open(t, Defaults(Arena))
	if _, err := arena.m.TRF(1); err == nil {
		t.Error("an arena has no rounds")
	}
}

// Before the draw there are players and no rounds; who has no place is not there.
func TestTRFBeforeTheDraw(t *testing.T) {
	e := open(t, robin(RoundRobin))
	text, err := e.m.TRF(1)
	if err != nil {
		t.Fatal(err)
	}
	if report := readTRF(t, string(text)); report.head["012"] != "Club night" || report.head["062"] != "0" || report.head["042"] != "" || len(report.players) != 0 {
		t.Errorf("with nobody in it: %+v", report)
	}
	e.enter(players(4)...)
	e.do(Withdraw{By: "p02", Who: "p02"})
	if text, err = e.m.TRF(1); err != nil {
		t.Fatal(err)
	}
	report := readTRF(t, string(text))
	names := ""
	for i, p := range report.players {
		if p.number != i+1 || len(p.rounds) != 0 || p.points != "0.0" {
			t.Errorf("%+v", p)
		}
		names += p.name + " "
	}
	if names != "P01 P03 P04 " || report.head["062"] != "3" {
		t.Errorf("players %q, head %v", names, report.head)
	}
	if _, err := e.m.TRF(2); err == nil {
		t.Error("there is no second group")
	}
}

func TestTRFOfMatchesWhileTheyRun(t *testing.T) {
	set := robin(RoundRobin)
	set.Two = true
	e := open(t, set)
	e.enter(players(4)...)
	e.start()
	e.wins("p01")
	text, err := e.m.TRF(1)
	if err != nil {
		t.Fatal(err)
	}
	report := readTRF(t, string(text))
	if got := fmt.Sprint(report.players[0].rounds, report.players[1].rounds); got != "[{4 w 1} {0 - Z}] [{3 w } {0 - Z}]" {
		t.Error(got)
	}
}

func TestCSV(t *testing.T) {
	e := robinOf5(t)
	table, err := csv.NewReader(bytes.NewReader(e.m.StandingsCSV())).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	rows := e.m.Standings()
	for i, r := range rows {
		if line := table[i+1]; line[1] != strconv.Itoa(r.Place) || line[5] != asPoints(r.Points) || line[12] != quarters(r.SB) {
			t.Errorf("%v of %+v", line, r)
		}
		if r.ID == "p05" && table[i+1][2] != "'=cmd()" {
			t.Errorf("a spreadsheet would run %q", table[i+1][2])
		}
	}
	cross, err := csv.NewReader(bytes.NewReader(e.m.CrosstableCSV())).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range cross[1:] {
		halves := 0
		for j, cell := range line[5:] {
			if (i == j) != (cell == "*") {
				t.Errorf("row %d, column %d: %q", i, j, cell)
			}
			halves += map[string]int{"1": 2, "'+": 2, "½": 1}[cell]
		}
		if asPoints(halves) != line[4] {
			t.Errorf("%v: the cells give %s", line, asPoints(halves))
		}
	}
}

func TestJSON(t *testing.T) {
	e := open(t, Defaults(Arena))
	e.enter("a", "b", "c", "d")
	e.start()
	e.wins("a")
	text, err := e.m.JSON()
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Name      string
		Phase     string
		Standings []Row
		Games     []struct{ White, Black, Score string }
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if got.Name != "Club night" || got.Phase != "running" || len(got.Standings) != 4 || got.Standings[0].ID != "a" || len(got.Games) != 1 {
		t.Errorf("%s", text)
	}
}
