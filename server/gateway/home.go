package gateway

import (
	"context"
	"errors"
	"sync"
	"time"

	"flagfall/server/actor"
	"flagfall/server/lobby"
	"flagfall/server/table"
)

// home is where the lobby is, and the sessions of this node's sockets there.
type home struct {
	wake chan struct{} // the steward looks at once

	mu         sync.Mutex
	node       string // "" while none is known
	here       bool
	generation uint64        // rises with each move
	known      chan struct{} // closed while a node is known
	sessions   map[table.Conn]*session
}

// spot is a home at one time.
type spot struct {
	node       string
	here       bool
	generation uint64
}

func (h *home) init() {
	h.wake, h.known, h.sessions = make(chan struct{}, 1), make(chan struct{}), map[table.Conn]*session{}
}

// look wakes the steward.
func (h *home) look() {
	select {
	case h.wake <- struct{}{}:
	default:
	}
}

// spot is where the lobby is; false while that is not known.
func (h *home) spot() (spot, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return spot{h.node, h.here, h.generation}, h.node != ""
}

// await is spot that waits.
func (h *home) await(ctx context.Context) (spot, bool) {
	h.mu.Lock()
	known := h.known
	h.mu.Unlock()
	select {
	case <-known:
	case <-ctx.Done():
	}
	return h.spot()
}

// move notes where the lobby is; "" for nowhere.
func (h *home) move(node string, here bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.node == node && h.here == here {
		return
	}
	switch {
	case h.node == "":
		close(h.known)
	case node == "":
		h.known = make(chan struct{})
	}
	h.node, h.here = node, here
	h.generation++
}

// gone forgets a node that is no more.
func (h *home) gone(node string) {
	if at, known := h.spot(); known && at.node == node {
		h.move("", false)
	}
}

func (h *home) add(s *session) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sessions[s.conn] = s
}

func (h *home) remove(s *session) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.sessions, s.conn)
}

func (h *home) all() []*session {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := make([]*session, 0, len(h.sessions))
	for _, s := range h.sessions {
		all = append(all, s)
	}
	return all
}

// sits notes that a socket's person has found his game by himself.
func (h *home) sits(c table.Conn, game string) {
	h.mu.Lock()
	s := h.sessions[c]
	h.mu.Unlock()
	if s != nil {
		s.sits(game)
	}
}

// lookEvery is how often the steward looks where the lobby is, without any sign that it has moved.
const lookEvery = time.Second

// placedAtOnce is how many sessions the steward connects at a time.
const placedAtOnce = 64

// steward keeps the sessions connected to the lobby.
func (g *Gateway) steward() {
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for {
		g.find()
		g.place()
		g.remind()
		select {
		case <-ticker.C:
		case <-g.home.wake:
		case <-g.ctx.Done():
			return
		}
	}
}

// find looks where the lobby is. While that cannot be known, it is taken to be where it was.
func (g *Gateway) find() {
	ctx, cancel := context.WithTimeout(g.ctx, connectTime)
	defer cancel()
	node, here, err := g.parts.Owners.Where(ctx, lobby.SeatsID)
	switch {
	case err == nil:
		g.home.move(node, here)
	case errors.Is(err, actor.ErrUnknownActor):
		g.home.move("", false)
	}
}

// place connects the sessions that are not where the lobby is. It ends early when the lobby does not answer.
func (g *Gateway) place() {
	at, known := g.home.spot()
	if !known {
		return
	}
	ctx, cancel := context.WithCancel(g.ctx)
	defer cancel()
	var placing sync.WaitGroup
	turns := make(chan struct{}, placedAtOnce)
	for _, s := range g.home.all() {
		if s.placed(at) {
			continue
		}
		turns <- struct{}{}
		if ctx.Err() != nil {
			break
		}
		placing.Go(func() {
			defer func() { <-turns }()
			defer g.survive("a session of the lobby", Peer{Name: at.node})
			if s.place(ctx, at) != nil {
				cancel()
			}
		})
	}
	placing.Wait()
}

// NodesChanged looks at who is alive: what hangs on a node that is not any more is ended. It does not block.
func (g *Gateway) NodesChanged() {
	if !g.ready.Load() {
		return
	}
	peers := g.peers()
	for _, peer := range g.hosts.gone(peers) {
		g.hosts.dropAll(peer)
		g.hosts.owe(peer, g.now()) // it may have been thought dead only
	}
	for _, peer := range g.away.gone(peers) {
		g.log.Warn("a node is gone; its sockets come back", "peer", peer.Name)
		g.lose(peer.Name)
		g.home.gone(peer.Name)
	}
	g.home.look()
}

// remind tells those who were thought dead, and are alive, that nothing of theirs is here any more.
func (g *Gateway) remind() {
	for _, peer := range g.hosts.owing(g.peers(), g.now()) {
		if g.send(peer.Name, kindReset, 0, nil, nil) != nil {
			g.hosts.owe(peer, g.now())
		}
	}
}

// peers are the nodes that are alive.
func (g *Gateway) peers() map[Peer]bool {
	all := map[Peer]bool{}
	for _, n := range g.parts.Nodes.Alive() {
		all[n.Peer] = true
	}
	return all
}
