package model

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"flagfall/game/board"
)

type vector struct {
	ID       string           `json:"id"`
	Ruleset  string           `json:"ruleset"`
	Title    string           `json:"title"`
	FEN      string           `json:"fen"`
	Clocks   map[string]int64 `json:"clocks_ms"`
	Settings map[string]any   `json:"settings"`
	Events   []struct {
		T                    int64
		By, Type, UCI, Claim string
	} `json:"events"`
	Expect struct {
		Outcomes     []string         `json:"outcomes"`
		Result       string           `json:"result"`
		Reason       string           `json:"reason"`
		Rule         string           `json:"rule"`
		FEN          string           `json:"fen"`
		Running      string           `json:"running"`
		Clocks       map[string]int64 `json:"clocks_ms"`
		FlagsDown    []string         `json:"flags_down"`
		IllegalCount any              `json:"illegal_count"`
	} `json:"expect"`
}

// elsewhere are WBCA vectors about what this model leaves out: forced wins and the other claims of section 8.
var elsewhere = map[string]bool{"W021": true, "W022": true}

func (v vector) covered() bool {
	if v.Ruleset != "WBCA" || len(v.Settings) > 0 || elsewhere[v.ID] {
		return false
	}
	for _, e := range v.Events {
		if e.Type == "dispute" || (e.Type == "claim" && strings.HasPrefix(e.Claim, "8")) {
			return false
		}
	}
	return !strings.Contains(v.Expect.Rule, "8e") && !strings.Contains(v.Expect.Rule, "8g") && !strings.Contains(v.Expect.Rule, "8i")
}

func TestPublishedRulings(t *testing.T) {
	f, err := os.Open("../../game/testdata/rulings.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	covered := 0
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var v vector
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		if v.covered() {
			covered++
			t.Run(v.ID, func(t *testing.T) { checkVector(t, v) })
		}
	}
	if covered < 60 {
		t.Errorf("only %d vectors were covered", covered)
	}
}

func checkVector(t *testing.T, v vector) {
	b, err := board.ParseFEN(v.FEN)
	if err != nil {
		t.Fatal(err)
	}
	g := New(b, v.Clocks["w"], v.Clocks["b"], Options{})
	g.Start(0)
	got := make([]string, len(v.Events))
	var last int64
	for _, i := range byRank(v) {
		e := v.Events[i]
		last = e.T
		if c, over, ok := g.Over(e.T); ok && g.End == nil {
			g.Fall(c, e.T-over)
		}
		got[i] = name(command(t, g, e.By, e.Type, e.UCI, e.Claim, e.T))
	}
	if g.End == nil {
		g.Settle(last)
	}
	if !slices.Equal(got, v.Expect.Outcomes) {
		t.Errorf("%s: outcomes %v, want %v", v.Title, got, v.Expect.Outcomes)
	}
	end := End{Result: "*"}
	if g.End != nil {
		end = *g.End
	}
	if want := (End{v.Expect.Result, v.Expect.Reason, v.Expect.Rule}); end != want {
		t.Errorf("%s: end %+v, want %+v", v.Title, end, want)
	}
	if end.Result == "*" || end.Reason == "time" || end.Reason == "illegal_move" {
		for c, key := range []string{"w", "b"} {
			if left := max(0, g.Left(Color(c), last)); left != v.Expect.Clocks[key] && g.End == nil {
				t.Errorf("%s: %s has %d ms, want %d", v.Title, key, left, v.Expect.Clocks[key])
			}
			if down := slices.Contains(v.Expect.FlagsDown, key); down != g.Flag[c] {
				t.Errorf("%s: flag of %s down is %v, want %v", v.Title, key, g.Flag[c], down)
			}
		}
	}
}

// byRank is the order of one millisecond (B.2): releases and retractions, presses, illegal-move claims, time claims,
// other claims, the rest.
func byRank(v vector) []int {
	rank := func(i int) int {
		switch e := v.Events[i]; {
		case e.Type == "move" || e.Type == "retract":
			return 0
		case e.Type == "press":
			return 1
		case e.Claim == "illegal":
			return 2
		case e.Claim == "time":
			return 3
		case e.Type == "claim":
			return 4
		}
		return 5
	}
	order := make([]int, len(v.Events))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if d := v.Events[a].T - v.Events[b].T; d != 0 {
			return int(d)
		}
		return rank(a) - rank(b)
	})
	return order
}

