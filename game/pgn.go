package game

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"flagfall/game/board"
)

// History is what a game's events add up to, for records and PGN.
type History struct {
	Setup  Setup
	Result Result
	Moves  []Moved
}

// Moved is a move that stood on the board: released, and not taken back. Times are game time and remaining, in ms.
type Moved struct {
	By       Side
	Move     board.Move
	Before   board.Board
	Legal    bool
	Released int64
	Left     int64 // after the press; of a move that ended the game, at its release
	Pressed  bool
}

// Text is the move in plain notation: SAN when it was legal, else squares ("Ng1-g3").
func (m *Moved) Text() string {
	if m.Legal {
		return m.Before.SAN(m.Move)
	}
	return m.Before.Neutral(m.Move)
}

// Replay plays recorded events and returns the game and its history.
func Replay(events []Event) (*Game, History) {
	g := New()
	var h History
	for _, e := range events {
		switch e.Kind {
		case Created:
			h.Setup = *e.Setup
		case Released:
			c := g.Clock()
			h.Moves = append(h.Moves, Moved{By: e.By, Move: board.Move(e.Move), Before: g.Board(), Legal: e.Legal,
				Released: e.At, Left: c.Remaining(e.By, e.At)})
		case Retracted:
			h.Moves = h.Moves[:len(h.Moves)-1]
		case Pressed:
			last := &h.Moves[len(h.Moves)-1]
			last.Left, last.Pressed = e.Left[e.By], true
		case Ended:
			h.Result = *e.Result
		}
		g.Apply(e)
	}
	return g, h
}

// PGN writes the game. Every illegal move that stood ends a movetext, for no reader of PGN could play it; what came after
// follows as a further game that is set up from the position on the board.
func (h *History) PGN(id, site string, started time.Time) string {
	var out strings.Builder
	parts := h.parts()
	for i, part := range parts {
		if i > 0 {
			out.WriteByte('\n')
		}
		last := i == len(parts)-1
		h.tags(&out, id, site, started, part, i, len(parts))
		out.WriteByte('\n')
		h.movetext(&out, part, last)
	}
	return out.String()
}

// part is a stretch of legal moves, and the illegal one that ended it, if any.
type part struct {
	start   board.Board
	moves   []Moved
	illegal *Moved
}

func (h *History) parts() []part {
	start, err := h.Setup.position()
	if err != nil {
		start = board.Start()
	}
	parts := []part{{start: start}}
	for i := range h.Moves {
		m := &h.Moves[i]
		current := &parts[len(parts)-1]
		if m.Legal {
			current.moves = append(current.moves, *m)
			continue
		}
		current.illegal = m
		if m.Pressed && i < len(h.Moves)-1 {
			parts = append(parts, part{start: m.Before.Displace(m.Move)})
		}
	}
	return parts
}

func (h *History) tags(out *strings.Builder, id, site string, started time.Time, p part, i, parts int) {
	tag := func(name, value string) { fmt.Fprintf(out, "[%s \"%s\"]\n", name, escapeTag(value)) }
	tag("Event", strings.TrimSpace("Flagfall "+h.Setup.Origin)+" game")
	tag("Site", site)
	tag("Date", started.UTC().Format("2006.01.02"))
	tag("Round", "-")
	tag("White", h.Setup.White.Name)
	tag("Black", h.Setup.Black.Name)
	tag("Result", string(h.scoreOf(i == parts-1)))
	tag("GameId", id)
	tag("TimeControl", seconds(h.Setup.Base[White]))
	tag("UTCDate", started.UTC().Format("2006.01.02"))
	tag("UTCTime", started.UTC().Format("15:04:05"))
	tag("Rules", strings.ToUpper(h.Setup.RuleSet))
	if parts > 1 {
		tag("Part", fmt.Sprintf("%d of %d", i+1, parts))
	}
	if p.start != board.Start() {
		tag("SetUp", "1")
		tag("FEN", p.start.FEN())
	}
	if i == parts-1 {
		tag("Termination", h.termination())
	} else {
		tag("Termination", "unterminated")
	}
}

