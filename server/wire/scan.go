package wire

import (
	"encoding/json"
	"strconv"
)

// member is one name and its scalar in an object, in the order sent. Kind 'x' is a value no message has:
// null, an array, an object or a number that is not a whole one.
type member struct {
	name string
	value
}

func find(members []member, name string) *member {
	for i := range members {
		if members[i].name == name {
			return &members[i]
		}
	}
	return nil
}

// maxMembers is more than any message has; beyond it the object is refused unread.
const maxMembers = 16

// scanObject splits one JSON object into members, which it appends. encoding/json would take names in any case and
// members twice, which a strict protocol cannot; what it calls valid JSON is still its own business.
func scanObject(members []member, data []byte) ([]member, error) {
	if !json.Valid(data) {
		return members, ErrNotJSON
	}
	s := scanner{data: string(data)}
	if s.next() != '{' {
		return members, ErrNotJSON
	}
	s.at++
	if s.next() == '}' {
		return members, nil
	}
	for {
		if len(members) == maxMembers {
			return members, ErrNotJSON
		}
		name := s.text()
		s.next()
		s.at++ // the colon
		members = append(members, member{name, s.value()})
		if s.next() == '}' {
			return members, nil
		}
		s.at++ // the comma
		s.next()
	}
}

// scanner walks over data that is known to be valid JSON.
type scanner struct {
	data string
	at   int
}

// next skips white space and shows the byte after it.
func (s *scanner) next() byte {
	for {
		switch c := s.data[s.at]; c {
		case ' ', '\t', '\r', '\n':
			s.at++
		default:
			return c
		}
	}
}

// text reads the string that begins here.
func (s *scanner) text() string {
	start, escaped := s.at, false
	for s.at++; s.data[s.at] != '"'; s.at++ {
		if s.data[s.at] == '\\' {
			escaped = true
			s.at++
		}
	}
	s.at++
	raw := s.data[start:s.at]
	if !escaped {
		return raw[1 : len(raw)-1]
	}
	var out string
	if json.Unmarshal([]byte(raw), &out) != nil {
		return ""
	}
	return out
}

// value reads the value that begins after the white space here.
func (s *scanner) value() value {
	switch c := s.next(); {
	case c == '"':
		return value{kind: 's', s: s.text()}
	case c == 't':
		s.at += len("true")
		return value{kind: 'b', b: true}
	case c == 'f':
		s.at += len("false")
		return value{kind: 'b'}
	case c == 'n':
		s.at += len("null")
		return value{kind: 'x'}
	case c == '{' || c == '[':
		s.skip()
		return value{kind: 'x'}
	}
	start := s.at
	for !endsNumber(s.data[s.at]) {
		s.at++
	}
	n, err := strconv.ParseInt(s.data[start:s.at], 10, 64)
	if err != nil {
		return value{kind: 'x'}
	}
	return value{kind: 'i', i: n}
}

func endsNumber(c byte) bool {
	switch c {
	case ',', '}', ']', ' ', '\t', '\r', '\n':
		return true
	}
	return false
}

// skip passes over an array or an object.
func (s *scanner) skip() {
	depth := 0
	for {
		switch s.data[s.at] {
		case '"':
			s.text()
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		s.at++
		if depth == 0 {
			return
		}
	}
}
