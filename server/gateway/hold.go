package gateway

import (
	"sync"
	"sync/atomic"

	"flagfall/server/wire"
)

// mostKept bounds what is kept of one socket during a hold.
const mostKept = 64

// holding is what players of tables on other nodes say while nothing gets through.
type holding struct {
	on   atomic.Bool
	mu   sync.Mutex
	kept map[*sitting][]wire.ClientMessage
}

// Hold says that nothing gets through to other nodes, or that it does again. What is said meanwhile to tables there is kept,
// and goes there when it is over as if it were said then: the clocks stand on all nodes.
func (g *Gateway) Hold(on bool) {
	h := &g.holding
	h.mu.Lock()
	defer h.mu.Unlock()
	if on {
		h.on.Store(true)
		return
	}
	for s, said := range h.kept {
		for _, m := range said {
			s.pass(m)
		}
	}
	h.kept = nil
	h.on.Store(false)
}

// keeps takes a message during a hold; false when there is none, or too much is kept already.
func (h *holding) keeps(s *sitting, m wire.ClientMessage) bool {
	if !h.on.Load() {
		return false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.on.Load() || len(h.kept[s]) >= mostKept {
		return false
	}
	if h.kept == nil {
		h.kept = map[*sitting][]wire.ClientMessage{}
	}
	h.kept[s] = append(h.kept[s], m)
	return true
}

// forget drops what a socket that leaves has said: its client says it again if it comes back.
func (h *holding) forget(s *sitting) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.kept, s)
}
