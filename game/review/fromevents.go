package review

import (
	"errors"
	"fmt"

	"flagfall/game"
	"flagfall/game/board"
)

// FromEvents is a game that this server recorded. The error names the first event that cannot have happened; what came
// before it is in the record.
func FromEvents(events []game.Event) (*Record, error) {
	f := &fromEvents{record: &Record{Score: game.Void}, game: game.New()}
	for i, e := range events {
		if err := f.check(e); err != nil {
			f.record.Cut = true
			return f.record, fmt.Errorf("event %d (%s): %w", i+1, e.Kind, err)
		}
		f.take(e)
	}
	if f.game.Setup() == nil {
		return f.record, errors.New("there is no event that created a game")
	}
	f.add(step{kind: doPass, by: game.None})
	return f.record, nil
}

// fromEvents follows a recorded game.
type fromEvents struct {
	record  *Record
	game    *game.Game
	at      int64 // of the last event
	stood   int64 // how long the clocks have stood
	lines   []int // of the completed moves
	pending int   // line of the released move
	queued  [2]bool
	pressed [2]bool // the reply that waits brings its press
}

// check refuses events that a game could not take in.
func (f *fromEvents) check(e game.Event) error {
	g := f.game
	created := g.Setup() != nil
	_, pending := g.Pending()
	switch {
	case created == (e.Kind == game.Created):
		return errors.New("a game is created once, and first")
	case e.At < f.at && e.Kind != game.Flagged:
		return fmt.Errorf("its time %d is before that of the event before it, %d", e.At, f.at)
	}
	switch e.Kind {
	case game.Released:
		if pending != game.None || game.Side(turn(g)) != e.By {
			return fmt.Errorf("%s is not on move", e.By.Name())
		}
		b := g.Board()
		if m := board.Move(e.Move); b.Displace(m) == b {
			return fmt.Errorf("%s moves no man", m)
		}
	case game.Pressed, game.Retracted:
		if pending != e.By {
			return fmt.Errorf("%s has released no move", e.By.Name())
		}
	case game.Declined, game.Lapsed:
		if g.Offer() == game.None {
			return errors.New("no draw was offered")
		}
	case game.Ruled:
		if e.Ruling.Side >= game.None && (e.Add > 0 || e.Ruling.Act == game.ActUnjust) {
			return errors.New("the ruling names no side")
		}
	case game.Restored:
		if e.By >= game.None || e.Ply < 0 || e.Ply > len(g.Plies()) {
			return fmt.Errorf("there are not %d moves", e.Ply)
		}
	case game.DemoMoved:
		if by, _, _, _ := g.Demo(e.At); by == game.None {
			return errors.New("nothing is being demonstrated")
		}
	case game.DemoBegan:
		if e.By >= game.None {
			return errors.New("there is no side")
		}
	}
	return nil
}

func turn(g *game.Game) board.Color {
	b := g.Board()
	return b.Turn()
}

func (f *fromEvents) add(s step) {
	s.at = f.at - f.stood
	s.line = len(f.record.Lines) - 1
	f.record.steps = append(f.record.steps, s)
}

func (f *fromEvents) take(e game.Event) {
	if f.game.Phase() != game.Play && f.game.Phase() != "" && f.game.Phase() != game.Over {
		f.stood += max(0, e.At-f.at)
	}
	f.at = max(f.at, e.At)
	before := f.game.Board()
	switch e.Kind {
	case game.Created:
		f.record.Setup = *e.Setup
		f.stood = e.At
	case game.Queued:
		f.queued[e.By], f.pressed[e.By] = true, e.Press
		f.add(step{kind: doRelease, by: e.By, move: board.Move(e.Move), bare: e.Bare, press: e.Press, lag: e.Lag})
	case game.QueuedPress:
		f.pressed[e.By] = true
		f.add(step{kind: doPress, by: e.By, left: [2]int64{NoTime, NoTime}})
	case game.Unqueued:
		f.queued[e.By] = false
	case game.Released:
		f.released(e, before)
	case game.Pressed:
		f.press(e)
	case game.Retracted:
		f.record.Lines[f.pending].Notes = append(f.record.Lines[f.pending].Notes, "taken back before the press")
		f.add(step{kind: doRetract, by: e.By})
	case game.Flagged, game.Denied, game.Ended:
		f.note(e)
	}
	f.game.Apply(e)
	switch e.Kind {
	case game.Created:
		f.record.Start = f.game.Board()
	case game.Restored:
		f.restored(e)
	}
	switch e.Kind {
	case game.Restored, game.Denied, game.Faulted, game.Ruled, game.Paused, game.DelayInserted:
		c := f.game.Clock()
		f.add(step{kind: doClocks, left: [2]int64{c.Remaining(game.White, e.At), c.Remaining(game.Black, e.At)}})
	}
}

func (f *fromEvents) released(e game.Event, before board.Board) {
	line := f.record.addLine(e.By, board.Move(e.Move), before)
	f.pending = len(f.record.Lines) - 1
	if e.Legal != (line.Why == "") {
		line.Notes = append(line.Notes, "the record says otherwise of its legality")
	}
	kind := doRelease
	if f.queued[e.By] { // it was released before, and comes by itself
		kind = doNote
		f.queued[e.By] = false
	} else {
		f.pressed[e.By] = false
	}
	f.add(step{kind: kind, by: e.By, move: board.Move(e.Move), bare: e.Bare, lag: e.Lag})
}

func (f *fromEvents) press(e game.Event) {
	line := &f.record.Lines[f.pending]
	line.Pressed, line.Clock = true, e.Left[e.By]
	kind := doPress
	if f.pressed[e.By] {
		kind = doClocks
		f.pressed[e.By] = false
	}
	f.add(step{kind: kind, by: e.By, lag: e.Lag, left: e.Left})
	f.lines = append(f.lines, f.pending)
}

func (f *fromEvents) restored(e game.Event) {
	for _, i := range f.lines[min(e.Ply, len(f.lines)):] {
		f.record.Lines[i].Notes = append(f.record.Lines[i].Notes, "void: the illegal move was corrected")
	}
	f.lines = f.lines[:min(e.Ply, len(f.lines))]
	f.queued = [2]bool{}
	f.add(step{kind: doRestore, by: e.By, back: f.game.Board()})
}

// note writes down what the record tells beside the moves.
func (f *fromEvents) note(e game.Event) {
	text := ""
	switch e.Kind {
	case game.Flagged:
		text = fmt.Sprintf("%s's flag fell", e.By.Name())
	case game.Denied:
		text = fmt.Sprintf("%s's claim (%s) was refused", e.By.Name(), e.Claim)
	case game.Ended:
		f.record.Result, f.record.Score = e.Result, e.Result.Score
		return
	}
	if n := len(f.record.Lines); n > 0 {
		f.record.Lines[n-1].Notes = append(f.record.Lines[n-1].Notes, text)
	} else {
		f.record.Notes = append(f.record.Notes, text+" before the first move.")
	}
}
