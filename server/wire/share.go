package wire

import "encoding/binary"

// Shared are frames for many sockets, each encoded once, and the same as bytes of a WebSocket. Nobody changes them.
type Shared struct {
	Frames [][]byte
	Bytes  []byte // all frames, one after the other, as AppendFrame gives them
}

// Share puts frames together. They must not change afterwards.
func Share(frames [][]byte) *Shared {
	size := 0
	for _, frame := range frames {
		size += mostHeader + len(frame)
	}
	s := &Shared{Frames: frames, Bytes: make([]byte, 0, size)}
	for _, frame := range frames {
		s.Bytes = AppendFrame(s.Bytes, frame)
	}
	return s
}

// mostHeader is the longest that a frame of a server begins with, in bytes.
const mostHeader = 10

// AppendFrame appends a text frame as a server sends it: whole, not masked, not compressed (RFC 6455, 5.2).
func AppendFrame(dst, payload []byte) []byte {
	const text = 0x81
	switch n := len(payload); {
	case n < 126:
		dst = append(dst, text, byte(n))
	case n < 1<<16:
		dst = append(dst, text, 126, byte(n>>8), byte(n))
	default:
		dst = append(dst, text, 127)
		dst = binary.BigEndian.AppendUint64(dst, uint64(n))
	}
	return append(dst, payload...)
}
