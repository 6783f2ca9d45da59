// Package lobby brings people together: pools, open seeks, challenges, invitations and rematches end in a pair, and every
// pair gets its seats through one journaled actor, so that nobody ever sits at two tables.
//
// WBCA games of 3, 5 and 7 minutes, sudden death, are the pools: they pair by rating, as package pairing says, whenever
// somebody comes to a pool of few and each second in a large one. Guests play there as 1500, and their games are not rated;
// programs play among themselves. All other seeks, and those with a range, are open: others see them and may take them.
package lobby

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"flagfall/game"
	"flagfall/server/account"
	"flagfall/server/actor"
	"flagfall/server/table"
	"flagfall/server/wire"
)

// Config is what the lobby needs from outside.
type Config struct {
	Hall      *actor.Hall
	PublicURL string // without a slash at the end; invitations' addresses begin with it
	Log       *slog.Logger

	// Open sets up the table of a game, once for each id.
	Open func(ctx context.Context, id string, setup game.Setup) error
	// Finished is the set-up of a game that is over.
	Finished func(ctx context.Context, id string) (game.Setup, error)
	// People tells ratings and blocks; with nil nobody has any.
	People People
}

// Lobby is where people wait.
type Lobby struct {
	cfg Config

	mu      sync.Mutex
	sockets map[string][]*session
	seated  map[string]string // person -> game, as the seats say

	seeks, invites atomic.Int64 // that wait, as the pools say
}

// ErrUnknownInvite says that an invitation is not there, or no longer.
var ErrUnknownInvite = wire.Refuse(wire.CodeUnknownInvite)

// New registers the lobby and the seats with the hall. Call it before the hall starts, and Start after.
func New(cfg Config) *Lobby {
	if cfg.Log == nil {
		cfg.Log = slog.Default()
	}
	l := &Lobby{cfg: cfg, sockets: map[string][]*session{}, seated: map[string]string{}}
	cfg.Hall.Register(actor.Kind{
		Name: string(SeatsID), Version: seatsVersion, New: newSeats, Encode: encodeSeat, Decode: decodeSeat,
		Snapshot: func(m actor.Machine) actor.Event { return m.(*seats).snapshot() },
		Effect:   l.openTable,
		Observe:  func(_ actor.ID, m actor.Machine) actor.Observer { return newSeatWatch(l, m.(*seats)) },
	})
	cfg.Hall.Register(actor.Kind{
		Name: string(ID), Version: 1, New: newPools, Ephemeral: true,
		Effect:  l.seat,
		Observe: func(_ actor.ID, m actor.Machine) actor.Observer { return newPoolWatch(l, m.(*pools)) },
	})
	return l
}

// Start brings the lobby's actors up. When it returns, Seated knows who sits where.
func (l *Lobby) Start(ctx context.Context) error {
	for _, id := range [2]actor.ID{SeatsID, ID} {
		if err := l.cfg.Hall.Create(ctx, id, start{}); err != nil {
			return fmt.Errorf("lobby: %s: %w", id, err)
		}
	}
	// an actor that was replayed answers once its observer is there
	if err := l.cfg.Hall.Inspect(ctx, SeatsID, func(actor.Machine, uint64, int64) {}); err != nil {
		return fmt.Errorf("lobby: %s: %w", SeatsID, err)
	}
	return nil
}

// seat asks for the seats of a pair.
func (l *Lobby) seat(ctx context.Context, _ actor.ID, e actor.Effect) (any, error) {
	m := e.Do.(match)
	r, err := l.cfg.Hall.Ask(ctx, SeatsID, actor.Command{Body: sit{Game: m.Game, Setup: m.Setup}})
	if err != nil {
		return nil, err
	}
	if r.Err == nil {
		return nil, nil
	}
	var busy *Busy
	if errors.As(r.Err, &busy) && l.aboutToBeFree(ctx, busy) {
		return nil, r.Err
	}
	l.tellUnseated(m, busy)
	return nil, actor.Final(&unseated{cause: r.Err, next: newID(), coin: coin()})
}

