package edge

import (
	"strings"
	"sync"
	"testing"

	"github.com/gorilla/websocket"
)

const (
	begins = `{"t":"hold","on":true,"why":"journal"}`
	ends   = `{"t":"hold","on":false}`
)

// Everybody is told once that it begins and once that it ends, whether he plays or not, and who comes meanwhile right after
// his hello.
func TestHold(t *testing.T) {
	st := newStage(t, nil)
	st.hall.early = []byte(`{"t":"idle"}`)
	player, idler := st.open(t, st.person(t)), st.open(t, st.person(t))
	for _, ws := range []*websocket.Conn{player, idler} {
		if got := read(t, ws); got != `{"t":"idle"}` {
			t.Fatalf("after the hello: %s", got)
		}
	}
	send(t, player, `{"t":"join","id":"1","game":"g1"}`)
	st.hall.await(t, "join g1")
	st.Hold(false) // nothing was held
	st.Hold(true)
	st.Hold(true)
	late := st.open(t, st.person(t))
	if first, then := read(t, late), read(t, late); first != begins || then != `{"t":"idle"}` {
		t.Errorf("who came during the hold was told %s and then %s", first, then)
	}
	st.Hold(false)
	st.Hold(false)
	after := st.open(t, st.person(t))
	for name, c := range map[string]struct {
		ws   *websocket.Conn
		want string
	}{
		"a player":              {player, begins + ends},
		"somebody without game": {idler, begins + ends},
		"who came meanwhile":    {late, ends},
		"who came afterwards":   {after, `{"t":"idle"}`},
	} {
		send(t, c.ws, `{"t":"ping"}`)
		var told strings.Builder
		for got := read(t, c.ws); got != `{"t":"pong"}`; got = read(t, c.ws) {
			told.WriteString(got)
		}
		if told.String() != c.want {
			t.Errorf("%s was told %s, want %s", name, told.String(), c.want)
		}
	}
}

// Sockets that open while holds come and go: each is told every change that is left, in order.
func TestHoldWhileSocketsOpen(t *testing.T) {
	st := newStage(t, nil)
	opening := make(chan struct{})
	var toggling sync.WaitGroup
	toggling.Go(func() {
		on := false
		for range opening {
			for range 5 {
				on = !on
				st.Hold(on)
			}
		}
		st.Hold(false)
	})
	var all []*websocket.Conn
	for range 40 {
		opening <- struct{}{}
		all = append(all, st.open(t, st.person(t)))
	}
	close(opening)
	toggling.Wait()
	for _, ws := range all {
		send(t, ws, `{"t":"ping"}`)
		want := begins
		for got := read(t, ws); got != `{"t":"pong"}`; got = read(t, ws) {
			if got != want {
				t.Fatalf("told %s, want %s", got, want)
			}
			want = map[string]string{begins: ends, ends: begins}[got]
		}
		if want != begins {
			t.Error("somebody was not told that it ended")
		}
	}
}
