package review

import (
	"fmt"
	"strconv"
	"strings"

	"flagfall/clock"
	"flagfall/game"
	"flagfall/game/board"
	"flagfall/game/pgn"
)

// FromPGN is a game that was read from PGN. Clocks come from its comments. Without them no flag falls, except that of the
// side on move when the game is said to have ended by one.
func FromPGN(g *pgn.Game) (*Record, []pgn.Problem) {
	p := &fromPGN{game: g, record: &Record{Name: strings.Trim(g.Tags["Event"], "?"), Start: g.Start, Score: game.Score(g.Result), Cut: g.Lost > 0}}
	p.record.Setup = game.Setup{
		RuleSet: ruleSetOf(g.Tags["Rules"]), Mode: game.OverTheBoard,
		White: game.Player{Name: g.Tags["White"]}, Black: game.Player{Name: g.Tags["Black"]},
	}
	if g.Start != board.Start() {
		p.record.Setup.FEN = g.Start.FEN()
	}
	p.control()
	for i := range g.Moves {
		p.move(&g.Moves[i])
	}
	p.end()
	return p.record, p.problems
}

// ruleSetOf is the rule set that a tag names, WBCA where it names none.
func ruleSetOf(tag string) string {
	for _, name := range game.RuleSets() {
		if book, _ := game.BookOf(name); strings.EqualFold(tag, name) || strings.EqualFold(tag, book.Cite) {
			return name
		}
	}
	return game.RuleSets()[0]
}

// fromPGN follows the clocks of a game.
type fromPGN struct {
	game     *pgn.Game
	record   *Record
	problems []pgn.Problem
	now      int64
	left     [2]int64
	known    [2]bool // whether left is the clock or only more than enough
}

func (p *fromPGN) problem(line int, format string, args ...any) {
	p.problems = append(p.problems, pgn.Problem{Line: line, Text: fmt.Sprintf(format, args...)})
}

// control reads the time control; where it is not told, the first clocks stand for it.
func (p *fromPGN) control() {
	tags, setup := p.game.Tags, &p.record.Setup
	for side, name := range [2]string{"TimeControl", "BlackTimeControl"} {
		text, given := tags[name]
		if side == 1 && !given {
			text = tags["TimeControl"]
		}
		if text == "" || text == "?" || text == "-" {
			p.left[side] = game.MaxBase
			continue
		}
		base, increment, err := parseControl(text)
		if err != nil {
			if side == 0 || given {
				p.problem(p.game.Line, "time control %q: %v", text, err)
			}
			p.left[side] = game.MaxBase
			continue
		}
		p.left[side], p.known[side] = base, true
		if increment > 0 {
			setup.Timing = clock.Timing{Kind: clock.Fischer, Ms: increment}
		}
	}
	p.delay()
	for _, side := range [2]game.Side{game.White, game.Black} {
		if first := p.firstClock(side); !p.known[side] && first != NoTime {
			p.left[side], p.known[side] = first, true
		}
	}
	setup.Base = p.left
	if !p.known[game.White] && !p.known[game.Black] {
		p.record.Notes = append(p.record.Notes, "The record has no clocks: claims that hang on time are judged only at its end.")
	}
}

func (p *fromPGN) delay() {
	text, given := p.game.Tags["Delay"]
	if !given {
		return
	}
	word, kind, _ := strings.Cut(text, " ")
	ms, err := parseSeconds(word)
	timing := clock.Timing{Kind: clock.USDelay, Ms: ms}
	if kind == "Bronstein" {
		timing.Kind = clock.Bronstein
	}
	if err != nil || timing.Check() != nil {
		p.problem(p.game.Line, "delay %q: want seconds", text)
		return
	}
	p.record.Setup.Timing = timing
}

// firstClock is what a side had after its first move that tells it.
func (p *fromPGN) firstClock(side game.Side) int64 {
	for i := range p.game.Moves {
		if m := &p.game.Moves[i]; game.Side(m.Before.Turn()) == side && m.Clock >= 0 && m.Clock <= game.MaxBase {
			return m.Clock
		}
	}
	return NoTime
}