func command(t *testing.T, g *Game, by, kind, uci, claim string, at int64) Result {
	t.Helper()
	c, err := board.ParseColor(by)
	if err != nil {
		t.Fatal(err)
	}
	switch kind {
	case "move":
		m, err := board.ParseUCI(uci)
		if err != nil {
			t.Fatal(err)
		}
		return g.Move(c, m, false, at)
	case "press":
		return g.Press(c, at)
	case "retract":
		return g.Retract(c, at)
	case "claim":
		return g.Claim(c, claim, at)
	case "resign":
		return g.Resign(c)
	case "offer_draw":
		return g.OfferDraw(c)
	case "accept_draw":
		return g.Answer(c, true)
	case "decline_draw":
		return g.Answer(c, false)
	}
	t.Fatalf("no command %q", kind)
	return Result{}
}

func name(r Result) string {
	if r.Refused() {
		return "rejected:" + r.Code
	}
	return r.Code
}

func TestMaterial(t *testing.T) {
	tests := []struct {
		fen  string
		side Color
		want bool
		by   string
	}{
		{"8/8/8/4k3/2b5/8/P7/4K3 w - - 0 1", board.Black, false, ""}, // RULE-01 a
		{"8/8/8/4k3/2n5/8/P7/4K3 w - - 0 1", board.Black, false, ""}, // RULE-01 b
		{"8/8/8/4k3/2b5/8/P7/4K3 w - - 0 1", board.White, true, ""},
		{"8/8/8/3k4/8/8/8/KNN5 w - - 0 1", board.White, false, ""},
		{"8/7p/8/3k4/8/8/8/KNN5 w - - 0 1", board.White, true, ""},
		{"8/8/8/3k4/8/8/8/KBN5 w - - 0 1", board.White, true, ""},
		{"8/8/8/3k4/8/8/8/KB1B4 w - - 0 1", board.White, false, ""},
		{"8/8/8/3k4/8/8/8/KBB5 w - - 0 1", board.White, true, ""},
		{"8/8/4k3/4P3/8/4K3/8/8 b - - 0 1", board.White, false, "8h"},
		{"4k3/4P3/3K4/8/8/8/8/8 b - - 0 1", board.White, true, ""},
		{"k7/8/P7/8/8/1K6/8/8 b - - 0 1", board.White, false, "8h"},
		{"8/8/4k3/8/4p3/4K3/8/8 w - - 0 1", board.Black, false, "8h"},
		{"8/8/3k4/8/8/3K4/Q7/8 w - - 0 1", board.Black, false, ""},
	}
	for _, tt := range tests {
		b, err := board.ParseFEN(tt.fen)
		if err != nil {
			t.Fatal(err)
		}
		if ok, by := mates(&b, tt.side); ok != tt.want || by != tt.by {
			t.Errorf("mates(%s, %v) = %v, %q; want %v, %q", tt.fen, tt.side, ok, by, tt.want, tt.by)
		}
	}
}

func TestDead(t *testing.T) {
	tests := map[string]bool{ // POS-05
		"8/8/8/4k3/5b2/3K4/8/2B5 w - - 0 33":    true,
		"5K2/8/8/1B6/8/k7/6b1/8 w - - 0 39":     true,
		"B1b1k3/3b4/4b3/8/8/8/8/4KB2 w - - 0 1": true,
		"7k/8/7K/2Bb4/8/8/8/8 b - - 0 1":        false,
		"8/8/4K3/8/1n6/8/5k1N/8 w - - 0 50":     false,
	}
	for fen, want := range tests {
		b, err := board.ParseFEN(fen)
		if err != nil {
			t.Fatal(err)
		}
		if got := dead(&b); got != want {
			t.Errorf("dead(%s) = %v, want %v", fen, got, want)
		}
	}
}
