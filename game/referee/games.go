package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"

	"flagfall/game"
	"flagfall/game/pgn"
	"flagfall/game/review"
)

// gamesOf reads the games of files and reports them.
type gamesOf struct {
	out    io.Writer
	prover review.Prover
	rules  string // rule set of the move list; "" is the game's own
	bad    int    // what was wrong
	games  int
}

func (g *gamesOf) wrong(name string, line int, text string) {
	g.bad++
	fmt.Fprintf(g.out, "BAD  %s line %d: %s\n", name, line, plain(text))
}

func (g *gamesOf) report(name string, line int, r *review.Record) error {
	g.games++
	event := ""
	if r.Name != "" {
		event = plain(r.Name) + ": "
	}
	fmt.Fprintf(g.out, "Game %d (%s line %d): %s%s - %s, %s\n", g.games, name, line, event,
		player(r.Setup.White), player(r.Setup.Black), result(r))
	judged := g.rules
	if judged == "" {
		judged = r.Setup.RuleSet
	}
	write := report{out: g.out, record: r, prover: g.prover, judged: judged}
	if err := write.write(); err != nil {
		return err
	}
	fmt.Fprintln(g.out)
	return nil
}

func player(p game.Player) string {
	if p.Name == "" {
		return "?"
	}
	return plain(p.Name)
}

// plain takes control characters off what a file says.
func plain(text string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsControl(c) {
			return ' '
		}
		return c
	}, text)
}

func result(r *review.Record) string {
	if r.Result != nil {
		return verdict(r.Result)
	}
	return score(r.Score)
}

// pgn reports the games of a PGN file.
func (g *gamesOf) pgn(name, text string) error {
	for _, one := range pgn.Read(text) {
		record, problems := review.FromPGN(one)
		for _, p := range append(one.Problems, problems...) {
			g.wrong(name, p.Line, p.Text)
		}
		if len(one.Moves) == 0 && (len(one.Problems) > 0 || one.Lost > 0) {
			continue
		}
		if err := g.report(name, one.Line, record); err != nil {
			return err
		}
	}
	return nil
}

// recorded is a game as this server keeps it: archived, or the entries of its journal.
type recorded struct {
	Version int               `json:"v"`
	Kind    string            `json:"k"`      // a single event
	Acked   string            `json:"acked"`  // the table's own event
	Events  []json.RawMessage `json:"events"` // an archived game
	Entry   []json.RawMessage `json:"ev"`     // an entry of a journal
}

// recordVersion is the version of archived games that is known.
const recordVersion = 1

// json reports the games of a file with JSON values: archived games, entries of journals, or events.
func (g *gamesOf) json(name, text string) error {
	f := &eventFile{gamesOf: g, name: name}
	if err := f.read(text); err != nil {
		return err
	}
	return f.finish()
}

// eventFile gathers the events of one game after the other.
type eventFile struct {
	*gamesOf
	name   string
	events []game.Event
	line   int // where they begin
}

// read takes one JSON value after the other. One that cannot be read costs as much as up to the next line that begins
// with { or [.
func (f *eventFile) read(text string) error {
	line := 1
	for {
		rest := strings.TrimLeft(text, " \t\r\n")
		line += strings.Count(text[:len(text)-len(rest)], "\n")
		if text = rest; text == "" {
			return nil
		}
		decoder := json.NewDecoder(strings.NewReader(text))
		var value json.RawMessage
		var taken int
		if err := decoder.Decode(&value); err != nil {
			at := len(text)
			var syntax *json.SyntaxError
			if errors.As(err, &syntax) {
				at = min(at, int(syntax.Offset))
			}
			f.wrong(f.name, line+strings.Count(text[:at], "\n"), "not JSON: "+err.Error())
			taken = nextValue(text)
		} else {
			taken = int(decoder.InputOffset())
			if err := f.value(value, line); err != nil {
				return err
			}
		}
		line += strings.Count(text[:taken], "\n")
		text = text[taken:]
	}
}

// nextValue is where the first line after this one begins that may be a value of its own.
func nextValue(text string) int {
	for at := 1; at < len(text); at++ {
		if text[at-1] == '\n' && (text[at] == '{' || text[at] == '[') {
			return at
		}
	}
	return len(text)
}

func (f *eventFile) value(value json.RawMessage, line int) error {
	if bytes.HasPrefix(value, []byte("[")) {
		var list []json.RawMessage
		if err := json.Unmarshal(value, &list); err != nil {
			f.wrong(f.name, line, err.Error())
			return nil
		}
		return f.all(list, line)
	}
	var r recorded
	if err := json.Unmarshal(value, &r); err != nil {
		f.wrong(f.name, line, "neither an archived game nor an event: "+err.Error())
		return nil
	}
	switch {
	case r.Events != nil && r.Version != recordVersion:
		f.wrong(f.name, line, fmt.Sprintf("archived game of version %d: only %d is known", r.Version, recordVersion))
	case r.Events != nil:
		if err := f.finish(); err != nil {
			return err
		}
		if err := f.all(r.Events, line); err != nil {
			return err
		}
		return f.finish()
	case r.Entry != nil:
		return f.all(r.Entry, line)
	case r.Kind != "":
		return f.event(value, line)
	case r.Acked != "":
	default:
		f.wrong(f.name, line, "neither an archived game, nor an entry of a journal, nor an event")
	}
	return nil
}

func (f *eventFile) all(list []json.RawMessage, line int) error {
	for i, text := range list {
		var r recorded
		if json.Unmarshal(text, &r) == nil && r.Acked != "" {
			continue
		}
		e, err := game.ParseEvent(text)
		if err != nil {
			f.wrong(f.name, line, fmt.Sprintf("event %d: %v; the events after it are left out", i+1, err))
			return nil
		}
		if err := f.take(e, line); err != nil {
			return err
		}
	}
	return nil
}

func (f *eventFile) event(text json.RawMessage, line int) error {
	e, err := game.ParseEvent(text)
	if err != nil {
		f.wrong(f.name, line, err.Error())
		return nil
	}
	return f.take(e, line)
}

// take adds an event. The creation of a game begins the next one.
func (f *eventFile) take(e game.Event, line int) error {
	if e.Kind == game.Created {
		if err := f.finish(); err != nil {
			return err
		}
	}
	if len(f.events) == 0 {
		f.line = line
	}
	f.events = append(f.events, e)
	return nil
}

// finish reports the game that has been gathered.
func (f *eventFile) finish() error {
	if len(f.events) == 0 {
		return nil
	}
	record, err := review.FromEvents(f.events)
	f.events = nil
	if err != nil {
		f.wrong(f.name, f.line, err.Error())
	}
	if record.Setup.RuleSet == "" {
		return nil
	}
	return f.report(f.name, f.line, record)
}
