package edge

import (
	"bytes"
	"net"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"flagfall/server/wire"
)

// outbox is what waits for one socket. It is guarded by the socket's mutex.
type outbox struct {
	rest    []byte // of a frame that SendNow began; it goes before everything
	frames  [][]byte
	spare   [][]byte // an emptied slice to use again
	waiting int      // frames not yet written, those in the writer's hand too
	bytes   int      // their size
	held    bool     // nothing goes out before the hello
	writing bool     // a flush is under way
	ping    bool
	pong    bool
	echo    string // of the pong

	closing bool
	code    int
	reason  string
}

// spareFrames is how long a slice may be to be kept for the next frames.
const spareFrames = 8

// drainTime is how long the other side has to answer our close frame.
const drainTime = time.Second

// Send implements Conn. A socket whose queue is full is closed with wire.CloseSlow: it comes back and asks for the state.
func (c *socket) Send(frame []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	o := &c.out
	if o.closing {
		return
	}
	// One frame is never too large by itself: the state of a very long game would close the socket again and again.
	if o.waiting >= c.server.limits.QueueFrames || o.bytes >= c.server.limits.QueueBytes {
		c.close(wire.CloseSlow, "too slow; come back and ask for the state")
		return
	}
	o.frames = append(o.frames, frame)
	o.waiting++
	o.bytes += len(frame)
	c.startWriter()
}

// SendNow is Send that writes on the caller's goroutine, without ever waiting, where nothing else is to be written: a
// player's frame needs no other goroutine then. What the system does not take at once goes the way of Send, as a copy.
func (c *socket) SendNow(frame []byte) {
	c.mu.Lock()
	o := &c.out
	if o.closing || o.writing || o.held || len(o.frames) > 0 || c.raw == nil || len(frame) > directFrame {
		c.mu.Unlock()
		c.Send(bytes.Clone(frame))
		return
	}
	o.writing = true
	pooled := writeBuffers.Get().(*[]byte)
	defer writeBuffers.Put(pooled)
	whole := wire.AppendFrame((*pooled)[:0], frame)
	if now := c.server.now(); c.nonce == "" && now >= c.nextPing-c.server.limits.early() {
		c.newNonce(now) // a ping that is soon due goes along
		c.sent = time.Now()
		whole = appendPing(whole, c.nonce)
	}
	c.mu.Unlock()
	*pooled = whole
	c.writeNow(whole, 1)
}

// writeNow writes so many whole frames as far as the system takes them without waiting, and leaves the rest to the writer.
// Whoever calls it has set writing, and does not hold the mutex.
func (c *socket) writeNow(data []byte, frames int) {
	c.server.counts.frames.Add(uint64(frames))
	n, err := c.tryWrite(data)
	c.mu.Lock()
	defer c.mu.Unlock()
	o := &c.out
	o.writing = false
	switch {
	case err == errNotNow, err == nil && n < len(data):
		o.rest = append([]byte(nil), data[n:]...)
		c.startWriter()
	case err != nil:
		go c.abort()
	case len(o.frames) > 0 || o.ping || o.pong || o.closing: // came meanwhile
		c.startWriter()
	}
}

// directFrame is the longest frame that SendNow writes itself, in bytes.
const directFrame = 1020

// early is how much before its time a ping goes along with a frame, in ms.
func (l *Limits) early() int64 { return l.PingEvery.Milliseconds() / 5 }

// appendPing appends a ping frame.
func appendPing(dst []byte, nonce string) []byte {
	dst = append(dst, 0x89, byte(len(nonce)))
	return append(dst, nonce...)
}

// Close implements Conn.
func (c *socket) Close(code int, reason string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.close(code, reason)
}

// close is Close for a holder of the mutex. The first one counts.
func (c *socket) close(code int, reason string) {
	o := &c.out
	if o.closing {
		return
	}
	o.closing, o.code, o.reason = true, code, reason
	if code == wire.CloseSlow {
		o.frames = nil
	}
	o.held = false
	c.startWriter()
}

func (c *socket) closed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.out.closing
}

// cut ends the connection without a word; its reader learns of it.
func (c *socket) cut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.shut()
}

// shut is cut for a holder of the mutex.
func (c *socket) shut() {
	c.out.closing = true
	c.out.frames = nil
	tcp, ok := c.net.Conn.(*net.TCPConn)
	if !ok {
		c.ws.Close()
		return
	}
	// Either fails on a connection that is gone already.
	_ = tcp.CloseRead()
	_ = tcp.CloseWrite()
}

// abort cuts a connection that takes nothing more, and lets the system throw away what it still holds for it.
func (c *socket) abort() {
	if tcp, ok := c.net.Conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // else what is unsent stays for minutes; not vital
	}
	c.cut()
}

