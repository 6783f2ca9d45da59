package judge

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"flagfall/server/wire"
)

// TestLostSockets is White's socket lost right after his move: told again from the last frame, or covered by a snapshot.
func TestLostSockets(t *testing.T) {
	back := func(snapshot bool) *script {
		s := begin("fast")
		s.say("w", 1000, move("c0", "e2e4", 0, true))
		w := s.log(0)
		w.Entries = append(w.Entries, Entry{At: 1001 * time.Millisecond, Kind: Cut})
		told := wire.Events{T: "ev", N: 2, At: 1000, Clocks: run(9000, 10_000, "b"), E: []wire.Event{{K: "move", By: "w", M: "e2e4"}, {K: "press", By: "w"}}}
		s.got(1, 1000, told)
		s.got(2, 1000, told)
		s.n = [3]uint64{2, 2, 2}
		w.Entries = append(w.Entries, Entry{At: 1500 * time.Millisecond, Kind: Opened})
		if snapshot {
			s.got(0, 1500, wire.State{T: "state", N: 2, Game: "g", Phase: "play", Board: "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b", Moves: []wire.Ply{{M: "e2e4", Ms: 9000}}})
		} else {
			told.ID = "c0"
			s.got(0, 1500, told)
			s.got(0, 1500, wire.Joined{T: "joined", Game: "g", N: 2})
		}
		s.say("w", 1600, move("c0", "e2e4", 0, true))
		s.got(0, 1600, wire.Done{T: "done", ID: "c0"})
		s.say("b", 2000, wire.ClientMessage{T: "resign", ID: "c0"})
		return s.tell(2000, "b:c0", run(9000, 9000, ""), wire.Event{K: "end", End: &wire.End{Result: "1-0", Reason: "resignation", Rule: "WBCA 7b"}})
	}
	for _, snapshot := range []bool{false, true} {
		if v := Judge(back(snapshot).t, nil); len(v.Differences) > 0 || v.Plies != 1 {
			t.Errorf("snapshot %v: %d plies, %v", snapshot, v.Plies, v.Differences)
		}
	}
	spoilt := replaceIn(back(true), 0, "4P3", "3P4")
	if v := Judge(spoilt.t, nil); len(v.Differences) == 0 {
		t.Error("a snapshot with another board was not noticed")
	}
}

// TestOutage is a server killed after 1.e4 and started again: both come back by snapshots.
func TestOutage(t *testing.T) {
	killed := func(moves ...wire.Ply) *script {
		s := begin("fast")
		s.say("w", 1000, move("c0", "e2e4", 0, true))
		s.tell(1000, "w:c0", run(9000, 10_000, "b"), wire.Event{K: "move", By: "w", M: "e2e4"}, wire.Event{K: "press", By: "w"})
		for seat := range 3 {
			l := s.log(seat)
			l.Entries = append(l.Entries, Entry{At: 1100 * time.Millisecond, Kind: Cut}, Entry{At: 3000 * time.Millisecond, Kind: Opened})
			s.got(seat, 3000, wire.State{T: "state", N: 9, Game: "g", Phase: "paused", Moves: moves})
		}
		s.n = [3]uint64{9, 9, 9}
		s.say("b", 3500, wire.ClientMessage{T: "resign", ID: "c0"})
		return s.tell(1600, "b:c0", run(9000, 9900, ""), wire.Event{K: "end", End: &wire.End{Result: "1-0", Reason: "resignation", Rule: "WBCA 7b"}})
	}
	v := Judge(killed(wire.Ply{M: "e2e4", Ms: 9000}).t, nil)
	if !v.Outage || len(v.Differences) > 0 || v.End == nil {
		t.Errorf("outage %v, end %v, %v", v.Outage, v.End, v.Differences)
	}
	if v := Judge(killed().t, nil); len(v.Differences) == 0 {
		t.Error("a lost move was not noticed")
	}
}

