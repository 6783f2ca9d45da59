package main

import (
	"strings"
	"testing"

	"flagfall/server/wire"
	"flagfall/server/wire/client"
)

func ended(t *testing.T, who *somebody, result, reason, rule string) {
	t.Helper()
	e := who.event("end").End
	if e.Result != result || e.Reason != reason || e.Rule != rule || e.Text == "" {
		t.Fatalf("%s was told the end %+v, want %s %s %s", who.guest.Name, e, result, reason, rule)
	}
}

// Fool's mate by sockets alone, watched by a third.
func TestMate(t *testing.T) {
	p := start(t, t.TempDir())
	white, black, game := p.pair(t, 300000, "board")
	watcher := p.guest(t)
	if s := watcher.join(game); s.You != "" || s.Phase != "waiting" {
		t.Fatalf("a spectator joined as %q in phase %q", s.You, s.Phase)
	}
	begin(white, black, game)
	play(white, black, "f2f3", "e7e5", "g2g4")
	black.move("d8h4")
	for _, who := range []*somebody{white, black, watcher} {
		ended(t, who, "0-1", "checkmate", "WBCA 7a")
	}
	watcher.do(wire.ClientMessage{T: "resign"})
	watcher.refused("not_seated")

	var record struct {
		State wire.State `json:"state"`
		Log   []struct {
			K     string `json:"k"`
			SAN   string `json:"san"`
			Legal *bool  `json:"legal"`
		} `json:"log"`
	}
	if err := p.Get(t.Context(), "", "/api/games/"+game, &record); err != nil {
		t.Fatal(err)
	}
	var san []string
	for _, e := range record.Log {
		if e.K == "move" {
			san = append(san, e.SAN)
			if e.Legal == nil || !*e.Legal {
				t.Errorf("%s is not marked as legal", e.SAN)
			}
		}
	}
	if got := strings.Join(san, " "); got != "f3 e5 g4 Qh4#" {
		t.Errorf("the record says %q", got)
	}
}

func TestIllegalMoveClaimed(t *testing.T) {
	p := start(t, t.TempDir())
	white, black, game := p.pair(t, 180000, "board")
	begin(white, black, game)
	white.move("g1g3")
	black.event("move")
	black.claim("illegal")
	black.refused("not_completed")
	white.press()
	black.event("press")
	black.claim("illegal")
	ended(t, white, "0-1", "illegal_move", "WBCA 7d")
	ended(t, black, "0-1", "illegal_move", "WBCA 7d")
}

// An illegal move that nobody claims stands; the next one is claimed.
func TestIllegalMoveOverlooked(t *testing.T) {
	p := start(t, t.TempDir())
	white, black, game := p.pair(t, 180000, "board")
	begin(white, black, game)
	play(white, black, "g1g3", "e7e5")
	white.claim("illegal") // Black's move was legal: denied, free the first time
	if e := white.event("denied"); e.Code != "no_illegal_move" || e.Step != 1 || e.Add != 0 {
		t.Fatalf("denied with %+v", e)
	}
	play(white, black, "g3e5")
	black.move("d8e5") // no queen moves like that
	black.press()
	white.event("press")
	white.claim("illegal")
	ended(t, white, "1-0", "illegal_move", "WBCA 7d")
}

func TestRetractAndTouchMove(t *testing.T) {
	p := start(t, t.TempDir())
	white, black, game := p.pair(t, 180000, "board")
	begin(white, black, game)
	white.move("g1g3")
	black.event("move")
	white.do(wire.ClientMessage{T: "retract", Ply: new(int)})
	if e := black.event("back"); e.M != "g1g3" {
		t.Fatalf("taken back: %+v", e)
	}
	white.move("e2e4")
	white.refused("touch_move")
	white.move("g1f3")
	white.press()
	black.event("press")
}

func TestFlagClaimed(t *testing.T) {
	p := start(t, t.TempDir())
	white, black, game := p.pair(t, 1000, "board")
	begin(white, black, game)
	black.claim("time")
	if e := black.event("denied"); e.Code != "flag_up" {
		t.Fatalf("denied with %+v", e)
	}
	if e := black.event("flag"); e.By != "w" {
		t.Fatalf("the flag of %q fell", e.By)
	}
	black.claim("time")
	ended(t, white, "0-1", "time", "WBCA 7c")
}

func TestResignDrawAndRematch(t *testing.T) {
	p := start(t, t.TempDir())
	white, black, game := p.pair(t, 300000, "fast")
	begin(white, black, game)
	white.move("e2e4") // the drop presses too
	black.event("press")
	white.do(wire.ClientMessage{T: "offer"})
	black.event("offer")
	black.do(wire.ClientMessage{T: "answer", Accept: true})
	ended(t, white, "1/2-1/2", "agreement", "WBCA 8b")
	ended(t, black, "1/2-1/2", "agreement", "WBCA 8b")

	white.do(wire.ClientMessage{T: "rematch", Game: game})
	if r := black.expect("rematch").Body.(*wire.Rematch); r.By != "w" || r.Game != game {
		t.Fatalf("rematch %+v", r)
	}
	black.do(wire.ClientMessage{T: "rematch", Game: game})
	again := black.expect("paired").Body.(*wire.Paired)
	if again.Color != "w" || again.Game == game {
		t.Fatalf("rematch paired %+v", again)
	}
	begin(black, white, again.Game)
	white.do(wire.ClientMessage{T: "resign"})
	ended(t, black, "1-0", "resignation", "WBCA 7b")
}

// Two strangers who press the same button meet.
func TestPool(t *testing.T) {
	p := start(t, t.TempDir())
	a, b := p.guest(t), p.guest(t)
	a.do(wire.ClientMessage{T: "seek", Base: 300000, Mode: "board"})
	a.expect("seeking")
	b.do(wire.ClientMessage{T: "seek", Base: 300000, Mode: "board"})
	first, second := a.expect("paired").Body.(*wire.Paired), b.expect("paired").Body.(*wire.Paired)
	if first.Game != second.Game || first.Color == second.Color {
		t.Fatalf("paired %+v and %+v", first, second)
	}
	a.do(wire.ClientMessage{T: "seek", Base: 180000, Mode: "board"})
	a.refused("seated")
}

// A second tab takes the seat over; what the first one missed is told once.
func TestSecondTab(t *testing.T) {
	p := start(t, t.TempDir())
	white, black, game := p.pair(t, 300000, "board")
	begin(white, black, game)
	play(white, black, "e2e4", "e7e5")
	old := *white
	n := white.seen[len(white.seen)-1].Body.(*wire.Events).N
	white.connect()
	white.do(wire.ClientMessage{T: "join", Game: game, Since: n})
	white.expect("joined")
	for range old.frames {
	}
	if code := client.CloseCode(<-old.closed); code != wire.CloseReplaced {
		t.Fatalf("the old tab was closed with %d, want %d", code, wire.CloseReplaced)
	}
	white.conn.Send(wire.ClientMessage{T: "here", Visible: true})
	white.move("g1f3")
	white.press()
	black.event("press")
}
