package gateway

import (
	"bytes"
	"errors"
	"sync"
	"sync/atomic"
)

// mostKept bounds what is kept during a hold, in bytes.
const mostKept = 16 << 20

var errHeld = errors.New("too much waits for the end of the hold")

// holding keeps what would go to other nodes while nothing gets through: sent now it would be a gap later, which costs the
// sockets of all games between the two nodes.
type holding struct {
	on   atomic.Bool
	mu   sync.Mutex
	kept []kept
	size int
}

// kept is a message for another node.
type kept struct {
	node    string
	kind    byte
	payload []byte
}

// Hold says that nothing gets through to other nodes, or that it does again. What is said meanwhile, to tables there and by
// them, goes there when it is over as if it were said then: the clocks stand on all nodes. Nothing is asked meanwhile.
func (g *Gateway) Hold(on bool) {
	h := &g.holding
	h.mu.Lock()
	defer h.mu.Unlock()
	if on {
		h.on.Store(true)
		return
	}
	for _, m := range h.kept {
		// whoever it concerns is told as of any other message that is lost
		_ = g.parts.Bus.Send(m.node, m.kind, m.payload)
	}
	h.kept, h.size = nil, 0
	h.on.Store(false)
}

// keep takes a message during a hold; false when there is none.
func (h *holding) keep(node string, kind byte, payload []byte) (taken bool, err error) {
	if !h.on.Load() {
		return false, nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case !h.on.Load():
		return false, nil
	case h.size+len(payload) > mostKept:
		return true, errHeld
	}
	h.kept = append(h.kept, kept{node, kind, bytes.Clone(payload)})
	h.size += len(payload)
	return true, nil
}
