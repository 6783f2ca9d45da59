package chaos

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

func TestGoodHistory(t *testing.T) {
	r := Check(good())
	for _, f := range r.Failures {
		t.Errorf("%s: %s: %s", f.Invariant, f.Subject, f.Why)
	}
	for _, of := range Invariants {
		if r.Passed[of] == 0 {
			t.Errorf("nothing was checked of: %s", of)
		}
	}
	want := Counts{Actors: 3, Entries: 24, Games: 2, Ended: 2, Moves: 3, Acknowledged: 4, Takeovers: 2, Paused: 1, Flags: 1}
	if r.Counts != want {
		t.Errorf("counts %+v, want %+v", r.Counts, want)
	}
	if running, owing := Unsettled(good().Entries); running != 0 || owing != 0 {
		t.Errorf("%d games run and %d are owed, of a settled hall", running, owing)
	}
	var out bytes.Buffer
	r.Print(&out, 77)
	if text := out.String(); !strings.HasPrefix(text, "seed 77\n") || !strings.HasSuffix(text, "\n22 passed, 0 failed\n") {
		t.Errorf("the report is\n%s", text)
	}
}

func TestTell(t *testing.T) {
	var out bytes.Buffer
	good().Tell(&out, "H")
	for _, want := range []string{"game/H 3 at 1100, nodeB in epoch 2, W c1: ", "resignation", `seats 7 at 190900, nodeB in epoch 2`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the story lacks %q:\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), `"freed":"G"`) {
		t.Errorf("the story tells of another game:\n%s", out.String())
	}
}

// broken is one thing that is wrong, and the invariants that must find it: no others.
type broken struct {
	name string
	want []Invariant
	do   func(t *testing.T, h *History)
}

func TestBrokenHistories(t *testing.T) {
	for _, all := range [][]broken{brokenJournals, brokenGames, brokenClients, brokenClocks, brokenFlags, brokenSeats, brokenArchives} {
		for _, c := range all {
			t.Run(c.name, func(t *testing.T) {
				h := good()
				c.do(t, h)
				r := Check(h)
				if got := r.Failed(); !slices.Equal(got, c.want) {
					t.Errorf("found %q, want %q: %+v", got, c.want, r.Failures)
				}
				var out bytes.Buffer
				r.Print(&out, 1)
				if !strings.Contains(out.String(), "FAILED "+string(c.want[0])) || strings.HasSuffix(out.String(), " 0 failed\n") {
					t.Errorf("the report is\n%s", out.String())
				}
			})
		}
	}
}

var brokenJournals = []broken{
	{"an entry is missing", []Invariant{Written}, func(_ *testing.T, h *History) { h.drop("seats", 3, 3) }},
	{"the first entry is missing", []Invariant{Written}, func(_ *testing.T, h *History) { h.drop("seats", 1, 1) }},
	{"two wrote the same number", []Invariant{Written}, func(_ *testing.T, h *History) {
		h.Entries = append(h.Entries, Entry{Process: "1-a", Actor: "game/G", Seq: 6, Data: []byte(line(a, 9500, 10500, "W", "c2"))})
	}},
	{"an entry is no JSON", []Invariant{Written}, func(t *testing.T, h *History) { h.change(t, "game/G", 11, `"ev"`, `ev`) }},
	{"an old epoch writes", []Invariant{Epochs}, func(t *testing.T, h *History) {
		h.change(t, "game/G", 12, `"own":"nodeB","ep":2`, `"own":"nodeA"`)
	}},
	{"a takeover without an epoch", []Invariant{Epochs}, func(t *testing.T, h *History) {
		for seq := uint64(4); seq <= 7; seq++ {
			h.change(t, "seats", seq, `"ep":2,`, ``)
		}
	}},
	{"an owner comes back without epochs", []Invariant{Epochs}, func(t *testing.T, h *History) {
		h.Claimed = false
		for seq := uint64(4); seq <= 7; seq++ {
			h.change(t, "seats", seq, `"ep":2,`, ``)
		}
		h.change(t, "seats", 7, b, a)
	}},
	{"an earlier release writes behind a later one", []Invariant{Epochs}, func(t *testing.T, h *History) {
		h.change(t, "seats", 3, `"v":1`, `"v":2`)
	}},
	{"an owner's readings go back", []Invariant{Epochs}, func(t *testing.T, h *History) {
		h.change(t, "seats", 3, `"mono":1000`, `"mono":800`)
	}},
}

