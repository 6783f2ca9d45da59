package gateway

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func TestPacking(t *testing.T) {
	for _, text := range []string{`{}`, `true`, `null`, ``, `{"a":"` + strings.Repeat("x", packFrom) + `"}`} {
		small, err := packed(json.RawMessage(text))
		if err != nil || len(small) > max(len(text), 10) || len(text) > packFrom && len(small) > packFrom/10 {
			t.Errorf("%d bytes are packed into %d: %v", len(text), len(small), err)
		}
		if back, err := unpacked(small); err != nil || string(back) != text {
			t.Errorf("%d bytes come back as %d: %v", len(text), len(back), err)
		}
	}
	for _, bad := range []string{`"`, `"?"`, `"aGk="`, `"H4sIAAAAAAAA"`} {
		if _, err := unpacked(json.RawMessage(bad)); !errors.Is(err, errPacking) {
			t.Errorf("%s: %v", bad, err)
		}
	}
	bomb, err := packed(json.RawMessage(`"` + strings.Repeat(" ", mostOpen) + `"`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := unpacked(bomb); !errors.Is(err, errPacking) {
		t.Errorf("more than may be opened: %v", err)
	}
}
