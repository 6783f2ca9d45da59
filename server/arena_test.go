package main

import (
	"context"
	"fmt"
	"maps"
	"os/exec"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"flagfall/server/actor"
	"flagfall/server/arena/host"
	"flagfall/server/cluster/redistest"
	"flagfall/server/store/pgtest"
	"flagfall/server/wire"
	"flagfall/server/wire/client"
)

// evening is an arena with its organiser and its players, who play by themselves: a few moves, and White gives up.
type evening struct {
	t         *testing.T
	servers   []client.Server
	organiser client.Guest
	event     string
	players   []client.Guest

	stop    context.CancelFunc
	playing sync.WaitGroup
	mu      sync.Mutex
	faults  []string
}

// tableOf is what the organiser reads of an event.
type tableOf struct {
	Rows []struct {
		ID     string `json:"id"`
		Points int    `json:"points"`
		Games  int    `json:"games"`
	} `json:"rows"`
	Games []gameOf `json:"games"`
}

type gameOf struct {
	ID      string `json:"id"`
	White   string `json:"white"`
	Black   string `json:"black"`
	Score   string `json:"score"`
	Reason  string `json:"reason"`
	Started int64  `json:"started"`
	Ended   int64  `json:"ended"`
}

// newEvening opens an arena for so many guests and starts it.
func newEvening(t *testing.T, players int, urls ...string) *evening {
	t.Helper()
	e := &evening{t: t}
	for _, url := range urls {
		e.servers = append(e.servers, client.Server{URL: url})
	}
	first := e.servers[0]
	if err := first.Post(t.Context(), "", "/api/register", map[string]any{"name": "Judit", "password": "correct horse", "token": true}, &e.organiser); err != nil {
		t.Fatal(err)
	}
	var made struct{ Event string }
	settings := map[string]any{"name": "Club night", "format": "arena", "duration": 3_600_000, "last_pair": 0, "rest": 0, "repeat_wait": 0,
		"color_wait": 0, "guests": true, "late": true, "terms": map[string]any{"rules": "wbca", "base": 180_000, "mode": "fast"}}
	if err := first.Post(t.Context(), e.organiser.Token, "/api/events", map[string]any{"settings": settings}, &made); err != nil {
		t.Fatal(err)
	}
	e.event = made.Event
	e.act(e.organiser, map[string]any{"do": "advance", "to": "open"})
	for range players {
		guest, err := first.NewGuest(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		e.act(guest, map[string]any{"do": "enter"})
		e.players = append(e.players, guest)
	}
	e.act(e.organiser, map[string]any{"do": "advance", "to": "running"})
	ctx, stop := context.WithCancel(context.Background())
	e.stop = stop
	for i, guest := range e.players {
		p := &eveningPlayer{evening: e, guest: guest, at: i}
		e.playing.Go(func() { p.play(ctx) })
	}
	t.Cleanup(func() { stop(); e.playing.Wait() })
	return e
}

// get reads from whichever server answers.
func (e *evening) get(path string, out any) {
	e.t.Helper()
	e.until("an answer to "+path, func() bool {
		return slices.ContainsFunc(e.servers, func(s client.Server) bool {
			return s.Get(context.Background(), e.organiser.Token, "/api/events/"+e.event+path, out) == nil
		})
	})
}

func (e *evening) act(who client.Guest, body map[string]any) {
	e.t.Helper()
	var err error
	for _, s := range e.servers {
		if err = s.Post(context.Background(), who.Token, "/api/events/"+e.event+"/acts", body, nil); err == nil {
			return
		}
	}
	e.t.Fatalf("%v: %v", body, err)
}

func (e *evening) table() (t tableOf) {
	e.t.Helper()
	e.get("/standings", &t)
	return t
}

func (e *evening) until(what string, is func() bool) {
	e.t.Helper()
	for deadline := time.Now().Add(3 * patience); !is(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			e.t.Fatalf("no %s", what)
		}
	}
}

// played waits until so many games are over, and gives the table.
func (e *evening) played(games int) (t tableOf) {
	e.t.Helper()
	e.until(fmt.Sprint(games, " games"), func() bool {
		t = e.table()
		return len(t.Games) >= games
	})
	return t
}

