package game

import (
	"encoding/binary"
	"encoding/json"
	"fmt"

	"flagfall/game/board"
)

// Log keeps the events of a game in few bytes: some ten for a release or a press, nothing for the garbage collector to
// look at. It is for memory only; journals and archives keep JSON. The zero value is empty.
type Log struct {
	full  [][]byte // each ends with an entry
	last  []byte
	setup *Setup // of the event that created the game; the game itself has it, too
	n     int
	at    int64 // time of the last event
}

// logPiece is the room of a piece, in bytes. A longer entry has one of its own.
const logPiece = 256

// add puts an entry, given in parts, behind the others. Nothing is copied when a log grows.
func (l *Log) add(parts ...[]byte) {
	size := 0
	for _, p := range parts {
		size += len(p)
	}
	if size > cap(l.last)-len(l.last) {
		if l.last != nil {
			l.full = append(l.full, l.last)
		}
		l.last = make([]byte, 0, max(size, logPiece))
	}
	for _, p := range parts {
		l.last = append(l.last, p...)
	}
}

// Tags of the entries: whole is JSON with its length, the others are common events.
const (
	logWhole byte = iota
	logReleased
	logPressed
	logQueued
	logCreated // and nothing more, the setup is beside
)

var logKinds = [...]Kind{logReleased: Released, logPressed: Pressed, logQueued: Queued}

// Bits of a common entry, above the two of its side.
const (
	logLegal = 4 << iota
	logAdjacent
	logPress
	logBare
	logLeft
	logMoves
)

// Len is the number of events.
func (l *Log) Len() int { return l.n }

// Last is the time of the last event.
func (l *Log) Last() int64 { return l.at }

// Append adds an event.
func (l *Log) Append(e Event) {
	l.n++
	if l.n == 1 && e == (Event{Kind: Created, By: None, Setup: e.Setup}) {
		l.setup = e.Setup
		l.add([]byte{logCreated})
		return
	}
	if !e.common() {
		text, err := json.Marshal(e)
		if err != nil {
			panic("game: an event that cannot be encoded: " + err.Error()) // AppendEvent has encoded it for the journal
		}
		var head [1 + binary.MaxVarintLen64]byte
		l.add(binary.AppendUvarint(append(head[:0], logWhole), uint64(len(text))), text)
		l.at = e.At
		return
	}
	tag := logReleased
	switch e.Kind {
	case Pressed:
		tag = logPressed
	case Queued:
		tag = logQueued
	}
	bits := byte(e.By)
	set := func(bit byte, is bool) {
		if is {
			bits |= bit
		}
	}
	set(logLegal, e.Legal)
	set(logAdjacent, e.Adjacent)
	set(logPress, e.Press)
	set(logBare, e.Bare)
	set(logLeft, e.Left != [2]int64{})
	set(logMoves, !e.Move.IsZero())
	var room [5 + 6*binary.MaxVarintLen64]byte
	d := append(room[:0], tag, bits)
	d = binary.AppendVarint(d, e.At-l.at)
	if bits&logMoves != 0 {
		d = append(d, byte(e.Move.From), byte(e.Move.To), byte(e.Move.Promo))
	}
	for _, n := range [3]int64{e.Charged, e.Credit, e.Lag} {
		d = binary.AppendVarint(d, n)
	}
	if bits&logLeft != 0 {
		d = binary.AppendVarint(binary.AppendVarint(d, e.Left[0]), e.Left[1])
	}
	l.add(d)
	l.at = e.At
}

// Events reads the log.
func (l *Log) Events() []Event {
	events := make([]Event, 0, l.n)
	r := logReader{setup: l.setup}
	for i := range len(l.full) + 1 {
		r.data = l.last
		if i < len(l.full) {
			r.data = l.full[i]
		}
		for len(r.data) > 0 {
			e := r.next()
			r.at = e.At
			events = append(events, e)
		}
	}
	return events
}

// logReader takes a log apart that Append has put together.
type logReader struct {
	data  []byte
	setup *Setup
	at    int64
}

func (r *logReader) bytes(n int) []byte {
	out := r.data[:n]
	r.data = r.data[n:]
	return out
}

func (r *logReader) number() int64 {
	n, size := binary.Varint(r.data)
	r.data = r.data[size:]
	return n
}

func (r *logReader) next() Event {
	tag := r.bytes(1)[0]
	if tag == logCreated {
		return Event{Kind: Created, By: None, Setup: r.setup}
	}
	if tag == logWhole {
		length, size := binary.Uvarint(r.data)
		r.data = r.data[size:]
		var e Event
		if err := json.Unmarshal(r.bytes(int(length)), &e); err != nil {
			panic(fmt.Sprint("game: a log that cannot be read: ", err)) // it is only ever written by Append
		}
		return e
	}
	bits := r.bytes(1)[0]
	e := Event{Kind: logKinds[tag], By: Side(bits & 3), At: r.at + r.number(),
		Legal: bits&logLegal != 0, Adjacent: bits&logAdjacent != 0, Press: bits&logPress != 0, Bare: bits&logBare != 0}
	if bits&logMoves != 0 {
		m := r.bytes(3)
		e.Move = UCI{From: board.Square(m[0]), To: board.Square(m[1]), Promo: board.Kind(m[2])}
	}
	e.Charged, e.Credit, e.Lag = r.number(), r.number(), r.number()
	if bits&logLeft != 0 {
		e.Left = [2]int64{r.number(), r.number()}
	}
	return e
}
