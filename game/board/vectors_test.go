package board

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// A vector is a worked example; only what concerns the board is read.
type vector struct {
	ID      string
	Ruleset string
	FEN     string
	Events  []struct{ By, Type, UCI string }
	Expect  struct {
		Outcomes []string
		FEN      string
	}
}

func readVectors(t *testing.T) []vector {
	t.Helper()
	f, err := os.Open("../testdata/rulings.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []vector
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var v vector
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// restores tells whether a claim or press puts an earlier position back, which
// is not the board's business.
func (v *vector) restores() bool {
	for _, o := range v.Expect.Outcomes {
		if strings.HasPrefix(o, "accepted:restore") || strings.HasPrefix(o, "illegal:") {
			return true
		}
	}
	return false
}

// replay makes the moves that the outcomes say were made: a legal one counts
// at its release, an illegal one at the press, a queued one at the other's.
func (v *vector) replay(t *testing.T) Board {
	t.Helper()
	b, err := ParseFEN(v.FEN)
	if err != nil {
		t.Fatalf("%s: %v", v.ID, err)
	}
	var pending, queued *Move
	release := func(m Move) {
		if b.Legal(m) {
			b = b.Displace(m)
			return
		}
		pending = &m
	}
	for i, e := range v.Events {
		outcome := v.Expect.Outcomes[i]
		switch {
		case e.Type == "move" && outcome == "ok":
			release(uci(t, e.UCI))
		case e.Type == "move" && outcome == "queued":
			m := uci(t, e.UCI)
			queued = &m
		case e.Type == "retract" && outcome == "ok":
			pending = nil
		case e.Type == "press" && outcome == "ok":
			if pending != nil {
				b, pending = b.Displace(*pending), nil
			}
			if queued != nil {
				release(*queued)
				queued = nil
			}
		}
	}
	return b
}

func TestVectors(t *testing.T) {
	replayed := 0
	for _, v := range readVectors(t) {
		if v.restores() {
			continue
		}
		replayed++
		if got := v.replay(t).FEN(); got != v.Expect.FEN {
			t.Errorf("%s:\n got  %s\n want %s", v.ID, got, v.Expect.FEN)
		}
	}
	if replayed < 100 {
		t.Errorf("only %d vectors replayed", replayed)
	}
}
