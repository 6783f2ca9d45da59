package arena

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"flagfall/game"
	"flagfall/server/actor"
)

// dawn is the civil time at which the tests' events are made.
const dawn = int64(1_700_000_000_000)

// event drives a machine, and beside it one that knows only the journal's text.
type event struct {
	t       *testing.T
	m, twin *State
	at      int64
	log     []Event
}

func newMachine() *State { return New("arena/x").(*State) }

// open makes an event that takes entries; o is its organiser, r its arbiter.
func open(t *testing.T, set Settings) *event {
	t.Helper()
	if set.Name == "" {
		set.Name = "Club night"
	}
	e := &event{t: t, m: newMachine(), twin: newMachine()}
	e.do(Create{By: "o", Salt: "n", Settings: set, Civil: dawn})
	e.do(Staff{By: "o", Organisers: []string{"o"}, Arbiters: []string{"r"}})
	e.do(Advance{By: "o", To: Open})
	return e
}

// try gives a command at the present time, and what is due by the clock before it.
func (e *event) try(cmd any) error {
	e.t.Helper()
	events, err := e.m.Decide(cmd, e.at)
	for _, ev := range events {
		text, fault := Encode(nil, ev)
		if fault != nil {
			e.t.Fatal(fault)
		}
		back, fault := Decode(text)
		if fault != nil {
			e.t.Fatal(fault)
		}
		e.m.Apply(ev)
		e.twin.Apply(back)
		e.log = append(e.log, back.(Event))
	}
	return err
}

func (e *event) do(cmd any) {
	e.t.Helper()
	if err := e.try(cmd); err != nil {
		e.t.Fatalf("%T %+v: %v", cmd, cmd, err)
	}
}

// refused holds a command against the code it is refused with, and that nothing happened.
func (e *event) refused(want Code, cmd any) {
	e.t.Helper()
	before := len(e.log)
	err := e.try(cmd)
	var r *Refusal
	if !errors.As(err, &r) || r.Code != want || len(e.log) != before {
		e.t.Errorf("%T %+v: %v and %d events, want %s", cmd, cmd, err, len(e.log)-before, want)
	}
}

// pass lets time go by, with all that is due meanwhile.
func (e *event) pass(ms int64) {
	e.t.Helper()
	for end := e.at + ms; ; {
		due, ok := e.m.Deadline()
		if !ok || due > end {
			e.at = end
			return
		}
		e.at = max(e.at, due)
		before := len(e.log)
		e.do(actor.Tick{})
		if again, ok := e.m.Deadline(); ok && again <= e.at && len(e.log) == before {
			e.t.Fatalf("a tick at %d gave nothing and the deadline stays", e.at)
		}
	}
}

// same checks that the journal's text alone gives the same state.
func (e *event) same() {
	e.t.Helper()
	if a, b := stateText(e.t, e.m), stateText(e.t, e.twin); a != b {
		e.t.Errorf("the journal gives another state:\n%s\nwant\n%s", b, a)
	}
}

func stateText(t *testing.T, s *State) string {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func account(id string) game.Player {
	return game.Player{ID: id, Name: strings.ToUpper(id), Account: true}
}

// enter brings players in, each on a visible page; the first has the highest rating.
func (e *event) enter(players ...string) {
	e.t.Helper()
	for i, id := range players {
		e.do(Enter{By: id, Player: account(id), Rating: 2000 - 10*i})
		e.do(Presence{Who: id, Here: true})
	}
}

// start has the event run.
func (e *event) start() {
	e.t.Helper()
	e.do(Advance{By: "o", To: Running})
	e.pass(0)
}

// board is the running game of a player.
func (e *event) board(id string) *Game {
	e.t.Helper()
	g := e.m.Game(e.m.Entry(id).Game)
	if g == nil {
		e.t.Fatalf("%s does not play", id)
	}
	return g
}

// wins ends the running game of the player as his win.
func (e *event) wins(id string) {
	e.t.Helper()
	g := e.board(id)
	score := game.WhiteWins
	if g.Black == id {
		score = game.BlackWins
	}
	e.do(Finished{Game: g.ID, Outcome: Outcome{Score: score, Reason: "resignation"}})
}

func (e *event) draws(id string) {
	e.t.Helper()
	e.do(Finished{Game: e.board(id).ID, Outcome: Outcome{Score: game.Draw, Reason: "agreement"}})
}

func (e *event) row(id string) Row {
	e.t.Helper()
	rows := e.m.Standings()
	i := slices.IndexFunc(rows, func(r Row) bool { return r.ID == id })
	if i < 0 {
		e.t.Fatalf("%s is not in the table", id)
	}
	return rows[i]
}

// effects are the ids of what is pending.
func (e *event) effects() []string {
	var list []string
	for _, f := range e.m.Effects() {
		list = append(list, f.ID)
	}
	return list
}

// stored has the event kept as it is now; it must have asked for that.
func (e *event) stored() {
	e.t.Helper()
	id := fmt.Sprintf("store/%d", e.m.Edition)
	if !slices.Contains(e.effects(), id) {
		e.t.Fatalf("effects %v, want %s", e.effects(), id)
	}
	e.do(actor.Acked{Effect: id})
}

// annulledOf is the game in whose place another one is played: n-1 for n-1-r, that for n-1-r2, that for n-1-r3.
func annulledOf(id string) (annulled string, again bool) {
	at := strings.LastIndex(id, "-r")
	if at < 0 || strings.Contains(id[at+1:], "-") {
		return "", false
	}
	switch times, _ := strconv.Atoi(id[at+2:]); times {
	case 0:
		return id[:at], true
	case 2:
		return id[:at+2], true
	default:
		return fmt.Sprintf("%s%d", id[:at+2], times-1), true
	}
}
