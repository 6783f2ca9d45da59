package gateway

import (
	"context"
	"sync"

	"flagfall/server/table"
	"flagfall/server/wire"
)

// away is what this node, as an edge, has on others.
type away struct {
	mu        sync.RWMutex
	attached  map[uint64]*attachment
	galleries map[uint64]*gallery
	byGame    map[string]*gallery
	asking    map[string]chan struct{} // by node: questions under way
	nodes     map[Peer]bool            // that were alive
}

// mostAsked bounds the questions of people to one node that are under way; others wait.
const mostAsked = 256

func (a *away) init() {
	a.attached, a.galleries = map[uint64]*attachment{}, map[uint64]*gallery{}
	a.byGame, a.asking = map[string]*gallery{}, map[string]chan struct{}{}
}

// attachment is a socket, or its session of the lobby, that is attached to another node.
type attachment struct {
	number uint64
	node   string
	end    end
}

// end is what an attachment ends in. Its functions do not block.
type end interface {
	// hear takes a frame; with now, of a player who waits for it.
	hear(frame []byte, now bool)
	admit(g *gallery)
	close(code int, reason string)
	// left says that the other node has let go of it, and has nothing more to say.
	left()
	// lost says that the other node is gone, or something that it said.
	lost()
}

// gallery is the spectators that this node has at one table of another node.
type gallery struct {
	number     uint64
	node, game string
	crowd      table.Crowd
	count      int // in it, or on their way
}

func (a *away) attach(number uint64, node string, e end) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.attached[number] = &attachment{number, node, e}
}

// detach says whether it was attached.
func (a *away) detach(number uint64) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	_, was := a.attached[number]
	delete(a.attached, number)
	return was
}

// find returns nil unless the attachment is one to this node.
func (a *away) find(number uint64, node string) end {
	a.mu.RLock()
	defer a.mu.RUnlock()
	if one := a.attached[number]; one != nil && one.node == node {
		return one.end
	}
	return nil
}

func (a *away) gallery(number uint64, node string) *gallery {
	a.mu.RLock()
	defer a.mu.RUnlock()
	if one := a.galleries[number]; one != nil && one.node == node {
		return one
	}
	return nil
}

// watched is the node at which a game is watched from here, "" for none.
func (a *away) watched(game string) string {
	a.mu.RLock()
	defer a.mu.RUnlock()
	if one := a.byGame[game]; one != nil {
		return one.node
	}
	return ""
}

// follow counts one more who may watch.
func (g *Gateway) follow(node, game string) *gallery {
	a := &g.away
	a.mu.Lock()
	defer a.mu.Unlock()
	one := a.byGame[game]
	if one == nil || one.node != node {
		one = &gallery{number: g.number(), node: node, game: game}
		a.galleries[one.number], a.byGame[game] = one, one
	}
	one.count++
	return one
}

// unfollow ends a gallery with the last one who leaves it.
func (g *Gateway) unfollow(one *gallery) {
	a := &g.away
	a.mu.Lock()
	one.count--
	empty := one.count == 0
	if empty {
		delete(a.galleries, one.number)
		if a.byGame[one.game] == one {
			delete(a.byGame, one.game)
		}
	}
	a.mu.Unlock()
	if empty {
		// a lost one is sent again at the next frame for the gallery
		_ = g.send(one.node, kindUnfollow, one.number, nil, nil)
	}
}

// lose ends all that is attached to a node.
func (g *Gateway) lose(node string) {
	a := &g.away
	var ends []end
	a.mu.Lock()
	for _, one := range a.attached {
		if one.node == node {
			ends = append(ends, one.end)
		}
	}
	for game, one := range a.byGame {
		if one.node == node {
			delete(a.byGame, game) // whoever comes now looks anew
		}
	}
	a.mu.Unlock()
	for _, e := range ends {
		e.lost()
	}
}

// enter waits for its turn to ask a node.
func (a *away) enter(ctx context.Context, node string) (leave func(), err error) {
	a.mu.Lock()
	turns := a.asking[node]
	if turns == nil {
		turns = make(chan struct{}, mostAsked)
		a.asking[node] = turns
	}
	a.mu.Unlock()
	select {
	case turns <- struct{}{}:
		return func() { <-turns }, nil
	case <-ctx.Done():
		return nil, wire.Refuse(wire.CodeTooMany)
	}
}

// gone lists the nodes that were alive when it was called before, and drops what was kept for them.
func (a *away) gone(alive map[Peer]bool) []Peer {
	a.mu.Lock()
	defer a.mu.Unlock()
	var gone []Peer
	for peer := range a.nodes {
		if !alive[peer] {
			gone = append(gone, peer)
			delete(a.asking, peer.Name)
		}
	}
	a.nodes = alive
	return gone
}
