package main

import (
	"bytes"
	"strconv"
)

// A move of a baseline run is one frame ("m12": released and pressed) or, over the board, two ("m12" and "p12"). The server
// and the relay answer in different words, so frames are looked through and not decoded: the same little work for both.

// appendMove is the command that plays m.
func appendMove(buf []byte, ply int, m string, press bool) []byte {
	buf = append(buf, `{"t":"move","id":"m`...)
	buf = strconv.AppendInt(buf, int64(ply), 10)
	buf = append(buf, `","m":"`...)
	buf = append(buf, m...)
	buf = append(buf, `","ply":`...)
	buf = strconv.AppendInt(buf, int64(ply), 10)
	if press {
		buf = append(buf, `,"press":true`...)
	}
	return append(buf, '}')
}

// appendPress is the command that presses the clock.
func appendPress(buf []byte, ply int) []byte {
	buf = append(buf, `{"t":"press","id":"p`...)
	buf = strconv.AppendInt(buf, int64(ply), 10)
	buf = append(buf, `","ply":`...)
	buf = strconv.AppendInt(buf, int64(ply), 10)
	return append(buf, '}')
}

// heard is what a frame says.
type heard struct {
	letter byte // 'm' or 'p' of the command's id; 0 without one
	ply    int  // of the command's id
	moved  bool // a move was made,
	move   []byte
	press  bool // and the clock was pressed
	over   bool // the game is over
	refuse []byte
}

var (
	idKey    = []byte(`"id":"`)
	moveKey  = []byte(`"m":"`)
	codeKey  = []byte(`"code":"`)
	errFrame = []byte(`{"t":"err"`)
	moved    = [][]byte{[]byte(`"k":"move"`), []byte(`"t":"move"`)}
	pressed  = [][]byte{[]byte(`"k":"press"`), []byte(`"t":"press"`), []byte(`"press":true`)}
	endKey   = []byte(`"k":"end"`)
)

func scan(data []byte) heard {
	var h heard
	if bytes.HasPrefix(data, errFrame) {
		h.refuse = value(data, codeKey)
		return h
	}
	if id := value(data, idKey); len(id) > 1 && (id[0] == 'm' || id[0] == 'p') {
		h.letter = id[0]
		for _, c := range id[1:] {
			if c < '0' || c > '9' {
				h.letter = 0
				break
			}
			h.ply = h.ply*10 + int(c-'0')
		}
	}
	h.moved, h.press = contains(data, moved), contains(data, pressed)
	if h.moved {
		h.move = value(data, moveKey)
	}
	h.over = bytes.Contains(data, endKey)
	return h
}

var (
	eventsFrame = []byte(`{"t":"ev","n":`)
	plyKey      = []byte(`"ply":`)
)

// frameNumber is the number of an events frame of the server.
func frameNumber(data []byte) (n uint64, ok bool) {
	rest, ok := bytes.CutPrefix(data, eventsFrame)
	return digits(rest), ok
}

// movedPly is the ply of the move that an events frame tells of; the first one's is left out.
func movedPly(data []byte) (ply int, ok bool) {
	at := bytes.Index(data, moved[0])
	if at < 0 {
		return 0, false
	}
	if i := bytes.Index(data[at:], plyKey); i >= 0 {
		ply = int(digits(data[at+i+len(plyKey):]))
	}
	return ply, true
}

func digits(text []byte) (n uint64) {
	for _, c := range text {
		if c < '0' || c > '9' {
			break
		}
		n = n*10 + uint64(c-'0')
	}
	return n
}

func contains(data []byte, any [][]byte) bool {
	for _, s := range any {
		if bytes.Contains(data, s) {
			return true
		}
	}
	return false
}

// value is the text after a key, up to the next quotation mark.
func value(data, key []byte) []byte {
	i := bytes.Index(data, key)
	if i < 0 {
		return nil
	}
	rest := data[i+len(key):]
	if end := bytes.IndexByte(rest, '"'); end >= 0 {
		return rest[:end]
	}
	return nil
}