var brokenGames = []broken{
	{"a game ends twice", []Invariant{EndedOnce, AfterEnd}, func(_ *testing.T, h *History) {
		h.add("game/H", line(b, 1200, 191200, "", "", `{"k":"ended","at":1200,"by":"","left":[179000,180000],"result":{"score":"1/2-1/2","reason":"agreement"}}`))
	}},
	{"a game does not end", []Invariant{EndedOnce, Tables}, func(_ *testing.T, h *History) {
		h.drop("game/H", 3, 5)
		h.drop("seats", 7, 7)
		h.Archive, h.Clients = h.Archive[:1], h.Clients[:3]
	}},
	{"an end that was told is lost", []Invariant{EndedOnce, Acknowledged}, func(_ *testing.T, h *History) {
		h.Settled = false
		h.drop("game/H", 3, 5)
		h.drop("seats", 7, 7)
		h.Archive = h.Archive[:1]
	}},
	{"a game is set up twice", []Invariant{EndedOnce}, func(t *testing.T, h *History) {
		h.change(t, "game/H", 2, `"ev":[`, `"ev":[{"k":"created","at":100,"by":"","setup":`+second+`},`)
	}},
	{"a move after the end", []Invariant{AfterEnd}, func(_ *testing.T, h *History) {
		h.add("game/G", line(b, 191500, 180700, "B", "c2", `{"k":"released","at":191500,"by":"b","m":"d7d5","legal":true}`))
	}},
}

var brokenClients = []broken{
	{"an acknowledged move is not there", []Invariant{Acknowledged}, func(t *testing.T, h *History) { h.change(t, "game/G", 8, `"c2"`, `"c9"`) }},
	{"a move that was done is not there", []Invariant{Acknowledged}, func(t *testing.T, h *History) { h.change(t, "game/G", 5, `"c1"`, `"c9"`) }},
	{"a command counts twice", []Invariant{Acknowledged}, func(t *testing.T, h *History) { h.change(t, "game/G", 8, `"c2"`, `"c1"`) }},
	{"an acknowledgement of another time", []Invariant{Acknowledged}, func(t *testing.T, h *History) { h.told(t, 0, `"at":14400`, `"at":14401`) }},
	{"another move was told", []Invariant{Acknowledged}, func(t *testing.T, h *History) { h.told(t, 1, `"e2e4"`, `"d2d4"`) }},
	{"an absence was told that nobody had", []Invariant{Acknowledged}, func(t *testing.T, h *History) { h.told(t, 0, `"k":"flag"`, `"k":"away"`) }},
	{"moves were told in another order", []Invariant{Acknowledged}, func(_ *testing.T, h *History) {
		seen := h.Clients[0].Seen
		seen[1], seen[2] = seen[2], seen[1]
	}},
	{"another end was told", []Invariant{Acknowledged}, func(t *testing.T, h *History) { h.told(t, 2, `"1-0"`, `"0-1"`) }},
	{"a game that no journal knows", []Invariant{Acknowledged}, func(_ *testing.T, h *History) {
		h.Clients = append(h.Clients, watched("X", "W", "w"))
	}},
}

var brokenClocks = []broken{
	{"a millisecond is not charged", []Invariant{Clocks}, func(t *testing.T, h *History) { h.change(t, "game/G", 4, `"charged":2970`, `"charged":2969`) }},
	{"a clock shows more", []Invariant{Clocks}, func(t *testing.T, h *History) { h.change(t, "game/G", 5, `[3030,176000]`, `[3031,176000]`) }},
	{"more is given back than the connection takes", []Invariant{Clocks}, func(t *testing.T, h *History) {
		h.change(t, "game/G", 4, `"credit":30,"lag":40`, `"credit":30,"lag":20`)
	}},
	{"more is given back than ever is", []Invariant{Clocks}, func(t *testing.T, h *History) {
		h.change(t, "game/G", 4, `"charged":2970,"credit":30,"lag":40`, `"charged":2400,"credit":600,"lag":900`)
	}},
	{"game time runs ahead of its owner", []Invariant{Clocks}, func(t *testing.T, h *History) { h.change(t, "game/G", 5, `"mono":10000`, `"mono":9999`) }},
	{"game time goes back", []Invariant{Clocks}, func(t *testing.T, h *History) { h.change(t, "game/G", 6, `"at":11500,"mono"`, `"at":8999,"mono"`) }},
	{"an outage charges more than went by", []Invariant{Clocks}, func(t *testing.T, h *History) {
		h.change(t, "game/G", 6, `"charged":2030`, `"charged":2031`)
	}},
	{"an outage takes from the other one", []Invariant{Clocks}, func(t *testing.T, h *History) { h.change(t, "game/G", 6, `[1000,176000]`, `[1000,175000]`) }},
	{"a clock shows less at the end", []Invariant{Clocks}, func(t *testing.T, h *History) { h.change(t, "game/G", 10, `[600,0]`, `[599,0]`) }},
	{"a press out of turn", []Invariant{Acknowledged, Clocks}, func(t *testing.T, h *History) {
		h.change(t, "game/G", 5, `"pressed","at":9000,"by":"b"`, `"pressed","at":9000,"by":"w"`)
	}},
	{"a flag falls late", []Invariant{Clocks}, func(t *testing.T, h *History) {
		h.change(t, "game/G", 9, `"k":"flagged","at":190400`, `"k":"flagged","at":190901`)
	}},
}

