package table

import (
	"context"
	"errors"
	"slices"
	"sync"

	"flagfall/game"
	"flagfall/server/actor"
	"flagfall/server/wire"
)

// room is the people around one table. All of it belongs to the actor's goroutine.
type room struct {
	tables  *Tables
	m       *machine
	told    told
	players [2]*sitting // the newest tab of each player, or nil
	public  *Crowd      // nil when the table is over
	others  []Gallery   // spectators on other nodes
	plies   int         // index of the next move to be released
}

// newRoom begins the numbering of frames above every number that may have been used before a restart: no frame is
// without an event. A new table begins at its first step.
func newRoom(t *Tables, m *machine) *room {
	r := &room{tables: t, m: m, public: &Crowd{}}
	for to := range r.told.n {
		r.told.n[to] = uint64(m.log.Len())
	}
	r.plies = r.nextPly()
	t.events.add(r.m)
	return r
}

func (r *room) nextPly() int {
	n := len(r.m.game.Plies())
	if _, by := r.m.game.Pending(); by != game.None {
		n++
	}
	return n
}

// Step tells each audience what it may see of a step.
func (r *room) Step(s actor.Step) {
	if s.Seq == 1 {
		r.told.n = [audiences]uint64{} // the events that newRoom counted are told now
	}
	now := clocks(r.m.game, s.At)
	var shown [audiences][]wire.Event // by audience, as far as all see not the same
	draft := drafts.Get().(*draft)
	defer drafts.Put(draft)
	all := draft.events[:0] // what came since, the same for all
	for _, event := range s.Events {
		p, ok := event.(*game.Event)
		if !ok {
			continue
		}
		e := *p
		ply := r.ply(e)
		if alike(e.Kind) {
			if w, ok := show(e, ply, audience(game.None), r.m.game.Setup(), r.m.game); ok {
				all = append(all, w)
			}
		} else {
			r.showEach(&shown, &all, e, ply)
			if e.Kind == game.Denied {
				r.tables.denied.Add(1)
			}
		}
		if e.Kind == game.Paused || e.Kind == game.Interrupted || e.Kind == game.Departed && s.From == "" {
			r.returnPresent()
		}
	}
	draft.events = all[:0]
	said := record{by: audience(r.m.game.SideOf(s.From)), id: s.ID}
	if shown[0] == nil {
		r.tell(draft, &said, wire.Events{At: s.At, Clocks: now, E: all}, audience(game.White), audience(game.Black), audience(game.None))
		return
	}
	for to, events := range shown {
		said.n = [audiences]uint64{}
		r.tell(draft, &said, wire.Events{At: s.At, Clocks: now, E: append(events, all...)}, audience(to))
	}
}

// tell tells the same to some audiences, if it is anything.
func (r *room) tell(d *draft, said *record, e wire.Events, to ...audience) {
	if len(e.E) == 0 {
		return
	}
	r.count(e.E)
	d.tail = e.AppendTail(d.tail[:0])
	said.tail = d.tail
	r.told.add(said, to...)
	for _, a := range to {
		if r.hears(a) {
			d.frame = said.frame(d.frame[:0], a)
			r.send(a, d.frame)
		}
	}
}

// draft is where a step is put into frames; none of it outlives the step.
type draft struct {
	events      []wire.Event
	tail, frame []byte
}

var drafts = sync.Pool{New: func() any { return new(draft) }}

// alike holds for events of which every audience is told the same.
func alike(k game.Kind) bool {
	switch k {
	case game.Released, game.Pressed, game.Started, game.Retracted, game.Flagged, game.Offered, game.Declined, game.Lapsed,
		game.Arrived, game.Departed, game.Resumed, game.Ended:
		return true
	}
	return false
}

// showEach adds an event that not all see alike to what each audience is shown, behind what came before it.
func (r *room) showEach(shown *[audiences][]wire.Event, all *[]wire.Event, e game.Event, ply int) {
	for to := range shown {
		if shown[to] == nil {
			shown[to] = []wire.Event{}
		}
		shown[to] = append(shown[to], *all...)
		w, ok := show(e, ply, audience(to), r.m.game.Setup(), r.m.game)
		if !ok {
			continue
		}
		if e.Kind == game.DemoEnded {
			w.Demo = shownDemo(r.m.game.Setup(), r.m.log.Events())
		}
		shown[to] = append(shown[to], w)
	}
	*all = (*all)[:0]
}

