package edge

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"flagfall/server/wire"
)

// attendants are who attends with a visible page.
func (e *evening) attendants() (seen, hidden int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, visible := range e.here {
		if visible {
			seen++
		} else {
			hidden++
		}
	}
	return seen, hidden
}

// A socket attends an event, says whether its page is visible, and departs; its end is a departure, too.
func TestAttend(t *testing.T) {
	st, e := eveningStage(t, nil)
	ws := st.open(t, st.person(t))
	for _, c := range []struct{ says, hears string }{
		{`{"t":"attend","id":"1","event":"friday-arena","visible":true,"desk":true,"key":"k"}`, `{"t":"event","id":"1","event":"friday-arena"`},
		{`{"t":"attend","id":"2","event":"friday-arena"}`, `{"t":"event","id":"2"`},
		{`{"t":"attend","id":"3","event":"none-such"}`, `{"t":"err","id":"3","code":"unknown_event"`},
		{`{"t":"attend","id":"4","event":"None"}`, `{"t":"err","id":"4","code":"bad_message"`},
		{`{"t":"depart","id":"5"}`, `{"t":"done","id":"5"}`},
		{`{"t":"depart","id":"6"}`, `{"t":"done","id":"6"}`},
		{`{"t":"attend","id":"7","event":"friday-arena","visible":true}`, `{"t":"event","id":"7"`},
	} {
		send(t, ws, c.says)
		if got := read(t, ws); !strings.HasPrefix(got, c.hears) {
			t.Errorf("%s: %s, want %s", c.says, got, c.hears)
		}
	}
	if said, want := e.take(), []string{"attend true true k", "attend false false ", "depart", "attend true false "}; !slices.Equal(said, want) {
		t.Errorf("the event heard %q, want %q", said, want)
	}
	if seen, _ := e.attendants(); seen != 1 {
		t.Errorf("%d attend", seen)
	}
	ws.Close()
	st.hall.await(t, "disconnect")
	if err := st.Server.Close(t.Context()); err != nil { // waits for the reader
		t.Fatal(err)
	}
	if said := e.take(); !slices.Equal(said, []string{"depart"}) {
		t.Errorf("at the end of the socket the event heard %q", said)
	}
}

// One who attends nothing does not depart when his socket ends.
func TestEndWithoutAttending(t *testing.T) {
	st, e := eveningStage(t, nil)
	ws := st.open(t, st.person(t))
	send(t, ws, `{"t":"attend","id":"1","event":"none-such","visible":true}`)
	read(t, ws)
	ws.Close()
	if err := st.Server.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if said := e.take(); len(said) > 0 {
		t.Errorf("the event heard %q", said)
	}
}

// Without events there is none to attend.
func TestAttendWithoutEvents(t *testing.T) {
	st := newStage(t, nil)
	ws := st.open(t, st.person(t))
	send(t, ws, `{"t":"attend","id":"1","event":"friday-arena"}`)
	if got := read(t, ws); !strings.Contains(got, wire.CodeUnknownEvent) {
		t.Error(got)
	}
	send(t, ws, `{"t":"depart","id":"2"}`)
	if got := read(t, ws); got != `{"t":"done","id":"2"}` {
		t.Error(got)
	}
}

// A page that comes and goes without end is cut off, as at a table.
func TestAttendTooOften(t *testing.T) {
	st, _ := eveningStage(t, func(c *Config) { c.Limits.Heres = Rate{.01, 5} })
	ws := st.open(t, st.person(t))
	for i := range 6 {
		send(t, ws, fmt.Sprintf(`{"t":"attend","id":"%d","event":"friday-arena","visible":%v}`, i, i%2 == 0))
	}
	if code := closeCode(ws); code != 1008 {
		t.Errorf("closed with %d, want 1008", code)
	}
}