// A move that was taken back before the outage is not missing after it.
func TestOutageAfterACorrection(t *testing.T) {
	s := pressed("fide", run(8800, 70_000, "w"), wire.Event{K: "restored", By: "w", Step: 1, Add: 60_000})
	for seat := range 3 {
		l := s.log(seat)
		l.Entries = append(l.Entries, Entry{At: 1300 * time.Millisecond, Kind: Cut}, Entry{At: 3000 * time.Millisecond, Kind: Opened})
		s.got(seat, 3000, wire.State{T: "state", N: 9, Game: "g", Phase: "paused"})
	}
	s.n = [3]uint64{9, 9, 9}
	s.say("b", 3500, wire.ClientMessage{T: "resign", ID: "c0"}).tell(1700, "b:c0", run(8700, 70_000, ""), end("1-0", "resignation", "FIDE 5.1.2"))
	if v := Judge(s.t, nil); !v.Outage || len(v.Differences) > 0 {
		t.Errorf("outage %v, %v", v.Outage, v.Differences)
	}
}

// twiceAway is a server that is away twice: after the first time Black misses the news less long than White, who comes back
// by a later snapshot and is told a pause at once.
func twiceAway(end wire.Event) *script {
	s := begin("fast").say("w", 1000, move("c0", "e2e4", 0, true))
	s.tell(1000, "w:c0", run(9000, 10_000, "b"), wire.Event{K: "move", By: "w", M: "e2e4"}, wire.Event{K: "press", By: "w"})
	away := func(seat int, at int64, n uint64) {
		l := s.log(seat)
		l.Entries = append(l.Entries, Entry{At: time.Duration(at) * time.Millisecond, Kind: Cut}, Entry{At: time.Duration(at+100) * time.Millisecond, Kind: Opened})
		s.got(seat, at+100, wire.State{T: "state", N: n, Game: "g", Phase: "paused", Moves: []wire.Ply{{M: "e2e4", Ms: 9000}}})
		s.n[seat] = n
	}
	for seat := range 3 {
		away(seat, 1100, 9)
	}
	stand := run(9000, 9500, "")
	s.tell(1500, "", stand, wire.Event{K: "here", By: "w"})
	away(1, 2000, 19)
	s.got(1, 2150, wire.Events{T: "ev", N: 20, At: 1500, Clocks: stand, E: []wire.Event{{K: "here", By: "b"}}})
	s.n[1] = 20
	away(0, 2200, 20)
	away(2, 2200, 20)
	s.tell(1500, "", stand, wire.Event{K: "pause", Why: "server"})
	s.tell(1700, "", stand, wire.Event{K: "here", By: "b"})
	s.tell(1710, "", run(9000, 9500, "b"), wire.Event{K: "resume"}, wire.Event{K: "here", By: "w"})
	s.say("b", 2500, wire.ClientMessage{T: "resign", ID: "c0"})
	return s.tell(1800, "b:c0", run(9000, 9410, ""), end)
}

func TestSecondOutage(t *testing.T) {
	if v := Judge(twiceAway(end("1-0", "resignation", "WBCA 7b")).t, nil); !v.Outage || len(v.Differences) > 0 || v.End == nil {
		t.Errorf("outage %v, end %v, %v", v.Outage, v.End, v.Differences)
	}
	if v := Judge(twiceAway(wire.Event{K: "offer", By: "b"}).t, nil); !strings.Contains(fmt.Sprint(v.Differences), "not told an end") {
		t.Errorf("a game without an end: %v", v.Differences)
	}
}

