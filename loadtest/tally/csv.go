package tally

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strconv"
)

// CheckCSV holds the file of the standings against the people's own table.
func (e *Event) CheckCSV(text []byte) *Report {
	r := &Report{}
	lines, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil || len(lines) == 0 {
		r.want(false, "standings.csv cannot be read: %v, %d lines", err, len(lines))
		return r
	}
	own := map[string]Row{}
	for _, row := range e.Table() {
		own[row.Name] = row
	}
	r.want(len(lines)-1 == len(own), "standings.csv has %d lines, there are %d players", len(lines)-1, len(own))
	column := map[string]int{}
	for i, name := range lines[0] {
		column[name] = i
	}
	for _, line := range lines[1:] {
		cell := func(name string) string {
			if i, ok := column[name]; ok {
				return line[i]
			}
			return "no column " + name
		}
		row, known := own[cell("Name")]
		r.want(known, "standings.csv has %q, who is not in the people's own table", cell("Name"))
		if !known {
			continue
		}
		for name, want := range map[string]string{
			"Place": strconv.Itoa(row.Place), "Rating": orNone(row.Rating), "Points": points(row.Points), "Games": strconv.Itoa(row.Games),
			"Wins": strconv.Itoa(row.Wins), "Draws": strconv.Itoa(row.Draws), "Losses": strconv.Itoa(row.Losses),
			"Performance": orNone(row.Performance), "Direct encounter": points(row.Direct),
		} {
			r.want(cell(name) == want, "standings.csv gives %s %q as %s, it is %q", row.Name, cell(name), name, want)
		}
	}
	return r
}

// orNone leaves a rating empty that nobody knows.
func orNone(rating int) string {
	if rating == 0 {
		return ""
	}
	return strconv.Itoa(rating)
}

// points writes half points as points.
func points(halves int) string { return fmt.Sprintf("%.1f", float64(halves)/2) }