var brokenFlags = []broken{
	{"a flag falls early", []Invariant{Flags}, func(t *testing.T, h *History) {
		h.change(t, "game/G", 9, `"k":"flagged","at":190400`, `"k":"flagged","at":190399`)
	}},
	{"an outage leaves less than a second", []Invariant{Flags}, func(t *testing.T, h *History) {
		h.change(t, "game/G", 6, `"charged":2030,"gap":900,"left":[1000,`, `"charged":2500,"gap":900,"left":[530,`)
		h.change(t, "game/G", 8, `[600,`, `[130,`)
		h.change(t, "game/G", 10, `[600,`, `[130,`)
	}},
	{"a flag falls with the pause", []Invariant{Flags}, func(t *testing.T, h *History) {
		h.change(t, "game/G", 6, `"left":[1000,176000]}`, `"left":[1000,176000]},{"k":"flagged","at":11500,"by":"w"}`)
		h.change(t, "game/G", 8, `[600,`, `[0,`)
		h.change(t, "game/G", 10, `[600,`, `[0,`)
	}},
	{"a new owner lets the clock run on", []Invariant{Clocks, Flags}, func(t *testing.T, h *History) {
		h.change(t, "game/G", 6, `{"k":"paused","at":11500,"by":"","charged":2030,"gap":900,"left":[1000,176000]}`, `{"k":"arrived","at":11500,"by":"b"}`)
	}},
}

var brokenSeats = []broken{
	{"somebody sits at two tables", []Invariant{Tables}, func(t *testing.T, h *History) {
		h.change(t, "seats", 4, `{"freed":"G","who":["W","B"]}`, `{"seated":{"game":"H","setup":`+second+`}}`)
		h.change(t, "seats", 5, `{"seated":{"game":"H","setup":`+second+`}}`, `{"freed":"G","who":["W","B"]}`)
	}},
	{"a game is played by others", []Invariant{Tables}, func(t *testing.T, h *History) { h.change(t, "seats", 5, `"id":"C"`, `"id":"D"`) }},
	{"a game without seats", []Invariant{Tables}, func(t *testing.T, h *History) {
		for seq := uint64(5); seq <= 7; seq++ {
			h.change(t, "seats", seq, `"H"`, `"X"`)
		}
	}},
	{"a snapshot forgets a game", []Invariant{Tables}, func(t *testing.T, h *History) { h.change(t, "seats", 3, `{"opened":"G"}`, `{"snap":true}`) }},
	{"players stand up who do not sit", []Invariant{Tables}, func(t *testing.T, h *History) { h.change(t, "seats", 7, `{"freed":"H"`, `{"freed":"G"`) }},
	{"players stand up from a game that goes on", []Invariant{EndedOnce, Tables}, func(_ *testing.T, h *History) {
		h.drop("game/H", 3, 5)
		h.Archive, h.Clients = h.Archive[:1], h.Clients[:3]
	}},
	{"one has both seats", []Invariant{Tables}, func(t *testing.T, h *History) {
		h.change(t, "seats", 5, `"id":"C"`, `"id":"W"`)
		h.change(t, "game/H", 1, `"id":"C"`, `"id":"W"`)
	}},
	{"no journal of the seats", []Invariant{Tables}, func(_ *testing.T, h *History) { h.drop("seats", 1, 7) }},
}

var brokenArchives = []broken{
	{"a row is missing", []Invariant{Archived}, func(_ *testing.T, h *History) { h.Archive = h.Archive[1:] }},
	{"a row is there twice", []Invariant{Archived}, func(_ *testing.T, h *History) { h.Archive = append(h.Archive, h.Archive[0]) }},
	{"a game is archived twice", []Invariant{Archived}, func(t *testing.T, h *History) { h.change(t, "game/G", 11, `"free"`, `"archive"`) }},
	{"a row has another result", []Invariant{Archived}, func(_ *testing.T, h *History) { h.Archive[0].Result = "0-1" }},
	{"a row has other people", []Invariant{Archived}, func(_ *testing.T, h *History) { h.Archive[0].Black = "C" }},
	{"a row lacks an event", []Invariant{Archived}, func(_ *testing.T, h *History) { h.Archive[0].Events = h.Archive[0].Events[1:] }},
	{"a row has another event", []Invariant{Archived}, func(_ *testing.T, h *History) { h.Archive[0].Events[3].At++ }},
	{"a row of a game that goes on", []Invariant{Archived}, func(_ *testing.T, h *History) {
		h.drop("game/H", 3, 5)
		h.drop("seats", 7, 7)
		h.Settled, h.Clients = false, h.Clients[:3]
		h.Archive[1].Events = h.Archive[1].Events[:2]
	}},
	{"a row of no game", []Invariant{Archived}, func(_ *testing.T, h *History) { h.Archive = append(h.Archive, Record{Game: "X"}) }},
}
