package wire

import (
	"encoding/json"
	"strconv"
)

// Append appends the message to dst as JSON: the frames of a running game, written by hand since they are most of what a
// server sends. A test holds it equal to what encoding/json gives.
func (e *Events) Append(dst []byte) []byte { return e.AppendTail(AppendEventsHead(dst, e.N, e.ID)) }

// AppendEventsHead appends what of the message differs from one reader to another, AppendTail the rest.
func AppendEventsHead(dst []byte, n uint64, id string) []byte {
	dst = append(dst, `{"t":"ev","n":`...)
	dst = strconv.AppendUint(dst, n, 10)
	return textField(dst, `,"id":`, id)
}

// AppendTail appends what follows AppendEventsHead.
func (e *Events) AppendTail(dst []byte) []byte {
	dst = append(dst, `,"at":`...)
	dst = strconv.AppendInt(dst, e.At, 10)
	dst = append(dst, `,"clk":`...)
	dst = e.Clocks.append(dst)
	dst = append(dst, `,"e":[`...)
	for i := range e.E {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = e.E[i].append(dst)
	}
	return append(dst, `]}`...)
}

func (c *Clocks) append(dst []byte) []byte {
	dst = append(dst, `{"w":`...)
	dst = strconv.AppendInt(dst, c.W, 10)
	dst = append(dst, `,"b":`...)
	dst = strconv.AppendInt(dst, c.B, 10)
	dst = append(dst, `,"run":`...)
	dst = appendText(dst, c.Run)
	dst = append(dst, `,"flags":`...)
	dst = appendText(dst, c.Flags)
	dst = numberField(dst, `,"delay":`, c.Delay)
	return append(dst, '}')
}

func (e *Event) append(dst []byte) []byte {
	if e.rare() {
		return append(dst, Encode(e)...)
	}
	dst = append(dst, `{"k":`...)
	dst = appendText(dst, e.K)
	dst = textField(dst, `,"by":`, e.By)
	dst = textField(dst, `,"m":`, e.M)
	dst = numberField(dst, `,"ply":`, int64(e.Ply))
	if e.Press {
		dst = append(dst, `,"press":true`...)
	}
	dst = numberField(dst, `,"lag":`, e.Lag)
	dst = numberField(dst, `,"seen":`, int64(e.Seen))
	return append(dst, '}')
}

// rare holds for an event with a field that moves and presses do not have.
func (e *Event) rare() bool {
	plain := Event{K: e.K, By: e.By, M: e.M, Ply: e.Ply, Press: e.Press, Lag: e.Lag, Seen: e.Seen}
	return *e != plain
}

func textField(dst []byte, name, value string) []byte {
	if value == "" {
		return dst
	}
	return appendText(append(dst, name...), value)
}

func numberField(dst []byte, name string, value int64) []byte {
	if value == 0 {
		return dst
	}
	return strconv.AppendInt(append(dst, name...), value, 10)
}

// appendText appends a JSON string.
func appendText(dst []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			text, err := json.Marshal(s)
			if err != nil {
				panic("wire: " + err.Error()) // a string can always be encoded
			}
			return append(dst, text...)
		}
	}
	dst = append(dst, '"')
	dst = append(dst, s...)
	return append(dst, '"')
}
