package edge

import "flagfall/server/wire"

// SendShared is Send of each of the frames, written on the caller's goroutine where the system takes it without waiting:
// thousands of spectators need no goroutine each, and no copy. Whatever is not taken at once goes the way of Send, and so
// does everything for a socket that has fallen behind, with the same bounds.
func (c *socket) SendShared(shared *wire.Shared) {
	c.mu.Lock()
	o := &c.out
	switch {
	case o.closing:
		c.mu.Unlock()
		return
	case o.writing || o.held || len(o.frames) > 0 || c.raw == nil || len(shared.Bytes) > directShared:
		c.mu.Unlock()
		for _, frame := range shared.Frames {
			c.Send(frame)
		}
		return
	}
	o.writing = true
	c.mu.Unlock()
	c.writeNow(shared.Bytes, len(shared.Frames))
}

// directShared is the most that SendShared writes itself, in bytes.
const directShared = 16 << 10
