package edge

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"

	"github.com/gorilla/websocket"

	"flagfall/server/wire"
)

// serve is called by the poller when something has come. It reads what clients send all day, whole text frames
// and pongs; a socket that sends anything else - fragments, long frames, a close frame, nonsense - gets a goroutine, on
// which gorilla deals with it.
func (c *socket) serve(buffer []byte, ended bool) {
	for {
		n := copy(buffer, c.partial)
		more, err := c.tryRead(buffer[n:])
		if err == errNotNow {
			return
		}
		if more == 0 || err != nil {
			c.watch.Forget()
			go c.end()
			return
		}
		if !c.frames(buffer[:n+more]) || n+more < len(buffer) && !ended {
			return
		}
	}
}

// frames handles the frames that are there whole and keeps what is left; false when the socket has got a reader of its own.
func (c *socket) frames(data []byte) bool {
	began := len(data)
	for len(data) > 0 {
		frame, size := parseFrame(data)
		if size == 0 {
			break
		}
		if size < 0 {
			c.watch.Forget()
			c.net.first = bytes.Clone(data)
			c.partial = nil
			go c.read()
			return false
		}
		switch frame.opcode {
		case websocket.PongMessage:
			_ = c.onPong(string(frame.payload)) // never fails
		case websocket.PingMessage:
			_ = c.onPing(string(frame.payload))
		default:
			c.message(websocket.TextMessage, frame.payload)
		}
		data = data[size:]
	}
	c.partial = nil
	if len(data) < began {
		c.begun.Store(0) // what had begun is there
	}
	if len(data) > 0 {
		c.partial = bytes.Clone(data)
		c.begin()
	}
	return true
}

// begin gives a message that has begun a limited time to end, whatever else arrives: its frames can be empty and endless.
func (c *socket) begin() { c.begun.CompareAndSwap(0, c.server.now()) }

// clientFrame is a frame that serve handles itself.
type clientFrame struct {
	opcode  int
	payload []byte
}

// parseFrame reads the frame that data begins with, and unmasks it (RFC 6455, 5.2). size is 0 when it is not all there, and
// negative when it is none that serve handles.
func parseFrame(data []byte) (f clientFrame, size int) {
	const final, masked, mask = 0x80, 0x80, 4
	if len(data) < 2 {
		return f, 0
	}
	f.opcode = int(data[0] &^ final)
	head, length := 2, int(data[1]&^masked)
	switch f.opcode {
	case websocket.TextMessage, websocket.PingMessage, websocket.PongMessage:
	default:
		return f, -1 // reserved bits, too
	}
	if data[0]&final == 0 || data[1]&masked == 0 || length == 127 || length == 126 && f.opcode != websocket.TextMessage {
		return f, -1
	}
	if length == 126 {
		if len(data) < 4 {
			return f, 0
		}
		head, length = 4, int(data[2])<<8|int(data[3])
	}
	if length > wire.MaxMessage {
		return f, -1
	}
	size = head + mask + length
	if len(data) < size {
		return f, 0
	}
	key := data[head : head+mask]
	f.payload = data[head+mask : size]
	for i := range f.payload {
		f.payload[i] ^= key[i&3]
	}
	return f, size
}

// read is the reader where that is a goroutine.
func (c *socket) read() {
	c.watch = nil
	defer c.end()
	for c.readMessage() {
	}
}

// readMessage reads and handles one message; false ends the socket.
func (c *socket) readMessage() bool {
	kind, r, err := c.ws.NextReader()
	if err != nil {
		c.gone = err
		return false
	}
	c.begin()
	buffer := readBuffers.Get().(*[]byte)
	defer readBuffers.Put(buffer)
	data, err := readInto(*buffer, r)
	if err != nil {
		return false
	}
	c.message(kind, data)
	return true
}

// readBuffers hold one message each while it is read; a decoded message keeps none of it.
var readBuffers = sync.Pool{New: func() any {
	b := make([]byte, wire.MaxMessage+1)
	return &b
}}

func readInto(buffer []byte, r io.Reader) ([]byte, error) {
	n := 0
	for n < len(buffer) {
		more, err := r.Read(buffer[n:])
		n += more
		if err == io.EOF {
			return buffer[:n], nil
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, websocket.ErrReadLimit
}

// firstBytes is a connection of which something has been read already: that comes first.
type firstBytes struct {
	net.Conn
	first []byte
}

func (c *firstBytes) Read(p []byte) (int, error) {
	if len(c.first) == 0 {
		return c.Conn.Read(p)
	}
	n := copy(p, c.first)
	c.first = c.first[n:]
	return n, nil
}

// hijacker puts a firstBytes under the WebSocket.
type hijacker struct {
	http.ResponseWriter
	under *firstBytes
}

// Unwrap is for http.ResponseController.
func (h *hijacker) Unwrap() http.ResponseWriter { return h.ResponseWriter }

// Hijack implements http.Hijacker.
func (h *hijacker) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(h.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	h.under = &firstBytes{Conn: conn}
	return h.under, rw, nil
}

// errNotNow says that a read or write would have had to wait.
var errNotNow = errors.New("not now")