// A server that is away before the start tells no pause: game time stood, and what is stamped after it is right.
func TestOutageBeforeTheStart(t *testing.T) {
	at := func(moved int64) *script {
		s := begin("fast")
		for seat := range 3 {
			l := s.log(seat)
			l.Entries = l.Entries[:1]
			s.n[seat] = 0
		}
		s.tell(0, "", run(10_000, 10_000, ""), wire.Event{K: "here", By: "w"})
		const away = 5 * time.Second
		s.tell(100, "", run(10_000, 10_000, "w"), wire.Event{K: "here", By: "b"}, wire.Event{K: "start"})
		s.say("w", 1000, move("c0", "e2e4", 0, true))
		s.tell(moved, "w:c0", run(10_100-moved, 10_000, "b"), wire.Event{K: "move", By: "w", M: "e2e4"}, wire.Event{K: "press", By: "w"})
		s.say("b", 2000, wire.ClientMessage{T: "resign", ID: "c0"})
		s.tell(2000, "b:c0", run(10_100-moved, 8000+moved, ""), end("1-0", "resignation", "WBCA 7b"))
		for seat := range 3 {
			for i := range s.log(seat).Entries[2:] {
				s.log(seat).Entries[2+i].At += away
			}
		}
		return s
	}
	if v := Judge(at(1000).t, nil); len(v.Differences) > 0 {
		t.Errorf("after an outage before the start: %v", v.Differences)
	}
	if v := Judge(at(900).t, nil); !strings.Contains(fmt.Sprint(v.Differences), "cannot be the moment of arrival") {
		t.Errorf("a stamp before the sending: %v", v.Differences)
	}
}

