package arena

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// RosterLine is a player of an organiser's list.
type RosterLine struct {
	Name   string `json:"name"`
	Real   string `json:"real,omitempty"`
	Rating int    `json:"rating,omitempty"` // 0: unknown
}

// BadRoster says which line of a list cannot be read, and why.
type BadRoster struct {
	Line int
	Why  string
}

func (b *BadRoster) Error() string { return fmt.Sprintf("line %d: %s", b.Line, b.Why) }

// ReadRoster reads a list as a spreadsheet saves it: UTF-8, with commas, semicolons or tabs, the columns name, real name
// and rating. Real name and rating may be missing, a first line with the heading "name" is skipped. It is read as a whole
// or not at all; the error is a *BadRoster.
func ReadRoster(text []byte) ([]RosterLine, error) {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	if !utf8.Valid(text) {
		return nil, &BadRoster{1, "not UTF-8; save it as \"CSV UTF-8\""}
	}
	r := csv.NewReader(bytes.NewReader(text))
	r.Comma, r.FieldsPerRecord, r.TrimLeadingSpace = separator(text), -1, true
	seen := map[string]int{}
	var list []RosterLine
	for {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		var syntax *csv.ParseError
		if errors.As(err, &syntax) {
			return nil, &BadRoster{syntax.Line, syntax.Err.Error()}
		}
		at, _ := r.FieldPos(0)
		if len(list) == 0 && at == 1 && strings.EqualFold(strings.TrimSpace(cells[0]), "name") {
			continue
		}
		line, why := rosterLine(cells)
		if before := seen[strings.ToLower(line.Name)]; why == "" && before > 0 {
			why = fmt.Sprintf("%q stands in line %d already", line.Name, before)
		}
		if why == "" && len(list) == mostEntries {
			why = fmt.Sprintf("more than %d players", mostEntries)
		}
		if why != "" {
			return nil, &BadRoster{at, why}
		}
		seen[strings.ToLower(line.Name)] = at
		list = append(list, line)
	}
}

// separator is the one of the first line.
func separator(text []byte) rune {
	first, _, _ := bytes.Cut(text, []byte("\n"))
	for _, c := range ";\t" {
		if bytes.ContainsRune(first, c) {
			return c
		}
	}
	return ','
}

func rosterLine(cells []string) (line RosterLine, why string) {
	var cell [3]string
	for i, text := range cells {
		text = strings.TrimSpace(text)
		if i >= len(cell) {
			if text != "" {
				return line, "more than three columns"
			}
			continue
		}
		cell[i] = text
	}
	line.Name, line.Real = cell[0], cell[1]
	switch {
	case line.Name == "":
		return line, "no name"
	case utf8.RuneCountInString(line.Name) > mostName || utf8.RuneCountInString(line.Real) > mostName:
		return line, fmt.Sprintf("a name of more than %d characters", mostName)
	case !readable(line.Name) || line.Real != "" && !readable(line.Real):
		return line, "a name with characters that cannot be read, or a line end"
	case cell[2] == "":
		return line, ""
	}
	rating, err := strconv.Atoi(cell[2])
	if err != nil || rating < 0 || rating > mostRating {
		return line, fmt.Sprintf("rating %q: want a number up to %d", cell[2], mostRating)
	}
	line.Rating = rating
	return line, ""
}
