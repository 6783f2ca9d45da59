package judge

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"flagfall/server/wire"
)

// script writes a transcript as a faithful server would have told it, for tests to spoil. Game time begins at local
// time 0; a command is sent 2 ms before its stamp, a frame is seen 2 ms after.
type script struct {
	t *Transcript
	n [3]uint64 // last frame of White, Black, spectator
}

func begin(mode string) *script {
	s := &script{t: &Transcript{
		Game: "g", Mode: mode, Base: 10_000,
		White: Log{Seat: "w"}, Black: Log{Seat: "b"}, Spectators: make([]Log, 1),
	}}
	for i := range 3 {
		s.got(i, 0, wire.State{T: "state", Game: "g", Board: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w", Phase: "waiting", Moves: []wire.Ply{}})
	}
	return s.tell(0, "", wire.Clocks{W: 10_000, B: 10_000, Run: "w"}, wire.Event{K: "start"})
}

func (s *script) log(seat int) *Log {
	return []*Log{&s.t.White, &s.t.Black, &s.t.Spectators[0]}[seat]
}

func (s *script) got(seat int, at int64, frame any) {
	raw, err := json.Marshal(frame)
	if err != nil {
		panic(err)
	}
	l := s.log(seat)
	l.Entries = append(l.Entries, Entry{At: time.Duration(at+2) * time.Millisecond, Kind: Got, Raw: raw})
}

// say sends a command of seat "w" or "b" that arrives at the given moment.
func (s *script) say(seat string, at int64, m wire.ClientMessage) *script {
	l := s.log(strings.Index("wb", seat))
	l.Entries = append(l.Entries, Entry{At: time.Duration(at-2) * time.Millisecond, Kind: Sent, Msg: m})
	return s
}

// tell tells everybody; ack is "w:id" of the command behind it, or "".
func (s *script) tell(at int64, ack string, c wire.Clocks, e ...wire.Event) *script {
	seat, id, _ := strings.Cut(ack, ":")
	for i, name := range []string{"w", "b", ""} {
		s.n[i]++
		ev := wire.Events{T: "ev", N: s.n[i], At: at, Clocks: c, E: e}
		if ack != "" && name == seat {
			ev.ID = id
		}
		s.got(i, at, ev)
	}
	return s
}

// refuse answers a command of one seat.
func (s *script) refuse(seat string, at int64, id, code string) *script {
	s.got(strings.Index("wb", seat), at, wire.Error{T: "err", ID: id, Code: code})
	return s
}

func move(id, m string, ply int, press bool) wire.ClientMessage {
	return wire.ClientMessage{T: "move", ID: id, Move: m, Ply: &ply, Press: press}
}

func run(w, b int64, side string) wire.Clocks { return wire.Clocks{W: w, B: b, Run: side} }

// foolsMate is 1.f3 e5 2.g4 Qh4 mate in fast mode, a second a move.
func foolsMate() *script {
	s := begin("fast")
	for i, m := range []string{"f2f3", "e7e5", "g2g4"} {
		at, seat, other := int64(i+1)*1000, "w", "b"
		if i%2 == 1 {
			seat, other = "b", "w"
		}
		w, b := 10_000-int64(i/2+1)*1000, 10_000-int64((i+1)/2)*1000
		id := fmt.Sprint("c", i)
		s.say(seat, at, move(id, m, i, true))
		s.tell(at, seat+":"+id, run(w, b, other), wire.Event{K: "move", By: seat, M: m, Ply: i}, wire.Event{K: "press", By: seat})
	}
	s.say("b", 4000, move("c3", "d8h4", 3, true))
	return s.tell(4000, "b:c3", run(8000, 8000, ""), wire.Event{K: "move", By: "b", M: "d8h4", Ply: 3},
		wire.Event{K: "end", End: &wire.End{Result: "0-1", Reason: "checkmate", Rule: "WBCA 7a"}})
}

// knightToG3 is 1.Ng3 (illegal), pressed and claimed by Black (W005).
func knightToG3() *script {
	s := begin("board")
	s.say("w", 1000, move("c0", "g1g3", 0, false))
	s.tell(1000, "w:c0", run(9000, 10_000, "w"), wire.Event{K: "move", By: "w", M: "g1g3"})
	s.say("w", 1200, wire.ClientMessage{T: "press", ID: "c1"})
	s.tell(1200, "w:c1", run(8800, 10_000, "b"), wire.Event{K: "press", By: "w"})
	s.say("b", 2000, wire.ClientMessage{T: "claim", ID: "c0", Claim: "illegal"})
	return s
}

func won() wire.Event {
	return wire.Event{K: "end", End: &wire.End{Result: "0-1", Reason: "illegal_move", Rule: "WBCA 7d"}}
}

// fallen is White's flag that fell before his first move, at 10000.
func fallen() *script {
	s := begin("board")
	return s.tell(10_000, "", wire.Clocks{W: 0, B: 10_000, Run: "w", Flags: "w"}, wire.Event{K: "flag", By: "w"})
}

func TestFaithfulServers(t *testing.T) {
	tests := map[string]struct {
		s   *script
		end string
	}{
		"mate":         {foolsMate(), "checkmate"},
		"illegal move": {knightToG3().tell(2000, "b:c0", run(8800, 9200, ""), won()), "illegal_move"},
		"flag": {fallen().say("b", 11_000, wire.ClientMessage{T: "claim", ID: "c0", Claim: "time"}).
			tell(11_000, "b:c0", wire.Clocks{W: 0, B: 10_000, Flags: "w"},
				wire.Event{K: "end", End: &wire.End{Result: "0-1", Reason: "time", Rule: "WBCA 7c"}}), "time"},
		"resignation after a refusal": {begin("board").say("b", 500, move("c0", "e7e5", 1, false)).refuse("b", 500, "c0", "not_on_move").
			say("b", 900, wire.ClientMessage{T: "resign", ID: "c1"}).
			tell(900, "b:c1", run(9100, 10_000, ""), wire.Event{K: "end", End: &wire.End{Result: "1-0", Reason: "resignation", Rule: "WBCA 7b"}}), "resignation"},
	}
	for name, tt := range tests {
		v := Judge(tt.s.t, nil)
		if len(v.Differences) > 0 {
			t.Errorf("%s: %v", name, v.Differences)
		}
		if v.End == nil || v.End.Reason != tt.end {
			t.Errorf("%s: end %+v, want %s", name, v.End, tt.end)
		}
	}
}

// That the clocks stand is said to sockets, in between, and is no part of a game.
func TestHoldsAreNoPartOfAGame(t *testing.T) {
	s := foolsMate()
	for seat := range 3 {
		l := s.log(seat)
		for i, frame := range []string{`{"t":"hold","on":true,"why":"journal"}`, `{"t":"hold","on":false}`} {
			l.Entries = slices.Insert(l.Entries, 3+seat+i, Entry{At: l.Entries[3+seat].At, Kind: Got, Raw: []byte(frame)})
		}
	}
	if v := Judge(s.t, nil); len(v.Differences) > 0 || v.End == nil || v.End.Reason != "checkmate" {
		t.Errorf("end %+v, differences %v", v.End, v.Differences)
	}
}

// Who comes to a table second has what the first one did there in his snapshot, all in one millisecond or long after.
func TestWhoComesSecond(t *testing.T) {
	for _, second := range []int{0, 1} {
		for _, late := range []bool{false, true} {
			s := &script{t: &Transcript{Game: "g", Mode: "board", Base: 10_000, White: Log{Seat: "w"}, Black: Log{Seat: "b"}, Spectators: make([]Log, 1)}}
			state := wire.State{T: "state", Game: "g", Board: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w", Phase: "waiting", Moves: []wire.Ply{}}
			told := func(to []int, at int64, c wire.Clocks, e ...wire.Event) {
				state.N++
				for _, i := range to {
					s.n[i] = state.N
					s.got(i, at, wire.Events{T: "ev", N: state.N, At: at, Clocks: c, E: e})
				}
			}
			first, stand := []int{1 - second, 2}, wire.Clocks{W: 10_000, B: 10_000}
			here := []wire.Event{{K: "here", By: "b"}, {K: "here", By: "w"}}
			if second == 1 {
				here[0], here[1] = here[1], here[0]
			}
			for _, i := range first {
				s.got(i, 0, state)
			}
			told(first, 0, stand, here[0])
			at := int64(0)
			if late {
				at = 10_500
				told(first, 10_000, run(10_000, 10_000, "w"), wire.Event{K: "start"})
				state.Phase = "play"
				s.got(second, at, state)
				told([]int{0, 1, 2}, at, run(9500, 10_000, "w"), here[1])
			} else {
				s.got(second, 0, state)
				told([]int{0, 1, 2}, 0, run(10_000, 10_000, "w"), here[1], wire.Event{K: "start"})
			}
			for i := range 3 {
				s.n[i] = state.N
			}
			s.say("b", at+900, wire.ClientMessage{T: "resign", ID: "c1"}).
				tell(at+900, "b:c1", run(10_000-900-max(0, at-10_000), 10_000, ""), wire.Event{K: "end", End: &wire.End{Result: "1-0", Reason: "resignation", Rule: "WBCA 7b"}})
			if v := Judge(s.t, nil); len(v.Differences) > 0 || v.End == nil {
				t.Errorf("second %d, late %v: %v", second, late, v.Differences)
			}
		}
	}
}

func TestUnfaithfulServers(t *testing.T) {
	drop := func(s *script, seat, entry int) *script {
		l := s.log(seat)
		l.Entries = slices.Delete(l.Entries, entry, entry+1)
		return s
	}
	twice := func(s *script, seat, entry int) *script {
		l := s.log(seat)
		l.Entries = slices.Insert(l.Entries, entry, l.Entries[entry])
		return s
	}
	tests := map[string]struct {
		s    *script
		want string
	}{
		"wrong winner":        {replace(foolsMate(), `"0-1"`, `"1-0"`), "the rules want"},
		"wrong rule":          {replace(foolsMate(), "7a", "7b"), "the rules want"},
		"mate overlooked":     {replace(foolsMate(), `"k":"end"`, `"k":"here"`), "the rules want"},
		"wrong clock":         {replace(foolsMate(), `"w":8000`, `"w":8001`), "clocks at"},
		"credit for nothing":  {replace(foolsMate(), `"k":"press"`, `"k":"press","lag":900`), "of credit"},
		"stamp too late":      {replace(foolsMate(), `"at":2000`, `"at":2500`), "moment of arrival"},
		"a frame is missing":  {drop(foolsMate(), 0, 4), "a gap"},
		"a frame comes twice": {twice(foolsMate(), 1, 2), "came again"},
		"another story":       {replaceIn(foolsMate(), 1, "f2f3", "f2f4"), "different stories"},
		"spectator misled":    {replaceIn(foolsMate(), 2, "f2f3", "f2f4"), "another story"},
		"spectator told ids":  {replaceIn(foolsMate(), 2, `"n":3,`, `"n":3,"id":"c1",`), "id of a command"},
		"end not told":        {drop(foolsMate(), 0, len(foolsMate().log(0).Entries)-1), "not told the end"},
		"good claim denied": {knightToG3().tell(2000, "b:c0", run(8800, 9200, "b"),
			wire.Event{K: "denied", By: "b", Claim: "illegal", Code: "no_illegal_move", Step: 1}), "the rules want [end]"},
		"good claim refused": {knightToG3().refuse("b", 2000, "c0", "no_illegal_move"), "the rules want accepted"},
		"never answered":     {knightToG3(), "never answered"},
		"wrong code":         {begin("board").say("b", 500, move("c0", "e7e5", 1, false)).refuse("b", 500, "c0", "touch_move"), "the rules want not_on_move"},
		"flag too early":     {begin("board").tell(9000, "", wire.Clocks{W: 0, B: 10_000, Run: "w", Flags: "w"}, wire.Event{K: "flag", By: "w"}), "fell at 9000 with 1000 ms left"},
		"flag not called": {begin("board").say("w", 12_000, move("c0", "e2e4", 0, false)).
			tell(12_000, "w:c0", run(0, 10_000, "w"), wire.Event{K: "move", By: "w", M: "e2e4"}), "should have fallen"},
		"claim with the flag up": {begin("board").say("b", 900, wire.ClientMessage{T: "claim", ID: "c0", Claim: "time"}).
			tell(900, "b:c0", run(9100, 10_000, ""), wire.Event{K: "end", End: &wire.End{Result: "0-1", Reason: "time", Rule: "WBCA 7c"}}), "the rules want"},
		"flag down, claim refused": {fallen().say("b", 11_000, wire.ClientMessage{T: "claim", ID: "c0", Claim: "time"}).
			refuse("b", 11_000, "c0", "flag_up"), "the rules want accepted"},
		"nobody's move": {begin("board").tell(700, "", run(9300, 10_000, "w"), wire.Event{K: "move", By: "w", M: "e2e4"}), "no command"},
		"forbidden move": {begin("board").say("b", 700, move("c0", "e7e5", 0, false)).
			tell(700, "b:c0", run(9300, 10_000, "w"), wire.Event{K: "move", By: "b", M: "e7e5"}), "must be refused"},
		"no end": {begin("board"), "did not end"},
	}
	for name, tt := range tests {
		v := Judge(tt.s.t, nil)
		if !slices.ContainsFunc(v.Differences, func(d string) bool { return strings.Contains(d, tt.want) }) {
			t.Errorf("%s: want a difference with %q, got %q", name, tt.want, v.Differences)
		}
	}
}

// replace spoils what all three were told.
func replace(s *script, old, by string) *script {
	for seat := range 3 {
		replaceIn(s, seat, old, by)
	}
	return s
}

func replaceIn(s *script, seat int, old, by string) *script {
	for k := range s.log(seat).Entries {
		e := &s.log(seat).Entries[k]
		e.Raw = []byte(strings.ReplaceAll(string(e.Raw), old, by))
	}
	return s
}

func TestShapesTellLegalityApart(t *testing.T) {
	told := func(leak bool) *Shapes {
		s := &Shapes{}
		for i := range 50 {
			raw := fmt.Sprintf(`{"t":"ev","n":%d,"clk":{"w":1},"e":[{"k":"move","m":"e2e4"}]}`, i)
			s.add("opponent move", true, shape([]byte(raw)))
			if leak {
				raw = strings.Replace(raw, `"m"`, `"check":true,"m"`, 1)
			}
			s.add("opponent move", false, shape([]byte(raw)))
		}
		return s
	}
	if d := told(false).Differences(); len(d) != 0 {
		t.Errorf("equal frames differ: %v", d)
	}
	if d := told(true).Differences(); len(d) == 0 {
		t.Error("a leak was not noticed")
	}
}

func TestPrintNeedsNoFaithfulServer(t *testing.T) {
	var out strings.Builder
	s := foolsMate()
	s.t.White.Entries = append(s.t.White.Entries, Entry{Kind: Got, Raw: []byte("not JSON")})
	Print(&out, s.t)
	for _, want := range []string{"> move f2f3 (ply 0) +press [c0]", "not JSON", "0-1 checkmate WBCA 7a"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the transcript lacks %q", want)
		}
	}
}

// covered replaces a spectator's frame 3 by snapshots, as when he joined again meanwhile.
func covered(s *script, snapshots int) *script {
	l := s.log(2)
	snapshot := Entry{At: l.Entries[3].At, Kind: Got, Raw: []byte(`{"t":"state","game":"g","n":3,"phase":"play"}`)}
	l.Entries = slices.Replace(l.Entries, 3, 4, slices.Repeat([]Entry{snapshot}, snapshots)...)
	return s
}

func TestSpectatorsJoinAgain(t *testing.T) {
	for n := 1; n <= 3; n++ {
		if v := Judge(covered(foolsMate(), n).t, nil); len(v.Differences) > 0 {
			t.Errorf("%d snapshots: %v", n, v.Differences)
		}
	}
	if v := Judge(replaceIn(covered(foolsMate(), 2), 2, "g2g4", "g2g3").t, nil); !strings.Contains(fmt.Sprint(v.Differences), "another story") {
		t.Errorf("a spectator who was misled after two snapshots: %v", v.Differences)
	}
}
