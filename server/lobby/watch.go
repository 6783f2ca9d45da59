package lobby

import (
	"errors"

	"flagfall/server/actor"
	"flagfall/server/wire"
)

// seatWatch mirrors who sits where.
type seatWatch struct {
	l *Lobby
	m *seats
}

func newSeatWatch(l *Lobby, m *seats) *seatWatch {
	w := &seatWatch{l: l, m: m}
	w.copy()
	return w
}

func (w *seatWatch) copy() {
	w.l.mu.Lock()
	defer w.l.mu.Unlock()
	clear(w.l.seated)
	for person, at := range w.m.at {
		w.l.seated[person] = at
	}
}

// Step follows the seats.
func (w *seatWatch) Step(s actor.Step) {
	w.l.mu.Lock()
	defer w.l.mu.Unlock()
	for _, event := range s.Events {
		switch e := event.(seatEvent); {
		case e.Seated != nil:
			w.l.seated[e.Seated.Setup.White.ID] = e.Seated.Game
			w.l.seated[e.Seated.Setup.Black.ID] = e.Seated.Game
		case e.Freed != "":
			for _, person := range e.Who {
				if w.l.seated[person] == e.Freed {
					delete(w.l.seated, person)
				}
			}
		}
	}
}

// Ended is the end of the hall, or another node has the seats now: then the lobby is there.
func (w *seatWatch) Ended(err error) {
	if !errors.Is(err, actor.ErrConflict) {
		return
	}
	w.l.cfg.Hall.Drop(ID)
	w.l.mu.Lock()
	defer w.l.mu.Unlock()
	clear(w.l.seated)
}

// poolWatch tells people what becomes of their seeks and invitations.
type poolWatch struct {
	l     *Lobby
	pools *pools
}

// Step tells everybody concerned.
func (w *poolWatch) Step(s actor.Step) {
	w.l.seeks.Store(int64(len(w.pools.seeks)))
	w.l.invites.Store(int64(len(w.pools.invites)))
	for _, event := range s.Events {
		switch e := event.(type) {
		case connected:
			for _, open := range w.pools.seeks {
				if open.Who.ID == e.Who.ID {
					w.seeking(open, "")
				}
			}
		case sought:
			w.seeking(e.seek, s.ID)
		case invited:
			setup := e.Terms.Setup(e.By, e.By)
			w.l.send(e.By.ID, wire.Invited{T: "invited", ID: s.ID, Invite: e.ID, URL: w.l.cfg.PublicURL + "/i/" + e.ID,
				Base: e.Terms.Base, Mode: string(e.Terms.Mode), Terms: shown(e.Terms), Color: e.Color, Rated: setup.WBCATime()})
		case asked:
			for _, who := range [2]string{e.Setup.White.ID, e.Setup.Black.ID} {
				message := wire.Rematch{T: "rematch", Game: e.Game, By: e.By.String()}
				if who == s.From {
					message.ID = s.ID
				}
				w.l.send(who, message)
			}
		case gone:
			if e.Why != "paired" {
				message := wire.Idle{T: "idle", Why: e.Why}
				if e.Who == s.From {
					message.ID = s.ID
				}
				w.l.send(e.Who, message)
			}
		}
	}
}

func (w *poolWatch) seeking(s seek, id string) {
	w.l.send(s.Who.ID, wire.Seeking{T: "seeking", ID: id, Base: s.Terms.Base, Mode: string(s.Terms.Mode), Terms: shown(s.Terms)})
}

// Ended is the end of the hall.
func (w *poolWatch) Ended(error) {}
