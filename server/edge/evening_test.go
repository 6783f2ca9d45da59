package edge

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"flagfall/server/account"
	"flagfall/server/arena"
	"flagfall/server/arena/host"
	"flagfall/server/table"
	"flagfall/server/wire"
)

// evening is events as far as the edge needs them: one, friday-arena, that notes what arrives and says what a test wants.
type evening struct {
	mu     sync.Mutex
	said   []string         // what was asked for: "who what body"
	refuse map[string]error // by what, or by the act
	here   map[string]bool  // who attends, by visible
}

const (
	linkKey  = "link-key_1"
	password = "castle"
)

func newEvening() *evening { return &evening{refuse: map[string]error{}, here: map[string]bool{}} }

func (e *evening) note(format string, args ...any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.said = append(e.said, fmt.Sprintf(format, args...))
}

// take gives what was asked for since the last time.
func (e *evening) take() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	said := e.said
	e.said = nil
	return said
}

func (e *evening) wants(what string, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.refuse[what] = err
}

func (e *evening) Create(_ context.Context, by account.Person, body json.RawMessage) (string, error) {
	e.note("%s create %s", by.Name, body)
	e.mu.Lock()
	defer e.mu.Unlock()
	return "friday-arena", e.refuse["create"]
}

func (e *evening) List(_ context.Context, q host.ListQuery) ([]host.Listed, error) {
	if q.Phase == "past" {
		return nil, nil
	}
	return []host.Listed{{
		Event: "friday-arena", Name: "Friday arena", Phase: "running", Format: "arena", Bell: 1793003600000, Club: q.Club, Players: 3,
		Terms: host.Terms{Terms: wire.Terms{Rules: "wbca"}, Base: 300000, Mode: "board"}, Rated: true,
	}}, nil
}

func (e *evening) Answer(_ context.Context, name string, by account.Person, key, what string, body json.RawMessage) (json.RawMessage, error) {
	if name != "friday-arena" {
		return nil, wire.Refuse(wire.CodeUnknownEvent)
	}
	e.note("%s %s %s", by.Name, what, body)
	var act struct{ Do, Password string }
	if err := json.Unmarshal(body, &act); err != nil {
		return nil, err
	}
	e.mu.Lock()
	err := e.refuse[what]
	if what == "act" && err == nil {
		err = e.refuse[act.Do]
	}
	e.mu.Unlock()
	if act.Do == "enter" && err == nil && act.Password != "" && act.Password != password {
		err = wire.Refusef(wire.CodeWrongPassword, "The password of the event is wrong.")
	}
	if err != nil {
		return nil, err
	}
	if what == "qrlink" && key == linkKey {
		return json.RawMessage(`{"path":"/e/friday-arena?key=` + linkKey + `"}`), nil
	}
	return sample(what), nil
}

func (e *evening) Attend(c Conn, m wire.ClientMessage) error {
	if m.Event != "friday-arena" {
		return wire.Refuse(wire.CodeUnknownEvent)
	}
	e.note("attend %v %v %s", m.Visible, m.Desk, m.Key)
	e.mu.Lock()
	e.here[c.Person().ID] = m.Visible
	e.mu.Unlock()
	c.Send(wire.Encode(wire.EventNews{T: "event", ID: m.ID, Event: m.Event, Name: "Friday arena", Phase: "open", Top: []wire.Standing{}, Notices: []wire.Notice{}, Boards: []string{}}))
	return nil
}

func (e *evening) Depart(c Conn) {
	e.note("depart")
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.here, c.Person().ID)
}

func (e *evening) Known(name, key string) bool { return name == "friday-arena" && key == linkKey }

