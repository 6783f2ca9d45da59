package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"unicode/utf8"
)

// MaxMessage is the size of the largest message a client may send, in bytes.
const MaxMessage = 4096

// ErrNotJSON says that a message is not one JSON object in valid UTF-8; a socket is closed with CloseProtocol for it.
var ErrNotJSON = errors.New("the message is not one JSON object")

const (
	minBase = 1_000
	maxBase = 10_800_000
	maxPly  = 100_000
	maxEach = 180_000
	// maxRating is more than anybody has.
	maxRating = 4000
	maxSince  = 1<<53 - 1 // what a JavaScript number holds exactly
)

// field is one member of a client's message: how it is read and where it goes.
type field struct {
	kind byte // 's'tring, 'i'nteger, 'b'oolean
	set  func(*ClientMessage, value) bool
	want string
}

// value is a decoded JSON scalar; only the member of its kind counts.
type value struct {
	kind byte
	s    string
	i    int64
	b    bool
}

var fields = map[string]field{
	"id":      {'s', func(m *ClientMessage, v value) bool { m.ID = v.s; return ValidID(v.s) }, "1 to 32 of A-Z, a-z, 0-9, _ and -"},
	"base":    {'i', func(m *ClientMessage, v value) bool { m.Base = v.i; return v.i >= minBase && v.i <= maxBase }, "1000 to 10800000 ms"},
	"mode":    {'s', func(m *ClientMessage, v value) bool { m.Mode = v.s; return oneOf(v.s, "board", "fast") }, "board or fast"},
	"rules":   {'s', func(m *ClientMessage, v value) bool { m.Rules = v.s; return oneOf(v.s, rules...) }, "wbca, uscf, cca or fide"},
	"timing":  {'s', func(m *ClientMessage, v value) bool { m.Timing = v.s; return oneOf(v.s, timings...) }, "increment, delay or bronstein"},
	"each":    {'i', func(m *ClientMessage, v value) bool { m.Each = v.i; return v.i >= 1 && v.i <= maxEach }, "1 to 180000 ms"},
	"min":     {'i', func(m *ClientMessage, v value) bool { m.Min = v.i; return v.i >= 0 && v.i <= maxRating }, "0 to 4000"},
	"max":     {'i', func(m *ClientMessage, v value) bool { m.Max = v.i; return v.i >= 1 && v.i <= maxRating }, "1 to 4000"},
	"casual":  {'b', func(m *ClientMessage, v value) bool { m.Casual = v.b; return true }, ""},
	"to":      {'s', func(m *ClientMessage, v value) bool { m.To = v.s; return validName(v.s) }, "1 to 24 of A-Z, a-z, 0-9, space, ., _ and -"},
	"seek":    {'s', func(m *ClientMessage, v value) bool { m.Seek = v.s; return ValidID(v.s) }, "1 to 32 of A-Z, a-z, 0-9, _ and -"},
	"who":     {'s', func(m *ClientMessage, v value) bool { m.Who = v.s; return ValidID(v.s) }, "1 to 32 of A-Z, a-z, 0-9, _ and -"},
	"color":   {'s', func(m *ClientMessage, v value) bool { m.Color = v.s; return oneOf(v.s, "white", "black", "random") }, "white, black or random"},
	"invite":  {'s', func(m *ClientMessage, v value) bool { m.Invite = v.s; return ValidID(v.s) }, "1 to 32 of A-Z, a-z, 0-9, _ and -"},
	"game":    {'s', func(m *ClientMessage, v value) bool { m.Game = v.s; return ValidID(v.s) }, "1 to 32 of A-Z, a-z, 0-9, _ and -"},
	"since":   {'i', func(m *ClientMessage, v value) bool { m.Since = uint64(v.i); return v.i >= 0 && v.i <= maxSince }, "0 to 9007199254740991"},
	"visible": {'b', func(m *ClientMessage, v value) bool { m.Visible = v.b; return true }, ""},
	"m":       {'s', func(m *ClientMessage, v value) bool { m.Move = v.s; return validUCI(v.s) }, "two squares and, for a promotion, q, r, b or n: e2e4, a7a8q"},
	"ply": {'i', func(m *ClientMessage, v value) bool {
		ply := int(v.i)
		m.Ply = &ply
		return v.i >= 0 && v.i <= maxPly
	}, "0 to 100000"},
	"press":  {'b', func(m *ClientMessage, v value) bool { m.Press = v.b; return true }, ""},
	"claim":  {'s', func(m *ClientMessage, v value) bool { m.Claim = v.s; return oneOf(v.s, claims...) }, "illegal, time, both_flags, draw, abandoned, draw_8f, 8d, 8e, 8g, 8h, 8i, threefold, fifty or ilc"},
	"accept": {'b', func(m *ClientMessage, v value) bool { m.Accept = v.b; return true }, ""},
	"event":  {'s', func(m *ClientMessage, v value) bool { m.Event = v.s; return ValidEvent(v.s) }, "3 to 40 of a-z, 0-9 and -"},
	"key":    {'s', func(m *ClientMessage, v value) bool { m.Key = v.s; return ValidKey(v.s) }, "1 to 64 of A-Z, a-z, 0-9, _ and -"},
	"desk":   {'b', func(m *ClientMessage, v value) bool { m.Desk = v.b; return true }, ""},
}

