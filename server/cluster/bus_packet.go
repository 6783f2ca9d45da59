package cluster

import (
	"encoding/binary"
	"errors"
	"time"
)

// A packet is what one publication carries, from one node to one other:
//
//	version (1 byte), what (1 byte), sender's name and incarnation (each length and bytes),
//	line, first, age; then of each message: after, kind (1 byte), length, payload
//
// Numbers are unsigned varints. Messages of a line are numbered without gaps from 1;
// first is the number of the first one, or of the next to come when there is none.
// age is how long ago in ms the packet was begun, after when the message was added to it.
// A line that was ended and opened again has a higher number.
const (
	packetVersion = 1

	packetMessages byte = 1
	packetProbe    byte = 2 // to oneself: is anything heard?

	packetSize   = 64 << 10 // a packet grows no further unless told otherwise
	payloadLimit = 1 << 20
)

var errPacket = errors.New("a packet that no version of the bus writes")

// packet is one that is being filled.
type packet struct {
	first uint64
	count uint64
	begun time.Duration
	body  []byte
}

func (p *packet) add(now time.Duration, kind byte, payload []byte) {
	p.body = binary.AppendUvarint(p.body, uint64((now - p.begun).Milliseconds()))
	p.body = append(p.body, kind)
	p.body = binary.AppendUvarint(p.body, uint64(len(payload)))
	p.body = append(p.body, payload...)
	p.count++
}

// overhead is more than a message costs besides its payload.
const overhead = 16

func appendHeader(dst []byte, what byte, from Peer, line, first uint64, age time.Duration) []byte {
	dst = append(dst, packetVersion, what)
	for _, s := range []string{from.Name, from.Incarnation} {
		dst = binary.AppendUvarint(dst, uint64(len(s)))
		dst = append(dst, s...)
	}
	dst = binary.AppendUvarint(dst, line)
	dst = binary.AppendUvarint(dst, first)
	return binary.AppendUvarint(dst, uint64(max(age, 0).Milliseconds()))
}

// reader takes a packet apart; bad stays true after the first thing that is not there.
type reader struct {
	rest []byte
	bad  bool
}

func (r *reader) byte() byte {
	if len(r.rest) == 0 {
		r.bad = true
		return 0
	}
	b := r.rest[0]
	r.rest = r.rest[1:]
	return b
}

func (r *reader) number() uint64 {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 {
		r.bad, r.rest = true, nil
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

func (r *reader) bytes() []byte {
	n := r.number()
	if n > uint64(len(r.rest)) {
		r.bad, r.rest = true, nil
		return nil
	}
	b := r.rest[:n:n]
	r.rest = r.rest[n:]
	return b
}

// header is the beginning of a packet; messages are still to be read.
type header struct {
	what        byte
	from        Peer
	line, first uint64
	age         time.Duration
	messages    reader
}

// readHeader keeps nothing of data but the messages. same is returned as the sender if
// it is he, which saves two strings.
func readHeader(data []byte, same Peer) (header, error) {
	r := reader{rest: data}
	if v := r.byte(); v != packetVersion {
		return header{}, errPacket
	}
	h := header{what: r.byte(), from: same}
	name, incarnation := r.bytes(), r.bytes()
	if string(name) != same.Name || string(incarnation) != same.Incarnation {
		h.from = Peer{string(name), string(incarnation)}
	}
	h.line, h.first = r.number(), r.number()
	h.age = millis(r.number())
	h.messages = r
	if r.bad || !validName(h.from.Name) || !validName(h.from.Incarnation) || h.first == 0 {
		return header{}, errPacket
	}
	return h, nil
}

// millis bounds what a damaged packet can say.
func millis(n uint64) time.Duration { return time.Duration(min(n, 1<<32)) * time.Millisecond }

// next reads one message; done when there is none left.
func (r *reader) next() (after time.Duration, kind byte, payload []byte, done bool, err error) {
	if len(r.rest) == 0 && !r.bad {
		return 0, 0, nil, true, nil
	}
	after, kind, payload = millis(r.number()), r.byte(), r.bytes()
	if r.bad {
		return 0, 0, nil, false, errPacket
	}
	return after, kind, payload, false, nil
}
