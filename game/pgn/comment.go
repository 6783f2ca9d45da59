package pgn

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"flagfall/game/board"
)

// command is [%clk 0:04:59.0] in a comment.
var command = regexp.MustCompile(`\[%\s*(\w+)\s*([^\]]*)\]`)

// times takes the clocks out of a comment; they belong to the move before it.
func (r *reader) times(text string) (rest string, err error) {
	for _, found := range command.FindAllStringSubmatch(text, -1) {
		name, value := found[1], strings.TrimSpace(found[2])
		if name != "clk" && name != "emt" {
			continue
		}
		ms, bad := parseTime(value)
		n := len(r.game.Moves)
		switch {
		case bad != nil:
			err = fmt.Errorf("[%%%s %s]: %w", name, clip(value), bad)
		case n == 0:
			err = fmt.Errorf("[%%%s %s] stands before any move", name, clip(value))
		case name == "clk":
			r.game.Moves[n-1].Clock, r.game.Moves[n-1].Tenths = ms, strings.Contains(value, ".")
		default:
			r.game.Moves[n-1].Used = ms
		}
	}
	return command.ReplaceAllString(text, ""), err
}

// maxHours bounds a clock.
const maxHours = 99

// parseTime reads h:mm:ss, m:ss or s, with parts of a second or without, as milliseconds.
func parseTime(text string) (int64, error) {
	parts := strings.Split(text, ":")
	if len(parts) > 3 {
		return 0, fmt.Errorf("want a time such as 0:04:59.5")
	}
	var total int64
	for i, part := range parts {
		whole, fraction, split := strings.Cut(part, ".")
		last := i == len(parts)-1
		n, err := strconv.ParseUint(whole, 10, 32)
		if err != nil || split && (!last || fraction == "") || i > 0 && n > 59 {
			return 0, fmt.Errorf("want a time such as 0:04:59.5")
		}
		total = total*60 + int64(n)
		if last {
			total *= 1000
			ms, err := strconv.ParseUint((fraction + "000")[:3], 10, 32)
			if err != nil {
				return 0, fmt.Errorf("want a time such as 0:04:59.5")
			}
			total += int64(ms)
		}
	}
	if total > maxHours*3600*1000 {
		return 0, fmt.Errorf("that is more than %d hours", maxHours)
	}
	return total, nil
}

// remark is what Flagfall writes about an illegal move, which no movetext can hold.
var remark = regexp.MustCompile(
	`(White|Black) played the illegal move (\S+), (completed by the clock|released and never pressed)[^(]*\(([\d:.]+) left\)\.?`)

// remarked plays the illegal move that the remark tells of.
func (r *reader) remarked() {
	found := remark.FindStringSubmatch(r.game.Remark)
	if found == nil {
		return
	}
	line := r.line
	m, err := readMove(&r.board, found[2])
	if err != nil {
		r.problem(line, "%s: %v; the moves after it cannot be followed", r.where(), err)
		return
	}
	if found[1] != r.board.Turn().Name() {
		r.problem(line, "%s: the remark says that %s moved", r.where(), found[1])
		return
	}
	r.comments = nil
	r.play(Move{Line: line, Text: found[2], Move: m, Pending: strings.HasPrefix(found[3], "released")})
	played := &r.game.Moves[len(r.game.Moves)-1]
	if ms, err := parseTime(found[4]); err == nil {
		played.Clock, played.Tenths = ms, true
	}
	r.game.Remark = strings.TrimSpace(strings.Replace(r.game.Remark, found[0], "", 1))
}

// partOf is the tag of a part: "2 of 3".
func (g *Game) partOf() (part, parts int, ok bool) {
	n, err := fmt.Sscanf(g.Tags["Part"], "%d of %d", &part, &parts)
	return part, parts, err == nil && n == 2
}

// join makes the parts of one game one: each begins with the position in which the one before it ended.
func join(games []*Game) []*Game {
	var out []*Game
	for _, g := range games {
		part, _, ok := g.partOf()
		if !ok || part == 1 || len(out) == 0 {
			out = append(out, g)
			continue
		}
		whole := out[len(out)-1]
		before, _, _ := whole.partOf()
		switch {
		case whole.Tags["GameId"] != g.Tags["GameId"] || before != part-1:
			g.Problems = append(g.Problems, Problem{g.Line, fmt.Sprintf("part %d without the one before it; it is read as a game", part)})
			out = append(out, g)
		case !sameMen(whole.After(), g.Start):
			g.Problems = append(g.Problems, Problem{g.Line, fmt.Sprintf(
				"part %d begins with another position than part %d ended with; it is read as a game", part, part-1)})
			out = append(out, g)
		default:
			whole.add(g)
		}
	}
	return out
}

func sameMen(a, b board.Board) bool { return a.Placement() == b.Placement() }

// add appends the next part.
func (g *Game) add(next *Game) {
	g.Moves = append(g.Moves, next.Moves...)
	g.Result, g.Remark, g.Lost = next.Result, next.Remark, g.Lost+next.Lost
	g.Problems = append(g.Problems, next.Problems...)
	for _, name := range []string{"Result", "Termination", "Part"} {
		g.Tags[name] = next.Tags[name]
	}
}