// release puts a frame before those held back and lets them go.
func (c *socket) release(first []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	o := &c.out
	o.held = false
	if o.closing {
		return
	}
	o.frames = append([][]byte{first}, o.frames...)
	o.waiting++
	o.bytes += len(first)
	c.startWriter()
}

// startWriter needs the mutex.
func (c *socket) startWriter() {
	if c.out.writing || c.out.held {
		return
	}
	c.out.writing = true
	go c.flush()
}

// batch is what the writer takes at once: frames first, then control frames, then the end.
type batch struct {
	rest       []byte // of a frame that SendNow began
	frames     [][]byte
	ping, pong string
	pinged     bool
	ponged     bool
	closing    bool
	code       int
	reason     string
}

// take empties the outbox; false when there is nothing, and then the writer is gone.
func (c *socket) take() (batch, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	o := &c.out
	if len(o.frames) == 0 && !o.ping && !o.pong && !o.closing && o.rest == nil {
		c.net.SetWriteDeadline(time.Time{}) // of this flush; SendNow needs none
		o.writing = false
		return batch{}, false
	}
	b := batch{
		rest: o.rest, frames: o.frames, pinged: o.ping, ping: c.nonce, ponged: o.pong, pong: o.echo,
		closing: o.closing, code: o.code, reason: o.reason,
	}
	o.frames, o.spare, o.rest = o.spare, nil, nil
	o.ping, o.pong = false, false
	return b, true
}

// flush is the one writer; it ends when there is nothing left to write.
func (c *socket) flush() {
	for {
		b, any := c.take()
		if !any {
			return
		}
		if !c.write(b) {
			c.abort()
			return
		}
		if b.closing {
			c.goodbye(b)
			return
		}
	}
}

func (c *socket) write(b batch) bool {
	if !c.writeFrames(b) {
		return false
	}
	c.giveBack(b.frames)
	deadline := time.Now().Add(c.server.limits.WriteTimeout)
	if b.ponged && c.ws.WriteControl(websocket.PongMessage, []byte(b.pong), deadline) != nil {
		return false
	}
	if b.pinged {
		c.mu.Lock()
		c.sent = time.Now()
		c.mu.Unlock()
		return c.ws.WriteControl(websocket.PingMessage, []byte(b.ping), deadline) == nil
	}
	return true
}

// writeFrames writes the frames of a batch, as many with one call as fit into a buffer.
func (c *socket) writeFrames(b batch) bool {
	if b.rest == nil && len(b.frames) == 0 {
		return true
	}
	pooled := writeBuffers.Get().(*[]byte)
	defer writeBuffers.Put(pooled)
	buffer, count, size := append((*pooled)[:0], b.rest...), 0, 0
	write := func() bool {
		c.ws.NetConn().SetWriteDeadline(time.Now().Add(c.server.limits.WriteTimeout))
		c.server.counts.frames.Add(uint64(count))
		_, err := c.ws.NetConn().Write(buffer)
		c.written(count, size)
		buffer, count, size = buffer[:0], 0, 0
		return err == nil
	}
	for i, frame := range b.frames {
		if len(buffer) > 0 && len(buffer)+len(frame) > writeBuffer {
			if !write() {
				return false
			}
			if c.tooSlow() {
				return true // the close frame is next
			}
		}
		buffer, count, size = wire.AppendFrame(buffer, frame), count+1, size+len(b.frames[i])
	}
	if cap(buffer) <= 2*writeBuffer {
		*pooled = buffer[:0]
	}
	return write()
}

// writeBuffer is how much is gathered for one call, in bytes. A longer frame goes alone.
const writeBuffer = 8 << 10

var writeBuffers = sync.Pool{New: func() any {
	b := make([]byte, 0, 512)
	return &b
}}

// tooSlow holds once the queue was full: what the writer still has in hand is of no use.
func (c *socket) tooSlow() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.out.closing && c.out.code == wire.CloseSlow
}

func (c *socket) written(count, size int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.out.waiting -= count
	c.out.bytes -= size
}

// giveBack keeps a short slice for the next frames.
func (c *socket) giveBack(frames [][]byte) {
	if cap(frames) == 0 || cap(frames) > spareFrames {
		return
	}
	clear(frames)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.out.spare == nil {
		c.out.spare = frames[:0]
	}
}

// goodbye sends the close frame and leaves the reader a moment to hear the answer: a connection cut with unread data in
// it would be reset, and the other side might never read the code.
func (c *socket) goodbye(b batch) {
	text := websocket.FormatCloseMessage(b.code, b.reason)
	if c.ws.WriteControl(websocket.CloseMessage, text, time.Now().Add(c.server.limits.WriteTimeout)) != nil {
		c.abort()
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cutAt = c.server.now() + drainTime.Milliseconds()
}
