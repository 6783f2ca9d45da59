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
	ID       string           `json:"id"`
	RuleSet  string           `json:"ruleset"`
	FEN      string           `json:"fen"`
	Clocks   map[string]int64 `json:"clocks_ms"`
	Settings map[string]any   `json:"settings"`
	Truth    *truth           `json:"truth"`
	Events   []command        `json:"events"`
	Expect   expectation      `json:"expect"`
}

// truth is what a demonstration would have shown, where no search decides.
type truth struct {
	ForcedWin string `json:"forced_win_for"` // none, w, b
}

// Prover answers the questions of games.
type Prover interface {
	Answer(q game.Question) (game.Verdict, error)
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
	Illegal  map[string]int   `json:"illegal_count"`
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
func (v *Vector) Replay(prover Prover) string {
	r, err := newReplay(v, prover)
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
	prover  Prover
	truth   *truth
	at      int64
	endedAt int64
	events  []game.Event // of the command that is being played
	err     error        // of a question that could not be answered
}

func newReplay(v *Vector, prover Prover) (*replay, error) {
	options, err := v.options()
	if err != nil {
		return nil, err
	}
	setup := &game.Setup{
		RuleSet: strings.ToLower(v.RuleSet), Mode: game.OverTheBoard,
		Base: [2]int64{v.Clocks["w"], v.Clocks["b"]}, FEN: v.FEN,
		Options: options,
	}
	r := &replay{game: game.New(), prover: prover, truth: v.Truth}
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
	r.events = append(r.events, events...)
	if q, _, waits := r.game.Asked(); waits && err == nil && c.Kind != game.Prove {
		return r.prove(q)
	}
	return err
}

// prove answers the game's questions until it has no more. The truth of a vector stands in where the prover cannot
// decide, and only there.
func (r *replay) prove(q game.Question) error {
	for waits := true; waits; q, _, waits = r.game.Asked() {
		verdict, err := r.prover.Answer(q)
		if err != nil {
			r.err = fmt.Errorf("%s for %s of %s: %w", q.Kind, q.Side.Name(), q.FEN, err)
			return r.err
		}
		if r.truth != nil && q.Kind != game.AskPossible {
			told := game.Refuted
			if r.truth.ForcedWin == q.Side.String() {
				told = game.Proved
			}
			switch verdict {
			case game.Undecided:
				verdict = told
			case told:
			default:
				r.err = fmt.Errorf("the prover says %s to %s for %s of %s, the truth is %s", verdict, q.Kind, q.Side.Name(), q.FEN, told)
				return r.err
			}
		}
		if err := r.do(game.Command{Kind: game.Prove, By: game.None, Question: &q, Verdict: verdict}); err != nil {
			return err
		}
	}
	return nil
}

// options are the settings of the event.
func (v *Vector) options() (game.Options, error) {
	o := game.Options{BothFlagsIdle: 60000}
	for name, value := range v.Settings {
		on, _ := value.(bool)
		number, _ := value.(float64)
		switch name {
		case "arbiter_on_duty":
			o.OnDuty = on
		case "arbiter_calls_flags":
			o.ArbiterCallsFlags = on
		case "arbiter_calls_illegal":
			o.ArbiterCallsIllegal = on
		case "8i_wide":
			o.WideRookPawn = on
		case "ladder":
			o.Ladder = on
		case "penalty_13b":
			o.AddPenalty = value == "add"
		case "window", "window_ms":
			o.Window = int64(number)
		case "both_flags_idle", "both_flags_idle_ms":
			o.BothFlagsIdle = int64(number)
			if number < 1000 { // seconds
				o.BothFlagsIdle *= 1000
			}
		default:
			return o, fmt.Errorf("setting %q is not known", name)
		}
	}
	return o, nil
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
		if r.err != nil {
			return r.err
		}
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
	case "dispute":
		c.Kind = game.Dispute
	case "arbiter":
		c.Kind, c.By = game.Arbitrate, game.None
		c.Ruling, err = ruling(e.Claim, side)
	default:
		err = fmt.Errorf("type %q is not known", e.Type)
	}
	return c, err
}

// ruling is an arbiter's act: the one who gains by it is named.
func ruling(what string, side game.Side) (*game.Ruling, error) {
	r := &game.Ruling{Who: "arbiter", Why: what, Side: side.Other()}
	switch what {
	case "resume":
		r.Act = game.ActResume
	case "add60":
		r.Act = game.ActMinute
	default:
		return nil, fmt.Errorf("the arbiter's act %q is not known", what)
	}
	return r, nil
}

// outcome plays one command and names what came of it.
func (r *replay) outcome(c game.Command) string {
	if c.Kind == game.Tick {
		if r.game.Phase() == game.Over {
			return "rejected:game_over"
		}
		return "ok"
	}
	r.events = nil
	if err := r.do(c); err != nil {
		return "rejected:" + err.Error()
	}
	for _, e := range r.events {
		switch {
		case (e.Kind == game.Restored || e.Kind == game.Faulted) && e.Step > 0:
			return fmt.Sprintf("illegal:%d", e.Step)
		case e.Kind == game.Restored && e.Add > 0:
			return "accepted:restore_120s"
		case e.Kind == game.Restored:
			return "accepted:restore"
		case e.Kind == game.Disputed && e.Claim == game.ClaimLosing:
			return "pending:arbiter"
		case e.Kind == game.Queued, e.Kind == game.QueuedPress:
			return "queued"
		case e.Kind == game.Ended && c.Kind == game.MakeClaim:
			return "accepted"
		case e.Kind == game.Denied:
			return "rejected:" + string(e.Code)
		}
	}
	if c.Kind == game.Release && !slices.ContainsFunc(r.events, func(e game.Event) bool { return e.Kind == game.Released }) {
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
	for name, n := range want.Illegal {
		side, err := game.ParseSide(name)
		if err != nil {
			return err.Error()
		}
		if got := r.game.IllegalMoves(side); got != n {
			return fmt.Sprintf("illegal moves of %s: got %d, want %d", name, got, n)
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
