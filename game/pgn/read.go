// Package pgn reads games in PGN as they were really played: with illegal moves, which no library reads, and with
// anything else that may be wrong in a file. What is wrong is told with its line, and the rest is still read.
package pgn

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"flagfall/game/board"
)

// Problem is something wrong in a file.
type Problem struct {
	Line int // from 1
	Text string
}

// String is "line 12: ...".
func (p Problem) String() string { return fmt.Sprintf("line %d: %s", p.Line, p.Text) }

// Game is a game of a file. Moves are those that could be read: they end where the position can no longer be known.
type Game struct {
	Line     int // where it begins
	Tags     map[string]string
	Start    board.Board
	Moves    []Move
	Result   string    // 1-0, 0-1, 1/2-1/2, or * where the game has none
	Remark   string    // comments after the last move, or of a game without moves
	Problems []Problem // in this game
	Lost     int       // words of the movetext that could not be followed
}

// Move is a displacement that was played, legal or not.
type Move struct {
	Line    int
	Text    string // as the file has it
	Move    board.Move
	Before  board.Board
	Clock   int64 // remaining after the move in ms, NoTime if the file does not say
	Tenths  bool  // the clock was given in parts of a second
	Used    int64 // time for the move in ms (%emt), NoTime
	Pending bool  // it was released and the clock was not pressed
	Comment string
}

// NoTime is a time that is not given.
const NoTime = -1

// MaxText is the longest text that Read takes, in bytes.
const MaxText = 64 << 20

// After is the position that stood on the board after the moves.
func (g *Game) After() board.Board {
	if len(g.Moves) == 0 {
		return g.Start
	}
	last := g.Moves[len(g.Moves)-1]
	return last.Before.Displace(last.Move)
}

// Read reads all games of a text. Parts of one game, as Flagfall exports a game in which an illegal move stood, come as
// one. A text in which no game is has a problem of its own, in an empty game.
func Read(text string) []*Game {
	if len(text) > MaxText {
		return []*Game{{Line: 1, Result: "*", Problems: []Problem{{1, fmt.Sprintf("the file is longer than %d MB", MaxText>>20)}}}}
	}
	if !utf8.ValidString(text) { // names in another character set do not make moves unreadable
		text = strings.ToValidUTF8(text, "?")
	}
	l := newLexer(text)
	var games []*Game
	for l.peek().kind != endOfText {
		r := &reader{lexer: l, game: &Game{Line: l.peek().line, Tags: map[string]string{}, Result: "*"}}
		r.read()
		games = append(games, r.game)
	}
	if len(games) == 0 {
		return []*Game{{Line: 1, Result: "*", Start: board.Start(), Problems: []Problem{{1, "there is no game in it"}}}}
	}
	return join(games)
}

// reader reads one game.
type reader struct {
	*lexer
	game     *Game
	board    board.Board
	numbers  bool // the move numbers were right so far
	doubtful bool // a word before could not be read: only a fitting move number says that no move is missing
	lost     bool // the position is not known any more
	comments []string
}

func (r *reader) problem(line int, format string, args ...any) {
	r.game.Problems = append(r.game.Problems, Problem{line, fmt.Sprintf(format, args...)})
}

func (r *reader) read() {
	r.header()
	r.setUp()
	r.numbers = true
	r.movetext()
	r.game.Remark = strings.Join(r.comments, " ")
	if !r.lost && !r.doubtful {
		r.remarked()
	}
}

// header takes the tags. A second Event is the next game's.
func (r *reader) header() {
	for {
		t := r.peek()
		switch {
		case t.kind == comment && len(r.game.Tags) == 0:
			r.comment(r.next())
		case t.kind == tagLine && (r.game.Tags["Event"] == "" || !strings.HasPrefix(strings.TrimSpace(t.text), "Event ")):
			r.tag(r.next())
		default:
			return
		}
	}
}

func (r *reader) tag(t token) {
	name, value, _ := strings.Cut(strings.TrimSpace(t.text), " ")
	value = strings.TrimSpace(value)
	if t.open || name == "" || len(value) < 2 || value[0] != '"' || value[len(value)-1] != '"' {
		r.problem(t.line, "tag %s: want [Name \"value\"]", clip("["+t.text))
		return
	}
	if _, twice := r.game.Tags[name]; twice {
		r.problem(t.line, "tag %s stands there twice; the first one counts", clip(name))
		return
	}
	r.game.Tags[name] = unquote(value[1 : len(value)-1])
}

// unquote takes off the backslashes before quotes and backslashes.
func unquote(s string) string {
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		out.WriteByte(s[i])
	}
	return out.String()
}

// setUp puts the men up. A position that only illegal moves lead to is taken: our own exports have such parts.
func (r *reader) setUp() {
	r.board = board.Start()
	fen, given := r.game.Tags["FEN"]
	if given {
		fields := strings.Fields(fen)
		if len(fields) == 4 {
			fields = append(fields, "0", "1")
		}
		b, err := board.ParseArrangement(strings.Join(fields, " "))
		if err != nil {
			r.problem(r.game.Line, "%v; the moves of this game are not judged", err)
			r.lost = true
		} else {
			r.board = b
		}
	} else if r.game.Tags["SetUp"] == "1" {
		r.problem(r.game.Line, "SetUp without FEN; the moves of this game are not judged")
		r.lost = true
	}
	r.game.Start = r.board
}

