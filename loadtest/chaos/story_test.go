package chaos

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"flagfall/game"
	"flagfall/server/wire"
)

// The story is written down by hand, with clocks added up by hand. White has 6 s, Black 3 minutes, and the game starts at
// 2000 ms. White's move takes 3000 ms, 30 of them given back: 3030 left. Black's takes 4000: 176000 left. Then node A dies;
// B goes on at 11500, 2500 ms after the last move, of which White is charged 2030 since a second is left him. He is back at
// 14000, moves at 14400 with 600 ms left, and Black's flag falls 176000 ms later, at 190400.
const (
	people = `"white":{"id":"W","name":"Wanda"},"black":{"id":"B","name":"Boris"}`
	setup  = `{"rules":"wbca","mode":"fast",` + people + `,"base":[6000,180000],"options":{"presence":true},"lag":{}}`
	second = `{"rules":"wbca","mode":"fast","white":{"id":"W","name":"Wanda"},"black":{"id":"C","name":"Clara"},"base":[180000,180000],"options":{},"lag":{}}`
)

// line is an entry: owner and epoch, actor time, the owner's reading, whose command, and the events.
func line(owner string, at, mono int64, from, id string, events ...string) string {
	epoch := ""
	if owner == "nodeB" {
		epoch = `"ep":2,`
	}
	who := ""
	if from != "" {
		who = fmt.Sprintf(`"from":%q,"id":%q,`, from, id)
	}
	return fmt.Sprintf(`{"v":1,"at":%d,"mono":%d,"own":%q,%s%s"ev":[%s]}`, at, mono, owner, epoch, who, strings.Join(events, ","))
}

const a, b = "nodeA", "nodeB"

var firstGame = []string{
	line(a, 0, 1000, "", "", `{"k":"created","at":0,"by":"","setup":`+setup+`}`),
	line(a, 1000, 2000, "W", "", `{"k":"arrived","at":1000,"by":"w"}`),
	line(a, 2000, 3000, "B", "", `{"k":"arrived","at":2000,"by":"b"}`, `{"k":"started","at":2000,"by":""}`),
	line(a, 5000, 6000, "W", "c1", `{"k":"released","at":5000,"by":"w","m":"e2e4","legal":true,"lag":40}`,
		`{"k":"pressed","at":5000,"by":"w","charged":2970,"credit":30,"lag":40,"left":[3030,180000]}`),
	line(a, 9000, 10000, "B", "c1", `{"k":"released","at":9000,"by":"b","m":"e7e5","legal":true}`,
		`{"k":"pressed","at":9000,"by":"b","charged":4000,"left":[3030,176000]}`),
	line(b, 11500, 700, "", "", `{"k":"paused","at":11500,"by":"","charged":2030,"gap":900,"left":[1000,176000]}`),
	line(b, 14000, 3200, "W", "", `{"k":"resumed","at":14000,"by":""}`, `{"k":"arrived","at":14000,"by":"w"}`),
	line(b, 14400, 3600, "W", "c2", `{"k":"released","at":14400,"by":"w","m":"g1f3","legal":true}`,
		`{"k":"pressed","at":14400,"by":"w","charged":400,"left":[600,176000]}`),
	line(b, 190400, 179600, "", "", `{"k":"flagged","at":190400,"by":"b"}`),
	line(b, 191000, 180200, "W", "c3", `{"k":"ended","at":191000,"by":"","left":[600,0],"result":{"score":"1-0","reason":"time","rule":"7c","book":"WBCA"}}`),
	line(b, 191001, 180201, "", "", `{"acked":"free"}`),
	line(b, 191002, 180202, "", "", `{"acked":"archive"}`),
}

var secondGame = []string{
	line(b, 0, 190000, "", "", `{"k":"created","at":0,"by":"","setup":`+second+`}`),
	line(b, 100, 190100, "", "", `{"k":"started","at":100,"by":""}`),
	line(b, 1100, 191100, "W", "c1", `{"k":"ended","at":1100,"by":"","left":[179000,180000],"result":{"score":"0-1","reason":"resignation"}}`),
	line(b, 1101, 191101, "", "", `{"acked":"free"}`),
	line(b, 1102, 191102, "", "", `{"acked":"archive"}`),
}

var seatsStory = []string{
	line(a, 0, 500, "", "", `{"snap":true}`),
	line(a, 400, 900, "", "", `{"seated":{"game":"G","setup":`+setup+`}}`),
	line(a, 500, 1000, "", "", `{"opened":"G"}`),
	line(b, 180000, 180300, "", "", `{"freed":"G","who":["W","B"]}`),
	line(b, 189500, 189800, "", "", `{"seated":{"game":"H","setup":`+second+`}}`),
	line(b, 189700, 190000, "", "", `{"opened":"H"}`),
	line(b, 190900, 191200, "", "", `{"freed":"H","who":["W","C"]}`),
}

