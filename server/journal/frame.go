package journal

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"

	"flagfall/server/actor"
)

// A record on disk is a frame of
//
//	4 bytes  mark
//	4 bytes  length of the body, little endian
//	4 bytes  CRC-32C of the length and the body
//	body     what (1 byte), length of the actor's id (1 byte), id, number (uvarint), data
const (
	frameHead = 12
	maxBody   = 16 << 20
)

// mark is no UTF-8, so that text in a record is never taken for it.
var mark = []byte{0xF1, 0xA6, 0xFA, 0x11}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

type what byte

const (
	isEntry  what = 1 // number: its seq
	isTrim   what = 2 // number: the first entry that stays
	isForget what = 3
)

type body struct {
	what   what
	id     actor.ID
	number uint64
	data   []byte // part of the frame
}

var errBadFrame = errors.New("bad record")

func appendFrame(dst []byte, b body) []byte {
	start := len(dst)
	dst = append(dst, mark...)
	dst = append(dst, 0, 0, 0, 0, 0, 0, 0, 0)
	dst = append(dst, byte(b.what), byte(len(b.id)))
	dst = append(dst, b.id...)
	dst = binary.AppendUvarint(dst, b.number)
	dst = append(dst, b.data...)
	frame := dst[start:]
	binary.LittleEndian.PutUint32(frame[4:], uint32(len(frame)-frameHead))
	binary.LittleEndian.PutUint32(frame[8:], checksum(frame))
	return dst
}

func checksum(frame []byte) uint32 {
	return crc32.Update(crc32.Checksum(frame[4:8], castagnoli), castagnoli, frame[frameHead:])
}

// parseFrame reads the frame at the start of buf and returns its size.
func parseFrame(buf []byte) (b body, size int, err error) {
	if len(buf) < frameHead || !bytes.Equal(buf[:4], mark) {
		return body{}, 0, errBadFrame
	}
	n := binary.LittleEndian.Uint32(buf[4:])
	if n > maxBody || int64(n) > int64(len(buf)-frameHead) {
		return body{}, 0, errBadFrame
	}
	size = frameHead + int(n)
	frame := buf[:size]
	if checksum(frame) != binary.LittleEndian.Uint32(frame[8:]) {
		return body{}, 0, errBadFrame
	}
	rest := frame[frameHead:]
	if len(rest) < 2 || len(rest) < 2+int(rest[1]) {
		return body{}, 0, errBadFrame
	}
	b.what = what(rest[0])
	b.id = actor.ID(rest[2 : 2+int(rest[1])])
	rest = rest[2+int(rest[1]):]
	var k int
	if b.number, k = binary.Uvarint(rest); k <= 0 || b.what < isEntry || b.what > isForget {
		return body{}, 0, errBadFrame
	}
	b.data = rest[k:]
	return b, size, nil
}

// hasFrame says whether a whole record stands anywhere in buf.
func hasFrame(buf []byte) bool {
	for {
		i := bytes.Index(buf, mark)
		if i < 0 {
			return false
		}
		if _, _, err := parseFrame(buf[i:]); err == nil {
			return true
		}
		buf = buf[i+1:]
	}
}