func (r *reader) movetext() {
	for {
		switch t := r.peek(); t.kind {
		case endOfText, tagLine:
			if t.kind == tagLine && !tagPair.MatchString(t.text) {
				r.unreadable(r.next().line, "["+t.text)
				continue
			}
			r.problem(t.line, "the moves end without a result (1-0, 0-1, 1/2-1/2 or *)")
			return
		case comment:
			r.comment(r.next())
		case openLine:
			r.variation()
		case closeLine:
			r.problem(r.next().line, "a ) that closes no variation")
		case glyph:
			r.next()
		default:
			r.next()
			if result(t.text) != "" {
				r.end(t)
				return
			}
			r.word(t)
		}
	}
}

// tagPair is how a tag begins, behind its bracket.
var tagPair = regexp.MustCompile(`^\s*\w+\s+"`)

// variation skips lines that were not played.
func (r *reader) variation() {
	from := r.next()
	for depth := 1; depth > 0; {
		switch t := r.next(); t.kind {
		case openLine:
			depth++
		case closeLine:
			depth--
		case endOfText:
			r.problem(from.line, "a variation that nothing closes")
			return
		}
	}
}

func (r *reader) comment(t token) {
	if t.open {
		r.problem(t.line, "a comment that no } closes; the rest of the file is part of it")
	}
	text := strings.Join(strings.Fields(t.text), " ")
	if r.lost {
		return
	}
	rest, err := r.times(text)
	if err != nil {
		r.problem(t.line, "%v", err)
	}
	if rest = strings.TrimSpace(rest); rest != "" {
		r.comments = append(r.comments, rest)
	}
}

// result is the score that a word names, "" for none.
func result(text string) string {
	switch text {
	case "1-0", "0-1", "1/2-1/2", "*":
		return text
	case "1/2", "½-½", "½":
		return "1/2-1/2"
	}
	return ""
}

// end takes the result, and holds it against the tag.
func (r *reader) end(t token) {
	r.game.Result = result(t.text)
	if len(r.game.Tags) == 0 && len(r.game.Moves) == 0 && r.game.Lost == 0 {
		r.problem(t.line, "a result %s without a game", t.text)
	}
	if tag, given := r.game.Tags["Result"]; given && result(tag) != r.game.Result {
		r.problem(t.line, "the moves end with %s and the tag Result says %s; the moves count", t.text, clip(tag))
	}
}

// word takes a move number, a move, or both in one.
func (r *reader) word(t token) {
	text := t.text
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	if rest := strings.TrimLeft(text[digits:], "."); digits > 0 && !strings.HasPrefix(text, "0-0") && (rest == "" || rest != text[digits:]) {
		r.number(t, text[:digits], text[digits:len(text)-len(rest)])
		text = rest
	} else if digits == 0 {
		text = strings.TrimLeft(text, ".")
	}
	if text = marks(text); text == "" {
		return
	}
	switch {
	case r.lost:
		r.game.Lost++
		return
	case r.doubtful:
		r.lose(t.line, text)
		return
	}
	m, err := readMove(&r.board, text)
	if err != nil {
		var no *noMove
		if asNoMove(err, &no) {
			r.unreadable(t.line, text)
			return
		}
		r.problem(t.line, "%s: %v; the moves after it cannot be followed", r.where(), err)
		r.lost, r.game.Lost = true, r.game.Lost+1
		return
	}
	r.play(Move{Line: t.line, Text: clip(text), Move: m})
}

func (r *reader) play(m Move) {
	r.keepComments()
	m.Before, m.Clock, m.Used = r.board, NoTime, NoTime
	r.game.Moves = append(r.game.Moves, m)
	r.board = r.board.Displace(m.Move)
}

// keepComments gives the comments so far to the move before them.
func (r *reader) keepComments() {
	if n := len(r.game.Moves); n > 0 {
		r.game.Moves[n-1].Comment = strings.Join(r.comments, " ")
	}
	r.comments = nil
}

// marks takes off what says nothing of the move itself: !, ?, and the words for en passant.
func marks(text string) string {
	if text == "e.p." || text == "ep" || strings.Trim(text, "!?+-=#/\\~") == "" && text != "--" {
		return ""
	}
	return text
}

// where names the move that is to come: "move 12 of Black".
func (r *reader) where() string {
	return fmt.Sprintf("move %d of %s", r.board.Fullmove(), r.board.Turn().Name())
}

// unreadable notes a word that is no move. It may be noise, or a move that is missed.
func (r *reader) unreadable(line int, text string) {
	r.problem(line, "%s: %q is no move", r.where(), clip(text))
	r.doubtful = true
}

func (r *reader) lose(line int, text string) {
	r.problem(line, "%s: it is missing before %s; the moves from here on cannot be followed", r.where(), clip(text))
	r.lost, r.game.Lost = true, r.game.Lost+1
}

// number holds a move number against the count.
func (r *reader) number(t token, digits, dots string) {
	if r.lost {
		return
	}
	n, err := strconv.Atoi(digits)
	side := board.White
	if len(dots) > 1 {
		side = board.Black
	}
	right := err == nil && n == r.board.Fullmove() && (side == r.board.Turn() || dots == "")
	switch {
	case right:
		r.doubtful = r.doubtful && dots == ""
	case r.numbers && !r.doubtful:
		r.numbers = false
		r.problem(t.line, "number %s, but it is %s", clip(digits+dots), r.where())
	}
}

// clip shortens what is quoted.
func clip(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "..."
}
