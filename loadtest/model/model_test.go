package model

import (
	"bufio"
	"encoding/json"
	"fmt"
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
	Truth    *struct {
		ForcedWin string `json:"forced_win_for"`
	} `json:"truth"`
	Events []struct {
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
		IllegalCount map[string]int   `json:"illegal_count"`
	} `json:"expect"`
}

// winners are sides that win by force, though not by a mate that mateIn finds.
var winners = map[string]string{"W034": "w", "W045": "w", "W046": "w"}

func TestPublishedRulings(t *testing.T) {
	f, err := os.Open("../../game/testdata/rulings.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	n := 0
	for lines.Scan() {
		var v vector
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		n++
		t.Run(v.ID, func(t *testing.T) { v.check(t) })
	}
	if n < 132 {
		t.Errorf("only %d rulings were read", n)
	}
}

func (v *vector) check(t *testing.T) {
	g := v.game(t)
	got := make([]string, len(v.Events))
	var last int64
	for _, i := range v.byRank() {
		e := v.Events[i]
		for due, ok := g.Due(); ok && due <= e.T; due, ok = g.Due() {
			g.Advance(due)
			v.prove(g, due)
			g.Tick(due)
		}
		last = e.T
		r := command(t, g, e.By, e.Type, e.UCI, e.Claim, e.T)
		n := len(r.Facts)
		r.Facts = append(r.Facts[:n:n], v.prove(g, e.T)...)
		got[i] = name(r, e.Type)
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
	b := g.Position()
	if b.FEN() != v.Expect.FEN {
		t.Errorf("%s: the position is %s, want %s", v.Title, b.FEN(), v.Expect.FEN)
	}
	running := ""
	if g.Running != Nobody {
		running = g.Running.String()
	}
	if running != v.Expect.Running {
		t.Errorf("%s: the clock of %q runs, want %q", v.Title, running, v.Expect.Running)
	}
	for c, key := range []string{"w", "b"} {
		if left := max(0, g.Left(Color(c), last)); left != v.Expect.Clocks[key] {
			t.Errorf("%s: %s has %d ms, want %d", v.Title, key, left, v.Expect.Clocks[key])
		}
		if down := slices.Contains(v.Expect.FlagsDown, key); down != g.Flag[c] {
			t.Errorf("%s: flag of %s down is %v, want %v", v.Title, key, g.Flag[c], down)
		}
		if g.Faults[c] != v.Expect.IllegalCount[key] {
			t.Errorf("%s: %s has %d illegal moves, want %d", v.Title, key, g.Faults[c], v.Expect.IllegalCount[key])
		}
	}
}

func (v *vector) game(t *testing.T) *Game {
	b, err := board.ParseFEN(v.FEN)
	if err != nil {
		t.Fatal(err)
	}
	terms := Terms{Rules: strings.ToLower(v.Ruleset), Board: b, Base: [2]int64{v.Clocks["w"], v.Clocks["b"]}, BothFlagsIdle: 60_000}
	for name, value := range v.Settings {
		switch name {
		case "arbiter_on_duty":
			terms.OnDuty = value == true
		case "arbiter_calls_flags":
			terms.CallFlags = value == true
		case "arbiter_calls_illegal":
			terms.CallIllegal = value == true
		default:
			t.Fatalf("setting %q is not known", name)
		}
	}
	g := New(terms)
	g.Start(0)
	return g
}

// prove answers the game's questions.
func (v *vector) prove(g *Game, at int64) []Fact {
	var facts []Fact
	for q, asked := g.Asked(); asked; q, asked = g.Asked() {
		verdict := No
		switch {
		case q.Kind == Possible:
			verdict = Yes // bare kings are not asked about
		case v.Truth != nil && v.Truth.ForcedWin == q.Side.String(), winners[v.ID] == q.Side.String(), mateIn(&q.Board, q.Side, 3):
			verdict = Yes
		}
		facts = append(facts, g.Prove(verdict, at).Facts...)
	}
	return facts
}

// mateIn tells whether c mates in n of its own moves at most.
func mateIn(b *Board, c Color, n int) bool {
	moves := b.AppendLegal(nil)
	if b.Turn() != c {
		if len(moves) == 0 {
			return b.InCheck(b.Turn())
		}
		return n > 0 && !slices.ContainsFunc(moves, func(m board.Move) bool {
			after := b.Displace(m)
			return !mateIn(&after, c, n)
		})
	}
	return n > 0 && slices.ContainsFunc(moves, func(m board.Move) bool {
		after := b.Displace(m)
		return mateIn(&after, c, n-1)
	})
}

// byRank is the order of one millisecond (B.2): releases and retractions, presses, illegal-move claims, time claims,
// other claims, the rest.
func (v *vector) byRank() []int {
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
		return g.Press(c, -1, at)
	case "retract":
		return g.Retract(c, -1, at)
	case "claim":
		return g.Claim(c, claim, at)
	case "resign":
		return g.Resign(c, at)
	case "offer_draw":
		return g.OfferDraw(c, at)
	case "accept_draw":
		return g.Answer(c, true, at)
	case "decline_draw":
		return g.Answer(c, false, at)
	case "tick":
		if g.Phase == Over {
			return refuse("game_over")
		}
		return Result{Code: OK}
	case "dispute":
		return g.Dispute(c, at)
	case "arbiter":
		return g.Arbitrate(Ruling{Act: map[string]string{"resume": "resume", "add60": "minute"}[claim], Side: c.Other()}, at)
	}
	t.Fatalf("no command %q", kind)
	return Result{}
}

// name is what the published rulings call an outcome.
func name(r Result, kind string) string {
	if r.Refused() {
		return "rejected:" + r.Code
	}
	for _, f := range r.Facts {
		switch {
		case (f.K == "restored" || f.K == "fault") && f.Step > 0:
			return fmt.Sprint("illegal:", f.Step)
		case f.K == "restored" && f.Add > 0:
			return "accepted:restore_120s"
		case f.K == "restored":
			return "accepted:restore"
		case f.K == "dispute" && kind == "claim":
			return "pending:arbiter"
		case f.K == "denied":
			return "rejected:" + f.Code
		}
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
		g := New(Terms{Rules: "wbca"})
		g.known = []known{{Question{Mate, b, tt.side}, false}}
		if ok, by := g.mates(&b, tt.side); ok != tt.want || by != tt.by {
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