// parseControl reads "300" and "180+2" as milliseconds: all moves in one time.
func parseControl(text string) (base, increment int64, err error) {
	first, second, _ := strings.Cut(text, "+")
	if base, err = parseSeconds(first); err == nil && strings.Contains(text, "+") {
		increment, err = parseSeconds(second)
	}
	timing := clock.Timing{Kind: clock.Fischer, Ms: max(1, increment)}
	if err != nil || base < 1 || base > game.MaxBase || timing.Check() != nil {
		return 0, 0, fmt.Errorf("want the seconds of the whole game, such as 300 or 180+2")
	}
	return base, increment, nil
}

func parseSeconds(text string) (int64, error) {
	seconds, err := strconv.ParseFloat(text, 64)
	if err != nil || seconds < 0 || seconds > game.MaxBase/1000 {
		return 0, fmt.Errorf("want seconds")
	}
	return int64(seconds*1000 + 0.5), nil
}

func (p *fromPGN) move(m *pgn.Move) {
	by := game.Side(m.Before.Turn())
	line := p.record.addLine(by, m.Move, m.Before)
	line.Pressed = !m.Pending
	index := len(p.record.Lines) - 1
	after := p.spend(m, by, line)
	p.now = max(p.now, after)
	p.record.steps = append(p.record.steps, step{kind: doRelease, at: p.now, by: by, move: m.Move, line: index})
	if line.Pressed {
		p.record.steps = append(p.record.steps, step{kind: doPress, at: p.now, by: by, line: index, left: p.left})
	}
}

// spend takes the time of a move off its maker's clock, and returns when it was made.
func (p *fromPGN) spend(m *pgn.Move, by game.Side, line *Line) int64 {
	timing := p.record.Setup.Timing
	used, left := int64(0), p.left[by]
	switch {
	case m.Clock >= 0 && m.Clock > game.MaxBase:
		p.problem(m.Line, "%s: a clock of more than three hours is left out", m.Text)
	case m.Clock >= 0:
		used, left = p.left[by]-m.Clock, m.Clock
		if timing.Kind != "" { // of a delay all that may have been used is taken as used
			used += timing.Ms
		}
		if m.Pending && timing.Kind == clock.Fischer {
			used -= timing.Ms
		}
		if used < 0 {
			line.Notes = append(line.Notes, fmt.Sprintf("the clock was set forward by %s", seconds(-used)))
			used = 0
		}
		line.Clock, p.known[by] = m.Clock, true
		if m.Clock == 0 && !m.Tenths {
			line.Notes = append(line.Notes, "the clock reads zero in whole seconds: the flag is taken as down")
		}
	case m.Used >= 0:
		used = min(m.Used, game.MaxBase)
		left = max(0, p.left[by]-used)
		if timing.Kind == clock.Fischer && left > 0 {
			left += timing.Ms
		}
		line.Clock = left
	}
	p.left[by] = min(left, game.MaxBase)
	return p.now + used
}

// end lets the flag of the side on move fall where the record says that one fell.
func (p *fromPGN) end() {
	last := len(p.record.Lines) - 1
	by := game.Side(p.game.After().Turn())
	if last >= 0 && !p.record.Lines[last].Pressed {
		by = by.Other()
	}
	winner := p.record.Score
	flag := strings.Contains(strings.ToLower(p.game.Tags["Termination"]), "time")
	if !flag || p.game.Lost > 0 || winner == game.Void ||
		winner == game.WhiteWins && by == game.White || winner == game.BlackWins && by == game.Black {
		return
	}
	p.record.Notes = append(p.record.Notes, fmt.Sprintf("The record says that the game ended by time: the flag of %s, who was on move, is taken as down at its end.", by.Name()))
	p.record.steps = append(p.record.steps, step{kind: doPass, at: p.now + p.left[by] + p.record.Setup.Timing.Ms, by: by, line: last})
}

// seconds is a time in words: "1.5 s".
func seconds(ms int64) string { return strconv.FormatFloat(float64(ms)/1000, 'f', -1, 64) + " s" }
