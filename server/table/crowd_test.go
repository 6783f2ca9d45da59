package table

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"flagfall/game"
	"flagfall/server/account"
	"flagfall/server/wire"
)

// turnstile is a spectator's socket that breaks its promise never to block: after the state nothing gets through until it is
// opened.
type turnstile struct {
	conn
	shut chan struct{}
}

func (g *turnstile) Send(frame []byte) {
	if !strings.HasPrefix(string(frame), `{"t":"state"`) {
		<-g.shut
	}
	g.conn.Send(frame)
}

// numbers are those of the events frames, after that of the state.
func numbers(t *testing.T, frames []string) []uint64 {
	t.Helper()
	var out []uint64
	for _, text := range frames {
		var n uint64
		switch {
		case strings.HasPrefix(text, `{"t":"ev"`):
			if _, err := fmt.Sscanf(text, `{"t":"ev","n":%d,`, &n); err != nil {
				t.Fatal(err)
			}
		case strings.HasPrefix(text, `{"t":"state"`):
			at := strings.Index(text, `"n":`)
			if _, err := fmt.Sscanf(text[at:], `"n":%d,`, &n); err != nil {
				t.Fatal(err)
			}
		default:
			continue
		}
		out = append(out, n)
	}
	return out
}

// follows holds a spectator's frames against the rule: a state with number n, then exactly n+1, n+2...
func follows(t *testing.T, who string, frames []string, last uint64) {
	t.Helper()
	got := numbers(t, frames)
	if len(got) == 0 {
		t.Errorf("%s was told nothing", who)
		return
	}
	for i, n := range got {
		if n != got[0]+uint64(i) {
			t.Errorf("%s: frames %v", who, got)
			return
		}
	}
	if end := got[len(got)-1]; end != last {
		t.Errorf("%s: the last frame is %d, want %d", who, end, last)
	}
}

var knights = [4]string{"g1f3", "g8f6", "f3g1", "f6g8"}

// rally has both make so many plies in fast mode.
func rally(a, b *tab, from, plies int) {
	for ply := from; ply < from+plies; ply++ {
		one := a
		if ply%2 == 1 {
			one = b
		}
		one.do(fmt.Sprintf("c%d move %s %d press", ply, knights[ply%4], ply))
	}
}

// A spectator whose socket takes nothing delays neither the players nor those who come and go meanwhile, and misses nothing
// in the end.
func TestStuckSpectatorDelaysNobody(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		s := setup(game.Fast)
		s.Options.Presence = false
		a, b := w.sit(s)
		stuck := &turnstile{conn: conn{person: third}, shut: make(chan struct{})}
		open := w.join(account.Person{ID: "OOOOOOOOOOOOOOOO", Name: "Open"}, 0)
		if _, err := w.tables.Join(stuck, wire.ClientMessage{T: "join", ID: "j", Game: theGame}); err != nil {
			t.Fatal(err)
		}
		rally(a, b, 0, 6)
		if moves := len(numbers(t, a.news())); moves < 6 {
			t.Errorf("White was told of %d plies while a spectator was stuck", moves)
		}
		late := w.join(account.Person{ID: "LLLLLLLLLLLLLLLL", Name: "Late"}, 0)
		rally(a, b, 6, 4)
		late.sitting.Leave()
		rally(a, b, 10, 2)
		close(stuck.shut)
		synctest.Wait()
		last := w.frameNumber(t)
		follows(t, "stuck", stuck.frames, last)
		follows(t, "open", open.news(), last)
		for i, n := range numbers(t, late.news()) {
			if n > last-2 {
				t.Errorf("frame %d (%d) came after he had left", n, i)
			}
		}
	})
}

// frameNumber is that of the public's last frame.
func (w *world) frameNumber(t *testing.T) (n uint64) {
	t.Helper()
	if err := w.tables.look(t.Context(), theGame, func(r *room, _ int64) { n = r.told.n[game.None] }); err != nil {
		t.Fatal(err)
	}
	return n
}