// aboutToBeFree takes those off whose game has ended, and tells whether nobody is left.
func (l *Lobby) aboutToBeFree(ctx context.Context, busy *Busy) bool {
	maps.DeleteFunc(busy.At, func(_, at string) bool { return l.over(ctx, at) })
	return len(busy.At) == 0
}

// Seat asks for both seats of a game that an event has paired, and waits until its table stands. The same game again changes
// nothing, even if it is over since. The error is a *Busy that names who sits elsewhere, ErrSamePerson, a *game.Refusal
// where there can be no such game, or any other: to be tried again, as for who is about to stand up.
func (l *Lobby) Seat(ctx context.Context, id string, setup game.Setup) error {
	looking, cancel := context.WithTimeout(ctx, overTime)
	over := l.over(looking, id)
	cancel()
	if over {
		return nil
	}
	r, err := l.cfg.Hall.Ask(ctx, SeatsID, actor.Command{Body: sit{Game: id, Setup: setup}, Sure: true})
	if err != nil {
		return err
	}
	var busy *Busy
	if errors.As(r.Err, &busy) && l.aboutToBeFree(ctx, busy) {
		return errStandingUp
	}
	if r.Err != nil {
		return r.Err
	}
	return l.cfg.Open(ctx, id, setup) // as the seats do, too: whoever comes first
}

// overTime bounds the look whether a game was played already: while the archive is away, new ones are played all the same.
const overTime = 500 * time.Millisecond

var errStandingUp = errors.New("the players are about to stand up from another table")

// unseated is why a pair did not get its seats, with what another pair would need.
type unseated struct {
	cause error
	next  string // id of a game
	coin  bool
}

func (e *unseated) Error() string { return e.cause.Error() }
func (e *unseated) Unwrap() error { return e.cause }

// tellUnseated tells those who wait no longer. Who is left over in a pool, or with an offer of his own, waits on.
func (l *Lobby) tellUnseated(m match, busy *Busy) {
	why := "seated"
	if busy == nil {
		why = "cancelled"
	}
	for _, person := range [2]string{m.Setup.White.ID, m.Setup.Black.ID} {
		if busy == nil || busy.At[person] != "" || m.Waited == nil && person != m.Owner {
			l.send(person, wire.Idle{T: "idle", Why: why})
		}
	}
}

// over tells whether a game has ended, so that its players are about to stand up.
func (l *Lobby) over(ctx context.Context, id string) bool {
	ctx, stop := context.WithTimeout(ctx, askTimeout)
	defer stop()
	_, err := l.cfg.Finished(ctx, id)
	return err == nil
}

// openTable sets up the table of a pair that has its seats, and calls both to it.
func (l *Lobby) openTable(ctx context.Context, _ actor.ID, e actor.Effect) (any, error) {
	s := e.Do.(seating)
	if err := l.cfg.Open(ctx, s.Game, s.Setup); err != nil {
		var refused *game.Refusal
		if errors.As(err, &refused) {
			err = actor.Final(err)
		}
		return nil, err
	}
	if s.Setup.Event != "" && l.over(ctx, s.Game) { // it was asked for again, after it had been played
		r, err := l.cfg.Hall.Ask(ctx, SeatsID, actor.Command{Body: free{Game: s.Game}})
		return nil, errors.Join(err, r.Err)
	}
	l.send(s.Setup.White.ID, wire.Paired{T: "paired", Game: s.Game, Color: "w"})
	l.send(s.Setup.Black.ID, wire.Paired{T: "paired", Game: s.Game, Color: "b"})
	return nil, nil
}