// end rings the bell and gives the final table.
func (e *evening) end() tableOf {
	e.t.Helper()
	e.act(e.organiser, map[string]any{"do": "bell", "bell": time.Now().Add(time.Second).UnixMilli(), "why": "it is late"})
	e.until("end", func() bool {
		var page struct{ Phase string }
		e.get("", &page)
		return page.Phase == "provisional"
	})
	e.stop()
	e.playing.Wait()
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, fault := range e.faults {
		e.t.Error(fault)
	}
	return e.table()
}

// eveningPlayer is one who plays.
type eveningPlayer struct {
	*evening
	guest client.Guest
	at    int // the server he comes to next

	conn *client.Conn
	game string
	side int
	ply  int
}

func (p *eveningPlayer) play(ctx context.Context) {
	for ctx.Err() == nil {
		server := p.servers[p.at%len(p.servers)]
		p.at++
		conn, err := server.Connect(ctx, p.guest.Token)
		if err != nil {
			time.Sleep(100 * time.Millisecond)
			continue
		}
		p.conn, p.game = conn, ""
		gone := context.AfterFunc(ctx, func() { _ = conn.Cut() })
		p.say(wire.ClientMessage{T: "attend", Event: p.event, Visible: true})
		for {
			frame, err := conn.Receive()
			if err != nil {
				break
			}
			p.hear(frame)
		}
		gone()
		_ = conn.Cut()
	}
}

func (p *eveningPlayer) say(m wire.ClientMessage) { _, _ = p.conn.Do(m) } // after a loss he comes back

func (p *eveningPlayer) fault(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = append(p.faults, fmt.Sprintf(p.guest.Name+": "+format, args...))
}

func (p *eveningPlayer) hear(frame client.Frame) {
	switch m := frame.Body.(type) {
	case *wire.Hello:
		p.join(m.Game)
	case *wire.Paired:
		p.join(m.Game)
	case *wire.State:
		if m.Game == p.game {
			p.side = map[string]int{"w": 0, "b": 1}[m.You]
			p.ply = len(m.Moves)
			p.next(m.Phase == "over", m.Phase == "play" || m.Phase == "paused")
		}
	case *wire.Events:
		over, goes := false, false
		for _, e := range m.E {
			switch e.K {
			case "press":
				p.ply++
				goes = true
			case "start", "resume":
				goes = true
			case "end":
				over = true
			}
		}
		p.next(over, goes)
	case *wire.Error:
		if m.Code != "stale_ply" && m.Code != "unavailable" && m.Code != "game_over" && m.Code != "clock_not_running" && m.Code != "not_on_move" {
			p.fault("refused: %s %s", m.Code, m.Msg)
		}
	}
}

// join goes to a table. Nobody is called to one while he sits at another.
func (p *eveningPlayer) join(game string) {
	if game == "" || game == p.game {
		return
	}
	if p.game != "" {
		p.fault("called to %s from %s", game, p.game)
	}
	p.game = game
	p.say(wire.ClientMessage{T: "join", Game: game})
	_ = p.conn.Send(wire.ClientMessage{T: "here", Visible: true})
}

// eveningMoves are those of a game; then White gives up.
var eveningMoves = []string{"g1f3", "g8f6", "f3g1", "f6g8"}

func (p *eveningPlayer) next(over, goes bool) {
	switch {
	case over:
		p.game = ""
	case !goes || p.ply%2 != p.side:
	case p.ply >= len(eveningMoves):
		p.say(wire.ClientMessage{T: "resign"})
	default:
		time.Sleep(100 * time.Millisecond)
		ply := p.ply
		p.say(wire.ClientMessage{T: "move", Move: eveningMoves[ply], Ply: &ply, Press: true})
	}
}