// watched is what a client saw: "> id type" is a command of his, everything else a frame.
func watched(game, person, seat string, lines ...string) Client {
	c := Client{Game: game, Person: person, Seat: seat}
	for _, l := range lines {
		if command, ok := strings.CutPrefix(l, "> "); ok {
			id, kind, _ := strings.Cut(command, " ")
			c.Seen = append(c.Seen, Sight{Sent: &wire.ClientMessage{T: kind, ID: id}})
		} else {
			c.Seen = append(c.Seen, Sight{Got: json.RawMessage(l)})
		}
	}
	return c
}

func frame(n int, id string, at int64, events string) string {
	return fmt.Sprintf(`{"t":"ev","n":%d,"id":%q,"at":%d,"clk":{},"e":[%s]}`, n, id, at, events)
}

const endOfGame = `{"k":"end","end":{"result":"1-0","reason":"time"}}`

// good is the story as it should be.
func good() *History {
	h := &History{Claimed: true, Settled: true}
	add := func(actor string, lines []string) {
		for i, l := range lines {
			process := "1-a"
			if strings.Contains(l, `"own":"nodeB"`) {
				process = "2-b"
			}
			h.Entries = append(h.Entries, Entry{Process: process, Actor: actor, Seq: uint64(i + 1), Data: []byte(l)})
		}
	}
	add("game/G", firstGame)
	add("game/H", secondGame)
	add("seats", seatsStory)
	h.Entries = append(h.Entries, Entry{Process: "2-b", Actor: "seats", Seq: 3, Data: []byte(seatsStory[2])}) // read again
	h.Clients = []Client{
		watched("G", "W", "w", "> c1 move", frame(3, "c1", 5000, `{"k":"move","by":"w","m":"e2e4"},{"k":"press","by":"w","lag":30}`),
			frame(4, "", 9000, `{"k":"move","by":"b","m":"e7e5"},{"k":"press","by":"b"}`),
			`{"t":"state","id":"j1","game":"G","n":5}`, "> c2 move",
			frame(7, "c2", 14400, `{"k":"move","by":"w","m":"g1f3"},{"k":"press","by":"w"}`),
			frame(8, "", 190400, `{"k":"flag","by":"b"}`), "> c3 claim", frame(9, "c3", 191000, endOfGame)),
		watched("G", "B", "b", "> c1 move", frame(3, "", 5000, `{"k":"move","by":"w","m":"e2e4"},{"k":"press","by":"w","lag":30}`),
			`{"t":"done","id":"c1"}`, `{"t":"state","id":"j1","game":"G","n":8}`, frame(9, "", 191000, endOfGame)),
		watched("G", "S", "", frame(9, "", 191000, endOfGame)),
		watched("H", "W", "w", "> c1 resign", frame(2, "c1", 1100, `{"k":"end","end":{"result":"0-1","reason":"resignation"}}`)),
	}
	h.archive()
	return h
}

// archive writes the rows that the journals give.
func (h *History) archive() {
	h.Archive = nil
	for _, id := range []string{"G", "H"} {
		row := Record{Game: id, White: "W"}
		for _, e := range h.Entries {
			if e.Actor != "game/"+id {
				continue
			}
			var r record
			if json.Unmarshal(e.Data, &r) != nil {
				continue
			}
			for _, text := range r.Events {
				event, err := game.ParseEvent(text)
				if err != nil {
					continue
				}
				row.Events = append(row.Events, event)
				switch event.Kind {
				case game.Created:
					row.Black = event.Setup.Black.ID
				case game.Ended:
					row.Result, row.Reason = string(event.Result.Score), string(event.Result.Reason)
				}
			}
		}
		h.Archive = append(h.Archive, row)
	}
}

// change replaces a text in an entry and archives anew.
func (h *History) change(t *testing.T, actor string, seq uint64, was, is string) {
	t.Helper()
	for i := range h.Entries {
		e := &h.Entries[i]
		if e.Actor != actor || e.Seq != seq {
			continue
		}
		if !strings.Contains(string(e.Data), was) {
			t.Fatalf("entry %d of %s has no %s: %s", seq, actor, was, e.Data)
		}
		e.Data = []byte(strings.ReplaceAll(string(e.Data), was, is))
	}
	h.archive()
}

// add appends an entry to an actor's journal and archives anew.
func (h *History) add(actor, text string) {
	last := uint64(0)
	for _, e := range h.Entries {
		if e.Actor == actor {
			last = max(last, e.Seq)
		}
	}
	h.Entries = append(h.Entries, Entry{Process: "2-b", Actor: actor, Seq: last + 1, Data: []byte(text)})
	h.archive()
}

// drop removes entries of an actor from a number on, up to another.
func (h *History) drop(actor string, from, to uint64) {
	var kept []Entry
	for _, e := range h.Entries {
		if e.Actor != actor || e.Seq < from || e.Seq > to {
			kept = append(kept, e)
		}
	}
	h.Entries = kept
}

// told replaces a text in what a client was told.
func (h *History) told(t *testing.T, client int, was, is string) {
	t.Helper()
	found := false
	for i := range h.Clients[client].Seen {
		s := &h.Clients[client].Seen[i]
		if strings.Contains(string(s.Got), was) {
			s.Got, found = json.RawMessage(strings.ReplaceAll(string(s.Got), was, is)), true
		}
	}
	if !found {
		t.Fatalf("client %d was not told %s", client, was)
	}
}
