package host

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
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
	return fileOf(q.Event, s, p.File, s.Staff(q.By.ID))
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
	var of playedGames
	if err := json.Unmarshal(answer, &of); err != nil {
		return nil, err
	}
	games, err := h.pgn(ctx, of)
	return text(file{Type: typePGN, Name: q.Event + "-" + gamesFile, Text: games}, err)
}

// playedGames are the games of an event that are over.
type playedGames struct {
	Title string       `json:"title"`
	Games []playedGame `json:"games"`
}

type playedGame struct {
	ID    string `json:"id"`
	Round int    `json:"round,omitempty"`
}

func played(s *arena.State) playedGames {
	of := playedGames{Title: s.Settings.Name}
	for _, g := range s.Games {
		if g.Over && g.Opened {
			of.Games = append(of.Games, playedGame{g.ID, g.Round})
		}
	}
	return of
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
		_ = w.Write([]string{arena.CellText(e.Name), arena.CellText(e.Real), rating})
	}
	w.Flush()
	return b.Bytes()
}

// pgnAtOnce is how many games are read at a time.
const pgnAtOnce = 8

// pgn are games one after the other. One that is just being archived is left out.
func (h *Host) pgn(ctx context.Context, of playedGames) (string, error) {
	texts := make([]string, len(of.Games))
	errs := make([]error, len(of.Games))
	var reading sync.WaitGroup
	turns := make(chan struct{}, pgnAtOnce)
	for i, g := range of.Games {
		turns <- struct{}{}
		reading.Go(func() {
			defer func() { <-turns }()
			texts[i], errs[i] = h.cfg.PGN(ctx, g.ID)
		})
	}
	reading.Wait()
	var out strings.Builder
	for i, err := range errs {
		switch {
		case err == nil:
			out.WriteString(strings.TrimRight(of.named(texts[i], of.Games[i].Round), "\n") + "\n\n")
		case !errors.Is(err, table.ErrUnknownGame) && !errors.Is(err, table.ErrRunning): // half a file is worse than none
			return "", errUnavailable
		}
	}
	return out.String(), nil
}

var (
	eventTag = regexp.MustCompile(`(?m)^\[Event ".*"\]$`)
	roundTag = regexp.MustCompile(`(?m)^\[Round ".*"\]$`)
)

// named gives a game the event's title and its round, as PGN quotes them.
func (of *playedGames) named(text string, round int) string {
	title := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(of.Title)
	text = eventTag.ReplaceAllLiteralString(text, `[Event "`+title+`"]`)
	if round > 0 {
		text = roundTag.ReplaceAllLiteralString(text, fmt.Sprintf(`[Round "%d"]`, round))
	}
	return text
}