var (
	claims  = []string{"illegal", "time", "both_flags", "draw", "abandoned", "draw_8f", "8d", "8e", "8g", "8h", "8i", "threefold", "fifty", "ilc"}
	rules   = []string{"wbca", "uscf", "cca", "fide"}
	timings = []string{"increment", "delay", "bronstein"}
)

// form lists the members of one message beside t.
type form struct{ required, optional []string }

var forms = map[string]form{
	"ping":    {},
	"seek":    {required: []string{"id", "base", "mode"}, optional: []string{"rules", "timing", "each", "min", "max", "casual"}},
	"list":    {required: []string{"id"}},
	"take":    {required: []string{"id", "seek"}},
	"cancel":  {required: []string{"id"}},
	"invite":  {required: []string{"id", "base", "mode", "color"}, optional: []string{"rules", "timing", "each", "casual", "to"}},
	"decline": {required: []string{"id", "invite"}},
	"block":   {required: []string{"id", "who"}},
	"unblock": {required: []string{"id", "who"}},
	"blocks":  {required: []string{"id"}},
	"accept":  {required: []string{"id", "invite"}},
	"rematch": {required: []string{"id", "game"}},
	"join":    {required: []string{"id", "game"}, optional: []string{"since"}},
	"leave":   {},
	"here":    {optional: []string{"visible"}},
	"move":    {required: []string{"id", "m", "ply"}, optional: []string{"press"}},
	"press":   {required: []string{"id", "ply"}},
	"retract": {required: []string{"id", "ply"}},
	"claim":   {required: []string{"id", "claim"}},
	"resign":  {required: []string{"id"}},
	"offer":   {required: []string{"id"}},
	"answer":  {required: []string{"id"}, optional: []string{"accept"}},
	"mute":    {required: []string{"id"}},
	"demo":    {required: []string{"id", "m"}},
	"concede": {required: []string{"id"}},
	"dispute": {required: []string{"id"}},
	"attend":  {required: []string{"id", "event"}, optional: []string{"key", "visible", "desk"}},
	"depart":  {required: []string{"id"}},
}

// Decode reads one client message strictly: one flat JSON object in valid UTF-8, a known t, exactly the members of
// that t (an optional one that is missing is 0 or false), each once and within its range. An error is ErrNotJSON or
// a *Refusal that names the member; with a Refusal the returned message carries the command id if it was readable.
func Decode(data []byte) (ClientMessage, error) {
	if !utf8.Valid(data) {
		return ClientMessage{}, fmt.Errorf("%w: not UTF-8", ErrNotJSON)
	}
	r := readings.Get().(*reading)
	defer readings.Put(r)
	r.m, r.members = ClientMessage{}, r.members[:0]
	var err error
	if r.members, err = scanObject(r.members, data); err == nil {
		err = r.read()
	}
	return r.m, err
}