// Spectators who come, go and come again while moves are made get a state and exactly what follows it. This runs in real
// time: the race detector is to see who touches what.
func TestCrowdComesAndGoes(t *testing.T) {
	w := newWorld(t)
	defer w.stop()
	s := setup(game.Fast)
	s.Options.Presence = false
	if err := w.tables.Open(t.Context(), theGame, s); err != nil {
		t.Fatal(err)
	}
	var seats [2]Sitting
	var bells [2]*bell
	for i, p := range [2]account.Person{white, black} {
		bells[i] = &bell{person: p, rings: make(chan struct{}, 16)}
		var err error
		if seats[i], err = w.tables.Join(bells[i], wire.ClientMessage{T: "join", ID: "j", Game: theGame}); err != nil {
			t.Fatal(err)
		}
		<-bells[i].rings
	}
	const people, plies = 40, 120
	var over atomic.Bool
	var told atomic.Int64 // spectators who were told of a move
	var crowd sync.WaitGroup
	sockets := make(chan *conn, 100_000)
	for i := range people {
		crowd.Go(func() {
			for n := 0; !over.Load(); n++ {
				c := &conn{person: account.Person{ID: fmt.Sprintf("P%015d", i), Name: "P"}}
				place, err := w.tables.Join(c, wire.ClientMessage{T: "join", ID: "j", Game: theGame})
				if err != nil {
					t.Error(err)
					return
				}
				for len(c.sent()) < 1+(i+n)%5 && !over.Load() {
					runtime.Gosched()
				}
				place.Leave()
				before := len(c.sent())
				if before > 1 {
					told.Add(1)
				}
				sockets <- c
				if after := len(c.sent()); after != before {
					t.Errorf("%d frames after he had left", after-before)
				}
			}
		})
	}
	for ply := 0; ply < plies || told.Load() < people && ply < 100*plies; ply++ {
		seats[ply%2].Handle(wire.ClientMessage{T: "move", ID: fmt.Sprintf("c%d", ply), Move: knights[ply%4], Ply: &ply, Press: true})
		<-bells[0].rings
		<-bells[1].rings
	}
	over.Store(true)
	crowd.Wait()
	close(sockets)
	for c := range sockets {
		frames := c.sent()
		got := numbers(t, frames)
		for i, n := range got {
			if n != got[0]+uint64(i) {
				t.Fatalf("frames %v", got)
			}
		}
	}
	if n := told.Load(); n < people {
		t.Errorf("%d spectators were told of a move, want %d at least", n, people)
	}
}

// sent is what came so far.
func (c *conn) sent() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]string(nil), c.frames...)
}

// Thousands who come while the crowd cannot be told do not make it fall behind: only frames count.
func TestManyCome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stuck := &turnstile{conn: conn{person: third}, shut: make(chan struct{})}
		c := &Crowd{}
		c.Come(&Member{conn: stuck})
		c.Tell([]byte(`{"t":"ev","n":1,"e":[]}`))
		synctest.Wait()
		var all []*conn
		for range 2 * mostWaiting {
			all = append(all, &conn{person: black})
			c.Come(&Member{conn: all[len(all)-1]})
		}
		c.Tell([]byte(`{"t":"ev","n":2,"e":[]}`))
		close(stuck.shut)
		pass(time.Second) // the pauses
		for _, one := range append(all, &stuck.conn) {
			if got := numbers(t, one.frames); len(one.closed) > 0 || len(got) == 0 || got[len(got)-1] != 2 {
				t.Fatalf("closed with %v, frames %v", one.closed, got)
			}
		}
	})
}

// A crowd that cannot be told for too long is closed as slow, and nobody of it is told of what follows a gap.
func TestCrowdFallsBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stuck := &turnstile{conn: conn{person: third}, shut: make(chan struct{})}
		other := &conn{person: black}
		c := &Crowd{}
		c.Come(&Member{conn: stuck})
		c.Come(&Member{conn: other})
		for i := range 2*mostWaiting + 10 {
			c.Tell(fmt.Appendf(nil, `{"t":"ev","n":%d,"e":[]}`, i+1))
			if i == 0 {
				synctest.Wait() // the first is in hand
			}
		}
		close(stuck.shut)
		synctest.Wait()
		c.Tell([]byte(`{"t":"ev","n":9999,"e":[]}`))
		synctest.Wait()
		for name, one := range map[string]*conn{"stuck": &stuck.conn, "other": other} {
			if len(one.closed) == 0 || one.closed[0] != wire.CloseSlow {
				t.Errorf("%s: closed with %v", name, one.closed)
			}
			for i, n := range numbers(t, one.frames[:min(len(one.frames), mostWaiting)]) {
				if n != uint64(i+1) {
					t.Fatalf("%s: frame %d at place %d", name, n, i)
				}
			}
		}
		if c.running || c.waiting != 0 {
			t.Errorf("running %v, %d waiting", c.running, c.waiting)
		}
	})
}

// The last frame of a game reaches those who watch, and nobody is kept after it.
func TestCrowdHearsTheEnd(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		a, _ := w.sit(setup(game.Fast))
		guest := w.join(third, 0)
		guest.news()
		a.do("c1 resign")
		guest.expect("ev:end")
		guest.sitting.Leave()
	})
}
