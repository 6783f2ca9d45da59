// Package vector replays worked examples of the rule books: a game's commands with their times, and the rulings they
// must get.
package vector

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"flagfall/game"
	"flagfall/game/board"
)

// Vector is one worked example. Times are milliseconds.
type Vector struct {
	ID      string           `json:"id"`
	RuleSet string           `json:"ruleset"`
	FEN     string           `json:"fen"`
	Clocks  map[string]int64 `json:"clocks_ms"`
	Events  []command        `json:"events"`
	Expect  expectation      `json:"expect"`
}

type command struct {
	At    int64  `json:"t"`
	By    string `json:"by"`
	Type  string `json:"type"`
	UCI   string `json:"uci"`
	Claim string `json:"claim"`
}

type expectation struct {
	Outcomes []string         `json:"outcomes"`
	Result   string           `json:"result"`
	Reason   string           `json:"reason"`
	Rule     string           `json:"rule"`
	EndedAt  *int64           `json:"ended_at"`
	FEN      string           `json:"fen"`
	Running  string           `json:"running"`
	Clocks   map[string]int64 `json:"clocks_ms"`
	Flags    []string         `json:"flags_down"`
}

// Parse reads one example from a line of JSON.
func Parse(line []byte) (Vector, error) {
	var v Vector
	if err := json.NewDecoder(bytes.NewReader(line)).Decode(&v); err != nil {
		return Vector{}, err
	}
	if v.ID == "" {
		return v, fmt.Errorf("a vector needs an id")
	}
	return v, nil
}

// Replay plays the commands and returns the first difference, or "".
func (v *Vector) Replay() string {
	r, err := newReplay(v)
	if err != nil {
		return err.Error()
	}
	outcomes := make([]string, len(v.Events))
	for from := 0; from < len(v.Events); {
		to := from + 1
		for to < len(v.Events) && v.Events[to].At == v.Events[from].At {
			to++
		}
		if err := r.batch(v.Events[from:to], outcomes[from:to]); err != nil {
			return fmt.Sprintf("event %d: %v", from, err)
		}
		from = to
	}
	return r.compare(v.Expect, outcomes)
}

// replay is a game that is driven by a vector.
type replay struct {
	game    *game.Game
	at      int64
	endedAt int64
}

func newReplay(v *Vector) (*replay, error) {
	setup := &game.Setup{
		RuleSet: strings.ToLower(v.RuleSet), Mode: game.OverTheBoard,
		Base: [2]int64{v.Clocks["w"], v.Clocks["b"]}, FEN: v.FEN,
		Options: game.Options{BothFlagsIdle: 60000},
	}
	r := &replay{game: game.New()}
	return r, r.do(game.Command{Kind: game.Create, By: game.None, Setup: setup})
}

func (r *replay) do(c game.Command) error {
	events, err := r.game.Decide(c, r.at)
	for _, e := range events {
		r.game.Apply(e)
		if e.Kind == game.Ended {
			r.endedAt = e.At
		}
	}
	return err
}

// pass lets everything happen that is due before `at`.
func (r *replay) pass(at int64) {
	for {
		due, ok := r.game.Deadline()
		if !ok || due > at {
			break
		}
		r.at = due
		_ = r.do(game.Command{Kind: game.Tick, By: game.None}) // a tick is never refused in a game that was created
	}
	r.at = at
}

func (r *replay) batch(events []command, outcomes []string) error {
	r.pass(events[0].At)
	commands := make([]game.Command, len(events))
	for i, e := range events {
		c, err := e.command()
		if err != nil {
			return err
		}
		commands[i] = c
	}
	for _, i := range game.Merge(commands) {
		outcomes[i] = r.outcome(commands[i])
	}
	return nil
}

func (e command) command() (game.Command, error) {
	side, err := game.ParseSide(e.By)
	if err != nil {
		return game.Command{}, err
	}
	c := game.Command{By: side, Ply: game.AnyPly}
	switch e.Type {
	case "move":
		c.Kind = game.Release
		c.Move, err = board.ParseUCI(e.UCI)
	case "press":
		c.Kind = game.Press
	case "retract":
		c.Kind = game.Retract
	case "claim":
		c.Kind, c.Claim = game.MakeClaim, game.Claim(e.Claim)
	case "resign":
		c.Kind = game.Resign
	case "offer_draw":
		c.Kind = game.OfferDraw
	case "accept_draw", "decline_draw":
		c.Kind, c.Accept = game.AnswerDraw, e.Type == "accept_draw"
	case "tick":
		c.Kind = game.Tick
	default:
		err = fmt.Errorf("type %q is not known", e.Type)
	}
	return c, err
}

// outcome plays one command and names what came of it.
func (r *replay) outcome(c game.Command) string {
	if c.Kind == game.Tick {
		if r.game.Phase() == game.Over {
			return "rejected:game_over"
		}
		return "ok"
	}
	events, err := r.game.Decide(c, r.at)
	if err != nil {
		return "rejected:" + err.Error()
	}
	_ = r.do(c) // the same decision once more, applied
	for _, e := range events {
		switch {
		case e.Kind == game.Queued, e.Kind == game.QueuedPress:
			return "queued"
		case e.Kind == game.Ended && c.Kind == game.MakeClaim:
			return "accepted"
		case e.Kind == game.Denied:
			return "rejected:" + string(e.Code)
		}
	}
	if c.Kind == game.Release && !slices.ContainsFunc(events, func(e game.Event) bool { return e.Kind == game.Released }) {
		return "accepted" // the move took the king
	}
	return "ok"
}

func (r *replay) compare(want expectation, outcomes []string) string {
	if !slices.Equal(outcomes, want.Outcomes) {
		for i := range want.Outcomes {
			if i >= len(outcomes) || outcomes[i] != want.Outcomes[i] {
				return fmt.Sprintf("outcome %d: got %s, want %s", i, outcomes[i], want.Outcomes[i])
			}
		}
		return "more outcomes than events"
	}
	got := expectation{Result: "*", Running: r.game.Running().String(), FEN: r.position()}
	if result := r.game.Result(); result != nil {
		got.Result, got.Reason, got.Rule = string(result.Score), string(result.Reason), result.Rule
		if want.EndedAt == nil {
			return fmt.Sprintf("ended_at: got %d, want no end", r.endedAt)
		}
		if *want.EndedAt != r.endedAt {
			return fmt.Sprintf("ended_at: got %d, want %d", r.endedAt, *want.EndedAt)
		}
	}
	for _, pair := range [][3]string{
		{"result", got.Result, want.Result}, {"reason", got.Reason, want.Reason}, {"rule", got.Rule, want.Rule},
		{"fen", got.FEN, want.FEN}, {"running", got.Running, want.Running},
	} {
		if pair[1] != pair[2] {
			return fmt.Sprintf("%s: got %q, want %q", pair[0], pair[1], pair[2])
		}
	}
	return r.compareClocks(want)
}

func (r *replay) position() string {
	b := r.game.Position()
	return b.FEN()
}

func (r *replay) compareClocks(want expectation) string {
	clock := r.game.Clock()
	var flags []string
	for _, side := range []game.Side{game.White, game.Black} {
		name := side.String()
		if left := clock.Remaining(side, r.at); left != want.Clocks[name] {
			return fmt.Sprintf("clock of %s: got %d, want %d", name, left, want.Clocks[name])
		}
		if clock.Down(side) {
			flags = append(flags, name)
		}
	}
	if !slices.Equal(flags, want.Flags) && len(flags)+len(want.Flags) > 0 {
		return fmt.Sprintf("flags_down: got %v, want %v", flags, want.Flags)
	}
	return ""
}
