package lobby

import (
	"errors"

	"flagfall/server/actor"
	"flagfall/server/lobby/pairing"
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

// poolWatch tells people what becomes of their seeks, invitations and challenges.
type poolWatch struct {
	l          *Lobby
	pools      *pools
	challenges map[string]string // that wait: id -> who is challenged
}

func newPoolWatch(l *Lobby, m *pools) *poolWatch {
	return &poolWatch{l: l, pools: m, challenges: map[string]string{}}
}

// Step tells everybody concerned.
func (w *poolWatch) Step(s actor.Step) {
	w.l.seeks.Store(int64(len(w.pools.seeks)))
	w.l.invites.Store(int64(len(w.pools.invites)))
	for _, event := range s.Events {
		switch e := event.(type) {
		case connected:
			w.connected(e.Who.ID, s.At)
		case sought:
			w.seeking(e.seek, s.ID, s.At)
		case invited:
			w.invited(e.invite, s.ID)
		case uninvited:
			delete(w.challenges, e.Invite)
			for _, who := range [2]string{e.By, e.To} {
				message := wire.Uninvited{T: "uninvited", Invite: e.Invite, Why: e.Why}
				if who == s.From {
					message.ID = s.ID
				}
				w.l.send(who, message)
			}
		case asked:
			w.asked(e, s)
		case gone:
			message := wire.Idle{T: "idle", Why: e.Why}
			if e.Who == s.From {
				message.ID = s.ID
			}
			w.l.send(e.Who, message)
		}
	}
	w.withdrawn()
}

// connected tells a new connection what its person waits for, and who waits for him.
func (w *poolWatch) connected(who string, at int64) {
	for _, open := range w.pools.seeks {
		if open.Who.ID == who {
			w.seeking(open, "", at)
		}
	}
	for _, i := range w.pools.challenges(who) {
		w.challenge(i)
	}
}

func (w *poolWatch) asked(e asked, s actor.Step) {
	for _, who := range [2]string{e.Setup.White.ID, e.Setup.Black.ID} {
		message := wire.Rematch{T: "rematch", Game: e.Game, By: e.By.String()}
		if who == s.From {
			message.ID = s.ID
		}
		w.l.send(who, message)
	}
}

func (w *poolWatch) seeking(s seek, id string, at int64) {
	message := wire.Seeking{T: "seeking", ID: id, Base: s.Terms.Base, Mode: string(s.Terms.Mode), Terms: shown(s.Terms),
		Wish: s.wish(), Rating: points(s.Rating)}
	if pooled(s.Terms) {
		message.Reach = &wire.Reach{From: pairing.Near, Grows: pairing.Widen, Anybody: pairing.Anybody, Waited: at - s.Since}
	}
	w.l.send(s.Who.ID, message)
}

func (w *poolWatch) invited(i invite, id string) {
	setup := i.Terms.Setup(i.By, i.By)
	w.l.send(i.By.ID, wire.Invited{T: "invited", ID: id, Invite: i.ID, URL: w.l.cfg.PublicURL + "/i/" + i.ID,
		Base: i.Terms.Base, Mode: string(i.Terms.Mode), Terms: shown(i.Terms), Color: i.Color, Rated: setup.WBCATime(),
		Casual: i.Terms.Casual, To: i.To.Name, Who: i.To.ID})
	if i.To.ID != "" {
		w.challenges[i.ID] = i.To.ID
		w.challenge(i)
	}
}

// challenge tells somebody that he is challenged.
func (w *poolWatch) challenge(i invite) {
	setup := i.Terms.Setup(i.By, i.To)
	message := wire.Challenge{T: "challenge", Invite: i.ID, By: shownPerson(i.By), Base: i.Terms.Base, Mode: string(i.Terms.Mode),
		Color: opposite(i.Color), WBCA: setup.WBCATime(), Rated: setup.Rated, Terms: shown(i.Terms)}
	if r, ranked := w.pools.rating(i.By.ID, i.Terms.RuleSet); ranked {
		message.Rating = points(r)
	}
	w.l.send(i.To.ID, message)
}

// withdrawn tells who was challenged that it is no more.
func (w *poolWatch) withdrawn() {
	for id, to := range w.challenges {
		if _, waits := w.pools.invites[id]; !waits {
			delete(w.challenges, id)
			w.l.send(to, wire.Uninvited{T: "uninvited", Invite: id, Why: "withdrawn"})
		}
	}
}

// Ended is the end of the hall.
func (w *poolWatch) Ended(error) {}