// count says at the last change of the board how often what now stands there has stood (rulings B.7).
func (r *room) count(events []wire.Event) {
	for i := len(events) - 1; i >= 0; i-- {
		if events[i].K == "press" || events[i].K == "restored" {
			events[i].Seen = seen(r.m.game)
			return
		}
	}
}

// ply is the index of the released move that the event is about, and follows the game's count.
func (r *room) ply(e game.Event) int {
	at := r.plies
	switch e.Kind {
	case game.Released:
		r.plies++
	case game.Retracted:
		r.plies--
	case game.Restored:
		r.plies = e.Ply
	}
	return at
}

// hears tells whether anybody of the audience is there.
func (r *room) hears(to audience) bool {
	if side := game.Side(to); side != game.None {
		return r.players[side] != nil
	}
	return len(r.others) > 0 || r.public.here()
}

func (r *room) send(to audience, frame []byte) {
	if side := game.Side(to); side != game.None {
		if s := r.players[side]; s != nil {
			s.now(frame)
		}
		return
	}
	r.public.Tell(frame)
	r.others = slices.DeleteFunc(r.others, func(g Gallery) bool { return !g.Tell(frame) })
}

// Ended lets everybody go. What they send afterwards is answered by the sittings themselves. Where another server goes on
// with the game, they are sent there.
func (r *room) Ended(err error) {
	r.tables.events.remove(r.m)
	moved := errors.Is(err, actor.ErrConflict) || errors.Is(err, actor.ErrClosed)
	if moved {
		for _, s := range r.players {
			if s != nil {
				s.conn.Close(wire.CloseRestart, Moves)
			}
		}
		r.public.Dismiss(wire.CloseRestart, Moves)
	}
	for _, g := range r.others {
		g.Over(moved)
	}
	r.players = [2]*sitting{}
	r.public, r.others = nil, nil
}

// Moves is the reason with which a table that moves closes its sockets.
const Moves = "the table moves to another server; come back"

// returnPresent says of the players who sit here that they do: a game that goes on after a gap, or still waits after
// one, knows of nobody.
func (r *room) returnPresent() {
	for _, s := range r.players {
		if s != nil && s.visible {
			s.presence(true)
		}
	}
}

// join seats a socket and gives it what it has missed. Of a player's tabs the newest is in charge. A spectator goes to
// the gallery, if there is one for him.
func (r *room) join(s *sitting, g Gallery, since uint64, id string, at int64) {
	if r.public == nil { // the table is closing
		return
	}
	switch {
	case s.side != game.None:
		if old := r.players[s.side]; old != nil && old.conn != s.conn {
			old.conn.Close(wire.CloseReplaced, "this game was opened in a newer tab")
		}
		r.players[s.side] = s
	case g == nil:
		r.public.Come(&s.Member)
	default:
		defer r.admit(g, s.conn)
	}
	r.catchUp(s, since, id, at)
}

// admit lets a spectator of another node into his gallery.
func (r *room) admit(g Gallery, c Conn) {
	if !slices.Contains(r.others, g) {
		r.others = append(r.others, g)
	}
	g.Admit(c)
}

// catchUp gives a socket what it has missed: the frames, or the state.
func (r *room) catchUp(s *sitting, since uint64, id string, at int64) {
	to := audience(s.side)
	if frames, ok := r.told.since(to, since); ok {
		for _, text := range frames {
			s.conn.Send(text)
		}
		s.conn.Send(wire.Encode(wire.Joined{T: "joined", ID: id, Game: r.m.id, N: r.told.n[to]}))
		return
	}
	state := snapshot(r.m, to, r.told.n[to], at)
	state.ID = id
	s.conn.Send(wire.Encode(state))
}

// leave takes a socket away; only the tab in charge takes its player along.
func (r *room) leave(s *sitting) {
	if s.side == game.None {
		if r.public != nil {
			r.public.Leave(&s.Member)
		}
		return
	}
	if r.players[s.side] == s {
		r.players[s.side] = nil
		s.presence(false)
	}
}

// look runs read on the goroutine of the game with its room.
func (t *Tables) look(ctx context.Context, id string, read func(r *room, at int64)) error {
	return t.inspect(ctx, id, func(m *machine, at int64) { read(m.room, at) })
}