// reading is a message that is being read; its memory is used again.
type reading struct {
	m       ClientMessage
	members []member
}

var readings = sync.Pool{New: func() any { return new(reading) }}

func (r *reading) read() error {
	m, members := &r.m, r.members
	if id := find(members, "id"); id != nil && id.kind == 's' && ValidID(id.s) {
		m.ID = id.s
	}
	t := find(members, "t")
	if t == nil || t.kind != 's' {
		return Refusef(CodeBadMessage, `The field "t" must be there and be a string.`)
	}
	f, known := forms[t.s]
	if !known {
		return Refusef(CodeUnknownMessage, "There is no message %s.", quoted(t.s))
	}
	m.T = t.s
	return m.fill(f, members)
}

// fill copies the members into the message and says what is wrong with the first bad one.
func (m *ClientMessage) fill(f form, members []member) error {
	for i, got := range members {
		if find(members[:i], got.name) != nil {
			return Refusef(CodeBadMessage, "The field %s is there twice.", quoted(got.name))
		}
		if got.name == "t" {
			continue
		}
		if !oneOf(got.name, f.required...) && !oneOf(got.name, f.optional...) {
			return Refusef(CodeBadMessage, "The message %s has no field %s.", m.T, quoted(got.name))
		}
		fld := fields[got.name]
		if got.kind != fld.kind {
			return Refusef(CodeBadMessage, "The field %q must be %s.", got.name, kindNames[fld.kind])
		}
		if !fld.set(m, got.value) {
			return Refusef(CodeBadMessage, "The field %q must be %s.", got.name, fld.want)
		}
	}
	if (find(members, "timing") == nil) != (find(members, "each") == nil) {
		return Refusef(CodeBadMessage, `The fields "timing" and "each" go together.`)
	}
	for _, name := range f.required {
		if find(members, name) == nil {
			return Refusef(CodeBadMessage, "The message %s needs the field %q.", m.T, name)
		}
	}
	return nil
}

var kindNames = map[byte]string{'s': "a string", 'i': "a whole number", 'b': "true or false"}

// ValidID holds for a command, game or invitation id: 1 to 32 of [A-Za-z0-9_-].
func ValidID(s string) bool {
	if len(s) < 1 || len(s) > 32 {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && c != '_' && c != '-' {
			return false
		}
	}
	return true
}

// validName holds for what may be the name of somebody: 1 to 24 ASCII letters, digits, spaces, ., _ and -.
func validName(s string) bool {
	if len(s) < 1 || len(s) > 24 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; c != ' ' && c != '.' && !ValidID(s[i:i+1]) {
			return false
		}
	}
	return true
}

func validUCI(s string) bool {
	square := func(file, rank byte) bool { return file >= 'a' && file <= 'h' && rank >= '1' && rank <= '8' }
	if len(s) != 4 && len(s) != 5 || !square(s[0], s[1]) || !square(s[2], s[3]) {
		return false
	}
	return len(s) == 4 || oneOf(s[4:], "q", "r", "b", "n")
}

func oneOf(s string, all ...string) bool {
	for _, one := range all {
		if s == one {
			return true
		}
	}
	return false
}

// quoted shows what a client sent, shortened: it goes back to the client and into logs.
func quoted(s string) string {
	const most = 32
	if runes := []rune(s); len(runes) > most {
		s = string(runes[:most]) + "..."
	}
	return fmt.Sprintf("%q", s)
}

// Encode is the JSON of a server message.
func Encode(message any) []byte {
	data, err := json.Marshal(message)
	if err != nil {
		// Every message is a struct of strings, numbers and slices of them; nothing in it can fail.
		panic("wire: " + err.Error())
	}
	return data
}
