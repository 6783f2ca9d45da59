package clock

import "fmt"

// String is "w", "b" or "".
func (s Side) String() string {
	switch s {
	case White:
		return "w"
	case Black:
		return "b"
	}
	return ""
}

// Name is "White", "Black" or "nobody".
func (s Side) Name() string {
	switch s {
	case White:
		return "White"
	case Black:
		return "Black"
	}
	return "nobody"
}

// ParseSide reads what String writes.
func ParseSide(text string) (Side, error) {
	switch text {
	case "w":
		return White, nil
	case "b":
		return Black, nil
	case "":
		return None, nil
	}
	return None, fmt.Errorf("side %q: want w, b or nothing", text)
}

// MarshalText writes String.
func (s Side) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (s *Side) UnmarshalText(text []byte) error {
	side, err := ParseSide(string(text))
	if err == nil {
		*s = side
	}
	return err
}
