package host

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"sync"

	"flagfall/server/arena"
	"flagfall/server/table"
	"flagfall/server/wire"
)

// file is an export.
type file struct {
	Type string `json:"type"`
	Name string `json:"name"`
	Text string `json:"text"`
}

const (
	gamesFile = "games.pgn"

	typeCSV  = "text/csv; charset=utf-8"
	typePGN  = "application/x-chess-pgn; charset=utf-8"
	typeText = "text/plain; charset=utf-8"
)

// export makes a file of the results of an event that is over.
func export(q Question, s *arena.State) (json.RawMessage, error) {
	var p struct {
		File string `json:"file"`
	}
	if err := q.read(&p); err != nil {
		return nil, err
	}
	if !s.May(q.viewer()) {
		return nil, ErrUnknownEvent
	}
	return fileOf(q.Event, s, p.File, staff(s, q.By.ID))
}

func fileOf(event string, s *arena.State, name string, staff bool) (json.RawMessage, error) {
	kind, content, err := exported(s, name, staff)
	return text(file{Type: kind, Name: event + "-" + name, Text: string(content)}, said(err))
}

// exportGames makes the file of all games that are over. It is made where it is asked for: it is too large for a message
// between nodes.
func (h *Host) exportGames(ctx context.Context, q Question) (json.RawMessage, error) {
	q.What = "games"
	answer, err := h.ask(ctx, q)
	if err != nil {
		return nil, err
	}
	var ids []string
	if err := json.Unmarshal(answer, &ids); err != nil {
		return nil, err
	}
	games, err := h.pgn(ctx, ids)
	return text(file{Type: typePGN, Name: q.Event + "-" + gamesFile, Text: games}, err)
}

// played lists the games that are over.
func played(s *arena.State) []string {
	ids := []string{}
	for _, g := range s.Games {
		if g.Over && g.Opened {
			ids = append(ids, g.ID)
		}
	}
	return ids
}

// exported are the files that follow from the state.
func exported(s *arena.State, name string, staff bool) (kind string, text []byte, err error) {
	switch name {
	case "standings.csv":
		return typeCSV, s.StandingsCSV(), nil
	case "crosstable.csv":
		return typeCSV, s.CrosstableCSV(), nil
	case "event.json":
		text, err = s.JSON()
		return "application/json", text, err
	case "report.trf":
		return trf(s)
	case "roster.csv":
		if !staff {
			return "", nil, wire.Refuse(wire.CodeForbidden)
		}
		return typeCSV, rosterCSV(s), nil
	}
	return "", nil, wire.Refuse(wire.CodeNotFound)
}

// trf are the reports of all groups, one after the other.
func trf(s *arena.State) (string, []byte, error) {
	var all []byte
	for group := 1; group <= max(1, len(s.Groups)); group++ {
		text, err := s.TRF(group)
		if err != nil {
			return "", nil, err
		}
		all = append(all, text...)
	}
	return typeText, all, nil
}

// rosterCSV is the list of all who entered, as a roster can be read again.
func rosterCSV(s *arena.State) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.UseCRLF = true
	_ = w.Write([]string{"name", "real name", "rating"}) // a buffer takes everything
	for _, e := range s.Entries {
		if e.Status == arena.Removed {
			continue
		}
		rating := ""
		if e.Rating > 0 {
			rating = strconv.Itoa(e.Rating)
		}
		_ = w.Write([]string{safe(e.Name), safe(e.Real), rating})
	}
	w.Flush()
	return b.Bytes()
}

// safe keeps a spreadsheet from taking a name for a formula.
func safe(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}

// pgnAtOnce is how many games are read at a time.
const pgnAtOnce = 8

// pgn are games one after the other. One that is just being archived is left out.
func (h *Host) pgn(ctx context.Context, ids []string) (string, error) {
	texts := make([]string, len(ids))
	errs := make([]error, len(ids))
	var reading sync.WaitGroup
	turns := make(chan struct{}, pgnAtOnce)
	for i, id := range ids {
		turns <- struct{}{}
		reading.Go(func() {
			defer func() { <-turns }()
			texts[i], errs[i] = h.cfg.PGN(ctx, id)
		})
	}
	reading.Wait()
	var out strings.Builder
	for i, err := range errs {
		switch {
		case err == nil:
			out.WriteString(strings.TrimRight(texts[i], "\n") + "\n\n")
		case !errors.Is(err, table.ErrUnknownGame) && !errors.Is(err, table.ErrRunning): // half a file is worse than none
			return "", errUnavailable
		}
	}
	return out.String(), nil
}
