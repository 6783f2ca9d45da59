package gateway

import (
	"sync"
	"sync/atomic"
	"time"

	"flagfall/server/table"
)

// hosts is what other nodes have on this one, as the owner of tables and lobby.
type hosts struct {
	mu     sync.Mutex
	byPeer map[Peer]*guests
	owed   map[Peer]time.Duration // who has still to be told that nothing of his is here any more, since when
}

// guests is what one node has here.
type guests struct {
	proxies   map[uint64]*proxy
	galleries map[uint64]*balcony
	leaving   map[string]*proxy // by person, who left last and is not quite gone
	answering int               // questions
}

// Bounds of what one node may have here. The edge's own limits come first.
const (
	mostProxies   = 100_000
	mostGalleries = 100_000
	mostAnswered  = 1024 // at once
)

func (h *hosts) init() { h.byPeer, h.owed = map[Peer]*guests{}, map[Peer]time.Duration{} }

// of needs the mutex.
func (h *hosts) of(peer Peer) *guests {
	one := h.byPeer[peer]
	if one == nil {
		one = &guests{proxies: map[uint64]*proxy{}, galleries: map[uint64]*balcony{}, leaving: map[string]*proxy{}}
		h.byPeer[peer] = one
	}
	return one
}

// add says whether there was room, and nobody of that number.
func (h *hosts) add(p *proxy) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	one := h.of(p.peer)
	if len(one.proxies) >= mostProxies || one.proxies[p.number] != nil {
		return false
	}
	one.proxies[p.number] = p
	if old := one.leaving[p.person.ID]; old != nil {
		p.after = old.left
	}
	return true
}

func (h *hosts) find(peer Peer, number uint64) *proxy {
	h.mu.Lock()
	defer h.mu.Unlock()
	if one := h.byPeer[peer]; one != nil {
		return one.proxies[number]
	}
	return nil
}

// remove forgets a proxy; false if it was forgotten before.
func (h *hosts) remove(p *proxy) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	one := h.byPeer[p.peer]
	if one == nil || one.proxies[p.number] != p {
		return false
	}
	delete(one.proxies, p.number)
	return true
}

// drop takes a socket of another node from its table; false if it is not known.
func (h *hosts) drop(peer Peer, number uint64) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	one := h.byPeer[peer]
	if one == nil || one.proxies[number] == nil {
		return false
	}
	p := one.proxies[number]
	delete(one.proxies, number)
	one.leaving[p.person.ID] = p
	p.leave(true)
	return true
}

// left forgets who is gone for good.
func (h *hosts) left(p *proxy) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if one := h.byPeer[p.peer]; one != nil && one.leaving[p.person.ID] == p {
		delete(one.leaving, p.person.ID)
	}
}

// dropAll takes all that a peer has here away.
func (h *hosts) dropAll(peer Peer) {
	h.mu.Lock()
	one := h.byPeer[peer]
	delete(h.byPeer, peer)
	h.mu.Unlock()
	if one == nil {
		return
	}
	for _, p := range one.proxies {
		p.leave(false)
	}
	for _, gallery := range one.galleries {
		gallery.ended.Store(true)
	}
}

// balcony finds the gallery of a number, or makes it; nil where there is no room.
func (h *hosts) balcony(g *Gateway, peer Peer, number uint64) *balcony {
	h.mu.Lock()
	defer h.mu.Unlock()
	one := h.of(peer)
	found := one.galleries[number]
	if found == nil && len(one.galleries) < mostGalleries {
		found = &balcony{g: g, peer: peer, number: number}
		one.galleries[number] = found
	}
	return found
}

func (h *hosts) unfollow(peer Peer, number uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if one := h.byPeer[peer]; one != nil && one.galleries[number] != nil {
		one.galleries[number].ended.Store(true)
		delete(one.galleries, number)
	}
}

// begin counts a question of a peer that is being answered, unless there are too many.
func (h *hosts) begin(peer Peer) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	one := h.of(peer)
	if one.answering >= mostAnswered {
		return false
	}
	one.answering++
	return true
}

func (h *hosts) done(peer Peer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if one := h.byPeer[peer]; one != nil && one.answering > 0 {
		one.answering--
	}
}

// gone lists the peers that have something here and are not alive.
func (h *hosts) gone(alive map[Peer]bool) []Peer {
	h.mu.Lock()
	defer h.mu.Unlock()
	var gone []Peer
	for peer := range h.byPeer {
		if !alive[peer] {
			gone = append(gone, peer)
		}
	}
	return gone
}

// owedFor is how long a peer that has not come back is remembered.
const owedFor = 10 * time.Minute

func (h *hosts) owe(peer Peer, now time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.owed[peer] = now
}

// owing lists the peers that have to be told and are alive.
func (h *hosts) owing(alive map[Peer]bool, now time.Duration) []Peer {
	h.mu.Lock()
	defer h.mu.Unlock()
	var back []Peer
	for peer, since := range h.owed {
		if alive[peer] {
			back = append(back, peer)
		}
		if alive[peer] || now-since > owedFor {
			delete(h.owed, peer)
		}
	}
	return back
}

// balcony is a gallery as the table sees it.
type balcony struct {
	g      *Gateway
	peer   Peer
	number uint64
	ended  atomic.Bool
}

// Admit implements table.Gallery.
func (a *balcony) Admit(c table.Conn) {
	if p, ok := c.(*proxy); ok {
		p.tell(kindAdmit, []uint64{a.number}, nil)
	}
}

// Tell implements table.Gallery. If a frame is not taken, the other side learns that there is a gap.
func (a *balcony) Tell(frame []byte) bool {
	if a.ended.Load() {
		return false
	}
	if a.g.send(a.peer.Name, kindPublic, a.number, nil, frame) != nil {
		a.g.hosts.unfollow(a.peer, a.number)
		return false
	}
	return true
}

// Over implements table.Gallery.
func (a *balcony) Over(moved bool) {
	a.g.hosts.unfollow(a.peer, a.number)
	last := []byte{0}
	if moved {
		last[0] = 1
	}
	_ = a.g.send(a.peer.Name, kindOver, a.number, nil, last) // if it is lost, the other side learns of the gap
}