// sample is an answer of each kind with every field that it can have.
func sample(what string) json.RawMessage {
	ann := arena.Person{ID: "23456789ABCDEFGH", Name: "Ann", Rating: 1712, Account: true, Bot: true}
	bob := arena.Person{ID: "r-2", Name: "Bóbó"}
	row := arena.Row{Place: 1, Group: 1, ID: ann.ID, Name: "Ann", Real: "Ann Anning", Rating: 1712, Status: arena.In, Points: 4, Games: 2, Wins: 2, Playoff: 1, Performance: 1900, Direct: 2, SB: 7, Fire: true, Account: true, Out: true}
	set := arena.Defaults(arena.Arena)
	set.Name = "Friday arena"
	mine := &arena.Mine{Status: arena.In, Place: 1, Points: 4, Games: 2, Here: true, Since: 1793000000000, Game: "g2", Color: "w", Opponent: "Bóbó",
		Because: &arena.WaitsView{Code: arena.AllPlay, Text: "2 others are playing", Others: 2, Next: 1793000001000}}
	page := arena.Page{
		Event: "friday-arena", Name: "Friday arena", Phase: "running", Format: arena.Arena, Terms: arena.Terms{Rules: "wbca", Base: 300000, Mode: "board"},
		Scoring: arena.Classic, AtBell: arena.PlayOn, Guests: true, Bots: true, Club: "oslo", Zone: "Europe/Oslo", Starts: 1, CheckIn: 1, Started: 1, Bell: 2, Duration: 1, Now: 1,
		Frozen: true, Round: 1, Rounds: 3, Entries: 3, Top: []arena.Row{row}, Next: "The bell rings in an hour", Notices: []arena.NoticeView{{At: 1, By: "Jo", Text: "Hello"}},
		Staff: []arena.Member{{ID: ann.ID, Name: "Ann", Role: "organiser"}}, Roster: []arena.Line{{ID: "r-2", Name: "Bóbó"}}, Cancelled: "rain",
		You: arena.You{Role: arena.Role{Organiser: true}, Link: linkKey, Screen: "screen", Settings: &set, Entry: mine, Playing: "g2"},
	}
	board := table.Board{Game: "g2", Board: "8/8/8/8/8/8/8/K1k5 w", Phase: "play", Dispute: "w", Claims: 1}
	place := func(more map[string]any) map[string]any {
		body := map[string]any{}
		text, err := json.Marshal(board)
		if err == nil {
			err = json.Unmarshal(text, &body)
		}
		if err != nil {
			panic(err)
		}
		for k, v := range more {
			body[k] = v
		}
		return body
	}
	var answer any
	switch what {
	case "page":
		answer = page
	case "standings":
		answer = map[string]any{"rows": []arena.Row{row}, "games": []map[string]any{{"id": "g1", "white": ann.ID, "black": "r-2", "score": "1-0", "started": 1, "ended": 2, "changed": "a mistake"}}}
	case "preview":
		answer = map[string]any{"rows": []arena.Row{row}}
	case "boards":
		answer = map[string]any{"boards": []any{place(map[string]any{"white": ann, "black": bob, "place_white": 1, "place_black": 0, "round": 1, "since": 1})}}
	case "entries":
		answer = map[string]any{"entries": []arena.EntryView{{ID: "r-2", Name: "Bóbó", Status: arena.In, Colors: "wb", Last: ann.ID, Real: "B", Why: "no_show", Game: "g2"}}}
	case "desk":
		answer = arenaDesk{DeskPage: arena.DeskPage{
			Page: page, Duty: []arena.Person{ann}, Dropped: &arena.Dropped{At: 1, Count: 40}, Hushed: []arena.Person{bob},
			Queue:   []arena.Waiting{{ID: "d1", Kind: "dispute", Game: "g2", White: ann, Black: bob, By: "w", At: 1, Text: "noise", Stops: true, Until: 2}},
			Acts:    []arena.ActView{{N: 1, At: 1, By: "Jo", Do: "rule", Game: "g2", Who: "Ann", Text: "A warning", Failed: "The game is over."}},
			Reports: []arena.ReportView{{ID: "p1", At: 1, By: "Ann", Game: "g1", Text: "He spoke", Settled: "Warned"}},
		}, Games: []any{map[string]any{"game": "g2", "white": ann, "black": bob, "phase": "play", "clk": wire.Clocks{}, "flags": [2]bool{}, "away": [2]bool{}, "ply": 3, "claims": 1, "dispute": "w", "round": 1, "started": 1}}}
	case "game":
		answer = table.GameLog{Game: "g2", White: wire.Person{ID: ann.ID, Name: "Ann"}, Black: wire.Person{ID: "r-2", Name: "Bóbó"}, Running: true, Started: 1,
			State: wire.State{T: "state", Game: "g2", Terms: wire.Terms{Rules: "wbca"}, Claims: []string{}, Moves: []wire.Ply{}, Mode: "board", Phase: "play", Event: "friday-arena"},
			Log:   []table.LoggedEvent{{Text: "White's clock runs"}}}
	case "chat":
		answer = map[string]any{"chat": []any{map[string]any{"n": 1, "at": 1, "who": wire.Person{ID: ann.ID, Name: "Ann"}, "text": "Hi"}}, "gone": []int{}, "muted": false}
	case "export":
		answer = map[string]string{"type": "text/csv", "name": "x", "text": "\"Place\",é\r\n"}
	case "qrlink":
		answer = map[string]string{"path": "/e/friday-arena"}
	default:
		answer = struct{}{}
	}
	return wire.Encode(answer)
}

// arenaDesk is the desk with what the tables say.
type arenaDesk struct {
	arena.DeskPage
	Games []any `json:"games"`
}

// eveningStage is a server with members, clubs and an event.
func eveningStage(t *testing.T, change func(*Config)) (*memberStage, *evening) {
	t.Helper()
	e := newEvening()
	return newMemberStage(t, func(c *Config) {
		c.Events = e
		c.Limits.Acts, c.Limits.Makings, c.Limits.Chats = Rate{1000, 1000}, Rate{1000, 1000}, Rate{1000, 1000}
		if change != nil {
			change(c)
		}
	}), e
}

// guest is a person with a token.
func (st *memberStage) guest(t *testing.T) me {
	t.Helper()
	var got me
	st.does(t, "POST", "/api/guest", "", `{"token":true}`, 201, &got)
	return got
}

// problems sends what is to be refused, and holds the code of the answer.
func (st *memberStage) refused(t *testing.T, method, path, token, body string, status int, code string) {
	t.Helper()
	res, text := st.send(t, method, path, token, body)
	var p problem
	if err := json.Unmarshal([]byte(text), &p); err != nil || res.StatusCode != status || p.Code != code || p.Detail == "" {
		t.Errorf("%s %s %.80s: %d %.200s, %v; want %d %s", method, path, body, res.StatusCode, text, err, status, code)
	}
}

func contains(list []string, part string) bool {
	for _, one := range list {
		if strings.Contains(one, part) {
			return true
		}
	}
	return false
}