// White loses his socket before he is told the start, and comes back by a snapshot.
func TestLostBeforeTheStart(t *testing.T) {
	s := begin("fast")
	l := s.log(0)
	l.Entries = append(l.Entries[:1], Entry{At: 3 * time.Millisecond, Kind: Cut}, Entry{At: 50 * time.Millisecond, Kind: Opened})
	s.got(0, 50, wire.State{T: "state", N: 1, Game: "g", Board: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w", Phase: "play", Moves: []wire.Ply{}})
	s.say("w", 1000, move("c0", "e2e4", 0, true))
	s.tell(1000, "w:c0", run(9000, 10_000, "b"), wire.Event{K: "move", By: "w", M: "e2e4"}, wire.Event{K: "press", By: "w"})
	s.say("b", 2000, wire.ClientMessage{T: "resign", ID: "c0"}).tell(2000, "b:c0", run(9000, 9000, ""), end("1-0", "resignation", "WBCA 7b"))
	if v := Judge(s.t, nil); v.Outage || len(v.Differences) > 0 {
		t.Errorf("outage %v, %v", v.Outage, v.Differences)
	}
}

// A claim goes before an offer of the same millisecond, but not before one that came while the clocks stood, since when all
// have the same stamp.
func TestClaimAfterAnOffer(t *testing.T) {
	for name, tt := range map[string]struct {
		hold, pause, travels bool
		wrong                string
	}{
		"of the same millisecond":  {wrong: "goes first"},
		"sent while they stood":    {hold: true},
		"by way of another server": {travels: true},
		"after the pause":          {pause: true},
	} {
		s := fallen()
		down := wire.Clocks{W: 0, B: 10_000, Run: "w", Flags: "w"}
		if tt.hold {
			for seat := range 2 {
				l := s.log(seat)
				l.Entries = append(l.Entries, Entry{At: 10_500 * time.Millisecond, Kind: Got, Raw: []byte(`{"t":"hold","on":true,"why":"journal"}`)})
			}
		}
		s.say("w", 10_400, wire.ClientMessage{T: "offer", ID: "c0"})
		s.tell(10_400, "w:c0", down, wire.Event{K: "offer", By: "w"})
		if tt.pause {
			down.Run = ""
			s.tell(10_400, "", down, wire.Event{K: "pause", Why: "server"})
			down.Run = "w"
			s.tell(10_400, "", down, wire.Event{K: "resume"}, wire.Event{K: "here", By: "w"})
		}
		s.say("b", 10_400, wire.ClientMessage{T: "claim", ID: "c0", Claim: "time"})
		down.Run = ""
		s.tell(10_400, "b:c0", down, wire.Event{K: "end", End: &wire.End{Result: "0-1", Reason: "time", Rule: "WBCA 7c"}})
		s.t.Travels = tt.travels
		v := Judge(s.t, nil)
		if tt.wrong == "" && len(v.Differences) > 0 || !strings.Contains(fmt.Sprint(v.Differences), tt.wrong) {
			t.Errorf("%s: %v, want %q", name, v.Differences, tt.wrong)
		}
	}
}

// The clocks are stopped twice at one moment, and Black comes back in between.
func TestTwoPausesAlike(t *testing.T) {
	s := begin("fast").say("w", 1000, move("c0", "e2e4", 0, true))
	s.tell(1000, "w:c0", run(9000, 10_000, "b"), wire.Event{K: "move", By: "w", M: "e2e4"}, wire.Event{K: "press", By: "w"})
	stand := run(9000, 9500, "")
	pause := wire.Event{K: "pause", Why: "server"}
	b := s.log(1)
	b.Entries = append(b.Entries, Entry{At: 1100 * time.Millisecond, Kind: Cut}, Entry{At: 1400 * time.Millisecond, Kind: Opened})
	for seat := range 3 {
		s.n[seat]++
		if seat != 1 {
			s.got(seat, 1500, wire.Events{T: "ev", N: s.n[seat], At: 1500, Clocks: stand, E: []wire.Event{pause}})
		}
	}
	s.got(1, 1500, wire.State{T: "state", N: s.n[1], Game: "g", Phase: "paused", Board: "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b",
		Moves: []wire.Ply{{M: "e2e4", Ms: 9000}}})
	s.tell(1500, "", stand, pause)
	s.tell(1700, "", run(9000, 9500, "b"), wire.Event{K: "resume"}, wire.Event{K: "here", By: "b"})
	s.say("b", 2500, wire.ClientMessage{T: "resign", ID: "c0"})
	s.tell(2500, "b:c0", run(9000, 8700, ""), end("1-0", "resignation", "WBCA 7b"))
	if v := Judge(s.t, nil); v.Outage || len(v.Differences) > 0 || v.End == nil {
		t.Errorf("outage %v, end %v, %v", v.Outage, v.End, v.Differences)
	}
}

// Nobody is told anything of an outage before the start, and each player comes back by a snapshot: from there on only the
// end counts, the stamps do not.
func TestBothAwayBeforeTheStart(t *testing.T) {
	s := begin("fast")
	state := wire.State{T: "state", Game: "g", Board: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w", Phase: "waiting", Moves: []wire.Ply{}}
	stand := run(10_000, 10_000, "")
	for seat := range 3 {
		l := s.log(seat)
		l.Entries = l.Entries[:1]
		s.n[seat] = 0
	}
	s.tell(11, "", stand, wire.Event{K: "here", By: "w"})
	for seat := range 3 {
		l := s.log(seat)
		l.Entries = append(l.Entries, Entry{At: 100 * time.Millisecond, Kind: Cut}, Entry{At: 4 * time.Second, Kind: Opened})
		state.N = 3
		s.got(seat, 4000, state)
	}
	s.n = [3]uint64{3, 3, 3}
	s.tell(4111, "", stand, wire.Event{K: "here", By: "w"})
	s.tell(4178, "", run(10_000, 10_000, "w"), wire.Event{K: "here", By: "b"}, wire.Event{K: "start"})
	for i, at := range []int64{4500, 4600} { // the clocks have stood for 100 ms in between, of which nobody was told
		seat, other, id := "wb"[i:i+1], "bw"[i:i+1], fmt.Sprint("c", i)
		s.say(seat, at+int64(i)*100, move(id, []string{"e2e4", "e7e5"}[i], i, true))
		s.tell(at, seat+":"+id, run(9678, 10_000, other), wire.Event{K: "move", By: seat, M: []string{"e2e4", "e7e5"}[i], Ply: i}, wire.Event{K: "press", By: seat})
	}
	s.say("w", 5000, wire.ClientMessage{T: "resign", ID: "c9"})
	s.tell(4900, "w:c9", run(9300, 9900, ""), end("0-1", "resignation", "WBCA 7b"))
	if v := Judge(s.t, nil); !v.Outage || len(v.Differences) > 0 || v.End == nil {
		t.Errorf("outage %v, end %v, %v", v.Outage, v.End, v.Differences)
	}
}

// White's reply waits for Black's press when his socket is lost, and the snapshot that he comes back by is taken when it has
// been made: nothing has told him that it waited.
func TestReplyThatASnapshotCovers(t *testing.T) {
	played := func(reply string) *Verdict {
		s := begin("board")
		s.say("w", 500, move("c0", "e2e4", 0, true))
		s.tell(500, "w:c0", run(9500, 10_000, "b"), wire.Event{K: "move", By: "w", M: "e2e4"}, wire.Event{K: "press", By: "w"})
		s.say("b", 1000, move("c0", "e7e5", 1, false))
		s.tell(1000, "b:c0", run(9500, 9500, "b"), wire.Event{K: "move", By: "b", M: "e7e5", Ply: 1})
		s.say("w", 1100, move("c1", reply, 2, false))
		w := s.log(0)
		w.Entries = append(w.Entries, Entry{At: 1101 * time.Millisecond, Kind: Cut}, Entry{At: 2500 * time.Millisecond, Kind: Opened})
		s.say("b", 2000, wire.ClientMessage{T: "press", ID: "c1"})
		for seat := 1; seat < 3; seat++ {
			s.n[seat]++
			ev := wire.Events{T: "ev", N: s.n[seat], At: 2000, Clocks: run(9500, 8500, "w"), E: []wire.Event{
				{K: "press", By: "b"}, {K: "move", By: "w", M: "g1f3", Ply: 2}}}
			if seat == 1 {
				ev.ID = "c1"
			}
			s.got(seat, 2000, ev)
		}
		s.n[0] += 3
		s.got(0, 2500, wire.State{T: "state", N: s.n[0], Game: "g", Phase: "play", Pending: "g1f3",
			Board: "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w", Moves: []wire.Ply{{M: "e2e4", Ms: 9500}, {M: "e7e5", Ms: 8500}}})
		s.say("w", 2600, move("c1", reply, 2, false))
		s.got(0, 2600, wire.Done{T: "done", ID: "c1"})
		s.say("b", 3000, wire.ClientMessage{T: "resign", ID: "c2"})
		s.tell(3000, "b:c2", run(8500, 8500, ""), end("1-0", "resignation", "WBCA 7b"))
		return Judge(s.t, nil)
	}
	if v := played("g1f3"); len(v.Differences) > 0 {
		t.Error(v.Differences)
	}
	if v := played("b1c3"); !strings.Contains(fmt.Sprint(v.Differences), "the rules want [press b]") {
		t.Errorf("another reply than the one that he had sent: %v", v.Differences)
	}
}

// A command that the server behind the socket may not have got is carried out or not; sent again it counts once.
func TestUnavailable(t *testing.T) {
	for _, counted := range []bool{false, true} {
		s := begin("fast").say("w", 1000, move("c0", "e2e4", 0, true)).refuse("w", 1000, "c0", wire.CodeUnavailable)
		at := int64(2000)
		if counted {
			at = 1000
		}
		s.say("w", at, move("c1", "e2e4", 0, true))
		told := []wire.Event{{K: "move", By: "w", M: "e2e4"}, {K: "press", By: "w"}}
		if counted { // the first one was carried out, and nobody was told of it as an acknowledgement
			s.tell(1000, "", run(9000, 10_000, "b"), told...).refuse("w", 1001, "c1", "stale_ply")
		} else {
			s.tell(2000, "w:c1", run(8000, 10_000, "b"), told...)
		}
		s.say("b", 3000, wire.ClientMessage{T: "resign", ID: "c0"})
		b := int64(9000)
		w := int64(8000)
		if counted {
			w, b = 9000, 8000
		}
		s.tell(3000, "b:c0", run(w, b, ""), end("1-0", "resignation", "WBCA 7b"))
		if v := Judge(s.t, nil); len(v.Differences) > 0 {
			t.Errorf("counted %v: %v", counted, v.Differences)
		}
	}
}

// What arrives while the server's clocks stand is stamped with the moment at which they stopped, though it was sent later.
func TestStampsWhileTheClocksStand(t *testing.T) {
	standing := func(offered, stopped int64) *script {
		s := begin("fast").say("w", 1000, move("c0", "e2e4", 0, true))
		s.tell(1000, "w:c0", run(9000, 10_000, "b"), wire.Event{K: "move", By: "w", M: "e2e4"}, wire.Event{K: "press", By: "w"})
		late := func(at int64, ack string, c wire.Clocks, e ...wire.Event) {
			s.tell(at, ack, c, e...)
			for seat := range 3 {
				l := s.log(seat)
				l.Entries[len(l.Entries)-1].At += 2 * time.Second
			}
		}
		s.say("b", 3000, wire.ClientMessage{T: "offer", ID: "c0"})
		late(offered, "b:c0", run(9000, 11_000-offered, "b"), wire.Event{K: "offer", By: "b"})
		late(stopped, "", run(9000, 11_000-stopped, ""), wire.Event{K: "pause", Why: "server"})
		late(1600, "", run(9000, 11_000-stopped, "b"), wire.Event{K: "resume"}, wire.Event{K: "here", By: "b"})
		s.say("w", 3700, wire.ClientMessage{T: "resign", ID: "c1"})
		late(1700, "w:c1", run(9000, 10_900-stopped, ""), end("0-1", "resignation", "WBCA 7b"))
		return s
	}
	if v := Judge(standing(1500, 1500).t, nil); len(v.Differences) > 0 {
		t.Errorf("an offer while the clocks stand: %v", v.Differences)
	}
	if v := Judge(standing(1400, 1500).t, nil); !strings.Contains(fmt.Sprint(v.Differences), "cannot be the moment of arrival") {
		t.Errorf("an offer before they stood has a stamp that it cannot have: %v", v.Differences)
	}
}

// A move that is sent while the clocks are said to stand is stamped with the moment at which they stopped, and may end the
// game before any pause is told.
func TestEndWhileTheClocksStand(t *testing.T) {
	ended := func(stamp int64) *script {
		s := begin("fast").say("w", 1000, move("c0", "e2e4", 0, true))
		s.tell(1000, "w:c0", run(9000, 10_000, "b"), wire.Event{K: "move", By: "w", M: "e2e4"}, wire.Event{K: "press", By: "w"})
		for seat := range 3 {
			l := s.log(seat)
			l.Entries = append(l.Entries, Entry{At: 2500 * time.Millisecond, Kind: Got, Raw: []byte(`{"t":"hold","on":true,"why":"journal"}`)})
		}
		s.say("b", 4000, wire.ClientMessage{T: "resign", ID: "c0"})
		s.tell(stamp, "b:c0", run(9000, 11_000-stamp, ""), end("1-0", "resignation", "WBCA 7b"))
		for seat := range 3 {
			l := s.log(seat)
			l.Entries[len(l.Entries)-1].At = 6 * time.Second
		}
		return s
	}
	if v := Judge(ended(2400).t, nil); len(v.Differences) > 0 {
		t.Errorf("stamped with the moment at which they stopped: %v", v.Differences)
	}
	again := ended(4990) // and was sent again when they went on
	b := again.log(1)
	b.Entries = slices.Insert(b.Entries, len(b.Entries)-1, Entry{At: 4900 * time.Millisecond, Kind: Got, Raw: []byte(`{"t":"hold","on":false}`)},
		Entry{At: 4950 * time.Millisecond, Kind: Sent, Msg: wire.ClientMessage{T: "resign", ID: "c0"}})
	if v := Judge(again.t, nil); len(v.Differences) > 0 {
		t.Errorf("sent again after they stood: %v", v.Differences)
	}
	if v := Judge(ended(3990).t, nil); !strings.Contains(fmt.Sprint(v.Differences), "cannot be the moment of arrival") {
		t.Errorf("stamped later than they were said to stand: %v", v.Differences)
	}
}

// White is told that he is there and loses his node; nobody is told that he is gone, and Black comes after that.
func TestMissedBeforeTheStart(t *testing.T) {
	missed := func(first uint64) *Verdict {
		s := begin("fast")
		waiting := wire.State{T: "state", Game: "g", Board: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w", Phase: "waiting", Moves: []wire.Ply{}}
		for seat := range 3 {
			l := s.log(seat)
			l.Entries = l.Entries[:0]
		}
		stand := run(10_000, 10_000, "")
		s.got(0, 0, waiting)
		s.got(0, 4, wire.Events{T: "ev", N: 1, At: 4, Clocks: stand, E: []wire.Event{{K: "here", By: "w"}}})
		waiting.N = first
		s.got(1, 4, waiting)
		for n, told := range []wire.Events{{At: 5, E: []wire.Event{{K: "here", By: "b"}}}, {At: 5017, E: []wire.Event{{K: "away", By: "b"}}}, {At: 5027, E: []wire.Event{{K: "here", By: "b"}}}} {
			told.T, told.N, told.Clocks = "ev", first+uint64(n)+1, stand
			s.got(1, told.At, told)
		}
		w := s.log(0)
		w.Entries = append(w.Entries, Entry{At: 5 * time.Second, Kind: Cut}, Entry{At: 5100 * time.Millisecond, Kind: Opened})
		waiting.N = first + 3
		s.got(0, 5500, waiting)
		s.n = [3]uint64{first + 3, first + 3, 0}
		s.tell(5550, "", run(10_000, 10_000, "w"), wire.Event{K: "here", By: "w"}, wire.Event{K: "start"})
		s.say("w", 5700, wire.ClientMessage{T: "resign", ID: "c0"})
		s.tell(5700, "w:c0", run(9850, 10_000, ""), end("0-1", "resignation", "WBCA 7b"))
		s.log(2).Entries = nil // who watches has no part in it
		return Judge(s.t, nil)
	}
	if v := missed(2); !v.Outage || len(v.Differences) > 0 {
		t.Errorf("outage %v, %v", v.Outage, v.Differences)
	}
	if v := missed(1); v.Outage || len(v.Differences) == 0 {
		t.Errorf("without the frame that nobody was told the game has begun: outage %v, %v", v.Outage, v.Differences)
	}
}

// A spectator is back before the players, and is told what they have missed; where one of them cannot have missed it, it
// is another story.
func TestSpectatorBackBeforeThePlayers(t *testing.T) {
	told := func(at int64) *Verdict {
		s := begin("fast").say("w", 1000, move("c0", "e2e4", 0, true))
		s.tell(1000, "w:c0", run(9000, 10_000, "b"), wire.Event{K: "move", By: "w", M: "e2e4"}, wire.Event{K: "press", By: "w"})
		stand := run(9000, 9500, "")
		s.got(2, at, wire.Events{T: "ev", N: 3, At: at, Clocks: stand, E: []wire.Event{{K: "pause", Why: "server"}}})
		for seat := range 2 {
			l := s.log(seat)
			l.Entries = append(l.Entries, Entry{At: 1100 * time.Millisecond, Kind: Cut}, Entry{At: 3000 * time.Millisecond, Kind: Opened})
			s.got(seat, 3000, wire.State{T: "state", N: 9, Game: "g", Phase: "paused", Moves: []wire.Ply{{M: "e2e4", Ms: 9000}}})
		}
		s.n = [3]uint64{9, 9, 3}
		s.tell(1700, "", run(9000, 9500, "b"), wire.Event{K: "resume"}, wire.Event{K: "here", By: "b"})
		s.say("b", 2500, wire.ClientMessage{T: "resign", ID: "c0"})
		s.tell(1800, "b:c0", run(9000, 9400, ""), end("1-0", "resignation", "WBCA 7b"))
		return Judge(s.t, nil)
	}
	if v := told(1500); !v.Outage || len(v.Differences) > 0 {
		t.Errorf("outage %v, %v", v.Outage, v.Differences)
	}
	for _, at := range []int64{500, 1750} {
		if v := told(at); !strings.Contains(fmt.Sprint(v.Differences), "another story") {
			t.Errorf("a pause at %d, which the players cannot have missed: %v", at, v.Differences)
		}
	}
}
