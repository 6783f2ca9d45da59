package arena

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"flagfall/game"
	"flagfall/server/actor"
)

// Events such as testdata has them. With a folder in FLAGFALL_RECORD they are written there, as the journals of this version.
func TestRecords(t *testing.T) {
	set := Defaults(Arena)
	set.Duration = 10 * minute
	v := newEvening(t, 6, 2, set)
	v.play()
	for name, e := range map[string]*event{"evening": v.event, "desk": atTheDesk(t), "robin": listed(t), "cancelled": calledOff(t)} {
		e.same()
		if folder := os.Getenv("FLAGFALL_RECORD"); folder != "" {
			record(t, folder, name, e)
		}
	}
}

// Every kind of event is in a recorded journal.
func TestEveryKindIsRecorded(t *testing.T) {
	seen := map[Kind]bool{}
	files, err := filepath.Glob(filepath.Join("testdata", "v*", "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		for _, e := range journaled(t, file) {
			seen[e.Kind] = true
		}
	}
	source, err := os.ReadFile("command.go")
	if err != nil {
		t.Fatal(err)
	}
	kinds := regexp.MustCompile(`(?m)^\t\w+ +Kind = "(\w+)"`).FindAllSubmatch(source, -1)
	if len(kinds) < 20 {
		t.Fatalf("%d kinds found", len(kinds))
	}
	for _, k := range kinds {
		if !seen[Kind(k[1])] {
			t.Errorf("%s is in no journal of testdata", k[1])
		}
	}
}

func record(t *testing.T, folder, name string, e *event) {
	t.Helper()
	var text []byte
	for _, ev := range e.log {
		line, err := Encode(nil, ev)
		if err != nil {
			t.Fatal(err)
		}
		text = append(append(text, line...), '\n')
	}
	for file, text := range map[string][]byte{name + ".jsonl": text, name + ".json": []byte(stateText(t, e.m))} {
		if err := os.WriteFile(filepath.Join(folder, file), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// atTheDesk is an event in which the desk does all it can, and which is not over.
func atTheDesk(t *testing.T) *event {
	e := open(t, Defaults(Arena))
	e.do(Staff{By: "o", Organisers: []string{"o"}, Arbiters: []string{"r", "a"}, Names: map[string]string{"r": "Ruth", "o": "Olga"}})
	e.do(SetPassword{By: "o", Hash: "$argon2id$"})
	e.do(Roster{By: "o", Lines: threeLines})
	e.do(Claim{Player: account("l"), Line: lineID(1), Rating: 1700})
	e.enter("a", "b", "c", "d")
	e.start()
	e.seat()
	e.do(Desk{Who: "r", Here: true})
	e.do(Duty{By: "r", On: true})
	e.obey()
	first := e.board("a").ID
	e.do(Disputed{Game: first, N: 1, By: game.White, Kind: QueueDispute, Stops: true, Until: dawn + 200000, Open: true})
	e.do(Rule{By: "r", Game: first, Ruling: game.Ruling{Act: game.ActWarn, Side: game.White}, Why: "noise"})
	e.do(Rule{By: "r", Game: first, Ruling: game.Ruling{Act: game.ActAnnul}, Replay: true, Why: "a wrong position"})
	e.obey()
	e.do(Finished{Game: first, Outcome: Outcome{Score: game.Void, Reason: "annulled"}})
	e.do(Freeze{By: "r", On: true, Why: "the network is down"})
	e.obey()
	e.pass(30000)
	e.do(Freeze{By: "r", Why: "it works again"})
	e.obey()
	second := e.board("c").ID
	e.wins("c")
	e.do(Report{By: "d", Game: second, Text: "He moved my king"})
	e.do(Settle{By: "r", ID: e.m.Reported[0].ID, Why: "spoke with both"})
	e.do(Hush{By: "o", Who: "watcher", Name: "Walter", On: true})
	e.do(Desk{Who: "r"})
	e.do(Forget{Who: "b", Name: "deleted"})
	e.do(Announce{By: "o", Text: "Last hour"})
	e.pass(20000)
	e.do(actor.Recovered{Elapsed: 200, Gap: 5000})
	return e
}

// listed is a round robin with a list, up to its published results.
func listed(t *testing.T) *event {
	e := open(t, Defaults(RoundRobin))
	e.do(Roster{By: "o", Lines: threeLines})
	for i := range threeLines {
		id := string(rune('k' + i))
		e.do(Claim{Player: account(id), Line: lineID(i + 1), Rating: 1500})
		e.do(Presence{Who: id, Here: true})
	}
	e.enter("a")
	e.start()
	for e.m.Phase == Running {
		e.seat()
		for _, g := range e.m.live() {
			e.wins(g.White)
		}
		e.pass(minute)
		if e.m.Phase == Running && len(e.m.live()) == 0 {
			e.do(StartRound{By: "o"})
		}
	}
	e.do(Advance{By: "o", To: Signed})
	e.do(Advance{By: "o", To: Published})
	return e
}

// calledOff is an event of which snapshots are written.
func calledOff(t *testing.T) *event {
	e := open(t, Defaults(Arena))
	e.enter("a", "b")
	snapshot := e.m.snapshot()
	e.m.Apply(snapshot)
	e.twin.Apply(snapshot)
	e.log = append(e.log, snapshot)
	e.do(Cancel{By: "o", Why: "no heating"})
	return e
}
