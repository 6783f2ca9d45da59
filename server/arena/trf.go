package arena

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"flagfall/game"
)

// ErrNoTRF says that the event has no rounds.
var ErrNoTRF = refuse(WrongPhase, "a tournament report has rounds; an arena has none")

// TRF is FIDE's tournament report, 2016 (handbook C.04, annex 2), of one group of a round robin, from 1. Each game of a match is a round; play-offs
// are not in it. Players have the numbers of the draw, before it those of their entries. A game that has not been played yet has an empty result, a bye
// gives nothing ("Z").
func (s *State) TRF(group int) ([]byte, error) {
	switch {
	case !s.Settings.robin():
		return nil, ErrNoTRF
	case group < 1 || group > max(1, len(s.Groups)):
		return nil, refuse(UnknownEntry, "group %d of %d", group, len(s.Groups))
	}
	players, rows := s.reported(group)
	number := map[string]int{}
	for i, id := range players {
		number[id] = i + 1
	}
	var b bytes.Buffer
	s.trfHead(&b, rows)
	games := s.trfGames(group, number)
	for _, id := range players {
		for i, r := range rows {
			if r.ID == id {
				b.WriteString(trfPlayer(number[id], i+1, r) + games[id] + "\r\n")
			}
		}
	}
	return b.Bytes(), nil
}

// reported are a group's players in the order of their numbers, and its table. Before the draw they are all who have a place.
func (s *State) reported(group int) (players []string, rows []Row) {
	drawn := 0
	if len(s.Groups) > 0 {
		players, drawn = s.Groups[group-1], group
	}
	for _, r := range s.Standings() {
		if r.Group == drawn {
			rows = append(rows, r)
		}
	}
	if drawn > 0 {
		return players, rows
	}
	for _, e := range s.Entries {
		if slices.ContainsFunc(rows, func(r Row) bool { return r.ID == e.ID }) {
			players = append(players, e.ID)
		}
	}
	return players, rows
}

func (s *State) trfHead(b *bytes.Buffer, rows []Row) {
	rated := 0
	for _, r := range rows {
		if r.Rating > 0 {
			rated++
		}
	}
	kind := "Individual: Round-Robin"
	if s.Settings.Format == DoubleRoundRobin || s.Settings.Two {
		kind = "Individual: Double Round-Robin"
	}
	ended := s.Started
	for _, g := range s.Games {
		ended = max(ended, g.Ended)
	}
	zone, err := s.Settings.zone()
	if err != nil { // settings are checked when they are made
		zone = time.UTC
	}
	day := func(ms int64) string {
		if ms == 0 {
			return ""
		}
		return time.UnixMilli(ms).In(zone).Format("2006/01/02")
	}
	line := func(id, text string) { fmt.Fprintf(b, "%s %s\r\n", id, plain(text)) }
	line("012", s.Settings.Name)
	line("042", day(s.Started))
	line("052", day(ended))
	line("062", fmt.Sprint(len(rows)))
	line("072", fmt.Sprint(rated))
	line("082", "0")
	line("092", kind)
	line("122", trfTime(&s.Settings))
}

// trfTime is the time control as PGN writes it: "300" or "180+2".
func trfTime(set *Settings) string {
	text := fmt.Sprint(set.Terms.Base / 1000)
	if set.Terms.Timing.Ms > 0 {
		text += fmt.Sprintf("+%d", set.Terms.Timing.Ms/1000)
	}
	return text
}

// plain keeps a text in its line.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == 0x85 || r == 0x2028 || r == 0x2029 {
			return ' '
		}
		return r
	}, text)
}

// trfPlayer is the line up to the rounds: columns 1-3 "001", 5-8 number, 15-47 name, 49-52 rating, 81-84 points, 86-89 rank.
func trfPlayer(number, rank int, r Row) string {
	name := r.Real
	if name == "" {
		name = r.Name
	}
	cut := []rune(plain(name))
	cut = cut[:min(len(cut), 33)]
	rating := "    "
	if r.Rating > 0 {
		rating = fmt.Sprintf("%4d", r.Rating)
	}
	line := fmt.Sprintf("001 %4d      %-33s %s", number, string(cut), rating)
	line += strings.Repeat(" ", 80-len([]rune(line)))
	return line + fmt.Sprintf("%4s %4d", asPoints(r.Points), rank) + "  "
}

// trfGames are everybody's rounds: opponent, colour and result, ten columns each.
func (s *State) trfGames(group int, number map[string]int) map[string]string {
	legs := 1
	if s.Settings.Two {
		legs = 2
	}
	cells := map[string][]string{}
	played := min(s.Round, s.Rounds())
	for id := range number {
		cells[id] = make([]string, played*legs)
	}
	for _, g := range s.Games {
		if g.Group != group || g.Playoff || g.ByHand {
			continue
		}
		at := (g.Round-1)*legs + max(g.Leg-1, 0)
		white, black := trfResult(g)
		cells[g.White][at] = fmt.Sprintf("%4d w %s", number[g.Black], white)
		cells[g.Black][at] = fmt.Sprintf("%4d b %s", number[g.White], black)
	}
	lines := map[string]string{}
	for id, list := range cells {
		for _, cell := range list {
			if cell == "" {
				cell = "0000 - Z"
			}
			lines[id] += cell + "  "
		}
		lines[id] = strings.TrimRight(lines[id], " ")
	}
	return lines
}

// trfResult are the codes of a game: 1, =, 0; + and - for forfeits; blank for one without a result.
func trfResult(g *Game) (white, black string) {
	if !g.Over || !g.Outcome.counts() {
		return " ", " "
	}
	o := &g.Outcome
	switch {
	case o.Score == bothAbsent:
		return "-", "-"
	case o.Forfeit && o.Score == game.WhiteWins:
		return "+", "-"
	case o.Forfeit && o.Score == game.BlackWins:
		return "-", "+"
	case o.Score == game.WhiteWins:
		return "1", "0"
	case o.Score == game.BlackWins:
		return "0", "1"
	}
	return "=", "="
}
