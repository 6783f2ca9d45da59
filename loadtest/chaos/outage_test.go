package chaos

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"flagfall/server/wire"
)

// A node is killed at 100,000. Of its games the first goes on with a move that was due before the kill and was not
// acknowledged, the second with one that was due in the outage, and the third with one that was due after it; the fourth
// had ended, and the fifth is another node's.
func TestAfterKill(t *testing.T) {
	h := &History{}
	entry := func(process, game string, at int64, seq uint64, kind string) {
		data := fmt.Sprintf(`{"v":1,"seq":%d,"own":%q,"ev":[{"k":%q}]}`, seq, process, kind)
		h.Entries = append(h.Entries, Entry{Process: process, Time: at, Actor: "game/" + game, Seq: seq, Data: []byte(data)})
	}
	for i, taken := range []int64{102_000, 102_500, 103_000} {
		name := fmt.Sprint(i + 1)
		entry("dead", name, 90_000, 1, "started")
		entry("alive", name, taken, 2, "paused")
		entry("alive", name, taken+100, 3, "resumed")
	}
	h.Entries = append(h.Entries, Entry{Process: "alive", Time: 101_000, Read: true, Actor: "game/1", Seq: 1, Data: []byte(`{}`)})
	entry("dead", "4", 90_000, 1, "ended")
	entry("alive", "4", 102_000, 2, "paused")
	entry("alive", "5", 90_000, 1, "started")
	entry("alive", "5", 102_000, 2, "released")
	moved := func(game, seat string, due, sent, at int64, frame string) {
		h.Clients = append(h.Clients, Client{Game: game, Seat: seat, Seen: []Sight{
			{At: sent, Due: due, Sent: &wire.ClientMessage{T: "move", ID: "c1"}},
			{At: sent + 2000, Due: sent + 2000, Sent: &wire.ClientMessage{T: "move", ID: "c1"}},
			{At: at, Got: []byte(frame)},
		}})
	}
	moved("1", "w", 99_990, 99_991, 102_200, `{"t":"ev","id":"c1"}`)
	moved("1", "b", 99_000, 99_000, 99_001, `{"t":"ev","id":"c1"}`) // had been acknowledged
	moved("1", "", 99_000, 99_000, 110_000, `{"t":"ev","id":"c1"}`)
	moved("2", "b", 101_000, 102_650, 102_660, `{"t":"done","id":"c1"}`)
	moved("3", "w", 105_000, 105_001, 105_002, `{"t":"ev","id":"c1"}`)
	moved("5", "w", 99_000, 99_000, 110_000, `{"t":"ev","id":"c1"}`)
	o := AfterKill(h, "dead", 100_000)
	want := &Outage{
		Games: 3, Taken: []int64{2000, 2500, 3000}, Runs: []int64{2100, 2600, 3100},
		First: []int64{2200, 2660}, Longest: []int64{2, 1660, 2200},
	}
	if !reflect.DeepEqual(o, want) {
		t.Errorf("got %+v, want %+v", o, want)
	}
	var out strings.Builder
	o.Print(&out)
	for _, row := range []string{"of 3 games", "2.00    2.50    3.00    3.00      3", "2.20    2.66    2.66    2.66      2"} {
		if !strings.Contains(out.String(), row) {
			t.Errorf("%q is not in\n%s", row, out.String())
		}
	}
}

// A failover takes back two moves, of which one had been acknowledged; who goes on writes other entries under their numbers.
func TestLost(t *testing.T) {
	h := &History{}
	entry := func(owner string, epoch int, seq uint64, id string) {
		data := fmt.Sprintf(`{"v":1,"seq":%d,"own":%q,"ep":%d,"from":"W","id":%q,"ev":[]}`, seq, owner, epoch, id)
		h.Entries = append(h.Entries, Entry{Process: owner, Actor: "game/G", Seq: seq, Data: []byte(data)})
	}
	for seq := uint64(1); seq <= 4; seq++ {
		entry("a", 1, seq, fmt.Sprint("c", seq))
	}
	h.Clients = []Client{{Game: "G", Person: "W", Seat: "w", Seen: []Sight{
		{Got: []byte(`{"t":"ev","n":2,"id":"c2"}`)}, {Got: []byte(`{"t":"ev","n":3,"id":"c3"}`)},
	}}}
	if l := Lost(h); l.Entries != 0 || l.Acknowledged != 0 || l.Games != 0 || len(l.Writers) != 0 {
		t.Errorf("before anything is lost: %+v", l)
	}
	entry("b", 2, 3, "")
	h.Entries = append(h.Entries, Entry{Process: "b", Read: true, Actor: "game/G", Seq: 2, Data: h.Entries[1].Data})
	want := Loss{Entries: 2, Acknowledged: 1, Games: 1, Writers: map[string]int{"a": 2}}
	if l := Lost(h); !reflect.DeepEqual(l, want) {
		t.Errorf("got %+v, want %+v", l, want)
	}
}
