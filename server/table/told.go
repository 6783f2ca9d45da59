package table

import (
	"encoding/binary"

	"flagfall/game"
	"flagfall/server/wire"
)

// audiences are White, Black and the public.
const audiences = 3

// told is what the audiences of a table were told: how much, and for sockets that come back the latest of it. What all
// are told alike is kept once.
type told struct {
	n    [audiences]uint64 // numbers of the last frames
	kept []byte            // records, the oldest first
}

// keptBytes bounds what is kept: the last half dozen frames of ordinary moves. Who missed more gets a snapshot.
const keptBytes = 1152

// record is what was told by one step, to those who have a number in it.
//
// It is kept as: the bits of the audiences, their numbers, the length of the id and whose it is, the id, the length of the
// tail, the tail.
type record struct {
	n    [audiences]uint64 // of the frame, 0 where there was none
	by   audience          // whose command it was
	id   string            // of the command
	tail []byte            // of the frame, see wire.Events
}

// frame appends the audience's frame to dst.
func (r *record) frame(dst []byte, to audience) []byte {
	id := ""
	if to.is(game.Side(r.by)) {
		id = r.id
	}
	return append(wire.AppendEventsHead(dst, r.n[to], id), r.tail...)
}

// add gives the record its numbers and keeps it.
func (t *told) add(r *record, to ...audience) {
	bits := byte(0)
	for _, a := range to {
		t.n[a]++
		r.n[a] = t.n[a]
		bits |= 1 << a
	}
	size := len(r.id) + len(r.tail) + 2*binary.MaxVarintLen64
	for len(t.kept) > 0 && len(t.kept)+size > keptBytes {
		rest := t.kept
		readRecord(&rest)
		t.kept = t.kept[:copy(t.kept, rest)]
	}
	if size > keptBytes || len(r.id) > 0xff {
		t.kept = t.kept[:0] // what follows a gap is of no use
		return
	}
	if t.kept == nil {
		t.kept = make([]byte, 0, keptBytes)
	}
	k := append(t.kept, bits)
	for _, a := range to {
		k = binary.AppendUvarint(k, r.n[a])
	}
	k = append(append(k, byte(len(r.id)), byte(r.by)), r.id...)
	t.kept = append(binary.AppendUvarint(k, uint64(len(r.tail))), r.tail...)
}

// readRecord takes the first record off.
func readRecord(from *[]byte) record {
	var r record
	d := *from
	number := func() uint64 {
		n, size := binary.Uvarint(d)
		d = d[size:]
		return n
	}
	bits := d[0]
	d = d[1:]
	for a := range r.n {
		if bits&(1<<a) != 0 {
			r.n[a] = number()
		}
	}
	length := int(d[0])
	r.by = audience(d[1])
	r.id, d = string(d[2:2+length]), d[2+length:]
	size := number()
	r.tail, *from = d[:size], d[size:]
	return r
}

// since returns an audience's frames after number n, and false if they are not all there.
func (t *told) since(to audience, n uint64) ([][]byte, bool) {
	if n == 0 || n > t.n[to] {
		return nil, false
	}
	var missed [][]byte
	for rest := t.kept; len(rest) > 0; {
		if r := readRecord(&rest); r.n[to] > n {
			missed = append(missed, r.frame(nil, to))
		}
	}
	return missed, uint64(len(missed)) == t.n[to]-n
}