// Free lets the players of a finished game stand up. A player who was there while the other one did not make his first
// move waits for the next opponent at once (rulings D33).
func (l *Lobby) Free(ctx context.Context, f table.Freed) error {
	if _, err := l.cfg.Hall.Ask(ctx, SeatsID, actor.Command{Body: free{Game: f.Game}, Sure: true}); err != nil {
		return err
	}
	if f.Result.Reason != "no_first_move" || f.Setup.Origin != "pool" {
		return nil
	}
	who, waits := f.Setup.White, game.White
	if f.OnMove == game.White {
		who, waits = f.Setup.Black, game.Black
	}
	if f.Present[waits] {
		again := newSeek(who, f.Setup.Terms())
		return l.cfg.Hall.Send(ID, actor.Command{Body: wantSeek{again}})
	}
	return nil
}

// newSeek is one with fresh ids.
func newSeek(who game.Player, t game.Terms) seek {
	return seek{ID: newID(), Who: who, Terms: t, Game: newID(), Coin: coin()}
}

// Seated is the game at which a person sits, or "".
func (l *Lobby) Seated(person string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.seated[person]
}

// Stats are what the lobby counts.
type Stats struct {
	Games   int // both seats taken: from the pairing until the result is known
	Seeks   int // in the pools, without an opponent yet
	Invites int // open
}

// Stats reads the counts.
func (l *Lobby) Stats() Stats {
	l.mu.Lock()
	defer l.mu.Unlock()
	return Stats{Games: len(l.seated) / 2, Seeks: int(l.seeks.Load()), Invites: int(l.invites.Load())}
}

// InviteView is an invitation as its receiver sees it.
type InviteView struct {
	Invite string      `json:"invite"`
	By     wire.Person `json:"by"`
	Base   int64       `json:"base"`
	Mode   string      `json:"mode"`
	Color  string      `json:"color"` // of the receiver
	WBCA   bool        `json:"wbca"`
	wire.Terms
	Casual bool `json:"casual,omitempty"`
}

// shown are the terms as the wire says them.
func shown(t game.Terms) wire.Terms {
	return wire.Terms{Rules: t.RuleSet, Timing: string(t.Timing.Kind), Each: t.Timing.Ms}
}

// Invite shows an invitation to whoever knows its id.
func (l *Lobby) Invite(ctx context.Context, id string) (view any, err error) {
	known := false
	err = l.cfg.Hall.Inspect(ctx, ID, func(m actor.Machine, _ uint64, _ int64) {
		var i invite
		if i, known = m.(*pools).invites[id]; known {
			setup := i.Terms.Setup(i.By, i.By)
			view = InviteView{Invite: id, By: shownPerson(i.By), Base: i.Terms.Base, Mode: string(i.Terms.Mode),
				Terms: shown(i.Terms), Color: opposite(i.Color), WBCA: setup.WBCATime(), Casual: i.Terms.Casual}
		}
	})
	if err == nil && !known {
		err = ErrUnknownInvite
	}
	return view, err
}

func opposite(color string) string {
	switch color {
	case "white":
		return "black"
	case "black":
		return "white"
	}
	return color
}

// send tells every socket of a person.
func (l *Lobby) send(person string, message any) {
	text := wire.Encode(message)
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range l.sockets[person] {
		s.conn.Send(text)
	}
}

func player(p account.Person) game.Player {
	return game.Player{ID: p.ID, Name: p.Name, Account: !p.Guest, Bot: p.Bot}
}

func shownPerson(p game.Player) wire.Person { return wire.Person{ID: p.ID, Name: p.Name, Bot: p.Bot} }

// points are a rating as people see it.
func points(rating float64) int { return int(math.Round(rating)) }

// idAlphabet has 32 letters, none easily taken for another.
const idAlphabet = "abcdefghjkmnpqrstuvwxyz23456789A"

// newID is a random id of 60 bits for games and invitations.
func newID() string {
	raw := make([]byte, 12)
	rand.Read(raw) // never fails
	for i, b := range raw {
		raw[i] = idAlphabet[int(b)%len(idAlphabet)]
	}
	return string(raw)
}

func coin() bool {
	var b [1]byte
	rand.Read(b[:]) // never fails
	return b[0]&1 == 0
}

// askTimeout bounds how long a socket waits for the lobby.
const askTimeout = 5 * time.Second
