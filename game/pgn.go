package game

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"flagfall/clock"
	"flagfall/game/board"
)

// History is what a game's events add up to, for records and PGN.
type History struct {
	Setup       Setup
	Result      Result
	Moves       []Moved
	Corrections []Correction
}

// Correction is an illegal move that was taken back after it had been completed (US Chess 11D, CCA 21, FIDE 7.5.1).
type Correction struct {
	At   int     // how many moves stand before it
	Void []Moved // it, and what had been played after it
	Add  int64   // what the opponent got, ms
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
		case Restored:
			h.Corrections = append(h.Corrections, Correction{At: e.Ply, Void: slices.Clone(h.Moves[e.Ply:]), Add: e.Add})
			h.Moves = h.Moves[:e.Ply]
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
	first   int // index of its first move
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
			parts = append(parts, part{first: i + 1, start: m.Before.Displace(m.Move)})
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
	h.timeTags(tag)
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

// timeTags are the time control. PGN knows increments; for delays and unequal times there are tags of our own.
func (h *History) timeTags(tag func(name, value string)) {
	timing := h.Setup.Timing
	control := func(side Side) string {
		if timing.Kind == clock.Fischer {
			return seconds(h.Setup.Base[side]) + "+" + seconds(timing.Ms)
		}
		return seconds(h.Setup.Base[side])
	}
	tag("TimeControl", control(White))
	if h.Setup.Base[White] != h.Setup.Base[Black] {
		tag("BlackTimeControl", control(Black))
	}
	switch timing.Kind {
	case clock.USDelay:
		tag("Delay", seconds(timing.Ms))
	case clock.Bronstein:
		tag("Delay", seconds(timing.Ms)+" Bronstein")
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
	case "time", "time_called", "time_insufficient_material", "both_flags", "unclaimed_flag",
		"flag_arbiter", "flag_arbiter_no_mate_possible":
		return "time forfeit"
	case "illegal_move", "king_capture", "illegal_move_insufficient_material",
		"second_illegal_move", "second_illegal_move_no_mate_possible", "penalty":
		return "rules infraction"
	case "abandoned", "absent", "no_first_move":
		return "abandoned"
	case "arbiter", "annulled", "after_bell":
		return "adjudication"
	case "outage":
		return "emergency"
	}
	return "normal"
}

// movetext writes the moves, one comment each: the clock, and after the last one what became of the game.
func (h *History) movetext(out *strings.Builder, p part, last bool) {
	remarks := h.remarks(p, last)
	words := h.corrected(p.first)
	if len(words) > 0 {
		words = append(append([]string{"{"}, words...), "}")
	}
	number, turn := p.start.Fullmove(), p.start.Turn()
	for i := range p.moves {
		m := &p.moves[i]
		dots := "."
		if turn == board.Black { // a comment, or nothing, stands before it: the number is given again
			dots = "..."
		}
		words = append(words, strconv.Itoa(number)+dots, m.Text(), "{", "[%clk "+clockText(m.Left)+"]")
		words = append(words, h.corrected(p.first+i+1)...)
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

// corrected are the words about the illegal moves that were taken back when `at` moves stood.
func (h *History) corrected(at int) []string {
	var words []string
	for _, c := range h.Corrections {
		if c.At != at || len(c.Void) == 0 {
			continue
		}
		m := &c.Void[0]
		text := fmt.Sprintf("The illegal move %s of %s was taken back", m.Before.Neutral(m.Move), m.By.Name())
		if n := len(c.Void) - 1; n == 1 {
			text += ", and the move after it"
		} else if n > 1 {
			text += fmt.Sprintf(", and %d moves after it", n)
		}
		if c.Add > 0 {
			text += fmt.Sprintf("; %s got %s s", m.By.Other().Name(), seconds(c.Add))
		}
		words = append(words, strings.Fields(text+".")...)
	}
	return words
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
