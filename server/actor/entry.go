package actor

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// record is a journal entry: one step. In the journal it is a JSON object; the
// writer below and the tags must agree.
type record struct {
	Version  int               `json:"v"`
	Seq      uint64            `json:"seq"`
	At       int64             `json:"at"`           // actor time, ms
	Mono     int64             `json:"mono"`         // the owner's reading at that time, ms
	Owner    string            `json:"own"`          // the owner's incarnation
	Epoch    uint64            `json:"ep,omitempty"` // how many owners the actor has had; absent for the first
	From     string            `json:"from,omitempty"`
	ID       string            `json:"id,omitempty"`
	Snapshot bool              `json:"snap,omitempty"` // the event stands for all before it
	Events   []json.RawMessage `json:"ev"`
}

func (r *record) epoch() uint64 { return max(r.Epoch, 1) }

// appendRecord writes the record with its events encoded by the kind.
func appendRecord(dst []byte, k *kind, r *record, events []Event) ([]byte, error) {
	dst = strconv.AppendInt(append(dst, `{"v":`...), int64(r.Version), 10)
	dst = strconv.AppendUint(append(dst, `,"seq":`...), r.Seq, 10)
	dst = strconv.AppendInt(append(dst, `,"at":`...), r.At, 10)
	dst = strconv.AppendInt(append(dst, `,"mono":`...), r.Mono, 10)
	dst = appendString(append(dst, `,"own":`...), r.Owner)
	if r.Epoch > 1 {
		dst = strconv.AppendUint(append(dst, `,"ep":`...), r.Epoch, 10)
	}
	if r.From != "" {
		dst = appendString(append(dst, `,"from":`...), r.From)
	}
	if r.ID != "" {
		dst = appendString(append(dst, `,"id":`...), r.ID)
	}
	if r.Snapshot {
		dst = append(dst, `,"snap":true`...)
	}
	dst = append(dst, `,"ev":[`...)
	for i, e := range events {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = k.Encode(dst, e); err != nil {
			return nil, fmt.Errorf("event %T: %w", e, err)
		}
	}
	dst = append(dst, `]}`...)
	if !k.Sound && !json.Valid(dst) {
		return nil, errors.New("an event of kind " + k.Name + " is not encoded as JSON")
	}
	return dst, nil
}

// readRecord reads an entry and its events.
func readRecord(k *kind, e Entry) (*record, []Event, error) {
	var r record
	if err := json.Unmarshal(e.Data, &r); err != nil {
		return nil, nil, fmt.Errorf("entry %d: %w", e.Seq, err)
	}
	if r.Seq != e.Seq {
		return nil, nil, fmt.Errorf("entry %d calls itself %d", e.Seq, r.Seq)
	}
	if r.Version > k.Version {
		return nil, nil, fmt.Errorf("entry %d has events of version %d, this program knows %d", e.Seq, r.Version, k.Version)
	}
	events := make([]Event, len(r.Events))
	for i, data := range r.Events {
		ev, err := k.Decode(data)
		if err != nil {
			return nil, nil, fmt.Errorf("entry %d, event %d: %w", e.Seq, i+1, err)
		}
		events[i] = ev
	}
	return &r, events, nil
}

const hexDigits = "0123456789abcdef"

// appendString appends a JSON string; s is valid UTF-8.
func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c < ' ':
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}

func validKey(s string) bool { return len(s) <= 128 && utf8.ValidString(s) }