// check holds a final table against its games, and these against one another: nobody at two games, and what was known
// before an outage is still there.
func (e *evening) check(before, after tableOf) {
	e.t.Helper()
	known := map[string]gameOf{}
	points, count, busy := map[string]int{}, map[string]int{}, map[string][]gameOf{}
	for _, g := range after.Games {
		if known[g.ID].ID != "" {
			e.t.Errorf("%s is there twice", g.ID)
		}
		known[g.ID] = g
		white, black := map[string]int{"1-0": 2, "1/2-1/2": 1}[g.Score], map[string]int{"0-1": 2, "1/2-1/2": 1}[g.Score]
		points[g.White] += white
		points[g.Black] += black
		for _, who := range []string{g.White, g.Black} {
			if g.Score != "*" {
				count[who]++
			}
			busy[who] = append(busy[who], g)
		}
	}
	for _, g := range before.Games {
		if now := known[g.ID]; now != g {
			e.t.Errorf("%+v is now %+v", g, now)
		}
	}
	for who, games := range busy {
		slices.SortFunc(games, func(a, b gameOf) int { return int(a.Started - b.Started) })
		for i := 1; i < len(games); i++ {
			if games[i].Started < games[i-1].Ended {
				e.t.Errorf("%s played %s and %s at once", who, games[i-1].ID, games[i].ID)
			}
		}
	}
	got, want := map[string][2]int{}, map[string][2]int{}
	for _, r := range after.Rows {
		got[r.ID] = [2]int{r.Points, r.Games}
	}
	for _, p := range e.players {
		want[p.ID] = [2]int{points[p.ID], count[p.ID]}
	}
	if !maps.Equal(got, want) {
		e.t.Errorf("the table says %v, the games %v", got, want)
	}
}

// entriesOf are the entries without what changes by itself.
func (e *evening) entriesOf() any {
	e.t.Helper()
	var all struct {
		Entries []struct {
			ID, Name, Status string
			Account          bool
			Rating           int
		}
	}
	e.get("/entries", &all)
	return all
}

// An arena over a server that is killed in its midst: no entry, score, colour or pairing is lost, and nobody is at two games.
func TestKillArena(t *testing.T) {
	addr, data := freeAddr(t), t.TempDir()
	server := launch(t, addr, data)
	e := newEvening(t, 7, "http://"+addr)
	e.played(6)
	entries, before := e.entriesOf(), e.table()
	kill(t, server)
	launch(t, addr, data)
	if again := e.entriesOf(); !reflect.DeepEqual(again, entries) {
		t.Errorf("entries %v, were %v", again, entries)
	}
	e.played(len(before.Games) + 8)
	e.check(before, e.end())
}

func kill(t *testing.T, server *exec.Cmd) {
	t.Helper()
	if err := server.Process.Kill(); err != nil { // SIGKILL
		t.Fatal(err)
	}
	_ = server.Wait()
}

// The same with three nodes, of which the one that has the arena, or the seats, is killed.
func TestKillNodeOfArena(t *testing.T) {
	for _, has := range []string{"arena", "seats"} {
		t.Run(has, func(t *testing.T) { killNode(t, has) })
	}
}

func killNode(t *testing.T, has string) {
	redis, database := redistest.Single(t), pgtest.Start(t).Database(t)
	servers, urls := map[string]*exec.Cmd{}, []string{}
	for _, name := range []string{"a", "b", "c"} {
		addr := freeAddr(t)
		servers[name] = launch(t, addr, t.TempDir(), "-node", name, "-url", "http://hall.example", "-redis", redis.URL(), "-db", database)
		urls = append(urls, "http://"+addr)
	}
	e := newEvening(t, 7, urls...)
	e.played(6)
	owner := ""
	if has == "seats" {
		owner = "a" // the first one of all
	}
	for name := range servers {
		if has == "arena" && (owner == "" || actor.Rank(name, host.ID(e.event)) > actor.Rank(owner, host.ID(e.event))) {
			owner = name
		}
	}
	entries, before := e.entriesOf(), e.table()
	kill(t, servers[owner])
	if again := e.entriesOf(); !reflect.DeepEqual(again, entries) {
		t.Errorf("entries %v, were %v", again, entries)
	}
	e.played(len(before.Games) + 8)
	e.check(before, e.end())
}
