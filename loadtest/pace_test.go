package main

import (
	"testing"
	"time"

	"flagfall/game/board"
	"flagfall/server/wire"
)

// seated is a player of a game without a server, to whom it is said what happened.
func seated(t *testing.T, me board.Color, args string) *player {
	t.Helper()
	r := newRun(ordinary(t, time.Minute, args), []string{"http://127.0.0.1:1"}, nil)
	p := newPair(r, 0).players[me]
	p.pair.plan = plan{end: resigns, at: time.Hour, limit: time.Hour}
	p.v.phase, p.v.premoves = "play", true
	return p
}

// told follows a move and its press, or the move alone.
func (p *player) told(by board.Color, m string, press bool) {
	f := &frame{T: "ev", seen: time.Now(), E: []wire.Event{{K: "move", By: by.String(), M: m}}}
	if press {
		f.E = append(f.E, wire.Event{K: "press", By: by.String()})
	}
	p.follow(f)
}

func TestSchedule(t *testing.T) {
	const second = time.Second
	for name, tt := range map[string]struct {
		fast bool
		say  []wire.ClientMessage
		want time.Duration // by how much the slot has moved
	}{
		"fast":                 {true, []wire.ClientMessage{{T: "move"}}, second},
		"release":              {false, []wire.ClientMessage{{T: "move"}}, second / 2},
		"release, press":       {false, []wire.ClientMessage{{T: "move"}, {T: "press"}}, second},
		"release with a press": {false, []wire.ClientMessage{{T: "move", Press: true}}, second},
		"claim":                {false, []wire.ClientMessage{{T: "claim"}}, second},
	} {
		p := seated(t, board.White, "-rate 1")
		p.pair.plan.fast = tt.fast
		slot := p.pair.slotAt(time.Now())
		if first := time.Until(slot); first < -second || first > second {
			t.Errorf("%s: the first slot is in %v", name, first)
		}
		p.scheduled, p.meant = true, slot
		for _, m := range tt.say {
			_ = p.say(m) // there is no socket
		}
		if moved := p.pair.slotAt(time.Now()).Sub(slot); moved != tt.want {
			t.Errorf("%s: the slot moved by %v, want %v", name, moved, tt.want)
		}
		if at := p.on["c1"]; at != slot {
			t.Errorf("%s: it counts from %v, want %v", name, at, slot)
		}
	}
}

// TestLateSchedule is a player who learns late that it is his turn: he is due at once and counts from the slot, unless the
// game stood still for a reason of its own.
func TestLateSchedule(t *testing.T) {
	p := seated(t, board.Black, "-rate 1")
	p.due = time.Now().Add(time.Hour)
	if next := p.next(); next != p.due {
		t.Errorf("off turn he is due at %v, want %v", next, p.due)
	}
	missed := time.Now().Add(-3 * time.Second)
	p.pair.slot = missed
	p.told(board.White, "e2e4", true)
	if next := p.next(); next != missed {
		t.Errorf("he is due at %v, want the slot %v", next, missed)
	}
	for _, why := range []string{"server", "away"} {
		now := time.Now()
		p.follow(&frame{T: "ev", seen: now, E: []wire.Event{{K: "pause", Why: why}, {K: "resume"}}})
		want := missed
		if why == "away" {
			want = now
		}
		if got := p.pair.slotAt(now); got != want {
			t.Errorf("after a pause (%s) the slot is %v, want %v", why, got, want)
		}
	}
}

func TestPremoves(t *testing.T) {
	knight := &premove{move: board.Move{From: 6, To: 21}, ply: 2, kind: board.Knight} // g1f3
	for name, tt := range map[string]struct {
		pre   premove
		reply string
		press bool
		sent  bool // else dropped, or kept
		kept  bool
	}{
		"played":                 {*knight, "e7e5", true, true, false},
		"not yet":                {*knight, "e7e5", false, false, true},
		"early":                  {premove{knight.move, 2, board.Knight, true}, "e7e5", false, true, false},
		"its man was taken":      {*knight, "h7g1", true, false, false},
		"another man is there":   {premove{knight.move, 2, board.Pawn, false}, "e7e5", true, false, false},
		"it would take its own":  {premove{board.Move{From: 6, To: 12}, 2, board.Knight, false}, "e7e5", true, false, false}, // g1e2
		"it would take the king": {*knight, "e8f3", true, false, false},
	} {
		p := seated(t, board.White, "-premoves 1")
		p.told(board.White, "a2a3", true)
		p.ready = &tt.pre
		p.told(board.Black, tt.reply, tt.press)
		_ = p.playPremove(time.Now()) // there is no socket
		sent := len(p.waiting) == 1 && p.waiting[0].T == "move" && p.waiting[0].Press && *p.waiting[0].Ply == 2
		if sent != tt.sent || (p.ready != nil) != tt.kept {
			t.Errorf("%s: sent %v, kept %v", name, p.waiting, p.ready)
		}
		if n := p.run.premoves.Load() + p.run.dropped.Load(); (n == 1) == tt.kept {
			t.Errorf("%s: %d were counted", name, n)
		}
	}
}

func TestPremovesAreChosen(t *testing.T) {
	for args, want := range map[string]bool{"-premoves 1": true, "-premoves 0": false} {
		p := seated(t, board.White, args)
		p.told(board.White, "e2e4", true)
		if (p.ready != nil) != want {
			t.Errorf("%s: %+v", args, p.ready)
		}
		if want && (p.ready.ply != 2 || p.v.board.At(p.ready.move.From).Color() != board.White) {
			t.Errorf("a premove of the wrong man or for the wrong move: %+v", p.ready)
		}
		p.v.premoves = false // the table allows none
		p.told(board.Black, "e7e5", true)
		p.told(board.White, "d2d4", true)
		if p.ready != nil {
			t.Errorf("%s: a premove where the table allows none", args)
		}
	}
}
