package endgame

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// A packed table is
//
//	"FFTB", version 1, length of the name, the name,
//	bytes of the body as 4 bytes, the body deflated,
//	CRC-32 (IEEE) of all this as 4 bytes,
//
// all numbers little-endian. The body holds both planes, the strong side on
// move first: the number of shapes, the wins of all shapes and then the
// losses, 8 bytes each, and for every block a varint: 0 for the first shape not
// used yet, else the number of its shape and one.
const (
	magic   = "FFTB"
	version = 1
)

// Pack returns the table as bytes to keep; depths are left out.
func (t *Table) Pack() []byte {
	var body []byte
	for i := range t.onMove {
		body = t.onMove[i].pack(body)
	}
	name := t.Material()
	out := bytes.NewBuffer(append([]byte(magic), version, byte(len(name))))
	out.WriteString(name)
	out.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(body))))
	w, err := flate.NewWriter(out, flate.BestCompression)
	if err == nil {
		_, err = w.Write(body)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err) // a buffer takes everything and the level is a good one
	}
	return binary.LittleEndian.AppendUint32(out.Bytes(), crc32.ChecksumIEEE(out.Bytes()))
}

func (p *plane) pack(body []byte) []byte {
	body = binary.LittleEndian.AppendUint32(body, uint32(len(p.shapes)))
	for _, s := range p.shapes {
		body = binary.LittleEndian.AppendUint64(body, s.win)
	}
	for _, s := range p.shapes {
		body = binary.LittleEndian.AppendUint64(body, s.loss)
	}
	fresh := uint32(0)
	for _, n := range p.block {
		if n == fresh {
			fresh++
			body = append(body, 0)
			continue
		}
		body = binary.AppendUvarint(body, uint64(n)+1)
	}
	return body
}

// ErrDamaged is wrapped by what Unpack returns for bytes that are no table of
// this version, or no longer one.
var ErrDamaged = errors.New("not a whole endgame table")

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrDamaged, fmt.Sprintf(format, args...))
}

// Unpack reads what Pack has written. Any other bytes give an ErrDamaged.
func Unpack(data []byte) (*Table, error) {
	const head = len(magic) + 2
	if len(data) < head || string(data[:len(magic)]) != magic {
		return nil, damaged("it does not begin with %s", magic)
	}
	if v := data[len(magic)]; v != version {
		return nil, damaged("version %d, want %d", v, version)
	}
	length := int(data[head-1])
	if len(data) < head+length+8 {
		return nil, damaged("cut off after %d bytes", len(data))
	}
	rest, sum := data[:len(data)-4], binary.LittleEndian.Uint32(data[len(data)-4:])
	if crc32.ChecksumIEEE(rest) != sum {
		return nil, damaged("wrong checksum")
	}
	n, err := number(string(data[head : head+length]))
	if err != nil {
		return nil, damaged("%v", err)
	}
	body, err := inflate(rest[head+length:], materials[n].size)
	if err != nil {
		return nil, err
	}
	t := &Table{number: n}
	for i := range t.onMove {
		if body, err = t.onMove[i].unpack(body, materials[n].size/64); err != nil {
			return nil, err
		}
	}
	if len(body) != 0 {
		return nil, damaged("%d bytes too many", len(body))
	}
	return t, nil
}

// inflate reads the length and the body; none is longer than what every block
// with a shape of its own would take.
func inflate(data []byte, size int) ([]byte, error) {
	length := int64(binary.LittleEndian.Uint32(data))
	if most := int64(size/64*(16+binary.MaxVarintLen32)+4) * 2; length > most {
		return nil, damaged("a body of %d bytes, at most %d", length, most)
	}
	body := make([]byte, length)
	source := bytes.NewReader(data[4:])
	r := flate.NewReader(source)
	if _, err := io.ReadFull(r, body); err != nil {
		return nil, damaged("body: %v", err)
	}
	if n, err := r.Read(make([]byte, 1)); n != 0 || err != io.EOF || source.Len() != 0 {
		return nil, damaged("the body does not end after %d bytes", length)
	}
	return body, nil
}

func (p *plane) unpack(body []byte, blocks int) ([]byte, error) {
	if len(body) < 4 {
		return nil, damaged("shapes are missing")
	}
	shapes := int(binary.LittleEndian.Uint32(body))
	body = body[4:]
	if shapes > blocks || len(body) < 16*shapes {
		return nil, damaged("%d shapes for %d blocks in %d bytes", shapes, blocks, len(body))
	}
	p.shapes = make([]shape, shapes)
	for i := range p.shapes {
		s := shape{binary.LittleEndian.Uint64(body[8*i:]), binary.LittleEndian.Uint64(body[8*(shapes+i):])}
		if s.win&s.loss != 0 {
			return nil, damaged("shape %d is won and lost", i)
		}
		p.shapes[i] = s
	}
	body = body[16*shapes:]
	p.block = make([]uint32, blocks)
	fresh := uint64(0)
	for i := range p.block {
		n, width := binary.Uvarint(body)
		if width <= 0 {
			return nil, damaged("block %d is missing", i)
		}
		body = body[width:]
		if n == 0 {
			n, fresh = fresh, fresh+1
		} else {
			n--
		}
		if n >= uint64(shapes) {
			return nil, damaged("block %d has shape %d of %d", i, n, shapes)
		}
		p.block[i] = uint32(n)
	}
	return body, nil
}
