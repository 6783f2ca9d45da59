package edge

import (
	"errors"
	"net"
	"os"
	"sync"
	"syscall"
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
// player's frame needs no other goroutine then. What the system does not take at once goes the way of Send.
func (c *socket) SendNow(frame []byte) {
	c.mu.Lock()
	o := &c.out
	if o.closing || o.writing || o.held || len(o.frames) > 0 || c.raw == nil || len(frame) > directFrame {
		c.mu.Unlock()
		c.Send(frame)
		return
	}
	o.writing = true
	c.mu.Unlock()
	pooled := writeBuffers.Get().(*[]byte)
	defer writeBuffers.Put(pooled)
	whole := wire.AppendFrame((*pooled)[:0], frame)
	*pooled = whole
	n, err := c.tryWrite(whole)
	c.mu.Lock()
	defer c.mu.Unlock()
	o.writing = false
	switch {
	case err != nil:
		go c.abort()
	case n < len(whole):
		o.rest = append([]byte(nil), whole[n:]...)
		c.startWriter()
	case len(o.frames) > 0 || o.ping || o.pong || o.closing: // came meanwhile
		c.startWriter()
	}
}

// directFrame is the longest frame that SendNow writes itself, in bytes.
const directFrame = 1020

// tryWrite writes what the system takes without waiting.
func (c *socket) tryWrite(data []byte) (n int, err error) {
	write := func(fd uintptr) bool {
		n, err = syscall.Write(int(fd), data)
		return true // whatever came of it
	}
	failed := c.raw.Write(write)
	if errors.Is(failed, os.ErrDeadlineExceeded) { // that of a write of the writer, long done: this one waits for nothing
		_ = c.ws.NetConn().SetWriteDeadline(time.Time{}) // else the next line says so
		failed = c.raw.Write(write)
	}
	if failed != nil {
		return 0, failed
	}
	if err == syscall.EAGAIN || err == syscall.EINTR {
		return 0, nil
	}
	return max(n, 0), err
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
	if c.timer != nil {
		c.timer.Stop()
	}
	o.held = false
	c.startWriter()
}

func (c *socket) closed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.out.closing
}

// cut ends the connection without a word.
func (c *socket) cut() {
	c.mu.Lock()
	c.out.closing = true
	c.out.frames = nil
	if c.timer != nil {
		c.timer.Stop()
	}
	c.mu.Unlock()
	c.ws.Close()
}

// abort cuts a connection that takes nothing more, and lets the system throw away what it still holds for it.
func (c *socket) abort() {
	if tcp, ok := c.ws.NetConn().(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // else what is unsent stays for minutes; not vital
	}
	c.cut()
}

// hold keeps frames back until release.
func (c *socket) hold() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.out.held = true
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
	c.ws.SetReadDeadline(time.Now().Add(drainTime))
}

// unheard ends a socket whose reader has given up waiting for it. One that reads no more answers no pings: should it read
// again, it finds out that it was too slow, and that it may come back.
func (c *socket) unheard(err error) {
	var late net.Error
	if !errors.As(err, &late) || !late.Timeout() || c.inside {
		return
	}
	c.mu.Lock()
	o := &c.out
	free := !o.closing && !o.writing
	if free {
		o.closing, o.writing, o.code = true, true, wire.CloseSlow // the reader writes, and nobody after it
	}
	c.mu.Unlock()
	if free {
		text := websocket.FormatCloseMessage(wire.CloseSlow, "no answer to a ping; come back and ask for the state")
		_ = c.ws.WriteControl(websocket.CloseMessage, text, time.Now().Add(drainTime)) // it may be gone for good
	}
}
