package table

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"sync"

	"flagfall/game"
	"flagfall/server/actor"
	"flagfall/server/wire"
)

// keepFrames is how many of its latest frames an audience keeps for sockets that come back; who missed more gets a
// snapshot.
const keepFrames = 6

// stream is what one audience was told.
type stream struct {
	n      uint64   // number of the last frame
	frames [][]byte // the latest, a ring when there are keepFrames
	oldest int      // index of the oldest
}

// since returns the frames after number n, and false if they are not all there.
func (s *stream) since(n uint64) ([][]byte, bool) {
	if n == 0 || n > s.n || s.n-n > uint64(len(s.frames)) {
		return nil, false
	}
	var missed [][]byte
	for i := len(s.frames) - int(s.n-n); i < len(s.frames); i++ {
		missed = append(missed, s.frames[(s.oldest+i)%len(s.frames)])
	}
	return missed, true
}

func (s *stream) add(frame []byte) {
	if len(s.frames) < keepFrames {
		s.frames = append(s.frames, frame)
		return
	}
	s.frames[s.oldest] = frame
	s.oldest = (s.oldest + 1) % keepFrames
}

// room is the people around one table. All of it belongs to the actor's goroutine.
type room struct {
	tables  *Tables
	m       *machine
	streams [3]stream    // by audience: White, Black, public
	players [2]*sitting  // the newest tab of each player, or nil
	public  *Crowd       // nil when the table is over
	others  []Gallery    // spectators on other nodes
	scratch []wire.Event // used again by every step
	plies   int          // index of the next move to be released
}

// newRoom begins the numbering of frames above every number that may have been used before a restart: no frame is
// without an event. A new table begins at its first step.
func newRoom(t *Tables, m *machine) *room {
	r := &room{tables: t, m: m, public: &Crowd{}}
	for i := range r.streams {
		r.streams[i].n = uint64(m.log.Len())
	}
	r.plies = r.nextPly()
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
		for to := range r.streams {
			r.streams[to].n = 0 // the events that newRoom counted are told now
		}
	}
	author := r.m.game.SideOf(s.From)
	now := clocks(r.m.game, s.At)
	var shown [3][]wire.Event // by audience, as far as all see not the same
	all := r.scratch[:0]      // what came since, the same for all
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
	r.scratch = all[:0]
	r.count(all)
	var text []byte // of the frame that was encoded last, without a command's id
	var number uint64
	for to, events := range shown {
		if events == nil {
			events = all
		} else {
			text, events = nil, append(events, all...)
			r.count(events)
		}
		if len(events) == 0 {
			continue
		}
		stream := &r.streams[to]
		stream.n++
		told := wire.Events{T: "ev", N: stream.n, At: s.At, Clocks: now, E: events}
		if audience(to).is(author) {
			told.ID = s.ID
		}
		frame := text
		if frame == nil || told.ID != "" || number != told.N {
			frame = encode(&told)
		}
		if told.ID == "" && shown[to] == nil {
			text, number = frame, told.N
		}
		stream.add(frame)
		r.send(audience(to), frame)
	}
}

// encode gives a frame of the right size: some of them are kept.
func encode(told *wire.Events) []byte {
	pooled := encodings.Get().(*[]byte)
	defer encodings.Put(pooled)
	*pooled = told.Append((*pooled)[:0])
	return bytes.Clone(*pooled)
}

var encodings = sync.Pool{New: func() any { return new([]byte) }}

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
func (r *room) showEach(shown *[3][]wire.Event, all *[]wire.Event, e game.Event, ply int) {
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
	stream := &r.streams[s.side]
	if frames, ok := stream.since(since); ok {
		for _, text := range frames {
			s.conn.Send(text)
		}
		s.conn.Send(wire.Encode(wire.Joined{T: "joined", ID: id, Game: r.m.id, N: stream.n}))
		return
	}
	state := snapshot(r.m, audience(s.side), stream.n, at)
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