func (h *History) scoreOf(last bool) Score {
	if !last {
		return Void
	}
	return h.Result.Score
}

// termination is PGN's word for the way the game ended.
func (h *History) termination() string {
	switch h.Result.Reason {
	case "time", "time_called", "time_insufficient_material", "both_flags", "unclaimed_flag":
		return "time forfeit"
	case "illegal_move", "king_capture", "illegal_move_insufficient_material":
		return "rules infraction"
	case "abandoned", "absent", "no_first_move":
		return "abandoned"
	case "outage":
		return "emergency"
	}
	return "normal"
}

// movetext writes the moves, one comment each: the clock, and after the last one what became of the game.
func (h *History) movetext(out *strings.Builder, p part, last bool) {
	remarks := h.remarks(p, last)
	var words []string
	number, turn := p.start.Fullmove(), p.start.Turn()
	for i := range p.moves {
		m := &p.moves[i]
		dots := "."
		if turn == board.Black { // a comment, or nothing, stands before it: the number is given again
			dots = "..."
		}
		words = append(words, strconv.Itoa(number)+dots, m.Text(), "{", "[%clk "+clockText(m.Left)+"]")
		if i == len(p.moves)-1 {
			words = append(words, remarks...)
		}
		words = append(words, "}")
		if turn == board.Black {
			number++
		}
		turn = turn.Other()
	}
	if len(p.moves) == 0 && len(remarks) > 0 {
		words = append(append(append(words, "{"), remarks...), "}")
	}
	wrap(out, append(words, string(h.scoreOf(last))))
}

// remarks are the words about the illegal move that ended the part, and about the end of the game.
func (h *History) remarks(p part, last bool) []string {
	var text string
	if p.illegal != nil {
		text = illegalRemark(p.illegal, last)
	}
	if last {
		text += " " + h.Result.Text()
	}
	return strings.Fields(escapeComment(text))
}

func illegalRemark(m *Moved, last bool) string {
	what := "released and never pressed"
	switch {
	case m.Pressed && last:
		what = "completed by the clock"
	case m.Pressed:
		what = "completed by the clock and not claimed; the game goes on in the next part"
	}
	return fmt.Sprintf("%s played the illegal move %s, %s (%s left).", m.By.Name(), m.Before.Neutral(m.Move), what, clockText(m.Left))
}

// wrap writes words in lines of at most 79 characters, as PGN's export format wants.
func wrap(out *strings.Builder, words []string) {
	width := 0
	for _, word := range words {
		switch {
		case width == 0:
		case width+1+len(word) > 79:
			out.WriteByte('\n')
			width = 0
		default:
			out.WriteByte(' ')
			width++
		}
		out.WriteString(word)
		width += len(word)
	}
	out.WriteByte('\n')
}

// clockText is h:mm:ss.t, rounded up to the tenth: no clock that has time reads nothing.
func clockText(ms int64) string {
	tenths := (ms + 99) / 100
	return fmt.Sprintf("%d:%02d:%02d.%d", tenths/36000, tenths/600%60, tenths/10%60, tenths%10)
}

func seconds(ms int64) string {
	return strconv.FormatFloat(float64(ms)/1000, 'f', -1, 64)
}

// escapeTag makes a string that ends where the quotes say: backslash and quote escaped, control characters gone.
func escapeTag(value string) string {
	var out strings.Builder
	for _, c := range value {
		switch {
		case unicode.IsControl(c), c == '\u2028', c == '\u2029':
		case c == '"' || c == '\\':
			out.WriteByte('\\')
			out.WriteRune(c)
		default:
			out.WriteRune(c)
		}
	}
	return out.String()
}

// escapeComment keeps text within its braces.
func escapeComment(text string) string {
	return strings.Map(func(c rune) rune {
		if c == '}' || c == '{' || c < ' ' {
			return ' '
		}
		return c
	}, text)
}
